//! Messages, recipients, and messages from phones.

use peyk::account::message::status::RecipientStatus;
use serde_json::{Map, Value, json};

use super::schema::{
    Member, Named, Schema, any_text, count, cut, encoding, flag, id, integer, line, list, may, money, must, named,
    number, object, parts, time, unit,
};
use super::sms::recipient_members;

/// The members of a message that all answers have.
fn members() -> Vec<Member> {
    vec![
        must("uid", id().about("The message's uid.")),
        must("status", named("MessageStatus")),
        must("type", named("MessageType")),
        must("test", flag().about("Whether a test key has sent it.")),
        must("sourceNumber", line().about("The line that it is sent from.")),
        must(
            "message",
            any_text()
                .or_null()
                .about("The text. `null` for a bulk send.")
                .like("Your code is 1234."),
        ),
        cut(),
        must("encoding", encoding()),
        must("parts", parts()),
        must("recipientCount", count().about("How many recipients it has.")),
        must(
            "cost",
            money().about("The price of all recipients together.").like(1_000),
        ),
        must("unit", unit()),
        must(
            "clientRef",
            any_text().or_null().about("Your own reference.").like("order-7"),
        ),
        must(
            "sendAt",
            time().or_null().about("When it is to be sent. `null`: at once."),
        ),
        must("createdAt", time()),
    ]
}

fn recipient() -> Schema {
    let mut members = recipient_members();
    members.extend([
        must("updatedAt", time().about("When its status has changed.")),
        may("error", named("DeliveryError")),
        may(
            "message",
            any_text()
                .about("The recipient's own text, if it has one.")
                .like("Your code is 1234."),
        ),
        cut(),
        may("encoding", encoding()),
        may("parts", parts()),
    ]);
    object(members).about("A recipient. `message`, `encoding` and `parts` are there if it has a text of its own.")
}

fn counts() -> Schema {
    let names = RecipientStatus::ALL.map(RecipientStatus::as_str);
    let properties: Map<String, Value> = names
        .iter()
        .map(|name| ((*name).to_owned(), integer(1, 4_294_967_295).0))
        .collect();
    let counts = Schema(json!({"type": "object", "properties": properties}));
    counts
        .about("How many recipients have which status. A status that none has is left out.")
        .like(json!({"DELIVERED": 1}))
}

fn detail() -> Schema {
    let own = [
        must("counts", counts()),
        must(
            "recipients",
            list(named("RecipientState"), 0, 100).about("The first 100 recipients."),
        ),
    ];
    object(members().into_iter().chain(own)).about("A message with its counts and its first recipients.")
}

fn inbound() -> Schema {
    object([
        must(
            "id",
            any_text()
                .about("Its id. The webhook event `message.received` has the same.")
                .like("019b796d-a000-7000-8000-000000000000"),
        ),
        must("line", line().about("The line that it was sent to.")),
        must(
            "from",
            any_text()
                .about("The sender: a number in E.164, or a short number or a name.")
                .like("+989121234567"),
        ),
        must(
            "text",
            any_text()
                .about("The text. At most 10,000 characters; what goes beyond is not kept.")
                .like("لغو"),
        ),
        cut(),
        must("receivedAt", time()),
        must(
            "optOut",
            flag().about("Whether it has put its sender on the blacklist."),
        ),
    ])
    .about("A message that a phone has sent.")
}

fn blocked() -> Schema {
    object([
        must("number", number()),
        must(
            "optOut",
            flag().about("Whether the owner of the number has put it there, by a reply."),
        ),
        must("createdAt", time()),
    ])
    .about("A number on the blacklist.")
}

/// All schemas.
pub fn schemas() -> Vec<Named> {
    let changed = |name: &'static str| {
        object([
            must(name, count()),
            must("unchanged", count().about("How many numbers were so already.")),
        ])
    };
    vec![
        ("Message", object(members()).about("A message.")),
        ("MessageDetail", detail()),
        ("RecipientState", recipient()),
        ("InboundMessage", inbound()),
        ("BlockedNumber", blocked()),
        (
            "AddedNumbers",
            changed("added").about("What has become of the numbers."),
        ),
        (
            "RemovedNumbers",
            changed("removed").about("What has become of the numbers."),
        ),
    ]
}
