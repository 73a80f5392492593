//! What capped keys have taken and spent. It stands in the account's row, which a request writes anyway, so that a cap costs no
//! row more.
//!
//! What a key takes and spends counts for each capped key that it comes from, too: so no key has more by the keys that it makes,
//! and no rotation makes a day or a minute begin anew.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::caps::DailySpend;
use crate::account::limiter::{self, Cost, Limit};
use crate::account::refusal::Refusal;
use crate::base::ports::{PortError, Row, Sql, Value};
use crate::base::record::{Columns, Reader};
use crate::base::time::DAY_MS;
use crate::durable::{remembered::compared, to_json};

/// The caps of a key, or of one that it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bound {
    /// The key that has the caps.
    pub key: String,
    /// How many tokens it may take in a minute.
    pub rate_per_minute: Option<u32>,
    /// What it may spend in a day.
    pub daily_spend: Option<i64>,
}

macro_rules! bounds {
    () => {
        "SELECT id, rate_per_minute, daily_spend FROM api_key \
         WHERE (rate_per_minute IS NOT NULL OR daily_spend IS NOT NULL) \
           AND (id = ?1 OR id IN (SELECT maker FROM key_maker WHERE key = ?1))"
    };
}

/// The statement that finds what bounds a key.
pub const BOUNDS: &str = bounds!();
/// The same, by which a debug build compares.
pub const COMPARED: &str = concat!(bounds!(), compared!());

/// What bounds a key: its own caps, and those of the keys that it comes from.
pub fn bounds(sql: &impl Sql, key: &str) -> Result<Vec<Bound>, PortError> {
    bounds_by(sql, BOUNDS, key)
}

/// The same, by one of these statements.
pub fn bounds_by(sql: &impl Sql, statement: &str, key: &str) -> Result<Vec<Bound>, PortError> {
    let rows = sql.exec(statement, &[key.into()])?;
    let bound = |row: &Row| {
        let rate = row.opt_int(1)?.map(|rate| u32::try_from(rate).unwrap_or(u32::MAX));
        Ok(Bound {
            key: row.text(0)?,
            rate_per_minute: rate,
            daily_spend: row.opt_int(2)?,
        })
    };
    rows.iter().map(bound).collect()
}

/// What each key has beside the account's tokens, a minute: for requests that protect the account.
const RESERVE: u32 = 20;

/// What capped keys have taken and spent, and what keys have taken of their reserves.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeySpending {
    /// The day for which `spent` counts, since 1970-01-01.
    day: i64,
    /// What was spent on that day, by the ids of keys.
    spent: BTreeMap<String, i64>,
    /// The limiters' theoretical arrival times, µs, by the ids of keys. Those that have passed are left out.
    tats_us: BTreeMap<String, i64>,
    /// The same of the reserves.
    #[serde(default)]
    reserve_tats_us: BTreeMap<String, i64>,
}

impl KeySpending {
    /// Reads what is stored.
    pub fn read(json: &str) -> Result<Self, PortError> {
        match json {
            "" => Ok(Self::default()),
            json => serde_json::from_str(json).map_err(|error| PortError::json("key spending", &error)),
        }
    }

    /// As it is stored. Without capped keys that is nothing.
    pub fn write(&self) -> Result<String, PortError> {
        if self.spent.is_empty() && self.tats_us.is_empty() && self.reserve_tats_us.is_empty() {
            Ok(String::new())
        } else {
            to_json(self)
        }
    }

    /// The whole seconds after which a key may take these tokens, at least 1. `None`: it may at once.
    pub fn wait_s(&self, bounds: &[Bound], now_ms: i64, cost: Cost) -> Option<u32> {
        let decisions = bounds.iter().filter_map(|bound| self.admit(bound, now_ms, cost));
        let waits = decisions.filter(|decision| !decision.allowed);
        waits.map(|decision| decision.retry_after_s).max()
    }

    /// Takes tokens that a key may take at once.
    pub fn take(&mut self, bounds: &[Bound], now_ms: i64, cost: Cost) {
        for bound in bounds {
            if let Some(decision) = self.admit(bound, now_ms, cost) {
                self.tats_us.insert(bound.key.clone(), decision.tat_us);
            }
        }
        let now_us = now_ms.saturating_mul(1_000);
        self.tats_us.retain(|_, tat_us| *tat_us > now_us);
        self.reserve_tats_us.retain(|_, tat_us| *tat_us > now_us);
    }

    /// Takes a token of a key's reserve, if there is one.
    pub fn take_reserve(&mut self, key: &str, now_ms: i64) -> bool {
        let Ok(limit) = Limit::new(RESERVE, 60, RESERVE) else {
            return false;
        };
        let tat_us = self.reserve_tats_us.get(key).copied().unwrap_or(0);
        let decision = limiter::admit(&limit, tat_us, now_ms, Cost { tokens: 1, paid: 0 });
        if decision.allowed {
            let now_us = now_ms.saturating_mul(1_000);
            self.reserve_tats_us.retain(|_, tat_us| *tat_us > now_us);
            self.reserve_tats_us.insert(key.to_owned(), decision.tat_us);
        }
        decision.allowed
    }

    fn admit(&self, bound: &Bound, now_ms: i64, cost: Cost) -> Option<limiter::Decision> {
        let rate = bound.rate_per_minute?;
        let limit = Limit::new(rate, 60, rate.min(Limit::MAX_BURST)).ok()?;
        let tat_us = self.tats_us.get(&bound.key).copied().unwrap_or(0);
        Some(limiter::admit(&limit, tat_us, now_ms, cost))
    }

    /// Why a key can't spend so much today.
    pub fn spend_refusal(&self, bounds: &[Bound], now_ms: i64, cost: i64) -> Option<Refusal> {
        let refusal = |bound: &Bound| {
            let spend = DailySpend {
                limit: bound.daily_spend,
                day: self.day,
                spent: self.spent.get(&bound.key).copied().unwrap_or(0),
            };
            spend.refusal(now_ms, cost, true)
        };
        bounds.iter().find_map(refusal)
    }

    /// Counts the cost of a message. What comes back of it later makes no room.
    pub fn spend(&mut self, bounds: &[Bound], now_ms: i64, cost: i64) {
        for bound in bounds.iter().filter(|bound| bound.daily_spend.is_some()) {
            // Only so is the day noted: without anything spent, it means nothing.
            let today = now_ms.div_euclid(DAY_MS);
            if self.day != today {
                self.day = today;
                self.spent.clear();
            }
            let spent = self.spent.entry(bound.key.clone()).or_default();
            *spent = spent.saturating_add(cost);
        }
    }
}

impl Columns for KeySpending {
    fn read(row: &mut Reader<'_>) -> Result<Self, PortError> {
        KeySpending::read(&row.read::<String>()?)
    }

    fn write(&self, values: &mut Vec<Value>) -> Result<(), PortError> {
        values.push(KeySpending::write(self)?.into());
        Ok(())
    }
}
