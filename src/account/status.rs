//! Where a recipient and a message stand, and which steps are allowed.
//!
//! The invariant: a status only moves forward. [`RecipientStatus::sources`] is the whole state machine; the SQL that
//! moves recipients names it in its `WHERE`, so a late or repeated report changes nothing.

use serde::{Deserialize, Serialize};

/// Where one recipient stands. The numbers are what the object's SQL keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum RecipientStatus {
    /// Waits for its time.
    Scheduled,
    /// Waits for a carrier.
    Queued,
    /// The carrier may have it; it is never handed over again.
    Unknown,
    /// The carrier has it.
    Submitted,
    /// On the handset.
    Delivered,
    /// The network could not deliver it.
    Undelivered,
    /// Its validity ended first.
    Expired,
    /// The carrier refused it for good.
    Rejected,
    /// Taken back before its time.
    Canceled,
}

use RecipientStatus::{Canceled, Delivered, Expired, Queued, Rejected, Scheduled, Submitted, Undelivered, Unknown};

impl RecipientStatus {
    /// All of them, each at the place of its number.
    pub const ALL: [RecipientStatus; 9] = [
        Scheduled,
        Queued,
        Unknown,
        Submitted,
        Delivered,
        Undelivered,
        Expired,
        Rejected,
        Canceled,
    ];

    /// The number the object's SQL keeps.
    pub fn code(self) -> i64 {
        match self {
            Scheduled => 0,
            Queued => 1,
            Unknown => 2,
            Submitted => 3,
            Delivered => 4,
            Undelivered => 5,
            Expired => 6,
            Rejected => 7,
            Canceled => 8,
        }
    }

    /// The status of a number.
    pub fn from_code(code: i64) -> Option<Self> {
        Self::ALL.get(usize::try_from(code).ok()?).copied()
    }

    /// Its name in the API.
    pub fn as_str(self) -> &'static str {
        match self {
            Scheduled => "SCHEDULED",
            Queued => "QUEUED",
            Unknown => "UNKNOWN",
            Submitted => "SUBMITTED",
            Delivered => "DELIVERED",
            Undelivered => "UNDELIVERED",
            Expired => "EXPIRED",
            Rejected => "REJECTED",
            Canceled => "CANCELED",
        }
    }

    /// The status of a name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == name)
    }

    /// From where this status may be reached.
    pub fn sources(self) -> &'static [RecipientStatus] {
        match self {
            Scheduled => &[],
            Queued => &[Scheduled],
            Unknown => &[Queued],
            // Not from UNKNOWN: that rests until a report tells the ending, or until its money is given back.
            Submitted => &[Queued],
            // A report may overtake our own note that the carrier took the message.
            Delivered | Undelivered | Expired => &[Queued, Unknown, Submitted],
            Rejected => &[Queued, Unknown],
            Canceled => &[Scheduled],
        }
    }

    /// No step leads on from here.
    pub fn is_final(self) -> bool {
        matches!(self, Delivered | Undelivered | Expired | Rejected | Canceled)
    }

    /// Nothing more is to be done here unless a carrier reports: what a message waits for to be done.
    pub fn is_resting(self) -> bool {
        self.is_final() || self == Unknown
    }
}

/// Where a message stands, seen over all its recipients.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum MessageStatus {
    /// Waits for its time.
    Scheduled,
    /// No recipient has been handed to a carrier.
    Queued,
    /// Some recipients are under way.
    Sending,
    /// Every recipient has its ending.
    Done,
    /// Taken back before its time.
    Canceled,
}

impl MessageStatus {
    /// All of them.
    pub const ALL: [MessageStatus; 5] = [
        MessageStatus::Scheduled,
        MessageStatus::Queued,
        MessageStatus::Sending,
        MessageStatus::Done,
        MessageStatus::Canceled,
    ];

    /// Its name in the API and in the object's SQL.
    pub fn as_str(self) -> &'static str {
        match self {
            MessageStatus::Scheduled => "SCHEDULED",
            MessageStatus::Queued => "QUEUED",
            MessageStatus::Sending => "SENDING",
            MessageStatus::Done => "DONE",
            MessageStatus::Canceled => "CANCELED",
        }
    }

    /// The status of a name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == name)
    }
}

/// What became of the money reserved for one recipient. The numbers are what the object's SQL keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Money {
    /// Reserved, not resolved.
    Held,
    /// Spent.
    Spent,
    /// Given back unspent.
    Released,
    /// Spent and given back.
    Refunded,
}

impl Money {
    /// The number the object's SQL keeps.
    pub fn code(self) -> i64 {
        match self {
            Money::Held => 0,
            Money::Spent => 1,
            Money::Released => 2,
            Money::Refunded => 3,
        }
    }

    /// The fate of a number.
    pub fn from_code(code: i64) -> Option<Self> {
        [Money::Held, Money::Spent, Money::Released, Money::Refunded]
            .into_iter()
            .find(|money| money.code() == code)
    }

    /// What the money becomes when its recipient reaches `status`; `refunded`: the plan gives it back for that ending.
    pub fn after(self, status: RecipientStatus, refunded: bool) -> Money {
        match (self, status) {
            (Money::Held | Money::Spent, Delivered | Undelivered | Expired) if refunded => Money::Refunded,
            (Money::Held, Submitted | Delivered | Undelivered | Expired) => Money::Spent,
            (Money::Held, Rejected | Canceled) => Money::Released,
            (money, _) => money,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_names_lead_back_to_their_status() {
        for status in RecipientStatus::ALL {
            assert_eq!(RecipientStatus::from_code(status.code()), Some(status));
            assert_eq!(RecipientStatus::parse(status.as_str()), Some(status));
        }
        for status in MessageStatus::ALL {
            assert_eq!(MessageStatus::parse(status.as_str()), Some(status));
        }
        assert_eq!(RecipientStatus::from_code(9), None);
        assert_eq!(RecipientStatus::from_code(-1), None);
    }

    /// How far a status is: every step must lead further.
    fn rank(status: RecipientStatus) -> u8 {
        match status {
            Scheduled => 0,
            Queued => 1,
            Unknown => 2,
            Submitted => 3,
            Delivered | Undelivered | Expired | Rejected | Canceled => 4,
        }
    }

    #[test]
    fn every_step_leads_forward() {
        for to in RecipientStatus::ALL {
            for from in to.sources() {
                assert!(rank(*from) < rank(to), "{from:?} -> {to:?}");
                assert!(!from.is_final());
            }
        }
    }

    #[test]
    fn money_is_resolved_once() {
        for status in RecipientStatus::ALL {
            for refunded in [false, true] {
                assert_eq!(Money::Released.after(status, refunded), Money::Released);
                assert_eq!(Money::Refunded.after(status, refunded), Money::Refunded);
                assert_ne!(Money::Spent.after(status, refunded), Money::Held);
                assert_ne!(Money::Spent.after(status, refunded), Money::Released);
            }
        }
    }
}
