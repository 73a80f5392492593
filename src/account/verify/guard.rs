//! The guard: it lets no code go where somebody seems to ask for codes only to have them sent, which fraud with the prices of
//! numbers lives on. What tells is that nobody checks them.
//!
//! Three things are looked at: the ten thousand numbers that differ in their last four digits only, the address of whoever asks, as
//! the client tells it, and all numbers that begin alike. Codes that were sent a moment ago do not count, because people need
//! that long to type them. So a shop in the first minute of a sale does not look like an attack.

use serde_json::json;

use super::VerifyStatus;
use crate::account::outbox::events;
use crate::account::unit_of_work::UnitOfWork;
use crate::base::ports::{PortError, Row, Sql};
use crate::base::time;

/// The verifications of so long count, ms.
const WINDOW_MS: i64 = 600_000;
/// Younger ones do not count, ms.
const YOUNG_MS: i64 = 60_000;
/// Numbers that differ in their last digits only, so many.
const RANGE: i64 = 10_000;
/// As many verifications of such numbers may go unanswered.
const MOST_OF_RANGE: i64 = 20;
/// As many verifications that one address has asked for.
const MOST_OF_ADDRESS: i64 = 100;
/// To find those of an address, so many of the account's newest are looked at. An index would cost each verification a row.
const LOOKED_AT: i64 = 1_000;
/// Verifications are answered if one of so many is approved.
const ANSWERED: i64 = 4;
/// Messages that requests without tokens make, about, in the window.
const SURPLUS: i64 = 1_000;

/// What numbers that are watched together begin with: so many digits.
pub const PREFIX_DIGITS: u32 = 5;
/// How long numbers that begin alike are watched before the count begins anew, ms.
const WATCH_MS: i64 = 900_000;
/// How long they are paused, ms.
pub const PAUSE_MS: i64 = 900_000;
/// Fewer verifications than these say nothing: in the watch, and in the week before.
const LEAST_NOW: i64 = 50;
const LEAST_A_WEEK: i64 = 200;
/// Approvals have fallen far if they are less than one of so many that were usual.
const FALLEN: i64 = 3;

/// Verifications that have ended, and how many of them were approved.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Ended {
    /// All.
    pub all: i64,
    /// Those that were approved.
    pub approved: i64,
}

/// Whether the guard lets no code go to a number, for which this address asks.
pub fn blocks(sql: &impl Sql, work: &UnitOfWork, msisdn: u64, address: Option<&str>) -> Result<bool, PortError> {
    Ok(is_paused(sql, work.now_ms, msisdn)?
        || is_unanswered(of_range(sql, work, msisdn)?, MOST_OF_RANGE)
        || is_unanswered(of_address(sql, work, address)?, MOST_OF_ADDRESS))
}

fn is_unanswered(counted: Ended, most: i64) -> bool {
    counted.all >= most && counted.approved.saturating_mul(ANSWERED) < counted.all
}

fn window(now_ms: i64) -> (i64, i64) {
    (now_ms.saturating_sub(WINDOW_MS), now_ms.saturating_sub(YOUNG_MS))
}

fn counted(rows: &[Row]) -> Result<Ended, PortError> {
    rows.first().map_or(Ok(Ended::default()), |row| {
        Ok(Ended {
            all: row.int(0)?,
            approved: row.int(1)?,
        })
    })
}

/// The verifications of numbers beside this one. They are found by their messages: the numbers of recipients have an index.
fn of_range(sql: &impl Sql, work: &UnitOfWork, msisdn: u64) -> Result<Ended, PortError> {
    let first = i64::try_from(msisdn)
        .unwrap_or_default()
        .div_euclid(RANGE)
        .saturating_mul(RANGE);
    let (since_ms, until_ms) = window(work.now_ms);
    let rows = sql.exec(
        "SELECT count(*), coalesce(sum(v.status = ?6), 0) FROM chunk c CROSS JOIN verification v ON v.number = c.message \
         WHERE c.msisdn >= ?1 AND c.msisdn < ?2 AND c.message > ?3 AND v.test = 0 AND v.created_ms > ?4 AND v.created_ms <= ?5",
        &[
            first.into(),
            first.saturating_add(RANGE).into(),
            oldest_message(work).into(),
            since_ms.into(),
            until_ms.into(),
            VerifyStatus::Approved.code().into(),
        ],
    )?;
    counted(&rows)
}

/// A message that is older than the window: the rate limit lets no more through in it.
fn oldest_message(work: &UnitOfWork) -> i64 {
    let most = [work.account.limit, work.account.test_limit].map(|limit| {
        let a_window = i64::from(limit.limit()).saturating_mul(WINDOW_MS / 1_000) / i64::from(limit.window_s()).max(1);
        a_window.saturating_add(limit.burst().into())
    });
    let most = most.into_iter().fold(SURPLUS, i64::saturating_add);
    work.account.message_seq.saturating_sub(most)
}

fn of_address(sql: &impl Sql, work: &UnitOfWork, address: Option<&str>) -> Result<Ended, PortError> {
    let Some(address) = address else {
        return Ok(Ended::default());
    };
    let (since_ms, until_ms) = window(work.now_ms);
    let rows = sql.exec(
        "SELECT count(*), coalesce(sum(status = ?5), 0) FROM ( \
           SELECT status, test, created_ms, address FROM verification \
           WHERE number > ?7 AND status <> ?6 ORDER BY number DESC LIMIT ?2) \
         WHERE address = ?1 AND test = 0 AND created_ms > ?3 AND created_ms <= ?4",
        &[
            address.into(),
            LOOKED_AT.into(),
            since_ms.into(),
            until_ms.into(),
            VerifyStatus::Approved.code().into(),
            VerifyStatus::Blocked.code().into(),
            oldest_message(work).into(),
        ],
    )?;
    counted(&rows)
}

/// What a number begins with.
pub fn prefix_of(msisdn: u64) -> String {
    let digits = msisdn.checked_ilog10().map_or(1, |last| last + 1);
    let surplus = digits.saturating_sub(PREFIX_DIGITS);
    (msisdn / 10_u64.saturating_pow(surplus)).to_string()
}

fn is_paused(sql: &impl Sql, now_ms: i64, msisdn: u64) -> Result<bool, PortError> {
    let rows = sql.exec(
        "SELECT 1 FROM verify_prefix WHERE prefix = ?1 AND paused_until_ms > ?2",
        &[prefix_of(msisdn).into(), now_ms.into()],
    )?;
    Ok(!rows.is_empty())
}

/// Notes how verifications of live keys have ended whose numbers begin so, and pauses these numbers if far fewer are approved
/// than in the week before. `week` is how those of the week ended, without these.
pub fn note(sql: &impl Sql, work: &UnitOfWork, prefix: &str, ended: Ended, week: Ended) -> Result<(), PortError> {
    let rows = sql.exec(
        "SELECT since_ms, ended, approved FROM verify_prefix WHERE prefix = ?1",
        &[prefix.into()],
    )?;
    let mut since_ms = work.now_ms;
    let mut watched = ended;
    if let Some(row) = rows
        .first()
        .filter(|row| row.int(0).is_ok_and(|since| since + WATCH_MS > work.now_ms))
    {
        since_ms = row.int(0)?;
        watched.all = watched.all.saturating_add(row.int(1)?);
        watched.approved = watched.approved.saturating_add(row.int(2)?);
    }
    let has_fallen = has_fallen(watched, week);
    let until_ms = work.now_ms.saturating_add(PAUSE_MS);
    if has_fallen {
        let data = json!({
            "prefix": prefix,
            "until": time::to_rfc3339(until_ms),
            "ended": watched.all,
            "approved": watched.approved,
        });
        events::paused(sql, work, &data)?;
        // Those that are on their way still do not count against the numbers a second time.
        (since_ms, watched) = (until_ms, Ended::default());
    }
    sql.exec(
        "INSERT INTO verify_prefix (prefix, since_ms, ended, approved, paused_until_ms) VALUES (?1, ?2, ?3, ?4, ?5) \
         ON CONFLICT (prefix) DO UPDATE SET since_ms = excluded.since_ms, ended = excluded.ended, approved = excluded.approved, \
           paused_until_ms = max(paused_until_ms, excluded.paused_until_ms)",
        &[
            prefix.into(),
            since_ms.into(),
            watched.all.into(),
            watched.approved.into(),
            if has_fallen { until_ms } else { 0 }.into(),
        ],
    )
    .map(drop)
}

fn has_fallen(now: Ended, week: Ended) -> bool {
    let (now_rate, week_rate) = (
        now.approved.saturating_mul(week.all).saturating_mul(FALLEN),
        week.approved.saturating_mul(now.all),
    );
    now.all >= LEAST_NOW && week.all >= LEAST_A_WEEK && now_rate < week_rate
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_begin_alike_by_their_first_digits() {
        assert_eq!(prefix_of(989_121_234_567), "98912");
        assert_eq!(prefix_of(4_915_112_345_678), "49151");
        assert_eq!(prefix_of(123), "123");
        assert_eq!(prefix_of(0), "0");
    }

    #[test]
    fn approvals_have_fallen_when_they_are_less_than_a_third_of_the_usual() {
        let of = |all, approved| Ended { all, approved };
        let week = of(1_000, 900);
        assert!(has_fallen(of(50, 14), week));
        assert!(!has_fallen(of(50, 15), week));
        assert!(!has_fallen(of(49, 0), week));
        assert!(!has_fallen(of(50, 0), of(199, 199)));
        assert!(!has_fallen(of(50, 0), of(1_000, 0)));
    }
}
