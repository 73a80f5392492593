// A program of a customer that listens for webhooks.
import { createServer } from "node:http";

/**
 * Starts a receiver on this machine. `respond(hit, hits)` returns the status, or `[status, headers]`, or `null` to break
 * the connection off, or a promise of one of these; without it, each request gets 200. `hits` has all requests, each with
 * `path`, `headers`, `body` (a Buffer) and `event` (the body's JSON).
 */
export async function listen(respond = () => 200) {
  const hits = [];
  const server = createServer(async (request, response) => {
    const pieces = [];
    for await (const piece of request) pieces.push(piece);
    const body = Buffer.concat(pieces);
    const hit = { path: request.url, headers: request.headers, body, event: JSON.parse(body.toString("utf8")) };
    hits.push(hit);
    const [status, headers] = [await respond(hit, hits)].flat();
    if (status === null) return response.destroy();
    response.writeHead(status, headers).end();
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return { hits, close, url: (path = "/") => `http://127.0.0.1:${server.address().port}${path}` };
}
