//! Messages and recipients in the form of the API. Uids and numbers are written straight into the response, because an
//! answer may have a thousand of them.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use serde::ser::Error;
use serde::{Serialize, Serializer};
use sms::mask::ERASED;

use crate::account::message::halt::Halted;
use crate::account::record::message::priority::Priority;
use crate::account::record::message::status::RecipientStatus;
use crate::account::record::message::{Cheapest, MessageKind, MessageView, RecipientView};
use crate::answer;
use crate::api::http::context::Context;
use crate::api::http::json_schema::{Schema, formed, integer, may, object, one_of, time};
use crate::auth::Mode;
use crate::base::own_json::own_json;
use crate::base::ports::Platform;
use crate::base::time;
use crate::base::truncate::{self, Excerpt};
use crate::durable::push_number;
use crate::problem::Problem;

/// The uid of a recipient: the uid of the message, and the recipient's index in it.
#[derive(Clone, Copy)]
pub struct RecipientUid<'a>(pub &'a str, pub u32);

impl Serialize for RecipientUid<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{}.{}", self.0, self.1))
    }
}

/// A phone number in E.164; `erased` for 0, which stands in the place of one that is erased.
#[derive(Clone, Copy)]
pub struct E164(pub u64);

impl Serialize for E164 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            0 => serializer.serialize_str(ERASED),
            digits => serializer.collect_str(&format_args!("+{digits}")),
        }
    }
}

/// The schema of the uid of a recipient.
pub fn recipient_uid() -> Schema {
    formed(64, r"^.+\.[0-9]+$")
        .about("The uid of the recipient: that of the message, and its index in the message.")
        .like("019b796d-a000-7000-8000-000000000000.0")
}

answer! {
    /// A recipient of a send.
    pub struct RecipientData<'a>(uid: RecipientUid<'a>, recipient: E164, status: &'a str, cost: i64) as "Recipient" {
        "uid": uid, recipient_uid();
        /// The number in E.164, or `erased`.
        "recipient": recipient, number_or_erased();
        "status": status, named("RecipientStatus");
        /// The recipient's price.
        "cost": cost, money() => 1_000;
    }

    /// A message that was accepted.
    pub struct SentData<'a>(
        uid: &'a str, status: &'a str, kind: &'a str, line: &'a str, encoding: &'a str, parts: u32, cost: i64,
        unit: &'a str, client_ref: Option<&'a str>, send_at_ms: Option<i64>, opens_ms: Option<i64>, cheapest: Option<&'a Cheapest>,
        skipped: Option<u32>, recipients: &'a SentRecipients<'a>,
    ) as "SentMessage" {
        /// The message's uid.
        "uid": uid, id();
        "status": status, named("MessageStatus");
        "type": kind, named("MessageType");
        /// The line that it is sent from.
        "sourceNumber": line, line();
        "encoding": encoding, encoding();
        "parts": parts, parts();
        /// The price of all recipients together. Sends of test keys cost nothing.
        "cost": cost, money() => 1_000;
        "unit": unit, unit();
        /// Your own reference.
        "clientRef": client_ref, any_text().or_null() => "order-7";
        /// When it is to be sent. `null`: at once.
        "sendAt": send_at_ms.map(time::to_rfc3339), time().or_null();
        may "waitsFor": opens_ms.map(|_| HOURS), waits_for();
        may "waitsUntil": opens_ms.map(time::to_rfc3339), waits_until();
        /// There if `encoding` is `CHEAPEST`, and all recipients get the same text: the text as it is sent. Secret values are `••••`.
        may "text": cheapest.and_then(|form| form.text.as_deref()), any_text() => "Your code is 1234.";
        /// There if `encoding` is `CHEAPEST`: what the text as it is would have cost more.
        may "saved": cheapest.map(|form| form.saved), money() => 1_400;
        /// There if `blacklisted` is `SKIP`: how many recipients were left out, because they are on the blacklist.
        may "skipped": skipped, count() => 3;
        /// All recipients that get the message, each number once.
        "recipients": recipients, any_list(declared::<RecipientData>());
    }

    /// A recipient. `message`, `encoding` and `parts` are there if it has a text of its own.
    pub struct RecipientState<'a>(uid: &'a str, view: &'a RecipientView, sandboxes: &'a Sandboxes) as "RecipientState"
        with RecipientData(RecipientUid(uid, view.index), E164(view.msisdn), view.status.as_str(), view.cost)
    {
        /// When its status has changed.
        "updatedAt": time::to_rfc3339(view.changed_ms), time();
        may "error": view.error, named("DeliveryError");
        /// The recipient's own text, if it has one.
        may "message": view.text.as_ref().map(|own| &own.text), any_text() => "Your code is 1234.";
        may "textTruncated": view.text.as_ref().filter(|own| own.is_cut).map(|_| true), cut();
        may "encoding": view.text.as_ref().map(|own| &own.encoding), encoding();
        may "parts": view.text.as_ref().map(|own| own.parts), parts();
        may "simulated": sandboxes.have(view).then_some(true), simulated();
    }

    /// A recipient with its carrier.
    pub struct OperatorsRecipient<'a>(uid: &'a str, view: &'a RecipientView) as "OperatorsRecipient"
        with RecipientData(RecipientUid(uid, view.index), E164(view.msisdn), view.status.as_str(), view.cost)
    {
        "updatedAt": time::to_rfc3339(view.changed_ms), time();
        /// The carrier that has it.
        "carrier": view.carrier, any_text().or_null() => "sandbox";
        "error": view.error, named("DeliveryError").or_null() => null;
        /// The carrier's own code of the error.
        "errorCode": view.error_code, any_text().or_null() => null;
    }

    /// A message.
    pub struct MessageData<'a>(message: &'a MessageView, text: Excerpt<'a>, now_ms: i64) as "Message" {
        /// The message's uid.
        "uid": message.uid, id();
        "status": message.status.as_str(), named("MessageStatus");
        "type": message.kind.as_str(), named("MessageType");
        /// Whether a test key has sent it.
        "test": message.test, flag();
        /// The line that it is sent from.
        "sourceNumber": message.line, line();
        /// The text. `null` for a bulk send.
        "message": (message.kind.known() != Some(MessageKind::Bulk)).then_some(text.text),
            any_text().or_null() => "Your code is 1234.";
        may "textTruncated": text.is_cut.then_some(true), cut();
        "encoding": message.encoding, encoding();
        "parts": message.parts, parts();
        /// How many recipients it has, without those that were left out.
        "recipientCount": message.total, count();
        /// There if `blacklisted` was `SKIP`, and in a wave of a campaign: how many were left out.
        may "skipped": message.skipped, count() => 3;
        /// How many recipients have it.
        "delivered": message.delivered, count() => 1;
        /// How many are UNDELIVERED, EXPIRED or REJECTED.
        "failed": message.failed, count() => 0;
        /// There if it is a wave of a campaign: the id of that.
        may "campaign": message.campaign, id();
        /// `true`: it is paused, and nothing of it leaves.
        may "paused": message.paused.then_some(true), flag() => true;
        /// There if it is paused: what has not left by then is canceled.
        may "pausedUntil": paused_until_ms(message).map(time::to_rfc3339), time();
        /// The price of all recipients together.
        "cost": message.cost, money() => 1_000;
        "unit": message.unit, unit();
        /// Your own reference.
        "clientRef": message.client_ref, any_text().or_null() => "order-7";
        /// When it is to be sent. `null`: at once.
        "sendAt": message.send_at_ms.map(time::to_rfc3339), time().or_null();
        may "waitsFor": opens_ms(message, now_ms).map(|_| HOURS), waits_for();
        may "waitsUntil": opens_ms(message, now_ms).map(time::to_rfc3339), waits_until();
        "createdAt": time::to_rfc3339(message.created_ms), time();
        may "simulated": message.simulated.then_some(true), simulated();
    }

    /// A message of which what had not left is canceled.
    pub struct CanceledMessage<'a>(halted: &'a Halted, sandboxes: &'a Sandboxes, now_ms: i64) as "CanceledMessage"
        with MessageDetail(&halted.message, sandboxes, now_ms)
    {
        /// How many recipients were canceled now.
        "canceled": halted.canceled, count() => 940;
        /// How many others carriers had when the request came. Those that they have not sent become CANCELED within half a minute.
        "withCarriers": halted.with_carriers.recipients, count() => 60;
        /// How many had left.
        "left": left(&halted.message), count() => 9_000;
    }

    /// A message with its counts and its first recipients.
    pub struct MessageDetail<'a>(message: &'a MessageView, sandboxes: &'a Sandboxes, now_ms: i64) as "MessageDetail"
        with MessageData(message, Excerpt::of(&message.text, usize::MAX), now_ms)
    {
        /// What of the cost has come back: for recipients that were refused or canceled, and for those that the plan refunds.
        "returned": message.money.returned(), money() => 0;
        /// What of the cost is reserved, for recipients that have no ending yet.
        "reserved": message.money.reserved, money() => 0;
        /// What of the cost is spent, for recipients that a carrier took.
        "spent": message.money.spent, money() => 1_000;
        /// What of `returned` was never spent.
        "released": message.money.released, money() => 0;
        /// What of `returned` was spent before.
        "refunded": message.money.refunded, money() => 0;
        /// How many recipients have which status. A status that none has is left out.
        "counts": counts(message), counts_schema() => {"DELIVERED": 1};
        /// The first 100 recipients.
        "recipients": message.recipients.iter().map(|view| RecipientState::of(&message.uid, view, sandboxes)).collect::<Vec<_>>(),
            list(declared::<RecipientState>(), 0, 100);
    }
}

/// The carriers that deliver nothing, as far as what they take is to be told apart: what test keys send says `test`.
pub struct Sandboxes(Rc<Vec<String>>);

impl Sandboxes {
    /// Those that the caller is told of.
    pub async fn of<P: Platform>(context: &Context<'_, P>) -> Result<Self, Problem> {
        Ok(match context.caller()?.mode() {
            Mode::Live => Sandboxes::all(context).await,
            Mode::Test => Sandboxes(Rc::default()),
        })
    }

    /// All of them.
    pub async fn all<P: Platform>(context: &Context<'_, P>) -> Self {
        let known = &context.app.sandboxes;
        Sandboxes(known.all(context.platform.db(), context.request.now_ms).await)
    }

    /// Their names, for the account's object.
    pub fn names(&self) -> Vec<String> {
        self.0.to_vec()
    }

    /// Whether one of these carriers only simulates.
    pub fn any(&self, carriers: &BTreeSet<String>) -> bool {
        self.0.iter().any(|sandbox| carriers.contains(sandbox))
    }

    /// Whether a carrier that only simulates has the recipient, or may have it.
    pub fn have(&self, view: &RecipientView) -> bool {
        view.carrier.as_ref().is_some_and(|carrier| self.0.contains(carrier))
    }
}

impl<'a> MessageData<'a> {
    /// A message in a list, with the beginning of its text.
    pub fn listed(message: &'a MessageView, now_ms: i64) -> Self {
        MessageData::of(message, Excerpt::of(&message.text, truncate::MESSAGE_BYTES), now_ms)
    }
}

fn counts(message: &MessageView) -> BTreeMap<&str, u32> {
    let counts = message.counts.iter();
    counts.map(|(status, count)| (status.as_str(), *count)).collect()
}

/// What a message waits for that says `waitsFor`: the hours of its line.
pub const HOURS: &str = "HOURS";

/// The schema of what a message waits for.
pub fn waits_for() -> Schema {
    one_of(&[HOURS]).about("There if it goes to many and waits for the hours of its line.")
}

/// The schema of the time until which a message waits.
pub fn waits_until() -> Schema {
    time().about("There with `waitsFor`: when the hours begin.")
}

/// When the hours begin for which what has not left of a message waits; `None` if it waits for none.
fn opens_ms(message: &MessageView, now_ms: i64) -> Option<i64> {
    message.opens_ms.filter(|opens_ms| *opens_ms > now_ms)
}

/// Until when what is paused of a message waits, ms since the Unix epoch; `None` if it is not paused.
fn paused_until_ms(message: &MessageView) -> Option<i64> {
    let kind = message.kind.known().filter(|_| message.paused)?;
    let ready_ms = message.opens_ms.or(message.send_at_ms).unwrap_or(message.created_ms);
    Some(ready_ms.saturating_add(Priority::of(kind).patience_ms()))
}

/// How many recipients have left, or may have.
fn left(message: &MessageView) -> u32 {
    let has_left = |status: RecipientStatus| status == RecipientStatus::Unknown || status.is_taken();
    let counts = message.counts.iter();
    counts
        .filter(|(status, _)| status.known().is_some_and(has_left))
        .map(|(_, count)| count)
        .sum()
}

fn counts_schema() -> Schema {
    let counts = RecipientStatus::ALL.map(|status| may(status.as_str(), integer(1, u32::MAX.into())));
    object(counts)
}

/// The recipients in the answer of a send.
pub struct SentRecipients<'a>(pub Vec<RecipientData<'a>>);

impl<'a> SentRecipients<'a> {
    /// Those of a message that was accepted before.
    pub fn of(message: &'a MessageView) -> Self {
        let recipient = |view: &'a RecipientView| {
            let uid = RecipientUid(&message.uid, view.index);
            RecipientData::of(uid, E164(view.msisdn), view.status.as_str(), view.cost)
        };
        SentRecipients(message.recipients.iter().map(recipient).collect())
    }
}

impl SentRecipients<'_> {
    /// Writes what the derived serializer would write, with fewer steps for each member: with a thousand recipients, that one
    /// took a quarter of the time of the whole request.
    fn to_json(&self) -> serde_json::Result<String> {
        let mut json = String::with_capacity(2 + SENT_BYTES * self.0.len());
        let mut before_index = Around::new(r#"{"uid":""#, ".");
        let mut before_cost = Around::new(r#"","status":""#, r#"","cost":"#);
        json.push('[');
        for (place, recipient) in self.0.iter().enumerate() {
            if place > 0 {
                json.push(',');
            }
            json.push_str(before_index.text(recipient.uid.0)?);
            push_number(&mut json, recipient.uid.1);
            json.push_str(r#"","recipient":""#);
            match recipient.recipient.0 {
                0 => json.push_str(ERASED),
                digits => {
                    json.push('+');
                    push_number(&mut json, digits);
                }
            }
            json.push_str(before_cost.text(recipient.status)?);
            push_number(&mut json, recipient.cost);
            json.push('}');
        }
        json.push(']');
        Ok(json)
    }
}

/// About the length of a recipient in the answer of a send.
const SENT_BYTES: usize = 110;

/// A text within a JSON string, with what stands around it. It is kept, because the next recipient mostly has the same.
struct Around<'a> {
    before: &'static str,
    behind: &'static str,
    text: Option<&'a str>,
    json: String,
}

impl<'a> Around<'a> {
    fn new(before: &'static str, behind: &'static str) -> Self {
        Around {
            before,
            behind,
            text: None,
            json: String::new(),
        }
    }

    fn text(&mut self, text: &'a str) -> serde_json::Result<&str> {
        // All recipients of a message have theirs from one place, and to compare places takes no time.
        if !self.text.is_some_and(|known| std::ptr::eq(known, text)) {
            let quoted = serde_json::to_string(text)?;
            let inner = quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or_default();
            self.json = [self.before, inner, self.behind].concat();
            self.text = Some(text);
        }
        Ok(&self.json)
    }
}

impl Serialize for SentRecipients<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let json = self.to_json().and_then(own_json).map_err(S::Error::custom)?;
        json.serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_recipients_of_a_send_are_written_as_they_would_be_one_by_one() {
        let one = |uid, index, msisdn, status, cost| RecipientData {
            uid: RecipientUid(uid, index),
            recipient: E164(msisdn),
            status,
            cost,
        };
        let all = vec![
            one(
                "019b796d-a000-7000-8000-000000000000",
                0,
                989_121_234_567,
                "QUEUED",
                1_000,
            ),
            one(
                "019b796d-a000-7000-8000-000000000000",
                u32::MAX,
                u64::MAX,
                "QUEUED",
                i64::MAX,
            ),
            one("\"strange\\\n", 1, 0, "of a \"newer\" version\u{1}", i64::MIN),
            one("", 2, 1, "", 0),
            one("019b796d-a000-7000-8000-000000000000", 3, 1, "QUEUED", 0),
            // As long as those before, and others.
            one("019b796d-a000-7000-8000-000000000001", 4, 1, "queued", 0),
        ];
        let plainly = serde_json::to_string(&all).unwrap();
        assert_eq!(serde_json::to_string(&SentRecipients(all)).unwrap(), plainly);
        assert_eq!(serde_json::to_string(&SentRecipients(Vec::new())).unwrap(), "[]");
    }
}
