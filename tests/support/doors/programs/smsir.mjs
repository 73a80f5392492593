// The requests of programs for sms.ir, as their sources write them, and what each reads of the answers.
import assert from "node:assert/strict";
import { json } from "./ask.mjs";

const text = "سلام دنیا";
const escaped = "\\u0633\\u0644\\u0627\\u0645 \\u062f\\u0646\\u06cc\\u0627";
const local = (number) => number.replace("+98", "0");

/** What an answer tells that must be good. */
function dataOf({ http, said }) {
  assert.deepEqual([http, said.status], [200, 1], JSON.stringify(said));
  return said.data;
}

function refused({ http, said }, status, number) {
  assert.deepEqual([http, said.status, typeof said.message], [status, number, "string"]);
}

/** Composer's `cryptommer/smsir`, of sms.ir itself. */
async function laravel({ shop, ask, sent }) {
  const headers = { "User-Agent": "GuzzleHttp/7", "X-API-KEY": shop.key, ACCEPT: json, "Content-Type": json };
  const call = (method, path, body) => ask(method, `https://api.sms.ir/v1/${path}`, headers, body);
  const [to, also] = [local(shop.to), local(shop.also)];
  const bulk = (more) =>
    `{"lineNumber":"${shop.line}","MessageText":"${escaped}","Mobiles":["${to}","${also}"],"SendDateTime":${more}}`;
  const { packId, messageIds, cost } = dataOf(await call("POST", "send/bulk", bulk("null")));
  assert.ok(messageIds.length === 2 && cost > 0);
  const likeToLike = `{"lineNumber":"${shop.line}","MessageTexts":["first","second"],"Mobiles":["${to}","${also}"],"SendDateTime":null}`;
  dataOf(await call("POST", "send/likeToLike", likeToLike));
  const verify = `{"Mobile":"${to}","TemplateId":${shop.pattern},"Parameters":[{"Name":"token","Value":"48213"}]}`;
  dataOf(await call("POST", "send/verify", verify));
  const texts = [text, text, "first", "second", "code 48213"];
  await sent(...texts.map((text, index) => [index % 2 === 0 ? shop.to : shop.also, text]));
  const { messageId, lineNumber } = dataOf(await call("GET", `send/${messageIds[0]}`));
  assert.deepEqual([messageId, lineNumber], [messageIds[0], Number(shop.line)]);
  assert.equal(dataOf(await call("GET", `send/pack/${packId}`)).length, 2);
  for (const list of ["send/live", "send/archive", "receive/latest", "receive/live", "receive/archive"])
    assert.ok(Array.isArray(dataOf(await call("GET", list))), list);
  assert.ok(dataOf(await call("GET", "credit")) > 0);
  assert.deepEqual(dataOf(await call("GET", "line")), [Number(shop.line)]);
  const planned = dataOf(await call("POST", "send/bulk", bulk(Math.floor(Date.now() / 1_000) + 86_400)));
  // It sends its empty list of parameters as the body.
  assert.equal(dataOf(await call("DELETE", `send/scheduled/${planned.packId}`, "[]")).smsCount, 2);
  refused(await call("POST", "send/verify", verify.replace(shop.pattern, "1")), 400, 113);
}

/** NuGet's `IPE.SmsIR`, of sms.ir itself. */
async function dotNet({ shop, ask, sent }) {
  const headers = { "x-api-key": shop.key };
  const read = (path) => ask("GET", `https://api.sms.ir/v1/${path}`, headers);
  const call = (path, body) =>
    ask("POST", `https://api.sms.ir/v1/${path}`, { ...headers, "Content-Type": `${json}; charset=utf-8` }, body);
  const to = local(shop.to);
  const bulk = `{"LineNumber":${shop.line},"MessageText":"${escaped}","Mobiles":["${to}"],"SendDateTime":null}`;
  const { packId, messageIds } = dataOf(await call("send/bulk", bulk));
  // A `Guid`, and an `int` for each mobile.
  assert.match(packId, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  assert.ok(messageIds.every((id) => id === (id | 0)));
  const verify = `{"Mobile":"${to}","TemplateId":${shop.pattern},"Parameters":[{"Name":"token","Value":"48213"}]}`;
  dataOf(await call("send/verify", verify));
  await sent([shop.to, text], [shop.to, "code 48213"]);
  const report = dataOf(await read(`send/${messageIds[0]}`));
  for (const name of ["messageId", "mobile", "sendDateTime", "lineNumber"])
    assert.ok(Number.isInteger(report[name]), name);
  for (const list of [
    "send/live?pageNumber=1&pageSize=100",
    "send/archive?pageNumber=1&pageSize=100",
    "send/pack?pageNumber=1&pageSize=100",
  ])
    assert.ok(Array.isArray(dataOf(await read(list))), list);
  assert.equal(typeof dataOf(await read("credit")), "number");
  refused(await call("send/bulk", bulk.replace(shop.line, "99999")), 400, 101);
  refused(await ask("GET", "https://api.sms.ir/v1/credit", { "x-api-key": "none" }), 401, 10);
}

/** Each by its name in the table of programs. */
export const smsir = { "SmsPanelV2.Laravel": laravel, "SmsPanelV2.DotNet": dotNet };
