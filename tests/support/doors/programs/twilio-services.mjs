// The requests of services that send by Twilio, as their sources write them, and what each reads of the answers.
import assert from "node:assert/strict";
import { form, json } from "./ask.mjs";
import { account, api, basic, escaped, made, messages, ofAccount, refused, said, service } from "./twilio-answers.mjs";

/** npm's `@logto/connector-twilio-sms`. It and what it needs are 5.7 MB in 30 packages. */
async function logto({ shop, ask, sent }) {
  const headers = {
    "user-agent": "got (https://github.com/sindresorhus/got)",
    authorization: basic(shop),
    "content-type": form,
    "accept-encoding": "gzip, deflate, br",
  };
  const body = `To=${escaped(shop.to)}&MessagingServiceSid=${service}&Body=Your+code+is+48213.&RiskCheck=enable`;
  made(await ask("POST", messages, headers, body), shop);
  await sent([shop.to, "Your code is 48213."]);
  // It shows its user the whole body.
  refused(
    await ask("POST", messages, { ...headers, authorization: `Basic ${btoa(`${account}:none`)}` }, body),
    401,
    20_003,
  );
}

/** npm's `n8n-nodes-base`. It is 12 MB packed, and names 88 packages that it needs. */
async function n8n({ shop, ask, sent }) {
  const headers = {
    accept: "application/json,text/html,application/xhtml+xml,application/xml,text/*;q=0.9, image/*;q=0.8, */*;q=0.7",
    Authorization: basic(shop),
  };
  assert.equal(said(await ask("GET", `${ofAccount}.json`, headers)).sid, account);
  const post = (call, body) => ask("POST", `${ofAccount}/${call}.json`, { ...headers, "content-type": form }, body);
  const numbers = (channel = "") => `From=${escaped(channel + shop.line)}&To=${escaped(channel + shop.to)}`;
  made(await post("Messages", `${numbers()}&Body=Your%20code%20is%2048213.&StatusCallback=`), shop);
  await sent([shop.to, "Your code is 48213."]);
  refused(await post("Messages", `${numbers("whatsapp:")}&Body=x&StatusCallback=`), 400, 21_212);
  refused(await post("Calls", `${numbers()}&Twiml=x&StatusCallback=`), 404, 20_404);
  // Its trigger.
  assert.equal((await ask("GET", "https://events.twilio.com/v1/Sinks", headers)).http, 404);
}

/** npm's `@activepieces/piece-twilio`. It needs an axios with known holes. */
async function activepieces({ shop, listener, ask, sent }) {
  const headersOf = (key, more) => ({
    Accept: json,
    Authorization: basic({ key }),
    ...more,
    "User-Agent": "axios/1.2.4",
    "Accept-Encoding": "gzip, compress, deflate, br",
  });
  const read = async (url, headers) => said(await ask("GET", url, headers));
  const lines = `${ofAccount}/IncomingPhoneNumbers.json`;
  const numbers = await read(lines, headersOf(shop.key, { "Content-Type": form }));
  const [{ phone_number, friendly_name }] = numbers.incoming_phone_numbers;
  assert.deepEqual([phone_number, friendly_name, numbers.next_page_uri], [shop.line, shop.line, null]);
  // `ContentType` is a header of its own, as its source writes it.
  const posted = { Accept: json, "Content-Type": form, ...headersOf(shop.key, { ContentType: json }) };
  const body = `From=${phone_number}&Body=Your+code+is+48213.&To=${escaped(shop.to)}`;
  made(await ask("POST", messages, posted, body), shop);
  await sent([shop.to, "Your code is 48213."]);
  await activepiecesTrigger(listener, read, headersOf);
  // Later versions ask for these, too.
  const lookup = `https://lookups.twilio.com/v2/PhoneNumbers/${escaped(shop.to)}?Fields=line_type_intelligence`;
  const { valid, line_type_intelligence } = await read(lookup, headersOf(shop.key));
  assert.deepEqual([valid, line_type_intelligence.type], [true, "mobile"]);
  refused(await ask("POST", `${ofAccount}/Calls.json`, posted, body), 404, 20_404);
}

/** Its trigger asks again and again what phones have sent to a line, up to the message that it had first the last time. */
async function activepiecesTrigger({ key, inbox }, read, headersOf) {
  const list = `Messages.json?PageSize=20&To=${inbox.number}`;
  const enabled = await read(`${ofAccount}/${list}`, headersOf(key, { ContentType: json, "Content-Type": form }));
  let last = enabled.messages[0]?.sid ?? null;
  const run = async () => {
    const news = [];
    const uris = [];
    let first;
    for (let uri = `2010-04-01/Accounts/${account}/${list}`; uri; ) {
      uris.push(uri);
      const page = await read(`${api}/${uri}`, headersOf(key));
      first ??= page.messages[0]?.sid;
      const until = page.messages.findIndex(({ sid }) => sid === last);
      const newer = until === -1 ? page.messages : page.messages.slice(0, until);
      news.push(...newer.filter(({ direction }) => direction === "inbound"));
      uri = until === -1 ? page.next_page_uri : null;
    }
    last = first ?? last;
    return { texts: news.map(({ body }) => body), uris };
  };
  const write = async (count, called) => {
    const texts = Array.from({ length: count }, (_, index) => `${called} ${index}`);
    for (const text of texts) await inbox.says("+989121234567", text);
    return texts.reverse();
  };
  const many = await write(21, "first");
  const { texts, uris } = await run();
  assert.deepEqual(texts, many);
  // It puts the address of a page behind one that ends with a slash.
  assert.deepEqual([uris.length, uris[1].startsWith("/2010-04-01/")], [2, true]);
  assert.deepEqual((await run()).texts, []);
  const more = await write(2, "later");
  assert.deepEqual((await run()).texts, more);
}

async function supabase({ shop, ask, sent }) {
  const headers = {
    "User-Agent": "Go-http-client/1.1",
    Authorization: basic(shop),
    "Content-Type": form,
    "Accept-Encoding": "gzip",
  };
  const post = (from, channel = "sms") =>
    ask(
      "POST",
      messages,
      headers,
      `Body=Your+code+is+48213.&Channel=${channel}&From=${escaped(from)}&To=${escaped(shop.to)}`,
    );
  const { status, error_code } = made(await post(service), shop);
  // It takes these for an error.
  assert.ok(!["failed", "undelivered"].includes(status), status);
  // Go reads `null` as an empty text, and a number not at all.
  assert.equal(error_code, null);
  made(await post(shop.line), shop);
  await sent([shop.to, "Your code is 48213."], [shop.to, "Your code is 48213."]);
  refused(await post("99999"), 400, 21_606);
}

async function chatwoot({ shop, ask, sent }) {
  const headers = {
    "User-Agent": "twilio-ruby/7.6.0 (linux-gnu x86_64) Ruby/3.4.4",
    "Accept-Charset": "utf-8",
    Accept: "application/json",
    Authorization: basic(shop),
  };
  const read = async (url) => said(await ask("GET", url, headers));
  const post = (url, body) => ask("POST", url, { ...headers, "Content-Type": form }, body);
  // What it looks at before it makes an inbox.
  assert.ok(Array.isArray((await read(`${messages}?PageSize=1`)).messages));
  const { incoming_phone_numbers: lines } = await read(
    `${ofAccount}/IncomingPhoneNumbers.json?PhoneNumber=%2B${shop.line}`,
  );
  assert.deepEqual(
    lines.map(({ phone_number }) => phone_number),
    [shop.line],
  );
  const { friendly_name, status, type } = await read(`${ofAccount}.json`);
  assert.deepEqual([typeof friendly_name, status, type], ["string", "active", "Full"]);
  assert.equal((await read(`https://messaging.twilio.com/v1/Services/${service}`)).sid, service);
  // Where messages from phones shall go.
  const toChat = "https%3A%2F%2Fchat.example%2Ftwilio%2Fcallback";
  const ofLine = `${ofAccount}/IncomingPhoneNumbers/${lines[0].sid}.json`;
  refused(await post(ofLine, `SmsMethod=POST&SmsUrl=${toChat}`), 405, 20_004);
  const ofService = `InboundMethod=POST&InboundRequestUrl=${toChat}&UseInboundWebhookOnNumber=false`;
  refused(await post(`https://messaging.twilio.com/v1/Services/${service}`, ofService), 405, 20_004);
  const body = `Body=Your+code+is+48213.&MessagingServiceSid=${service}&StatusCallback=https%3A%2F%2Fchat.example%2Ftwilio%2Fdelivery_status&To=${escaped(shop.to)}`;
  made(await post(messages, body), shop);
  await sent([shop.to, "Your code is 48213."]);
}

/** Each by its name in the table of programs. */
export const twilioServices = {
  Logto: logto,
  n8n,
  Activepieces: activepieces,
  "Supabase Auth": supabase,
  Chatwoot: chatwoot,
};
