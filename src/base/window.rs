//! Hours of the day in a time zone, in which something may be sent.
//!
//! What the clocks on the walls of the zone show decides, also on the days on which they are changed. A window that begins in an hour
//! that is left out begins at the end of this hour. An hour that comes twice is in the window twice.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::cache::Weigh;
use super::ports::Zones;
use super::record::json_columns;

const MINUTE_MS: i64 = 60_000;
const MINUTES_AN_HOUR: u16 = 60;
const MINUTES_A_DAY: u16 = 24 * MINUTES_AN_HOUR;
/// The search for the next opening ends behind so many changes of the clocks. No zone has so many between two openings.
const MAX_CHANGES: u32 = 8;

/// Each opening of one of two windows is looked at, until the other one is open too. Both open once a day, so two that are not open
/// together within some days never are.
const MAX_TURNS: u32 = 8;

/// A time of the day, in minutes since midnight. As JSON it is a text like `09:30`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TimeOfDay(u16);

impl TimeOfDay {
    /// The time so many minutes after midnight. `None` if the day has fewer.
    pub fn of_minutes(minutes: u16) -> Option<Self> {
        (minutes < MINUTES_A_DAY).then_some(TimeOfDay(minutes))
    }

    /// Minutes since midnight, below 1,440.
    pub fn minutes(self) -> u16 {
        self.0
    }

    /// Reads a time like `09:30`, from `00:00` to `23:59`.
    pub fn parse(text: &str) -> Option<Self> {
        let (hours, minutes) = text.split_once(':')?;
        let (hours, minutes) = (two_digits(hours)?, two_digits(minutes)?);
        let minutes = (minutes < MINUTES_AN_HOUR).then_some(hours * MINUTES_AN_HOUR + minutes)?;
        Self::of_minutes(minutes)
    }
}

fn two_digits(text: &str) -> Option<u16> {
    let are_digits = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| are_digits)
}

impl fmt::Display for TimeOfDay {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{:02}:{:02}",
            self.0 / MINUTES_AN_HOUR,
            self.0 % MINUTES_AN_HOUR
        )
    }
}

impl From<TimeOfDay> for String {
    fn from(time: TimeOfDay) -> String {
        time.to_string()
    }
}

impl TryFrom<String> for TimeOfDay {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::parse(&text).ok_or("no time of the day")
    }
}

/// Hours of the day in a time zone, in which something may be sent: from a time of the day up to another one, which is outside. If the
/// first is the later one, the window goes over midnight. The invariant: the two differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", try_from = "Written")]
pub struct Window {
    from: TimeOfDay,
    to: TimeOfDay,
    time_zone: String,
}

json_columns!(Window);

impl Weigh for Window {
    fn heap(&self) -> usize {
        self.time_zone.heap()
    }
}

/// A window as it is written, before it is checked.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Written {
    from: TimeOfDay,
    to: TimeOfDay,
    time_zone: String,
}

impl TryFrom<Written> for Window {
    type Error = &'static str;

    fn try_from(written: Written) -> Result<Self, Self::Error> {
        Self::new(written.from, written.to, written.time_zone).ok_or("a window begins where it ends")
    }
}

impl Window {
    /// A window in the zone with this name of the IANA database, such as `Asia/Tehran`. `None` if it ends where it begins. Whether the
    /// runtime knows the zone, [`Zones`] tells.
    pub fn new(from: TimeOfDay, to: TimeOfDay, time_zone: String) -> Option<Self> {
        (from != to).then_some(Window { from, to, time_zone })
    }

    /// When the window begins.
    pub fn from(&self) -> TimeOfDay {
        self.from
    }

    /// When the window ends.
    pub fn to(&self) -> TimeOfDay {
        self.to
    }

    /// The name of the time zone.
    pub fn time_zone(&self) -> &str {
        &self.time_zone
    }

    /// When the window opens next, ms since the Unix epoch: a whole minute behind `now_ms`. `None` if it is open now. In a zone that the
    /// runtime does not know, the clocks show UTC.
    pub fn opens_ms(&self, zones: &impl Zones, now_ms: i64) -> Option<i64> {
        let clock = Clock {
            zones,
            time_zone: &self.time_zone,
        };
        let mut at = now_ms.div_euclid(MINUTE_MS);
        if self.is_open(clock.shows(at)) {
            return None;
        }
        for _ in 0..MAX_CHANGES {
            let opening = at + self.minutes_to_opening(clock.shows(at));
            let Some(change) = clock.first_change(at, opening) else {
                at = opening;
                break;
            };
            at = change;
            if self.is_open(clock.shows(change)) {
                break;
            }
        }
        Some(at.saturating_mul(MINUTE_MS))
    }

    /// When this window and another one are both open next, ms since the Unix epoch: `now_ms` if they are. `None` if they never are.
    pub fn opens_with_ms(&self, other: &Window, zones: &impl Zones, now_ms: i64) -> Option<i64> {
        let mut at = now_ms;
        for _ in 0..MAX_TURNS {
            at = self.opens_ms(zones, at).unwrap_or(at);
            match other.opens_ms(zones, at) {
                None => return Some(at),
                Some(opens_ms) => at = opens_ms,
            }
        }
        None
    }

    /// Whether the window is open when the clocks show this minute of the day.
    fn is_open(&self, minute: i64) -> bool {
        let (from, to) = (i64::from(self.from.0), i64::from(self.to.0));
        if from < to {
            (from..to).contains(&minute)
        } else {
            minute >= from || minute < to
        }
    }

    /// How long it takes from this minute of the day to the next opening, if nobody changes the clocks meanwhile.
    fn minutes_to_opening(&self, minute: i64) -> i64 {
        (i64::from(self.from.0) - minute).rem_euclid(MINUTES_A_DAY.into())
    }
}

/// The clocks of a zone. Times are minutes since the Unix epoch.
struct Clock<'a, Z> {
    zones: &'a Z,
    time_zone: &'a str,
}

impl<Z: Zones> Clock<'_, Z> {
    /// How many minutes the clocks are ahead of UTC.
    fn offset(&self, at: i64) -> i64 {
        let known = self
            .zones
            .utc_offset_minutes(self.time_zone, at.saturating_mul(MINUTE_MS));
        known.unwrap_or(0).into()
    }

    /// The minute of the day that the clocks show.
    fn shows(&self, at: i64) -> i64 {
        (at + self.offset(at)).rem_euclid(MINUTES_A_DAY.into())
    }

    /// The first time behind `start`, and up to `end`, at which the clocks have been changed. The clocks are changed once between the
    /// two, or not at all: they are less than a day apart.
    fn first_change(&self, start: i64, end: i64) -> Option<i64> {
        let offset = self.offset(start);
        if self.offset(end) == offset {
            return None;
        }
        let (mut before, mut after) = (start, end);
        while after - before > 1 {
            let middle = before + (after - before) / 2;
            if self.offset(middle) == offset {
                before = middle;
            } else {
                after = middle;
            }
        }
        Some(after)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A zone whose clocks are ahead by the first offset before a minute, and by the second one from then on.
    struct Changed(i64, i32, i32);

    impl Zones for Changed {
        fn utc_offset_minutes(&self, time_zone: &str, at_ms: i64) -> Option<i32> {
            let offset = if at_ms < self.0 * MINUTE_MS { self.1 } else { self.2 };
            (time_zone == "Here").then_some(offset)
        }
    }

    /// Clocks that are changed each minute.
    struct Restless;

    impl Zones for Restless {
        fn utc_offset_minutes(&self, _: &str, at_ms: i64) -> Option<i32> {
            i32::try_from(at_ms / MINUTE_MS % 2).ok()
        }
    }

    fn time(text: &str) -> TimeOfDay {
        TimeOfDay::parse(text).unwrap()
    }

    fn window(from: &str, to: &str) -> Window {
        Window::new(time(from), time(to), "Here".to_owned()).unwrap()
    }

    /// When a window opens, as the time of the day in UTC; an empty text if it is open.
    fn opens(window: &Window, zones: &impl Zones, now: &str) -> String {
        let now_ms = i64::from(time(now).minutes()) * MINUTE_MS + 1;
        let opens_ms = window.opens_ms(zones, now_ms);
        opens_ms.map_or(String::new(), |ms| {
            let (days, minutes) = (ms / 86_400_000, ms % 86_400_000 / MINUTE_MS);
            format!("{days} {}", TimeOfDay::of_minutes(minutes.try_into().unwrap()).unwrap())
        })
    }

    #[test]
    fn a_window_is_open_from_its_first_minute_up_to_its_last() {
        let utc = Changed(0, 0, 0);
        let day = window("09:00", "17:30");
        for (now, wanted) in [
            ("08:59", "0 09:00"),
            ("09:00", ""),
            ("17:29", ""),
            ("17:30", "1 09:00"),
            ("00:00", "0 09:00"),
        ] {
            assert_eq!(opens(&day, &utc, now), wanted, "{now}");
        }
        let night = window("22:00", "06:00");
        for (now, wanted) in [
            ("21:59", "0 22:00"),
            ("22:00", ""),
            ("00:00", ""),
            ("05:59", ""),
            ("06:00", "0 22:00"),
        ] {
            assert_eq!(opens(&night, &utc, now), wanted, "{now}");
        }
        let tehran = Changed(0, 0, 210);
        assert_eq!(opens(&day, &tehran, "05:29"), "0 05:30");
        assert_eq!(opens(&day, &tehran, "05:30"), "");
        assert_eq!(day.opens_ms(&utc, -1), Some(9 * 60 * MINUTE_MS), "before 1970");
    }

    #[test]
    fn a_window_that_begins_in_an_hour_that_is_left_out_begins_at_its_end() {
        // At 02:00 the clocks are put on to 03:00.
        let spring = Changed(120, 0, 60);
        assert_eq!(opens(&window("02:30", "05:00"), &spring, "01:00"), "0 02:00");
        assert_eq!(
            opens(&window("02:30", "02:45"), &spring, "01:00"),
            "1 01:30",
            "it is left out with the hour"
        );
        assert_eq!(opens(&window("04:00", "05:00"), &spring, "01:00"), "0 03:00");
    }

    #[test]
    fn an_hour_that_comes_twice_is_in_the_window_twice() {
        // At 03:00 the clocks are put back to 02:00.
        let autumn = Changed(180, 0, -60);
        let window = window("02:30", "02:45");
        assert_eq!(opens(&window, &autumn, "02:00"), "0 02:30");
        assert_eq!(opens(&window, &autumn, "02:45"), "0 03:30");
        assert_eq!(opens(&window, &autumn, "03:45"), "1 03:30");
    }

    #[test]
    fn clocks_that_nobody_knows_show_utc_and_restless_ones_end_the_search() {
        let elsewhere = Window::new(time("09:00"), time("10:00"), "Elsewhere".to_owned()).unwrap();
        assert_eq!(opens(&elsewhere, &Changed(0, 60, 60), "08:00"), "0 09:00");
        let now_ms = MINUTE_MS;
        let opens_ms = window("09:01", "09:02").opens_ms(&Restless, now_ms).unwrap();
        assert!(opens_ms > now_ms);
        for extreme in [i64::MIN, i64::MAX] {
            elsewhere.opens_ms(&Restless, extreme);
        }
    }

    #[test]
    fn a_window_is_stored_as_json_and_checked_when_it_is_read() {
        let json = r#"{"from":"22:00","to":"06:05","timeZone":"Asia/Tehran"}"#;
        let window: Window = serde_json::from_str(json).unwrap();
        assert_eq!(serde_json::to_string(&window).unwrap(), json);
        assert_eq!((window.from().minutes(), window.to().minutes()), (1_320, 365));
        assert_eq!(window.time_zone(), "Asia/Tehran");
        for bad in [
            r#"{"from":"22:00","to":"22:00","timeZone":"UTC"}"#,
            r#"{"from":"22:00","to":"24:00","timeZone":"UTC"}"#,
            r#"{"from":"22:00","to":"23:00"}"#,
        ] {
            assert!(serde_json::from_str::<Window>(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_time_of_the_day_has_two_digits_each_for_hours_and_minutes() {
        for (text, minutes) in [("00:00", 0), ("09:30", 570), ("23:59", 1_439)] {
            assert_eq!(TimeOfDay::parse(text).map(TimeOfDay::minutes), Some(minutes));
            assert_eq!(time(text).to_string(), text);
        }
        for bad in [
            "",
            "9:30",
            "09:3",
            "24:00",
            "09:60",
            "-1:00",
            "+9:30",
            "09:30:00",
            "0930",
            "۰۹:۳۰",
            "99:99",
        ] {
            assert_eq!(TimeOfDay::parse(bad), None, "{bad}");
        }
        assert_eq!(TimeOfDay::of_minutes(1_440), None);
    }
}
