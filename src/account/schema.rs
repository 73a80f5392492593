//! The schema of an account's object.

use crate::account::chunk::dead_letters::dead_letter;
use crate::account::keys::api_key;
use crate::account::keys::passkeys::passkey;
use crate::account::record::account_row::account_row;
use crate::account::record::campaign_row::campaign_row;
use crate::account::record::chunk::progress::{place_row, progress_row};
use crate::account::record::chunk::{is_ready, is_waiting, state_code};
use crate::account::record::message::row::message_row;
use crate::account::sign_in::sign_in;
use crate::account::verify::row::verification;
use crate::account::verify::stats::verify_day;
use crate::base::ports::{PortError, Sql};
use crate::durable::audit;
use crate::durable::schema::{self, Step};

/// The status of the message `m`, from all of its chunks `c`.
macro_rules! status_of_chunks {
    () => {
        concat!(
            "CASE WHEN sum(c.active) = 0 THEN iif(min(c.state) = ",
            state_code!(Canceled),
            ", 'CANCELED', 'DONE') \
              WHEN sum(c.queued) < m.total THEN 'SENDING' \
              WHEN m.send_at_ms IS NOT NULL AND max(iif(c.open = 0, 0, c.state)) = ",
            state_code!(Scheduled),
            " THEN 'SCHEDULED' ELSE 'QUEUED' END"
        )
    };
}

const MESSAGE: &str = concat!(
    "CREATE VIEW message AS SELECT message AS id, ",
    message_row!(columns),
    " FROM chunk WHERE number = 0"
);

/// The keys that have sent. Their titles stay when the keys are forgotten.
const SENDER: &str = "CREATE TABLE sender (
    number INTEGER NOT NULL PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL
) STRICT";

/// What each sender has sent by day, as `usage` counts it. The sender 0 is the console.
const KEY_USAGE: &str = "CREATE TABLE key_usage (
    day INTEGER NOT NULL,
    sender INTEGER NOT NULL,
    test INTEGER NOT NULL,
    messages INTEGER NOT NULL,
    recipients INTEGER NOT NULL,
    parts INTEGER NOT NULL,
    cost INTEGER NOT NULL,
    returned INTEGER NOT NULL,
    PRIMARY KEY (day, sender, test)
) STRICT, WITHOUT ROWID";

/// What a new object gets.
const WHOLE: Step = &[
    // `open_page` has the newest entries of the ledger, `open_entries` how many these are. `usage` has what is counted and not in its
    // table yet, JSON as `record/usage_pending.rs` writes it.
    concat!(
        "CREATE TABLE account (one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1), ",
        account_row!(schema),
        ", CONSTRAINT money_is_conserved CHECK (available + locked + spent = credited)) STRICT"
    ),
    // A page of the ledger: `entries`, as `record/ledger_pages.rs` writes them, of which the first has the number `first`. It was written
    // at `at_ms`. `credited` is what a credit added, which stands alone. `key` is the idempotency key that it came with, and
    // `key_hash` the hash of the request.
    "CREATE TABLE ledger_page (
        first INTEGER NOT NULL PRIMARY KEY,
        at_ms INTEGER NOT NULL,
        credited INTEGER,
        key TEXT,
        key_hash TEXT,
        entries TEXT NOT NULL
    ) STRICT",
    "CREATE INDEX ledger_key ON ledger_page (key) WHERE key IS NOT NULL",
    // What was credited up to an entry is a sum over few rows, not over the whole ledger.
    "CREATE INDEX ledger_credit ON ledger_page (first, credited) WHERE credited IS NOT NULL",
    // `seq` has no gaps, and grows together with `at_ms`.
    "CREATE VIEW ledger (page, seq, at_ms, kind, amount, available, locked, message, note) AS
        SELECT p.first, p.first + e.key, e.value ->> 6, e.value ->> 0, e.value ->> 1, e.value ->> 2, e.value ->> 3, e.value ->> 4,
               e.value ->> 5
        FROM ledger_page p CROSS JOIN json_each(p.entries) e",
    // Messages with secret values that the walk which redacts them has passed, and when each is looked at again.
    "CREATE TABLE late_redaction (
        message INTEGER NOT NULL PRIMARY KEY,
        due_ms INTEGER NOT NULL
    ) STRICT",
    "CREATE INDEX late_redaction_due ON late_redaction (due_ms)",
    // The messages to a number, of those that have more than one recipient.
    "CREATE TABLE number (
        msisdn INTEGER NOT NULL,
        message INTEGER NOT NULL,
        PRIMARY KEY (msisdn, message)
    ) STRICT, WITHOUT ROWID",
    // What a recipient's text has of its own, JSON.
    "CREATE TABLE recipient_text (
        message INTEGER NOT NULL,
        idx INTEGER NOT NULL,
        text TEXT NOT NULL,
        PRIMARY KEY (message, idx)
    ) STRICT, WITHOUT ROWID",
    // `recipients` are those of the chunk, as `recipients.rs` writes them; their indexes are between `first` and `last`. `delivered`,
    // `failed` and `returned` say how many of them have the message, how many have failed to get it, and how much of their cost is back
    // in the wallet. `failed_for` says in waves of campaigns why they have failed, as `row.rs` writes it. The row of a message's first
    // chunk has what the message is; in those of its other chunks all that is NULL.
    concat!(
        "CREATE TABLE chunk (",
        place_row!(schema),
        ", ",
        progress_row!(schema),
        ", delivered INTEGER NOT NULL DEFAULT 0, failed INTEGER NOT NULL DEFAULT 0, returned INTEGER NOT NULL DEFAULT 0, failed_for TEXT, ",
        message_row!(schema),
        ", recipients TEXT NOT NULL, PRIMARY KEY (message, number), CHECK ((number = 0) = (uid IS NOT NULL))) STRICT, WITHOUT ROWID"
    ),
    "CREATE INDEX chunk_msisdn ON chunk (msisdn) WHERE msisdn IS NOT NULL",
    "CREATE INDEX chunk_key ON chunk (key) WHERE key IS NOT NULL",
    "CREATE INDEX chunk_client_ref ON chunk (client_ref) WHERE client_ref IS NOT NULL",
    "CREATE INDEX chunk_campaign ON chunk (campaign, message) WHERE campaign IS NOT NULL",
    "CREATE INDEX chunk_test ON chunk (message) WHERE test = 1",
    // What test messages take, about, so that the oldest can go when they take too much.
    "CREATE TABLE test_message (
        message INTEGER NOT NULL PRIMARY KEY,
        bytes INTEGER NOT NULL
    ) STRICT",
    MESSAGE,
    "CREATE VIEW message_to (msisdn, message) AS
        SELECT msisdn, message FROM number UNION ALL SELECT msisdn, message FROM chunk WHERE msisdn IS NOT NULL",
    // A recipient's `carrier` is the one that has it, or may have it. `error` says why it did not get the message; `error_code` is
    // the carrier's own word for it.
    "CREATE VIEW recipient (message, idx, chunk, msisdn, cost, parts, status, money, changed_ms, carrier, error, error_code) AS
        SELECT c.message, r.value ->> 0, c.number, r.value ->> 1, r.value ->> 2, r.value ->> 3, r.value ->> 4, r.value ->> 5,
               r.value ->> 6, r.value ->> 7, r.value ->> 8, r.value ->> 9
        FROM chunk c CROSS JOIN json_each(c.recipients) r",
    // What the chunks of a message say of it: its status, how many of its recipients have it, and how many have failed to get it.
    concat!(
        "CREATE VIEW message_progress (message, progress) AS SELECT m.id, (SELECT json_array(",
        status_of_chunks!(),
        ", sum(c.delivered), sum(c.failed)) FROM chunk c WHERE c.message = m.id) FROM message m"
    ),
    concat!(
        "CREATE VIEW message_status (message, status) AS SELECT m.id, (SELECT ",
        status_of_chunks!(),
        " FROM chunk c WHERE c.message = m.id) FROM message m"
    ),
    // Each chunk stands in at most one of these two: ready ones by class and queue, so that no queue's backlog stands before
    // the others, and those that wait for a time. The last column of each lets the search for stalled chunks read the index
    // alone.
    concat!(
        "CREATE INDEX chunk_ready ON chunk (class, queue, due_ms, ready_ms) WHERE ",
        is_ready!()
    ),
    concat!(
        "CREATE INDEX chunk_waiting ON chunk (due_ms, state) WHERE ",
        is_waiting!()
    ),
    // Chunks that were given up or are stalled, until the directory has them.
    concat!("CREATE TABLE dead_letter (", dead_letter!(schema), ") STRICT"),
    // Chunks that the directory has, or is to have, as stalled. `seq` is their dead letter.
    "CREATE TABLE stuck (
        message INTEGER NOT NULL,
        number INTEGER NOT NULL,
        seq INTEGER NOT NULL UNIQUE,
        PRIMARY KEY (message, number)
    ) STRICT, WITHOUT ROWID",
    // The last two say when its budgets of the audit log are full again.
    concat!(
        "CREATE TABLE api_key (",
        api_key!(schema),
        ", audit_full_us INTEGER NOT NULL DEFAULT 0, counted_full_us INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (id)) STRICT, WITHOUT ROWID"
    ),
    // The invitations of the last 24 hours: their messages' numbers, whom they have invited, and which key or member has. An operator
    // has none of the account.
    "CREATE TABLE invitation (
        message INTEGER NOT NULL PRIMARY KEY,
        member TEXT NOT NULL,
        inviter TEXT,
        sent_ms INTEGER NOT NULL
    ) STRICT",
    // Passkeys of members.
    concat!("CREATE TABLE passkey (", passkey!(schema), ", PRIMARY KEY (id), UNIQUE (credential)) STRICT, WITHOUT ROWID"),
    // Challenges that passkeys have signed, until they would have ended.
    "CREATE TABLE answered_challenge (
        challenge TEXT NOT NULL PRIMARY KEY,
        ends_ms INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID",
    // By what members sign in.
    "CREATE TABLE member_rule (
        one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
        only_passkeys INTEGER NOT NULL
    ) STRICT",
    // By which keys of this object a key was made: directly, or by one that one of them has made. `replaced`: the key stands in the
    // place of that one. Keys that the object has forgotten are left out of new rows.
    "CREATE TABLE key_maker (
        key TEXT NOT NULL,
        maker TEXT NOT NULL,
        replaced INTEGER NOT NULL,
        PRIMARY KEY (key, maker)
    ) STRICT, WITHOUT ROWID",
    // What scheduled messages were made from.
    "CREATE TABLE source (
        name TEXT NOT NULL,
        message INTEGER NOT NULL,
        PRIMARY KEY (name, message)
    ) STRICT, WITHOUT ROWID",
    "CREATE INDEX source_message ON source (message)",
    // Campaigns. Their waves are messages, whose rows name them.
    concat!("CREATE TABLE campaign (", campaign_row!(schema), ", PRIMARY KEY (id)) STRICT"),
    "CREATE INDEX campaign_due ON campaign (due_ms) WHERE due_ms IS NOT NULL",
    "CREATE INDEX campaign_key ON campaign (key) WHERE key IS NOT NULL",
    // Deleted phonebooks of which the directory may still have something.
    "CREATE TABLE removal (
        phonebook TEXT NOT NULL PRIMARY KEY,
        noted_ms INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID",
    "CREATE INDEX removal_noted ON removal (noted_ms)",
    "CREATE TABLE blacklist (
        id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
        msisdn INTEGER NOT NULL UNIQUE,
        created_ms INTEGER NOT NULL,
        opt_out INTEGER NOT NULL
    ) STRICT",
    // Numbers that were on the blacklist when they were erased: the digest by which each stays blocked.
    "CREATE TABLE blocked_digest (
        digest TEXT NOT NULL PRIMARY KEY,
        opt_out INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID",
    // Orders to erase a number. `sealed` is the number, until that is done. `ending` are its last digits. `by_operators`: the order is
    // over all accounts. `step` and `position` say
    // how far the order has come, `found` what it has met, JSON.
    "CREATE TABLE erasure (
        seq INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        ending TEXT NOT NULL,
        by_operators INTEGER NOT NULL,
        sealed TEXT,
        created_ms INTEGER NOT NULL,
        done_ms INTEGER,
        due_ms INTEGER NOT NULL,
        step INTEGER NOT NULL,
        position TEXT NOT NULL,
        found TEXT NOT NULL
    ) STRICT",
    "CREATE INDEX erasure_due ON erasure (due_ms) WHERE done_ms IS NULL",
    // Messages from phones. `id` and `received_ms` grow together. `confirmed_ms` is when a message was accepted that confirms
    // the opt-out in it, or the return.
    "CREATE TABLE inbound (
        id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
        uid TEXT NOT NULL,
        carrier TEXT NOT NULL,
        carrier_id TEXT,
        line TEXT NOT NULL,
        sender TEXT NOT NULL,
        text TEXT NOT NULL,
        is_cut INTEGER NOT NULL,
        opt_out INTEGER NOT NULL,
        confirmed_ms INTEGER,
        received_ms INTEGER NOT NULL
    ) STRICT",
    // `taken` is the id of the last message of the line that a program has taken. The line '' stands for all.
    // `taken` is the last message that was taken, `taker` the key that took it, in the hour `hour` (hours since the Unix epoch), and
    // `first` the first message that this key took in that hour.
    "CREATE TABLE inbound_mark (
        line TEXT NOT NULL PRIMARY KEY,
        taken INTEGER NOT NULL,
        taker TEXT NOT NULL,
        hour INTEGER NOT NULL,
        first INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID",
    "CREATE INDEX inbound_carrier_id ON inbound (carrier, carrier_id) WHERE carrier_id IS NOT NULL",
    "CREATE INDEX inbound_line ON inbound (line)",
    "CREATE INDEX inbound_sender ON inbound (sender)",
    "CREATE INDEX inbound_sender_and_line ON inbound (sender, line)",
    "CREATE INDEX inbound_confirmed ON inbound (sender, line) WHERE confirmed_ms IS NOT NULL",
    "CREATE INDEX inbound_received ON inbound (received_ms)",
    // `day` is counted from 1970-01-01, UTC. The row without a carrier counts what was accepted; in the rows of carriers,
    // `recipients`, `parts` and `cost` are what each has taken of that. `mirrored` is a version that the directory
    // has; of rows of today, the object remembers newer ones.
    "CREATE TABLE usage (
        day INTEGER NOT NULL,
        line TEXT NOT NULL,
        carrier TEXT NOT NULL,
        test INTEGER NOT NULL,
        messages INTEGER NOT NULL DEFAULT 0,
        recipients INTEGER NOT NULL DEFAULT 0,
        parts INTEGER NOT NULL DEFAULT 0,
        cost INTEGER NOT NULL DEFAULT 0,
        returned INTEGER NOT NULL DEFAULT 0,
        delivered INTEGER NOT NULL DEFAULT 0,
        undelivered INTEGER NOT NULL DEFAULT 0,
        expired INTEGER NOT NULL DEFAULT 0,
        rejected INTEGER NOT NULL DEFAULT 0,
        unknown INTEGER NOT NULL DEFAULT 0,
        canceled INTEGER NOT NULL DEFAULT 0,
        version INTEGER NOT NULL DEFAULT 1,
        mirrored INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (day, line, carrier, test)
    ) STRICT, WITHOUT ROWID",
    SENDER,
    KEY_USAGE,
    // How far the walks that forget old messages have come, the newest days of which they have forgotten live and test
    // messages, when chores are due that nothing else tells, and when the directory was told what waits (0: it has nothing).
    "CREATE TABLE upkeep (
        one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
        live_walked INTEGER NOT NULL,
        test_walked INTEGER NOT NULL,
        live_forgotten_day INTEGER NOT NULL,
        test_forgotten_day INTEGER NOT NULL,
        forget_due_ms INTEGER NOT NULL,
        inbound_due_ms INTEGER NOT NULL,
        look_due_ms INTEGER NOT NULL,
        waiting_told_ms INTEGER NOT NULL
    ) STRICT",
    "INSERT INTO upkeep VALUES (1, 0, 0, -1, -1, 0, 0, 0, 0)",
    // What the endpoints of the account ask for. `handing` has the rows of `event` that a call may have carried, a JSON list;
    // `last_seq` is the highest of those that were forgotten.
    "CREATE TABLE webhook (
        one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
        version INTEGER NOT NULL,
        types INTEGER NOT NULL,
        test_types INTEGER NOT NULL,
        handing TEXT,
        last_seq INTEGER NOT NULL DEFAULT 0
    ) STRICT",
    // The balances below which the account's program wants to hear of it, and whether it has.
    "CREATE TABLE low_balance (
        threshold INTEGER NOT NULL PRIMARY KEY,
        told INTEGER NOT NULL
    ) STRICT",
    // Events on their way to the webhook object. A row about recipients has the uid of their message. No `seq` is given twice,
    // because ids are made of it. A row of type `callback` is a status callback.
    "CREATE TABLE event (
        seq INTEGER NOT NULL PRIMARY KEY,
        at_ms INTEGER NOT NULL,
        due_ms INTEGER NOT NULL,
        type TEXT NOT NULL,
        message TEXT,
        body TEXT NOT NULL
    ) STRICT",
    // The revision of each pattern that was ever changed: NULL after a change, until somebody has read it again. `changes`
    // counts the changes of the row.
    "CREATE TABLE pattern (
        slug TEXT NOT NULL PRIMARY KEY,
        revision INTEGER,
        changes INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID",
    concat!(
        "CREATE TABLE verification (",
        verification!(schema),
        ", PRIMARY KEY (number), CHECK (seed IS NULL OR ended_ms IS NULL)) STRICT"
    ),
    // Those that were blocked have no message by which their number is found.
    "CREATE INDEX verification_blocked ON verification (msisdn) WHERE status = 5",
    // What browsers have asked for by which people sign in. `sent_ms` is the time of the newest message, and from `ends_ms` on nothing
    // of the row counts.
    concat!(
        "CREATE TABLE sign_in (",
        sign_in!(schema),
        ", sent_ms INTEGER NOT NULL, ends_ms INTEGER NOT NULL, PRIMARY KEY (msisdn, browser)) STRICT, WITHOUT ROWID"
    ),
    "CREATE INDEX sign_in_ends ON sign_in (ends_ms)",
    // Verifications of a day of UTC that have ended, by what their numbers begin with, and by the line and the carrier of the newest
    // message. `seconds` counts those that were approved by the seconds that took, JSON.
    concat!(
        "CREATE TABLE verify_day (",
        verify_day!(schema),
        ", PRIMARY KEY (day, line, prefix, carrier, test)) STRICT, WITHOUT ROWID"
    ),
    // How verifications of numbers that begin so have ended since `since_ms`, and until when the guard lets none begin.
    "CREATE TABLE verify_prefix (
        prefix TEXT NOT NULL PRIMARY KEY,
        since_ms INTEGER NOT NULL,
        ended INTEGER NOT NULL,
        approved INTEGER NOT NULL,
        paused_until_ms INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID",
    // Going back in time. `number` is that of the last restore that this storage knows: it is made good, or it did not happen.
    // `done` is what the last one that was made good has changed, JSON.
    "CREATE TABLE restore (
        one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
        number INTEGER NOT NULL,
        done TEXT
    ) STRICT",
    "INSERT INTO restore VALUES (1, 0, NULL)",
    audit::TABLE,
    CLOSING,
    STANDING,
    REQUEST_COUNTS,
    WORK_COUNTS,
];

/// Whether the account is closed, and which step of taking away what is left is due when; at none when all is gone.
const CLOSING: &str = "CREATE TABLE closing (
        one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
        closed_ms INTEGER NOT NULL,
        step INTEGER NOT NULL,
        due_ms INTEGER
    ) STRICT";

/// Why the account does not send as it could, in an operator's words. There is a row only while it does not.
const STANDING: &str = "CREATE TABLE standing (
        one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
        reason TEXT NOT NULL
    ) STRICT";

/// How many requests the service has answered, JSON as `metrics.rs` writes it. Only the operators' object has a row.
const REQUEST_COUNTS: &str = "CREATE TABLE request_counts (
        one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
        counts TEXT NOT NULL
    ) STRICT";

/// What the service has done beside answering requests, JSON as `metrics.rs` writes it. Only the operators' object has a row.
const WORK_COUNTS: &str = "CREATE TABLE work_counts (
        one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
        counts TEXT NOT NULL
    ) STRICT";

/// The steps from 0.2.0 on.
const STEPS: &[Step] = &[
    &["ALTER TABLE account ADD COLUMN time_zone TEXT"],
    &[
        "ALTER TABLE account ADD COLUMN key_usage TEXT NOT NULL DEFAULT '[]'",
        "ALTER TABLE chunk ADD COLUMN sender INTEGER",
        "DROP VIEW message",
        MESSAGE,
        SENDER,
        KEY_USAGE,
    ],
    &[CLOSING, STANDING],
    &[REQUEST_COUNTS],
    &[WORK_COUNTS],
];

/// Brings the object's schema up to date.
pub fn open(sql: &impl Sql) -> Result<(), PortError> {
    schema::migrate(sql, "account", WHOLE, STEPS)
}
