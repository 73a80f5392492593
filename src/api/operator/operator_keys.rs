//! The operators' own API keys. Each request is one call of the operators' object, which checks the key of the request in
//! the same transaction. So of two operators who revoke each other's keys at once, one succeeds.

use crate::account::keys::operator::RevokeOperatorKey;
use crate::api::http::Response;
use crate::api::http::body::JsonBody;
use crate::api::http::context::Context;
use crate::api::http::json_fields::{self, Fields};
use crate::api::http::query::Query;
use crate::api::problem::Problem;
use crate::api::problem::field_error::FaultKind;
use crate::api::shared::keys::{self, NewKey, Owner};
use crate::auth::{Mode, Scope};
use crate::base::ports::Platform;

/// The members that only an account's keys have.
const OF_ACCOUNTS: [&str; 3] = ["mode", "lines", "key"];
/// The key of the request must work this many seconds more, so that a client that did not get the answer can repeat it.
const MIN_OWN_GRACE_S: i64 = 60;

fn read_new<'a>(fields: &mut Fields<'a>, now_ms: i64) -> NewKey<'a> {
    let title = keys::read_title(fields);
    let expires_ms = keys::read_end(fields, now_ms);
    let scopes = fields.texts("scopes", Scope::ALL.len(), |name| {
        json_fields::choice(name, &[Scope::Admin], Scope::as_str)
    });
    if scopes.is_some_and(|scopes| scopes.is_empty()) {
        fields.fault("scopes", FaultKind::Empty);
    }
    for name in OF_ACCOUNTS {
        if fields.value(name).is_some() {
            fields.fault(name, FaultKind::NotForOperators);
        }
    }
    NewKey {
        title,
        scopes: vec![Scope::Admin],
        mode: Mode::Live,
        lines: None,
        expires_ms,
        imported: None,
    }
}

/// `POST /admin/keys`
pub async fn issue<P: Platform>(context: &Context<'_, P>, body: &JsonBody) -> Result<Response, Problem> {
    let mut fields = Fields::new(&body.object);
    let new = read_new(&mut fields, context.request.now_ms);
    fields.finish()?;
    keys::issue(context, Owner::Operators, new).await
}

/// `GET /admin/keys`
pub async fn list<P: Platform>(context: &Context<'_, P>) -> Result<Response, Problem> {
    let mut query = Query::of(context.request.head);
    let page = keys::read_page(&mut query, Owner::Operators);
    query.finish()?;
    keys::list(context, Owner::Operators, page).await
}

/// `DELETE /admin/keys/{key}`
pub async fn revoke<P: Platform>(context: &Context<'_, P>, key: &str) -> Result<Response, Problem> {
    let revocation = RevokeOperatorKey {
        id: key.to_owned(),
        by: context.caller()?.key_id().to_owned(),
    };
    let key = context.call(&revocation).await?;
    keys::withdraw(context, &key).await
}

/// `POST /admin/keys/{key}/rotate`
pub async fn rotate<P: Platform>(context: &Context<'_, P>, key: &str, body: &JsonBody) -> Result<Response, Problem> {
    let is_own = context.caller()?.key_id() == key;
    let mut fields = Fields::new(&body.object);
    let grace_s = keys::read_grace_s(&mut fields, if is_own { MIN_OWN_GRACE_S } else { 0 });
    fields.finish()?;
    keys::rotate(context, Owner::Operators, key, grace_s).await
}
