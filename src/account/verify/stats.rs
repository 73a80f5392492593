//! How verifications have ended, by day, by what numbers begin with, by line and by carrier. Those of some minutes, which are not
//! counted yet, are read one by one.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::VerifyStatus;
use super::guard::{self, Ended, prefix_of};
use crate::account::request::{ReplyResult, Request, Wakes};
use crate::account::unit_of_work::UnitOfWork;
use crate::auth::Mode;
use crate::base::named::named;
use crate::base::ports::{PortError, Row, Sql, Value};
use crate::base::record::{Columns, neighbours, record};
use crate::base::time::DAY_MS;
use crate::durable::to_json;

/// Verifications that are not counted yet and that an answer reads, at most.
const UNCOUNTED: i64 = 20_000;
/// Rows of an answer at most: those with the most messages.
pub const MOST_ROWS: usize = 500;
/// How many days are kept.
pub const KEPT_DAYS: i64 = 92;
/// The days that say what is usual.
const WEEK_DAYS: i64 = 7;

named! {
    /// By what verifications are told apart.
    pub enum By {
        /// By the day of UTC on which they started.
        Day => "day",
        /// By the first digits of the number.
        Prefix => "prefix",
        /// By the line of the newest message.
        Line => "line",
        /// By the carrier of the newest message.
        Carrier => "carrier",
    }
}

/// Asks how verifications have ended.
#[derive(Debug, Serialize, Deserialize)]
pub struct GetVerifyStats {
    /// The first day, since 1970-01-01.
    pub from: i64,
    /// The last day.
    pub to: i64,
    /// By what to tell them apart.
    pub by: By,
    /// The mode of the key of the request.
    pub mode: Mode,
}

/// How verifications have ended.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// How many were started.
    pub started: i64,
    /// The messages that brought their codes.
    pub sent: i64,
    /// The codes that were checked.
    pub checked: i64,
    /// How many were approved.
    pub approved: i64,
    /// How many the guard has blocked.
    pub blocked: i64,
    /// The approved ones by the seconds from start to approval.
    pub seconds: BTreeMap<i64, i64>,
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        self.started += other.started;
        self.sent += other.sent;
        self.checked += other.checked;
        self.approved += other.approved;
        self.blocked += other.blocked;
        for (seconds, count) in &other.seconds {
            *self.seconds.entry(*seconds).or_default() += count;
        }
    }

    /// The median of the seconds from start to approval, rounded down; `None` if none was approved.
    pub fn median_s(&self) -> Option<i64> {
        let all: i64 = self.seconds.values().sum();
        let mut below = 0;
        self.seconds.iter().find_map(|(seconds, count)| {
            below += count;
            (below * 2 >= all).then_some(*seconds)
        })
    }
}

/// A row of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatsRow {
    /// The day, prefix, line or carrier.
    pub name: String,
    /// How its verifications have ended.
    pub tally: Tally,
    /// Until when the guard pauses the prefix, ms since the Unix epoch.
    pub paused_until_ms: Option<i64>,
}

/// The day, line, prefix and carrier of verifications, and whether test keys made them.
type Key = (i64, String, String, String, bool);

/// What was counted.
#[derive(Debug, Clone, Copy)]
pub struct Counted {
    /// The last of them.
    pub last: i64,
    /// How many they are.
    pub count: i64,
}

/// The columns of a verification that count.
macro_rules! counted_columns {
    () => {
        "number, status, created_ms / 86400000, line, msisdn, test, checks, created_ms, ended_ms, \
         (SELECT json_group_array(coalesce(c.recipients ->> '$[0][7]', '')) FROM json_each(sends) s \
            LEFT JOIN chunk c ON c.message = (s.value ->> 0) AND c.number = 0)"
    };
}

/// What a verification counts: under the carrier of its newest message, but each earlier message under its own carrier.
fn tallies_of(row: &Row) -> Result<Vec<(Key, Tally)>, PortError> {
    let mut row = row.reader();
    let (_, status, day, line, msisdn): (i64, i64, i64, String, i64) = row.read()?;
    let (is_test, checked, created_ms, ended_ms): (bool, i64, i64, Option<i64>) = row.read()?;
    let mut carriers: Vec<String> = row.json("verification")?;
    let status = VerifyStatus::from_code(status);
    let prefix = prefix_of(u64::try_from(msisdn).unwrap_or_default());
    let is_approved = status == Some(VerifyStatus::Approved);
    let took_ms = ended_ms.unwrap_or_default().saturating_sub(created_ms);
    let newest = carriers.pop();
    let key = |carrier| (day, line.clone(), prefix.clone(), carrier, is_test);
    let tally = Tally {
        started: 1,
        sent: newest.is_some().into(),
        checked,
        approved: is_approved.into(),
        blocked: (status == Some(VerifyStatus::Blocked)).into(),
        seconds: is_approved.then(|| (took_ms.max(0) / 1_000, 1)).into_iter().collect(),
    };
    let message = || Tally {
        sent: 1,
        ..Tally::default()
    };
    let earlier = carriers.into_iter().map(|carrier| (key(carrier), message()));
    Ok(std::iter::once((key(newest.unwrap_or_default()), tally))
        .chain(earlier)
        .collect())
}

/// Counts those at the front of the verifications that have ended, at most so many.
pub fn count_ended(sql: &impl Sql, work: &UnitOfWork, most: i64) -> Result<Counted, PortError> {
    let first = work.account.verifications.first;
    let rows = sql.exec(
        concat!(
            "SELECT ",
            counted_columns!(),
            " FROM verification WHERE number >= ?1 AND number < coalesce( \
               (SELECT number FROM verification WHERE number >= ?1 AND status = ?2 ORDER BY number LIMIT 1), 1 << 53) \
             ORDER BY number LIMIT ?3"
        ),
        &[first.into(), VerifyStatus::Pending.code().into(), most.into()],
    )?;
    let mut tallies: BTreeMap<Key, Tally> = BTreeMap::new();
    let mut last = first.saturating_sub(1);
    for row in &rows {
        last = row.int(0)?;
        for (key, tally) in tallies_of(row)? {
            tallies.entry(key).or_default().add(&tally);
        }
    }
    if !tallies.is_empty() {
        watch(sql, work, &tallies)?;
        write(sql, tallies)?;
        forget_old(sql, work.now_ms)?;
    }
    Ok(Counted {
        last,
        count: i64::try_from(rows.len()).unwrap_or(i64::MAX),
    })
}

/// Lets the guard see how live verifications have ended, before they count for the week.
fn watch(sql: &impl Sql, work: &UnitOfWork, tallies: &BTreeMap<Key, Tally>) -> Result<(), PortError> {
    let mut by_prefix: BTreeMap<&str, Ended> = BTreeMap::new();
    for ((_, _, prefix, _, is_test), tally) in tallies {
        if !is_test {
            let ended = by_prefix.entry(prefix).or_default();
            ended.all += tally.started - tally.blocked;
            ended.approved += tally.approved;
        }
    }
    let from = work.now_ms.div_euclid(DAY_MS).saturating_sub(WEEK_DAYS);
    for (prefix, ended) in by_prefix {
        let rows = sql.exec(
            "SELECT coalesce(sum(started - blocked), 0), coalesce(sum(approved), 0) FROM verify_day \
             WHERE day >= ?1 AND prefix = ?2 AND test = 0",
            &[from.into(), prefix.into()],
        )?;
        let row = rows.first().ok_or(PortError::failed("sql", "no sums"))?;
        let week = Ended {
            all: row.int(0)?,
            approved: row.int(1)?,
        };
        guard::note(sql, work, prefix, ended, week)?;
    }
    Ok(())
}

neighbours!(Tally: started, sent, checked, approved, blocked, seconds);

record! {
    /// Verifications of a day that have ended.
    struct Day by verify_day {
        key: Key = day "INTEGER NOT NULL", line "TEXT NOT NULL", prefix "TEXT NOT NULL", carrier "TEXT NOT NULL", test "INTEGER NOT NULL";
        tally: Tally = started "INTEGER NOT NULL", sent "INTEGER NOT NULL", checked "INTEGER NOT NULL", approved "INTEGER NOT NULL", blocked "INTEGER NOT NULL", seconds "TEXT NOT NULL";
    }
}
pub(in crate::account) use verify_day;

fn write(sql: &impl Sql, mut tallies: BTreeMap<Key, Tally>) -> Result<(), PortError> {
    let keys: Vec<&Key> = tallies.keys().collect();
    let known = sql.exec(
        concat!(
            "SELECT ",
            verify_day!(columns "d."),
            " FROM json_each(?1) p CROSS JOIN verify_day d ON d.day = p.value ->> 0 AND d.line = p.value ->> 1 \
               AND d.prefix = p.value ->> 2 AND d.carrier = p.value ->> 3 AND d.test = p.value ->> 4"
        ),
        &[to_json(&keys)?.into()],
    )?;
    for row in &known {
        let known = Day::of(row)?;
        tallies.entry(known.key).or_default().add(&known.tally);
    }
    let days = tallies.into_iter().map(|(key, tally)| Day { key, tally }.values());
    let days: Vec<Vec<Value>> = days.collect::<Result<_, _>>()?;
    sql.exec(
        concat!(
            "INSERT OR REPLACE INTO verify_day (",
            verify_day!(columns),
            ") SELECT ",
            verify_day!(places "value ->> " ""),
            " FROM json_each(?1)"
        ),
        &[to_json(&days)?.into()],
    )
    .map(drop)
}

fn forget_old(sql: &impl Sql, now_ms: i64) -> Result<(), PortError> {
    let first = now_ms.div_euclid(DAY_MS).saturating_sub(KEPT_DAYS);
    sql.exec("DELETE FROM verify_day WHERE day < ?1", &[first.into()])?;
    let since_ms = now_ms.saturating_sub(KEPT_DAYS * DAY_MS);
    sql.exec("DELETE FROM verify_prefix WHERE since_ms < ?1", &[since_ms.into()])
        .map(drop)
}

impl Request for GetVerifyStats {
    const NAME: &'static str = "GetVerifyStats";
    const WAKES: Wakes = Wakes::Never;
    type Reply = Vec<StatsRow>;

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<Vec<StatsRow>> {
        let is_test = self.mode == Mode::Test;
        let mut found: BTreeMap<String, Tally> = BTreeMap::new();
        let mut add = |(key, tally): (Key, Tally)| {
            if key.4 == is_test && (self.from..=self.to).contains(&key.0) {
                found.entry(self.name_of(key)).or_default().add(&tally);
            }
        };
        let days = sql.exec(
            concat!(
                "SELECT ",
                verify_day!(columns "d."),
                " FROM verify_day d WHERE d.day >= ?1 AND d.day <= ?2"
            ),
            &[self.from.into(), self.to.into()],
        )?;
        for row in &days {
            let day = Day::of(row)?;
            add((day.key, day.tally));
        }
        if work.account.verifications.first > 0 {
            let uncounted = sql.exec(
                concat!(
                    "SELECT ",
                    counted_columns!(),
                    " FROM verification WHERE number >= ?1 ORDER BY number LIMIT ?2"
                ),
                &[work.account.verifications.first.into(), UNCOUNTED.into()],
            )?;
            for row in &uncounted {
                tallies_of(row)?.into_iter().for_each(&mut add);
            }
        }
        let mut paused = BTreeMap::new();
        if self.by == By::Prefix && !is_test {
            paused = paused_prefixes(sql, work.now_ms)?;
        }
        let mut rows: Vec<StatsRow> = found
            .into_iter()
            .map(|(name, tally)| StatsRow {
                paused_until_ms: paused.remove(&name),
                name,
                tally,
            })
            .collect();
        if rows.len() > MOST_ROWS {
            rows.sort_by_key(|row| std::cmp::Reverse(row.tally.sent));
            rows.truncate(MOST_ROWS);
            rows.sort_by(|a, b| a.name.cmp(&b.name));
        }
        Ok(rows)
    }
}

impl GetVerifyStats {
    fn name_of(&self, (day, line, prefix, carrier, _): Key) -> String {
        match self.by {
            By::Day => crate::base::time::to_date(day),
            By::Prefix => prefix,
            By::Line => line,
            By::Carrier => carrier,
        }
    }
}

fn paused_prefixes(sql: &impl Sql, now_ms: i64) -> Result<BTreeMap<String, i64>, PortError> {
    let rows = sql.exec(
        "SELECT prefix, paused_until_ms FROM verify_prefix WHERE paused_until_ms > ?1",
        &[now_ms.into()],
    )?;
    rows.iter().map(|row| Ok((row.text(0)?, row.int(1)?))).collect()
}
