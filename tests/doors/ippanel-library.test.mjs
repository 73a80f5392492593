// What the official library of ippanel sends, and what its user sees of the answers.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openLibrary } from "../support/doors/libraries.mjs";
import { playProvider } from "../support/doors/provider.mjs";
import { standFor } from "../support/doors/terminator.mjs";

const key = "SZtX_MYwI2E0jWqd-03u2yF=";
const root = "/api/v1/sms";
const success = (data, meta) => ({ status: "OK", code: 200, message: "Ok", error_message: "", data, meta });
const refusal = (code, text) => ({
  status: "ERROR",
  code,
  message: text,
  error_message: text,
  data: { error: text },
});

let provider;
let doors;
let library;
before(async () => {
  provider = await playProvider();
  doors = await standFor(["api2.ippanel.com"], () => provider.address);
  library = await openLibrary("ippanel-python", doors.env);
});
after(async () => {
  await library.close();
  await doors.stop();
  provider.stop();
});

function calling(status, body, call, ...args) {
  provider.answer(status, body);
  return library.call([key], call, ...args);
}

test("the library sends texts and patterns with the key in a header of its own", async () => {
  const given = ["+983000505", ["989121234567", "09351234567"], "سلام", "سفارش ۷"];
  assert.deepEqual(await calling(200, success({ message_id: 923047592 }), "send", ...given), { value: 923047592 });
  const { line, headers, body } = provider.request();
  assert.equal(line, `POST ${root}/send/webservice/single`);
  assert.deepEqual([headers.apikey, headers.authorization], [key, undefined]);
  const [sender, recipient, message, summary] = given;
  assert.deepEqual(body, { sender, recipient, message, description: { summary, count_recipient: "2" } });

  const pattern = ["t2cfmnyo0c", sender, "989121234567", { code: "1234" }];
  assert.deepEqual(await calling(200, success({ message_id: 8 }), "send_pattern", ...pattern), { value: 8 });
  assert.equal(provider.request().line, `POST ${root}/pattern/normal/send`);
  const [code, , to, variable] = pattern;
  assert.deepEqual(provider.request().body, { code, sender, recipient: to, variable });
});

test("the library makes a pattern, and reads its code from a list", async () => {
  const given = ["%name% سلام", "خوشامد", { name: "string" }];
  const outcome = await calling(200, success([{ code: "t2cfmnyo0c" }]), "create_pattern", ...given);
  assert.deepEqual(outcome, { value: "t2cfmnyo0c" });
  assert.equal(provider.request().line, `POST ${root}/pattern/normal/store`);
  const variable = [{ name: "name", type: "string" }];
  const [pattern, description] = given;
  assert.deepEqual(provider.request().body, { pattern, description, delimiter: "%", variable, is_shared: false });
});

test("the library reads the credit, a message, its statuses and the inbox, which is at the root of the host", async () => {
  const paging = { total: 1, limit: 10, page: 1, pages: 1, prev: null, next: null };
  const message = { message_id: 7, number: "+983000505", state: "finish", valid: "approve", cost: 1561.5, part: 1 };
  const delivery = { recipient: "+989121234567", status: 2 };
  const received = { to: "+983000505", message: "لغو", created_at: "2026-01-01T00:00:00Z", type: "normal" };
  const cases = [
    ["get_credit", [], "/accounting/credit/show", { credit: 150000.5 }, 150000.5],
    ["get_message", [7], "/message/all?message_id=7", [message], message],
    [
      "fetch_statuses",
      [7],
      "/message/show-recipient/message-id/7?page=0&per_page=10",
      { deliveries: [delivery] },
      [[delivery], paging],
    ],
  ];
  for (const [call, args, path, data, expected] of cases) {
    const { value } = await calling(200, success(data, paging), call, ...args);
    assert.equal(provider.request().line, `GET ${root}${path}`);
    assert.partialDeepStrictEqual({ value }, { value: expected });
  }
  const inbox = await calling(200, success([{ from: "+989121234567", ...received }], paging), "fetch_inbox");
  assert.deepEqual(inbox, { value: [[{ sender: "+989121234567", ...received }], paging] });
  assert.equal(provider.request().line, "GET /inbox?page=0&per_page=10");
});

test("the library takes another address", async () => {
  provider.answer(200, success({ credit: 1 }));
  const client = [key, `${provider.address}/doors/ippanel/api/v1/`];
  assert.deepEqual(await library.call(client, "get_credit"), { value: 1 });
  assert.equal(provider.request().line, "GET /doors/ippanel/api/v1/sms/accounting/credit/show");
});

test("the library shows the text of errors with some statuses, and only the status of others", async () => {
  for (const status of [400, 401, 403, 404, 405, 422, 500]) {
    const { error } = await calling(status, refusal(status, "اعتبار کافی نیست."), "get_credit");
    assert.deepEqual(error, { class: "Error", code: status, message: "اعتبار کافی نیست." });
  }
  for (const status of [402, 406, 409, 412, 413, 415, 429, 503]) {
    const { error } = await calling(status, refusal(status, "اعتبار کافی نیست."), "get_credit");
    assert.equal(error.class, "HTTPError");
    assert.match(error.message, new RegExp(`^${status} `));
  }
});

test("the library refuses a success without an empty error_message, and one whose meta is null", async () => {
  const { error_message: _, ...bare } = success({ credit: 1 });
  assert.deepEqual((await calling(200, bare, "get_credit")).error, { class: "Error", code: 200, message: "None" });
  const { error } = await calling(200, success({ credit: 1 }, null), "get_credit");
  assert.equal(error.class, "AttributeError");
  const none = await calling(200, success([]), "get_message", 7);
  assert.deepEqual(none.error, { class: "ValueError", message: "returned response not valid" });
});
