// A server that plays a provider: it answers what a test tells it to, and remembers what the libraries have sent.
import { once } from "node:events";
import { createServer } from "node:http";

/**
 * Starts the server at `address`. `answer(status, body)` sets the next answers. `request()` returns the newest request:
 * `line` (method and address), `headers` and `body`, which is JSON or `undefined`. `stop()` ends the server.
 */
export async function playProvider() {
  const next = { status: 200, body: {} };
  let newest;
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    const { method, url, headers } = request;
    newest = { line: `${method} ${url}`, headers, body: body === "" ? undefined : JSON.parse(body) };
    response.writeHead(next.status, { "Content-Type": "application/json; charset=utf-8" });
    response.end(JSON.stringify(next.body));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    address: `http://127.0.0.1:${server.address().port}`,
    answer: (status, body) => Object.assign(next, { status, body }),
    request: () => newest,
    stop: () => server.close(),
  };
}
