//! Addresses that a customer names and the service then calls. [`check`] refuses each address that could lead into a private
//! network or back to the service itself.
//!
//! The invariant: what was checked is what is fetched. So the grammar is narrow: anything that two URL parsers could read in
//! two ways is refused, not repaired. The host is a plain name, an IPv4 address in its usual form, or an IPv6 address in
//! brackets; nothing else. The result is the address in its canonical form, and only that may be fetched.
//!
//! What this can't prevent: a public name that resolves to a private address. The runtime must not reach private networks
//! from a worker; Cloudflare's does not.
//!
//! Sources: RFC 3986, and those of [`Host`].

use thiserror::Error;

use super::host::Host;

/// The longest address, in bytes.
pub const MAX_BYTES: usize = 2_048;

const HTTPS_PORT: u16 = 443;
const HTTP_PORT: u16 = 80;
/// The last port of the system's services. Of these only 443 is allowed: the others are those of mail, shells and the like.
const LAST_SYSTEM_PORT: u16 = 1_023;

/// Whether addresses of this machine are allowed, for development only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loopback {
    /// They are refused.
    Refused,
    /// They are allowed, by `http` too, on any port.
    Allowed,
}

impl From<bool> for Loopback {
    fn from(is_allowed: bool) -> Self {
        if is_allowed {
            Loopback::Allowed
        } else {
            Loopback::Refused
        }
    }
}

/// Why an address is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Refused {
    /// It is too long.
    #[error("must have at most 2048 bytes")]
    TooLong,
    /// It does not begin with `https://`.
    #[error("must begin with https://")]
    NotHttps,
    /// It has a user name or a password.
    #[error("must have no user name and no password")]
    Credentials,
    /// It has a `#`.
    #[error("must have no fragment (#)")]
    Fragment,
    /// A character stands where it may not.
    #[error("has a character that must be percent-encoded")]
    Character,
    /// The host is neither a plain name nor a plain IP address.
    #[error("must have a host that is a full domain name in ASCII, without a dot at its end, or a plain IP address")]
    Host,
    /// The host is not on the public internet.
    #[error("must lead to a host on the public internet")]
    NotPublic,
    /// The host is one of this service.
    #[error("must not lead to this service itself")]
    OwnHost,
    /// The port is none, or one of a service that is no web server.
    #[error("must have the port 443 or one from 1024 to 65535")]
    Port,
}

impl Refused {
    /// The reason in Persian.
    pub fn persian(self) -> &'static str {
        match self {
            Refused::TooLong => "باید حداکثر 2048 بایت باشد",
            Refused::NotHttps => "باید با https:// شروع شود",
            Refused::Credentials => "نباید نام کاربری یا رمز عبور داشته باشد",
            Refused::Fragment => "نباید بخش # داشته باشد",
            Refused::Character => "کاراکتری دارد که باید percent-encode شود",
            Refused::Host => "باید نام کامل دامنه به ASCII و بدون نقطه‌ی پایانی، یا یک IP ساده داشته باشد",
            Refused::NotPublic => "باید به میزبانی در اینترنت عمومی برسد",
            Refused::OwnHost => "نباید به خود همین سرویس برسد",
            Refused::Port => "باید پورت 443 یا پورتی از 1024 تا 65535 داشته باشد",
        }
    }
}

/// Checks an address and returns it in its canonical form. `own` are the hosts of this service.
pub fn check(url: &str, loopback: Loopback, own: &[Host]) -> Result<String, Refused> {
    if url.len() > MAX_BYTES {
        return Err(Refused::TooLong);
    }
    let (scheme, rest) = url.split_once("://").ok_or(Refused::NotHttps)?;
    let scheme = scheme.to_ascii_lowercase();
    if scheme != "https" && scheme != "http" {
        return Err(Refused::NotHttps);
    }
    let end = rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len());
    let (authority, tail) = rest.split_at_checked(end).ok_or(Refused::Host)?;
    if authority.contains('@') {
        return Err(Refused::Credentials);
    }
    let (host, port) = split_port(authority)?;
    let host = Host::parse(host).ok_or(Refused::Host)?;
    let is_local = loopback == Loopback::Allowed && host.is_loopback();
    let default_port = match scheme.as_str() {
        "https" => HTTPS_PORT,
        "http" if is_local => HTTP_PORT,
        _ => return Err(Refused::NotHttps),
    };
    if !is_local && !host.is_public() {
        return Err(Refused::NotPublic);
    }
    if !is_local && own.contains(&host) {
        return Err(Refused::OwnHost);
    }
    let port = port.unwrap_or(default_port);
    if !is_local && port != HTTPS_PORT && port <= LAST_SYSTEM_PORT {
        return Err(Refused::Port);
    }
    check_tail(tail)?;
    let slash = if tail.starts_with('/') { "" } else { "/" };
    Ok(if port == default_port {
        format!("{scheme}://{host}{slash}{tail}")
    } else {
        format!("{scheme}://{host}:{port}{slash}{tail}")
    })
}

/// Splits the port off. The colons of an IPv6 address stand in brackets.
fn split_port(authority: &str) -> Result<(&str, Option<u16>), Refused> {
    let colon = match authority.rfind(']') {
        Some(bracket) => authority
            .get(bracket..)
            .and_then(|rest| rest.find(':'))
            .map(|at| at + bracket),
        None => authority.find(':'),
    };
    let Some((host, port)) = colon.and_then(|at| authority.split_at_checked(at)) else {
        return Ok((authority, None));
    };
    let digits = port.strip_prefix(':').unwrap_or(port);
    let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0');
    let port = digits.parse().ok().filter(|_| is_plain).ok_or(Refused::Port)?;
    Ok((host, Some(port)))
}

/// Checks path and query.
fn check_tail(tail: &str) -> Result<(), Refused> {
    let mut bytes = tail.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'#' => return Err(Refused::Fragment),
            b'%' => {
                let pair = [bytes.next(), bytes.next()];
                if !pair
                    .iter()
                    .all(|digit| digit.is_some_and(|digit| digit.is_ascii_hexdigit()))
                {
                    return Err(Refused::Character);
                }
            }
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => {}
            _ if b"-._~!$&'()*+,;=:@/?".contains(&byte) => {}
            _ => return Err(Refused::Character),
        }
    }
    Ok(())
}
