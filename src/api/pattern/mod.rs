//! Patterns: `/pattern`. Their versions are in `versions`. A version never changes once made, only its status does.
//!
//! A change that sends have to see counts the pattern's revision up and tells it to the account's object, which sends a send
//! that was made of an older one back to read anew. So what isolates have in their caches never decides.

pub mod parse;
pub mod versions;

use serde_json::{Value, json};

use crate::account::idempotency::Charge;
use crate::account::patterns::NotePatternChange;
use crate::account::schedule::ListScheduledFrom;
use crate::api::body::{self, JsonBody};
use crate::api::context::Context;
use crate::api::query::Query;
use crate::api::respond::Success;
use crate::api::sms::draft::pattern_source;
use crate::directory::Insertion;
use crate::directory::patterns::{self, New, Pattern, Version};
use crate::fault::FaultKind;
use crate::http::{self, Body, Response};
use crate::id;
use crate::input::Fields;
use crate::ports::{Platform, PortError};
use crate::problem::{Conflict, Problem};
use crate::sms::variable::{Variable, VariableType};
use crate::time;

const MAX_TITLE: usize = 200;
const MAX_LINES: usize = 100;
const MAX_LINE: usize = 32;
const SLUG_FORM: &str = "[A-Za-z0-9_-]{3,64}";

fn data(pattern: &Pattern, versions: &[Version]) -> Value {
    let own = versions.iter().filter(|version| version.pattern == pattern.id);
    json!({
        "slug": pattern.slug,
        "title": pattern.title,
        "lines": pattern.lines,
        "versions": own.map(version_data).collect::<Vec<_>>(),
        "createdAt": time::to_rfc3339(pattern.created_ms),
    })
}

fn version_data(version: &Version) -> Value {
    json!({
        "version": version.version,
        "text": version.text,
        "variables": version.variables.iter().map(variable_data).collect::<Vec<_>>(),
        "status": version.status,
        "createdAt": time::to_rfc3339(version.created_ms),
    })
}

fn variable_data(variable: &Variable) -> Value {
    let values = Some(&variable.values).filter(|_| variable.r#type == VariableType::Enum);
    json!({
        "name": variable.name,
        "type": variable.r#type,
        "maxLength": variable.max_length,
        "values": values,
    })
}

/// Reads `lines`: each has to be one that the account may use.
async fn read_lines<P: Platform>(
    context: &Context<'_, P>,
    fields: &mut Fields<'_>,
) -> Result<Option<Vec<String>>, Problem> {
    let lines = fields.texts("lines", MAX_LINES, |line| match line.chars().count() {
        1..=MAX_LINE => Ok(line.to_owned()),
        _ => Err(FaultKind::BadFormat("the number of a line")),
    });
    let Some(lines) = lines else {
        return Ok(None);
    };
    let profile = context.profile().await?;
    for (index, line) in lines.iter().enumerate() {
        if !profile.lines.iter().any(|known| known.number == *line) {
            fields.item_fault("lines", index, FaultKind::DoesNotExist("a line", "این خط"));
        } else if lines.iter().take(index).any(|other| other == line) {
            fields.item_fault("lines", index, FaultKind::Twice);
        }
    }
    Ok(Some(lines))
}

async fn find<P: Platform>(context: &Context<'_, P>, account: &str, slug: &str) -> Result<Pattern, Problem> {
    let pattern = patterns::find(context.platform.db(), account, slug).await?;
    pattern.ok_or(Problem::NotFound)
}

async fn answer<P: Platform>(context: &Context<'_, P>, pattern: &Pattern) -> Result<Value, Problem> {
    let versions = patterns::versions(context.platform.db(), pattern.id).await?;
    Ok(data(pattern, &versions))
}

/// A revision for now: microseconds, whose last three digits are random, so that two patterns made at once differ.
fn revision<P: Platform>(context: &Context<'_, P>) -> Result<i64, PortError> {
    let mut bytes = [0; 2];
    context.platform.random(&mut bytes)?;
    let random = i64::from(u16::from_le_bytes(bytes)) % 1_000;
    Ok(context.request.now_ms.saturating_mul(1_000).saturating_add(random))
}

fn is_slug(text: &str) -> bool {
    text.len() >= 3
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}

/// `POST /pattern`
pub async fn create<P: Platform>(context: &Context<'_, P>, body: &mut impl Body) -> Result<Response, Problem> {
    context.call(&Charge(None)).await?;
    let JsonBody { object, .. } = body::read_json(context.request.head, body).await?;
    let mut fields = Fields::new(&object);
    let slug = fields.formed("slug", 64, SLUG_FORM, is_slug).map(str::to_owned);
    let title = fields.text("title", MAX_TITLE);
    let title = fields.require("title", title).unwrap_or_default();
    let lines = read_lines(context, &mut fields).await?;
    let version = parse::version(&mut fields, false);
    fields.finish()?;
    let slug = match slug {
        Some(slug) => slug,
        None => id::slug(context.platform)?,
    };
    let account = context.caller()?.account();
    let new = New {
        account,
        slug: &slug,
        title,
        lines: &lines.unwrap_or_default(),
        revision: revision(context)?,
    };
    let version = version.as_ref().map(|draft| versions::new_version(context, draft));
    match patterns::insert(context.platform.db(), new, version, context.request.now_ms).await? {
        Insertion::Done(pattern) => Success::created(answer(context, &pattern).await?).response(&context.request.id),
        Insertion::Full => Err(Problem::Conflict(Conflict::TooManyPatterns)),
        Insertion::Taken => Err(Problem::Conflict(Conflict::PatternExists)),
    }
}

/// `GET /pattern`: of each, the active version and the newest.
pub async fn list<P: Platform>(context: &Context<'_, P>) -> Result<Response, Problem> {
    context.call(&Charge(None)).await?;
    let mut query = Query::of(context.request.head);
    let page = query.page("pattern");
    query.finish()?;
    let asked = page.to_read();
    let account = context.caller()?.account();
    let (mut patterns, versions) = patterns::page(context.platform.db(), account, asked.limit, asked.after).await?;
    let next = page.cut(&mut patterns, |pattern| pattern.id);
    let data: Vec<Value> = patterns.iter().map(|pattern| data(pattern, &versions)).collect();
    Success::page(data, next).response(&context.request.id)
}

/// `GET /pattern/{slug}`
pub async fn get<P: Platform>(context: &Context<'_, P>, slug: &str) -> Result<Response, Problem> {
    context.call(&Charge(None)).await?;
    let pattern = find(context, context.caller()?.account(), slug).await?;
    Success::ok(answer(context, &pattern).await?).response(&context.request.id)
}

/// `PUT /pattern/{slug}`
pub async fn change<P: Platform>(
    context: &Context<'_, P>,
    slug: &str,
    body: &mut impl Body,
) -> Result<Response, Problem> {
    context.call(&Charge(None)).await?;
    let JsonBody { object, .. } = body::read_json(context.request.head, body).await?;
    let mut fields = Fields::new(&object);
    let title = fields.text("title", MAX_TITLE);
    let lines = read_lines(context, &mut fields).await?;
    fields.finish()?;
    let account = context.caller()?.account();
    let pattern = find(context, account, slug).await?;
    let revision = revision(context)?;
    let changed = patterns::update(context.platform.db(), pattern.id, title, lines.as_deref(), revision).await?;
    let pattern = changed.ok_or(Problem::NotFound)?;
    tell(context, account, &pattern.slug, pattern.revision).await?;
    Success::ok(answer(context, &pattern).await?).response(&context.request.id)
}

/// `DELETE /pattern/{slug}`
pub async fn delete<P: Platform>(context: &Context<'_, P>, slug: &str) -> Result<Response, Problem> {
    let messages = context.call(&ListScheduledFrom(pattern_source(slug))).await?;
    let account = context.caller()?.account();
    let pattern = find(context, account, slug).await?;
    if !messages.is_empty() {
        return Err(Problem::Conflict(Conflict::Scheduled(messages)));
    }
    let deleted = patterns::delete(context.platform.db(), pattern.id).await?;
    if !deleted {
        return Err(Problem::Conflict(Conflict::PatternActive));
    }
    tell(context, account, slug, revision(context)?.max(pattern.revision + 1)).await?;
    Ok(http::no_content())
}

/// Makes a change known to sends: here at once, elsewhere by way of the account's object.
async fn tell<P: Platform>(context: &Context<'_, P>, account: &str, slug: &str, revision: i64) -> Result<(), Problem> {
    context.app.patterns.forget(&format!("{account}/{slug}"));
    let slug = slug.to_owned();
    context.call_other(account, &NotePatternChange { slug, revision }).await
}
