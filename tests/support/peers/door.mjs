import { createServer, request } from "node:http";

/**
 * An address that stays while the service comes and goes: it hands every request on to where the service is now. Gateways
 * are told such an address before the service has one.
 */
export async function openDoor(server) {
  const door = createServer((incoming, answer) => {
    const { method, url, headers } = incoming;
    const onward = request(new URL(url, server.baseUrl), { method, headers: { ...headers, connection: "close" } });
    onward.on("response", (response) => {
      answer.writeHead(response.statusCode, response.headers);
      response.pipe(answer);
    });
    onward.on("error", () => answer.destroy());
    incoming.pipe(onward);
  });
  await new Promise((resolve) => door.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${door.address().port}`,
    close() {
      door.close();
      door.closeAllConnections();
    },
  };
}
