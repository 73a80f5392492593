//! How a message ends that goes to no real phone: by the last digits of its number. Messages of test keys and the sandbox
//! carrier end so.

use super::status::RecipientStatus;

/// The ending of a message to this number.
pub fn ending(msisdn: u64) -> RecipientStatus {
    match msisdn % 1_000 {
        901 => RecipientStatus::Rejected,
        902 => RecipientStatus::Undelivered,
        903 => RecipientStatus::Expired,
        904 => RecipientStatus::Unknown,
        _ => RecipientStatus::Delivered,
    }
}
