//! Freezing objects, and letting them go on.

use futures_util::future::try_join_all;
use serde_json::json;

use super::{Store, must_move, unexpected};
use crate::account::OPERATOR;
use crate::api::http::forms::{choice, flag, list_of, text};
use crate::api::http::json_fields::Body;
use crate::api::http::{Response, body::JsonBody, context::Context, respond::Success};
use crate::base::named::named;
use crate::base::ports::{Platform, PortError};
use crate::directory::audit;
use crate::durable::audit::{Note, Part};
use crate::durable::to_json;
use crate::durable::transfer::{self, Answer, Look, Standstill, Step};
use crate::problem::field_error::FieldErrorKind;
use crate::problem::{Conflict, Problem};
use crate::{answer, body};

/// Objects of one request. The runtime allows a request 1,000 calls.
const MAX_OBJECTS: usize = 100;
/// Parts of the schema of an object.
const MAX_PARTS: usize = 10;
/// Characters of the name of an object.
pub(super) const MAX_NAME: usize = 200;
const MAX_PART: usize = 50;

named! {
    /// What an object does.
    pub enum ObjectState {
        /// It answers nothing, and does nothing.
        Frozen => "FROZEN",
        /// All that it is asked.
        Thawed => "THAWED",
    }
}

/// The stores that have objects.
const STORES: [Store; 3] = [Store::Account, Store::Webhook, Store::Carrier];

body! {
    /// Objects to freeze, or to let go on.
    pub struct ObjectsChange {
        store: Option<Store> = needs "store" choice(&STORES, Store::as_str) => "ACCOUNT";
        /// Their names. The operators' object is never frozen.
        objects: Vec<String> = must "objects" list_of(text(MAX_NAME), 1, MAX_OBJECTS) => ["019b796d-0000-7000-8000-000000000001"];
        state: Option<ObjectState> = needs "state" choice(&ObjectState::ALL, ObjectState::as_str) => "FROZEN";
        /// What is under way ends at once, as in a crash. Otherwise it may come to its end: ask again until the object is not `busy`.
        now: bool = can "now" flag(), or false => false;
        /// Of objects that are to take rows: the parts of their schema, as the source has told them.
        parts: Option<Vec<String>> = can "parts" list_of(text(MAX_PART), 0, MAX_PARTS) => [];
    }
}

answer! {
    /// How objects are now.
    pub struct ObjectsData(objects: &[(String, Standstill)]) as "MovedObjects" {
        "objects": objects.iter().map(|(name, how)| ObjectData::of(name, how)).collect::<Vec<_>>(), any_list(declared::<ObjectData>());
    }

    /// How an object is now.
    pub struct ObjectData(name: &str, how: &Standstill) as "MovedObject" {
        "object": name, any_text() => "019b796d-0000-7000-8000-000000000001";
        /// Nobody has used it, so there is nothing to move.
        "new": how.is_new, flag() => false;
        /// Work that has begun before is under way.
        "busy": how.is_busy, flag() => false;
        /// The parts of its schema.
        "parts": how.parts, any_list(any_text().like("account"));
    }
}

/// `POST /admin/transfer/objects`
pub async fn change<P: Platform>(context: &Context<'_, P>, body: &JsonBody) -> Result<Response, Problem> {
    let mut fields = context.fields(body);
    let change = ObjectsChange::read(&mut fields);
    if change.store == Some(Store::Account)
        && let Some(place) = change.objects.iter().position(|name| name == OPERATOR)
    {
        fields.item_fault("objects", place, FieldErrorKind::NotForOperators);
    }
    fields.finish()?;
    let (Some(class), Some(state)) = (change.store.and_then(Store::class), change.state) else {
        return Err(Problem::Internal("a store without objects was read".to_owned()));
    };
    let step = match state {
        ObjectState::Thawed => Step::Thaw,
        ObjectState::Frozen => Step::Freeze {
            incoming: must_move(context, false)
                .await?
                .incoming
                .then(|| change.parts.unwrap_or_default()),
            now: change.now,
        },
    };
    let turned = turned_by(&step, ask_all(context, class, &change.objects, &Step::Look).await?)?;
    // Before they are changed: without the entry, nothing is frozen and nothing goes on.
    note(context, change.store, state, &turned).await?;
    let mut objects = Vec::new();
    for (name, answer) in ask_all(context, class, &change.objects, &step).await? {
        let name = name.to_owned();
        match answer {
            Answer::Frozen(how) => objects.push((name, how)),
            Answer::Refused(_) => return Err(Problem::Conflict(Conflict::ObjectNotEmpty(name))),
            _ => objects.push((name, Standstill::default())),
        }
    }
    Success::ok(ObjectsData::of(&objects)).response(context)
}

async fn ask_all<'a, P: Platform>(
    context: &Context<'_, P>,
    class: &'static str,
    names: &'a [String],
    step: &Step,
) -> Result<Vec<(&'a str, Answer)>, PortError> {
    let asked = names.iter().map(async |name| {
        let answer = transfer::ask(context.platform, class, name, step).await?;
        Ok((name.as_str(), answer))
    });
    try_join_all(asked).await
}

/// The objects that the step changes, as they are now. Fails if one of them refuses it.
fn turned_by<'a>(step: &Step, looks: Vec<(&'a str, Answer)>) -> Result<Vec<&'a str>, Problem> {
    let takes = matches!(step, Step::Freeze { incoming: Some(_), .. });
    let thaws = *step == Step::Thaw;
    let mut turned = Vec::new();
    for (name, look) in looks {
        let is_turned = match look {
            Answer::Looked(Look::Gives) if takes => None,
            Answer::Looked(Look::Takes) if !takes && !thaws => None,
            Answer::Looked(Look::Gives | Look::Takes) => Some(thaws),
            Answer::Looked(Look::New) => Some(takes),
            Answer::Looked(Look::Open) if takes => None,
            Answer::Looked(Look::Open) => Some(!thaws),
            _ => return Err(unexpected()),
        };
        match is_turned {
            Some(true) => turned.push(name),
            Some(false) => {}
            None => return Err(Problem::Conflict(Conflict::ObjectNotEmpty(name.to_owned()))),
        }
    }
    Ok(turned)
}

/// Notes in the audit log which objects of a store turn to a state.
async fn note<P: Platform>(
    context: &Context<'_, P>,
    store: Option<Store>,
    state: ObjectState,
    names: &[&str],
) -> Result<(), Problem> {
    let account = match (store, names) {
        (Some(Store::Account | Store::Webhook), [name]) => Some(*name),
        _ => None,
    };
    let (Some(store), Some((_, note)), false) = (store, context.audit_note(account)?, names.is_empty()) else {
        return Ok(());
    };
    let before = match state {
        ObjectState::Frozen => ObjectState::Thawed,
        ObjectState::Thawed => ObjectState::Frozen,
    };
    let part = Part {
        part: "objects".to_owned(),
        before: Some(json!({"state": before.as_str()})),
        after: Some(note.shown(json!({"state": state.as_str(), "names": names}))),
        note: Note {
            name: Some(store.as_str().to_owned()),
            ..note
        },
    };
    Ok(audit::insert(context.platform.db(), &to_json(&[part])?).await?)
}
