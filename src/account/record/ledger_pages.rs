//! How the ledger is stored: in pages of entries, because each row that is written costs money and time. The newest entries stand
//! in the account's row, which each of them changes anyway, until they fill a page.
//!
//! The invariants: entries have numbers without gaps, and no entry's time is before that of the entry before it. A credit has a
//! page of its own, so that what was credited up to an entry is a sum over few rows. Who reads the ledger closes the open page
//! first.

use super::idempotency::Idempotency;
use super::ledger::{Entry, EntryKind};
use super::rows::Rows;
use crate::base::ports::{PortError, Sql};
use crate::base::record::neighbours;
use crate::durable::{listed, to_json};

/// Entries of a page, at most: who looks for one reads its whole page, and each change of the account writes the open one anew.
const ENTRIES_A_PAGE: i64 = 40;

/// The newest entries, which are in no page yet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OpenPage {
    count: i64,
    /// The entries as JSON, with commas between them.
    entries: String,
}

/// A page, as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    first: i64,
    at_ms: i64,
    credited: Option<i64>,
    key: Option<Idempotency>,
    entries: String,
}

impl OpenPage {
    /// The page as the account's row has it.
    pub fn of(count: i64, entries: String) -> Self {
        OpenPage { count, entries }
    }

    /// How many entries it has, and these.
    pub fn stored(&self) -> (i64, &str) {
        (self.count, &self.entries)
    }

    /// The page of which the columns of `before`, with the entries of this one behind theirs, become these. `None`: a page was closed
    /// in between.
    pub fn grown_from(&self, before: &OpenPage) -> Option<OpenPage> {
        let entries = self.entries.strip_prefix(before.entries.as_str())?;
        Some(OpenPage::of(self.count, entries.to_owned()))
    }

    /// Adds the next entry. Returns the pages that are to be written now.
    pub fn push(&mut self, entry: &Entry<'_>) -> Result<Vec<Page>, PortError> {
        let stored = to_json(&(
            entry.kind.as_str(),
            entry.amount,
            entry.after.available,
            entry.after.locked,
            entry.message,
            entry.note,
            entry.at_ms,
        ))?;
        let is_credit = entry.kind == EntryKind::Credit;
        let mut closed = Vec::new();
        if is_credit || self.count >= ENTRIES_A_PAGE {
            closed.extend(self.close(entry.seq - 1, entry.at_ms));
        }
        if is_credit {
            closed.push(Page {
                first: entry.seq,
                at_ms: entry.at_ms,
                credited: Some(entry.amount),
                key: entry.key.cloned(),
                entries: stored,
            });
            return Ok(closed);
        }
        if self.count > 0 {
            self.entries.push(',');
        }
        self.entries.push_str(&stored);
        self.count += 1;
        Ok(closed)
    }

    /// Takes the entries, of which the last has this number, as a page that is written at this time.
    pub fn close(&mut self, last: i64, at_ms: i64) -> Option<Page> {
        let OpenPage { count, entries } = std::mem::take(self);
        (count > 0).then_some(Page {
            first: last - count + 1,
            at_ms,
            credited: None,
            key: None,
            entries,
        })
    }
}

/// Writes pages.
pub fn write(sql: &impl Sql, pages: &[Page]) -> Result<(), PortError> {
    let mut rows = Rows::default();
    for page in pages {
        let key = page.key.as_ref().map(|key| (&key.key, &key.hash));
        rows.push(&(
            page.first,
            page.at_ms,
            page.credited,
            key,
            format!("[{}]", page.entries),
        ))?;
    }
    rows.write(|rows| insert(sql, rows))
}

fn insert(sql: &impl Sql, rows: String) -> Result<(), PortError> {
    sql.exec(
        concat!(
            listed!(),
            "INSERT INTO ledger_page (first, at_ms, credited, key, key_hash, entries) \
             SELECT value ->> 0, value ->> 1, value ->> 2, value ->> '$[3][0]', value ->> '$[3][1]', value ->> 4 FROM listed"
        ),
        &[rows.into()],
    )
    .map(drop)
}

/// Which pages of the view `ledger` have the entries from a number up to another, without that one. The two are SQL; the pages
/// may have more entries.
macro_rules! pages_between {
    ($from:literal, $to:literal) => {
        concat!(
            "page >= (SELECT coalesce(max(first), 0) FROM ledger_page WHERE first <= ",
            $from,
            ") AND page < ",
            $to
        )
    };
}
pub(crate) use pages_between;

neighbours!(OpenPage: count, entries);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::account::record::ledger::Wallet;
    use proptest::prelude::*;
    use serde_json::Value;

    proptest! {
        /// Each entry stands where its number says. A page is full at most, and a credit stands alone.
        #[test]
        fn each_entry_is_found_by_its_number(kinds in prop::collection::vec((0u8..60, 0u8..50), 0..500)) {
            let (mut open, mut pages, mut wanted) = (OpenPage::default(), Vec::new(), Vec::new());
            let mut last = 0;
            for (seq, (kind, closes)) in (1..).zip(kinds) {
                let kind = if kind == 0 { EntryKind::Credit } else { EntryKind::Reserve };
                let entry = Entry { seq, at_ms: seq, kind, amount: seq, after: Wallet::default(), message: None, note: None, key: None };
                pages.extend(open.push(&entry).unwrap());
                if closes == 0 {
                    pages.extend(open.close(seq, seq));
                }
                wanted.push((seq, kind.as_str().to_owned()));
                last = seq;
            }
            pages.extend(open.close(last, last));
            prop_assert_eq!(&open, &OpenPage::default());
            let mut found = Vec::new();
            for page in &pages {
                let entries: Vec<Vec<Value>> = serde_json::from_str(&format!("[{}]", page.entries)).unwrap();
                let is_credit = entries[0][0] == "CREDIT";
                let most = if is_credit { 1 } else { usize::try_from(ENTRIES_A_PAGE).unwrap() };
                prop_assert!((1..=most).contains(&entries.len()));
                prop_assert_eq!(page.credited, is_credit.then_some(page.first));
                for (entry, number) in entries.iter().zip(page.first..) {
                    prop_assert_eq!(entry[1].as_i64(), Some(number));
                    found.push((number, entry[0].as_str().unwrap().to_owned()));
                }
            }
            prop_assert_eq!(found, wanted);
        }
    }
}
