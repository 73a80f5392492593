// The types and what each function does stand in index.d.mts.
export { Client, VERSION } from "./client.mjs";
export { ApiError, NetworkError, PeykError, SignatureError } from "./errors.mjs";
export { verifyWebhook } from "./webhook.mjs";
