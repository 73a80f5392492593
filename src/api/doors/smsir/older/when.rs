//! Days and times of the older API: days of the Persian calendar, and times as the clocks of Tehran show them.

use serde_json::Value;

use super::super::errors::{BAD_TIME, BAD_VALUE, Fault};
use super::super::fields::text_of;
use super::super::lists::{DAY_S, LAST_S, Span, TEHRAN_S};
use super::refusal::Refusal;
use crate::api::doors::params::Params;
use crate::base::time;

/// The zone of Tehran, as RFC 3339 writes it.
const ZONE: &str = "+03:30";
/// The characters of a time up to its seconds.
const TO_SECONDS: usize = 19;
const BAD_DAYS: &str = "Shamsi_FromDate و Shamsi_ToDate باید تاریخ شمسی باشند، مثل 1405/09/01.";

/// The calendar repeats after so many years. The first year of such a cycle is a leap year, and then each fourth.
const CYCLE: i64 = 33;
const CYCLE_DAYS: i64 = 12_053;
const FOUR_YEARS_DAYS: i64 = 1_461;
/// Years before the year 1 at which a cycle begins, and the days from there up to 1970-01-01.
const YEARS_BEFORE: i64 = 1_595;
const DAYS_BEFORE: i64 = 1_075_195;
/// The first six months have 31 days, and the others 30.
const LONG: i64 = 31;
const SHORT: i64 = 30;
const LONG_HALF: i64 = 6 * LONG;

/// When a message is to be sent, ms since the Unix epoch. `None`: now. Programs write the time that it is for that, so a time that is over
/// means it, too. What .NET writes for no time at all is the first day of the year 1.
pub fn send_at(value: &Value, now_ms: i64) -> Result<Option<i64>, Fault> {
    let bad = || Fault::of(BAD_TIME);
    let text = match value {
        Value::Null => return Ok(None),
        value => text_of(value).ok_or_else(bad)?,
    };
    match text.trim() {
        "" | "0" => Ok(None),
        text => {
            let at_ms = written(text).ok_or_else(bad)?;
            Ok((at_ms > now_ms).then_some(at_ms))
        }
    }
}

/// Reads a time as programs write it: `2026-11-30T10:00:00` is one of Tehran, and `/Date(1796029200000+0330)/` is how .NET writes one.
fn written(text: &str) -> Option<i64> {
    if let Some(rest) = text.strip_prefix("/Date(") {
        // A zone that follows changes nothing of it.
        let is_sign = |at: usize, char: char| at == 0 && char == '-';
        let end = rest
            .char_indices()
            .find(|(at, char)| !char.is_ascii_digit() && !is_sign(*at, *char));
        return rest.get(..end?.0)?.parse().ok();
    }
    let text = text.replacen(' ', "T", 1);
    time::from_rfc3339(&text).or_else(|| time::from_rfc3339(&format!("{text}{ZONE}")))
}

/// The days of a list: from `Shamsi_FromDate` to the end of `Shamsi_ToDate`.
pub fn span(params: &Params) -> Result<Span, Refusal> {
    let begin_s = |name: &str| {
        let day = params.get(name).and_then(day_of);
        let bad = || Refusal::from(Fault::of(BAD_VALUE)).advising(BAD_DAYS);
        day.map(|day| day.saturating_mul(DAY_S).saturating_sub(TEHRAN_S))
            .ok_or_else(bad)
    };
    let (from_s, last_s) = (begin_s("shamsi_fromdate")?, begin_s("shamsi_todate")?);
    Ok(Span {
        from_s: from_s.clamp(0, LAST_S),
        to_s: last_s.saturating_add(DAY_S).clamp(0, LAST_S),
    })
}

/// The number of a day like `1405/09/01`, counted from 1970-01-01.
fn day_of(text: &str) -> Option<i64> {
    let mut parts = text.trim().split(['/', '-']).map(|part| {
        let is_number = (1..=4).contains(&part.len()) && part.bytes().all(|digit| digit.is_ascii_digit());
        part.parse::<i64>().ok().filter(|_| is_number)
    });
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    let is_day = (1..=12).contains(&month) && (1..=LONG).contains(&day) && parts.next().is_none();
    is_day.then(|| number_of(year, month, day))
}

fn number_of(year: i64, month: i64, day: i64) -> i64 {
    let years = year.saturating_add(YEARS_BEFORE);
    let (cycles, rest) = (years.div_euclid(CYCLE), years.rem_euclid(CYCLE));
    let leap_days = rest.saturating_add(3).div_euclid(4);
    let of_years = cycles.saturating_mul(CYCLE_DAYS) + rest.saturating_mul(365) + leap_days;
    let months = month.saturating_sub(1);
    let of_months = months
        .saturating_mul(LONG)
        .saturating_sub(months.saturating_sub(6).max(0));
    of_years + of_months + day.saturating_sub(1) - DAYS_BEFORE
}

/// The year, the month and the day of a day, counted from 1970-01-01.
fn date_of(number: i64) -> (i64, i64, i64) {
    let days = number.saturating_add(DAYS_BEFORE);
    let (cycles, days) = (days.div_euclid(CYCLE_DAYS), days.rem_euclid(CYCLE_DAYS));
    let (fours, days) = (days.div_euclid(FOUR_YEARS_DAYS), days.rem_euclid(FOUR_YEARS_DAYS));
    // The first of four years has 366 days.
    let (years, days) = match days {
        0..=365 => (0, days),
        _ => ((days - 1).div_euclid(365), (days - 1).rem_euclid(365)),
    };
    let year = cycles.saturating_mul(CYCLE) + fours * 4 + years - YEARS_BEFORE;
    if days < LONG_HALF {
        (year, days.div_euclid(LONG) + 1, days.rem_euclid(LONG) + 1)
    } else {
        let days = days - LONG_HALF;
        (year, days.div_euclid(SHORT) + 7, days.rem_euclid(SHORT) + 1)
    }
}

/// A time, s since the Unix epoch, as Tehran's clocks show it: `2026-11-30T10:00:00`.
pub fn latin(at_s: i64) -> String {
    let mut text = time::to_rfc3339(at_s.saturating_add(TEHRAN_S).saturating_mul(1_000));
    text.truncate(TO_SECONDS);
    text
}

/// A time, s since the Unix epoch, in the Persian calendar: `1405/09/09 10:00:00`.
pub fn persian(at_s: i64) -> String {
    let (year, month, day) = date_of(at_s.saturating_add(TEHRAN_S).div_euclid(DAY_S));
    let latin = latin(at_s);
    let clock = latin.split('T').nth(1).unwrap_or_default();
    format!("{year}/{month:02}/{day:02} {clock}")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn days_of_the_persian_calendar_are_those_of_history() {
        for (persian, latin) in [
            ("1357/11/22", "1979-02-11"),
            ("1397/02/1", "2018-04-21"),
            ("1399/12/30", "2021-03-20"),
            ("1400-01-01", "2021-03-21"),
            ("1403/12/30", "2025-03-20"),
            ("1404/1/1", "2025-03-21"),
            ("1405/09/09", "2026-11-30"),
            ("1408/12/30", "2030-03-20"),
        ] {
            assert_eq!(time::to_date(day_of(persian).unwrap()), latin, "{persian}");
        }
        for bad in [
            "",
            "1405",
            "1405/13/01",
            "1405/00/01",
            "1405/01/32",
            "1405/01/01/01",
            "x/y/z",
            "14050901",
            "-5/1/1",
            "+405/1/1",
        ] {
            assert_eq!(day_of(bad), None, "{bad}");
        }
        assert_eq!(persian(1_796_020_200), "1405/09/09 10:00:00");
        assert_eq!(latin(1_796_020_200), "2026-11-30T10:00:00");
    }

    #[test]
    fn a_time_without_a_zone_is_tehrans_and_one_that_is_over_means_now() {
        let now = 1_796_020_200_000;
        let at = |value: Value| send_at(&value, now);
        for later in [
            json!("2026-11-30T10:00:01"),
            json!("2026-11-30 10:00:01"),
            json!("2026-11-30T06:30:01Z"),
            json!("2026-11-30T10:00:01.000+03:30"),
            json!("/Date(1796020201000+0330)/"),
            json!("/Date(1796020201000)/"),
        ] {
            assert_eq!(at(later.clone()), Ok(Some(now + 1_000)), "{later}");
        }
        for soon in [
            json!(null),
            json!(""),
            json!(0),
            json!("2026-11-30T10:00:00"),
            json!("2020-01-01T00:00:00"),
            json!("/Date(-62135596800000)/"),
            json!("/Date(-62135609144000+0325)/"),
            json!("0001-01-01T00:00:00"),
        ] {
            assert_eq!(at(soon.clone()), Ok(None), "{soon}");
        }
        for bad in [
            json!("tomorrow"),
            json!(true),
            json!([]),
            json!("1405/09/09 10:00"),
            json!("/Date(x)/"),
            json!("/Date(-)/"),
            json!("/Date(--1)/"),
            json!("/Date(1"),
        ] {
            assert_eq!(at(bad.clone()), Err(Fault::of(BAD_TIME)), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn a_day_is_its_date_and_follows_the_day_before(day in -500_000_i64..3_000_000) {
            let (year, month, of_month) = date_of(day);
            prop_assert_eq!(number_of(year, month, of_month), day);
            let next = date_of(day + 1);
            prop_assert!(next == (year, month, of_month + 1) || next == (year, month + 1, 1) || next == (year + 1, 1, 1));
        }
    }
}
