// What the operators' object has of those who may do everything: keys, members, passkeys, and what they erase. It is not empty in a new
// service, so what comes is added to what is there. What can't be added is told before anything is written.

/** By what columns a row is known to be the same one. What a table has there once, it takes no second time. */
const identities = {
  api_key: [["id"], ["digest"]],
  erasure: [["seq"], ["id"]],
  key_maker: [["key", "maker"]],
  member_rule: [["one"]],
  passkey: [["id"], ["credential"]],
  "keys in KV": [["digest"]],
};
/** Columns that change when somebody comes with the key. */
const ofUse = { api_key: ["used_ms", "address", "audit_full_us", "counted_full_us"] };

/** The rows of an operators' object. There are few: as many as people and programs that operate the service. */
export class Operators {
  tables = new Map();

  add({ tables, keys = [] }) {
    for (const { table, columns, rows } of tables)
      for (const row of rows)
        this.#add(table, Object.fromEntries(JSON.parse(row).map((value, at) => [columns[at], value])));
    for (const key of keys) this.#add("keys in KV", key);
  }

  #add(table, row) {
    this.tables.set(table, [...(this.tables.get(table) ?? []), row]);
  }

  rows = (table) => this.tables.get(table) ?? [];
}

const lasting = (table, row) =>
  JSON.stringify(
    Object.entries(row)
      .filter(([column]) => !ofUse[table]?.includes(column))
      .sort(),
  );

/** The first table of `theirs` of which a row is not among `own`; `undefined`: there is none. */
export function missing(theirs, own) {
  const lacks = (table) => {
    const known = new Set(own.rows(table).map((row) => lasting(table, row)));
    return theirs.rows(table).some((row) => !known.has(lasting(table, row)));
  };
  return [...theirs.tables.keys()].find(lacks);
}

/** A sentence for each row of `theirs` that a service with the rows `own` can't take. */
export function conflicts(theirs, own) {
  const found = [];
  for (const table of theirs.tables.keys())
    for (const columns of identities[table] ?? []) {
      const nameOf = (row) => JSON.stringify(columns.map((column) => row[column]));
      const known = new Map(own.rows(table).map((row) => [nameOf(row), row]));
      for (const row of theirs.rows(table)) {
        const other = known.get(nameOf(row));
        if (other && lasting(table, other) !== lasting(table, row)) found.push(sentence(table, columns, row));
      }
    }
  const phones = new Map(
    own
      .rows("api_key")
      .filter(isMember)
      .map(({ phone, id }) => [phone, id]),
  );
  for (const { phone, id } of theirs.rows("api_key").filter(isMember))
    if ((phones.get(phone) ?? id) !== id)
      found.push(`an operator signs in by the phone +${phone} in both. Remove that member from the new service.`);
  return [...new Set(found)];
}

/** Whether the row of a key is a person who signs in. */
const isMember = ({ phone, session_of, revoked_ms }) => phone !== null && session_of === null && revoked_ms === null;

function sentence(table, columns, row) {
  const name = columns.map((column) => `${column} ${row[column]}`).join(", ");
  return `both have a row of ${table} with ${name}, and they differ. Start another new service.`;
}
