//! Calls of gateways that are refused, gathered for the log. Strangers may call these addresses without end, so the log has the first
//! of each kind in a minute, and then how many more there were.

use std::cell::RefCell;
use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::base::{log, ports::Platform};

/// How long they are gathered, ms.
const WINDOW_MS: i64 = 60_000;
/// The most kinds that are told apart in that time: a stranger may name any carrier.
const MAX_KINDS: usize = 8;

/// What an isolate has refused lately.
#[derive(Debug, Default)]
pub struct Refusals(RefCell<Option<Gathered>>);

#[derive(Debug)]
struct Gathered {
    since_ms: i64,
    /// How many came after the first one, by carrier and cause.
    more: BTreeMap<(Option<String>, &'static str), u64>,
    /// Those of further kinds.
    others: u64,
}

impl Refusals {
    /// Notes one. Returns whether it is the first of its kind, which the log is to have.
    pub fn note(&self, carrier: Option<String>, cause: &'static str, now_ms: i64) -> bool {
        let mut gathered = self.0.borrow_mut();
        let gathered = gathered.get_or_insert_with(|| Gathered {
            since_ms: now_ms,
            more: BTreeMap::new(),
            others: 0,
        });
        let kind = (carrier, cause);
        if let Some(count) = gathered.more.get_mut(&kind) {
            *count = count.saturating_add(1);
            return false;
        }
        if gathered.more.len() >= MAX_KINDS {
            gathered.others = gathered.others.saturating_add(1);
            return false;
        }
        gathered.more.insert(kind, 0);
        true
    }

    /// Logs how many more there were, if their minute is over.
    pub fn tell(&self, platform: &impl Platform) {
        let now_ms = platform.now_ms();
        let is_due = |gathered: &mut Gathered| now_ms.saturating_sub(gathered.since_ms) >= WINDOW_MS;
        let Some(Gathered { more, others, .. }) = self.0.borrow_mut().take_if(is_due) else {
            return;
        };
        let told = |((carrier, cause), count)| json!({"carrier": carrier, "cause": cause, "count": count});
        let more: Vec<Value> = more.into_iter().filter(|(_, count)| *count > 0).map(told).collect();
        if !more.is_empty() || others > 0 {
            log::warning(platform, "callback", json!({"more": more, "others": others}));
        }
    }
}
