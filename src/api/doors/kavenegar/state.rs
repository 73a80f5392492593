//! What has become of messages.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::entry::{self, Entry, UNKNOWN_ID};
use super::errors::{Fault, missing, must};
use super::part::{local_id_of, reference_of};
use crate::api::doors::answer::Members;
use crate::api::doors::own::{Ask, Own};
use crate::api::doors::params::Params;
use crate::base::ports::Platform;

/// The most ids of a call.
const MAX_IDS: usize = 500;

/// The items of a parameter that must have some, and not too many.
fn items<'a>(params: &'a Params, name: &'static str) -> Result<Vec<&'a str>, Fault> {
    let items = params.items(name);
    match items.len() {
        0 => Err(missing(params, name)),
        1..=MAX_IDS => Ok(items),
        _ => Err(Fault::of(414).about(name)),
    }
}

fn ids(params: &Params) -> Result<Vec<i64>, Fault> {
    let items = items(params, "messageid")?;
    let ids = items.iter().map(|item| item.parse().ok().filter(|id| *id >= 0));
    ids.collect::<Option<_>>().ok_or(Fault::of(422).about("messageid"))
}

/// The recipients with these ids that there are.
async fn find<P: Platform>(own: &Own<'_, P>, ids: &[i64]) -> Result<BTreeMap<i64, Value>, Fault> {
    let names: Vec<String> = ids.iter().map(|id| entry::name_of(*id)).collect();
    let found = own.recipients(json!({"recipients": names})).await?;
    Ok(found
        .into_iter()
        .map(|recipient| (Entry::found(&recipient).id, recipient))
        .collect())
}

/// `sms/status`
pub async fn status<P: Platform>(own: &Own<'_, P>, params: &Params) -> Result<Value, Fault> {
    let ids = ids(params)?;
    let found = find(own, &ids).await?;
    Ok(states(&ids, &found))
}

fn states(ids: &[i64], found: &BTreeMap<i64, Value>) -> Value {
    let status = |id: &i64| found.get(id).map_or(UNKNOWN_ID, entry::status_found);
    ids.iter().map(|id| entry::state(*id, status(id))).collect()
}

/// `sms/statuslocalmessageid`
pub async fn status_by_local_id<P: Platform>(own: &Own<'_, P>, params: &Params) -> Result<Value, Fault> {
    let local_ids = items(params, "localid")?;
    let references: Vec<String> = local_ids.iter().map(|id| reference_of(id)).collect();
    let found = own.recipients(json!({"clientRefs": references})).await?;
    let mut by_id: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    for recipient in &found {
        let local_id = local_id_of(recipient.text("asked"));
        let entry = Entry::found(recipient);
        by_id
            .entry(local_id)
            .or_default()
            .push(with_local_id(entry.id, entry.status, local_id));
    }
    let entries = local_ids.iter().flat_map(|local_id| {
        let known = by_id.get(local_id).cloned();
        known.unwrap_or_else(|| vec![with_local_id(0, UNKNOWN_ID, local_id)])
    });
    Ok(entries.collect())
}

fn with_local_id(id: i64, status: u16, local_id: &str) -> Value {
    let mut state = entry::state(id, status);
    if let Some(members) = state.as_object_mut() {
        members.insert("localid".to_owned(), local_id.into());
    }
    state
}

/// `sms/select`
pub async fn select<P: Platform>(own: &Own<'_, P>, params: &Params) -> Result<Vec<Entry>, Fault> {
    let ids = ids(params)?;
    let found = find(own, &ids).await?;
    let known = ids.iter().filter_map(|id| found.get(id));
    Ok(known.map(Entry::found).collect())
}

/// `sms/cancel`: cancels what has not left of messages, if the call names all of their recipients.
pub async fn cancel<P: Platform>(own: &Own<'_, P>, params: &Params) -> Result<Value, Fault> {
    must(params, "messageid")?;
    let ids = ids(params)?;
    let found = find(own, &ids).await?;
    // How many recipients a message has, how many of them the call names, and whether one of these waits.
    let mut messages: BTreeMap<&str, (i64, i64, bool)> = BTreeMap::new();
    for recipient in found.values().filter(|recipient| recipient.text("status") != "SKIPPED") {
        let uid = recipient.text("uid").split('.').next().unwrap_or_default();
        let (_, named, waits) = messages
            .entry(uid)
            .or_insert((recipient.number("recipientCount"), 0, false));
        *named += 1;
        *waits |= matches!(recipient.text("status"), "SCHEDULED" | "QUEUED");
    }
    let mut is_changed = false;
    for (uid, (count, named, waits)) in messages {
        is_changed |= waits && named == count && cancel_message(own, uid).await?;
    }
    // Some may have left meanwhile.
    let now = if is_changed { find(own, &ids).await? } else { found };
    Ok(states(&ids, &now))
}

/// Whether something of a message could be canceled.
async fn cancel_message<P: Platform>(own: &Own<'_, P>, uid: &str) -> Result<bool, Fault> {
    let ask = Ask {
        path: &format!("/messages/{uid}"),
        method: Some("DELETE"),
        ..Ask::default()
    };
    match own.ask(ask).await {
        Ok(_) => Ok(true),
        Err(refused) if matches!(refused.code, 404 | 409) => Ok(false),
        Err(refused) => Err(refused.into()),
    }
}
