import { join } from "node:path";
import { say } from "../scripts/lib/base/command.mjs";
import { build } from "../scripts/lib/build/build.mjs";
import { ensureKannel } from "../scripts/lib/test/install.mjs";
import { inTurn, seconds } from "./load.mjs";
import { peersReport } from "./peers/report.mjs";
import { measureRound } from "./peers/round.mjs";
import { print } from "./report.mjs";

const line = "10003";
const window = 50;
/** Each message is reported as delivered as soon as its `submit_sm` is answered. */
const smsc = { deliverWindow: 100 };
const asFastAsPossible = { connections: 32, seconds };
const paced = { connections: 256, rate: 300, seconds: 4 };

/** Single messages through Kannel and through Peyk, in turn, each to an SMSC of the same program. */
export async function peers(dir) {
  await ensureKannel("the rounds beside Kannel");
  await build();
  const started = performance.now();
  // The packages that these import are installed by now.
  const { startKannelSide } = await import("./peers/kannel.mjs");
  const { startPeykSide } = await import("./peers/peyk.mjs");
  const starts = [
    () => startKannelSide({ name: "Kannel", line, window, smsc, store: "file" }),
    () => startKannelSide({ name: "Kannel without a store", line, window, smsc }),
    () => startPeykSide({ name: "Peyk", line, window, smsc, stateDir: join(dir, "peyk") }),
  ];
  const sides = [];
  try {
    for (const start of starts) sides.push(await start());
    say("loading each for some seconds, which don't count …");
    for (const side of sides) await measureRound(side, { connections: 32, seconds: side.warmUpSeconds });
    const measure = (what, job) =>
      inTurn(
        what,
        sides.map((side) => () => measureRound(side, job)),
      );
    const fast = await measure("as fast as possible", asFastAsPossible);
    const slow = await measure(`${paced.rate} a second`, paced);
    const took = (performance.now() - started) / 1_000;
    const titles = [
      `${asFastAsPossible.connections} connections for ${seconds} s`,
      `${paced.rate} a second for ${paced.seconds} s`,
    ];
    print([peersReport({ sides, results: [fast, slow], titles, took })]);
  } finally {
    await Promise.all(sides.map((side) => side.stop()));
  }
}
