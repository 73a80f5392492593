// What the official libraries of sms.ir send, and what their users see of the answers.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openLibrary } from "../support/doors/libraries.mjs";
import { playProvider } from "../support/doors/provider.mjs";
import { standFor } from "../support/doors/terminator.mjs";

const client = ["0123456789abcdefghijABCDEFGHIJ", 30004505000017];
const [key, lineNumber] = client;
const pack = "019b7992-9c10-7582-8e00-000000000001";
const mobiles = ["09121234567", "9351234567"];
const parameters = [{ name: "Code", value: "12345" }];
const success = (data) => ({ status: 1, message: "موفق", data });

let provider;
let doors;
const libraries = {};
before(async () => {
  provider = await playProvider();
  doors = await standFor(["api.sms.ir"], () => provider.address);
  for (const name of ["smsir-python", "smsir-node"]) libraries[name] = await openLibrary(name, doors.env);
});
after(async () => {
  for (const library of Object.values(libraries)) await library.close();
  await doors.stop();
  provider.stop();
});

/** Each call: its name, its arguments, the request that it makes, and the body of that. */
const calls = {
  "smsir-python": [
    [
      "send_sms",
      ["09121234567", "سلام"],
      "POST /v1/send/bulk/",
      { lineNumber, MessageText: "سلام", Mobiles: [mobiles[0]] },
    ],
    ["send_bulk_sms", [mobiles, "سلام"], "POST /v1/send/bulk/", { lineNumber, MessageText: "سلام", Mobiles: mobiles }],
    [
      "send_like_to_like",
      [mobiles, ["الف", "ب"]],
      "POST /v1/send/liketolike/",
      { lineNumber, MessageTexts: ["الف", "ب"], Mobiles: mobiles, SendDateTime: null },
    ],
    [
      "send_verify_code",
      ["+989121234567", 100000, [{ name: "code", value: 12345 }]],
      "POST /v1/send/verify/",
      { Mobile: "+989121234567", TemplateId: 100000, Parameters: [{ name: "code", value: 12345 }] },
    ],
    ["delete_scheduled", [pack], `DELETE /v1/send/scheduled/${pack}/`],
    ["report_message", [20001], "GET /v1/send/20001/"],
    ["report_pack", [pack], `GET /v1/send/pack/${pack}/`],
    ["report_today", [100, 2], "GET /v1/send/live/?pageSize=100&pageNumber=2"],
    ["report_archived", [1, 2], "GET /v1/send/archive/?fromDate=1&toDate=2&pageSize=10&pageNumber=1"],
    ["report_latest_received", [50], "GET /v1/receive/latest/?count=50"],
    ["report_today_received", [], "GET /v1/receive/live/?pageSize=10&pageNumber=1"],
    ["report_archived_received", [], "GET /v1/receive/archive/?pageSize=10&pageNumber=1"],
    ["get_credit", [], "GET /v1/credit/"],
    ["get_line_numbers", [], "GET /v1/line/"],
  ],
  "smsir-node": [
    ["sendBulk", ["سلام", mobiles], "POST /v1/send/bulk", { lineNumber, messageText: "سلام", mobiles }],
    [
      "sendBulk",
      ["سلام", mobiles, 1800000000, 3000505],
      "POST /v1/send/bulk",
      { lineNumber: 3000505, messageText: "سلام", mobiles, sendDateTime: 1800000000 },
    ],
    [
      "sendLikeToLike",
      [["الف", "ب"], mobiles],
      "POST /v1/send/liketolike",
      { lineNumber, messageTexts: ["الف", "ب"], mobiles },
    ],
    [
      "sendVerifyCode",
      ["09121234567", 100000, parameters],
      "POST /v1/send/verify/",
      { mobile: "09121234567", templateId: 100000, parameters },
    ],
    [
      "sendByURL",
      ["shop", "09121234567", "a b"],
      `GET /v1/send?username=shop&password=${key}&line=${lineNumber}&mobile=09121234567&text=a+b`,
    ],
    ["deleteScheduled", [pack], `DELETE /v1/send/scheduled/${pack}`],
    ["reportMessage", [20001], "GET /v1/send/20001"],
    ["reportPackById", [pack], `GET /v1/send/pack/${pack}`],
    ["reportDailyPack", [1, 10], "GET /v1/send/pack?pageNumber=1&pageSize=10"],
    ["reportTodayLive", [2, 100], "GET /v1/send/live?pageNumber=2&pageSize=100"],
    ["reportArchive", [1, 2, 3, 4], "GET /v1/send/archive?fromDate=1&toDate=2&pageNumber=3&pageSize=4"],
    ["reportLatestReceive", [50], "GET /v1/receive/latest?count=50"],
    ["reportReceiveLive", [1, 10, true], "GET /v1/receive/live?pageNumber=1&pageSize=10&sortByNewest=true"],
    ["reportReceiveArchive", [1, 2, 3, 4], "GET /v1/receive/archive?fromDate=1&toDate=2&pageNumber=3&pageSize=4"],
    ["getCredit", [], "GET /v1/credit"],
    ["getLineNumbers", [], "GET /v1/line"],
  ],
};

for (const [name, ofLibrary] of Object.entries(calls)) {
  test(`${name} makes each of its calls, and shows the answer as it is`, async () => {
    const answer = success({ packId: pack, messageIds: [20001, null], cost: 1000 });
    provider.answer(200, answer);
    for (const [call, args, line, body] of ofLibrary) {
      const { value } = await libraries[name].call(client, call, ...args);
      assert.deepEqual(value, name === "smsir-python" ? { status: 200, body: answer } : answer, call);
      const request = provider.request();
      assert.deepEqual([request.line, request.body, request.headers["x-api-key"]], [line, body, key]);
    }
  });
}

const refused = { status: 102, message: "اعتبار کافی نمی‌باشد", data: null };

test("the Python library shows errors as answers", async () => {
  provider.answer(400, refused);
  const outcome = await libraries["smsir-python"].call(client, "get_credit");
  assert.deepEqual(outcome, { value: { status: 400, body: refused } });
});

test("the Node library throws the status of HTTP and the message, and nothing if the status of HTTP is good", async () => {
  for (const status of [400, 401, 429, 500]) {
    provider.answer(status, refused);
    const { error } = await libraries["smsir-node"].call(client, "getCredit");
    assert.deepEqual(error, { class: "Error", message: `HTTP error! status: ${status} - ${refused.message}` });
  }
  provider.answer(200, refused);
  assert.deepEqual(await libraries["smsir-node"].call(client, "getCredit"), { value: refused });
});
