// Sums over rows, by which two services are compared: of each table of each store the number of rows and a SHA-256 over them.
import { createHash } from "node:crypto";

/** The name of a store among the sums. */
export const storeName = ({ store, object }) => (object === undefined ? store : `${store} ${object}`);

/** The name of the operators' object among the sums. */
export const operatorsName = "ACCOUNT operator";

/** The sums of one store, page by page. */
export class Sums {
  tables = new Map();

  add({ tables, keys = [] }) {
    for (const { table, columns, rows } of tables) this.addRows(table, columns, rows);
    if (keys.length > 0) {
      const records = keys.map(({ digest, record }) => JSON.stringify([digest, record]));
      this.addRows("keys in KV", ["digest", "record"], records);
    }
  }

  addRows(table, columns, rows) {
    const sum = this.tables.get(table) ?? { columns, rows: 0, hash: createHash("sha256") };
    this.tables.set(table, sum);
    for (const row of rows) sum.hash.update(`${row}\n`);
    sum.rows += rows.length;
  }

  /** By table: `{rows, sha256}`. */
  get() {
    const of = ([table, { columns, rows, hash }]) => {
      const sha256 = hash.copy().update(columns.join()).digest("hex");
      return [table, { rows, sha256 }];
    };
    return Object.fromEntries([...this.tables].map(of));
  }
}

/** The first table whose sums differ; `undefined`: none does. */
export function differing(before, after) {
  const tables = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...tables].find(
    (table) => before[table]?.rows !== after[table]?.rows || before[table]?.sha256 !== after[table]?.sha256,
  );
}

/** What people count, of all pages of a service. */
export class Found {
  counts = { accounts: 0, messages: 0, patterns: 0, phonebooks: 0, numbers: 0, keys: 0, rows: 0 };
  wallets = { available: 0n, locked: 0n, spent: 0n, credited: 0n };

  add({ store, object, tables }) {
    for (const { table, columns, rows } of tables) {
      this.counts.rows += rows.length;
      const name = counted[`${store} ${table}`];
      if (!name || object === "operator") continue;
      const values = (column) => rows.map((row) => JSON.parse(row)[columns.indexOf(column)]);
      this.counts[name] += name === "messages" ? values("uid").filter((uid) => uid !== null).length : rows.length;
      if (name === "accounts")
        for (const part of Object.keys(this.wallets))
          for (const amount of values(part)) this.wallets[part] += BigInt(amount);
    }
  }

  toString() {
    const { accounts, messages, patterns, phonebooks, numbers, keys, rows } = this.counts;
    const money = Object.entries(this.wallets).map(([part, amount]) => `${part} ${amount}`);
    return [
      `${accounts} accounts with ${keys} keys; their wallets together: ${money.join(", ")}`,
      `${messages} messages, ${patterns} patterns, ${phonebooks} phonebooks with ${numbers} numbers; ${rows} rows in all`,
    ].join("\n  ");
  }
}

const counted = {
  "ACCOUNT account": "accounts",
  "ACCOUNT chunk": "messages",
  "ACCOUNT api_key": "keys",
  "DIRECTORY pattern": "patterns",
  "DIRECTORY phonebook": "phonebooks",
  "DIRECTORY phonebook_number": "numbers",
};
