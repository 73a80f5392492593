// Loads one address and prints what it saw as one line of JSON. A process of its own, and plain sockets with requests made
// beforehand: on a machine with few cores, what the loader spends is missing to the service.
import { connect } from "node:net";
import { bodies } from "./bodies.mjs";

const { port, path, key, recipients, connections, seconds } = JSON.parse(process.argv[2]);
const requests = bodies(recipients).map(toRequest);
const statuses = {};
const latencies = [];
let next = 0;

const started = performance.now();
const deadline = started + seconds * 1000;
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
  // Overloaded, the runtime may close a connection unanswered: counted, and replaced.
  while (performance.now() < deadline) if (!(await loadUntilClosed())) count("closed");
}

function count(status) {
  statuses[status] = (statuses[status] ?? 0) + 1;
}

/** One request after the other; `true` when time is up, `false` when the connection ended before. */
function loadUntilClosed() {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1").setNoDelay(true).setEncoding("latin1");
    let received = "";
    let sentAt = 0;
    const send = () => {
      if (performance.now() >= deadline) return socket.destroy();
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
    // `close` follows.
    socket.on("error", () => {});
    socket.on("close", () => resolve(performance.now() >= deadline));
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
