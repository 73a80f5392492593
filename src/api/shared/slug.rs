//! The slugs that clients choose: letters, digits, `_` and `-`.

use crate::api::http::forms::Look;
use crate::problem::field_error::FieldErrorKind;

/// The slugs of plans and tariffs.
pub static PLAN: Look = Look {
    min: 1,
    max: 64,
    pattern: "^[A-Za-z0-9_-]{1,64}$",
    fault: FieldErrorKind::BadFormat("[A-Za-z0-9_-]{1,64}"),
    is_met: is_slug,
};

/// The slugs of patterns.
pub static PATTERN: Look = Look {
    min: 3,
    max: 64,
    pattern: "^[A-Za-z0-9_-]{3,64}$",
    fault: FieldErrorKind::BadFormat("[A-Za-z0-9_-]{3,64}"),
    is_met: is_slug,
};

fn is_slug(text: &str) -> bool {
    text.bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}
