//! The form of the names of carriers, which operators and gateways write.

/// The name of a carrier has at most this many characters.
pub const MAX_CARRIER_NAME: usize = 32;

/// Whether a text can be the name of a carrier: `[a-z0-9-]{2,32}`.
pub fn is_carrier_name(text: &str) -> bool {
    (2..=MAX_CARRIER_NAME).contains(&text.len())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}
