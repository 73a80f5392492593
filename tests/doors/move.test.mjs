// `npm run move`, as a program of its own, against the real service: what a shop has elsewhere is here, and its programs find it.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { environment, finished } from "../../scripts/lib/base/command.mjs";
import { inRoot } from "../../scripts/lib/base/paths.mjs";
import { api, sharedServer } from "../support/server.mjs";
import { admin, all, issueKey, openShop } from "../support/shop.mjs";

const server = sharedServer();
const strict = sharedServer(undefined, () => ({ PATTERN_APPROVAL: "true" }));
let folder;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "peyk-move-"));
});
after(() => rm(folder, { recursive: true }));

function fileOf(lines) {
  const file = join(folder, `${randomUUID()}.csv`);
  writeFileSync(file, lines.join("\n"));
  return file;
}

/** Runs `npm run move`: its exit status, and the lines that it printed, with one blank in the place of many. */
async function move(key, args, { url = server.baseUrl, whenOutput = () => {} } = {}) {
  const child = spawn(process.execPath, [inRoot("scripts/move.mjs"), ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...environment(), PEYK_URL: url, PEYK_API_KEY: key },
  });
  let output = "";
  const take = (piece) => {
    output += piece;
    whenOutput(output, child);
  };
  for (const name of ["stdout", "stderr"]) child[name].setEncoding("utf8").on("data", take);
  const { code } = await finished(child);
  const lines = output.split("\n").map((line) => line.trim().replace(/ +/g, " "));
  return { code, output, lines: lines.filter((line) => line && !line.startsWith("waiting for")) };
}

/** Runs it, and holds what it prints against these lines. */
async function moves(key, args, code, lines, options) {
  const run = await move(key, args, options);
  assert.deepEqual([run.code, run.lines], [code, lines], run.output);
}

const unchanged = "nothing was changed; --go does it";

async function done(of, method, path, key, body, status = 200) {
  const answer = await api(of, method, path, { key, body });
  assert.equal(answer.status, status, answer.text);
  return answer.json.data;
}

/** The patterns of an account: the slug, and the number, the status and the text of each version. */
async function patternsOf(key, of = server) {
  const patterns = [];
  for (const { slug } of await all(of, key, "/pattern")) {
    const { versions } = await done(of, "GET", `/pattern/${slug}`, key);
    const told = versions.map(({ version, status, text }) => `${version} ${status} ${text}`);
    patterns.push([slug, ...told.sort()]);
  }
  return patterns.sort();
}

test("a dry run changes nothing, --go makes what it told, and a second one makes nothing", async () => {
  const { key } = await openShop(server, 0);
  await done(server, "POST", "/pattern", key, { slug: "sent", title: "Sent", text: "old %token%" }, 201);
  await done(server, "POST", "/pattern/sent/versions/1/activate", key);
  await done(server, "POST", "/pattern", key, { slug: "drafted", title: "Draft", text: "draft" }, 201);
  const file = fileOf([
    "\ufeffنام قالب;متن;تاریخ",
    "login;کد: %token;1",
    "sent;رفت: %token %token10;2",
    "drafted;draft;3",
    "plain;سلام;4",
  ]);
  const before = await patternsOf(key);
  const unused = "columns that are not used: تاریخ";
  await moves(key, ["kavenegar", file], 0, [
    unused,
    "line pattern",
    "2 login would be made, with %token%",
    "3 sent is there with another text: would get version 2 in the place of version 1, with %token%, %token10%",
    "4 drafted version 1 has this text and would be activated",
    "5 plain would be made, without a placeholder",
    "2 would be made, 1 would get a new version, 1 would be activated",
    unchanged,
  ]);
  assert.deepEqual(await patternsOf(key), before);
  await moves(key, ["kavenegar", file, "--go"], 0, [
    unused,
    "line pattern",
    "2 login made and active",
    "3 sent made as version 2 and active",
    "4 drafted version 1 and active",
    "5 plain made and active",
    "2 made, 1 with a new version, 1 activated",
  ]);
  const moved = await patternsOf(key);
  assert.deepEqual(moved, [
    ["drafted", "1 ACTIVE draft"],
    ["login", "1 ACTIVE کد: %token%"],
    ["plain", "1 ACTIVE سلام"],
    ["sent", "1 RETIRED old %token%", "2 ACTIVE رفت: %token% %token10%"],
  ]);
  await moves(key, ["kavenegar", file, "--go"], 0, [
    unused,
    "line pattern",
    ...["2 login", "3 sent", "4 drafted", "5 plain"].map((row) => `${row} is there with this text`),
    "4 there already",
  ]);
  assert.deepEqual(await patternsOf(key), moved);
});

test("a program for Kavenegar finds the pattern that was moved, and fills in its tokens", async () => {
  const { key } = await openShop(server, 100_000);
  const file = fileOf(["template,text", 'welcome,"%token10 عزیز، کد شما: %token', 'لغو 11"']);
  assert.equal((await move(key, ["kavenegar", file, "--go"])).code, 0);
  const sent = await api(server, "POST", `/v1/${key}/verify/lookup.json`, {
    raw: new URLSearchParams({ receptor: "09121234567", template: "welcome", token: "48213", token10: "سارا رضایی" }),
  });
  assert.deepEqual([sent.status, sent.json.return.status], [200, 200], sent.text);
  const [message] = await all(server, key, "/messages");
  assert.deepEqual([message.type, message.message], ["PATTERN", "سارا رضایی عزیز، کد شما: 48213\nلغو 11"]);
});

test("patterns of the other providers are sent by their own names, with the variables that their programs fill", async () => {
  const { key } = await openShop(server, 100_000);
  const sid = `HX${"0a".repeat(16)}`;
  for (const [provider, lines, pattern, variables, text] of [
    ["ippanel", ["code,message", "t2cfmnyo0c,سلام %name%"], "t2cfmnyo0c", { name: "سارا" }, "سلام سارا"],
    ["smsir", ["TemplateId,Name,Text", "100000,Login,Your code: #CODE#"], "100000", { CODE: 7 }, "Your code: 7"],
    ["twilio", ["sid,friendly_name,body", `${sid},Hi,Hi {{1}} and {{2}}`], sid, { _1: "a", _2: "b" }, "Hi a and b"],
  ]) {
    const run = await move(key, [provider, fileOf(lines), "--go"]);
    assert.equal(run.code, 0, run.output);
    const sent = await done(server, "POST", "/sms/pattern", key, { pattern, variables, recipient: "09121234567" }, 201);
    assert.equal((await done(server, "GET", `/messages/${sent.uid}`, key)).message, text);
  }
});

test("bad lines are told with what to change, and the good ones are moved", async () => {
  const { key } = await openShop(server, 0);
  const file = fileOf(["name,text", "no blanks,a", "good,a {name}", "login,%token40"]);
  const bad = [
    "2 no blanks bad: \"no blanks\" can't be a pattern's name, which has 3 to 64 of A-Z, a-z, 0-9, _ and -: write another one here and in the program that sends it",
    "4 login bad: %token40 is none of the tokens of Kavenegar: token, token2, token3, token10, token20",
  ];
  await moves(key, ["kavenegar", file], 1, [
    "line pattern",
    bad[0],
    "3 good would be made, without a placeholder",
    bad[1],
    "2 bad, 1 would be made",
    unchanged,
  ]);
  assert.deepEqual(await patternsOf(key), []);
  const warned = "The text has {name}, which is sent as it is: a placeholder is written %NAME%.";
  await moves(key, ["kavenegar", file, "--go"], 1, [
    "line pattern",
    bad[0],
    `3 good made and active; ${warned}`,
    bad[1],
    "2 bad, 1 made",
  ]);
  assert.deepEqual(await patternsOf(key), [["good", "1 ACTIVE a {name}"]]);
});

test("a key that may not do it is told, and nothing is changed", async () => {
  const shop = await openShop(server, 0);
  const file = fileOf(["name,text", "login,a"]);
  const { key: narrow } = await issueKey(server, shop.id, { scopes: ["sms:send"] });
  const { key: test } = await issueKey(server, shop.id, { mode: "test" });
  const url = server.baseUrl;
  for (const [key, told] of [
    ["peyk_live_wrong", `peyk: ${url} does not know the key in PEYK_API_KEY`],
    [narrow, `peyk: ${url} refuses the key in PEYK_API_KEY: `],
    [test, "peyk: PEYK_API_KEY is a test key, which changes nothing live"],
  ]) {
    const { code, lines } = await move(key, ["kavenegar", file, "--go"]);
    assert.deepEqual([code, lines[0].slice(0, told.length)], [1, told]);
  }
  const gone = await move(shop.key, ["keys", file]);
  assert.equal(gone.code, 1);
  assert.deepEqual(await patternsOf(shop.key), []);
});

test("a rate limit makes it slower, and loses nothing", async () => {
  const { key } = await openShop(server, 0, { rateLimit: { limit: 10, windowSeconds: 1, burst: 4 } });
  const names = Array.from({ length: 8 }, (_, at) => `pattern-${at}`);
  const run = await move(key, ["kavenegar", fileOf(["name,text", ...names.map((name) => `${name},%token`)]), "--go"]);
  assert.deepEqual([run.code, run.lines.at(-1)], [0, "8 made"], run.output);
  const patterns = await all(server, server.adminKey, "/admin/patterns");
  assert.deepEqual(patterns, []);
});

test("whoever stops it reads what was done and what was not, and a second run does the rest", async () => {
  const plenty = { limit: 100_000, windowSeconds: 1, burst: 10_000 };
  const { id, key } = await openShop(server, 0, { rateLimit: { limit: 1, windowSeconds: 60, burst: 4 } });
  const args = ["kavenegar", fileOf(["name,text", "one,1", "two,2", "three,3", "fourth,bad %token9"]), "--go"];
  const whenOutput = (output, child) => output.includes("made and active") && child.kill("SIGINT");
  const { code, lines, output } = await move(key, args, { whenOutput });
  assert.deepEqual(
    [code, lines[1], lines[3], lines[5]],
    [1, "2 one made and active", "4 three not reached", "1 made, 2 not reached, 1 bad"],
    output,
  );
  assert.match(lines[2], /^3 two (?:made, but not active; )?broken off: stopped$/);
  assert.equal(lines[6], "peyk: stopped");
  const changed = await admin(server, "PATCH", `/admin/accounts/${id}`, { rateLimit: plenty });
  assert.equal(changed.status, 200, changed.text);
  assert.ok((await patternsOf(key)).length < 3);
  assert.equal((await move(key, args)).code, 1);
  assert.deepEqual(await patternsOf(key), [
    ["one", "1 ACTIVE 1"],
    ["three", "1 ACTIVE 3"],
    ["two", "1 ACTIVE 2"],
  ]);
});

test("a service that requires approval keeps the versions waiting, and a second run makes no more", async () => {
  const { id, key } = await openShop(strict, 0);
  const [options, file] = [{ url: strict.baseUrl }, fileOf(["name,text", "login,کد: %token"])];
  const waiting = "1 wait for approval: an operator activates them, and sends use them from then on";
  const go = ["kavenegar", file, "--go"];
  await moves(key, go, 0, ["line pattern", "2 login made: waits for approval", "1 made", waiting], options);
  const again = ["line pattern", "2 login version 1 has this text and waits for approval", "1 there, but not approved"];
  await moves(key, go, 0, [...again, waiting], options);
  assert.deepEqual(await patternsOf(key, strict), [["login", "1 PENDING کد: %token%"]]);
  await done(strict, "POST", `/admin/accounts/${id}/patterns/login/versions/1/activate`, strict.adminKey);
  await moves(key, go, 0, ["line pattern", "2 login is there with this text", "1 there already"], options);
});

/** The numbers of the phonebook with this title. */
async function numbersOf(key, title) {
  const book = (await all(server, key, "/phonebook")).find((found) => found.title === title);
  if (!book) return null;
  const numbers = await all(server, key, `/phonebook/number/${book.id}`);
  return numbers.map(({ number, name, attributes }) => [number, name, attributes]).sort();
}

test("a phonebook is told, made and filled, and a second run adds nobody", async () => {
  const { key } = await openShop(server, 0);
  const file = fileOf([
    "نام;شماره موبایل;شهر;علت",
    "علی;09121234567;تهران;x",
    "سارا;۰۹۳۵۱۲۳۴۵۶۷;;",
    "کسی;0912;;",
    ";+989121234567;شیراز;",
    "خارج;09991234567;;",
    `${"x".repeat(201)};09361234567;;`,
  ]);
  const read = [
    "columns name ← نام, number ← شماره موبایل, %شهر% ← شهر",
    "not used علت",
    "numbers 4, and 1 that come again: the last line counts",
  ];
  const bad = 'line 4: "0912" is not a valid phone number';
  const args = ["phonebook", file, "--name", "Customers"];
  await moves(key, args, 1, [
    ...read,
    'phonebook "Customers" would be made',
    "dry run 4 would be added, 0 are there and would get what the file says; 1 bad",
    bad,
    unchanged,
  ]);
  assert.equal(await numbersOf(key, "Customers"), null);
  const refused = [bad, "line 7: name: must have at most 200 characters"];
  await moves(key, [...args, "--go"], 1, [
    ...read,
    'phonebook "Customers" is made',
    "moved 4 of 4",
    "done 3 added, 0 were there; 2 bad",
    ...refused,
  ]);
  const numbers = [
    ["+989121234567", "علی", { شهر: "شیراز" }],
    ["+989351234567", "سارا", {}],
    ["+989991234567", "خارج", {}],
  ];
  assert.deepEqual(await numbersOf(key, "Customers"), numbers);
  await moves(key, args, 1, [
    ...read,
    'phonebook "Customers" is there with 3 numbers',
    "dry run 1 would be added, 3 are there and would get what the file says; 1 bad",
    bad,
    unchanged,
  ]);
  const again = await move(key, [...args, "--go"]);
  assert.deepEqual([again.code, again.lines.slice(-3)], [1, ["done 0 added, 3 were there; 2 bad", ...refused]]);
  assert.deepEqual(await numbersOf(key, "Customers"), numbers);
});

test("keys are imported as they are, and the programs that have them go on", async () => {
  const shop = await openShop(server, 100_000);
  const other = await openShop(server, 0);
  const { username } = (await admin(server, "GET", `/admin/accounts/${shop.id}`)).json.data;
  const keys = Array.from({ length: 4 }, () => randomUUID().replaceAll("-", "").repeat(2));
  const hint = (at) => `${keys[at].slice(0, 4)}… (64 characters)`;
  const taken = await issueKey(server, other.id, { key: keys[2] });
  assert.equal(taken.key, keys[2]);
  const file = fileOf([
    "account,key,title,scopes",
    `${username},${keys[0]},App,sms:send sms:read`,
    `${shop.id},${keys[1]},Cron,`,
    `${username},${keys[2]},Taken,`,
    `nobody-${username},${keys[3]},Lost,`,
  ]);
  const bad = [
    new RegExp(`^4 ${username} ${hint(2).replace("(", "\\(").replace(")", "\\)")} belongs to the account "shop-`),
    new RegExp(`^5 nobody-${username} .{5} \\(64 characters\\): there is no account "nobody-${username}"$`),
  ];
  const run = async (args, first, last) => {
    const { code, lines, output } = await move(server.adminKey, ["keys", file, ...args]);
    assert.deepEqual([code, lines.slice(1, 3), lines[5]], [1, first, last], output);
    bad.forEach((pattern, at) => {
      assert.match(lines[3 + at], pattern);
    });
    for (const key of keys) assert.ok(!output.includes(key.slice(0, 17)), output);
  };
  const rows = [`2 ${username} ${hint(0)}`, `3 ${shop.id} ${hint(1)}`];
  const known = async () => (await all(server, server.adminKey, `/admin/accounts/${shop.id}/keys`)).length;
  const before = await known();
  await run(
    [],
    [`${rows[0]} would be imported with sms:send sms:read`, `${rows[1]} would be imported with the usual scopes`],
    "2 would be made, 2 bad",
  );
  assert.equal(await known(), before);
  await run(["--go"], [`${rows[0]} imported`, `${rows[1]} imported`], "2 made, 2 bad");
  assert.equal(await known(), before + 2);
  const sent = { message: "hello", recipients: ["09121234567"] };
  for (const key of keys.slice(0, 2)) await done(server, "POST", "/sms/send", key, sent, 201);
  const refused = await api(server, "GET", "/pattern", { key: keys[0] });
  assert.equal(refused.status, 403);
  await run(["--go"], [`${rows[0]} is there`, `${rows[1]} is there`], "2 there already, 2 bad");
  assert.equal(await known(), before + 2);
});
