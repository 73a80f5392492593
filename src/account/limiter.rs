//! The rate limit of an account: GCRA, the generic cell rate algorithm, in its virtual scheduling form.
//!
//! The only state is the theoretical arrival time (TAT): the time at which the bucket is full again if no more request
//! comes. A request costs one token or more. It is admitted if the bucket has all of them. A request that costs more than
//! the bucket holds is admitted if the bucket is full; it leaves a debt, which is paid before the next request is admitted.
//!
//! The invariant: in any span of time the limiter admits at most `burst` tokens plus those that the rate allows for that
//! span. Only a span that ends with a request larger than `burst` has that request's tokens in place of `burst`. Proof: each
//! request moves the TAT by its tokens' time, to at most `burst` tokens after the clock, or to its own tokens after the
//! clock. A refused request changes nothing, so a refusal needs no write, and a client that keeps trying does not delay its
//! own admission.
//!
//! Times are integers in microseconds. At 1,200 requests a minute a token takes 50,000 µs. At 7 a second an error of one
//! millisecond would already be 0.7 %. Every value stays below 2^53 until the year 2228, so SQLite's integers reach
//! JavaScript exactly.
//!
//! Sources: ITU-T I.371 Annex A (GCRA); draft-ietf-httpapi-ratelimit-headers-10 (the fields).

use crate::base::ports::{PortError, Value};
use crate::base::record::{Columns, Reader};
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

/// How many tokens an account gets: `limit` tokens every `window_s` seconds, of which it saves up to `burst`.
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
    /// The most tokens in a window.
    pub const MAX_LIMIT: u32 = 1_000_000;
    /// The longest window, in seconds: one day.
    pub const MAX_WINDOW_S: u32 = 86_400;
    /// The most tokens at once. With the longest window the TAT is at most 27.4 years after the clock.
    pub const MAX_BURST: u32 = 10_000;

    /// Makes a limit of `limit` tokens every `window_s` seconds, of which up to `burst` are saved.
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

    /// Returns the number of tokens in a window, 1 to [`Limit::MAX_LIMIT`].
    pub fn limit(&self) -> u32 {
        self.limit
    }

    /// Returns the window in seconds, 1 to [`Limit::MAX_WINDOW_S`].
    pub fn window_s(&self) -> u32 {
        self.window_s
    }

    /// Returns the number of tokens at once, 1 to [`Limit::MAX_BURST`].
    pub fn burst(&self) -> u32 {
        self.burst
    }

    /// Returns the value of the `RateLimit-Policy` field: `"default";q=1200;w=60`.
    pub fn policy_header(&self) -> String {
        format!(r#""default";q={};w={}"#, self.limit, self.window_s)
    }

    /// The microseconds until one token comes back, rounded up so that the rate never exceeds the limit.
    fn interval_us(&self) -> i64 {
        let window_us = i64::from(self.window_s) * MICROS_PER_S;
        let limit = i64::from(self.limit);
        (window_us + limit - 1) / limit
    }

    /// The microseconds in which this many tokens come back.
    fn tokens_us(&self, tokens: u32) -> i64 {
        self.interval_us() * i64::from(tokens)
    }
}

/// What test keys get, all of an account together: 60 tokens a minute, which it saves up.
pub fn of_tests() -> Limit {
    Limit {
        limit: 60,
        window_s: 60,
        burst: 60,
    }
}

impl Default for Limit {
    /// 1,200 tokens a minute, 300 at once.
    fn default() -> Self {
        Self {
            limit: 1_200,
            window_s: 60,
            burst: 300,
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

/// What a request costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cost {
    /// All of its tokens, 1 to [`Cost::MAX_TOKENS`]. A number out of these bounds counts as the nearest one.
    pub tokens: u32,
    /// How many of them an earlier call of the same request has paid.
    pub paid: u32,
}

impl Cost {
    /// The dearest request costs so many tokens. It is a send to 10,000 recipients.
    pub const MAX_TOKENS: u32 = 101;
    /// The cost of a request that costs one token.
    pub const ONE: Cost = Cost { tokens: 1, paid: 0 };
}

/// The decision of [`admit`] about one request, with the values for the response.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    /// Whether the request is admitted.
    pub allowed: bool,
    /// The TAT to store, in microseconds since the Unix epoch. A refused request leaves it unchanged.
    pub tat_us: i64,
    /// The number of tokens that are left at this time.
    pub remaining: u32,
    /// The seconds until the bucket is full if no more request comes, rounded up.
    pub reset_s: u32,
    /// 0 if the request is admitted. Otherwise the seconds to wait, at least 1: the same request is admitted after them if
    /// no other comes first.
    pub retry_after_s: u32,
}

impl Decision {
    /// Returns the value of the `RateLimit` field: `"default";r=99;t=1`.
    pub fn header(&self) -> String {
        format!(r#""default";r={};t={}"#, self.remaining, self.reset_s)
    }
}

/// Decides whether a request at `now_ms` (milliseconds since the Unix epoch) is within the limit.
///
/// `tat_us` is the TAT that the last admitted request stored, or 0 if there was none.
///
/// What a request has paid already counts as if it were still in the bucket: so a request that pays in two calls is admitted
/// exactly when it would be admitted in one, also if it is larger than the burst. If it is refused, what it has paid is gone.
///
/// A stored TAT is further ahead than any request leaves it only if the clock went back, or if a change of the limit
/// shortened the time in which a bucket fills. Waiting until that TAT could lock the account out for good. So the
/// limiter admits one request, whatever it costs, and stores the TAT of an empty bucket, or of the request's own debt. Each
/// such case admits at most one request too many.
pub fn admit(limit: &Limit, tat_us: i64, now_ms: i64, cost: Cost) -> Decision {
    let tokens = cost.tokens.clamp(1, Cost::MAX_TOKENS);
    let cost_us = limit.tokens_us(tokens);
    let paid_us = limit.tokens_us(cost.paid.min(tokens));
    let burst_us = limit.tokens_us(limit.burst);
    let now_us = now_ms.saturating_mul(MICROS_PER_MS);
    // For a request that is larger than the burst, the bucket must be full.
    let last_free_us = now_us.saturating_add((burst_us - cost_us).max(0));
    let furthest_us = now_us.saturating_add(burst_us.max(limit.tokens_us(Cost::MAX_TOKENS)));
    let start_us = if tat_us > furthest_us {
        last_free_us
    } else {
        tat_us.saturating_sub(paid_us).max(now_us)
    };
    let allowed = start_us <= last_free_us;
    let tat_us = if allowed {
        start_us.saturating_add(cost_us)
    } else {
        tat_us
    };
    let retry_after_s = if allowed {
        0
    } else {
        seconds_up(tat_us.saturating_sub(last_free_us))
    };
    Decision {
        allowed,
        retry_after_s,
        ..look(limit, tat_us, now_ms)
    }
}

/// The bucket at `now_ms`, for a request that takes nothing from it.
pub fn look(limit: &Limit, tat_us: i64, now_ms: i64) -> Decision {
    let until_full_us = tat_us.saturating_sub(now_ms.saturating_mul(MICROS_PER_MS)).max(0);
    let free_us = limit.tokens_us(limit.burst).saturating_sub(until_full_us);
    Decision {
        allowed: false,
        tat_us,
        remaining: saturate(free_us / limit.interval_us()),
        reset_s: seconds_up(until_full_us),
        retry_after_s: 0,
    }
}

/// The whole seconds that cover a positive span.
fn seconds_up(span_us: i64) -> u32 {
    saturate(span_us.saturating_add(MICROS_PER_S - 1) / MICROS_PER_S)
}

/// Converts a count that the bounds of a [`Limit`] keep within `u32`. A debt counts as 0.
fn saturate(count: i64) -> u32 {
    u32::try_from(count.max(0)).unwrap_or(u32::MAX)
}

impl Columns for Limit {
    const COUNT: usize = 3;

    fn read(row: &mut Reader<'_>) -> Result<Self, PortError> {
        Limit::new(row.read()?, row.read()?, row.read()?).map_err(|error| PortError::failed("sql", error))
    }

    fn write(&self, values: &mut Vec<Value>) -> Result<(), PortError> {
        values.extend([self.limit, self.window_s, self.burst].map(Value::from));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::base::ports::MAX_INTEGER;

    /// 21 November 2026.
    const NOW_MS: i64 = 1_795_219_200_000;

    fn limit(limit: u32, window_s: u32, burst: u32) -> Limit {
        Limit::new(limit, window_s, burst).unwrap()
    }

    fn cost(tokens: u32) -> Cost {
        Cost { tokens, paid: 0 }
    }

    /// Admits requests of one token until one is refused. Returns the number of admitted requests and the refusal.
    fn drain(limit: &Limit, tat_us: &mut i64, now_ms: i64) -> (u32, Decision) {
        for admitted in 0.. {
            let decision = admit(limit, *tat_us, now_ms, Cost::ONE);
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
        assert_eq!(admitted, 300);
        let expected = Decision {
            allowed: false,
            tat_us,
            remaining: 0,
            reset_s: 15,
            retry_after_s: 1,
        };
        assert_eq!(refusal, expected);
    }

    #[test]
    fn the_headers_count_down_and_back_up() {
        let first = admit(&Limit::default(), 0, NOW_MS, Cost::ONE);
        assert_eq!(first.header(), r#""default";r=299;t=1"#);
        assert_eq!(Limit::default().policy_header(), r#""default";q=1200;w=60"#);
        let mut tat_us = 0;
        drain(&Limit::default(), &mut tat_us, NOW_MS);
        // Half a second brings back 10 tokens. This request takes one of them.
        let later = admit(&Limit::default(), tat_us, NOW_MS + 500, Cost::ONE);
        assert_eq!((later.allowed, later.remaining, later.reset_s), (true, 9, 15));
        let full = admit(&Limit::default(), tat_us, NOW_MS + 15_000, Cost::ONE);
        assert_eq!((full.remaining, full.reset_s), (299, 1));
    }

    #[test]
    fn an_idle_account_saves_up_no_more_than_its_burst() {
        let mut tat_us = 0;
        drain(&Limit::default(), &mut tat_us, NOW_MS);
        assert_eq!(drain(&Limit::default(), &mut tat_us, NOW_MS + 86_400_000).0, 300);
    }

    #[test]
    fn insisting_does_not_push_admission_away() {
        let one_a_minute = limit(1, 60, 1);
        let mut tat_us = 0;
        drain(&one_a_minute, &mut tat_us, NOW_MS);
        for elapsed_ms in 1..60_000 {
            let decision = admit(&one_a_minute, tat_us, NOW_MS + elapsed_ms, Cost::ONE);
            assert_eq!((decision.allowed, decision.tat_us), (false, tat_us));
        }
        assert!(admit(&one_a_minute, tat_us, NOW_MS + 60_000, Cost::ONE).allowed);
    }

    #[test]
    fn retry_after_is_never_zero() {
        let thousand_a_second = limit(1_000, 1, 1);
        let mut tat_us = 0;
        assert_eq!(drain(&thousand_a_second, &mut tat_us, NOW_MS).1.retry_after_s, 1);
    }

    #[test]
    fn a_request_takes_all_of_its_tokens_or_none() {
        let ten = limit(60, 60, 10);
        let first = admit(&ten, 0, NOW_MS, cost(7));
        assert_eq!((first.allowed, first.remaining, first.reset_s), (true, 3, 7));
        let refused = admit(&ten, first.tat_us, NOW_MS, cost(4));
        assert_eq!((refused.allowed, refused.tat_us), (false, first.tat_us));
        assert_eq!((refused.remaining, refused.retry_after_s), (3, 1));
        assert!(admit(&ten, first.tat_us, NOW_MS, cost(3)).allowed);
        assert!(!admit(&ten, first.tat_us, NOW_MS + 999, cost(4)).allowed);
        assert!(admit(&ten, first.tat_us, NOW_MS + 1_000, cost(4)).allowed);
    }

    #[test]
    fn a_request_larger_than_the_burst_needs_a_full_bucket_and_its_debt_is_paid_first() {
        let three = limit(60, 60, 3);
        let one = admit(&three, 0, NOW_MS, Cost::ONE);
        let refused = admit(&three, one.tat_us, NOW_MS, cost(50));
        assert_eq!(
            (refused.allowed, refused.remaining, refused.retry_after_s),
            (false, 2, 1)
        );
        assert!(!admit(&three, one.tat_us, NOW_MS + 999, cost(50)).allowed);
        let large = admit(&three, one.tat_us, NOW_MS + 1_000, cost(50));
        assert_eq!((large.allowed, large.remaining, large.reset_s), (true, 0, 50));
        let refused = admit(&three, large.tat_us, NOW_MS + 1_000, Cost::ONE);
        assert_eq!(
            (refused.allowed, refused.remaining, refused.retry_after_s),
            (false, 0, 48)
        );
        assert!(!admit(&three, large.tat_us, NOW_MS + 48_999, Cost::ONE).allowed);
        assert!(admit(&three, large.tat_us, NOW_MS + 49_000, Cost::ONE).allowed);
    }

    #[test]
    fn a_cost_beyond_the_dearest_request_counts_as_the_dearest_and_none_as_one_token() {
        let three = limit(60, 60, 3);
        let dearest = admit(&three, 0, NOW_MS, cost(Cost::MAX_TOKENS));
        assert_eq!(dearest.reset_s, 101);
        assert_eq!(admit(&three, 0, NOW_MS, cost(Cost::MAX_TOKENS + 1)), dearest);
        assert_eq!(admit(&three, 0, NOW_MS, cost(u32::MAX)), dearest);
        assert_eq!(admit(&three, 0, NOW_MS, cost(0)), admit(&three, 0, NOW_MS, Cost::ONE));
        let overpaid = Cost {
            tokens: 2,
            paid: u32::MAX,
        };
        let paid = Cost { tokens: 2, paid: 2 };
        assert_eq!(
            admit(&three, dearest.tat_us, NOW_MS, overpaid),
            admit(&three, dearest.tat_us, NOW_MS, paid)
        );
    }

    #[test]
    fn a_clock_set_back_costs_one_request_and_locks_nobody_out() {
        let year_ms = 365 * 86_400_000;
        for large in [1, 50, Cost::MAX_TOKENS] {
            let mut tat_us = 0;
            drain(&Limit::default(), &mut tat_us, NOW_MS + year_ms);
            let first = admit(&Limit::default(), tat_us, NOW_MS, cost(large));
            assert_eq!((first.allowed, first.remaining, first.reset_s), (true, 0, 15));
            tat_us = first.tat_us;
            let (admitted, refusal) = drain(&Limit::default(), &mut tat_us, NOW_MS);
            assert_eq!((admitted, refusal.retry_after_s), (0, 1));
            assert!(admit(&Limit::default(), tat_us, NOW_MS + 1_000, Cost::ONE).allowed);
        }
    }

    #[test]
    fn a_clock_set_back_a_little_gives_no_second_burst() {
        let mut tat_us = 0;
        drain(&Limit::default(), &mut tat_us, NOW_MS);
        assert_eq!(drain(&Limit::default(), &mut tat_us, NOW_MS - 50).0, 1);
        assert_eq!(drain(&Limit::default(), &mut tat_us, NOW_MS - 50).0, 0);
    }

    #[test]
    fn a_changed_limit_takes_effect_at_once_and_keeps_what_is_owed() {
        let mut tat_us = 0;
        drain(&Limit::default(), &mut tat_us, NOW_MS);
        // The bucket of 300 tokens takes 15 s to fill, which are 150 tokens of the slower limit: no request leaves so many.
        let (admitted, refusal) = drain(&limit(600, 60, 10), &mut tat_us, NOW_MS);
        assert_eq!((admitted, refusal.retry_after_s, refusal.reset_s), (1, 1, 1));
        // A request may leave 101 tokens, so 60 of them are a debt like any other.
        let mut tat_us = 0;
        drain(&limit(600, 60, 60), &mut tat_us, NOW_MS);
        let (admitted, refusal) = drain(&limit(600, 60, 10), &mut tat_us, NOW_MS);
        assert_eq!((admitted, refusal.retry_after_s, refusal.reset_s), (0, 6, 6));
    }

    #[test]
    fn no_input_overflows() {
        for tat_us in [i64::MIN, -1, 0, i64::MAX] {
            for now_ms in [i64::MIN, -1, 0, i64::MAX] {
                for (tokens, paid) in [(1, 0), (u32::MAX, 0), (u32::MAX, u32::MAX)] {
                    let _ = admit(&limit(1, 86_400, 10_000), tat_us, now_ms, Cost { tokens, paid });
                }
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
        let json = r#"{"limit":1200,"windowSeconds":60,"burst":300}"#;
        assert_eq!(serde_json::to_string(&Limit::default()).unwrap(), json);
        assert_eq!(serde_json::from_str::<Limit>(json).unwrap(), Limit::default());
        assert!(serde_json::from_str::<Limit>(r#"{"limit":0,"windowSeconds":60,"burst":100}"#).is_err());
    }

    fn limits() -> impl Strategy<Value = Limit> {
        let usual = (1..=2_000_u32, 1..=120_u32, 1..=200_u32);
        let any = (1..=Limit::MAX_LIMIT, 1..=Limit::MAX_WINDOW_S, 1..=500_u32);
        prop_oneof![usual, any].prop_map(|(count, window_s, burst)| limit(count, window_s, burst))
    }

    /// Costs within most bursts, beyond most bursts, and beyond every request.
    fn tokens() -> impl Strategy<Value = u32> {
        prop_oneof![3 => Just(1_u32), 2 => 1..20_u32, 2 => 1..=Cost::MAX_TOKENS, 1 => 1..1_000_u32]
    }

    fn gap_ms() -> impl Strategy<Value = i64> {
        prop_oneof![Just(0), 0..50_i64, 0..5_000_i64, 0..500_000_i64]
    }

    /// A request after a step of the clock. Some clocks go back, by a little or by years.
    #[derive(Debug, Clone)]
    struct Step {
        gap_ms: i64,
        tokens: u32,
        paid: u32,
        limit: Option<Limit>,
    }

    fn steps() -> impl Strategy<Value = Vec<Step>> {
        let gap_ms = prop_oneof![6 => gap_ms(), 1 => -2_000..0_i64, 1 => -100_000_000_000..0_i64];
        let limit = prop_oneof![9 => Just(None), 1 => limits().prop_map(Some)];
        let step = (gap_ms, tokens(), prop_oneof![3 => Just(0), 1 => 0..5_u32], limit);
        let step = step.prop_map(|(gap_ms, tokens, paid, limit)| Step {
            gap_ms,
            tokens,
            paid,
            limit,
        });
        prop::collection::vec(step, 1..200)
    }

    /// The limiter as people think of it: a bucket with tokens, measured by the time in which they come back.
    struct Bucket {
        missing_us: i64,
        at_us: i64,
    }

    impl Bucket {
        fn take(&mut self, limit: &Limit, now_us: i64, tokens: u32, paid: u32) -> bool {
            let tokens = tokens.min(Cost::MAX_TOKENS);
            let time_of = |tokens: u32| i64::from(tokens) * limit.interval_us();
            let size = time_of(limit.burst());
            let missing = (self.missing_us - (now_us - self.at_us)).max(0);
            let broken = missing > time_of(limit.burst().max(Cost::MAX_TOKENS));
            let missing = if broken {
                (size - time_of(tokens)).max(0)
            } else {
                (missing - time_of(paid.min(tokens))).max(0)
            };
            let admitted = size - missing >= time_of(tokens).min(size);
            if admitted {
                *self = Bucket {
                    missing_us: missing + time_of(tokens),
                    at_us: now_us,
                };
            }
            admitted
        }
    }

    proptest! {
        #[test]
        fn the_limiter_decides_as_a_bucket_of_tokens_does(first in limits(), steps in steps()) {
            let (mut limit, mut tat_us, mut now_ms) = (first, 0, NOW_MS);
            let mut bucket = Bucket { missing_us: 0, at_us: 0 };
            for step in steps {
                now_ms = (now_ms + step.gap_ms).max(0);
                limit = step.limit.unwrap_or(limit);
                let decision = admit(&limit, tat_us, now_ms, Cost { tokens: step.tokens, paid: step.paid });
                let admitted = bucket.take(&limit, now_ms * MICROS_PER_MS, step.tokens, step.paid);
                prop_assert_eq!(decision.allowed, admitted);
                prop_assert!(admitted || decision.tat_us == tat_us, "a refusal changes nothing");
                tat_us = decision.tat_us;
            }
        }

        #[test]
        fn over_any_span_no_more_than_burst_and_rate_are_admitted(
            limit in limits(), requests in prop::collection::vec((gap_ms(), tokens()), 1..200),
        ) {
            let (mut tat_us, mut now_ms) = (0, NOW_MS);
            let mut admitted: Vec<(i64, i64)> = Vec::new();
            for (gap_ms, tokens) in requests {
                now_ms += gap_ms;
                let decision = admit(&limit, tat_us, now_ms, cost(tokens));
                if decision.allowed {
                    admitted.push((now_ms, tokens.min(Cost::MAX_TOKENS).into()));
                    tat_us = decision.tat_us;
                }
            }
            let burst = i64::from(limit.burst());
            for (first, (from_ms, _)) in admitted.iter().enumerate() {
                let mut sum = 0;
                for (to_ms, tokens) in &admitted[first..] {
                    sum += tokens;
                    let by_rate = (to_ms - from_ms) * i64::from(limit.limit()) / (i64::from(limit.window_s()) * 1_000);
                    prop_assert!(sum <= burst.max(*tokens) + by_rate, "{} in {} ms", sum, to_ms - from_ms);
                }
            }
        }

        #[test]
        fn a_clock_that_goes_back_admits_one_request_too_many_each_time(limit in limits(), steps in steps()) {
            let (mut tat_us, mut now_ms) = (0, NOW_MS);
            let (mut sum, mut forward_ms, mut back, mut largest) = (0, 0, 0, i64::from(limit.burst()));
            for step in steps {
                now_ms = (now_ms + step.gap_ms).max(0);
                forward_ms += step.gap_ms.max(0);
                back += i64::from(step.gap_ms < 0);
                let decision = admit(&limit, tat_us, now_ms, cost(step.tokens));
                if decision.allowed {
                    let tokens = i64::from(step.tokens.min(Cost::MAX_TOKENS));
                    sum += tokens;
                    largest = largest.max(tokens);
                    tat_us = decision.tat_us;
                }
            }
            let by_rate = forward_ms * i64::from(limit.limit()) / (i64::from(limit.window_s()) * 1_000);
            prop_assert!(sum <= largest * (1 + back) + by_rate);
        }

        #[test]
        fn a_burst_is_admitted_to_the_exact_count(limit in limits(), idle_ms in 0..1_000_000_000_i64) {
            let mut tat_us = 0;
            prop_assert_eq!(drain(&limit, &mut tat_us, NOW_MS).0, limit.burst());
            let full_again_ms = limit.tokens_us(limit.burst()) / MICROS_PER_MS + 1;
            prop_assert_eq!(drain(&limit, &mut tat_us, NOW_MS + full_again_ms + idle_ms).0, limit.burst());
        }

        #[test]
        fn who_waits_for_retry_after_is_admitted_whatever_is_stored_and_not_much_sooner(
            limit in limits(), stored_us in prop_oneof![any::<i64>(), -1_000_000..200_000_000_i64], tokens in tokens(),
            now_ms in 0..4_000_000_000_000_i64, is_near in any::<bool>(),
        ) {
            let tat_us = if is_near { stored_us.saturating_add(now_ms * MICROS_PER_MS) } else { stored_us };
            let refusal = admit(&limit, tat_us, now_ms, cost(tokens));
            prop_assert_eq!(refusal.allowed, refusal.retry_after_s == 0);
            if !refusal.allowed {
                let wait_ms = i64::from(refusal.retry_after_s) * 1_000;
                let longest_us = limit.tokens_us(limit.burst().max(Cost::MAX_TOKENS));
                prop_assert!(wait_ms * MICROS_PER_MS <= longest_us + MICROS_PER_S, "nobody is locked out");
                prop_assert!(admit(&limit, tat_us, now_ms + wait_ms, cost(tokens)).allowed);
                prop_assert!(wait_ms == 1_000 || !admit(&limit, tat_us, now_ms + wait_ms - 1_000, cost(tokens)).allowed);
            }
        }

        #[test]
        fn a_request_that_pays_in_two_calls_is_admitted_as_one_that_pays_in_one(
            limit in limits(), spent in 0..200_u32, tokens in tokens(), between_ms in 0..2_000_i64,
        ) {
            let mut tat_us = 0;
            for _ in 0..spent {
                tat_us = admit(&limit, tat_us, NOW_MS, Cost::ONE).tat_us;
            }
            let at_once = admit(&limit, tat_us, NOW_MS, cost(tokens));
            let first = admit(&limit, tat_us, NOW_MS, Cost::ONE);
            prop_assert!(first.allowed || !at_once.allowed);
            let rest = Cost { tokens, paid: 1 };
            let second = admit(&limit, first.tat_us, NOW_MS, rest);
            prop_assert!(!at_once.allowed || second == at_once);
            let later = admit(&limit, first.tat_us, NOW_MS + between_ms, rest);
            prop_assert!(later.allowed || !second.allowed);
            // Refused, it waits as it is told, and pays in two calls again.
            if first.allowed && !later.allowed {
                let now_ms = NOW_MS + between_ms + i64::from(later.retry_after_s) * 1_000;
                let again = admit(&limit, first.tat_us, now_ms, Cost::ONE);
                prop_assert!(again.allowed && admit(&limit, again.tat_us, now_ms, rest).allowed);
            }
        }

        #[test]
        fn who_waits_until_the_bucket_is_full_is_admitted_whatever_it_costs(
            limit in limits(), spent in 0..300_u32, tokens in tokens(),
        ) {
            let mut tat_us = admit(&limit, 0, NOW_MS, cost(tokens)).tat_us;
            for _ in 0..spent {
                tat_us = admit(&limit, tat_us, NOW_MS, Cost::ONE).tat_us;
            }
            let full_s = admit(&limit, tat_us, NOW_MS, Cost::ONE).reset_s;
            let full_ms = NOW_MS + i64::from(full_s) * 1_000;
            prop_assert!(admit(&limit, tat_us, full_ms, cost(tokens)).allowed);
        }

        #[test]
        fn the_headers_tell_the_truth(
            limit in limits(), before in prop::collection::vec(tokens(), 0..100), gap_ms in 0..100_000_i64, last in tokens(),
        ) {
            let mut tat_us = 0;
            for tokens in before {
                tat_us = admit(&limit, tat_us, NOW_MS, cost(tokens)).tat_us;
            }
            let now_ms = NOW_MS + gap_ms;
            let decision = admit(&limit, tat_us, now_ms, cost(last));
            let mut drained_us = decision.tat_us;
            prop_assert_eq!(drain(&limit, &mut drained_us, now_ms).0, decision.remaining);
            let full_ms = now_ms + i64::from(decision.reset_s) * 1_000;
            let mut later_us = decision.tat_us;
            prop_assert_eq!(drain(&limit, &mut later_us, full_ms).0, limit.burst());
        }
    }
}
