//! Phonebooks.

pub mod cell;
pub mod columns;
pub mod import;
pub mod numbers;
pub mod parse;
pub mod utf16;

use crate::account::outbox::removals::RemovePhonebook;
use crate::account::sources::phonebook_source;
use crate::api::http::forms::{Form, any_text, or_null, text};
use crate::api::http::query::{Paged, Query};
use crate::api::http::{self, Response, body::JsonBody, context::Context, json_schema, respond::Success};
use crate::api::shared::export::{Answer, Export};
use crate::base::{id, ports::Platform, time};
use crate::directory::Insertion;
use crate::directory::phonebook::{self, Change, New, Phonebook, export::Export as NumbersExport};
use crate::problem::{Conflict, Problem};
use crate::{answer, body, query};

const MAX_TITLE: usize = 200;
const MAX_DESCRIPTION: usize = 1_000;
const MAX_ID: usize = 64;

body! {
    /// A phonebook to create.
    pub struct NewPhonebook {
        title: String = must "title" title();
        description: Option<String> = can "description" description();
    }

    /// What to change. What is left out stays; `null` takes the description away.
    pub struct PhonebookChange {
        title: Option<String> = may "title" title();
        description: Option<Option<String>> = can "description" or_null(description());
    }

    /// Which phonebook to change, and what.
    pub struct PhonebookChangeById {
        /// The phonebook's id.
        id: String = must "id" text(MAX_ID) => "019b796d-a000-7000-8000-000000000000";
        change: PhonebookChange = all;
    }
}

fn title() -> impl Form<Value = String> {
    text(MAX_TITLE)
        .about("The title. An account has each title once.")
        .like("Customers")
}

fn description() -> impl Form<Value = String> {
    text(MAX_DESCRIPTION)
        .about("What the phonebook is for.")
        .like("All who have ordered.")
}

answer! {
    /// A phonebook.
    pub struct PhonebookData(phonebook: &Phonebook) as "Phonebook" {
        "id": phonebook.id, id();
        "title": phonebook.title, any_text() => "Customers";
        "description": phonebook.description, any_text().or_null();
        /// How many numbers it has.
        "count": phonebook.count, count();
        "createdAt": time::to_rfc3339(phonebook.created_ms), time();
    }
}

/// A phonebook of the caller's account. Fails with 404 if the account has no such phonebook.
pub async fn find<P: Platform>(context: &Context<'_, P>, id: &str) -> Result<Phonebook, Problem> {
    let phonebook = phonebook::find(context.platform.db(), context.caller()?.account(), id).await?;
    phonebook.ok_or(Problem::NotFound)
}

/// `POST /phonebook`
pub async fn create<P: Platform>(context: &Context<'_, P>, body: &JsonBody) -> Result<Response, Problem> {
    let NewPhonebook { title, description } = context.read(body)?;
    let new = New {
        id: &id::new(context.platform)?,
        account: context.caller()?.account(),
        title: &title,
        description: description.as_deref(),
    };
    context.note_digest_of_long(&[new.description]);
    match phonebook::insert(&context.audited_db(new.id)?, new, context.request.now_ms).await? {
        Insertion::Done(phonebook) => Success::created(PhonebookData::of(&phonebook)).response(context),
        Insertion::Full => Err(Problem::Conflict(Conflict::TooManyPhonebooks)),
        Insertion::Taken => Err(Problem::Conflict(Conflict::TitleTaken)),
    }
}

/// `GET /phonebook`
pub async fn list<P: Platform>(context: &Context<'_, P>, query: Paged<'_>) -> Result<Response, Problem> {
    let (page, ()) = query.listed("phonebook")?;
    let asked = page.to_read();
    let account = context.caller()?.account();
    let mut phonebooks = phonebook::page(context.platform.db(), account, asked.limit, asked.after).await?;
    let next = page.cut(&mut phonebooks, |phonebook| phonebook.seq);
    Success::page(phonebooks.iter().map(PhonebookData::of), next).response(context)
}

/// `GET /phonebook/{id}`
pub async fn get<P: Platform>(context: &Context<'_, P>, id: &str) -> Result<Response, Problem> {
    Success::ok(PhonebookData::of(&find(context, id).await?)).response(context)
}

/// `PUT /phonebook/{id}`
pub async fn change<P: Platform>(context: &Context<'_, P>, id: &str, body: &JsonBody) -> Result<Response, Problem> {
    change_by(context, id, context.read(body)?).await
}

/// `PUT /phonebook`, with the id in the body
pub async fn change_in_body<P: Platform>(context: &Context<'_, P>, body: &JsonBody) -> Result<Response, Problem> {
    let PhonebookChangeById { id, change } = context.read(body)?;
    change_by(context, &id, change).await
}

/// Changes the phonebook with this id.
async fn change_by<P: Platform>(context: &Context<'_, P>, id: &str, new: PhonebookChange) -> Result<Response, Problem> {
    let phonebook = find(context, id).await?;
    let change = Change {
        title: new.title.as_deref(),
        description: new.description.as_ref().map(Option::as_deref),
    };
    context.note_digest_of_long(&[change.description.flatten()]);
    match phonebook::update(&context.audited_db(&phonebook.id)?, phonebook.seq, change).await? {
        Some(phonebook) => Success::ok(PhonebookData::of(&phonebook)).response(context),
        None => {
            // Somebody may have deleted the phonebook meanwhile.
            find(context, &phonebook.id).await?;
            Err(Problem::Conflict(Conflict::TitleTaken))
        }
    }
}

/// `GET /phonebook/{id}/export`
pub async fn export<P: Platform>(context: &Context<'_, P>, id: &str) -> Result<Answer, Problem> {
    let phonebook = find(context, id).await?;
    let file = format!("phonebook-{}.csv", phonebook.id);
    Ok(Export::Numbers(Box::new(NumbersExport::of(phonebook))).answer(&file))
}

query! {
    pub struct DeletionWish {
        /// The phonebook's `id`.
        id: String = must "id" any_text().described(|_| json_schema::id());
    }
}

/// `DELETE /phonebook?id=`
pub async fn delete_in_query<P: Platform>(
    context: &Context<'_, P>,
    query: Query<'_, DeletionWish>,
) -> Result<Response, Problem> {
    delete(context, &query.all()?.id).await
}

/// `DELETE /phonebook/{id}`
///
/// The account's object is told first, and refuses while scheduled messages need the phonebook. From then on it removes the
/// phonebook step by step, whatever becomes of this request. The first step is done here, so that the phonebook disappears
/// before the answer, and a small one with all its numbers. If the directory were told first and the object not any more,
/// the numbers would stay for ever.
pub async fn delete<P: Platform>(context: &Context<'_, P>, id: &str) -> Result<Response, Problem> {
    let phonebook = find(context, id).await?;
    let removal = RemovePhonebook {
        source: phonebook_source(&phonebook.id),
        id: phonebook.id,
        title: Some(phonebook.title),
    };
    let messages = context.call(&removal).await?;
    if !messages.is_empty() {
        return Err(Problem::Conflict(Conflict::Scheduled(messages)));
    }
    phonebook::remove(context.platform.db(), context.caller()?.account(), &removal.id).await?;
    Ok(http::no_content())
}
