//! The slugs that clients choose: letters, digits, `_` and `-`.

use crate::api::http::json_fields::Fields;
use crate::api::problem::field_error::FaultKind;

const MAX_CHARS: usize = 64;

/// How a kind of slug has to look.
pub struct SlugRule {
    min_chars: usize,
    form: &'static str,
}

/// The slugs of plans and tariffs.
pub const PLAN: SlugRule = SlugRule {
    min_chars: 1,
    form: "[A-Za-z0-9_-]{1,64}",
};

/// The slugs of patterns.
pub const PATTERN: SlugRule = SlugRule {
    min_chars: 3,
    form: "[A-Za-z0-9_-]{3,64}",
};

impl SlugRule {
    /// Reads a slug.
    pub fn read<'a>(&self, fields: &mut Fields<'a>, name: &str) -> Option<&'a str> {
        fields.formed(name, MAX_CHARS, FaultKind::BadFormat(self.form), |text| {
            self.is_met(text)
        })
    }

    fn is_met(&self, text: &str) -> bool {
        text.len() >= self.min_chars
            && text
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
    }
}
