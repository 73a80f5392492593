// The tokens in the addresses of reports, made and read as `src/carrier/gateway_url.rs` describes them, without its code.
import { createHmac } from "node:crypto";

const version = 1;
const tagBytes = 16;
const purpose = "peyk report address";

const hmac = (key, ...parts) => {
  const mac = createHmac("sha256", key);
  for (const part of parts) mac.update(part);
  return mac.digest();
};

/** The bytes that name a recipient whose account has a UUID, without their tag. */
export function nameRecipient({ account, addresses, message, index, endsS }) {
  const id = Buffer.from(account.replaceAll("-", ""), "hex");
  return Buffer.concat([
    Buffer.from([version, 0]),
    id,
    varint(addresses),
    varint(message),
    varint(index),
    varint(endsS),
  ]);
}

/** The token with these bytes, signed for a carrier with the service's `SECRET_KEY`. */
export function signed(secretKey, carrier, named, keyPurpose = purpose) {
  const key = hmac(Buffer.from(secretKey, "base64"), keyPurpose);
  const tag = hmac(key, carrier, Buffer.from([0]), named).subarray(0, tagBytes);
  return Buffer.concat([named, tag]).toString("base64url");
}

/** What a token names, and the bytes that its tag is of. */
export function readToken(token) {
  const bytes = Buffer.from(token, "base64url");
  const named = bytes.subarray(0, -tagBytes);
  const account = named.subarray(2, 18).toString("hex");
  const [addresses, message, index, endsS] = varints(named.subarray(18));
  const uuid = account.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  return { named, account: uuid, addresses, message, index, endsS };
}

export const tagOf = (token) => Buffer.from(token, "base64url").subarray(-tagBytes);

function varint(number) {
  const bytes = [];
  for (let rest = number; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest % 128) + 128);
  }
}

function varints(bytes) {
  const numbers = [];
  for (let at = 0, number = 0, place = 1; at < bytes.length; at += 1) {
    number += (bytes[at] % 128) * place;
    place *= 128;
    if (bytes[at] < 128) {
      numbers.push(number);
      number = 0;
      place = 1;
    }
  }
  return numbers;
}
