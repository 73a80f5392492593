import { connect } from "node:net";

/** A request of our own API as it is written to a socket. */
export const toRequest = ({ key, ...request }) =>
  written({ ...request, headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" } });

/** A request as it is written to a socket. */
export function written({ method, path, port, headers, body = "" }) {
  const head = [
    `${method} ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return Buffer.from(`${head.join("\r\n")}\r\n\r\n${body}`);
}

/**
 * A plain socket for one request after another, because on a machine with few cores an HTTP client takes CPU time from the
 * service.
 */
export class Connection {
  #socket;
  #received = "";
  /** The last answer, as it came. */
  answer = "";
  #resolve = () => {};

  constructor(port) {
    this.#socket = connect(port, "127.0.0.1").setNoDelay(true).setEncoding("latin1");
    this.#socket.on("data", (chunk) => this.#receive(chunk));
    // A `close` event follows.
    this.#socket.on("error", () => {});
    this.#socket.on("close", () => this.#resolve(null));
  }

  /** Resolves to the status of the answer, or to `null` if the connection ends before it. */
  ask(request) {
    if (this.#socket.destroyed) return Promise.resolve(null);
    return new Promise((resolve) => {
      this.#resolve = resolve;
      this.#socket.write(request);
    });
  }

  close() {
    this.#socket.destroy();
  }

  #receive(chunk) {
    this.#received += chunk;
    if (!isWhole(this.#received)) return;
    const status = this.#received.slice(9, 12);
    this.answer = this.#received;
    this.#received = "";
    this.#resolve(status);
  }
}

function isWhole(text) {
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return false;
  const length = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, end));
  return length ? text.length >= end + 4 + Number(length[1]) : text.endsWith("\r\n0\r\n\r\n");
}
