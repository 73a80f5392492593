//! The reports of Edge.

use serde_json::{Value, json};

use crate::api::doors::answer::Members;
use crate::api::doors::ippanel::fault::Fault;
use crate::api::doors::ippanel::pages::Page;
use crate::api::doors::ippanel::read::{self, created_ms, sent_ms};
use crate::api::doors::ippanel::reply::Reply;
use crate::api::doors::ippanel::request::{Request, number, text};
use crate::api::doors::ippanel::send::id_of;
use crate::api::doors::ippanel::states;
use crate::api::doors::own::Own;
use crate::base::ports::Platform;
use crate::base::time;

/// The id that a parameter of the query names.
fn id_in(request: &Request<'_>, name: &str) -> Result<i64, Fault> {
    request.number(name)?.ok_or_else(|| Fault::missing(name))
}

/// `GET report/recipients`
pub async fn recipients<P: Platform>(own: &Own<'_, P>, request: &Request<'_>) -> Result<Reply, Fault> {
    let id = id_in(request, "bulk_id")?;
    let listed = read::recipients(own, id, page_of(request)?).await?;
    Ok(Reply {
        data: listed.items.iter().map(recipient).collect(),
        page: Some(listed.told),
    })
}

fn recipient(recipient: &Value) -> Value {
    json!({
        "recipient": recipient.text("recipient"), "message": recipient.text("text"), "is_readable": true,
        "msg_parts": recipient.number("parts").to_string(),
        "message_status": states::of_recipient(recipient).to_string(),
    })
}

/// `GET report/by_bulk`
pub async fn message<P: Platform>(own: &Own<'_, P>, request: &Request<'_>) -> Result<Value, Fault> {
    let id = id_in(request, "messages_outbox_id")?;
    let message = read::message(own, id).await?;
    let mut told = outbox(&message);
    if let Some(members) = told.as_object_mut() {
        members.insert("return".to_owned(), message.number("returned").into());
    }
    Ok(told)
}

fn outbox(message: &Value) -> Value {
    let state = states::of_message(message);
    let id = id_of(message.text("uid")).to_string();
    let count = message.number("recipientCount").to_string();
    let [time, time_send] = [created_ms(message), sent_ms(message)].map(|ms| ms.div_euclid(1_000).to_string());
    json!({
        "number_id": "1", "messages_outbox_id": id, "number": read::line(message.text("sourceNumber")), "message": message.text("message"),
        "summary": "", "username": "", "time": time, "time_send": time_send, "rcpts_count": count, "exit_count": count,
        "part": message.number("parts").to_string(), "cost": message.number("cost"), "in_delivery_line": 0,
        "state_id": state.id, "state": state.word, "status": state.text, "type": states::kind_of(message), "valid": "approve",
        "number_color": null, "partner_id": null, "user_ip": null, "user_id": null, "files_path": null, "parent_id": null,
        "reject_comment": null,
    })
}

/// What a list of messages is asked for.
#[derive(Debug, Default)]
struct Filter {
    number: Option<String>,
    message: Option<String>,
    state: Option<i64>,
    /// From and to, s since the Unix epoch.
    sent_s: [Option<i64>; 2],
    count: [Option<i64>; 2],
}

impl Filter {
    fn read(filters: &Value) -> Result<Filter, Fault> {
        let number_in = |name: &str| number(filters.member(name), name);
        let state = number_in("state_id")?;
        if state.is_some_and(|state| !states::STATES.contains(&state)) {
            return Err(Fault::no_state());
        }
        Ok(Filter {
            number: text(filters.member("number"), "number")?,
            message: text(filters.member("message"), "message")?,
            state,
            sent_s: [number_in("send_from_date")?, number_in("send_to_date")?],
            count: [number_in("from_exit_count")?, number_in("to_exit_count")?],
        })
    }

    fn takes(&self, message: &Value) -> bool {
        let within = |[from, to]: [Option<i64>; 2], value: i64| {
            from.is_none_or(|from| from <= value) && to.is_none_or(|to| value <= to)
        };
        self.number
            .as_deref()
            .is_none_or(|number| same_line(number, message.text("sourceNumber")))
            && self
                .message
                .as_deref()
                .is_none_or(|part| message.text("message").contains(part))
            && self.state.is_none_or(|state| states::of_message(message).id == state)
            && within(self.sent_s, sent_ms(message).div_euclid(1_000))
            && within(self.count, message.number("recipientCount"))
    }
}

/// Whether these are one line, of which each may have a prefix.
fn same_line(one: &str, other: &str) -> bool {
    let bare = |line: &str| {
        let digits = line.trim_start_matches(['+', '0']);
        digits.strip_prefix("98").unwrap_or(digits).to_owned()
    };
    bare(one) == bare(other)
}

/// The filter of our own list: when the messages were accepted.
fn query(filters: &Value) -> Result<String, Fault> {
    let mut query = String::new();
    for (ours, theirs, more) in [("from", "create_from_date", 0), ("to", "create_to_date", 1)] {
        if let Some(at_s) = number(filters.member(theirs), theirs)? {
            let at_ms = at_s.saturating_add(more).clamp(0, LAST_S).saturating_mul(1_000);
            query.push_str(&format!("{ours}={}&", time::to_rfc3339(at_ms)));
        }
    }
    Ok(query)
}

/// The last second of the year 9999.
const LAST_S: i64 = 253_402_300_799;

/// `POST report/new_list`
pub async fn list<P: Platform>(own: &Own<'_, P>, body: &Value) -> Result<Reply, Fault> {
    let page = Page::of(
        number(body.member("page"), "page")?,
        number(body.member("limit"), "limit")?,
    )?;
    let filters = body.member("filters");
    let filter = Filter::read(filters)?;
    let name = "messages_outbox_id";
    let listed = match number(filters.member(name), name)? {
        Some(id) => {
            let found = read::message_if_there(own, id).await?.into_iter();
            page.cut(found.filter(|message| filter.takes(message)).collect())
        }
        None => read::messages(own, &query(filters)?, page, |message| filter.takes(message)).await?,
    };
    Ok(Reply {
        data: listed.items.iter().map(outbox).collect(),
        page: Some(listed.told),
    })
}

/// `POST report/messages-inbox`
pub async fn inbox<P: Platform>(own: &Own<'_, P>, body: &Value) -> Result<Reply, Fault> {
    let size = number(body.member("per_page"), "per_page")?;
    let page = Page::of(number(body.member("page"), "page")?, size)?;
    let behind = number(body.member("filters").member("from_id"), "from_id")?;
    let listed = read::inbox(own, page, behind.unwrap_or_default().max(0)).await?;
    Ok(Reply {
        data: listed.items.iter().map(received).collect(),
        page: Some(listed.told),
    })
}

fn received(message: &Value) -> Value {
    let received_ms = time::from_rfc3339(message.text("receivedAt")).unwrap_or_default();
    json!({
        "messages_inbox_id": message.number("number"), "from": message.text("from"), "number": read::line(message.text("line")),
        "message": message.text("text"), "type": "normal", "time": received_ms.div_euclid(1_000), "seen": "0",
    })
}

/// The page that the query asks for.
fn page_of(request: &Request<'_>) -> Result<Page, Fault> {
    Page::of(request.number("page")?, request.number("per_page")?)
}
