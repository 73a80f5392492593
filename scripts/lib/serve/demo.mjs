// The demo's data: an account with a plan, two lines, money and keys.
import { call } from "../base/client.mjs";
import { Failure } from "../base/command.mjs";

const line = "10001";
/** Its prices are those of Iran: a Latin part costs 2.4 Persian ones. So it shows what the cheapest form of a text saves. */
const iranian = { number: "10240", coefficients: { ENGLISH: 2.4 } };
const operations = ["WEBSERVICE", "PATTERN"];
const username = "demo";

/**
 * Makes the demo's data in a service, as an operator, and returns `{baseUrl, adminKey, accountId, apiKey, testKey, line}`. An
 * interrupted run may have done some of these steps. The API then answers 409, and the existing item is used.
 */
export async function makeDemo(baseUrl, adminKey) {
  const admin = (method, path, body, headers) =>
    call(baseUrl, method, `/admin${path}`, { key: adminKey, body, headers });
  await ensure(admin, "/lines", {
    number: line,
    carrier: "sandbox",
    operations,
    shared: true,
  });
  await ensure(admin, "/plans", { slug: "demo", title: "Demo", tariff: { slug: "demo", title: "Demo", price: 1000 } });
  const accountId =
    (await ensure(admin, "/accounts", { username, fullName: "Demo", plan: "demo" }))?.id ??
    (await findAccount(admin, username));
  const { number, coefficients } = iranian;
  await ensure(admin, "/lines", { number, carrier: "sandbox", operations, accounts: [accountId], coefficients });
  const account = `/accounts/${accountId}`;
  await must(admin("PATCH", account, { defaultLine: line }));
  const once = { "idempotency-key": `demo-credit-${accountId}` };
  await must(admin("POST", `${account}/credit`, { amount: 1_000_000, note: "demo" }, once));
  const key = await must(admin("POST", `${account}/keys`, { title: "demo", scopes }));
  const made = { baseUrl, adminKey, accountId, apiKey: key.key, line };
  return { ...made, testKey: await makeTestKey(made, baseUrl) };
}

/** A key for trials and for the tests of programs: its messages cost nothing and reach nobody. */
export async function makeTestKey({ adminKey, accountId }, baseUrl) {
  const body = { title: "demo, for tests", mode: "test", scopes: testScopes };
  const made = call(baseUrl, "POST", `/admin/accounts/${accountId}/keys`, { key: adminKey, body });
  return (await must(made)).key;
}

/** What a test key may use of an account. */
const testScopes = ["sms:send", "sms:read", "phonebook", "pattern", "verify", "account:read", "webhook"];

/** The examples of the README and of the site's guides try all that an account may do. */
const scopes = [
  "sms:send",
  "sms:read",
  "phonebook",
  "pattern",
  "verify",
  "blacklist",
  "erasure",
  "account:read",
  "webhook",
  "keys",
];

async function ensure(admin, path, body) {
  const answer = await admin("POST", path, body);
  return answer.status === 409 ? null : must(answer);
}

/** Returns the id of the account with this name. `admin` asks the operators' API. */
export async function findAccount(admin, username) {
  let query = "?limit=200";
  for (;;) {
    const answer = await admin("GET", `/accounts${query}`);
    const found = (await must(answer)).find((account) => account.username === username);
    if (found) return found.id;
    const { nextCursor } = answer.json.meta;
    if (!nextCursor) throw new Failure(`there is said to be an account "${username}", but it is not in the list`);
    query = `?limit=200&cursor=${encodeURIComponent(nextCursor)}`;
  }
}

async function must(pending) {
  const { status, text, json } = await pending;
  if (status >= 300) throw new Failure(`the demo data could not be created: ${status} ${text}`);
  return json.data;
}
