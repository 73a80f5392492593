//! Why a recipient did not get a message. The names are stable: clients' programs decide by them.

use serde::{Deserialize, Serialize};

use crate::base::named::named;

/// The carrier's own code has at most this many characters.
const MAX_CODE_CHARS: usize = 64;

named! {
    /// Why a recipient did not get a message.
    pub enum DeliveryError {
        /// The phone was off or out of reach for as long as the message was valid.
        AbsentSubscriber => "ABSENT_SUBSCRIBER",
        /// No subscriber has this number.
        UnknownSubscriber => "UNKNOWN_SUBSCRIBER",
        /// The network or the subscriber takes no such messages.
        Blocked => "BLOCKED",
        /// The carrier refused the text.
        ContentRefused => "CONTENT_REFUSED",
        /// The carrier refused the line as a sender.
        SenderRefused => "SENDER_REFUSED",
        /// The time was over before the message was delivered.
        Expired => "EXPIRED",
        /// No report came before the deadline for reports: the phone may have the message.
        NoReport => "NO_REPORT",
        /// The number is on the blacklist, and the request leaves such numbers out.
        Blacklisted => "BLACKLISTED",
        /// The account does not send to such numbers. A campaign leaves them out.
        NotADestination => "NOT_A_DESTINATION",
        /// The recipient's own text would be empty, or have too many parts. A campaign leaves such recipients out.
        TextNotSendable => "TEXT_NOT_SENDABLE",
        /// The recipient has got as many messages of patterns as the account may send it for now. A campaign leaves it out.
        RecipientLimit => "RECIPIENT_LIMIT",
        /// The carrier gave another reason, or none. What only another version knows is read as this.
        #[serde(other)]
        CarrierError => "CARRIER_ERROR",
    }
}

/// Why a recipient was refused or not delivered to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Cause {
    /// The reason, in Peyk's words.
    pub error: DeliveryError,
    /// The carrier's own code, for operators.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
}

impl Cause {
    /// A cause. A long code is cut: it came from outside.
    pub fn new(error: DeliveryError, code: Option<&str>) -> Self {
        let cut = |code: &str| code.chars().filter(|c| !c.is_control()).take(MAX_CODE_CHARS).collect();
        Cause {
            error,
            code: code.map(cut),
        }
    }
}

impl From<DeliveryError> for Cause {
    fn from(error: DeliveryError) -> Self {
        Cause { error, code: None }
    }
}
