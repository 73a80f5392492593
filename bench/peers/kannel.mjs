import { startKannel } from "../../tests/support/peers/kannel.mjs";
import { startSmscProcess } from "../../tests/support/peers/smsc-process.mjs";
import { childrenOf, cpuSecondsOf, memoryOf } from "../processes.mjs";
import { templates } from "./messages.mjs";
import { startReceiver } from "./receiver.mjs";

/** Kannel's words for a message that was delivered, that was not, and that the SMSC refused. One of them comes. */
const receipts = 1 + 2 + 16;
/** Kannel logs what goes wrong, as Peyk does. */
const warnings = 2;

/** Kannel with an SMSC and a receiver of its receipts, as a side of the comparison. `store` is as `startKannel` has it. */
export async function startKannelSide({ name, line, store, smsc: options, window }) {
  const parts = [];
  const stop = async () => {
    for (const part of parts.reverse()) await part.stop();
  };
  const started = async (part) => {
    parts.push(await part);
    return parts.at(-1);
  };
  try {
    const smsc = await started(startSmscProcess(options));
    const receiver = await started(startReceiver());
    const binding = { port: smsc.port, "max-pending-submits": window };
    const kannel = await started(startKannel({ smsc: binding, store, verbosity: warnings }));
    const pids = kannel.leashes.flatMap((leash) => ["bearerbox", "smsbox"].flatMap((box) => childrenOf(leash, box)));
    const sum = (of) => pids.map(of).reduce((all, one) => all + one, 0);
    return {
      name,
      warmUpSeconds: 2,
      port: Number(new URL(kannel.url).port),
      template: templateOf(kannel, receiver, line),
      accepted: "202 0: Accepted for delivery",
      smsc,
      told: receiver.told,
      helpers: [smsc.pid(), receiver.pid],
      cpuSeconds: () => sum(cpuSecondsOf),
      megabytes: () => sum((pid) => memoryOf(pid).now),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function templateOf({ url, username, password }, receiver, line) {
  const { pathname, host } = new URL(url);
  const { to, text } = templates;
  const parameters = new URLSearchParams({
    ...{ username, password, from: line, to, text },
    ...{ "dlr-mask": receipts, "dlr-url": `${receiver.url}${to.slice(1)}` },
  });
  return `GET ${pathname}?${parameters} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
}
