//! The account, its ledger, its prices and its lines; and what every answer has.

use peyk::account::wallet::ledger::EntryKind;
use peyk::api::shared::line_data::COEFFICIENTS;
use peyk::base::ports::MAX_INTEGER;
use serde_json::{Value, json};

use super::schema::{
    Member, Named, Schema, any_list, any_text, count, flag, id, integer, line, list, money, must, named, object,
    one_of, signed_money, time, unit,
};

/// A coefficient of a price.
pub fn coefficient() -> Schema {
    Schema(json!({"type": "number", "minimum": 0, "maximum": 100}))
        .about("A factor of the price, with at most 4 decimals.")
        .like(1)
}

/// The coefficients of a line.
pub fn coefficients() -> Vec<Member> {
    COEFFICIENTS.into_iter().map(|name| must(name, coefficient())).collect()
}

/// The operations that a line serves.
pub fn operations() -> Schema {
    list(one_of(&["WEBSERVICE", "PATTERN"]), 0, 2)
        .about("What can be sent from the line: `PATTERN` means patterns, `WEBSERVICE` all other texts.")
        .like(json!(["WEBSERVICE", "PATTERN"]))
}

/// A money wallet.
fn wallet() -> Schema {
    object([
        must(
            "availableBalance",
            signed_money().about("What can be spent.").like(99_000),
        ),
        must(
            "lockedBalance",
            money().about("What is reserved for messages.").like(1_000),
        ),
        must("totalBalance", signed_money().about("Both together.").like(100_000)),
        must("unit", unit()),
    ])
    .about("The money of an account.")
}

fn info() -> Schema {
    let plan = object([must("title", any_text().like("Default"))]);
    let account = object([
        must("id", id()),
        must("username", any_text().like("shop")),
        must("fullName", any_text().like("A Shop")),
        must("status", named("AccountStatus")),
        must("plan", plan),
    ]);
    object([must("wallet", named("Wallet")), must("accountInfo", account)]).about("The account of the key.")
}

fn tariff() -> Schema {
    let of_line = coefficients()
        .into_iter()
        .chain([must("title", line().about("The line's number."))]);
    let tariff = object([
        must("title", any_text().like("Default")),
        must("slug", any_text().like("default")),
        must(
            "price",
            integer(0, 10_000_000).about("The price of one part.").like(1_000),
        ),
    ]);
    object([
        must("plan", object([must("title", any_text().like("Default"))])),
        must("tariff", tariff),
        must(
            "textsCoefficients",
            any_list(object(of_line)).about("The coefficients of each line."),
        ),
    ])
    .about("What messages cost.")
}

fn transaction() -> Schema {
    object([
        must("id", integer(1, MAX_INTEGER).about("Its number in the ledger.")),
        must("type", one_of(&EntryKind::ALL.map(EntryKind::as_str)).about(
            "`CREDIT`: an operator has added money, or taken it out. `RESERVE`, `SETTLE`, `RELEASE` and `REFUND`: money of a \
             message was reserved, spent, released or given back.")),
        must("amount", signed_money().like(100_000)),
        must("availableBalance", signed_money().about("The balance after it.").like(100_000)),
        must("lockedBalance", money().about("The balance after it.")),
        must("unit", unit()),
        must("message", id().or_null().about("The message's uid. `null` if there is none, or if it is gone.")),
        must("note", any_text().or_null().about("What an operator has written.").like("invoice 12")),
        must("createdAt", time()),
    ])
    .about("An entry of the ledger.")
}

fn usage_day() -> Schema {
    let statuses = ["DELIVERED", "UNDELIVERED", "EXPIRED", "REJECTED", "CANCELED", "UNKNOWN"];
    let by_status = object(statuses.map(|name| must(name, count())));
    let totals = || {
        object([
            must("messages", count().about("Messages that were accepted on the day.")),
            must("recipients", count().about("The recipients of these messages.")),
            must("parts", count().about("The parts of the recipients' texts.")),
            must("cost", money().about("The price of these messages.").like(3_000)),
            must(
                "returned",
                money().about("What of it was released or given back.").like(1_000),
            ),
            must(
                "statuses",
                by_status
                    .clone()
                    .about("How many of the recipients have this status now."),
            ),
            must(
                "pending",
                count().about("How many of the recipients have none of these."),
            ),
        ])
    };
    object([
        must("date", any_text().with("format", "date").like("2030-01-31")),
        must("unit", unit()),
        must("live", totals().about("What live keys have sent.")),
        must("test", totals().about("What test keys have sent. It costs nothing.")),
    ])
    .about("What an account has sent on a day of UTC.")
}

fn own_line() -> Schema {
    object([
        must("number", line()),
        must("operations", operations()),
        must("shared", flag().about("Whether all accounts may use it.")),
        must(
            "default",
            flag().about("Whether a send that names no line goes from it."),
        ),
    ])
    .about("A line that the key may send from.")
}

/// The schema of an answer with these data.
pub fn envelope(data: &Schema) -> Schema {
    object([must("data", data.clone()), must("meta", named("Meta"))])
}

/// The schema of a send's answer.
pub fn sent(data: &Schema) -> Schema {
    object([
        must("status", named("Sent")),
        must("data", data.clone()),
        must("meta", named("Meta")),
    ])
}

/// The schema of a page of a list.
pub fn page(item: &Schema) -> Schema {
    object([
        must("data", list(item.clone(), 0, 200)),
        must("meta", named("PageMeta")),
    ])
}

/// All schemas.
pub fn schemas() -> Vec<Named> {
    let request_id = || {
        must(
            "requestId",
            any_text()
                .about("The id of the request.")
                .like("019b796d-a000-7000-8000-000000000000"),
        )
    };
    let cursor = any_text()
        .or_null()
        .about("The `cursor` of the next page. `null`: this is the last one.");
    vec![
        ("Meta", object([request_id()])),
        (
            "PageMeta",
            object([request_id(), must("nextCursor", cursor.like(Value::Null))]),
        ),
        (
            "AccountStatus",
            one_of(&["ACTIVE", "INACTIVE"]).about("Whether the account may send."),
        ),
        ("Wallet", wallet()),
        ("AccountInfo", info()),
        ("Tariff", tariff()),
        ("Transaction", transaction()),
        ("UsageDay", usage_day()),
        ("OwnLine", own_line()),
        (
            "Health",
            object([
                must("status", one_of(&["UP"])),
                must(
                    "version",
                    any_text()
                        .about("The version of the service.")
                        .like(env!("CARGO_PKG_VERSION")),
                ),
            ])
            .about("The service is up."),
        ),
    ]
}
