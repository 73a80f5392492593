//! What all routes of API keys share, whoever has the keys. A key comes into its owner's object before KV has it, and leaves
//! the object before KV forgets it. After a crash in between, the key never worked, or the object refuses it although KV
//! still has it.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::account::keys::requests::{IssueKey, ListKeys, NewImprints, RevokeKey, RotateKey, Rotated};
use crate::account::keys::{KeyView, authority::Authority, caps::Caps};
use crate::account::refusal::Refusal;
use crate::account::{OPERATOR, request::Request};
use crate::api::http::forms::{Form, choice, integer, list_of, parsed, text, time_to_come};
use crate::api::http::json_schema::{self, Schema};
use crate::api::http::{self, Response, json_fields};
use crate::api::shared::caps;
use crate::api::{http::context::Context, http::paging::PageRequest, http::query::Paged, http::respond::Success};
use crate::auth::imprint::{Imprint, MAX_HINT};
use crate::auth::{self, KeyForm, KeyRecord, Mode, Scope};
use crate::base::ports::{Platform, PortError};
use crate::base::{id, time};
use crate::problem::{Conflict, Problem, field_error::FieldErrorKind};
use crate::{answer, body};

const MAX_TITLE: usize = 200;
/// A rotated key works this many seconds more, unless the request says otherwise.
const GRACE_S: i64 = 24 * 60 * 60;
const MAX_GRACE_S: i64 = 30 * 24 * 60 * 60;
/// The key of the request must work this many seconds more, so that a client that did not get the answer can repeat it.
const MIN_OWN_GRACE_S: i64 = 60;

/// Who has the keys.
#[derive(Debug, Clone, Copy)]
pub enum Owner<'a> {
    /// The account with this id.
    Account(&'a str),
    /// The account with this id, which is the caller's own.
    Caller(&'a str),
    /// The operators.
    Operators,
}

impl<'a> Owner<'a> {
    /// The account that has the keys.
    pub fn id(self) -> &'a str {
        match self {
            Owner::Account(id) | Owner::Caller(id) => id,
            Owner::Operators => OPERATOR,
        }
    }

    /// Asks the object that has the keys. If it is the caller's own, it checks the caller's key and takes the token in the same
    /// transaction.
    pub async fn ask<P: Platform, R: Request>(
        self,
        context: &Context<'_, P>,
        request: &R,
    ) -> Result<R::Reply, Problem> {
        let outcome = self.try_ask(context, request).await?;
        outcome.map_err(|refusal| context.problem(refusal))
    }

    /// As [`Owner::ask`], but returns a refusal as it is.
    pub async fn try_ask<P: Platform, R: Request>(
        self,
        context: &Context<'_, P>,
        request: &R,
    ) -> Result<Result<R::Reply, Refusal>, Problem> {
        match self {
            Owner::Account(id) => context.ask_other(id, request).await,
            Owner::Caller(_) | Owner::Operators => context.ask(request).await,
        }
    }

    /// By what the request deals with these keys.
    pub fn authority<P: Platform>(self, context: &Context<'_, P>) -> Result<Authority, Problem> {
        let own = || context.caller().map(|caller| caller.key_id().to_owned());
        Ok(match self {
            Owner::Account(_) => Authority::Operator,
            Owner::Caller(_) => Authority::AccountKey(own()?),
            Owner::Operators => Authority::OperatorKey(own()?),
        })
    }

    /// A key in the form of the API.
    pub fn data(self, key: &KeyView) -> Value {
        match self {
            Owner::Account(_) | Owner::Caller(_) => AccountKeyData::of(key),
            Owner::Operators => KeyData::of(key),
        }
    }

    fn issued(self, key: &KeyView, secret: &str) -> Value {
        match self {
            Owner::Account(_) | Owner::Caller(_) => IssuedKeyData::of(key, secret),
            Owner::Operators => IssuedOperatorKeyData::of(key, secret),
        }
    }

    fn rotated(self, key: &KeyView, secret: &str, old: &KeyView) -> Value {
        match self {
            Owner::Account(_) | Owner::Caller(_) => RotatedKeyData::of(key, secret, old),
            Owner::Operators => RotatedOperatorKeyData::of(key, secret, old),
        }
    }
}

answer! {
    /// A key of an operator.
    pub struct KeyData(key: &KeyView) as "OperatorKey" {
        "id": key.id, id();
        "title": key.title, any_text() => "main";
        /// The first characters of the key and the last four. `null`: it was revoked before anybody used it.
        "hint": key.hint, text(MAX_HINT).or_null() => "peyk_live_0123…1b2c";
        "scopes": key.scopes, list(named("Scope"), 0, Scope::ALL.len());
        "createdAt": time::to_rfc3339(key.created_ms), time();
        "expiresAt": key.expires_ms.map(time::to_rfc3339), time().or_null();
        "revokedAt": key.revoked_ms.map(time::to_rfc3339), time().or_null();
        /// The key that has replaced it.
        "replacedBy": key.successor, id().or_null();
        /// The key by which this session of the console was opened, and with which it ends; `null`: it is no session.
        "sessionOf": key.session_of, id().or_null() => null;
        /// The key that has made it; `null`: no key of this list.
        "createdBy": key.created_by, id().or_null();
        /// The hour in which a request came with it last: when that began. `null`: none has come.
        "lastUsedAt": key.used_hour_ms().map(time::to_rfc3339), time().or_null();
        /// The address that it came from then; another one shows after a minute. `null`: nobody knows.
        "lastAddress": key.address, text(MAX_ADDRESS).or_null() => "192.0.2.7";
    }

    /// A key of an account.
    pub struct AccountKeyData(key: &KeyView) as "Key" with KeyData(key) {
        /// Sends of test keys cost nothing and reach no carrier.
        "mode": key.mode.as_str(), one_of(&Mode::ALL.map(Mode::as_str));
        /// The lines that the key may send from; `null`: all of the account.
        "lines": key.lines, lines_schema();
        /// The networks that it may be used from; `null`: all.
        "ips": key.caps.ips, list(caps::network(), 1, Caps::MAX_IPS).or_null();
        /// How many tokens it may take in a minute; `null`: as many as the account.
        "ratePerMinute": key.caps.rate_per_minute, integer(1, Caps::MAX_RATE.into()).or_null() => 60;
        /// What it may spend in a day (UTC); `null`: as much as the account.
        "dailySpend": key.caps.daily_spend, money().or_null() => 50_000;
    }

    /// A key of the account.
    pub struct OwnKeyData(key: &KeyView, current: bool) as "OwnKey" with AccountKeyData(key) {
        /// Whether it is the key of the request.
        "current": current, flag();
    }

    pub struct SecretOfKey(secret: &str) {
        /// The key. It is answered this one time.
        "key": secret, any_text() => "peyk_live_0123456789abcdefghijABCDEFGHIJKL0a1b2c";
    }

    pub struct KeyBefore(old: &KeyView) {
        "replaces": ReplacedData::of(old), ReplacedData::schema();
    }

    /// The old key, and when it ends.
    pub struct ReplacedData(old: &KeyView) {
        "id": old.id, id();
        "expiresAt": old.expires_ms.map(time::to_rfc3339), time().or_null();
    }

    /// A key that was just issued.
    pub struct IssuedKeyData(key: &KeyView, secret: &str) as "IssuedKey" with AccountKeyData(key), SecretOfKey(secret) {}

    /// A key that was just issued.
    pub struct IssuedOperatorKeyData(key: &KeyView, secret: &str) as "IssuedOperatorKey" with KeyData(key), SecretOfKey(secret) {}

    /// A key that has replaced another.
    pub struct RotatedKeyData(key: &KeyView, secret: &str, old: &KeyView) as "RotatedKey"
        with IssuedKeyData(key, secret), KeyBefore(old) {}

    /// A key that has replaced another.
    pub struct RotatedOperatorKeyData(key: &KeyView, secret: &str, old: &KeyView) as "RotatedOperatorKey"
        with IssuedOperatorKeyData(key, secret), KeyBefore(old) {}
}

/// A key to issue. What is `None` is as the key of the request has it.
#[derive(Debug)]
pub struct KeyToIssue {
    /// What it is for.
    pub title: String,
    /// What it may do, each scope once.
    pub scopes: Option<Vec<Scope>>,
    /// Live or test.
    pub mode: Option<Mode>,
    /// The lines it is limited to.
    pub lines: Option<Vec<String>>,
    /// When it ends by itself, ms since the Unix epoch.
    pub expires_ms: Option<i64>,
    /// What it may do at most.
    pub caps: Caps,
    /// Where the key comes from.
    pub source: Source,
}

/// Where a key comes from.
#[derive(Debug)]
pub enum Source {
    /// Peyk makes it, in this form.
    New(KeyForm),
    /// Another service has made it.
    Imported(String),
}

/// An address has at most this many characters.
const MAX_ADDRESS: usize = 45;
/// Lines that a key may be limited to.
const MAX_LINES: usize = 100;
/// A line's number has at most this many characters.
const MAX_LINE: usize = 32;

/// The schema of the lines that a key may send from.
pub fn lines_schema() -> Schema {
    json_schema::list(json_schema::text(MAX_LINE).like("10001"), 0, MAX_LINES).or_null()
}

/// What a key is for.
pub fn title() -> impl Form<Value = String> {
    text(MAX_TITLE).about("What the key is for.").like("main")
}

/// When a key ends, ms since the Unix epoch.
pub fn end() -> impl Form<Value = i64> {
    time_to_come().about("When the key ends.")
}

/// The scopes of a key of an account, each once.
pub fn scopes() -> impl Form<Value = Vec<Scope>> {
    let parse = |name: &str| json_fields::choice(name, &Scope::all_of(false), Scope::as_str);
    let scope = parsed(parse, || json_schema::named("AccountScope"));
    list_of(scope, 0, Scope::ALL.len()).then(each_once)
}

/// The scopes of a key of an operator, each once.
pub fn operator_scopes() -> impl Form<Value = Vec<Scope>> {
    let parse = |name: &str| json_fields::choice(name, &Scope::all_of(true), Scope::as_str);
    let scope = parsed(parse, || json_schema::named("OperatorScope"));
    list_of(scope, 1, Scope::ALL.len()).then(each_once)
}

fn each_once(scopes: Vec<Scope>) -> Vec<Scope> {
    let once: BTreeSet<Scope> = scopes.into_iter().collect();
    once.into_iter().collect()
}

/// The lines that a key is limited to.
pub fn lines() -> impl Form<Value = Vec<String>> {
    let parse = |number: &str| {
        let is_number = (1..=MAX_LINE).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_graphic());
        let number = is_number.then(|| number.to_owned());
        number.ok_or(FieldErrorKind::BadForm("a line's number", "یک سرشماره"))
    };
    let line = parsed(parse, || json_schema::formed(MAX_LINE, r"^[\x21-\x7E]+$").like("10001"));
    list_of(line, 0, MAX_LINES)
}

/// Live or test.
pub fn mode() -> impl Form<Value = Mode> {
    choice(&Mode::ALL, Mode::as_str)
}

/// How a key is written.
pub fn form() -> impl Form<Value = KeyForm> {
    choice(&KeyForm::ALL, KeyForm::as_str).about(
        "`HEX32` and `HEX64` are hexadecimal digits only, for programs that take no other keys. Such a key has no checksum, and does not tell \
        its mode. Left out: `PEYK`.",
    )
}

body! {
    /// How long the old key works on. For the key of the request itself at least 60.
    pub struct Rotation {
        /// How long the old key works on, up to 30 days.
        grace_s: i64 = can "graceSeconds" integer(0, MAX_GRACE_S), or GRACE_S => 86_400;
        /// How the new key is written.
        form: Option<KeyForm> = can "form" form();
    }

    /// How long the key of the request works on.
    pub struct OwnRotation {
        /// How long the old key works on, up to 30 days.
        grace_s: i64 = can "graceSeconds" integer(MIN_OWN_GRACE_S, MAX_GRACE_S), or GRACE_S => 86_400;
        /// How the new key is written.
        form: Option<KeyForm> = can "form" form();
    }
}

impl Rotation {
    /// How long the old key works on, s, and how the new one is written.
    pub fn wish(&self) -> (i64, KeyForm) {
        (self.grace_s, self.form.unwrap_or(KeyForm::Peyk))
    }
}

impl OwnRotation {
    /// As that of [`Rotation`].
    pub fn wish(&self) -> (i64, KeyForm) {
        (self.grace_s, self.form.unwrap_or(KeyForm::Peyk))
    }
}

/// Makes a new key.
fn mint<P: Platform>(context: &Context<'_, P>, form: KeyForm, mode: Mode) -> Result<String, Problem> {
    secret(context, |random| auth::mint_as(form, mode, random))
}

/// What `make` makes of random bytes.
pub fn secret<P: Platform>(
    context: &Context<'_, P>,
    make: impl FnOnce(&mut dyn FnMut(&mut [u8])) -> String,
) -> Result<String, Problem> {
    let mut failure = None;
    let key = make(&mut |bytes| {
        if let Err(error) = context.platform.random(bytes) {
            failure = Some(error);
        }
    });
    match failure {
        Some(error) => Err(error.into()),
        None => Ok(key),
    }
}

/// A new key of each mode, of which one will be used: only the object knows the mode of what it replaces or copies.
#[derive(Debug)]
pub struct Minted {
    live: String,
    test: String,
}

impl Minted {
    /// Makes both. A new key is not looked up in KV, because KV remembers a miss for a minute, and the key would not work that
    /// long.
    fn new<P: Platform>(context: &Context<'_, P>, form: KeyForm) -> Result<Self, Problem> {
        Ok(Minted {
            live: mint(context, form, Mode::Live)?,
            test: mint(context, form, Mode::Test)?,
        })
    }

    /// A key of another service, whatever its mode. It must not be in KV already.
    async fn imported<P: Platform>(context: &Context<'_, P>, key: String) -> Result<Self, Problem> {
        match context.platform.key(&auth::digest(&key)).await? {
            Some(_) => Err(Problem::Conflict(Conflict::KeyExists)),
            None => Ok(Minted {
                live: key.clone(),
                test: key,
            }),
        }
    }

    /// What the object gets to know of them.
    fn imprints(&self) -> NewImprints {
        NewImprints {
            live: Imprint::of(&self.live),
            test: Imprint::of(&self.test),
        }
    }

    /// The one that is used.
    fn of(self, mode: Mode) -> String {
        match mode {
            Mode::Live => self.live,
            Mode::Test => self.test,
        }
    }
}

/// Writes the record of a key to KV, and into the isolate's own cache: KV may answer with an older record, or with a miss,
/// for a minute.
pub async fn publish<P: Platform>(context: &Context<'_, P>, account: &str, key: &KeyView) -> Result<(), Problem> {
    let record = KeyRecord {
        v: KeyRecord::VERSION,
        account: account.to_owned(),
        key: key.id.clone(),
        scopes: key.scopes.clone(),
        mode: key.mode,
        lines: key.lines.clone(),
        ips: key.caps.ips.clone(),
        expires_at: key.expires_ms,
        session_of: key.session_of.clone(),
        looks: key.looks,
        ways: key.ways.clone(),
        bootstrapped_at: None,
    };
    let text = serde_json::to_string(&record).map_err(|error| PortError::json("json", &error))?;
    context.platform.put_key(&key.digest, &text).await?;
    context.app.keys.put(&key.digest, context.request.now_ms, record);
    Ok(())
}

/// What to ask of the owner's object so that it issues a key, and the key itself.
pub async fn issue_request<P: Platform>(
    context: &Context<'_, P>,
    owner: Owner<'_>,
    new: KeyToIssue,
) -> Result<(IssueKey, Minted), Problem> {
    let minted = match new.source {
        Source::Imported(key) => Minted::imported(context, key).await?,
        Source::New(form) => Minted::new(context, form)?,
    };
    let request = IssueKey {
        by: owner.authority(context)?,
        id: id::new(context.platform)?,
        imprints: minted.imprints(),
        title: new.title,
        scopes: new.scopes,
        mode: new.mode,
        lines: new.lines,
        expires_ms: new.expires_ms,
        caps: new.caps,
    };
    Ok((request, minted))
}

/// Issues a key and answers it, this one time.
pub async fn issue<P: Platform>(
    context: &Context<'_, P>,
    owner: Owner<'_>,
    new: KeyToIssue,
) -> Result<Response, Problem> {
    let (request, minted) = issue_request(context, owner, new).await?;
    let key = owner.ask(context, &request).await?;
    announce(context, owner, &key, minted).await
}

/// Publishes a key that its owner's object has recorded, and answers it, this one time.
pub async fn announce<P: Platform>(
    context: &Context<'_, P>,
    owner: Owner<'_>,
    key: &KeyView,
    minted: Minted,
) -> Result<Response, Problem> {
    publish(context, owner.id(), key).await?;
    Success::created(owner.issued(key, &minted.of(key.mode))).response(context)
}

/// The page of keys that a query asks for.
pub fn read_page(query: Paged<'_>, owner: Owner<'_>) -> Result<PageRequest<String>, Problem> {
    Ok(query.listed_by_name(&format!("keys/{}", owner.id()))?.0)
}

/// A page of keys, newest first, and the cursor of the next one.
pub async fn page<P: Platform>(
    context: &Context<'_, P>,
    owner: Owner<'_>,
    page: PageRequest<String>,
) -> Result<(Vec<KeyView>, Option<String>), Problem> {
    let request = ListKeys {
        limit: page.limit(),
        after: page.after().cloned(),
    };
    let mut keys = owner.ask(context, &request).await?;
    let next = page.cut(&mut keys, |key| key.id.clone());
    Ok((keys, next))
}

/// Answers a page of keys to an operator.
pub async fn list<P: Platform>(
    context: &Context<'_, P>,
    owner: Owner<'_>,
    page: PageRequest<String>,
) -> Result<Response, Problem> {
    let (keys, next) = self::page(context, owner, page).await?;
    Success::page(keys.iter().map(|key| owner.data(key)), next).response(context)
}

/// Revokes a key, and removes it from KV.
pub async fn revoke<P: Platform>(context: &Context<'_, P>, owner: Owner<'_>, id: &str) -> Result<Response, Problem> {
    let request = RevokeKey {
        by: owner.authority(context)?,
        id: id.to_owned(),
    };
    let key = owner.ask(context, &request).await?;
    context.platform.delete_key(&key.digest).await?;
    context.app.keys.forget(&key.digest);
    Ok(http::no_content())
}

/// Replaces a key, and answers its successor in this form, this one time. The old key works for `grace_s` seconds more.
pub async fn rotate<P: Platform>(
    context: &Context<'_, P>,
    owner: Owner<'_>,
    key: &str,
    (grace_s, form): (i64, KeyForm),
) -> Result<Response, Problem> {
    let minted = Minted::new(context, form)?;
    let request = RotateKey {
        by: owner.authority(context)?,
        id: key.to_owned(),
        new_id: id::new(context.platform)?,
        new_imprints: minted.imprints(),
        old_expires_ms: context.request.now_ms.saturating_add(grace_s * 1_000),
    };
    let Rotated { old, new } = owner.ask(context, &request).await?;
    publish(context, owner.id(), &new).await?;
    publish(context, owner.id(), &old).await?;
    let answer = owner.rotated(&new, &minted.of(new.mode), &old);
    Success::created(answer).response(context)
}
