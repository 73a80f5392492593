// Hands events to a program, as the service would.
import { createHmac } from "node:crypto";

/** How long a program may take, as the service has it, ms. */
const patience = 15_000;

/** The headers of the request for an event: those of Standard Webhooks 1.0. */
export function headersOf(id, body, secret, now = Date.now()) {
  const timestamp = String(Math.floor(now / 1_000));
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  return {
    "content-type": "application/json",
    "user-agent": "Peyk-Webhooks",
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${signature}`,
  };
}

/** Posts an event. Returns the status of the answer, or why there is none. */
export async function post(url, id, body, secret) {
  const headers = headersOf(id, body, secret);
  try {
    const signal = AbortSignal.timeout(patience);
    const answer = await fetch(url, { method: "POST", body, headers, redirect: "manual", signal });
    await answer.body?.cancel();
    return { status: answer.status };
  } catch (error) {
    return { failure: error.cause?.code ?? error.cause?.message ?? error.name };
  }
}
