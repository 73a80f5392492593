// A network between a client and the service that does what a test says.
import { createServer } from "node:http";

/**
 * Starts a proxy on this machine. Each request meets the next one of `faults`; when there are no more, it passes. A
 * fault has `reaches` (default true), whether the service gets the request and answers it before the client hears
 * anything, and `answer`:
 *
 * - `{status, headers, body}`: what the client gets;
 * - `"broken"`: the connection ends before an answer;
 * - `"cut"`: the connection ends in the middle of the service's answer;
 * - `"silent"`: nothing comes, as long as the client waits.
 *
 * `requests` has all requests, each with `method`, `path`, `headers`, `body`, `at` (when it came, ms), and `status`: of
 * the service's answer, or `null` if the service did not get it.
 */
export async function startFaultyProxy(target, faults = []) {
  const requests = [];
  const left = [...faults];
  const server = createServer(async (request, response) => {
    const at = performance.now();
    const pieces = [];
    for await (const piece of request) pieces.push(piece);
    const { method, url: path, headers } = request;
    const hit = { method, path, headers, body: Buffer.concat(pieces).toString(), at, status: null };
    requests.push(hit);
    const { reaches = true, answer } = left.shift() ?? {};
    const whole = reaches ? await forward(target, hit) : {};
    respond(response, answer ?? whole, whole);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return { baseUrl: `http://127.0.0.1:${server.address().port}`, requests, close };
}

const forwarded = ["authorization", "content-type", "idempotency-key", "accept-language"];
const returned = ["content-type", "retry-after", "x-request-id", "idempotency-replayed"];
const pick = (names, read) => Object.fromEntries(names.map((name) => [name, read(name)]).filter(([, value]) => value));

async function forward(target, hit) {
  const answer = await fetch(target + hit.path, {
    method: hit.method,
    headers: { connection: "close", ...pick(forwarded, (name) => hit.headers[name]) },
    body: hit.body || undefined,
  });
  hit.status = answer.status;
  const headers = pick(returned, (name) => answer.headers.get(name));
  return { status: answer.status, headers, body: await answer.text() };
}

function respond(response, answer, whole) {
  if (answer === "silent") return;
  if (answer === "broken") return response.destroy();
  const { status, headers = {}, body = "" } = answer === "cut" ? whole : answer;
  const length = Buffer.byteLength(body);
  response.writeHead(status, { ...headers, "content-length": length, connection: "close" });
  if (answer !== "cut") return response.end(body);
  response.write(Buffer.from(body).subarray(0, length / 2), () => response.destroy());
}
