// Verifies webhooks as Standard Webhooks 1.0 says.
import { SignatureError } from "./errors.mjs";

export async function verifyWebhook(body, headers, secrets, { toleranceSeconds = 300, now = Date.now() / 1000 } = {}) {
  // A wrong secret is a fault of this program, so it shows before anything else.
  const keys = await Promise.all([secrets].flat().map(keyOf));
  if (keys.length === 0) throw new TypeError("there is no webhook secret");
  if (typeof body !== "string" && !(body instanceof Uint8Array)) throw new TypeError("the body must be as it came");
  const given = entriesOf(await headers);
  const [id, timestamp, signatures] = ["id", "timestamp", "signature"].map((name) => read(given, `webhook-${name}`));
  if (!/^\d{1,12}$/.test(timestamp)) throw new SignatureError("the header webhook-timestamp is no time");
  if (Math.abs(now - Number(timestamp)) > toleranceSeconds)
    throw new SignatureError("the webhook is too old or too new");
  const signed = join(`${id}.${timestamp}.`, body);
  for (const signature of signatures.split(" ").flatMap(decoded)) {
    for (const key of keys) if (await crypto.subtle.verify("HMAC", key, signature, signed)) return true;
  }
  throw new SignatureError("no signature of the webhook is by this secret");
}

export async function readWebhook(body, headers, secrets, options) {
  await verifyWebhook(body, headers, secrets, options);
  return JSON.parse(typeof body === "string" ? body : new TextDecoder().decode(body));
}

async function keyOf(secret) {
  const bytes = fromBase64(String(secret).replace(/^whsec_/, ""));
  // Anybody can sign with an empty key, so a setting that is missing must not become one.
  if (!secret || !bytes?.length) throw new TypeError("a webhook secret is `whsec_` and base64");
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
}

/** The names and values of `Headers` or of an object. */
const entriesOf = (headers) =>
  typeof headers.entries === "function" ? [...headers.entries()] : Object.entries(headers);

/** Reads a header, whose name may be in upper or lower case. The values of a list count as if spaces stood between them. */
function read(entries, name) {
  const values = [entries.find(([key]) => key.toLowerCase() === name)?.[1] ?? []].flat();
  if (values.length === 0 || values.some((value) => typeof value !== "string"))
    throw new SignatureError(`the header ${name} is missing`);
  return values.join(" ");
}

/** The bytes of a signature of version 1, as a list; none for a signature of a version that this code does not know. */
function decoded(signature) {
  const bytes = signature.startsWith("v1,") ? fromBase64(signature.slice(3)) : null;
  return bytes ? [bytes] : [];
}

function fromBase64(text) {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  } catch {
    return null;
  }
}

function join(prefix, body) {
  const parts = [prefix, body].map((part) => (typeof part === "string" ? new TextEncoder().encode(part) : part));
  const whole = new Uint8Array(parts[0].length + parts[1].length);
  whole.set(parts[0]);
  whole.set(parts[1], parts[0].length);
  return whole;
}
