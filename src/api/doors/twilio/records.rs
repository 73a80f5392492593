//! Single messages: what has become of one, and how it is canceled.

use serde_json::{Value, json};

use super::call::Told;
use super::errors::Fault;
use super::inbound;
use super::message::{Recipient, address, record};
use super::page::{List, page};
use super::wanted::bounds;
use crate::api::doors::answer::Members;
use crate::api::doors::ids::Place;
use crate::api::doors::own::{Ask, Own, Refused};
use crate::api::doors::params::Params;
use crate::base::ports::Platform;
use crate::webhook::callbacks::twilio::{index_of, like_uid};

/// The recipient that a SID names. If it is not the first of its message, the first one tells which it is: a SID hides the index in
/// the message's uid.
async fn find<P: Platform>(own: &Own<'_, P>, sid: &str) -> Result<Value, Fault> {
    let unknown = || Fault::of(20_404);
    let first = Place::of(&like_uid(sid).ok_or_else(unknown)?).ok_or_else(unknown)?;
    let found = at(own, first).await?;
    let uid = found.text("uid").split('.').next().unwrap_or_default();
    match index_of(sid, uid).ok_or_else(unknown)? {
        0 => Ok(found),
        index => {
            let index = index.into();
            at(own, Place { index, ..first }).await
        }
    }
}

async fn at<P: Platform>(own: &Own<'_, P>, place: Place) -> Result<Value, Fault> {
    let found = own.recipients(json!({"recipients": [place.name()]})).await?;
    found.into_iter().next().ok_or(Fault::of(20_404))
}

/// `GET …/Messages/{sid}`
pub async fn fetch<P: Platform>(own: &Own<'_, P>, account: &str, sid: &str) -> Result<Told, Fault> {
    match find(own, sid).await {
        Err(fault) if fault.code == 20_404 => {
            let message = inbound::find(own, sid).await?.ok_or(fault)?;
            Ok(Told::found(&inbound::record(account, own.unit(), &message)))
        }
        found => Ok(Told::found(&record(account, own.unit(), &Recipient::found(&found?)))),
    }
}

/// The recipient that a SID names, for a call that changes it. `fault` is that of a message from a phone, which nothing changes.
async fn find_sent<P: Platform>(own: &Own<'_, P>, sid: &str, fault: Fault) -> Result<Value, Fault> {
    match find(own, sid).await {
        Err(unknown) if unknown.code == 20_404 => {
            let is_received = inbound::find(own, sid).await?.is_some();
            Err(if is_received { fault } else { unknown })
        }
        found => found,
    }
}

/// `GET …/Messages/{sid}/Media`: a message has none.
pub async fn media<P: Platform>(own: &Own<'_, P>, account: &str, sid: &str) -> Result<Told, Fault> {
    fetch(own, account, sid).await?;
    let list = List {
        uri: &address(account, &format!("/Messages/{sid}/Media.json")),
        name: "media_list",
        query: "",
        bounds: bounds(&Params::default())?,
    };
    Ok(Told::found(&page(&list, None, &[(); 0])))
}

/// `POST …/Messages/{sid}`: cancels a message that waits for its time.
pub async fn update<P: Platform>(own: &Own<'_, P>, account: &str, sid: &str, params: &Params) -> Result<Told, Fault> {
    match params.written("status") {
        Some("canceled") => {}
        None if params.names("body") => return Err(Fault::of(20_001).about("Redaction is not supported")),
        _ => return Err(Fault::of(20_001).about("Status must be 'canceled'")),
    }
    let mut found = find_sent(own, sid, Fault::of(30_409)).await?;
    let canceled = cancel(own, &found).await?.ok_or(Fault::of(30_409))?;
    if let (Some(members), Some(changed)) = (found.as_object_mut(), canceled.list("recipients").first()) {
        for name in ["status", "updatedAt"] {
            members.insert(name.to_owned(), changed.member(name).clone());
        }
    }
    Ok(Told::found(&record(account, own.unit(), &Recipient::found(&found))))
}

/// `DELETE …/Messages/{sid}`: cancels a message that waits for its time. Other messages stay.
pub async fn delete<P: Platform>(own: &Own<'_, P>, sid: &str) -> Result<Told, Fault> {
    let ended = || Fault::of(20_403).about("Messages that have ended are not deleted one by one.");
    let found = find_sent(own, sid, ended()).await?;
    if !matches!(found.text("status"), "SCHEDULED" | "QUEUED" | "SUBMITTED" | "UNKNOWN") {
        return Err(ended());
    }
    match cancel(own, &found).await? {
        Some(_) => Ok(Told::Gone),
        None => Err(Fault::of(20_009)),
    }
}

/// Cancels the message of a recipient. `None`: it does not wait any more, or it has other recipients, of whom the call says nothing.
async fn cancel<P: Platform>(own: &Own<'_, P>, found: &Value) -> Result<Option<Value>, Refused> {
    if found.text("status") != "SCHEDULED" || found.number("recipientCount") != 1 {
        return Ok(None);
    }
    let uid = found.text("uid").split('.').next().unwrap_or_default();
    let ask = Ask {
        path: &format!("/messages/{uid}"),
        method: Some("DELETE"),
        ..Ask::default()
    };
    match own.ask(ask).await {
        // One that has begun to leave meanwhile may be with its carrier.
        Ok(message) => Ok((message.text("status") == "CANCELED").then_some(message)),
        Err(refused) if refused.code == 409 => Ok(None),
        Err(refused) => Err(refused),
    }
}
