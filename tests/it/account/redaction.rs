//! Secret values of patterns are redacted a day after their message has ended, in every place that has them.

use peyk::account::request::CLASS;
use serde_json::{Value, json};

use crate::support::{Account, World, time::DAY_MS};

const HOUR_MS: i64 = 60 * 60 * 1_000;
/// By then whatever ended at once is redacted.
const REDACTED_MS: i64 = DAY_MS + 3 * HOUR_MS;

/// A world with a pattern that has a secret variable and another one.
fn world() -> (World, Account) {
    let (world, shop) = World::with_busy_account(1_000_000_000);
    let body = json!({"slug": "login", "title": "Login", "text": "code %OTP% of %SHOP%: %OTP%",
        "variables": [{"name": "OTP", "secret": true}, {"name": "SHOP"}]});
    world.active_pattern(&shop.key, body);
    (world, shop)
}

fn code(number: u32) -> String {
    format!("code-{number:05}")
}

fn body(number: u32) -> Value {
    json!({"pattern": "login", "variables": {"OTP": code(number), "SHOP": "Peyk"}, "recipient": format!("0912{number:04}100")})
}

fn send(world: &World, key: &str, body: Value) -> String {
    world.posted(key, "/sms/pattern", body).text("/data/uid")
}

fn text(world: &World, shop: &Account, uid: &str) -> String {
    world.message(&shop.key, uid).text("/data/message")
}

#[track_caller]
fn assert_nowhere(world: &World, texts: &[&str]) {
    let places = world.places_of(texts);
    assert!(places.is_empty(), "{}", places.join("\n"));
}

#[test]
fn a_pattern_shows_which_variables_are_secret() {
    let (world, shop) = world();
    let variables = world.read(&shop.key, "/pattern/login").json["data"]["versions"][0]["variables"].clone();
    assert_eq!([&variables[0]["secret"], &variables[1]["secret"]], [true, false]);
    let choice = json!({"slug": "choice", "title": "C", "text": "%C%",
        "variables": [{"name": "C", "type": "ENUM", "values": ["a"], "secret": "yes"}]});
    let refused = world.post(&shop.key, "/pattern", choice).problem(422, 422);
    assert_eq!(refused.text("/errors/0/pointer"), "/variables/0/secret");
}

#[test]
fn a_secret_value_is_shown_for_a_day_after_the_message_has_ended_and_then_in_no_table() {
    let (world, shop) = world();
    let uid = send(&world, &shop.key, body(1));
    world.settle(DAY_MS - HOUR_MS);
    assert_eq!(text(&world, &shop, &uid), "code code-00001 of Peyk: code-00001");
    world.settle(REDACTED_MS - DAY_MS + HOUR_MS);
    assert_eq!(text(&world, &shop, &uid), "code •••• of Peyk: ••••");
    assert_nowhere(&world, &[&code(1)]);
    let message = world.message(&shop.key, &uid);
    assert_eq!(
        (message.text("/data/encoding"), message.int("/data/cost")),
        ("GSM7".to_owned(), 1_000)
    );
    assert_eq!(world.balance(&shop.key), (999_999_000, 0));
}

#[test]
fn the_sandbox_never_keeps_a_secret_value() {
    let (world, shop) = world();
    send(&world, &shop.key, body(1));
    // The first two handovers are refused.
    let hesitant =
        json!({"pattern": "login", "variables": {"OTP": code(2), "SHOP": "Peyk"}, "recipient": "09121234905"});
    let bulk = json!({"messages": [{"recipient": "09121234905", "pattern": "login", "variables": {"OTP": code(3), "SHOP": "Peyk"}},
        {"recipient": "09121234567", "message": "hello"}]});
    send(&world, &shop.key, hesitant);
    world.posted(&shop.key, "/sms/bulk", bulk);
    world.settle(10 * 60_000);
    let texts: Vec<String> = world.handed(&shop.id).into_iter().map(|(_, text)| text).collect();
    let redacted = "code •••• of Peyk: ••••";
    assert_eq!(texts, [redacted, redacted, redacted, "hello"]);
    let places = world.places_of(&[&code(1), &code(2), &code(3)]);
    assert!(
        places.iter().all(|place| place.starts_with(CLASS)),
        "{}",
        places.join("\n")
    );
}

#[test]
fn only_the_texts_of_patterns_change_in_a_bulk_and_their_form_is_that_of_the_whole_text() {
    let (world, shop) = world();
    let long = "x".repeat(90);
    let bulk = json!({"messages": [
        {"recipient": "09121234567", "message": "code-00001 is no secret here"},
        {"recipient": "09351234567", "pattern": "login", "variables": {"OTP": long, "SHOP": "Peyk"}},
    ]});
    let uid = world.posted(&shop.key, "/sms/bulk", bulk).text("/data/uid");
    world.settle(REDACTED_MS);
    let path = format!("/messages/{uid}/recipients");
    let recipients = world.read(&shop.key, &path);
    assert_eq!(recipients.text("/data/0/message"), "code-00001 is no secret here");
    assert_eq!(recipients.text("/data/1/message"), "code •••• of Peyk: ••••");
    assert_eq!(
        (recipients.text("/data/1/encoding"), recipients.int("/data/1/parts")),
        ("GSM7".to_owned(), 2)
    );
    assert_nowhere(&world, &[&long]);
}

#[test]
fn what_has_not_ended_keeps_its_values_and_keeps_no_other_message_from_being_redacted() {
    let (world, shop) = world();
    let at = |days: i64| peyk::base::time::to_rfc3339(world.now_ms.get() + days * DAY_MS);
    let with = |number, member: &str, value: Value| {
        let mut body = body(number);
        body[member] = value;
        body
    };
    let later = send(&world, &shop.key, with(1, "sendAt", json!(at(10))));
    // No answer and no report: it ends after three days.
    let unknown = send(&world, &shop.key, with(2, "recipient", json!("09121234904")));
    let ended = send(&world, &shop.key, body(3));
    let canceled = send(&world, &shop.key, with(4, "sendAt", json!(at(10))));
    world.delete(&shop.key, &format!("/messages/{canceled}")).expect(200);
    world.settle(REDACTED_MS);
    assert_nowhere(&world, &[&code(3), &code(4)]);
    assert!(text(&world, &shop, &ended).contains("••••"));
    assert!(text(&world, &shop, &later).contains(&code(1)));
    assert!(text(&world, &shop, &unknown).contains(&code(2)));
    world.settle(3 * DAY_MS);
    assert_nowhere(&world, &[&code(2)]);
    // It leaves with its value.
    world.settle(6 * DAY_MS);
    assert!(text(&world, &shop, &later).contains(&code(1)));
    world.settle(DAY_MS);
    assert_nowhere(&world, &[&code(1)]);
    assert_eq!(
        world.message(&shop.key, &later).text("/data/recipients/0/status"),
        "DELIVERED"
    );
}

#[test]
fn more_messages_than_one_alarm_redacts_are_all_redacted_with_those_of_test_keys() {
    let (world, shop) = world();
    let test = world
        .grant(&shop, json!({"title": "test", "mode": "test"}))
        .text("/data/key");
    let numbers: Vec<String> = (0..700).map(|number| format!("0935{number:04}100")).collect();
    for number in 0..1_100 {
        let key = if number % 3 == 0 { &test } else { &shop.key };
        match number % 50 {
            0 => {
                let mut many = body(number);
                many.as_object_mut().unwrap().remove("recipient");
                many["recipients"] = json!(numbers);
                send(&world, key, many);
            }
            1 => drop(world.send(key, &["09121234567"]).expect(201)),
            _ => drop(send(&world, key, body(number))),
        }
    }
    world.settle(REDACTED_MS);
    assert_nowhere(&world, &["code-0"]);
    let sql = world.sql(&shop.id);
    let walks = sql.walks(&["message", "recipient", "recipient_text", "chunk", "late_redaction"]);
    assert!(walks.is_empty(), "{}", walks.join("\n"));
    assert_eq!(world.count(&shop, "late_redaction"), 0);
    assert_eq!(world.number(&shop, "SELECT secret_first + secret_last FROM account"), 0);
}

#[test]
fn a_redaction_that_fails_half_way_is_done_again_whole() {
    let (world, shop) = world();
    let bulk = json!({"messages": [{"recipient": "09351234567", "pattern": "login", "variables": {"OTP": code(1), "SHOP": "Peyk"}}]});
    world.posted(&shop.key, "/sms/bulk", bulk);
    let uid = send(&world, &shop.key, body(2));
    world.settle(DAY_MS);
    world.sql(&shop.id).fail("UPDATE recipient_text", 3);
    world.settle(REDACTED_MS - DAY_MS);
    assert!(world.has_logged("redact secret values"));
    world.settle(HOUR_MS);
    assert_nowhere(&world, &[&code(1), &code(2)]);
    assert_eq!(text(&world, &shop, &uid), "code •••• of Peyk: ••••");
}

#[test]
fn a_repeat_of_a_send_after_its_text_is_redacted_is_a_new_send() {
    let (world, shop) = world();
    let first = world
        .post_once(&shop.key, "/sms/pattern", "order-7", body(1))
        .expect(201)
        .text("/data/uid");
    let second = world
        .post_once(&shop.key, "/sms/pattern", "order-7", body(1))
        .expect(201)
        .text("/data/uid");
    assert_eq!(first, second);
    world.settle(REDACTED_MS);
    assert_eq!(
        world.count(&shop, "chunk WHERE key_hash IS NOT NULL"),
        0,
        "a hash confirms a guess"
    );
    let third = world
        .post_once(&shop.key, "/sms/pattern", "order-7", body(1))
        .expect(201)
        .text("/data/uid");
    assert_ne!(first, third);
}

#[test]
fn an_account_without_secret_values_has_nothing_to_do_for_them() {
    let (world, shop) = World::with_busy_account(10_000);
    world.send(&shop.key, &["09121234567"]).expect(201);
    world.settle(3 * DAY_MS);
    let redactions = world
        .sql(&shop.id)
        .statements()
        .into_iter()
        .filter(|text| text.contains("SET text"));
    assert_eq!(redactions.count(), 0);
}
