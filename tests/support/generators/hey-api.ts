// A client that knows nothing of Peyk but what @hey-api/openapi-ts makes of openapi.json.
import { checkVerification, sendPattern, sendSms, startVerification } from "./made";
import { client } from "./made/client.gen";

declare const process: { env: Record<"BASE" | "KEY" | "NUMBER", string> };

const { BASE, KEY, NUMBER } = process.env;
const headers = { connection: "close" };
client.setConfig({ baseUrl: BASE, auth: () => KEY, headers });

/** The data of an answer that is no error. */
function dataOf<Data>({ data, error }: { data?: { data: Data }; error?: unknown }): Data {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data.data;
}

async function use() {
  const message = { message: "سلام", recipients: [NUMBER] };
  const { cost, recipients } = dataOf(await sendSms({ body: message }));
  const pattern = { pattern: "login", variables: { OTP: 48213 }, recipient: NUMBER };
  const { type } = dataOf(await sendPattern({ body: pattern, headers: { "Idempotency-Key": "login-1" } }));
  const { id, status } = dataOf(await startVerification({ body: { recipient: NUMBER } }));
  const { verified } = dataOf(await checkVerification({ body: { id, code: "0000" } }));
  const { error } = await sendSms({ body: { ...message, recipients: ["0912"] } });
  const place = error?.errors?.[0]?.pointer;
  console.log(JSON.stringify({ cost, to: recipients[0]?.recipient, type, status, verified, code: error?.code, place }));
}

use().catch((error) => {
  throw error;
});
