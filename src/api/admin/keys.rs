//! The API keys that operators issue. A key comes into the account's object before KV has it, and leaves the object before
//! KV forgets it. After a crash in between, the key never worked, or the object refuses it although KV still has it.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::accounts::must_exist;
use crate::account::keys::{IssueKey, KeyView, ListKeys, RevokeKey, RotateKey, Rotated};
use crate::api::body::JsonBody;
use crate::api::context::Context;
use crate::api::query::Query;
use crate::api::respond::Success;
use crate::api::view::with;
use crate::auth::{self, KeyRecord, Mode, Scope};
use crate::fault::FaultKind;
use crate::http::{self, Response};
use crate::id;
use crate::input::{self, Fields};
use crate::ports::{Platform, PortError};
use crate::problem::{Conflict, Problem};
use crate::time;

const MAX_TITLE: usize = 200;
const MAX_LINES: usize = 100;
/// A line's number has at most this many characters.
const MAX_LINE: usize = 32;
/// An imported key has at least this many bytes.
const MIN_IMPORTED_BYTES: usize = 16;
const IMPORTED_FORM: &str = "16 to 512 visible ASCII characters";
/// A rotated key works this many seconds more, unless the operator says otherwise.
const GRACE_S: i64 = 24 * 60 * 60;
const MAX_GRACE_S: i64 = 30 * 24 * 60 * 60;
/// More keys than an account may have.
const ALL_KEYS: u32 = 1_000;

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

/// The record of a key for KV.
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

/// Writes the record of a key to KV.
async fn publish<P: Platform>(context: &Context<'_, P>, account: &str, key: &KeyView) -> Result<(), Problem> {
    let text = serde_json::to_string(&record(account, key)).map_err(|error| PortError::json("json", &error))?;
    context.platform.put_key(&key.digest, &text).await?;
    context.app.keys.forget(&key.digest);
    Ok(())
}

/// Makes a new key.
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

/// The body of a request for a key.
struct NewKey<'a> {
    title: &'a str,
    /// Each scope once.
    scopes: BTreeSet<Scope>,
    mode: Mode,
    lines: Option<Vec<String>>,
    expires_ms: Option<i64>,
    imported: Option<&'a str>,
}

fn read_new<'a>(fields: &mut Fields<'a>, now_ms: i64) -> NewKey<'a> {
    let title = fields.text("title", MAX_TITLE);
    let title = fields.require("title", title).unwrap_or_default();
    let grantable: Vec<Scope> = Scope::ALL.into_iter().filter(|scope| *scope != Scope::Admin).collect();
    let scopes = fields.texts("scopes", Scope::ALL.len(), |name| {
        input::choice(name, &grantable, Scope::as_str)
    });
    let expires_ms = fields.time("expiresAt");
    if expires_ms.is_some_and(|ms| ms <= now_ms) {
        fields.fault("expiresAt", FaultKind::InThePast);
    }
    let lines = fields.texts("lines", MAX_LINES, read_line);
    let mode = fields.choice("mode", &Mode::ALL, Mode::as_str).unwrap_or(Mode::Live);
    let imported = fields.formed("key", auth::MAX_KEY_BYTES, IMPORTED_FORM, |key| {
        key.len() >= MIN_IMPORTED_BYTES && auth::is_key(key) && auth::checksum_ok(key)
    });
    NewKey {
        title,
        scopes: scopes.unwrap_or(grantable).into_iter().collect(),
        mode,
        lines,
        expires_ms,
        imported,
    }
}

fn read_line(number: &str) -> Result<String, FaultKind> {
    match (1..=MAX_LINE).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_graphic()) {
        true => Ok(number.to_owned()),
        false => Err(FaultKind::BadFormat("a line's number")),
    }
}

/// `POST /admin/accounts/{id}/keys`
pub async fn issue<P: Platform>(context: &Context<'_, P>, account: &str, body: &JsonBody) -> Result<Response, Problem> {
    let mut fields = Fields::new(&body.object);
    let new = read_new(&mut fields, context.request.now_ms);
    fields.finish()?;
    must_exist(context, account).await?;
    let key = match new.imported {
        Some(key) => key.to_owned(),
        None => mint(context, new.mode)?,
    };
    let digest = auth::digest(&key);
    if context.platform.key(&digest).await?.is_some() {
        return Err(Problem::Conflict(Conflict::KeyExists));
    }
    let view = KeyView {
        id: id::new(context.platform)?,
        title: new.title.to_owned(),
        digest,
        scopes: new.scopes.into_iter().collect(),
        mode: new.mode,
        lines: new.lines,
        created_ms: context.request.now_ms,
        expires_ms: new.expires_ms,
        revoked_ms: None,
    };
    context.call_other(account, &IssueKey(view.clone())).await?;
    publish(context, account, &view).await?;
    Success::created(with(data(&view), "key", key)).response(&context.request.id)
}

/// `GET /admin/accounts/{id}/keys`
pub async fn list<P: Platform>(context: &Context<'_, P>, account: &str) -> Result<Response, Problem> {
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

/// `DELETE /admin/accounts/{id}/keys/{key}`
pub async fn revoke<P: Platform>(context: &Context<'_, P>, account: &str, key: &str) -> Result<Response, Problem> {
    must_exist(context, account).await?;
    let key = context.call_other(account, &RevokeKey(key.to_owned())).await?;
    context.platform.delete_key(&key.digest).await?;
    context.app.keys.forget(&key.digest);
    Ok(http::no_content())
}

/// `POST /admin/accounts/{id}/keys/{key}/rotate`
pub async fn rotate<P: Platform>(
    context: &Context<'_, P>,
    account: &str,
    key: &str,
    body: &JsonBody,
) -> Result<Response, Problem> {
    let mut fields = Fields::new(&body.object);
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

/// The mode of a key of the account.
async fn mode_of<P: Platform>(context: &Context<'_, P>, account: &str, key: &str) -> Result<Mode, Problem> {
    let all = ListKeys {
        limit: ALL_KEYS,
        after: None,
    };
    let keys = context.call_other(account, &all).await?;
    let key = keys.iter().find(|view| view.id == key).ok_or(Problem::NotFound)?;
    Ok(key.mode)
}
