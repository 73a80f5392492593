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
const given = { to: "+989121234567", from: "10001", body: "سلام", sendAt: { date: "2026-12-01T08:00:00Z" } };
const messages = `/2010-04-01/Accounts/${account}/Messages.json`;
const callback = { MessageSid: "SM1", MessageStatus: "delivered" };
const address = "https://shop.example/reports?a=1";
const signed = `${address}MessageSidSM1MessageStatusdelivered`;
const signature = createHmac("sha1", "token").update(signed).digest("base64");

for (const name of ["twilio-python", "twilio-node"]) {
  const create = (library) => library.call(client, "messages.create", given);

  test(`${name} sends and reads a message`, async () => {
    const answer = { sid: `SM${"1".repeat(32)}`, status: "queued", num_segments: "1", from: "10001" };
    const { outcome, request } = await calling(name, 201, answer, create);
    const { sid, status, numSegments, from } = outcome.value;
    assert.deepEqual({ sid, status, num_segments: numSegments, from }, answer);
    const body = { To: "+989121234567", From: "10001", Body: "سلام", SendAt: "2026-12-01T08:00:00Z" };
    assert.deepEqual(request, { method: "POST", url: messages, host, body });
  });

  test(`${name} reads an error`, async () => {
    const error = {
      code: 21211,
      message: "Invalid 'To' Phone Number",
      more_info: "https://x.example/21211",
      status: 400,
    };
    const { outcome } = await calling(name, 400, error, create);
    const { status, code, message } = outcome.error;
    assert.deepEqual({ status, code }, { status: 400, code: 21211 });
    assert.ok(message.includes("Invalid 'To' Phone Number"), message);
  });

  test(`${name} finds, lists, cancels and deletes messages, and reads the next page`, async () => {
    const one = `SM${"1".repeat(32)}`;
    const path = messages.replace(".json", `/${one}.json`);
    const next = `${messages}?PageSize=1&Page=1&PageToken=PA${one}`;
    const page = { messages: [{ sid: one }], next_page_uri: next, previous_page_uri: null, page: 0, page_size: 1 };
    const cases = [
      [(library) => library.on(one).call(client, "messages.fetch"), 200, { sid: one }, "GET", path],
      [(library) => library.on(one).call(client, "messages.update", { status: "canceled" }), 200, {}, "POST", path],
      [(library) => library.on(one).call(client, "messages.remove"), 204, undefined, "DELETE", path],
      [(library) => library.call(client, "messages.page", { pageSize: 1 }), 200, page, "GET", `${messages}?PageSize=1`],
      [(library) => library.call(client, "messages.getPage", `https://api.twilio.com${next}`), 200, page, "GET", next],
    ];
    for (const [use, status, body, method, url] of cases) {
      const { outcome, request } = await calling(name, status, body, use);
      assert.equal(outcome.error, undefined, JSON.stringify(outcome));
      assert.deepEqual([request.method, request.url], [method, url]);
      if (body === page)
        assert.deepEqual(
          [outcome.value.nextPageUrl, outcome.value.instances.map(({ sid }) => sid)],
          [`https://api.twilio.com${next}`, [one]],
        );
    }
  });

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
