// A client that knows nothing of Peyk but the types that openapi-typescript makes of openapi.json.
import type { paths } from "./schema.mjs";

declare const process: { env: Record<"BASE" | "KEY", string> };

type Verb = "get" | "post";
type Operation<Path extends keyof paths, Method extends Verb> = NonNullable<paths[Path][Method]>;
type Json<Content> = Content extends { content: { [type in "application/json" | "application/problem+json"]?: infer Body } }
  ? Body
  : undefined;
type Body<Of> = Of extends { requestBody?: infer Request } ? Json<NonNullable<Request>> : undefined;
type Responses<Of> = Of extends { responses: infer All } ? All : never;
/** The statuses of an operation, each with its own body: who looks at the status knows the form of the body. */
type Answer<Of> = {
  [Status in keyof Responses<Of>]: { status: Status; body: Json<Responses<Of>[Status]> };
}[keyof Responses<Of>];

async function ask<Path extends keyof paths, Method extends Verb>(
  path: Path,
  method: Method,
  { address = path, body }: { address?: string; body?: Body<Operation<Path, Method>> } = {},
): Promise<Answer<Operation<Path, Method>>> {
  const response = await fetch(process.env.BASE + address, {
    method: method.toUpperCase(),
    headers: { authorization: `Bearer ${process.env.KEY}`, "content-type": "application/json", connection: "close" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() } as Answer<Operation<Path, Method>>;
}

const message = { message: "سلام", recipients: ["09121234567"], sourceNumber: "10001" };
const sent = await ask("/sms/send", "post", { body: message });
if (sent.status !== 201) throw new Error(JSON.stringify(sent.body));
const { uid, cost, recipients } = sent.body.data;

const found = await ask("/messages/{uid}", "get", { address: `/messages/${uid}` });
if (found.status !== 200) throw new Error(JSON.stringify(found.body));

const refused = await ask("/sms/send", "post", { body: { ...message, recipients: ["0912"] } });
if (refused.status !== 422) throw new Error(JSON.stringify(refused.body));

// @ts-expect-error A send names its text.
const wrong: Body<Operation<"/sms/send", "post">> = { recipients: ["09121234567"] };
// @ts-expect-error There is no such path.
await ask("/sms/nothing", "get").catch(() => wrong);

const status = found.body.data.recipients[0]?.status;
console.log(JSON.stringify({ cost, to: recipients[0]?.recipient, status, code: refused.body.code }));
