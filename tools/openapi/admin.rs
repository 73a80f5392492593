//! What operators see of accounts, keys, plans and dead letters.

use peyk::account::chunk::dead_letters::Kind;
use peyk::base::ports::MAX_INTEGER;
use serde_json::json;

use super::schema::{
    Member, Named, Schema, any_text, count, cut, day, flag, formed, id, integer, line, list, must, named, number,
    object, one_of, text, time,
};
use super::sms::recipient_members;

fn accounts() -> Vec<Named> {
    let members = || {
        vec![
            must("id", id()),
            must("username", any_text().like("shop")),
            must("fullName", any_text().like("A Shop")),
            must("status", named("AccountStatus")),
            must(
                "sendingEnabled",
                flag().about("Whether the account may send.").like(true),
            ),
            must(
                "plan",
                object([
                    must("slug", any_text().like("default")),
                    must("title", any_text().like("Default")),
                ]),
            ),
            must(
                "defaultLine",
                line().or_null().about("The line of sends that name none."),
            ),
            must("wallet", named("Wallet")),
            must("createdAt", time()),
        ]
    };
    let storage = object([
        must(
            "bytes",
            integer(0, MAX_INTEGER)
                .about("How large the account's object is.")
                .like(122_880),
        ),
        must(
            "maxBytes",
            integer(1, MAX_INTEGER)
                .about("From which size on it takes no messages.")
                .like(8_589_934_592_i64),
        ),
    ]);
    let own = [must("rateLimit", named("RateLimit")), must("storage", storage)];
    let restored = object([
        must("account", id()),
        must("restoredAt", time().about("When the object was ready again.")),
        must("walletBefore", named("Wallet").about("The wallet as it was before.")),
        must(
            "walletAfter",
            named("Wallet").about("The wallet as it was at that time."),
        ),
        must(
            "inDoubt",
            count().about("Recipients that have not ended and may have the message: they are `UNKNOWN`."),
        ),
        must(
            "canceled",
            count().about("Recipients that were to get a message later."),
        ),
        must(
            "undo",
            any_text()
                .about("What takes the restore back, as `at` of another one.")
                .like("0000007b-0000b26e-00001538-0c3e87bb37b3db5cc52eedb93cd3b96b"),
        ),
    ]);
    vec![
        ("Restored", restored.about("What a restore has changed.")),
        (
            "AccountSummary",
            object(members()).about("An account, with the status and balance of the mirror."),
        ),
        (
            "Account",
            object(members().into_iter().chain(own)).about("An account, with its true status and balance."),
        ),
        (
            "Credited",
            object([must("wallet", named("Wallet"))]).about("The wallet afterwards."),
        ),
    ]
}

fn key_members() -> Vec<Member> {
    vec![
        must("id", id()),
        must("title", any_text().like("main")),
        must("scopes", list(named("Scope"), 0, 9)),
        must("createdAt", time()),
        must("expiresAt", time().or_null()),
        must("revokedAt", time().or_null()),
        must("replacedBy", id().or_null().about("The key that has replaced it.")),
        must(
            "lastUsedOn",
            day()
                .or_null()
                .about("The last day (UTC) on which a request came with it; `null`: none has."),
        ),
    ]
}

fn account_key() -> Vec<Member> {
    let mut members = key_members();
    members.extend([
        must(
            "mode",
            one_of(&["live", "test"]).about("Sends of test keys cost nothing and reach no carrier."),
        ),
        must(
            "lines",
            list(text(32).like("10001"), 0, 100)
                .or_null()
                .about("The lines that the key may send from; `null`: all of the account."),
        ),
    ]);
    members
}

fn secret() -> Member {
    must(
        "key",
        any_text()
            .about("The key. It is answered this one time.")
            .like("peyk_live_0123456789abcdefghijABCDEFGHIJKL0a1b2c"),
    )
}

fn replaces() -> Member {
    must(
        "replaces",
        object([must("id", id()), must("expiresAt", time().or_null())]).about("The old key, and when it ends."),
    )
}

fn keys() -> Vec<Named> {
    let current = must("current", flag().about("Whether it is the key of the request."));
    let joined = |members: Vec<Member>, more: Vec<Member>| object(members.into_iter().chain(more));
    vec![
        (
            "OwnKey",
            joined(account_key(), vec![current]).about("A key of the account."),
        ),
        ("Key", object(account_key()).about("A key of an account.")),
        (
            "IssuedKey",
            joined(account_key(), vec![secret()]).about("A key that was just issued."),
        ),
        (
            "RotatedKey",
            joined(account_key(), vec![secret(), replaces()]).about("A key that has replaced another."),
        ),
        ("OperatorKey", object(key_members()).about("A key of an operator.")),
        (
            "IssuedOperatorKey",
            joined(key_members(), vec![secret()]).about("A key that was just issued."),
        ),
        (
            "RotatedOperatorKey",
            joined(key_members(), vec![secret(), replaces()]).about("A key that has replaced another."),
        ),
    ]
}

fn plans() -> Vec<Named> {
    let slug = || formed(64, "^[A-Za-z0-9_-]{1,64}$").like("default");
    let title = || text(200).like("Default");
    let price = || integer(0, 10_000_000).about("The price of one part.").like(1_000);
    let refunds =
        || list(one_of(&["UNDELIVERED", "EXPIRED"]), 0, 2).about("The endings for which the money is given back.");
    let tariff = object([must("slug", slug()), must("title", title()), must("price", price())]);
    let plan = object([
        must("slug", slug()),
        must("title", title()),
        must("tariff", tariff),
        must("refunds", refunds()),
    ]);
    vec![("Plan", plan.about("A plan."))]
}

fn of_messages() -> Vec<Named> {
    let mut recipient = recipient_members();
    recipient.extend([
        must("updatedAt", time()),
        must(
            "carrier",
            any_text().or_null().about("The carrier that has it.").like("sandbox"),
        ),
        must(
            "error",
            Schema(json!({"anyOf": [named("DeliveryError").0, {"type": "null"}]})).like(serde_json::Value::Null),
        ),
        must(
            "errorCode",
            any_text()
                .or_null()
                .about("The carrier's own code of the error.")
                .like(serde_json::Value::Null),
        ),
    ]);
    let handed = object([
        must("uid", super::sms::recipient_uid()),
        must("recipient", number()),
        must("message", any_text().like("Your code is 1234.")),
        cut(),
        must("taken", count().about("How often the sandbox has taken it.").like(1)),
        must(
            "refused",
            count().about("How often the sandbox has refused it.").like(0),
        ),
        must("handedAt", time()),
    ]);
    let letter = object([
        must("id", integer(0, MAX_INTEGER).like(7)),
        must(
            "kind",
            one_of(&[Kind::GivenUp, Kind::Stalled].map(Kind::as_str))
                .about("`STUCK`: it has waited for a carrier for an hour. It can be retried."),
        ),
        must("account", id().about("The account's id.")),
        must("message", id().about("The message's uid.")),
        must(
            "carrier",
            any_text()
                .about("The carrier that had it last; empty if none had.")
                .like("sandbox"),
        ),
        must(
            "recipients",
            count().about("How many recipients were given up, or wait."),
        ),
        must("attempts", count().about("How often it was handed over.")),
        must("reason", any_text().about("Why.").like("no carrier took it in time")),
        must("createdAt", time()),
    ]);
    vec![
        (
            "OperatorsRecipient",
            object(recipient).about("A recipient with its carrier."),
        ),
        ("SandboxItem", handed.about("What the sandbox was handed.")),
        (
            "DeadLetter",
            letter.about("A part of a message that was given up or is stuck."),
        ),
    ]
}

/// All schemas.
pub fn schemas() -> Vec<Named> {
    [accounts(), keys(), plans(), of_messages()]
        .into_iter()
        .flatten()
        .collect()
}
