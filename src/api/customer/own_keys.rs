//! The keys of the caller's account, for the account itself. No key reaches a wider one: the account's object decides, in the
//! call that checks the key of the request and takes the token.
//!
//! A key of another service can't be imported here. Only an operator can judge how hard it is to guess, and the answer that a
//! key exists already would tell a stranger that a guessed key is good.

use serde_json::Value;

use crate::account::keys::caps::Caps;
use crate::account::refusal::{Excess, Refusal};
use crate::api::http::json_fields::{Body, Fields};
use crate::api::http::query::{Paged, Query};
use crate::api::http::{Response, body::JsonBody, context::Context, forms::refused, respond::Success};
use crate::api::shared::caps;
use crate::api::shared::cascade::{self, CascadeWish};
use crate::api::shared::keys::{self, KeyToIssue, OwnKeyData, Owner, Rotation, Source};
use crate::auth::{KeyForm, Mode, Scope};
use crate::base::network::Network;
use crate::base::ports::Platform;
use crate::body;
use crate::problem::{Problem, field_error::FieldErrorKind};

body! {
    /// A key to issue.
    pub struct NewOwnKey => {"title": "web shop", "scopes": ["sms:send"]} {
        title: String = must "title" keys::title();
        /// What the key may do, of what the key of the request may; all of that but `keys`, `webhook` and `erasure` if left out.
        scopes: Option<Vec<Scope>> = can "scopes" keys::scopes();
        /// A test key can issue test keys only.
        mode: Option<Mode> = can "mode" keys::mode();
        /// The lines that it may send from, of those that the key of the request may.
        lines: Option<Vec<String>> = can "lines" keys::lines();
        /// Its networks are among those of the key of the request.
        ips: Option<Vec<Network>> = can "ips" caps::ips();
        /// At most as much as the key of the request has.
        rate_per_minute: Option<u32> = can "ratePerMinute" caps::rate_per_minute();
        /// At most as much as the key of the request has.
        daily_spend: Option<i64> = can "dailySpend" caps::daily_spend();
        expires_ms: Option<i64> = can "expiresAt" keys::end();
        form: Option<KeyForm> = can "form" keys::form();
        key: Option<()> = can "key" refused(FieldErrorKind::OnlyByOperators);
    }
}

/// Notes a fault for each line that the account does not have.
async fn check_lines<P: Platform>(
    context: &Context<'_, P>,
    fields: &mut Fields<'_>,
    lines: &[String],
) -> Result<(), Problem> {
    let profile = context.profile().await?;
    for (index, line) in lines.iter().enumerate() {
        if !profile.lines().any(|known| known.number == *line) {
            fields.item_fault("lines", index, FieldErrorKind::DoesNotExist("a line", "این سرشماره"));
        }
    }
    Ok(())
}

async fn read_new<P: Platform>(context: &Context<'_, P>, body: &JsonBody) -> Result<KeyToIssue, Problem> {
    let mut fields = context.fields(body);
    let new = NewOwnKey::read(&mut fields);
    if let Some(lines) = &new.lines {
        check_lines(context, &mut fields, lines).await?;
    }
    fields.finish()?;
    Ok(KeyToIssue {
        title: new.title,
        scopes: new.scopes,
        mode: new.mode,
        lines: new.lines,
        expires_ms: new.expires_ms,
        caps: Caps {
            ips: new.ips,
            rate_per_minute: new.rate_per_minute,
            daily_spend: new.daily_spend,
        },
        source: Source::New(new.form.unwrap_or(KeyForm::Peyk)),
    })
}

/// The problem of a body that asks for more than the key of the request has.
fn too_wide(mut fields: Fields<'_>, excess: &[Excess]) -> Problem {
    for excess in excess {
        let is_item = |text: &str| match excess {
            Excess::Scope(scope) => text == scope.as_str(),
            Excess::Line(line) => text == line,
            Excess::Address(network) => Network::parse(text).as_ref() == Some(network),
            _ => false,
        };
        let name = member_of(excess);
        match place_of(fields.value(name), is_item) {
            Some(index) => fields.item_fault(name, index, FieldErrorKind::BeyondOwnKey),
            None => fields.fault(name, FieldErrorKind::BeyondOwnKey),
        }
    }
    Problem::Validation(fields.into_faults())
}

/// The member of a body that asks for something.
fn member_of(excess: &Excess) -> &'static str {
    match excess {
        Excess::Scope(_) => "scopes",
        Excess::Line(_) | Excess::AllLines => "lines",
        Excess::Live => "mode",
        Excess::Time => "expiresAt",
        Excess::Address(_) | Excess::AnyAddress => "ips",
        Excess::Rate => "ratePerMinute",
        Excess::Spend => "dailySpend",
    }
}

fn place_of(list: Option<&Value>, is_item: impl Fn(&str) -> bool) -> Option<usize> {
    list?
        .as_array()?
        .iter()
        .position(|text| text.as_str().is_some_and(&is_item))
}

/// `POST /keys`
pub async fn issue<P: Platform>(context: &Context<'_, P>, body: &JsonBody) -> Result<Response, Problem> {
    let owner = Owner::Caller(context.caller()?.account());
    let new = read_new(context, body).await?;
    let (request, minted) = keys::issue_request(context, owner, new).await?;
    let key = match context.ask(&request).await? {
        Ok(key) => key,
        Err(Refusal::WiderKey(excess)) if !excess.contains(&Excess::Scope(Scope::Keys)) => {
            return Err(too_wide(context.fields(body), &excess));
        }
        Err(refusal) => return Err(context.problem(refusal)),
    };
    keys::announce(context, owner, &key, minted).await
}

/// `GET /keys`
pub async fn list<P: Platform>(context: &Context<'_, P>, query: Paged<'_>) -> Result<Response, Problem> {
    let caller = context.caller()?;
    let owner = Owner::Caller(caller.account());
    let page = keys::read_page(query, owner)?;
    let (items, next) = keys::page(context, owner, page).await?;
    let items = items.iter().map(|key| OwnKeyData::of(key, key.id == caller.key_id()));
    Success::page(items, next).response(context)
}

/// `DELETE /keys/{id}`
pub async fn revoke<P: Platform>(
    context: &Context<'_, P>,
    id: &str,
    query: Query<'_, CascadeWish>,
) -> Result<Response, Problem> {
    let owner = Owner::Caller(context.caller()?.account());
    match cascade::is_asked(query)? {
        true => cascade::revoke(context, owner, id).await,
        false => keys::revoke(context, owner, id).await,
    }
}

/// `POST /keys/{id}/rotate`
pub async fn rotate<P: Platform>(context: &Context<'_, P>, id: &str, body: &JsonBody) -> Result<Response, Problem> {
    let rotation: Rotation = context.read(body)?;
    keys::rotate(context, Owner::Caller(context.caller()?.account()), id, rotation.wish()).await
}
