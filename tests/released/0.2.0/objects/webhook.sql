CREATE TABLE schema_version (part TEXT NOT NULL PRIMARY KEY, version INTEGER NOT NULL) STRICT;
CREATE TABLE webhook (
        one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
        account TEXT NOT NULL,
        version INTEGER NOT NULL,
        told INTEGER NOT NULL,
        sweep_ms INTEGER NOT NULL,
        events INTEGER NOT NULL,
        test_events INTEGER NOT NULL,
        low_balance INTEGER
    ) STRICT;
CREATE TABLE endpoint (
        id TEXT NOT NULL PRIMARY KEY,
        url TEXT NOT NULL,
        events TEXT NOT NULL,
        low_balance INTEGER,
        description TEXT,
        active INTEGER NOT NULL,
        disabled_reason TEXT,
        created_ms INTEGER NOT NULL,
        secrets TEXT NOT NULL,
        failing_ms INTEGER,
        held_ms INTEGER NOT NULL,
        deleted INTEGER NOT NULL,
        test INTEGER NOT NULL,
        created_by TEXT,
        url_by TEXT,
        events_by TEXT
    ) STRICT, WITHOUT ROWID;
CREATE TABLE endpoint_way (
        endpoint TEXT NOT NULL,
        key TEXT NOT NULL,
        PRIMARY KEY (endpoint, key)
    ) STRICT, WITHOUT ROWID;
CREATE TABLE event (
        id TEXT NOT NULL PRIMARY KEY,
        type TEXT NOT NULL,
        made_ms INTEGER NOT NULL,
        data TEXT NOT NULL,
        test INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
CREATE INDEX event_test ON event (id) WHERE test = 1;
CREATE TABLE delivery (
        endpoint TEXT NOT NULL,
        event TEXT NOT NULL,
        state INTEGER NOT NULL,
        due_ms INTEGER NOT NULL,
        failures INTEGER NOT NULL,
        attempts INTEGER NOT NULL,
        last_ms INTEGER,
        status INTEGER,
        error TEXT,
        PRIMARY KEY (endpoint, event)
    ) STRICT, WITHOUT ROWID;
CREATE INDEX delivery_waiting ON delivery (endpoint, due_ms) WHERE state = 0;
CREATE TABLE callback (
        id TEXT NOT NULL PRIMARY KEY,
        receiver TEXT NOT NULL,
        message TEXT NOT NULL,
        due_ms INTEGER NOT NULL,
        failures INTEGER NOT NULL,
        test INTEGER NOT NULL,
        data TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
CREATE INDEX callback_due ON callback (receiver, due_ms);
CREATE INDEX callback_test ON callback (id) WHERE test = 1;
CREATE TABLE revoked_key (
        id TEXT NOT NULL PRIMARY KEY,
        at_ms INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
CREATE TABLE audit (
        seq INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
        at_ms INTEGER NOT NULL,
        entry TEXT NOT NULL
    ) STRICT;
INSERT INTO schema_version VALUES ('webhook', 1);
