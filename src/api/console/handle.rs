//! What a passkey has as its user's id: the account and the member, 16 bytes each. So a passkey says where to ask about it, and
//! nobody has to type a phone number.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use uuid::Uuid;

use crate::account::OPERATOR;

const HALF: usize = 16;

/// A member of an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Handle {
    /// The id of the account; that of the operators' pseudo account, if the person is one.
    pub account: String,
    /// The id of the member.
    pub member: String,
}

/// The handle as browsers have it, base64url. `None`: the ids are no UUIDs. The operators stand as zeros.
pub fn written(account: &str, member: &str) -> Option<String> {
    let account = match account {
        OPERATOR => Uuid::nil(),
        account => Uuid::parse_str(account).ok()?,
    };
    let member = Uuid::parse_str(member).ok()?;
    Some(URL_SAFE_NO_PAD.encode([*account.as_bytes(), *member.as_bytes()].concat()))
}

/// Reads a handle.
pub fn parse(text: &str) -> Option<Handle> {
    let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
    let (account, member) = bytes.split_first_chunk::<HALF>()?;
    let account = match Uuid::from_bytes(*account) {
        account if account.is_nil() => OPERATOR.to_owned(),
        account => account.to_string(),
    };
    let member = Uuid::from_slice(member).ok()?.to_string();
    Some(Handle { account, member })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handle_is_read_as_it_was_written() {
        let member = "019b796d-0000-7000-8000-000000000002";
        for account in [OPERATOR, "019b796d-0000-7000-8000-000000000001"] {
            let written = written(account, member).unwrap();
            let (account, member) = (account.to_owned(), member.to_owned());
            assert_eq!(parse(&written), Some(Handle { account, member }));
        }
        assert_eq!(written("no-uuid", member), None);
        for text in ["", "AA", "AAAAAAAAAAAAAAAAAAAAAA", "%"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
