//! The forms of names that more than one kind of caller uses: those of carriers, and of what a message is made of.

/// The name of a carrier has at most this many characters.
pub const MAX_CARRIER_NAME: usize = 32;

/// Whether a text can be the name of a carrier: `[a-z0-9-]{2,32}`.
pub fn is_carrier_name(text: &str) -> bool {
    (2..=MAX_CARRIER_NAME).contains(&text.len())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

/// The name of a pattern as a source.
pub fn pattern_source(slug: &str) -> String {
    format!("pattern:{slug}")
}

/// The name of a phonebook as a source.
pub fn phonebook_source(id: &str) -> String {
    format!("phonebook:{id}")
}
