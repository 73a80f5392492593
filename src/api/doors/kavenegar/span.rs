//! The time that a call looks at.

use super::errors::{Fault, must};
use crate::api::doors::own::Own;
use crate::api::doors::params::Params;
use crate::base::ports::Platform;
use crate::base::time;

/// The longest time that a call looks at, s.
const DAY_S: i64 = 86_400;

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
        let read = |text: &str| text.parse::<i64>().map_err(|_| Fault::of(417));
        let from_s = read(must(params, "startdate")?)?;
        let end = params.get("enddate").or_else(|| params.get("endate"));
        let to_s = end.map(read).transpose()?.filter(|to_s| *to_s > 0);
        let to_s = to_s.unwrap_or_else(|| own.now_ms().div_euclid(1_000).saturating_add(1));
        if (0..=DAY_S).contains(&to_s.saturating_sub(from_s)) && from_s >= 0 {
            Ok(Span { from_s, to_s })
        } else {
            Err(Fault::of(417))
        }
    }

    /// The span as filters of a list of our own API: their names are `from` and `to`.
    pub fn query(&self, from: &str, to: &str) -> String {
        let [from_at, to_at] = [self.from_s, self.to_s].map(|at_s| time::to_rfc3339(at_s.saturating_mul(1_000)));
        format!("&{from}={from_at}&{to}={to_at}")
    }
}
