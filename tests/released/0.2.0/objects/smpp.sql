CREATE TABLE schema_version (part TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL) STRICT;
CREATE TABLE carrier (
        one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
        name TEXT NOT NULL,
        version INTEGER NOT NULL,
        newest TEXT NOT NULL,
        health TEXT,
        part_reports TEXT,
        binds TEXT
    ) STRICT;
CREATE TABLE held_back (
        what TEXT NOT NULL PRIMARY KEY,
        claimed_until_ms INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
CREATE TABLE day_table (
        name TEXT NOT NULL,
        slot INTEGER NOT NULL,
        day INTEGER NOT NULL,
        PRIMARY KEY (name, slot)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE handover_0 (
        account TEXT NOT NULL,
        message INTEGER NOT NULL,
        number INTEGER NOT NULL,
        notes TEXT NOT NULL,
        PRIMARY KEY (account, message, number)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE handover_1 (
        account TEXT NOT NULL,
        message INTEGER NOT NULL,
        number INTEGER NOT NULL,
        notes TEXT NOT NULL,
        PRIMARY KEY (account, message, number)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE handover_2 (
        account TEXT NOT NULL,
        message INTEGER NOT NULL,
        number INTEGER NOT NULL,
        notes TEXT NOT NULL,
        PRIMARY KEY (account, message, number)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE report (
        account TEXT NOT NULL,
        id INTEGER NOT NULL,
        made_ms INTEGER NOT NULL,
        due_ms INTEGER NOT NULL,
        recipients INTEGER NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY (account, id)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE report_delay (
        account TEXT NOT NULL PRIMARY KEY,
        failures INTEGER NOT NULL,
        since_ms INTEGER NOT NULL,
        until_ms INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
CREATE TABLE waiting (
        account TEXT NOT NULL PRIMARY KEY,
        until_ms INTEGER NOT NULL,
        due_ms INTEGER,
        failures INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
CREATE INDEX waiting_due ON waiting (due_ms) WHERE due_ms IS NOT NULL;
CREATE TABLE sent_0 (
        id TEXT NOT NULL,
        digits INTEGER NOT NULL,
        account TEXT NOT NULL,
        message INTEGER NOT NULL,
        idx INTEGER NOT NULL,
        part INTEGER NOT NULL,
        parts INTEGER NOT NULL,
        PRIMARY KEY (id, digits, account, message, idx, part)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE sent_1 (
        id TEXT NOT NULL,
        digits INTEGER NOT NULL,
        account TEXT NOT NULL,
        message INTEGER NOT NULL,
        idx INTEGER NOT NULL,
        part INTEGER NOT NULL,
        parts INTEGER NOT NULL,
        PRIMARY KEY (id, digits, account, message, idx, part)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE sent_2 (
        id TEXT NOT NULL,
        digits INTEGER NOT NULL,
        account TEXT NOT NULL,
        message INTEGER NOT NULL,
        idx INTEGER NOT NULL,
        part INTEGER NOT NULL,
        parts INTEGER NOT NULL,
        PRIMARY KEY (id, digits, account, message, idx, part)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE sent_3 (
        id TEXT NOT NULL,
        digits INTEGER NOT NULL,
        account TEXT NOT NULL,
        message INTEGER NOT NULL,
        idx INTEGER NOT NULL,
        part INTEGER NOT NULL,
        parts INTEGER NOT NULL,
        PRIMARY KEY (id, digits, account, message, idx, part)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE sent_4 (
        id TEXT NOT NULL,
        digits INTEGER NOT NULL,
        account TEXT NOT NULL,
        message INTEGER NOT NULL,
        idx INTEGER NOT NULL,
        part INTEGER NOT NULL,
        parts INTEGER NOT NULL,
        PRIMARY KEY (id, digits, account, message, idx, part)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE sent_5 (
        id TEXT NOT NULL,
        digits INTEGER NOT NULL,
        account TEXT NOT NULL,
        message INTEGER NOT NULL,
        idx INTEGER NOT NULL,
        part INTEGER NOT NULL,
        parts INTEGER NOT NULL,
        PRIMARY KEY (id, digits, account, message, idx, part)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE sent_6 (
        id TEXT NOT NULL,
        digits INTEGER NOT NULL,
        account TEXT NOT NULL,
        message INTEGER NOT NULL,
        idx INTEGER NOT NULL,
        part INTEGER NOT NULL,
        parts INTEGER NOT NULL,
        PRIMARY KEY (id, digits, account, message, idx, part)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE sent_7 (
        id TEXT NOT NULL,
        digits INTEGER NOT NULL,
        account TEXT NOT NULL,
        message INTEGER NOT NULL,
        idx INTEGER NOT NULL,
        part INTEGER NOT NULL,
        parts INTEGER NOT NULL,
        PRIMARY KEY (id, digits, account, message, idx, part)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE gathered_0 (
        account TEXT NOT NULL,
        message INTEGER NOT NULL,
        idx INTEGER NOT NULL,
        parts INTEGER NOT NULL,
        state INTEGER NOT NULL,
        came_ms INTEGER NOT NULL,
        has_one_id INTEGER NOT NULL,
        turns INTEGER NOT NULL,
        answered INTEGER NOT NULL,
        delivered TEXT NOT NULL,
        PRIMARY KEY (account, message, idx)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE gathered_1 (
        account TEXT NOT NULL,
        message INTEGER NOT NULL,
        idx INTEGER NOT NULL,
        parts INTEGER NOT NULL,
        state INTEGER NOT NULL,
        came_ms INTEGER NOT NULL,
        has_one_id INTEGER NOT NULL,
        turns INTEGER NOT NULL,
        answered INTEGER NOT NULL,
        delivered TEXT NOT NULL,
        PRIMARY KEY (account, message, idx)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE gathered_2 (
        account TEXT NOT NULL,
        message INTEGER NOT NULL,
        idx INTEGER NOT NULL,
        parts INTEGER NOT NULL,
        state INTEGER NOT NULL,
        came_ms INTEGER NOT NULL,
        has_one_id INTEGER NOT NULL,
        turns INTEGER NOT NULL,
        answered INTEGER NOT NULL,
        delivered TEXT NOT NULL,
        PRIMARY KEY (account, message, idx)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE gathered_3 (
        account TEXT NOT NULL,
        message INTEGER NOT NULL,
        idx INTEGER NOT NULL,
        parts INTEGER NOT NULL,
        state INTEGER NOT NULL,
        came_ms INTEGER NOT NULL,
        has_one_id INTEGER NOT NULL,
        turns INTEGER NOT NULL,
        answered INTEGER NOT NULL,
        delivered TEXT NOT NULL,
        PRIMARY KEY (account, message, idx)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE gathered_4 (
        account TEXT NOT NULL,
        message INTEGER NOT NULL,
        idx INTEGER NOT NULL,
        parts INTEGER NOT NULL,
        state INTEGER NOT NULL,
        came_ms INTEGER NOT NULL,
        has_one_id INTEGER NOT NULL,
        turns INTEGER NOT NULL,
        answered INTEGER NOT NULL,
        delivered TEXT NOT NULL,
        PRIMARY KEY (account, message, idx)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE gathered_5 (
        account TEXT NOT NULL,
        message INTEGER NOT NULL,
        idx INTEGER NOT NULL,
        parts INTEGER NOT NULL,
        state INTEGER NOT NULL,
        came_ms INTEGER NOT NULL,
        has_one_id INTEGER NOT NULL,
        turns INTEGER NOT NULL,
        answered INTEGER NOT NULL,
        delivered TEXT NOT NULL,
        PRIMARY KEY (account, message, idx)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE gathered_6 (
        account TEXT NOT NULL,
        message INTEGER NOT NULL,
        idx INTEGER NOT NULL,
        parts INTEGER NOT NULL,
        state INTEGER NOT NULL,
        came_ms INTEGER NOT NULL,
        has_one_id INTEGER NOT NULL,
        turns INTEGER NOT NULL,
        answered INTEGER NOT NULL,
        delivered TEXT NOT NULL,
        PRIMARY KEY (account, message, idx)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE gathered_7 (
        account TEXT NOT NULL,
        message INTEGER NOT NULL,
        idx INTEGER NOT NULL,
        parts INTEGER NOT NULL,
        state INTEGER NOT NULL,
        came_ms INTEGER NOT NULL,
        has_one_id INTEGER NOT NULL,
        turns INTEGER NOT NULL,
        answered INTEGER NOT NULL,
        delivered TEXT NOT NULL,
        PRIMARY KEY (account, message, idx)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE step (
        id INTEGER PRIMARY KEY,
        number INTEGER NOT NULL,
        at_ms INTEGER NOT NULL,
        body TEXT NOT NULL
    ) STRICT;
CREATE TABLE early_receipt (
        id INTEGER PRIMARY KEY,
        came_ms INTEGER NOT NULL,
        told TEXT NOT NULL
    ) STRICT;
CREATE TABLE rest (
        id INTEGER PRIMARY KEY,
        body TEXT NOT NULL
    ) STRICT;
CREATE TABLE inbound_part (
        source TEXT NOT NULL,
        destination TEXT NOT NULL,
        reference INTEGER NOT NULL,
        total INTEGER NOT NULL,
        message INTEGER NOT NULL,
        number INTEGER NOT NULL,
        alphabet TEXT NOT NULL,
        octets TEXT NOT NULL,
        due_ms INTEGER NOT NULL,
        PRIMARY KEY (source, destination, reference, total, message, number)
    ) STRICT, WITHOUT ROWID;
CREATE INDEX inbound_part_due ON inbound_part (due_ms);
CREATE TABLE inbound_message (
        id INTEGER PRIMARY KEY,
        body TEXT NOT NULL,
        failures INTEGER NOT NULL,
        at_ms INTEGER NOT NULL,
        due_ms INTEGER NOT NULL
    ) STRICT;
CREATE INDEX inbound_message_due ON inbound_message (due_ms);
CREATE TABLE doubted_0 (
        digits INTEGER NOT NULL,
        account TEXT NOT NULL,
        message INTEGER NOT NULL,
        PRIMARY KEY (digits, account, message)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE doubted_1 (
        digits INTEGER NOT NULL,
        account TEXT NOT NULL,
        message INTEGER NOT NULL,
        PRIMARY KEY (digits, account, message)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE doubted_2 (
        digits INTEGER NOT NULL,
        account TEXT NOT NULL,
        message INTEGER NOT NULL,
        PRIMARY KEY (digits, account, message)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE doubted_3 (
        digits INTEGER NOT NULL,
        account TEXT NOT NULL,
        message INTEGER NOT NULL,
        PRIMARY KEY (digits, account, message)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE doubted_4 (
        digits INTEGER NOT NULL,
        account TEXT NOT NULL,
        message INTEGER NOT NULL,
        PRIMARY KEY (digits, account, message)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE seen (
        id INTEGER PRIMARY KEY,
        at_ms INTEGER NOT NULL,
        digest TEXT NOT NULL
    ) STRICT;
CREATE INDEX seen_part ON seen (digest) WHERE digest GLOB 'part-*';
INSERT INTO schema_version VALUES ('carrier', 1);
INSERT INTO schema_version VALUES ('smpp', 1);
