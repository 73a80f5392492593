//! The text of a message with a code. The storage has it sealed, and only until a carrier has the message: what people read has
//! [`REDACTED`] in the place of the code from the beginning.

use sms::variable::REDACTED;

use crate::auth::secret::{MasterKey, NONCE_BYTES, Purpose};
use crate::base::ports::PortError;

/// A text with a code, on its way into the storage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeText {
    /// The text with the code.
    pub whole: String,
    /// The same, sealed.
    pub sealed: String,
}

/// Seals a text that is made of pieces with the code between them, for one message of an account. `nonce` is random.
pub fn seal(
    master_key: &MasterKey,
    nonce: [u8; NONCE_BYTES],
    (account, message): (&str, i64),
    pieces: &[String],
    code: &str,
) -> Result<CodeText, PortError> {
    let whole = pieces.join(code);
    let keys = master_key.keys(Purpose::CodeText)?;
    let sealed = keys.seal_with(nonce, &owner(account, message), &whole)?;
    Ok(CodeText { whole, sealed })
}

/// Opens the text of a message.
pub fn open(master_key: &MasterKey, (account, message): (&str, i64), sealed: &str) -> Result<String, PortError> {
    let keys = master_key.keys(Purpose::CodeText)?;
    Ok(keys.open(&owner(account, message), sealed)?)
}

/// A sealed text is good for its message only.
fn owner(account: &str, message: i64) -> String {
    format!("{account}/{message}")
}

/// What people read of a text that is made of pieces with the code between them.
pub fn redacted(pieces: &[String]) -> String {
    pieces.join(REDACTED)
}
