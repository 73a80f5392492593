//! The status callback that a door asks for with a send.

use crate::account::record::message::callback::CallbackFormat;
use crate::auth::signing_key::SigningKey;

/// Who is to hear what becomes of the recipient of a send. Only a door sets it: no header and no member of a body does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatusCallback {
    /// Its form.
    pub format: CallbackFormat,
    /// The address, as the program has named it. Nobody has checked it.
    pub url: String,
    /// The account, as the program names it.
    pub account: String,
    /// The key that signs.
    pub key: SigningKey,
}

impl StatusCallback {
    /// A callback in Twilio's form, signed with the API key that the program calls with. `account` is the SID of its account.
    pub fn twilio(url: &str, account: &str, api_key: &str) -> Self {
        StatusCallback {
            format: CallbackFormat::Twilio,
            url: url.to_owned(),
            account: account.to_owned(),
            key: SigningKey::of(api_key.as_bytes()),
        }
    }
}
