// Reads and writes short messages by the standards themselves (3GPP 23.038 and 23.040), without any code of the service
// or of the SMPP library, so that what a peer says it has read is a check of both.

const basic =
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u001bÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?" +
  "¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà";
const escapeCode = 0x1b;
const extension = new Map([
  [0x0a, "\f"],
  [0x14, "^"],
  [0x28, "{"],
  [0x29, "}"],
  [0x2f, "\\"],
  [0x3c, "["],
  [0x3d, "~"],
  [0x3e, "]"],
  [0x40, "|"],
  [0x65, "€"],
]);
const encoded = new Map([
  ...[...basic].map((character, index) => [character, [index]]),
  ...[...extension].map(([code, character]) => [character, [escapeCode, code]]),
]);

export const gsm7 = 0;
export const ucs2 = 8;

/** Decodes unpacked GSM-7: one septet an octet. */
export function decodeGsm7(octets) {
  let text = "";
  for (let index = 0; index < octets.length; index += 1) {
    const code = octets[index];
    if (code > 0x7f) throw new Error(`the octet ${code} is no septet`);
    if (code !== escapeCode) {
      text += basic[code];
      continue;
    }
    index += 1;
    const character = extension.get(octets[index]);
    if (character === undefined) throw new Error(`nothing stands for an escape and ${octets[index]}`);
    text += character;
  }
  return text;
}

/** Each part of a text must be well formed by itself, so half a character is an error. */
export function decodeUcs2(octets) {
  if (octets.length % 2 !== 0) throw new Error(`${octets.length} octets are no UCS-2`);
  const text = Buffer.from(octets).swap16().toString("utf16le");
  if (!text.isWellFormed()) throw new Error("half a surrogate pair");
  return text;
}

export function decodeText(octets, dataCoding) {
  if (dataCoding === gsm7) return decodeGsm7(octets);
  if (dataCoding === ucs2) return decodeUcs2(octets);
  if (dataCoding === 3) return Buffer.from(octets).toString("latin1");
  throw new Error(`the peer does not know data_coding ${dataCoding}`);
}

/**
 * Encodes a text as a phone does: in one piece, or in pieces that each begin with a header (8-bit reference). No
 * character is split.
 */
export function encodeParts(text, reference = 1) {
  const inGsm7 = [...text].map((character) => encoded.get(character));
  const isGsm7 = !inGsm7.includes(undefined);
  const dataCoding = isGsm7 ? gsm7 : ucs2;
  const characters = isGsm7 ? inGsm7 : [...text].map((character) => [...Buffer.from(character, "utf16le").swap16()]);
  const [whole, part] = isGsm7 ? [160, 153] : [140, 134];
  if (characters.flat().length <= whole) return { dataCoding, pieces: [Buffer.from(characters.flat())] };
  const pieces = [[]];
  for (const octets of characters) {
    if (pieces.at(-1).length + octets.length > part) pieces.push([]);
    pieces.at(-1).push(...octets);
  }
  const header = (index) => [5, 0, 3, reference, pieces.length, index + 1];
  return { dataCoding, pieces: pieces.map((octets, index) => Buffer.from([...header(index), ...octets])) };
}

const headerIndicator = 0x40;

/**
 * Says which part of which message a submit or a delivery carries: by its user data header, by its SAR parameters, whole
 * in `message_payload`, or whole in `short_message`.
 */
export function readPart(pdu) {
  const payload = pdu.message_payload;
  const octets = payload?.length ? payload : pdu.short_message;
  if (payload?.length && pdu.short_message?.length)
    throw new Error("both short_message and message_payload have a text");
  if (pdu.esm_class & headerIndicator) return { how: "UDH", ...readHeader(octets) };
  if (pdu.sar_total_segments !== undefined) {
    const { sar_msg_ref_num: reference, sar_total_segments: total, sar_segment_seqnum: number } = pdu;
    return { how: "SAR", reference, total, number, octets };
  }
  return { how: payload?.length ? "PAYLOAD" : "PLAIN", reference: null, total: 1, number: 1, octets };
}

function readHeader(all) {
  const end = 1 + all[0];
  if (end > all.length) throw new Error("the header is longer than the message");
  const octets = all.subarray(end);
  for (let at = 1; at + 1 < end; at += 2 + all[at + 1]) {
    if (all[at] === 0x00) return { reference: all[at + 2], total: all[at + 3], number: all[at + 4], octets };
    if (all[at] === 0x08)
      return { reference: all.readUInt16BE(at + 2), total: all[at + 4], number: all[at + 5], octets };
  }
  return { reference: null, total: 1, number: 1, octets };
}
