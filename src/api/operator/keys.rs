//! The API keys that operators issue for accounts.

use crate::account::keys::caps::Caps;
use crate::api::http::forms::{Look, formed};
use crate::api::http::json_fields::Body;
use crate::api::http::query::{Paged, Query};
use crate::api::http::{Response, body::JsonBody, context::Context};
use crate::api::shared::account::{must_be_open, must_exist};
use crate::api::shared::caps;
use crate::api::shared::cascade::{self, CascadeWish};
use crate::api::shared::keys::{self, KeyToIssue, Owner, Rotation, Source};
use crate::auth::{self, KeyForm, Mode, Scope};
use crate::base::network::Network;
use crate::base::ports::Platform;
use crate::body;
use crate::problem::{Problem, field_error::FieldErrorKind};

/// An imported key has at least this many bytes.
const MIN_IMPORTED_BYTES: usize = 16;

static IMPORTED: Look = Look {
    min: MIN_IMPORTED_BYTES,
    max: auth::MAX_KEY_BYTES,
    pattern: r"^[\x21-\x7E]{16,512}$",
    fault: FieldErrorKind::BadForm("16 to 512 visible ASCII characters", "16 تا 512 کاراکتر قابل چاپ ASCII"),
    is_met: |key| auth::is_key(key) && auth::checksum_ok(key),
};

body! {
    /// A key to issue.
    pub struct NewKey => {"title": "main", "scopes": ["sms:send", "sms:read"]} {
        title: String = must "title" keys::title();
        /// What the key may do; all but `keys`, `webhook` and `erasure` if left out.
        scopes: Option<Vec<Scope>> = can "scopes" keys::scopes();
        expires_ms: Option<i64> = can "expiresAt" keys::end();
        /// The lines that it may send from.
        lines: Option<Vec<String>> = can "lines" keys::lines();
        ips: Option<Vec<Network>> = can "ips" caps::ips();
        rate_per_minute: Option<u32> = can "ratePerMinute" caps::rate_per_minute();
        daily_spend: Option<i64> = can "dailySpend" caps::daily_spend();
        mode: Option<Mode> = can "mode" keys::mode();
        form: Option<KeyForm> = can "form" keys::form();
        /// A key of another service, to go on with. Left out: Peyk makes one.
        imported: Option<String> = can "key" formed(&IMPORTED) => "2|0123456789abcdefghijABCDEFGHIJKL";
    }
}

/// `POST /admin/accounts/{id}/keys`
pub async fn issue<P: Platform>(context: &Context<'_, P>, account: &str, body: &JsonBody) -> Result<Response, Problem> {
    let mut fields = context.fields(body);
    let new = NewKey::read(&mut fields);
    if new.imported.is_some() && new.form.is_some() {
        fields.fault("form", FieldErrorKind::NotBeside("key"));
    }
    fields.finish()?;
    let new = KeyToIssue {
        title: new.title,
        scopes: Some(new.scopes.unwrap_or_else(Scope::usual)),
        mode: Some(new.mode.unwrap_or(Mode::Live)),
        lines: new.lines,
        expires_ms: new.expires_ms,
        caps: Caps {
            ips: new.ips,
            rate_per_minute: new.rate_per_minute,
            daily_spend: new.daily_spend,
        },
        source: match new.imported {
            Some(key) => Source::Imported(key),
            None => Source::New(new.form.unwrap_or(KeyForm::Peyk)),
        },
    };
    must_be_open(context, account).await?;
    keys::issue(context, Owner::Account(account), new).await
}

/// `GET /admin/accounts/{id}/keys`
pub async fn list<P: Platform>(context: &Context<'_, P>, account: &str, query: Paged<'_>) -> Result<Response, Problem> {
    let owner = Owner::Account(account);
    let page = keys::read_page(query, owner)?;
    must_exist(context, account).await?;
    keys::list(context, owner, page).await
}

/// `DELETE /admin/accounts/{id}/keys/{key}`
pub async fn revoke<P: Platform>(
    context: &Context<'_, P>,
    account: &str,
    key: &str,
    query: Query<'_, CascadeWish>,
) -> Result<Response, Problem> {
    let with_all = cascade::is_asked(query)?;
    must_be_open(context, account).await?;
    let owner = Owner::Account(account);
    match with_all {
        true => cascade::revoke(context, owner, key).await,
        false => keys::revoke(context, owner, key).await,
    }
}

/// `POST /admin/accounts/{id}/keys/{key}/rotate`
pub async fn rotate<P: Platform>(
    context: &Context<'_, P>,
    account: &str,
    key: &str,
    body: &JsonBody,
) -> Result<Response, Problem> {
    let rotation: Rotation = context.read(body)?;
    must_be_open(context, account).await?;
    keys::rotate(context, Owner::Account(account), key, rotation.wish()).await
}
