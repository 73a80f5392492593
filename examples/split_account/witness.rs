//! Sees all objects at once, as nobody in the service can, and checks the promises.

use std::collections::BTreeSet;

use super::TICK_MS;
use super::protocol::{Send, Time};
use super::root::{Root, SKEW_MS, TERM_MS};
use super::shard::Shard;

/// What truly happened.
#[derive(Debug)]
pub struct Witness {
    credited: i64,
    spent: i64,
    accepted: BTreeSet<u64>,
    /// What was unspent in the whole account, from this time on.
    history: Vec<(Time, i64)>,
    /// When an operator asked to revoke the key.
    pub asked_to_revoke: Option<Time>,
    /// Whether that was answered.
    is_revoked: bool,
}

impl Witness {
    pub fn new(money: i64) -> Self {
        Witness {
            credited: money,
            spent: 0,
            accepted: BTreeSet::new(),
            history: vec![(0, money)],
            asked_to_revoke: None,
            is_revoked: false,
        }
    }

    /// The money that nobody has spent, wherever it is.
    pub fn unspent(&self) -> i64 {
        self.credited - self.spent
    }

    pub fn credit(&mut self, now: Time, amount: i64) {
        self.credited += amount;
        self.history.push((now, self.unspent()));
    }

    pub fn release(&mut self, now: Time, cost: i64) {
        self.spent -= cost;
        self.history.push((now, self.unspent()));
    }

    /// The revocation is answered. That takes no longer than a lease, whoever can't be reached.
    pub fn revoke(&mut self, now: Time) -> Result<(), String> {
        let since = self.asked_to_revoke.unwrap_or(now);
        match std::mem::replace(&mut self.is_revoked, true) || now - since <= TERM_MS + 2 * SKEW_MS + TICK_MS {
            true => Ok(()),
            false => Err(format!("at {now}: a revocation took {} ms", now - since)),
        }
    }

    pub fn accept(&mut self, now: Time, send: Send) -> Result<(), String> {
        self.spent += send.cost;
        self.history.push((now, self.unspent()));
        if self.unspent() < 0 {
            return Err(format!("at {now}: more was spent than there is"));
        }
        if self.is_revoked {
            return Err(format!("at {now}: a send was accepted after the key was revoked"));
        }
        match self.accepted.insert(send.key) {
            true => Ok(()),
            false => Err(format!("at {now}: key {} was accepted twice", send.key)),
        }
    }

    /// A send may be refused only if at some moment since it was made there was not enough money in the whole account.
    pub fn refuse(&self, now: Time, since: Time, send: Send) -> Result<(), String> {
        let before = self.history.partition_point(|(at, _)| *at <= since).saturating_sub(1);
        let least = self.history.iter().skip(before).map(|(_, unspent)| *unspent).min();
        match least.is_some_and(|least| least < send.cost) {
            true => Ok(()),
            false => Err(format!(
                "at {now}: a send for {} was refused, and there were never less than {least:?} since {since}",
                send.cost
            )),
        }
    }

    /// Money neither appears nor disappears, whatever is on its way.
    pub fn look(&self, now: Time, root: &Root, shards: &[Shard]) -> Result<(), String> {
        let leased: i64 = root.leases.iter().map(|lease| lease.granted - lease.returned).sum();
        if root.available < 0 || root.available + leased != self.credited {
            return Err(format!(
                "at {now}: the account's object has {} and {leased} on lease",
                root.available
            ));
        }
        for (shard, lease) in shards.iter().zip(&root.leases) {
            let counters = shard.counters;
            if counters.unspent() < 0 || counters.granted > lease.granted || counters.returned < lease.returned {
                return Err(format!(
                    "at {now}: {counters:?} against {} and {}",
                    lease.granted, lease.returned
                ));
            }
        }
        Ok(())
    }
}
