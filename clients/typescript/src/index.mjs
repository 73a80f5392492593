// The types and what each function does stand in index.d.mts.
export { Client } from "./client.mjs";
export { ApiError, NetworkError, NotDoneError, PeykError, ProofError, SignatureError } from "./errors.mjs";
export { verifyProof } from "./proof.mjs";
export { VERSION } from "./transport.mjs";
export { readWebhook, verifyWebhook } from "./webhook.mjs";
