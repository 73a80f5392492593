// What Peyk's requests may not reach, although it looks like the public internet.
import { networkInterfaces } from "node:os";
import { isIn, networkIn } from "../gate/addresses.mjs";

/** Forms of IPv6 that have an address of IPv4 in them, perhaps a private one: 6to4 (RFC 3056) and NAT64 (RFC 6052, RFC 8215). */
const translated = ["2002::/16", "64:ff9b::/96", "64:ff9b:1::/48"];

/**
 * These forms, and the addresses of this machine: what listens there may trust its own machine. `allowed` are networks that the settings
 * name; what they have stays open.
 */
export function closedNetworks(allowed, interfaces = networkInterfaces()) {
  const networks = allowed.map(networkIn);
  const own = Object.values(interfaces)
    .flat()
    .filter(({ address, internal }) => !internal && !isIn(address, networks));
  return [...translated, ...own.map(({ address, family }) => `${address}/${family === "IPv4" ? 32 : 128}`)];
}
