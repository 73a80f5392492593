//! The account's row: status, limit, wallet, counters. A [unit of work](crate::account::unit_of_work) reads it once, changes it in
//! memory and writes it once. The constraint `money_is_conserved` makes SQLite itself refuse a wallet that does not add up.

use super::caps::{DailySpend, RecipientLimit};
use super::ledger::Wallet;
use super::ledger_pages::OpenPage;
use super::secrets::Secrets;
use super::spending::KeySpending;
use super::subscriptions::{Subscriptions, subscription_columns};
use super::usage_pending::Pending;
use super::verifications::Verifications;
use crate::account::limiter;
use crate::account::limiter::Limit;
use crate::base::ports::{PortError, Row, Sql, Value};

/// The account that operators' keys belong to. It sends nothing and has no money; its object counts the requests of
/// operators and has their keys.
pub const OPERATOR: &str = "operator";
/// How long changes gather before the mirror in D1 is written, ms.
pub const MIRROR_DELAY_MS: i64 = 1_000;

/// The limit of operators' requests. It is high because operators work with scripts.
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
    /// How many messages of patterns a recipient may get.
    pub recipient_limit: RecipientLimit,
    /// What may be spent in a day.
    pub daily_spend: DailySpend,
    /// What its capped keys have taken and spent.
    pub key_spending: KeySpending,
    /// Whether it is on hold: nothing of it leaves.
    pub on_hold: bool,
    /// The newest message of which an operator has canceled what had not left; 0 for none.
    pub canceled_through: i64,
    /// The limiter's theoretical arrival time, µs.
    pub tat_us: i64,
    /// The rate limit of test keys.
    pub test_limit: Limit,
    /// Their limiter's theoretical arrival time, µs.
    pub test_tat_us: i64,
    /// What test messages take, about, as `message/test_messages.rs` counts it.
    pub test_bytes: i64,
    /// Its money.
    pub wallet: Wallet,
    /// The newest ledger entry.
    pub ledger_seq: i64,
    /// When it was made, ms since the Unix epoch. It never goes back, even when the clock does: lists find a time by it.
    pub ledger_ms: i64,
    /// The newest entries, which are in no page of the ledger yet.
    pub open_page: OpenPage,
    /// The usage that is not in its table yet.
    pub usage: Pending,
    /// The newest message. A number is never given twice, because carriers' reports name messages by it.
    pub message_seq: i64,
    /// When it was accepted, ms since the Unix epoch. It never goes back, even when the clock does: lists find a time by it.
    pub accepted_ms: i64,
    /// Counts every change that the mirror shows.
    pub version: i64,
    /// When it has counted last, ms since the Unix epoch.
    pub changed_ms: i64,
    /// Which messages may have secret values that are not redacted yet.
    pub secrets: Secrets,
    /// Which of its verifications are to be looked at, and when.
    pub verifications: Verifications,
    /// When it may write a whole day's bytes into the audit log again, µs since the Unix epoch.
    pub audit_full_us: i64,
    /// Whether its blacklist has any number: most have none, and then no send looks further.
    pub has_blacklist: bool,
    /// Whether numbers stay blocked that are erased: then each recipient of a send is looked up by a digest.
    pub has_blocked_digests: bool,
    /// What of its events anybody wants to know.
    pub subscriptions: Subscriptions,
}

/// The columns of the row, in the order of [`Account::values`].
macro_rules! account_columns {
    () => {
        "id, active, sending_enabled, rate_limit, rate_window_s, rate_burst, tat_us, available, locked, spent, credited, ledger_seq, \
         message_seq, accepted_ms, version, changed_ms, audit_full_us, ledger_ms, open_entries, open_page, usage, \
         recipient_limit, recipient_window_s, daily_spend, spend_day, spent_today, on_hold, canceled_through, test_rate_limit, \
         test_rate_window_s, test_rate_burst, test_tat_us, test_bytes, secret_first, secret_last, key_spending, \
         verify_first, verify_due_ms"
    };
}

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
            recipient_limit: RecipientLimit::default(),
            daily_spend: DailySpend::default(),
            key_spending: KeySpending::default(),
            on_hold: false,
            canceled_through: 0,
            secrets: Secrets::default(),
            verifications: Verifications::default(),
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
        };
        sql.exec(
            concat!(
                "INSERT INTO account (one, ",
                account_columns!(),
                ") VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, \
                 ?22, ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30, ?31, ?32, ?33, ?34, ?35, ?36, ?37, ?38)"
            ),
            &account.values()?,
        )?;
        Ok(account)
    }

    /// The account row, if this object was ever called.
    pub fn stored(sql: &impl Sql) -> Result<Option<Account>, PortError> {
        let rows = sql.exec(
            concat!(
                "SELECT ",
                account_columns!(),
                ", EXISTS (SELECT 1 FROM blacklist), EXISTS (SELECT 1 FROM blocked_digest), ",
                subscription_columns!(),
                " FROM account"
            ),
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
            message_seq: row.int(12)?,
            accepted_ms: row.int(13)?,
            version: row.int(14)?,
            changed_ms: row.int(15)?,
            audit_full_us: row.int(16)?,
            ledger_ms: row.int(17)?,
            open_page: OpenPage::of(row.int(18)?, row.text(19)?),
            usage: Pending::read(&row.text(20)?)?,
            recipient_limit: RecipientLimit {
                limit: row.u32(21)?,
                window_seconds: row.u32(22)?,
            },
            daily_spend: DailySpend {
                limit: row.opt_int(23)?,
                day: row.int(24)?,
                spent: row.int(25)?,
            },
            on_hold: row.bool(26)?,
            canceled_through: row.int(27)?,
            test_limit: Limit::new(row.u32(28)?, row.u32(29)?, row.u32(30)?)
                .map_err(|error| PortError::failed("sql", error))?,
            test_tat_us: row.int(31)?,
            test_bytes: row.int(32)?,
            secrets: Secrets {
                first: row.int(33)?,
                last: row.int(34)?,
            },
            key_spending: KeySpending::read(&row.text(35)?)?,
            verifications: Verifications {
                first: row.int(36)?,
                due_ms: row.int(37)?,
            },
            has_blacklist: row.bool(38)?,
            has_blocked_digests: row.bool(39)?,
            subscriptions: Subscriptions::of(row, 40)?,
        })
    }

    fn values(&self) -> Result<[Value; 38], PortError> {
        let (open_entries, open_page) = self.open_page.stored();
        Ok([
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
            self.message_seq.into(),
            self.accepted_ms.into(),
            self.version.into(),
            self.changed_ms.into(),
            self.audit_full_us.into(),
            self.ledger_ms.into(),
            open_entries.into(),
            open_page.into(),
            self.usage.write()?.into(),
            self.recipient_limit.limit.into(),
            self.recipient_limit.window_seconds.into(),
            self.daily_spend.limit.into(),
            self.daily_spend.day.into(),
            self.daily_spend.spent.into(),
            self.on_hold.into(),
            self.canceled_through.into(),
            self.test_limit.limit().into(),
            self.test_limit.window_s().into(),
            self.test_limit.burst().into(),
            self.test_tat_us.into(),
            self.test_bytes.into(),
            self.secrets.first.into(),
            self.secrets.last.into(),
            self.key_spending.write()?.into(),
            self.verifications.first.into(),
            self.verifications.due_ms.into(),
        ])
    }

    /// Writes the row if it differs from what was `before`.
    pub fn save(&self, sql: &impl Sql, before: &Account) -> Result<(), PortError> {
        if self == before {
            return Ok(());
        }
        if (Account {
            tat_us: self.tat_us,
            test_tat_us: self.test_tat_us,
            key_spending: self.key_spending.clone(),
            ..before.clone()
        }) == *self
        {
            return self.save_limiters(sql);
        }
        sql.exec(
            "UPDATE account SET id = ?1, active = ?2, sending_enabled = ?3, rate_limit = ?4, rate_window_s = ?5, \
             rate_burst = ?6, tat_us = ?7, available = ?8, locked = ?9, spent = ?10, credited = ?11, ledger_seq = ?12, \
             message_seq = ?13, accepted_ms = ?14, version = ?15, changed_ms = ?16, audit_full_us = ?17, \
             ledger_ms = ?18, open_entries = ?19, open_page = ?20, usage = ?21, recipient_limit = ?22, \
             recipient_window_s = ?23, daily_spend = ?24, spend_day = ?25, spent_today = ?26, on_hold = ?27, \
             canceled_through = ?28, test_rate_limit = ?29, test_rate_window_s = ?30, test_rate_burst = ?31, \
             test_tat_us = ?32, test_bytes = ?33, secret_first = ?34, secret_last = ?35, key_spending = ?36, \
             verify_first = ?37, verify_due_ms = ?38",
            &self.values()?,
        )
        .map(drop)
    }

    /// Writes what a request changes that only takes tokens.
    fn save_limiters(&self, sql: &impl Sql) -> Result<(), PortError> {
        sql.exec(
            "UPDATE account SET tat_us = ?1, test_tat_us = ?2, key_spending = ?3",
            &[
                self.tat_us.into(),
                self.test_tat_us.into(),
                self.key_spending.write()?.into(),
            ],
        )
        .map(drop)
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
