//! The answers of sends and estimates.

use super::schema::{
    Member, Named, Schema, any_list, any_text, count, encoding, formed, id, line, list, money, must, named, number,
    object, one_of, parts, time, unit,
};

const UID: &str = "019b796d-a000-7000-8000-000000000000";
/// The uid of a recipient.
pub fn recipient_uid() -> Schema {
    formed(64, r"^.+\.[0-9]+$")
        .about("The uid of the recipient: that of the message, and its index in the message.")
        .like(format!("{UID}.0"))
}

/// The members of a recipient that all answers have.
pub fn recipient_members() -> Vec<Member> {
    vec![
        must("uid", recipient_uid()),
        must("recipient", number()),
        must("status", named("RecipientStatus")),
        must("cost", money().about("The recipient's price.").like(1_000)),
    ]
}

/// All schemas.
pub fn schemas() -> Vec<Named> {
    let joined = |own: Vec<Member>, more: Vec<Member>| object(own.into_iter().chain(more));
    let of_message = || {
        vec![
            must("type", named("MessageType")),
            must("sourceNumber", line().about("The line that it is sent from.")),
            must("encoding", encoding()),
            must("parts", parts()),
            must(
                "cost",
                money()
                    .about("The price of all recipients together. Sends of test keys cost nothing.")
                    .like(1_000),
            ),
            must("unit", unit()),
        ]
    };
    let sent = vec![
        must("uid", id().about("The message's uid.")),
        must("status", named("MessageStatus")),
        must(
            "clientRef",
            any_text().or_null().about("Your own reference.").like("order-7"),
        ),
        must(
            "sendAt",
            time().or_null().about("When it is to be sent. `null`: at once."),
        ),
        must(
            "recipients",
            any_list(named("Recipient")).about("All recipients, each number once."),
        ),
    ];
    let estimate = vec![
        must("recipients", count().about("How many recipients there are.")),
        must(
            "faults",
            list(named("Refusal"), 0, 4).about("The refusals that the send would meet: 1003, 3011, 3016, 2001."),
        ),
    ];
    vec![
        (
            "Sent",
            one_of(&["CREATED"]).about("Clients of other services look for it."),
        ),
        ("Recipient", object(recipient_members()).about("A recipient of a send.")),
        (
            "SentMessage",
            joined(of_message(), sent).about("A message that was accepted."),
        ),
        (
            "Estimate",
            joined(of_message(), estimate).about("What a send would cost."),
        ),
    ]
}
