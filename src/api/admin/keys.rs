//! API keys as operators issue them. The object knows a key before KV does and forgets it first: a crash in between
//! leaves a key that never worked, or one that is refused although KV still has it.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::accounts::must_exist;
use crate::account::idempotency::Charge;
use crate::account::keys::{IssueKey, KeyView, ListKeys, RevokeKey, RotateKey, Rotated};
use crate::api::body::{self, JsonBody};
use crate::api::context::Context;
use crate::api::query::Query;
use crate::api::respond::Success;
use crate::api::view::with;
use crate::auth::{self, KeyRecord, Mode, Scope};
use crate::fault::FaultKind;
use crate::http::{self, Body, Response};
use crate::id;
use crate::input::{self, Fields};
use crate::ports::{Platform, PortError};
use crate::problem::{Conflict, Problem};
use crate::time;

const MAX_TITLE: usize = 200;
const MAX_LINES: usize = 100;
/// How long a rotated key goes on working when nothing else is said, s; and at most.
const GRACE_S: i64 = 24 * 60 * 60;
const MAX_GRACE_S: i64 = 30 * 24 * 60 * 60;

fn data(key: &KeyView) -> Value {
    json!({
        "id": key.id,
        "title": key.title,
        "scopes": key.scopes,
        "mode": key.mode,
        "lines": key.lines,
        "createdAt": time::to_rfc3339(key.created_ms),
        "expiresAt": key.expires_ms.map(time::to_rfc3339),
        "revokedAt": key.revoked_ms.map(time::to_rfc3339),
    })
}

/// The record that KV keeps of a key.
fn record(account: &str, key: &KeyView) -> KeyRecord {
    KeyRecord {
        v: KeyRecord::VERSION,
        account: account.to_owned(),
        key: key.id.clone(),
        scopes: key.scopes.clone(),
        mode: key.mode,
        lines: key.lines.clone(),
        expires_at: key.expires_ms,
    }
}

async fn publish<P: Platform>(context: &Context<'_, P>, account: &str, key: &KeyView) -> Result<(), Problem> {
    let text = serde_json::to_string(&record(account, key)).map_err(|error| PortError::failed("json", error))?;
    context.platform.put_key(&key.digest, &text).await?;
    context.app.keys.forget(&key.digest);
    Ok(())
}

fn mint<P: Platform>(context: &Context<'_, P>, mode: Mode) -> Result<String, Problem> {
    let mut failure = None;
    let key = auth::mint(mode, |bytes| {
        if let Err(error) = context.platform.random(bytes) {
            failure = Some(error);
        }
    });
    match failure {
        Some(error) => Err(error.into()),
        None => Ok(key),
    }
}

/// `POST /admin/accounts/{id}/keys`
pub async fn issue<P: Platform>(
    context: &Context<'_, P>,
    account: &str,
    body: &mut impl Body,
) -> Result<Response, Problem> {
    context.call(&Charge(None)).await?;
    let JsonBody { object, .. } = body::read_json(context.request.head, body).await?;
    let mut fields = Fields::new(&object);
    let title = fields.text("title", MAX_TITLE);
    let title = fields.require("title", title).unwrap_or_default();
    let grantable: Vec<Scope> = Scope::ALL.into_iter().filter(|scope| *scope != Scope::Admin).collect();
    let scopes = fields.texts("scopes", Scope::ALL.len(), |name| {
        input::choice(name, &grantable, Scope::as_str)
    });
    let expires_ms = fields.time("expiresAt");
    if expires_ms.is_some_and(|ms| ms <= context.request.now_ms) {
        fields.fault("expiresAt", FaultKind::InThePast);
    }
    let is_line = |number: &'_ str| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_graphic());
    let lines = fields.texts("lines", MAX_LINES, |number| match is_line(number) {
        true => Ok(number.to_owned()),
        false => Err(FaultKind::BadFormat("a line's number")),
    });
    let mode = fields.choice("mode", &Mode::ALL, Mode::as_str).unwrap_or(Mode::Live);
    let imported = fields.formed(
        "key",
        auth::MAX_KEY_BYTES,
        "16 to 512 visible ASCII characters",
        |key| key.len() >= 16 && auth::is_key(key) && auth::checksum_ok(key),
    );
    fields.finish()?;
    must_exist(context, account).await?;
    let key = match imported {
        Some(key) => key.to_owned(),
        None => mint(context, mode)?,
    };
    let digest = auth::digest(&key);
    if context.platform.key(&digest).await?.is_some() {
        return Err(Problem::Conflict(Conflict::KeyExists));
    }
    let scopes: BTreeSet<Scope> = scopes.unwrap_or(grantable).into_iter().collect();
    let view = KeyView {
        id: id::new(context.platform)?,
        title: title.to_owned(),
        digest,
        scopes: scopes.into_iter().collect(),
        mode,
        lines,
        created_ms: context.request.now_ms,
        expires_ms,
        revoked_ms: None,
    };
    context.call_other(account, &IssueKey(view.clone())).await?;
    publish(context, account, &view).await?;
    Success::created(with(data(&view), "key", key)).response(&context.request.id)
}

/// `GET /admin/accounts/{id}/keys`
pub async fn list<P: Platform>(context: &Context<'_, P>, account: &str) -> Result<Response, Problem> {
    context.call(&Charge(None)).await?;
    let mut query = Query::of(context.request.head);
    let page = query.page_by_name(&format!("keys/{account}"));
    query.finish()?;
    must_exist(context, account).await?;
    let request = ListKeys {
        limit: page.limit(),
        after: page.after().cloned(),
    };
    let mut keys = context.call_other(account, &request).await?;
    let next = page.cut(&mut keys, |key| key.id.clone());
    let items: Vec<Value> = keys.iter().map(data).collect();
    Success::page(items, next).response(&context.request.id)
}

/// `DELETE /admin/accounts/{id}/keys/{keyId}`
pub async fn revoke<P: Platform>(context: &Context<'_, P>, account: &str, key: &str) -> Result<Response, Problem> {
    context.call(&Charge(None)).await?;
    must_exist(context, account).await?;
    let key = context.call_other(account, &RevokeKey(key.to_owned())).await?;
    context.platform.delete_key(&key.digest).await?;
    context.app.keys.forget(&key.digest);
    Ok(http::no_content())
}

/// `POST /admin/accounts/{id}/keys/{keyId}/rotate`
pub async fn rotate<P: Platform>(
    context: &Context<'_, P>,
    account: &str,
    key: &str,
    body: &mut impl Body,
) -> Result<Response, Problem> {
    context.call(&Charge(None)).await?;
    let JsonBody { object, .. } = body::read_json(context.request.head, body).await?;
    let mut fields = Fields::new(&object);
    let grace_s = fields.integer("graceSeconds", 0, MAX_GRACE_S).unwrap_or(GRACE_S);
    fields.finish()?;
    must_exist(context, account).await?;
    let mode = mode_of(context, account, key).await?;
    let new_key = mint(context, mode)?;
    let rotation = RotateKey {
        id: key.to_owned(),
        new_id: id::new(context.platform)?,
        new_digest: auth::digest(&new_key),
        old_expires_ms: context.request.now_ms.saturating_add(grace_s * 1_000),
    };
    let Rotated { old, new } = context.call_other(account, &rotation).await?;
    publish(context, account, &new).await?;
    publish(context, account, &old).await?;
    let replaces = json!({"id": old.id, "expiresAt": old.expires_ms.map(time::to_rfc3339)});
    let answer = with(with(data(&new), "key", new_key), "replaces", replaces);
    Success::created(answer).response(&context.request.id)
}

async fn mode_of<P: Platform>(context: &Context<'_, P>, account: &str, key: &str) -> Result<Mode, Problem> {
    // More than an account may have.
    let all = ListKeys {
        limit: 1_000,
        after: None,
    };
    let keys = context.call_other(account, &all).await?;
    let key = keys.iter().find(|view| view.id == key).ok_or(Problem::NotFound)?;
    Ok(key.mode)
}
