import { createHash, randomInt, randomUUID } from "node:crypto";
import zlib from "node:zlib";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Makes a key in the format of the service: a prefix, 32 random characters, and a checksum of both. */
export function newKey() {
  const random = Array.from({ length: 32 }, () => alphabet[randomInt(62)]).join("");
  return withChecksum(`peyk_live_${random}`);
}

export const withChecksum = (body) => body + base62(zlib.crc32(body)).padStart(6, "0");

function base62(number) {
  const rest = Math.floor(number / 62);
  return (rest > 0 ? base62(rest) : "") + alphabet[number % 62];
}

/**
 * Makes the KV entry of an operator's key: the hash of the key and its record. It belongs to the pseudo account
 * `operator`.
 */
export function operatorEntry(key) {
  const record = {
    v: 1,
    account: "operator",
    key: randomUUID(),
    scopes: ["admin"],
    mode: "live",
    lines: null,
    expiresAt: null,
  };
  return { name: createHash("sha256").update(key).digest("hex"), value: JSON.stringify(record) };
}
