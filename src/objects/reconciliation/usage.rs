//! Compares the mirror of an account's usage with the rows of its object, page by page, the newest first.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::account::record::usage_totals::Key;
use crate::account::usage::{ROWS_A_STEP, UsageRow};
use crate::base::time;
use crate::objects::reconciliation::findings::{CheckFindings, Late};

/// A row on one side: its version and its counts.
type Side = Option<(i64, String)>;

/// What a comparison has found so far.
#[derive(Debug, Default)]
pub struct Comparison {
    differing: u32,
    newest: Option<String>,
}

impl Comparison {
    /// Compares the next page of both sides. Returns the key before which both go on, until both have come to their end.
    pub fn compare(
        &mut self,
        mirrored: Vec<UsageRow>,
        truth: Vec<UsageRow>,
        late: &Late,
        findings: &mut CheckFindings,
    ) -> Option<Key> {
        // Of two pages that go on, the one that ends sooner says how far both are known.
        let end = end_of(&mirrored).max(end_of(&truth));
        let mut rows: BTreeMap<Key, (Side, Side)> = BTreeMap::new();
        for row in mirrored {
            rows.entry(row.key).or_default().0 = Some((row.version, row.counts));
        }
        for row in truth {
            rows.entry(row.key).or_default().1 = Some((row.version, row.counts));
        }
        let known = rows
            .iter()
            .rev()
            .filter(|(key, _)| end.as_ref().is_none_or(|end| *key >= end));
        for (key, (shown, is)) in known {
            self.look(key, shown, is, late, findings);
        }
        end
    }

    fn look(&mut self, key: &Key, shown: &Side, is: &Side, late: &Late, findings: &mut CheckFindings) {
        let version = |side: &Side| side.as_ref().map_or(0, |(version, _)| *version);
        let differs = match version(shown).cmp(&version(is)) {
            Ordering::Greater => true,
            Ordering::Equal => shown != is,
            Ordering::Less => {
                let row = format!("usage {key:?}");
                let is_late = late.has(&row, version(shown));
                findings.note_behind(row, version(shown));
                is_late
            }
        };
        if differs {
            self.differing = self.differing.saturating_add(1);
            self.newest.get_or_insert_with(|| detail(key, shown, is));
        }
    }

    /// What does not agree, in words.
    pub fn difference(&self) -> Option<String> {
        let newest = self.newest.as_ref()?;
        Some(format!("rows that differ: {}; the newest is {newest}", self.differing))
    }
}

/// Where a page goes on, if it does.
fn end_of(rows: &[UsageRow]) -> Option<Key> {
    rows.last()
        .filter(|_| rows.len() >= ROWS_A_STEP)
        .map(|row| row.key.clone())
}

fn detail((day, line, carrier, is_test): &Key, shown: &Side, is: &Side) -> String {
    let words = |side: &Side| match side {
        Some((version, counts)) => format!("{counts} in version {version}"),
        None => "nothing".to_owned(),
    };
    format!(
        "that of {} for line {line}, carrier {carrier:?}{}: the mirror shows {}; it is {}",
        time::to_date(*day),
        if *is_test { ", test" } else { "" },
        words(shown),
        words(is)
    )
}
