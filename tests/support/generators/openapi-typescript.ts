// A client that knows nothing of Peyk but the types that openapi-typescript makes of openapi.json.
import type { paths } from "./schema.mjs";

declare const process: { env: Record<"BASE" | "KEY" | "NUMBER", string> };

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

const { NUMBER } = process.env;
const message = { message: "سلام", recipients: [NUMBER] };
const sent = await ask("/sms/send", "post", { body: message });
if (sent.status !== 201) throw new Error(JSON.stringify(sent.body));
const { uid, cost } = sent.body.data;

const found = await ask("/messages/{uid}", "get", { address: `/messages/${uid}` });
if (found.status !== 200) throw new Error(JSON.stringify(found.body));

const pattern = { pattern: "login", variables: { OTP: 48213 }, recipient: NUMBER };
const texted = await ask("/sms/pattern", "post", { body: pattern });
if (texted.status !== 201) throw new Error(JSON.stringify(texted.body));

// The code has six digits by default: no member with a default needs to be there.
const begun = await ask("/verify", "post", { body: { recipient: NUMBER } });
if (begun.status !== 201) throw new Error(JSON.stringify(begun.body));
const checked = await ask("/verify/check", "post", { body: { id: begun.body.data.id, code: "0000" } });
if (checked.status !== 200) throw new Error(JSON.stringify(checked.body));

const refused = await ask("/sms/send", "post", { body: { ...message, recipients: ["0912"] } });
if (refused.status !== 422) throw new Error(JSON.stringify(refused.body));

// @ts-expect-error A send names its text.
const wrong: Body<Operation<"/sms/send", "post">> = { recipients: [NUMBER] };
// @ts-expect-error There is no such path.
await ask("/sms/nothing", "get").catch(() => wrong);

const to = found.body.data.recipients[0]?.recipient;
const { type } = texted.body.data;
const { status } = begun.body.data;
const { verified } = checked.body.data;
const { code, errors } = refused.body;
console.log(JSON.stringify({ cost, to, type, status, verified, code, place: errors?.[0]?.pointer }));
