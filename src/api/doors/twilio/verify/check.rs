//! `POST …/VerificationCheck`: checks a code that a person has typed.

use serde_json::json;

use super::fault::{fault, invalid, refuse_features};
use super::find::{find, id_of};
use super::record::{self, Service};
use crate::api::doors::answer::{Members, json_text};
use crate::api::doors::own::{Ask, Own};
use crate::api::doors::params::Params;
use crate::api::doors::send::canonical;
use crate::api::doors::twilio::call::Told;
use crate::api::doors::twilio::errors::Fault;
use crate::api::doors::twilio::send::given;
use crate::base::ports::Platform;

/// Checks a code, and tells what came of it.
pub async fn create<P: Platform>(own: &Own<'_, P>, service: &Service<'_>, params: &Params) -> Result<Told, Fault> {
    refuse_features(params)?;
    let code = given(params, "code").ok_or_else(|| invalid("Code", ""))?;
    let body = match (given(params, "verificationsid"), given(params, "to")) {
        (Some(sid), to) => {
            id_of(sid).ok_or_else(|| invalid("VerificationSid", sid))?;
            // The check itself does not look at the purpose, and would take the code of another service.
            let found = find(own, service, sid).await?;
            // A program that takes both from a person must not take the code of another number.
            if to.is_some_and(|to| canonical(to) != found.text("recipient")) {
                return Err(Fault::of(20_404));
            }
            json!({"id": found.text("id"), "code": code})
        }
        (None, Some(to)) => json!({"recipient": to, "purpose": service.purpose, "code": code}),
        (None, None) => return Err(invalid("To", "")),
    };
    let ask = Ask {
        path: "/verify/check",
        body: Some(body),
        ..Ask::default()
    };
    let checked = own.ask(ask).await.map_err(|cause| fault(own, params, cause))?;
    Ok(Told::Made(json_text(&record::check(service, &checked, own.now_ms()))))
}
