// The faults that our SMSC plays, seen by the client of the npm package and by a plain socket. A fault that the SMSC does
// not really play would make the tests of the service worthless.
import assert from "node:assert/strict";
import { connect } from "node:net";
import { test } from "node:test";
import smpp from "smpp";
import { startSmsc } from "../support/peers/smsc.mjs";
import { startSmscProcess } from "../support/peers/smsc-process.mjs";
import { until } from "../support/server.mjs";

/** A client that notes every PDU in the order of arrival. It acknowledges deliveries with `status`. */
class Client {
  pdus = [];
  status = smpp.ESME_ROK;

  static connect(port) {
    const client = new Client();
    client.session = smpp.connect({ host: "127.0.0.1", port });
    client.session.on("error", () => {});
    client.session.on("pdu", (pdu) => client.#read(pdu));
    client.closed = new Promise((resolve) => client.session.once("close", resolve));
    return client;
  }

  static bind(port, credentials = {}) {
    const client = Client.connect(port);
    client.answer = client.ask("bind_transceiver", { system_id: "peyk", password: "secret", ...credentials });
    return client;
  }

  ask(command, fields = {}) {
    return new Promise((resolve) => this.session[command](fields, resolve));
  }

  submit(to, more = {}) {
    const fields = { source_addr: "10001", destination_addr: to, registered_delivery: 1, data_coding: 0, ...more };
    return this.ask("submit_sm", { short_message: Buffer.from(`to ${to}`), ...fields });
  }

  of(command) {
    return this.pdus.filter((pdu) => pdu.command === command);
  }

  #read(pdu) {
    this.pdus.push(pdu);
    if (["deliver_sm", "enquire_link", "unbind"].includes(pdu.command) && this.status !== null)
      this.session.send(pdu.response({ command_status: this.status }));
  }
}

/** A test with an SMSC of its own and, unless `bind` is false, a client that is bound to it. */
function smscTest(name, options, work, { bind = true } = {}) {
  test(name, async () => {
    const smsc = await startSmsc(options);
    const client = bind ? Client.bind(smsc.port) : null;
    try {
      if (client) assert.equal((await client.answer).command_status, 0);
      await work(smsc, client);
    } finally {
      client?.session.destroy();
      await smsc.stop();
    }
  });
}

const statusesOf = (answers) => answers.map(({ command_status: status }) => status);

smscTest("throttling and a full queue end, and only what is taken counts as taken", {}, async (smsc, client) => {
  smsc.set({
    rules: [
      { to: "1$", times: 2, status: "ESME_RTHROTTLED" },
      { to: "2$", skip: 1, times: 1, status: "ESME_RMSGQFUL" },
    ],
  });
  const answers = [];
  for (const to of ["91", "91", "91", "92", "92", "92"]) answers.push(await client.submit(to));
  assert.deepEqual(statusesOf(answers), [0x58, 0x58, 0, 0, 0x14, 0]);
  assert.deepEqual(smsc.counts(), { 91: { tried: 3, taken: 1 }, 92: { tried: 3, taken: 2 } });
});

smscTest("held answers come when they are released, in either order", {}, async (smsc, client) => {
  for (const [order, places] of [
    ["forward", [0, 1, 2]],
    ["reversed", [2, 1, 0]],
  ]) {
    smsc.set({ rules: [{ answer: "hold" }] });
    const before = client.of("submit_sm_resp").length;
    const answers = ["91", "92", "93"].map((to) => client.submit(to));
    await until(() => smsc.stats().held === 3);
    assert.equal(smsc.stats().mostUnanswered, 3);
    assert.equal(client.of("submit_sm_resp").length, before);
    smsc.release(order);
    const sequences = (await Promise.all(answers)).map(({ sequence_number: sequence }) => sequence);
    const came = client.of("submit_sm_resp").slice(before);
    assert.deepEqual(
      came.map(({ sequence_number: sequence }) => sequences.indexOf(sequence)),
      places,
    );
  }
});

smscTest("a dropped answer never comes, and its receipt does", {}, async (smsc, client) => {
  smsc.set({ rules: [{ to: "1$", answer: "drop" }] });
  client.submit("91");
  await client.submit("92");
  await until(() => client.of("deliver_sm").length === 2);
  assert.equal(client.of("submit_sm_resp").length, 1);
  assert.equal(smsc.counts()["91"].taken, 1);
});

smscTest("a late answer comes no sooner than it is told to", {}, async (smsc, client) => {
  const delayMs = 60;
  smsc.set({ rules: [{ delayMs }] });
  const started = performance.now();
  await client.submit("91");
  // A timer may ring a moment early.
  assert.ok(performance.now() - started > delayMs - 5);
});

smscTest("a connection closes mid-window, and the record knows what was taken", {}, async (smsc, client) => {
  smsc.set({ rules: [{ to: "3$", answer: "drop", next: "close" }, { answer: "hold" }] });
  for (const to of ["91", "92", "93"]) client.submit(to);
  await client.closed;
  assert.equal(client.of("submit_sm_resp").length, 0);
  assert.equal(smsc.stats().taken, 3);
});

smscTest("the SMSC unbinds when a rule or the test says so", {}, async (smsc, client) => {
  smsc.set({ rules: [{ next: "unbind" }] });
  await client.submit("91");
  await client.closed;
  const other = Client.bind(smsc.port);
  await other.answer;
  smsc.unbind();
  await other.closed;
  assert.deepEqual([client.of("unbind").length, other.of("unbind").length], [1, 1]);
});

smscTest("a receipt comes before the answer, twice, or for an id that nobody gave", {}, async (smsc, client) => {
  smsc.set({ ids: "decimal", firstId: 1, receipts: { when: "before", times: 2, state: "DELIVRD", where: "both" } });
  const { message_id: id } = await client.submit("91");
  assert.deepEqual(
    client.pdus.slice(1).map(({ command }) => command),
    ["deliver_sm", "deliver_sm", "submit_sm_resp"],
  );
  assert.ok(client.of("deliver_sm").every((pdu) => pdu.receipted_message_id === id));
  smsc.receipt({ id: "4711", from: "10001", to: "99", state: "UNDELIV" });
  await until(() => client.of("deliver_sm").length === 3);
  const { short_message: text, message_state: state, network_error_code: code } = client.of("deliver_sm")[2];
  assert.match(text.toString(), /^id:4711 .* dlvrd:000 .* stat:UNDELIV err:000 /);
  assert.deepEqual([state, [...code]], [5, [3, 0, 0]]);
});

smscTest("ids are told in the forms that SMSCs use", { firstId: 175 }, async (smsc, client) => {
  const seen = [];
  for (const [ids, receiptIds] of [
    ["decimal", "hex"],
    ["hex", "decimal"],
    ["zeros", "zeros"],
    ["hex", "smallHex"],
  ]) {
    smsc.set({ ids, receiptIds });
    const { message_id: id } = await client.submit("91");
    await until(() => client.of("deliver_sm").length === seen.length + 1);
    seen.push([id, client.of("deliver_sm").at(-1).receipted_message_id]);
  }
  assert.deepEqual(seen, [
    ["175", "AF"],
    ["B0", "176"],
    ["0000000177", "0000000177"],
    ["B2", "b2"],
  ]);
});

smscTest(
  "each connection counts its ids for itself",
  { countsByConnection: true, firstId: 7 },
  async (smsc, client) => {
    const other = Client.bind(smsc.port);
    await other.answer;
    const ids = [];
    for (const one of [client, other, client]) ids.push((await one.submit(`9${ids.length}`)).message_id);
    assert.deepEqual(ids, ["7", "7", "8"]);
    await until(() => client.of("deliver_sm").length === 3);
    const told = client.of("deliver_sm").map(({ source_addr: to, receipted_message_id: id }) => [to, id]);
    assert.deepEqual(told, [
      ["90", "7"],
      ["91", "7"],
      ["92", "8"],
    ]);
    other.session.destroy();
  },
);

smscTest(
  "a receipt is told again until it is acknowledged: after an error and by the next session",
  {},
  async (smsc, client) => {
    client.status = smpp.ESME_RSYSERR;
    await client.submit("91");
    await until(() => client.of("deliver_sm").length === 1);
    client.status = null;
    await until(() => client.of("deliver_sm").length === 2);
    client.session.destroy();
    const other = Client.bind(smsc.port);
    await until(() => smsc.stats().deliveries.acknowledged === 1);
    assert.equal(other.of("deliver_sm").length, 1);
    other.session.destroy();
    const { deliveries, owed } = smsc.stats();
    assert.deepEqual(deliveries, { sent: 3, acknowledged: 1, refused: 1, waiting: 0 });
    assert.equal(owed, 0);
  },
);

smscTest(
  "a client that does not acknowledge gets no more than a window of receipts",
  { deliverWindow: 3 },
  async (smsc, client) => {
    client.status = null;
    for (let index = 0; index < 8; index += 1) await client.submit(`9${index}`);
    // The answer follows whatever was sent before it.
    await client.ask("enquire_link");
    assert.equal(client.of("deliver_sm").length, 3);
    const { deliveries, owed } = smsc.stats();
    assert.deepEqual([deliveries.waiting, owed], [5, 8]);
  },
);

smscTest("a submit that wants no receipt gets none", {}, async (smsc, client) => {
  await client.submit("91", { registered_delivery: 0 });
  await client.ask("enquire_link");
  assert.deepEqual([client.of("deliver_sm").length, smsc.stats().deliveries.sent], [0, 0]);
});

smscTest(
  "binds are refused for a wrong password, a wrong name, by order, or not answered",
  {},
  async (smsc) => {
    const bind = async (credentials) => {
      const client = Client.bind(smsc.port, credentials);
      const { command_status: status } = await client.answer;
      client.session.destroy();
      return status;
    };
    assert.deepEqual([await bind({ password: "x" }), await bind({ system_id: "x" })], [0x0e, 0x0f]);
    smsc.set({ binds: { status: "ESME_RBINDFAIL", times: 1 } });
    assert.deepEqual([await bind(), await bind()], [0x0d, 0]);
    smsc.set({ binds: { silent: true, times: 1 } });
    const silent = Client.bind(smsc.port);
    await until(() => smsc.stats().connections === 5);
    assert.equal(await bind(), 0);
    assert.deepEqual(silent.pdus, []);
    silent.session.destroy();
  },
  { bind: false },
);

smscTest(
  "a submit without a bind is refused",
  {},
  async (smsc) => {
    const client = Client.connect(smsc.port);
    assert.equal((await client.submit("91")).command_status, smpp.ESME_RINVBNDSTS);
    assert.deepEqual(smsc.submits(), []);
    client.session.destroy();
  },
  { bind: false },
);

smscTest("the SMSC goes silent on enquire_link, and asks by itself", {}, async (smsc, client) => {
  await client.ask("enquire_link");
  smsc.enquire();
  await until(() => client.of("enquire_link").length === 1);
  smsc.set({ silentLinks: true });
  client.session.enquire_link();
  await client.submit("91");
  assert.deepEqual([smsc.stats().enquiries, client.of("enquire_link_resp").length], [2, 1]);
});

smscTest(
  "octets go out as they are told: an unknown command, garbage, a length that is too large",
  {},
  async (smsc) => {
    const socket = connect(smsc.port, "127.0.0.1");
    const chunks = [];
    socket.on("data", (chunk) => chunks.push(chunk));
    await until(() => smsc.stats().connections === 1);
    const octets = ["000000100000fade0000000000000001", "7fffffff", "deadbeef"];
    for (const hex of octets) smsc.raw(hex);
    await until(() => Buffer.concat(chunks).length === 24);
    assert.equal(Buffer.concat(chunks).toString("hex"), octets.join(""));
    socket.destroy();
  },
  { bind: false },
);

test("an SMSC in a process dies by a rule or a kill, and its record outlives it", async () => {
  const smsc = await startSmscProcess({ rules: [{ to: "3$", next: "die" }] });
  try {
    const client = Client.bind(smsc.port);
    for (const to of ["91", "92", "93"]) client.submit(to);
    await client.closed;
    await smsc.exited();
    assert.deepEqual(Object.keys(smsc.record().counts), ["91", "92", "93"]);
    await assert.rejects(smsc.stats(), /ended|closed/);
    await smsc.restart({ rules: [] });
    const other = Client.bind(smsc.port);
    await other.answer;
    const { message_id: id } = await other.submit("94");
    assert.equal(id, "4");
    assert.deepEqual((await smsc.messages()).length, 4);
    await smsc.kill();
    await other.closed;
    assert.equal(smsc.record().messages.length, 4);
  } finally {
    await smsc.stop();
  }
});
