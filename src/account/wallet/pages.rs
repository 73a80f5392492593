//! How the ledger is stored: entries that are made together share a row, because each row that is written costs money and time.
//!
//! The invariants: a page's entries have numbers without gaps, and the same time. A credit has a page of its own, so that what
//! was credited up to an entry is a sum over few rows.

use super::ledger::{Entry, EntryKind};
use crate::account::{idempotency::Idempotency, rows::Rows};
use crate::base::ports::{PortError, Sql};
use crate::durable::listed;

/// Entries of a page, at most: who looks for one reads its whole page.
const ENTRIES_A_PAGE: usize = 100;

/// An entry as it is stored: kind, amount, the balances `available` and `locked` after it, message, note.
type Stored = (&'static str, i64, i64, i64, Option<i64>, Option<String>);

/// Entries that are made and not written yet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pages(Vec<Page>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Page {
    first: i64,
    credited: Option<i64>,
    key: Option<Idempotency>,
    entries: Vec<Stored>,
}

impl Page {
    fn takes(&self, entry: &Entry<'_>) -> bool {
        let next = i64::try_from(self.entries.len()).map(|count| self.first.saturating_add(count));
        self.entries.len() < ENTRIES_A_PAGE
            && next == Ok(entry.seq)
            && self.credited.is_none()
            && entry.kind != EntryKind::Credit
    }
}

impl Pages {
    /// Adds an entry. Entries come in the order of their numbers; other pages may have numbers between them.
    pub fn push(&mut self, entry: &Entry<'_>) {
        let stored = (
            entry.kind.as_str(),
            entry.amount,
            entry.after.available,
            entry.after.locked,
            entry.message,
            entry.note.map(str::to_owned),
        );
        match self.0.last_mut().filter(|page| page.takes(entry)) {
            Some(page) => page.entries.push(stored),
            None => self.0.push(Page {
                first: entry.seq,
                credited: (entry.kind == EntryKind::Credit).then_some(entry.amount),
                key: entry.key.cloned(),
                entries: vec![stored],
            }),
        }
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Writes the entries. No entry's time is before that of the entry before it, even when the clock goes back: lists find a
    /// time by it.
    pub fn write(&self, sql: &impl Sql, now_ms: i64) -> Result<(), PortError> {
        let mut rows = Rows::default();
        for page in &self.0 {
            let key = page.key.as_ref().map(|key| (&key.key, &key.hash));
            rows.push(&(page.first, page.credited, key, &page.entries))?;
        }
        rows.write(|rows| insert(sql, now_ms, rows))
    }
}

fn insert(sql: &impl Sql, now_ms: i64, rows: String) -> Result<(), PortError> {
    sql.exec(
        concat!(
            listed!(),
            "INSERT INTO ledger_page (first, at_ms, credited, key, key_hash, entries) \
             SELECT value ->> 0, max(?2, coalesce((SELECT at_ms FROM ledger_page ORDER BY first DESC LIMIT 1), 0)), \
                    value ->> 1, value ->> '$[2][0]', value ->> '$[2][1]', value ->> 3 FROM listed"
        ),
        &[rows.into(), now_ms.into()],
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::account::wallet::ledger::Wallet;
    use proptest::prelude::*;

    proptest! {
        /// Each entry stands where its number says. A page is full at most, and a credit stands alone.
        #[test]
        fn each_entry_is_found_by_its_number(entries in prop::collection::vec((0i64..30, 0u8..60), 0..500)) {
            let (mut pages, mut seq, mut wanted) = (Pages::default(), 0, Vec::new());
            for (gap, kind) in entries {
                seq += 1 + (gap - 28).max(0);
                let kind = if kind == 0 { EntryKind::Credit } else { EntryKind::Reserve };
                pages.push(&Entry { seq, kind, amount: seq, after: Wallet::default(), message: None, note: None, key: None });
                wanted.push((seq, kind.as_str()));
            }
            let mut found = Vec::new();
            for page in &pages.0 {
                let is_credit = page.entries[0].0 == "CREDIT";
                let most = if is_credit { 1 } else { ENTRIES_A_PAGE };
                prop_assert!(page.entries.len() <= most);
                prop_assert_eq!(page.credited, is_credit.then_some(page.first));
                for (entry, number) in page.entries.iter().zip(page.first..) {
                    prop_assert_eq!(entry.1, number);
                    found.push((number, entry.0));
                }
            }
            prop_assert_eq!(found, wanted);
        }

        #[test]
        fn entries_without_gaps_fill_pages(count in 0usize..1_000) {
            let mut pages = Pages::default();
            for seq in 1..=i64::try_from(count).unwrap() {
                let kind = EntryKind::Settle;
                pages.push(&Entry { seq, kind, amount: 1, after: Wallet::default(), message: Some(seq), note: None, key: None });
            }
            prop_assert_eq!(pages.0.len(), count.div_ceil(ENTRIES_A_PAGE));
        }
    }
}
