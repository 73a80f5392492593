//! Texts that go to phones: they must not take too many parts.

use sms::text::{self, Measured};

use crate::api::http::json_fields::Place;
use crate::problem::field_error::FieldErrorKind;

/// No text of ten parts, the setting `MAX_PARTS`, has more characters. The document names it as the limit.
pub const MAX_CHARS: usize = 1_530;

/// Measures a text. Notes a fault if it takes too many parts.
pub fn measured(text: &str, place: &mut Place<'_>) -> Option<Measured> {
    let text = Measured::of(text::normalise(text).into_owned());
    let (parts, max) = (text.segmentation.parts, place.setting.config.max_parts);
    let fits = parts <= max;
    place.take(fits.then_some(text).ok_or(FieldErrorKind::TooManyParts { parts, max }))
}
