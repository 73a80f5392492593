import { spawnSync } from "node:child_process";
import { root } from "../../scripts/lib/base/paths.mjs";

/**
 * The service's own table of routes: `{operation, method, path, scopes, payment, body, params, errors, summary}` each, with no
 * `scopes` for a public route and one for any key. A route that is added is tested, or the tests say that it is not.
 */
export function routes() {
  const args = ["run", "--quiet", "--bin", "routes"];
  const { status, stdout, error } = spawnSync("cargo", args, {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status !== 0) throw new Error(`\`cargo ${args.join(" ")}\` failed (${error ?? `status ${status}`})`);
  return JSON.parse(stdout);
}
