//! Patterns and their versions.

use serde_json::json;

use super::schema::{
    Member, Named, Schema, absent, any_list, any_text, can, cut, formed, integer, line, list, may, must, named, object,
    one_of, text, time,
};

fn slug() -> Schema {
    formed(64, "^[A-Za-z0-9_-]{3,64}$")
        .with("minLength", 3)
        .about("The name of the pattern in sends.")
        .like("login")
}

fn title() -> Schema {
    text(200).about("What the pattern is for.").like("Login")
}

fn lines() -> Member {
    can(
        "lines",
        list(text(32).like("10001"), 0, 100)
            .with("uniqueItems", true)
            .about("Lines of the account. If there are any, the pattern can be sent from these only.")
            .like(json!([])),
    )
}

fn body_of_version() -> Schema {
    text(2_000)
        .about("The text, with up to 20 placeholders like `%OTP%`.")
        .like("Your code is %OTP%.")
}

fn new_variables() -> Schema {
    list(named("NewVariable"), 0, 20).about(
        "The types of placeholders of the text. A placeholder that is left out is `TEXT`. Together at most 16 KiB as JSON.")
}

fn variable_name() -> Schema {
    formed(50, "^[A-Za-z_][A-Za-z0-9_-]{0,49}$")
        .about("The name that stands between two `%` in the text.")
        .like("OTP")
}

fn kind() -> Schema {
    one_of(&["TEXT", "NUMBER", "LINK", "ENUM"]).about(
        "Which values it takes: any text, a number, an address with `http://` or `https://`, or one of `values`.",
    )
}

fn new_variable() -> Vec<Named> {
    let max_length = || {
        can(
            "maxLength",
            integer(1, 1_000)
                .with("default", 100)
                .about("How many characters a value may have. An `ENUM` ignores it.")
                .like(6),
        )
    };
    let values = |schema: Schema| schema.about("The values of an `ENUM`.");
    let choice = object([
        must("name", variable_name()),
        must("type", one_of(&["ENUM"])),
        max_length(),
        must("values", values(list(text(100).like("red"), 1, 50))),
    ]);
    let none = Schema(json!({"type": "array", "items": {}, "maxItems": 0})).or_null();
    let other = object([
        must("name", variable_name()),
        can("type", one_of(&["TEXT", "NUMBER", "LINK"])),
        max_length(),
        may("values", none.about("Only an `ENUM` has values.").like(json!([]))),
    ]);
    vec![
        ("NewChoice", choice.about("A variable that takes one of some values.")),
        (
            "NewFreeVariable",
            other
                .about("A variable that takes a text, a number or a link.")
                .like(json!({"name": "OTP", "type": "NUMBER", "maxLength": 6})),
        ),
        (
            "NewVariable",
            Schema(json!({"anyOf": [named("NewFreeVariable").0, named("NewChoice").0]}))
                .about("A variable of the text."),
        ),
    ]
}

fn answers() -> Vec<Named> {
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

/// All schemas.
pub fn schemas() -> Vec<Named> {
    let version = || must("text", body_of_version());
    let with_version = object([
        can("slug", slug()),
        must("title", title()),
        lines(),
        version(),
        can("variables", new_variables()),
    ]);
    let without = object([
        can("slug", slug()),
        must("title", title()),
        lines(),
        absent("text", true),
        absent("variables", false),
    ]);
    let mut schemas = vec![
        (
            "PatternWithVersion",
            with_version.about("A pattern with its first version.").like(json!({
            "slug": "login", "title": "Login", "text": "Your code is %OTP%.",
            "variables": [{"name": "OTP", "type": "NUMBER", "maxLength": 6}]})),
        ),
        (
            "PatternWithoutVersion",
            without
                .about("A pattern without a version.")
                .like(json!({"slug": "login", "title": "Login"})),
        ),
        (
            "NewPattern",
            Schema(json!({"oneOf": [named("PatternWithVersion").0, named("PatternWithoutVersion").0]}))
                .about("A pattern to create. Peyk makes a slug if there is none."),
        ),
        (
            "PatternChange",
            object([can("title", title()), lines()]).about("What to change. What is left out stays."),
        ),
        (
            "NewPatternVersion",
            object([version(), can("variables", new_variables())])
                .about("A version to add.")
                .like(json!({
            "text": "Your code is %OTP%.", "variables": [{"name": "OTP", "type": "NUMBER", "maxLength": 6}]})),
        ),
    ];
    schemas.extend(new_variable());
    schemas.extend(answers());
    schemas
}
