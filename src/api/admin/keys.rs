//! The API keys that operators issue for accounts.

use std::collections::BTreeSet;

use super::accounts::must_exist;
use crate::account::keys::{ListKeys, RevokeKey};
use crate::api::body::JsonBody;
use crate::api::context::Context;
use crate::api::keys::{self, NewKey, Owner};
use crate::api::query::Query;
use crate::auth::{self, Mode, Scope};
use crate::fault::FaultKind;
use crate::http::Response;
use crate::input::{self, Fields};
use crate::ports::Platform;
use crate::problem::Problem;

const MAX_LINES: usize = 100;
/// A line's number has at most this many characters.
const MAX_LINE: usize = 32;
/// An imported key has at least this many bytes.
const MIN_IMPORTED_BYTES: usize = 16;
const IMPORTED_FORM: FaultKind =
    FaultKind::BadForm("16 to 512 visible ASCII characters", "16 تا 512 کاراکتر قابل چاپ ASCII");
/// More keys than an account may have.
const ALL_KEYS: u32 = 1_000;

fn read_new<'a>(fields: &mut Fields<'a>, now_ms: i64) -> NewKey<'a> {
    let grantable: Vec<Scope> = Scope::ALL.into_iter().filter(|scope| *scope != Scope::Admin).collect();
    let title = keys::read_title(fields);
    let scopes = fields.texts("scopes", Scope::ALL.len(), |name| {
        input::choice(name, &grantable, Scope::as_str)
    });
    let expires_ms = keys::read_end(fields, now_ms);
    let lines = fields.texts("lines", MAX_LINES, read_line);
    let mode = fields.choice("mode", &Mode::ALL, Mode::as_str).unwrap_or(Mode::Live);
    let imported = fields.formed("key", auth::MAX_KEY_BYTES, IMPORTED_FORM, |key| {
        key.len() >= MIN_IMPORTED_BYTES && auth::is_key(key) && auth::checksum_ok(key)
    });
    let scopes: BTreeSet<Scope> = scopes.unwrap_or(grantable).into_iter().collect();
    NewKey {
        title,
        scopes: scopes.into_iter().collect(),
        mode,
        lines,
        expires_ms,
        imported,
    }
}

fn read_line(number: &str) -> Result<String, FaultKind> {
    match (1..=MAX_LINE).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_graphic()) {
        true => Ok(number.to_owned()),
        false => Err(FaultKind::BadForm("a line's number", "یک سرشماره")),
    }
}

/// `POST /admin/accounts/{id}/keys`
pub async fn issue<P: Platform>(context: &Context<'_, P>, account: &str, body: &JsonBody) -> Result<Response, Problem> {
    let mut fields = Fields::new(&body.object);
    let new = read_new(&mut fields, context.request.now_ms);
    fields.finish()?;
    must_exist(context, account).await?;
    keys::issue(context, Owner::Account(account), new).await
}

/// `GET /admin/accounts/{id}/keys`
pub async fn list<P: Platform>(context: &Context<'_, P>, account: &str) -> Result<Response, Problem> {
    let owner = Owner::Account(account);
    let mut query = Query::of(context.request.head);
    let page = keys::read_page(&mut query, owner);
    query.finish()?;
    must_exist(context, account).await?;
    keys::list(context, owner, page).await
}

/// `DELETE /admin/accounts/{id}/keys/{key}`
pub async fn revoke<P: Platform>(context: &Context<'_, P>, account: &str, key: &str) -> Result<Response, Problem> {
    must_exist(context, account).await?;
    let key = context.call_other(account, &RevokeKey(key.to_owned())).await?;
    keys::withdraw(context, &key).await
}

/// `POST /admin/accounts/{id}/keys/{key}/rotate`
pub async fn rotate<P: Platform>(
    context: &Context<'_, P>,
    account: &str,
    key: &str,
    body: &JsonBody,
) -> Result<Response, Problem> {
    let mut fields = Fields::new(&body.object);
    let grace_s = keys::read_grace_s(&mut fields, 0);
    fields.finish()?;
    must_exist(context, account).await?;
    let mode = mode_of(context, account, key).await?;
    keys::rotate(context, Owner::Account(account), key, mode, grace_s).await
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
