//! All objects of bodies, as `openapi.json` describes them. Each is declared beside its handler by [`body!`](crate::body).

use serde_json::{Value, json};

use super::console::{links, passkeys, sign_in};
use super::customer::pattern::{self, parse as version};
use super::customer::phonebook::{self, entry, numbers};
use super::customer::{
    blacklist, find, inbound, members, own_keys, send::parse as send, verify::parse as verify,
    webhook::parse as webhook,
};
use super::http::json_fields::Body;
use super::http::json_schema::{Named, Schema, absent, must, named, object, one_of_named};
use super::operator::{
    accounts, credits, find_key, keys, line_inbound, line_routes, lines, members as operators, operator_keys, plans,
    restore, sending,
};
use super::shared::{
    destinations, erasures, keys as shared_keys, links as shared_links, low_balance, members as shared_members,
};

fn of<B: Body>() -> Named {
    (B::NAME, B::schema())
}

fn any_of(names: [&str; 2]) -> Schema {
    Schema(json!({"anyOf": names.map(|name| named(name).0)}))
}

/// A number alone, which the document tells from a list of numbers.
fn one_number() -> Schema {
    let members = entry::NewNumber::members().into_iter().chain([absent("numbers", true)]);
    object(members)
        .about("A number to add.")
        .like(json!({"number": "09121234567", "name": "Ali", "attributes": {"city": "Tehran"}}))
}

/// The send to estimate, under the name of its kind.
fn estimates() -> Vec<Named> {
    let bulk = json!({"messages": [send::BulkText::schema().example()]});
    let kinds = [
        ("send", "SendSms", "EstimateOfSend", send::SendSms::schema().example()),
        (
            "pattern",
            "SendPattern",
            "EstimateOfPattern",
            send::PatternToOne::schema().example(),
        ),
        (
            "phonebook",
            "SendToPhonebook",
            "EstimateOfPhonebook",
            send::TextToPhonebook::schema().example(),
        ),
        ("bulk", "SendBulk", "EstimateOfBulk", bulk),
    ];
    let names = kinds.each_ref().map(|(name, ..)| *name);
    let of_kind = |(name, send, own, example): (&'static str, &str, &'static str, Value)| {
        let others = names.into_iter().filter(|other| *other != name);
        let members = others.map(|other| absent(other, false));
        (
            own,
            object([must(name, named(send))].into_iter().chain(members)).like(json!({name: example})),
        )
    };
    let own = kinds.each_ref().map(|(_, _, own, _)| *own);
    let either = one_of_named(&own).about("The send to estimate, under the name of its kind.");
    kinds
        .into_iter()
        .map(of_kind)
        .chain([("EstimateSend", either)])
        .collect()
}

/// The schemas of all bodies, and of the objects in them that have a name.
pub fn schemas() -> Vec<Named> {
    let mut schemas = estimates();
    schemas.extend([
        of::<accounts::NewAccount>(),
        of::<accounts::AccountChange>(),
        of::<accounts::NewRecipientLimit>(),
        of::<accounts::RateLimit>(),
        of::<blacklist::Numbers>(),
        of::<credits::Credit>(),
        of::<destinations::NewPriceTo>(),
        of::<entry::NewNumber>(),
        of::<entry::NumberChange>(),
        of::<erasures::NewErasure>(),
        of::<find::RecipientsByReference>(),
        of::<find::RecipientsByUid>(),
        of::<inbound::InboundToTake>(),
        of::<find_key::KeyToFind>(),
        of::<keys::NewKey>(),
        of::<line_inbound::NewLineInbound>(),
        of::<line_routes::NewRoute>(),
        of::<line_routes::Share>(),
        of::<lines::LineChange>(),
        of::<lines::LineChangeWithRoutes>(),
        of::<lines::NewLineOfCarrier>(),
        of::<lines::NewLineWithRoutes>(),
        of::<links::LinkCode>(),
        of::<shared_links::NewLink>(),
        of::<low_balance::NewLowBalance>(),
        of::<members::AccountMemberChange>(),
        of::<members::NewSignInRule>(),
        of::<passkeys::NewPasskey>(),
        of::<passkeys::PasskeyChange>(),
        of::<passkeys::PasskeySignIn>(),
        of::<shared_members::NewAccountMember>(),
        of::<numbers::ManyNumbers>(),
        of::<operator_keys::NewOperatorKey>(),
        of::<operators::NewOperatorMember>(),
        of::<operators::OperatorMemberChange>(),
        of::<own_keys::NewOwnKey>(),
        of::<pattern::PatternChange>(),
        of::<pattern::PatternWithVersion>(),
        of::<pattern::PatternWithoutVersion>(),
        of::<phonebook::NewPhonebook>(),
        of::<phonebook::PhonebookChange>(),
        of::<phonebook::PhonebookChangeById>(),
        of::<plans::NewPlan>(),
        of::<plans::PlanChange>(),
        of::<restore::NewRestore>(),
        of::<send::BulkPattern>(),
        of::<send::BulkText>(),
        of::<send::PatternToMany>(),
        of::<send::PatternToOne>(),
        of::<send::SendBulk>(),
        of::<send::SendSms>(),
        of::<send::TextToPhonebook>(),
        of::<send::TextToPhonebooks>(),
        of::<sending::NewSending>(),
        of::<shared_keys::Rotation>(),
        of::<sign_in::AccountChoice>(),
        of::<sign_in::NewSignIn>(),
        of::<sign_in::SignInCode>(),
        of::<verify::CodeOfId>(),
        of::<verify::CodeOfRecipient>(),
        of::<verify::NewVerification>(),
        of::<verify::VerifyContext>(),
        of::<version::NewChoice>(),
        of::<version::NewFreeVariable>(),
        of::<version::NewPatternVersion>(),
        of::<webhook::NewEndpoint>(),
        of::<webhook::EndpointChange>(),
        ("OneNumber", one_number()),
        ("AddNumbers", one_of_named(&["OneNumber", "ManyNumbers"])),
        (
            "AnyLineChange",
            any_of(["LineChange", "LineChangeWithRoutes"]).about("What to change. What is left out stays."),
        ),
        (
            "NewLine",
            any_of(["NewLineOfCarrier", "NewLineWithRoutes"]).about("A line to create."),
        ),
        (
            "NewPattern",
            one_of_named(&["PatternWithVersion", "PatternWithoutVersion"])
                .about("A pattern to create. Peyk makes a slug if there is none."),
        ),
        (
            "NewVariable",
            any_of(["NewFreeVariable", "NewChoice"]).about("A variable of the text."),
        ),
        (
            "BulkItem",
            one_of_named(&["BulkText", "BulkPattern"]).about("A text or a pattern for one number."),
        ),
        (
            "SendPattern",
            one_of_named(&["PatternToOne", "PatternToMany"]).about("A send of a pattern, filled in once."),
        ),
        (
            "SendToPhonebook",
            one_of_named(&["TextToPhonebook", "TextToPhonebooks"])
                .about("A send of one text to phonebooks, filled in for each number."),
        ),
        (
            "RecipientsToFind",
            one_of_named(&["RecipientsByUid", "RecipientsByReference"]).about("Recipients to find."),
        ),
        (
            "CheckVerification",
            one_of_named(&["CodeOfId", "CodeOfRecipient"]).about("A code that a person has typed."),
        ),
    ]);
    schemas
}
