//! The list of messages, newest first. A page begins after the last position of the page before, so that new messages neither
//! repeat nor hide others.
//!
//! An account may have millions of messages and one thread, so no request walks through all of them. Numbers and client
//! references have indexes. A time is found by halving, because messages are numbered in the order of their times. For a
//! status or a kind, which have no index, a page looks at [`WALKED`] messages at most and then says how far it has come.

use serde::{Deserialize, Serialize};

use super::read::{message_columns, message_view};
use crate::account::record::account_row::Account;
use crate::account::record::message::status::MessageStatus;
use crate::account::record::message::{MessageKind, MessageView, Page, simulation};
use crate::account::request::{ReplyResult, Request, Wakes};
use crate::account::unit_of_work::UnitOfWork;
use crate::auth::Mode;
use crate::base::ports::{PortError, Sql, Value};
use crate::base::truncate;
use crate::durable::to_json;

/// Messages that a page looks at, at most.
pub const WALKED: u32 = 10_000;

/// What narrows a list of messages.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct MessageFilter {
    /// Only of this status.
    pub status: Option<MessageStatus>,
    /// Only of this kind.
    pub kind: Option<MessageKind>,
    /// Accepted at or after this time.
    pub from_ms: Option<i64>,
    /// Accepted before this time.
    pub to_ms: Option<i64>,
    /// To this number.
    pub msisdn: Option<u64>,
    /// With this client reference.
    pub client_ref: Option<String>,
    /// Only those of keys of this mode; `None`: all.
    pub mode: Option<Mode>,
}

impl MessageFilter {
    /// Whether the filter may refuse messages that times and one index have found.
    fn has_residue(&self, account: &Account) -> bool {
        let (by_number, by_ref) = (self.msisdn.is_some(), self.client_ref.is_some());
        let of_mode = match self.mode {
            None => false,
            Some(Mode::Live) => account.test_bytes > 0,
            // Test messages have an index of their own.
            Some(Mode::Test) => by_number || by_ref,
        };
        self.status.is_some() || self.kind.is_some() || (by_number && by_ref) || of_mode
    }
}

/// Asks for a page of messages, newest first.
#[derive(Debug, Serialize, Deserialize)]
pub struct ListMessages {
    /// Which messages.
    pub filter: MessageFilter,
    /// The page.
    pub page: Page,
    /// The names of the carriers that only simulate.
    #[serde(default)]
    pub sandboxes: Vec<String>,
}

/// A page of messages.
#[derive(Debug, Serialize, Deserialize)]
pub struct Listed {
    /// The messages, without counts and recipients. A long text is cut.
    pub messages: Vec<MessageView>,
    /// How far the page has looked, when there is more behind it than it could look at.
    pub walked_to: Option<i64>,
}

impl Request for ListMessages {
    const NAME: &'static str = "ListMessages";
    const WAKES: Wakes = Wakes::Never;
    type Reply = Listed;

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<Listed> {
        let bounds = Bounds::of(sql, &self.filter, self.page, work.account.message_seq)?;
        let has_residue = self.filter.has_residue(&work.account);
        let mut listed = list(sql, &self.filter, has_residue, self.page.limit, bounds)?;
        simulation::mark(sql, &mut listed.messages, &self.sandboxes)?;
        Ok(listed)
    }
}

/// The messages to look at: from the first id up to, but without, the second.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    from: i64,
    to: i64,
}

impl Bounds {
    fn of(sql: &impl Sql, filter: &MessageFilter, page: Page, newest: i64) -> Result<Self, PortError> {
        let id_at = |at_ms: Option<i64>| at_ms.map(|at_ms| first_at(sql, at_ms, newest)).transpose();
        let end = newest.saturating_add(1);
        let to = id_at(filter.to_ms)?.unwrap_or(end).min(page.after.unwrap_or(end));
        let from = id_at(filter.from_ms)?.unwrap_or(0);
        Ok(Bounds { from, to })
    }
}

/// The lowest id that a message of this time or a later one can have.
pub fn first_at(sql: &impl Sql, at_ms: i64, newest: i64) -> Result<i64, PortError> {
    let (mut low, mut high) = (0, newest.saturating_add(1));
    while low < high {
        let middle = low + (high - low) / 2;
        let rows = sql.exec(
            "SELECT id, created_ms FROM message WHERE id >= ?1 ORDER BY id LIMIT 1",
            &[middle.into()],
        )?;
        match rows.first() {
            Some(row) if row.int(1)? < at_ms => low = row.int(0)?.saturating_add(1),
            _ => high = middle,
        }
    }
    Ok(low)
}

/// Where to look: at listed messages, or at all between the bounds.
enum Candidates {
    Listed(Vec<i64>),
    All,
}

fn list(
    sql: &impl Sql,
    filter: &MessageFilter,
    has_residue: bool,
    limit: u32,
    mut bounds: Bounds,
) -> Result<Listed, PortError> {
    let mut walked_to = None;
    let looked_at = if has_residue { WALKED } else { limit };
    let candidates = match indexed(sql, filter, bounds, looked_at)? {
        Some(ids) => {
            let is_cut = ids.len() >= usize::try_from(looked_at).unwrap_or(usize::MAX);
            walked_to = ids.last().copied().filter(|_| is_cut);
            Candidates::Listed(ids)
        }
        None => {
            if has_residue {
                walked_to = walk_end(sql, bounds)?;
                bounds.from = walked_to.unwrap_or(bounds.from);
            }
            Candidates::All
        }
    };
    let messages = read(sql, filter, limit, bounds, &candidates)?;
    Ok(Listed { messages, walked_to })
}

/// The newest ids between the bounds that an index finds for the filter; `None` if no index serves it.
fn indexed(
    sql: &impl Sql,
    filter: &MessageFilter,
    bounds: Bounds,
    looked_at: u32,
) -> Result<Option<Vec<i64>>, PortError> {
    let (query, wanted): (_, Value) = match (filter.msisdn, &filter.client_ref) {
        (Some(msisdn), _) => (
            "SELECT message FROM message_to WHERE msisdn = ?1 AND message >= ?2 AND message < ?3 \
             ORDER BY message DESC LIMIT ?4",
            i64::try_from(msisdn).unwrap_or(i64::MAX).into(),
        ),
        (None, Some(client_ref)) => (
            "SELECT id FROM message WHERE client_ref = ?1 AND id >= ?2 AND id < ?3 ORDER BY id DESC LIMIT ?4",
            client_ref.as_str().into(),
        ),
        (None, None) if filter.mode == Some(Mode::Test) => (
            "SELECT message FROM chunk WHERE test = ?1 AND test = 1 AND message >= ?2 AND message < ?3 \
             ORDER BY message DESC LIMIT ?4",
            true.into(),
        ),
        (None, None) => return Ok(None),
    };
    let rows = sql.exec(query, &[wanted, bounds.from.into(), bounds.to.into(), looked_at.into()])?;
    rows.iter().map(|row| row.int(0)).collect::<Result<_, _>>().map(Some)
}

/// The lowest id that a page looks at, if there are messages below it. No more messages than ids are between the two.
fn walk_end(sql: &impl Sql, bounds: Bounds) -> Result<Option<i64>, PortError> {
    let newest_below = |to: i64| {
        let rows = sql.exec(
            "SELECT id FROM message WHERE id >= ?1 AND id < ?2 ORDER BY id DESC LIMIT 1",
            &[bounds.from.into(), to.into()],
        )?;
        rows.first().map(|row| row.int(0)).transpose()
    };
    let Some(newest) = newest_below(bounds.to)? else {
        return Ok(None);
    };
    let lowest = newest.saturating_sub(i64::from(WALKED) - 1);
    Ok(newest_below(lowest)?.map(|_| lowest))
}

fn read(
    sql: &impl Sql,
    filter: &MessageFilter,
    limit: u32,
    bounds: Bounds,
    candidates: &Candidates,
) -> Result<Vec<MessageView>, PortError> {
    let (from, order, mut params): (_, _, Vec<Value>) = match candidates {
        Candidates::Listed(ids) => (
            "json_each(?) p CROSS JOIN message m ON m.id = p.value WHERE 1",
            "p.key",
            vec![truncate::MESSAGE_CHARS.into(), to_json(ids)?.into()],
        ),
        Candidates::All => (
            "message m WHERE m.id >= ? AND m.id < ?",
            "m.id DESC",
            vec![truncate::MESSAGE_CHARS.into(), bounds.from.into(), bounds.to.into()],
        ),
    };
    let mut conditions = String::new();
    let mut narrow = |condition, value: Option<Value>| {
        if let Some(value) = value {
            conditions.push_str(condition);
            params.push(value);
        }
    };
    narrow(
        " AND (SELECT s.status FROM message_status s WHERE s.message = m.id) = ?",
        filter.status.map(|status| status.as_str().into()),
    );
    narrow(" AND m.kind = ?", filter.kind.map(|kind| kind.as_str().into()));
    narrow(" AND m.test = ?", filter.mode.map(|mode| (mode == Mode::Test).into()));
    // The plus keeps SQLite from the index of client references: the candidates are fewer.
    narrow(" AND +m.client_ref = ?", filter.client_ref.as_deref().map(Value::from));
    params.push(limit.into());
    let columns = message_columns!("substr(m.text, 1, ?)");
    let rows = sql.exec(
        &format!("SELECT {columns} FROM {from}{conditions} ORDER BY {order} LIMIT ?"),
        &params,
    )?;
    rows.iter().map(message_view).collect()
}
