//! Versions of patterns.

use std::collections::BTreeSet;

use super::change::{announce, announce_with, find, limits, new_revision, problem, show};
use super::data;
use super::parse::{Draft, NewPatternVersion};
use crate::account::message::patterns::Review;
use crate::api::http::forms::text;
use crate::api::http::{Response, body::JsonBody, context::Context, json_fields::Body, query::Paged, respond::Success};
use crate::base::ports::Platform;
use crate::body;
use crate::compose::note_foreign;
use crate::directory::patterns::add::{self, NewVersion};
use crate::directory::patterns::{self, Pattern, Version};
use crate::problem::{Conflict, Problem, warning};

/// How many positions one pattern takes in the list of pending versions. A pattern has fewer versions.
const POSITIONS: i64 = 1_000;

/// A reason has at most this many characters: a refusal of a send quotes it.
const MAX_REASON: usize = 150;

body! {
    /// Why a version of a pattern is refused.
    pub struct PatternRefusal {
        /// What its owner is told, so that they can mend it.
        reason: String = must "reason" text(MAX_REASON) => "The text has no name of a shop.";
    }
}

async fn find_version<P: Platform>(
    context: &Context<'_, P>,
    pattern: &Pattern,
    version: &str,
) -> Result<Version, Problem> {
    let number: u32 = version.parse().map_err(|_| Problem::NotFound)?;
    let version = patterns::find_version(context.platform.db(), pattern.id, number).await?;
    version.ok_or(Problem::NotFound)
}

/// Makes a version to add of a draft. If the service requires approval, the version waits for it.
pub fn new_version<'a, P: Platform>(context: &Context<'_, P>, draft: &'a Draft) -> NewVersion<'a> {
    NewVersion {
        text: &draft.text,
        variables: &draft.variables,
        status: if context.app.config.pattern_approval {
            "PENDING"
        } else {
            "DRAFT"
        },
    }
}

/// `POST /pattern/{slug}/versions`
pub async fn create<P: Platform>(context: &Context<'_, P>, slug: &str, body: &JsonBody) -> Result<Response, Problem> {
    let mut fields = context.fields(body);
    let draft = NewPatternVersion::read(&mut fields).draft(&mut fields);
    fields.finish()?;
    let draft = draft.ok_or_else(|| Problem::Internal("a version without faults was not read".to_owned()))?;
    let account = context.caller()?.account();
    find(context, account, slug).await?;
    let version = new_version(context, &draft);
    warn(context, &draft);
    context.note_digest(version.text);
    let (db, now_ms) = (context.audited_db(slug)?, context.request.now_ms);
    match add::insert_version(&db, account, slug, version, limits(context), now_ms).await? {
        Ok(version) => Success::created(data::version(&version)).response(context),
        Err(obstacle) => Err(problem(context, obstacle, Conflict::TooManyVersions)),
    }
}

/// Warns of what a text may not have been meant to have.
pub fn warn<P: Platform>(context: &Context<'_, P>, draft: &Draft) {
    let names: Vec<&str> = draft.variables.iter().map(|variable| variable.name.as_str()).collect();
    note_foreign(&context.record.warnings, context.request.language, &draft.text, &names);
    if !draft.unlisted.is_empty() {
        let warning = warning::unlisted_variables(context.request.language, &draft.unlisted);
        context.record.warnings.note(warning);
    }
}

/// `POST /pattern/{slug}/versions/{n}/activate`
pub async fn activate<P: Platform>(context: &Context<'_, P>, slug: &str, version: &str) -> Result<Response, Problem> {
    activate_for(context, context.caller()?.account(), slug, version, false).await
}

/// `POST /admin/accounts/{id}/patterns/{slug}/versions/{n}/activate`
pub async fn approve<P: Platform>(
    context: &Context<'_, P>,
    account: &str,
    slug: &str,
    version: &str,
) -> Result<Response, Problem> {
    activate_for(context, account, slug, version, true).await
}

/// Refuses a version, also one that is active. One that was refused before has the new reason.
/// `POST /admin/accounts/{id}/patterns/{slug}/versions/{n}/refuse`
pub async fn refuse<P: Platform>(
    context: &Context<'_, P>,
    account: &str,
    slug: &str,
    version: &str,
    body: &JsonBody,
) -> Result<Response, Problem> {
    let mut fields = context.fields(body);
    let PatternRefusal { reason } = PatternRefusal::read(&mut fields);
    fields.finish()?;
    let pattern = find(context, account, slug).await?;
    let version = find_version(context, &pattern, version).await?.version;
    let (db, revision) = (context.audited_db(&pattern.slug)?, new_revision(context)?);
    let changed = patterns::refuse(&db, pattern.id, version, &reason, revision).await?;
    let pattern = changed.ok_or(Problem::NotFound)?;
    let review = Review {
        version,
        status: "REFUSED".to_owned(),
        reason: Some(reason),
    };
    announce_with(context, account, &pattern.slug, Some(review)).await?;
    Success::ok(show(context, &pattern).await?).response(context)
}

/// Activates a version and retires the active one. If the service requires approval, a caller that is no operator can activate only a
/// version that was active before, and never one that was refused.
async fn activate_for<P: Platform>(
    context: &Context<'_, P>,
    account: &str,
    slug: &str,
    version: &str,
    is_operator: bool,
) -> Result<Response, Problem> {
    let pattern = find(context, account, slug).await?;
    let version = find_version(context, &pattern, version).await?;
    if version.status == "ACTIVE" {
        return Err(Problem::Conflict(Conflict::VersionActive));
    }
    if let Some(reason) = version.reason.filter(|_| !is_operator) {
        return Err(Problem::Conflict(Conflict::VersionRefused(reason)));
    }
    let may_approve = is_operator || !context.app.config.pattern_approval;
    if !may_approve && version.status != "RETIRED" {
        return Err(Problem::Conflict(Conflict::VersionPending));
    }
    let revision = new_revision(context)?;
    let changed = patterns::activate(
        &context.audited_db(&pattern.slug)?,
        pattern.id,
        version.version,
        is_operator,
        revision,
    )
    .await?;
    // Another request activated the version in the meantime.
    let pattern = changed.ok_or(Problem::Conflict(Conflict::VersionActive))?;
    let review = Review {
        version: version.version,
        status: "ACTIVE".to_owned(),
        reason: None,
    };
    announce_with(context, account, &pattern.slug, is_operator.then_some(review)).await?;
    Success::ok(show(context, &pattern).await?).response(context)
}

/// `POST /pattern/{slug}/deactivate`
pub async fn deactivate<P: Platform>(context: &Context<'_, P>, slug: &str) -> Result<Response, Problem> {
    let account = context.caller()?.account();
    let pattern = find(context, account, slug).await?;
    let changed = patterns::deactivate(&context.audited_db(&pattern.slug)?, pattern.id, new_revision(context)?).await?;
    let pattern = changed.ok_or(Problem::Conflict(Conflict::NoVersionActive))?;
    announce(context, account, &pattern.slug).await?;
    Success::ok(show(context, &pattern).await?).response(context)
}

/// `GET /admin/patterns`: the versions that wait for approval, oldest pattern first.
pub async fn pending<P: Platform>(context: &Context<'_, P>, query: Paged<'_>) -> Result<Response, Problem> {
    let (page, ()) = query.listed("admin/patterns")?;
    let asked = page.to_read();
    let after = asked.after.map(|position| (position / POSITIONS, position % POSITIONS));
    let mut waiting = patterns::pending(context.platform.db(), asked.limit, after).await?;
    let next = page.cut(&mut waiting, |pending| {
        pending.version.pattern * POSITIONS + pending.version.version
    });
    let accounts: BTreeSet<&str> = waiting.iter().map(|pending| pending.account.as_str()).collect();
    let shown: Vec<_> = accounts.into_iter().map(|account| (account, None)).collect();
    context.note_shown(&shown).await?;
    Success::page(waiting.iter().map(data::PendingData::of), next).response(context)
}
