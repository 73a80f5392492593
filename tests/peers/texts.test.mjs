// The peer's own reading of texts and parts. What it can't check against another implementation here, Kannel and smpplib
// check in the other files.
import assert from "node:assert/strict";
import { test } from "node:test";
import smpp from "smpp";
import { Record } from "../support/peers/record.mjs";
import { decodeGsm7, decodeText, decodeUcs2, encodeParts, readPart } from "../support/peers/texts.mjs";

const octets = (...values) => Buffer.from(values);

test("every septet is the character that the npm package says", () => {
  for (let code = 0; code < 128; code += 1) {
    if (code === 0x1b) continue;
    assert.equal(decodeGsm7(octets(code)), smpp.encodings.ASCII.decode(octets(code)), `septet ${code}`);
  }
  for (const character of "^{}\\[~]|€\f")
    assert.equal(decodeGsm7(smpp.encodings.ASCII.encode(character)), character, character);
});

test("an octet that is no septet, an escape without its character and half a character are errors", () => {
  for (const bad of [octets(0x80), octets(0x41, 0x1b), octets(0x1b, 0x41)]) assert.throws(() => decodeGsm7(bad));
  for (const bad of [octets(0x06), octets(0xd8, 0x3d), octets(0xde, 0x00)]) assert.throws(() => decodeUcs2(bad));
  assert.equal(decodeUcs2(octets(0xd8, 0x3d, 0xde, 0x00)), "😀");
  assert.throws(() => decodeText(octets(0x41), 4), /data_coding 4/);
});

test("a text that is written in parts is read again, whatever its length, and no character is split", () => {
  for (const alphabet of ["ab€", "سل😀", "x"]) {
    const characters = [...alphabet];
    for (let length = 0; length <= 330; length += 1) {
      const text = Array.from({ length }, (_, index) => characters[index % characters.length]).join("");
      const { dataCoding, pieces } = encodeParts(text);
      const parts = pieces.map((piece) => readPart({ esm_class: pieces.length > 1 ? 0x40 : 0, short_message: piece }));
      assert.equal(parts.map((part) => decodeText(part.octets, dataCoding)).join(""), text);
      assert.ok(pieces.every((piece) => piece.length <= (dataCoding === 8 ? 140 : 160)));
    }
  }
});

test("the place of a part is read from a header with a short or a long reference, from SAR, and from no sign at all", () => {
  const text = octets(0x41, 0x42);
  const cases = [
    [{ esm_class: 0x40, short_message: octets(5, 0, 3, 7, 3, 2, 0x41, 0x42) }, ["UDH", 7, 3, 2]],
    [{ esm_class: 0x43, short_message: octets(6, 8, 4, 1, 2, 3, 2, 0x41, 0x42) }, ["UDH", 258, 3, 2]],
    [{ esm_class: 0x40, short_message: octets(8, 0x24, 1, 1, 0, 3, 7, 3, 2, 0x41, 0x42) }, ["UDH", 7, 3, 2]],
    [{ esm_class: 0x40, message_payload: octets(5, 0, 3, 7, 3, 2, 0x41, 0x42) }, ["UDH", 7, 3, 2]],
    [
      { esm_class: 0, short_message: text, sar_msg_ref_num: 300, sar_total_segments: 3, sar_segment_seqnum: 2 },
      ["SAR", 300, 3, 2],
    ],
    [{ esm_class: 0, short_message: octets(), message_payload: text }, ["PAYLOAD", null, 1, 1]],
    [{ esm_class: 0, short_message: text }, ["PLAIN", null, 1, 1]],
  ];
  for (const [pdu, [how, reference, total, number]] of cases) {
    const part = readPart(pdu);
    assert.deepEqual({ ...part, octets: [...part.octets] }, { how, reference, total, number, octets: [0x41, 0x42] });
  }
  assert.throws(() => readPart({ esm_class: 0, short_message: text, message_payload: text }), /both/);
  assert.throws(() => readPart({ esm_class: 0x40, short_message: octets(5, 0, 3) }), /longer/);
});

test("parts in any order make one message; a part that comes twice, or is not taken, does not", () => {
  const submit = (n, number, status = 0) => ({
    n,
    status,
    from: "1",
    to: "2",
    dataCoding: 0,
    part: { how: "UDH", reference: 9, total: 3, number, text: `<${number}>` },
  });
  const record = new Record();
  for (const [n, number, status] of [
    [1, 3],
    [2, 1],
    [3, 2, 88],
    [4, 3],
  ])
    record.add(submit(n, number, status));
  assert.deepEqual(record.messages, []);
  assert.deepEqual(record.faults, [{ n: 4, to: "2", fault: "part 3 came twice" }]);
  assert.equal(record.unfinished[0].have, 2);
  record.add(submit(5, 2));
  assert.deepEqual(record.messages, [
    { n: 1, from: "1", to: "2", how: "UDH", dataCoding: 0, text: "<1><2><3>", parts: 3 },
  ]);
  assert.deepEqual(record.counts, { 2: { tried: 5, taken: 4 } });
  assert.deepEqual(record.unfinished, []);
});
