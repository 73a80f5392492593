//! What operators see of accounts, keys, plans and dead letters.

use peyk::account::chunk::dead_letters::Kind;
use peyk::account::limiter::Limit;
use peyk::base::ports::MAX_INTEGER;
use serde_json::json;

use super::schema::{
    Member, Named, Schema, absent, any_text, can, count, cut, day, flag, formed, id, integer, line, list, must, named,
    number, object, one_of, text, time, time_to_come,
};
use super::sms::recipient_members;

fn limit() -> Schema {
    object([
        must(
            "limit",
            integer(1, Limit::MAX_LIMIT.into())
                .about("How many tokens the account gets in a window.")
                .like(1_200),
        ),
        must(
            "windowSeconds",
            integer(1, Limit::MAX_WINDOW_S.into())
                .about("How long a window is.")
                .like(60),
        ),
        must(
            "burst",
            integer(1, Limit::MAX_BURST.into())
                .about("How many tokens it can save up.")
                .like(300),
        ),
    ])
    .about("A rate limit.")
}

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
    let new = object([
        must(
            "username",
            formed(64, "^[A-Za-z0-9._@-]{3,64}$")
                .with("minLength", 3)
                .with("not", json!({"const": "operator"}))
                .about("A name that no other account has.")
                .like("shop"),
        ),
        must("fullName", text(200).like("A Shop")),
        can("plan", text(64).about("The slug of a plan.").like("default")),
    ]);
    let change = object([
        can("status", one_of(&["ACTIVE", "INACTIVE"])),
        can("sendingEnabled", flag()),
        can("rateLimit", named("RateLimit")),
        can("plan", text(64).about("The slug of a plan.").like("default")),
        can(
            "defaultLine",
            text(32)
                .about("A line that the account may use; `null` takes the default line away.")
                .like("10001"),
        ),
        can("fullName", text(200).like("A Shop")),
    ]);
    let amount = integer(-MAX_INTEGER, MAX_INTEGER).with("not", json!({"const": 0}));
    let credit = object([
        must(
            "amount",
            amount.about("What to add; below zero to take out.").like(100_000),
        ),
        can("note", text(500).about("What it is for.").like("invoice 12")),
    ]);
    let restore = object([
        must(
            "at",
            text(200)
                .about("A time of the last 30 days (RFC 3339), or the `undo` of an earlier restore.")
                .like("2026-01-01T12:00:00Z"),
        ),
        must(
            "reason",
            text(500).about("Why.").like("a script has sent to the wrong numbers"),
        ),
    ]);
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
        ("NewRestore", restore.about("A time to go back to.")),
        ("Restored", restored.about("What a restore has changed.")),
        ("RateLimit", limit()),
        ("NewAccount", new.about("An account to create.")),
        ("AccountChange", change.about("What to change. What is left out stays.")),
        (
            "AccountSummary",
            object(members()).about("An account, with the status and balance of the mirror."),
        ),
        (
            "Account",
            object(members().into_iter().chain(own)).about("An account, with its true status and balance."),
        ),
        ("Credit", credit.about("Money for a wallet.")),
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
    let title = || must("title", text(200).about("What the key is for.").like("main"));
    let end = || can("expiresAt", time_to_come().about("When the key ends."));
    let new = object([
        title(),
        can(
            "scopes",
            list(named("AccountScope"), 0, 9).about("What the key may do; all if left out."),
        ),
        end(),
        can(
            "lines",
            list(formed(32, r"^[\x21-\x7E]+$").like("10001"), 0, 100).about("The lines that it may send from."),
        ),
        can("mode", one_of(&["live", "test"])),
        can(
            "key",
            formed(512, r"^[\x21-\x7E]{16,512}$")
                .with("minLength", 16)
                .about("A key of another service, to go on with. Left out: Peyk makes one.")
                .like("2|0123456789abcdefghijABCDEFGHIJKL"),
        ),
    ]);
    let own = object([
        title(),
        can(
            "scopes",
            list(named("AccountScope"), 0, 9).about("What the key may do, of what the key of the request may."),
        ),
        end(),
        can(
            "lines",
            list(formed(32, r"^[\x21-\x7E]+$").like("10001"), 0, 100)
                .about("The lines that it may send from, of those that the key of the request may."),
        ),
        can(
            "mode",
            one_of(&["live", "test"]).about("A test key can issue test keys only."),
        ),
        absent("key", true),
    ]);
    let current = must("current", flag().about("Whether it is the key of the request."));
    let only_admin = can("scopes", list(one_of(&["admin"]), 1, 9));
    let of_operator = object([
        title(),
        end(),
        only_admin,
        absent("mode", true),
        absent("lines", true),
        absent("key", true),
    ]);
    let grace = |min| {
        can(
            "graceSeconds",
            integer(min, 2_592_000)
                .with("default", 86_400)
                .about("How long the old key works on, up to 30 days.")
                .like(86_400),
        )
    };
    let joined = |members: Vec<Member>, more: Vec<Member>| object(members.into_iter().chain(more));
    vec![
        (
            "NewKey",
            new.about("A key to issue.")
                .like(json!({"title": "main", "scopes": ["sms:send", "sms:read"]})),
        ),
        (
            "NewOperatorKey",
            of_operator
                .about("A key for an operator.")
                .like(json!({"title": "Sara"})),
        ),
        (
            "Rotation",
            object([grace(0)]).about("How long the old key works on. For the key of the request itself at least 60."),
        ),
        (
            "NewOwnKey",
            own.about("A key to issue.")
                .like(json!({"title": "web shop", "scopes": ["sms:send"]})),
        ),
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
    let tariff_change = object([can("slug", slug()), can("title", title()), can("price", price())]);
    let new = object([
        must("slug", slug()),
        must("title", title()),
        must("tariff", tariff.clone()),
        can("refunds", refunds()),
    ]);
    let change = object([
        can("title", title()),
        can("tariff", tariff_change),
        can("refunds", refunds()),
    ]);
    let plan = object([
        must("slug", slug()),
        must("title", title()),
        must("tariff", tariff),
        must("refunds", refunds()),
    ]);
    vec![
        ("NewPlan", new.about("A plan to create.")),
        ("PlanChange", change.about("What to change. What is left out stays.")),
        ("Plan", plan.about("A plan.")),
    ]
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
