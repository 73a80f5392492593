//! Where the messages go that phones send to a line.

use std::collections::BTreeSet;

use serde_json::Value;
use sms::words::Words;

use crate::api::http::forms::{Form, by, check_length, each, list_of, text};
use crate::api::http::json_fields::{self, Body, Fields, Place};
use crate::api::http::{Response, body::JsonBody, context::Context, json_schema, query::Paged, respond::Success};
use crate::api::shared::forms::{MAX_TEXT, measured};
use crate::base::{ports::Platform, time};
use crate::directory::inbound_routes::{self, Routes};
use crate::directory::unclaimed::{self, Unclaimed};
use crate::problem::Problem;
use crate::problem::field_error::{FieldError, FieldErrorKind, Step};
use crate::{answer, body};

/// A line has at most this many keywords.
const MAX_KEYWORDS: usize = 1_000;
/// A keyword has at most this many characters, and so has the id of an account.
const MAX_CHARS: usize = 36;

const KEYWORD_FORM: FieldErrorKind =
    FieldErrorKind::BadForm("one word of letters and digits", "یک کلمه از حروف و ارقام");

answer! {
    /// Which accounts get what phones send to the line.
    pub struct LineInboundData(routes: &Routes) as "LineInbound" {
        /// Who gets all other messages.
        "account": routes.fallback, id().or_null();
        "keywords": routes.keywords.iter().map(KeywordData::of).collect::<Vec<_>>(), any_list(KeywordData::schema());
        /// What confirms an opt-out.
        "optOutReply": routes.opt_out_reply, any_text().or_null() => null;
        /// What confirms that it is taken back.
        "optInReply": routes.opt_in_reply, any_text().or_null() => null;
    }

    pub struct KeywordData(keyword: &(String, String)) {
        "keyword": keyword.0, any_text() => "win";
        "account": keyword.1, id();
    }

    /// How many messages from phones belong to no account.
    pub struct UnclaimedData(entry: &Unclaimed) as "Unclaimed" {
        "day": time::to_date(entry.day), day();
        "carrier": entry.carrier, any_text() => "sandbox";
        /// The line. `null`: the directory has no such line.
        "line": (!entry.line.is_empty()).then_some(&entry.line), any_text().or_null() => "3000505";
        "reason": entry.reason, one_of(&["UNKNOWN_LINE", "NO_ACCOUNT", "NO_ACCOUNT_FOR_OPT_OUT"]);
        "messages": entry.messages, count();
    }
}

async fn find<P: Platform>(context: &Context<'_, P>, number: &str) -> Result<Routes, Problem> {
    let routes = inbound_routes::find(context.platform.db(), number).await?;
    routes.ok_or(Problem::NotFound)
}

/// `GET /admin/lines/{number}/inbound`
pub async fn get<P: Platform>(context: &Context<'_, P>, number: &str) -> Result<Response, Problem> {
    let routes = find(context, number).await?;
    Success::ok(LineInboundData::of(&routes)).response(context)
}

body! {
    /// Which accounts get what phones send to the line. It replaces what was set.
    pub struct NewLineInbound {
        /// Who gets all messages that no keyword takes.
        account: Option<String> = can "account" text(MAX_CHARS) => "019b796d-a000-7000-8000-000000000000";
        keywords: Option<Vec<Option<(String, String)>>> = can "keywords" list_of(each(keyword_of), 0, MAX_KEYWORDS);
        /// A text that confirms an opt-out.
        opt_out_reply: Option<String> = can "optOutReply" reply() => "You get no more messages.";
        /// A text that confirms that it is taken back.
        opt_in_reply: Option<String> = can "optInReply" reply() => "You get messages again.";
    }

    pub struct NewKeyword {
        /// The id of an account that may use the line.
        account: String = must "account" text(MAX_CHARS) => "019b796d-a000-7000-8000-000000000000";
        /// The first word of the messages, of letters and digits.
        keyword: String = must "keyword" keyword() => "win";
    }
}

fn keyword_of(new: NewKeyword, _: &mut Fields<'_>) -> Option<(String, String)> {
    Some((new.keyword, new.account))
}

/// A keyword, in the form in which words are compared.
fn keyword() -> impl Form<Value = String> {
    let read = |value: &Value, place: &mut Place<'_>| {
        let text = value.as_str().ok_or(json_fields::TEXT);
        let words = Words::of(place.take(text.and_then(|text| check_length(text, MAX_CHARS)))?);
        let config = place.setting.config;
        let mut replies = config.opt_out_words.iter().chain(&config.opt_in_words);
        place.take(match words.only() {
            None => Err(KEYWORD_FORM),
            Some(word) if replies.any(|reply| reply == word) => Err(FieldErrorKind::IsReply),
            Some(word) => Ok(word.to_owned()),
        })
    };
    by(read, || json_schema::formed(MAX_CHARS, r"[^\s!-/:-@\[-`{-~]"))
}

/// A text that confirms a choice. It may be as long as a text that accounts send.
fn reply() -> impl Form<Value = String> {
    let read = |value: &Value, place: &mut Place<'_>| {
        let text = place.take(value.as_str().ok_or(json_fields::TEXT))?;
        if text.trim().is_empty() {
            place.fault(FieldErrorKind::Empty);
            return None;
        }
        measured(text, place).map(|text| text.text)
    };
    by(read, || json_schema::text(MAX_TEXT).with("pattern", r"\S"))
}

fn read(mut fields: Fields<'_>) -> Result<Routes, Problem> {
    let new = NewLineInbound::read(&mut fields);
    let keywords = new.keywords.unwrap_or_default();
    let mut seen = BTreeSet::new();
    for (index, item) in keywords.iter().enumerate() {
        if let Some((keyword, _)) = item
            && !seen.insert(keyword)
        {
            fields.item_fault("keywords", index, FieldErrorKind::Twice);
        }
    }
    fields.finish()?;
    Ok(Routes {
        fallback: new.account,
        keywords: keywords.into_iter().flatten().collect(),
        opt_out_reply: new.opt_out_reply,
        opt_in_reply: new.opt_in_reply,
    })
}

/// Fails with a fault for each account that may not use the line.
async fn check<P: Platform>(context: &Context<'_, P>, number: &str, routes: &Routes) -> Result<(), Problem> {
    let of_keywords = routes.keywords.iter().map(|(_, account)| account);
    let accounts: BTreeSet<&str> = of_keywords.chain(&routes.fallback).map(String::as_str).collect();
    let users = inbound_routes::users(context.platform.db(), number, &accounts).await?;
    let mut faults = Vec::new();
    if routes.fallback.as_ref().is_some_and(|account| !users.contains(account)) {
        faults.push(FieldError::of("account", FieldErrorKind::NotAnAccountOfLine));
    }
    for (index, (_, account)) in routes.keywords.iter().enumerate() {
        if !users.contains(account) {
            let [list, member] = ["keywords", "account"].map(|name| Step::Name(name.to_owned()));
            let path = vec![list, Step::Index(index), member];
            faults.push(FieldError::at(path, FieldErrorKind::NotAnAccountOfLine));
        }
    }
    if faults.is_empty() {
        Ok(())
    } else {
        Err(Problem::Validation(faults))
    }
}

/// `PUT /admin/lines/{number}/inbound`
pub async fn set<P: Platform>(context: &Context<'_, P>, number: &str, body: &JsonBody) -> Result<Response, Problem> {
    let routes = read(context.fields(body))?;
    find(context, number).await?;
    check(context, number, &routes).await?;
    inbound_routes::set(&context.audited_db(number)?, number, &routes).await?;
    get(context, number).await
}

/// `GET /admin/inbound/unclaimed`
pub async fn list_unclaimed<P: Platform>(context: &Context<'_, P>, query: Paged<'_>) -> Result<Response, Problem> {
    let (page, ()) = query.listed("admin/inbound/unclaimed")?;
    let asked = page.to_read();
    let mut entries = unclaimed::page(context.platform.db(), asked.limit, asked.after).await?;
    let next = page.cut(&mut entries, |entry| entry.id);
    Success::page(entries.iter().map(UnclaimedData::of), next).response(context)
}
