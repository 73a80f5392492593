//! Freezing objects, and letting them go on.

use futures_util::future::try_join_all;

use super::{Store, must_move};
use crate::account::OPERATOR;
use crate::api::http::forms::{choice, flag, list_of, text};
use crate::api::http::json_fields::Body;
use crate::api::http::{Response, body::JsonBody, context::Context, respond::Success};
use crate::base::named::named;
use crate::base::ports::{Platform, PortError};
use crate::durable::transfer::{self, Answer, Standstill, Step};
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
    let asked = change.objects.into_iter().map(async |name| {
        let answer = transfer::ask(context.platform, class, &name, &step).await?;
        Ok::<_, PortError>((name, answer))
    });
    let mut objects = Vec::new();
    for (name, answer) in try_join_all(asked).await? {
        match answer {
            Answer::Frozen(how) => objects.push((name, how)),
            Answer::Refused(_) => return Err(Problem::Conflict(Conflict::ObjectNotEmpty(name))),
            _ => objects.push((name, Standstill::default())),
        }
    }
    Success::ok(ObjectsData::of(&objects)).response(context)
}
