//! `POST …/Messages`: sends a text or a pattern to one number.

use serde_json::{Map, Value};

use super::call::Told;
use super::errors::Fault;
use super::message::{Recipient, record};
use crate::api::doors::answer::json_text;
use crate::api::doors::own::{Own, Refused};
use crate::api::doors::params::Params;
use crate::api::doors::send::{Content, SendBody, Sent, SentRecipient};
use crate::api::http::{Head, StatusCallback};
use crate::base::{ports::Platform, time};
use crate::webhook::callbacks::twilio::is_sid;

/// What a send has besides its text.
struct Send<'a> {
    to: &'a str,
    from: Option<&'a str>,
    service: Option<&'a str>,
    /// Who is to hear what becomes of it.
    callback: Option<&'a str>,
    send_at_ms: Option<i64>,
}

impl<'a> Send<'a> {
    fn read(params: &'a Params) -> Result<Self, Fault> {
        if let Some(several) = params.several("to") {
            // A message has one number. To send to the first would lose the others without a word.
            return Err(Fault::of(21_211).about(&several));
        }
        let to = given(params, "to").ok_or(Fault::of(21_604))?;
        let [from, service] = ["from", "messagingservicesid"].map(|name| given(params, name));
        // Programs that have one member for both name their service in it.
        let named = from.filter(|from| is_sid("MG", from));
        let (from, service) = (from.filter(|_| named.is_none()), service.or(named));
        if from.or(service).is_none() {
            return Err(Fault::of(21_603));
        }
        if ["mediaurl", "persistentaction"]
            .iter()
            .any(|name| given(params, name).is_some())
        {
            return Err(Fault::of(21_620));
        }
        Ok(Send {
            to,
            from,
            service,
            callback: given(params, "statuscallback"),
            send_at_ms: send_at(params, service)?,
        })
    }

    /// The body of a send.
    fn body<'b>(&'b self, line: Option<&'b str>, content: Content<'b>) -> SendBody<'b> {
        SendBody {
            line,
            at_ms: self.send_at_ms,
            reference: None,
            content,
        }
    }

    /// The error of a send that our own API has refused.
    fn refused(&self, cause: Refused) -> Fault {
        let fault = Fault::from(cause);
        let subject = match fault.code {
            21_212 | 21_606 => self.from.unwrap_or_default(),
            21_609 => self.callback.unwrap_or_default(),
            _ => self.to,
        };
        fault.about(subject)
    }
}

/// The value of a parameter that has one.
pub fn given<'a>(params: &'a Params, name: &str) -> Option<&'a str> {
    params.written(name).filter(|value| !value.is_empty())
}

/// When a message is to be sent, ms since the Unix epoch. A time without the word for it is an error, so that no message goes at once
/// that was meant for later.
fn send_at(params: &Params, service: Option<&str>) -> Result<Option<i64>, Fault> {
    let at = given(params, "sendat");
    match (given(params, "scheduletype"), at) {
        (None, None) => Ok(None),
        (Some("fixed"), None) => Err(Fault::of(35_111)),
        (Some("fixed"), Some(_)) if service.is_none() => Err(Fault::of(35_118)),
        (Some("fixed"), Some(at)) => time::from_rfc3339(at).map(Some).ok_or(Fault::of(35_114)),
        _ => Err(Fault::of(35_126)),
    }
}

/// The number of a line. Lines have no plus with us.
fn line_of(from: &str) -> Result<&str, Fault> {
    let digits = from.strip_prefix('+').unwrap_or(from);
    let is_number = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    is_number.then_some(digits).ok_or_else(|| Fault::of(21_212).about(from))
}

/// Sends, and tells the record.
pub async fn create<P: Platform>(own: &Own<'_, P>, account: &str, head: &Head, params: &Params) -> Result<Told, Fault> {
    let send = Send::read(params)?;
    let line = send.from.map(line_of).transpose()?;
    let text = params.written("body").unwrap_or_default();
    let (sent, text) = match given(params, "contentsid") {
        Some(pattern) => {
            let content = Content::Pattern {
                pattern,
                recipient: send.to,
                variables: &variables(params, "contentvariables")
                    .map_err(|_| Fault::of(21_656).about("The ContentVariables Parameter is invalid"))?,
            };
            (make(own, account, head, &send, send.body(line, content)).await?, "")
        }
        None if text.trim().is_empty() => return Err(Fault::of(21_602)),
        None => {
            let content = Content::Text {
                message: text,
                recipients: vec![send.to],
            };
            (make(own, account, head, &send, send.body(line, content)).await?, text)
        }
    };
    let recipient = made(&sent, text, own.now_ms());
    let mut record = record(account, own.unit(), &recipient);
    if let Some(service) = send.service {
        record.messaging_service_sid = Some(service);
        if recipient.status == "QUEUED" {
            record.status = "accepted";
        }
    }
    Ok(Told::Made(json_text(&record)))
}

async fn make<P: Platform>(
    own: &Own<'_, P>,
    account: &str,
    head: &Head,
    send: &Send<'_>,
    body: SendBody<'_>,
) -> Result<Sent, Fault> {
    let callback = send.callback.map(|url| StatusCallback::twilio(url, account, own.key()));
    let sent = own.send(&body, head.idempotency_key.clone(), callback).await;
    sent.map_err(|cause| send.refused(cause))
}

/// The recipient of a send, as our own API would tell it if it was asked.
fn made<'a>(sent: &'a Sent, text: &'a str, now_ms: i64) -> Recipient<'a> {
    let recipient = sent.recipients.first();
    let told = |member: fn(&SentRecipient) -> &str| recipient.map(member).unwrap_or_default();
    Recipient {
        uid: told(|of| &of.uid),
        to: told(|of| &of.number),
        from: &sent.line,
        text,
        status: told(|of| &of.status),
        error: None,
        parts: sent.parts,
        cost: recipient.map_or(0, |of| of.cost),
        created_ms: Some(now_ms),
        updated_ms: Some(now_ms),
    }
}

/// A parameter is no JSON object of texts and numbers.
pub struct NoVariables;

/// The values of a pattern's variables, which a parameter has. A name of ours begins with no digit, so one that does gets `_` before it.
pub fn variables(params: &Params, name: &str) -> Result<Map<String, Value>, NoVariables> {
    let Some(text) = given(params, name) else {
        return Ok(Map::new());
    };
    let written: Map<String, Value> = serde_json::from_str(text).map_err(|_| NoVariables)?;
    let pairs = written.into_iter().map(|(name, value)| {
        let is_numbered = name.starts_with(|first: char| first.is_ascii_digit());
        let name = if is_numbered { format!("_{name}") } else { name };
        let value = match value {
            Value::String(text) => text,
            Value::Number(number) => number.to_string(),
            _ => return Err(NoVariables),
        };
        Ok((name, Value::from(value)))
    });
    pairs.collect()
}
