//! Where the messages go that phones send to a line.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::api::http::Response;
use crate::api::http::body::JsonBody;
use crate::api::http::context::Context;
use crate::api::http::json_fields::Fields;
use crate::api::http::query::Query;
use crate::api::http::respond::Success;
use crate::api::problem::Problem;
use crate::api::problem::field_error::{Fault, FaultKind, Step};
use crate::base::config::Config;
use crate::base::ports::Platform;
use crate::base::time::{self, DAY_MS};
use crate::directory::inbound_routes::{self, Routes};
use crate::directory::unclaimed::{self, Entry};
use crate::sms::text::{self, Measured};
use crate::sms::words::Words;

/// A line has at most this many keywords.
const MAX_KEYWORDS: usize = 1_000;
/// A keyword has at most this many characters, and so has the id of an account.
const MAX_CHARS: usize = 36;

const KEYWORD_FORM: FaultKind = FaultKind::BadForm("one word of letters and digits", "یک کلمه از حروف و ارقام");

fn data(routes: &Routes) -> Value {
    let keyword = |(keyword, account): &(String, String)| json!({"keyword": keyword, "account": account});
    let keywords: Vec<Value> = routes.keywords.iter().map(keyword).collect();
    json!({
        "account": routes.fallback,
        "keywords": keywords,
        "optOutReply": routes.opt_out_reply,
        "optInReply": routes.opt_in_reply,
    })
}

async fn find<P: Platform>(context: &Context<'_, P>, number: &str) -> Result<Routes, Problem> {
    let routes = inbound_routes::find(context.platform.db(), number).await?;
    routes.ok_or(Problem::NotFound)
}

/// `GET /admin/lines/{number}/inbound`
pub async fn get<P: Platform>(context: &Context<'_, P>, number: &str) -> Result<Response, Problem> {
    let routes = find(context, number).await?;
    Success::ok(data(&routes)).response(&context.request.id)
}

/// Reads a keyword in the form in which words are compared.
fn read_keyword(config: &Config, fields: &mut Fields<'_>) -> Option<String> {
    let text = fields.text("keyword", MAX_CHARS);
    let words = Words::of(fields.require("keyword", text)?);
    let Some(word) = words.only() else {
        fields.fault("keyword", KEYWORD_FORM);
        return None;
    };
    let mut replies = config.opt_out_words.iter().chain(&config.opt_in_words);
    if replies.any(|reply| reply == word) {
        fields.fault("keyword", FaultKind::IsReply);
        return None;
    }
    Some(word.to_owned())
}

/// Reads a text that confirms a choice. It may be as long as a text that accounts send.
fn read_reply(config: &Config, fields: &mut Fields<'_>, name: &'static str) -> Option<String> {
    let text = fields.any_text(name)?;
    if text.trim().is_empty() {
        fields.fault(name, FaultKind::Empty);
        return None;
    }
    let Measured { text, segmentation } = Measured::of(text::normalise(text).into_owned());
    let (parts, max) = (segmentation.parts, config.max_parts);
    if parts > max {
        fields.fault(name, FaultKind::TooManyParts { parts, max });
        return None;
    }
    Some(text)
}

fn read(config: &Config, body: &JsonBody) -> Result<Routes, Problem> {
    let mut fields = Fields::new(&body.object);
    let fallback = fields.text("account", MAX_CHARS).map(str::to_owned);
    let keywords = fields.objects("keywords", MAX_KEYWORDS, |fields| {
        let account = fields.text("account", MAX_CHARS);
        let account = fields.require("account", account).map(str::to_owned);
        read_keyword(config, fields).zip(account)
    });
    let keywords = keywords.unwrap_or_default();
    let mut seen = BTreeSet::new();
    for (index, item) in keywords.iter().enumerate() {
        if let Some((keyword, _)) = item
            && !seen.insert(keyword)
        {
            fields.item_fault("keywords", index, FaultKind::Twice);
        }
    }
    let opt_out_reply = read_reply(config, &mut fields, "optOutReply");
    let opt_in_reply = read_reply(config, &mut fields, "optInReply");
    fields.finish()?;
    let keywords = keywords.into_iter().flatten().collect();
    Ok(Routes {
        fallback,
        keywords,
        opt_out_reply,
        opt_in_reply,
    })
}

/// Fails with a fault for each account that may not use the line.
async fn check<P: Platform>(context: &Context<'_, P>, number: &str, routes: &Routes) -> Result<(), Problem> {
    let of_keywords = routes.keywords.iter().map(|(_, account)| account);
    let accounts: BTreeSet<&str> = of_keywords.chain(&routes.fallback).map(String::as_str).collect();
    let users = inbound_routes::users(context.platform.db(), number, &accounts).await?;
    let mut faults = Vec::new();
    if routes.fallback.as_ref().is_some_and(|account| !users.contains(account)) {
        faults.push(Fault::of("account", FaultKind::NotAnAccountOfLine));
    }
    for (index, (_, account)) in routes.keywords.iter().enumerate() {
        if !users.contains(account) {
            let [list, member] = ["keywords", "account"].map(|name| Step::Name(name.to_owned()));
            let path = vec![list, Step::Index(index), member];
            faults.push(Fault::at(path, FaultKind::NotAnAccountOfLine));
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
    let routes = read(&context.app.config, body)?;
    find(context, number).await?;
    check(context, number, &routes).await?;
    inbound_routes::set(&context.audited_db(number)?, number, &routes).await?;
    get(context, number).await
}

fn unclaimed_data(entry: &Entry) -> Value {
    let day = time::to_rfc3339(entry.day.saturating_mul(DAY_MS));
    let line = (!entry.line.is_empty()).then_some(&entry.line);
    json!({
        "day": day.get(..10),
        "carrier": entry.carrier,
        "line": line,
        "reason": entry.reason,
        "messages": entry.messages,
    })
}

/// `GET /admin/inbound/unclaimed`
pub async fn list_unclaimed<P: Platform>(context: &Context<'_, P>) -> Result<Response, Problem> {
    let mut query = Query::of(context.request.head);
    let page = query.page("admin/inbound/unclaimed");
    query.finish()?;
    let asked = page.to_read();
    let mut entries = unclaimed::page(context.platform.db(), asked.limit, asked.after).await?;
    let next = page.cut(&mut entries, |entry| entry.id);
    let data: Vec<Value> = entries.iter().map(unclaimed_data).collect();
    Success::page(data, next).response(&context.request.id)
}
