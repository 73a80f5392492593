//! Keyed digests of numbers, one number's in one account. Nobody tells a number from its digest without the secret of the service.

use crate::auth::hex;
use crate::auth::secret::{Keys, Purpose, SecretError};
use crate::base::ports::{Platform, PortError};

/// Makes digests.
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
