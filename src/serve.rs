//! Answers requests: the steps that every request takes, in the order in which the API answers errors.

use serde_json::json;

use crate::account::idempotency::Charge;
use crate::account::message::MessageKind;
use crate::api::app::App;
use crate::api::context::Context;
use crate::api::respond::{Success, problem_response};
use crate::api::{account, admin, blacklist, messages, pattern, phonebook, sms};
use crate::auth::Scope;
use crate::http::{Body, Head, Response};
use crate::ports::Platform;
use crate::problem::Problem;
use crate::routes::{self, Access, Endpoint, PathParams};

/// Answers a request. It never fails: an error becomes a problem document and a line of the log.
pub async fn handle<P: Platform>(platform: &P, app: &App, head: &Head, body: &mut impl Body) -> Response {
    let mut context = Context::new(platform, app, head);
    let outcome = answer(&mut context, body).await;
    if let Err(Problem::Internal(cause)) = &outcome {
        log_failure(&context, cause);
    }
    context.record.code = outcome.as_ref().err().map(|problem| problem.kind().code);
    let request = &context.request;
    let mut response =
        outcome.unwrap_or_else(|problem| problem_response(&problem, request.language, &request.head.path, &request.id));
    context.record.status = response.status;
    add_headers(&context, &mut response);
    log_request(&context);
    response
}

async fn answer<P: Platform>(context: &mut Context<'_, P>, body: &mut impl Body) -> Result<Response, Problem> {
    let (route, params) = routes::find(&context.request.head.method, &context.request.head.path)?;
    context.record.route = Some(route.path);
    let Access::Key(scope) = route.access else {
        return endpoint(context, route.endpoint, &params, body).await;
    };
    context.authenticate().await?;
    if !context.caller()?.has_scope(scope) {
        return Err(forbid(context, scope).await);
    }
    match endpoint(context, route.endpoint, &params, body).await {
        Err(problem) if !context.record.is_charged() => pay_for(context, problem).await,
        outcome => outcome,
    }
}

/// Charges a caller that lacks the scope, and makes the problem. Only a revoked key gets 401 in place of 403.
async fn forbid<P: Platform>(context: &Context<'_, P>, scope: Scope) -> Problem {
    match context.call(&Charge(None)).await {
        Err(problem @ (Problem::Unauthorized { .. } | Problem::Internal(_))) => problem,
        _ => Problem::Forbidden(scope),
    }
}

async fn pay_for<P: Platform>(context: &Context<'_, P>, problem: Problem) -> Result<Response, Problem> {
    match context.call(&Charge(context.record.idempotency())).await? {
        Some(message) => sms::replayed(context, &message),
        None => Err(problem),
    }
}

fn health<P: Platform>(context: &Context<'_, P>) -> Result<Response, Problem> {
    Success::ok(json!({"status": "UP"})).response(&context.request.id)
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

/// Adds the headers that every response has.
fn add_headers<P: Platform>(context: &Context<'_, P>, response: &mut Response) {
    if let Some(state) = context.record.limit() {
        response.headers.push(("RateLimit-Policy", state.limit.policy_header()));
        response.headers.push(("RateLimit", state.decision.header()));
    }
    response.headers.push(("X-Request-Id", context.request.id.clone()));
    response.headers.push(("X-Content-Type-Options", "nosniff".to_owned()));
    response.headers.push(("Cache-Control", "no-store".to_owned()));
}

/// Logs the cause of a 500, which the client does not see.
fn log_failure<P: Platform>(context: &Context<'_, P>, cause: &str) {
    let line = json!({"level": "error", "event": "internal", "requestId": context.request.id, "cause": cause});
    context.platform.log(&line.to_string());
}

/// Logs one line for the request: who sent it, what it asked for, and how it ended. The line has no key and no text.
fn log_request<P: Platform>(context: &Context<'_, P>) {
    let (request, record) = (&context.request, &context.record);
    let caller = context.known_caller();
    let line = json!({
        "level": if record.status >= 500 { "error" } else { "info" },
        "event": "request",
        "requestId": request.id,
        "method": request.head.method,
        "route": record.route,
        "status": record.status,
        "code": record.code,
        "account": caller.map(|caller| caller.account()),
        "keyId": caller.map(|caller| caller.key_id()),
        "ms": context.platform.now_ms().saturating_sub(request.now_ms),
    });
    context.platform.log(&line.to_string());
}
