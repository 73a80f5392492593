//! What an account has accepted and not sent yet, as its owner and operators see it.

use serde_json::Value;

use crate::account::unsent::{LateLine, Unsent};
use crate::answer;

answer! {
    /// What has not left yet.
    pub struct UnsentData(unsent: &Unsent, now_ms: i64) as "Unsent" {
        /// All recipients that have not left.
        "recipients": unsent.recipients, count() => 1_000;
        /// Those of them whose `sendAt` has not come.
        "scheduled": unsent.scheduled, count();
        /// Those of them that carriers have at the moment: most of them can't be called back.
        "withCarriers": unsent.with_carriers, count() => 60;
        /// Whether there are more than were counted.
        "hasMore": unsent.has_more, flag() => false;
        /// Whether an operator holds back all that the account sends.
        "hold": unsent.on_hold, flag() => false;
        /// Why the account is on hold, may not send or is not active, in an operator's words.
        "reason": unsent.reason, any_text().or_null() => null;
        /// The lines on which recipients have waited for ten seconds or longer and could have left: the line's carriers are down, or
        /// take less than is sent.
        "lines": lines(unsent, now_ms), any_list(LateLineData::schema());
    }

    pub struct LateLineData(late: &LateLine, now_ms: i64) {
        "line": late.line, line();
        "recipients": late.recipients, count() => 940;
        /// How long the oldest of them has waited.
        "oldestSeconds": now_ms.saturating_sub(late.oldest_ms).max(0).div_euclid(1_000), count() => 300;
    }
}

fn lines(unsent: &Unsent, now_ms: i64) -> Vec<Value> {
    let lines = unsent.lines.iter();
    lines.map(|late| LateLineData::of(late, now_ms)).collect()
}
