//! An erasure takes a number out of all that an account has, but for keyed digests, and nothing else.

use peyk::base::ports::IncomingResponse;
use peyk::carrier::inbound::{self, InboundSms};
use serde_json::{Value, json};

use crate::support::{Account, World, life::Life, time::DAY_MS, to_end};

const NUMBER: &str = "09121234567";
const OTHER: &str = "09351234567";
/// What stands in each form of the number.
const DIGITS: [&str; 2] = ["9121234567", "۹۱۲۱۲۳۴۵۶۷"];
/// An order that nothing keeps from being done is done after this time, ms.
const DONE_MS: i64 = 2 * 60 * 60 * 1_000 + 60_000;

/// A world whose account has a key that may erase.
fn world() -> (World, Account, String) {
    let (world, shop) = World::with_busy_account(1_000_000);
    let scopes = json!([
        "erasure",
        "sms:send",
        "sms:read",
        "phonebook",
        "blacklist",
        "webhook",
        "account:read",
        "pattern"
    ]);
    let key = world
        .grant(&shop, json!({"title": "privacy", "scopes": scopes}))
        .text("/data/key");
    (world, shop, key)
}

fn order(world: &World, key: &str) -> String {
    world
        .post(key, "/erasures", json!({"number": NUMBER}))
        .expect(202)
        .text("/data/id")
}

/// Orders the erasure and waits until it is done. Gives what it has met.
fn erase(world: &World, key: &str) -> Value {
    let id = order(world, key);
    world.settle(DONE_MS);
    let order = world.read(key, &format!("/erasures/{id}"));
    assert_eq!(
        order.text("/data/status"),
        "DONE",
        "{} {:?}",
        order.json,
        world.log.borrow().last()
    );
    order.json["data"]["found"].clone()
}

#[track_caller]
fn assert_nowhere(world: &World) {
    let places = world.places_of(&DIGITS);
    assert!(places.is_empty(), "{}", places.join("\n"));
}

#[test]
fn an_order_is_answered_without_the_number_and_runs_until_what_was_on_its_way_has_come() {
    let (world, _, key) = world();
    let made = world.post(&key, "/erasures", json!({"number": NUMBER})).expect(202);
    assert_eq!(
        (made.text("/data/numberEnding"), made.text("/data/status")),
        ("67".to_owned(), "RUNNING".to_owned())
    );
    assert_eq!(made.json["data"]["doneAt"], Value::Null);
    assert_nowhere(&world);
    world.settle(60 * 60 * 1_000);
    let path = format!("/erasures/{}", made.text("/data/id"));
    assert_eq!(world.read(&key, &path).text("/data/status"), "RUNNING");
    world.settle(DONE_MS);
    assert_eq!(world.read(&key, &path).text("/data/status"), "DONE");
    assert_eq!(world.all(&key, "/erasures?limit=1").len(), 1);
    world
        .get(&key, "/erasures/019b796d-0000-7000-8000-000000000000")
        .problem(404, 404);
    world
        .post(&key, "/erasures", json!({"number": "0912"}))
        .problem(422, 422);
}

/// Who is a member signs in with the phone: the order leaves it, and takes it from who was removed.
#[test]
fn an_order_takes_the_phone_of_a_removed_member_and_leaves_who_still_is_one() {
    let (world, shop, key) = world();
    let admit = |phone: &str| {
        let person = json!({"phone": phone, "name": "Sara", "role": "VIEWER"});
        world.create(&shop.path("/members"), person).text("/data/id")
    };
    let (gone, stays) = (admit(NUMBER), admit(OTHER));
    let remove = shop.path(&format!("/members/{gone}"));
    world.admin("DELETE", &remove, json!({})).expect(204);
    assert!(
        !world.places_of(&DIGITS).is_empty(),
        "a removed member is kept for a while"
    );
    // So long its invitation counts.
    world.advance(DAY_MS);
    erase(&world, &key);
    assert_nowhere(&world);
    world.post(&key, "/erasures", json!({"number": OTHER})).expect(202);
    world.settle(DONE_MS);
    let members = world.look(&shop.path("/members"));
    assert_eq!(members.texts("id"), [stays]);
    assert_eq!(members.texts("phone"), ["+989351234567"]);
}

#[test]
fn the_number_of_a_member_whose_time_is_over_goes_too() {
    let (world, shop, key) = world();
    let ends = peyk::base::time::to_rfc3339(world.now_ms.get() + 60_000);
    let maker = world.grant(
        &shop,
        json!({"title": "x", "scopes": ["keys", "account:read", "sms:read"], "expiresAt": ends}),
    );
    let person = json!({"phone": NUMBER, "name": "Sara", "role": "VIEWER", "invite": false});
    world.posted(&maker.text("/data/key"), "/members", person);
    world.advance(60_000);
    erase(&world, &key);
    assert_nowhere(&world);
}

#[test]
fn an_order_ends_though_the_number_is_invited_anew_each_day() {
    let (world, shop, key) = world();
    let invite = || {
        let person = json!({"phone": NUMBER, "name": "Sara", "role": "VIEWER"});
        let id = world.create(&shop.path("/members"), person).text("/data/id");
        let path = shop.path(&format!("/members/{id}"));
        world.admin("DELETE", &path, json!({})).expect(204);
    };
    invite();
    let first = order(&world, &key);
    let state = || world.read(&key, &format!("/erasures/{first}")).text("/data/status");
    for hours in [1, 20] {
        world.settle(hours * 60 * 60 * 1_000);
        invite();
        assert_eq!(state(), "RUNNING");
    }
    world.settle(4 * 60 * 60 * 1_000);
    assert_eq!(state(), "DONE");
    // Another order takes what has come since.
    world.advance(DAY_MS);
    erase(&world, &key);
    assert_nowhere(&world);
}

/// The owner of a number may ask what an account has of it. What no other answer tells is told, and after the erasure nothing is left.
#[test]
fn what_is_held_on_a_number_is_told_until_it_is_erased() {
    let (world, shop, key) = world();
    let held = || world.read(&key, "/held?number=09121234567").json["data"].clone();
    let nothing = json!({"number": "+989121234567", "messages": 0, "inbound": 0, "blacklisted": false, "optOut": false,
        "phonebooks": []});
    assert_eq!(held(), nothing);
    let entry = json!({"number": NUMBER, "name": "Ali", "attributes": {"city": "Tehran"}});
    let customers = world.phonebook(&key, "Customers", json!([entry, {"number": OTHER, "name": "Sara"}]));
    let news = world.phonebook(&key, "News", json!([{"number": NUMBER}]));
    world.phonebook(&key, "Others", json!([{"number": OTHER}]));
    let stranger = world.account("stranger", 1_000_000);
    world.phonebook(&stranger.key, "Theirs", json!([{"number": NUMBER, "name": "X"}]));
    world.sent(&stranger.key, &[NUMBER]);
    world.sent(&key, &[NUMBER, OTHER]);
    world.sent(&key, &[NUMBER]);
    world.sent(&key, &[OTHER]);
    world.posted(&key, "/blacklist", json!({"numbers": [NUMBER]}));
    let told = held();
    let counted = ["messages", "inbound", "blacklisted", "optOut"].map(|name| told[name].clone());
    assert_eq!(counted, [json!(2), json!(0), json!(true), json!(false)]);
    let books: Vec<Value> = told["phonebooks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|book| {
            json!([
                book["phonebookId"],
                book["title"],
                book["entry"]["name"],
                book["entry"]["attributes"]
            ])
        })
        .collect();
    let expected = [
        json!([customers, "Customers", "Ali", {"city": "Tehran"}]),
        json!([news, "News", null, {}]),
    ];
    assert_eq!(books, expected);
    assert_eq!(world.all(&key, "/messages?recipient=09121234567").len(), 2);
    erase(&world, &key);
    let mut blocked = nothing;
    blocked["blacklisted"] = json!(true);
    assert_eq!(held(), blocked, "an erased number stays blocked");
    assert_eq!(
        world.read(&shop.key, "/held?number=09351234567").int("/data/messages"),
        2
    );
}

#[test]
fn what_is_held_needs_a_number_and_a_live_key_that_reads_both_messages_and_phonebooks() {
    let (world, shop, key) = world();
    for (query, fault) in [("", "is required"), ("?number=0912", "is not a valid phone number")] {
        let refused = world.get(&key, &format!("/held{query}")).expect(422);
        assert_eq!(refused.text("/errors/0/pointer"), "/number");
        assert_eq!(refused.text("/errors/0/detail"), fault);
    }
    for scopes in [json!(["sms:read"]), json!(["phonebook"]), json!(["erasure"])] {
        let less = json!({"title": "less", "scopes": scopes});
        let less = world.grant(&shop, less).text("/data/key");
        world.get(&less, "/held?number=09121234567").problem(403, 403);
    }
    let test = json!({"title": "test", "mode": "test", "scopes": ["sms:read", "phonebook"]});
    let test = world.grant(&shop, test).text("/data/key");
    world.get(&test, "/held?number=09121234567").problem(403, 403);
}

#[test]
fn only_a_key_with_the_scope_may_erase_and_no_key_has_it_unasked() {
    let (world, shop, privacy) = world();
    let default = world.grant(&shop, json!({"title": "default"})).text("/data/key");
    world
        .post(&default, "/erasures", json!({"number": NUMBER}))
        .problem(403, 403);
    world.get(&default, "/erasures").problem(403, 403);
    let scopes = json!(["erasure", "keys", "sms:read"]);
    let both = world
        .grant(&shop, json!({"title": "both", "scopes": scopes}))
        .text("/data/key");
    let issued = world.posted(&both, "/keys", json!({"title": "issued"}));
    assert_eq!(issued.json["data"]["scopes"], json!(["sms:read"]));
    world.get(&privacy, "/erasures").expect(200);
}

#[test]
fn messages_lose_the_number_and_texts_of_its_own_and_keep_those_of_others() {
    let (world, shop, key) = world();
    let alone = world.sent(&key, &[NUMBER]);
    let both = world.sent(&key, &[NUMBER, OTHER]);
    let bulk = json!({"messages": [{"recipient": NUMBER, "message": "yours"}, {"recipient": OTHER, "message": "call +989121234567"}]});
    let bulk = world.posted(&key, "/sms/bulk", bulk).text("/data/uid");
    let body = json!({"message": "call ۰۹۱۲۱۲۳۴۵۶۷", "recipients": [OTHER], "clientRef": "for 00989121234567"});
    let mention = world.posted(&key, "/sms/send", body).text("/data/uid");
    world.settle(60_000);
    let found = erase(&world, &key);
    assert_eq!((&found["recipients"], &found["canceled"]), (&json!(3), &json!(0)));
    assert_nowhere(&world);
    let shown = |uid: &str, pointer: &str| world.message(&key, uid).text(pointer);
    assert_eq!(shown(&alone, "/data/recipients/0/recipient"), "erased");
    assert_eq!(shown(&alone, "/data/message"), "erased");
    assert_eq!(shown(&alone, "/data/recipients/0/status"), "DELIVERED");
    assert_eq!(shown(&both, "/data/recipients/1/recipient"), "+989351234567");
    assert_ne!(shown(&both, "/data/message"), "erased");
    assert_eq!(shown(&bulk, "/data/recipients/0/message"), "erased");
    assert_eq!(shown(&bulk, "/data/recipients/1/message"), "call erased");
    assert_eq!(shown(&mention, "/data/message"), "call erased");
    assert_eq!(shown(&mention, "/data/clientRef"), "for erased");
    assert_eq!(world.all(&key, "/messages?recipient=09121234567").len(), 0);
    assert_eq!(world.all(&key, "/messages?recipient=09351234567").len(), 3);
    let handed: Vec<String> = world.handed(&shop.id).into_iter().map(|(number, _)| number).collect();
    assert_eq!(handed.iter().filter(|number| *number == "erased").count(), 3);
}

#[test]
fn what_has_not_left_is_canceled_and_paid_back_and_the_others_leave() {
    let (world, shop, key) = world();
    let at = peyk::base::time::to_rfc3339(world.now_ms.get() + DAY_MS);
    let send = |recipients: Value| {
        let body = json!({"message": "later", "recipients": recipients, "sendAt": at});
        world.posted(&key, "/sms/send", body).text("/data/uid")
    };
    let (alone, both) = (send(json!([NUMBER])), send(json!([NUMBER, OTHER])));
    assert_eq!(world.balance(&shop.key), (997_000, 3_000));
    let found = erase(&world, &key);
    assert_eq!((&found["recipients"], &found["canceled"]), (&json!(2), &json!(2)));
    assert_nowhere(&world);
    assert_eq!(world.balance(&shop.key), (999_000, 1_000));
    assert_eq!(world.message(&key, &alone).text("/data/status"), "CANCELED");
    world.settle(DAY_MS);
    let message = world.message(&key, &both);
    assert_eq!(message.text("/data/recipients/0/status"), "CANCELED");
    assert_eq!(message.text("/data/recipients/1/status"), "DELIVERED");
    assert_eq!(world.balance(&shop.key), (999_000, 0));
    assert_eq!(world.count(&shop, "source"), 0);
}

#[test]
fn an_order_waits_for_what_a_carrier_may_be_about_to_get() {
    let (world, shop, key) = world();
    world.carriers_are_down.set(true);
    let uid = world.sent(&key, &[NUMBER]);
    world.settle(1_000);
    let id = order(&world, &key);
    world.carriers_are_down.set(false);
    world.settle(DAY_MS);
    assert_eq!(
        world.read(&key, &format!("/erasures/{id}")).text("/data/status"),
        "DONE"
    );
    assert_nowhere(&world);
    let status = world.message(&key, &uid).text("/data/recipients/0/status");
    assert!(["CANCELED", "DELIVERED"].contains(&status.as_str()), "{status}");
    assert_eq!(world.balance(&shop.key).1, 0);
}

#[test]
fn a_blacklisted_number_stays_blocked_until_somebody_removes_it() {
    let (world, _, key) = world();
    world.posted(&key, "/blacklist", json!({"numbers": [NUMBER, OTHER]}));
    assert_eq!(erase(&world, &key)["blacklisted"], json!(true));
    assert_nowhere(&world);
    world.send(&key, &[NUMBER]).problem(422, 3016);
    world.send(&key, &[OTHER]).problem(422, 3016);
    let numbers = world.read(&key, "/blacklist").texts("number");
    assert_eq!(numbers, ["+989351234567"]);
    let removed = world.delete(&key, "/blacklist?number=09121234567").expect(200);
    assert_eq!(removed.int("/data/removed"), 1);
    world.send(&key, &[NUMBER]).expect(201);
    // Put there again, it is there once.
    world.posted(&key, "/blacklist", json!({"numbers": [NUMBER]}));
    erase(&world, &key);
    let added = world.post(&key, "/blacklist", json!({"numbers": [NUMBER]})).expect(201);
    assert_eq!((added.int("/data/added"), added.int("/data/unchanged")), (0, 1));
    assert_eq!(
        world
            .delete(&key, "/blacklist?number=09121234567")
            .expect(200)
            .int("/data/removed"),
        1
    );
    world.send(&key, &[NUMBER]).expect(201);
}

#[test]
fn phonebooks_lose_the_number_and_count_right() {
    let (world, _, key) = world();
    let books: Vec<String> = (0..25)
        .map(|book| {
            world.phonebook(
                &key,
                &format!("book {book}"),
                json!([{"number": NUMBER, "name": "Ali"}, {"number": OTHER}]),
            )
        })
        .collect();
    assert_eq!(erase(&world, &key)["phonebookNumbers"], json!(25));
    assert_nowhere(&world);
    for book in books {
        assert_eq!(world.read(&key, &format!("/phonebook/{book}")).int("/data/count"), 1);
    }
}

#[test]
fn events_lose_the_number_waiting_and_delivered() {
    let (world, shop, key) = world();
    let endpoint = json!({"url": "https://shop.example/peyk", "events": ["message.status", "message.submitted"]});
    world.posted(&key, "/webhook", endpoint);
    world.sent(&key, &[NUMBER, OTHER]);
    world.settle(30_000);
    assert!(
        world
            .webhook_sql(&shop.id)
            .count("event WHERE instr(data, '9121234567')")
            > 0
    );
    // These wait in the account's object.
    world.failing_request.set(Some("TakeEvents"));
    world.sent(&key, &[NUMBER]);
    world.settle(10_000);
    assert!(world.count(&shop, "event") > 0);
    let id = order(&world, &key);
    world.settle(60_000);
    world.failing_request.set(None);
    world.settle(DONE_MS);
    assert_eq!(
        world.read(&key, &format!("/erasures/{id}")).text("/data/status"),
        "DONE"
    );
    assert_nowhere(&world);
    assert!(
        world
            .webhook_sql(&shop.id)
            .count("event WHERE instr(data, '\"erased\"')")
            > 1
    );
}

#[test]
fn what_receivers_have_answered_goes_if_it_may_have_the_number() {
    let (world, shop, key) = world();
    world.receive(|request| {
        let is_test = request.body.contains("webhook.test");
        let body = match (is_test, request.body.contains("+989121234567")) {
            (true, _) => "the last buyer is ۰۹۱۲۱۲۳۴۵۶۷".to_owned(),
            (_, true) => "\\u0660912 and so on".to_owned(),
            _ => "fine".to_owned(),
        };
        Some(Ok(IncomingResponse {
            status: 200,
            retry_after: None,
            body,
        }))
    });
    let endpoint = json!({"url": "https://shop.example/peyk", "events": ["message.status"]});
    let endpoint = world.posted(&key, "/webhook", endpoint).text("/data/id");
    world.sent(&key, &[NUMBER]);
    world.sent(&key, &[OTHER]);
    world
        .post(&key, &format!("/webhook/{endpoint}/test"), json!({}))
        .expect(201);
    let life = Life::of(&world);
    life.settle(30_000);
    // This one is under way while the number is erased, and answered afterwards.
    world.receiver_takes_ms.set(14_000);
    world.sent(&key, &[NUMBER]);
    life.settle(3_000);
    order(&world, &key);
    life.settle(8_000);
    let sql = world.webhook_sql(&shop.id);
    assert_eq!(sql.count("delivery WHERE attempts = 0"), 1);
    assert_eq!(sql.count("event WHERE instr(data, '9121234567')"), 0);
    world.receiver_takes_ms.set(0);
    life.settle(DONE_MS);
    assert_nowhere(&world);
    assert_eq!(sql.count("delivery WHERE attempts = 0"), 0);
    assert_eq!(sql.count("delivery"), 4);
    assert_eq!(
        sql.texts("SELECT answer FROM delivery WHERE answer IS NOT NULL"),
        ["fine"]
    );
}

#[test]
fn messages_from_the_phone_lose_it_with_their_texts_and_those_of_others_keep_theirs() {
    let (world, shop, key) = world();
    let line = json!({"number": "3000", "carrier": "sandbox", "operations": ["WEBSERVICE"], "accounts": [shop.id]});
    world.create("/admin/lines", line);
    let endpoint = json!({"url": "https://shop.example/peyk", "events": ["message.received"]});
    world.posted(&key, "/webhook", endpoint);
    let receive = |from: &str, text: &str| {
        let sms = InboundSms {
            carrier: "sandbox".to_owned(),
            to: "3000".to_owned(),
            from: from.to_owned(),
            text: text.to_owned(),
            carrier_id: None,
            received_ms: world.now_ms.get(),
            left: Vec::new(),
        };
        to_end(inbound::receive(&world, sms))
            .map_err(|not_taken| not_taken.error)
            .unwrap();
    };
    receive("+989121234567", "it is me");
    receive("+989351234567", "call 09121234567");
    // The reply blocks the number.
    receive("+989121234567", "لغو");
    world.settle(60_000);
    let told = world.read(&key, "/held?number=09121234567").json["data"].clone();
    let counted = ["messages", "inbound", "blacklisted", "optOut"].map(|name| told[name].clone());
    assert_eq!(counted, [json!(0), json!(2), json!(true), json!(true)]);
    let found = erase(&world, &key);
    assert_eq!(
        (&found["inbound"], &found["mentions"], &found["blacklisted"]),
        (&json!(2), &json!(1), &json!(true))
    );
    assert_nowhere(&world);
    let told = world.read(&key, "/held?number=09121234567").json["data"].clone();
    assert_eq!((&told["inbound"], &told["optOut"]), (&json!(0), &json!(true)));
    assert!(world.places_of(&["it is me"]).is_empty());
    let page = world.read(&key, "/inbound");
    assert_eq!(page.texts("from"), ["erased", "+989351234567", "erased"]);
    assert_eq!(page.texts("text"), ["erased", "call erased", "erased"]);
    world.send(&key, &[NUMBER]).problem(422, 3016);
    // A reply takes off what a reply has put there.
    receive("+989121234567", "لغو لغو");
    receive("+989121234567", "شروع");
    assert_eq!(world.count(&shop, "blocked_digest"), 0);
    world.send(&key, &[NUMBER]).expect(201);
}

#[test]
fn an_order_may_be_repeated_and_does_the_work_again() {
    let (world, _, key) = world();
    world.sent(&key, &[NUMBER]);
    world.settle(60_000);
    assert_eq!(erase(&world, &key)["recipients"], json!(1));
    world.sent(&key, &[NUMBER]);
    world.settle(60_000);
    assert_eq!(erase(&world, &key)["recipients"], json!(1));
    assert_nowhere(&world);
    assert_eq!(world.all(&key, "/erasures?limit=1").len(), 2);
}

#[test]
fn more_messages_than_one_alarm_erases_all_lose_the_number_and_nothing_walks_through_a_table() {
    let (world, shop, key) = world();
    world.change_account(&shop, json!({"recipientLimit": {"limit": 0, "windowSeconds": 60}}));
    for _ in 0..620 {
        world.sent(&key, &[NUMBER]);
    }
    world.settle(60_000);
    assert_eq!(erase(&world, &key)["recipients"], json!(620));
    let tables = ["chunk", "number", "recipient_text", "inbound", "event"];
    assert_eq!(world.sql(&shop.id).walks(&tables), [""; 0]);
    assert_nowhere(&world);
}

#[test]
fn an_order_goes_on_where_it_was_when_a_step_fails_and_counts_nothing_twice() {
    let (world, shop, key) = world();
    world.sent(&key, &[NUMBER]);
    world.phonebook(&key, "book", json!([{"number": NUMBER}]));
    world.settle(60_000);
    world.sql(&shop.id).fail("UPDATE recipient_text", 2);
    world.failing_request.set(Some("EraseFromEvents"));
    let id = order(&world, &key);
    world.settle(60_000);
    world.failing_request.set(None);
    world.settle(DONE_MS);
    let order = world.read(&key, &format!("/erasures/{id}"));
    assert_eq!(order.text("/data/status"), "DONE");
    assert_eq!(
        (
            order.int("/data/found/recipients"),
            order.int("/data/found/phonebookNumbers")
        ),
        (1, 1)
    );
    assert_nowhere(&world);
}

#[test]
fn no_more_than_a_hundred_orders_run_at_once() {
    let (world, _, key) = world();
    for number in 0..100 {
        let body = json!({"number": format!("0912000{number:04}")});
        world.post(&key, "/erasures", body).expect(202);
    }
    world
        .post(&key, "/erasures", json!({"number": NUMBER}))
        .problem(409, 409);
    world.settle(DONE_MS);
    world.post(&key, "/erasures", json!({"number": NUMBER})).expect(202);
}
