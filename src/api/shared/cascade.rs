//! Throwing a key out with what comes from it. The object that has the keys revokes them all in one transaction, then KV forgets
//! them, the directory the members among them, and then the account's webhook object switches off what they have left there. *A
//! crash in between* leaves keys that count nowhere; a repeat of the request does the rest, and has the whole answer again.

use futures_util::future::try_join_all;

use crate::account::keys::cascade::{RevokeCascade, Revoked};
use crate::account::keys::requests::MAX_KEYS;
use crate::account::refusal::Refusal;
use crate::api::http::{Response, context::Context, forms::switch, query::Query, respond::Success};
use crate::api::shared::{keys::Owner, webhook};
use crate::base::{ports::Platform, time};
use crate::directory::members;
use crate::problem::{Conflict, Problem};
use crate::webhook::cascade::{SwitchOff, SwitchedOff};
use crate::webhook::endpoint::MAX_ENDPOINTS;
use crate::{answer, query};

answer! {
    /// What was thrown out.
    pub struct CascadeData(keys: &[Revoked], webhooks: &[SwitchedOff]) as "Cascade" {
        /// The key, each that it has made or that stands in its place, and so on. They are revoked.
        "keys": keys.iter().map(RevokedKeyData::of).collect::<Vec<_>>(), list(RevokedKeyData::schema(), 1, most(MAX_KEYS));
        /// The endpoints that one of these keys has made, or whose address or events it was the last to change. They are inactive.
        "webhooks": webhooks.iter().map(SwitchedOffData::of).collect::<Vec<_>>(), list(SwitchedOffData::schema(), 0, most(MAX_ENDPOINTS));
    }

    /// A key that is revoked.
    pub struct RevokedKeyData(key: &Revoked) {
        "id": key.id, id();
        "title": key.title, any_text() => "main";
        "revokedAt": time::to_rfc3339(key.revoked_ms), time();
    }

    /// An endpoint that is inactive.
    pub struct SwitchedOffData(endpoint: &SwitchedOff) {
        "id": endpoint.id, any_text() => "019b796d-a000-7000-8000-000000000000";
        "url": endpoint.url, any_text().with("format", "uri") => "https://example.com/peyk";
    }
}

fn most(count: i64) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

query! {
    pub struct CascadeWish {
        /// `true`: revokes each key, too, that the key has made or that stands in its place, and so on, and switches off the
        /// webhooks that come from these keys. The answer lists them. A repeat has the same answer.
        cascade: Option<bool> = can "cascade" switch();
    }
}

/// Whether a request asks to throw a key out with what comes from it.
pub fn is_asked(query: Query<'_, CascadeWish>) -> Result<bool, Problem> {
    Ok(query.all()?.cascade == Some(true))
}

/// Throws a key out with what comes from it, and answers what that was.
pub async fn revoke<P: Platform>(context: &Context<'_, P>, owner: Owner<'_>, id: &str) -> Result<Response, Problem> {
    throw_out(context, owner, id, false).await
}

/// The same of a member.
pub async fn dismiss<P: Platform>(context: &Context<'_, P>, owner: Owner<'_>, id: &str) -> Result<Response, Problem> {
    throw_out(context, owner, id, true).await
}

async fn throw_out<P: Platform>(
    context: &Context<'_, P>,
    owner: Owner<'_>,
    id: &str,
    is_member: bool,
) -> Result<Response, Problem> {
    let request = RevokeCascade {
        by: owner.authority(context)?,
        id: id.to_owned(),
        is_member,
    };
    let keys = owner.try_ask(context, &request).await?;
    let keys = keys.map_err(|refusal| match refusal {
        Refusal::OwnKey if is_member => Problem::Conflict(Conflict::OwnMember),
        refusal => context.problem(refusal),
    })?;
    try_join_all(keys.iter().map(|key| context.platform.delete_key(&key.digest))).await?;
    keys.iter().for_each(|key| context.app.keys.forget(&key.digest));
    let members: Vec<(u64, &str)> = keys.iter().filter_map(member).collect();
    members::remove_all(context.platform.db(), owner.id(), &members).await?;
    let webhooks = switch_off(context, owner, &keys).await?;
    Success::ok(CascadeData::of(&keys, &webhooks)).response(context)
}

/// The phone and the id of a member.
fn member(key: &Revoked) -> Option<(u64, &str)> {
    Some((key.phone?, &key.id))
}

/// Switches off the endpoints that come from these keys. Operators have none.
async fn switch_off<P: Platform>(
    context: &Context<'_, P>,
    owner: Owner<'_>,
    keys: &[Revoked],
) -> Result<Vec<SwitchedOff>, Problem> {
    if let Owner::Operators = owner {
        return Ok(Vec::new());
    }
    let request = SwitchOff {
        keys: keys.iter().map(|key| key.id.clone()).collect(),
    };
    webhook::ask_of(context, owner.id(), &request).await
}
