// Starts the gate: a runtime of its own with the public socket. Peyk's runtime has none, so nothing that Miniflare brings along can
// be reached from outside.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import workerd from "workerd";
import { Failure, finished } from "../../base/command.mjs";
import { watchOver } from "../../base/watch.mjs";
import { folderVariable } from "../lock.mjs";
import { childOutput, logLines } from "../log.mjs";

const config = fileURLToPath(new URL("gate.capnp", import.meta.url));

/** A host with a port, as the runtime and an address take it. */
export const socketOf = (host, port) => `${host.includes(":") ? `[${host}]` : host}:${port}`;

/** The address of a gate for who calls it on this machine: one that listens on all addresses answers there under that of the machine itself. */
export const addressOf = (host, port) =>
  `http://${socketOf({ "0.0.0.0": "127.0.0.1", "::": "::1" }[host] ?? host, port)}`;

/**
 * Opens the gate in front of a service (`startService`). `trustedProxies` are networks between commas. Resolves when it listens, with
 * `{child, exited, port}`; with port 0 the system chooses one.
 */
export async function openGate({ host, port, service, trustedProxies }) {
  const sockets = ["peyk", "site"].map((name) => `--external-addr=${name}=unix:${service[name]}`);
  const addresses = [`--socket-addr=http=${socketOf(host, port)}`, ...sockets];
  // A process group of its own: Ctrl-C in a terminal is for the command, which closes the gate in order.
  const child = spawn(workerd.default, ["serve", config, "--control-fd=3", ...addresses], {
    detached: true,
    stdio: ["ignore", childOutput(), childOutput(), "pipe"],
    // What faces the internet gets nothing of the command's environment but by which folder it is known.
    env: {
      [folderVariable]: process.env[folderVariable],
      TRUSTED_PROXIES: trustedProxies,
      SITE_PATHS: service.sitePaths.join(","),
    },
  });
  watchOver(child);
  logLines(child, "gate");
  const exited = finished(child);
  return { child, exited, port: await listening(child, exited, `port ${port} of ${host}`) };
}

/** The runtime tells by its control pipe where it listens. */
function listening(child, exited, what) {
  return new Promise((resolve, reject) => {
    exited.then(() => reject(new Failure(`${what} can't be used; what the runtime says stands above`)), reject);
    createInterface({ input: child.stdio[3] }).on("line", (line) => {
      const { event, port } = JSON.parse(line);
      if (event === "listen") resolve(port);
    });
  });
}
