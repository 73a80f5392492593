//! The statuses of recipients and messages, and the allowed transitions.
//!
//! The invariant: a status only moves forward. [`RecipientStatus::sources`] defines all transitions, and `chunk/transitions.rs`
//! moves no recipient from any other status, so a late or repeated report changes nothing.

use crate::base::named::{named, numbers};

named! {
    /// The status of one recipient. The object's SQL stores it as a number.
    pub enum RecipientStatus {
        /// Waits for its time.
        Scheduled = 0 => "SCHEDULED",
        /// Waits for a carrier.
        Queued = 1 => "QUEUED",
        /// The carrier may have the message. The object never hands it over again.
        Unknown = 2 => "UNKNOWN",
        /// The carrier has the message.
        Submitted = 3 => "SUBMITTED",
        /// The message is on the handset.
        Delivered = 4 => "DELIVERED",
        /// The network could not deliver the message.
        Undelivered = 5 => "UNDELIVERED",
        /// The validity of the message ended, or no report came before the deadline for reports.
        Expired = 6 => "EXPIRED",
        /// The carrier refused the message for good, or the object gave up before a carrier took it.
        Rejected = 7 => "REJECTED",
        /// The client or an operator canceled the message before it left, or it expired before it left.
        Canceled = 8 => "CANCELED",
        /// The number was on the blacklist when the message was accepted, and the request leaves such numbers out. It costs nothing.
        Skipped = 9 => "SKIPPED",
    }
}

use RecipientStatus::{
    Canceled, Delivered, Expired, Queued, Rejected, Scheduled, Skipped, Submitted, Undelivered, Unknown,
};

impl RecipientStatus {
    /// Returns the statuses from which a recipient may move to this one.
    pub fn sources(self) -> &'static [RecipientStatus] {
        match self {
            Scheduled | Skipped => &[],
            Queued => &[Scheduled],
            Unknown => &[Queued],
            // Not from UNKNOWN: such a recipient waits for a report of its ending, or until its money is released.
            Submitted => &[Queued],
            // A report may arrive before the object has noted that the carrier took the message.
            Delivered | Undelivered | Expired => &[Queued, Unknown, Submitted],
            Rejected => &[Queued, Unknown],
            Canceled => &[Scheduled, Queued],
        }
    }

    /// Whether no transition leads from this status.
    pub fn is_final(self) -> bool {
        matches!(self, Delivered | Undelivered | Expired | Rejected | Canceled | Skipped)
    }

    /// Whether it says that a recipient has not got the message, although a carrier was asked to send it.
    pub fn is_failed(self) -> bool {
        matches!(self, Undelivered | Expired | Rejected)
    }

    /// Whether a recipient with a carrier has this status because the carrier took it. One that is REJECTED was refused, and of
    /// one that is UNKNOWN nobody knows.
    pub fn is_taken(self) -> bool {
        matches!(self, Submitted | Delivered | Undelivered | Expired)
    }

    /// Whether at most a report can still change the status. A message is over when all its recipients are resting.
    pub fn is_resting(self) -> bool {
        self.is_final() || self == Unknown
    }
}

named! {
    /// The status of a message, over all its recipients.
    pub enum MessageStatus {
        /// Waits for its time.
        Scheduled => "SCHEDULED",
        /// No recipient has left QUEUED. A carrier may already have the message.
        Queued => "QUEUED",
        /// Some recipients have left QUEUED, and some are not resting yet.
        Sending => "SENDING",
        /// All recipients are resting: each has a final status or is UNKNOWN.
        Done => "DONE",
        /// All recipients are CANCELED.
        Canceled => "CANCELED",
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

numbers!(pub Money Held = 0, Spent = 1, Released = 2, Refunded = 3,);

impl Money {
    /// Whether it is back in the wallet.
    pub fn is_returned(self) -> bool {
        matches!(self, Money::Released | Money::Refunded)
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
        assert_eq!(RecipientStatus::from_code(10), None);
        assert_eq!(RecipientStatus::from_code(-1), None);
    }

    /// The order of the statuses. Each transition must lead to a higher rank.
    fn rank(status: RecipientStatus) -> u8 {
        match status {
            Scheduled => 0,
            Queued => 1,
            Unknown => 2,
            Submitted => 3,
            Delivered | Undelivered | Expired | Rejected | Canceled | Skipped => 4,
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
