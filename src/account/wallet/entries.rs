//! The ledger as the account's owner reads it, newest first.
//!
//! Entries are numbered in the order of their times, without gaps, so a time is found by halving. A kind and a message have no
//! index, because every entry would have to write it: with one of them a page looks at [`WALKED`] entries at most and then says
//! how far it has come.

use serde::{Deserialize, Serialize};

use crate::account::record::ledger::EntryKind;
use crate::account::record::ledger_pages::pages_between;
use crate::account::record::message::Page;
use crate::account::request::{ReplyResult, Request, Wakes};
use crate::account::unit_of_work::UnitOfWork;
use crate::base::ports::{PortError, Sql, Value};
use crate::base::record::{Columns, neighbours};
use crate::base::{id, named::Named};

/// Entries that a page looks at, at most.
pub const WALKED: i64 = 10_000;
/// How far the clock may have gone back between a message's own time and that of its first entry, ms.
const CLOCK_ERROR_MS: i64 = 60 * 60 * 1_000;

/// What narrows the list of entries.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct EntryFilter {
    /// Only of this kind.
    pub kind: Option<EntryKind>,
    /// Made at or after this time.
    pub from_ms: Option<i64>,
    /// Made before this time.
    pub to_ms: Option<i64>,
    /// Of the message with this uid.
    pub message: Option<String>,
}

/// A ledger entry as the object tells it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntryView {
    /// Its number, from 1.
    pub seq: i64,
    /// What happened.
    pub kind: Named<EntryKind>,
    /// How much was moved.
    pub amount: i64,
    /// The available balance after it.
    pub available: i64,
    /// The locked balance after it.
    pub locked: i64,
    /// The message it belongs to.
    pub message_uid: Option<String>,
    /// The operator's words.
    pub note: Option<String>,
    /// When it was made.
    pub at_ms: i64,
}

/// Asks for a page of the ledger, newest first.
#[derive(Debug, Serialize, Deserialize)]
pub struct ListTransactions {
    /// Which entries.
    pub filter: EntryFilter,
    /// The page.
    pub page: Page,
}

/// A page of entries.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedEntries {
    /// The entries.
    pub entries: Vec<EntryView>,
    /// How far the page has looked, when there is more behind it than it could look at.
    pub walked_to: Option<i64>,
    /// How many entries there are to look at, from the beginning of the page on.
    #[serde(default)]
    pub ahead: i64,
}

impl Request for ListTransactions {
    const NAME: &'static str = "ListTransactions";
    const WAKES: Wakes = Wakes::Never;
    type Reply = ListedEntries;

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<ListedEntries> {
        work.write_gathered(sql)?;
        let message = match &self.filter.message {
            None => None,
            Some(uid) => match find_message(sql, uid)? {
                Some(message) => Some(message),
                None => return Ok(ListedEntries::default()),
            },
        };
        let bounds = Bounds::of(sql, &self.filter, message, self.page, work.account.ledger_seq)?;
        list(sql, self.filter.kind, message, self.page.limit, bounds).map_err(Into::into)
    }
}

/// A message whose entries are asked for.
#[derive(Debug, Clone, Copy)]
struct Message {
    id: i64,
    created_ms: i64,
}

fn find_message(sql: &impl Sql, uid: &str) -> Result<Option<Message>, PortError> {
    let Some(id) = id::number_of(uid) else {
        return Ok(None);
    };
    let rows = sql.exec(
        "SELECT created_ms FROM message WHERE id = ?1 AND uid = ?2",
        &[id.into(), uid.into()],
    )?;
    let created_ms = rows.first().map(|row| row.int(0)).transpose()?;
    Ok(created_ms.map(|created_ms| Message { id, created_ms }))
}

/// The entries to look at: from the first number up to, but without, the second.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    from: i64,
    to: i64,
}

impl Bounds {
    fn of(
        sql: &impl Sql,
        filter: &EntryFilter,
        message: Option<Message>,
        page: Page,
        newest: i64,
    ) -> Result<Self, PortError> {
        let number_at = |at_ms: Option<i64>| at_ms.map(|at_ms| first_at(sql, at_ms, newest)).transpose();
        // A message has no entry before its own time.
        let made_ms = message.map(|message| message.created_ms.saturating_sub(CLOCK_ERROR_MS));
        let end = newest.saturating_add(1);
        let to = number_at(filter.to_ms)?.unwrap_or(end).min(page.after.unwrap_or(end));
        let from = number_at(filter.from_ms.max(made_ms))?.unwrap_or(1);
        Ok(Bounds { from, to })
    }
}

/// The lowest number that an entry of this time or a later one can have.
fn first_at(sql: &impl Sql, at_ms: i64, newest: i64) -> Result<i64, PortError> {
    let (mut low, mut high) = (1, newest.saturating_add(1));
    while low < high {
        let middle = low + (high - low) / 2;
        let rows = sql.exec(
            "SELECT json_extract(entries, '$[' || CAST(?1 - first AS INTEGER) || '][6]') FROM ledger_page WHERE first <= ?1 \
             ORDER BY first DESC LIMIT 1",
            &[middle.into()],
        )?;
        match rows.first() {
            Some(row) if row.int(0)? < at_ms => low = middle.saturating_add(1),
            _ => high = middle,
        }
    }
    Ok(low)
}

fn list(
    sql: &impl Sql,
    kind: Option<EntryKind>,
    message: Option<Message>,
    limit: u32,
    bounds: Bounds,
) -> Result<ListedEntries, PortError> {
    let has_residue = kind.is_some() || message.is_some();
    let nearest = bounds.to.saturating_sub(WALKED);
    let walked_to = (has_residue && nearest > bounds.from).then_some(nearest);
    let from = walked_to.unwrap_or(bounds.from);
    // Without a residue each entry is listed, and numbers have no gaps.
    let from = if has_residue {
        from
    } else {
        from.max(bounds.to.saturating_sub(limit.into()))
    };
    let (mut conditions, mut params): (_, Vec<Value>) =
        (String::new(), vec![from.into(), bounds.to.into(), limit.into()]);
    if let Some(kind) = kind {
        params.push(kind.as_str().into());
        conditions.push_str(&format!(" AND l.kind = ?{}", params.len()));
    }
    if let Some(message) = message {
        params.push(message.id.into());
        conditions.push_str(&format!(" AND l.message = ?{}", params.len()));
    }
    let pages = pages_between!("?1", "?2");
    let rows = sql.exec(
        &format!(
            "SELECT l.seq, l.kind, l.amount, l.available, l.locked, m.uid, l.note, l.at_ms FROM ledger l \
             LEFT JOIN message m ON m.id = l.message \
             WHERE {pages} AND l.seq >= ?1 AND l.seq < ?2{conditions} ORDER BY l.seq DESC LIMIT ?3"
        ),
        &params,
    )?;
    Ok(ListedEntries {
        entries: rows.iter().map(EntryView::of).collect::<Result<_, _>>()?,
        walked_to,
        ahead: bounds.to.saturating_sub(bounds.from).max(0),
    })
}

neighbours!(EntryView: seq, kind, amount, available, locked, message_uid, note, at_ms);
