// The client of smpplib against our SMSC.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { unusualForms } from "../support/peers/receipts.mjs";
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

test("smpplib reads the receipts that are written unusually", async () => {
  const forms = Object.values(unusualForms);
  const rules = forms.map((receipts, index) => ({ to: `${100 + index}$`, receipts }));
  smsc.set({ rules, receiptIds: "smallHex" });
  const messages = forms.map((_, index) => ({ from: "PEYK", to: `989121230${100 + index}`, text: "hi" }));
  const seen = await runSmpplib({ port: smsc.port, messages, deliveries: forms.length });
  assert.equal(seen.failure, undefined);
  const told = new Map([...seen.receipts, ...seen.inbound].map((receipt) => [receipt.from, receipt]));
  const asReceipts = new Set(seen.receipts.map(({ from }) => from));
  for (const [index, [name, form]] of Object.entries(unusualForms).entries()) {
    const { to } = messages[index];
    const { text, id, state } = told.get(to);
    const given = seen.answers[index].id.toLowerCase();
    const octets = form.isUcs2 === false ? Buffer.from(text, "utf16le").swap16().toString("latin1") : text;
    const words = new RegExp(`^id:${given} .* stat:DELIVRD err:000 text:`);
    if (form.where === "tlv") assert.equal(text, "", name);
    else assert.match(octets, words, name);
    assert.deepEqual([id, state], form.where === "text" ? [null, null] : [given, form.tlvState ?? 2], name);
    assert.equal(asReceipts.has(to), form.esmClass !== 0, name);
  }
  assert.deepEqual([smsc.stats().faults, smsc.stats().errors], [[], []]);
  smsc.set({ rules: [], receiptIds: undefined });
});

test("smpplib gets receipts of one part of a long message, from an SMSC that reports one", async () => {
  for (const [parts, place] of [
    ["first", 0],
    ["last", 4],
  ]) {
    smsc.set({ receipts: { where: "both", state: "DELIVRD", parts } });
    const messages = [{ from: "PEYK", to: "989121230000", text: "۱۲۳۴۵۶۷۸۹۰".repeat(30) }];
    const seen = await runSmpplib({ port: smsc.port, messages, deliveries: 1 });
    assert.deepEqual(
      seen.receipts.map(({ id }) => id),
      [seen.answers[place].id],
    );
  }
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
