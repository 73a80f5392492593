// The requests of programs for Kavenegar, as their sources write them, and what each reads of the answers.
import assert from "node:assert/strict";
import { form } from "./ask.mjs";

const message = "%D8%B3%D9%84%D8%A7%D9%85+%D8%AF%D9%86%DB%8C%D8%A7";
const text = "سلام دنیا";
const at = (shop, call) => `https://api.kavenegar.com/v1/${shop.key}/${call}`;
const local = (number) => number.replace("+98", "0");

/** The entries of an answer that must be good. */
function entriesOf({ http, said }) {
  assert.deepEqual([http, said.return.status], [200, 200], JSON.stringify(said));
  return said.entries;
}

function refused({ http, said }, status) {
  assert.deepEqual([http, said.return.status], [status, status]);
  assert.equal(typeof said.return.message, "string");
}

async function php({ shop, ask, sent }) {
  const headers = { Accept: "application/json", "Content-Type": form, charset: "utf-8" };
  const call = (method, body) => ask("POST", at(shop, `${method}.json/`), headers, body);
  const [to, also] = [local(shop.to), local(shop.also)];
  const entries = entriesOf(await call("sms/send", `receptor=${to}%2C${also}&sender=${shop.line}&message=${message}`));
  assert.deepEqual(
    entries.map(({ receptor, message }) => [receptor, message]),
    [
      [to, text],
      [also, text],
    ],
  );
  const arrays = [`["${to}"]`, `["${shop.line}"]`, '["hi"]'].map(encodeURIComponent);
  const [receptor, sender, one] = arrays;
  const sendArray = `receptor=${receptor}&sender=${sender}&message=${one}&type=null&localmessageid=null`;
  entriesOf(await call("sms/sendarray", sendArray));
  const lookup = `receptor=${to}&token=48213&token2=&token3=&template=${shop.pattern}&type=sms`;
  entriesOf(await call("verify/lookup", lookup));
  await sent([shop.to, text], [shop.also, text], [shop.to, "hi"], [shop.to, "code 48213"]);
  const ids = entries.map(({ messageid }) => messageid).join("%2C");
  assert.equal(entriesOf(await call("sms/status", `messageid=${ids}`)).length, 2);
  assert.equal(entriesOf(await call("sms/select", `messageid=${ids}`)).length, 2);
  assert.ok(entriesOf(await call("account/info", "")).remaincredit > 0);
  refused(await call("call/maketts", `receptor=${to}&message=x`), 426);
  refused(await call("sms/countpostalcode", "postalcode=11369"), 426);
}

async function go({ shop, ask, sent }) {
  const headers = { "User-Agent": "Go-http-client/1.1", "Content-Type": form, Accept: "application/json" };
  const call = (method, body) =>
    ask("POST", at(shop, `${method}.json`), { ...headers, "Accept-Charset": "utf-8", "Accept-Encoding": "gzip" }, body);
  const to = local(shop.to);
  const [one] = entriesOf(await call("sms/send", `message=${message}&receptor=${to}&sender=${shop.line}`));
  // Go reads no answer whose members have other types.
  const ofType = (type, ...names) =>
    assert.ok(
      names.every((name) => typeof one[name] === type),
      JSON.stringify(one),
    );
  ofType("number", "messageid", "status", "date", "cost");
  ofType("string", "message", "statustext", "sender", "receptor");
  entriesOf(await call("verify/lookup", `receptor=${to}&template=${shop.pattern}&token=48213`));
  await sent([shop.to, text], [shop.to, "code 48213"]);
  const [{ status }] = entriesOf(await call("sms/status", `messageid=${one.messageid}`));
  assert.equal(typeof status, "number");
  const { remaincredit, expiredate, type } = entriesOf(await call("account/info", ""));
  assert.deepEqual([typeof remaincredit, typeof expiredate, typeof type], ["number", "number", "string"]);
  refused(await call("sms/send", `message=x&receptor=12&sender=${shop.line}`), 411);
}

async function java({ shop, ask, sent }) {
  const headers = {
    "Content-Type": `${form}; charset=UTF-8`,
    "User-Agent": "Apache-HttpClient/4.5.2 (Java/1.8.0_111)",
  };
  const call = (method, body) =>
    ask("POST", at(shop, `${method}.json`), { ...headers, "Accept-Encoding": "gzip,deflate" }, body);
  const to = local(shop.to);
  const body = `sender=${shop.line}&receptor=${to}&message=${message}&type=1&date=0&localid=`;
  const [one] = entriesOf(await call("sms/send", body));
  for (const name of ["cost", "date", "messageid", "status"]) assert.ok(Number.isInteger(one[name]), name);
  const lookup = `receptor=${to}&token=48213&token2=&token3=&template=${shop.pattern}`;
  entriesOf(await call("verify/lookup", lookup));
  await sent([shop.to, text], [shop.to, "code 48213"]);
  assert.ok(Number.isInteger(entriesOf(await call("account/info", "")).expiredate));
  refused(await call("call/maketts", `receptor=${to}&message=x&date=0&localid=`), 426);
}

async function wpSms({ shop, ask, sent }) {
  const headers = {
    "User-Agent": "WordPress/6.8; https://shop.example",
    Accept: "*/*",
    "Accept-Encoding": "deflate, gzip",
  };
  const call = (method, query = "") => ask("GET", at(shop, `${method}.json${query}`), headers);
  const to = local(shop.to);
  const path = message.replace("+", "%20");
  entriesOf(await call("sms/send", `?receptor=${to},${local(shop.also)}&message=${path}&sender=${shop.line}`));
  entriesOf(await call("verify/lookup", `?template=${shop.pattern}&token=48213&receptor=${to}`));
  await sent([shop.to, text], [shop.also, text], [shop.to, "code 48213"]);
  assert.ok(entriesOf(await call("account/info")).remaincredit > 0);
  refused(await call("verify/lookup", `?template=none&token=1&receptor=${to}`), 424);
}

async function persianWooCommerce({ shop, ask, sent }) {
  const call = (query) => ask("GET", at(shop, `sms/send.json?${query}`), { Accept: "*/*" });
  const [to, also] = [local(shop.to), local(shop.also)];
  entriesOf(await call(`sender=${shop.line}&receptor=${to},${also}&message=${message}`));
  await sent([shop.to, text], [shop.also, text]);
  refused(await call(`sender=99999&receptor=${to}&message=x`), 412);
}

/** Each by its name in the table of programs. */
export const kavenegar = {
  "kavenegar-php": php,
  "kavenegar-go": go,
  "kavenegar-java": java,
  "WP SMS": wpSms,
  "Persian WooCommerce SMS": persianWooCommerce,
};
