//! Verifications: codes that Peyk makes, sends and checks.
//!
//! A verification is for one recipient and one purpose. It is made together with the message that brings its code, and has the
//! number of that message. So nothing but the row of the verification itself is written beside what a message writes: who looks
//! for the pending verification of a recipient finds it by the recipient's newest messages.
//!
//! The invariants: a recipient has at most one pending verification of a purpose and a mode. A verification leaves PENDING once,
//! and is approved at most once. The storage never has the code: it has a random seed, of which the secret of the service makes
//! the code ([`codes`](crate::account::codes)), and forgets the seed with the end. Each check is counted in the transaction that compares. What of its
//! messages has not left when it ends is canceled, with its money.

pub mod check;
pub mod end;
pub mod guard;
pub mod limits;
pub mod read;
pub mod row;
pub mod start;
pub mod stats;
pub mod upkeep;

use serde::{Deserialize, Serialize};

use crate::base::named::{Named, named};

/// The longest time in which a code can be checked, ms.
pub const MAX_TTL_MS: i64 = 900_000;

named! {
    /// How far a verification has come.
    pub enum VerifyStatus {
        /// Its code can be checked.
        Pending = 0 => "PENDING",
        /// The code was right.
        Approved = 1 => "APPROVED",
        /// As many codes were wrong as may be.
        Failed = 2 => "FAILED",
        /// Its time is over.
        Expired = 3 => "EXPIRED",
        /// The account has taken it back.
        Canceled = 4 => "CANCELED",
        /// The guard let no message go.
        Blocked = 5 => "BLOCKED",
    }
}

/// A verification as the object tells it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct VerificationView {
    /// Its id.
    pub uid: String,
    /// How far it has come.
    pub status: Named<VerifyStatus>,
    /// Whether a test key has made it.
    #[serde(default)]
    pub test: bool,
    /// Whose number is verified.
    pub msisdn: u64,
    /// What for.
    pub purpose: String,
    /// The line of its newest message.
    pub line: String,
    /// When it was made, ms since the Unix epoch, as all its times.
    pub created_ms: i64,
    /// Until when its code can be checked.
    pub expires_ms: i64,
    /// When it ended.
    pub ended_ms: Option<i64>,
    /// From when on its code is sent again, or a new one; `None` once it has ended.
    pub resend_ms: Option<i64>,
    /// How many codes may still be wrong or right.
    pub attempts_left: u32,
    /// The uid of its newest message; `None` if it has none.
    pub message: Option<String>,
    /// How many messages have brought its code.
    pub sends: u32,
    /// What its messages cost.
    pub cost: i64,
    /// The client's own reference.
    pub client_ref: Option<String>,
}
