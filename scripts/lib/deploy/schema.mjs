// Whether a directory (the D1 database) has what this version expects. D1 knows a migration by the name of its file only. So a
// database that was made by another file of the same name has nothing to apply, and the worker would meet missing tables.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inRoot } from "../base/paths.mjs";
import { sqlite } from "../base/sqlite.mjs";

/** How many of the missing things a message names. */
const SHOWN = 5;
/** An entry can be made when those of the kinds before it are there. */
const kinds = ["table", "view", "index", "trigger"];

const isOwn = ({ name }) => !/^(sqlite_|_cf_|d1_)/.test(name);

/** The migrations of a checkout, `{name, sql}`, in the order in which D1 applies them. */
export function migrationsIn(dir = inRoot("migrations")) {
  const names = readdirSync(dir).filter((name) => name.endsWith(".sql"));
  return names.sort().map((name) => ({ name, sql: readFileSync(join(dir, name), "utf8") }));
}

/**
 * Compares a database with what all migrations make. `schema` are its entries `{type, name, sql}`, `applied` the names of the
 * migrations that it has; those that it lacks are applied in memory before. What it has more is no fault: a migration breaks no
 * version before it. `missing` are the names of what it lacks, `unknown` its migrations that this checkout does not have,
 * `broken` says which migration can't be applied, and `isForeign` that it has tables, and none of ours.
 */
export async function compareSchema({ schema, applied, migrations = migrationsIn() }) {
  const expected = await empty();
  for (const { sql } of migrations) expected.exec(sql);
  const actual = await empty();
  for (const kind of kinds) for (const entry of schema) if (entry.type === kind && isOwn(entry)) make(actual, entry);
  const isForeign = hasOnlyOthers(schema.filter(isOwn), entriesOf(expected));
  const broken = apply(
    actual,
    migrations.filter(({ name }) => !applied.includes(name)),
  );
  const names = migrations.map(({ name }) => name);
  return {
    isForeign,
    broken,
    missing: missingIn(actual, expected),
    unknown: applied.filter((name) => !names.includes(name)),
  };
}

/** The names of the missing things in words: the first of them, and how many more there are. */
export function named(missing) {
  const more = missing.length - SHOWN;
  return `${missing.slice(0, SHOWN).join(", ")}${more > 0 ? `, and ${more} more` : ""}`;
}

/** An empty database in memory. Rows are none of its business, so no foreign key is checked. */
async function empty() {
  const { DatabaseSync } = await sqlite();
  return new DatabaseSync(":memory:", { enableForeignKeyConstraints: false });
}

/** What can't be made here is none of ours, or it is missing afterwards. */
function make(database, { sql }) {
  try {
    database.prepare(sql).run();
  } catch {}
}

/** Applies the migrations, and returns what is wrong with the first one that can't be applied. */
function apply(database, migrations) {
  for (const { name, sql } of migrations) {
    try {
      database.exec(sql);
    } catch (error) {
      return `${name} can't be applied to it (${error.message})`;
    }
  }
  return undefined;
}

const entriesOf = (database) =>
  database.prepare("SELECT type, name, tbl_name AS host FROM sqlite_schema").all().filter(isOwn);

function hasOnlyOthers(found, expected) {
  const tables = (entries) => entries.filter(({ type }) => type === "table").map(({ name }) => name);
  const ours = tables(expected);
  return tables(found).length > 0 && !tables(found).some((name) => ours.includes(name));
}

/** Of a table that is missing, neither columns nor indexes nor triggers are named. */
function missingIn(actual, expected) {
  const there = new Set(thingsOf(actual).map(({ what }) => what));
  const missing = thingsOf(expected).filter(({ what }) => !there.has(what));
  const hosts = new Set(missing.map(({ what }) => what));
  return missing.filter(({ host }) => !hosts.has(`the table ${host}`) || host === undefined).map(({ what }) => what);
}

/** All that a database is made of, larger things first: each in words, and the table without which it is not. */
function thingsOf(database) {
  const entries = entriesOf(database);
  const ofKind = (kind) => entries.filter(({ type }) => type === kind);
  const things = (kind) =>
    ofKind(kind).map(({ name, host }) => ({ what: `the ${kind} ${name}`, host: host === name ? undefined : host }));
  const columns = ofKind("table").flatMap(({ name }) => columnsOf(database, name));
  const [tables, ...others] = kinds.map(things);
  return [...tables, ...columns, ...others.flat()];
}

/** Generated columns too, which `table_info` leaves out. */
function columnsOf(database, table) {
  const columns = database.prepare("SELECT name FROM pragma_table_xinfo(?)").all(table);
  return columns.map(({ name }) => ({ what: `the column ${table}.${name}`, host: table }));
}
