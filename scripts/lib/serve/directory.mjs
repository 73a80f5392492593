// Brings the directory (the D1 database) of a folder up to this version.
import { Failure } from "../base/command.mjs";
import { compareSchema, migrationsIn, named } from "../deploy/schema.mjs";

/** The table by which wrangler knows which migrations a database has. So it can read this one, too. */
const noted =
  "CREATE TABLE IF NOT EXISTS d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)";

/**
 * Applies the migrations that the database lacks, each with its note in one transaction. Refuses a database that they would not
 * make right, before anything of it changes. `ask` asks the control worker; `migrations` are those of this version.
 */
export async function migrate(ask, migrations = migrationsIn()) {
  const [schema] = await ask("sql", [{ sql: "SELECT type, name, sql FROM sqlite_schema" }]);
  const hasNotes = schema.some(({ name }) => name === "d1_migrations");
  const [notes] = hasNotes ? await ask("sql", [{ sql: "SELECT name FROM d1_migrations" }]) : [[]];
  const applied = notes.map(({ name }) => name);
  const { missing, broken, unknown } = await compareSchema({ schema, applied, migrations });
  const faults = [missing.length > 0 && `it lacks ${named(missing)}`, broken].filter(Boolean);
  if (unknown.length > 0) faults.push(`a newer version has made it (${unknown.join(", ")})`);
  if (faults.length > 0)
    throw new Failure(`the database is not what this version expects: ${faults.join("; ")}. It stays as it is.`);
  for (const { name, sql } of migrations) {
    if (applied.includes(name)) continue;
    const note = { sql: "INSERT INTO d1_migrations (name) VALUES (?)", params: [name] };
    await ask("sql", [{ sql: noted }, { sql }, note]);
  }
}
