//! Lines, their routes, and where the messages go that phones send to them.

use peyk::api::shared::line_data::COEFFICIENTS;
use serde_json::json;

use super::account::{coefficient, coefficients, operations};
use super::schema::{
    Member, Named, Schema, absent, any_list, any_text, can, count, flag, formed, id, integer, line, list, may, must,
    named, object, one_of, text,
};

fn routes() -> Vec<Named> {
    let share = object([
        must("name", text(32).about("The carrier's name.").like("sandbox")),
        can(
            "weight",
            integer(1, 1_000)
                .with("default", 1)
                .about("Its share among the carriers of the route.")
                .like(1),
        ),
    ]);
    let shares = |min| list(named("Share"), min, 8);
    let route = object([
        can("prefixes", list(formed(15, "^[0-9]{1,15}$").like("98912"), 0, 100).about(
            "What the numbers begin with, as international numbers without `+`. One route has none and takes all others.").like(
            json!([]))),
        must("carriers", shares(1).about("Who takes the messages.")),
        can("backup", shares(0).about("Who takes them while none of `carriers` works.").like(json!([]))),
    ]);
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
    vec![
        ("Share", share.about("A carrier of a route.")),
        (
            "NewRoute",
            route.about("Which carriers take the messages to which numbers."),
        ),
        (
            "Route",
            answered_route.about("Which carriers take the messages to which numbers."),
        ),
    ]
}

/// What a request says of a line besides its routes.
fn members(of_operations: Member) -> Vec<Member> {
    let factors = COEFFICIENTS.into_iter().map(|name| can(name, coefficient()));
    vec![
        of_operations,
        can(
            "accounts",
            list(any_text().like("019b796d-a000-7000-8000-000000000000"), 0, 1_000)
                .about("The ids of the accounts that may use the line.")
                .like(json!([])),
        ),
        can("shared", flag().about("Whether all accounts may use it.")),
        can("coefficients", object(factors)),
        can("active", flag().about("Whether it is in service.")),
        can("paused", flag().about("Whether sends wait.")),
    ]
}

fn carrier() -> Schema {
    text(32).about("The carrier that takes all messages.").like("sandbox")
}

fn routes_list() -> Schema {
    list(named("NewRoute"), 1, 50)
        .about("At most 8,192 bytes as JSON. No prefix comes twice.")
        .like(json!([{"carriers": [{"name": "sandbox"}]}]))
}

fn lines() -> Vec<Named> {
    let number = || {
        must(
            "number",
            formed(16, r"^(\+?[0-9]{3,15}|[A-Za-z0-9]{3,11})$")
                .with("minLength", 3)
                .about("3 to 15 digits with or without `+`, or 3 to 11 letters and digits.")
                .like("10001"),
        )
    };
    let new = |routes: [Member; 2]| {
        let own = members(must("operations", operations()));
        object([number()].into_iter().chain(routes).chain(own))
    };
    let to_one = new([must("carrier", carrier()), absent("routes", true)]);
    let to_many = new([must("routes", routes_list()), absent("carrier", true)]);
    let change = |routes: [Member; 2]| {
        let own = members(can("operations", operations()));
        object(routes.into_iter().chain(own))
    };
    let change_to_one = change([can("carrier", carrier()), absent("routes", true)]);
    let change_to_many = change([must("routes", routes_list()), absent("carrier", true)]);
    let either = |names: [&str; 2]| Schema(json!({"anyOf": names.map(|name| named(name).0)}));
    vec![
        ("NewLineOfCarrier", to_one.about("A line with one carrier.").like(
            json!({"number": "10001", "carrier": "sandbox", "operations": ["WEBSERVICE", "PATTERN"], "shared": true}))),
        ("NewLineWithRoutes", to_many.about("A line with several carriers.").like(json!({
            "number": "10001", "operations": ["WEBSERVICE"],
            "routes": [{"carriers": [{"name": "sandbox", "weight": 1}]}]}))),
        ("NewLine", either(["NewLineOfCarrier", "NewLineWithRoutes"]).about("A line to create.")),
        ("LineChange", change_to_one.about("What to change. What is left out stays.").like(json!({"active": true}))),
        ("LineChangeWithRoutes", change_to_many.about("What to change, with other routes.").like(
            json!({"routes": [{"carriers": [{"name": "sandbox"}]}]}))),
        ("AnyLineChange", either(["LineChange", "LineChangeWithRoutes"]).about("What to change. What is left out stays.")),
    ]
}

fn answers() -> Vec<Named> {
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

/// All schemas.
pub fn schemas() -> Vec<Named> {
    let account = || {
        text(36)
            .about("The id of an account that may use the line.")
            .like("019b796d-a000-7000-8000-000000000000")
    };
    let keyword = object([
        must(
            "keyword",
            formed(36, r"[^\s!-/:-@\[-`{-~]")
                .about("The first word of the messages, of letters and digits.")
                .like("win"),
        ),
        must("account", account()),
    ]);
    let reply = || text(1_530).with("pattern", r"\S");
    let set = object([
        can(
            "account",
            account().about("Who gets all messages that no keyword takes."),
        ),
        can("keywords", list(keyword, 0, 1_000)),
        can(
            "optOutReply",
            reply()
                .about("A text that confirms an opt-out.")
                .like("You get no more messages."),
        ),
        can(
            "optInReply",
            reply()
                .about("A text that confirms that it is taken back.")
                .like("You get messages again."),
        ),
    ]);
    let mut schemas = routes();
    schemas.extend(lines());
    schemas.extend(answers());
    schemas.push((
        "NewLineInbound",
        set.about("Which accounts get what phones send to the line. It replaces what was set."),
    ));
    schemas
}
