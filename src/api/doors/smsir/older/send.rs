//! The sends of the older API.

use serde_json::{Map, Value, json};

use super::super::errors::{self, Fault};
use super::super::fields::Fields;
use super::super::report::{id_of, number_of};
use super::super::{send, verify};
use super::refusal::Refusal;
use super::when;
use crate::api::doors::own::Own;
use crate::api::doors::send::{Sent, is_number};
use crate::base::ports::Platform;

/// The pattern of codes that a program has made. The provider has a text of its own for them.
const CODE: &str = "VerificationCode";
const NO_CODE: &str = "پترنی با نام VerificationCode بسازید که متغیر CODE را دارد.";

/// `POST MessageSend`: one text to many numbers, or a text for each number.
pub async fn messages<P: Platform>(own: &Own<'_, P>, fields: &Fields) -> Result<Value, Fault> {
    let line = fields.line()?;
    let at_ms = when::send_at(fields.get("senddatetime"), own.now_ms())?;
    let texts = fields.texts("messages")?.into_iter().map(send::must_say);
    let texts = texts.collect::<Result<Vec<String>, Fault>>()?;
    let mobiles = fields.texts("mobilenumbers")?;
    if mobiles.is_empty() {
        return Err(Fault::of(errors::NO_MOBILES));
    }
    let goes_on = goes_on(fields);
    if !goes_on && !mobiles.iter().all(|mobile| is_number(mobile)) {
        return Err(Fault::of(errors::BAD_MOBILE));
    }
    let content = match texts.as_slice() {
        [] => return Err(Fault::of(errors::NO_TEXTS)),
        [text] => send::one_text(text, &mobiles),
        _ => send::pairs(&texts, &mobiles)?,
    };
    let body = send::body_of(&line, at_ms, content);
    let sent = match goes_on {
        true => own.send_to_open(&body, None).await?,
        false => own.send(&body, None, None).await?,
    };
    Ok(json!({"Ids": ids(&sent, &mobiles), "BatchKey": sent.uid}))
}

/// Whether the numbers that are none are to be left out, and the others get the message.
fn goes_on(fields: &Fields) -> bool {
    match fields.get("cancontinueincaseoferror") {
        Value::Bool(flag) => *flag,
        value => value.as_str().is_some_and(|text| text.eq_ignore_ascii_case("true")),
    }
}

/// An id for each number of the request that gets the message.
fn ids(sent: &Sent, mobiles: &[String]) -> Vec<Value> {
    let recipients = sent.in_order(mobiles).into_iter().flatten();
    let id = |uid: &str, number: &str| json!({"ID": id_of(uid), "MobileNo": number_of(number).to_string()});
    recipients.map(|of| id(&of.uid, &of.number)).collect()
}

/// `POST UltraFastSend`: the pattern whose name is the template's number.
pub async fn by_template<P: Platform>(own: &Own<'_, P>, fields: &Fields) -> Result<Value, Fault> {
    let variables = verify::variables(fields.list("parameterarray")?, "parameter", "parametervalue")?;
    let [template, mobile] = ["templateid", "mobile"].map(|name| fields.text(name));
    let sent = verify::by_pattern(own, &template, &mobile, &variables).await?;
    Ok(told(&sent))
}

/// `POST VerificationCode`
pub async fn code<P: Platform>(own: &Own<'_, P>, fields: &Fields) -> Result<Value, Refusal> {
    let code = fields.text("code");
    if code.is_empty() {
        return Err(Fault::of(errors::BAD_VALUE).into());
    }
    let variables = Map::from_iter([("Code".to_owned(), Value::from(code))]);
    let variables = verify::in_any_case(variables);
    let sent = verify::by_pattern(own, CODE, &fields.text("mobilenumber"), &variables).await;
    let sent = sent.map_err(|fault| {
        let is_missing = fault.status == errors::NO_TEMPLATE;
        let refusal = Refusal::from(fault);
        if is_missing { refusal.advising(NO_CODE) } else { refusal }
    });
    Ok(told(&sent?))
}

fn told(sent: &Sent) -> Value {
    let id = sent.recipients.first().map_or(0, |recipient| id_of(&recipient.uid));
    json!({"VerificationCodeId": id})
}
