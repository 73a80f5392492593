//! Texts that a call sends one after another, and what is told of a call of which a part was refused.

use std::collections::BTreeSet;

use super::entry::Entry;
use super::errors::Fault;
use super::part::{Known, Send, plain};
use crate::api::doors::own::Own;
use crate::base::ports::Platform;

/// The error of a receptor.
const BAD_RECEPTOR: u16 = 411;
/// The code of our own API for a number on the blacklist.
const BLACKLISTED: u64 = 3016;

/// A text of a call that sends several one after another, each under the program's own id for it.
pub struct Single<'a> {
    pub send: Send<'a>,
    pub receptor: &'a str,
    pub message: &'a str,
    /// An empty id is none.
    pub local_id: &'a str,
}

/// Sends texts one after another. If one is refused after others were sent, the call tells so of that one: to refuse the call would say
/// that nothing was sent. What is wrong with one number stops no other.
pub async fn one_by_one<'a, P: Platform>(own: &Own<'_, P>, texts: &[Single<'a>]) -> Result<Vec<Entry>, Fault> {
    let (mut entries, mut first) = (Vec::new(), None);
    let call = own.new_call();
    for (at, text) in texts.iter().enumerate() {
        let key = key_in(call.as_deref(), at);
        let known = match (text.local_id, &key) {
            ("", Some(key)) => Known::InCall(key),
            ("", None) => Known::Not,
            (id, _) => Known::Always(id),
        };
        match plain(own, &text.send, &[text.receptor], text.message, known).await {
            Ok(sent) => entries.extend(sent),
            Err(fault) if is_over(&entries, &fault) => return Err(fault),
            Err(fault) => {
                entries.push(unsent(&text.send, text.receptor, text.message, &fault));
                first.get_or_insert(fault);
            }
        }
    }
    told(entries, first)
}

/// The idempotency key of a send of a call.
pub fn key_in(call: Option<&str>, at: usize) -> Option<String> {
    call.map(|call| format!("{call}:{at}"))
}

/// Whether a fault ends a call: nothing was sent, and it is about more than one number.
pub fn is_over(entries: &[Entry], fault: &Fault) -> bool {
    fault.status != BAD_RECEPTOR && !entries.iter().any(Entry::is_sent)
}

/// The entries of a call, or its first fault if nothing was sent.
pub fn told(entries: Vec<Entry>, first: Option<Fault>) -> Result<Vec<Entry>, Fault> {
    match first {
        Some(fault) if !entries.iter().any(Entry::is_sent) => Err(fault),
        _ => Ok(entries),
    }
}

/// The entry of a text that was refused.
pub fn unsent(send: &Send<'_>, receptor: &str, message: &str, fault: &Fault) -> Entry {
    let is_blocked = fault.cause.as_ref().is_some_and(|cause| cause.code == BLACKLISTED);
    let (line, date_s) = (send.sender.unwrap_or_default(), send.told_s());
    match is_blocked {
        true => Entry::blocked("", receptor, message, line, date_s),
        false => Entry::refused(receptor, message, line, date_s),
    }
}

/// Fails if an id stands for two texts: the second would not be sent, and be told as the first.
pub fn must_differ<'a>(ids: impl Iterator<Item = &'a str>, name: &'static str) -> Result<(), Fault> {
    let mut seen = BTreeSet::new();
    let mut given = ids.filter(|id| !id.is_empty());
    match given.all(|id| seen.insert(id)) {
        true => Ok(()),
        false => Err(Fault::of(422).about(name)),
    }
}
