// A gateway with the `sendsms` interface, whose answers a test decides. Kannel itself can't be told to fail.
import { createServer } from "node:http";

/**
 * Starts a gateway. `answer` is asked about each request and whether its connection was used before: it returns
 * `{status, text, headers}`, `null` for a gateway that reads the request and never answers, or `{octets}` for one that writes
 * these and closes the connection. `requests` are the parameters of every request that named a recipient.
 */
export async function startGateway(answer = () => ({ status: 202, text: "0: Accepted for delivery" })) {
  const requests = [];
  const gateway = {
    requests,
    answer,
    username: "tester",
    password: "gateway-secret",
    /** How often each number was asked for, as the gateway was told it. */
    counts: () => countsOf(requests),
  };
  const used = new WeakSet();
  const server = createServer(async (incoming, response) => {
    const parameters = await parametersOf(incoming);
    const isUsed = used.has(incoming.socket);
    used.add(incoming.socket);
    // A request without a recipient asks whether the gateway is there.
    if (!parameters.to) return response.writeHead(400).end("Missing receiver");
    requests.push(parameters);
    const decided = gateway.answer(parameters, isUsed);
    if (decided?.octets !== undefined) incoming.socket.end(decided.octets);
    else if (decided) response.writeHead(decided.status, decided.headers).end(decided.text);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  gateway.url = `http://127.0.0.1:${server.address().port}/cgi-bin/sendsms`;
  gateway.stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return gateway;
}

/** The parameters stand in headers, as Kannel takes them, and the text in the body. */
async function parametersOf(incoming) {
  let text = "";
  for await (const piece of incoming.setEncoding("utf8")) text += piece;
  const named = Object.entries(incoming.headers).filter(([name]) => name.startsWith("x-kannel-"));
  return { ...Object.fromEntries(named.map(([name, value]) => [name.slice("x-kannel-".length), value])), text };
}

function countsOf(requests) {
  const counts = {};
  for (const { to } of requests) counts[to] = (counts[to] ?? 0) + 1;
  return counts;
}
