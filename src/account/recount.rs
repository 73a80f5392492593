//! Counts the usage of days again, from the recipients of their messages, and compares it with the rows that are kept.
//!
//! Only days of which no message is forgotten can be counted again. The newest comes first. The work of one call is bounded: a
//! day may take several, and then its rows may change in between. Whatever moves a recipient changes the version of the rows in
//! which it counts, in the same transaction. So a row that has the version at the end that it had at the beginning is compared,
//! and any other one is left to the next check.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::account::message::list::first_at;
use crate::account::record::message::status::{Money, RecipientStatus};
use crate::account::record::usage_totals::{Amount, Key, Totals};
use crate::base::ports::{MAX_INTEGER, PortError, Sql};
use crate::base::time::{DAY_MS, to_date};

/// Recipients that one call counts, about: the last message of a call is counted whole.
pub const RECIPIENTS_A_STEP: i64 = 20_000;
/// A day is as much work as so many recipients, if it has fewer.
const DAY_WORK: i64 = 100;

/// Where a recount goes on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recount {
    /// The days before this one are still to be counted.
    pub before: i64,
    /// The day that was begun.
    #[serde(default)]
    pub begun: Option<BegunDay>,
}

impl Recount {
    /// The beginning.
    pub fn first() -> Self {
        Recount {
            before: MAX_INTEGER,
            begun: None,
        }
    }
}

/// A day that was begun.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BegunDay {
    /// The day, counted from 1970-01-01.
    pub day: i64,
    /// The last message that is counted.
    pub after: i64,
    /// The versions that the rows of the day had.
    pub versions: Vec<(Key, i64)>,
    /// What its messages have come to so far.
    pub counted: Vec<(Key, Totals)>,
}

/// Counts on, for one call. Gives where to go on, and what does not agree, in words.
pub fn go(sql: &impl Sql, newest_message: i64, from: &Recount) -> Result<(Option<Recount>, Option<String>), PortError> {
    let (mut from, mut left, mut differing) = (from.clone(), RECIPIENTS_A_STEP, Differing::default());
    let kept = KeptDays::read(sql)?;
    loop {
        let begun = match from.begun.take() {
            Some(begun) => Some(begun),
            None => begin_next(sql, kept, from.before)?,
        };
        let Some(mut begun) = begun else {
            return Ok((None, differing.detail()));
        };
        from.before = begun.day;
        let (is_over, counted) = begun.count(sql, newest_message, left)?;
        if is_over {
            begun.compare(sql, kept, &mut differing)?;
        } else {
            from.begun = Some(begun);
        }
        left = left.saturating_sub(counted.max(DAY_WORK));
        if left <= 0 || !is_over {
            return Ok((Some(from), differing.detail()));
        }
    }
}

/// The days of which no message is forgotten: they are behind these.
#[derive(Debug, Clone, Copy)]
struct KeptDays {
    live_after: i64,
    test_after: i64,
}

impl KeptDays {
    fn read(sql: &impl Sql) -> Result<KeptDays, PortError> {
        let rows = sql.exec(
            "SELECT live_forgotten_day, test_forgotten_day, \
               (SELECT created_ms / 86400000 FROM message ORDER BY id LIMIT 1) - 1 FROM upkeep",
            &[],
        )?;
        let row = rows.first().ok_or(PortError::failed("sql", "no row of upkeep"))?;
        let oldest = row.opt_int(2)?.unwrap_or(MAX_INTEGER);
        Ok(KeptDays {
            live_after: row.int(0)?.max(oldest),
            test_after: row.int(1)?.max(oldest),
        })
    }

    fn has(self, (day, _, _, is_test): &Key) -> bool {
        *day > if *is_test { self.test_after } else { self.live_after }
    }
}

/// Begins the newest day before this one of which all messages are kept.
fn begin_next(sql: &impl Sql, kept: KeptDays, before: i64) -> Result<Option<BegunDay>, PortError> {
    let after = kept.live_after.min(kept.test_after);
    let rows = sql.exec(
        "SELECT day, line, carrier, test, version FROM usage \
         WHERE day = (SELECT max(day) FROM usage WHERE day > ?1 AND day < ?2)",
        &[after.into(), before.into()],
    )?;
    let versions = rows.iter().map(|row| row.reader().read::<(Key, i64)>());
    let versions: Vec<(Key, i64)> = versions.collect::<Result<_, PortError>>()?;
    let day = versions.first().map(|(key, _)| key.0);
    Ok(day.map(|day| BegunDay {
        day,
        after: 0,
        versions,
        counted: Vec::new(),
    }))
}

impl BegunDay {
    /// Counts the next messages, of about so many recipients. Gives whether the day has come to its end, and how many they were.
    fn count(&mut self, sql: &impl Sql, newest: i64, recipients: i64) -> Result<(bool, i64), PortError> {
        let begin_ms = self.day.saturating_mul(DAY_MS);
        let end = first_at(sql, begin_ms.saturating_add(DAY_MS), newest)?;
        if self.after == 0 {
            self.after = first_at(sql, begin_ms, newest)?.saturating_sub(1);
        }
        let rows = sql.exec(
            "SELECT max(id), total(total) FROM ( \
               SELECT id, total, sum(total) OVER (ORDER BY id) - total AS before FROM message \
               WHERE id > ?1 AND id < ?2 ORDER BY id LIMIT ?3) WHERE before < ?3",
            &[self.after.into(), end.into(), recipients.into()],
        )?;
        let row = rows.first().ok_or(PortError::failed("sql", "no sums"))?;
        let Some(last) = row.opt_int(0)? else {
            return Ok((true, 0));
        };
        let mut counted: BTreeMap<Key, Totals> = std::mem::take(&mut self.counted).into_iter().collect();
        count_messages(sql, self.day, (self.after, last), &mut counted)?;
        count_recipients(sql, self.day, (self.after, last), &mut counted)?;
        self.counted = counted.into_iter().collect();
        self.after = last;
        Ok((last.saturating_add(1) >= end, row.int(1)?))
    }

    /// Compares the rows of the day that have not changed since it was begun.
    fn compare(self, sql: &impl Sql, kept: KeptDays, differing: &mut Differing) -> Result<(), PortError> {
        let rows = sql.exec(
            "SELECT day, line, carrier, test, version, messages, recipients, parts, cost, returned, delivered, undelivered, \
               expired, rejected, unknown, canceled FROM usage WHERE day = ?1",
            &[self.day.into()],
        )?;
        let stored = rows.iter().map(|row| row.reader().read::<(Key, (i64, Totals))>());
        let stored: BTreeMap<Key, (i64, Totals)> = stored.collect::<Result<_, PortError>>()?;
        let begun: BTreeMap<Key, i64> = self.versions.into_iter().collect();
        let mut counted: BTreeMap<Key, Totals> = self.counted.into_iter().collect();
        for key in stored.keys() {
            counted.entry(key.clone()).or_default();
        }
        for (key, counted) in &counted {
            let (version, stored) = stored.get(key).copied().unwrap_or_default();
            let is_same = begun.get(key).copied().unwrap_or_default() == version;
            if kept.has(key) && is_same && stored != *counted {
                differing.note(key, &stored, counted);
            }
        }
        Ok(())
    }
}

fn count_messages(
    sql: &impl Sql,
    day: i64,
    (after, last): (i64, i64),
    counted: &mut BTreeMap<Key, Totals>,
) -> Result<(), PortError> {
    let rows = sql.exec(
        "SELECT line, test, count(*) FROM message WHERE id > ?1 AND id <= ?2 GROUP BY 1, 2",
        &[after.into(), last.into()],
    )?;
    for row in &rows {
        let totals = counted.entry((day, row.text(0)?, String::new(), row.bool(1)?));
        totals.or_default().messages += row.int(2)?;
    }
    Ok(())
}

fn count_recipients(
    sql: &impl Sql,
    day: i64,
    (after, last): (i64, i64),
    counted: &mut BTreeMap<Key, Totals>,
) -> Result<(), PortError> {
    // What can't be read can't be counted: then the rows differ.
    let rows = sql.exec(
        "SELECT m.line, coalesce(r.carrier, ''), m.test, r.status, r.money, count(*), sum(r.parts), sum(r.cost) \
         FROM message m CROSS JOIN chunk c ON c.message = m.id AND json_valid(c.recipients) \
         CROSS JOIN recipient r ON r.message = c.message AND r.chunk = c.number \
         WHERE m.id > ?1 AND m.id <= ?2 AND r.status <> ?3 GROUP BY 1, 2, 3, 4, 5",
        &[after.into(), last.into(), RecipientStatus::Skipped.code().into()],
    )?;
    let unknown = || PortError::failed("sql", "a recipient's status or money is unknown");
    for row in &rows {
        let mut row = row.reader();
        let (line, carrier, is_test) = (row.read::<String>()?, row.read::<String>()?, row.read::<bool>()?);
        let status = RecipientStatus::from_code(row.read::<i64>()?).ok_or_else(unknown)?;
        let money = Money::from_code(row.read::<i64>()?).ok_or_else(unknown)?;
        let amount = Amount {
            recipients: row.read()?,
            parts: row.read()?,
            cost: row.read()?,
        };
        let accepted = counted.entry((day, line.clone(), String::new(), is_test));
        accepted.or_default().add(amount);
        let is_taken = !carrier.is_empty() && status.is_taken();
        let totals = counted.entry((day, line, carrier, is_test)).or_default();
        if is_taken {
            totals.add(amount);
        }
        totals.add_ended(status, amount.recipients);
        if money.is_returned() {
            totals.returned += amount.cost;
        }
    }
    Ok(())
}

/// Rows that do not agree.
#[derive(Debug, Default)]
struct Differing {
    count: u32,
    newest: Option<String>,
}

impl Differing {
    fn note(&mut self, (day, line, carrier, is_test): &Key, stored: &Totals, counted: &Totals) {
        self.count = self.count.saturating_add(1);
        self.newest.get_or_insert_with(|| {
            format!(
                "that of {} for line {line}, carrier {carrier:?}{}: it has {stored}; its recipients come to {counted}",
                to_date(*day),
                if *is_test { ", test" } else { "" },
            )
        });
    }

    fn detail(&self) -> Option<String> {
        let newest = self.newest.as_ref()?;
        let count = self.count;
        Some(format!(
            "rows that are not what their messages say: {count}; the newest is {newest}"
        ))
    }
}
