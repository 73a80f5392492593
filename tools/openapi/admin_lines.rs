//! Lines, their routes, and where the messages go that phones send to them.

use serde_json::json;

use super::account::{coefficients, operations};
use super::schema::{
    Named, Schema, any_list, any_text, count, flag, id, integer, line, may, must, named, object, one_of,
};

fn routes() -> Named {
    let answered_share = object([
        must("name", any_text().like("sandbox")),
        must("weight", integer(1, 1_000)),
    ]);
    let answered = || any_list(answered_share.clone());
    let answered_route = object([
        must("prefixes", any_list(any_text().like("98912"))),
        must("carriers", answered()),
        must("backup", answered()),
    ]);
    (
        "Route",
        answered_route.about("Which carriers take the messages to which numbers."),
    )
}

/// All schemas.
pub fn schemas() -> Vec<Named> {
    let line_data = object([
        must("number", line()),
        must(
            "carrier",
            any_text()
                .or_null()
                .about("The carrier, if the line has one route to one carrier.")
                .like("sandbox"),
        ),
        must("routes", any_list(named("Route"))),
        must("operations", operations()),
        must("shared", flag()),
        must(
            "accounts",
            any_list(any_text().like("019b796d-a000-7000-8000-000000000000"))
                .about("The accounts that may use it. A list names at most 100."),
        ),
        may(
            "accountsTruncated",
            Schema(json!({"const": true})).about("There if the line has more accounts than the list names."),
        ),
        must("coefficients", object(coefficients())),
        must("active", flag().like(true)),
        must("paused", flag()),
    ]);
    let unclaimed = object([
        must("day", any_text().with("format", "date").like("2026-01-01")),
        must("carrier", any_text().like("sandbox")),
        must(
            "line",
            any_text()
                .or_null()
                .about("The line. `null`: the directory has no such line.")
                .like("3000505"),
        ),
        must(
            "reason",
            one_of(&["UNKNOWN_LINE", "NO_ACCOUNT", "NO_ACCOUNT_FOR_OPT_OUT"]),
        ),
        must("messages", count()),
    ]);
    let keyword = object([must("keyword", any_text().like("win")), must("account", id())]);
    let inbound = object([
        must("account", id().or_null().about("Who gets all other messages.")),
        must("keywords", any_list(keyword)),
        must(
            "optOutReply",
            any_text()
                .or_null()
                .about("What confirms an opt-out.")
                .like(serde_json::Value::Null),
        ),
        must(
            "optInReply",
            any_text()
                .or_null()
                .about("What confirms that it is taken back.")
                .like(serde_json::Value::Null),
        ),
    ]);
    vec![
        routes(),
        ("Line", line_data.about("A line.")),
        (
            "LineInbound",
            inbound.about("Which accounts get what phones send to the line."),
        ),
        (
            "Unclaimed",
            unclaimed.about("How many messages from phones belong to no account."),
        ),
    ]
}
