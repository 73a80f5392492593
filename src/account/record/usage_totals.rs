//! What usage is counted in: sums, and the key under which they stand. Pure, because the account's row has some of it.

use serde::{Deserialize, Serialize};

use super::message::status::RecipientStatus;
use crate::base::record::neighbours;

/// A row of usage, `(day, line, carrier, is_test)`.
pub type Key = (i64, String, String, bool);

/// Recipients, and what they have together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Amount {
    /// How many they are.
    pub recipients: i64,
    /// The parts of their texts.
    pub parts: i64,
    /// What they cost.
    pub cost: i64,
}

/// Makes the sums, and the list of them in the order of the members: the order in which they are stored.
macro_rules! totals {
    ($($(#[$doc:meta])* $sum:ident,)*) => {
        /// Sums of usage.
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(default)]
        pub struct Totals {
            $($(#[$doc])* pub $sum: i64,)*
        }

        impl Totals {
            /// The sums.
            pub fn list(&self) -> [i64; SUMS] {
                [$(self.$sum),*]
            }

            /// The sums of such a list.
            pub fn of_list([$($sum),*]: [i64; SUMS]) -> Totals {
                Totals { $($sum),* }
            }
        }

        neighbours!(Totals: $($sum),*);
    };
}

/// How many sums there are.
pub const SUMS: usize = 11;

totals! {
    /// Messages that were accepted on the day.
    messages,
    /// Their recipients.
    recipients,
    /// The parts of all recipients.
    parts,
    /// What they cost when they were accepted.
    cost,
    /// What of it went back to the wallet.
    returned,
    /// Recipients that are `DELIVERED` now.
    delivered,
    /// Recipients that are `UNDELIVERED`.
    undelivered,
    /// Recipients that are `EXPIRED`.
    expired,
    /// Recipients that are `REJECTED`.
    rejected,
    /// Recipients that are `UNKNOWN`.
    unknown,
    /// Recipients that are `CANCELED`.
    canceled,
}

impl Totals {
    /// Adds recipients that were accepted, or taken.
    pub fn add(&mut self, amount: Amount) {
        self.recipients += amount.recipients;
        self.parts += amount.parts;
        self.cost += amount.cost;
    }

    /// Adds other sums.
    pub fn add_all(&mut self, other: &Totals) {
        let mut sums = self.list();
        for (sum, more) in sums.iter_mut().zip(other.list()) {
            *sum += more;
        }
        *self = Totals::of_list(sums);
    }

    /// Adds recipients that have come to rest in a status.
    pub fn add_ended(&mut self, status: RecipientStatus, recipients: i64) {
        match status {
            RecipientStatus::Delivered => self.delivered += recipients,
            RecipientStatus::Undelivered => self.undelivered += recipients,
            RecipientStatus::Expired => self.expired += recipients,
            RecipientStatus::Rejected => self.rejected += recipients,
            RecipientStatus::Unknown => self.unknown += recipients,
            RecipientStatus::Canceled => self.canceled += recipients,
            RecipientStatus::Scheduled
            | RecipientStatus::Queued
            | RecipientStatus::Submitted
            | RecipientStatus::Skipped => {}
        }
    }
}

/// The sums as a list, in the order of the members.
impl std::fmt::Display for Totals {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{:?}", self.list())
    }
}
