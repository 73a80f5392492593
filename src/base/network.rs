//! Networks of IP addresses, as CIDR (RFC 4632, RFC 4291 §2.3) writes them. An address of IPv6 that stands for one of IPv4
//! (`::ffff:0:0/96`) is that one.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::base::cache::Weigh;
use crate::base::record::Word;

/// The bits before an IPv4 address in the IPv6 address that stands for it.
const MAPPED_BITS: u8 = 96;

/// Addresses that begin with the same bits. One address is a network, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Network {
    /// The first address.
    first: IpAddr,
    /// How many bits all of them begin with.
    bits: u8,
}

impl Network {
    /// Reads an address, or an address and the count of its fixed bits: `192.0.2.7`, `192.0.2.0/24`, `2001:db8::/32`. The other bits
    /// may be anything.
    pub fn parse(text: &str) -> Option<Network> {
        let (address, bits) = match text.split_once('/') {
            Some((address, bits)) => (address, Some(bits)),
            None => (text, None),
        };
        let address: IpAddr = address.parse().ok()?;
        let most = width(address);
        let bits = match bits {
            Some(bits) if bits.bytes().all(|byte| byte.is_ascii_digit()) => bits.parse().ok()?,
            Some(_) => return None,
            None => most,
        };
        (bits <= most).then(|| Network::of(address, bits))
    }

    fn of(address: IpAddr, bits: u8) -> Network {
        match (address.to_canonical(), bits.checked_sub(MAPPED_BITS)) {
            (IpAddr::V4(mapped), Some(bits)) if address.is_ipv6() => Network::masked(mapped.into(), bits),
            _ => Network::masked(address, bits),
        }
    }

    fn masked(address: IpAddr, bits: u8) -> Network {
        Network {
            first: mask(address, bits),
            bits,
        }
    }

    /// Whether an address is one of these.
    pub fn has(&self, address: IpAddr) -> bool {
        mask(address.to_canonical(), self.bits) == self.first
    }

    /// Whether all addresses of the other network are among these.
    pub fn includes(&self, other: &Network) -> bool {
        self.bits <= other.bits && mask(other.first, self.bits) == self.first
    }
}

fn width(address: IpAddr) -> u8 {
    if address.is_ipv4() { 32 } else { 128 }
}

/// The address with zeros behind its first `bits`.
fn mask(address: IpAddr, bits: u8) -> IpAddr {
    match address {
        IpAddr::V4(address) => {
            let mask = u32::MAX.checked_shl(32_u32.saturating_sub(bits.into())).unwrap_or(0);
            Ipv4Addr::from_bits(address.to_bits() & mask).into()
        }
        IpAddr::V6(address) => {
            let mask = u128::MAX.checked_shl(128_u32.saturating_sub(bits.into())).unwrap_or(0);
            Ipv6Addr::from_bits(address.to_bits() & mask).into()
        }
    }
}

impl Word for Network {
    fn word(&self) -> String {
        self.to_string()
    }

    fn of_word(word: &str) -> Option<Self> {
        Network::parse(word)
    }
}

impl fmt::Display for Network {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.bits == width(self.first) {
            write!(formatter, "{}", self.first)
        } else {
            write!(formatter, "{}/{}", self.first, self.bits)
        }
    }
}

impl Serialize for Network {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Network {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Network::parse(&text).ok_or_else(|| serde::de::Error::custom("no network"))
    }
}

impl Weigh for Network {
    fn heap(&self) -> usize {
        0
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn network(text: &str) -> Network {
        Network::parse(text).unwrap()
    }

    #[test]
    fn a_network_has_one_form() {
        for (written, form) in [
            ("192.0.2.7", "192.0.2.7"),
            ("192.0.2.7/32", "192.0.2.7"),
            ("192.0.2.7/24", "192.0.2.0/24"),
            ("0.0.0.0/0", "0.0.0.0/0"),
            ("255.255.255.255/1", "128.0.0.0/1"),
            ("2001:DB8:0:0::1", "2001:db8::1"),
            ("2001:db8::1/128", "2001:db8::1"),
            ("2001:db8:1::/32", "2001:db8::/32"),
            ("::/0", "::/0"),
            ("::ffff:192.0.2.7", "192.0.2.7"),
            ("::ffff:192.0.2.7/120", "192.0.2.0/24"),
            ("::ffff:0:0/96", "0.0.0.0/0"),
            ("::ffff:0:0/95", "::fffe:0:0/95"),
        ] {
            assert_eq!(network(written).to_string(), form, "{written}");
        }
        for bad in [
            "",
            "x",
            "192.0.2",
            "192.0.2.256",
            "192.0.2.0/33",
            "192.0.2.0/",
            "192.0.2.0/-1",
            "192.0.2.0/+8",
            "/8",
            "192.0.2.0/8/8",
            "2001:db8::/129",
            "2001:db8::g",
            "192.0.2.0 /8",
            " 192.0.2.0",
            "010.0.0.1",
            "fe80::1%eth0",
            "192.0.2.0/999",
        ] {
            assert_eq!(Network::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn an_address_of_one_kind_is_in_no_network_of_the_other() {
        let any = [network("0.0.0.0/0"), network("::/0")];
        for (address, expected) in [
            ("192.0.2.7", [true, false]),
            ("::ffff:192.0.2.7", [true, false]),
            ("2001:db8::1", [false, true]),
            ("::", [false, true]),
        ] {
            let address: IpAddr = address.parse().unwrap();
            assert_eq!(any.map(|network| network.has(address)), expected, "{address}");
        }
        assert!(!any[0].includes(&any[1]) && !any[1].includes(&any[0]));
    }

    fn address() -> impl Strategy<Value = IpAddr> {
        prop_oneof![
            any::<u32>().prop_map(|bits| Ipv4Addr::from_bits(bits).into()),
            any::<u128>().prop_map(|bits| IpAddr::from(Ipv6Addr::from_bits(bits)).to_canonical()),
        ]
    }

    proptest! {
        #[test]
        fn a_network_has_the_addresses_that_share_its_first_bits(address in address(), bits: u8, flipped: u8) {
            let most = width(address);
            let (bits, flipped) = (bits % (most + 1), flipped % most);
            let other: IpAddr = match address {
                IpAddr::V4(v4) => Ipv4Addr::from_bits(v4.to_bits() ^ (1 << (31 - flipped))).into(),
                IpAddr::V6(v6) => Ipv6Addr::from_bits(v6.to_bits() ^ (1 << (127 - flipped))).into(),
            };
            let own = network(&format!("{address}/{bits}"));
            prop_assert!(own.has(address));
            if other.to_canonical().is_ipv4() == address.is_ipv4() {
                prop_assert_eq!(own.has(other), flipped >= bits);
            }
            prop_assert_eq!(network(&own.to_string()), own);
        }

        #[test]
        fn a_network_includes_exactly_those_whose_ends_it_has(address in address(), first in 0..129_u8, second in 0..129_u8) {
            let most = width(address);
            let [wide, narrow] = [first.min(second).min(most), first.max(second).min(most)];
            let of = |bits: u8| network(&format!("{address}/{bits}"));
            prop_assert!(of(wide).includes(&of(narrow)));
            prop_assert_eq!(of(narrow).includes(&of(wide)), wide == narrow);
        }
    }
}
