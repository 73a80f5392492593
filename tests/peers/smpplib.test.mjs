// The client of smpplib against our SMSC.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { runSmpplib } from "../support/peers/smpplib.mjs";
import { startSmsc } from "../support/peers/smsc.mjs";

let smsc;
before(async () => {
  smsc = await startSmsc({ ids: "hex", firstId: 0xabc0, receipts: { where: "both", state: "DELIVRD" } });
});
after(() => smsc.stop());

test("smpplib's texts are read right, and it understands answers and receipts", async () => {
  const texts = ["Hello [€]", "سلام", "۱۲۳۴۵۶۷۸۹۰".repeat(30), "abcdefghij".repeat(30)];
  const messages = texts.map((text, index) => ({ from: "PEYK", to: `98912000000${index}`, text }));
  const seen = await runSmpplib({ port: smsc.port, messages, deliveries: 1 + 1 + 5 + 2 });
  assert.equal(seen.failure, undefined);
  assert.deepEqual(
    smsc.messages().map(({ to, text, parts }) => ({ to, text, parts })),
    messages.map(({ to, text }, index) => ({ to, text, parts: [1, 1, 5, 2][index] })),
  );
  const ids = Array.from({ length: 9 }, (_, index) => (0xabc0 + index).toString(16).toUpperCase());
  assert.deepEqual(
    seen.answers.map(({ id }) => id),
    ids,
  );
  assert.deepEqual(
    seen.receipts.map(({ id, state }) => [id, state]),
    ids.map((id) => [id, 2]),
  );
  for (const { id, text } of seen.receipts)
    assert.match(text, new RegExp(`^id:${id} sub:001 dlvrd:001 .* stat:DELIVRD`));
  assert.equal(smsc.stats().unbinds, 1);
  assert.deepEqual([smsc.stats().faults, smsc.stats().errors], [[], []]);
});

test("smpplib sees a refused submit, and inbound messages", async () => {
  smsc.set({ rules: [{ to: "^98913", status: "ESME_RMSGQFUL" }] });
  smsc.inbound({ from: "989120000000", to: "10001", text: "لغو" });
  const messages = [{ from: "PEYK", to: "989130000000", text: "hi" }];
  const seen = await runSmpplib({ port: smsc.port, messages, deliveries: 1 });
  assert.deepEqual(
    seen.answers.map(({ status }) => status),
    [0x14],
  );
  assert.deepEqual(
    seen.inbound.map(({ from, to, text }) => [from, to, text]),
    [["989120000000", "10001", "لغو"]],
  );
});

test("smpplib is refused with a wrong password or system id", async () => {
  const refused = smsc.stats().bindsRefused;
  assert.match((await runSmpplib({ port: smsc.port, password: "wrong" })).failure, /Invalid Password/);
  assert.match((await runSmpplib({ port: smsc.port, systemId: "other" })).failure, /Invalid System ID/);
  assert.equal(smsc.stats().bindsRefused, refused + 2);
});
