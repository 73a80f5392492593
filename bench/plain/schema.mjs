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
  CREATE TABLE IF NOT EXISTS message (
    id INTEGER NOT NULL PRIMARY KEY,
    uid TEXT NOT NULL,
    kind TEXT NOT NULL,
    test INTEGER NOT NULL,
    line TEXT NOT NULL,
    text TEXT NOT NULL,
    encoding TEXT NOT NULL,
    parts INTEGER NOT NULL,
    cost INTEGER NOT NULL,
    unit TEXT NOT NULL,
    refunds TEXT NOT NULL,
    client_ref TEXT,
    send_at_ms INTEGER,
    created_ms INTEGER NOT NULL,
    total INTEGER NOT NULL
  ) STRICT;
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
    class INTEGER NOT NULL,
    route TEXT NOT NULL,
    queue TEXT NOT NULL,
    object TEXT,
    state INTEGER NOT NULL,
    ready_ms INTEGER NOT NULL,
    due_ms INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    failures INTEGER NOT NULL,
    doubt_ms INTEGER,
    queued INTEGER NOT NULL,
    active INTEGER NOT NULL,
    open INTEGER NOT NULL,
    recipients TEXT NOT NULL,
    PRIMARY KEY (message, number)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS chunk_ready ON chunk (class, queue, due_ms, ready_ms) WHERE state = 1;
  CREATE INDEX IF NOT EXISTS chunk_waiting ON chunk (due_ms, state) WHERE state IN (0, 2, 3, 5, 7);
  CREATE TABLE IF NOT EXISTS ledger_page (
    first INTEGER NOT NULL PRIMARY KEY,
    at_ms INTEGER NOT NULL,
    credited INTEGER,
    entries TEXT NOT NULL
  ) STRICT;`;

export const insertMessage = `INSERT INTO message
  VALUES (?, ?, 'PLAIN', 0, ?, ?, ?, ?, ?, 'IRR', '', NULL, ?, ?, ?)`;
export const insertChunk = `INSERT INTO chunk
  VALUES (?, ?, ?, ?, 1, ?5, ?5, NULL, 0, ?6, ?6, 0, 0, NULL, ?7, ?7, ?7, ?)`;
export const insertNumbers = "INSERT INTO number SELECT value, ? FROM json_each(?)";
export const insertReserve = "INSERT INTO ledger_page VALUES (?, ?, NULL, ?)";
export const debit = `UPDATE wallet SET available = available - ?1, locked = locked + ?1, ledger_seq = ledger_seq + 1,
  message_seq = message_seq + 1 WHERE available >= ?1 RETURNING available, locked, ledger_seq AS seq, message_seq AS id`;
