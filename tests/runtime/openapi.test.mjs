// The document of the API, as the runtime serves it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { inRoot } from "../../scripts/lib/base/paths.mjs";
import { api, sharedServer } from "../support/server.mjs";

const server = sharedServer();

test("the document is served as it is committed", async () => {
  const response = await fetch(`${server.baseUrl}/openapi.json`);
  assert.equal(response.status, 200);
  assert.match(response.headers.get("content-type"), /^application\/json(;|$)/);
  assert.equal(await response.text(), readFileSync(inRoot("openapi.json"), "utf8"));
});

test("what is no file is still answered by the service", async () => {
  for (const path of ["/openapi", "/openapi.json/", "/openapi.yaml", "/"]) {
    const answer = await api(server, "GET", path);
    assert.equal(answer.status, 404, path);
    assert.equal(answer.headers.get("content-type"), "application/problem+json", path);
  }
  assert.equal((await api(server, "GET", "/health")).status, 200);
});
