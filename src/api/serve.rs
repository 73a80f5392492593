//! Answers requests: the steps that every request takes, in the order in which the API answers errors.

use serde_json::json;

use super::customer::send::answer::replayed;
use super::http::{Body, Head, Response, app::App, caller::Caller, context::Context, respond::problem_response};
use super::router;
use super::routes::{self, Access, Payment, RouteInfo};
use super::shared::export::Answer;
use crate::account::message::charge::{Charge, ChargeReserve};
use crate::account::{OPERATOR, audit_budget::NoteAudited};
use crate::auth::Mode;
use crate::base::{log, ports::Platform};
use crate::durable;
use crate::problem::{Problem, kind, missing};

/// Tells browsers to call the service by `https` only. They take no notice of it over `http`.
const TRANSPORT: &str = "max-age=31536000; includeSubDomains";
const CACHE_CONTROL: &str = "Cache-Control";

/// Answers a request. It never fails: an error becomes a problem document and a line of the log.
pub async fn handle<P: Platform>(platform: &P, app: &App, head: &Head, body: &mut impl Body) -> Answer {
    let mut context = Context::new(platform, app, head);
    let outcome = answer(&mut context, body).await;
    let route = context.request.route.map_or("", |route| route.path);
    let outcome = outcome.map_err(|problem| missing::named(problem, route));
    if let Err(problem) = &outcome {
        log_failure(&context, problem);
    }
    context.record.code = outcome.as_ref().err().map(|problem| problem.kind().code);
    let request = &context.request;
    let docs = app.config.docs_url.as_ref().unwrap_or(&head.origin);
    let mut answer = outcome
        .unwrap_or_else(|problem| problem_response(&problem, request.language, docs, &head.path, &request.id).into());
    context.record.status = answer.response.status;
    add_headers(&context, &mut answer.response);
    log_request(&context);
    let ms = platform.now_ms().saturating_sub(context.request.now_ms);
    app.meter.note(route, context.record.status, ms);
    app.strangers.tell(platform);
    app.refusals.tell(platform);
    answer
}

async fn answer<P: Platform>(context: &mut Context<'_, P>, body: &mut impl Body) -> Result<Answer, Problem> {
    if context.app.config.is_exposed(&context.request.head.origin) {
        return Err(Problem::NotEncrypted);
    }
    let (route, params) = router::find(&context.request.head.method, &context.request.head.path)?;
    context.request.params = params;
    context.request.route = Some(&route.info);
    context.operations = routes::NAMES;
    if route.access != Access::Public {
        context.authenticate().await?;
        if let Some(problem) = forbidden(context.caller()?, &route.info) {
            return Err(forbid(context, problem).await);
        }
    }
    match route.payment {
        Payment::First => drop(context.call(&Charge(None)).await?),
        Payment::FirstOfReserve => context.call(&ChargeReserve).await?,
        Payment::WithCall | Payment::Free => {}
    }
    let outcome = routes::call_handler(route.operation, context, body).await;
    note_audited(context).await;
    if route.payment == Payment::Free || context.record.is_charged() {
        outcome
    } else {
        charge_late(context, outcome).await
    }
}

/// Tells the account's object how much of the audit log the request has filled past it. If the object does not answer, the
/// change is made all the same: the next one asks the object before it changes anything.
async fn note_audited<P: Platform>(context: &Context<'_, P>) {
    let bytes = context.record.audited_bytes.get();
    let caller = match context.known_caller() {
        Some(caller) if bytes > 0 && caller.account() != OPERATOR => caller,
        _ => return,
    };
    let noted = NoteAudited {
        key: caller.lasting_key().to_owned(),
        bytes,
        bytes_a_day: context.app.config.audit_bytes_a_day,
    };
    if let Err(error) = durable::ask(context.platform, caller.account(), None, None, &noted).await {
        log::error(
            context.platform,
            "audit",
            json!({"account": caller.account(), "cause": error.to_string()}),
        );
    }
}

/// Why a caller may not call a route.
fn forbidden(caller: &Caller, route: &RouteInfo) -> Option<Problem> {
    if let Some(scope) = route.scopes().find(|scope| !caller.has_scope(*scope)) {
        return Some(Problem::Forbidden(scope));
    }
    let is_live_only = matches!(route.access, Access::Live(_));
    (is_live_only && caller.mode() == Mode::Test).then_some(Problem::TestKey)
}

/// Charges a caller that may not call the route. Only a revoked key gets 401 in place of the 403.
async fn forbid<P: Platform>(context: &Context<'_, P>, forbidden: Problem) -> Problem {
    match context.call(&Charge(None)).await {
        Err(problem @ (Problem::Unauthorized { .. } | Problem::Internal(_) | Problem::Unavailable(_))) => problem,
        _ => forbidden,
    }
}

/// Charges for a request whose handler ended without a call of the account's object. If no token is left, that is the
/// answer. If the request made a message before under its idempotency key, it gets that answer again: what is wrong now may
/// have been right then. A caller that may not use the message's line gets the handler's answer.
async fn charge_late<P: Platform>(
    context: &Context<'_, P>,
    outcome: Result<Answer, Problem>,
) -> Result<Answer, Problem> {
    match context.call(&Charge(context.record.idempotency())).await? {
        Some(message) if context.caller()?.may_use_line(&message.line) => replayed(context, &message).map(Answer::from),
        _ => outcome,
    }
}

/// Adds the headers that every response has. Only what is the same for everybody says itself that caches may keep it.
fn add_headers<P: Platform>(context: &Context<'_, P>, response: &mut Response) {
    if let Some(state) = context.record.limit() {
        response.headers.push(("RateLimit-Policy", state.limit.policy_header()));
        response.headers.push(("RateLimit", state.decision.header()));
    }
    response.headers.push(("X-Request-Id", context.request.id.clone()));
    response.headers.push(("X-Content-Type-Options", "nosniff".to_owned()));
    response
        .headers
        .push(("Strict-Transport-Security", TRANSPORT.to_owned()));
    if !response.headers.iter().any(|(name, _)| *name == CACHE_CONTROL) {
        response.headers.push((CACHE_CONTROL, "no-store".to_owned()));
    }
}

/// Logs the cause of a 500 or a 503, which the client does not see.
fn log_failure<P: Platform>(context: &Context<'_, P>, problem: &Problem) {
    let Some(cause) = problem.internal_cause() else {
        return;
    };
    let event = if problem.kind() == kind::UNAVAILABLE {
        "unavailable"
    } else {
        "internal"
    };
    log::error(
        context.platform,
        event,
        json!({"requestId": context.request.logged_id(), "ownId": context.request.own_id, "cause": cause}),
    );
}

/// Logs one line for the request, if the setting asks for it: who sent it, what it asked for, and how it ended. The line has no key and no text.
fn log_request<P: Platform>(context: &Context<'_, P>) {
    let (request, record) = (&context.request, &context.record);
    // Requests without a caller are told as counts.
    let is_strangers = record.status == 401 || (record.status == 429 && context.known_caller().is_none());
    if is_strangers || !context.app.config.log_requests.includes(record.status) {
        return;
    }
    let caller = context.known_caller();
    let level = if record.status >= 500 { "error" } else { "info" };
    log::line(
        context.platform,
        level,
        "request",
        json!({
            "requestId": request.logged_id(),
            "ownId": request.own_id,
            "method": request.head.method,
            "route": request.route.map(|route| route.path),
            "status": record.status,
            "code": record.code,
            "account": caller.map(|caller| caller.account()),
            "keyId": caller.map(|caller| caller.key_id()),
            "ms": context.platform.now_ms().saturating_sub(request.now_ms),
        }),
    );
}
