//! The statuses of recipients and messages, and the allowed transitions.
//!
//! The invariant: a status only moves forward. [`RecipientStatus::sources`] defines all transitions, and `chunk/transitions.rs`
//! moves no recipient from any other status, so a late or repeated report changes nothing.

use serde::{Deserialize, Serialize};

use crate::base::named::Name;

/// The status of one recipient. The object's SQL stores it as a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum RecipientStatus {
    /// Waits for its time.
    Scheduled,
    /// Waits for a carrier.
    Queued,
    /// The carrier may have the message. The object never hands it over again.
    Unknown,
    /// The carrier has the message.
    Submitted,
    /// The message is on the handset.
    Delivered,
    /// The network could not deliver the message.
    Undelivered,
    /// The validity of the message ended, or no report came before the deadline for reports.
    Expired,
    /// The carrier refused the message for good, or the object gave up before a carrier took it.
    Rejected,
    /// The client canceled the message before its time.
    Canceled,
}

use RecipientStatus::{Canceled, Delivered, Expired, Queued, Rejected, Scheduled, Submitted, Undelivered, Unknown};

impl RecipientStatus {
    /// All statuses, each at the index of its number.
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

    /// Returns the number that the object's SQL stores.
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

    /// Returns the status with this number.
    pub fn from_code(code: i64) -> Option<Self> {
        Self::ALL.get(usize::try_from(code).ok()?).copied()
    }

    /// Returns the name of the status in the API.
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

    /// Returns the status with this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == name)
    }

    /// Returns the statuses from which a recipient may move to this one.
    pub fn sources(self) -> &'static [RecipientStatus] {
        match self {
            Scheduled => &[],
            Queued => &[Scheduled],
            Unknown => &[Queued],
            // Not from UNKNOWN: such a recipient waits for a report of its ending, or until its money is released.
            Submitted => &[Queued],
            // A report may arrive before the object has noted that the carrier took the message.
            Delivered | Undelivered | Expired => &[Queued, Unknown, Submitted],
            Rejected => &[Queued, Unknown],
            Canceled => &[Scheduled],
        }
    }

    /// Whether no transition leads from this status.
    pub fn is_final(self) -> bool {
        matches!(self, Delivered | Undelivered | Expired | Rejected | Canceled)
    }

    /// Whether at most a report can still change the status. A message is over when all its recipients are resting.
    pub fn is_resting(self) -> bool {
        self.is_final() || self == Unknown
    }
}

impl Name for RecipientStatus {
    fn name(self) -> &'static str {
        self.as_str()
    }
}

/// The status of a message, over all its recipients.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum MessageStatus {
    /// Waits for its time.
    Scheduled,
    /// No recipient has left QUEUED. A carrier may already have the message.
    Queued,
    /// Some recipients have left QUEUED, and some are not resting yet.
    Sending,
    /// All recipients are resting: each has a final status or is UNKNOWN.
    Done,
    /// The client canceled the message before its time.
    Canceled,
}

impl MessageStatus {
    /// All statuses.
    pub const ALL: [MessageStatus; 5] = [
        MessageStatus::Scheduled,
        MessageStatus::Queued,
        MessageStatus::Sending,
        MessageStatus::Done,
        MessageStatus::Canceled,
    ];

    /// Returns the name of the status in the API and in the object's SQL.
    pub fn as_str(self) -> &'static str {
        match self {
            MessageStatus::Scheduled => "SCHEDULED",
            MessageStatus::Queued => "QUEUED",
            MessageStatus::Sending => "SENDING",
            MessageStatus::Done => "DONE",
            MessageStatus::Canceled => "CANCELED",
        }
    }

    /// Returns the status with this name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == name)
    }
}

impl Name for MessageStatus {
    fn name(self) -> &'static str {
        self.as_str()
    }
}

/// The state of the money reserved for one recipient. The object's SQL stores it as a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Money {
    /// Reserved and not resolved.
    Held,
    /// Settled: the account paid it.
    Spent,
    /// Released without being spent.
    Released,
    /// Spent and then given back.
    Refunded,
}

impl Money {
    /// Returns the number that the object's SQL stores.
    pub fn code(self) -> i64 {
        match self {
            Money::Held => 0,
            Money::Spent => 1,
            Money::Released => 2,
            Money::Refunded => 3,
        }
    }

    /// Returns the state with this number.
    pub fn from_code(code: i64) -> Option<Self> {
        [Money::Held, Money::Spent, Money::Released, Money::Refunded]
            .into_iter()
            .find(|money| money.code() == code)
    }

    /// Returns the state after the recipient reaches `status`. `refunded` says whether the plan gives the money back
    /// for that status.
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

    /// The order of the statuses. Each transition must lead to a higher rank.
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
