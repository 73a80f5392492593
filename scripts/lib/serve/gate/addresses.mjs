// Who has sent a request, and by which scheme: what the gate believes of its headers. The gate and the check of settings use it.
import ipaddr from "ipaddr.js";

/** An address in its usual form, IPv4 also where it stands in IPv6; `null`: the text is none. */
function parsed(text) {
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(text) || (text.includes(":") && ipaddr.IPv6.isValid(text));
  return isAddress ? ipaddr.process(text) : null;
}

/** The address of `203.0.113.7`, `203.0.113.7:80`, `2001:db8::7` or `[2001:db8::7]:80`, as a text; `null`: it is none of these. */
export function addressIn(text) {
  const inBrackets = /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1];
  const withPort = /^([\d.]+):\d+$/.exec(text)?.[1];
  return parsed(inBrackets ?? withPort ?? text)?.toString() ?? null;
}

/** A network as `{address, bits}`, of `10.0.0.0/8` or of one address; `null`: the text is none. */
export function networkIn(text) {
  const [, base, length] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text.trim()) ?? [];
  const address = base && parsed(base);
  if (!address) return null;
  const most = address.kind() === "ipv4" ? 32 : 128;
  // The bits of an IPv4 address that stands in IPv6 count from the beginning of the longer one.
  const shift = base.includes(":") && most === 32 ? 96 : 0;
  const bits = length === undefined ? most : Number(length) - shift;
  return bits >= 0 && bits <= most ? { address, bits } : null;
}

/** The networks in a text with commas. What is no network is left out: the start has refused it. */
export const networksIn = (text) =>
  text
    .split(",")
    .map(networkIn)
    .filter((network) => network !== null);

/** Whether an address, in its usual form, is in one of these networks. */
export function isIn(text, networks) {
  const one = ipaddr.parse(text);
  return networks.some(({ address, bits }) => one.kind() === address.kind() && one.match(address, bits));
}

/**
 * What is believed of a request: `{address, scheme}`. `peer` is who has the connection, as the runtime says. Only a peer among
 * `trusted` (as `networksIn` returns them) is believed: the client is then the rightmost address of `forwardedFor` that is no trusted
 * proxy, and the scheme what the peer says. A text that is no address ends the search, for whoever stands left of it is unknown. `scheme` is `null` if nobody says it.
 */
export function senderOf(peer, trusted, forwardedFor, forwardedProto) {
  let address = addressIn(peer);
  if (address === null || !isIn(address, trusted)) return { address, scheme: null };
  for (const text of (forwardedFor ?? "").split(",").reverse()) {
    const before = addressIn(text.trim());
    if (before === null) break;
    address = before;
    if (!isIn(address, trusted)) break;
  }
  const said = forwardedProto?.split(",").at(-1).trim().toLowerCase();
  return { address, scheme: said === "https" || said === "http" ? said : null };
}

/** Whether a header says what only the gate may say, or what the runtime's own workers would obey. */
export const isReserved = (name) =>
  /^(?:cf-|mf-|x-mf-|x-forwarded-)/.test(name) || ["forwarded", "x-real-ip", "true-client-ip"].includes(name);
