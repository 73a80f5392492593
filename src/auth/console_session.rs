//! Sessions of the console: keys that browsers have in place of a key, in a cookie that no script can read.
//!
//! A session is a key of its own, of the same owner. It has what the key has by which it was opened, lasts for half a day at
//! most, and ends with that key. Its form differs from that of other keys, so that a cookie never carries a key, and no header
//! a session.

use super::{LINK_PREFIX, SESSION_PREFIX, is_key, minted};
use crate::base::named::named;

/// The name of the cookie of a session.
pub const COOKIE: &str = "peyk_session";
/// Over HTTPS, cookies have this before their names: a browser takes such a cookie from this host alone, over HTTPS, and sends it to
/// nobody else (RFC 6265bis, 4.1.3.2).
const HOST_PREFIX: &str = "__Host-";
/// How long a session lasts, in seconds.
pub const LASTS_S: i64 = 12 * 60 * 60;

named! {
    /// By what a member has signed in.
    pub enum SignedInBy {
        /// A code that came by SMS: the person has the phone.
        Code => "CODE",
        /// A passkey.
        Passkey => "PASSKEY",
        /// A link that somebody has given to the person.
        Link => "LINK",
    }
}

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

/// A cookie of the service that `origin` is, in the value of a `Cookie` header (RFC 6265, 4.2.1): the first that can be one, or else the
/// first of that name. `None`: the header has none of that name.
pub fn of_cookie<'a>(
    header: Option<&'a str>,
    origin: &str,
    name: &str,
    can_be: impl Fn(&str) -> bool,
) -> Option<&'a str> {
    let pairs = header?.split(';').filter_map(|pair| pair.trim().split_once('='));
    let ours = pairs.filter(|(written, _)| written.strip_prefix(prefix(origin)) == Some(name));
    let mut values = ours.map(|(_, value)| value).peekable();
    let first = values.peek().copied();
    values.find(|value| can_be(value)).or(first)
}

fn prefix(origin: &str) -> &'static str {
    if is_https(origin) { HOST_PREFIX } else { "" }
}

fn is_https(origin: &str) -> bool {
    origin.starts_with("https:")
}

/// The header that sets a cookie for so many seconds. Browsers send it back to this service only, and with requests of its own pages
/// only. They take it over plain HTTP on this machine alone, where no other connection is served.
pub fn set_cookie(origin: &str, name: &str, value: &str, lasts_s: i64) -> (&'static str, String) {
    let secure = if is_https(origin) { "; Secure" } else { "" };
    let name = format!("{}{name}", prefix(origin));
    let cookie = format!("{name}={value}; Path=/; HttpOnly; SameSite=Strict; Max-Age={lasts_s}{secure}");
    ("Set-Cookie", cookie)
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
            let found = |header: &'static str, origin| of_cookie(Some(header), origin, COOKIE, |_| true);
            assert_eq!(found(header, "http://127.0.0.1:8787"), value, "{header}");
            assert_eq!(found(header, "https://sms.example.com"), None, "{header}");
        }
        let header = Some("peyk_session=x; __Host-peyk_session=y; __Host-peyk_session=peyk_session_1");
        let of_host = |can_be: fn(&str) -> bool| of_cookie(header, "https://sms.example.com", COOKIE, can_be);
        assert_eq!(of_host(is_session), Some("peyk_session_1"));
        assert_eq!(of_host(|_| false), Some("y"));
        assert_eq!(of_cookie(None, "", COOKIE, |_| true), None);
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
