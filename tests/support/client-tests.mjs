// What the tests of the client libraries share: the service, networks to it that fail, and calls in each language.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ensureLanguages } from "../../scripts/lib/test/install.mjs";
import { drive, libraries } from "./client-libraries.mjs";
import { startFaultyProxy } from "./faulty-proxy.mjs";
import { api, sharedServer } from "./server.mjs";
import { all, assertLedgerAddsUp, openShop } from "./shop.mjs";

export const server = sharedServer();
export const number = "09121234567";
export const text = { message: "سلام", recipients: [number] };
const toClose = [];

before(ensureLanguages);
after(() => Promise.all(toClose.map((closable) => closable.close())));

/** Closes a proxy or a receiver when all tests have run. Returns it. */
export function closeAfterwards(closable) {
  toClose.push(closable);
  return closable;
}

/** A test of each library. */
export function testEach(name, run) {
  for (const language of Object.keys(libraries)) test(`${language}: ${name}`, () => run(language));
}

/** A network to the service that fails as `faults` say, and that has noted all requests. */
export const proxy = async (faults) => closeAfterwards(await startFaultyProxy(server.baseUrl, faults));

/** Makes a request as the account, and returns its `data`. */
export async function post(shop, path, body) {
  const answer = await api(server, "POST", path, { key: shop.key, body });
  assert.ok([200, 201].includes(answer.status), answer.text);
  return answer.json.data;
}

/** An account with the pattern `login` and a phonebook of two numbers. */
export async function openFullShop() {
  const shop = await openShop(server, 1_000_000);
  const variables = [{ name: "OTP", type: "NUMBER" }];
  await post(shop, "/pattern", { slug: "login", title: "Login", text: "کد ورود: %OTP%", variables });
  await post(shop, "/pattern/login/versions/1/activate");
  const { id } = await post(shop, "/phonebook", { title: "Customers" });
  await post(shop, `/phonebook/number/${id}`, {
    numbers: [
      { number, name: "علی" },
      { number: "09351234567", name: "Sara" },
    ],
  });
  return { ...shop, phonebook: id };
}

/** What calls have returned, or what the first one that failed has thrown. */
export async function values(language, client, calls) {
  const outcomes = await drive(language, client, calls);
  return outcomes.map(({ value, error }) => {
    assert.equal(error, undefined, `${language}: ${JSON.stringify(error)}`);
    return value;
  });
}

/** The error of the only call. */
export async function errorOf(language, client, call) {
  const [{ value, error }] = await drive(language, client, [call]);
  assert.ok(error, `${language} returned ${JSON.stringify(value)}`);
  return error;
}

/** The messages of an account. */
export const kept = (shop) => all(server, shop.key, "/messages");

/** Exactly one message exists, and it was paid once. */
export async function assertOneMessage(shop, uid) {
  const messages = await kept(shop);
  assert.deepEqual(
    messages.map((found) => found.uid),
    [uid],
  );
  const { entries } = await assertLedgerAddsUp(server, shop.key);
  assert.equal(entries.filter(({ type }) => type === "RESERVE").length, 1);
}

/** A problem document that only the proxy gives. */
export const problem = (status, headers = {}) => ({
  status,
  headers: { "content-type": "application/problem+json", ...headers },
  body: JSON.stringify({
    title: "Title",
    status,
    code: status,
    detail: "Detail.",
    errors: [],
    meta: { requestId: "r" },
  }),
});
/** A request that the service does not get. */
export const turnedAway = (status, headers) => ({ reaches: false, answer: problem(status, headers) });
/** The idempotency keys of the requests that a network has noted. */
export const keysOf = ({ requests }) => requests.map(({ headers }) => headers["idempotency-key"]);
