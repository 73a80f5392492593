import { readdirSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../scripts/lib/base/command.mjs";
import { msLeft, OutOfTime } from "./deadline.mjs";

/** So many rows are written at a time. */
const pieceRows = 50_000;

/**
 * Writes rows straight into the file of an account's object, whose runtime must have ended: by HTTP a million messages would
 * take many minutes. The rows are copies of those of the one message, and of the one message from a phone, that the object has
 * made itself. Only what tells them apart is changed. So this knows few names of tables and columns.
 */
export async function fillAccount(stateDir, accountId, count) {
  const db = await openFile(stateDir, accountId);
  try {
    const message = onlyRow(db, "message");
    const { msisdn } = onlyRow(db, "chunk");
    // Whatever ends this loses the file, and with it the benchmark.
    db.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -400000; BEGIN");
    for (const table of tablesOf(db)) {
      const columns = columnsOf(db, table);
      if (columns.some(({ name }) => name === "message"))
        copy(db, { table, columns, own: "message", message, msisdn, count });
    }
    copyPages(db, message, count);
    const inbound = onlyRow(db, "inbound");
    copy(db, { table: "inbound", columns: columnsOf(db, "inbound"), own: "id", message: inbound, msisdn, count });
    db.exec(`UPDATE account SET message_seq = (SELECT max(id) FROM message), ledger_seq = (SELECT max(seq) FROM ledger);
      COMMIT`);
  } finally {
    db.close();
  }
}

/** The file of an object is named by the object's id, which says nothing, so this looks into each. */
async function openFile(stateDir, accountId) {
  const { DatabaseSync } = await import("node:sqlite");
  const root = join(stateDir, "v3", "do");
  for (const name of readdirSync(root, { recursive: true }).filter((file) => file.endsWith(".sqlite"))) {
    const db = new DatabaseSync(join(root, name));
    if (tablesOf(db).includes("ledger_page") && onlyRow(db, "account").id === accountId) return db;
    db.close();
  }
  throw new Failure(`no object in ${root} is that of the account ${accountId}`);
}

const tablesOf = (db) =>
  db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .all()
    .map(({ name }) => name);

const columnsOf = (db, table) => db.prepare(`SELECT name, type, pk FROM pragma_table_info('${table}')`).all();

function onlyRow(db, table) {
  const rows = db.prepare(`SELECT * FROM ${table} LIMIT 2`).all();
  if (rows.length !== 1) throw new Failure(`the table ${table} has not one row`);
  return rows[0];
}

/** Writes pages of the ledger as they would be for the copies: each has the entries of `message`, which the open page has. */
function copyPages(db, message, count) {
  const { open_page: open, open_entries: entries } = onlyRow(db, "account");
  const places = Array.from({ length: entries }, (_, at) => `'$[${at}][4]', ${message.id} + n.n`);
  inPieces(count, (n) =>
    db.exec(`${n} INSERT INTO ledger_page (first, at_ms, entries)
      SELECT a.ledger_seq - ${entries} + 1 + n.n * ${entries}, a.ledger_ms, json_replace('[${open}]', ${places.join()})
      FROM n CROSS JOIN account a`),
  );
  db.exec(`INSERT INTO ledger_page (first, at_ms, entries)
    SELECT ledger_seq - ${entries} + 1, ledger_ms, '[${open}]' FROM account;
    UPDATE account SET open_page = '', open_entries = 0`);
}

/** Copies the rows of `table` whose column `own` is the id of `message`, so many times. */
function copy(db, { table, columns, own, message, msisdn, count }) {
  db.exec(`CREATE TEMP TABLE model AS SELECT * FROM ${table} WHERE ${own} = ${message.id}`);
  const { rows } = db.prepare("SELECT count(*) AS rows FROM model").get();
  const keys = columns.filter(({ pk }) => pk > 0);
  const values = columns.map(({ name, type }) => {
    if (name === own) return `m.${name} + n.n`;
    if (keys.length === 1 && keys[0].name === name) return `m.${name} + n.n * ${rows}`;
    if (name === "msisdn") return `m.${name} + n.n`;
    // A uid ends with its message's id.
    if (name === "uid") return `substr(m.uid, 1, length(m.uid) - 12) || printf('%012x', m.${own} + n.n)`;
    // Numbers also stand in documents.
    return type === "TEXT" ? `replace(m.${name}, '${msisdn}', ${msisdn} + n.n)` : `m.${name}`;
  });
  const names = columns.map(({ name }) => name);
  inPieces(count, (n) =>
    db.exec(`${n} INSERT INTO ${table} (${names.join()}) SELECT ${values.join()} FROM n CROSS JOIN model m`),
  );
  db.exec("DROP TABLE model");
}

/** Calls `write` with the numbers from 1 to `count`, some at a time, as a table `n` of SQL. */
function inPieces(count, write) {
  for (let first = 1; first <= count; first += pieceRows) {
    if (msLeft() === 0) throw new OutOfTime("the rows were not written in time");
    const last = Math.min(count, first + pieceRows - 1);
    write(`WITH RECURSIVE n (n) AS (SELECT ${first} UNION ALL SELECT n + 1 FROM n WHERE n < ${last})`);
  }
}
