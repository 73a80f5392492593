// What the world reaches of a service on a machine of one's own: Peyk and nothing else, and who it believes that a client is.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { newKey } from "../../scripts/lib/base/keys.mjs";
import { inRoot } from "../../scripts/lib/base/paths.mjs";
import { isReserved } from "../../scripts/lib/serve/gate/addresses.mjs";
import { until } from "../support/server.mjs";
import { askFrom, keyIn, newPlace, startServing } from "../support/serving.mjs";

const proxy = "127.0.0.1";
const stranger = "127.0.0.2";
const place = newPlace();
let server;
before(async () => {
  server = await startServing(place, { args: ["--demo"], env: { TRUSTED_PROXIES: proxy } });
  assert.ok(server.baseUrl, server.output());
});
after(async () => {
  server.child.kill("SIGTERM");
  await server.exited;
  place.remove();
});

const ask = (from, path, headers, options) => askFrom(from, server.baseUrl, path, { headers, ...options });
const bearer = (key) => ({ authorization: `Bearer ${key}` });
const admin = (method, path, body, headers = {}, from = proxy) => {
  const all = { ...bearer(keyIn(place)), "content-type": "application/json", ...headers };
  return ask(from, `/admin${path}`, all, { method, body });
};

const sources = inRoot("node_modules", "miniflare", "dist", "src");
const texts = readdirSync(sources, { recursive: true })
  .filter((file) => file.endsWith(".js"))
  .map((file) => readFileSync(join(sources, file), "utf8"));
/** What the first group of a pattern finds in Miniflare's sources. */
const inMiniflare = (pattern) =>
  [...new Set(texts.flatMap((text) => [...text.matchAll(pattern)].map(([, found]) => found)))].toSorted();

/** The addresses of development that Miniflare has, and those of the dashboard that it only names. */
const development = [
  "/__cf_local/imagedelivery",
  "/__cf_local/imageupload",
  "/__cf_local/stream",
  "/cdn-cgi/",
  "/cdn-cgi/access/login",
  "/cdn-cgi/local/email",
  "/cdn-cgi/local/explorer",
  "/cdn-cgi/local/explorer/api",
  "/cdn-cgi/local/platform-proxy",
  "/cdn-cgi/local/r2/public",
  "/cdn-cgi/local/r2/s3",
  "/cdn-cgi/local/scheduled",
  "/cdn-cgi/styles/cf",
];

test("no address of development answers, whatever headers go with it", async () => {
  assert.deepEqual(inMiniflare(/["'`](\/(?:cdn-cgi|__cf_local)\/[\w/-]*)/g), development, "Miniflare has others now");
  const older = ["/cdn-cgi/mf/scheduled", "/cdn-cgi/mf/reload", "/cdn-cgi/handler/scheduled", "/cdn-cgi/handler/email"];
  const obeyed = { "MF-Route-Override": "control", "MF-Op": "GET", "MF-Original-URL": "http://localhost/sql" };
  for (const from of [proxy, stranger])
    for (const path of [...development, ...older]) {
      const { status, json, text } = await ask(from, path, obeyed);
      assert.deepEqual([status, json?.name], [404, "NotFound"], `${path}: ${text}`);
    }
});

test("the gate lets no header through that Miniflare's workers obey", () => {
  const names = inMiniflare(/["'`]((?:MF|X-Mf|CF|Cf)-[\w-]*[a-zA-Z])["'`]/g);
  assert.ok(names.includes("MF-Route-Override") && names.includes("CF-Connecting-IP") && names.length > 20, `${names}`);
  // What a worker answers is no matter of the gate.
  for (const name of names) assert.ok(isReserved(name.toLowerCase()), name);
});

test("nobody opens a connection through the gate to what is inside", async () => {
  const { hostname, port } = new URL(server.baseUrl);
  const [host] = inMiniflare(/HOST_CAPNP_CONNECT = "([^"]+)"/g);
  assert.ok(host, "Miniflare has no such host any more");
  for (const target of [host, "127.0.0.1:22", "peyk:80"]) {
    const answer = await new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname, () =>
        socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`),
      );
      socket.once("data", (data) => resolve(`${data}`) || socket.destroy()).once("error", reject);
      socket.once("close", () => resolve("closed"));
    });
    assert.doesNotMatch(answer, /^HTTP\/1\.1 2/, target);
  }
});

test("plain HTTP is answered under a name of this machine only, and https is what a trusted proxy says", async () => {
  const named = { host: "sms.example.com", "x-forwarded-proto": "https" };
  assert.equal((await ask(proxy, "/health", named)).status, 200);
  assert.equal((await ask(proxy, "/health", { ...named, "x-forwarded-proto": "http" })).status, 403);
  assert.equal((await ask(stranger, "/health", named)).status, 403);
  const { json } = await ask(proxy, "/nothing", named);
  assert.match(json.type, /^https:\/\/sms\.example\.com\//);
});

/** What a client may write into its own headers. */
const forged = {
  "cf-connecting-ip": "203.0.113.7",
  "x-forwarded-for": "203.0.113.7",
  "x-real-ip": "203.0.113.7",
  forwarded: "for=203.0.113.7",
  "true-client-ip": "203.0.113.7",
  "mf-cf-blob": '{"clientIp":"203.0.113.7:1"}',
};
/** What the proxy adds at the end of that: the address that it has seen. */
const seen = (address, ...before) => ({ ...forged, "x-forwarded-for": [...before, address].join(", ") });

test("a key that works from one address works from no other, whatever the headers say", async () => {
  const account = /account +(\S+) \(demo\)/.exec(server.output())[1];
  const made = await admin("POST", `/accounts/${account}/keys`, { title: "one address", ips: ["203.0.113.7"] });
  assert.equal(made.status, 201, made.text);
  const status = async (from, headers) => {
    return (await ask(from, "/account/info", { ...bearer(made.json.data.key), ...headers })).status;
  };
  assert.equal(await status(proxy, { "x-forwarded-for": "203.0.113.7" }), 200);
  assert.equal(await status(proxy, seen("203.0.113.7", "198.51.100.1")), 200);
  assert.equal(await status(proxy, seen("198.51.100.1", "203.0.113.7")), 403);
  assert.equal(await status(proxy, seen(proxy, "198.51.100.1")), 403);
  assert.equal(await status(proxy, { "cf-connecting-ip": "203.0.113.7" }), 403);
  assert.equal(await status(stranger, forged), 403);
});

test("the audit log has the address of the connection, or what the proxy says", async () => {
  const change = (slug, headers, from) => {
    const plan = { slug, title: slug, tariff: { slug, title: slug, price: 1 } };
    return admin("POST", "/plans", plan, headers, from);
  };
  assert.equal((await change("direct", forged, stranger)).status, 201);
  assert.equal((await change("behind", seen("2001:db8::9", "203.0.113.7"))).status, 201);
  const { json } = await admin("GET", "/audit?limit=10");
  const addresses = new Map(json.data.map((entry) => [entry.thing.id, entry.address]));
  assert.deepEqual([addresses.get("direct"), addresses.get("behind")], [stranger, "2001:db8::9"], JSON.stringify(json));
});

test("an address that guesses keys is kept out although it says to be another one each time", async () => {
  const statuses = [];
  while (!statuses.includes(429) && statuses.length < 200) {
    const other = `203.0.113.${statuses.length}`;
    const headers = { ...seen("198.51.100.66", other), "cf-connecting-ip": other, "x-real-ip": other };
    statuses.push((await ask(proxy, "/account/info", { ...bearer(newKey()), ...headers })).status);
  }
  assert.ok(statuses.length > 60 && statuses.length < 200, `${statuses}`);
});

test("Prometheus reads the metrics of the runtime by the gate", async () => {
  assert.equal((await ask(proxy, "/metrics", {})).status, 401);
  const made = await admin("POST", "/keys", { title: "Prometheus", scopes: ["admin:metrics"] });
  assert.equal(made.status, 201, made.text);
  const scraped = async () => {
    const { status, headers, text } = await ask(proxy, "/metrics", bearer(made.json.data.key));
    assert.equal(status, 200, text);
    assert.equal(headers["content-type"], "text/plain; version=0.0.4; charset=utf-8");
    return text.split("\n");
  };
  const lines = await scraped();
  const { version } = JSON.parse(readFileSync(inRoot("package.json"), "utf8"));
  for (const line of [
    `peyk_info{version="${version}"} 1`,
    ...["KV", "D1", "OBJECT"].map((part) => `peyk_part_up{part="${part}"} 1`),
  ])
    assert.ok(lines.includes(line), `${line}\n${lines.join("\n")}`);
  const counted = async () =>
    (await scraped()).some((line) => /^peyk_requests_total\{.*status="401".*\} [1-9]/.test(line));
  await until(counted, { what: "the count of a request" });
});

test("the console and the documentation come by the gate, and what a browser has is not sent again", async () => {
  for (const path of ["/docs", "/console", "/openapi.json", "/llms.txt"]) {
    const { status, headers, text } = await ask(proxy, path, {});
    assert.equal(status, 200, path);
    assert.ok(headers.etag && headers["cache-control"] && text.length > 100, path);
    const again = await ask(proxy, path, { "if-none-match": headers.etag });
    assert.deepEqual([again.status, again.text], [304, ""], path);
  }
  const missing = await ask(proxy, "/docs/nothing", {});
  assert.deepEqual([missing.status, missing.headers["content-type"]], [404, "text/html; charset=utf-8"]);
});
