//! The sends of the protocol.

use std::collections::BTreeSet;

use serde_json::{Map, json};

use super::entry::{Entry, receptor_of};
use super::errors::{Fault, missing, must};
use crate::api::doors::answer::Members;
use crate::api::doors::own::{Own, Refused};
use crate::api::doors::params::Params;
use crate::api::doors::send::{Content, SendBody, Sent, canonical, numbers_of};
use crate::base::ports::Platform;

/// The error of a receptor.
const BAD_RECEPTOR: u16 = 411;
/// The code of our own API for a number on the blacklist.
const BLACKLISTED: u64 = 3016;
/// The most recipients of a call.
pub const MAX_RECEPTORS: usize = 200;
/// What stands before a program's own id in the reference of its message.
const LOCAL: &str = "kavenegar:";
/// The most characters of such an id.
const MAX_LOCAL: usize = 50;
/// The names under which programs give their own ids for several texts.
const LOCAL_IDS: [&str; 3] = ["localmessageids", "localmessageid", "localid"];

/// The values for the placeholders of a pattern, each with the blanks that it may have.
const TOKENS: [(&str, usize); 5] = [
    ("token", 0),
    ("token2", 0),
    ("token3", 0),
    ("token10", 5),
    ("token20", 8),
];
const MAX_TOKEN: usize = 100;

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

fn receptors_of(params: &Params) -> Result<Vec<&str>, Fault> {
    let receptors = params.items("receptor");
    match receptors.len() {
        0 => Err(missing(params, "receptor")),
        1..=MAX_RECEPTORS => Ok(receptors),
        _ => Err(Fault::of(414).about("receptor")),
    }
}

/// `sms/send`
pub async fn send<P: Platform>(own: &Own<'_, P>, params: &Params) -> Result<Vec<Entry>, Fault> {
    let receptors = receptors_of(params)?;
    let message = must(params, "message")?;
    let send = Send::read(own, params)?;
    let local_ids = params.items("localid");
    match local_ids.as_slice() {
        [] => plain(own, &send, &receptors, message, None).await,
        [one] => plain(own, &send, &receptors, message, Some(one)).await,
        many if many.len() == receptors.len() => {
            must_differ(many.iter().copied(), "localid")?;
            let texts = receptors.iter().zip(many).map(|(receptor, local_id)| Single {
                send: send.by_line(send.sender),
                receptor,
                message,
                local_id,
            });
            one_by_one(own, &texts.collect::<Vec<_>>()).await
        }
        _ => Err(Fault::of(419).about("localid")),
    }
}

/// Sends a text. The program's own id keeps it from being sent twice: what was sent under it before is answered, whatever the text is
/// now.
async fn plain<P: Platform>(
    own: &Own<'_, P>,
    send: &Send<'_>,
    receptors: &[&str],
    message: &str,
    local_id: Option<&str>,
) -> Result<Vec<Entry>, Fault> {
    if local_id.is_some_and(|local_id| local_id.chars().count() > MAX_LOCAL) {
        return Err(Fault::of(422).about("localid"));
    }
    let reference = local_id.map(reference_of);
    let recipients = numbers_of(receptors);
    let body = SendBody {
        reference: reference.as_deref(),
        ..send.body(Content::Text { message, recipients })
    };
    match (own.send(&body, reference.clone(), None).await, reference) {
        (Ok(sent), _) => Ok(in_order(&sent, receptors, message, send.told_s())),
        (Err(refused), Some(reference)) if is_repeat(&refused) => {
            sent_before(own, &reference, receptors, refused).await
        }
        (Err(refused), _) => Err(refused.into()),
    }
}

/// Whether another body was sent under the same idempotency key.
fn is_repeat(refused: &Refused) -> bool {
    refused.code == 422 && refused.pointers == ["/Idempotency-Key"]
}

/// The entries of what was sent before with this reference, in the order of these receptors. A search by reference tells some of the
/// recipients of a message.
async fn sent_before<P: Platform>(
    own: &Own<'_, P>,
    reference: &str,
    receptors: &[&str],
    refused: Refused,
) -> Result<Vec<Entry>, Fault> {
    let found = own.recipients(json!({"clientRefs": [reference]})).await?;
    let Some(uid) = found
        .first()
        .and_then(|recipient| recipient.text("uid").split('.').next())
    else {
        return Err(refused.into());
    };
    let names: Vec<String> = (0..MAX_RECEPTORS).map(|index| format!("{uid}.{index}")).collect();
    let found = own.recipients(json!({"recipients": names})).await?;
    let place = |entry: &Entry| {
        receptors
            .iter()
            .position(|receptor| receptor_of(&canonical(receptor)) == entry.receptor)
    };
    let mut entries: Vec<Entry> = found.iter().map(Entry::found).collect();
    entries.sort_by_key(|entry| place(entry).unwrap_or(usize::MAX));
    Ok(entries)
}

/// The entries of a send, in the order in which the request names its recipients. One that it names twice is one recipient.
fn in_order(sent: &Sent, receptors: &[&str], message: &str, date_s: i64) -> Vec<Entry> {
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

/// A text of a call that sends several one after another, each under the program's own id for it.
pub struct Single<'a> {
    pub send: Send<'a>,
    pub receptor: &'a str,
    pub message: &'a str,
    /// An empty id is none.
    pub local_id: &'a str,
}

/// Sends texts one after another. If one is refused after others were sent, the call tells so of that one: to refuse the call would say
/// that nothing was sent. What is wrong with one number stops no other.
pub async fn one_by_one<'a, P: Platform>(own: &Own<'_, P>, texts: &[Single<'a>]) -> Result<Vec<Entry>, Fault> {
    let (mut entries, mut first) = (Vec::new(), None);
    for text in texts {
        let local_id = Some(text.local_id).filter(|id| !id.is_empty());
        match plain(own, &text.send, &[text.receptor], text.message, local_id).await {
            Ok(sent) => entries.extend(sent),
            Err(fault) if is_over(&entries, &fault) => return Err(fault),
            Err(fault) => {
                entries.push(unsent(&text.send, text.receptor, text.message, &fault));
                first.get_or_insert(fault);
            }
        }
    }
    told(entries, first)
}

/// Whether a fault ends a call: nothing was sent, and it is about more than one number.
pub fn is_over(entries: &[Entry], fault: &Fault) -> bool {
    fault.status != BAD_RECEPTOR && !entries.iter().any(Entry::is_sent)
}

/// The entries of a call, or its first fault if nothing was sent.
pub fn told(entries: Vec<Entry>, first: Option<Fault>) -> Result<Vec<Entry>, Fault> {
    match first {
        Some(fault) if !entries.iter().any(Entry::is_sent) => Err(fault),
        _ => Ok(entries),
    }
}

/// The entry of a text that was refused.
pub fn unsent(send: &Send<'_>, receptor: &str, message: &str, fault: &Fault) -> Entry {
    let is_blocked = fault.cause.as_ref().is_some_and(|cause| cause.code == BLACKLISTED);
    let (line, date_s) = (send.sender.unwrap_or_default(), send.told_s());
    match is_blocked {
        true => Entry::blocked("", receptor, message, line, date_s),
        false => Entry::refused(receptor, message, line, date_s),
    }
}

/// Fails if an id stands for two texts: the second would not be sent, and be told as the first.
pub fn must_differ<'a>(ids: impl Iterator<Item = &'a str>, name: &'static str) -> Result<(), Fault> {
    let mut seen = BTreeSet::new();
    let mut given = ids.filter(|id| !id.is_empty());
    match given.all(|id| seen.insert(id)) {
        true => Ok(()),
        false => Err(Fault::of(422).about(name)),
    }
}

/// The program's own ids: a JSON list, or a list with commas.
pub fn local_ids(params: &Params) -> Vec<String> {
    let given = LOCAL_IDS.map(|name| match params.json_items(name).as_slice() {
        [one] => one.split(',').map(|id| id.trim().to_owned()).collect(),
        many => many.to_vec(),
    });
    given.into_iter().find(|ids| !ids.is_empty()).unwrap_or_default()
}

/// `verify/lookup`: a pattern of the template's name.
pub async fn lookup<P: Platform>(own: &Own<'_, P>, params: &Params) -> Result<Vec<Entry>, Fault> {
    let [recipient, pattern] = [must(params, "receptor")?, must(params, "template")?];
    must(params, "token")?;
    if params.get("type") == Some("call") {
        return Err(Fault::of(428).about("type"));
    }
    let mut variables = Map::new();
    for (name, blanks) in TOKENS {
        if let Some(token) = params.get(name) {
            if !is_good_token(token, blanks) {
                return Err(Fault::of(431).about(name));
            }
            variables.insert(name.to_owned(), token.into());
        }
    }
    let content = Content::Pattern {
        pattern,
        recipient,
        variables: &variables,
    };
    let now_s = own.now_ms().div_euclid(1_000);
    let send = Send {
        sender: None,
        date_s: None,
        now_s,
    };
    let sent = own.send(&send.body(content), None, None).await?;
    Ok(in_order(&sent, &[recipient], "", now_s))
}

fn is_good_token(token: &str, blanks: usize) -> bool {
    let is_free = !token.contains(['\n', '\r']) && (blanks > 0 || !token.contains('_'));
    is_free && token.chars().count() <= MAX_TOKEN && token.matches(char::is_whitespace).count() <= blanks
}
