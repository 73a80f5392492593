// Compares Peyk's encoding and number of parts with an independent calculator, npm's sms-segments-calculator, over
// 10,000 random texts from a fixed seed. Most texts have a length near the boundary of a part, where calculators
// differ.
//
// The test uses only the public API of the calculator: new SegmentedMessage(text) with encodingName, segmentsCount,
// graphemes and numberOfUnicodeScalars. The calculator differs from Peyk's contract by design in two ways. The test
// changes the calculator's input accordingly and leaves out no text:
//
// 1. The calculator counts "\r\n" as two characters and "\r" as one. In the contract each counts as "\n". So the
//    calculator gets the text with line feeds, and Peyk gets the text unchanged.
//
// 2. The calculator keeps grapheme clusters together: a base letter with its marks or zero-width (non-)joiners, a
//    family emoji, a flag. The contract keeps only surrogate pairs together, as the standard does. So the calculator
//    may move a cluster at a boundary as a whole, and Peyk does not. Clusters of several code points occur only in
//    UCS-2 texts, because no two characters of GSM-7 combine, except line breaks. A text without such clusters is
//    compared unchanged. For a text with clusters, the encoding is compared unchanged. Its parts are compared with
//    those of a text of the same widths in which nothing combines: a letter for each code point of one UTF-16 unit, an
//    emoji for each code point of two. The parts depend only on the widths, so this removes the rule on clusters and
//    nothing else. Keeping more characters together can only waste room. So the calculator's count for the unchanged
//    text must never be below Peyk's.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { dirname } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import calculator from "sms-segments-calculator";

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const SEED = 20261121;
const TEXTS = 10_000;

/** Returns Peyk's result for each text: [{encoding, parts, units}]. */
function peyk(texts) {
  const input = texts.map((text) => `${JSON.stringify(text)}\n`).join("");
  const options = { cwd: ROOT, input, encoding: "utf8", maxBuffer: 1 << 28, stdio: ["pipe", "pipe", "inherit"] };
  const output = execFileSync("cargo", ["run", "--quiet", "--example", "segment"], options);
  return output
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

const ENCODINGS = { "GSM-7": "GSM7", "UCS-2": "UCS2" };

/** Returns the calculator's result for a text, with and without its rule on clusters. */
function independent(text) {
  const normalised = text.replace(/\r\n?/g, "\n");
  const own = new calculator.SegmentedMessage(normalised);
  const hasClusters = own.graphemes.length !== own.numberOfUnicodeScalars;
  const counted = hasClusters ? new calculator.SegmentedMessage(withoutClusters(normalised)) : own;
  return {
    encoding: ENCODINGS[own.encodingName],
    parts: counted.segmentsCount,
    ownParts: own.segmentsCount,
    hasClusters,
  };
}

function withoutClusters(text) {
  return Array.from(text, (character) => (character.length === 1 ? "س" : "😀")).join("");
}

/** Mulberry32: a small seeded generator, good enough to choose texts. */
function generator(seed) {
  const random = () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), seed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (least, most) => least + Math.floor(random() * (most - least + 1));
  const pick = (list) => list[between(0, list.length - 1)];
  return { random, between, pick };
}

const GSM = Array.from(
  "@£$¥èéùìòÇ\nØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?" +
    "¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà",
);
const EXTENSION = Array.from("\f^{}\\[~]|€");
const LINE_BREAKS = ["\n", "\r", "\r\n"];
const PERSIAN = Array.from("ابپتثجچحخدذرزژسشصضطظعغفقکگلمنوهی ئآأؤ۰۱۲۳۴۵۶۷۸۹،؛؟");
const MARKS = ["\u200c", "\u200d", "\u064b", "\u064e", "\u0651"];
const EMOJI = Array.from("😀😂🙏🌹🎉𝔘𐎠");
const SEQUENCES = ["👨‍👩‍👧", "🇮🇷", "👍🏽", "❤️", "1️⃣", "e\u0301"];
// Characters outside GSM-7 that look like GSM-7 characters or that a calculator may wrongly include.
const STRANGERS = ["`", "ç", "\t", "\u001b", "\u0000", "\u00a0", "“", "–", "…", "Α", "ı", "\uffff", "\u2028"];

/** The kinds of text. Each has a weight and a function that draws one piece of the text. */
const KINDS = [
  [3, ({ pick }) => pick(GSM)],
  [4, ({ pick, random }) => (random() < 0.2 ? pick(EXTENSION) : pick(GSM))],
  [1, ({ pick, random }) => (random() < 0.9 ? pick(EXTENSION) : pick(LINE_BREAKS))],
  [2, ({ pick, random }) => (random() < 0.1 ? pick(LINE_BREAKS) : pick(GSM))],
  [2, ({ pick }) => pick(PERSIAN)],
  [3, ({ pick, random }) => (random() < 0.1 ? pick(MARKS) : pick(PERSIAN))],
  [2, ({ pick, random }) => (random() < 0.3 ? pick(EMOJI) : pick(PERSIAN))],
  [1, ({ pick }) => pick(EMOJI)],
  [2, ({ pick, random }) => (random() < 0.15 ? pick(SEQUENCES) : pick(PERSIAN))],
  [2, ({ pick, random }) => (random() < 0.02 ? pick(STRANGERS) : random() < 0.1 ? pick(EXTENSION) : pick(GSM))],
  [2, ({ pick }) => pick(pick([GSM, EXTENSION, LINE_BREAKS, PERSIAN, MARKS, EMOJI, SEQUENCES, STRANGERS]))],
];
const KIND_OF_DRAW = KINDS.flatMap(([weight, kind]) => Array(weight).fill(kind));

/** Lengths in UTF-16 units: near one part and near a few parts in both encodings, and any length up to 700. */
const LENGTHS = [
  [0, 5],
  [60, 80],
  [60, 80],
  [128, 140],
  [130, 170],
  [130, 170],
  [195, 205],
  [300, 320],
  [455, 465],
  [0, 700],
];

function randomText(source) {
  const kind = source.pick(KIND_OF_DRAW);
  const length = source.between(...source.pick(LENGTHS));
  let text = "";
  while (text.length < length) text += kind(source);
  return text;
}

test("10,000 random texts have the encoding and parts that an independent calculator gives", (t) => {
  const source = generator(SEED);
  const texts = Array.from({ length: TEXTS }, () => randomText(source));
  const found = peyk(texts);
  assert.equal(found.length, TEXTS);

  const seen = { asTheyAre: 0, withClusters: 0, clusterOnBoundary: 0, GSM7: 0, UCS2: 0, severalParts: 0 };
  texts.forEach((text, index) => {
    const { encoding, parts } = found[index];
    const expected = independent(text);
    assert.deepEqual({ encoding, parts }, { encoding: expected.encoding, parts: expected.parts }, JSON.stringify(text));
    assert.ok(expected.ownParts >= parts, `keeping clusters together saves no part: ${JSON.stringify(text)}`);
    if (expected.hasClusters) assert.equal(encoding, "UCS2", `clusters are UCS-2: ${JSON.stringify(text)}`);
    seen[expected.hasClusters ? "withClusters" : "asTheyAre"] += 1;
    seen.clusterOnBoundary += expected.ownParts === parts ? 0 : 1;
    seen[encoding] += 1;
    seen.severalParts += parts > 1 ? 1 : 0;
  });
  t.diagnostic(`seed ${SEED}: ${JSON.stringify(seen)}`);
  assert.ok(seen.asTheyAre >= 6_000, "most texts are compared exactly as they are");
  assert.ok(Math.min(seen.GSM7, seen.UCS2) >= 3_000 && seen.severalParts >= 5_000, "the texts are of all kinds");
});

/** Asserts that Peyk and the calculator agree on the encoding and parts of each text. Returns Peyk's results. */
function assertSame(texts) {
  const found = peyk(texts);
  texts.forEach((text, index) => {
    const { encoding, parts } = found[index];
    const expected = independent(text);
    assert.deepEqual({ encoding, parts }, { encoding: expected.encoding, parts: expected.parts }, JSON.stringify(text));
  });
  return found;
}

test("every character of the basic plane has the encoding and width that the calculator gives it", () => {
  const characters = [];
  for (let code = 0; code <= 0xffff; code += 1) {
    if (code < 0xd800 || code > 0xdfff) characters.push(String.fromCharCode(code));
  }
  const found = assertSame(characters);
  const gsm7 = characters.filter((_, index) => found[index].encoding === "GSM7");
  assert.equal(gsm7.length, 127 + 10, "the default alphabet without the escape, and the extension table");
  // After 159 letters a character of one septet still fits into one part, and a character of two septets does not.
  assertSame(gsm7.map((character) => "a".repeat(159) + character));
});
