//! What has become of messages.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::entry::{self, Entry, UNKNOWN_ID};
use super::errors::{Fault, missing, must};
use super::send::{local_id_of, reference_of};
use crate::api::doors::answer::Members;
use crate::api::doors::own::{Ask, Own};
use crate::api::doors::params::Params;
use crate::base::ports::Platform;

/// The most ids of a call.
const MAX_IDS: usize = 500;

/// The items of a parameter that must have some, and not too many.
fn items<'a>(params: &'a Params, name: &'a str) -> Result<Vec<&'a str>, Fault> {
    let items = params.items(name);
    match items.len() {
        0 => Err(missing(params, name)),
        1..=MAX_IDS => Ok(items),
        _ => Err(Fault::of(414)),
    }
}

fn ids(params: &Params) -> Result<Vec<i64>, Fault> {
    let items = items(params, "messageid")?;
    let ids = items.iter().map(|item| item.parse().ok().filter(|id| *id >= 0));
    ids.collect::<Option<_>>().ok_or(Fault::of(422))
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

/// `sms/cancel`: cancels messages that wait for their time, of which the call names all recipients.
pub async fn cancel<P: Platform>(own: &Own<'_, P>, params: &Params) -> Result<Value, Fault> {
    must(params, "messageid")?;
    let ids = ids(params)?;
    let mut found = find(own, &ids).await?;
    let mut messages: BTreeMap<String, (i64, Vec<i64>)> = BTreeMap::new();
    for (id, recipient) in found
        .iter()
        .filter(|(_, recipient)| recipient.text("status") == "SCHEDULED")
    {
        let uid = recipient.text("uid").split('.').next().unwrap_or_default();
        let count = recipient.number("recipientCount");
        messages
            .entry(uid.to_owned())
            .or_insert((count, Vec::new()))
            .1
            .push(*id);
    }
    for (uid, (count, ids)) in messages {
        let is_whole = i64::try_from(ids.len()).is_ok_and(|named| named == count);
        if is_whole && cancel_message(own, &uid).await? {
            for id in ids {
                found.insert(id, json!({"status": "CANCELED"}));
            }
        }
    }
    Ok(states(&ids, &found))
}

/// Whether a message could be canceled. One that is on its way by now keeps its status.
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
