//! Times in the format of the API: RFC 3339 in UTC with milliseconds.

use chrono::{DateTime, SecondsFormat, Utc};

/// A day, ms.
pub const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// Whole seconds from now to a later time, both ms since the Unix epoch: at least 1, and never too few, so that who waits for them
/// comes in time.
pub fn seconds_until(at_ms: i64, now_ms: i64) -> u32 {
    let seconds = at_ms.saturating_sub(now_ms).max(1).saturating_add(999) / 1_000;
    u32::try_from(seconds).unwrap_or(u32::MAX)
}

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

/// Formats milliseconds since the Unix epoch as mail does (RFC 5322), such as `Sat, 31 Jan 2026 12:00:00 +0000`.
pub fn to_rfc5322(ms: i64) -> String {
    let time = DateTime::<Utc>::from_timestamp_millis(ms).unwrap_or_default();
    time.format("%a, %d %b %Y %H:%M:%S +0000").to_string()
}

/// Formats a day of UTC, counted from 1970-01-01, such as `2026-01-31`.
pub fn to_date(day: i64) -> String {
    let mut start = to_rfc3339(day.saturating_mul(DAY_MS));
    start.truncate(start.find('T').unwrap_or_default());
    start
}

/// Parses a day like `2026-01-31` into its number, counted from 1970-01-01. Days before that one count as it: nothing was
/// sent on any of them.
pub fn from_date(text: &str) -> Option<i64> {
    let day = from_rfc3339(&format!("{text}T00:00:00Z"))? / DAY_MS;
    (to_date(day) == text).then_some(day.max(0))
}

/// Parses a time as HTTP writes it (RFC 9110, 5.6.7), such as `Wed, 21 Oct 2015 07:28:00 GMT`, into milliseconds since the
/// Unix epoch.
pub fn from_http(text: &str) -> Option<i64> {
    DateTime::parse_from_rfc2822(text)
        .ok()
        .map(|time| time.timestamp_millis())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_utc_with_milliseconds() {
        assert_eq!(to_rfc3339(0), "1970-01-01T00:00:00.000Z");
        assert_eq!(to_rfc3339(1_900_000_000_123), "2030-03-17T17:46:40.123Z");
        assert_eq!(from_rfc3339("2030-03-17T21:16:40.123+03:30"), Some(1_900_000_000_123));
        assert_eq!(to_rfc5322(0), "Thu, 01 Jan 1970 00:00:00 +0000");
        assert_eq!(from_rfc3339("2030-03-17"), None);
        assert_eq!(from_rfc3339("tomorrow"), None);
    }

    #[test]
    fn days_are_counted_from_1970() {
        for (text, day) in [
            ("1970-01-01", 0),
            ("2026-01-31", 20_484),
            ("2028-02-29", 21_243),
            ("9999-12-31", 2_932_896),
        ] {
            assert_eq!((from_date(text), to_date(day)), (Some(day), text.to_owned()));
        }
        for text in ["1969-12-31", "0379-10-27", "0000-01-01"] {
            assert_eq!(from_date(text), Some(0), "{text}");
        }
        for bad in [
            "",
            "2026-02-29",
            "2026-1-31",
            "+2026-01-31",
            "+12026-01-31",
            "12026-01-31",
            "2026-01-31T00:00:00Z",
            "today",
            " 2026-01-31",
        ] {
            assert_eq!(from_date(bad), None, "{bad}");
        }
    }
}
