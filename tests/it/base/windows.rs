//! Windows of time in real time zones, in which the clocks are changed.

use peyk::base::ports::Zones;
use peyk::base::time::{from_rfc3339, to_rfc3339};
use peyk::base::window::{TimeOfDay, Window};
use proptest::prelude::*;

use crate::support::{BundledZones, World, cases};

const MINUTE_MS: i64 = 60_000;
const HOUR_MS: i64 = 60 * MINUTE_MS;
/// Behind this time each window has opened: two days, and one that a zone leaves out.
const LONGEST_MS: i64 = 73 * HOUR_MS;

/// Times at which the clocks of a zone were changed, or will be.
const CHANGES: [(&str, &str); 12] = [
    ("Europe/Berlin", "2026-03-29T01:00:00Z"),
    ("Europe/Berlin", "2026-10-25T01:00:00Z"),
    ("America/New_York", "2026-03-08T07:00:00Z"),
    ("America/New_York", "2026-11-01T06:00:00Z"),
    ("Asia/Tehran", "2022-03-21T20:30:00Z"),
    ("Asia/Tehran", "2022-09-21T19:30:00Z"),
    ("Australia/Lord_Howe", "2026-10-03T15:30:00Z"),
    ("Australia/Lord_Howe", "2026-04-04T15:00:00Z"),
    // A day is left out.
    ("Pacific/Apia", "2011-12-30T10:00:00Z"),
    ("Pacific/Apia", "2012-03-31T14:00:00Z"),
    ("Africa/Cairo", "2026-04-23T22:00:00Z"),
    ("Asia/Kathmandu", "1985-12-31T18:30:00Z"),
];

fn window(from: u16, to: u16, time_zone: &str) -> Window {
    let [from, to] = [from, to].map(|minutes| TimeOfDay::of_minutes(minutes).unwrap());
    Window::new(from, to, time_zone.to_owned()).unwrap()
}

fn ms(text: &str) -> i64 {
    from_rfc3339(text).unwrap()
}

/// Whether a window is open, by what the clocks show.
fn is_open(window: &Window, at_ms: i64) -> bool {
    let offset = BundledZones.utc_offset_minutes(window.time_zone(), at_ms).unwrap();
    let shown = (at_ms.div_euclid(MINUTE_MS) + i64::from(offset)).rem_euclid(1_440);
    let (from, to) = (i64::from(window.from().minutes()), i64::from(window.to().minutes()));
    match from < to {
        true => from <= shown && shown < to,
        false => shown < to || from <= shown,
    }
}

/// When a window opens, found minute by minute.
fn naive(window: &Window, now_ms: i64) -> Option<i64> {
    let first = now_ms.div_euclid(MINUTE_MS) + 1;
    let mut minutes = (first..=first + LONGEST_MS / MINUTE_MS).map(|minute| minute * MINUTE_MS);
    let opening = minutes.find(|at_ms| is_open(window, *at_ms));
    (!is_open(window, now_ms)).then(|| opening.unwrap())
}

#[test]
fn a_window_follows_the_clocks_of_its_zone() {
    let opens = |from: u16, to: u16, zone: &str, now: &str| {
        let opens_ms = window(from, to, zone).opens_ms(&BundledZones, ms(now));
        opens_ms.map(to_rfc3339)
    };
    for (from, to, zone, now, wanted) in [
        (
            540,
            1_200,
            "Asia/Tehran",
            "2026-06-01T05:29:59.999Z",
            Some("2026-06-01T05:30:00.000Z"),
        ),
        (540, 1_200, "Asia/Tehran", "2026-06-01T05:30:00Z", None),
        (
            540,
            1_200,
            "Europe/Berlin",
            "2026-03-28T20:00:00Z",
            Some("2026-03-29T07:00:00.000Z"),
        ),
        // 02:30 is left out: the window begins at 03:00, when the clocks are changed.
        (
            150,
            300,
            "Europe/Berlin",
            "2026-03-29T00:00:00Z",
            Some("2026-03-29T01:00:00.000Z"),
        ),
        // 02:30 comes twice, half past midnight of UTC and an hour later.
        (
            150,
            160,
            "Europe/Berlin",
            "2026-10-25T00:00:00Z",
            Some("2026-10-25T00:30:00.000Z"),
        ),
        (
            150,
            160,
            "Europe/Berlin",
            "2026-10-25T00:40:00Z",
            Some("2026-10-25T01:30:00.000Z"),
        ),
        // From 02:00 to 02:30 is left out.
        (
            125,
            130,
            "Australia/Lord_Howe",
            "2026-10-03T15:00:00Z",
            Some("2026-10-04T15:05:00.000Z"),
        ),
        // There was no 30 December.
        (
            600,
            660,
            "Pacific/Apia",
            "2011-12-30T09:59:00Z",
            Some("2011-12-30T20:00:00.000Z"),
        ),
        (1_320, 60, "America/New_York", "2026-11-01T04:59:00Z", None),
        (
            1_320,
            60,
            "America/New_York",
            "2026-11-01T05:00:00Z",
            Some("2026-11-02T03:00:00.000Z"),
        ),
    ] {
        assert_eq!(opens(from, to, zone, now).as_deref(), wanted, "{zone} {now}");
    }
}

#[test]
fn only_zones_with_a_name_are_known() {
    let (world, _) = World::with_account(0);
    let offset = |zone: &str, at: &str| world.utc_offset_minutes(zone, ms(at));
    for (zone, at, wanted) in [
        ("Asia/Tehran", "2026-07-01T00:00:00Z", 210),
        ("Asia/Tehran", "2020-07-01T00:00:00Z", 270),
        ("America/New_York", "2026-01-01T00:00:00Z", -300),
        ("Australia/Lord_Howe", "2026-01-01T00:00:00Z", 660),
        ("UTC", "2026-01-01T00:00:00Z", 0),
        ("Africa/Monrovia", "1971-01-01T00:00:00Z", -44),
    ] {
        assert_eq!(offset(zone, at), Some(wanted), "{zone} {at}");
    }
    for unknown in [
        "",
        "Mars/Phobos",
        "+03:30",
        "-05",
        "Asia/Tehran ",
        "../UTC",
        "Z+1",
        "تهران",
    ] {
        assert_eq!(offset(unknown, "2026-01-01T00:00:00Z"), None, "{unknown:?}");
    }
    assert_eq!(world.utc_offset_minutes("UTC", i64::MAX), None);
}

#[test]
fn the_clocks_of_these_tests_are_changed_when_they_say() {
    for (zone, at) in CHANGES {
        let offset = |at_ms| BundledZones.utc_offset_minutes(zone, at_ms).unwrap();
        assert_ne!(offset(ms(at)), offset(ms(at) - 1), "{zone} {at}");
    }
}

/// A window, of any length or a short one.
fn times() -> impl Strategy<Value = (u16, u16)> {
    let any = (0..1_440_u16, 0..1_440_u16);
    let short = (0..1_440_u16, 1..90_u16).prop_map(|(from, length)| (from, (from + length) % 1_440));
    prop_oneof![any, short].prop_filter("a window ends where it begins", |(from, to)| from != to)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases(400)) })]

    #[test]
    fn a_window_opens_when_a_search_minute_by_minute_says_so(
        (from, to) in times(),
        change in prop::sample::select(&CHANGES[..]),
        near_ms in -40 * HOUR_MS..40 * HOUR_MS,
        any_ms in prop::option::weighted(0.3, ms("1990-01-01T00:00:00Z")..ms("2040-01-01T00:00:00Z")),
    ) {
        let (zone, at) = change;
        let now_ms = any_ms.unwrap_or_else(|| ms(at) + near_ms);
        let window = window(from, to, zone);
        prop_assert_eq!(window.opens_ms(&BundledZones, now_ms), naive(&window, now_ms), "{} at {}", zone, to_rfc3339(now_ms));
    }

    #[test]
    fn a_window_is_open_when_it_has_opened(
        (from, to) in times(),
        change in prop::sample::select(&CHANGES[..]),
        near_ms in -40 * HOUR_MS..40 * HOUR_MS,
    ) {
        let window = window(from, to, change.0);
        let now_ms = ms(change.1) + near_ms;
        if let Some(opens_ms) = window.opens_ms(&BundledZones, now_ms) {
            prop_assert!(opens_ms > now_ms && opens_ms % MINUTE_MS == 0);
            prop_assert_eq!(window.opens_ms(&BundledZones, opens_ms), None);
        }
    }
}
