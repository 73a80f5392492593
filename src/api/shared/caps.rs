//! What bodies say of the caps of a key.

use std::collections::BTreeSet;

use crate::account::keys::caps::Caps;
use crate::api::http::forms::{Form, integer, list_of, parsed};
use crate::api::http::json_schema::{self, Schema};
use crate::base::{network::Network, ports::MAX_INTEGER};
use crate::problem::field_error::FieldErrorKind;

/// A network has at most this many characters.
const MAX_NETWORK: usize = 49;

/// A network, for the document.
pub fn network() -> Schema {
    json_schema::text(MAX_NETWORK).like("192.0.2.0/24")
}

/// The networks that a key may be used from, each once.
pub fn ips() -> impl Form<Value = Vec<Network>> {
    let parse = |text: &str| {
        Network::parse(text).ok_or(FieldErrorKind::BadForm(
            "an IP address or a network, such as 192.0.2.7 or 2001:db8::/32",
            "یک آدرس IP یا یک شبکه، مانند 192.0.2.7 یا 2001:db8::/32",
        ))
    };
    let item = parsed(parse, network);
    list_of(item, 1, Caps::MAX_IPS)
        .then(|mut networks: Vec<Network>| {
            let mut seen = BTreeSet::new();
            networks.retain(|network| seen.insert(*network));
            networks
        })
        .about("The IP addresses and networks (CIDR) that the key may be used from.")
}

/// How many tokens a key may take in a minute.
pub fn rate_per_minute() -> impl Form<Value = u32> {
    integer(1, Caps::MAX_RATE.into())
        .then(|rate| u32::try_from(rate).unwrap_or(Caps::MAX_RATE))
        .about("How many tokens of the rate limit the key may take in a minute.")
        .like(60)
}

/// What a key may spend in a day.
pub fn daily_spend() -> impl Form<Value = i64> {
    integer(0, MAX_INTEGER)
        .about("What the key may spend in a day (UTC).")
        .like(50_000)
}
