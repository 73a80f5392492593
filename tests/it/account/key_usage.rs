//! Usage by key: who has sent what the account has sent, to the last rial.

use serde_json::{Value, json};

use crate::support::{Account, World, time::DAY_MS, time::HOUR_MS, time::MINUTE_MS};

const SUMS: [&str; 5] = ["messages", "recipients", "parts", "cost", "returned"];

/// The days of the account. Over all keys, each is what the account has sent.
fn days(world: &World, shop: &Account) -> Vec<Value> {
    let days = world.all(&shop.key, "/account/usage?limit=1");
    for day in &days {
        for mode in ["live", "test"] {
            for sum in SUMS {
                let of_keys = day["keys"].as_array().unwrap().iter();
                let of_keys: i64 = of_keys.map(|key| key[mode][sum].as_i64().unwrap()).sum();
                assert_eq!(json!(of_keys), day[mode][sum], "{mode} {sum} of {}", day["date"]);
            }
        }
    }
    days
}

/// Who has sent: by what, the title of the key, and the messages and their cost, live and test.
type OfSender = (String, Option<String>, [i64; 2], [i64; 2]);

/// The keys of the newest day, without their ids.
fn keys(world: &World, shop: &Account) -> Vec<OfSender> {
    let days = days(world, shop);
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let of = |sums: &Value| ["messages", "cost"].map(|sum| sums[sum].as_i64().unwrap());
    let keys = days[0]["keys"].as_array().unwrap().iter();
    keys.map(|key| {
        (
            text(&key["by"]).unwrap(),
            text(&key["title"]),
            of(&key["live"]),
            of(&key["test"]),
        )
    })
    .collect()
}

fn granted(world: &World, shop: &Account, title: &str, mode: &str) -> (String, String) {
    let new = json!({"title": title, "scopes": ["sms:send", "sms:read", "account:read", "keys"], "mode": mode});
    let made = world.grant(shop, new);
    (made.text("/data/key"), made.text("/data/id"))
}

fn title_of(world: &World, shop: &Account, id: &str) -> Option<String> {
    let keys = world.all(&world.admin_key, &format!("{}?limit=200", shop.path("/keys")));
    let own = keys.iter().find(|key| key["id"] == *id);
    own.map(|key| key["title"].as_str().unwrap().to_owned())
}

#[test]
fn each_key_has_what_it_has_sent_and_together_they_have_all() {
    let (world, shop) = World::with_account(100_000);
    let first = title_of(&world, &shop, &shop.key_id);
    let (till, till_id) = granted(&world, &shop, "till", "live");
    let (tests, _) = granted(&world, &shop, "tests", "test");
    world.send(&shop.key, &["09121234567", "09121234568"]).expect(201);
    world.send(&till, &["09121234567"]).expect(201);
    world.send(&till, &["09121234569"]).expect(201);
    world.send(&tests, &["09121234567"]).expect(201);
    world.send(&shop.key, &["no number"]).problem(422, 422);
    world.settle(MINUTE_MS);
    let none = [0, 0];
    let wanted = [
        ("KEY".to_owned(), first, [1, 2_000], none),
        ("KEY".to_owned(), Some("till".to_owned()), [2, 2_000], none),
        ("KEY".to_owned(), Some("tests".to_owned()), none, [1, 0]),
    ];
    assert_eq!(keys(&world, &shop), wanted);
    let days = days(&world, &shop);
    assert_eq!(days[0]["keys"][1]["key"], till_id);
    // They are the same on the next day, when others begin.
    world.settle(DAY_MS);
    world.send(&till, &["09121234567"]).expect(201);
    let till_alone = [("KEY".to_owned(), Some("till".to_owned()), [1, 1_000], none)];
    assert_eq!(keys(&world, &shop), till_alone);
    assert_eq!(self::days(&world, &shop)[1], days[0]);
}

#[test]
fn what_is_sent_in_the_console_has_a_row_of_its_own_whoever_has_signed_in() {
    let (world, shop) = World::with_account(100_000);
    let (till, _) = granted(&world, &shop, "till", "live");
    for key in [&shop.key, &till] {
        let session = world.signed_in(key);
        let body = json!({"message": "hello", "recipients": ["09121234567"]});
        world
            .request("POST", "/sms/send")
            .session(&session)
            .json(body)
            .send()
            .expect(201);
    }
    world.send(&till, &["09121234567"]).expect(201);
    let wanted = [
        ("CONSOLE".to_owned(), None, [2, 2_000], [0, 0]),
        ("KEY".to_owned(), Some("till".to_owned()), [1, 1_000], [0, 0]),
    ];
    assert_eq!(keys(&world, &shop), wanted);
    assert_eq!(days(&world, &shop)[0]["keys"][0]["key"], json!(null));
}

#[test]
fn money_that_comes_back_comes_back_to_the_key_and_the_day_of_its_message() {
    let (world, shop) = World::with_account(100_000);
    let (till, _) = granted(&world, &shop, "till", "live");
    let later = peyk::base::time::to_rfc3339(world.now_ms.get() + 2 * DAY_MS);
    let body = json!({"message": "hello", "recipients": ["09121234567", "09121234568"], "sendAt": later});
    let sent = world.post(&till, "/sms/send", body).expect(201);
    world.settle(DAY_MS + HOUR_MS);
    world.send(&shop.key, &["09121234567"]).expect(201);
    let path = format!("/messages/{}", sent.text("/data/uid"));
    world.ask("DELETE", &shop.key, &path).send().expect(200);
    let days = days(&world, &shop);
    let returned = |day: usize| days[day]["keys"][0]["live"]["returned"].clone();
    assert_eq!((returned(0), returned(1)), (json!(0), json!(2_000)));
    assert_eq!(days[1]["keys"][0]["title"], "till");
}

#[test]
fn a_key_that_is_gone_keeps_its_row_with_its_name() {
    let (world, shop) = World::with_account(100_000);
    let (till, id) = granted(&world, &shop, "till", "live");
    world.send(&till, &["09121234567"]).expect(201);
    let before = days(&world, &shop);
    world
        .ask("DELETE", &shop.key, &format!("/keys/{id}"))
        .send()
        .expect(204);
    world.settle(40 * DAY_MS);
    assert_eq!(title_of(&world, &shop, &id), None, "the object has forgotten it");
    assert_eq!(days(&world, &shop)[0]["keys"], before[0]["keys"]);
    assert_eq!(before[0]["keys"][0]["title"], "till");
}

#[test]
fn what_was_sent_before_keys_were_counted_is_of_no_key() {
    let (world, shop) = World::with_account(100_000);
    world.send(&shop.key, &["09121234567"]).expect(201);
    world.settle(MINUTE_MS);
    // As the version before has left it.
    let sql = world.sql(&shop.id);
    sql.run("UPDATE account SET key_usage = '[]'");
    sql.run("UPDATE chunk SET sender = NULL");
    for table in ["sender", "key_usage"] {
        sql.run(&format!("DELETE FROM {table}"));
    }
    assert_eq!(keys(&world, &shop), [("OTHER".to_owned(), None, [1, 1_000], [0, 0])]);
    world.send(&shop.key, &["09121234567"]).expect(201);
    let first = title_of(&world, &shop, &shop.key_id);
    let wanted = [
        ("KEY".to_owned(), first, [1, 1_000], [0, 0]),
        ("OTHER".to_owned(), None, [1, 1_000], [0, 0]),
    ];
    assert_eq!(keys(&world, &shop), wanted);
}

#[test]
fn a_key_is_entered_once_and_a_day_has_a_row_for_each_that_sends() {
    let (world, shop) = World::with_account(10_000_000);
    let keys: Vec<String> = (0..40)
        .map(|index| granted(&world, &shop, &format!("till {index}"), "live").0)
        .collect();
    for key in keys.iter().chain(&keys) {
        world.send(key, &["09121234567"]).expect(201);
    }
    let sql = world.sql(&shop.id);
    assert_eq!(sql.count("sender"), 40);
    assert_eq!(days(&world, &shop)[0]["keys"].as_array().unwrap().len(), 40);
    assert_eq!(sql.count("key_usage"), 40);
}
