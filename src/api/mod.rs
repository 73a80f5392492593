//! From a request to a response: the steps that every request takes, in the order in which the API answers errors. Each
//! resource has a file of its own.

pub mod account;
pub mod admin;
pub mod blacklist;
pub mod body;
pub mod idempotency;
pub mod line_data;
pub mod messages;
pub mod paging;
pub mod pattern;
pub mod phonebook;
pub mod query;
pub mod respond;
pub mod sms;
pub mod view;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use serde_json::json;

use self::respond::Success;
use crate::account::idempotency::{Charge, Idempotency};
use crate::account::message::MessageKind;
use crate::account::refusal::Refusal;
use crate::account::request::{self as object, LimitState, Request};
use crate::auth::{self, BearerError, KeyRecord, Scope};
use crate::cache::Cache;
use crate::config::Config;
use crate::directory::patterns::ActivePattern;
use crate::directory::profile::{self, Profile};
use crate::fault::{Fault, FaultKind};
use crate::http::{self, Body, Head, Response};
use crate::id;
use crate::language::Language;
use crate::ports::Platform;
use crate::problem::{Conflict, Problem};
use crate::routes::{self, Access, Endpoint, PathParams, Route};

/// FaultKind outlives a request in an isolate: settings and caches.
#[derive(Debug, Default)]
pub struct App {
    /// The settings.
    pub config: Config,
    /// Key records by digest.
    pub keys: Cache<KeyRecord>,
    /// FaultKind the directory says, by account.
    pub profiles: Cache<Profile>,
    /// Active versions of patterns, by account and slug.
    pub patterns: Cache<ActivePattern>,
}

/// One request under way.
pub struct Context<'a, P: Platform> {
    /// The runtime.
    pub platform: &'a P,
    /// Settings and caches.
    pub app: &'a App,
    /// The request without its body.
    pub head: &'a Head,
    /// Its id.
    pub request_id: &'a str,
    /// When it began, ms since the Unix epoch.
    pub now_ms: i64,
    caller: Option<Rc<KeyRecord>>,
    limit: Cell<Option<LimitState>>,
    charged: Cell<bool>,
    idempotency: RefCell<Option<Idempotency>>,
}

/// Answers a request. Never fails: what goes wrong is a problem document and a line in the log.
pub async fn handle<P: Platform>(platform: &P, app: &App, head: &Head, body: &mut impl Body) -> Response {
    let now_ms = platform.now_ms();
    let request_id = match http::usable_request_id(head.request_id.as_deref()) {
        Some(own) => own.to_owned(),
        None => id::new(platform).unwrap_or_default(),
    };
    let mut context = Context {
        platform,
        app,
        head,
        request_id: &request_id,
        now_ms,
        caller: None,
        limit: Cell::default(),
        charged: Cell::default(),
        idempotency: RefCell::default(),
    };
    let route = routes::find(&head.method, &head.path);
    let outcome = match &route {
        Ok((route, params)) => answer(&mut context, route, params, body).await,
        Err(problem) => Err(problem.clone()),
    };
    let route = route.ok().map(|(route, _)| route);
    let code = outcome.as_ref().err().map(|problem| problem.kind().code);
    if let Err(Problem::Internal(cause)) = &outcome {
        let line = json!({"level": "error", "event": "internal", "requestId": request_id, "cause": cause});
        platform.log(&line.to_string());
    }
    let mut response = outcome
        .unwrap_or_else(|problem| respond::problem_response(&problem, context.language(), &head.path, &request_id));
    context.finish(&mut response);
    context.log(route, response.status, code);
    response
}

async fn answer<P: Platform>(
    context: &mut Context<'_, P>,
    route: &Route,
    params: &PathParams,
    body: &mut impl Body,
) -> Result<Response, Problem> {
    let Access::Key(scope) = route.access else {
        return endpoint(context, route.endpoint, params, body).await;
    };
    context.caller = Some(context.authenticate().await?);
    if !context.key()?.allows(scope) {
        return Err(context.forbid(scope).await);
    }
    match endpoint(context, route.endpoint, params, body).await {
        Err(problem) if !context.charged.get() => context.pay_for(problem).await,
        outcome => outcome,
    }
}

async fn endpoint<P: Platform>(
    context: &Context<'_, P>,
    endpoint: Endpoint,
    params: &PathParams,
    body: &mut impl Body,
) -> Result<Response, Problem> {
    match endpoint {
        Endpoint::Health => health(context),
        Endpoint::SmsSend => sms::send(context, MessageKind::Plain, body).await,
        Endpoint::SmsPattern => sms::send(context, MessageKind::Pattern, body).await,
        Endpoint::SmsPhonebook => sms::send(context, MessageKind::Phonebook, body).await,
        Endpoint::SmsBulk => sms::send(context, MessageKind::Bulk, body).await,
        Endpoint::SmsEstimate => sms::estimate(context, body).await,
        Endpoint::ListMessages => messages::list(context).await,
        Endpoint::GetMessage => messages::get(context, params.at(0)).await,
        Endpoint::CancelMessage => messages::cancel(context, params.at(0)).await,
        Endpoint::ListRecipients => messages::recipients(context, params.at(0)).await,
        Endpoint::CreatePhonebook => phonebook::create(context, body).await,
        Endpoint::ListPhonebooks => phonebook::list(context).await,
        Endpoint::GetPhonebook => phonebook::get(context, params.at(0)).await,
        Endpoint::ChangePhonebook => phonebook::change(context, Some(params.at(0)), body).await,
        Endpoint::ChangePhonebookInBody => phonebook::change(context, None, body).await,
        Endpoint::DeletePhonebook => phonebook::delete(context, Some(params.at(0))).await,
        Endpoint::DeletePhonebookInQuery => phonebook::delete(context, None).await,
        Endpoint::AddNumbers => phonebook::numbers::add(context, params.at(0), body).await,
        Endpoint::ListNumbers => phonebook::numbers::list(context, params.at(0)).await,
        Endpoint::ChangeNumber => phonebook::numbers::change(context, params.at(0), params.at(1), body).await,
        Endpoint::DeleteNumber => phonebook::numbers::delete(context, params.at(0), params.at(1)).await,
        Endpoint::ImportNumbers => phonebook::import::import(context, params.at(0), body).await,
        Endpoint::ExportNumbers => phonebook::export::export(context, params.at(0)).await,
        Endpoint::CreatePattern => pattern::create(context, body).await,
        Endpoint::ListPatterns => pattern::list(context).await,
        Endpoint::GetPattern => pattern::get(context, params.at(0)).await,
        Endpoint::ChangePattern => pattern::change(context, params.at(0), body).await,
        Endpoint::DeletePattern => pattern::delete(context, params.at(0)).await,
        Endpoint::CreatePatternVersion => pattern::versions::create(context, params.at(0), body).await,
        Endpoint::ActivatePatternVersion => pattern::versions::activate(context, params.at(0), params.at(1)).await,
        Endpoint::DeactivatePattern => pattern::versions::deactivate(context, params.at(0)).await,
        Endpoint::ListBlacklist => blacklist::list(context).await,
        Endpoint::AddToBlacklist => blacklist::add(context, body).await,
        Endpoint::RemoveFromBlacklist => blacklist::remove(context, body).await,
        Endpoint::AccountInfo => account::info(context).await,
        Endpoint::Tariff => account::tariff(context).await,
        Endpoint::Transactions => account::transactions(context).await,
        Endpoint::ListLines => account::lines(context).await,
        Endpoint::AdminCreateAccount => admin::accounts::create(context, body).await,
        Endpoint::AdminListAccounts => admin::accounts::list(context).await,
        Endpoint::AdminGetAccount => admin::accounts::get(context, params.at(0)).await,
        Endpoint::AdminChangeAccount => admin::accounts::change(context, params.at(0), body).await,
        Endpoint::AdminCredit => admin::accounts::credit(context, params.at(0), body).await,
        Endpoint::AdminIssueKey => admin::keys::issue(context, params.at(0), body).await,
        Endpoint::AdminListKeys => admin::keys::list(context, params.at(0)).await,
        Endpoint::AdminRevokeKey => admin::keys::revoke(context, params.at(0), params.at(1)).await,
        Endpoint::AdminRotateKey => admin::keys::rotate(context, params.at(0), params.at(1), body).await,
        Endpoint::AdminSandboxInbox => admin::accounts::sandbox(context, params.at(0)).await,
        Endpoint::AdminPendingPatterns => pattern::versions::pending(context).await,
        Endpoint::AdminApprovePattern => {
            pattern::versions::approve(context, params.at(0), params.at(1), params.at(2)).await
        }
        Endpoint::AdminCreateLine => admin::lines::create(context, body).await,
        Endpoint::AdminListLines => admin::lines::list(context).await,
        Endpoint::AdminGetLine => admin::lines::get(context, params.at(0)).await,
        Endpoint::AdminChangeLine => admin::lines::change(context, params.at(0), body).await,
        Endpoint::AdminDeleteLine => admin::lines::delete(context, params.at(0)).await,
        Endpoint::AdminCreatePlan => admin::plans::create(context, body).await,
        Endpoint::AdminListPlans => admin::plans::list(context).await,
        Endpoint::AdminChangePlan => admin::plans::change(context, params.at(0), body).await,
        Endpoint::AdminSwitchSending => admin::switch_sending(context, body).await,
        Endpoint::AdminDeadLetters => admin::dead_letters::list(context).await,
    }
}

fn health<P: Platform>(context: &Context<'_, P>) -> Result<Response, Problem> {
    Success::ok(json!({"status": "UP"})).response(context.request_id)
}

impl<P: Platform> Context<'_, P> {
    /// The language that the client prefers.
    pub fn language(&self) -> Language {
        Language::preferred(self.head.accept_language.as_deref())
    }

    /// The record of the key that stands behind the request.
    pub fn key(&self) -> Result<&KeyRecord, Problem> {
        self.caller
            .as_deref()
            .ok_or_else(|| Problem::Internal("a public route asked for its key".to_owned()))
    }

    async fn authenticate(&self) -> Result<Rc<KeyRecord>, Problem> {
        let invalid = || Problem::Unauthorized { key_sent: true };
        let key = auth::bearer(self.head.authorization.as_deref()).map_err(|error| Problem::Unauthorized {
            key_sent: error != BearerError::Missing,
        })?;
        if !auth::checksum_ok(key) {
            return Err(invalid());
        }
        let digest = auth::digest(key);
        let record = match self.app.keys.get(&digest, self.now_ms) {
            Some(record) => record,
            None => {
                let text = self.platform.key(&digest).await?.ok_or_else(invalid)?;
                let record: KeyRecord = serde_json::from_str(&text)
                    .map_err(|error| Problem::Internal(format!("record of key {digest}: {error}")))?;
                self.app.keys.put(&digest, self.now_ms, record)
            }
        };
        match record.is_expired(self.now_ms) {
            true => Err(invalid()),
            false => Ok(record),
        }
    }

    /// A key that lacks the scope pays its token all the same; only its revocation is told instead.
    async fn forbid(&self, scope: Scope) -> Problem {
        match self.charge().await {
            Err(problem @ (Problem::Unauthorized { .. } | Problem::Internal(_))) => problem,
            _ => Problem::Forbidden(scope),
        }
    }

    /// Charges for a request that failed before it came to its account's object. No token left: that is the answer. And a request
    /// that succeeded before, under its idempotency key, is answered as it was then.
    async fn pay_for(&self, problem: Problem) -> Result<Response, Problem> {
        let idempotency = self.idempotency.borrow().clone();
        match self.call(&Charge(idempotency)).await? {
            Some(message) => sms::replayed(self, &message),
            None => Err(problem),
        }
    }

    /// Pays the request's token, for handlers that ask their account's object nothing else.
    pub async fn charge(&self) -> Result<(), Problem> {
        self.call(&Charge(None)).await.map(drop)
    }

    /// Remembers the request's idempotency key in case it fails before it comes to its account's object.
    pub fn remember(&self, idempotency: Option<Idempotency>) {
        self.idempotency.replace(idempotency);
    }

    /// Asks the caller's own account; the first call of a request pays its token.
    pub async fn call<R: Request>(&self, request: &R) -> Result<R::Reply, Problem> {
        self.ask(request).await?.map_err(|refusal| self.problem(refusal))
    }

    /// As [`Context::call`], but gives a refusal as it is.
    pub async fn ask<R: Request>(&self, request: &R) -> Result<Result<R::Reply, Refusal>, Problem> {
        let key = self.key()?;
        let is_first = !self.charged.replace(true);
        let paying = is_first.then_some(key.key.as_str());
        let reply = object::ask(self.platform, &key.account, paying, request).await?;
        if reply.limit.is_some() {
            self.limit.set(reply.limit);
        }
        Ok(reply.outcome)
    }

    /// Asks another account, on an operator's behalf. The request's token must be paid before.
    pub async fn call_other<R: Request>(&self, account: &str, request: &R) -> Result<R::Reply, Problem> {
        let reply = object::ask(self.platform, account, None, request).await?;
        reply.outcome.map_err(|refusal| self.problem(refusal))
    }

    /// FaultKind the directory says of the caller's account.
    pub async fn profile(&self) -> Result<Rc<Profile>, Problem> {
        let account = &self.key()?.account;
        if let Some(profile) = self.app.profiles.get(account, self.now_ms) {
            return Ok(profile);
        }
        let profile = profile::profile(self.platform.db(), account).await?.ok_or_else(|| {
            Problem::Internal(format!("a key of account {account}, which the directory does not have"))
        })?;
        Ok(self.app.profiles.put(account, self.now_ms, profile))
    }

    /// The problem that a refusal is to the client.
    pub fn problem(&self, refusal: Refusal) -> Problem {
        match refusal {
            Refusal::KeyRevoked => Problem::Unauthorized { key_sent: true },
            Refusal::RateLimited => Problem::TooManyRequests {
                retry_after_s: self.limit.get().map_or(1, |state| state.decision.retry_after_s),
            },
            Refusal::IdempotencyMismatch => Problem::Validation(vec![idempotency::mismatch()]),
            Refusal::Inactive => Problem::UserInactive,
            Refusal::SendingOff(for_all) => Problem::SendNotAllowed { for_all },
            Refusal::InsufficientBalance { cost, available } => Problem::InsufficientBalance { cost, available },
            Refusal::WalletFull => Problem::Conflict(Conflict::WalletFull),
            Refusal::NotFound => Problem::NotFound,
            Refusal::UnknownRequest => {
                Problem::Internal("the account's object does not know the request: it is of another version".to_owned())
            }
            Refusal::TooManyKeys => Problem::Conflict(Conflict::TooManyKeys),
            Refusal::BlacklistFull => Problem::Conflict(Conflict::BlacklistFull),
            Refusal::NotScheduled => Problem::Conflict(Conflict::NotScheduled),
            Refusal::Blacklisted(numbers) => Problem::RecipientBlacklisted(
                numbers
                    .into_iter()
                    .map(|number| Fault::of("recipients", FaultKind::Blacklisted(format!("+{number}"))))
                    .collect(),
            ),
        }
    }

    /// Puts the headers on that every response has.
    fn finish(&self, response: &mut Response) {
        if let Some(state) = self.limit.get() {
            response.headers.push(("RateLimit-Policy", state.limit.policy_header()));
            response.headers.push(("RateLimit", state.decision.header()));
        }
        response.headers.push(("X-Request-Id", self.request_id.to_owned()));
        response.headers.push(("X-Content-Type-Options", "nosniff".to_owned()));
        response.headers.push(("Cache-Control", "no-store".to_owned()));
    }

    /// One line a request: who, what, how it ended; no key and no text.
    fn log(&self, route: Option<&Route>, status: u16, code: Option<u16>) {
        let line = json!({
            "level": if status >= 500 { "error" } else { "info" },
            "event": "request",
            "requestId": self.request_id,
            "method": self.head.method,
            "route": route.map(|route| route.path),
            "status": status,
            "code": code,
            "account": self.caller.as_ref().map(|key| key.account.as_str()),
            "keyId": self.caller.as_ref().map(|key| key.key.as_str()),
            "ms": self.platform.now_ms().saturating_sub(self.now_ms),
        });
        self.platform.log(&line.to_string());
    }
}
