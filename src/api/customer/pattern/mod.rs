//! Patterns: texts with placeholders. A version of a pattern never changes once it is made. Only its status does.

pub mod change;
pub mod data;
pub mod parse;
pub mod versions;

use serde_json::json;

use crate::account::sources::{ListScheduledFrom, pattern_source};
use crate::api::http::forms::{Form, formed, item_text, list_of, never, refused, text};
use crate::api::http::json_fields::{Body, Fields};
use crate::api::http::{self, Response, body::JsonBody, context::Context, query::Paged, respond::Success};
use crate::api::shared::forms::PATTERN_SLUG;
use crate::base::{id, ports::Platform};
use crate::directory::patterns::{self, add, add::New};
use crate::problem::{Conflict, Problem, field_error::FieldErrorKind};
use crate::{body, either};
use change::{announce, find, limits, new_revision, problem, show};
use parse::{Draft, NewPatternVersion};

const MAX_TITLE: usize = 200;
const MAX_LINES: usize = 100;
const MAX_LINE: usize = 32;

body! {
    /// A pattern with its first version.
    pub struct PatternWithVersion => {"slug": "login", "title": "Login", "text": "Your code is %OTP%.",
            "variables": [{"name": "OTP", "type": "NUMBER", "maxLength": 6}]} {
        pattern: NewPattern = all;
        version: NewPatternVersion = all;
    }

    /// A pattern without a version.
    pub struct PatternWithoutVersion => {"slug": "login", "title": "Login"} {
        pattern: NewPattern = all;
        text: Option<()> = can "text" refused(FieldErrorKind::NotBeside("variables"));
        variables: Option<()> = may "variables" never();
    }

    /// What a pattern has besides versions.
    pub struct NewPattern {
        /// The name of the pattern in sends.
        slug: Option<String> = can "slug" formed(&PATTERN_SLUG) => "login";
        title: String = must "title" title();
        lines: Option<Vec<String>> = can "lines" lines();
    }

    /// What to change. What is left out stays.
    pub struct PatternChange {
        title: Option<String> = can "title" title();
        lines: Option<Vec<String>> = can "lines" lines();
    }
}

either! {
    /// A pattern to create. Peyk makes a slug if there is none.
    pub struct PatternToCreate as "NewPattern" = exactly_one PatternWithVersion, PatternWithoutVersion;
}

fn title() -> impl Form<Value = String> {
    text(MAX_TITLE).about("What the pattern is for.").like("Login")
}

fn lines() -> impl Form<Value = Vec<String>> {
    let line = item_text(MAX_LINE, FieldErrorKind::BadForm("the number of a line", "یک سرشماره")).like("10001");
    list_of(line, 0, MAX_LINES)
        .described(|lines| lines.with("uniqueItems", true).like(json!([])))
        .about("Lines of the account. If there are any, the pattern can be sent from these only.")
}

/// Notes a fault for each line that the account may not use or that comes twice.
async fn check_lines<P: Platform>(
    context: &Context<'_, P>,
    fields: &mut Fields<'_>,
    lines: Option<&[String]>,
) -> Result<(), Problem> {
    let Some(lines) = lines else {
        return Ok(());
    };
    let profile = context.profile().await?;
    for (index, line) in lines.iter().enumerate() {
        if !profile.lines().any(|known| known.number == *line) {
            fields.item_fault("lines", index, FieldErrorKind::DoesNotExist("a line", "این سرشماره"));
        } else if lines.iter().take(index).any(|other| other == line) {
            fields.item_fault("lines", index, FieldErrorKind::Twice);
        }
    }
    Ok(())
}

/// Reads a pattern, with a first version if the body has one.
fn read(fields: &mut Fields<'_>) -> (NewPattern, Option<Draft>) {
    if fields.value("text").is_some() || fields.has("variables") {
        let PatternWithVersion { pattern, version } = PatternWithVersion::read(fields);
        (pattern, version.draft(fields))
    } else {
        let pattern = PatternWithoutVersion::read(fields).pattern;
        fields.knows(PatternWithVersion::names);
        (pattern, None)
    }
}

/// `POST /pattern`
pub async fn create<P: Platform>(context: &Context<'_, P>, body: &JsonBody) -> Result<Response, Problem> {
    let mut fields = context.fields(body);
    let (pattern, draft) = read(&mut fields);
    check_lines(context, &mut fields, pattern.lines.as_deref()).await?;
    fields.finish()?;
    let slug = match pattern.slug {
        Some(slug) => slug,
        None => id::slug(context.platform)?,
    };
    let new = New {
        account: context.caller()?.account(),
        slug: &slug,
        title: &pattern.title,
        lines: &pattern.lines.unwrap_or_default(),
        revision: new_revision(context)?,
    };
    let version = draft.as_ref().map(|draft| versions::new_version(context, draft));
    if let Some(version) = version {
        context.note_digest(version.text);
    }
    draft.iter().for_each(|draft| versions::warn(context, draft));
    let (db, now_ms) = (context.audited_db(&slug)?, context.request.now_ms);
    match add::insert(&db, new, version, limits(context), now_ms).await? {
        Ok(pattern) => Success::created(show(context, &pattern).await?).response(context),
        Err(obstacle) => Err(problem(context, obstacle, Conflict::TooManyPatterns)),
    }
}

/// `GET /pattern`: each pattern with its active version and its newest.
pub async fn list<P: Platform>(context: &Context<'_, P>, query: Paged<'_>) -> Result<Response, Problem> {
    let (page, ()) = query.listed("pattern")?;
    let asked = page.to_read();
    let account = context.caller()?.account();
    let (mut patterns, versions) = patterns::page(context.platform.db(), account, asked.limit, asked.after).await?;
    let next = page.cut(&mut patterns, |pattern| pattern.id);
    Success::page(patterns.iter().map(|pattern| data::listed(pattern, &versions)), next).response(context)
}

/// `GET /pattern/{slug}`
pub async fn get<P: Platform>(context: &Context<'_, P>, slug: &str) -> Result<Response, Problem> {
    let pattern = find(context, context.caller()?.account(), slug).await?;
    Success::ok(show(context, &pattern).await?).response(context)
}

/// `PUT /pattern/{slug}`
pub async fn change<P: Platform>(context: &Context<'_, P>, slug: &str, body: &JsonBody) -> Result<Response, Problem> {
    let mut fields = context.fields(body);
    let PatternChange { title, lines } = PatternChange::read(&mut fields);
    check_lines(context, &mut fields, lines.as_deref()).await?;
    fields.finish()?;
    let account = context.caller()?.account();
    let pattern = find(context, account, slug).await?;
    let revision = new_revision(context)?;
    let changed = patterns::update(
        &context.audited_db(&pattern.slug)?,
        pattern.id,
        title.as_deref(),
        lines.as_deref(),
        revision,
    )
    .await?;
    let pattern = changed.ok_or(Problem::NotFound)?;
    announce(context, account, &pattern.slug).await?;
    Success::ok(show(context, &pattern).await?).response(context)
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
