//! The text of one recipient, on its way from the request to the account's object.

use sms::price::Operation;
use sms::text::Segmentation;

use super::patterns::Filled;
use crate::account::record::message::RecipientText;
use crate::problem::field_error::FieldErrorKind;

/// The recipients of a message have at most this many bytes on their way to the account's object. Then both sides together
/// stay well below the 128 MB of an isolate.
pub const MAX_RECIPIENTS_BYTES: usize = 8 * 1024 * 1024;

/// The text of a recipient, as the price counts it.
#[derive(Debug)]
pub struct Text {
    /// How it would be sent as it was given.
    pub given: Segmentation,
    /// How it is sent.
    pub sent: Segmentation,
    /// What kind of send it is part of.
    pub operation: Operation,
    /// What it has of its own.
    pub own: Option<RecipientText>,
}

impl Text {
    /// A text that is sent as it was given.
    pub fn as_is(given: Segmentation, operation: Operation, own: Option<RecipientText>) -> Self {
        Text {
            given,
            sent: given,
            operation,
            own,
        }
    }

    /// A text that only one recipient gets.
    pub fn of(filled: Filled, operation: Operation) -> Self {
        Text {
            given: filled.given,
            sent: filled.text.segmentation,
            operation,
            own: Some(filled.into_own()),
        }
    }
}

/// The fault of a message whose recipients have more than [`MAX_RECIPIENTS_BYTES`].
pub fn too_much_text() -> FieldErrorKind {
    FieldErrorKind::TooMuchText {
        max: MAX_RECIPIENTS_BYTES,
    }
}
