//! Patterns and their versions.

use super::schema::{Named, Schema, any_list, any_text, cut, integer, line, list, must, named, object, one_of, time};

fn kind() -> Schema {
    one_of(&["TEXT", "NUMBER", "LINK", "ENUM"]).about(
        "Which values it takes: any text, a number, an address with `http://` or `https://`, or one of `values`.",
    )
}

/// All schemas.
pub fn schemas() -> Vec<Named> {
    let variable = object([
        must("name", any_text().like("OTP")),
        must("type", kind()),
        must("maxLength", integer(1, 1_000).like(100)),
        must(
            "values",
            any_list(any_text().like("red"))
                .or_null()
                .about("The values of an `ENUM`, `null` for others."),
        ),
    ]);
    let version = object([
        must("version", integer(1, 100).about("Its number, from 1.")),
        must("text", any_text().like("Your code is %OTP%.")),
        cut(),
        must(
            "variables",
            list(named("Variable"), 0, 20).about("One for each placeholder, in the order of the text."),
        ),
        must(
            "status",
            one_of(&["ACTIVE", "DRAFT", "PENDING", "RETIRED"])
                .about("`ACTIVE`: sends use it. `PENDING`: it waits for an operator. `RETIRED`: it was active."),
        ),
        must("createdAt", time()),
    ]);
    let pattern = object([
        must("slug", any_text().like("login")),
        must("title", any_text().like("Login")),
        must(
            "lines",
            list(line(), 0, 100).about("The lines that it can be sent from; none means all."),
        ),
        must(
            "versions",
            list(named("PatternVersion"), 0, 100)
                .about("All versions, newest first. In lists the active one and the newest."),
        ),
        must("createdAt", time()),
    ]);
    let pending = object([
        must("account", super::schema::id().about("The account's id.")),
        must("slug", any_text().like("login")),
        must("title", any_text().like("Login")),
        must("version", named("PatternVersion")),
    ]);
    vec![
        ("Variable", variable.about("A variable of a version.")),
        (
            "PatternVersion",
            version.about("A version of a pattern. Its text never changes."),
        ),
        ("Pattern", pattern.about("A pattern with versions.")),
        ("PendingVersion", pending.about("A version that waits for approval.")),
    ]
}
