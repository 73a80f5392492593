// `npm run deploy` on a directory (the D1 database) that is there: it goes on with its own, and refuses one on which this version
// would not work.
import assert from "node:assert/strict";
import { test } from "node:test";
import { compareSchema, migrationsIn } from "../../scripts/lib/deploy/schema.mjs";
import { checkout, fails } from "../support/checkout.mjs";

const names = migrationsIn().map(({ name }) => name);

/** What would tell wrangler that the database has these migrations. */
function note(database, cloudflare, migrations) {
  cloudflare.migrationsOf({ sql: database });
  for (const name of migrations) database.prepare("INSERT INTO d1_migrations (name) VALUES (?)").run(name);
}

/** A deployed service whose database somebody has changed by these statements. */
async function changed(statements) {
  const it = checkout();
  await it.run();
  it.cloudflare.databases[0].sql.exec(statements);
  it.cloudflare.changes.length = 0;
  it.lines.length = 0;
  return it;
}

const entriesOf = ({ sql }) => sql.prepare("SELECT type, name, sql FROM sqlite_schema ORDER BY rowid").all();

test("a database whose migration was another one is refused, and nothing changes", async () => {
  const it = checkout();
  const sql = it.cloudflare.addDatabase("peyk");
  sql.exec("CREATE TABLE account (id TEXT PRIMARY KEY); CREATE TABLE plan (slug TEXT PRIMARY KEY)");
  note(sql, it.cloudflare, names);
  const before = entriesOf({ sql });
  for (const dryRun of [true, false])
    await fails(
      it.run({ dryRun }),
      /D1 database peyk is not what this version expects: it lacks the .+, and \d+ more\.\nThe database and the worker stay.*docs\/upgrading\.md/s,
    );
  assert.deepEqual(entriesOf({ sql }), before);
  assert.deepEqual(it.cloudflare.changes, ["kv namespace create"]);
});

test("whatever is missing is named: a column, a generated one, an index, a trigger", async () => {
  for (const [statements, what] of [
    ["ALTER TABLE account DROP COLUMN destinations", "the column account.destinations"],
    ["DROP INDEX line_digits", "the index line_digits"],
    ["DROP TRIGGER audit_is_kept", "the trigger audit_is_kept"],
    ["DROP TABLE waiting", "the table waiting"],
  ]) {
    const it = await changed(statements);
    for (const dryRun of [true, false])
      await fails(it.run({ dryRun }), new RegExp(`expects: it lacks ${what.replaceAll(".", "\\.")}\\.\n`));
    assert.deepEqual(it.cloudflare.changes, [], what);
  }
  const migrations = [
    { name: "1.sql", sql: "CREATE TABLE a (b TEXT, c AS (length(b)) VIRTUAL, d AS (b || b) STORED)" },
  ];
  const schema = [{ type: "table", name: "a", sql: "CREATE TABLE a (b TEXT)" }];
  const { missing } = await compareSchema({ schema, applied: ["1.sql"], migrations });
  assert.deepEqual(missing, ["the column a.c", "the column a.d"]);
});

test("what a database has more than expected is no fault", async () => {
  const it = await changed(
    "ALTER TABLE account ADD COLUMN note TEXT; CREATE TABLE own (a INTEGER); CREATE INDEX own_a ON own (a); " +
      "CREATE VIEW own_view AS SELECT a FROM own",
  );
  await it.run();
  assert.equal(it.cloudflare.changes.length, 1, "the worker was deployed, and nothing else");
});

test("an older version is deployed on the database of a newer one, and says which migrations it does not have", async () => {
  const it = await changed("CREATE TABLE later (id INTEGER)");
  note(it.cloudflare.databases[0].sql, it.cloudflare, ["9998_later.sql", "9999_latest.sql"]);
  for (const dryRun of [true, false]) {
    it.lines.length = 0;
    await it.run({ dryRun });
    assert.match(it.said(), /has migrations that this checkout does not have: 9998_later\.sql, 9999_latest\.sql\./);
  }
  assert.equal(it.cloudflare.changes.length, 1, "the worker was deployed once");
});

test("an older version is refused if a newer one has taken away what it uses", async () => {
  const it = await changed("DROP TABLE waiting");
  note(it.cloudflare.databases[0].sql, it.cloudflare, ["9999_latest.sql"]);
  await fails(
    it.run(),
    /lacks the table waiting\..*does not have \(9999_latest\.sql\): one can't go back to this version\./s,
  );
  assert.deepEqual(it.cloudflare.changes, []);
});

test("migrations that the database does not have yet are applied before it is compared", async () => {
  const [first, second] = [
    { name: "1.sql", sql: "CREATE TABLE a (b TEXT)" },
    {
      name: "2.sql",
      sql: "ALTER TABLE a ADD COLUMN c TEXT; CREATE INDEX a_c ON a (c); INSERT INTO a (b) VALUES ('x')",
    },
  ];
  const schema = [{ type: "table", name: "a", sql: first.sql }];
  const compared = (applied) => compareSchema({ schema, applied, migrations: [first, second] });
  assert.deepEqual(await compared(["1.sql"]), { isForeign: false, broken: undefined, missing: [], unknown: [] });
  assert.deepEqual((await compared(["1.sql", "2.sql"])).missing, ["the column a.c", "the index a_c"]);
  assert.match((await compared([])).broken, /^1\.sql can't be applied to it \(table a already exists\)$/);
});

test("a migration that the database can't take is refused before it is tried", async () => {
  const it = checkout();
  it.cloudflare.addDatabase("peyk").exec("CREATE TABLE plan (slug TEXT PRIMARY KEY)");
  await fails(it.run(), /0001_directory\.sql can't be applied to it \(table plan already exists\)/);
  assert.deepEqual(it.cloudflare.changes, ["kv namespace create"]);
});

test("what can't be made in memory is of others, and holds nothing up", async () => {
  const migrations = [{ name: "1.sql", sql: "CREATE TABLE a (b TEXT)" }];
  const schema = [
    { type: "index", name: "a_b", sql: "CREATE INDEX a_b ON a (b)" },
    { type: "table", name: "odd", sql: "CREATE VIRTUAL TABLE odd USING something()" },
    { type: "table", name: "a", sql: "CREATE TABLE a (b TEXT)" },
    { type: "table", name: "sqlite_sequence", sql: "CREATE TABLE sqlite_sequence(name,seq)" },
    { type: "index", name: "sqlite_autoindex_a_1", sql: null },
  ];
  assert.deepEqual((await compareSchema({ schema, applied: ["1.sql"], migrations })).missing, []);
});
