//! Keyed digests of numbers, one number's in one account. Nobody tells a number from its digest without the secret of the service.

use crate::auth::hex;
use crate::auth::secret::{MasterKey, Purpose};
use crate::base::ports::PortError;

/// The digests of an account's number: by the secret as it is, and by the one before.
pub fn make(master_key: &MasterKey, account: &str, msisdn: u64) -> Result<Vec<String>, PortError> {
    let keys = master_key.keys(Purpose::BlockedDigest)?;
    let tags = keys.tags(&[account.as_bytes(), b"/", msisdn.to_string().as_bytes()]);
    Ok(tags.iter().map(|tag| hex(tag)).collect())
}
