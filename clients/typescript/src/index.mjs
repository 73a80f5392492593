// The types and what each function does stand in index.d.mts.
export { Client } from "./client.mjs";
export { ApiError, NetworkError, NotDoneError, PeykError, SignatureError } from "./errors.mjs";
export { VERSION } from "./transport.mjs";
export { verifyWebhook } from "./webhook.mjs";
