// The sockets of Peyk's runtime. They are files in a folder that only we may open, so no other user of the machine reaches them.
import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A new folder for them. `directSocket` is what Miniflare takes for one, and `pathOf` where it is then. */
export function makeSockets() {
  // The path of a socket has at most 107 bytes, so they do not stand in the folder of the data.
  const dir = mkdtempSync(join(tmpdir(), "peyk-"));
  return {
    dir,
    // Miniflare puts a port behind the host, and the runtime takes both as the path.
    directSocket: (name) => ({ host: `unix:${join(dir, name)}`, port: 0, proxy: true }),
    pathOf: (name) => join(dir, `${name}:0`),
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}

/** How long an answer may take, ms. The night's work is the longest: at Cloudflare, a cron may take as long. */
const ANSWER_MS = 15 * 60_000;

/** Asks at a socket, and returns `{status, text}`. `body` is sent as JSON. */
export function askSocket(socketPath, method, path, body) {
  return new Promise((resolve, reject) => {
    const options = {
      socketPath,
      method,
      path: `http://localhost${path}`,
      headers: { host: "localhost" },
      agent: false,
      signal: AbortSignal.timeout(ANSWER_MS),
    };
    const asked = request(options, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (piece) => (text += piece));
      response.on("end", () => resolve({ status: response.statusCode, text })).on("error", reject);
    });
    asked.on("error", reject).end(body && JSON.stringify(body));
  });
}
