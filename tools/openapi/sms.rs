//! Sends and estimates.

use serde_json::json;

use super::schema::{
    Member, Named, Schema, absent, any_list, any_text, can, count, encoding, formed, id, line, list, may, money, must,
    named, number, object, one_of, parts, text, time, time_to_come, unit, written_number,
};

const UID: &str = "019b796d-a000-7000-8000-000000000000";
/// The setting `MAX_RECIPIENTS`, unless the operator changes it.
const MAX_RECIPIENTS: usize = 1_000;
/// No text of ten parts, the setting `MAX_PARTS`, has more characters.
const MAX_TEXT: usize = 1_530;

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

/// The members of all sends, besides what to send to whom.
fn common() -> Vec<Member> {
    vec![
        can(
            "sourceNumber",
            any_text()
                .with("maxLength", 32)
                .about("The line to send from. Left out or empty: the account's default line.")
                .like("10001"),
        ),
        can(
            "sendAt",
            time_to_come().about("When to send, at most 90 days ahead. Left out: at once."),
        ),
        can(
            "clientRef",
            text(64)
                .about("A reference of your own. `GET /messages` finds the message by it.")
                .like("order-7"),
        ),
    ]
}

fn message() -> Schema {
    text(MAX_TEXT)
        .about("The text. It may have 10 parts, unless the operator has set another number.")
        .like("Your code is 1234.")
}

fn recipients() -> Schema {
    list(written_number(), 1, MAX_RECIPIENTS).about(
        "The numbers, up to 1,000 unless the operator has set another number. A number that comes twice counts once.",
    )
}

fn pattern() -> Member {
    must("pattern", text(64).about("The slug of the pattern.").like("login"))
}

fn variables() -> Member {
    let values = json!({"type": "object", "additionalProperties": {"type": ["string", "number", "null"]},
        "examples": [{"OTP": "1234"}]});
    let none = json!({"type": "array", "maxItems": 0, "items": {}, "description": "PHP writes an empty object so."});
    let either = Schema(json!({"anyOf": [values, none, {"type": "null"}]}));
    may(
        "variables",
        either
            .about("The values of the pattern's variables, by their names.")
            .like(json!({"OTP": "1234"})),
    )
}

fn with(own: Vec<Member>, more: Vec<Member>) -> Schema {
    object(own.into_iter().chain(more))
}

fn either(about: &str, variants: Vec<Schema>) -> Schema {
    let variants: Vec<_> = variants.into_iter().map(|variant| variant.0).collect();
    Schema(json!({"oneOf": variants})).about(about)
}

fn to_one(name: &'static str, schema: Schema) -> Member {
    must(name, schema)
}

fn send_pattern() -> Vec<Named> {
    let one = vec![
        pattern(),
        variables(),
        to_one("recipient", written_number()),
        absent("recipients", true),
    ];
    let many = vec![
        pattern(),
        variables(),
        to_one("recipients", recipients()),
        absent("recipient", true),
    ];
    vec![
        ("PatternToOne", with(one, common()).about("A pattern for one number.").like(
            json!({"pattern": "login", "variables": {"OTP": "1234"}, "recipient": "09121234567"}))),
        ("PatternToMany", with(many, common()).about("A pattern for several numbers, all with the same values.").like(
            json!({"pattern": "notice", "variables": {"DAY": "Monday"}, "recipients": ["09121234567", "09351234567"]}))),
        ("SendPattern", either("A send of a pattern, filled in once.", vec![named("PatternToOne"), named("PatternToMany")])),
    ]
}

fn send_to_phonebook() -> Vec<Named> {
    let id = || text(64).about("The id of a phonebook.").like(UID);
    let template = text(3_200).about(
        "The text. `%name%`, and `%…%` with the name of an attribute, stand for what the phonebook has for the number. At most 21 \
         different placeholders.").like("Hello %name%");
    let exclude = || {
        can(
            "exclude",
            list(written_number(), 0, 10_000).about("Numbers that get nothing."),
        )
    };
    let text = || must("message", template.clone());
    let one = vec![text(), must("phonebook", id()), absent("phonebooks", true), exclude()];
    let many = vec![
        text(),
        must("phonebooks", list(id(), 1, 20)),
        absent("phonebook", true),
        exclude(),
    ];
    vec![
        (
            "TextToPhonebook",
            with(one, common())
                .about("A text for a phonebook.")
                .like(json!({"message": "Hello %name%", "phonebook": UID})),
        ),
        (
            "TextToPhonebooks",
            with(many, common())
                .about("A text for several phonebooks.")
                .like(json!({"message": "Hello %name%", "phonebooks": [UID], "exclude": ["09121234567"]})),
        ),
        (
            "SendToPhonebook",
            either(
                "A send of one text to phonebooks, filled in for each number.",
                vec![named("TextToPhonebook"), named("TextToPhonebooks")],
            ),
        ),
    ]
}

fn send_bulk() -> Vec<Named> {
    let recipient = || must("recipient", written_number());
    let of_text = object([recipient(), must("message", message()), absent("pattern", true)]);
    let of_pattern = object([recipient(), pattern(), variables(), absent("message", true)]);
    let items = list(named("BulkItem"), 1, MAX_RECIPIENTS)
        .about("Up to 1,000 unless the operator has set another number. If several items name one number, the first one counts.");
    vec![
        (
            "BulkText",
            of_text
                .about("A text for one number.")
                .like(json!({"recipient": "09121234567", "message": "Your code is 1234."})),
        ),
        (
            "BulkPattern",
            of_pattern
                .about("A pattern for one number.")
                .like(json!({"recipient": "09351234567", "pattern": "login", "variables": {"OTP": "1234"}})),
        ),
        (
            "BulkItem",
            either(
                "A text or a pattern for one number.",
                vec![named("BulkText"), named("BulkPattern")],
            ),
        ),
        (
            "SendBulk",
            with(vec![must("messages", items)], common())
                .about("A send of texts, each to its own number.")
                .like(json!({
                "messages": [
                    {"recipient": "09121234567", "message": "Your code is 1234."},
                    {"recipient": "09351234567", "pattern": "login", "variables": {"OTP": "1234"}},
                ]})),
        ),
    ]
}

fn example_of(name: &str) -> serde_json::Value {
    let send = match name {
        "send" => json!({"message": "Your code is 1234.", "recipients": ["09121234567"]}),
        "pattern" => json!({"pattern": "login", "variables": {"OTP": "1234"}, "recipient": "09121234567"}),
        "phonebook" => json!({"message": "Hello %name%", "phonebook": UID}),
        _ => json!({"messages": [{"recipient": "09121234567", "message": "Your code is 1234."}]}),
    };
    json!({name: send})
}

fn estimates() -> Vec<Named> {
    let all = [
        ("send", "SendSms", "EstimateOfSend"),
        ("pattern", "SendPattern", "EstimateOfPattern"),
        ("phonebook", "SendToPhonebook", "EstimateOfPhonebook"),
        ("bulk", "SendBulk", "EstimateOfBulk"),
    ];
    let variants = all.map(|(name, send, own)| {
        let others = all.iter().filter(|(other, _, _)| *other != name);
        let others = others.map(|(other, _, _)| absent(other, false));
        (
            own,
            object([must(name, named(send))].into_iter().chain(others)).like(example_of(name)),
        )
    });
    let names = all.map(|(_, _, own)| named(own));
    let mut schemas = variants.to_vec();
    schemas.push((
        "EstimateSend",
        either("The send to estimate, under the name of its kind.", names.to_vec()),
    ));
    schemas
}

fn answers() -> Vec<Named> {
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
        ("Recipient", object(recipient_members()).about("A recipient of a send.")),
        (
            "SentMessage",
            with(of_message(), sent).about("A message that was accepted."),
        ),
        (
            "Estimate",
            with(of_message(), estimate).about("What a send would cost."),
        ),
    ]
}

/// All schemas.
pub fn schemas() -> Vec<Named> {
    let plain = vec![must("message", message()), must("recipients", recipients())];
    let mut schemas = vec![
        (
            "SendSms",
            with(plain, common())
                .about("A send of one text.")
                .like(json!({"message": "Your code is 1234.", "recipients": ["09121234567"]})),
        ),
        (
            "Sent",
            one_of(&["CREATED"]).about("Clients of other services look for it."),
        ),
    ];
    for more in [send_pattern(), send_to_phonebook(), send_bulk(), estimates(), answers()] {
        schemas.extend(more);
    }
    schemas
}
