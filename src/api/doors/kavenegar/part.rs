//! A part of a call: one send of our own API, and the entries that tell of it.

use serde_json::json;

use super::entry::{Entry, receptor_of};
use super::errors::Fault;
use crate::api::doors::answer::Members;
use crate::api::doors::own::{Own, Refused};
use crate::api::doors::params::Params;
use crate::api::doors::send::{Content, SendBody, Sent, canonical, numbers_of};
use crate::base::ports::Platform;

/// The most recipients of a call.
pub const MAX_RECEPTORS: usize = 200;
/// What stands before a program's own id in the reference of its message.
const LOCAL: &str = "kavenegar:";
/// The most characters of such an id.
const MAX_LOCAL: usize = 50;

/// The reference of a message with this id of its program.
pub fn reference_of(local_id: &str) -> String {
    format!("{LOCAL}{local_id}")
}

/// The program's own id in the reference of a message.
pub fn local_id_of(reference: &str) -> &str {
    reference.strip_prefix(LOCAL).unwrap_or_default()
}

/// What all parts of a call are sent with.
pub struct Send<'a> {
    /// The line, if the call names one.
    pub sender: Option<&'a str>,
    /// When it is to be sent, s since the Unix epoch, if that is later than now.
    date_s: Option<i64>,
    now_s: i64,
}

impl<'a> Send<'a> {
    /// Reads what all parts have in common.
    pub fn read<P: Platform>(own: &Own<'_, P>, params: &'a Params) -> Result<Self, Fault> {
        let now_s = own.now_ms().div_euclid(1_000);
        let date = params.get("date").map(str::parse::<i64>).transpose();
        let date = date.map_err(|_| Fault::of(417).about("date"))?;
        Ok(Send {
            sender: params.get("sender"),
            date_s: date.filter(|date_s| *date_s > now_s),
            now_s,
        })
    }

    /// A part that leaves at once, from the default line.
    pub fn now<P: Platform>(own: &Own<'_, P>) -> Self {
        Send {
            sender: None,
            date_s: None,
            now_s: own.now_ms().div_euclid(1_000),
        }
    }

    /// The same, from another line.
    pub fn by_line<'b>(&self, sender: Option<&'b str>) -> Send<'b> {
        let Send { date_s, now_s, .. } = *self;
        Send { sender, date_s, now_s }
    }

    /// The body of a send.
    pub fn body<'b>(&'b self, content: Content<'b>) -> SendBody<'b> {
        SendBody {
            line: self.sender,
            at_ms: self.date_s.map(|date_s| date_s.saturating_mul(1_000)),
            reference: None,
            content,
        }
    }

    /// The time that entries tell.
    pub fn told_s(&self) -> i64 {
        self.date_s.unwrap_or(self.now_s)
    }
}

/// By what a text is known again.
#[derive(Debug, Clone, Copy)]
pub enum Known<'a> {
    /// By nothing: a repeat is sent.
    Not,
    /// By an idempotency key of this call. A repeat of the call is sent.
    InCall(&'a str),
    /// By the program's own id, which keeps it from being sent twice: what was sent under it before is answered, whatever the text is
    /// now.
    Always(&'a str),
}

/// Sends a text.
pub async fn plain<P: Platform>(
    own: &Own<'_, P>,
    send: &Send<'_>,
    receptors: &[&str],
    message: &str,
    known: Known<'_>,
) -> Result<Vec<Entry>, Fault> {
    let reference = match known {
        Known::Always(id) if id.chars().count() > MAX_LOCAL => return Err(Fault::of(422).about("localid")),
        Known::Always(id) => Some(reference_of(id)),
        _ => None,
    };
    let key = match known {
        Known::InCall(key) => Some(key.to_owned()),
        _ => reference.clone(),
    };
    let recipients = numbers_of(receptors);
    let body = SendBody {
        reference: reference.as_deref(),
        ..send.body(Content::Text { message, recipients })
    };
    match (own.send_to_open(&body, key).await, reference) {
        (Ok(sent), _) => Ok(in_order(&sent, receptors, message, send.told_s())),
        (Err(refused), Some(reference)) if is_repeat(&refused) => {
            let found = sent_before(own, &reference).await?;
            let first = found.first().ok_or(refused)?;
            Ok(told_again(&found, first, receptors, message))
        }
        (Err(refused), _) => Err(refused.into()),
    }
}

/// Whether another body was sent under the same idempotency key.
fn is_repeat(refused: &Refused) -> bool {
    refused.code == 422 && refused.pointers == ["/Idempotency-Key"]
}

/// The entries of what was sent before with this reference, of the recipients of its message. None: there is no such message. A search by
/// reference tells some of them.
async fn sent_before<P: Platform>(own: &Own<'_, P>, reference: &str) -> Result<Vec<Entry>, Fault> {
    let found = own.recipients(json!({"clientRefs": [reference]})).await?;
    let uid = found.first().and_then(|first| first.text("uid").split('.').next());
    let Some(uid) = uid else {
        return Ok(Vec::new());
    };
    let names: Vec<String> = (0..MAX_RECEPTORS).map(|index| format!("{uid}.{index}")).collect();
    let found = own.recipients(json!({"recipients": names})).await?;
    Ok(found.iter().map(Entry::found).collect())
}

/// The entries that a repeat tells, of which `first` is one: for each receptor what was sent to it, or that nothing was, and then what was
/// sent to others.
fn told_again(found: &[Entry], first: &Entry, receptors: &[&str], message: &str) -> Vec<Entry> {
    let written: Vec<String> = receptors
        .iter()
        .map(|receptor| receptor_of(&canonical(receptor)))
        .collect();
    let named = receptors.iter().zip(&written).map(|(receptor, written)| {
        let entry = found.iter().find(|entry| entry.receptor == *written).cloned();
        entry.unwrap_or_else(|| Entry::refused(receptor, message, &first.sender, first.date_s))
    });
    let others = found.iter().filter(|entry| !written.contains(&entry.receptor));
    named.chain(others.cloned()).collect()
}

/// The entries of a send, in the order in which the request names its recipients. One that it names twice is one recipient.
pub fn in_order(sent: &Sent, receptors: &[&str], message: &str, date_s: i64) -> Vec<Entry> {
    let texts: Vec<(&str, &str)> = receptors.iter().map(|receptor| (*receptor, message)).collect();
    entries_of(sent, &texts, date_s)
}

/// The entries of a send of these texts, each a receptor and a message.
pub fn entries_of(sent: &Sent, texts: &[(&str, &str)], date_s: i64) -> Vec<Entry> {
    let receptors: Vec<&str> = texts.iter().map(|(receptor, _)| *receptor).collect();
    let told = sent.in_order(&receptors).into_iter().zip(sent.left_out(&receptors));
    let entries = texts.iter().zip(told).map(|((receptor, message), told)| match told {
        (Some(recipient), _) => Entry::sent(recipient, &sent.line, message, date_s),
        (None, Some(uid)) => Entry::blocked(&uid, receptor, message, &sent.line, date_s),
        (None, None) => Entry::refused(receptor, message, &sent.line, date_s),
    });
    entries.collect()
}
