import { createServer } from "node:net";

/** Finds free ports of the loopback address. Another program may take one meanwhile, so a user of them must try again. */
export async function freePorts(count) {
  const probes = Array.from({ length: count }, () => createServer());
  await Promise.all(probes.map((probe) => new Promise((resolve) => probe.listen(0, "127.0.0.1", resolve))));
  const ports = probes.map((probe) => probe.address().port);
  await Promise.all(probes.map((probe) => new Promise((resolve) => probe.close(resolve))));
  return ports;
}
