//! The errors of Twilio's protocol.

use serde_json::{Value, json};

use crate::api::doors::own::Refused;
use crate::api::doors::params::Unread;

/// An error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Its number.
    pub code: u32,
    /// What it is about: a number of a phone, a line, an address, or what is wrong.
    pub subject: String,
    /// What our own API has said, if it was that.
    pub cause: Option<Refused>,
}

impl Fault {
    /// An error that the door has found itself.
    pub fn of(code: u32) -> Fault {
        Fault {
            code,
            subject: String::new(),
            cause: None,
        }
    }

    /// The same error, which says what it is about.
    pub fn about(self, subject: &str) -> Fault {
        Fault {
            subject: subject.to_owned(),
            ..self
        }
    }

    /// The HTTP status.
    pub fn status(&self) -> u16 {
        match self.code {
            20_003 => 401,
            20_004 => 405,
            20_005 | 20_403 | 60_204 | 60_223 | 60_410 | 60_605 => 403,
            20_009 | 30_409 => 409,
            20_404 => 404,
            20_429 | 60_202 | 60_203 | 60_212 | 63_038 => 429,
            20_500 => 500,
            20_503 => 503,
            _ => 400,
        }
    }

    /// The body of the answer to a request with this path. `details` are ours: they tell a person what to mend. It has neither `type`
    /// nor `title`, because the libraries raise another class for a body with them.
    pub fn told(&self, path: &str) -> Value {
        let mut told = json!({
            "code": self.code,
            "message": self.message(path),
            "more_info": format!("https://www.twilio.com/docs/errors/{}", self.code),
            "status": self.status(),
        });
        if let (Some(cause), Some(members)) = (&self.cause, told.as_object_mut()) {
            members.insert(
                "details".to_owned(),
                json!({"code": cause.code, "detail": cause.detail}),
            );
        }
        told
    }

    fn message(&self, path: &str) -> String {
        let about = self.subject.as_str();
        match self.code {
            20_404 => format!("The requested resource {} was not found", without_version(path)),
            21_211 => format!("The 'To' number {about} is not a valid phone number."),
            21_212 => {
                format!("The 'From' number {about} is not a valid phone number, shortcode, or alphanumeric sender ID.")
            }
            21_408 => format!(
                "Permission to send an SMS has not been enabled for the region indicated by the 'To' number: {about}."
            ),
            21_606 => format!(
                "The From phone number {about} is not a valid, SMS-capable inbound phone number or short code for your account."
            ),
            21_609 => format!("Invalid 'StatusCallback' url: {about}"),
            60_200 => format!("Invalid parameter {about}"),
            60_223 => format!("Delivery channel disabled: {about}"),
            code => fixed(code).map_or_else(|| self.own_words(), str::to_owned),
        }
    }

    /// What is said where the protocol has no words for it.
    fn own_words(&self) -> String {
        let cause = self.cause.as_ref().map(|cause| cause.detail.clone());
        cause.unwrap_or_else(|| self.subject.clone())
    }
}

/// A path as the provider names it: without the version, if that has a host of its own.
fn without_version(path: &str) -> &str {
    let rest = ["/v1", "/v2", "/v3"]
        .iter()
        .find_map(|version| path.strip_prefix(version));
    rest.unwrap_or(path)
}

/// What the provider says of errors that are about nothing.
fn fixed(code: u32) -> Option<&'static str> {
    Some(match code {
        20_003 => "Authenticate",
        20_004 => "Method not allowed",
        20_005 => "Account not active",
        20_009 => "Cannot delete message because delivery has not been completed.",
        20_429 => "Too Many Requests",
        20_500 => "Internal Server Error",
        20_503 => "Service Unavailable",
        21_602 => "Message body is required.",
        21_603 => "A 'From' phone number is required.",
        21_604 => "A 'To' phone number is required.",
        21_610 => "Attempt to send to unsubscribed recipient",
        21_617 => "The concatenated message body exceeds the character limit.",
        21_620 => "The service sends no media.",
        30_409 => "This message cannot be canceled",
        35_111 => "SendAt is required to schedule a message",
        35_114 => "SendAt is not a time to come within the limits of the service",
        35_118 => "MessagingServiceSid is required to schedule a message",
        35_126 => "ScheduleType must be 'fixed', and there with SendAt",
        60_202 => "Max check attempts reached",
        60_203 => "Max send attempts reached",
        60_204 => "Service does not support this feature",
        60_212 => "Too many concurrent requests for phone number",
        60_410 | 60_605 => "Verification delivery attempt blocked",
        63_038 => "The account has exceeded its daily limit",
        _ => return None,
    })
}

impl From<Refused> for Fault {
    fn from(cause: Refused) -> Self {
        Fault {
            code: code_of(&cause),
            subject: String::new(),
            cause: Some(cause),
        }
    }
}

impl From<Unread> for Fault {
    fn from(unread: Unread) -> Self {
        Fault::of(20_001).about(match unread {
            Unread::TooLarge => "The request is too large.",
            Unread::Malformed => "The body can't be read.",
        })
    }
}

/// The number for a problem of our own API.
fn code_of(refused: &Refused) -> u32 {
    match refused.code {
        401 => 20_003,
        403 => 20_403,
        404 => 20_404,
        405 => 20_004,
        422 => code_of_pointer(refused.pointers.first().map_or("", String::as_str)),
        429 | 3018 => 20_429,
        500 => 20_500,
        503 => 20_503,
        1003 | 2001 | 3011 => 20_005,
        2002 => 63_038,
        3002 | 3014 | 3015 => 21_656,
        3012 | 3013 => 21_606,
        3016 => 21_610,
        3017 => 21_408,
        _ => 20_001,
    }
}

fn code_of_pointer(pointer: &str) -> u32 {
    match pointer.split('/').nth(1).unwrap_or_default() {
        "recipients" | "recipient" => 21_211,
        "message" => 21_617,
        "sendAt" => 35_114,
        "sourceNumber" => 21_212,
        "statusCallback" => 21_609,
        "pattern" | "variables" => 21_656,
        _ => 20_001,
    }
}
