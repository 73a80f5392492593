// The requests of libraries for Twilio, as their sources write them, and what each reads of the answers.
import assert from "node:assert/strict";
import { form } from "./ask.mjs";
import { account, basic, escaped, made, messages, ofAccount, refused, said } from "./twilio-answers.mjs";

async function php({ shop, ask, sent }) {
  const headers = {
    Authorization: basic(shop),
    "User-Agent": "twilio-php/8.12.0 (Linux x86_64) PHP/8.2.20",
    "Accept-Charset": "utf-8",
    Accept: "application/json",
    "Content-Type": form,
  };
  const body = `To=${escaped(shop.to)}&From=${shop.line}&Body=Your+code+is+48213.`;
  const { sid } = made(await ask("POST", messages, headers, body), shop);
  await sent([shop.to, "Your code is 48213."]);
  assert.equal(said(await ask("GET", `${ofAccount}/Messages/${sid}.json`, headers)).sid, sid);
  const page = said(await ask("GET", `${messages}?To=${escaped(shop.to)}&PageSize=20`, headers));
  assert.equal(page.messages[0].sid, sid);
  assert.ok("next_page_uri" in page && "page_size" in page);
  assert.equal(said(await ask("GET", `${ofAccount}/Balance.json`, headers)).account_sid, account);
  refused(await ask("POST", `${ofAccount}/Calls.json`, headers, body), 404, 20_404);
}

async function ruby({ shop, ask, sent }) {
  const headers = {
    "User-Agent": "twilio-ruby/7.11.1 (linux-gnu x86_64) Ruby/3.3.0",
    "Accept-Charset": "utf-8",
    Accept: "application/json",
    Authorization: basic(shop),
  };
  const post = (body) => ask("POST", messages, { ...headers, "Content-Type": form }, body);
  // Faraday sorts the parameters.
  const { sid } = made(await post(`Body=Your+code+is+48213.&From=${shop.line}&To=${escaped(shop.to)}`), shop);
  await sent([shop.to, "Your code is 48213."]);
  const page = said(await ask("GET", `${messages}?PageSize=1`, headers));
  assert.deepEqual(
    page.messages.map((message) => message.sid),
    [sid],
  );
  refused(await post("Body=x&From=99999&To=%2B989121234567"), 400, 21_606);
}

/** Each by its name in the table of programs. */
export const twilioLibraries = {
  "twilio-php": php,
  "twilio-ruby": ruby,
};
