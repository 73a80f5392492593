// By which secret a service works, without asking for the secret: its `/.well-known/jwks.json` has the public keys of proofs,
// whose seeds are derived from `SECRET_KEY` and `SECRET_KEY_OLD` (src/auth/secret.rs, src/auth/proof.rs).
import { createHmac, createPrivateKey, createPublicKey } from "node:crypto";

const purpose = "peyk proofs";
/** What stands before the 32 bytes of the seed in a private key of Ed25519 (RFC 8410). */
const prefix = Buffer.from("302e020100300506032b657004220420", "hex");

/** The member `x` of the key that a service with this secret publishes. */
export function proofKeyOf(secret) {
  const seed = createHmac("sha256", Buffer.from(secret, "base64")).update(purpose).digest();
  const key = createPrivateKey({ key: Buffer.concat([prefix, seed]), format: "der", type: "pkcs8" });
  return createPublicKey(key).export({ format: "jwk" }).x;
}
