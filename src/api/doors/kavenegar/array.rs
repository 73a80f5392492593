//! `sms/sendarray`: texts, each to its own number and from its own line.

use std::collections::BTreeMap;

use super::entry::Entry;
use super::errors::{Fault, must};
use super::part::{MAX_RECEPTORS, Send, entries_of};
use super::send::local_ids;
use super::singles::{Single, is_over, key_in, must_differ, one_by_one, told, unsent};
use crate::api::doors::own::Own;
use crate::api::doors::params::Params;
use crate::api::doors::send::{Content, Text, canonical, is_number};
use crate::base::ports::Platform;

/// A text of `sms/sendarray`.
struct Item {
    receptor: String,
    message: String,
    sender: Option<String>,
}

impl Item {
    fn text(&self) -> Text<'_> {
        Text {
            recipient: &self.receptor,
            message: &self.message,
        }
    }
}

/// `sms/sendarray`
pub async fn send_array<P: Platform>(own: &Own<'_, P>, params: &Params) -> Result<Vec<Entry>, Fault> {
    let items = items(params)?;
    let send = Send::read(own, params)?;
    let local_ids = local_ids(params);
    if local_ids.is_empty() {
        return in_rounds(own, &send, &items).await;
    }
    if local_ids.len() != items.len() {
        return Err(Fault::of(419).about("localmessageids"));
    }
    must_differ(local_ids.iter().map(String::as_str), "localmessageids")?;
    let texts = items.iter().zip(&local_ids).map(|(item, local_id)| Single {
        send: send.by_line(item.sender.as_deref()),
        receptor: &item.receptor,
        message: &item.message,
        local_id,
    });
    one_by_one(own, &texts.collect::<Vec<_>>()).await
}

/// Sends the texts of each line as one message, or as several if a number comes twice.
async fn in_rounds<P: Platform>(own: &Own<'_, P>, send: &Send<'_>, items: &[Item]) -> Result<Vec<Entry>, Fault> {
    let mut entries: Vec<Option<Entry>> = items.iter().map(|item| no_number(send, item)).collect();
    if entries.iter().all(Option::is_some) {
        // Our own API says what is wrong with them.
        entries.fill(None);
    }
    let mut first = None;
    let rounds = rounds(items, &entries);
    // A call that is one message is as any send: its program decides about a repeat.
    let call = (rounds.len() > 1).then(|| own.new_call()).flatten();
    for (at, round) in rounds.iter().enumerate() {
        let texts: Vec<&Item> = round.iter().filter_map(|at| items.get(*at)).collect();
        let known: Vec<Entry> = entries.iter().flatten().cloned().collect();
        let sent = match send_round(own, send, &texts, key_in(call.as_deref(), at)).await {
            Ok(sent) => sent,
            Err(fault) if is_over(&known, &fault) => return Err(fault),
            Err(fault) => {
                let refused = texts.iter().map(|item| {
                    let send = send.by_line(item.sender.as_deref());
                    unsent(&send, &item.receptor, &item.message, &fault)
                });
                let refused = refused.collect();
                first.get_or_insert(fault);
                refused
            }
        };
        for (at, entry) in round.iter().zip(sent) {
            if let Some(place) = entries.get_mut(*at) {
                *place = Some(entry);
            }
        }
    }
    told(entries.into_iter().flatten().collect(), first)
}

/// The entry of an item whose receptor is no number.
fn no_number(send: &Send<'_>, item: &Item) -> Option<Entry> {
    (!is_number(&item.receptor)).then(|| refused_entry(send, item))
}

fn refused_entry(send: &Send<'_>, item: &Item) -> Entry {
    let sender = item.sender.as_deref().unwrap_or_default();
    Entry::refused(&item.receptor, &item.message, sender, send.told_s())
}

fn items(params: &Params) -> Result<Vec<Item>, Fault> {
    for name in ["receptor", "message"] {
        must(params, name)?;
    }
    let [receptors, messages, senders] = ["receptor", "message", "sender"].map(|name| params.json_items(name));
    if receptors.is_empty() {
        return Err(Fault::of(406).about("receptor"));
    }
    if receptors.len() > MAX_RECEPTORS {
        return Err(Fault::of(414).about("receptor"));
    }
    if messages.len() != receptors.len() {
        return Err(Fault::of(419).about("message"));
    }
    if !(senders.len() <= 1 || senders.len() == receptors.len()) {
        return Err(Fault::of(419).about("sender"));
    }
    let sender_of = |at: usize| senders.get(at).or(senders.first()).cloned();
    let texts = receptors.into_iter().zip(messages).enumerate();
    Ok(texts
        .map(|(at, (receptor, message))| Item {
            receptor,
            message,
            sender: sender_of(at),
        })
        .collect())
}

/// The texts that go together: those of one line, of which no two are to the same number. What has its entry is told already.
fn rounds(items: &[Item], told: &[Option<Entry>]) -> Vec<Vec<usize>> {
    let mut next: BTreeMap<(Option<&str>, String), usize> = BTreeMap::new();
    let mut rounds: BTreeMap<(Option<&str>, usize), Vec<usize>> = BTreeMap::new();
    let untold = items
        .iter()
        .zip(told)
        .enumerate()
        .filter(|(_, (_, entry))| entry.is_none());
    for (at, (item, _)) in untold {
        let sender = item.sender.as_deref();
        let turn = next.entry((sender, canonical(&item.receptor))).or_default();
        rounds.entry((sender, *turn)).or_default().push(at);
        *turn = turn.saturating_add(1);
    }
    rounds.into_values().collect()
}

/// Sends texts of one line as one message, under an idempotency key if there is one, and tells their entries.
async fn send_round<P: Platform>(
    own: &Own<'_, P>,
    send: &Send<'_>,
    texts: &[&Item],
    key: Option<String>,
) -> Result<Vec<Entry>, Fault> {
    let send = send.by_line(texts.first().and_then(|item| item.sender.as_deref()));
    let body = send.body(Content::Texts(texts.iter().map(|item| item.text()).collect()));
    let sent = own.send_to_open(&body, key).await?;
    let texts = texts.iter().map(|item| (item.receptor.as_str(), item.message.as_str()));
    Ok(entries_of(&sent, &texts.collect::<Vec<_>>(), send.told_s()))
}
