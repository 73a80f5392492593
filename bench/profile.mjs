import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { say } from "../scripts/lib/base/command.mjs";
import { inRoot } from "../scripts/lib/base/paths.mjs";
import { build } from "../scripts/lib/build/build.mjs";
import { openAccount } from "./ask.mjs";
import { connectInspector } from "./inspector.mjs";
import { load, settle } from "./load.mjs";
import { profileReport } from "./profile-report.mjs";
import { print } from "./report.mjs";
import { startPeyk } from "./workers.mjs";

const seconds = 10;
/** The profile of the last run, for the browser's developer tools. */
const file = inRoot("build", "bench.cpuprofile");
const intervalUs = 500;

/**
 * Says where the runtime's thread spends its time while Peyk is loaded. `BENCH_RECIPIENTS` sets the recipients of a request,
 * `BENCH_ACCOUNTS` the accounts that send them, and `BENCH_RATE` the requests a second, if it is not to be as many as go. With
 * `BENCH_SCHEDULED` the messages are scheduled, so that Peyk accepts them and nothing else. The WebAssembly is built with the
 * names of its functions.
 */
export async function profile(dir) {
  process.env.PROFILE = "1";
  await build();
  const recipients = Number(process.env.BENCH_RECIPIENTS || 1);
  const accounts = Number(process.env.BENCH_ACCOUNTS || 1);
  const rate = Number(process.env.BENCH_RATE || 0);
  const peyk = await startPeyk(join(dir, "peyk"), { inspectorPort: 0 });
  try {
    const keys = [];
    for (let at = 0; at < accounts; at += 1) keys.push((await openAccount(peyk, `bench-profile-${at}`)).key);
    const connections = rate ? 256 : recipients > 100 ? 16 : 32;
    const sendAt = process.env.BENCH_SCHEDULED && new Date(Date.now() + 3_600_000).toISOString();
    const job = { keys, recipients, connections, ...(rate && { rate }), ...(sendAt && { sendAt }) };
    await load(peyk, { ...job, seconds: 3 });
    await settle(peyk, keys);
    say(`profiling ${seconds} seconds of requests with ${recipients} recipients …`);
    const inspector = await connectInspector(await peyk.inspector());
    await inspector.send("Profiler.enable");
    await inspector.send("Profiler.setSamplingInterval", { interval: intervalUs });
    await inspector.send("Profiler.start");
    const result = await load(peyk, { ...job, seconds });
    const { profile } = await inspector.send("Profiler.stop");
    inspector.close();
    writeFileSync(file, JSON.stringify(profile));
    print([profileReport(profile, result)]);
    say(`the whole profile is in ${file}`);
  } finally {
    await peyk.stop();
  }
}
