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
INSERT INTO schema_version VALUES ('carrier', 1);
INSERT INTO schema_version VALUES ('http', 1);
