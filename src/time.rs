//! Times in the format of the API: RFC 3339 in UTC with milliseconds.

use chrono::{DateTime, SecondsFormat, Utc};

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
}
