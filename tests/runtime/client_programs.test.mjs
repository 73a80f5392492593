// What programs do with the client libraries: the receivers of webhooks, the installation, a plugin, a worker.
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import * as typescript from "../../clients/typescript/src/index.mjs";
import { inRoot, root } from "../../scripts/lib/base/paths.mjs";
import { ensurePythonTools } from "../../scripts/lib/release/python-tools.mjs";
import {
  drive,
  libraries,
  readFileOf,
  runInstall,
  runProgram,
  versionOf,
  withProgram,
  withReceiver,
} from "../support/client-libraries.mjs";
import {
  assertOneMessage,
  closeAfterwards,
  kept,
  number,
  post,
  proxy,
  server,
  testEach,
  turnedAway,
  values,
} from "../support/client-tests.mjs";
import { listen } from "../support/receiver.mjs";
import { until } from "../support/server.mjs";
import { openShop } from "../support/shop.mjs";

/** The published vectors of Standard Webhooks, as calls of the drivers. */
const vectors = JSON.parse(readFileSync(inRoot("tests", "vectors", "webhooks.json"), "utf8")).vectors.map(
  ({ secret, id, timestamp, body, signature }) => ({
    body: Buffer.from(body).toString("base64"),
    headers: { "webhook-id": id, "webhook-timestamp": String(timestamp), "webhook-signature": signature },
    secrets: secret,
    now: timestamp,
  }),
);

/** Proofs that the service has made. */
const proofs = JSON.parse(readFileSync(inRoot("tests", "vectors", "proofs.json"), "utf8"));

testEach("a webhook is verified as the published vectors say, and nothing else is", async (language) => {
  const [good, other] = vectors;
  const secret = good.secrets;
  const withHeaders = (headers) => ({ ...good, headers: { ...good.headers, ...headers } });
  const without = (name) => {
    const { [name]: _, ...headers } = good.headers;
    return { ...good, headers };
  };
  const signature = good.headers["webhook-signature"];
  const isTrue = [
    ...vectors,
    { ...good, secrets: secret.slice("whsec_".length) },
    { ...good, secrets: [other.secrets, secret] },
    { ...good, now: good.now + 300 },
    { ...good, now: good.now - 300 },
    { ...good, now: good.now + 900, tolerance: 900 },
    { ...good, headers: Object.fromEntries(Object.entries(good.headers).map(([k, v]) => [k.toUpperCase(), v])) },
    withHeaders({ "webhook-signature": `v1,AAAA v2,x ${signature}` }),
    { ...good, headers: Object.fromEntries(Object.entries(good.headers).map(([k, v]) => [k, [v]])) },
    withHeaders({ "webhook-signature": ["v1,AAAA", signature] }),
  ];
  const isRefused = [
    { ...good, body: other.body },
    { ...good, secrets: other.secrets },
    { ...good, now: good.now + 301 },
    { ...good, now: good.now - 301 },
    { ...good, now: undefined },
    withHeaders({ "webhook-id": other.headers["webhook-id"] }),
    withHeaders({ "webhook-timestamp": String(good.now + 1) }),
    withHeaders({ "webhook-timestamp": `${good.now}.0` }),
    withHeaders({ "webhook-timestamp": "" }),
    withHeaders({ "webhook-signature": "" }),
    withHeaders({ "webhook-signature": "v1," }),
    withHeaders({ "webhook-signature": "v1,é*" }),
    withHeaders({ "webhook-signature": [] }),
    withHeaders({ "webhook-signature": [null] }),
    withHeaders({ "webhook-signature": [[signature]] }),
    withHeaders({ "webhook-timestamp": [String(good.now), String(good.now)] }),
    withHeaders({ "webhook-signature": signature.replace("v1,", "v2,") }),
    withHeaders({ "webhook-signature": signature.slice("v1,".length) }),
    ...Object.keys(good.headers).map(without),
  ];
  const isAMistake = ["", "whsec_", "whsec_*", [], [secret, ""]].map((secrets) => ({ ...good, secrets }));
  const cases = [
    ...isTrue.map((given) => [given, { value: true }]),
    ...isRefused.map((given) => [given, "SignatureError"]),
    ...isAMistake.map((given) => [given, "argument"]),
  ];
  const calls = cases.map(([given]) => ["verifyWebhook", given]);
  const outcomes = await drive(language, { baseUrl: "http://127.0.0.1", apiKey: "k" }, calls);
  for (const [index, [given, expected]] of cases.entries()) {
    const { value, error } = outcomes[index];
    assert.deepEqual(error ? error.kind : { value }, expected, JSON.stringify(given));
  }
});

test("python and php: the headers of a request are found where WSGI, Django and PHP's $_SERVER keep them", async () => {
  const [good, other] = vectors;
  const asVariable = ([name, value]) => [`HTTP_${name.toUpperCase().replaceAll("-", "_")}`, value];
  const kept = (headers) => ({
    REQUEST_TIME: 1,
    argv: [],
    ...Object.fromEntries(Object.entries(headers).map(asVariable)),
  });
  const calls = [good.headers, other.headers].map((headers) => ["verifyWebhook", { ...good, headers: kept(headers) }]);
  for (const language of ["python", "php"]) {
    const [taken, refused] = await drive(language, { baseUrl: "http://127.0.0.1", apiKey: "k" }, calls);
    assert.deepEqual([taken.value, refused.error?.kind], [true, "SignatureError"], language);
  }
});

/** An event as Peyk sends it now, for a program that uses the machine's clock. */
function eventOf(secret) {
  const body = JSON.stringify({ id: "evt_1", type: "webhook.test", createdAt: "…", data: { endpoint: "e" } });
  const timestamp = String(Math.floor(Date.now() / 1000));
  const mac = createHmac("sha256", Buffer.from(secret.slice("whsec_".length), "base64"));
  const signature = `v1,${mac.update(`evt_1.${timestamp}.${body}`).digest("base64")}`;
  return { body, headers: { "webhook-id": "evt_1", "webhook-timestamp": timestamp, "webhook-signature": signature } };
}

test("all languages verify an event of the service, with the old secret and the new one", async () => {
  const shop = await openShop(server, 0);
  const receiver = closeAfterwards(await listen());
  const { id, secret } = await post(shop, "/webhook", { url: receiver.url(), events: ["message.status"] });
  const rotated = await post(shop, `/webhook/${id}/rotate`);
  await post(shop, `/webhook/${id}/test`);
  const [{ headers, body }] = await until(() => receiver.hits.length > 0 && receiver.hits, { what: "the event" });
  const calls = [secret, rotated.secret].map((secrets) => [
    "verifyWebhook",
    { body: body.toString("base64"), headers, secrets },
  ]);
  for (const language of Object.keys(libraries))
    assert.deepEqual(await values(language, { baseUrl: server.baseUrl, apiKey: "k" }, calls), [true, true]);
});

/** Programs that put an open file into a phonebook, and write what the answer counts as added. */
const uploads = {
  typescript: (id, file) => `
    import { openAsBlob } from "node:fs";
    import { Client } from "@peyk/client";
    const peyk = new Client({ apiKey: process.env.PEYK_API_KEY, baseUrl: process.env.PEYK_URL });
    console.log((await peyk.importNumbers("${id}", await openAsBlob("${file}"))).added);`,
  python: (id, file) => `
import os
from peyk import Client
with open("${file}", "rb") as file:
    print(Client(os.environ["PEYK_API_KEY"], os.environ["PEYK_URL"]).import_numbers("${id}", file)["added"])`,
  php: (id, file) => `<?php
    require 'vendor/autoload.php';
    $peyk = new Peyk\\Client(getenv('PEYK_API_KEY'), getenv('PEYK_URL'));
    echo $peyk->importNumbers('${id}', fopen('${file}', 'r'))['added'];`,
};

testEach("a file that is open goes into a phonebook, also if an answer gets lost", async (language) => {
  const shop = await openShop(server, 0);
  const { id } = await post(shop, "/phonebook", { title: "Customers" });
  const through = await proxy([{ reaches: false, answer: "broken" }]);
  const { program, env } = libraries[language];
  const added = await withProgram(language, uploads[language](id, "numbers.csv"), (file, cwd) => {
    writeFileSync(join(cwd, "numbers.csv"), "number,name\n09121234567,علی\n09351234567,سارا\n");
    return runProgram(program, [file], { cwd, env: { ...env, PEYK_API_KEY: shop.key, PEYK_URL: through.baseUrl } });
  });
  assert.equal(added.trim(), "2");
  assert.equal(through.requests.length, 2);
  assert.equal(through.requests[0].body, through.requests[1].body);
});

/**
 * How a program of a new folder finds the library that was installed there. Nobody asks a registry: npm is told not to, and
 * pip builds with the tools that are there.
 */
const installed = {
  typescript: {
    env: async () => ({ npm_config_offline: "true", npm_config_audit: "false", npm_config_fund: "false" }),
    run: (cwd) => {
      writeFileSync(join(cwd, "program.mjs"), 'import { VERSION } from "@peyk/client";\nconsole.log(VERSION);\n');
      return runProgram(process.execPath, ["program.mjs"], { cwd });
    },
  },
  python: {
    env: async (cwd) => ({
      PATH: `${dirname(await ensurePythonTools())}:${process.env.PATH}`,
      PIP_NO_INDEX: "1",
      PIP_NO_BUILD_ISOLATION: "0",
      PIP_TARGET: join(cwd, "packages"),
    }),
    run: (cwd) =>
      runProgram("python3", ["-c", "import peyk; print(peyk.VERSION)"], {
        env: { PYTHONPATH: join(cwd, "packages"), PYTHONDONTWRITEBYTECODE: "1" },
      }),
  },
  php: {
    env: async () => ({}),
    run: (cwd) => {
      writeFileSync(
        join(cwd, "program.php"),
        "<?php require __DIR__ . '/peyk/autoload.php'; echo Peyk\\Client::VERSION;",
      );
      return runProgram("php", [join(cwd, "program.php")]);
    },
  },
};

testEach("the commands of the README install the library from the repository", async (language) => {
  const dir = mkdtempSync(join(tmpdir(), "peyk-install-"));
  // A library may be cloned beside the program.
  const cwd = join(dir, "program");
  try {
    mkdirSync(cwd);
    const { env, run } = installed[language];
    await runInstall(language, cwd, { PEYK_REPOSITORY: `file://${root}`, ...(await env(cwd)) });
    assert.equal((await run(cwd)).trim(), versionOf(language));
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});

testEach("the receiver of the README takes a webhook, and refuses one that is altered", async (language) => {
  const [{ secrets: secret }] = vectors;
  await withReceiver(language, secret, async (receive) => {
    const event = eventOf(secret);
    assert.equal(await receive(event), 204);
    assert.equal(await receive({ ...event, body: event.body.replace("test", "best") }), 401);
  });
});

/** Runs the plugin beside the library, without Composer. */
const runPlugin = (job) =>
  withProgram("php", readFileOf("php", join("examples", "woocommerce.php")), async (plugin, dir) => {
    symlinkSync(inRoot("clients", "php"), join(dir, "peyk"));
    const stand = inRoot("clients", "php", "tests", "woocommerce.php");
    return JSON.parse(await runProgram("php", [stand, plugin, JSON.stringify(job)]));
  });

test("php: the plugin for WooCommerce texts the customer once for each status, and notes what fails", async () => {
  const shop = await openShop(server, 10_000);
  const job = {
    apiKey: shop.key,
    baseUrl: server.baseUrl,
    activates: true,
    orders: [
      [17, "0912 123 4567"],
      [18, "12"],
      [19, ""],
    ],
    changes: [
      [17, "pending", "processing"],
      [17, "processing", "on-hold"],
      [17, "on-hold", "processing"],
      [18, "pending", "processing"],
      [19, "pending", "processing"],
    ],
  };
  const { notes, codes } = await runPlugin(job);
  assert.deepEqual([notes[17], notes[19]], [[], []]);
  assert.match(notes[18][0], /^پیامک به 12 فرستاده نشد: recipient: /);
  assert.deepEqual(codes, [false, true, false]);
  const [login, sent, ...others] = await kept(shop);
  assert.deepEqual(others, []);
  const text = "سفارش شما با شماره 17 ثبت شد و در حال آماده‌سازی است.\nفروشگاه نمونه";
  assert.deepEqual([sent.message, sent.clientRef, sent.type], [text, "order-17", "PATTERN"]);
  assert.match(login.message, /^کد ورود شما: \d{6}\nاین کد را به کسی ندهید\.\nفروشگاه نمونه$/);
  const broken = await proxy(Array(9).fill({ answer: "broken" }));
  const again = await runPlugin({ ...job, baseUrl: broken.baseUrl, activates: false });
  assert.match(again.notes[17][0], /^پیامک به 0912 123 4567 شاید فرستاده نشده باشد/);
  assert.equal((await kept(shop)).length, 2);
});

test("typescript: runs in a worker", async () => {
  const shop = await openShop(server, 10_000);
  const part = (name, contents = readFileOf("typescript", join("src", name))) => ({
    type: "ESModule",
    path: name,
    contents,
  });
  const options = convertV4MiniflareOptions({
    compatibilityDate: "2025-01-01",
    bindings: { apiKey: shop.key, baseUrl: server.baseUrl, vectors, proofs },
    modules: [
      part("worker.mjs", workerCode),
      ...["index", "client", "operations", "transport", "config", "pause", "errors", "proof", "webhook"].map((name) =>
        part(`${name}.mjs`),
      ),
    ],
  });
  const worker = new Miniflare(options);
  try {
    const answer = await (await worker.dispatchFetch("http://worker.example/")).json();
    assert.deepEqual([answer.code, answer.verified], [3012, [true, true]]);
    assert.deepEqual(
      answer.proved,
      proofs.good.map(({ content }) => content),
    );
    assert.deepEqual(
      answer.reasons,
      proofs.refused.map(({ why }) => why),
    );
    await assertOneMessage(shop, answer.uid);
  } finally {
    await worker.dispose();
  }
});
const workerCode = `
  import { Client, verifyProof, verifyWebhook } from "./index.mjs";
  const verified = ({ body, headers, secrets, now }) =>
    verifyWebhook(atob(body), new Headers(headers), secrets, { now });
  export default {
    async fetch(request, { apiKey, baseUrl, vectors, proofs }) {
      const client = new Client({ apiKey, baseUrl });
      const text = { message: "hello", recipients: ["${number}"] };
      const { uid } = await client.send(text);
      const { code } = await client.send({ ...text, sourceNumber: "30001234" }).catch((error) => error);
      const check = ({ token, options }) => verifyProof(token, proofs.keys, { ...proofs.options, ...options });
      const proved = await Promise.all(proofs.good.map(check));
      const reasons = await Promise.all(proofs.refused.map((one) => check(one).catch(({ reason }) => reason)));
      return Response.json({ uid, code, proved, reasons, verified: await Promise.all(vectors.map(verified)) });
    },
  };`;

test("typescript: a caller's signal ends a call and its waits", { timeout: 15 * 60_000 }, async () => {
  const waiting = await proxy([turnedAway(503, { "retry-after": "86400" })]);
  const silent = await proxy([{ reaches: false, answer: "silent" }]);
  for (const through of [waiting, silent]) {
    const client = new typescript.Client({
      apiKey: "k",
      baseUrl: through.baseUrl,
      timeoutMs: 86_400_000,
      maxRetryAfterMs: 86_400_000,
    });
    const controller = new AbortController();
    const call = assert.rejects(client.getBalance({ signal: controller.signal }), /^Error: enough$/);
    await until(() => through.requests.length === 1, { interval: 10, what: "the request" });
    // Another request takes as long as the first answer needs to come.
    await fetch(`${through.baseUrl}/health`);
    controller.abort(new Error("enough"));
    await call;
    assert.equal(through.requests.length, 2);
  }
});

test("typescript: the declarations name what the modules have", () => {
  const declarationsOf = (module) => readFileOf("typescript", join("src", `${module}.d.mts`));
  const declared = (pattern, text) => [...text.matchAll(pattern)].map(([, name]) => name).sort();
  const methodsOf = (prototype) => Object.getOwnPropertyNames(prototype).filter((name) => name !== "constructor");
  assert.deepEqual(
    declared(/^export declare (?:class|const|function) (\w+)/gm, declarationsOf("index")),
    Object.keys(typescript).sort(),
  );
  let { prototype } = typescript.Client;
  for (const [module, name] of Object.entries({ index: "Client", operations: "Operations", transport: "Transport" })) {
    const [, members] = new RegExp(`^export declare class ${name} .*\\{\n([\\s\\S]*?)^\\}`, "m").exec(
      declarationsOf(module),
    );
    const names = declared(/^ {2}(\w+)[<(]/gm, members).filter((name) => name !== "constructor");
    assert.deepEqual(names, methodsOf(prototype).sort(), name);
    prototype = Object.getPrototypeOf(prototype);
  }
});
