// PyPI's Schemathesis finds nothing: it makes requests of the service's own document, good ones and bad ones, and holds the
// answers against it. With `SCHEMATHESIS_EXAMPLES=20` it makes many more requests, with another `SCHEMATHESIS_SEED` others.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, test } from "node:test";
import { secretKey } from "../../scripts/lib/start/state.mjs";
import { nameRecipient, signed } from "../support/report-token.mjs";
import { runSchemathesis } from "../support/schemathesis/run.mjs";
import { api, sharedServer } from "../support/server.mjs";
import { admin, issueKey, openShop } from "../support/shop.mjs";

const wished = process.env.SCHEMATHESIS_EXAMPLES;
const examples = Number(wished ?? 2);
/** Each n-th of the cases that the constraints of the document make: all would take many minutes. */
const stride = wished ? 1 : 10;
const seed = Number(process.env.SCHEMATHESIS_SEED ?? 1);
/** A gateway of this name is a carrier of the service. It never sends. */
const gateway = "gateway";

/** What the service calls by itself: webhooks, gateways and SMSCs. */
const listener = createServer((request, response) => request.resume().on("end", () => response.end()));
after(() => listener.close());

const server = sharedServer(
  async () => {
    await new Promise((resolve) => listener.listen(0, "127.0.0.1", resolve));
    const http = { url: listenerUrl(), allowPlaintext: true, username: "peyk", password: "secret" };
    const made = await admin(server, "POST", "/admin/carriers", { name: gateway, kind: "http", http });
    assert.equal(made.status, 201, made.text);
  },
  () => ({ PUBLIC_URL: "https://sms.example" }),
);

const listenerUrl = () => `http://127.0.0.1:${listener.address().port}`;

/** The addresses that the service gives to the gateway. */
async function gatewayAddresses(account) {
  const shown = await admin(server, "GET", `/admin/carriers/${gateway}`);
  const tomorrowS = Math.floor(Date.now() / 1_000) + 86_400;
  const token = signed(
    secretKey(server.stateDir),
    gateway,
    nameRecipient({ account, addresses: 2 ** 40, message: 1, index: 0, endsS: tomorrowS }),
  );
  return {
    PEYK_INBOUND: shown.json.data.inboundUrl,
    PEYK_REPORT: `https://sms.example/carrier/${gateway}/dlr?t=${token}`,
  };
}

async function findsNothing(account, own, spare, filters) {
  const variables = {
    PEYK_STRIDE: String(stride),
    PEYK_KEY: own.key,
    PEYK_KEY_ID: own.keyId,
    PEYK_SPARE_KEY_ID: spare.keyId,
    PEYK_LISTENER: listenerUrl(),
    ...(await gatewayAddresses(account)),
  };
  const run = { baseUrl: server.baseUrl, dir: server.stateDir, filters, examples, seed, variables };
  const { code, cases, output } = await runSchemathesis(run);
  assert.equal(code, 0, output);
  assert.ok(cases > 500, output);
  return cases;
}

/** The pattern that the document's examples send. */
async function makeLogin(shop) {
  const post = (path, body) => api(server, "POST", path, { key: shop.key, body });
  const variables = [{ name: "OTP", type: "NUMBER", maxLength: 6 }];
  await post("/pattern", { slug: "login", title: "Login", text: "Your code is %OTP%.", variables });
  const active = await post("/pattern/login/versions/1/activate");
  assert.equal(active.status, 200, active.text);
}

test("Schemathesis finds nothing with an account's key", async (context) => {
  const shop = await openShop(server, 1_000_000);
  await makeLogin(shop);
  const [own, spare] = [await issueKey(server, shop.id, {}), await issueKey(server, shop.id, {})];
  const cases = await findsNothing(shop.id, own, spare, ["--exclude-path-regex", "^/admin"]);
  context.diagnostic(`${cases} cases, seed ${seed}`);
  const info = await api(server, "GET", "/account/info", { key: own.key });
  assert.equal(info.status, 200, `the key has lasted to the end: ${info.text}`);
});

test("Schemathesis finds nothing with an operator's key", async (context) => {
  const issue = async (title) => {
    const { status, text, json } = await admin(server, "POST", "/admin/keys", { title });
    assert.equal(status, 201, text);
    return { key: json.data.key, keyId: json.data.id };
  };
  const [own, spare] = [await issue("own"), await issue("spare")];
  const cases = await findsNothing(server.accountId, own, spare, ["--include-path-regex", "^/admin"]);
  context.diagnostic(`${cases} cases, seed ${seed}`);
  const all = await api(server, "GET", "/admin/keys", { key: own.key });
  assert.equal(all.status, 200, `the key has lasted to the end: ${all.text}`);
});
