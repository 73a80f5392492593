// Whom the gate of `npm run serve` believes: addresses, networks and chains of proxies, with random ones, too.
import assert from "node:assert/strict";
import { test } from "node:test";
import { randomFrom } from "../../scripts/lib/base/random.mjs";
import { addressIn, isReserved, networkIn, networksIn, senderOf } from "../../scripts/lib/serve/gate/addresses.mjs";
import { addressOf } from "../../scripts/lib/serve/gate/gate.mjs";

test("an address is read in each form in which a proxy writes it, and nothing else is one", () => {
  for (const [text, address] of [
    ["203.0.113.7", "203.0.113.7"],
    ["203.0.113.7:4711", "203.0.113.7"],
    ["2001:DB8::7", "2001:db8::7"],
    ["[2001:db8::7]", "2001:db8::7"],
    ["[2001:db8::7]:443", "2001:db8::7"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["[::ffff:127.0.0.1]:5", "127.0.0.1"],
  ])
    assert.equal(addressIn(text), address, text);
  const wrong = [
    "",
    "unknown",
    "_hidden",
    "1",
    "0x7f.0.0.1",
    "127.1",
    "0177.0.0.1",
    "1.2.3.256",
    "1.2.3.4.5",
    "[1.2.3.4",
  ];
  for (const text of [...wrong, "2001:db8::7:x", "localhost", "for=1.2.3.4", " 1.2.3.4", "1.2.3.4/8", "::1%eth0%1"])
    assert.equal(addressIn(text), null, text);
});

test("a network is an address, or one with how many of its bits count", () => {
  for (const text of ["10.0.0.0/8", " 10.1.2.3 ", "::1", "fd00::/8", "0.0.0.0/0", "::ffff:10.0.0.0/104"])
    assert.ok(networkIn(text), text);
  assert.equal(networkIn("::ffff:10.0.0.0/104").bits, 8);
  for (const text of [
    "",
    "10.0.0.0/33",
    "10.0.0.0/",
    "fd00::/129",
    "10/8",
    "proxy",
    "10.0.0.0/8/8",
    "::ffff:10.0.0.0/64",
  ])
    assert.equal(networkIn(text), null, text);
});

const trusted = networksIn("127.0.0.1, 10.0.0.0/8, fd00::/8");
const sender = (peer, forwarded, proto) => senderOf(peer, trusted, forwarded, proto);

test("only a trusted peer is believed, and it is believed about whoever it has seen", () => {
  const direct = { address: "203.0.113.7", scheme: null };
  assert.deepEqual(sender("203.0.113.7:99", "198.51.100.1", "https"), direct);
  assert.deepEqual(sender("127.0.0.1:99", "203.0.113.7", "https"), { ...direct, scheme: "https" });
  assert.deepEqual(sender("127.0.0.1:99", "198.51.100.1, 203.0.113.7, 10.0.0.5", null), direct);
  assert.deepEqual(sender("127.0.0.1:99", undefined, "HTTPS"), { address: "127.0.0.1", scheme: "https" });
  assert.deepEqual(sender("127.0.0.1:99", "203.0.113.7, nonsense, 10.0.0.5", "ftp"), {
    address: "10.0.0.5",
    scheme: null,
  });
  assert.deepEqual(sender("[::ffff:10.0.0.1]:9", "fd00::1", "http, https"), { address: "fd00::1", scheme: "https" });
  assert.deepEqual(senderOf("127.0.0.1:99", [], "203.0.113.7", "https"), { address: "127.0.0.1", scheme: null });
  assert.deepEqual(senderOf("a socket", trusted, "203.0.113.7", "https"), { address: null, scheme: null });
});

/** Random addresses: of strangers, and of trusted proxies. */
function addresses(random) {
  const { integer, oneOf } = random;
  const octets = (...first) => [...first, integer(0, 255), integer(0, 255), integer(1, 254)].slice(0, 4).join(".");
  const group = () => integer(0, 65_535).toString(16);
  return {
    stranger: () => oneOf([octets(203), `2001:db8:${group()}::${group()}`]),
    proxy: () => oneOf([octets(10), `fd00:${group()}::${group()}`, "127.0.0.1"]),
    /** What a client may have put before: anything. */
    junk: () => oneOf([octets(203), octets(10), "127.0.0.1", "unknown", "", "x".repeat(integer(0, 50)), "for=1.2.3.4"]),
    form: (address) =>
      oneOf(
        address.includes(":")
          ? [address, `[${address}]`, `[${address}]:${integer(1, 65_535)}`]
          : [address, `${address}:9`],
      ),
  };
}

test("through any chain of trusted proxies the client is the one that the first of them has seen", () => {
  for (let seed = 0; seed < 3_000; seed += 1) {
    const random = randomFrom(seed);
    const { stranger, proxy, junk, form } = addresses(random);
    const many = (make, most) => Array.from({ length: random.integer(0, most) }, make);
    const [client, peer] = [stranger(), form(proxy())];
    const chain = [...many(junk, 4), form(client), ...many(() => form(proxy()), 4)].join(
      random.oneOf([", ", ",", " , "]),
    );
    assert.equal(sender(peer, chain, null).address, addressIn(client), `seed ${seed}: ${chain}`);
    const alone = stranger();
    assert.deepEqual(sender(form(alone), chain, "https"), { address: addressIn(alone), scheme: null }, `seed ${seed}`);
  }
});

test("whatever a header says, the address is the peer's or one that stands there", () => {
  for (let seed = 0; seed < 3_000; seed += 1) {
    const random = randomFrom(seed);
    const { proxy, junk } = addresses(random);
    const [peer, parts] = [proxy(), Array.from({ length: random.integer(0, 6) }, junk)];
    const { address } = sender(peer, parts.join(","), null);
    assert.ok([peer, ...parts].map(addressIn).includes(address), `seed ${seed}: ${parts}`);
  }
});

test("headers that only the gate may write are told from those of clients", () => {
  const reserved = ["cf-connecting-ip", "cf-ray", "mf-cf-blob", "x-mf-additional-response-log", "x-forwarded-host"];
  for (const name of [...reserved, "forwarded", "x-real-ip", "true-client-ip"]) assert.ok(isReserved(name), name);
  for (const name of ["authorization", "x-request-id", "x-api-key", "accept", "cookie"])
    assert.ok(!isReserved(name), name);
});

test("a gate has an address by which this machine may call it without encryption, also if it listens on all addresses", () => {
  for (const [host, address] of [
    ["127.0.0.1", "http://127.0.0.1:80"],
    ["::1", "http://[::1]:80"],
    ["0.0.0.0", "http://127.0.0.1:80"],
    ["::", "http://[::1]:80"],
    ["192.168.0.7", "http://192.168.0.7:80"],
  ])
    assert.equal(addressOf(host, 80), address);
});
