// What `npm run serve` decides before anything runs: settings, the folder, and when the crons are due.
import assert from "node:assert/strict";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import * as files from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, mock, test } from "node:test";
import { Failure } from "../../scripts/lib/base/command.mjs";
import { operatorEntry } from "../../scripts/lib/base/keys.mjs";
import { inRoot } from "../../scripts/lib/base/paths.mjs";
import { startCrons } from "../../scripts/lib/serve/cron.mjs";
import { migrate } from "../../scripts/lib/serve/directory.mjs";
import { ensureClock, ensureFolder, ensureNotNewer, placesIn, versionIn } from "../../scripts/lib/serve/folder.mjs";
import { flushKeys, watchKeys } from "../../scripts/lib/serve/key-files.mjs";
import { firstOperator, hasOperator } from "../../scripts/lib/serve/operator.mjs";
import { closedNetworks } from "../../scripts/lib/serve/service/outside.mjs";
import { logFormatOf, readSettings, workerSettings } from "../../scripts/lib/serve/settings.mjs";
import { clockLook } from "../../scripts/lib/serve/watches.mjs";
import { rest } from "../support/clock.mjs";
import { until } from "../support/server.mjs";

const home = mkdtempSync(join(tmpdir(), "peyk-serve-native-"));
after(() => rmSync(home, { recursive: true, force: true }));
let made = 0;
const newFolder = () => {
  made += 1;
  const dir = join(home, `${made}`);
  mkdirSync(dir);
  return placesIn(dir);
};

test("the command and docs/operating.md have the settings that the worker reads, and docs/self-hosting.md those of the command", () => {
  const [code] = readFileSync(inRoot("src", "base", "config.rs"), "utf8").split("#[cfg(test)]");
  const read = [...code.matchAll(/"([A-Z][A-Z0-9_]{3,})"/g)].map(([, name]) => name);
  const [, table] = readFileSync(inRoot("docs", "operating.md"), "utf8").split(/^## Settings$/m);
  const told = [...table.split(/^## /m)[0].matchAll(/^\| `([A-Z0-9_]+)` \|/gm)].map(([, name]) => name);
  for (const names of [workerSettings, told]) assert.deepEqual(names.toSorted(), [...new Set(read)].toSorted());
  const page = readFileSync(inRoot("docs", "self-hosting.md"), "utf8");
  for (const name of ["TRUSTED_PROXIES", "PRIVATE_NETWORKS", "LOG_FORMAT"])
    assert.match(page, new RegExp(`^\\| \`${name}\` \\|`, "m"));
});

test("the form of the log is a setting of the command alone, and the environment goes before the file", () => {
  const places = newFolder();
  assert.equal(logFormatOf(places, {}), undefined);
  writeFileSync(places.settings, 'LOG_FORMAT = "json"\n');
  assert.equal(logFormatOf(places, {}), "json");
  assert.equal(logFormatOf(places, { LOG_FORMAT: "text" }), "text");
  assert.deepEqual(readSettings(places, {}).settings, {});
  assert.deepEqual(readSettings(places, {}).faults, []);
  assert.deepEqual(readSettings(places, { LOG_FORMAT: "xml" }).faults, ['LOG_FORMAT="xml" must be text or json.']);
  writeFileSync(places.settings, "LOG_FORMAT = ");
  assert.equal(logFormatOf(places, {}), undefined);
});

const settingsOf = (toml, env = {}) => {
  const places = newFolder();
  writeFileSync(places.settings, toml);
  return readSettings(places, env);
};

test("settings are texts, numbers, truths or lists, and the environment goes before the file", () => {
  const toml =
    'MAX_PARTS = 3\nPATTERN_APPROVAL = true\nDOORS = ["twilio", "smsir"]\nOPT_OUT_WORDS = "STOP, لغو"\nAUDIT_DAYS = "30"\n';
  const { settings, fromEnvironment, faults } = settingsOf(toml, { AUDIT_DAYS: "60", HOME: "/root" });
  assert.deepEqual([fromEnvironment, faults], [["AUDIT_DAYS"], []]);
  const texts = {
    MAX_PARTS: "3",
    PATTERN_APPROVAL: "true",
    DOORS: "twilio,smsir",
    OPT_OUT_WORDS: "STOP, لغو",
    AUDIT_DAYS: "60",
  };
  assert.deepEqual(settings, texts);
  const own = settingsOf(
    'TRUSTED_PROXIES = ["127.0.0.1", "fd00::/8"]\nPRIVATE_NETWORKS = "10.0.0.0/8, 192.168.0.7, ::1"\n',
  );
  assert.deepEqual([own.settings, own.trustedProxies], [{}, "127.0.0.1,fd00::/8"]);
  assert.deepEqual(own.networks, ["10.0.0.0/8", "192.168.0.7/32", "::1/128"]);
});

test("each fault of the settings has a sentence", () => {
  const toml =
    "retention = 3\nMAX_PARTS = 1.5\nDOORS = [[1]]\nPUBLIC_URL = 'http://sms.example.com'\nTRUSTED_PROXIES = 'proxy'\n[LOG_REQUESTS]\n";
  const { faults } = settingsOf(toml, { PRIVATE_NETWORKS: "10.0.0.0/99" });
  assert.equal(faults.length, 7, faults.join("\n"));
  assert.match(faults[0], /^retention in .* is no setting\. Did you mean RETENTION_DAYS\?$/);
  for (const url of ["https://sms.example.com", "http://127.0.0.1:8787", "http://localhost"])
    assert.deepEqual(settingsOf(`PUBLIC_URL = "${url}"`).faults, [], url);
  assert.throws(() => settingsOf("x"), Failure);
});

test("a folder that is no place for data is refused, and stays as it is", () => {
  const other = newFolder();
  writeFileSync(join(other.dir, "photo.jpg"), "");
  assert.throws(() => ensureFolder(other), /has other things in it \(photo\.jpg\)/);
  assert.throws(() => ensureFolder(placesIn(join(other.dir, "photo.jpg", "data"))), /can't be made/);
  const prepared = newFolder();
  writeFileSync(prepared.settings, "");
  ensureFolder(prepared);
  ensureFolder(placesIn(join(home, "new", "data")));
  assert.throws(() => ensureFolder(prepared, () => 5 << 20), /is full: it has 5 MiB left, and a start needs 64/);
  assert.deepEqual(readdirSync(prepared.dir), ["peyk.toml"]);
  chmodSync(prepared.dir, 0o770);
  assert.throws(() => ensureFolder(prepared), /others may write into/);
  chmodSync(prepared.dir, 0o755);
  ensureFolder(prepared);
  // Root may give a folder to somebody else; others find one that is root's.
  const foreign = process.getuid() === 0 ? prepared.dir : "/";
  if (foreign !== "/") chownSync(foreign, 65_534, 65_534);
  assert.throws(() => ensureFolder(placesIn(foreign)), /belongs to another user/);
});

test("a folder has one name, also where a link leads to it", () => {
  const { dir } = newFolder();
  symlinkSync(dir, `${dir}-link`);
  assert.deepEqual(placesIn(`${dir}-link`), placesIn(dir));
});

test("data of a newer version are refused, and so is a file that names none", () => {
  const places = newFolder();
  assert.equal(versionIn(places), undefined);
  writeFileSync(places.version, '{"peyk":"0.10.0","format":1}');
  ensureNotNewer(places, versionIn(places), "0.10.0");
  assert.throws(
    () => ensureNotNewer(places, versionIn(places), "0.9.0"),
    /are those of Peyk 0\.10\.0, and this is 0\.9\.0/,
  );
  assert.throws(() => ensureNotNewer(places, { peyk: "0.1.0", format: 2 }, "0.9.0"), Failure);
  for (const [older, newer] of [
    ["0.10.0-rc.1", "0.10.0"],
    ["0.9.9", "0.10.0-rc.1"],
    ["0.10.0-rc.2", "0.10.0-rc.10"],
  ]) {
    ensureNotNewer(places, { peyk: older, format: 1 }, newer);
    assert.throws(() => ensureNotNewer(places, { peyk: newer, format: 1 }, older), Failure, newer);
  }
  writeFileSync(places.version, "{}");
  assert.throws(() => versionIn(places), /should name the version/);
});

test("a clock that is behind the newest file of the stores is refused", () => {
  const places = newFolder();
  ensureClock(places);
  mkdirSync(join(places.state, "do"), { recursive: true });
  const file = join(places.state, "do", "one.sqlite");
  writeFileSync(file, "");
  const written = Date.parse("2026-11-30T12:00:00Z") / 1000;
  for (const path of [file, join(places.state, "do")]) utimesSync(path, written, written);
  ensureClock(places, (written - 300) * 1000);
  assert.throws(
    () => ensureClock(places, (written - 3_600) * 1000),
    /says 2026-11-30T11:00:00\.000Z, and \S*\/state\/do was written at 2026-11-30T12:00.*find \S*state -newermt now /s,
  );
});

/** Lets hours pass, in steps in which what a timer has begun comes to its end. */
async function passHours(hours) {
  for (let step = 0; step < hours * 60; step += 1) {
    mock.timers.tick(60_000);
    await rest();
  }
}

test("the crons of wrangler.toml call at their times, in UTC, also after a call that failed, and not after they are stopped", async () => {
  mock.timers.enable({ apis: ["setTimeout", "Date"], now: Date.parse("2026-11-30T00:59:30Z") });
  try {
    const [, list] = /^crons = \[(.*)\]$/m.exec(readFileSync(inRoot("wrangler.toml"), "utf8"));
    const calls = [];
    const told = [];
    const fire = async (_, time) => {
      calls.push(new Date(time).toISOString().slice(11, 16));
      if (calls.length === 2) throw new Error("the runtime is busy");
      return calls.length === 4 ? "exceededCpu" : "ok";
    };
    const stop = startCrons(JSON.parse(`[${list}]`), fire, (line) => told.push(line));
    await passHours(23);
    assert.deepEqual(told, [
      "the cron failed: the runtime is busy",
      "the cron ended with “exceededCpu”; the lines above may say why",
    ]);
    assert.deepEqual(calls.slice(0, 3), ["01:00", "01:10", "01:20"]);
    assert.deepEqual([calls.length, calls.at(-1)], [18, "03:50"]);
    stop();
    await passHours(24);
    assert.equal(calls.length, 18);
  } finally {
    mock.timers.reset();
  }
});

/** A control worker whose database has these entries and migrations. `asked` are the statements. */
function control(schema, applied) {
  const asked = [];
  const ask = async (_, statements) => {
    asked.push(...statements.map(({ sql }) => sql));
    if (statements[0].sql.includes("sqlite_schema")) return [schema];
    return [applied.map((name) => ({ name }))];
  };
  return { ask, asked };
}

test("migrations go forward only, each once, and a database of another making stays as it is", async () => {
  const migrations = [
    { name: "0001_a.sql", sql: "CREATE TABLE a (x)" },
    { name: "0002_b.sql", sql: "CREATE TABLE b (y)" },
  ];
  const table = (name, column) => ({ type: "table", name, sql: `CREATE TABLE ${name} (${column})` });
  const notes = table("d1_migrations", "name");
  const half = control([notes, table("a", "x")], ["0001_a.sql"]);
  await migrate(half.ask, migrations);
  const ran = half.asked.filter((sql) => /^CREATE TABLE [ab]/.test(sql));
  assert.deepEqual(ran, ["CREATE TABLE b (y)"]);
  const newer = control([notes, table("a", "x"), table("b", "y")], ["0001_a.sql", "0002_b.sql", "0003_c.sql"]);
  await assert.rejects(migrate(newer.ask, migrations), /a newer version has made it \(0003_c\.sql\)/);
  const other = control([notes, table("a", "z")], ["0001_a.sql"]);
  await assert.rejects(migrate(other.ask, migrations), /it lacks the column a\.x/);
  for (const { asked } of [newer, other]) assert.ok(!asked.some((sql) => sql.startsWith("INSERT")));
});

test("requests may not reach this machine or a private address in another form, unless the settings name it", () => {
  const interfaces = {
    lo: [{ address: "127.0.0.1", family: "IPv4", internal: true }],
    eth0: [
      { address: "203.0.113.7", family: "IPv4", internal: false },
      { address: "2001:db8::7", family: "IPv6", internal: false },
      { address: "10.0.0.5", family: "IPv4", internal: false },
    ],
  };
  const always = ["2002::/16", "64:ff9b::/96", "64:ff9b:1::/48"];
  assert.deepEqual(closedNetworks([], interfaces), [...always, "203.0.113.7/32", "2001:db8::7/128", "10.0.0.5/32"]);
  assert.deepEqual(closedNetworks(["10.0.0.0/8", "203.0.113.7/32"], interfaces), [...always, "2001:db8::7/128"]);
});

/** An `open` whose files note that they were flushed. */
function notingFiles() {
  const flushed = [];
  const open = async (path) => {
    const file = await files.open(path);
    const sync = () => flushed.push(path);
    return { sync, close: () => file.close() };
  };
  return { flushed, open };
}

test("each record of a key that the KV has or writes is flushed, and its folder after it", async () => {
  const places = newFolder();
  const { flushed, open } = notingFiles();
  await flushKeys(places, open);
  watchKeys(places, open)();
  const blobs = join(places.state, "kv", "local-keys", "blobs");
  mkdirSync(blobs, { recursive: true });
  writeFileSync(join(blobs, "first"), "{}");
  await flushKeys(places, open);
  assert.deepEqual(flushed, [join(blobs, "first"), blobs]);
  const stop = watchKeys(places, open);
  writeFileSync(join(blobs, "gone"), "{}");
  rmSync(join(blobs, "gone"));
  writeFileSync(join(blobs, "record"), "{}");
  const record = () => flushed.indexOf(join(blobs, "record"));
  await until(() => record() >= 0 && flushed.indexOf(blobs, record()) >= 0, { what: "the flush of a record" });
  stop();
});

/** A control worker on a map, which dies before the `last` call has an effect. */
function dyingKeys(entries, last) {
  const answers = {
    getKey: ({ name }) => entries.get(name) ?? null,
    putKey: ({ name, value }) => void entries.set(name, value),
    deleteKey: ({ name }) => void entries.delete(name),
  };
  let calls = 0;
  return async (what, value) => {
    calls += 1;
    if (calls === last) throw new Failure("killed");
    return answers[what](value);
  };
}

test("wherever a first start dies, the next one gives an operator key, and no other one works that was given", async () => {
  for (let last = 1, died = true; died; last += 1) {
    const [entries, given] = [new Map(), []];
    const handover = { give: (key) => given.push(key) };
    const start = async (ask) => (await hasOperator(ask)) || firstOperator(ask, handover, async () => {});
    died = await start(dyingKeys(entries, last)).then(
      () => false,
      () => true,
    );
    await start(dyingKeys(entries));
    const usable = given.filter((key) => entries.has(operatorEntry(key).name));
    assert.deepEqual([usable.length, usable.at(-1)], [1, given.at(-1)], `died before call ${last}`);
    assert.ok(await hasOperator(dyingKeys(entries)));
  }
});

test("a clock that is set back while a service runs is told once, with what it means", () => {
  let [clock, passed] = [1_000_000, 0];
  const look = clockLook(
    () => clock,
    () => passed,
  );
  const after = (byClock, really) => {
    clock += byClock;
    passed += really;
    return look();
  };
  assert.equal(after(60_000, 60_000), undefined);
  assert.equal(after(51_000, 60_000), undefined, "a small correction");
  assert.match(after(-3_540_000, 60_000), /was set back by 3600 s\. What is due waits as long/);
  assert.equal(after(60_000, 60_000), undefined, "it is told once");
  assert.equal(after(7_200_000, 60_000), undefined, "forward is no matter");
  assert.match(after(-15_000, 0), /set back by 15 s/);
});
