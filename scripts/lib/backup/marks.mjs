// Tells every account's object of a restored service that its storage has gone back in time. What it then does, and why nothing
// leaves twice, docs/restore.md says: the directory has a restore with a higher number than the object knows, and what the object must
// not forget. Here that is what the copy itself has, because nobody knows what came after it.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Failure } from "../base/command.mjs";
import { isDatabase } from "./files.mjs";

/**
 * The account of an object, the number of its last restore, and what it must not forget (`Kept` in src/account/restore.rs). Keys,
 * passkeys and blocked numbers stay as they are, so none are named. The operators' object sends nothing. No campaign counts as one that
 * nobody has started: somebody may have started it since.
 */
const query = `
SELECT a.id, (SELECT number FROM restore) AS number, json_object(
  'bookmark', '',
  'message', message_seq,
  'version', version,
  'event', coalesce((SELECT max(last_seq, coalesce((SELECT max(seq) FROM event), 0)) FROM webhook), 0),
  'sequences', (SELECT json_group_object(name, seq) FROM sqlite_sequence),
  'wallet', json_object('available', available, 'locked', locked, 'spent', spent, 'credited', credited),
  'active', json(iif(active, 'true', 'false')),
  'on_hold', json(iif(on_hold, 'true', 'false')),
  'canceled_through', canceled_through,
  'limit', json_object('limit', rate_limit, 'windowSeconds', rate_window_s, 'burst', rate_burst),
  'test_limit', json_object('limit', test_rate_limit, 'windowSeconds', test_rate_window_s, 'burst', test_rate_burst),
  'recipient_limit', json_object('limit', recipient_limit, 'windowSeconds', recipient_window_s),
  'daily_spend', json_object('limit', daily_spend, 'day', spend_day, 'spent', spent_today),
  'keys', json('[]'),
  'makers', json('[]'),
  'blocked', json('[]'),
  'webhook', (SELECT json_array(version, types, test_types) FROM webhook),
  'low_balances', (SELECT json_group_array(json_array(threshold, told)) FROM low_balance)
) AS kept FROM account a WHERE a.id <> 'operator'`;

/**
 * Marks each account whose object is in a folder of stores that nobody serves. Returns how many they are. `nowMs` is the time, ms
 * since the Unix epoch.
 */
export function markRestored(stateDir, nowMs) {
  const files = readdirSync(stateDir, { recursive: true }).filter(isDatabase);
  const [directory, ...others] = files.filter((file) => opened(join(stateDir, file), isDirectory));
  if (!directory || others.length > 0) throw new Failure("the backup has no directory, or several");
  const accounts = files.flatMap((file) => opened(join(stateDir, file), accountsOf));
  for (const file of files) opened(join(stateDir, file), forgetRests);
  opened(join(stateDir, directory), (db) => insert(db, accounts, nowMs));
  return accounts.length;
}

function opened(file, work) {
  const db = new DatabaseSync(file);
  try {
    return work(db);
  } finally {
    db.close();
  }
}

const has = (db, ...tables) => {
  const found = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  return tables.every((table) => found.some(({ name }) => name === table));
};

const isDirectory = (db) => has(db, "restore", "plan", "d1_migrations");

/**
 * What an SMSC has of a text and what not, nobody knows any more: so an object of an SMPP carrier forgets the rests of texts that were cut
 * (src/carrier/smpp/rest.rs). Their recipients wait for a report, as all that was submitted.
 */
const forgetRests = (db) => has(db, "rest", "seen") && db.exec("DELETE FROM rest");

const accountsOf = (db) => (has(db, "restore", "account", "chunk") ? db.prepare(query).all() : []);

function insert(db, accounts, nowMs) {
  // Older versions of Node.js bind no `?1`.
  const statement = db.prepare(
    "INSERT INTO restore (account, number, target, reason, kept) " +
      "SELECT ?, max(?, ?, coalesce(max(number), 0) + 1), 'backup', 'restored from a backup', ? FROM restore WHERE account = ?",
  );
  db.exec("PRAGMA synchronous = FULL; BEGIN");
  for (const { id, number, kept } of accounts) statement.run(id, nowMs, (number ?? 0) + 1, kept, id);
  db.exec("COMMIT");
}
