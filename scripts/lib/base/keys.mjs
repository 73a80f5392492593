import { createHash, randomInt, randomUUID } from "node:crypto";
import { renameSync, writeFileSync } from "node:fs";
import zlib from "node:zlib";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** The KV entry that says that operators have had their first key. Names of keys' entries are hashes. */
export const operatorMark = "deploy:operator-key";

/** Makes a key in the format of the service: a prefix with its mode, 32 random characters, and a checksum of both. */
export function newKey(mode = "live") {
  const random = Array.from({ length: 32 }, () => alphabet[randomInt(62)]).join("");
  return withChecksum(`peyk_${mode}_${random}`);
}

export const withChecksum = (body) => body + base62(zlib.crc32(body)).padStart(6, "0");

function base62(number) {
  const rest = Math.floor(number / 62);
  return (rest > 0 ? base62(rest) : "") + alphabet[number % 62];
}

/**
 * Makes the KV entry of an operator's key: the hash of the key, its id and its record. It belongs to the pseudo account
 * `operator`, whose object learns the key when it is used first.
 */
export function operatorEntry(key, madeAt = Date.now()) {
  const id = uuid7(madeAt);
  const record = {
    v: 1,
    account: "operator",
    key: id,
    scopes: ["admin"],
    mode: "live",
    bootstrappedAt: madeAt,
  };
  return { name: createHash("sha256").update(key).digest("hex"), id, value: JSON.stringify(record) };
}

/** A UUID of version 7 (RFC 9562): the time in front, so that ids sort by it, and the random rest of a version 4. */
function uuid7(ms) {
  const time = ms.toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

/** Writes the whole file or nothing. Only the owner may read it. With `flush` the disk has it when this returns. */
export function writeSecret(file, text, { flush = false } = {}) {
  writeFileSync(`${file}.unfinished`, text, { mode: 0o600, flush });
  renameSync(`${file}.unfinished`, file);
}
