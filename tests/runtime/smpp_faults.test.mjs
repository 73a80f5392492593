// SMPP on the real runtime: connections that are cut into octets, killed and encrypted, and a runtime that is killed.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { changeCarrier, healthOf, sendTexts, settled, statusesOf, tally } from "../support/carriers.mjs";
import { selfSigned } from "../support/certificate.mjs";
import { smppTests } from "../support/peers/smsc-tests.mjs";
import { sharedServer, until } from "../support/server.mjs";

const trusted = selfSigned({ isAuthority: true });
const certificates = mkdtempSync(join(tmpdir(), "peyk-certificates-"));
writeFileSync(join(certificates, "trusted.pem"), trusted.cert);
// Wrangler lets its runtime trust these certificates beside those of the system.
process.env.NODE_EXTRA_CA_CERTS = join(certificates, "trusted.pem");

const server = sharedServer();
const { smppTest, texts, sendAndSettle, assertAllDelivered } = smppTests(server);

after(() => rmSync(certificates, { recursive: true, force: true }));

smppTest("frames that come octet by octet are read", { smsc: { trickles: true } }, async (peers) => {
  await assertAllDelivered(peers, 5);
  assert.equal((await peers.smsc.stats()).binds, 1);
});

smppTest("four sessions share three thousand messages and their reports", { carrier: { binds: 4 } }, async (peers) => {
  await until(async () => (await peers.smsc.stats()).bound === 4, { what: "four sessions" });
  await assertAllDelivered(peers, 3_000);
  const { binds, used } = await peers.smsc.stats();
  assert.equal(binds, 4);
  // A call has up to 1,000 recipients, and the sessions take turns.
  assert.ok(used >= 3, `${used} sessions were used`);
});

smppTest(
  "one of four sessions is killed: a window at most is UNKNOWN, and the others take its reports",
  { carrier: { binds: 4 }, smsc: { receipts: null } },
  async (peers) => {
    const { smsc } = peers;
    await until(async () => (await smsc.stats()).bound === 4, { what: "four sessions" });
    const statuses = await sendAndSettle(peers, 3_000, async (uids) => {
      await until(async () => (await smsc.stats()).submits >= 500, { interval: 10, what: "the middle" });
      assert.ok((await smsc.closeBusiest()) > 0);
      await until(async () => (await smsc.stats()).binds === 5, { what: "a new session" });
      const waiting = async () => tally(await statusesOf(server, peers.shop, uids)).QUEUED ?? 0;
      await until(async () => (await waiting()) === 0, { interval: 1_000, what: "the rest" });
      await smsc.reportAll();
    });
    const { UNKNOWN = 0, DELIVERED = 0, ...others } = tally(statuses);
    assert.deepEqual(others, {});
    assert.ok(UNKNOWN <= 50, `${UNKNOWN} are UNKNOWN`);
    assert.equal(DELIVERED, 3_000 - UNKNOWN);
  },
);

smppTest("after a crash of the runtime its alarm binds again, without a call", {}, async (peers) => {
  const { smsc } = peers;
  await assertAllDelivered(peers, 5);
  await server.kill();
  await until(async () => (await smsc.stats()).bound === 0, { what: "the end of the connection" });
  await server.restart();
  await until(async () => (await smsc.stats()).bound === 1, { interval: 500, what: "a bind" });
  const uids = await sendTexts(server, peers.shop, texts(5, 1_000));
  assert.deepEqual(tally(await settled(server, peers.shop, uids)), { DELIVERED: 5 });
});

/** Lets connections through to a port, and notes what clients send. */
async function listenIn(port) {
  const heard = [];
  let connections = 0;
  const proxy = createServer((client) => {
    const target = connect(port, "127.0.0.1");
    connections += 1;
    client.on("data", (octets) => heard.push(octets));
    client.pipe(target).pipe(client);
    for (const [one, other] of [
      [client, target],
      [target, client],
    ]) {
      one.on("error", () => other.destroy());
      one.on("close", () => other.destroy());
    }
  });
  await new Promise((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const stop = () => proxy.close();
  return { port: proxy.address().port, heard: () => Buffer.concat(heard), connections: () => connections, stop };
}

const encrypted = { host: "localhost", tls: true };

/** The carrier of `peers` goes by a wire on which somebody listens in. */
async function overWire(peers, work) {
  const wire = await listenIn(peers.smsc.port);
  try {
    await changeCarrier(server, peers.carrier, { smpp: { port: wire.port, password: "secret" } });
    await work(wire);
    const heard = wire.heard();
    // A handshake record of TLS, and never the name or the password that a bind has.
    assert.deepEqual([...heard.subarray(0, 2)], [0x16, 0x03]);
    for (const word of ["peyk", "secret"]) assert.ok(!heard.includes(word), `"${word}" was readable`);
  } finally {
    wire.stop();
  }
}

smppTest("messages and reports go over TLS", { smsc: { tls: trusted }, carrier: encrypted }, (peers) =>
  overWire(peers, async (wire) => {
    await assertAllDelivered(peers, 50);
    assert.ok(wire.connections() > 0);
  }),
);

smppTest(
  "an SMSC whose certificate is not trusted gets no bind, and health says why",
  { smsc: { tls: selfSigned({ isAuthority: false }) }, carrier: encrypted },
  (peers) =>
    overWire(peers, async (wire) => {
      await until(() => wire.connections() > 1, { what: "a second try" });
      const why = await until(async () => (await healthOf(server, peers.carrier)).lastError, { what: "the error" });
      assert.match(why, /certificate/);
      const { binds, handshakesFailed } = await peers.smsc.stats();
      assert.equal(binds, 0);
      assert.ok(handshakesFailed > 0);
    }),
);
