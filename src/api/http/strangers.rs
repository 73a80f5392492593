//! Strangers: addresses whose requests have keys that are not good.
//!
//! Each such request is a failure, and the runtime counts the failures of an address. An address with too many is kept out for a
//! minute: its requests end before KV is read, unless the isolate knows their key. Only failures are counted, so nobody meets this
//! who has a good key and an address of their own. The log tells failures as counts, once a minute.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::net::IpAddr;

use serde_json::{Map, Value, json};

use crate::base::{log, ports::Platform, time::seconds_until};
use crate::problem::Problem;

/// How long an address is kept out, and how long failures are gathered for the log, ms. The runtime counts failures for as long.
const WINDOW_MS: i64 = 60_000;
/// The most addresses that are kept out at a time. Beyond, the one that is kept out longest is forgotten.
const MAX_KEPT_OUT: usize = 1_000;
/// The most addresses that a line of the log names.
const MAX_NAMED: usize = 8;
/// The most keys that it names of an address, by the beginnings of their digests.
const MAX_KEYS: usize = 2;
/// How many characters of a digest it shows.
const SHOWN_DIGEST: usize = 8;
/// The log's name for an address that nobody knows.
const UNKNOWN: &str = "unknown";

/// What an isolate knows of strangers.
#[derive(Debug, Default)]
pub struct Strangers {
    /// Until when addresses are kept out, ms since the Unix epoch.
    kept_out: RefCell<BTreeMap<String, i64>>,
    gathered: RefCell<Option<Gathered>>,
}

/// The failures that the next line of the log tells.
#[derive(Debug)]
struct Gathered {
    since_ms: i64,
    by_address: BTreeMap<String, Failures>,
    /// Those of more addresses than are named.
    others: u64,
}

#[derive(Debug, Default)]
struct Failures {
    count: u64,
    keys: Vec<String>,
}

/// The network of an address, under which its failures are counted: a host with IPv6 has a whole one of 64 bits. `None`: it is this
/// machine, or nobody knows.
pub fn network(address: Option<&str>) -> Option<String> {
    match address?.parse().ok()? {
        IpAddr::V4(address) if !address.is_loopback() => Some(address.to_string()),
        IpAddr::V6(address) if !address.is_loopback() => {
            let [a, b, c, d, ..] = address.segments();
            Some(format!("{a:x}:{b:x}:{c:x}:{d:x}::"))
        }
        _ => None,
    }
}

impl Strangers {
    /// Refuses a request that is kept out. `name` is its [`network`], or what else its failures count for.
    pub fn admit(&self, name: &str, now_ms: i64) -> Result<(), Problem> {
        let until_ms = self.kept_out.borrow().get(name).copied();
        match until_ms.filter(|until_ms| now_ms < *until_ms) {
            Some(until_ms) => Err(Problem::TooManyFailures {
                retry_after_s: seconds_until(until_ms, now_ms),
            }),
            None => Ok(()),
        }
    }

    /// Counts a failure under a name, which is kept out if it has too many.
    pub async fn count(&self, platform: &impl Platform, name: &str, now_ms: i64) {
        if !platform.count_failure(name).await {
            self.keep_out(name.to_owned(), now_ms);
        }
    }

    fn keep_out(&self, address: String, now_ms: i64) {
        let mut kept_out = self.kept_out.borrow_mut();
        kept_out.retain(|_, until_ms| now_ms < *until_ms);
        if kept_out.len() >= MAX_KEPT_OUT {
            let longest = kept_out.iter().min_by_key(|(_, until_ms)| **until_ms);
            if let Some(longest) = longest.map(|(address, _)| address.clone()) {
                kept_out.remove(&longest);
            }
        }
        kept_out.insert(address, now_ms.saturating_add(WINDOW_MS));
    }

    /// Gathers a request that ended without a caller, by its network.
    pub fn gather(&self, network: Option<&str>, digest: Option<&str>, now_ms: i64) {
        let address = network.unwrap_or(UNKNOWN);
        let mut gathered = self.gathered.borrow_mut();
        let gathered = gathered.get_or_insert_with(|| Gathered {
            since_ms: now_ms,
            by_address: BTreeMap::new(),
            others: 0,
        });
        if gathered.by_address.len() >= MAX_NAMED && !gathered.by_address.contains_key(address) {
            gathered.others = gathered.others.saturating_add(1);
            return;
        }
        let failures = gathered.by_address.entry(address.to_owned()).or_default();
        failures.count = failures.count.saturating_add(1);
        if let Some(shown) = digest.and_then(|digest| digest.get(..SHOWN_DIGEST))
            && failures.keys.len() < MAX_KEYS
            && !failures.keys.iter().any(|key| key == shown)
        {
            failures.keys.push(shown.to_owned());
        }
    }

    /// Logs what was gathered, if its minute is over.
    pub fn tell(&self, platform: &impl Platform) {
        let now_ms = platform.now_ms();
        let is_due = |gathered: &mut Gathered| now_ms.saturating_sub(gathered.since_ms) >= WINDOW_MS;
        let Some(gathered) = self.gathered.borrow_mut().take_if(is_due) else {
            return;
        };
        let by_address: Map<String, Value> = gathered
            .by_address
            .into_iter()
            .map(|(address, failures)| (address, json!({"count": failures.count, "keys": failures.keys})))
            .collect();
        let line = json!({"failures": by_address, "others": gathered.others});
        log::warning(platform, "strangers", line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_are_counted_for_a_host_and_not_for_this_machine() {
        for (address, name) in [
            ("203.0.113.7", Some("203.0.113.7")),
            ("2001:db8:1:2:3:4:5:6", Some("2001:db8:1:2::")),
            ("2001:db8:1:2::9", Some("2001:db8:1:2::")),
            ("127.0.0.1", None),
            ("::1", None),
            ("nobody", None),
        ] {
            assert_eq!(network(Some(address)).as_deref(), name, "{address}");
        }
        assert_eq!(network(None), None);
    }

    #[test]
    fn what_an_isolate_remembers_is_bounded() {
        let strangers = Strangers::default();
        for number in 0..5_000_i64 {
            let address = format!("10.0.{}.{}", number / 256, number % 256);
            strangers.keep_out(address.clone(), number);
            strangers.gather(Some(&address), Some(&format!("{number:064}")), number);
        }
        assert_eq!(strangers.kept_out.borrow().len(), MAX_KEPT_OUT);
        assert!(strangers.admit("10.0.19.135", 5_000).is_err(), "the newest is kept out");
        let gathered = strangers.gathered.borrow();
        let gathered = gathered.as_ref().unwrap();
        assert_eq!((gathered.by_address.len(), gathered.others), (MAX_NAMED, 4_992));
    }
}
