import { startSmscProcess } from "../../tests/support/peers/smsc-process.mjs";
import { ask, openAccount } from "../ask.mjs";
import { toRequest } from "../connection.mjs";
import { startPeyk } from "../workers.mjs";
import { templates } from "./messages.mjs";

const carrier = "bench-peers";

/** Peyk with an SMSC, as a side of the comparison. One account sends. */
export async function startPeykSide({ name, line, stateDir, smsc: options, window }) {
  const smsc = await startSmscProcess(options);
  let peyk;
  const stop = async () => {
    await peyk?.stop();
    await smsc.stop();
  };
  try {
    peyk = await startPeyk(stateDir);
    const key = await prepare(peyk, { line, port: smsc.port, window });
    const body = JSON.stringify({ message: templates.text, recipients: [templates.to], sourceNumber: line });
    return {
      name,
      // The runtime compiles busy WebAssembly anew, which takes it some ten seconds. A program in C is as fast at once.
      warmUpSeconds: 10,
      port: peyk.port,
      template: toRequest({ method: "POST", path: "/sms/send", port: peyk.port, key, body }).toString(),
      accepted: "201",
      smsc,
      told: () => delivered(peyk, key),
      helpers: [smsc.pid()],
      cpuSeconds: peyk.cpuSeconds,
      megabytes: () => peyk.memory().now,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function prepare(peyk, { line, port, window }) {
  const admin = (method, path, body) => ask(peyk.baseUrl, method, `/admin${path}`, peyk.adminKey, body);
  const smpp = { host: "127.0.0.1", port, tls: false, systemId: "peyk", password: "secret", binds: 1, window };
  await admin("POST", "/carriers", { name: carrier, kind: "smpp", smpp });
  await admin("POST", "/lines", { number: line, carrier, operations: ["WEBSERVICE"], shared: true });
  return (await openAccount(peyk, carrier, line)).key;
}

/** How many messages of the account are `DELIVERED`, and when that was known. */
async function delivered({ baseUrl }, key) {
  const days = await ask(baseUrl, "GET", "/account/usage", key);
  const count = days.reduce((sum, { live }) => sum + live.statuses.DELIVERED, 0);
  return { count, lastAt: Number(process.hrtime.bigint()) / 1e6 };
}
