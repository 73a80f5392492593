//! Sessions: what a browser has in place of a key. A person who has pasted a key gets one in a cookie that no script can read, and
//! the page forgets the key.

use serde_json::Value;

use crate::account::OPERATOR;
use crate::account::keys::console_sessions::{EndSession, GetOwnKey, OpenSession};
use crate::account::keys::{KeyView, Member};
use crate::account::overview::{GetOverview, Overview};
use crate::api::console::handle;
use crate::api::http::{self, Response, context::Context, forms::switch, query::Query, respond::Success};
use crate::api::shared::keys;
use crate::api::shared::members::role_name;
use crate::api::shared::view::E164;
use crate::auth::console_session::SignedInBy;
use crate::auth::imprint::Imprint;
use crate::auth::role::Role;
use crate::auth::{Mode, Scope, console_session};
use crate::base::named::Named;
use crate::base::ports::Platform;
use crate::base::{id, time};
use crate::directory::members::{self, Membership};
use crate::directory::profile::Profile;
use crate::problem::Problem;
use crate::{answer, query};

const CUSTOMER: &str = "CUSTOMER";
const OPERATOR_ROLE: &str = "OPERATOR";

answer! {
    /// Who is signed in.
    pub struct SessionData(key: &KeyView, owner: &str, account: Option<Value>, accounts: &[Membership]) as "ConsoleSession" {
        /// The session, as lists of keys have it; of a request with a key that key.
        "keyId": key.id, id();
        /// What the key is for by which the session was opened, or the name of the member.
        "title": key.title, any_text() => "main";
        /// The member who has signed in. `null`: somebody with a key or a link has.
        "member": key.member.as_ref().map(|person| SessionMemberData::of(person, key, owner)), SessionMemberData::schema().or_null();
        /// The accounts that the member may go over to, this one included. Nobody else has any. Who has not signed in with a code
        /// has this one only: only a code shows that the person has the phone.

        "accounts": accounts.iter().map(ChoiceData::of).collect::<Vec<_>>(), any_list(ChoiceData::schema());
        /// Whether the pages of customers are for the session, or those of operators.
        "role": role(account.is_none()), one_of(&[CUSTOMER, OPERATOR_ROLE]);
        /// The account. `null`: an operator has none.
        "account": account, SessionAccountData::schema().or_null();
        /// With the session of a test key, sends cost nothing and reach no carrier.
        "mode": key.mode.as_str(), one_of(&Mode::ALL.map(Mode::as_str));
        "scopes": key.scopes, list(named("Scope"), 0, Scope::ALL.len());
        /// The lines that the session may send from; `null`: all of the account.
        "lines": key.lines, keys::lines_schema();
        /// When the session ends by itself. `null`: the request came with a key that does not.
        "expiresAt": key.expires_ms.map(time::to_rfc3339), time().or_null();
    }

    /// The member of a session.
    pub struct SessionMemberData(member: &Member, key: &KeyView, owner: &str) {
        "phone": E164(member.phone), number();
        /// `null`: an operator has none.
        "role": role_name(member), one_of(&Role::ALL.map(Role::as_str)).or_null();
        /// By what the person has signed in.
        "signedInBy": key.signed_in_by.as_ref().map(Named::as_str), one_of(&SignedInBy::ALL.map(SignedInBy::as_str)).or_null();
        /// What passkeys of the member have as the id of their user, base64url.
        "passkeyUser": handle::written(owner, key.lasting_id()), any_text().or_null() => "AZt5baAAcACAAAAAAAAAAQGbeW2gAHAAgAAAAAAAAAI";
    }

    /// An account to go over to.
    pub struct ChoiceData(membership: &Membership) {
        /// The id of the account. The operators, who have no account, have the id `operator`.
        "id": membership.account, any_text() => "019b796d-a000-7000-8000-000000000001";
        "username": membership.username, any_text().or_null() => "shop";
        "fullName": membership.full_name, any_text().or_null() => "A Shop";
    }

    /// The account of a session.
    pub struct SessionAccountData(id: &str, profile: &Profile, overview: &Overview) {
        "id": id, id();
        "username": profile.username, any_text() => "shop";
        "fullName": profile.full_name, any_text() => "A Shop";
        /// The time zone of the account's days.
        "timeZone": overview.time_zone, any_text() => "Asia/Tehran";
    }
}

fn role(is_operator: bool) -> &'static str {
    if is_operator { OPERATOR_ROLE } else { CUSTOMER }
}

fn cookie<P: Platform>(context: &Context<'_, P>, value: &str, lasts_s: i64) -> (&'static str, String) {
    console_session::set_cookie(&context.request.head.origin, console_session::COOKIE, value, lasts_s)
}

/// Hands a session over, in the cookie.
pub fn signed_in<P: Platform>(context: &Context<'_, P>, secret: &str) -> Response {
    with_cookie(cookie(context, secret, console_session::LASTS_S))
}

fn with_cookie(cookie: (&'static str, String)) -> Response {
    let mut response = http::no_content();
    response.headers.push(cookie);
    response
}

/// `POST /console/session`
pub async fn open<P: Platform>(context: &Context<'_, P>) -> Result<Response, Problem> {
    let caller = context.caller()?;
    if caller.is_session() {
        return Err(Problem::Unauthorized { key_sent: false });
    }
    let secret = keys::secret(context, |random| console_session::mint(random))?;
    let request = OpenSession {
        key: caller.key_id().to_owned(),
        id: id::new(context.platform)?,
        imprint: Imprint::of(&secret),
        ends_ms: None,
        by: None,
        credential: None,
    };
    let opened = context.call(&request).await?;
    keys::publish(context, caller.account(), &opened).await?;
    Ok(signed_in(context, &secret))
}

/// The accounts that the person of a session may go over to, that of the session included. A session of a key has none. Nobody goes
/// over to the operators: they sign in with a passkey.
pub async fn accounts_of<P: Platform>(context: &Context<'_, P>, key: &KeyView) -> Result<Vec<Membership>, Problem> {
    let Some(person) = &key.member else {
        return Ok(Vec::new());
    };
    let own = context.caller()?.account();
    let mut known = members::of_phone(context.platform.db(), person.phone).await?;
    // The directory has no members who have not joined.
    if own != OPERATOR && known.iter().all(|one| one.account != own) {
        let profile = context.profile().await?;
        known.push(Membership {
            account: own.to_owned(),
            member: key.lasting_id().to_owned(),
            username: Some(profile.username.clone()),
            full_name: Some(profile.full_name.clone()),
        });
    }
    known.retain(|one| one.account == own || (key.is_by_code() && one.account != OPERATOR));
    Ok(known)
}

/// `GET /console/session`
pub async fn get<P: Platform>(context: &Context<'_, P>) -> Result<Response, Problem> {
    let caller = context.caller()?;
    let own = GetOwnKey {
        id: caller.key_id().to_owned(),
    };
    let key = context.call(&own).await?;
    let account = match caller.account() {
        OPERATOR => None,
        account => {
            let profile = context.profile().await?;
            let overview = context.call(&GetOverview).await?;
            Some(SessionAccountData::of(account, &profile, &overview))
        }
    };
    let accounts = accounts_of(context, &key).await?;
    Success::ok(SessionData::of(&key, caller.account(), account, &accounts)).response(context)
}

query! {
    pub struct EndWish {
        /// `true`: all sessions of the same key end.
        everywhere: Option<bool> = can "everywhere" switch();
    }
}

/// `DELETE /console/session`
pub async fn end<P: Platform>(context: &Context<'_, P>, query: Query<'_, EndWish>) -> Result<Response, Problem> {
    let end = EndSession {
        everywhere: query.all()?.everywhere == Some(true),
        id: context.caller()?.key_id().to_owned(),
    };
    for ended in context.call(&end).await? {
        context.platform.delete_key(&ended.digest).await?;
        context.app.keys.forget(&ended.digest);
    }
    Ok(with_cookie(cookie(context, "", 0)))
}
