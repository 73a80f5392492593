//! What an account's object makes with the secret of the service.

use super::digests::Digests;
use crate::account::codes::Codes;
use crate::account::record::message::code_text::CodeTexts;
use crate::base::ports::Platform;

/// Makes all that needs the secret. Without the secret, each fails when it is needed.
#[derive(Debug, Clone, Default)]
pub struct Keyring {
    /// The digests by which erased numbers stay blocked.
    pub digests: Digests,
    /// The codes of verifications.
    pub codes: Codes,
    /// The texts that have such a code.
    pub texts: CodeTexts,
}

impl Keyring {
    /// Makes them with the secret of the service, if it has one.
    pub fn of(platform: &impl Platform) -> Self {
        Keyring {
            digests: Digests::of(platform),
            codes: Codes::of(platform),
            texts: CodeTexts::of(platform),
        }
    }
}
