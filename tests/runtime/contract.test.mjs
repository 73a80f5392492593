// Every error that an endpoint can give, for every endpoint of the table of routes, and which comes first when several apply.
import assert from "node:assert/strict";
import { createHash, randomUUID } from "node:crypto";
import { test } from "node:test";
import { wrangler } from "../../scripts/lib/base/command.mjs";
import { routes } from "../support/routes.mjs";
import { api, sharedServer } from "../support/server.mjs";
import { admin, all, issueKey, openShop, tomorrow, walletOf } from "../support/shop.mjs";

const table = routes().filter(({ scopes }) => scopes.length > 0);
const isOfOperators = ({ scopes }) => scopes.some((scope) => scope.startsWith("admin"));
const ofAccounts = table.filter((route) => !isOfOperators(route));
const csv = { "Content-Type": "text/csv" };
const json = { "Content-Type": "application/json" };

/** What is wrong with a body of each endpoint that has one, and the fields that its 422 names. */
const bad = {
  sendSms: [{ message: 5, recipients: ["x"], sendAt: "soon" }, ["message", "recipients[0]", "sendAt"]],
  sendPattern: [{ variables: [1], recipient: 5, clientRef: "" }, ["pattern", "variables", "recipient", "clientRef"]],
  sendToPhonebook: [{ message: "", phonebook: [], exclude: ["x"] }, ["message", "phonebook", "exclude[0]"]],
  sendBulk: [
    { messages: [{ recipient: "x" }, 5], sourceNumber: 5 },
    ["messages[0].recipient", "messages[0].message", "messages[1]", "sourceNumber"],
  ],
  createCampaign: [{ title: "", message: 5 }, ["title", "message", "phonebooks"]],
  changeCampaign: [
    { title: 5, perMinute: 0, guard: { after: 0 } },
    ["title", "perMinute", "guard.failedShare", "guard.after"],
  ],
  takeInbound: [{ line: "", limit: 101 }, ["line", "limit"]],
  findRecipients: [{ recipients: ["x"] }, ["recipients[0]"]],
  estimateSend: [{ send: { recipients: [] } }, ["send.message", "send.recipients"]],
  createPhonebook: [{ title: "", description: 5 }, ["title", "description"]],
  changePhonebook: [{ title: null, description: [] }, ["title", "description"]],
  changePhonebookInBody: [{ title: 5 }, ["id", "title"]],
  addNumbers: [{ number: "x", name: 5, attributes: { "a%": {} } }, ["number", "name", "attributes.a%"]],
  changeNumber: [{ number: 5, name: "x".repeat(201) }, ["number", "name"]],
  createPattern: [{ slug: "a b", text: 5, lines: ["nowhere"] }, ["slug", "title", "lines[0]", "text"]],
  changePattern: [{ title: 5, lines: 5 }, ["title", "lines"]],
  createPatternVersion: [{ variables: [{ name: "1" }] }, ["text", "variables[0].name"]],
  addToBlacklist: [{ numbers: ["x"] }, ["numbers[0]"]],
  removeFromBlacklist: [{ numbers: "x" }, ["numbers"]],
  createWebhook: [{ url: "https://10.0.0.1/", lowBalance: 0 }, ["url", "lowBalance", "events"]],
  changeWebhook: [{ url: 5, events: ["x"], active: 1 }, ["url", "events[0]", "active"]],
  issueKey: [{ title: "", scopes: ["x"], mode: "x", expiresAt: "soon" }, ["title", "scopes[0]", "mode", "expiresAt"]],
  rotateKey: [{ graceSeconds: -1 }, ["graceSeconds"]],
  addMember: [{ phone: "x", role: "BOSS" }, ["phone", "name", "role"]],
  changeMember: [{ name: "", role: 5 }, ["name", "role"]],
  switchConsoleAccount: [{}, ["account"]],
  makeConsoleLink: [{ ttlSeconds: 59 }, ["ttlSeconds"]],
  setSignInRule: [{ require: "SMS" }, ["require"]],
  makeMemberLink: [{ ttlSeconds: 59 }, ["ttlSeconds"]],
  adminMakeMemberLink: [{ ttlSeconds: 86_401 }, ["ttlSeconds"]],
  setLowBalance: [{ lowBalance: 0 }, ["lowBalance"]],
  changeAccountInfo: [{ timeZone: "Mars/Phobos" }, ["timeZone"]],
  adminSetLowBalance: [{}, ["lowBalance"]],
  adminCreateAccount: [{ username: 5 }, ["username", "fullName"]],
  adminChangeAccount: [{ status: "x" }, ["status"]],
  adminAddCredit: [{ amount: 0 }, ["amount"]],
  adminRestoreAccount: [{ at: 5 }, ["at", "reason"]],
  adminIssueKey: [{ scopes: ["x"] }, ["title", "scopes[0]"]],
  adminRotateKey: [{ graceSeconds: -1 }, ["graceSeconds"]],
  adminIssueOperatorKey: [{ mode: "test", key: 5 }, ["title", "mode", "key"]],
  adminRotateOperatorKey: [{ graceSeconds: 2_592_001 }, ["graceSeconds"]],
  adminAddMember: [{ phone: "x", scopes: ["sms:send"] }, ["phone", "name", "scopes[0]"]],
  adminChangeMember: [{ name: 5, scopes: [] }, ["name", "scopes"]],
  adminAddAccountMember: [{ phone: "x" }, ["phone", "name", "role"]],
  adminCreateCarrier: [
    { name: "A", kind: "http", http: { url: "x", password: 5 } },
    ["name", "http.url", "http.username", "http.password"],
  ],
  adminChangeCarrier: [{ active: 5, sandbox: { window: 0 } }, ["active", "sandbox.window"]],
  adminCreateLine: [{}, ["number", "carrier", "operations"]],
  adminChangeLine: [{ active: 5 }, ["active"]],
  adminSetLineInbound: [
    { account: 5, keywords: [{ keyword: "two words" }, 5] },
    ["account", "keywords[0].account", "keywords[0].keyword", "keywords[1]"],
  ],
  adminCreatePlan: [{}, ["slug", "title", "tariff"]],
  adminChangePlan: [{ title: 5 }, ["title"]],
  adminSetTransfer: [{ direction: "x" }, ["direction"]],
  adminChangeObjects: [{ store: "DIRECTORY", objects: [], state: "x" }, ["store", "objects", "state"]],
  adminReadRows: [{ store: "ACCOUNT", from: 5 }, ["from", "object"]],
  adminInsertRows: [
    { store: "x", tables: [{ table: 5 }] },
    ["store", "tables[0].table", "tables[0].columns", "tables[0].rows"],
  ],
  adminSwitchSending: [{ enabled: "yes", reason: 5 }, ["enabled", "reason"]],
};
/** Lists, each with a filter and a value that it does not know. */
const filters = {
  listMessages: ["status=x", "type=x", "from=x", "to=x", "recipient=x"],
  listRecipients: ["status=x"],
  listCampaignRecipients: ["status=x", "format=x"],
  listTransactions: ["type=x", "from=x", "to=x", "message=x", "format=x"],
  listUsage: ["from=x", "to=x"],
  adminListRecipients: ["status=x"],
  listBlacklist: ["number=x"],
  listInbound: ["since=x", "until=x", "taken=x", "from=", "line="],
  adminListAccounts: ["q="],
  adminListCarriers: ["q="],
  adminListLines: ["q="],
  adminListPlans: ["q="],
  adminListDeadLetters: ["account=", "kind=x"],
  adminListAudit: ["account=", "key=", "operation=x", "thing=x", "thingId=", "from=x", "to=x"],
  adminGetUsage: ["by=x", "from=x", "to=x", "mode=x"],
  adminReconcile: ["account="],
};
const lists = new Set([
  "listMessages",
  "listRecipients",
  "listCampaigns",
  "listCampaignRecipients",
  "listTransactions",
  "listUsage",
  "listKeys",
  "listLines",
  "listPhonebooks",
  "listNumbers",
  "listPatterns",
  "listBlacklist",
  "listInbound",
  "adminListUnclaimed",
  "listWebhooks",
  "listDeliveries",
  "adminListAccounts",
  "adminListKeys",
  "adminListOperatorKeys",
  "adminListSandbox",
  "adminListRecipients",
  "adminListPendingPatterns",
  "adminListCarriers",
  "adminListLines",
  "adminListPlans",
  "adminListDeadLetters",
  "adminListAudit",
  "adminReadAuditFeed",
  "adminGetUsage",
  "adminReconcile",
]);

let shop, things, hook, campaign;
const server = sharedServer(async (server) => {
  shop = await openShop(server, 10_000);
  const made = async (path, body) => (await api(server, "POST", path, { key: shop.key, body })).json.data;
  const { id } = await made("/phonebook", { title: "A" });
  const { numbers } = await made(`/phonebook/number/${id}`, { number: "09121234567" });
  await made("/pattern", { slug: "mine", title: "x", text: "y" });
  const { uid } = await made("/sms/send", {
    message: "x",
    recipients: ["09121234567"],
    sendAt: tomorrow(),
  });
  campaign = await made("/campaigns", { title: "A", message: "x", phonebooks: [id] });
  const webhook = await made("/webhook", { url: "https://shop.example/", events: ["message.received"] });
  hook = { id: webhook.id, deliveryId: (await made(`/webhook/${webhook.id}/test`)).id };
  things = { id, phonebookId: id, numberId: numbers[0].id, slug: "mine", n: 1, uid };
});

const keyFor = (route) => (isOfOperators(route) ? server.adminKey : shop.key);

/** The route's path with ids that exist, but for those of `others`. */
function pathOf(route, others = {}) {
  const own = route.path.startsWith("/admin/")
    ? {
        id: shop.id,
        key: shop.keyId,
        number: server.line,
        slug: "demo",
        n: 1,
        uid: things.uid,
        name: "sandbox",
        webhook: hook.id,
      }
    : { ...things };
  if (route.path.startsWith("/webhook")) Object.assign(own, hook);
  if (route.path.startsWith("/campaigns")) own.id = campaign.id;
  if (["adminApprovePattern", "adminRefusePattern"].includes(route.operation)) own.slug = "mine";
  const path = route.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent({ ...own, ...others }[name]));
  return route.operation === "deletePhonebookInQuery" ? `${path}?id=${others.id ?? things.id}` : path;
}

const ask = (route, options) => api(server, route.method, options.path ?? pathOf(route), options);

function assertCode(answer, status, code, route) {
  assert.deepEqual([answer.status, answer.json?.code], [status, code], `${route.method} ${route.path}: ${answer.text}`);
  assert.equal(answer.headers.get("content-type"), "application/problem+json");
  assert.equal(answer.json.meta.requestId, answer.headers.get("x-request-id"));
}

/** The first part of each fault, up to the colon. */
const fieldsOf = (answer) => answer.json.extra.map((text) => text.slice(0, text.indexOf(": ")));

const snapshot = async () => {
  const lists = [
    "/messages",
    "/phonebook",
    `/phonebook/number/${things.id}`,
    "/pattern",
    "/blacklist",
    "/inbound",
    "/account/transactions",
    "/webhook",
  ];
  return JSON.stringify([
    await walletOf(server, shop.key),
    ...(await Promise.all(lists.map((path) => all(server, shop.key, path)))),
  ]);
};

/** Runs `provoke` and asserts that the account has all that it had, and no more. */
async function changesNothing(provoke) {
  const before = await snapshot();
  await provoke();
  assert.equal(await snapshot(), before);
}

test("every endpoint with a body to change something has a bad body here", () => {
  for (const { operation } of table.filter(({ method }) => method === "PUT" || method === "PATCH"))
    assert.ok(operation in bad, operation);
});

test("401, 403 and 405 on every endpoint", () =>
  changesNothing(async () => {
    const [managing, reading] = await Promise.all(
      ["keys", "sms:read"].map(async (scope) => (await issueKey(server, shop.id, { scopes: [scope] })).key),
    );
    for (const route of table) {
      for (const [key, challenge] of [
        [undefined, "Bearer"],
        ["peyk_live_nonsense", 'Bearer error="invalid_token"'],
      ]) {
        const answer = await ask(route, { key, raw: route.method === "GET" ? undefined : "{", headers: json });
        assertCode(answer, 401, 401, route);
        assert.equal(answer.headers.get("www-authenticate"), challenge);
      }
      const lacking = route.scopes[0] === "keys" ? reading : managing;
      const forbidden = await ask(route, { key: lacking, raw: route.method === "GET" ? undefined : "{" });
      assertCode(forbidden, 403, 403, route);
      assert.equal(
        forbidden.headers.get("www-authenticate"),
        `Bearer error="insufficient_scope", scope="${route.scopes[0]}"`,
      );
    }
    const shape = (path) => path.replace(/\{\w+\}/g, "{}");
    for (const route of table) {
      // Two patterns may fit one path, as "/phonebook/{id}" and "/phonebook/number" do: here only the very shape counts.
      const allowed = table.filter(({ path }) => shape(path) === shape(route.path)).map(({ method }) => method);
      const answer = await ask({ ...route, method: "OPTIONS" }, { key: undefined });
      assertCode(answer, 405, 405, route);
      assert.deepEqual(answer.headers.get("allow").split(", ").sort(), allowed.sort(), route.path);
    }
    assertCode(await api(server, "GET", "/no/such/path"), 404, 404, { method: "GET", path: "/no/such/path" });
  }));

test("429 on every endpoint of accounts, before anything that is wrong with the request", async () => {
  const shop = await openShop(server, 0, { rateLimit: { limit: 1, windowSeconds: 3_600, burst: 1 } });
  // Its own cap is used up, too: else what protects the account takes of the reserve of the key.
  const throttled = await issueKey(server, shop.id, { ratePerMinute: 1 });
  assert.equal((await api(server, "GET", "/lines", { key: throttled.key })).status, 200);
  for (const route of ofAccounts) {
    const answer = await ask(route, {
      key: throttled.key,
      raw: route.method === "GET" ? undefined : "{",
      path: pathOf(route, { id: "x", uid: "x" }),
    });
    assertCode(answer, 429, 429, route);
    assert.ok(Number(answer.headers.get("retry-after")) >= 1);
    assert.match(answer.headers.get("ratelimit"), /^"default";r=0;t=\d+$/);
  }
});

test("400, 413, 415 and 422 on every endpoint with a body, 404 after them", () =>
  changesNothing(async () => {
    for (const route of table.filter(({ operation }) => operation in bad)) {
      const key = keyFor(route);
      const [body, fields] = bad[route.operation];
      const missing = pathOf(route, {
        id: randomUUID(),
        phonebookId: randomUUID(),
        uid: randomUUID(),
        slug: "missing",
      });
      const path = route.path.startsWith("/admin/") ? pathOf(route) : missing;
      for (const raw of ["{", "[]", '"x"', Buffer.from([0x7b, 0xff, 0x7d])]) {
        assertCode(await ask(route, { key, raw, headers: json, path }), 400, 400, route);
      }
      const most = (route.operation === "adminInsertRows" ? 8 * 1024 : 256) * 1024;
      assertCode(await ask(route, { key, raw: `{"x":"${"x".repeat(most)}"}`, headers: json, path }), 413, 413, route);
      assertCode(
        await ask(route, { key, raw: JSON.stringify(body), headers: { "Content-Type": "text/plain" }, path }),
        415,
        415,
        route,
      );
      const faulty = await ask(route, { key, body, path });
      assertCode(faulty, 422, 422, route);
      assert.deepEqual(fieldsOf(faulty).sort(), [...fields].sort(), `${route.operation}: ${faulty.text}`);
      assert.equal(faulty.json.errors.length, faulty.json.extra.length);
    }
    const file = table.find(({ operation }) => operation === "importNumbers");
    const path = pathOf(file, { id: randomUUID() });
    assertCode(await ask(file, { key: shop.key, raw: "{}", headers: json, path }), 415, 415, file);
    assertCode(
      await ask(file, { key: shop.key, raw: "x".repeat(5 * 1024 * 1024 + 1), headers: csv, path }),
      413,
      413,
      file,
    );
    const headless = await ask(file, { key: shop.key, raw: "name\nx\n", headers: csv, path });
    assertCode(headless, 422, 422, file);
    assert.deepEqual(fieldsOf(headless), ["header"]);
    const inQuery = table.find(({ operation }) => operation === "deletePhonebookInQuery");
    assertCode(await ask(inQuery, { key: shop.key, path: "/phonebook" }), 422, 422, inQuery);
  }));

test("404 for what is missing on every endpoint that names something", () =>
  changesNothing(async () => {
    const bodies = {
      changePhonebook: { title: "B" },
      changePhonebookInBody: { id: randomUUID(), title: "B" },
      addNumbers: { number: "09121234567" },
      changeNumber: {},
      changePattern: {},
      changeWebhook: {},
      createPatternVersion: { text: "x" },
      sendToPhonebook: { phonebook: randomUUID(), message: "x" },
      createCampaign: { title: "A", phonebooks: [randomUUID()], message: "x" },
      changeCampaign: {},
      estimateSend: { phonebook: { phonebook: randomUUID(), message: "x" } },
      rotateKey: {},
      changeMember: {},
      makeMemberLink: {},
      adminMakeMemberLink: {},
      switchConsoleAccount: { account: randomUUID() },
      adminChangeMember: {},
      adminAddAccountMember: { phone: "09121234567", name: "Sara", role: "OWNER" },
      adminSetLowBalance: { lowBalance: 5 },
      adminRefusePattern: { reason: "x" },
      adminChangeAccount: {},
      adminAddCredit: { amount: 1 },
      adminRestoreAccount: { at: "x", reason: "x" },
      adminIssueKey: { title: "x" },
      adminRotateKey: {},
      adminRotateOperatorKey: {},
      adminChangeLine: {},
      adminSetLineInbound: {},
      adminChangeCarrier: {},
      adminChangePlan: {},
    };
    // A gateway's address is refused as a whole, whatever it names.
    const naming = table.filter(
      ({ path, operation }) =>
        !path.startsWith("/carrier/") &&
        (path.includes("{") || operation in bodies || operation === "deletePhonebookInQuery"),
    );
    assert.ok(naming.length >= 30, `${naming.length}`);
    for (const route of naming) {
      const uuid = randomUUID();
      const path = pathOf(route, {
        id: uuid,
        phonebookId: uuid,
        uid: uuid,
        slug: "missing",
        number: "99999",
        key: uuid,
        member: uuid,
        deliveryId: uuid,
        name: "missing",
      });
      const options =
        route.operation === "importNumbers" ? { raw: "number\n", headers: csv } : { body: bodies[route.operation] };
      assertCode(await ask(route, { key: keyFor(route), path, ...options }), 404, 404, route);
    }
    for (const numberId of ["0", "x", things.numberId + 1_000_000]) {
      for (const method of ["PUT", "DELETE"]) {
        const answer = await api(server, method, `/phonebook/number/${things.id}/${numberId}`, {
          key: shop.key,
          body: {},
        });
        assertCode(answer, 404, 404, { method, path: numberId });
      }
    }
  }));

test("422 for a bad page or filter on every list, and a cursor belongs to one list", () =>
  changesNothing(async () => {
    assert.deepEqual(
      [...lists].filter((name) => !table.some(({ operation }) => operation === name)),
      [],
    );
    const { json: first } = await api(server, "GET", "/account/transactions?limit=1", { key: shop.key });
    assert.ok(first.meta.nextCursor);
    for (const route of table.filter(({ operation }) => lists.has(operation))) {
      const cursor = route.operation === "listTransactions" ? "3-00000000" : first.meta.nextCursor;
      for (const query of [
        "limit=0",
        "limit=201",
        "limit=-1",
        "limit=x",
        "cursor=x",
        `cursor=${cursor}`,
        ...(filters[route.operation] ?? []),
      ]) {
        const answer = await ask(route, { key: keyFor(route), path: `${pathOf(route)}?${query}` });
        assertCode(answer, 422, 422, route);
        assert.deepEqual(fieldsOf(answer), [query.split("=")[0]]);
      }
      assert.equal((await ask(route, { key: keyFor(route) })).status, 200);
    }
  }));

test("409 for what is in use, taken, or done already", async () => {
  const made = async (path, body) => {
    const answer = await api(server, "POST", path, { key: shop.key, body });
    assert.ok([200, 201].includes(answer.status), answer.text);
    return answer.json.data;
  };
  const conflict = (method, path, body, detail) =>
    changesNothing(async () => {
      const answer = await api(server, method, path, { key: shop.key, body });
      assertCode(answer, 409, 409, { method, path });
      assert.match(answer.json.detail, detail);
    });
  const free = async (path) => assert.equal((await api(server, "DELETE", path, { key: shop.key })).status, 204);
  await conflict("POST", "/phonebook", { title: "A" }, /title/);
  const second = await made("/phonebook", { title: "B" });
  await conflict("PUT", `/phonebook/${second.id}`, { title: "A" }, /title/);
  await conflict("PUT", "/phonebook", { id: second.id, title: "A" }, /title/);
  const { numbers } = await made(`/phonebook/number/${second.id}`, { numbers: ["09121234567", "09351234567"] });
  await conflict("PUT", `/phonebook/number/${second.id}/${numbers[0].id}`, { number: "09351234567" }, /number/);
  const sendAt = tomorrow();
  const { uid } = await made("/sms/phonebook/send", { phonebook: second.id, message: "x", sendAt });
  await conflict("DELETE", `/phonebook/${second.id}`, undefined, new RegExp(uid));
  await conflict("DELETE", `/phonebook?id=${second.id}`, undefined, new RegExp(uid));
  await conflict("POST", "/pattern", { slug: "mine", title: "x", text: "another" }, /slug/);
  await conflict("POST", "/pattern/mine/deactivate", undefined, /No version/);
  await made("/pattern", { slug: "used", title: "x", text: "y" });
  await made("/pattern/used/versions/1/activate");
  await conflict("POST", "/pattern/used/versions/1/activate", undefined, /active already/);
  await conflict("DELETE", "/pattern/used", undefined, /deactivate/);
  const { uid: waiting } = await made("/sms/pattern", { pattern: "used", recipient: "09121234567", sendAt });
  await made("/pattern/used/deactivate");
  await conflict("DELETE", "/pattern/used", undefined, new RegExp(waiting));
  for (const scheduled of [uid, waiting])
    assert.equal((await api(server, "DELETE", `/messages/${scheduled}`, { key: shop.key })).status, 200);
  await conflict("DELETE", `/messages/${uid}`, undefined, /Nothing of the message waits/);
  for (const act of ["pause", "resume"])
    await conflict("POST", `/messages/${uid}/${act}`, undefined, /Nothing of the message waits/);
  await free(`/phonebook/${second.id}`);
  await free("/pattern/used");
});

test("each send answers the first of what is wrong with it, down to the money", async () => {
  const poor = await openShop(server, 0, { status: "INACTIVE", sendingEnabled: false });
  const path = `/admin/accounts/${poor.id}`;
  const own = (method, where, body) => api(server, method, where, { key: poor.key, body });
  const patternOnly = String(40_000 + Math.floor(Math.random() * 9_000));
  await admin(server, "POST", "/admin/lines", {
    number: patternOnly,
    carrier: "sandbox",
    operations: ["WEBSERVICE", "PATTERN"],
    accounts: [poor.id],
  });
  await own("POST", "/blacklist", { numbers: ["09121234567"] });
  const { id } = (await own("POST", "/phonebook", { title: "A" })).json.data;
  await own("POST", `/phonebook/number/${id}`, { number: "09121234567" });
  const pattern = {
    slug: "tied",
    title: "x",
    text: "%A%",
    variables: [{ name: "A", type: "NUMBER" }],
    lines: [patternOnly],
  };
  assert.equal((await own("POST", "/pattern", pattern)).status, 201);
  await own("POST", "/pattern/tied/versions/1/activate");
  const nowhere = { sourceNumber: "99999" };
  const here = { sourceNumber: patternOnly };
  const item = (more) => ({ messages: [{ recipient: "09121234567", ...more }] });
  const filled = { pattern: "tied", recipient: "09121234567", variables: { A: 5 } };
  // For each kind: bodies and what each is answered while everything behind it is wrong too.
  const chains = {
    "/sms/send": [
      [{ message: "", recipients: ["09121234567"], ...nowhere }, 422],
      [{ message: "x", recipients: ["09121234567"], ...nowhere }, 3012],
      [{ message: "x", recipients: ["09121234567"] }],
    ],
    "/sms/pattern": [
      [{ ...filled, pattern: "nothing", recipient: "x", ...nowhere }, 422],
      [{ ...filled, pattern: "nothing", ...nowhere }, 3002],
      [{ ...filled, variables: {}, ...nowhere }, 3012],
      [{ ...filled, variables: {} }, 3013],
      [{ ...filled, variables: {}, ...here }, 3014],
      [{ ...filled, variables: { A: "x" }, ...here }, 3015],
      [{ ...filled, ...here }],
    ],
    "/sms/phonebook/send": [
      [{ message: "", phonebook: "nothing", ...nowhere }, 422],
      [{ message: "x", phonebook: "nothing", ...nowhere }, 404],
      [{ message: "x", phonebook: id, ...nowhere }, 3012],
      [{ message: "x", phonebook: id }],
    ],
    "/sms/bulk": [
      [{ ...item({ pattern: "nothing", message: "x" }), ...nowhere }, 422],
      [{ ...item({ pattern: "nothing" }), ...nowhere }, 3002],
      [{ ...item({ pattern: "tied" }), ...nowhere }, 3012],
      [item({ pattern: "tied" }), 3013],
      [{ ...item({ pattern: "tied" }), ...here }, 3014],
      [{ ...item({ pattern: "tied", variables: { A: "x" } }), ...here }, 3015],
      [{ ...item({ pattern: "tied", variables: { A: 5 } }), ...here }],
    ],
  };
  const estimates = {
    "/sms/send": "send",
    "/sms/pattern": "pattern",
    "/sms/phonebook/send": "phonebook",
    "/sms/bulk": "bulk",
  };
  const good = Object.fromEntries(Object.entries(chains).map(([where, chain]) => [where, chain.at(-1)[0]]));
  for (const [where, chain] of Object.entries(chains)) {
    for (const [body, code] of chain.slice(0, -1)) {
      const answer = await own("POST", where, body);
      assert.equal(answer.json.code, code, `${where} ${JSON.stringify(body)}: ${answer.text}`);
      const estimate = await own("POST", "/sms/estimate", { [estimates[where]]: body });
      assert.equal(estimate.json.code, code, `estimate of ${where}: ${estimate.text}`);
      assert.deepEqual(estimate.json.extra.length, answer.json.extra.length);
    }
  }
  const each = async (code) => {
    for (const [where, body] of Object.entries(good)) {
      const answer = await own("POST", where, body);
      assert.equal(answer.status === 201 ? 201 : answer.json.code, code, `${where}: ${answer.text}`);
      const estimate = await own("POST", "/sms/estimate", { [estimates[where]]: body });
      assert.equal(estimate.status, 200, estimate.text);
      assert.equal(estimate.json.data.faults[0]?.code ?? 201, code);
    }
  };
  await each(1003);
  await admin(server, "PATCH", path, { status: "ACTIVE" });
  await each(3011);
  await admin(server, "PATCH", path, { sendingEnabled: true });
  await each(3016);
  await own("DELETE", "/blacklist", { numbers: ["09121234567"] });
  await each(2001);
  assert.deepEqual(await all(server, poor.key, "/messages"), []);
  assert.deepEqual(await all(server, poor.key, "/account/transactions"), []);
  await admin(server, "POST", `${path}/credit`, { amount: 4_000 });
  for (const [where, body] of Object.entries(good)) assert.equal((await own("POST", where, body)).status, 201, where);
  assert.equal((await walletOf(server, poor.key)).availableBalance, 0);
});

test("500 on every endpoint tells nothing but its request id", async () => {
  const key = "imported|whose-record-is-broken-everywhere";
  const digest = createHash("sha256").update(key).digest("hex");
  await server.kill();
  await wrangler(["kv", "key", "put", "--binding", "KEYS", digest, "{}", "--local", "--persist-to", server.stateDir]);
  await server.restart();
  for (const route of table) {
    const answer = await ask(route, { key, body: route.method === "GET" ? undefined : {} });
    assertCode(answer, 500, 500, route);
    assert.doesNotMatch(answer.text, /record|digest|serde|missing field/);
  }
});
