//! Ids that Peyk makes: UUID version 7 (RFC 9562, 5.7), whose order is the order of their making.

use crate::ports::{Platform, PortError};

/// A new id.
pub fn new(platform: &impl Platform) -> Result<String, PortError> {
    let mut random = [0; 10];
    platform.random(&mut random)?;
    let now_ms = u64::try_from(platform.now_ms()).unwrap_or_default();
    Ok(uuid::Builder::from_unix_timestamp_millis(now_ms, &random)
        .into_uuid()
        .to_string())
}
