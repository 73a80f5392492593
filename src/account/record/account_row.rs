//! The account's row: status, limit, wallet, counters. A [unit of work](crate::account::unit_of_work) has it once, changes it in
//! memory and writes it once. The object remembers it as it is stored ([`remembered`]), and reads it once in its life. The constraint
//! `money_is_conserved` makes SQLite itself refuse a wallet that does not add up.

use std::rc::Rc;

use super::caps::{DailySpend, RecipientLimit};
use super::key_usage::PendingSent;
use super::ledger::Wallet;
use super::ledger_pages::OpenPage;
use super::secrets::Secrets;
use super::spending::KeySpending;
use super::subscriptions::{Subscriptions, subscription_columns};
use super::usage_pending::Pending;
use super::verifications::Verifications;
use crate::account::limiter;
use crate::account::limiter::Limit;
use crate::base::ports::{PortError, Sql, Value};
use crate::base::record::{Columns, columns, record};
use crate::durable::remembered::{self, Remembered, compared};

/// The account that operators' keys belong to. It sends nothing and has no money; its object counts the requests of
/// operators and has their keys.
pub const OPERATOR: &str = "operator";
/// How long changes gather before the mirror in D1 is written, ms.
pub const MIRROR_DELAY_MS: i64 = 1_000;

/// The limit of operators' requests. It is high because operators work with scripts.
fn operator_limit() -> Limit {
    Limit::new(6_000, 60, 1_000).unwrap_or_default()
}

record! {
    /// The account row.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Account by account_row {
        /// The account's id in the directory.
        pub id: String = id "TEXT NOT NULL";
        /// Whether it is active.
        pub active: bool = active "INTEGER NOT NULL";
        /// Its own sending switch.
        pub sending_enabled: bool = sending_enabled "INTEGER NOT NULL";
        /// Its rate limit.
        pub limit: Limit = rate_limit "INTEGER NOT NULL", rate_window_s "INTEGER NOT NULL", rate_burst "INTEGER NOT NULL";
        /// The limiter's theoretical arrival time, µs.
        pub tat_us: i64 = tat_us "INTEGER NOT NULL";
        /// Its money.
        pub wallet: Wallet = available "INTEGER NOT NULL CHECK (available >= 0)", locked "INTEGER NOT NULL CHECK (locked >= 0)", spent "INTEGER NOT NULL CHECK (spent >= 0)", credited "INTEGER NOT NULL";
        /// The newest ledger entry.
        pub ledger_seq: i64 = ledger_seq "INTEGER NOT NULL";
        /// The newest message. A number is never given twice, because carriers' reports name messages by it.
        pub message_seq: i64 = message_seq "INTEGER NOT NULL";
        /// When it was accepted, ms since the Unix epoch. It never goes back, even when the clock does: lists find a time by it.
        pub accepted_ms: i64 = accepted_ms "INTEGER NOT NULL";
        /// Counts every change that the mirror shows.
        pub version: i64 = version "INTEGER NOT NULL";
        /// When it has counted last, ms since the Unix epoch.
        pub changed_ms: i64 = changed_ms "INTEGER NOT NULL";
        /// When it may write a whole day's bytes into the audit log again, µs since the Unix epoch.
        pub audit_full_us: i64 = audit_full_us "INTEGER NOT NULL";
        /// When it was made, ms since the Unix epoch. It never goes back, even when the clock does: lists find a time by it.
        pub ledger_ms: i64 = ledger_ms "INTEGER NOT NULL";
        /// The newest entries, which are in no page of the ledger yet.
        pub open_page: OpenPage = open_entries "INTEGER NOT NULL", open_page "TEXT NOT NULL";
        /// The usage that is not in its table yet.
        pub usage: Pending = usage "TEXT NOT NULL";
        /// How many messages of patterns a recipient may get.
        pub recipient_limit: RecipientLimit = recipient_limit "INTEGER NOT NULL", recipient_window_s "INTEGER NOT NULL";
        /// What may be spent in a day.
        pub daily_spend: DailySpend = daily_spend "INTEGER", spend_day "INTEGER NOT NULL", spent_today "INTEGER NOT NULL";
        /// Whether it is on hold: nothing of it leaves.
        pub on_hold: bool = on_hold "INTEGER NOT NULL";
        /// The newest message of which an operator has canceled what had not left; 0 for none.
        pub canceled_through: i64 = canceled_through "INTEGER NOT NULL";
        /// The rate limit of test keys.
        pub test_limit: Limit = test_rate_limit "INTEGER NOT NULL", test_rate_window_s "INTEGER NOT NULL", test_rate_burst "INTEGER NOT NULL";
        /// Their limiter's theoretical arrival time, µs.
        pub test_tat_us: i64 = test_tat_us "INTEGER NOT NULL";
        /// What test messages take, about, as `message/test_messages.rs` counts it.
        pub test_bytes: i64 = test_bytes "INTEGER NOT NULL";
        /// Which messages may have secret values that are not redacted yet.
        pub secrets: Secrets = secret_first "INTEGER NOT NULL", secret_last "INTEGER NOT NULL";
        /// What its capped keys have taken and spent.
        pub key_spending: KeySpending = key_spending "TEXT NOT NULL";
        /// Which of its verifications are to be looked at, and when.
        pub verifications: Verifications = verify_first "INTEGER NOT NULL", verify_due_ms "INTEGER NOT NULL";
        /// The time zone that it has chosen, by its name in the IANA database.
        pub time_zone: Option<String> = time_zone "TEXT";
        /// What keys have sent that is not in its table yet.
        pub key_usage: PendingSent = key_usage "TEXT NOT NULL DEFAULT '[]'";
    } beside {
        /// Whether its blacklist has any number: most have none, and then no send looks further.
        pub has_blacklist: bool = "EXISTS (SELECT 1 FROM blacklist)";
        /// Whether numbers stay blocked that are erased: then each recipient of a send is looked up by a digest.
        pub has_blocked_digests: bool = "EXISTS (SELECT 1 FROM blocked_digest)";
        /// What of its events anybody wants to know.
        pub subscriptions: Subscriptions = subscription_columns!();
        /// When it was closed, ms since the Unix epoch. `None`: it is open.
        pub closed_ms: Option<i64> = "(SELECT closed_ms FROM closing WHERE one = 1)";
        /// Why it is not active, may not send or is on hold, in an operator's words.
        pub reason: Option<String> = "(SELECT reason FROM standing WHERE one = 1)";
    }
}
pub(in crate::account) use account_row;

/// One row, with what stands beside it.
impl Remembered for Account {
    type Key = ();
    const TABLES: &'static [&'static str] = &[
        "account",
        "blacklist",
        "blocked_digest",
        "webhook",
        "low_balance",
        "closing",
        "standing",
    ];
    const MAX_OCTETS: usize = usize::MAX;

    fn octets(&self, (): &()) -> usize {
        size_of::<Self>()
    }
}

const STORED: &str = concat!("SELECT ", account_row!(read), " FROM account");
/// The same, by which a debug build compares.
pub const COMPARED: &str = concat!("SELECT ", account_row!(read), " FROM account", compared!());

/// Makes the function that tells which members of the row have changed.
macro_rules! changed {
    ($($member:ident)+) => {
        /// The names of the members that differ.
        fn changed(&self, before: &Account) -> Vec<&'static str> {
            let all = [$((stringify!($member), self.$member != before.$member)),+];
            all.into_iter().filter(|(_, differs)| *differs).map(|(member, _)| member).collect()
        }
    };
}

/// Makes the function that writes a part of the row, and the list of its members. `first` is what else the statement sets, with the
/// values that the function gets.
macro_rules! part {
    ($(#[$doc:meta])* $write:ident, $members:ident, $first:literal: $($member:ident = $($column:ident),+;)+) => {
        $(#[$doc])*
        const $members: &[&str] = &[$(stringify!($member)),+];

        impl Account {
            $(#[$doc])*
            fn $write(&self, sql: &impl Sql, mut values: Vec<Value>) -> Result<(), PortError> {
                $(Columns::write(&self.$member, &mut values)?;)+
                let statement = concat!("UPDATE account SET ", $first, columns!(sets $($($column)+)+));
                sql.exec(statement, &values).map(drop)
            }
        }
    };
}

part! {
    /// What a request changes that only takes tokens.
    save_limiters, LIMITERS, "":
    tat_us = tat_us;
    test_tat_us = test_tat_us;
    key_spending = key_spending;
}

part! {
    /// What messages change, beside the open page of the ledger, which grows.
    save_of_messages, OF_MESSAGES, "open_entries = ?, open_page = open_page || ?, ":
    tat_us = tat_us;
    key_spending = key_spending;
    wallet = available, locked, spent, credited;
    ledger_seq = ledger_seq;
    ledger_ms = ledger_ms;
    message_seq = message_seq;
    accepted_ms = accepted_ms;
    version = version;
    changed_ms = changed_ms;
    usage = usage;
    key_usage = key_usage;
    daily_spend = daily_spend, spend_day, spent_today;
}

impl Account {
    account_row!(members changed);

    /// Reads the account row, or makes the one an account starts with: active, with no money.
    pub fn load(sql: &impl Sql, id: &str) -> Result<Rc<Account>, PortError> {
        match Account::stored(sql)? {
            Some(account) => Ok(account),
            None => Account::make(sql, id).map(Rc::new),
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
            recipient_limit: RecipientLimit::default(),
            daily_spend: DailySpend::default(),
            key_spending: KeySpending::default(),
            on_hold: false,
            canceled_through: 0,
            secrets: Secrets::default(),
            verifications: Verifications::default(),
            time_zone: None,
            key_usage: PendingSent::default(),
            tat_us: 0,
            test_limit: limiter::of_tests(),
            test_tat_us: 0,
            test_bytes: 0,
            wallet: Wallet::default(),
            ledger_seq: 0,
            ledger_ms: 0,
            open_page: OpenPage::default(),
            usage: Pending::default(),
            message_seq: 0,
            accepted_ms: 0,
            version: 0,
            changed_ms: 0,
            audit_full_us: 0,
            has_blacklist: false,
            has_blocked_digests: false,
            subscriptions: Subscriptions::default(),
            closed_ms: None,
            reason: None,
        };
        sql.exec(
            concat!(
                "INSERT INTO account (one, ",
                account_row!(columns),
                ") VALUES (1, ",
                account_row!(marks),
                ")"
            ),
            &account.values()?,
        )?;
        Ok(account)
    }

    /// The account row, if this object was ever called.
    pub fn stored(sql: &impl Sql) -> Result<Option<Rc<Account>>, PortError> {
        remembered::read(
            sql,
            &(),
            || Account::read_by(sql, STORED),
            || Account::read_by(sql, COMPARED),
        )
    }

    fn read_by(sql: &impl Sql, statement: &str) -> Result<Option<Account>, PortError> {
        let rows = sql.exec(statement, &[])?;
        rows.first().map(Account::of).transpose()
    }

    /// Writes what differs from what was `before`.
    pub fn save(self, sql: &impl Sql, before: &Rc<Account>) -> Result<(), PortError> {
        if !self.has_beside(before) {
            // What stands beside the row comes from the storage alone.
            remembered::forget::<Account>(sql);
        }
        let mut changed = self.changed(before);
        if changed.is_empty() {
            return Ok(());
        }
        remembered::write(sql, before, self, |account| {
            if changed.iter().all(|member| LIMITERS.contains(member)) {
                return account.save_limiters(sql, Vec::new());
            }
            changed.retain(|member| *member != "open_page" && !OF_MESSAGES.contains(member));
            match account.open_page.grown_from(&before.open_page) {
                Some(grown) if changed.is_empty() => account.save_of_messages(sql, grown.values()?),
                _ => sql
                    .exec(concat!("UPDATE account SET ", account_row!(sets)), &account.values()?)
                    .map(drop),
            }
        })
    }

    /// Whether it has the same beside its row.
    fn has_beside(&self, before: &Account) -> bool {
        self.has_blacklist == before.has_blacklist
            && self.has_blocked_digests == before.has_blocked_digests
            && self.subscriptions == before.subscriptions
            && self.closed_ms == before.closed_ms
            && self.reason == before.reason
    }

    /// Whether nothing of a message may leave any more.
    pub fn holds(&self, message: i64) -> bool {
        self.on_hold || message <= self.canceled_through
    }

    /// Notes a change that the mirror has to show.
    pub fn touch(&mut self, now_ms: i64) {
        self.changed_ms = now_ms;
        self.version = self.version.saturating_add(1);
    }
}
