//! The time that a call looks at.

use super::errors::{Fault, must};
use crate::api::doors::own::Own;
use crate::api::doors::params::Params;
use crate::base::ports::Platform;
use crate::base::time;

/// The longest time that a call looks at, s.
const DAY_S: i64 = 86_400;
/// How much longer a time without an end may be, s. A program that asks for the last day may have another clock than the service, and its
/// request takes a while.
const LATE_S: i64 = 60;

/// A time between two moments, s since the Unix epoch.
pub struct Span {
    /// The first.
    pub from_s: i64,
    /// The moment behind the last.
    pub to_s: i64,
}

impl Span {
    /// Reads `startdate` and `enddate`.
    pub fn read<P: Platform>(own: &Own<'_, P>, params: &Params) -> Result<Span, Fault> {
        let bad = |name| move |_| Fault::of(417).about(name);
        let from_s: i64 = must(params, "startdate")?.parse().map_err(bad("startdate"))?;
        let end = params.get("enddate").or_else(|| params.get("endate"));
        let end_s = end.map(str::parse::<i64>).transpose().map_err(bad("enddate"))?;
        let end_s = end_s.filter(|end_s| *end_s > 0);
        let most_s = DAY_S.saturating_add(if end_s.is_none() { LATE_S } else { 0 });
        let to_s = end_s.unwrap_or_else(|| own.now_ms().div_euclid(1_000).saturating_add(1));
        if (0..=most_s).contains(&to_s.saturating_sub(from_s)) && from_s >= 0 {
            Ok(Span { from_s, to_s })
        } else {
            Err(Fault::of(417).about("startdate"))
        }
    }

    /// The span as filters of a list of our own API: their names are `from` and `to`.
    pub fn query(&self, from: &str, to: &str) -> String {
        let [from_at, to_at] = [self.from_s, self.to_s].map(|at_s| time::to_rfc3339(at_s.saturating_mul(1_000)));
        format!("&{from}={from_at}&{to}={to_at}")
    }
}
