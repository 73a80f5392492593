// Peyk's encoding and number of parts against an independent calculator, npm's sms-segments-calculator, over
// 10,000 random texts from a fixed seed. Texts lie mostly around the boundaries of parts, where calculators differ.
//
// The calculator is used through its public API only (new SegmentedMessage(text): encodingName, segmentsCount,
// graphemes, numberOfUnicodeScalars). It differs from Peyk's contract by design in two ways, and both are met by
// what it is given, never by leaving a text out:
//
// 1. It counts "\r\n" and "\r" as they are, two characters and one. The contract says that each counts as "\n", so the
//    calculator is given the text with line feeds. (Peyk is given the text as it is.)
//
// 2. It keeps grapheme clusters together: a base letter with its marks or its zero-width (non-)joiner, a family emoji,
//    a flag. The contract keeps only surrogate pairs together, as the standard does, so a cluster on a boundary may move
//    as a whole there and not here. Clusters of several code points occur in UCS-2 texts only (line feeds aside, no two
//    characters of GSM-7 combine). So every text without such a cluster is compared as it is; of a text with one, the
//    encoding is compared as it is, and the parts with those of a text of the same widths in which nothing combines: a
//    letter for each code point of one UTF-16 unit, an emoji for each of two. A part's contents depend on widths
//    alone, so this takes away the rule on clusters and nothing else. And as keeping more together can only waste room,
//    the calculator's own count of the untouched text must never be below Peyk's.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { dirname } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import calculator from "sms-segments-calculator";

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const SEED = 20261121;
const TEXTS = 10_000;

/** What Peyk makes of each text: [{encoding, parts, units}]. */
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

/** What the calculator makes of a text, with and without its rule on clusters. */
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

/** Mulberry32: small, seeded, good enough for choosing texts. */
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
// Close to GSM-7 but not in it, or in it only by a reader's mistake.
const STRANGERS = ["`", "ç", "\t", "\u001b", "\u0000", "\u00a0", "“", "–", "…", "Α", "ı", "\uffff", "\u2028"];

/** The kinds of text, each a function from a source of randomness to one piece of it, and how often it is chosen. */
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

/** Lengths in UTF-16 units: around one part and a few of them in either encoding, and anything up to 700. */
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

/** Asserts that each text has the encoding and parts that the calculator gives, and returns what Peyk found. */
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
  // After 159 letters a character's width shows: with one septet it is one part, with two it is two.
  assertSame(gsm7.map((character) => "a".repeat(159) + character));
});
