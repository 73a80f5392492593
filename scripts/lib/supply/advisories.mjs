// What is known of holes in packages: each source, and whether it could be asked.
import { spawnSync } from "node:child_process";
import { environment } from "../base/command.mjs";
import { root } from "../base/paths.mjs";

/** Runs a program: its status, or `null` if there is no such program, and its output. */
function attempt(program, args) {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: root,
    encoding: "utf8",
    env: environment(),
    maxBuffer: 64 << 20,
  });
  return { status, stdout: stdout ?? "", stderr: stderr ?? "" };
}

/**
 * Asks about the crates. Gives `{holes}`, a text that is empty if none is known, or `{unreached}`: why nobody knows.
 * @param run runs a program, as `attempt` does.
 */
export function ofCrates(run = attempt) {
  if (run("cargo", ["deny", "--version"]).status !== 0)
    return { unreached: "cargo-deny is missing: `cargo install --locked cargo-deny`" };
  const fetched = run("cargo", ["deny", "fetch", "db"]);
  if (fetched.status !== 0) return { unreached: lastLine(fetched.stderr) };
  const checked = run("cargo", ["deny", "check"]);
  return { holes: checked.status === 0 ? "" : checked.stderr };
}

/** Asks about the npm packages, as [`ofCrates`]. */
export function ofNpm(run = attempt) {
  const { stdout, stderr } = run("npm", ["audit", "--package-lock-only", "--json"]);
  const answer = parsed(stdout);
  const counts = answer?.metadata?.vulnerabilities;
  if (!counts) return { unreached: answer?.error?.summary || answer?.message || lastLine(stderr) };
  return { holes: counts.total === 0 ? "" : JSON.stringify(answer.vulnerabilities, null, 2) };
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const lastLine = (text) => text.trim().split("\n").at(-1) || "there was no answer";
