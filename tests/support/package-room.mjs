// A room for an unpacked package, as packaging/Dockerfile makes one: no network, and nothing can be written but the data and /tmp. It is
// made of namespaces of the kernel; where nobody may make these, the package runs outside.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { outputOf } from "../../scripts/lib/base/command.mjs";
import { refusalOf } from "./namespaces.mjs";
import { freePorts } from "./peers/ports.mjs";

/** Where the Dockerfile has what a command names, and where its port is. */
const paths = {
  package: "/opt/peyk",
  data: "/var/lib/peyk",
  tools: "/opt/tools",
  temporary: "/tmp",
  run: "/run/peyk",
  port: "8787",
};
const nameOf = Object.fromEntries(Object.entries(paths).map(([name, path]) => [path, name]));
const placed = new RegExp(Object.values(paths).join("|"), "g");
/** What a package finds in PATH: Node.js, and of the system what its scripts for a shell name. */
const programs = ["sh", "cat", "readlink"];

const setUp = `set -e
ip link set lo up
mount -t tmpfs tmpfs /opt
mkdir /opt/peyk /opt/tools
mount --bind "$1" /opt/peyk
touch /opt/tools/node
mount --bind "$3" /opt/tools/node
for program in ${programs.join(" ")}; do ln -s "$(command -v $program)" /opt/tools/; done
mount -t tmpfs tmpfs /var/lib
mkdir /var/lib/peyk
mount --bind "$2" /var/lib/peyk
mount -t tmpfs tmpfs /run
mkdir /run/peyk
mount -t tmpfs -o noexec,nosuid,nodev tmpfs /tmp
for place in /opt/peyk /opt /var/lib /; do mount -o remount,bind,ro $place; done
echo ready
exec cat`;

/**
 * Opens a room for the package in `place/package`, with data in `place/data`. Returns
 *
 * - `isApart`: whether it is a room of its own; otherwise `why` says why not;
 * - `at`: where things are for a command in it;
 * - `words(list)`: a command of the Dockerfile as it is here;
 * - `start(words, env)`: starts a command with what a package finds, and `visit(words, env)` one with all programs of the machine. Both
 *   return a child process;
 * - `close()`.
 */
export async function openRoom(place) {
  const [own, data] = ["package", "data"].map((name) => join(place, name));
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const node = process.execPath;
  const holder = spawn("unshare", ["-rmn", "sh", "-c", setUp, "room", own, data, node], {
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` },
  });
  const why = await refusalOf(holder);
  const isApart = why === null;
  const at = isApart ? paths : { ...(await outside(place, node)), package: own, data };
  const enter = isApart ? ["nsenter", "-t", `${holder.pid}`, "-U", "-m", "-n", "--preserve-credentials"] : [];
  const begin = (words) => {
    const [program, ...rest] = [...enter, ...words];
    return spawn(program, rest, { stdio: ["ignore", "pipe", "pipe"] });
  };
  const inEnv = (env) => Object.entries(env).map(([name, value]) => `${name}=${value}`);
  return {
    isApart,
    why,
    at,
    words: (list) => list.map((word) => word.replace(placed, (found) => at[nameOf[found]])),
    start: (words, env = {}) =>
      begin(["env", "-i", ...inEnv({ PATH: at.tools, HOME: "/nonexistent", TMPDIR: at.temporary, ...env }), ...words]),
    visit: (words, env = {}) => begin(["env", ...inEnv(env), ...words]),
    close: () => holder.kill("SIGKILL"),
  };
}

/** The places of a package that runs outside. */
async function outside(place, node) {
  const [tools, temporary, run] = ["tools", "temporary", "run"].map((name) => join(place, name));
  for (const dir of [tools, temporary, run]) mkdirSync(dir);
  symlinkSync(node, join(tools, "node"));
  for (const program of programs) symlinkSync(outputOf("which", [program]), join(tools, program));
  return { tools, temporary, run, port: `${(await freePorts(1))[0]}` };
}

/** What a command says until it ends: `{status, output}`. */
export async function ended(child) {
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (piece) => (output += piece));
  const status = await new Promise((resolve) => child.once("close", resolve));
  return { status, output };
}

/** What a command says, when it has said something that `pattern` finds; fails if it ends before. */
export async function said(child, pattern) {
  let output = "";
  return new Promise((resolve, reject) => {
    const take = (piece) => {
      output += piece;
      if (pattern.test(output)) resolve(output);
    };
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", take);
    child.once("close", () => reject(new assert.AssertionError({ message: output })));
  });
}
