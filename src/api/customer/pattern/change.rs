//! What the handlers of patterns and versions share: they find a pattern, change it, make the change known, and answer.
//!
//! Each change that sends must see gives the pattern a new revision, and the account's object notes that there was one. The
//! object sends back a send that was made with an older revision. So an isolate's cache never decides anything.

use serde_json::Value;

use super::data;
use crate::account::message::patterns::{NotePatternChange, Review};
use crate::api::http::context::Context;
use crate::base::ports::{Platform, PortError};
use crate::directory::patterns::add::{Limits, Obstacle};
use crate::directory::patterns::{self, Pattern};
use crate::problem::{Conflict, Problem};

/// A pattern of an account. Fails with 404 if the account has no such pattern.
pub async fn find<P: Platform>(context: &Context<'_, P>, account: &str, slug: &str) -> Result<Pattern, Problem> {
    let pattern = patterns::find(context.platform.db(), account, slug).await?;
    pattern.ok_or(Problem::NotFound)
}

/// A pattern with all of its versions.
pub async fn show<P: Platform>(context: &Context<'_, P>, pattern: &Pattern) -> Result<Value, Problem> {
    let versions = patterns::versions(context.platform.db(), pattern.id).await?;
    Ok(data::pattern(pattern, &versions))
}

/// What patterns may take.
pub fn limits<P: Platform>(context: &Context<'_, P>) -> Limits {
    Limits {
        account: context.app.config.pattern_bytes,
        room: context.app.config.customer_bytes,
    }
}

/// The problem that the client gets for a pattern or a version that is not added. `full` says what there is too much of.
pub fn problem<P: Platform>(context: &Context<'_, P>, obstacle: Obstacle, full: Conflict) -> Problem {
    Problem::Conflict(match obstacle {
        Obstacle::Taken => Conflict::PatternExists,
        Obstacle::Full => full,
        Obstacle::NoRoom => Conflict::NoRoom,
        Obstacle::TooManyBytes { used } => Conflict::PatternBytes {
            quota: context.app.config.pattern_bytes,
            used,
        },
    })
}

/// Makes a revision for a change now: microseconds since the Unix epoch. The last three digits are random, so that two
/// changes in the same millisecond differ.
pub fn new_revision<P: Platform>(context: &Context<'_, P>) -> Result<i64, PortError> {
    let mut bytes = [0; 2];
    context.platform.random(&mut bytes)?;
    let random = i64::from(u16::from_le_bytes(bytes)) % 1_000;
    Ok(context.request.now_ms.saturating_mul(1_000).saturating_add(random))
}

/// Makes a change known that the directory has: this isolate forgets the pattern, and the account's object notes the change.
pub async fn announce<P: Platform>(context: &Context<'_, P>, account: &str, slug: &str) -> Result<(), Problem> {
    announce_with(context, account, slug, None).await
}

/// As [`announce`], of what an operator has decided, which the account's webhooks tell.
pub async fn announce_with<P: Platform>(
    context: &Context<'_, P>,
    account: &str,
    slug: &str,
    review: Option<Review>,
) -> Result<(), Problem> {
    context.app.patterns.forget(&format!("{account}/{slug}"));
    let slug = slug.to_owned();
    context.call_other(account, &NotePatternChange { slug, review }).await
}
