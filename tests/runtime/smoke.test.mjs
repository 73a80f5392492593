import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { api, startServer } from "../support/server.mjs";

let server;
before(async () => (server = await startServer()));
after(() => server?.stop());

test("GET /health answers without a key", async () => {
  const { status } = await api(server, "GET", "/health");
  assert.equal(status, 200);
});
