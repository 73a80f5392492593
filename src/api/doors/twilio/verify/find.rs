//! Finds the verification that a path or a parameter names.

use serde_json::Value;
use sms::msisdn::Msisdn;

use super::record::Service;
use crate::api::doors::answer::Members;
use crate::api::doors::own::{Ask, Own};
use crate::api::doors::params::decoded_segment;
use crate::api::doors::twilio::errors::Fault;
use crate::base::ports::Platform;
use crate::webhook::callbacks::twilio::uid_of;

/// The id of ours that the SID of a verification has. `None`: the text is none.
pub fn id_of(sid: &str) -> Option<String> {
    uid_of(sid, &["VE"])
}

/// Our verification that a SID names, or the pending one of a number.
pub async fn find<P: Platform>(own: &Own<'_, P>, service: &Service<'_>, name: &str) -> Result<Value, Fault> {
    let missing = || Fault::of(20_404);
    if let Some(id) = id_of(name) {
        let found = own.ask(ask(&format!("/verify/{id}"))).await?;
        let is_of_service = found.text("purpose") == service.purpose;
        return is_of_service.then_some(found).ok_or_else(missing);
    }
    let number = Msisdn::parse(&decoded_segment(name)).map_err(|_| missing())?;
    let path = format!("/verify?recipient=%2B{}&purpose={}", number.get(), service.purpose);
    let found = own.ask(ask(&path)).await?;
    found.list("verifications").first().cloned().ok_or_else(missing)
}

fn ask(path: &str) -> Ask<'_> {
    Ask { path, ..Ask::default() }
}
