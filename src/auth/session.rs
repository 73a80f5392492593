//! Sessions of the console: keys that browsers have in place of a key, in a cookie that no script can read.
//!
//! A session is a key of its own, of the same owner. It has what the key has by which it was opened, lasts for half a day at
//! most, and ends with that key. Its form differs from that of other keys, so that a cookie never carries a key, and no header
//! a session.

use super::{is_key, minted};

/// What a session begins with.
pub(super) const SESSION_PREFIX: &str = "peyk_session_";
/// What the code of a link begins with.
pub(super) const LINK_PREFIX: &str = "peyk_link_";
/// The name of the cookie.
pub const COOKIE: &str = "peyk_session";
/// How long a session lasts, in seconds.
pub const LASTS_S: i64 = 12 * 60 * 60;

/// Makes a new session, as [`super::mint`] makes a key.
pub fn mint(random: impl FnMut(&mut [u8])) -> String {
    minted(SESSION_PREFIX, random)
}

/// Makes the code of a link. Whoever has it can open one session.
pub fn mint_link(random: impl FnMut(&mut [u8])) -> String {
    minted(LINK_PREFIX, random)
}

/// Whether a key is a session.
pub fn is_session(key: &str) -> bool {
    key.starts_with(SESSION_PREFIX)
}

/// Whether a key is the code of a link.
pub fn is_link(key: &str) -> bool {
    key.starts_with(LINK_PREFIX)
}

/// The session in the value of a `Cookie` header (RFC 6265, 4.2.1). `None`: the header has no cookie of that name.
pub fn of_cookie(header: Option<&str>) -> Option<&str> {
    let pairs = header?.split(';').filter_map(|pair| pair.trim().split_once('='));
    let mut ours = pairs.filter(|(name, _)| *name == COOKIE);
    ours.next().map(|(_, value)| value)
}

/// Whether the value of the cookie can be a session.
pub fn is_well_formed(value: &str) -> bool {
    is_session(value) && is_key(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::{Mode, checksum_ok, mint as mint_key};

    #[test]
    fn the_cookie_is_found_among_others() {
        for (header, value) in [
            ("peyk_session=peyk_session_1", Some("peyk_session_1")),
            ("a=1; peyk_session=x; b=2", Some("x")),
            ("a=1;peyk_session=x", Some("x")),
            ("peyk_session=", Some("")),
            ("xpeyk_session=x", None),
            ("a=peyk_session", None),
            ("", None),
        ] {
            assert_eq!(of_cookie(Some(header)), value, "{header}");
        }
        assert_eq!(of_cookie(None), None);
    }

    #[test]
    fn a_session_is_told_from_a_key_and_has_a_checksum_as_well() {
        let session = mint(|bytes| bytes.fill(7));
        assert!(is_well_formed(&session) && checksum_ok(&session), "{session}");
        let wrong = format!("{}0", session.get(..session.len() - 1).unwrap());
        assert!(!checksum_ok(&wrong) || wrong == session, "{wrong}");
        for mode in Mode::ALL {
            assert!(!is_session(&mint_key(mode, |bytes| bytes.fill(7))));
        }
        assert!(!is_well_formed("peyk_session_\u{e9}") && !is_well_formed("") && !is_well_formed("other"));
    }
}
