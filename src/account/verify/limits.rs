//! How many codes a recipient may get. What counts is what is stored: the messages with codes, of any purpose.

use crate::account::record::message::MessageKind;
use crate::base::ports::{PortError, Sql};
use crate::base::time::DAY_MS;

/// How long a code can't be sent again after the first message, the second, and each later one, ms.
pub const DELAYS_MS: [i64; 3] = [30_000, 60_000, 120_000];
/// How many codes a recipient may get in a short window, ms, and in a day.
const SHORT: (usize, i64) = (5, 600_000);
const LONG: (usize, i64) = (10, DAY_MS);
/// So many of the newest messages to a recipient are looked at.
const MOST_LOOKED_AT: i64 = 5_000;

/// The times of the newest codes to a recipient of the last day, the newest first, ms since the Unix epoch.
#[derive(Debug, Default)]
pub struct Times(Vec<i64>);

impl Times {
    /// Reads them. Those of test keys reach nobody, and programs are tested with one number
    /// again and again: they are not counted.
    pub fn read(sql: &impl Sql, now_ms: i64, msisdn: u64, test: bool) -> Result<Times, PortError> {
        if test {
            return Ok(Times::default());
        }
        let rows = sql.exec(
            "SELECT created_ms FROM (SELECT created_ms, kind, test FROM chunk WHERE msisdn = ?1 ORDER BY message DESC LIMIT ?2) \
             WHERE kind = ?3 AND test = 0 AND created_ms > ?4 LIMIT ?5",
            &[
                i64::try_from(msisdn).unwrap_or(i64::MAX).into(),
                MOST_LOOKED_AT.into(),
                MessageKind::Verify.as_str().into(),
                now_ms.saturating_sub(DAY_MS).into(),
                i64::try_from(LONG.0).unwrap_or(i64::MAX).into(),
            ],
        )?;
        rows.iter().map(|row| row.int(0)).collect::<Result<_, _>>().map(Times)
    }

    /// Notes that the recipient gets one more.
    pub fn note(&mut self, now_ms: i64) {
        self.0.insert(0, now_ms);
    }

    /// From when on the recipient may get another one, ms since the Unix epoch; in the past if that is so already.
    pub fn free_ms(&self) -> i64 {
        let free = [SHORT, LONG].into_iter().filter_map(|(most, window_ms)| {
            let oldest_ms = self.0.get(most.checked_sub(1)?)?;
            Some(oldest_ms.saturating_add(window_ms))
        });
        free.max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fifth_in_ten_minutes_and_the_tenth_in_a_day_are_the_last() {
        let mut times = Times::default();
        for at_ms in [0, 30_000, 90_000, 210_000] {
            times.note(at_ms);
        }
        assert_eq!(times.free_ms(), 0);
        times.note(330_000);
        assert_eq!(times.free_ms(), 600_000);
        for at_ms in [600_000, 700_000, 800_000, 900_000] {
            times.note(at_ms);
        }
        assert_eq!(times.free_ms(), 330_000 + 600_000);
        times.note(1_000_000);
        assert_eq!(times.free_ms(), DAY_MS);
    }
}
