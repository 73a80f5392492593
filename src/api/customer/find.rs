//! Many recipients at once, of any messages: a program that has sent a lot asks what became of it.

use std::collections::BTreeMap;

use crate::account::message::find::{FindRecipients, MAX_NAMED};
use crate::account::record::message::{MessageView, RecipientView};
use crate::api::http::forms::{Look, formed, list_of, refused, text};
use crate::api::http::json_fields::{Body, Fields};
use crate::api::http::{Response, body::JsonBody, context::Context, respond::Success};
use crate::api::shared::view::{E164, RecipientData, RecipientUid, Sandboxes};
use crate::base::{id, ports::Platform, time};
use crate::problem::Problem;
use crate::problem::field_error::FieldErrorKind;
use crate::{answer, body, either};

/// An own reference has so many characters.
const REFERENCE_CHARS: usize = 64;

static NAME: Look = Look {
    min: 3,
    max: 64,
    pattern: r"^[0-9A-Fa-f-]+\.[0-9]{1,5}$",
    fault: FieldErrorKind::BadForm(
        "the uid of a message, a point and an index",
        "شناسه‌ی پیامک، نقطه و شماره‌ی ردیف گیرنده",
    ),
    is_met: |name| Name::of(name).is_some(),
};

body! {
    /// Recipients to find, by their uids.
    pub struct RecipientsByUid => {"recipients": ["019b796d-a000-7000-8000-000000000007.0"]} {
        /// Uids of recipients. In place of a message's uid, its last twelve digits may stand, as a decimal number: the message's number
        /// in its account.
        recipients: Vec<String> = must "recipients" list_of(formed(&NAME), 1, MAX_NAMED) => ["019b796d-a000-7000-8000-000000000007.0"];
        client_refs: Option<()> = can "clientRefs" refused(FieldErrorKind::NotBeside("recipients"));
    }

    /// Recipients to find, by references.
    pub struct RecipientsByReference => {"clientRefs": ["order-7"]} {
        /// References that messages were sent with (`clientRef`).
        client_refs: Vec<String> = must "clientRefs" list_of(text(REFERENCE_CHARS), 1, MAX_NAMED) => ["order-7"];
    }
}

either! {
    /// Recipients to find.
    pub struct RecipientsToFind as "RecipientsToFind" = exactly_one RecipientsByUid, RecipientsByReference;
}

answer! {
    /// Recipients of any messages.
    pub struct FoundRecipients<'a>(found: &'a [Found<'a>], sandboxes: &'a Sandboxes) as "FoundRecipients" {
        "recipients": found.iter().map(|found| FoundRecipient::of(found, sandboxes)).collect::<Vec<_>>(),
            any_list(declared::<FoundRecipient>());
    }

    /// A recipient, with what its message is.
    pub struct FoundRecipient<'a>(found: &'a Found<'a>, sandboxes: &'a Sandboxes) as "FoundRecipient"
        with RecipientData(uid_of(found), E164(found.recipient.msisdn), found.recipient.status.as_str(), found.recipient.cost) {
        /// As the body names it.
        "asked": found.asked, any_text() => "019b796d-a000-7000-8000-000000000007.0";
        "updatedAt": time::to_rfc3339(found.recipient.changed_ms), time();
        may "error": found.recipient.error, named("DeliveryError");
        may "simulated": sandboxes.have(found.recipient).then_some(true), simulated();
        /// The line that it is sent from.
        "sourceNumber": found.message.line, line();
        /// What the recipient gets. Secret values are `••••` in time.
        "text": text_of(found), any_text() => "Your code is 1234.";
        "parts": parts_of(found), parts();
        /// How many recipients the message has.
        "recipientCount": found.message.total, count() => 1;
        /// The client's own reference.
        "clientRef": found.message.client_ref, any_text().or_null() => "order-7";
        "createdAt": time::to_rfc3339(found.message.created_ms), time();
        "sendAt": found.message.send_at_ms.map(time::to_rfc3339), time().or_null();
    }
}

/// What a body names: the message's uid or its number, and the recipient's index.
struct Name<'a> {
    uid: Option<&'a str>,
    number: i64,
    index: u32,
}

impl<'a> Name<'a> {
    fn of(name: &'a str) -> Option<Self> {
        let (message, index) = name.split_once('.')?;
        let index = index.parse().ok()?;
        if message.contains('-') {
            let number = id::number_of(message)?;
            let uid = Some(message);
            return Some(Name { uid, number, index });
        }
        let number = message.parse().ok().filter(|number| *number >= 0)?;
        let uid = None;
        Some(Name { uid, number, index })
    }

    fn is_of(&self, message: &MessageView) -> bool {
        self.uid.is_none_or(|uid| uid.eq_ignore_ascii_case(&message.uid))
    }
}

/// A recipient that was found.
pub struct Found<'a> {
    asked: &'a str,
    message: &'a MessageView,
    recipient: &'a RecipientView,
}

fn uid_of<'a>(found: &Found<'a>) -> RecipientUid<'a> {
    RecipientUid(&found.message.uid, found.recipient.index)
}

fn text_of<'a>(found: &Found<'a>) -> &'a str {
    let own = found.recipient.text.as_ref();
    own.map_or(&found.message.text, |own| &own.text)
}

fn parts_of(found: &Found<'_>) -> u32 {
    let own = found.recipient.text.as_ref();
    own.map_or(found.message.parts, |own| own.parts)
}

/// The names and the references of a body. It has the ones or the others.
fn read(fields: &mut Fields<'_>) -> (Vec<String>, Vec<String>) {
    if !fields.has("clientRefs") || fields.has("recipients") {
        return (RecipientsByUid::read(fields).recipients, Vec::new());
    }
    (Vec::new(), RecipientsByReference::read(fields).client_refs)
}

/// `POST /messages/recipients`
pub async fn recipients<P: Platform>(context: &Context<'_, P>, body: &JsonBody) -> Result<Response, Problem> {
    let mut fields = context.fields(body);
    let (names, client_refs) = read(&mut fields);
    fields.finish()?;
    let names: Vec<(&str, Name<'_>)> = names
        .iter()
        .filter_map(|name| Some((name.as_str(), Name::of(name)?)))
        .collect();
    let find = FindRecipients {
        named: names.iter().map(|(_, name)| (name.number, name.index)).collect(),
        client_refs,
        mode: context.caller()?.mode(),
    };
    let messages = context.call(&find).await?;
    let found = match names.as_slice() {
        [] => by_reference(&find.client_refs, &messages),
        names => by_name(names, &messages),
    };
    Success::ok(FoundRecipients::of(&found, &Sandboxes::of(context).await?)).response(context)
}

fn by_name<'a>(names: &[(&'a str, Name<'_>)], messages: &'a [MessageView]) -> Vec<Found<'a>> {
    let by_number: BTreeMap<i64, &MessageView> = messages.iter().map(|message| (message.id, message)).collect();
    let find = |(asked, name): &(&'a str, Name<'_>)| {
        let message = *by_number.get(&name.number).filter(|message| name.is_of(message))?;
        let at = message
            .recipients
            .binary_search_by_key(&name.index, |recipient| recipient.index);
        let recipient = message.recipients.get(at.ok()?)?;
        Some(Found {
            asked,
            message,
            recipient,
        })
    };
    names.iter().filter_map(find).collect()
}

fn by_reference<'a>(client_refs: &'a [String], messages: &'a [MessageView]) -> Vec<Found<'a>> {
    let mut by_ref: BTreeMap<&str, &MessageView> = BTreeMap::new();
    for message in messages {
        by_ref.extend(message.client_ref.as_deref().map(|reference| (reference, message)));
    }
    let mut found = Vec::new();
    for asked in client_refs {
        if let Some(message) = by_ref.get(asked.as_str()).copied() {
            let recipients = message.recipients.iter();
            found.extend(recipients.map(|recipient| Found {
                asked,
                message,
                recipient,
            }));
        }
    }
    found
}
