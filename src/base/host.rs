//! Hosts: names and IP addresses in their one plain form, and which of them are this machine or on the public internet.
//!
//! Sources: RFC 6890 and IANA's registries of special-purpose addresses, RFC 6761 and RFC 6762 (special names), the WHATWG URL
//! standard (what makes a host an IPv4 address).

use std::net::{Ipv4Addr, Ipv6Addr};

/// The host of an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Host {
    /// A name, in lower case.
    Name(String),
    /// An IPv4 address.
    V4(Ipv4Addr),
    /// An IPv6 address.
    V6(Ipv6Addr),
}

impl std::fmt::Display for Host {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Host::Name(name) => formatter.write_str(name),
            Host::V4(address) => write!(formatter, "{address}"),
            Host::V6(address) => write!(formatter, "[{address}]"),
        }
    }
}

impl Host {
    /// Reads a host in its one plain form: a name of labels, an IPv4 address of four numbers, or an IPv6 address in brackets.
    pub fn parse(text: &str) -> Option<Host> {
        if let Some(inner) = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            return inner.parse().map(Host::V6).ok();
        }
        // A parser of the web reads a host as an IPv4 address if its last label begins like a number. All such forms but the
        // usual one are refused.
        let last = text.rsplit('.').next().unwrap_or_default();
        if last.starts_with(|first: char| first.is_ascii_digit()) {
            return text.parse().map(Host::V4).ok();
        }
        let name = text.to_ascii_lowercase();
        (name.len() <= 253 && name.split('.').all(is_label)).then_some(Host::Name(name))
    }

    /// Whether it is this machine.
    pub fn is_loopback(&self) -> bool {
        match self {
            Host::Name(name) => name == "localhost",
            Host::V4(address) => address.is_loopback(),
            Host::V6(address) => address.is_loopback(),
        }
    }

    /// Whether it is on the public internet.
    pub fn is_public(&self) -> bool {
        match self {
            Host::Name(name) => is_public_name(name),
            Host::V4(address) => is_public_v4(*address),
            Host::V6(address) => is_public_v6(*address),
        }
    }
}

fn is_label(label: &str) -> bool {
    let is_edge = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric());
    label.len() <= 63
        && is_edge(label.bytes().next())
        && is_edge(label.bytes().last())
        && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

/// The last labels of names that are not in the public DNS, or that are answered inside of a network.
const PRIVATE_ENDINGS: &[&str] = &[
    "arpa",
    "corp",
    "home",
    "internal",
    "intranet",
    "invalid",
    "lan",
    "local",
    "localdomain",
    "localhost",
    "onion",
    "private",
];

/// A name without a dot is one of the local network.
fn is_public_name(name: &str) -> bool {
    let ending = name.rsplit_once('.').map(|(_, ending)| ending);
    ending.is_some_and(|ending| !PRIVATE_ENDINGS.contains(&ending))
}

/// IANA's special-purpose IPv4 addresses: first address and length of the prefix.
const SPECIAL_V4: &[([u8; 4], u32)] = &[
    ([0, 0, 0, 0], 8),
    ([10, 0, 0, 0], 8),
    ([100, 64, 0, 0], 10),
    ([127, 0, 0, 0], 8),
    // The metadata services of clouds are here.
    ([169, 254, 0, 0], 16),
    ([172, 16, 0, 0], 12),
    ([192, 0, 0, 0], 24),
    ([192, 0, 2, 0], 24),
    ([192, 88, 99, 0], 24),
    ([192, 168, 0, 0], 16),
    ([198, 18, 0, 0], 15),
    ([198, 51, 100, 0], 24),
    ([203, 0, 113, 0], 24),
    // Multicast, reserved and broadcast.
    ([224, 0, 0, 0], 3),
];

fn is_public_v4(address: Ipv4Addr) -> bool {
    let bits = u32::from(address);
    !SPECIAL_V4.iter().any(|(first, length)| {
        let shift = 32_u32.saturating_sub(*length);
        bits.checked_shr(shift) == u32::from_be_bytes(*first).checked_shr(shift)
    })
}

/// IANA's special-purpose addresses among the global unicast ones: first segments and length of the prefix.
const SPECIAL_V6: &[([u16; 2], u32)] = &[
    // Protocol assignments, with Teredo, benchmarking and ORCHID.
    ([0x2001, 0], 23),
    ([0x2001, 0x0db8], 32),
    // 6to4, which has an IPv4 address inside.
    ([0x2002, 0], 16),
    ([0x3fff, 0], 20),
];

/// Only global unicast, 2000::/3, is public. All else is local, multicast, reserved, or has an IPv4 address inside.
fn is_public_v6(address: Ipv6Addr) -> bool {
    let [first, second, ..] = address.segments();
    let bits = (u32::from(first) << 16) | u32::from(second);
    let is_special = SPECIAL_V6.iter().any(|([first, second], length)| {
        let shift = 32_u32.saturating_sub(*length);
        bits.checked_shr(shift) == ((u32::from(*first) << 16) | u32::from(*second)).checked_shr(shift)
    });
    first >> 13 == 1 && !is_special
}

/// The host in an address: what stands between its scheme and its port.
pub fn host_of(url: &str) -> Option<Host> {
    let (_, rest) = url.split_once("://")?;
    let authority = rest.split(['/', '?', '#', '\\']).next()?;
    let port_at = authority.rfind(':').filter(|at| authority.rfind(']') < Some(*at));
    Host::parse(port_at.and_then(|at| authority.get(..at)).unwrap_or(authority))
}

/// Whether others can read what goes to this address: it is neither encrypted nor on this machine.
pub fn is_exposed(url: &str) -> bool {
    let is_encrypted = url
        .get(..8)
        .is_some_and(|scheme| scheme.eq_ignore_ascii_case("https://"));
    !is_encrypted && !host_of(url).is_some_and(|host| host.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_without_encryption_to_another_machine_is_exposed() {
        for safe in [
            "https://sms.example.com",
            "HTTPS://sms.example.com/a",
            "http://127.0.0.1:8787",
            "http://127.9.8.7/",
            "http://localhost:8787/v1?a",
            "http://LOCALHOST",
            "http://[::1]:8787",
            "http://[::1]",
        ] {
            assert!(!is_exposed(safe), "{safe}");
        }
        for exposed in [
            "",
            "http://",
            "sms.example.com",
            "http://sms.example.com",
            "http://10.0.0.5:8787",
            "http://localhost.example.com",
            "http://127.0.0.1.example.com",
            "http://127.1",
            "http://128.0.0.1",
            "http://[::2]:1",
            "http://[::ffff:7f00:1]",
            "http://localhost@sms.example.com",
            "http://sms.example.com?://localhost",
            "ftp://sms.example.com",
            "https:/sms.example.com",
        ] {
            assert!(is_exposed(exposed), "{exposed}");
        }
    }
}
