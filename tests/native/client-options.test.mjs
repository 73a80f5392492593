// What the client libraries send and tell, against a server that notes each request.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { ensureLanguages } from "../../scripts/lib/test/install.mjs";
import { drive, libraries, runProgram, withProgram } from "../support/client-libraries.mjs";

const hits = [];
let baseUrl;
let meta;
const server = createServer(async (request, response) => {
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  hits.push({ path: request.url, body: Buffer.concat(pieces).toString() });
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ data: {}, meta }));
});

before(async () => {
  await ensureLanguages();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  baseUrl = `http://127.0.0.1:${server.address().port}`;
});
after(() => server.close());

/** A test of each library, which begins without requests. */
const testEach = (name, run) => {
  for (const language of Object.keys(libraries))
    test(`${language}: ${name}`, () => {
      hits.length = 0;
      meta = { requestId: "r" };
      return run(language);
    });
};

const errorOf = async (language, client) =>
  (await drive(language, { apiKey: "k", ...client }, [["getBalance"]]))[0].error;

testEach(
  "plain HTTP goes to the hosts that the caller names, and the refusal says how to name one",
  async (language) => {
    const plainHttpHosts = ["Peyk.invalid"];
    const refused = await errorOf(language, { baseUrl: "http://peyk.invalid:8787" });
    assert.equal(refused.kind, "argument");
    assert.match(refused.message, /plain_?http_?hosts/i);
    const called = await errorOf(language, { baseUrl: "http://peyk.invalid:8787", plainHttpHosts, maxAttempts: 1 });
    assert.equal(called.kind, "NetworkError", called.message);
    const other = await errorOf(language, { baseUrl: "http://other.invalid:8787", plainHttpHosts });
    assert.match(other.message, /plain_?http_?hosts/i);
    for (const wrong of [["http://peyk"], [""], [1]])
      assert.match((await errorOf(language, { baseUrl, plainHttpHosts: wrong })).message, /without scheme/, `${wrong}`);
  },
);

testEach("an answer with remarks tells them, and one without tells none", async (language) => {
  const calls = [["send", { message: "سلام {name}", recipients: ["09121234567"] }]];
  const client = { baseUrl, apiKey: "k" };
  assert.deepEqual((await drive(language, client, calls))[0].remarks, []);
  meta = { requestId: "r", warnings: ["The text has {name}."] };
  const [warned, again] = await drive(language, client, [...calls, ...calls]);
  const told = { request: "POST /sms/send", requestId: "r", warnings: meta.warnings, ignored: [] };
  assert.deepEqual([warned.remarks, again.remarks], [[told], [told]]);
  meta = { requestId: "r", ignored: ["priority"] };
  const [{ remarks }] = await drive(language, client, calls);
  assert.deepEqual(remarks, [{ ...told, warnings: [], ignored: ["priority"] }]);
});

testEach("a program that fails over remarks gets the answer all the same", async (language) => {
  meta = { requestId: "r", ignored: ["fail"] };
  const [{ value, remarks, error }] = await drive(language, { baseUrl, apiKey: "k" }, [
    ["send", { message: "x", recipients: ["09121234567"] }],
  ]);
  assert.deepEqual([error, remarks.length], [undefined, 1]);
  assert.ok(value);
});

testEach("an import names the column with the numbers, or none", async (language) => {
  const args = ["b", "mobile,phone\n09121234567,02112345678\n"];
  const calls = [{}, { number: "mobile" }].map((options) => ({ method: "importNumbers", args, options }));
  await drive(language, { baseUrl, apiKey: "k" }, calls);
  const paths = hits.map(({ path }) => path);
  assert.deepEqual(paths, ["/phonebook/b/import", "/phonebook/b/import?number=mobile"]);
});

test("php: a list with gaps in its keys goes out as a list, and attributes as an object", async () => {
  const code = `<?php
    require 'vendor/autoload.php';
    $peyk = new Peyk\\Client('k', getenv('PEYK_URL'));
    $phones = array_filter(['09121234567', '', '09351234567']);
    $peyk->send(['message' => 'a', 'recipients' => $phones]);
    $numbers = [3 => ['number' => '09121234567', 'attributes' => ['2030' => 'gold']], 5 => ['number' => '09351234567', 'attributes' => []]];
    $peyk->addNumbers('b', ['numbers' => $numbers]);`;
  hits.length = 0;
  meta = { requestId: "r" };
  await withProgram("php", code, (file, cwd) => runProgram("php", [file], { cwd, env: { PEYK_URL: baseUrl } }));
  const numbers = [
    { number: "09121234567", attributes: { 2030: "gold" } },
    { number: "09351234567", attributes: {} },
  ];
  assert.deepEqual(
    hits.map(({ body }) => JSON.parse(body)),
    [{ message: "a", recipients: ["09121234567", "09351234567"] }, { numbers }],
  );
});
