//! Messages that phones have sent to the account's lines.

use serde_json::Value;
use sms::msisdn::Msisdn;

use crate::account::inbound::list::{InboundFilter, InboundView, ListInbound};
use crate::account::inbound::take::TakeInbound;
use crate::api::http::forms::{Form, check_length, integer, parsed, phone_number, text, time, true_or_false};
use crate::api::http::json_schema::{self, Schema};
use crate::api::http::{Response, body::JsonBody, context::Context, query::Paged, respond::Success};
use crate::base::truncate::{self, Excerpt};
use crate::base::{ports::Platform, time};
use crate::problem::{Problem, field_error::FieldErrorKind};
use crate::{answer, body, query};

/// A page of at most this many messages has whole texts, so that each text can be read somewhere. Its texts take less than
/// 4 MiB, whatever their characters are.
const WHOLE_TEXTS: u32 = 20;
/// The longest value of a filter.
const MAX_FILTER: usize = 32;
/// The most messages that one request takes.
const MAX_TAKEN: i64 = 100;

body! {
    /// Which messages to take.
    pub struct InboundToTake => {"line": "10001", "limit": 100} {
        /// Only messages to this line. Left out: those to any.
        line: Option<String> = can "line" text(MAX_FILTER) => "10001";
        /// How many at most.
        limit: i64 = can "limit" integer(1, MAX_TAKEN), or MAX_TAKEN;
    }
}

answer! {
    /// A message that a phone has sent.
    pub struct InboundMessageData(message: &InboundView, text: Excerpt<'_>) as "InboundMessage" {
        /// Its id. The webhook event `message.received` has the same.
        "id": message.uid, any_text() => "019b796d-a000-7000-8000-000000000000";
        /// Its number in the account. A later message has a higher one.
        "number": message.id, count() => 7;
        /// The line that it was sent to.
        "line": message.line, line();
        /// The sender: a number in E.164, or a short number or a name.
        "from": message.sender, any_text() => "+989121234567";
        /// The text. At most 10,000 characters; what goes beyond is not kept.
        "text": text.text, any_text() => "لغو";
        may "textTruncated": (text.is_cut || message.is_cut).then_some(true), cut();
        "receivedAt": time::to_rfc3339(message.received_ms), time();
        /// Whether it has put its sender on the blacklist.
        "optOut": message.opt_out, flag();
        /// Whether `POST /inbound/take` has answered it before, or does now.
        "taken": message.taken, flag();
    }

    /// Messages that a request has taken.
    pub struct TakenInbound(messages: &[InboundView]) as "TakenInbound" {
        "messages": messages.iter().map(whole).collect::<Vec<_>>(), any_list(declared::<InboundMessageData>());
    }
}

fn whole(message: &InboundView) -> Value {
    InboundMessageData::of(message, Excerpt::of(&message.text, usize::MAX))
}

/// Reads a sender: a phone number, or a short number or a name, which stays as it is.
fn sender(text: &str) -> Result<String, FieldErrorKind> {
    match Msisdn::parse(text) {
        Ok(number) => Ok(number.to_e164()),
        Err(_) => check_length(text, MAX_FILTER).map(str::to_owned),
    }
}

fn sender_schema() -> Schema {
    json_schema::any_of([phone_number().schema(), text(MAX_FILTER).schema()])
        .about("A phone number in any form, or a short number or a name of up to 32 characters.")
}

query! {
    pub struct InboundWish {
        /// Only messages to this line, as answers show it.
        line: Option<String> = can "line" text(MAX_FILTER) => "3000505";
        /// Only messages of this sender.
        sender: Option<String> = can "from" parsed(sender, sender_schema) => "09121234567";
        /// Only messages of this time and later ones.
        since_ms: Option<i64> = can "since" time();
        /// Only messages before this time.
        until_ms: Option<i64> = can "until" time();
        /// Only messages that `POST /inbound/take` has answered, or only the others.
        taken: Option<bool> = can "taken" true_or_false();
    }
}

/// `GET /inbound`
pub async fn list<P: Platform>(context: &Context<'_, P>, query: Paged<'_, InboundWish>) -> Result<Response, Problem> {
    let (page, wish) = query.listed("inbound")?;
    let filter = InboundFilter {
        line: wish.line,
        sender: wish.sender,
        since_ms: wish.since_ms,
        until_ms: wish.until_ms,
        taken: wish.taken,
    };
    let whole_texts = page.is_at_most(WHOLE_TEXTS);
    let list = ListInbound {
        filter,
        page: page.to_read(),
        whole_texts,
    };
    let mut messages = context.call(&list).await?;
    let next = page.cut(&mut messages, |message| message.id);
    let max_bytes = if whole_texts {
        usize::MAX
    } else {
        truncate::MESSAGE_BYTES
    };
    let items = messages
        .iter()
        .map(|message| InboundMessageData::of(message, Excerpt::of(&message.text, max_bytes)));
    Success::page(items, next).response(context)
}

/// `POST /inbound/take`. Who takes messages takes them from the others, so that needs more than the right to read them.
pub async fn take<P: Platform>(context: &Context<'_, P>, body: &JsonBody) -> Result<Response, Problem> {
    let InboundToTake { line, limit } = context.read(body)?;
    let take = TakeInbound {
        line,
        limit: u32::try_from(limit).unwrap_or_default(),
        by: context.caller()?.lasting_key().to_owned(),
    };
    let messages = context.call(&take).await?;
    Success::ok(TakenInbound::of(&messages)).response(context)
}
