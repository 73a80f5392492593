//! What an account's object makes with the secret of the service.

use crate::account::codes::Codes;
use crate::account::record::message::code_text::CodeTexts;
use crate::auth::hex;
use crate::auth::secret::{Keys, Purpose, SecretError};
use crate::base::ports::{Platform, PortError};

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

/// Makes keyed digests of numbers, one number's in one account. Nobody tells a number from its digest without the secret.
#[derive(Debug, Clone, Default)]
pub struct Digests(Option<Keys>);

impl Digests {
    /// Makes them with the secret of the service, if it has one.
    pub fn of(platform: &impl Platform) -> Self {
        Digests(Keys::of(platform, Purpose::BlockedDigest).ok())
    }

    /// The digests of an account's number: by the secret as it is, and by the one before.
    pub fn make(&self, account: &str, msisdn: u64) -> Result<Vec<String>, PortError> {
        let keys = self.0.as_ref().ok_or(SecretError::Missing)?;
        let tags = keys.tags(&[account.as_bytes(), b"/", msisdn.to_string().as_bytes()]);
        Ok(tags.iter().map(|tag| hex(tag)).collect())
    }
}
