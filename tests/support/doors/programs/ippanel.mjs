// The requests of programs for ippanel, as their sources write them, and what each reads of the answers.
import assert from "node:assert/strict";
import { json } from "./ask.mjs";

const text = "سلام دنیا";
/** As PHP writes it. */
const escaped = "\\u0633\\u0644\\u0627\\u0645 \\u062f\\u0646\\u06cc\\u0627";

/** PHP's `ippanel/php-rest-sdk`. */
async function phpRest({ shop, ask, sent }) {
  const headers = {
    Accept: json,
    "Content-Type": json,
    apikey: shop.key,
    "User-Agent": "IPPanel/ApiClient/2.0.0 PHP/8.2.20",
  };
  const call = async (method, path, body) => {
    const { http, said } = await ask(method, `https://api2.ippanel.com/api/v1/${path}`, headers, body);
    // It takes an answer with a message as an error, whatever the status is.
    return { http, isGood: said.code === 200 && said.error_message === "", ...said };
  };
  const data = async (...args) => {
    const answer = await call(...args);
    assert.ok(answer.isGood, JSON.stringify(answer));
    return answer;
  };
  const to = shop.to.slice(1);
  const single = `{"sender":"${shop.line}","recipient":["${to}","${shop.also.slice(1)}"],"message":"${escaped}","description":{"summary":"summary","count_recipient":"2"}}`;
  const { message_id: id } = (await data("POST", "sms/send/webservice/single", single)).data;
  assert.ok(Number.isInteger(id));
  const pattern = `{"code":"${shop.pattern}","sender":"${shop.line}","recipient":"${to}","variable":{"token":"48213"}}`;
  assert.ok(Number.isInteger((await data("POST", "sms/pattern/normal/send", pattern)).data.message_id));
  await sent([shop.to, text], [shop.also, text], [shop.to, "code 48213"]);
  const found = await data("GET", `sms/message/all?message_id=${id}`);
  assert.deepEqual([found.data[0].message_id, found.data[0].message], [id, text]);
  const statuses = await data("GET", `sms/message/show-recipient/message-id/${id}?page=0&per_page=10`);
  assert.equal(statuses.data.deliveries.length, 2);
  assert.equal(statuses.meta.total, 2);
  assert.ok(Array.isArray((await data("GET", "inbox?page=1&per_page=10")).data));
  assert.ok((await data("GET", "sms/accounting/credit/show")).data.credit > 0);
  const made = `{"message":"hi %name%","delimiter":"%","description":"greeting","variable":[{"name":"name","type":"string"}],"is_share":false}`;
  assert.equal(typeof (await data("POST", "sms/pattern/normal/store", made)).data[0].code, "string");
  const { http, isGood } = await call("POST", "sms/send/webservice/single", single.replace(shop.line, "99999"));
  assert.deepEqual([http, isGood], [422, false]);
}

/** How the official libraries for Edge send: their bodies differ in the order of the members alone. */
const edge = (headersOf, bodies) => async (given) => {
  const { shop, ask, sent } = given;
  const call = (body) => ask("POST", "https://edge.ippanel.com/v1/api/send", headersOf(shop), body);
  const [webservice, pattern, votp] = bodies(shop);
  const good = async (body) => {
    const { http, said } = await call(body);
    assert.deepEqual([http, said.meta.status, said.meta.message_code], [200, true, "200-1"], JSON.stringify(said));
    assert.ok(Array.isArray(said.meta.message_parameters));
    assert.equal(said.data.message_outbox_ids.length, 1);
  };
  await good(webservice);
  await good(pattern);
  await sent([shop.to, text], [shop.also, text], [shop.to, "code 48213"]);
  // A code that is read out.
  const { http, said } = await call(votp);
  assert.deepEqual([http, said.meta.status], [422, false]);
};

const goSdk = edge(
  (shop) => ({ "User-Agent": "Go-http-client/1.1", Authorization: shop.key, "Content-Type": json }),
  ({ line, to, also, pattern }) => [
    `{"from_number":"${line}","message":"${text}","sending_type":"webservice","params":{"recipients":["${to}","${also}"]}}`,
    `{"from_number":"${line}","recipients":["${to}"],"code":"${pattern}","params":{"token":"48213"},"sending_type":"pattern"}`,
    `{"message":"48213","sending_type":"votp","params":{"recipients":["${to}"]}}`,
  ],
);

const laravelSdk = edge(
  (shop) => ({ "User-Agent": "GuzzleHttp/7", Authorization: shop.key, "Content-Type": json, Accept: json }),
  ({ line, to, also, pattern }) => [
    `{"from_number":"${line}","message":"${escaped}","sending_type":"webservice","params":{"recipients":["${to}","${also}"]}}`,
    `{"from_number":"${line}","recipients":["${to}"],"code":"${pattern}","params":{"token":"48213"},"sending_type":"pattern"}`,
    `{"message":"48213","sending_type":"votp","params":{"recipients":["${to}"]}}`,
  ],
);

/** Each by its name in the table of programs. */
export const ippanel = {
  "ippanel/php-rest-sdk": phpRest,
  "ippanelcom/golang-sdk": goSdk,
  "ippanelcom/laravel-sdk": laravelSdk,
};
