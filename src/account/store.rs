//! The object's SQL schema and its one account row.
//!
//! Every command loads the row once, changes it in memory and saves it once. The constraint `money_is_conserved` lets
//! SQLite itself refuse a wallet that does not add up.

use super::OPERATOR;
use super::ledger::{EntryKind, LedgerError, Wallet};
use super::limiter::Limit;
use crate::ports::{PortError, Row, Sql, Value};

/// The steps of the schema, in order; never edited once landed, only added to.
const SCHEMA: &[&[&str]] = &[
    &[
        "CREATE TABLE account (
        one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
        id TEXT NOT NULL,
        active INTEGER NOT NULL,
        sending_enabled INTEGER NOT NULL,
        rate_limit INTEGER NOT NULL,
        rate_window_s INTEGER NOT NULL,
        rate_burst INTEGER NOT NULL,
        tat_us INTEGER NOT NULL,
        available INTEGER NOT NULL CHECK (available >= 0),
        locked INTEGER NOT NULL CHECK (locked >= 0),
        spent INTEGER NOT NULL CHECK (spent >= 0),
        credited INTEGER NOT NULL,
        ledger_seq INTEGER NOT NULL,
        version INTEGER NOT NULL,
        mirrored INTEGER NOT NULL,
        mirror_due_ms INTEGER NOT NULL,
        CONSTRAINT money_is_conserved CHECK (available + locked + spent = credited)
    ) STRICT",
        "CREATE TABLE ledger (
        seq INTEGER NOT NULL PRIMARY KEY,
        at_ms INTEGER NOT NULL,
        kind TEXT NOT NULL,
        amount INTEGER NOT NULL,
        available INTEGER NOT NULL,
        locked INTEGER NOT NULL,
        message INTEGER,
        note TEXT
    ) STRICT",
        "CREATE TABLE message (
        id INTEGER NOT NULL PRIMARY KEY,
        uid TEXT NOT NULL UNIQUE,
        kind TEXT NOT NULL,
        status TEXT NOT NULL,
        test INTEGER NOT NULL,
        line TEXT NOT NULL,
        carrier TEXT NOT NULL,
        text TEXT NOT NULL,
        encoding TEXT NOT NULL,
        parts INTEGER NOT NULL,
        cost INTEGER NOT NULL,
        unit TEXT NOT NULL,
        refunds TEXT NOT NULL,
        client_ref TEXT,
        send_at_ms INTEGER,
        created_ms INTEGER NOT NULL,
        total INTEGER NOT NULL,
        open INTEGER NOT NULL
    ) STRICT",
        "CREATE INDEX message_client_ref ON message (client_ref) WHERE client_ref IS NOT NULL",
        "CREATE TABLE recipient (
        message INTEGER NOT NULL,
        idx INTEGER NOT NULL,
        msisdn INTEGER NOT NULL,
        cost INTEGER NOT NULL,
        status INTEGER NOT NULL,
        money INTEGER NOT NULL,
        changed_ms INTEGER NOT NULL,
        PRIMARY KEY (message, idx)
    ) STRICT, WITHOUT ROWID",
        "CREATE INDEX recipient_msisdn ON recipient (msisdn)",
        // A chunk lives as long as something is to be done or waited for: `due_ms` is when.
        "CREATE TABLE chunk (
        message INTEGER NOT NULL,
        start INTEGER NOT NULL,
        state INTEGER NOT NULL,
        due_ms INTEGER NOT NULL,
        attempt INTEGER NOT NULL,
        in_doubt INTEGER NOT NULL,
        queued INTEGER NOT NULL,
        open INTEGER NOT NULL,
        PRIMARY KEY (message, start)
    ) STRICT, WITHOUT ROWID",
        "CREATE INDEX chunk_due ON chunk (due_ms)",
        "CREATE TABLE idempotency (
        key TEXT NOT NULL PRIMARY KEY,
        hash TEXT NOT NULL,
        message INTEGER,
        ledger_seq INTEGER,
        expires_ms INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID",
        "CREATE INDEX idempotency_expires ON idempotency (expires_ms)",
        "CREATE TABLE api_key (
        id TEXT NOT NULL PRIMARY KEY,
        title TEXT NOT NULL,
        digest TEXT NOT NULL,
        scopes TEXT NOT NULL,
        mode TEXT NOT NULL,
        lines TEXT,
        created_ms INTEGER NOT NULL,
        expires_ms INTEGER,
        revoked_ms INTEGER
    ) STRICT, WITHOUT ROWID",
    ],
    &[
        // What a recipient's text has of its own, in JSON.
        "CREATE TABLE own (
            message INTEGER NOT NULL,
            idx INTEGER NOT NULL,
            own TEXT NOT NULL,
            PRIMARY KEY (message, idx)
        ) STRICT, WITHOUT ROWID",
        // What scheduled messages were made of.
        "CREATE TABLE use (
            name TEXT NOT NULL,
            message INTEGER NOT NULL,
            PRIMARY KEY (name, message)
        ) STRICT, WITHOUT ROWID",
        "CREATE INDEX use_message ON use (message)",
        "CREATE TABLE blacklist (
            id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
            msisdn INTEGER NOT NULL UNIQUE,
            created_ms INTEGER NOT NULL
        ) STRICT",
        // The newest revision of each pattern that was ever changed.
        "CREATE TABLE pattern (
            slug TEXT NOT NULL PRIMARY KEY,
            revision INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID",
    ],
];

/// Brings the object's schema up to date; to be called once an instance, before anything else.
pub fn open(sql: &impl Sql) -> Result<(), PortError> {
    sql.exec(
        "CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL) STRICT",
        &[],
    )?;
    let rows = sql.exec("SELECT max(version) FROM schema_version", &[])?;
    let version = rows.first().map_or(Ok(None), |row| row.opt_int(0))?.unwrap_or(0);
    for (step, number) in SCHEMA.iter().zip(1i64..).filter(|(_, number)| *number > version) {
        sql.transaction(|| {
            for statement in *step {
                sql.exec(statement, &[])?;
            }
            sql.exec("INSERT INTO schema_version VALUES (?1)", &[number.into()])
                .map(drop)
        })?;
    }
    Ok(())
}

/// How long changes gather before the mirror in D1 is written, ms.
pub const MIRROR_DELAY_MS: i64 = 1_000;

/// Requests that operators may make in a minute, and at once: they script.
fn operator_limit() -> Limit {
    Limit::new(6_000, 60, 1_000).unwrap_or_default()
}

/// The account row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// The account's id in the directory.
    pub id: String,
    /// Whether it is active.
    pub active: bool,
    /// Its own sending switch.
    pub sending_enabled: bool,
    /// Its rate limit.
    pub limit: Limit,
    /// The limiter's theoretical arrival time, µs.
    pub tat_us: i64,
    /// Its money.
    pub wallet: Wallet,
    /// The newest ledger entry.
    pub ledger_seq: i64,
    /// Counts every change that the mirror shows.
    pub version: i64,
    /// The newest version that the mirror is known to have.
    pub mirrored: i64,
    /// When the mirror is to be written, if it is behind.
    pub mirror_due_ms: i64,
    /// Whether anybody is on its blacklist: most accounts need not look further.
    pub has_blacklist: bool,
}

const COLUMNS: &str = "id, active, sending_enabled, rate_limit, rate_window_s, rate_burst, tat_us, \
     available, locked, spent, credited, ledger_seq, version, mirrored, mirror_due_ms";

impl Account {
    /// Reads the account row, or makes the one an account starts with: active, with no money.
    pub fn load(sql: &impl Sql, id: &str) -> Result<Account, PortError> {
        match Account::stored(sql)? {
            Some(account) => Ok(account),
            None => Account::make(sql, id),
        }
    }

    fn make(sql: &impl Sql, id: &str) -> Result<Account, PortError> {
        let account = Account {
            id: id.to_owned(),
            active: true,
            sending_enabled: true,
            limit: if id == OPERATOR {
                operator_limit()
            } else {
                Limit::default()
            },
            tat_us: 0,
            wallet: Wallet::default(),
            ledger_seq: 0,
            version: 0,
            mirrored: 0,
            mirror_due_ms: 0,
            has_blacklist: false,
        };
        let sql_text = format!(
            "INSERT INTO account (one, {COLUMNS}) VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)"
        );
        sql.exec(&sql_text, &account.values())?;
        Ok(account)
    }

    /// The account row, if this object was ever called.
    pub fn stored(sql: &impl Sql) -> Result<Option<Account>, PortError> {
        let rows = sql.exec(
            &format!("SELECT {COLUMNS}, EXISTS (SELECT 1 FROM blacklist) FROM account"),
            &[],
        )?;
        rows.first().map(Account::from_row).transpose()
    }

    fn from_row(row: &Row) -> Result<Account, PortError> {
        Ok(Account {
            id: row.text(0)?,
            active: row.bool(1)?,
            sending_enabled: row.bool(2)?,
            limit: Limit::new(row.u32(3)?, row.u32(4)?, row.u32(5)?)
                .map_err(|error| PortError::failed("sql", error))?,
            tat_us: row.int(6)?,
            wallet: Wallet {
                available: row.int(7)?,
                locked: row.int(8)?,
                spent: row.int(9)?,
                credited: row.int(10)?,
            },
            ledger_seq: row.int(11)?,
            version: row.int(12)?,
            mirrored: row.int(13)?,
            mirror_due_ms: row.int(14)?,
            has_blacklist: row.bool(15)?,
        })
    }

    fn values(&self) -> [Value; 15] {
        [
            self.id.as_str().into(),
            self.active.into(),
            self.sending_enabled.into(),
            self.limit.limit().into(),
            self.limit.window_s().into(),
            self.limit.burst().into(),
            self.tat_us.into(),
            self.wallet.available.into(),
            self.wallet.locked.into(),
            self.wallet.spent.into(),
            self.wallet.credited.into(),
            self.ledger_seq.into(),
            self.version.into(),
            self.mirrored.into(),
            self.mirror_due_ms.into(),
        ]
    }

    /// Writes the row back if it differs from what was `before`.
    pub fn save(&self, sql: &impl Sql, before: &Account) -> Result<(), PortError> {
        if self == before {
            return Ok(());
        }
        if (Account {
            tat_us: self.tat_us,
            ..before.clone()
        }) == *self
        {
            return sql
                .exec("UPDATE account SET tat_us = ?1", &[self.tat_us.into()])
                .map(drop);
        }
        sql.exec(
            "UPDATE account SET id = ?1, active = ?2, sending_enabled = ?3, rate_limit = ?4, rate_window_s = ?5, \
             rate_burst = ?6, tat_us = ?7, available = ?8, locked = ?9, spent = ?10, credited = ?11, ledger_seq = ?12, \
             version = ?13, mirrored = ?14, mirror_due_ms = ?15",
            &self.values(),
        )
        .map(drop)
    }

    /// Notes a change that the mirror has to show.
    pub fn touch(&mut self, now_ms: i64) {
        if self.version == self.mirrored {
            self.mirror_due_ms = now_ms.saturating_add(MIRROR_DELAY_MS);
        }
        self.version = self.version.saturating_add(1);
    }

    /// Appends a ledger entry and moves the money; a refused entry changes nothing.
    pub fn post(
        &mut self,
        sql: &impl Sql,
        now_ms: i64,
        entry: Entry<'_>,
    ) -> Result<Result<(), LedgerError>, PortError> {
        let wallet = match self.wallet.after(entry.kind, entry.amount) {
            Ok(wallet) => wallet,
            Err(error) => return Ok(Err(error)),
        };
        self.wallet = wallet;
        self.ledger_seq = self.ledger_seq.saturating_add(1);
        self.touch(now_ms);
        sql.exec(
            "INSERT INTO ledger (seq, at_ms, kind, amount, available, locked, message, note) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            &[
                self.ledger_seq.into(),
                now_ms.into(),
                entry.kind.as_str().into(),
                entry.amount.into(),
                wallet.available.into(),
                wallet.locked.into(),
                entry.message.into(),
                entry.note.into(),
            ],
        )?;
        Ok(Ok(()))
    }

    /// As [`Account::post`], for the `(kind, amount, message)` of many rows at once, whose money the rows say is there:
    /// being short of it is a fault of ours.
    pub fn post_resolved(
        &mut self,
        sql: &impl Sql,
        now_ms: i64,
        entries: &[(EntryKind, i64, i64)],
    ) -> Result<(), PortError> {
        let mut rows = Vec::with_capacity(entries.len());
        for (kind, amount, message) in entries.iter().filter(|(_, amount, _)| *amount > 0) {
            let wallet = self
                .wallet
                .after(*kind, *amount)
                .map_err(|error| PortError::failed("ledger", error))?;
            self.wallet = wallet;
            self.ledger_seq = self.ledger_seq.saturating_add(1);
            rows.push((
                self.ledger_seq,
                kind.as_str(),
                amount,
                wallet.available,
                wallet.locked,
                message,
            ));
        }
        if rows.is_empty() {
            return Ok(());
        }
        self.touch(now_ms);
        let rows = serde_json::to_string(&rows).map_err(|error| PortError::failed("json", error))?;
        sql.exec(
            "INSERT INTO ledger (seq, at_ms, kind, amount, available, locked, message, note) \
             SELECT value ->> 0, ?2, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, NULL \
             FROM json_each(?1)",
            &[rows.into(), now_ms.into()],
        )
        .map(drop)
    }
}

/// A ledger entry to append.
#[derive(Debug, Clone, Copy)]
pub struct Entry<'a> {
    /// What it does.
    pub kind: EntryKind,
    /// How much it moves.
    pub amount: i64,
    /// The message it belongs to.
    pub message: Option<i64>,
    /// The operator's words.
    pub note: Option<&'a str>,
}
