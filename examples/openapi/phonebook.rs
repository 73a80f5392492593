//! Phonebooks and their numbers.

use peyk::base::ports::MAX_INTEGER;
use serde_json::{Value, json};

use super::schema::{
    Member, Named, Schema, absent, any_text, can, count, id, integer, list, may, must, named, number, object, text,
    time, written_number,
};

fn title() -> Schema {
    text(200)
        .about("The title. An account has each title once.")
        .like("Customers")
}

fn description() -> Member {
    can(
        "description",
        text(1_000)
            .about("What the phonebook is for.")
            .like("All who have ordered."),
    )
}

/// No `%`, no control characters, and no blanks at the ends.
const ATTRIBUTE_NAME: &str = r"^[^%\s\x00-\x1F\x7F-\x9F](?:[^%\x00-\x1F\x7F-\x9F]*[^%\s\x00-\x1F\x7F-\x9F])?$";

fn attributes() -> Schema {
    Schema(json!({
        "type": "object",
        "propertyNames": {"minLength": 1, "maxLength": 50, "pattern": ATTRIBUTE_NAME},
        "additionalProperties": {"type": ["string", "number", "null"]},
    }))
    .with("maxProperties", 20)
    .about("What else is known of the number, together at most 2,048 bytes as JSON. The numbers of a phonebook have up to 50 \
        different attributes.")
    .like(json!({"city": "Tehran"}))
}

/// What a request says of a number besides the number.
fn details() -> [Member; 2] {
    [
        can("name", text(200).about("Whose number it is.").like("Ali")),
        can("attributes", attributes()),
    ]
}

fn entry(number: Member, more: Option<Member>) -> Schema {
    object([number].into_iter().chain(details()).chain(more))
}

fn added() -> Schema {
    let invalid = object([
        must("index", count().about("Where the item stands in `numbers`, from 0.")),
        must(
            "detail",
            any_text()
                .about("What is wrong with it.")
                .like("is not a valid phone number"),
        ),
    ]);
    object([
        must("added", count().about("How many numbers are new.")),
        must("updated", count().about("How many were there.")),
        must("invalid", list(invalid, 0, 1_000).about("The items that were refused.")),
        must(
            "numbers",
            list(named("Number"), 0, 1_000).about("The numbers as the phonebook has them now."),
        ),
    ])
    .about("What has become of the numbers.")
}

fn imported() -> Schema {
    let invalid = object([
        must("line", integer(2, MAX_INTEGER).about("The line of the file, from 1.")),
        must(
            "detail",
            any_text()
                .about("What is wrong with it.")
                .like("number: is not a valid phone number"),
        ),
    ]);
    object([
        must("lines", count().about("How many lines the file has besides the first.")),
        must("added", count().about("How many numbers are new.")),
        must("updated", count().about("How many were there.")),
        must("invalidCount", count().about("How many lines were refused.")),
        must(
            "invalid",
            list(invalid, 0, 1_000).about("The first 1,000 lines that were refused."),
        ),
    ])
    .about("What has become of the file.")
}

/// What is answered.
fn answers() -> Vec<Named> {
    let phonebook = object([
        must("id", id()),
        must("title", any_text().like("Customers")),
        must("description", any_text().or_null()),
        must("count", count().about("How many numbers it has.")),
        must("createdAt", time()),
    ]);
    let stored =
        Schema(json!({"type": "object", "additionalProperties": {"type": "string"}})).like(json!({"city": "Tehran"}));
    let number = object([
        must("id", integer(0, MAX_INTEGER).like(7)),
        must("number", number()),
        must("name", any_text().or_null().like("Ali")),
        must("attributes", stored),
        must("createdAt", time()),
    ]);
    vec![
        ("Phonebook", phonebook.about("A phonebook.")),
        ("Number", number.about("A number of a phonebook.")),
        ("AddedToPhonebook", added()),
        ("ImportedNumbers", imported()),
    ]
}

/// All schemas.
pub fn schemas() -> Vec<Named> {
    let key = || {
        must(
            "id",
            text(64)
                .about("The phonebook's id.")
                .like("019b796d-a000-7000-8000-000000000000"),
        )
    };
    let new_title = || may("title", title());
    let one = entry(must("number", written_number()), Some(absent("numbers", true)));
    let item: Value = json!({"anyOf": [named("WrittenPhoneNumber").0, named("NewNumber").0]});
    let many = object([must("numbers", list(Schema(item), 1, 1_000)), absent("number", true)]);
    let mut schemas = vec![
        (
            "NewPhonebook",
            object([must("title", title()), description()]).about("A phonebook to create."),
        ),
        (
            "PhonebookChange",
            object([new_title(), description()])
                .about("What to change. What is left out stays; `null` takes the description away."),
        ),
        (
            "PhonebookChangeById",
            object([key(), new_title(), description()]).about("Which phonebook to change, and what."),
        ),
        (
            "NewNumber",
            entry(must("number", written_number()), None).about("A number to add."),
        ),
        (
            "OneNumber",
            one.about("A number to add.")
                .like(json!({"number": "09121234567", "name": "Ali", "attributes": {"city": "Tehran"}})),
        ),
        (
            "ManyNumbers",
            many.about("Numbers to add. Peyk adds the good items and names the others.")
                .like(json!({"numbers": ["09121234567", {"number": "09351234567", "name": "Ali"}]})),
        ),
        (
            "AddNumbers",
            Schema(json!({"oneOf": [named("OneNumber").0, named("ManyNumbers").0]})),
        ),
        (
            "NumberChange",
            entry(can("number", written_number()), None)
                .about("What to change. What is left out stays; `null` takes the name or the attributes away."),
        ),
    ];
    schemas.extend(answers());
    schemas
}
