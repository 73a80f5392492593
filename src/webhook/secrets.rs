//! The secrets of an endpoint as they are stored: each sealed for its endpoint, with when it ends. The invariant: no secret stands
//! in the object's storage as it is.
//!
//! While the service's key is being changed, [`renew`] seals anew what the old key has sealed.

use super::signing;
use crate::auth::secret::{Keys, Purpose, SecretError};
use crate::base::ports::{Platform, PortError};
use crate::base::time::DAY_MS;
use crate::durable::to_json;

/// How long the secret before a rotation signs too, ms.
const GRACE_MS: i64 = DAY_MS;
/// The most secrets that sign: beyond, rotations in quick succession end the oldest one sooner.
const MAX_SECRETS: usize = 5;

/// A sealed secret and when it ends, ms since the Unix epoch; `None`: it is the newest.
pub type Sealed = (String, Option<i64>);

/// Whom a secret is sealed for: no other endpoint's name opens it.
#[derive(Debug, Clone, Copy)]
pub struct Owner<'a> {
    /// The account.
    pub account: &'a str,
    /// The endpoint's id.
    pub endpoint: &'a str,
}

impl Owner<'_> {
    fn name(self) -> String {
        format!("{}/{}", self.account, self.endpoint)
    }
}

fn keys(platform: &impl Platform) -> Result<Keys, SecretError> {
    Keys::of(platform, Purpose::WebhookSecrets)
}

/// Reads the column `secrets`: the newest first.
pub fn read(json: &str) -> Result<Vec<Sealed>, PortError> {
    serde_json::from_str(json).map_err(|error| PortError::json("endpoint", &error))
}

/// When those that end do so, ms since the Unix epoch.
pub fn ends_ms(json: &str) -> Result<Vec<i64>, PortError> {
    Ok(read(json)?.into_iter().filter_map(|(_, end_ms)| end_ms).collect())
}

/// Makes a secret. Gives it and the column with it before those of the column `before`, which sign for a day more.
pub fn with_new(platform: &impl Platform, owner: Owner<'_>, before: &str) -> Result<(String, String), PortError> {
    let now_ms = platform.now_ms();
    let secret = signing::new_secret(platform)?;
    let mut secrets = read(before)?;
    secrets.retain(|(_, end_ms)| end_ms.is_none_or(|end_ms| now_ms < end_ms));
    for (_, end_ms) in &mut secrets {
        *end_ms = end_ms.or(Some(now_ms.saturating_add(GRACE_MS)));
    }
    secrets.insert(0, (keys(platform)?.seal(platform, &owner.name(), &secret)?, None));
    secrets.truncate(MAX_SECRETS);
    Ok((secret, to_json(&secrets)?))
}

/// Those of the secrets in the column `secrets` that sign at this time, the newest first. One that no key opens is left out, but not the
/// newest.
pub fn signing(platform: &impl Platform, owner: Owner<'_>, json: &str) -> Result<Vec<String>, PortError> {
    let (keys, now_ms) = (keys(platform)?, platform.now_ms());
    let mut secrets = read(json)?;
    secrets.retain(|(_, end_ms)| end_ms.is_none_or(|end_ms| now_ms < end_ms));
    let opened = secrets
        .iter()
        .map(|(sealed, end_ms)| (keys.open(&owner.name(), sealed), end_ms));
    let good = opened.filter(|(opened, end_ms)| opened.is_ok() || end_ms.is_none());
    Ok(good.map(|(opened, _)| opened).collect::<Result<_, _>>()?)
}

/// The column with each secret sealed by the newest key. One that no key opens stays as it is.
pub fn renew(platform: &impl Platform, owner: Owner<'_>, json: &str) -> Result<String, PortError> {
    let keys = keys(platform)?;
    let mut secrets = read(json)?;
    for (sealed, _) in &mut secrets {
        if let Ok(secret) = keys.open(&owner.name(), sealed) {
            *sealed = keys.seal(platform, &owner.name(), &secret)?;
        }
    }
    to_json(&secrets)
}
