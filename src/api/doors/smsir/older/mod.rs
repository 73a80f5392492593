//! The API of sms.ir before `v1`, which its programs call "RestfulSms": `/api/Token`, `/api/MessageSend`, `/api/UltraFastSend` and
//! others. A program shows its `UserApiKey`, gets a token for it, and shows that in the header `x-sms-ir-secure-token`.
//!
//! The `UserApiKey` is a key of Peyk, and the token is that key itself. So nothing is stored for a token, a token is worth what its key
//! is worth at that moment, and who revokes the key ends its tokens. The 30 minutes that a token lives at the provider mean nothing:
//! who has a token has the key, so an end of the token would protect nobody.

mod inbox;
pub mod refusal;
mod report;
mod send;
mod when;

use serde::Serialize;
use serde_json::{Value, json};

use super::account;
use super::errors::{self, Fault, judged, known};
use super::fields::Fields;
use crate::api::doors::answer::json_text;
use crate::api::doors::own::Own;
use crate::api::doors::params::{Params, Unread};
use crate::api::http::{Body, Head, Response, app::App};
use crate::api::shared::export::Answer;
use crate::base::ports::Platform;
use refusal::Refusal;

/// What is said of a success. Programs show it, and compare nothing with it.
const DONE: &str = "انجام شد";

const NO_CLUB: &str =
    "باشگاه مشتریان اینجا نیست. برای ارسال از MessageSend و برای مخاطبان از دفترچه‌های تلفن پیک استفاده کنید.";
const NO_REPORT: &str = "این گزارش اینجا نیست. از GET MessageSend با id، batchKey یا تاریخ استفاده کنید.";
const NO_PATH: &str = "این مسیر اینجا نیست. مسیرها: Token، MessageSend، UltraFastSend، VerificationCode، credit، SMSLine، ReceiveMessage.";
const NO_USERS: &str = "وب‌سرویس users/v1 اینجا نیست. از api/Token و api/MessageSend، یا از وب‌سرویس v1 استفاده کنید.";

/// What a path asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Call {
    Token,
    Messages,
    UltraFast,
    /// A send by a template whose body has the key: it needs no token.
    UltraFastWithKey,
    Code,
    Credit,
    Lines,
    Received,
    /// The door has no such thing. A sentence says what to do.
    Missing(&'static str),
}

impl Call {
    /// Reads a path. Case does not count behind `/api/`. `None`: it is of another protocol.
    pub fn of(path: &str) -> Option<Call> {
        if path.starts_with("/users/v1/") {
            return Some(Call::Missing(NO_USERS));
        }
        let rest = path.strip_prefix("/api/")?.to_ascii_lowercase();
        let members: Vec<&str> = rest.trim_end_matches('/').split('/').collect();
        Some(match members.as_slice() {
            ["token"] => Call::Token,
            ["messagesend"] => Call::Messages,
            ["ultrafastsend"] => Call::UltraFast,
            ["ultrafastsend", "direct" | "userapikey"] => Call::UltraFastWithKey,
            ["verificationcode"] => Call::Code,
            ["credit"] => Call::Credit,
            ["smsline"] => Call::Lines,
            ["receivemessage"] => Call::Received,
            ["messagereport", ..] => Call::Missing(NO_REPORT),
            ["customerclub" | "customerclubcontact", ..] => Call::Missing(NO_CLUB),
            [
                "token" | "messagesend" | "ultrafastsend" | "verificationcode" | "credit" | "smsline"
                | "receivemessage",
                ..,
            ] => Call::Missing(NO_PATH),
            _ => return None,
        })
    }

    /// The methods that it has, as `Allow` lists them.
    fn methods(self) -> &'static str {
        match self {
            Call::Messages => "GET, POST",
            Call::Credit | Call::Lines | Call::Received => "GET",
            _ => "POST",
        }
    }
}

/// An answer.
#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
struct Reply<'a> {
    is_successful: bool,
    message: &'a str,
    #[serde(flatten)]
    members: Value,
}

/// Answers a request of this API. Its texts are Persian: it has no other.
pub async fn answer<P: Platform>(platform: &P, app: &App, head: &Head, body: &mut impl Body, call: Call) -> Answer {
    let head = &Head {
        accept_language: Some("fa".to_owned()),
        ..head.clone()
    };
    let fields = match head.method.as_str() {
        "POST" => Fields::read(body).await,
        _ => Ok(Fields::default()),
    };
    let own = Own::of(platform, app, head, &key_of(head, call, fields.as_ref()));
    let response = match outcome_of(&own, head, call, fields).await {
        Ok(members) => own.respond(
            if head.method == "POST" { 201 } else { 200 },
            json_text(&Reply {
                is_successful: true,
                message: DONE,
                members,
            }),
        ),
        Err(refusal) => refused(own, &refusal),
    };
    response.into()
}

/// The key of a request: that of its body for the two calls that need no token, and else the token.
fn key_of(head: &Head, call: Call, fields: Result<&Fields, &Unread>) -> String {
    match (call, fields) {
        (Call::Token | Call::UltraFastWithKey, Ok(fields)) => fields.text("userapikey"),
        _ => head.door_key.clone().unwrap_or_default(),
    }
}

/// The answer of an error.
fn refused<P: Platform>(own: Own<'_, P>, refusal: &Refusal) -> Response {
    let fault = &refusal.fault;
    let cause = fault.cause.as_ref();
    let problem = cause.map(|cause| json!({"problem": {"code": cause.code, "detail": cause.detail}}));
    let reply = Reply {
        is_successful: false,
        message: refusal.message(),
        members: problem.unwrap_or_else(|| json!({})),
    };
    let mut response = own.respond(fault.http, json_text(&reply));
    let allow = fault.allow.map(|methods| ("Allow", methods.to_owned()));
    response.headers.extend(allow);
    response
}

/// Answers a call. Who has no good key learns nothing but that.
async fn outcome_of<P: Platform>(
    own: &Own<'_, P>,
    head: &Head,
    call: Call,
    fields: Result<Fields, Unread>,
) -> Result<Value, Refusal> {
    let outcome = match fields {
        Ok(fields) => told(own, head, call, &fields).await,
        Err(unread) => Err(Fault::from(unread).into()),
    };
    let refusal = match outcome {
        Ok(members) => return Ok(known(own, head).await.map(|()| members)?),
        Err(refusal) => refusal,
    };
    let fault = judged(own, head, refusal.fault.clone()).await;
    let is_the_same = fault == refusal.fault;
    Err(if is_the_same { refusal } else { fault.into() })
}

/// Answers a call with the members of its answer.
async fn told<P: Platform>(own: &Own<'_, P>, head: &Head, call: Call, fields: &Fields) -> Result<Value, Refusal> {
    if let Call::Missing(advice) = call {
        return Err(Refusal::from(Fault::of(errors::NOT_SUPPORTED)).advising(advice));
    }
    if !call.methods().split(", ").any(|method| method == head.method) {
        return Err(Fault::not_allowed(call.methods()).into());
    }
    let params = Params::of_query(&head.query);
    match call {
        Call::Token => token(own).await.map_err(Refusal::from),
        Call::Messages if head.method == "GET" => report::sent(own, &params).await,
        Call::Messages => Ok(send::messages(own, fields).await?),
        Call::UltraFast | Call::UltraFastWithKey => Ok(send::by_template(own, fields).await?),
        Call::Code => send::code(own, fields).await,
        Call::Credit => Ok(json!({"Credit": account::credit(own).await?})),
        Call::Lines => Ok(lines(own).await?),
        Call::Received | Call::Missing(_) => inbox::received(own, &params).await,
    }
}

/// `POST Token`
async fn token<P: Platform>(own: &Own<'_, P>) -> Result<Value, Fault> {
    own.check_key().await?;
    Ok(json!({"TokenKey": own.key()}))
}

/// `GET SMSLine`: the lines that are numbers. An `ID` is a place in this list.
async fn lines<P: Platform>(own: &Own<'_, P>) -> Result<Value, Fault> {
    let lines = account::lines(own).await?;
    let lines = lines.as_array().map(Vec::as_slice).unwrap_or_default().iter();
    let lines: Vec<Value> = (1..)
        .zip(lines)
        .map(|(id, line): (u32, _)| json!({"ID": id, "LineNumber": line}))
        .collect();
    Ok(json!({"SMSLines": lines}))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_have_no_case_behind_api_and_the_rest_is_of_other_protocols() {
        for (path, call) in [
            ("/api/Token", Some(Call::Token)),
            ("/api/token/", Some(Call::Token)),
            ("/api/MessageSend", Some(Call::Messages)),
            ("/api/UltraFastSend", Some(Call::UltraFast)),
            ("/api/UltraFastSend/direct", Some(Call::UltraFastWithKey)),
            ("/api/UltraFastSend/UserApiKey", Some(Call::UltraFastWithKey)),
            ("/api/UltraFastSend/x", Some(Call::Missing(NO_PATH))),
            ("/api/Credit", Some(Call::Credit)),
            ("/api/CustomerClub/Send", Some(Call::Missing(NO_CLUB))),
            ("/api/MessageReport", Some(Call::Missing(NO_REPORT))),
            ("/users/v1/Token/GetToken", Some(Call::Missing(NO_USERS))),
            ("/api/send", None),
            ("/api/v1/credit", None),
            ("/api/tokens", None),
            ("/api/", None),
            ("/users", None),
            ("/v1/Token", None),
        ] {
            assert_eq!(Call::of(path), call, "{path}");
        }
    }
}
