//! Phonebooks and their numbers.

use peyk::base::ports::MAX_INTEGER;
use serde_json::json;

use super::schema::{Named, Schema, any_text, count, id, integer, list, must, named, number, object, time};

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

/// All schemas.
pub fn schemas() -> Vec<Named> {
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
