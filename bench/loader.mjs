// Loads one address for so many seconds, or until it has so many answers, and prints the results as one line of JSON. It is a
// separate process, uses plain sockets and builds
// the requests beforehand, because on a machine with few cores the loader takes CPU time from the service.
import { connect } from "node:net";
import { bodies } from "./bodies.mjs";

const {
  port,
  path,
  key,
  recipients,
  connections,
  seconds = Infinity,
  answers = Infinity,
} = JSON.parse(process.argv[2]);
const requests = bodies(recipients).map(toRequest);
const statuses = {};
const latencies = [];
let next = 0;

const started = performance.now();
const deadline = started + seconds * 1000;
const isOver = () => performance.now() >= deadline || latencies.length >= answers;
await Promise.all(Array.from({ length: connections }, loadOneConnection));
const elapsed = (performance.now() - started) / 1000;
latencies.sort((a, b) => a - b);
const { user, system } = process.cpuUsage();
console.log(
  JSON.stringify({
    statuses,
    requestsPerSecond: (statuses[201] ?? 0) / elapsed,
    p50: percentile(50),
    p99: percentile(99),
    loaderCores: (user + system) / 1e6 / elapsed,
  }),
);

function toRequest(body) {
  const head = [
    `POST ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    `Authorization: Bearer ${key}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return Buffer.from(`${head.join("\r\n")}\r\n\r\n${body}`);
}

async function loadOneConnection() {
  // An overloaded runtime may close a connection without an answer. The loader counts this and connects again.
  while (!isOver()) if (!(await loadUntilClosed())) count("closed");
}

function count(status) {
  statuses[status] = (statuses[status] ?? 0) + 1;
}

/**
 * Sends one request after another. Resolves to `true` when it is over, and to `false` if the connection ended earlier.
 */
function loadUntilClosed() {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1").setNoDelay(true).setEncoding("latin1");
    let received = "";
    let sentAt = 0;
    const send = () => {
      if (isOver()) return socket.destroy();
      sentAt = performance.now();
      socket.write(requests[next++ % requests.length]);
    };
    socket.on("connect", send);
    socket.on("data", (chunk) => {
      received += chunk;
      if (!isWhole(received)) return;
      latencies.push(performance.now() - sentAt);
      count(received.slice(9, 12));
      received = "";
      send();
    });
    // A `close` event follows.
    socket.on("error", () => {});
    socket.on("close", () => resolve(isOver()));
  });
}

function isWhole(text) {
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return false;
  const length = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, end));
  return length ? text.length >= end + 4 + Number(length[1]) : text.endsWith("\r\n0\r\n\r\n");
}

function percentile(p) {
  return latencies[Math.min(latencies.length - 1, Math.floor((latencies.length * p) / 100))];
}
