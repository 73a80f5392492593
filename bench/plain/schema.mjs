// The tables of `src/account/schema.rs` that an accept writes, but for the usage and what limits the account.
export const tables = `
  CREATE TABLE IF NOT EXISTS wallet (
    one INTEGER PRIMARY KEY,
    available INTEGER NOT NULL CHECK (available >= 0),
    locked INTEGER NOT NULL CHECK (locked >= 0),
    ledger_seq INTEGER NOT NULL,
    message_seq INTEGER NOT NULL
  ) STRICT;
  INSERT OR IGNORE INTO wallet VALUES (1, 1000000000000000, 0, 0, 0);
  CREATE TABLE IF NOT EXISTS number (
    msisdn INTEGER NOT NULL,
    message INTEGER NOT NULL,
    PRIMARY KEY (msisdn, message)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS chunk (
    message INTEGER NOT NULL,
    number INTEGER NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    route TEXT NOT NULL,
    queue TEXT NOT NULL,
    object TEXT,
    state INTEGER NOT NULL,
    due_ms INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    failures INTEGER NOT NULL,
    doubt_ms INTEGER,
    queued INTEGER NOT NULL,
    active INTEGER NOT NULL,
    open INTEGER NOT NULL,
    class INTEGER NOT NULL,
    ready_ms INTEGER NOT NULL,
    delivered INTEGER NOT NULL DEFAULT 0,
    failed INTEGER NOT NULL DEFAULT 0,
    returned INTEGER NOT NULL DEFAULT 0,
    failed_for TEXT,
    uid TEXT,
    kind TEXT,
    test INTEGER,
    line TEXT,
    encoding TEXT,
    parts INTEGER,
    cost INTEGER,
    unit TEXT,
    refunds TEXT,
    client_ref TEXT,
    send_at_ms INTEGER,
    opens_ms INTEGER,
    created_ms INTEGER,
    total INTEGER,
    msisdn INTEGER,
    key TEXT,
    key_hash TEXT,
    has_pattern INTEGER,
    expires_ms INTEGER,
    saved INTEGER,
    text TEXT,
    redacted TEXT,
    sealed TEXT,
    halt INTEGER,
    skipped INTEGER,
    campaign INTEGER,
    callback TEXT,
    sender INTEGER,
    recipients TEXT NOT NULL,
    PRIMARY KEY (message, number),
    CHECK ((number = 0) = (uid IS NOT NULL))
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS chunk_ready ON chunk (class, queue, due_ms, ready_ms) WHERE state = 1;
  CREATE INDEX IF NOT EXISTS chunk_waiting ON chunk (due_ms, state) WHERE state IN (0, 2, 3, 5, 7, 8);
  CREATE TABLE IF NOT EXISTS ledger_page (
    first INTEGER NOT NULL PRIMARY KEY,
    at_ms INTEGER NOT NULL,
    credited INTEGER,
    key TEXT,
    key_hash TEXT,
    entries TEXT NOT NULL
  ) STRICT;`;

const ofChunk =
  "message, number, first, last, route, queue, state, due_ms, ready_ms, attempt, failures, class, queued, active, open, recipients";
const chunkValues = "?1, ?2, ?3, ?4, ?5, ?5, 1, ?6, ?6, 0, 0, 0, ?7, ?7, ?7, ?8";
/** The first chunk of a message has the message in its row. */
export const insertFirstChunk = `INSERT INTO chunk (${ofChunk},
  uid, kind, test, line, encoding, parts, cost, unit, refunds, send_at_ms, created_ms, total, has_pattern, text)
  VALUES (${chunkValues}, ?9, 'PLAIN', 0, ?10, ?11, ?12, ?13, 'IRR', '', ?6, ?14, ?15, 0, ?16)`;
export const insertOtherChunk = `INSERT INTO chunk (${ofChunk}) VALUES (${chunkValues})`;
export const insertNumbers = "INSERT INTO number SELECT value, ? FROM json_each(?)";
export const insertReserve = "INSERT INTO ledger_page VALUES (?, ?, NULL, NULL, NULL, ?)";
export const debit = `UPDATE wallet SET available = available - ?1, locked = locked + ?1, ledger_seq = ledger_seq + 1,
  message_seq = message_seq + 1 WHERE available >= ?1 RETURNING available, locked, ledger_seq AS seq, message_seq AS id`;
