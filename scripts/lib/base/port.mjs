import { createServer } from "node:net";
import { Failure } from "./command.mjs";

/** Fails if something else listens on the port, and names the command that `another(port)` returns for another port. */
export function ensureFree(port, host, another) {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", (error) => reject(new Failure(complaint(port, error, another))));
    probe.listen(port, host, () => probe.close(resolve));
  });
}

const complaint = (port, error, another) =>
  error.code === "EADDRINUSE"
    ? `port ${port} is taken. Stop what listens there, or choose another: \`${another(port + 1)}\`.`
    : `port ${port} can't be used: ${error.message}`;

/** The number of a port from `least` on; `null`: the text is none. */
export function portIn(text, least = 1) {
  const port = /^\d+$/.test(text) ? Number(text) : -1;
  return port >= least && port <= 65_535 ? port : null;
}
