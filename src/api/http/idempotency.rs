//! Reads the `Idempotency-Key` of a request, and makes the hash that tells one request from another.

use std::fmt::Write;

use sha2::{Digest, Sha256};

use super::json_fields::Fields;
use crate::api::http::{self, Head};
use crate::problem::field_error::{FieldError, FieldErrorKind};

const HEADER: &str = "Idempotency-Key";
const FORM: FieldErrorKind = FieldErrorKind::BadForm(
    "1 to 255 visible ASCII characters, or such a quoted string",
    "1 تا 255 کاراکتر قابل چاپ ASCII، یا همان در گیومه‌ی \"",
);

/// The client's idempotency key, if the request has one. Notes a fault of the header in `fields`.
pub fn read_key(head: &Head, fields: &mut Fields<'_>) -> Option<String> {
    let key = http::idempotency_key(head.idempotency_key.as_deref()?);
    if key.is_none() {
        fields.push(FieldError::of(HEADER, FORM));
    }
    key
}

/// The fault of a key that came with another request before.
pub fn mismatch() -> FieldError {
    FieldError::of(HEADER, FieldErrorKind::UsedForAnotherRequest)
}

/// SHA-256 of an endpoint and a body, in hex. Two requests with the same hash are the same request.
pub fn request_hash(endpoint: &str, body: &[u8]) -> String {
    let digest = Sha256::new()
        .chain_update(endpoint)
        .chain_update([0])
        .chain_update(body)
        .finalize();
    digest.iter().fold(String::with_capacity(64), |mut hex, byte| {
        // Writing to a string can't fail.
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}
