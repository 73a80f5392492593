//! `POST …/Messages`: sends a text or a pattern to one number.

use serde_json::{Map, Value, json};

use super::Told;
use super::errors::Fault;
use super::message::record;
use crate::api::doors::answer::Members;
use crate::api::doors::own::{Ask, Own, Refused};
use crate::api::doors::params::Params;
use crate::api::http::{Head, callback::StatusCallback};
use crate::base::{ports::Platform, time};

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
        let to = given(params, "to").ok_or(Fault::of(21_604))?;
        let [from, service] = ["from", "messagingservicesid"].map(|name| given(params, name));
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

    /// The members that every send has.
    fn body(&self) -> Result<Map<String, Value>, Fault> {
        let mut body = Map::new();
        if let Some(from) = self.from {
            body.insert("sourceNumber".to_owned(), line_of(from)?.into());
        }
        if let Some(at_ms) = self.send_at_ms {
            body.insert("sendAt".to_owned(), time::to_rfc3339(at_ms).into());
        }
        Ok(body)
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
fn given<'a>(params: &'a Params, name: &str) -> Option<&'a str> {
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
    let text = params.written("body").unwrap_or_default();
    let mut body = send.body()?;
    let path = match given(params, "contentsid") {
        Some(pattern) => {
            body.insert("pattern".to_owned(), pattern.into());
            body.insert("variables".to_owned(), variables(params)?.into());
            body.insert("recipient".to_owned(), send.to.into());
            "/sms/pattern"
        }
        None if text.trim().is_empty() => return Err(Fault::of(21_602)),
        None => {
            body.insert("message".to_owned(), text.into());
            body.insert("recipients".to_owned(), json!([send.to]));
            "/sms/send"
        }
    };
    let ask = Ask {
        path,
        body: Some(body.into()),
        key: head.idempotency_key.clone(),
        callback: send.callback.map(|url| StatusCallback::twilio(url, account, own.key())),
        ..Ask::default()
    };
    let sent = own.ask(ask).await.map_err(|cause| send.refused(cause))?;
    let made = made(&sent, if path == "/sms/send" { text } else { "" }, own.now_ms());
    let mut record = record(account, own.unit(), &made);
    if let (Some(service), Some(members)) = (send.service, record.as_object_mut()) {
        members.insert("messaging_service_sid".to_owned(), service.into());
        if made.text("status") == "QUEUED" {
            members.insert("status".to_owned(), "accepted".into());
        }
    }
    Ok(Told::Made(record))
}

/// The recipient of a send, as our own API would tell it if it was asked.
fn made(sent: &Value, text: &str, now_ms: i64) -> Value {
    let recipient = sent.list("recipients").first().unwrap_or(&Value::Null);
    let now = time::to_rfc3339(now_ms);
    json!({
        "uid": recipient.text("uid"),
        "recipient": recipient.text("recipient"),
        "status": recipient.text("status"),
        "cost": recipient.number("cost"),
        "sourceNumber": sent.text("sourceNumber"),
        "parts": sent.number("parts"),
        "text": text,
        "createdAt": now,
        "updatedAt": now,
    })
}

/// The values of a pattern's variables. A name of ours begins with no digit, so one that does gets `_` before it.
fn variables(params: &Params) -> Result<Map<String, Value>, Fault> {
    let bad = || Fault::of(21_656).about("The ContentVariables Parameter is invalid");
    let Some(text) = given(params, "contentvariables") else {
        return Ok(Map::new());
    };
    let written: Map<String, Value> = serde_json::from_str(text).map_err(|_| bad())?;
    let pairs = written.into_iter().map(|(name, value)| {
        let is_numbered = name.starts_with(|first: char| first.is_ascii_digit());
        let name = if is_numbered { format!("_{name}") } else { name };
        let value = match value {
            Value::String(text) => text,
            Value::Number(number) => number.to_string(),
            _ => return Err(bad()),
        };
        Ok((name, Value::from(value)))
    });
    pairs.collect()
}
