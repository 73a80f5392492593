// What Kannel calls with its receipts: it answers each call at once and counts them, in a process of its own.
import { fork } from "node:child_process";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";

const file = fileURLToPath(import.meta.url);
const answer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

/**
 * Starts the receiver. `url` is what it is to be called by, with the number at the end. `told()` says how many different numbers
 * it was called for, and when it was called for the last of these, by the clock of `process.hrtime`.
 */
export async function startReceiver() {
  const child = fork(file, [], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const exited = new Promise((resolve) => child.once("exit", resolve));
  const ask = (what) =>
    new Promise((resolve, reject) => {
      exited.then(() => reject(new Error("the receiver's process has ended")));
      child.once("message", resolve);
      child.send(what);
    });
  const port = await ask("port");
  return {
    url: `http://127.0.0.1:${port}/`,
    pid: child.pid,
    told: () => ask("told"),
    async stop() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}

/** Takes the paths of the whole requests off the begin of what was read, and returns the rest too. Requests have no body. */
export function pathsIn(text) {
  const heads = text.split("\r\n\r\n");
  const rest = heads.pop();
  return { paths: heads.map((head) => head.split(" ", 2)[1]), rest };
}

function serveParent() {
  const numbers = new Set();
  let lastAt = null;
  const server = createServer((socket) => {
    let read = "";
    socket.setNoDelay(true).setEncoding("latin1");
    socket.on("error", () => socket.destroy());
    socket.on("data", (chunk) => {
      const { paths, rest } = pathsIn(read + chunk);
      read = rest;
      for (const path of paths) {
        if (!numbers.has(path)) lastAt = Number(process.hrtime.bigint()) / 1e6;
        numbers.add(path);
        socket.write(answer);
      }
    });
  });
  const listening = new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  process.on("disconnect", () => process.exit());
  process.on("message", async (what) => {
    await listening;
    process.send(what === "port" ? server.address().port : { count: numbers.size, lastAt });
  });
}

if (process.send !== undefined && process.argv[1] === file) serveParent();
