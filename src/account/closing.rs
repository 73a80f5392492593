//! Closing: an account ends for good. Its money and its counts stay, all else goes.
//!
//! An account is closed only when it has no money and nothing of it is under way. From that transaction on, no key counts, nothing is
//! accepted, and no event is told. The row `closing` is the order to take away what is left: a chore does its steps, in goes that are
//! bounded, each of which may be repeated. So *a crash at any moment* costs a repeat of one go. A second pass, an hour later, takes away
//! what requests have written that had begun before.

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::keys::ended;
use super::message::retention;
use super::refusal::Refusal;
use super::request::{Entry, ReplyResult, Request, Wakes};
use super::unit_of_work::UnitOfWork;
use crate::account::record::chunk::{is_ready, is_waiting};
use crate::account::record::subscriptions::Subscriptions;
use crate::base::named::numbers;
use crate::base::ports::{PortError, Sql};
use crate::base::time;
use crate::durable::audit::Subject;
use crate::durable::to_json;

/// How long after the closing the second pass begins, ms: longer than any request takes.
const SETTLES_MS: i64 = 60 * 60 * 1_000;
/// Rows of one table that one go forgets.
const ROWS_A_GO: i64 = 2_000;

/// The tables of what the account has of people and for its work, beside its messages, each with its key. Ledger, usage and the other
/// counts of days stay, and so do orders to erase a number, which end by themselves.
const TABLES: &[(&str, &str)] = &[
    ("inbound", "id"),
    ("inbound_mark", "line"),
    ("blacklist", "id"),
    ("blocked_digest", "digest"),
    ("campaign", "id"),
    ("verification", "number"),
    ("verify_prefix", "prefix"),
    ("sign_in", "msisdn, browser"),
    ("invitation", "message"),
    ("passkey", "id"),
    ("answered_challenge", "challenge"),
    ("member_rule", "one"),
    ("key_maker", "key, maker"),
    ("source", "name, message"),
    ("late_redaction", "message"),
    ("pattern", "slug"),
    ("event", "seq"),
];

/// What a closing takes away next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The keys, sessions and members, also from KV and from the directory.
    Keys,
    /// What the directory has.
    Directory,
    /// What the webhook object has.
    Webhooks,
    /// What the object itself has.
    Own,
}

numbers!(pub Step Keys = 0, Directory = 1, Webhooks = 2, Own = 3,);

/// Closes the account. Closing it again changes nothing, and begins the steps anew.
#[derive(Debug, Serialize, Deserialize)]
pub struct CloseAccount;

impl Request for CloseAccount {
    const NAME: &'static str = "CloseAccount";
    const ENTRY: Entry = Entry::Bounded;
    const LOOKS_AGAIN: bool = true;
    const WAKES: Wakes = Wakes::In(0);
    /// When it was closed, ms since the Unix epoch.
    type Reply = i64;

    fn audited(&self, _: &impl Sql, work: &UnitOfWork) -> Result<Option<Subject>, PortError> {
        let state = json!({"closedAt": work.account.closed_ms.map(time::to_rfc3339)});
        Ok(Some(Subject::of(Some(state))))
    }

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<i64> {
        if let Some(closed_ms) = work.account.closed_ms {
            sql.exec(
                "UPDATE closing SET step = 0, due_ms = ?1 WHERE one = 1",
                &[work.now_ms.into()],
            )?;
            return Ok(closed_ms);
        }
        must_be_empty(sql, work)?;
        let (now_ms, account) = (work.now_ms, &mut work.account);
        account.active = false;
        account.sending_enabled = false;
        account.closed_ms = Some(now_ms);
        account.touch(now_ms);
        sql.exec(
            "INSERT INTO closing (one, closed_ms, step, due_ms) VALUES (1, ?1, 0, ?1)",
            &[now_ms.into()],
        )?;
        ended::revoke_all(sql, now_ms)?;
        for statement in [
            "UPDATE campaign SET due_ms = NULL",
            "UPDATE webhook SET types = 0, test_types = 0, handing = NULL, \
               last_seq = max(last_seq, coalesce((SELECT max(seq) FROM event), 0))",
            "DELETE FROM event",
            "DELETE FROM low_balance",
        ] {
            sql.exec(statement, &[])?;
        }
        account.subscriptions = Subscriptions::read(sql)?;
        Ok(now_ms)
    }
}

/// Refuses to close an account that has money, or of which something is under way.
fn must_be_empty(sql: &impl Sql, work: &UnitOfWork) -> ReplyResult<()> {
    let rows = sql.exec(
        concat!(
            "SELECT count(*), coalesce(sum(open), 0) FROM ( \
               SELECT open FROM chunk INDEXED BY chunk_ready WHERE ",
            is_ready!(),
            " UNION ALL SELECT open FROM chunk INDEXED BY chunk_waiting WHERE ",
            is_waiting!(),
            ")"
        ),
        &[],
    )?;
    let row = rows.first().ok_or(PortError::failed("sql", "no count"))?;
    let (chunks, recipients) = (row.int(0)?, row.int(1)?);
    let wallet = work.account.wallet;
    if chunks == 0 && wallet.available == 0 && wallet.locked == 0 {
        return Ok(());
    }
    Err(Refusal::NotEmpty {
        available: wallet.available,
        locked: wallet.locked,
        recipients,
    }
    .into())
}

/// A closing that is not finished.
#[derive(Debug)]
pub struct Closing {
    /// When the account was closed, ms since the Unix epoch.
    pub closed_ms: i64,
    /// The next step.
    pub step: Step,
}

/// The closing, if it is to be gone on with at this time.
pub fn next(sql: &impl Sql, now_ms: i64) -> Result<Option<Closing>, PortError> {
    let rows = sql.exec(
        "SELECT closed_ms, step FROM closing WHERE one = 1 AND due_ms <= ?1",
        &[now_ms.into()],
    )?;
    let Some(row) = rows.first() else {
        return Ok(None);
    };
    let mut row = row.reader();
    Ok(Some(Closing {
        closed_ms: row.read()?,
        step: row.read()?,
    }))
}

/// When the closing is to be gone on with.
pub fn due_ms(sql: &impl Sql) -> Result<Option<i64>, PortError> {
    sql.number("SELECT due_ms FROM closing WHERE one = 1", &[])
}

/// Notes that a step is done.
pub fn pass(sql: &impl Sql, closing: &Closing, now_ms: i64) -> Result<(), PortError> {
    let settled_ms = closing.closed_ms.saturating_add(SETTLES_MS);
    let (step, due_ms) = match closing.step {
        Step::Keys => (Step::Directory, Some(now_ms)),
        Step::Directory => (Step::Webhooks, Some(now_ms)),
        Step::Webhooks => (Step::Own, Some(now_ms)),
        Step::Own => (Step::Keys, Some(settled_ms).filter(|_| now_ms < settled_ms)),
    };
    sql.exec(
        "UPDATE closing SET step = ?1, due_ms = ?2 WHERE one = 1",
        &[step.code().into(), due_ms.into()],
    )
    .map(drop)
}

/// Notes that the numbers of these phonebooks are to be removed from the directory.
pub fn note_removals(sql: &impl Sql, phonebooks: &[String], now_ms: i64) -> Result<(), PortError> {
    sql.exec(
        "INSERT OR IGNORE INTO removal (phonebook, noted_ms) SELECT value, ?2 FROM json_each(?1)",
        &[to_json(&phonebooks)?.into(), now_ms.into()],
    )
    .map(drop)
}

/// Forgets some of what the object has; `true` when more may be left.
pub fn forget_own(sql: &impl Sql) -> Result<bool, PortError> {
    if retention::forget_any(sql)? {
        return Ok(true);
    }
    sql.transaction(|| {
        for (table, key) in TABLES {
            let gone = sql.exec(
                &format!("DELETE FROM {table} WHERE ({key}) IN (SELECT {key} FROM {table} LIMIT ?1) RETURNING 1"),
                &[ROWS_A_GO.into()],
            )?;
            if i64::try_from(gone.len()).is_ok_and(|count| count >= ROWS_A_GO) {
                return Ok(true);
            }
        }
        Ok(false)
    })
}
