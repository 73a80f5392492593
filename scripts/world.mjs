// `npm run world` plays tests/runtime/differential.test.mjs at full size: 30 accounts that share four carriers, about 10,000 recipients,
// and two crashes of the runtime. What the environment says goes before these sizes.
import { bootstrap } from "./lib/base/bootstrap.mjs";
import { environment, exec, run } from "./lib/base/command.mjs";

const size = { ACCOUNTS: 30, SENDS: 34, KILLS: 2, PATIENT: 1 };

await bootstrap();
await run(async () => {
  const names = Object.entries(size).map(([name, value]) => [`DIFFERENTIAL_${name}`, String(value)]);
  const env = { ...Object.fromEntries(names), ...environment() };
  await exec(process.execPath, ["--test", "--test-reporter=spec", "tests/runtime/differential.test.mjs"], { env });
});
