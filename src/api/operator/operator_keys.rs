//! The operators' own API keys. Each request is one call of the operators' object, which checks the key of the request in
//! the same transaction. So of two operators who revoke each other's keys at once, one succeeds.

use crate::account::keys::caps::Caps;
use crate::api::http::forms::refused;
use crate::api::http::query::{Paged, Query};
use crate::api::http::{Response, body::JsonBody, context::Context};
use crate::api::shared::cascade::{self, CascadeWish};
use crate::api::shared::keys::{self, KeyToIssue, OwnRotation, Owner, Rotation, Source};
use crate::auth::{KeyForm, Mode, Scope};
use crate::base::ports::Platform;
use crate::body;
use crate::problem::{Problem, field_error::FieldErrorKind};

body! {
    /// A key for an operator.
    pub struct NewOperatorKey => {"title": "Sara"} {
        title: String = must "title" keys::title();
        expires_ms: Option<i64> = can "expiresAt" keys::end();
        /// What the key may do, of what the key of the request may; all of it if left out.
        scopes: Option<Vec<Scope>> = can "scopes" keys::operator_scopes() => ["admin:read"];
        form: Option<KeyForm> = can "form" keys::form();
        mode: Option<()> = can "mode" refused(FieldErrorKind::NotForOperators);
        lines: Option<()> = can "lines" refused(FieldErrorKind::NotForOperators);
        key: Option<()> = can "key" refused(FieldErrorKind::NotForOperators);
    }
}

/// `POST /admin/keys`
pub async fn issue<P: Platform>(context: &Context<'_, P>, body: &JsonBody) -> Result<Response, Problem> {
    let new: NewOperatorKey = context.read(body)?;
    let new = KeyToIssue {
        title: new.title,
        scopes: new.scopes,
        mode: Some(Mode::Live),
        lines: None,
        expires_ms: new.expires_ms,
        caps: Caps::default(),
        source: Source::New(new.form.unwrap_or(KeyForm::Peyk)),
    };
    keys::issue(context, Owner::Operators, new).await
}

/// `GET /admin/keys`
pub async fn list<P: Platform>(context: &Context<'_, P>, query: Paged<'_>) -> Result<Response, Problem> {
    let page = keys::read_page(query, Owner::Operators)?;
    keys::list(context, Owner::Operators, page).await
}

/// `DELETE /admin/keys/{key}`
pub async fn revoke<P: Platform>(
    context: &Context<'_, P>,
    key: &str,
    query: Query<'_, CascadeWish>,
) -> Result<Response, Problem> {
    match cascade::is_asked(query)? {
        true => cascade::revoke(context, Owner::Operators, key).await,
        false => keys::revoke(context, Owner::Operators, key).await,
    }
}

/// `POST /admin/keys/{key}/rotate`
pub async fn rotate<P: Platform>(context: &Context<'_, P>, key: &str, body: &JsonBody) -> Result<Response, Problem> {
    let wish = if context.caller()?.key_id() == key {
        context.read::<OwnRotation>(body)?.wish()
    } else {
        context.read::<Rotation>(body)?.wish()
    };
    keys::rotate(context, Owner::Operators, key, wish).await
}
