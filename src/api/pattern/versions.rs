//! Versions of patterns: made, activated, retired, approved.

use serde_json::{Value, json};

use super::read::{self, Draft};
use super::{Pattern, Version, answer, find, revision, tell};
use crate::api::Context;
use crate::api::paging::Query;
use crate::http::{self, Body, Response, Success};
use crate::input::Fields;
use crate::ports::{Db, Platform, PortError, Statement, Value as SqlValue};
use crate::problem::{Conflict, Problem};

/// Versions of one pattern at most.
const MAX_VERSIONS: i64 = 100;

async fn find_version<P: Platform>(
    context: &Context<'_, P>,
    pattern: &Pattern,
    version: &str,
) -> Result<Version, Problem> {
    let number: u32 = version.parse().map_err(|_| Problem::NotFound)?;
    let rows = context
        .platform
        .db()
        .query(Statement::new(
            "SELECT pattern, version, text, variables, status, created_ms FROM pattern_version \
             WHERE pattern = ?1 AND version = ?2",
            [pattern.id.into(), number.into()],
        ))
        .await?;
    Ok(Version::from_row(rows.first().ok_or(Problem::NotFound)?)?)
}

/// The statement that adds a version to a pattern, unless that has as many as it may have. With `revision`, only if the pattern
/// is still of that revision.
pub fn add<P: Platform>(
    context: &Context<'_, P>,
    slug: &str,
    revision: Option<i64>,
    draft: &Draft,
) -> Result<Statement, Problem> {
    let variables = serde_json::to_string(&draft.variables).map_err(|error| PortError::failed("json", error))?;
    let status = match context.app.config.pattern_approval {
        true => "PENDING",
        false => "DRAFT",
    };
    let params: Vec<SqlValue> = vec![
        context.key()?.account.as_str().into(),
        slug.into(),
        revision.into(),
        draft.text.as_str().into(),
        variables.into(),
        status.into(),
        context.now_ms.into(),
        MAX_VERSIONS.into(),
    ];
    Ok(Statement::new(
        "INSERT INTO pattern_version (pattern, version, text, variables, status, created_ms) \
         SELECT p.id, (SELECT coalesce(max(version), 0) + 1 FROM pattern_version WHERE pattern = p.id), ?4, ?5, ?6, ?7 \
         FROM pattern p WHERE p.account = ?1 AND p.slug = ?2 AND (?3 IS NULL OR p.revision = ?3) \
           AND (SELECT count(*) FROM pattern_version WHERE pattern = p.id) < ?8 \
         RETURNING pattern, version, text, variables, status, created_ms",
        params,
    ))
}

/// `POST /pattern/{slug}/versions`
pub async fn create<P: Platform>(
    context: &Context<'_, P>,
    slug: &str,
    body: &mut impl Body,
) -> Result<Response, Problem> {
    context.charge().await?;
    let (_, object) = http::read_json(context.head, body).await?;
    let mut fields = Fields::new(&object);
    let draft = read::version(&mut fields, true);
    fields.finish()?;
    let draft = draft.ok_or_else(|| Problem::Internal("a version without faults was not read".to_owned()))?;
    find(context, &context.key()?.account, slug).await?;
    let rows = context.platform.db().query(add(context, slug, None, &draft)?).await?;
    match rows.first() {
        Some(row) => Success::created(Version::from_row(row)?.data()).response(context.request_id),
        None => Err(Problem::Conflict(Conflict::TooManyVersions)),
    }
}

/// `POST /pattern/{slug}/versions/{n}/activate`
pub async fn activate<P: Platform>(context: &Context<'_, P>, slug: &str, version: &str) -> Result<Response, Problem> {
    context.charge().await?;
    let may_approve = !context.app.config.pattern_approval;
    activate_for(context, &context.key()?.account, slug, version, may_approve).await
}

/// `POST /admin/accounts/{id}/patterns/{slug}/versions/{n}/activate`
pub async fn approve<P: Platform>(
    context: &Context<'_, P>,
    account: &str,
    slug: &str,
    version: &str,
) -> Result<Response, Problem> {
    context.charge().await?;
    activate_for(context, account, slug, version, true).await
}

/// Makes a version the active one and retires the one that was. Who may not approve activates only what was active before.
async fn activate_for<P: Platform>(
    context: &Context<'_, P>,
    account: &str,
    slug: &str,
    version: &str,
    may_approve: bool,
) -> Result<Response, Problem> {
    let pattern = find(context, account, slug).await?;
    let version = find_version(context, &pattern, version).await?;
    if version.status == "ACTIVE" {
        return Err(Problem::Conflict(Conflict::VersionActive));
    }
    if !may_approve && version.status != "RETIRED" {
        return Err(Problem::Conflict(Conflict::VersionPending));
    }
    let place = || [pattern.id.into(), version.version.into()];
    let mut answers = context
        .platform
        .db()
        .batch(vec![
            Statement::new(
                "UPDATE pattern SET revision = max(revision + 1, ?3) WHERE id = ?1 AND EXISTS \
                   (SELECT 1 FROM pattern_version WHERE pattern = ?1 AND version = ?2 AND status <> 'ACTIVE') \
                 RETURNING id, slug, title, lines, revision, created_ms",
                [pattern.id.into(), version.version.into(), revision(context)?.into()],
            ),
            Statement::new(
                "UPDATE pattern_version SET status = 'RETIRED' \
                 WHERE pattern = ?1 AND status = 'ACTIVE' AND version <> ?2",
                place(),
            ),
            Statement::new(
                "UPDATE pattern_version SET status = 'ACTIVE' WHERE pattern = ?1 AND version = ?2",
                place(),
            ),
        ])
        .await?
        .into_iter();
    let revised = answers.next().unwrap_or_default();
    // None: another request did it in between.
    let revised = revised.first().ok_or(Problem::Conflict(Conflict::VersionActive))?;
    let pattern = Pattern::from_row(revised)?;
    tell(context, account, &pattern.slug, pattern.revision).await?;
    Success::ok(answer(context, &pattern).await?).response(context.request_id)
}

/// `POST /pattern/{slug}/deactivate`
pub async fn deactivate<P: Platform>(context: &Context<'_, P>, slug: &str) -> Result<Response, Problem> {
    context.charge().await?;
    let account = context.key()?.account.as_str();
    let pattern = find(context, account, slug).await?;
    let mut answers = context
        .platform
        .db()
        .batch(vec![
            Statement::new(
                "UPDATE pattern SET revision = max(revision + 1, ?2) WHERE id = ?1 AND EXISTS \
                   (SELECT 1 FROM pattern_version WHERE pattern = ?1 AND status = 'ACTIVE') \
                 RETURNING id, slug, title, lines, revision, created_ms",
                [pattern.id.into(), revision(context)?.into()],
            ),
            Statement::new(
                "UPDATE pattern_version SET status = 'RETIRED' WHERE pattern = ?1 AND status = 'ACTIVE'",
                [pattern.id.into()],
            ),
        ])
        .await?
        .into_iter();
    let revised = answers.next().unwrap_or_default();
    let revised = revised.first().ok_or(Problem::Conflict(Conflict::NoVersionActive))?;
    let pattern = Pattern::from_row(revised)?;
    tell(context, account, &pattern.slug, pattern.revision).await?;
    Success::ok(answer(context, &pattern).await?).response(context.request_id)
}

/// `GET /admin/patterns`: the versions that wait for approval, oldest pattern first.
pub async fn pending<P: Platform>(context: &Context<'_, P>) -> Result<Response, Problem> {
    context.charge().await?;
    let mut query = Query::of(context.head);
    let page = query.page("admin/patterns");
    query.finish()?;
    let asked = page.to_read();
    let after = asked.after.unwrap_or(0);
    let rows = context
        .platform
        .db()
        .query(Statement::new(
            "SELECT v.pattern, v.version, v.text, v.variables, v.status, v.created_ms, \
                    p.account, p.slug, p.title FROM pattern_version v JOIN pattern p ON p.id = v.pattern \
             WHERE v.status = 'PENDING' AND (v.pattern, v.version) > (?1, ?2) ORDER BY v.pattern, v.version LIMIT ?3",
            [(after / PLACES).into(), (after % PLACES).into(), asked.limit.into()],
        ))
        .await?;
    let mut items = Vec::with_capacity(rows.len());
    for row in &rows {
        let version = Version::from_row(row)?;
        let place = version.pattern * PLACES + version.version;
        let data = json!({
            "account": row.text(6)?,
            "slug": row.text(7)?,
            "title": row.text(8)?,
            "version": version.data(),
        });
        items.push((place, data));
    }
    let next = page.cut(&mut items, |(place, _)| *place);
    let data: Vec<Value> = items.into_iter().map(|(_, data)| data).collect();
    Success::page(data, next).response(context.request_id)
}

/// Places in a list that one pattern takes: more than it can have versions.
const PLACES: i64 = 1_000;
