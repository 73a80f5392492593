//! The wallet of an account and its append-only ledger. Payment has two phases.
//!
//! A send *reserves* its cost (available → locked). The share of each recipient is then resolved exactly once. It is
//! *settled* (locked → spent) if a carrier takes the message, or *released* (locked → available) if no carrier takes it
//! or if the outcome stays unknown. A settled share may be *refunded* (spent → available). The invariant is
//! `available + locked + spent = credited`, and none of these amounts is negative. This module and a constraint in the
//! object's SQL check it.

use serde::{Deserialize, Serialize};

use super::idempotency::Idempotency;
use crate::base::named::named;
use crate::base::ports::MAX_INTEGER;
use crate::base::record::neighbours;

/// The money of one account, in its minor unit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wallet {
    /// Money that the account can spend.
    pub available: i64,
    /// Money reserved for messages that are not resolved yet.
    pub locked: i64,
    /// Money paid for messages that a carrier took.
    pub spent: i64,
    /// The sum of all credits, negative ones included.
    pub credited: i64,
}

named! {
    /// The kind of a ledger entry.
    pub enum EntryKind {
        /// An operator adds money, or takes it back with a negative amount.
        Credit => "CREDIT",
        /// available → locked.
        Reserve => "RESERVE",
        /// locked → spent.
        Settle => "SETTLE",
        /// locked → available.
        Release => "RELEASE",
        /// spent → available.
        Refund => "REFUND",
    }
}

/// The reason why an entry cannot be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LedgerError {
    /// The entry would take more than there is.
    #[error("the money is short")]
    Short,
    /// An amount would exceed [`MAX_INTEGER`].
    #[error("the wallet is full")]
    Full,
}

impl Wallet {
    /// Returns the wallet after an entry. Only the amount of a credit may be negative.
    pub fn after(self, kind: EntryKind, amount: i64) -> Result<Wallet, LedgerError> {
        let mut next = self;
        match kind {
            EntryKind::Credit => {
                next.available = add(self.available, amount)?;
                next.credited = add(self.credited, amount)?;
            }
            EntryKind::Reserve => transfer(&mut next.available, &mut next.locked, amount)?,
            EntryKind::Settle => transfer(&mut next.locked, &mut next.spent, amount)?,
            EntryKind::Release => transfer(&mut next.locked, &mut next.available, amount)?,
            EntryKind::Refund => transfer(&mut next.spent, &mut next.available, amount)?,
        }
        Ok(next)
    }

    /// Returns the money that belongs to the account: available and locked.
    pub fn total(self) -> i64 {
        self.available.saturating_add(self.locked)
    }
}

fn add(balance: i64, amount: i64) -> Result<i64, LedgerError> {
    match balance.checked_add(amount) {
        Some(sum) if sum < 0 => Err(LedgerError::Short),
        Some(sum) if sum <= MAX_INTEGER => Ok(sum),
        _ => Err(LedgerError::Full),
    }
}

fn transfer(from: &mut i64, to: &mut i64, amount: i64) -> Result<(), LedgerError> {
    if amount < 0 {
        return Err(LedgerError::Short);
    }
    *from = add(*from, -amount)?;
    *to = add(*to, amount)?;
    Ok(())
}

/// An entry of the ledger.
#[derive(Debug, Clone, Copy)]
pub struct Entry<'a> {
    /// Its number.
    pub seq: i64,
    /// When it is made, ms since the Unix epoch.
    pub at_ms: i64,
    /// What happened.
    pub kind: EntryKind,
    /// How much was moved.
    pub amount: i64,
    /// The wallet after it.
    pub after: Wallet,
    /// The message it belongs to.
    pub message: Option<i64>,
    /// The operator's words.
    pub note: Option<&'a str>,
    /// The idempotency key that it came with.
    pub key: Option<&'a Idempotency>,
}

neighbours!(Wallet: available, locked, spent, credited);

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn kinds() -> impl Strategy<Value = EntryKind> {
        prop::sample::select(vec![
            EntryKind::Credit,
            EntryKind::Reserve,
            EntryKind::Settle,
            EntryKind::Release,
            EntryKind::Refund,
        ])
    }

    proptest! {
        #[test]
        fn money_is_conserved_and_never_negative(
            entries in prop::collection::vec((kinds(), -1_000i64..=1_000), 0..200)
        ) {
            let mut wallet = Wallet::default();
            for (kind, amount) in entries {
                if let Ok(next) = wallet.after(kind, amount) {
                    wallet = next;
                }
                prop_assert!(wallet.available >= 0 && wallet.locked >= 0 && wallet.spent >= 0);
                prop_assert_eq!(wallet.available + wallet.locked + wallet.spent, wallet.credited);
            }
        }

        #[test]
        fn any_amount_at_all_is_answered(kind in kinds(), amount: i64, available in 0..=MAX_INTEGER) {
            let wallet = Wallet { available, locked: 0, spent: 0, credited: available };
            if let Ok(next) = wallet.after(kind, amount) {
                prop_assert!(next.available >= 0 && next.available <= MAX_INTEGER);
            }
        }
    }

    #[test]
    fn a_wallet_holds_no_more_than_javascript_can_count() {
        let full = Wallet::default().after(EntryKind::Credit, MAX_INTEGER).unwrap();
        assert_eq!(full.after(EntryKind::Credit, 1), Err(LedgerError::Full));
        assert_eq!(full.after(EntryKind::Reserve, MAX_INTEGER).unwrap().available, 0);
    }
}
