// The code of the client libraries' READMEs, as a reader runs it on what `npm start` serves.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { ensureLanguages } from "../../scripts/lib/test/install.mjs";
import { libraries, runReadme } from "../support/client-libraries.mjs";
import { historyState } from "../support/fresh-state.mjs";
import { api, sharedServer } from "../support/server.mjs";

const server = sharedServer(undefined, undefined, historyState);
before(ensureLanguages);

/** The newest items of a list of the demo's account. */
async function newest(path) {
  const { status, text, json } = await api(server, "GET", `${path}?limit=20`, { key: server.apiKey });
  assert.equal(status, 200, text);
  return json.data;
}

/** Runs the code of a README, and holds what it has made and printed against what the README says. */
async function readAndTry(language) {
  const keys = { PEYK_API_KEY: server.apiKey, PEYK_TEST_KEY: server.testKey };
  const output = await runReadme(language, { ...keys, PEYK_URL: server.baseUrl });
  const messages = (await newest("/messages")).filter(({ campaign }) => !campaign).slice(0, 4);
  assert.deepEqual(
    messages.map(({ type }) => type),
    ["BULK", "PHONEBOOK", "PATTERN", "PLAIN"],
  );
  const [{ title, state }] = await newest("/campaigns");
  assert.deepEqual([title, state], ["Spring sale", "DONE"]);
  const lines = output.trim().split("\n");
  assert.equal(lines[0], `${messages.at(-1).uid} QUEUED 1000 IRR`);
  const some = (pattern) =>
    assert.ok(
      lines.some((line) => pattern.test(line)),
      `${pattern}: ${output}`,
    );
  some(/^\+989121234567 (QUEUED|SUBMITTED|DELIVERED)$/);
  some(/^verified ey/);
  some(/^1 1000$/);
  some(/^DONE 1$/);
  some(/^\+989121234567 DELIVERED$/);
  some(/^POST \/sms\/phonebook\/send The text has \{name\}, which is sent as it is: /);
  some(/number,status,error,cost,unit,updatedAt$/);
  assert.match(lines.at(-1), /^3012 .+ [0-9a-f-]{36}$/);
}

for (const language of Object.keys(libraries))
  test(`${language}: the code of the README sends, asks and fails as it says, and does so again`, async () => {
    await readAndTry(language);
    await readAndTry(language);
  });
