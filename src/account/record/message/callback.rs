//! Status callbacks: a send may name an address that hears of each change of its recipient's status, in the form of another
//! provider's protocol. Only a door asks for one.
//!
//! The message has it until its recipient has come to its ending, or nobody waits for a report any more: nothing is told after
//! that.

use serde::{Deserialize, Serialize};

use crate::base::named::named;
use crate::base::record::json_columns;

named! {
    /// The protocol in whose form a callback is made and signed.
    pub enum CallbackFormat {
        /// Twilio's.
        Twilio => "twilio",
    }
}

/// A status callback that a message has, as it is stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Callback {
    /// Its form. It also says what the other members are.
    pub format: CallbackFormat,
    /// The address, checked and in its canonical form.
    pub url: String,
    /// The account, as the program has named it.
    pub account: String,
    /// The [key](crate::auth::signing_key::SigningKey) that signs, sealed for the account.
    pub key: String,
}

json_columns!(Callback);
