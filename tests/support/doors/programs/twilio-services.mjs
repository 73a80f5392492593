// The requests of services that send by Twilio, as their sources write them, and what each reads of the answers.
import assert from "node:assert/strict";
import { form } from "./ask.mjs";
import { account, basic, escaped, made, messages, ofAccount, refused, said, service } from "./twilio-answers.mjs";

/** npm's `n8n-nodes-base`. Its node makes no request itself: `n8n-core` does, which brings some 400 packages. */
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
  // Where messages from phones shall go. It shows its user what an error says.
  const toChat = "https%3A%2F%2Fchat.example%2Ftwilio%2Fcallback";
  const ofLine = `${ofAccount}/IncomingPhoneNumbers/${lines[0].sid}.json`;
  const { message } = refused(await post(ofLine, `SmsMethod=POST&SmsUrl=${toChat}`), 405, 20_004);
  assert.match(message, /^Method not allowed: messages from phones go to webhooks .*`message\.received`/);
  const ofService = `InboundMethod=POST&InboundRequestUrl=${toChat}&UseInboundWebhookOnNumber=false`;
  const answer = await post(`https://messaging.twilio.com/v1/Services/${service}`, ofService);
  assert.equal(refused(answer, 405, 20_004).message, message);
  const body = `Body=Your+code+is+48213.&MessagingServiceSid=${service}&StatusCallback=https%3A%2F%2Fchat.example%2Ftwilio%2Fdelivery_status&To=${escaped(shop.to)}`;
  made(await post(messages, body), shop);
  await sent([shop.to, "Your code is 48213."]);
}

/** Each by its name in the table of programs. */
export const twilioServices = {
  n8n,
  "Supabase Auth": supabase,
  Chatwoot: chatwoot,
};
