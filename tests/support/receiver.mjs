// A program of a customer that listens for webhooks.
import { createServer } from "node:http";
import { pipeline } from "node:stream";

/**
 * Starts a receiver on this machine. `respond(hit, hits)` returns the status, or `[status, headers, body]`, of which the last may be a stream, or `null` to break
 * the connection off, or `{octets}` to write these and close it, or a promise of one of these; without it, each request gets
 * 200. `hits` has all requests, each with `method`, `path`, `headers`, `body` (a Buffer), `event` (the body's JSON, if it is JSON), and `isUsed`: whether
 * a request had come by its connection before.
 */
export async function listen(respond = () => 200) {
  const hits = [];
  const used = new WeakSet();
  const server = createServer(async (request, response) => {
    const isUsed = used.has(request.socket);
    used.add(request.socket);
    const pieces = [];
    for await (const piece of request) pieces.push(piece);
    const body = Buffer.concat(pieces);
    const isJson = request.headers["content-type"]?.includes("json");
    const event = isJson ? JSON.parse(body.toString("utf8")) : undefined;
    const hit = { method: request.method, path: request.url, headers: request.headers, body, event, isUsed };
    hits.push(hit);
    const decided = await respond(hit, hits);
    if (decided?.octets !== undefined) return request.socket.end(decided.octets);
    const [status, headers, text] = [decided].flat();
    if (status === null) return response.destroy();
    response.writeHead(status, headers);
    if (typeof text?.pipe !== "function") return response.end(text);
    response.flushHeaders();
    pipeline(text, response, () => {});
  });
  // Node would close a connection that waits for five seconds, and a request that comes by it at that moment would be lost unseen.
  server.keepAliveTimeout = 0;
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return { hits, close, url: (path = "/") => `http://127.0.0.1:${server.address().port}${path}` };
}
