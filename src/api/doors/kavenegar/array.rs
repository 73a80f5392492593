//! `sms/sendarray`: texts, each to its own number and from its own line.

use std::collections::BTreeMap;

use super::entry::Entry;
use super::errors::{Fault, must};
use super::send::{MAX_RECEPTORS, Send, local_ids, one_by_one};
use crate::api::doors::own::Own;
use crate::api::doors::params::Params;
use crate::api::doors::send::{Content, Sent, Text, canonical};
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
        let mut entries: Vec<Option<Entry>> = items.iter().map(|_| None).collect();
        for round in rounds(&items) {
            send_round(own, &send, &items, &round, &mut entries).await?;
        }
        return Ok(entries.into_iter().flatten().collect());
    }
    if local_ids.len() != items.len() {
        return Err(Fault::of(419));
    }
    let mut entries = Vec::new();
    for (item, local_id) in items.iter().zip(&local_ids) {
        let send = send.by_line(item.sender.as_deref());
        let text = ((item.receptor.as_str(), item.message.as_str()), local_id.as_str());
        match one_by_one(own, &send, std::iter::once(text)).await {
            Ok(sent) => entries.extend(sent),
            Err(fault) if entries.is_empty() => return Err(fault),
            Err(_) => entries.push(refused_entry(&send, item)),
        }
    }
    Ok(entries)
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
    if receptors.len() > MAX_RECEPTORS {
        return Err(Fault::of(414));
    }
    if messages.len() != receptors.len() || !(senders.len() <= 1 || senders.len() == receptors.len()) {
        return Err(Fault::of(419));
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

/// The texts that go together: those of one line, of which no two are to the same number.
fn rounds(items: &[Item]) -> Vec<Vec<usize>> {
    let mut next: BTreeMap<(Option<&str>, String), usize> = BTreeMap::new();
    let mut rounds: BTreeMap<(Option<&str>, usize), Vec<usize>> = BTreeMap::new();
    for (at, item) in items.iter().enumerate() {
        let sender = item.sender.as_deref();
        let turn = next.entry((sender, canonical(&item.receptor))).or_default();
        rounds.entry((sender, *turn)).or_default().push(at);
        *turn = turn.saturating_add(1);
    }
    rounds.into_values().collect()
}

/// Sends the texts of a round as one message, and tells the entries of each.
async fn send_round<P: Platform>(
    own: &Own<'_, P>,
    send: &Send<'_>,
    items: &[Item],
    round: &[usize],
    entries: &mut [Option<Entry>],
) -> Result<(), Fault> {
    let texts: Vec<&Item> = round.iter().filter_map(|at| items.get(*at)).collect();
    let send = send.by_line(texts.first().and_then(|item| item.sender.as_deref()));
    let body = send.body(Content::Texts(texts.iter().map(|item| item.text()).collect()));
    let has_sent = entries.iter().any(Option::is_some);
    let sent = match own.send(&body, None, None).await {
        Ok(sent) => sent,
        Err(_) if has_sent => Sent::default(),
        Err(refused) => return Err(refused.into()),
    };
    let mut recipients = sent.recipients.iter();
    for (at, item) in round.iter().zip(texts) {
        let entry = recipients.next().map_or_else(
            || refused_entry(&send, item),
            |recipient| Entry::sent(recipient, &sent.line, &item.message, send.told_s()),
        );
        if let Some(place) = entries.get_mut(*at) {
            *place = Some(entry);
        }
    }
    Ok(())
}
