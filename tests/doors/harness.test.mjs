// The libraries of other providers, against a server that plays the provider: what they send comes here as they send it,
// and nothing goes anywhere else.
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { openLibrary } from "../support/doors/libraries.mjs";
import { standFor } from "../support/doors/terminator.mjs";

const account = `AC${"0".repeat(32)}`;
const sent = { receptor: "09121234567,09351234567", message: "سلام", sender: "10001" };
const entries = [{ messageid: 85463238, status: 1, statustext: "در صف ارسال" }];

const provider = { requests: [], status: 200, body: {} };
const server = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request.setEncoding("utf8")) body += chunk;
  const { method, url, headers } = request;
  provider.requests.push({ method, url, host: headers.host, body: Object.fromEntries(new URLSearchParams(body)) });
  response.writeHead(provider.status, { "Content-Type": "application/json; charset=utf-8" });
  response.end(provider.body === undefined ? "" : JSON.stringify(provider.body));
});

let doors;
let host;
before(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  host = `127.0.0.1:${server.address().port}`;
  doors = await standFor(["api.kavenegar.com", "api.twilio.com"], () => `http://${host}`);
});
after(async () => {
  await doors.stop();
  server.close();
});

/** Makes a call of a library while the provider answers with this status and body. Returns the outcome and the request. */
async function calling(name, status, body, use) {
  Object.assign(provider, { requests: [], status, body });
  const library = await openLibrary(name, doors.env);
  try {
    return { outcome: await use(library), request: provider.requests.at(-1) };
  } finally {
    await library.close();
  }
}

test("the Python library of Kavenegar sends and reads an answer and an error", async () => {
  const send = (library) => library.call("key", "sms_send", sent);
  const { outcome, request } = await calling("kavenegar-python", 200, { return: { status: 200 }, entries }, send);
  assert.deepEqual(outcome, { value: entries });
  assert.deepEqual(request, { method: "POST", url: "/v1/key/sms/send.json", host, body: sent });
  const refused = { return: { status: 411, message: "گیرنده نامعتبر است" }, entries: null };
  const { outcome: failed } = await calling("kavenegar-python", 411, refused, send);
  assert.deepEqual(failed, { error: { class: "APIException", message: "APIException[411] گیرنده نامعتبر است" } });
});

test("the Node library of Kavenegar sends without TLS, with a whole address as its path", async () => {
  const send = (library) => library.call("key", "Send", sent);
  const body = { return: { status: 200, message: "تایید شد" }, entries };
  const { outcome, request } = await calling("kavenegar-node", 200, body, send);
  assert.deepEqual(outcome, { value: { entries, status: 200, message: "تایید شد" } });
  const url = "http://api.kavenegar.com/v1/key/sms/send.json";
  assert.deepEqual(request, { method: "POST", url, host, body: sent });
});

const client = ["SK1", "secret", account];
const callback = { MessageSid: "SM1", MessageStatus: "delivered" };
const address = "https://shop.example/reports?a=1";
const signed = `${address}MessageSidSM1MessageStatusdelivered`;
const signature = createHmac("sha1", "token").update(signed).digest("base64");

for (const name of ["twilio-python", "twilio-node"]) {
  test(`${name} checks a signature`, async () => {
    const validate = (token) => (library) => library.call(client, "validate", token, signature, address, callback);
    assert.deepEqual((await calling(name, 200, {}, validate("token"))).outcome, { value: true });
    assert.deepEqual((await calling(name, 200, {}, validate("other"))).outcome, { value: false });
  });
}

test("a library reaches no host that nothing stands for", async () => {
  const other = await standFor(["api.kavenegar.com"], () => "http://127.0.0.1:9");
  try {
    for (const name of ["twilio-python", "twilio-node"]) {
      const library = await openLibrary(name, other.env);
      const { error } = await library.call(client, "balance.fetch");
      await library.close();
      assert.match(error.message, /may not connect to api\.twilio\.com:443/);
    }
  } finally {
    await other.stop();
  }
});
