//! The API keys that operators issue for accounts.

use crate::account::keys::RevokeKey;
use crate::api::http::Response;
use crate::api::http::body::JsonBody;
use crate::api::http::context::Context;
use crate::api::http::json_fields::Fields;
use crate::api::http::query::Query;
use crate::api::problem::Problem;
use crate::api::problem::field_error::FaultKind;
use crate::api::shared::account::must_exist;
use crate::api::shared::keys::{self, NewKey, Owner};
use crate::auth::{self, Mode};
use crate::base::ports::Platform;

/// An imported key has at least this many bytes.
const MIN_IMPORTED_BYTES: usize = 16;
const IMPORTED_FORM: FaultKind =
    FaultKind::BadForm("16 to 512 visible ASCII characters", "16 تا 512 کاراکتر قابل چاپ ASCII");

fn read_new<'a>(fields: &mut Fields<'a>, now_ms: i64) -> NewKey<'a> {
    let title = keys::read_title(fields);
    let scopes = keys::read_scopes(fields, &keys::grantable());
    let expires_ms = keys::read_end(fields, now_ms);
    let lines = keys::read_lines(fields);
    let mode = keys::read_mode(fields).unwrap_or(Mode::Live);
    let imported = fields.formed("key", auth::MAX_KEY_BYTES, IMPORTED_FORM, |key| {
        key.len() >= MIN_IMPORTED_BYTES && auth::is_key(key) && auth::checksum_ok(key)
    });
    NewKey {
        title,
        scopes: scopes.unwrap_or_else(keys::grantable),
        mode,
        lines,
        expires_ms,
        imported,
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
    keys::rotate(context, Owner::Account(account), key, grace_s).await
}
