//! The schema of a webhook object.

use crate::base::ports::{PortError, Sql};
use crate::durable::audit;
use crate::durable::schema::{self, Step};

const WHOLE: Step = &[
    // `version` counts the changes of what the endpoints ask for; the account's object has heard of those up to `told`.
    // `events` counts the rows of `event` of live endpoints, `test_events` those of test endpoints. `low_balance` is for endpoints that have none of their own.
    "CREATE TABLE webhook (
        one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
        account TEXT NOT NULL,
        version INTEGER NOT NULL,
        told INTEGER NOT NULL,
        sweep_ms INTEGER NOT NULL,
        events INTEGER NOT NULL,
        test_events INTEGER NOT NULL,
        low_balance INTEGER
    ) STRICT",
    // `events` is a JSON list of types, `secrets` one of `[secret, end]`, the newest first. `failing_ms` is when the first
    // attempt failed since the last success, `held_ms` until when the receiver asked for a pause. A deleted endpoint stays
    // until its deliveries are gone. A test endpoint is of test keys and gets the events of their messages. `created_by`, `url_by` and
    // `events_by` are the keys that have made it, and that were the last to change its address and its types.
    "CREATE TABLE endpoint (
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
    ) STRICT, WITHOUT ROWID",
    // The keys that a session came from, by a link or a passkey, which has made an endpoint or has changed its address or its types.
    "CREATE TABLE endpoint_way (
        endpoint TEXT NOT NULL,
        key TEXT NOT NULL,
        PRIMARY KEY (endpoint, key)
    ) STRICT, WITHOUT ROWID",
    // Ids sort by time.
    "CREATE TABLE event (
        id TEXT NOT NULL PRIMARY KEY,
        type TEXT NOT NULL,
        made_ms INTEGER NOT NULL,
        data TEXT NOT NULL,
        test INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID",
    "CREATE INDEX event_test ON event (id) WHERE test = 1",
    // An event for an endpoint. `failures` counts the attempts that failed since it was queued last, `attempts` all. `answer` is the
    // beginning of what the receiver has answered last.
    "CREATE TABLE delivery (
        endpoint TEXT NOT NULL,
        event TEXT NOT NULL,
        state INTEGER NOT NULL,
        due_ms INTEGER NOT NULL,
        failures INTEGER NOT NULL,
        attempts INTEGER NOT NULL,
        last_ms INTEGER,
        status INTEGER,
        error TEXT,
        answer TEXT,
        PRIMARY KEY (endpoint, event)
    ) STRICT, WITHOUT ROWID",
    "CREATE INDEX delivery_waiting ON delivery (endpoint, due_ms) WHERE state = 0",
    // Status callbacks that wait. `receiver` is the scheme, the host and the port of the address, `message` the id of the message, and
    // `failures` counts the attempts that failed. `data` is the callback itself, JSON. It goes when the receiver has it, or when it is
    // given up.
    "CREATE TABLE callback (
        id TEXT NOT NULL PRIMARY KEY,
        receiver TEXT NOT NULL,
        message TEXT NOT NULL,
        due_ms INTEGER NOT NULL,
        failures INTEGER NOT NULL,
        test INTEGER NOT NULL,
        data TEXT NOT NULL
    ) STRICT, WITHOUT ROWID",
    "CREATE INDEX callback_due ON callback (receiver, due_ms)",
    "CREATE INDEX callback_test ON callback (id) WHERE test = 1",
    // Keys whose calls are refused: they are revoked, and what they have made is switched off.
    "CREATE TABLE revoked_key (
        id TEXT NOT NULL PRIMARY KEY,
        at_ms INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID",
    audit::TABLE,
];

/// The steps from 0.2.0 on.
const STEPS: &[Step] = &[&["ALTER TABLE delivery ADD COLUMN answer TEXT"]];

/// Brings the object's schema up to date.
pub fn open(sql: &impl Sql) -> Result<(), PortError> {
    schema::migrate(sql, "webhook", WHOLE, STEPS)
}
