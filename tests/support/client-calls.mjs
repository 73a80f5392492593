// A call of each operation that customers have: what a program passes to a client library's method, and the same call as
// plain HTTP.
import assert from "node:assert/strict";
import { operations } from "../../scripts/lib/clients/document.mjs";
import { api, until } from "./server.mjs";
import { issueKey, openShop, tomorrow, whenDone } from "./shop.mjs";

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
const number = "09121234567";
const variables = [{ name: "OTP", type: "NUMBER" }];
const long = { from: "2020-01-01T00:00:00Z", to: "2100-01-01T00:00:00Z" };

/** An account that has one of everything for each call that changes or removes it. `address` hears its webhooks. */
export async function openFurnishedShop(server, address) {
  const shop = await openShop(server, 1_000_000);
  const { key } = await issueKey(server, shop.id, { scopes });
  const post = async (path, body) => {
    const answer = await api(server, "POST", path, { key, body });
    assert.ok(answer.status < 300, `${path}: ${answer.text}`);
    return answer.json.data;
  };
  const message = (await post("/sms/send", { message: "سلام", recipients: [number], clientRef: "order-7" })).uid;
  await whenDone(server, key, message);
  const [scheduled, waiting] = await inTurn(["a", "b"], async (message) => {
    return (await post("/sms/send", { message, recipients: [number], sendAt: tomorrow() })).uid;
  });
  for (const slug of ["login", "draft", "active", "gone"])
    await post("/pattern", { slug, title: slug, text: "کد ورود: %OTP%", variables });
  for (const slug of ["login", "active"]) await post(`/pattern/${slug}/versions/1/activate`);
  const [book, ...spare] = await inTurn(
    ["Customers", "A", "B"],
    async (title) => (await post("/phonebook", { title })).id,
  );
  const numbers = [{ number, name: "علی", attributes: { city: "تهران" } }, { number: "09351234567" }];
  await post(`/phonebook/number/${book}`, { numbers });
  const listed = await api(server, "GET", `/phonebook/number/${book}`, { key });
  const titles = ["Draft", "Deleted", "Canceled", "Moving"];
  const campaigns = await inTurn(titles, async (title) => {
    return (await post("/campaigns", { title, message: "سلام %name%", phonebooks: [book], sendAt: tomorrow() })).id;
  });
  await until(async () => {
    const { json } = await api(server, "GET", "/campaigns", { key });
    return json.data.every(({ state }) => state === "DRAFT");
  });
  await post(`/campaigns/${campaigns[3]}/start`);
  await post("/blacklist", { numbers: ["09350000001", "09350000002"] });
  const erasure = (await post("/erasures", { number: "09350000003" })).id;
  const keys = await inTurn(["spare", "leaked"], async (title) => (await post("/keys", { title })).id);
  const people = { "09350000010": "Mina", "09350000011": "Reza" };
  const [member, leaver] = await inTurn(Object.entries(people), async ([phone, name]) => {
    return (await post("/members", { phone, name, role: "SENDER", invite: false })).id;
  });
  const events = ["message.status"];
  const verifications = ["09350000008", "09350000009"];
  const [verification, spareVerification] = await inTurn(verifications, async (recipient) => {
    return (await post("/verify", { recipient })).id;
  });
  const [webhook, ...others] = await inTurn([1, 2], async () => (await post("/webhook", { url: address, events })).id);
  const delivery = (await post(`/webhook/${webhook}/test`)).id;
  await until(async () => {
    const { json } = await api(server, "GET", `/webhook/${webhook}/deliveries`, { key });
    return json.data[0].status === "DELIVERED";
  });
  const numberIds = listed.json.data.map(({ id }) => id);
  return {
    ...{ key, address, message, scheduled, waiting, book, spare, numberIds, erasure, keys, webhook, others, delivery },
    ...{ verification, spareVerification, member, leaver, campaigns },
  };
}

/** What `make` makes of each item, one after another. */
async function inTurn(items, make) {
  const made = [];
  for (const item of items) made.push(await make(item));
  return made;
}

/** The arguments of each operation's method, after which its options come, if it gets any. */
const argumentsOf = {
  getAccountInfo: () => [],
  changeAccountInfo: () => [{ timeZone: "Asia/Tehran" }, {}],
  getLowBalance: () => [],
  setLowBalance: () => [{ lowBalance: 5_000 }, {}],
  listTransactions: ({ message }) => [{ ...long, type: "RESERVE", message }],
  listUsage: () => [{ from: "2020-01-01", to: "2100-01-01" }],
  getUnsent: () => [],
  getOutcomes: () => [{ from: long.from }],
  listBlacklist: () => [{ number: "09350000001" }],
  addToBlacklist: () => [{ numbers: ["09350000004"] }, {}],
  removeFromBlacklist: () => [null, { number: "09350000002" }],
  getHeld: () => [{ number }],
  listErasures: () => [],
  startErasure: () => ["09350000005", {}],
  getErasure: ({ erasure }) => [erasure, {}],
  getHealth: () => [],
  getProofKeys: () => [],
  listInbound: () => [{ line: "10001", from: number, since: long.from, until: long.to, taken: false }],
  takeInbound: () => [{ line: "10001", limit: 100 }, {}],
  listKeys: () => [],
  issueKey: () => [{ title: "shop", scopes: ["sms:send"], ips: ["192.0.2.0/24"] }, {}],
  revokeKey: ({ keys }) => [keys[1], { cascade: true }],
  rotateKey: ({ keys }) => [keys[0], {}, {}],
  openConsoleSession: () => [{}],
  getConsoleSession: () => [],
  endConsoleSession: () => [{ everywhere: true }],
  makeConsoleLink: () => [{ ttlSeconds: 60 }, {}],
  listMembers: () => [],
  addMember: () => [{ phone: "09350000007", name: "Sara", role: "SENDER", invite: false }, {}],
  inviteMember: ({ member }) => [member, {}],
  getSignInRule: () => [],
  setSignInRule: () => [{ require: "CODE" }, {}],
  makeMemberLink: ({ member }) => [member, { ttlSeconds: 60 }, {}],
  changeMember: ({ member }) => [member, { role: "VIEWER" }, {}],
  removeMember: ({ leaver }) => [leaver, {}],
  listLines: () => [],
  listMessages: () => [{ ...long, status: "DONE", type: "PLAIN", recipient: number, clientRef: "order-7" }],
  getMessage: ({ message }) => [message, {}],
  pauseMessage: ({ waiting }) => [waiting, {}],
  resumeMessage: ({ waiting }) => [waiting, {}],
  cancelMessage: ({ scheduled }) => [scheduled, {}],
  findRecipients: ({ message }) => [{ recipients: [`${message}.0`] }, {}],
  listRecipients: ({ message }) => [message, { status: "DELIVERED" }],
  listPatterns: () => [],
  createPattern: () => [{ slug: "new", title: "New", text: "%OTP%", variables }, {}],
  getPattern: () => ["login", {}],
  changePattern: () => ["login", { title: "Log in" }, {}],
  deletePattern: () => ["gone", {}],
  deactivatePattern: () => ["active", {}],
  createPatternVersion: () => ["login", { text: "%OTP% کد ورود", variables }, {}],
  activatePatternVersion: () => ["draft", 1, {}],
  listCampaigns: () => [],
  createCampaign: ({ book }) => [{ title: "New", message: "hello", phonebooks: [book], sendAt: tomorrow() }, {}],
  getCampaign: ({ campaigns }) => [campaigns[0], {}],
  listCampaignRecipients: ({ campaigns }) => [campaigns[0], { status: "DELIVERED" }],
  changeCampaign: ({ campaigns }) => [campaigns[0], { title: "Summer", budget: 50_000 }, {}],
  deleteCampaign: ({ campaigns }) => [campaigns[1], {}],
  startCampaign: ({ campaigns }) => [campaigns[0], {}],
  pauseCampaign: ({ campaigns }) => [campaigns[3], {}],
  resumeCampaign: ({ campaigns }) => [campaigns[3], {}],
  cancelCampaign: ({ campaigns }) => [campaigns[2], {}],
  resendCampaign: ({ campaigns }) => [campaigns[2], {}],
  listPhonebooks: () => [],
  createPhonebook: () => [{ title: "Others", description: "مشتری‌های دیگر" }, {}],
  changePhonebookInBody: ({ book }) => [{ id: book, title: "Clients" }, {}],
  deletePhonebookInQuery: ({ spare }) => [{ id: spare[0] }],
  getPhonebook: ({ book }) => [book, {}],
  changePhonebook: ({ book }) => [book, { description: "همه" }, {}],
  deletePhonebook: ({ spare }) => [spare[1], {}],
  listNumbers: ({ book }) => [book, { q: "0912" }],
  addNumbers: ({ book }) => [book, { numbers: ["09350000006"] }, {}],
  changeNumber: ({ book, numberIds }) => [book, numberIds[0], { name: "Ali" }, {}],
  deleteNumber: ({ book, numberIds }) => [book, numberIds[1], {}],
  exportNumbers: ({ book }) => [book, {}],
  importNumbers: ({ book }) => [book, "number,name,city\n09350000007,سارا,شیراز\nx,y,z\n", {}],
  getTariff: () => [],
  sendSms: () => [{ message: "hello", recipients: [number], clientRef: "order-8" }, {}],
  sendPattern: () => [{ pattern: "login", variables: { OTP: 48213 }, recipient: number }, {}],
  sendToPhonebook: ({ book }) => [{ phonebook: book, message: "سلام %name%" }, {}],
  sendBulk: () => [{ messages: [{ recipient: number, message: "a" }] }, {}],
  estimateSend: () => [{ send: { message: "hello", recipients: [number] } }, {}],
  startVerification: () => [{ recipient: "09350000010", domain: "shop.ir", clientRef: "order-9" }, {}],
  // The code has more digits.
  checkVerification: ({ verification }) => [{ id: verification, code: "۱۲۳۴" }, {}],
  getVerifyStats: () => [{ by: "line" }],
  findVerifications: () => [{ recipient: "09350000008", purpose: "login" }],
  getVerification: ({ verification }) => [verification, {}],
  cancelVerification: ({ spareVerification }) => [spareVerification, {}],
  listWebhooks: () => [],
  createWebhook: ({ address }) => [{ url: address, events: ["message.status"] }, {}],
  getWebhook: ({ webhook }) => [webhook, {}],
  changeWebhook: ({ webhook }) => [webhook, { events: ["message.status", "wallet.low"] }, {}],
  deleteWebhook: ({ others }) => [others[0], {}],
  listDeliveries: ({ webhook }) => [webhook, {}],
  getDelivery: ({ webhook, delivery }) => [webhook, delivery, {}],
  redeliverEvent: ({ webhook, delivery }) => [webhook, delivery, {}],
  rotateWebhookSecret: ({ webhook }) => [webhook, {}],
  testWebhook: ({ webhook }) => [webhook, {}],
};

/** Reads come first, so that no change is on its way meanwhile. The rest is in the order of the document. */
const inOrder = [...operations].sort((one, other) => (other.method === "GET") - (one.method === "GET"));

/** The calls of all operations with what an account has: `{operation, method, args, options}`. */
export const callsOf = (shop) =>
  inOrder.map((operation) => {
    const given =
      argumentsOf[operation.id]?.(shop) ?? assert.fail(`tests/support/client-calls.mjs lacks ${operation.id}`);
    const args = given.slice(0, -1);
    return { operation, method: operation.name, args, options: given.at(-1) ?? {} };
  });

/** Makes a call without a library, and returns what its method should return. */
export async function callPlainly(server, { key }, { operation, args, options }) {
  const { id, method, path, inPath, answer } = operation;
  const left = [...args];
  const filled = inPath.reduce((text, { name }) => text.replace(`{${name}}`, encodeURIComponent(left.shift())), path);
  const query = new URLSearchParams(answer.kind === "list" ? { ...options, limit: 200 } : options);
  const given = left[0] ?? undefined;
  const isFile = id === "importNumbers";
  const response = await fetch(`${server.baseUrl}${filled}?${query}`, {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": isFile ? "text/csv" : "application/json" },
    body: isFile ? given : JSON.stringify(id === "startErasure" ? { number: given } : given),
  });
  const text = await response.text();
  assert.ok(response.ok, `${id}: ${text}`);
  if (answer.kind === "file") return { base64: Buffer.from(text).toString("base64") };
  if (answer.kind === "bare") return JSON.parse(text);
  return text === "" ? null : JSON.parse(text).data;
}

/** The service counts numbers of phonebooks and uses of keys over all accounts. */
const isItsOwn = (name, value) => (name === "id" && typeof value === "number") || /^last(UsedAt|Address)$/.test(name);

/** A value without what differs between two accounts: ids, times, keys and secrets. */
export function likeAnother(value) {
  const text = JSON.stringify(value, (name, one) => (isItsOwn(name, one) ? undefined : one));
  return JSON.parse(
    text
      .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "<uuid>")
      .replace(/\d{4}-\d\d-\d\d(T[\d:.]+Z)?/g, "<time>")
      .replace(/peyk_(live|test|link)_\w+(…\w{4})?/g, "<key>")
      .replace(/whsec_[\w+/=]+/g, "<secret>")
      .replace(/evt_[0-9a-f]+/g, "<event>"),
  );
}
