//! The errors of Verify.

use crate::api::doors::own::{Own, Refused};
use crate::api::doors::params::Params;
use crate::api::doors::twilio::errors::Fault;
use crate::api::doors::twilio::send::given;
use crate::base::ports::Platform;

/// The longest pause between two sends of a code, s. Who has to wait longer has got as many codes as a number may get.
const LONGEST_PAUSE_S: u64 = 120;

/// What a program asks for that our codes have not: codes of its own, what a payment is for, and templates by preference.
const NOT_SERVED: [&str; 4] = ["customcode", "amount", "payee", "templates"];

/// Refuses what is asked for and not served: to leave it out would be another verification than the program means.
pub fn refuse_features(params: &Params) -> Result<(), Fault> {
    let is_asked = NOT_SERVED.iter().any(|name| given(params, name).is_some());
    if is_asked { Err(Fault::of(60_204)) } else { Ok(()) }
}

/// The error of a parameter with this value.
pub fn invalid(name: &str, value: &str) -> Fault {
    let separator = if value.is_empty() { "" } else { ": " };
    Fault::of(60_200).about(&format!("`{name}`{separator}{value}"))
}

/// The error of a request that our own API has refused.
pub fn fault<P: Platform>(own: &Own<'_, P>, params: &Params, cause: Refused) -> Fault {
    let code = match cause.code {
        3017 => 60_605,
        3018 if own.retry_after_s().is_some_and(|rest_s| rest_s > LONGEST_PAUSE_S) => 60_203,
        3018 => 60_212,
        // The fault says how it has ended.
        3019 if cause.faults.iter().any(|fault| fault.contains("FAILED")) => 60_202,
        3019 => 20_404,
        // No line was named.
        3012 | 3013 => 20_001,
        code => match parameter(code, &cause) {
            Some(name) => {
                let value = given(params, &name.to_ascii_lowercase()).unwrap_or_default();
                return Fault {
                    cause: Some(cause),
                    ..invalid(name, value)
                };
            }
            None => return cause.into(),
        },
    };
    Fault {
        cause: Some(cause),
        ..Fault::of(code)
    }
}

/// The parameter that is at fault.
fn parameter(code: u64, cause: &Refused) -> Option<&'static str> {
    let pointer = cause.pointers.first().map_or("", String::as_str);
    match (code, pointer.split('/').nth(1).unwrap_or_default()) {
        (3002, _) | (422, "pattern") => Some("TemplateSid"),
        (3014 | 3015, _) | (422, "variables") => Some("TemplateCustomSubstitutions"),
        (422, "recipient") => Some("To"),
        (422, "appHash") => Some("AppHash"),
        (422, "context") => Some("DeviceIp"),
        (422, "code") => Some("Code"),
        _ => None,
    }
}
