// What a runtime that has been stopped has left on the disk.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** The rows of all tables that the runtime keeps, each as `table: value | value`. It holds its files while it runs. */
export function rowsOfState(stateDir) {
  const names = readdirSync(join(stateDir, "v3"), { recursive: true });
  return names.filter((name) => name.endsWith(".sqlite")).flatMap((name) => rowsOf(join(stateDir, "v3", name)));
}

function rowsOf(file) {
  const db = new DatabaseSync(file);
  try {
    const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    return tables.flatMap((table) => {
      const query = db.prepare(`SELECT * FROM "${table.name}"`);
      query.setReadBigInts(true);
      return query.all().map((row) => `${table.name}: ${Object.values(row).map(textOf).join(" | ")}`);
    });
  } finally {
    db.close();
  }
}

const textOf = (value) => (value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : String(value));
