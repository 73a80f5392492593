// The client libraries have what openapi.json says: its types, and a method for each operation.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { readWebhook, SignatureError, verifyWebhook } from "../../clients/typescript/src/index.mjs";
import { environment } from "../../scripts/lib/base/command.mjs";
import { inRoot, npmBin } from "../../scripts/lib/base/paths.mjs";
import { events, operations, types } from "../../scripts/lib/clients/document.mjs";
import { madeFiles } from "../../scripts/lib/clients/files.mjs";
import { aliases, byHand, leftOut, repeatable, summaries, typeNames } from "../../scripts/lib/clients/names.mjs";
import { snake } from "../../scripts/lib/clients/text.mjs";

const read = (path) => readFileSync(inRoot(path), "utf8");
const { paths, components, webhooks } = JSON.parse(read("openapi.json"));

for (const [path, text] of Object.entries(await madeFiles()))
  test(`${path} is what \`npm run clients\` makes of openapi.json`, () => {
    assert.equal(read(path), text);
  });

/** An event, with all that says that it is from Peyk. */
const [vector] = JSON.parse(read("tests/vectors/webhooks.json")).vectors;
const headersOf = ({ id, timestamp, signature }) => ({
  "webhook-id": id,
  "webhook-timestamp": String(timestamp),
  "webhook-signature": signature,
});

/** How a method begins in each language, after the names that the language gives it. */
const methods = {
  typescript: {
    files: ["operations.d.mts", "index.d.mts"].map((file) => `clients/typescript/src/${file}`),
    begin: (name) => `\n  ${name}(`,
  },
  python: {
    files: ["_operations.py", "_client.py"].map((file) => `clients/python/peyk/${file}`),
    begin: (name) => `\n    def ${snake(name)}(`,
  },
  php: {
    files: ["Operations.php", "Client.php"].map((file) => `clients/php/src/${file}`),
    begin: (name) => `\n    public function ${name}(`,
  },
};

for (const [language, { files, begin }] of Object.entries(methods))
  test(`${language}: each operation of customers has one method`, () => {
    const code = files.map(read).join("\n");
    for (const { name } of operations) assert.equal(code.split(begin(name)).length, 2, name);
    for (const operation of Object.keys(aliases))
      assert.ok(!code.includes(begin(operation)), `${operation} has a shorter name`);
  });

test("only what is for operators, for gateways or for browsers has no method", () => {
  const all = Object.entries(paths).flatMap(([path, item]) =>
    Object.values(item).map(({ operationId }) => [operationId, path]),
  );
  const withMethod = new Set(operations.map(({ id }) => id));
  const without = all.filter(([id]) => !withMethod.has(id)).map(([, path]) => path);
  for (const path of without)
    assert.match(path, /^\/(admin\/.*|carrier\/.*|metrics|console\/(sign-in.*|session\/switch|passkeys.*)|)$/);
  assert.equal(all.length, without.length + operations.length);
});

test("the names that the libraries choose are of operations and types that are there", () => {
  const ids = new Set(
    Object.values(paths).flatMap((item) => Object.values(item).map(({ operationId }) => operationId)),
  );
  for (const id of [...Object.keys({ ...aliases, ...summaries }), ...byHand, ...leftOut, ...repeatable])
    assert.ok(ids.has(id), id);
  const used = new Set(types.map(({ name }) => name));
  for (const [schema, name] of Object.entries(typeNames)) {
    assert.ok(components.schemas[schema], schema);
    assert.ok(used.has(name), name);
  }
});

test("typescript: the headers of a webhook may be Headers, and a promise of them as Next.js has it", async () => {
  const { body, timestamp, secret } = vector;
  const named = headersOf(vector);
  const headers = new Headers(named);
  for (const given of [headers, Promise.resolve(headers), Promise.resolve(named)])
    assert.equal(await verifyWebhook(body, given, secret, { now: timestamp }), true);
});

test("typescript: a webhook is read once it is verified", async () => {
  const { body, secret, timestamp: now } = vector;
  const read = (body) => readWebhook(body, headersOf(vector), secret, { now });
  assert.deepEqual(await read(body), JSON.parse(body));
  assert.deepEqual(await read(new TextEncoder().encode(body)), JSON.parse(body));
  await assert.rejects(read(`${body} `), SignatureError);
});

test("python: a webhook is read once it is verified", () => {
  const code = `
import json, sys
from peyk import SignatureError, read_webhook
given = json.load(sys.stdin)
read = lambda body: read_webhook(body, given["headers"], given["secret"], now=given["now"])
print(json.dumps([read(given["body"]), read(given["body"].encode())]))
try:
    read(given["body"] + " ")
except SignatureError:
    print("refused")`;
  const { body, secret, timestamp: now } = vector;
  const input = JSON.stringify({ body, secret, now, headers: headersOf(vector) });
  const env = environment({ PYTHONPATH: inRoot("clients/python"), PYTHONDONTWRITEBYTECODE: "1", PYTHONUTF8: "1" });
  const { stdout, stderr } = spawnSync("python3", ["-c", code], { encoding: "utf8", env, input });
  const [events, refused] = stdout.trim().split("\n");
  assert.equal(refused, "refused", stderr);
  assert.deepEqual(JSON.parse(events), [JSON.parse(body), JSON.parse(body)]);
});

test("the events of the libraries are those of the document", () => {
  const told = Object.keys(webhooks).sort();
  const typed = events.flatMap(({ type }) => (type.members ?? []).filter(({ name }) => name === "type"));
  assert.deepEqual(typed.flatMap(({ type }) => type.values).sort(), told);
});

test("typescript: the declarations compile, and hold programs to the API", () => {
  const dir = mkdtempSync(join(tmpdir(), "peyk-types-"));
  try {
    writeFileSync(join(dir, "program.mts"), program(inRoot("clients/typescript/src/index.mjs")));
    const target = ["--target", "es2022", "--module", "nodenext", "--lib", "es2022,dom"];
    const args = ["--strict", "--noEmit", ...target, "program.mts"];
    const { status, stdout } = spawnSync(npmBin("tsc"), args, { cwd: dir, encoding: "utf8", env: environment() });
    assert.equal(status, 0, stdout);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});

const program = (library) => `
  import { Client, type Message, readWebhook, type Send, verifyWebhook } from ${JSON.stringify(library)};
  const peyk = new Client({ apiKey: "peyk_live_x", baseUrl: "https://sms.example.com" });
  const send: Send = { message: "a", recipients: ["09121234567"], sendAt: new Date() };
  const { uid } = await peyk.send(send, { idempotencyKey: "order-17" });
  const message: Message = await peyk.waitForMessage(uid, { timeoutMs: 1_000 });
  for await (const { recipientCount } of peyk.listMessages({ status: message.status })) recipientCount + 1;
  await verifyWebhook("{}", Promise.resolve(new Headers()), "whsec_x");
  await verifyWebhook("{}", { "webhook-id": ["evt_1"] }, "whsec_x");
  const event = await readWebhook("{}", new Headers(), "whsec_x");
  if (event.type === "message.status") event.data.recipients[0]?.status.toLowerCase();
  if (event.type === "wallet.low") event.data.availableBalance + event.data.threshold;
  // @ts-expect-error: what the data are, the type says first
  event.data.recipients;
  // @ts-expect-error: there is no such type
  event.type === "message.nothing";
  await peyk.removeFromBlacklist(null, { number: "09121234567" });
  // @ts-expect-error: no message has this status
  peyk.listMessages({ status: "NEW" });
  // @ts-expect-error: a pattern goes to one number or to many
  await peyk.sendPattern({ pattern: "login", recipient: "09121234567", recipients: ["09121234567"] });
  // @ts-expect-error: a phonebook has a title
  await peyk.createPhonebook({});
`;
