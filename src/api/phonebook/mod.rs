//! Phonebooks: `/phonebook`. Their numbers are in `numbers`, files of them in `import` and `export`.

pub mod entry;
pub mod export;
pub mod import;
pub mod numbers;

use serde_json::{Value, json};

use super::context::Context;
use super::query::Query;
use super::sms::draft::phonebook_source;
use crate::account::idempotency::Charge;
use crate::account::schedule::ListScheduledFrom;
use crate::api::body::{self, JsonBody};
use crate::api::respond::Success;
use crate::directory::Insertion;
use crate::directory::phonebooks::{self, Change, New, Phonebook};
use crate::fault::{Fault, FaultKind};
use crate::http::{self, Body, Response};
use crate::id;
use crate::input::Fields;
use crate::ports::Platform;
use crate::problem::{Conflict, Problem};
use crate::time;

/// Numbers of one phonebook at most.
pub const MAX_NUMBERS: i64 = 500_000;
const MAX_TITLE: usize = 200;
const MAX_DESCRIPTION: usize = 1_000;
const MAX_ID: usize = 64;

fn data(phonebook: &Phonebook) -> Value {
    json!({
        "id": phonebook.id,
        "title": phonebook.title,
        "description": phonebook.description,
        "count": phonebook.count,
        "createdAt": time::to_rfc3339(phonebook.created_ms),
    })
}

/// One of the caller's own phonebooks; another's is not found.
pub async fn find<P: Platform>(context: &Context<'_, P>, id: &str) -> Result<Phonebook, Problem> {
    let phonebook = phonebooks::find(context.platform.db(), context.caller()?.account(), id).await?;
    phonebook.ok_or(Problem::NotFound)
}

/// `POST /phonebook`
pub async fn create<P: Platform>(context: &Context<'_, P>, body: &mut impl Body) -> Result<Response, Problem> {
    context.call(&Charge(None)).await?;
    let JsonBody { object, .. } = body::read_json(context.request.head, body).await?;
    let mut fields = Fields::new(&object);
    let title = fields.text("title", MAX_TITLE);
    let title = fields.require("title", title);
    let description = fields.text("description", MAX_DESCRIPTION);
    fields.finish()?;
    let new = New {
        id: &id::new(context.platform)?,
        account: context.caller()?.account(),
        title: title.unwrap_or_default(),
        description,
    };
    match phonebooks::insert(context.platform.db(), new, context.request.now_ms).await? {
        Insertion::Done(phonebook) => Success::created(data(&phonebook)).response(&context.request.id),
        Insertion::Full => Err(Problem::Conflict(Conflict::TooManyPhonebooks)),
        Insertion::Taken => Err(Problem::Conflict(Conflict::TitleTaken)),
    }
}

/// `GET /phonebook`
pub async fn list<P: Platform>(context: &Context<'_, P>) -> Result<Response, Problem> {
    context.call(&Charge(None)).await?;
    let mut query = Query::of(context.request.head);
    let page = query.page("phonebook");
    query.finish()?;
    let asked = page.to_read();
    let account = context.caller()?.account();
    let mut phonebooks = phonebooks::page(context.platform.db(), account, asked.limit, asked.after).await?;
    let next = page.cut(&mut phonebooks, |phonebook| phonebook.seq);
    let data: Vec<Value> = phonebooks.iter().map(data).collect();
    Success::page(data, next).response(&context.request.id)
}

/// `GET /phonebook/{id}`
pub async fn get<P: Platform>(context: &Context<'_, P>, id: &str) -> Result<Response, Problem> {
    context.call(&Charge(None)).await?;
    Success::ok(data(&find(context, id).await?)).response(&context.request.id)
}

/// `PUT /phonebook/{id}`, and `PUT /phonebook` with the id in the body
pub async fn change<P: Platform>(
    context: &Context<'_, P>,
    id: Option<&str>,
    body: &mut impl Body,
) -> Result<Response, Problem> {
    context.call(&Charge(None)).await?;
    let JsonBody { object, .. } = body::read_json(context.request.head, body).await?;
    let mut fields = Fields::new(&object);
    let id = match id {
        Some(id) => Some(id),
        None => {
            let id = fields.text("id", MAX_ID);
            fields.require("id", id)
        }
    };
    let title = fields.text("title", MAX_TITLE);
    if fields.has("title") && fields.value("title").is_none() {
        fields.fault("title", FaultKind::Required);
    }
    let description = fields.text("description", MAX_DESCRIPTION);
    let has_description = fields.has("description");
    fields.finish()?;
    let phonebook = find(context, id.unwrap_or_default()).await?;
    let change = Change {
        title,
        description: has_description.then_some(description),
    };
    match phonebooks::update(context.platform.db(), phonebook.seq, change).await? {
        Some(phonebook) => Success::ok(data(&phonebook)).response(&context.request.id),
        None => Err(Problem::Conflict(Conflict::TitleTaken)),
    }
}

/// `DELETE /phonebook/{id}`, and `DELETE /phonebook?id=`
pub async fn delete<P: Platform>(context: &Context<'_, P>, id: Option<&str>) -> Result<Response, Problem> {
    let query = Query::of(context.request.head);
    let Some(id) = id.or(query.get("id")) else {
        return Err(Problem::Validation(vec![Fault::of("id", FaultKind::Required)]));
    };
    let messages = context.call(&ListScheduledFrom(phonebook_source(id))).await?;
    let phonebook = find(context, id).await?;
    if !messages.is_empty() {
        return Err(Problem::Conflict(Conflict::Scheduled(messages)));
    }
    phonebooks::delete(context.platform.db(), phonebook.seq).await?;
    Ok(http::no_content())
}
