//! What a key may do at most: from which addresses it comes, how many tokens it takes in a minute, and what it spends in a day.
//!
//! The addresses stand in KV, and the worker checks them as it authenticates, before anything is charged. The object decides on tokens
//! and money, in the transaction of the send ([`super::spending`]).

use serde::{Deserialize, Serialize};

use crate::account::refusal::Excess;
use crate::base::network::Network;
use crate::base::record::neighbours;

/// The caps of a key. `None`: as much as the account may.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Caps {
    /// The addresses that it may be used from.
    pub ips: Option<Vec<Network>>,
    /// How many tokens of the rate limit it may take in a minute.
    pub rate_per_minute: Option<u32>,
    /// What it may spend in a day of UTC, in minor units.
    pub daily_spend: Option<i64>,
}

neighbours!(Caps: ips as words, rate_per_minute, daily_spend);

impl Caps {
    /// The most networks of a key.
    pub const MAX_IPS: usize = 50;
    /// The most tokens in a minute that a cap can say.
    pub const MAX_RATE: u32 = 100_000;

    /// These caps, and those of `own` where these say nothing.
    #[must_use]
    pub fn or(&self, own: &Caps) -> Caps {
        Caps {
            ips: self.ips.clone().or_else(|| own.ips.clone()),
            rate_per_minute: self.rate_per_minute.or(own.rate_per_minute),
            daily_spend: self.daily_spend.or(own.daily_spend),
        }
    }

    /// What these caps let a key do that `own` do not.
    pub fn beyond(&self, own: &Caps) -> Vec<Excess> {
        let mut excess = networks_beyond(self.ips.as_deref(), own.ips.as_deref());
        if is_beyond(self.rate_per_minute, own.rate_per_minute) {
            excess.push(Excess::Rate);
        }
        if is_beyond(self.daily_spend, own.daily_spend) {
            excess.push(Excess::Spend);
        }
        excess
    }
}

fn is_beyond<T: Ord + Copy>(cap: Option<T>, own: Option<T>) -> bool {
    own.is_some_and(|own| cap.is_none_or(|cap| cap > own))
}

fn networks_beyond(ips: Option<&[Network]>, own: Option<&[Network]>) -> Vec<Excess> {
    match (ips, own) {
        (_, None) => Vec::new(),
        (None, Some(_)) => vec![Excess::AnyAddress],
        (Some(ips), Some(own)) => {
            let others = ips.iter().filter(|ip| !own.iter().any(|own| own.includes(ip)));
            others.map(|ip| Excess::Address(*ip)).collect()
        }
    }
}
