//! The records of Verify, and the service that has them.

use serde_json::{Value, json};
use uuid::Uuid;

use crate::api::doors::answer::Members;
use crate::api::doors::twilio::call::Asked;
use crate::base::{id, time};

/// A service of Verify. Any is there: the program has made it with its provider.
pub struct Service<'a> {
    pub asked: &'a Asked<'a>,
    pub sid: &'a str,
    /// What its codes are for.
    pub purpose: String,
}

impl<'a> Service<'a> {
    /// The service with this SID.
    pub fn of(asked: &'a Asked<'a>, sid: &'a str) -> Self {
        Service {
            asked,
            sid,
            purpose: sid.get(2..).unwrap_or_default().to_ascii_lowercase(),
        }
    }

    /// The whole address of what the service has.
    pub fn url(&self, rest: &str) -> String {
        self.asked.url(&format!("/v2/Services/{}{rest}", self.sid))
    }
}

/// The SID of this kind with the digits of an id.
fn sid(kind: &str, id: &str) -> String {
    format!("{kind}{}", Uuid::try_parse(id).unwrap_or_default().simple())
}

/// A time as the provider writes it: in whole seconds. Its library for Python knows no other form.
fn written(ms: i64) -> String {
    time::to_rfc3339(ms.div_euclid(1_000).saturating_mul(1_000)).replace(".000Z", "Z")
}

/// The status of a verification that has this status in our own API.
fn status(own: &str) -> &'static str {
    match own {
        "PENDING" => "pending",
        "APPROVED" => "approved",
        "CANCELED" => "canceled",
        "EXPIRED" => "expired",
        "FAILED" => "max_attempts_reached",
        // Of `BLOCKED`, no message was sent.
        _ => "failed",
    }
}

/// A verification of ours.
pub fn verification(service: &Service<'_>, own: &Value) -> Value {
    let sid = sid("VE", own.text("id"));
    let created_ms = time::from_rfc3339(own.text("createdAt"));
    let newest = own.member("messageUid").as_str();
    let sent_ms = newest.and_then(id::made_ms);
    let ended_ms = time::from_rfc3339(own.text("endedAt"));
    json!({
        "service_sid": service.sid,
        "account_sid": service.asked.account,
        "to": own.text("recipient"),
        "channel": "sms",
        "status": status(own.text("status")),
        "valid": own.text("status") == "APPROVED",
        "lookup": {"carrier": null},
        "amount": null,
        "payee": null,
        "send_code_attempts": newest.map(|uid| attempt(uid, sent_ms)).into_iter().collect::<Vec<_>>(),
        "sna": null,
        "date_created": created_ms.map(written),
        "date_updated": ended_ms.or(sent_ms).or(created_ms).map(written),
        "url": service.url(&format!("/Verifications/{sid}")),
        "sid": sid,
    })
}

/// The message that has brought a code, by its uid.
fn attempt(uid: &str, sent_ms: Option<i64>) -> Value {
    json!({"attempt_sid": sid("VL", uid), "channel": "sms", "time": sent_ms.map(written)})
}

/// What came of a check. A wrong code leaves it pending, as the provider tells it: that it was the last, the next check says.
pub fn check(service: &Service<'_>, checked: &Value, now_ms: i64) -> Value {
    let is_right = checked.member("verified") == &Value::Bool(true);
    let id = checked.text("id");
    json!({
        "sid": sid("VE", id),
        "service_sid": service.sid,
        "account_sid": service.asked.account,
        "to": checked.text("recipient"),
        "channel": "sms",
        "status": if is_right { "approved" } else { "pending" },
        "valid": is_right,
        "amount": null,
        "payee": null,
        "sna_attempts_error_codes": [],
        "date_created": id::made_ms(id).map(written),
        "date_updated": written(now_ms),
    })
}

/// A service.
pub fn service(service: &Service<'_>) -> Value {
    json!({
        "sid": service.sid,
        "account_sid": service.asked.account,
        "friendly_name": "Peyk",
        "code_length": 6,
        "lookup_enabled": false,
        "psd2_enabled": false,
        "skip_sms_to_landlines": false,
        "dtmf_input_required": false,
        "tts_name": null,
        "do_not_share_warning_enabled": false,
        "custom_code_enabled": false,
        "push": null,
        "totp": null,
        "default_template_sid": null,
        "whatsapp": null,
        "verify_event_subscription_enabled": false,
        "date_created": null,
        "date_updated": null,
        "url": service.url(""),
        "links": {},
    })
}
