import { spawnSync } from "node:child_process";
import { environment, Failure } from "../base/command.mjs";

/** Returns the output of a program that runs in a folder. Fails, with what the program has said, if it fails. */
export function output(cwd, program, args, env = {}) {
  const { status, error, stdout, stderr } = spawnSync(program, args, { cwd, encoding: "utf8", env: environment(env) });
  if (status !== 0) throw new Failure(`\`${program} ${args[0]}\` failed: ${error?.message ?? stdout + stderr}`);
  return stdout.trim();
}
