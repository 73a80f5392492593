//! Forms of values that several handlers read: names of carriers, slugs, and texts that go to phones.

use sms::text::{self, Measured};

use crate::api::http::forms::Look;
use crate::api::http::json_fields::Place;
use crate::problem::field_error::FieldErrorKind;

/// The name of a carrier has at most this many characters.
pub const MAX_CARRIER_NAME: usize = 32;
/// No text of ten parts, the setting `MAX_PARTS`, has more characters. The document names it as the limit.
pub const MAX_TEXT: usize = 1_530;

/// The slugs of plans and tariffs, which operators choose.
pub static PLAN_SLUG: Look = Look {
    min: 1,
    max: 64,
    pattern: "^[A-Za-z0-9_-]{1,64}$",
    fault: FieldErrorKind::BadFormat("[A-Za-z0-9_-]{1,64}"),
    is_met: is_slug,
};

/// The slugs of patterns, which clients choose.
pub static PATTERN_SLUG: Look = Look {
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

/// Whether a text can be the name of a carrier: `[a-z0-9-]{2,32}`.
pub fn is_carrier_name(text: &str) -> bool {
    (2..=MAX_CARRIER_NAME).contains(&text.len())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

/// Measures a text that goes to phones. Notes a fault if it takes too many parts.
pub fn measured(text: &str, place: &mut Place<'_>) -> Option<Measured> {
    let text = Measured::of(text::normalise(text).into_owned());
    let (parts, max) = (text.segmentation.parts, place.setting.config.max_parts);
    let fits = parts <= max;
    place.take(fits.then_some(text).ok_or(FieldErrorKind::TooManyParts { parts, max }))
}
