// A gateway with Kannel's interface on this machine. It takes all messages and reports them, most of them delivered. The shop's own
// program listens beside it, and takes all that webhooks bring.
import { createServer } from "node:http";

/** Numbers with this end are reported as not delivered. */
const UNREACHABLE = /902$/;
const RECEIVER = "/events";

/**
 * Starts the gateway. `report` is called with the path of each report that is due. `take` returns the text to a number, once.
 */
export async function startGateway(report) {
  const texts = new Map();
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const piece of request.setEncoding("utf8")) text += piece;
    if (request.url === RECEIVER) return response.writeHead(204).end();
    const { "x-kannel-to": to, "x-kannel-dlr-url": reportUrl } = request.headers;
    // A request without a recipient asks whether the gateway is there.
    if (!to) return response.writeHead(400).end("Missing receiver");
    texts.set(to.replace(/^\+/, ""), text);
    response.writeHead(202).end("0: Accepted for delivery");
    const { pathname, search } = new URL(reportUrl.replace("%d", UNREACHABLE.test(to) ? "2" : "1"));
    await report(pathname + search.replaceAll(/%[A-Za-z](?![0-9A-Fa-f])/g, ""));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `http://127.0.0.1:${server.address().port}`;
  return {
    url: `${host}/cgi-bin/sendsms`,
    receiverUrl: host + RECEIVER,
    take(number) {
      const digits = number.replace(/^\+/, "");
      const text = texts.get(digits);
      texts.delete(digits);
      return text;
    },
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
