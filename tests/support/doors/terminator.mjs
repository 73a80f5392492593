// A server on this machine that stands for the hosts of other providers: it ends the TLS of their libraries and hands the
// bytes on, unchanged, to the service.
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer as createTlsServer } from "node:tls";
import { fileURLToPath } from "node:url";
import { selfSigned } from "../certificate.mjs";

const here = (name) => fileURLToPath(new URL(name, import.meta.url));

/**
 * Stands for `hosts` (names like `api.kavenegar.com`) on their ports 443 and 80, in front of the service at `target()`, an
 * address like `http://127.0.0.1:8787` that may change while this runs. Returns `env`, with which programs in Node.js and
 * Python find these hosts here, trust them, and reach no other host, and `stop()`.
 */
export async function standFor(hosts, target) {
  const { key, cert } = selfSigned({ isAuthority: true, hosts });
  const dir = mkdtempSync(join(tmpdir(), "peyk-doors-"));
  const authority = join(dir, "authority.pem");
  writeFileSync(authority, cert);
  const open = new Set();
  const handOn = (socket) => joined(open, socket, connect(addressOf(target())));
  const encrypted = await listening(createTlsServer({ key, cert }, handOn));
  const plain = await listening(createServer(handOn));
  const ports = { 443: encrypted.address().port, 80: plain.address().port };
  return {
    env: environmentOf(hosts, ports, authority),
    stop: async () => {
      for (const socket of open) socket.destroy();
      await Promise.all([encrypted, plain].map((server) => new Promise((resolve) => server.close(resolve))));
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

const addressOf = (url) => {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port) };
};

async function listening(server) {
  await once(server.listen(0, "127.0.0.1"), "listening");
  return server;
}

/** Joins two connections. The end of either ends the other. */
function joined(open, ...pair) {
  for (const [socket, other] of [pair, pair.toReversed()]) {
    open.add(socket);
    socket.once("close", () => {
      open.delete(socket);
      other.destroy();
    });
    // A broken connection is the other side's to see: it is closed too.
    socket.on("error", () => {});
    socket.pipe(other);
  }
}

function environmentOf(hosts, ports, authority) {
  const doors = hosts.flatMap((host) => Object.entries(ports).map(([port, here]) => [`${host}:${port}`, here]));
  return {
    PEYK_DOORS: JSON.stringify(Object.fromEntries(doors)),
    NODE_OPTIONS: `--import=${new URL("divert.mjs", import.meta.url)}`,
    NODE_EXTRA_CA_CERTS: authority,
    PYTHONPATH: here("python"),
    REQUESTS_CA_BUNDLE: authority,
    SSL_CERT_FILE: authority,
  };
}
