//! Patterns: `/pattern`. Their versions are in `versions`. A version never changes once made, only its status does.
//!
//! A change that sends have to see counts the pattern's revision up and tells it to the account's object, which sends a send
//! that was made of an older one back to read anew. So what isolates have in their caches never decides.

pub mod read;
pub mod versions;

use serde_json::{Value, json};

use crate::account::command::{Answer, Command};
use crate::api::paging::Query;
use crate::api::sms::draft::pattern_use;
use crate::api::{Context, unexpected};
use crate::fault::What;
use crate::http::{self, Body, Response, Success};
use crate::id;
use crate::input::Fields;
use crate::ports::{Db, Platform, PortError, Row, Statement};
use crate::problem::{Conflict, Problem};
use crate::sms::variable::{Variable, VariableType};
use crate::time;

/// Patterns of one account at most.
const MAX_PATTERNS: i64 = 1_000;
const MAX_TITLE: usize = 200;
const MAX_LINES: usize = 100;
const MAX_LINE: usize = 32;
const SLUG_FORM: &str = "[A-Za-z0-9_-]{3,64}";

/// A pattern as the directory keeps it.
struct Pattern {
    id: i64,
    slug: String,
    title: String,
    lines: Vec<String>,
    revision: i64,
    created_ms: i64,
}

/// One of its versions.
struct Version {
    pattern: i64,
    version: i64,
    text: String,
    variables: Vec<Variable>,
    status: String,
    created_ms: i64,
}

fn from_json<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, PortError> {
    serde_json::from_str(text).map_err(|error| PortError::failed("json", error))
}

impl Pattern {
    fn from_row(row: &Row) -> Result<Self, PortError> {
        Ok(Pattern {
            id: row.int(0)?,
            slug: row.text(1)?,
            title: row.text(2)?,
            lines: from_json(&row.text(3)?)?,
            revision: row.int(4)?,
            created_ms: row.int(5)?,
        })
    }

    fn data(&self, versions: &[Version]) -> Value {
        let own = versions.iter().filter(|version| version.pattern == self.id);
        json!({
            "slug": self.slug,
            "title": self.title,
            "lines": self.lines,
            "versions": own.map(Version::data).collect::<Vec<_>>(),
            "createdAt": time::to_rfc3339(self.created_ms),
        })
    }
}

impl Version {
    fn from_row(row: &Row) -> Result<Self, PortError> {
        Ok(Version {
            pattern: row.int(0)?,
            version: row.int(1)?,
            text: row.text(2)?,
            variables: from_json(&row.text(3)?)?,
            status: row.text(4)?,
            created_ms: row.int(5)?,
        })
    }

    fn data(&self) -> Value {
        json!({
            "version": self.version,
            "text": self.text,
            "variables": self.variables.iter().map(variable_data).collect::<Vec<_>>(),
            "status": self.status,
            "createdAt": time::to_rfc3339(self.created_ms),
        })
    }
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
        _ => Err(What::BadFormat("the number of a line")),
    });
    let Some(lines) = lines else {
        return Ok(None);
    };
    let profile = context.profile().await?;
    for (index, line) in lines.iter().enumerate() {
        if !profile.lines.iter().any(|known| known.number == *line) {
            fields.item_fault("lines", index, What::DoesNotExist("a line", "این خط"));
        } else if lines.iter().take(index).any(|other| other == line) {
            fields.item_fault("lines", index, What::Twice);
        }
    }
    Ok(Some(lines))
}

async fn find<P: Platform>(context: &Context<'_, P>, account: &str, slug: &str) -> Result<Pattern, Problem> {
    let rows = context
        .platform
        .db()
        .query(Statement::new(
            "SELECT id, slug, title, lines, revision, created_ms FROM pattern WHERE account = ?1 AND slug = ?2",
            [account.into(), slug.into()],
        ))
        .await?;
    Ok(Pattern::from_row(rows.first().ok_or(Problem::NotFound)?)?)
}

async fn versions<P: Platform>(context: &Context<'_, P>, pattern: i64) -> Result<Vec<Version>, Problem> {
    let rows = context
        .platform
        .db()
        .query(Statement::new(
            "SELECT pattern, version, text, variables, status, created_ms FROM pattern_version \
             WHERE pattern = ?1 ORDER BY version",
            [pattern.into()],
        ))
        .await?;
    Ok(rows.iter().map(Version::from_row).collect::<Result<_, _>>()?)
}

async fn answer<P: Platform>(context: &Context<'_, P>, pattern: &Pattern) -> Result<Value, Problem> {
    Ok(pattern.data(&versions(context, pattern.id).await?))
}

/// A revision for now: microseconds, whose last three digits are random, so that two patterns made at once differ.
fn revision<P: Platform>(context: &Context<'_, P>) -> Result<i64, PortError> {
    let mut bytes = [0; 2];
    context.platform.random(&mut bytes)?;
    let random = i64::from(u16::from_le_bytes(bytes)) % 1_000;
    Ok(context.now_ms.saturating_mul(1_000).saturating_add(random))
}

fn is_slug(text: &str) -> bool {
    text.len() >= 3
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}

/// `POST /pattern`
pub async fn create<P: Platform>(context: &Context<'_, P>, body: &mut impl Body) -> Result<Response, Problem> {
    context.charge().await?;
    let (_, object) = http::read_json(context.head, body).await?;
    let mut fields = Fields::new(&object);
    let slug = fields.formed("slug", 64, SLUG_FORM, is_slug).map(str::to_owned);
    let title = fields.text("title", MAX_TITLE);
    let title = fields.require("title", title).unwrap_or_default();
    let lines = read_lines(context, &mut fields).await?;
    let version = read::version(&mut fields, false);
    fields.finish()?;
    let slug = match slug {
        Some(slug) => slug,
        None => id::slug(context.platform)?,
    };
    let account = context.key()?.account.as_str();
    let revision = revision(context)?;
    let mut statements = vec![
        Statement::new("SELECT count(*) FROM pattern WHERE account = ?1", [account.into()]),
        Statement::new(
            "INSERT INTO pattern (account, slug, title, lines, revision, created_ms) \
             SELECT ?1, ?2, ?3, ?4, ?5, ?6 WHERE (SELECT count(*) FROM pattern WHERE account = ?1) < ?7 \
             ON CONFLICT (account, slug) DO NOTHING RETURNING id, slug, title, lines, revision, created_ms",
            [
                account.into(),
                slug.as_str().into(),
                title.into(),
                json!(lines.unwrap_or_default()).to_string().into(),
                revision.into(),
                context.now_ms.into(),
                MAX_PATTERNS.into(),
            ],
        ),
    ];
    if let Some(draft) = &version {
        // Only if the statement before made the pattern: one that was there has another revision.
        statements.push(versions::add(context, &slug, Some(revision), draft)?);
    }
    let mut answers = context.platform.db().batch(statements).await?.into_iter();
    let (counts, made) = (answers.next().unwrap_or_default(), answers.next().unwrap_or_default());
    let is_full = counts.first().map_or(Ok(0), |row| row.int(0))? >= MAX_PATTERNS;
    match made.first() {
        Some(row) => {
            let pattern = Pattern::from_row(row)?;
            Success::created(answer(context, &pattern).await?).response(context.request_id)
        }
        None if is_full => Err(Problem::Conflict(Conflict::TooManyPatterns)),
        None => Err(Problem::Conflict(Conflict::PatternExists)),
    }
}

/// `GET /pattern`: of each, the active version and the newest.
pub async fn list<P: Platform>(context: &Context<'_, P>) -> Result<Response, Problem> {
    context.charge().await?;
    let mut query = Query::of(context.head);
    let page = query.page("pattern");
    query.finish()?;
    let asked = page.to_read();
    let account = context.key()?.account.as_str();
    let place = || [account.into(), asked.after.into(), asked.limit.into()];
    let mut answers = context
        .platform
        .db()
        .batch(vec![
            Statement::new(
                "SELECT id, slug, title, lines, revision, created_ms FROM pattern \
                 WHERE account = ?1 AND (?2 IS NULL OR id < ?2) ORDER BY id DESC LIMIT ?3",
                place(),
            ),
            Statement::new(
                "SELECT v.pattern, v.version, v.text, v.variables, v.status, v.created_ms FROM \
                   (SELECT id FROM pattern WHERE account = ?1 AND (?2 IS NULL OR id < ?2) ORDER BY id DESC LIMIT ?3) p \
                 JOIN pattern_version v ON v.pattern = p.id \
                 WHERE v.status = 'ACTIVE' \
                   OR v.version = (SELECT max(version) FROM pattern_version WHERE pattern = p.id) ORDER BY 1, 2",
                place(),
            ),
        ])
        .await?
        .into_iter();
    let (patterns, versions) = (answers.next().unwrap_or_default(), answers.next().unwrap_or_default());
    let mut patterns: Vec<Pattern> = patterns.iter().map(Pattern::from_row).collect::<Result<_, _>>()?;
    let versions: Vec<Version> = versions.iter().map(Version::from_row).collect::<Result<_, _>>()?;
    let next = page.cut(&mut patterns, |pattern| pattern.id);
    let data: Vec<Value> = patterns.iter().map(|pattern| pattern.data(&versions)).collect();
    Success::page(data, next).response(context.request_id)
}

/// `GET /pattern/{slug}`
pub async fn get<P: Platform>(context: &Context<'_, P>, slug: &str) -> Result<Response, Problem> {
    context.charge().await?;
    let pattern = find(context, &context.key()?.account, slug).await?;
    Success::ok(answer(context, &pattern).await?).response(context.request_id)
}

/// `PUT /pattern/{slug}`
pub async fn change<P: Platform>(
    context: &Context<'_, P>,
    slug: &str,
    body: &mut impl Body,
) -> Result<Response, Problem> {
    context.charge().await?;
    let (_, object) = http::read_json(context.head, body).await?;
    let mut fields = Fields::new(&object);
    let title = fields.text("title", MAX_TITLE);
    let lines = read_lines(context, &mut fields).await?;
    fields.finish()?;
    let account = context.key()?.account.as_str();
    let pattern = find(context, account, slug).await?;
    let rows = context
        .platform
        .db()
        .query(Statement::new(
            "UPDATE pattern SET title = coalesce(?2, title), lines = coalesce(?3, lines), \
               revision = max(revision + 1, ?4) WHERE id = ?1 \
             RETURNING id, slug, title, lines, revision, created_ms",
            [
                pattern.id.into(),
                title.into(),
                lines.map(|lines| json!(lines).to_string()).into(),
                revision(context)?.into(),
            ],
        ))
        .await?;
    let pattern = Pattern::from_row(rows.first().ok_or(Problem::NotFound)?)?;
    tell(context, account, &pattern.slug, pattern.revision).await?;
    Success::ok(answer(context, &pattern).await?).response(context.request_id)
}

/// `DELETE /pattern/{slug}`
pub async fn delete<P: Platform>(context: &Context<'_, P>, slug: &str) -> Result<Response, Problem> {
    let messages = match context.call(Command::Uses(pattern_use(slug))).await? {
        Answer::Uses(messages) => messages,
        other => return Err(unexpected(&other)),
    };
    let account = context.key()?.account.as_str();
    let pattern = find(context, account, slug).await?;
    if !messages.is_empty() {
        return Err(Problem::Conflict(Conflict::Scheduled(messages)));
    }
    let deleted = context
        .platform
        .db()
        .query(Statement::new(
            "DELETE FROM pattern WHERE id = ?1 AND NOT EXISTS \
               (SELECT 1 FROM pattern_version WHERE pattern = ?1 AND status = 'ACTIVE') RETURNING id",
            [pattern.id.into()],
        ))
        .await?;
    if deleted.is_empty() {
        return Err(Problem::Conflict(Conflict::PatternActive));
    }
    tell(context, account, slug, revision(context)?.max(pattern.revision + 1)).await?;
    Ok(http::no_content())
}

/// Makes a change known to sends: here at once, elsewhere by way of the account's object.
async fn tell<P: Platform>(context: &Context<'_, P>, account: &str, slug: &str, revision: i64) -> Result<(), Problem> {
    context.app.patterns.forget(&format!("{account}/{slug}"));
    let slug = slug.to_owned();
    let command = Command::PatternChanged { slug, revision };
    context.call_other(account, command).await.map(drop)
}
