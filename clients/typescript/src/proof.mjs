// Checks proofs: JWTs by Ed25519, as RFC 7519 and RFC 8037 say, and only in the form in which Peyk makes them.
import { ProofError } from "./errors.mjs";

const form = /^([\w-]+)\.([\w-]+)\.([\w-]*)$/;
const longest = 4_096;
const signatureBytes = 64;

export async function verifyProof(token, keys, options = {}) {
  const { audience, purpose, recipient, allowTest = false } = options;
  const now = options.now ?? Date.now() / 1000;
  // These are faults of this program. Without an account to hold the proof against, a proof for any account would do.
  if (typeof audience !== "string" || audience === "") throw new TypeError("audience must be the id of your account");
  if (!Array.isArray(keys?.keys)) throw new TypeError("keys must be what getProofKeys returns");
  const found = typeof token === "string" && token.length <= longest && form.exec(token);
  if (!found) throw new ProofError("proof", "this is no proof");
  const [, header, payload, signature] = found;
  const key = keyOf(parsed(header), keys.keys);
  if (!(await isSigned(key, fromBase64Url(signature), `${header}.${payload}`)))
    throw new ProofError("signature", "the signature of the proof is not by its key");
  const content = parsed(payload);
  checkContent(content, audience, now);
  if (!allowTest && "test" in content && content.test !== false)
    throw new ProofError("test", "the proof is of a test key");
  expect(content, { purpose, sub: recipient });
  return content;
}

/** The key that the header names. The header chooses nothing else: there is one algorithm. */
function keyOf(header, keys) {
  if (header.alg !== "EdDSA") throw new ProofError("alg", "the alg of the proof is not EdDSA");
  if (header.typ !== "JWT") throw new ProofError("typ", "the typ of the proof is not JWT");
  if ("crit" in header) throw new ProofError("crit", "the proof has a crit, and none is known");
  const isKey = (key) => key?.kty === "OKP" && key.crv === "Ed25519" && typeof key.x === "string";
  const found = keys.find((key) => isKey(key) && typeof key.kid === "string" && key.kid === header.kid);
  if (!found) throw new ProofError("kid", "no key has the kid of the proof: fetch the keys anew");
  return found;
}

async function isSigned({ x }, signature, text) {
  const key = await crypto.subtle.importKey("jwk", { kty: "OKP", crv: "Ed25519", x }, "Ed25519", false, ["verify"]);
  // Workers throw at a signature of another length.
  const isWhole = signature?.length === signatureBytes;
  return isWhole && crypto.subtle.verify("Ed25519", key, signature, new TextEncoder().encode(text));
}

function checkContent(content, audience, now) {
  if (content.iss !== "peyk") throw new ProofError("iss", "the iss of the proof is not peyk");
  if (content.aud !== audience) throw new ProofError("aud", "the aud of the proof is another account");
  for (const name of ["sub", "purpose", "jti"])
    if (typeof content[name] !== "string") throw new ProofError(name, `the ${name} of the proof is missing`);
  if (typeof content.exp !== "number") throw new ProofError("exp", "the exp of the proof is no time");
  if (!(now < content.exp)) throw new ProofError("expired", "the proof has expired");
}

/** Holds the content against what the caller wants of it. What is left out may be anything. */
function expect(content, wanted) {
  for (const [name, value] of Object.entries(wanted))
    if (value !== undefined && value !== null && content[name] !== value)
      throw new ProofError(name, `the ${name} of the proof is not the expected one`);
}

/** The object that a part of the proof has. */
function parsed(part) {
  try {
    const value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(fromBase64Url(part)));
    if (value !== null && typeof value === "object" && !Array.isArray(value)) return value;
  } catch {
    // It is no JSON.
  }
  throw new ProofError("proof", "this is no proof");
}

function fromBase64Url(text) {
  try {
    return Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (char) => char.charCodeAt(0));
  } catch {
    return null;
  }
}
