import { bootstrap } from "./lib/bootstrap.mjs";
import { build } from "./lib/build.mjs";
import { exec, wranglerCommand } from "./lib/exec.mjs";
import { run } from "./lib/fail.mjs";
import { ensureDeployable } from "./lib/remote.mjs";

await bootstrap();
await run(async () => {
  ensureDeployable();
  await build();
  await wrangler(["d1", "migrations", "apply", "DB", "--remote"]);
  await wrangler(["deploy"]);
});

function wrangler(args) {
  const command = wranglerCommand(args);
  return exec(command.program, command.args, { env: command.env });
}
