//! Times in the format of the API: RFC 3339 in UTC with milliseconds.

use chrono::{DateTime, NaiveDate, SecondsFormat, Utc};

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;
/// The last day of the year 9999.
const LAST_DAY: i64 = 2_932_896;

/// Formats milliseconds since the Unix epoch, such as `2026-01-31T12:00:00.000Z`.
pub fn to_rfc3339(ms: i64) -> String {
    DateTime::<Utc>::from_timestamp_millis(ms)
        .unwrap_or_default()
        .to_rfc3339_opts(SecondsFormat::Millis, true)
}

/// Parses an RFC 3339 time with any offset into milliseconds since the Unix epoch.
pub fn from_rfc3339(text: &str) -> Option<i64> {
    DateTime::parse_from_rfc3339(text)
        .ok()
        .map(|time| time.timestamp_millis())
}

/// Parses a time as HTTP writes it (RFC 9110, 5.6.7), such as `Wed, 21 Oct 2015 07:28:00 GMT`, into milliseconds since the
/// Unix epoch.
pub fn from_http(text: &str) -> Option<i64> {
    DateTime::parse_from_rfc2822(text)
        .ok()
        .map(|time| time.timestamp_millis())
}

/// The day that a text like `2026-01-31` names, counted from 1970-01-01.
pub fn day(text: &str) -> Option<i64> {
    let is_formed = text.len() == 10 && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    let date = NaiveDate::parse_from_str(text, "%Y-%m-%d").ok().filter(|_| is_formed)?;
    let days = date.signed_duration_since(NaiveDate::default()).num_days();
    (0..=LAST_DAY).contains(&days).then_some(days)
}

/// A day, counted from 1970-01-01, as a text like `2026-01-31`.
pub fn day_text(day: i64) -> String {
    let text = to_rfc3339(day.saturating_mul(DAY_MS));
    text.get(..10).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_utc_with_milliseconds() {
        assert_eq!(to_rfc3339(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(to_rfc3339(1_900_000_000_123), "2030-03-17T17:46:40.123Z");
        assert_eq!(from_rfc3339("2030-03-17T21:16:40.123+03:30"), Some(1_900_000_000_123));
        assert_eq!(from_rfc3339("2030-03-17"), None);
        assert_eq!(from_rfc3339("tomorrow"), None);
    }

    #[test]
    fn a_day_is_read_as_it_is_written() {
        for (text, number) in [("1970-01-01", 0), ("2026-01-31", 20_484), ("9999-12-31", LAST_DAY)] {
            assert_eq!((day(text), day_text(number)), (Some(number), text.to_owned()));
        }
        for bad in [
            "",
            "1969-12-31",
            "2026-02-30",
            "2026-1-31",
            "2026-01-31T00:00",
            "+026-01-31",
            "20260131",
        ] {
            assert_eq!(day(bad), None, "{bad}");
        }
    }
}
