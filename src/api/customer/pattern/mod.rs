//! Patterns: texts with placeholders. A version of a pattern never changes once it is made. Only its status does.

pub mod change;
pub mod data;
pub mod parse;
pub mod versions;

use serde_json::Value;

use crate::account::message::sources::ListScheduledFrom;
use crate::api::http::body::JsonBody;
use crate::api::http::context::Context;
use crate::api::http::json_fields::Fields;
use crate::api::http::query::Query;
use crate::api::http::respond::Success;
use crate::api::http::{self, Response};
use crate::api::problem::field_error::FaultKind;
use crate::api::problem::{Conflict, Problem};
use crate::api::shared::names::pattern_source;
use crate::api::shared::slug;
use crate::base::id;
use crate::base::ports::Platform;
use crate::directory::Insertion;
use crate::directory::patterns::{self, New};
use change::{announce, find, new_revision, show};

const MAX_TITLE: usize = 200;
const MAX_LINES: usize = 100;
const MAX_LINE: usize = 32;

/// Reads `lines`, numbers of lines that the account may use.
async fn read_lines<P: Platform>(
    context: &Context<'_, P>,
    fields: &mut Fields<'_>,
) -> Result<Option<Vec<String>>, Problem> {
    let lines = fields.texts("lines", MAX_LINES, |line| match line.chars().count() {
        1..=MAX_LINE => Ok(line.to_owned()),
        _ => Err(FaultKind::BadForm("the number of a line", "یک سرشماره")),
    });
    let Some(lines) = lines else {
        return Ok(None);
    };
    let profile = context.profile().await?;
    for (index, line) in lines.iter().enumerate() {
        if !profile.lines.iter().any(|known| known.number == *line) {
            fields.item_fault("lines", index, FaultKind::DoesNotExist("a line", "این سرشماره"));
        } else if lines.iter().take(index).any(|other| other == line) {
            fields.item_fault("lines", index, FaultKind::Twice);
        }
    }
    Ok(Some(lines))
}

/// `POST /pattern`
pub async fn create<P: Platform>(context: &Context<'_, P>, body: &JsonBody) -> Result<Response, Problem> {
    let mut fields = Fields::new(&body.object);
    let slug = slug::PATTERN.read(&mut fields, "slug").map(str::to_owned);
    let title = fields.text("title", MAX_TITLE);
    let title = fields.require("title", title).unwrap_or_default();
    let lines = read_lines(context, &mut fields).await?;
    let version = parse::version(&mut fields, false);
    fields.finish()?;
    let slug = match slug {
        Some(slug) => slug,
        None => id::slug(context.platform)?,
    };
    let new = New {
        account: context.caller()?.account(),
        slug: &slug,
        title,
        lines: &lines.unwrap_or_default(),
        revision: new_revision(context)?,
    };
    let version = version.as_ref().map(|draft| versions::new_version(context, draft));
    match patterns::insert(&context.audited_db(&slug)?, new, version, context.request.now_ms).await? {
        Insertion::Done(pattern) => Success::created(show(context, &pattern).await?).response(&context.request.id),
        Insertion::Full => Err(Problem::Conflict(Conflict::TooManyPatterns)),
        Insertion::Taken => Err(Problem::Conflict(Conflict::PatternExists)),
    }
}

/// `GET /pattern`: each pattern with its active version and its newest.
pub async fn list<P: Platform>(context: &Context<'_, P>) -> Result<Response, Problem> {
    let mut query = Query::of(context.request.head);
    let page = query.page("pattern");
    query.finish()?;
    let asked = page.to_read();
    let account = context.caller()?.account();
    let (mut patterns, versions) = patterns::page(context.platform.db(), account, asked.limit, asked.after).await?;
    let next = page.cut(&mut patterns, |pattern| pattern.id);
    let data: Vec<Value> = patterns
        .iter()
        .map(|pattern| data::listed(pattern, &versions))
        .collect();
    Success::page(data, next).response(&context.request.id)
}

/// `GET /pattern/{slug}`
pub async fn get<P: Platform>(context: &Context<'_, P>, slug: &str) -> Result<Response, Problem> {
    let pattern = find(context, context.caller()?.account(), slug).await?;
    Success::ok(show(context, &pattern).await?).response(&context.request.id)
}

/// `PUT /pattern/{slug}`
pub async fn change<P: Platform>(context: &Context<'_, P>, slug: &str, body: &JsonBody) -> Result<Response, Problem> {
    let mut fields = Fields::new(&body.object);
    let title = fields.text("title", MAX_TITLE);
    let lines = read_lines(context, &mut fields).await?;
    fields.finish()?;
    let account = context.caller()?.account();
    let pattern = find(context, account, slug).await?;
    let revision = new_revision(context)?;
    let changed = patterns::update(
        &context.audited_db(&pattern.slug)?,
        pattern.id,
        title,
        lines.as_deref(),
        revision,
    )
    .await?;
    let pattern = changed.ok_or(Problem::NotFound)?;
    announce(context, account, &pattern.slug).await?;
    Success::ok(show(context, &pattern).await?).response(&context.request.id)
}

/// `DELETE /pattern/{slug}`
pub async fn delete<P: Platform>(context: &Context<'_, P>, slug: &str) -> Result<Response, Problem> {
    let messages = context.call(&ListScheduledFrom(pattern_source(slug))).await?;
    let account = context.caller()?.account();
    let pattern = find(context, account, slug).await?;
    if !messages.is_empty() {
        return Err(Problem::Conflict(Conflict::Scheduled(messages)));
    }
    let deleted = patterns::delete(&context.audited_db(&pattern.slug)?, pattern.id).await?;
    if !deleted {
        return Err(Problem::Conflict(Conflict::PatternActive));
    }
    announce(context, account, slug).await?;
    Ok(http::no_content())
}
