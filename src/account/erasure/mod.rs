//! Erasure: takes a number out of all that an account has, but for keyed digests.
//!
//! An order is a row. Its steps are done by a chore, in goes that are bounded; each go is one transaction with the note of how far
//! the order has come, so that after a crash the order goes on where it was. While an order runs, it has the number itself, sealed.
//! The order is done when a whole pass has left nothing behind, and no sooner than [`SETTLES_MS`] after it was given: what was on
//! its way then has come.

pub mod found;
pub mod mentions;
pub mod messages;
pub mod others;

use serde::{Deserialize, Serialize};
use serde_json::json;

pub use self::found::{Found, WithCarriers};
use super::blacklist::MAX_ERASED;
use super::refusal::Refusal;
use super::request::{Entry, ReplyResult, Request, Wakes};
use super::unit_of_work::UnitOfWork;
use crate::account::record::message::Page;
use crate::base::ports::{MAX_INTEGER, PortError, Row, Sql};
use crate::base::record::{Columns, json_columns, neighbours};
use crate::durable::audit::Subject;
use crate::durable::to_json;

/// How long an order runs at least, ms. A carrier's object keeps a receipt or a part of a message for an hour at most.
pub const SETTLES_MS: i64 = 2 * 60 * 60 * 1_000;
/// Orders that run at the same time, at most: those of the account, and those of operators, which no key of the account keeps waiting.
const MAX_RUNNING: i64 = 100;
/// Orders that are kept, at most. The oldest of those that are done go first.
const MAX_KEPT: i64 = 10_000;

/// An order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Erasure {
    /// Its position in the list.
    pub seq: i64,
    /// Its id, a UUID version 7.
    pub id: String,
    /// The last two digits of the number.
    pub ending: String,
    /// Whether operators have given it, over all accounts.
    #[serde(default)]
    pub by_operators: bool,
    /// When it was given, ms since the Unix epoch.
    pub created_ms: i64,
    /// When it was done.
    pub done_ms: Option<i64>,
    /// What it has met so far.
    pub found: Found,
}

/// An order that runs.
#[derive(Debug)]
pub struct Running {
    /// The order.
    pub erasure: Erasure,
    /// The number, sealed for the order's id.
    pub sealed: String,
    /// Which step is next.
    pub step: i64,
    /// How far it has come in the step.
    pub position: String,
}

const COLUMNS: &str = "seq, id, ending, by_operators, created_ms, done_ms, found";

neighbours!(Erasure: seq, id, ending, by_operators, created_ms, done_ms, found);
json_columns!(Found);

fn find(sql: &impl Sql, id: &str) -> Result<Option<Erasure>, PortError> {
    let rows = sql.exec(&format!("SELECT {COLUMNS} FROM erasure WHERE id = ?1"), &[id.into()])?;
    rows.first().map(Erasure::of).transpose()
}

/// An order that was given.
#[derive(Debug, Serialize, Deserialize)]
pub struct Started {
    /// The order.
    pub erasure: Erasure,
    /// What carriers have to hand back at once.
    pub with_carriers: WithCarriers,
}

/// Gives an order to erase a number. What has not left is erased at once: it does not leave any more. The same order again changes nothing, and is answered as it is by then.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct StartErasure {
    /// The order's id.
    pub id: String,
    /// The number, sealed for it.
    pub sealed: String,
    /// The number.
    pub msisdn: u64,
    /// The number's last two digits.
    pub ending: String,
    /// Whether operators give it, over all accounts.
    #[serde(default)]
    pub by_operators: bool,
}

impl Request for StartErasure {
    const NAME: &'static str = "StartErasure";
    const PROTECTS: bool = true;
    /// A number must go, whatever noise anybody has made.
    const ENTRY: Entry = Entry::Counted;
    const WAKES: Wakes = Wakes::In(0);
    type Reply = Started;

    fn audited(&self, sql: &impl Sql, _: &UnitOfWork) -> Result<Option<Subject>, PortError> {
        let state = find(sql, &self.id)?.map(|erasure| json!({"numberEnding": erasure.ending}));
        Ok(Some(Subject::named(&self.id, state)))
    }

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<Started> {
        let mut with_carriers = WithCarriers {
            at_ms: work.now_ms,
            ..WithCarriers::default()
        };
        if let Some(erasure) = find(sql, &self.id)? {
            return Ok(Started { erasure, with_carriers });
        }
        let rows = sql.exec(
            "SELECT (SELECT count(*) FROM erasure WHERE done_ms IS NULL AND by_operators = ?1), (SELECT count(*) FROM erasure), \
                    (SELECT count(*) FROM blocked_digest)",
            &[self.by_operators.into()],
        )?;
        let row = rows.first().ok_or(PortError::failed("sql", "no count"))?;
        if row.int(0)? >= MAX_RUNNING || row.int(2)? >= MAX_ERASED {
            return Err(Refusal::TooManyErasures.into());
        }
        if row.int(1)? >= MAX_KEPT {
            sql.exec(
                "DELETE FROM erasure WHERE seq = (SELECT seq FROM erasure WHERE done_ms IS NOT NULL ORDER BY seq LIMIT 1)",
                &[],
            )?;
        }
        let mut found = Found::default();
        messages::erase_unsent(sql, work, self.msisdn, &mut found, &mut with_carriers)?;
        sql.exec(
            "INSERT INTO erasure (id, ending, by_operators, sealed, created_ms, done_ms, due_ms, step, position, found) \
             VALUES (?1, ?2, ?3, ?4, ?5, NULL, ?5, 0, '', ?6)",
            &[
                self.id.as_str().into(),
                self.ending.as_str().into(),
                self.by_operators.into(),
                self.sealed.as_str().into(),
                work.now_ms.into(),
                to_json(&found)?.into(),
            ],
        )?;
        let erasure = find(sql, &self.id)?.ok_or(PortError::failed("sql", "no order"))?;
        Ok(Started { erasure, with_carriers })
    }
}

/// Asks for an order by its id.
#[derive(Debug, Serialize, Deserialize)]
pub struct GetErasure(pub String);

impl Request for GetErasure {
    const NAME: &'static str = "GetErasure";
    const WAKES: Wakes = Wakes::Never;
    type Reply = Erasure;

    fn answer(&self, sql: &impl Sql, _: &mut UnitOfWork) -> ReplyResult<Erasure> {
        find(sql, &self.0)?.ok_or(Refusal::NotFound.into())
    }
}

/// Asks for a page of the orders, newest first.
#[derive(Debug, Serialize, Deserialize)]
pub struct ListErasures(pub Page);

impl Request for ListErasures {
    const NAME: &'static str = "ListErasures";
    const WAKES: Wakes = Wakes::Never;
    type Reply = Vec<Erasure>;

    fn answer(&self, sql: &impl Sql, _: &mut UnitOfWork) -> ReplyResult<Vec<Erasure>> {
        let rows = sql.exec(
            &format!("SELECT {COLUMNS} FROM erasure WHERE seq < ?1 ORDER BY seq DESC LIMIT ?2"),
            &[self.0.after.unwrap_or(MAX_INTEGER).into(), self.0.limit.into()],
        )?;
        rows.iter()
            .map(Erasure::of)
            .collect::<Result<_, _>>()
            .map_err(Into::into)
    }
}

/// Asks since when the oldest order runs that is not done, ms since the Unix epoch.
#[derive(Debug, Serialize, Deserialize)]
pub struct GetOldestErasure;

impl Request for GetOldestErasure {
    const NAME: &'static str = "GetOldestErasure";
    const WAKES: Wakes = Wakes::Never;
    type Reply = Option<i64>;

    fn answer(&self, sql: &impl Sql, _: &mut UnitOfWork) -> ReplyResult<Option<i64>> {
        let rows = sql.exec(
            "SELECT min(created_ms) FROM erasure INDEXED BY erasure_due WHERE done_ms IS NULL",
            &[],
        )?;
        Ok(rows.first().map_or(Ok(None), |row| row.opt_int(0))?)
    }
}

/// When an order is to be gone on with next.
pub fn due_ms(sql: &impl Sql) -> Result<Option<i64>, PortError> {
    let rows = sql.exec("SELECT min(due_ms) FROM erasure WHERE done_ms IS NULL", &[])?;
    rows.first().map_or(Ok(None), |row| row.opt_int(0))
}

/// The order that is due first.
pub fn next(sql: &impl Sql, now_ms: i64) -> Result<Option<Running>, PortError> {
    let query = format!(
        "SELECT {COLUMNS}, sealed, step, position FROM erasure WHERE done_ms IS NULL AND due_ms <= ?1 \
         ORDER BY due_ms LIMIT 1"
    );
    let rows = sql.exec(&query, &[now_ms.into()])?;
    let running = |row: &Row| {
        let mut row = row.reader();
        Ok(Running {
            erasure: row.read()?,
            sealed: row.read()?,
            step: row.read()?,
            position: row.read()?,
        })
    };
    rows.first().map(running).transpose()
}

/// Notes how far an order has come, and when it goes on. One that is done forgets the number.
pub fn save(sql: &impl Sql, running: &Running, due_ms: i64) -> Result<(), PortError> {
    let Running {
        erasure,
        step,
        position,
        ..
    } = running;
    sql.exec(
        "UPDATE erasure SET done_ms = ?2, sealed = iif(?2 IS NULL, sealed, NULL), due_ms = ?3, step = ?4, position = ?5, \
           found = ?6 WHERE id = ?1",
        &[
            erasure.id.as_str().into(),
            erasure.done_ms.into(),
            due_ms.into(),
            (*step).into(),
            position.as_str().into(),
            to_json(&erasure.found)?.into(),
        ],
    )
    .map(drop)
}

/// Lets an order that could not go on wait.
pub fn put_off(sql: &impl Sql, id: &str, due_ms: i64) -> Result<(), PortError> {
    sql.exec(
        "UPDATE erasure SET due_ms = ?2 WHERE id = ?1",
        &[id.into(), due_ms.into()],
    )
    .map(drop)
}
