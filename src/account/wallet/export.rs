//! The ledger as CSV. The table is written while the entries are read, page by page, so a long ledger takes no more memory than a
//! short one. The ledger only grows, at the other end, so the pages fit together.

use super::entries::{EntryFilter, EntryView, ListTransactions, ListedEntries};
use crate::account::record::message::Page;
use crate::base::ports::{Platform, PortError};
use crate::base::{csv, time};
use crate::durable::ask;

/// Entries that one call reads, at most.
pub const ENTRIES_A_GO: u32 = 1_000;
/// Entries that an export looks at, at most. It takes a call for each thousand, and an invocation may make a thousand calls.
pub const MAX_ENTRIES: i64 = 200_000;

/// An export under way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntriesExport {
    account: String,
    filter: EntryFilter,
    unit: String,
    /// What was read and not written. Before the first piece, the table has no header.
    read: Option<ListedEntries>,
    has_begun: bool,
}

impl EntriesExport {
    /// What to ask of the account's object first.
    pub fn first(filter: &EntryFilter) -> ListTransactions {
        page_of(filter, None)
    }

    /// An export that begins with the answer to [`EntriesExport::first`]. Amounts are in this currency.
    pub fn of(account: &str, filter: EntryFilter, unit: &str, read: ListedEntries) -> Self {
        EntriesExport {
            account: account.to_owned(),
            filter,
            unit: unit.to_owned(),
            read: Some(read),
            has_begun: false,
        }
    }

    /// Writes the next piece of the table. Returns `None` at its end.
    ///
    /// # Errors
    /// The account's object does not answer. A table that ends too soon looks like a whole one, so the response is to break off.
    pub async fn next(&mut self, platform: &impl Platform) -> Result<Option<Vec<u8>>, PortError> {
        let Some(page) = self.read.take() else {
            return Ok(None);
        };
        let mut piece = Vec::new();
        if !std::mem::replace(&mut self.has_begun, true) {
            csv::write_row(&mut piece, HEADER);
        }
        for entry in &page.entries {
            write(&mut piece, entry, &self.unit);
        }
        if let Some(after) = end_of(&page) {
            let next = page_of(&self.filter, Some(after));
            let reply = ask(platform, &self.account, None, None, &next).await?;
            let refused = |refusal| PortError::unavailable("account", format!("refused an export: {refusal:?}"));
            self.read = Some(reply.outcome.map_err(refused)?);
        }
        Ok(Some(piece))
    }
}

fn page_of(filter: &EntryFilter, after: Option<i64>) -> ListTransactions {
    ListTransactions {
        filter: filter.clone(),
        page: Page {
            limit: ENTRIES_A_GO,
            after,
        },
    }
}

/// Behind which entry the next page begins, if there may be one.
fn end_of(page: &ListedEntries) -> Option<i64> {
    let is_full = page.entries.len() >= usize::try_from(ENTRIES_A_GO).unwrap_or(usize::MAX);
    let last = page.entries.last().map(|entry| entry.seq);
    last.filter(|_| is_full).or(page.walked_to)
}

const HEADER: [&str; 9] = [
    "id",
    "type",
    "amount",
    "availableBalance",
    "lockedBalance",
    "unit",
    "message",
    "note",
    "createdAt",
];

/// Writes the line of an entry. Only its note comes from people, and no spreadsheet may take it for a formula.
fn write(out: &mut Vec<u8>, entry: &EntryView, unit: &str) {
    let numbers = [entry.seq, entry.amount, entry.available, entry.locked].map(|number| number.to_string());
    let [id, amount, available, locked] = &numbers;
    let note = csv::guarded(entry.note.as_deref().unwrap_or_default());
    let row = [
        id.as_str(),
        entry.kind.as_str(),
        amount,
        available,
        locked,
        unit,
        entry.message_uid.as_deref().unwrap_or_default(),
        &note,
        &time::to_rfc3339(entry.at_ms),
    ];
    csv::write_row(out, row);
}
