// What the runtime tells of a request before its key is known: by which address it came, and who has sent it.
import assert from "node:assert/strict";
import { request } from "node:http";
import { test } from "node:test";
import { newKey } from "../../scripts/lib/base/keys.mjs";
import { api, sharedServer, until } from "../support/server.mjs";
import { openShop } from "../support/shop.mjs";

const server = sharedServer();

/** Asks by another name than that of this machine. */
function askAs(host, key) {
  const { hostname, port } = new URL(server.baseUrl);
  const headers = { host, authorization: `Bearer ${key}` };
  return new Promise((resolve, reject) => {
    const asked = request({ hostname, port, path: "/account/info", headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (piece) => (text += piece));
      response.on("end", () => resolve({ status: response.statusCode, headers: response.headers, text }));
    });
    asked.on("error", reject).end();
  });
}

test("plain HTTP is answered on this machine only", async () => {
  const shop = await openShop(server, 0);
  const refused = await askAs("sms.example.com", shop.key);
  assert.equal(refused.status, 403, refused.text);
  assert.match(JSON.parse(refused.text).detail, /https/);
  assert.equal(refused.headers["strict-transport-security"], "max-age=31536000; includeSubDomains");
  const answered = await askAs("localhost", shop.key);
  assert.equal(answered.status, 200, answered.text);
});

test("an address that guesses keys is kept out, and nobody else", async () => {
  const shop = await openShop(server, 0);
  const ask = (address, key) => api(server, "GET", "/account/info", { key, headers: { "cf-connecting-ip": address } });
  const statuses = [];
  // The limiter counts by the minutes of the clock, so one may begin in between.
  while (!statuses.includes(429) && statuses.length < 200) statuses.push((await ask("203.0.113.7", newKey())).status);
  assert.ok(statuses.length > 60, `${statuses}`);
  const refused = await ask("203.0.113.7", newKey());
  assert.equal(refused.status, 429, refused.text);
  const seconds = Number(refused.headers.get("retry-after"));
  assert.ok(seconds >= 1 && seconds <= 60, `${seconds}`);
  assert.equal((await ask("198.51.100.1", newKey())).status, 401);
  assert.equal((await ask("198.51.100.1", shop.key)).status, 200);
});

test("a request whose address has a key reaches the log by way of an object, without the key", async () => {
  const shop = await openShop(server, 0);
  const id = "a-key-in-the-path";
  // What a door refuses by itself asks nothing of our own API, and only that has lines.
  const address = `${server.baseUrl}/v1/${shop.key}/sms/send.json?receptor=0912&message=x`;
  const answer = await fetch(address, { headers: { "x-request-id": id } });
  assert.ok(answer.status >= 400, `${answer.status}`);
  assert.equal(answer.headers.get("x-request-id"), id);
  const lines = () =>
    server
      .log()
      .split("\n")
      .filter((line) => line.startsWith("{"));
  const told = await until(() => lines().find((line) => line.includes(id)), { what: "the line of the request" });
  assert.equal(JSON.parse(told).event, "request");
  assert.ok(!lines().some((line) => line.includes(shop.key)));
});
