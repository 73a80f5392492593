// A server on this machine that stands for the hosts of other providers: it ends the TLS of their libraries and hands their
// requests on to the service, as a proxy in front of a service does.
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request as httpRequest } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
  const handle = (request, response) => handOn(target(), request, response);
  const encrypted = await listening(createTlsServer({ key, cert }, handle));
  const plain = await listening(createServer(handle));
  const ports = { 443: encrypted.address().port, 80: plain.address().port };
  return {
    env: environmentOf(hosts, ports, authority),
    stop: async () => {
      for (const server of [encrypted, plain]) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function listening(server) {
  await once(server.listen(0, "127.0.0.1"), "listening");
  return server;
}

/**
 * Hands a request on as it is: its path, which may be a whole address, its other headers and its body. The service gets its own
 * name as the host, because it refuses plain HTTP for any other.
 */
function handOn(target, request, response) {
  const { host, hostname, port } = new URL(target);
  const { method, url: path } = request;
  const headers = ["Host", host, ...lasting(request.rawHeaders)];
  const onward = httpRequest({ hostname, port, method, path, headers, agent: false }, (answer) => {
    response.writeHead(answer.statusCode, answer.statusMessage, lasting(answer.rawHeaders));
    answer.on("error", () => response.destroy()).pipe(response);
  });
  // A service that is gone shows to the library as a connection that breaks.
  onward.on("error", () => response.destroy());
  request.on("error", () => onward.destroy()).pipe(onward);
}

const ofConnection = new Set(["host", "connection", "keep-alive"]);

/** The headers, names and values by turns, without those that are about one connection. */
const lasting = (headers) =>
  headers.filter((_, index) => !ofConnection.has(headers[index - (index % 2)].toLowerCase()));

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
