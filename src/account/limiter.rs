//! The rate limit of an account: GCRA, the generic cell rate algorithm, in its virtual scheduling form.
//!
//! The only state is the theoretical arrival time (TAT): the time at which the bucket is full again if no more request
//! comes. The invariant: in any span of time the limiter admits at most `burst` requests plus the requests that the
//! rate allows for that span. From a full bucket it admits exactly `burst` requests. A refused request changes nothing,
//! so a refusal needs no write, and a client that keeps trying does not delay its own admission.
//!
//! Times are integers in microseconds. At 600 requests a minute a token takes 100,000 µs. At 7 a second an error of one
//! millisecond would already be 0.7 %. Every value stays below 2^53 until the year 2228, so SQLite's integers reach
//! JavaScript exactly.
//!
//! Sources: ITU-T I.371 Annex A (GCRA); draft-ietf-httpapi-ratelimit-headers-10 (the fields).

use serde::{Deserialize, Serialize};

const MICROS_PER_MS: i64 = 1_000;
const MICROS_PER_S: i64 = 1_000_000;

/// A field of a [`Limit`] is out of bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LimitError {
    /// `limit` is not from 1 to [`Limit::MAX_LIMIT`].
    #[error("limit must be from 1 to 1000000")]
    Limit,
    /// `windowSeconds` is not from 1 to [`Limit::MAX_WINDOW_S`].
    #[error("windowSeconds must be from 1 to 86400")]
    WindowSeconds,
    /// `burst` is not from 1 to [`Limit::MAX_BURST`].
    #[error("burst must be from 1 to 10000")]
    Burst,
}

/// How many requests an account may make: `limit` requests every `window_s` seconds, and `burst` requests at once.
///
/// The JSON form is `{"limit","windowSeconds","burst"}`. Deserializing checks the bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "LimitJson", try_from = "LimitJson")]
pub struct Limit {
    limit: u32,
    window_s: u32,
    burst: u32,
}

/// The JSON form of a [`Limit`], not yet checked.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct LimitJson {
    limit: u32,
    window_seconds: u32,
    burst: u32,
}

impl Limit {
    /// The most requests in a window.
    pub const MAX_LIMIT: u32 = 1_000_000;
    /// The longest window, in seconds: one day.
    pub const MAX_WINDOW_S: u32 = 86_400;
    /// The most requests at once. With the longest window the TAT is at most 27.4 years after the clock.
    pub const MAX_BURST: u32 = 10_000;

    /// Makes a limit of `limit` requests every `window_s` seconds, with `burst` requests at once.
    ///
    /// # Errors
    /// [`LimitError`] for the first value that is 0 or above its bound.
    pub fn new(limit: u32, window_s: u32, burst: u32) -> Result<Self, LimitError> {
        if !(1..=Self::MAX_LIMIT).contains(&limit) {
            return Err(LimitError::Limit);
        }
        if !(1..=Self::MAX_WINDOW_S).contains(&window_s) {
            return Err(LimitError::WindowSeconds);
        }
        if !(1..=Self::MAX_BURST).contains(&burst) {
            return Err(LimitError::Burst);
        }
        Ok(Self { limit, window_s, burst })
    }

    /// Returns the number of requests in a window, 1 to [`Limit::MAX_LIMIT`].
    #[must_use]
    pub fn limit(&self) -> u32 {
        self.limit
    }

    /// Returns the window in seconds, 1 to [`Limit::MAX_WINDOW_S`].
    #[must_use]
    pub fn window_s(&self) -> u32 {
        self.window_s
    }

    /// Returns the number of requests at once, 1 to [`Limit::MAX_BURST`].
    #[must_use]
    pub fn burst(&self) -> u32 {
        self.burst
    }

    /// Returns the value of the `RateLimit-Policy` field: `"default";q=600;w=60`.
    #[must_use]
    pub fn policy_header(&self) -> String {
        format!(r#""default";q={};w={}"#, self.limit, self.window_s)
    }

    /// The microseconds until one token comes back, rounded up so that the rate never exceeds the limit.
    fn interval_us(&self) -> i64 {
        let window_us = i64::from(self.window_s) * MICROS_PER_S;
        let limit = i64::from(self.limit);
        (window_us + limit - 1) / limit
    }

    /// The microseconds until an empty bucket is full.
    fn burst_us(&self) -> i64 {
        self.interval_us() * i64::from(self.burst)
    }
}

impl Default for Limit {
    /// 600 requests a minute, 100 at once.
    fn default() -> Self {
        Self {
            limit: 600,
            window_s: 60,
            burst: 100,
        }
    }
}

impl From<Limit> for LimitJson {
    fn from(limit: Limit) -> Self {
        Self {
            limit: limit.limit,
            window_seconds: limit.window_s,
            burst: limit.burst,
        }
    }
}

impl TryFrom<LimitJson> for Limit {
    type Error = LimitError;

    fn try_from(json: LimitJson) -> Result<Self, LimitError> {
        Self::new(json.limit, json.window_seconds, json.burst)
    }
}

/// The decision of [`admit`] about one request, with the values for the response.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    /// Whether the request is admitted.
    pub allowed: bool,
    /// The TAT to store, in microseconds since the Unix epoch. A refused request leaves it unchanged.
    pub tat_us: i64,
    /// The number of requests that would still be admitted at this time.
    pub remaining: u32,
    /// The seconds until the bucket is full if no more request comes, rounded up.
    pub reset_s: u32,
    /// 0 if the request is admitted. Otherwise the seconds to wait, at least 1: a request after them is admitted if no
    /// other comes first.
    pub retry_after_s: u32,
}

impl Decision {
    /// Returns the value of the `RateLimit` field: `"default";r=99;t=1`.
    #[must_use]
    pub fn header(&self) -> String {
        format!(r#""default";r={};t={}"#, self.remaining, self.reset_s)
    }
}

/// Decides whether a request at `now_ms` (milliseconds since the Unix epoch) is within the limit.
///
/// `tat_us` is the TAT that the last admitted request stored, or 0 if there was none.
///
/// A stored TAT is further ahead than an empty bucket allows only if the clock went back, or if a change of the limit
/// shortened the time in which a bucket fills. Waiting until that TAT could lock the account out for good. So the
/// limiter admits one request and stores the TAT of an empty bucket. Each such case admits at most one request too
/// many.
#[must_use]
pub fn admit(limit: &Limit, tat_us: i64, now_ms: i64) -> Decision {
    let now_us = now_ms.saturating_mul(MICROS_PER_MS);
    let (interval_us, burst_us) = (limit.interval_us(), limit.burst_us());
    let last_free_us = now_us.saturating_add(burst_us - interval_us);
    let is_too_far_ahead = tat_us > now_us.saturating_add(burst_us);
    let start_us = if is_too_far_ahead {
        last_free_us
    } else {
        tat_us.max(now_us)
    };
    let allowed = start_us <= last_free_us;
    let end_us = if allowed {
        start_us.saturating_add(interval_us)
    } else {
        start_us
    };
    Decision {
        allowed,
        tat_us: if allowed { end_us } else { tat_us },
        remaining: saturate(burst_us.saturating_sub(end_us.saturating_sub(now_us)) / interval_us),
        reset_s: seconds_up(end_us.saturating_sub(now_us)),
        retry_after_s: if allowed {
            0
        } else {
            seconds_up(start_us.saturating_sub(last_free_us))
        },
    }
}

/// The whole seconds that cover a positive span.
fn seconds_up(span_us: i64) -> u32 {
    saturate(span_us.saturating_add(MICROS_PER_S - 1) / MICROS_PER_S)
}

/// Converts a count that the bounds of a [`Limit`] keep within `u32`.
fn saturate(count: i64) -> u32 {
    u32::try_from(count.max(0)).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::ports::MAX_INTEGER;

    /// 21 November 2026.
    const NOW_MS: i64 = 1_795_219_200_000;

    fn limit(limit: u32, window_s: u32, burst: u32) -> Limit {
        Limit::new(limit, window_s, burst).unwrap()
    }

    /// Admits requests until one is refused. Returns the number of admitted requests and the refusal.
    fn drain(limit: &Limit, tat_us: &mut i64, now_ms: i64) -> (u32, Decision) {
        for admitted in 0.. {
            let decision = admit(limit, *tat_us, now_ms);
            if !decision.allowed {
                return (admitted, decision);
            }
            *tat_us = decision.tat_us;
        }
        unreachable!()
    }

    #[test]
    fn a_fresh_account_is_admitted_its_burst_to_the_exact_count() {
        let mut tat_us = 0;
        let (admitted, refusal) = drain(&Limit::default(), &mut tat_us, NOW_MS);
        assert_eq!(admitted, 100);
        let expected = Decision {
            allowed: false,
            tat_us,
            remaining: 0,
            reset_s: 10,
            retry_after_s: 1,
        };
        assert_eq!(refusal, expected);
    }

    #[test]
    fn the_headers_count_down_and_back_up() {
        let first = admit(&Limit::default(), 0, NOW_MS);
        assert_eq!(first.header(), r#""default";r=99;t=1"#);
        assert_eq!(Limit::default().policy_header(), r#""default";q=600;w=60"#);
        let mut tat_us = 0;
        drain(&Limit::default(), &mut tat_us, NOW_MS);
        // Half a second brings back 5 tokens. This request takes one of them.
        let later = admit(&Limit::default(), tat_us, NOW_MS + 500);
        assert_eq!((later.allowed, later.remaining, later.reset_s), (true, 4, 10));
        let full = admit(&Limit::default(), tat_us, NOW_MS + 10_000);
        assert_eq!((full.remaining, full.reset_s), (99, 1));
    }

    #[test]
    fn an_idle_account_saves_up_no_more_than_its_burst() {
        let mut tat_us = 0;
        drain(&Limit::default(), &mut tat_us, NOW_MS);
        assert_eq!(drain(&Limit::default(), &mut tat_us, NOW_MS + 86_400_000).0, 100);
    }

    #[test]
    fn insisting_does_not_push_admission_away() {
        let one_a_minute = limit(1, 60, 1);
        let mut tat_us = 0;
        drain(&one_a_minute, &mut tat_us, NOW_MS);
        for elapsed_ms in 1..60_000 {
            let decision = admit(&one_a_minute, tat_us, NOW_MS + elapsed_ms);
            assert_eq!((decision.allowed, decision.tat_us), (false, tat_us));
        }
        assert!(admit(&one_a_minute, tat_us, NOW_MS + 60_000).allowed);
    }

    #[test]
    fn retry_after_is_never_zero() {
        let thousand_a_second = limit(1_000, 1, 1);
        let mut tat_us = 0;
        assert_eq!(drain(&thousand_a_second, &mut tat_us, NOW_MS).1.retry_after_s, 1);
    }

    #[test]
    fn a_clock_set_back_costs_one_request_and_locks_nobody_out() {
        let year_ms = 365 * 86_400_000;
        let mut tat_us = 0;
        drain(&Limit::default(), &mut tat_us, NOW_MS + year_ms);
        let (admitted, refusal) = drain(&Limit::default(), &mut tat_us, NOW_MS);
        assert_eq!((admitted, refusal.retry_after_s), (1, 1));
        assert!(admit(&Limit::default(), tat_us, NOW_MS + 1_000).allowed);
    }

    #[test]
    fn a_clock_set_back_a_little_gives_no_second_burst() {
        let mut tat_us = 0;
        drain(&Limit::default(), &mut tat_us, NOW_MS);
        assert_eq!(drain(&Limit::default(), &mut tat_us, NOW_MS - 50).0, 1);
        assert_eq!(drain(&Limit::default(), &mut tat_us, NOW_MS - 50).0, 0);
    }

    #[test]
    fn a_lowered_burst_takes_effect_at_once() {
        let mut tat_us = 0;
        drain(&Limit::default(), &mut tat_us, NOW_MS);
        let (admitted, refusal) = drain(&limit(600, 60, 10), &mut tat_us, NOW_MS);
        assert_eq!((admitted, refusal.retry_after_s, refusal.reset_s), (1, 1, 1));
    }

    #[test]
    fn no_input_overflows() {
        for tat_us in [i64::MIN, -1, 0, i64::MAX] {
            for now_ms in [i64::MIN, -1, 0, i64::MAX] {
                let _ = admit(&limit(1, 86_400, 10_000), tat_us, now_ms);
            }
        }
    }

    #[test]
    fn every_value_is_a_safe_integer_until_2228() {
        let slowest = limit(1, Limit::MAX_WINDOW_S, Limit::MAX_BURST);
        let new_year_2228_ms = 8_141_472_000_000;
        let mut tat_us = 0;
        let (admitted, refusal) = drain(&slowest, &mut tat_us, new_year_2228_ms);
        assert_eq!((admitted, refusal.reset_s), (10_000, 864_000_000));
        assert!(tat_us <= MAX_INTEGER);
    }

    #[test]
    fn limits_are_bounded_and_the_bad_field_is_named() {
        assert_eq!(Limit::new(0, 60, 1), Err(LimitError::Limit));
        assert_eq!(Limit::new(Limit::MAX_LIMIT + 1, 60, 1), Err(LimitError::Limit));
        assert_eq!(Limit::new(1, 0, 1), Err(LimitError::WindowSeconds));
        assert_eq!(
            Limit::new(1, Limit::MAX_WINDOW_S + 1, 1),
            Err(LimitError::WindowSeconds)
        );
        assert_eq!(Limit::new(1, 60, 0), Err(LimitError::Burst));
        assert_eq!(Limit::new(1, 60, Limit::MAX_BURST + 1), Err(LimitError::Burst));
        for (error, bound) in [
            (LimitError::Limit, Limit::MAX_LIMIT),
            (LimitError::WindowSeconds, Limit::MAX_WINDOW_S),
            (LimitError::Burst, Limit::MAX_BURST),
        ] {
            assert!(error.to_string().ends_with(&format!(" to {bound}")), "{error}");
        }
    }

    #[test]
    fn limits_are_read_and_written_with_the_names_of_the_contract() {
        let json = r#"{"limit":600,"windowSeconds":60,"burst":100}"#;
        assert_eq!(serde_json::to_string(&Limit::default()).unwrap(), json);
        assert_eq!(serde_json::from_str::<Limit>(json).unwrap(), Limit::default());
        assert!(serde_json::from_str::<Limit>(r#"{"limit":0,"windowSeconds":60,"burst":100}"#).is_err());
    }

    fn limits() -> impl Strategy<Value = Limit> {
        let usual = (1..=2_000_u32, 1..=120_u32, 1..=200_u32);
        let any = (1..=Limit::MAX_LIMIT, 1..=Limit::MAX_WINDOW_S, 1..=500_u32);
        prop_oneof![usual, any].prop_map(|(count, window_s, burst)| limit(count, window_s, burst))
    }

    proptest! {
        #[test]
        fn a_burst_is_admitted_to_the_exact_count(limit in limits(), idle_ms in 0..1_000_000_000_i64) {
            let mut tat_us = 0;
            prop_assert_eq!(drain(&limit, &mut tat_us, NOW_MS).0, limit.burst());
            let full_again_ms = limit.burst_us() / MICROS_PER_MS + 1;
            prop_assert_eq!(drain(&limit, &mut tat_us, NOW_MS + full_again_ms + idle_ms).0, limit.burst());
        }

        #[test]
        fn who_waits_for_retry_after_is_admitted_and_who_waits_less_than_a_second_less_is_not(limit in limits()) {
            let mut tat_us = 0;
            let (_, refusal) = drain(&limit, &mut tat_us, NOW_MS);
            prop_assert!(refusal.retry_after_s >= 1);
            let wait_ms = i64::from(refusal.retry_after_s) * 1_000;
            prop_assert!(admit(&limit, tat_us, NOW_MS + wait_ms).allowed);
            prop_assert!(refusal.retry_after_s == 1 || !admit(&limit, tat_us, NOW_MS + wait_ms - 1_000).allowed);
        }

        #[test]
        fn over_any_span_no_more_than_burst_and_rate_are_admitted(
            limit in limits(),
            gaps_ms in prop::collection::vec(prop_oneof![Just(0), 0..50_i64, 0..5_000_i64], 1..300),
        ) {
            let (mut tat_us, mut now_ms) = (0, NOW_MS);
            let mut admitted_ms = Vec::new();
            for gap_ms in gaps_ms {
                now_ms += gap_ms;
                let decision = admit(&limit, tat_us, now_ms);
                if decision.allowed {
                    admitted_ms.push(now_ms);
                    tat_us = decision.tat_us;
                }
            }
            for (first, from_ms) in admitted_ms.iter().enumerate() {
                for (last, to_ms) in admitted_ms.iter().enumerate().skip(first) {
                    let admitted = i64::try_from(last - first + 1).unwrap();
                    let by_rate = (to_ms - from_ms) * i64::from(limit.limit()) / (i64::from(limit.window_s()) * 1_000);
                    prop_assert!(admitted <= i64::from(limit.burst()) + by_rate);
                }
            }
        }

        #[test]
        fn the_headers_tell_the_truth(limit in limits(), before in 0..600_u32, gap_ms in 0..100_000_i64) {
            let mut tat_us = 0;
            for _ in 0..before {
                tat_us = admit(&limit, tat_us, NOW_MS).tat_us;
            }
            let now_ms = NOW_MS + gap_ms;
            let decision = admit(&limit, tat_us, now_ms);
            let mut drained_us = decision.tat_us;
            prop_assert_eq!(drain(&limit, &mut drained_us, now_ms).0, decision.remaining);
            prop_assert_eq!(decision.allowed, decision.retry_after_s == 0);
            let full_ms = now_ms + i64::from(decision.reset_s) * 1_000;
            let mut later_us = decision.tat_us;
            prop_assert_eq!(drain(&limit, &mut later_us, full_ms).0, limit.burst());
        }

        #[test]
        fn whatever_is_stored_the_account_recovers_within_one_interval(
            limit in limits(), tat_us in any::<i64>(), now_ms in 0..4_000_000_000_000_i64,
        ) {
            let decision = admit(&limit, tat_us, now_ms);
            let interval_ms = limit.interval_us() / MICROS_PER_MS + 1;
            prop_assert!(decision.allowed || admit(&limit, decision.tat_us, now_ms + interval_ms).allowed);
        }
    }
}
