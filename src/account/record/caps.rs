//! What an account may send at most: messages of patterns to one recipient, so that nobody floods a phone with codes, and money
//! in a day, so that a stolen key does not empty a wallet.

use serde::{Deserialize, Serialize};

use crate::account::refusal::Refusal;
use crate::base::record::neighbours;
use crate::base::time::{DAY_MS, seconds_until};

/// How many messages of patterns a recipient may get in a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RecipientLimit {
    /// How many; 0 for as many as there are.
    pub limit: u32,
    /// How long the window is, s.
    pub window_seconds: u32,
}

impl RecipientLimit {
    /// The highest limit.
    pub const MAX_LIMIT: u32 = 1_000;
    /// The longest window, s: a day.
    pub const MAX_WINDOW_S: u32 = 86_400;
}

impl Default for RecipientLimit {
    /// Twenty in an hour: more than anybody asks for who waits for a code.
    fn default() -> Self {
        RecipientLimit {
            limit: 20,
            window_seconds: 3_600,
        }
    }
}

/// What an account or a key may spend in a day of UTC, and what it has spent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DailySpend {
    /// The most, in minor units; `None` for as much as there is.
    pub limit: Option<i64>,
    /// The day for which `spent` counts, since 1970-01-01.
    pub day: i64,
    /// What the messages cost that were accepted on that day.
    pub spent: i64,
}

/// A new limit of what may be spent in a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpendLimit {
    /// The most, in minor units; `None` for as much as there is.
    pub limit: Option<i64>,
}

impl DailySpend {
    /// What was spent on the day of this time.
    pub fn spent_by(&self, now_ms: i64) -> i64 {
        if self.day == now_ms.div_euclid(DAY_MS) {
            self.spent
        } else {
            0
        }
    }

    /// Counts the cost of a message. What comes back of it later makes no room.
    pub fn add(&mut self, now_ms: i64, cost: i64) {
        self.spent = self.spent_by(now_ms).saturating_add(cost);
        self.day = now_ms.div_euclid(DAY_MS);
    }

    /// Why a message can't be sent today. `of_key`: it is what a key may spend.
    pub fn refusal(&self, now_ms: i64, cost: i64, of_key: bool) -> Option<Refusal> {
        let (limit, spent) = (self.limit?, self.spent_by(now_ms));
        (cost > 0 && spent.saturating_add(cost) > limit).then(|| Refusal::DailyLimit {
            limit,
            spent,
            cost,
            of_key,
            retry_after_s: seconds_until((now_ms.div_euclid(DAY_MS) + 1) * DAY_MS, now_ms),
        })
    }
}

neighbours!(RecipientLimit: limit, window_seconds);
neighbours!(DailySpend: limit, day, spent);
