//! `POST …/Verifications`: sends a code, or the pending one again.

use serde_json::{Value, json};

use super::fault::{fault, invalid, refuse_features};
use super::record::{self, Service};
use crate::api::doors::answer::{Members, json_text};
use crate::api::doors::own::{Ask, Own};
use crate::api::doors::params::Params;
use crate::api::doors::twilio::call::Told;
use crate::api::doors::twilio::errors::Fault;
use crate::api::doors::twilio::send::{given, variables};
use crate::base::ports::Platform;

/// How long a code can be checked, s: as long as the provider's.
const TTL_S: u32 = 600;
/// The provider's other ways to a person.
const OTHER_CHANNELS: [&str; 6] = ["call", "email", "whatsapp", "sna", "rcs", "rbm"];
/// The variable of a pattern that `CustomFriendlyName` fills, as in the provider's templates.
const NAME: &str = "friendly_name";

/// Sends a code, and tells the verification.
pub async fn create<P: Platform>(own: &Own<'_, P>, service: &Service<'_>, params: &Params) -> Result<Told, Fault> {
    if let Some(several) = params.several("to") {
        return Err(invalid("To", &several));
    }
    let to = given(params, "to").ok_or_else(|| invalid("To", ""))?;
    check_channel(params)?;
    refuse_features(params)?;
    let ask = Ask {
        path: "/verify",
        body: Some(body(service, to, params)?),
        idempotency_key: service.asked.head.idempotency_key.as_deref(),
        ..Ask::default()
    };
    let made = own.ask(ask).await.map_err(|cause| fault(own, params, cause))?;
    match made.text("status") {
        "BLOCKED" => Err(Fault::of(60_410)),
        _ => Ok(Told::Made(json_text(&record::verification(service, &made)))),
    }
}

fn check_channel(params: &Params) -> Result<(), Fault> {
    let channel = given(params, "channel").unwrap_or_default();
    let is = |known: &str| channel.eq_ignore_ascii_case(known);
    if is("sms") || is("auto") {
        Ok(())
    } else if OTHER_CHANNELS.into_iter().any(is) {
        Err(Fault::of(60_223).about(&channel.to_ascii_uppercase()))
    } else {
        Err(invalid("Channel", channel))
    }
}

/// The body of `POST /verify`.
fn body(service: &Service<'_>, to: &str, params: &Params) -> Result<Value, Fault> {
    let mut body = json!({"recipient": to, "purpose": service.purpose, "ttlSeconds": TTL_S});
    let pattern = given(params, "templatesid");
    let name = "templatecustomsubstitutions";
    let written = given(params, name).unwrap_or_default();
    let mut variables = variables(params, name).map_err(|_| invalid("TemplateCustomSubstitutions", written))?;
    if let Some(name) = given(params, "customfriendlyname").filter(|_| pattern.is_some()) {
        variables.entry(NAME).or_insert_with(|| name.into());
    }
    let variables = Some(variables).filter(|variables| !variables.is_empty());
    let ip = given(params, "deviceip").map(|ip| json!({"ip": ip}));
    let members = [
        (
            "language",
            given(params, "locale").map(|locale| language(locale).into()),
        ),
        ("pattern", pattern.map(Value::from)),
        ("variables", variables.map(Value::Object)),
        ("appHash", given(params, "apphash").map(Value::from)),
        ("context", ip),
    ];
    if let Some(body) = body.as_object_mut() {
        let members = members.into_iter();
        body.extend(members.filter_map(|(name, value)| Some((name.to_owned(), value?))));
    }
    Ok(body)
}

/// The language of a locale. The service's own texts are in two.
fn language(locale: &str) -> &'static str {
    let language = locale.split(['-', '_']).next().unwrap_or_default();
    if language.eq_ignore_ascii_case("fa") {
        "fa"
    } else {
        "en"
    }
}
