//! The whole API through its routes, on real SQLite. Only the tests move the clock. Tests that need the real runtime
//! are in `tests/runtime/`.

use crate::support::World;
use peyk::language::Language;
use peyk::ports::Sql;
use proptest::prelude::*;
use serde_json::json;

const MINUTE_MS: i64 = 60_000;
const HOUR_MS: i64 = 60 * MINUTE_MS;

fn status_of(world: &World, key: &str, uid: &str) -> String {
    world
        .get(key, &format!("/messages/{uid}"))
        .expect(200)
        .text("/data/recipients/0/status")
}

#[test]
fn a_message_is_accepted_reserved_delivered_and_paid() {
    let (world, shop) = World::with_account(10_000);
    let sent = world.send(&shop.key, &["09121234567"]).expect(201);
    assert_eq!(sent.text("/status"), "CREATED");
    assert_eq!(sent.text("/data/status"), "QUEUED");
    assert_eq!(sent.text("/data/recipients/0/recipient"), "+989121234567");
    assert_eq!(world.balance(&shop.key), (9_000, 1_000));
    world.settle(10_000);
    assert_eq!(status_of(&world, &shop.key, &sent.text("/data/uid")), "DELIVERED");
    assert_eq!(world.balance(&shop.key), (9_000, 0));
}

#[test]
fn the_same_number_in_any_spelling_is_sent_to_once() {
    let (world, shop) = World::with_account(10_000);
    let sent = world
        .send(
            &shop.key,
            &["09121234567", "+98 912 123 4567", "۰۹۱۲۱۲۳۴۵۶۷", "9121234567"],
        )
        .expect(201);
    assert_eq!(sent.json["data"]["recipients"].as_array().unwrap().len(), 1);
    assert_eq!(sent.int("/data/cost"), 1_000);
}

#[test]
fn all_faults_of_a_body_are_told_at_once_and_nothing_is_spent() {
    let (world, shop) = World::with_account(10_000);
    let body = json!({"message": 7, "recipients": ["09121234567", "nonsense", 5], "sendAt": "soon", "clientRef": "x".repeat(65)});
    let answer = world
        .request("POST", "/sms/send")
        .key(&shop.key)
        .idempotency_key("\"open")
        .json(body)
        .send()
        .problem(422, 422);
    let mut fields: Vec<String> = answer
        .extra()
        .iter()
        .map(|text| text.split(':').next().unwrap().to_owned())
        .collect();
    fields.sort();
    assert_eq!(
        fields,
        [
            "Idempotency-Key",
            "clientRef",
            "message",
            "recipients[1]",
            "recipients[2]",
            "sendAt"
        ]
    );
    assert_eq!(answer.json["errors"][1]["pointer"], "/recipients/1");
    assert_eq!(world.balance(&shop.key), (10_000, 0));
    assert_eq!(world.get(&shop.key, "/messages").expect(200).json["data"], json!([]));
}

#[test]
fn a_missing_body_names_what_is_missing() {
    let (world, shop) = World::with_account(0);
    let answer = world
        .request("POST", "/sms/send")
        .key(&shop.key)
        .json(json!({}))
        .send()
        .problem(422, 422);
    assert_eq!(answer.extra(), ["message: is required", "recipients: is required"]);
    let persian = world
        .request("POST", "/sms/send")
        .key(&shop.key)
        .language("fa-IR")
        .json(json!({}))
        .send()
        .problem(422, 422);
    assert_eq!(persian.extra(), ["message: الزامی است", "recipients: الزامی است"]);
    assert_eq!(persian.text("/title"), "داده‌های نامعتبر");
}

#[test]
fn a_client_that_prefers_no_language_gets_the_one_that_the_operator_set() {
    let (mut world, shop) = World::with_account(0);
    let ask = |world: &World, languages: Option<&str>| {
        let request = world.request("POST", "/sms/send").key(&shop.key).json(json!({}));
        let request = match languages {
            Some(languages) => request.language(languages),
            None => request,
        };
        let answer = request.send().problem(422, 422);
        (
            answer.header("Content-Language").unwrap().to_owned(),
            answer.extra()[0].clone(),
        )
    };
    let english = ("en".to_owned(), "message: is required".to_owned());
    let persian = ("fa".to_owned(), "message: الزامی است".to_owned());
    for (default, expected) in [(Language::En, &english), (Language::Fa, &persian)] {
        world.app.config.default_language = default;
        for languages in [None, Some("de"), Some("*"), Some("")] {
            assert_eq!(&ask(&world, languages), expected, "{languages:?}");
        }
        assert_eq!(ask(&world, Some("en, fa;q=0.5")), english);
        assert_eq!(ask(&world, Some("fa-IR, en;q=0.5")), persian);
        let nobody = world.request("GET", "/lines").send().problem(401, 401);
        assert_eq!(nobody.header("Content-Language"), Some(default.tag()));
    }
}

#[test]
fn texts_of_too_many_parts_and_lists_of_too_many_recipients_are_refused() {
    let (world, shop) = World::with_account(10_000_000);
    let send = |message: String, count: u64| {
        let recipients: Vec<String> = (0..count).map(|number| format!("0912{number:07}")).collect();
        let body = json!({"message": message, "recipients": recipients});
        world.request("POST", "/sms/send").key(&shop.key).json(body).send()
    };
    send("x".repeat(1_530), 1).expect(201);
    let long = send("x".repeat(1_531), 1).problem(422, 422);
    assert_eq!(long.extra(), ["message: takes 11 parts, at most 10 are allowed"]);
    assert_eq!(
        send("x".to_owned(), 1_000).expect(201).json["data"]["recipients"]
            .as_array()
            .unwrap()
            .len(),
        1_000
    );
    let many = send("x".to_owned(), 1_001).problem(422, 422);
    assert_eq!(many.extra(), ["recipients: must have at most 1000 items"]);
}

#[test]
fn a_replayed_key_answers_as_before_and_debits_once() {
    let (world, shop) = World::with_account(1_000);
    let send = |body: serde_json::Value| {
        world
            .request("POST", "/sms/send")
            .key(&shop.key)
            .idempotency_key("order-1")
            .json(body)
            .send()
    };
    let body = json!({"message": "hello", "recipients": ["09121234567"]});
    let first = send(body.clone()).expect(201);
    assert_eq!(first.header("Idempotency-Replayed"), None);
    world.settle(10_000);
    let again = send(body.clone()).expect(201);
    assert_eq!(again.json["data"], first.json["data"]);
    assert_eq!(again.header("Idempotency-Replayed"), Some("true"));
    assert_eq!(world.balance(&shop.key), (0, 0));
    let other = send(json!({"message": "other", "recipients": ["09121234567"]})).problem(422, 422);
    assert_eq!(other.extra(), ["Idempotency-Key: was used for another request before"]);
    world.advance(24 * HOUR_MS);
    send(body).problem(400, 2001);
}

#[test]
fn a_replay_is_answered_even_when_its_line_is_gone() {
    let (world, shop) = World::with_account(1_000);
    let send = || {
        let body = json!({"message": "hello", "recipients": ["09121234567"], "sourceNumber": "10001"});
        world
            .request("POST", "/sms/send")
            .key(&shop.key)
            .idempotency_key("k")
            .json(body)
            .send()
    };
    let first = send().expect(201);
    world
        .admin("PATCH", "/admin/lines/10001", json!({"active": false}))
        .expect(200);
    assert_eq!(send().expect(201).json["data"], first.json["data"]);
}

#[test]
fn a_refusal_is_not_remembered() {
    let (world, shop) = World::with_account(0);
    let send = || {
        let body = json!({"message": "hello", "recipients": ["09121234567"]});
        world
            .request("POST", "/sms/send")
            .key(&shop.key)
            .idempotency_key("k")
            .json(body)
            .send()
    };
    send().problem(400, 2001);
    let path = format!("/admin/accounts/{}/credit", shop.id);
    world.admin("POST", &path, json!({"amount": 1_000})).expect(201);
    send().expect(201);
}

#[test]
fn a_scheduled_message_waits_for_its_time_with_its_money_reserved() {
    let (world, shop) = World::with_account(1_000);
    let at = peyk::time::to_rfc3339(world.now_ms.get() + HOUR_MS);
    let send = |at: &str| {
        let body = json!({"message": "hello", "recipients": ["09121234567"], "sendAt": at, "clientRef": "c-1"});
        world.request("POST", "/sms/send").key(&shop.key).json(body).send()
    };
    let sent = send(&at).expect(201);
    assert_eq!(
        (sent.text("/data/status"), sent.text("/data/sendAt")),
        ("SCHEDULED".to_owned(), at)
    );
    assert_eq!(sent.text("/data/recipients/0/status"), "SCHEDULED");
    world.settle(HOUR_MS - 1);
    let uid = sent.text("/data/uid");
    assert_eq!(status_of(&world, &shop.key, &uid), "SCHEDULED");
    assert_eq!(world.balance(&shop.key), (0, 1_000));
    world.settle(10_000);
    assert_eq!(status_of(&world, &shop.key, &uid), "DELIVERED");
    assert_eq!(world.balance(&shop.key), (0, 0));
    let past = send(&peyk::time::to_rfc3339(world.now_ms.get())).problem(422, 422);
    assert_eq!(past.extra(), ["sendAt: must not be in the past"]);
    let far = send(&peyk::time::to_rfc3339(world.now_ms.get() + 90 * 24 * HOUR_MS + 1)).problem(422, 422);
    assert_eq!(far.extra(), ["sendAt: must be at most 90 days ahead"]);
}

#[test]
fn a_test_key_goes_through_everything_but_costs_nothing_and_reaches_no_carrier() {
    let (world, shop) = World::with_account(0);
    let path = format!("/admin/accounts/{}/keys", shop.id);
    let test = world
        .admin("POST", &path, json!({"title": "t", "mode": "test"}))
        .expect(201)
        .text("/data/key");
    assert!(test.starts_with("peyk_test_"));
    let sent = world.send(&test, &["09121234567", "09121234902"]).expect(201);
    assert_eq!(sent.int("/data/cost"), 0);
    world.settle(10_000);
    let message = world
        .get(&test, &format!("/messages/{}", sent.text("/data/uid")))
        .expect(200);
    assert_eq!(
        message.json["data"]["counts"],
        json!({"DELIVERED": 1, "UNDELIVERED": 1})
    );
    assert!(world.inbox(&shop.id).is_empty());
    assert_eq!(
        world.get(&test, "/account/transactions").expect(200).json["data"],
        json!([])
    );
    world
        .request("POST", "/sms/send")
        .key(&test)
        .json(json!({"message": "x", "recipients": ["1"]}))
        .send()
        .problem(422, 422);
}

#[test]
fn a_carrier_that_hesitates_is_tried_again_and_one_that_never_takes_it_is_given_up() {
    let (world, shop) = World::with_account(2_000);
    world.send(&shop.key, &["09121234905"]).expect(201);
    world.settle(15_000);
    assert_eq!(world.inbox(&shop.id).values().collect::<Vec<_>>(), [&(1, 2)]);
    assert_eq!(world.balance(&shop.key), (1_000, 0));
    // A carrier of an unknown kind is treated like a carrier that is always down.
    for sql in [
        "INSERT INTO carrier (name, kind, settings, created_ms) VALUES ('new', 'pigeon', '{}', 0)",
        r#"UPDATE line SET routes = '[{"carriers": [{"name": "new", "weight": 1}]}]' WHERE number = '10001'"#,
    ] {
        peyk::ports::Sql::exec(&*world.db, sql, &[]).unwrap();
    }
    world.app.profiles.clear();
    // Until then the account's object may use what it has read of the line.
    world.advance(30_000);
    let uid = world.send(&shop.key, &["09121234567"]).expect(201).text("/data/uid");
    world.settle(4 * 60 * MINUTE_MS - 1_000);
    assert_eq!(status_of(&world, &shop.key, &uid), "QUEUED");
    // The chunk was stuck before it was given up: the letter that says so goes when the object looks again.
    world.settle(11 * MINUTE_MS);
    assert_eq!(status_of(&world, &shop.key, &uid), "REJECTED");
    assert_eq!(world.balance(&shop.key), (1_000, 0));
    let letters = world.get(&world.admin_key, "/admin/dead-letters").expect(200);
    assert_eq!(letters.json["data"].as_array().unwrap().len(), 1);
    assert_eq!(
        (letters.text("/data/0/account"), letters.text("/data/0/message")),
        (shop.id.clone(), uid)
    );
    assert_eq!(
        (letters.int("/data/0/recipients"), letters.int("/data/0/attempts")),
        (1, 0)
    );
    assert_eq!(letters.text("/data/0/reason"), "no carrier took it in time");
}

#[test]
fn each_ending_of_the_sandbox_comes_within_15_seconds() {
    let (world, shop) = World::with_account(6_000);
    let endings = [
        ("+989121234901", "REJECTED"),
        ("+989121234902", "UNDELIVERED"),
        ("+989121234903", "EXPIRED"),
        ("+989121234904", "UNKNOWN"),
        ("+989121234905", "DELIVERED"),
        ("+989121234100", "DELIVERED"),
    ];
    let sent = world.send(&shop.key, &endings.map(|(number, _)| number)).expect(201);
    world.settle(15_000);
    let path = format!("/messages/{}", sent.text("/data/uid"));
    let message = world.get(&shop.key, &path).expect(200);
    assert_eq!(message.text("/data/status"), "DONE");
    for (index, (number, status)) in endings.into_iter().enumerate() {
        let text = |name: &str| message.text(&format!("/data/recipients/{index}/{name}"));
        assert_eq!((text("recipient").as_str(), text("status").as_str()), (number, status));
    }
    // 901 is released, and the money of 904 is held.
    assert_eq!(world.balance(&shop.key), (1_000, 1_000));
}

#[test]
fn money_held_for_an_unclear_answer_is_given_back_after_the_deadline() {
    let (world, shop) = World::with_account(1_000);
    let uid = world.send(&shop.key, &["09121234904"]).expect(201).text("/data/uid");
    world.settle(10_000);
    let message = world.get(&shop.key, &format!("/messages/{uid}")).expect(200);
    assert_eq!(
        (message.text("/data/status"), message.text("/data/recipients/0/status")),
        ("DONE".into(), "UNKNOWN".into())
    );
    assert_eq!(world.balance(&shop.key), (0, 1_000));
    world.settle(73 * HOUR_MS);
    assert_eq!(world.balance(&shop.key), (1_000, 0));
    assert_eq!(status_of(&world, &shop.key, &uid), "UNKNOWN");
}

#[test]
fn a_plan_may_refund_what_was_not_delivered() {
    let (world, shop) = World::with_account(2_000);
    world
        .admin("PATCH", "/admin/plans/default", json!({"refunds": ["UNDELIVERED"]}))
        .expect(200);
    world.send(&shop.key, &["09121234902", "09121234903"]).expect(201);
    world.settle(10_000);
    assert_eq!(world.balance(&shop.key), (1_000, 0));
    let ledger = world.get(&shop.key, "/account/transactions").expect(200);
    let kinds: Vec<&str> = ledger.json["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| entry["type"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["REFUND", "SETTLE", "RESERVE", "CREDIT"]);
}

#[test]
fn a_key_tied_to_lines_sends_from_no_other() {
    let (world, shop) = World::with_account(10_000);
    let line = json!({"number": "20002", "carrier": "sandbox", "operations": ["WEBSERVICE"], "shared": true});
    world.admin("POST", "/admin/lines", line).expect(201);
    let keys = format!("/admin/accounts/{}/keys", shop.id);
    let tied = world
        .admin("POST", &keys, json!({"title": "x", "lines": ["20002"]}))
        .expect(201)
        .text("/data/key");
    world.send(&tied, &["09121234567"]).problem(406, 3012);
    let body = json!({"message": "x", "recipients": ["09121234567"], "sourceNumber": "20002"});
    world
        .request("POST", "/sms/send")
        .key(&tied)
        .json(body)
        .send()
        .expect(201);
    let lines = world.get(&tied, "/lines").expect(200);
    assert_eq!(lines.json["data"].as_array().unwrap().len(), 1);
}

#[test]
fn the_source_number_must_be_in_service_for_this_account_and_this_way() {
    let (world, shop) = World::with_account(10_000);
    let other = world.account("other", 0);
    let line = |number: &str, more: serde_json::Value| {
        let mut body = json!({"number": number, "carrier": "sandbox", "operations": ["WEBSERVICE"]});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        world.admin("POST", "/admin/lines", body).expect(201);
    };
    line("3001", json!({"accounts": [shop.id]}));
    line("3002", json!({"accounts": [other.id]}));
    line("3003", json!({"shared": true, "active": false}));
    line("3004", json!({"shared": true, "operations": ["PATTERN"]}));
    let send = |number: &str| {
        let body = json!({"message": "x", "recipients": ["09121234567"], "sourceNumber": number});
        world.request("POST", "/sms/send").key(&shop.key).json(body).send()
    };
    assert_eq!(send("3001").expect(201).text("/data/sourceNumber"), "3001");
    for number in ["3002", "3003", "3004", "9999"] {
        let refused = send(number).problem(406, 3012);
        assert_eq!(refused.json["errors"][0]["pointer"], "/sourceNumber");
    }
    world
        .admin(
            "PATCH",
            &format!("/admin/accounts/{}", shop.id),
            json!({"defaultLine": null}),
        )
        .expect(200);
    world.send(&shop.key, &["09121234567"]).problem(406, 3012);
    assert_eq!(world.balance(&shop.key), (9_000, 1_000));
}

#[test]
fn an_empty_source_number_counts_as_left_out() {
    let (world, shop) = World::with_account(10_000);
    for empty in [json!(""), json!("  "), json!("\t\n\u{00a0}"), json!(null)] {
        let body = json!({"message": "x", "recipients": ["09121234567"], "sourceNumber": empty});
        let sent = world.post(&shop.key, "/sms/send", body.clone()).expect(201);
        assert_eq!(sent.text("/data/sourceNumber"), "10001");
        let estimate = world.post(&shop.key, "/sms/estimate", json!({"send": body}));
        assert_eq!(estimate.expect(200).text("/data/sourceNumber"), "10001");
    }
    let send = |number: serde_json::Value| {
        let body = json!({"message": "x", "recipients": ["09121234567"], "sourceNumber": number});
        world.post(&shop.key, "/sms/send", body).problem(422, 422).extra()
    };
    assert_eq!(
        send(json!("1".repeat(33))),
        ["sourceNumber: must have at most 32 characters"]
    );
    assert_eq!(send(json!(10001)), ["sourceNumber: must be a string"]);
    let path = format!("/admin/accounts/{}", shop.id);
    world.admin("PATCH", &path, json!({"defaultLine": null})).expect(200);
    let body = json!({"message": "x", "recipients": ["09121234567"], "sourceNumber": ""});
    world.post(&shop.key, "/sms/send", body).problem(406, 3012);
}

#[test]
fn a_line_is_found_however_its_number_is_prefixed() {
    let (world, shop) = World::with_account(1_000_000);
    let numbers = [
        "3000505",
        "+985000123",
        "0098200012",
        "98100077",
        "02112345678",
        "+442012345678",
        "MyShop",
        "738",
    ];
    for number in numbers {
        let operations = json!(["WEBSERVICE", "PATTERN"]);
        let line = json!({"number": number, "carrier": "sandbox", "operations": operations, "shared": true});
        world.admin("POST", "/admin/lines", line).expect(201);
    }
    world.active_pattern(
        &shop.key,
        json!({"slug": "login", "title": "x", "text": "x", "lines": ["+985000123"]}),
    );
    let send = |number: &str| {
        let body = json!({"message": "x", "recipients": ["09121234567"], "sourceNumber": number});
        world.post(&shop.key, "/sms/send", body)
    };
    for (number, bare) in [
        ("10001", "10001"),
        ("3000505", "3000505"),
        ("+985000123", "5000123"),
        ("0098200012", "200012"),
        ("98100077", "100077"),
        ("02112345678", "2112345678"),
        ("738", "738"),
    ] {
        for prefix in ["", "0", "98", "0098", "+98", "+98 0"] {
            let sent = send(&format!("{prefix}{bare}")).expect(201);
            assert_eq!(sent.text("/data/sourceNumber"), number, "{prefix}{bare}");
        }
    }
    for (written, number) in [
        ("+۹۸ ۳۰۰۰-۵۰۵", "3000505"),
        (" ٣٠٠٠٥٠٥ ", "3000505"),
        ("(021) 1234 5678", "02112345678"),
        ("00442012345678", "+442012345678"),
        ("442012345678", "+442012345678"),
        (" MyShop ", "MyShop"),
    ] {
        assert_eq!(
            send(written).expect(201).text("/data/sourceNumber"),
            number,
            "{written}"
        );
    }
    for unknown in [
        "+983000506",
        "3000",
        "0",
        "98",
        "+",
        "++983000505",
        "30005051",
        "myshop",
        "+98MyShop",
        "-",
    ] {
        let refused = send(unknown).problem(406, 3012);
        assert!(refused.text("/detail").contains(unknown), "{}", refused.body);
    }
    // The pattern and the key go by the number as it is stored.
    let body = json!({"pattern": "login", "recipient": "09121234567", "sourceNumber": "05000123"});
    let sent = world.post(&shop.key, "/sms/pattern", body).expect(201);
    assert_eq!(sent.text("/data/sourceNumber"), "+985000123");
    let body = json!({"pattern": "login", "recipient": "09121234567", "sourceNumber": "+9810001"});
    world.post(&shop.key, "/sms/pattern", body).problem(406, 3013);
    let path = format!("/admin/accounts/{}/keys", shop.id);
    let tied = world
        .admin("POST", &path, json!({"title": "x", "lines": ["+985000123"]}))
        .expect(201);
    for (number, status) in [
        ("5000123", 201),
        ("00985000123", 201),
        ("3000505", 406),
        ("+983000505", 406),
    ] {
        let body = json!({"message": "x", "recipients": ["09121234567"], "sourceNumber": number});
        world.post(&tied.text("/data/key"), "/sms/send", body).expect(status);
    }
}

#[test]
fn a_source_number_that_means_two_lines_must_be_written_as_one_of_them() {
    let (world, shop) = World::with_account(10_000);
    for (number, is_active) in [("3000505", true), ("+983000505", false)] {
        let line = json!({"number": number, "carrier": "sandbox", "operations": ["WEBSERVICE"], "shared": true,
            "active": is_active});
        world.admin("POST", "/admin/lines", line).expect(201);
    }
    let send = |number: &str| {
        let body = json!({"message": "x", "recipients": ["09121234567"], "sourceNumber": number});
        world.post(&shop.key, "/sms/send", body)
    };
    assert_eq!(send("3000505").expect(201).text("/data/sourceNumber"), "3000505");
    // The exact one is meant, also if it is out of service.
    send("+983000505").problem(406, 3012);
    for ambiguous in ["983000505", "03000505", "00983000505"] {
        send(ambiguous).problem(406, 3012);
    }
    let line = json!({"active": true});
    world.admin("PATCH", "/admin/lines/+983000505", line).expect(200);
    assert_eq!(send("+983000505").expect(201).text("/data/sourceNumber"), "+983000505");
    send("983000505").problem(406, 3012);
}

#[test]
fn when_several_errors_apply_the_first_of_the_contract_is_answered() {
    let (world, shop) = World::with_account(0);
    let account = format!("/admin/accounts/{}", shop.id);
    world
        .admin(
            "PATCH",
            &account,
            json!({"status": "INACTIVE", "sendingEnabled": false}),
        )
        .expect(200);
    let send = |body: serde_json::Value| world.request("POST", "/sms/send").key(&shop.key).json(body).send();
    send(json!({"message": "", "recipients": ["09121234567"], "sourceNumber": "9"})).problem(422, 422);
    send(json!({"message": "x", "recipients": ["09121234567"], "sourceNumber": "9"})).problem(406, 3012);
    world.send(&shop.key, &["09121234567"]).problem(412, 1003);
    world.admin("PATCH", &account, json!({"status": "ACTIVE"})).expect(200);
    world.send(&shop.key, &["09121234567"]).problem(412, 3011);
    world
        .admin("PATCH", &account, json!({"sendingEnabled": true}))
        .expect(200);
    world
        .admin("PUT", "/admin/sending", json!({"enabled": false, "reason": "a test"}))
        .expect(200);
    world.send(&shop.key, &["09121234567"]).problem(412, 3011);
    world
        .admin("PUT", "/admin/sending", json!({"enabled": true, "reason": "a test"}))
        .expect(200);
    world.send(&shop.key, &["09121234567"]).problem(400, 2001);
    // A request without a token gets 429 before its body is checked. 403 comes before 429.
    let limit = json!({"rateLimit": {"limit": 1, "windowSeconds": 3_600, "burst": 1}});
    world.admin("PATCH", &account, limit).expect(200);
    while world.send(&shop.key, &["09121234567"]).response.status != 429 {}
    let limited = world
        .request("POST", "/sms/send")
        .key(&shop.key)
        .body("text/plain", b"{")
        .send()
        .problem(429, 429);
    assert!(limited.header("Retry-After").unwrap().parse::<u32>().unwrap() >= 1);
    world.get(&shop.key, "/admin/accounts").problem(403, 403);
}

#[test]
fn a_burst_is_admitted_to_the_exact_count_and_waiting_helps() {
    let (world, shop) = World::with_account(0);
    let limit = json!({"rateLimit": {"limit": 60, "windowSeconds": 60, "burst": 5}});
    world
        .admin("PATCH", &format!("/admin/accounts/{}", shop.id), limit)
        .expect(200);
    for left in (0..5).rev() {
        let answer = world.get(&shop.key, "/account/info").expect(200);
        assert_eq!(answer.header("RateLimit-Policy"), Some("\"default\";q=60;w=60"));
        assert!(
            answer
                .header("RateLimit")
                .unwrap()
                .starts_with(&format!("\"default\";r={left};t="))
        );
    }
    let refused = world.get(&shop.key, "/account/info").problem(429, 429);
    let wait_s: i64 = refused.header("Retry-After").unwrap().parse().unwrap();
    world.advance(wait_s * 1_000);
    world.get(&shop.key, "/account/info").expect(200);
    world.get(&shop.key, "/account/info").problem(429, 429);
}

#[test]
fn a_failed_request_pays_its_token_too() {
    let (world, shop) = World::with_account(0);
    let left = |answer: crate::support::Answer| answer.header("RateLimit").unwrap().to_owned();
    assert_eq!(
        left(world.get(&shop.key, "/messages/none").problem(404, 404)),
        "\"default\";r=299;t=1"
    );
    let broken = world
        .request("POST", "/sms/send")
        .key(&shop.key)
        .body("application/json", b"{")
        .send()
        .problem(400, 400);
    assert_eq!(left(broken), "\"default\";r=298;t=1");
    assert_eq!(
        left(world.get(&shop.key, "/lines?limit=0").problem(422, 422)),
        "\"default\";r=297;t=1"
    );
}

#[test]
fn pages_neither_repeat_nor_hide_when_messages_arrive_in_between() {
    let (world, shop) = World::with_account(100_000);
    let send = |count: usize| {
        (0..count)
            .map(|_| world.send(&shop.key, &["09121234567"]).expect(201).text("/data/uid"))
            .collect::<Vec<_>>()
    };
    let old = send(5);
    let mut seen = Vec::new();
    let mut path = "/messages?limit=2".to_owned();
    loop {
        let page = world.get(&shop.key, &path).expect(200);
        seen.extend(
            page.json["data"]
                .as_array()
                .unwrap()
                .iter()
                .map(|message| message["uid"].as_str().unwrap().to_owned()),
        );
        send(1);
        match page.json["meta"]["nextCursor"].as_str() {
            Some(cursor) => path = format!("/messages?limit=2&cursor={cursor}"),
            None => break,
        }
    }
    seen.reverse();
    assert_eq!(seen, old);
    let foreign = world
        .get(&shop.key, "/account/transactions?limit=1")
        .expect(200)
        .text("/meta/nextCursor");
    world
        .get(&shop.key, &format!("/messages?cursor={foreign}"))
        .problem(422, 422);
    for bad in [
        "limit=0",
        "limit=201",
        "limit=x",
        "cursor=x",
        "status=GONE",
        "type=PIGEON",
        "from=yesterday",
        "recipient=x",
    ] {
        let answer = world.get(&shop.key, &format!("/messages?{bad}")).problem(422, 422);
        assert!(
            answer.extra()[0].starts_with(bad.split('=').next().unwrap()),
            "{:?}",
            answer.extra()
        );
    }
}

#[test]
fn messages_are_found_by_what_is_known_of_them() {
    let (world, shop) = World::with_account(100_000);
    let body = json!({"message": "x", "recipients": ["09121234567", "09351234567"], "clientRef": "order 7"});
    let uid = world
        .request("POST", "/sms/send")
        .key(&shop.key)
        .json(body)
        .send()
        .expect(201)
        .text("/data/uid");
    world.settle(5_000);
    let late = peyk::time::to_rfc3339(world.now_ms.get());
    world.send(&shop.key, &["09121234568"]).expect(201);
    for found in [
        "status=DONE".to_owned(),
        "clientRef=order+7".to_owned(),
        "recipient=09351234567".to_owned(),
        "type=PLAIN&recipient=%2B989121234567".to_owned(),
        format!("to={late}"),
    ] {
        let page = world.get(&shop.key, &format!("/messages?{found}")).expect(200);
        let uids: Vec<&str> = page.json["data"]
            .as_array()
            .unwrap()
            .iter()
            .map(|message| message["uid"].as_str().unwrap())
            .collect();
        assert_eq!(uids, [uid.as_str()], "{found}");
    }
    let recipients = world
        .get(
            &shop.key,
            &format!("/messages/{uid}/recipients?limit=1&status=DELIVERED"),
        )
        .expect(200);
    assert_eq!(recipients.text("/data/0/uid"), format!("{uid}.0"));
    let cursor = recipients.text("/meta/nextCursor");
    let rest = world
        .get(
            &shop.key,
            &format!("/messages/{uid}/recipients?limit=1&cursor={cursor}"),
        )
        .expect(200);
    assert_eq!(rest.text("/data/0/uid"), format!("{uid}.1"));
    assert_eq!(rest.json["meta"]["nextCursor"], json!(null));
}

#[test]
fn another_accounts_message_is_as_good_as_none() {
    let (world, shop) = World::with_account(10_000);
    let other = world.account("other", 0);
    let uid = world.send(&shop.key, &["09121234567"]).expect(201).text("/data/uid");
    for path in [format!("/messages/{uid}"), format!("/messages/{uid}/recipients")] {
        let foreign = world
            .request("GET", &path)
            .key(&other.key)
            .request_id("same")
            .send()
            .problem(404, 404);
        let missing = world
            .request("GET", &path.replace(&uid, "none"))
            .key(&other.key)
            .request_id("same")
            .send()
            .problem(404, 404);
        assert_eq!(
            foreign.body.replace(&path, ""),
            missing.body.replace(&path.replace(&uid, "none"), "")
        );
    }
}

#[test]
fn every_response_has_its_id_and_is_not_to_be_kept() {
    let (world, _) = World::with_account(0);
    for (path, status) in [("/health", 200), ("/nowhere", 404), ("/account/info", 401)] {
        let answer = world.request("GET", path).request_id("my.id-1").send().expect(status);
        assert_eq!(answer.header("X-Request-Id"), Some("my.id-1"));
        assert_eq!(answer.text("/meta/requestId"), "my.id-1");
        assert_eq!(answer.header("X-Content-Type-Options"), Some("nosniff"));
        assert_eq!(answer.header("Cache-Control"), Some("no-store"));
        assert_eq!(
            answer.header("RateLimit"),
            None,
            "a request without an account pays nothing"
        );
    }
    let own = world
        .request("GET", "/health")
        .request_id("not usable!")
        .send()
        .expect(200);
    assert_eq!(own.header("X-Request-Id").unwrap().len(), 36);
}

/// The line of the log with this event.
fn logged(world: &World, event: &str) -> serde_json::Value {
    let log = world.log.borrow();
    let lines = log
        .iter()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    lines.rev().find(|line| line["event"] == event).unwrap()
}

#[test]
fn a_port_that_does_not_answer_is_a_503_that_says_when_to_come_again() {
    type Outage = fn(&World, bool);
    let outages: [(&str, Outage); 3] = [
        ("ACCOUNT: crashed", |world, is_on| world.chaos.set(is_on.into())),
        ("d1: down", |world, is_on| world.directory_is_down.set(is_on)),
        ("kv: down", |world, is_on| world.keys_are_down.set(is_on)),
    ];
    for (cause, switch) in outages {
        let (world, shop) = World::with_account(1_000);
        let send = || {
            let body = json!({"message": "hello", "recipients": ["09121234567"]});
            let request = world.request("POST", "/sms/send").key(&shop.key).json(body);
            request.idempotency_key("once").send()
        };
        world.app.profiles.clear();
        world.app.keys.clear();
        switch(&world, true);
        let failed = send().problem(503, 503);
        switch(&world, false);
        assert_eq!(failed.text("/name"), "ServiceUnavailable");
        assert!(failed.header("Retry-After").unwrap().parse::<u32>().unwrap() > 0);
        assert!(failed.text("/detail").contains("Idempotency-Key"), "{}", failed.body);
        assert!(!failed.body.contains(cause), "the client does not see the cause");
        let line = logged(&world, "unavailable");
        assert_eq!(line["requestId"].as_str(), failed.header("X-Request-Id"));
        assert!(line["cause"].as_str().unwrap().starts_with(cause), "{line}");
        // The repeat is safe, whether the first request had its effect or not.
        send().expect(201);
        assert_eq!(world.balance(&shop.key), (0, 1_000));
    }
}

#[test]
fn an_outage_is_told_in_persian_too() {
    let (world, shop) = World::with_account(1_000);
    world.keys_are_down.set(true);
    world.app.keys.clear();
    let request = world.request("GET", "/account/info").key(&shop.key).language("fa");
    let failed = request.send().problem(503, 503);
    assert_eq!(failed.text("/title"), "سرویس در دسترس نیست");
    assert!(failed.text("/detail").contains("Idempotency-Key"), "{}", failed.body);
}

#[test]
fn a_fault_of_ours_is_a_500_whose_cause_is_in_the_log_alone() {
    let (world, shop) = World::with_account(1_000);
    let digest = peyk::auth::digest(&shop.key);
    world.keys.borrow_mut().insert(digest.clone(), r#"{"v":1}"#.to_owned());
    world.app.keys.clear();
    let failed = world.send(&shop.key, &["09121234567"]).problem(500, 500);
    assert_eq!(failed.header("Retry-After"), None);
    let line = logged(&world, "internal");
    assert_eq!(line["requestId"].as_str(), failed.header("X-Request-Id"));
    let cause = line["cause"].as_str().unwrap();
    assert!(
        cause.starts_with(&format!("record of key {}…", &digest[..12])),
        "{cause}"
    );
    assert!(!failed.body.contains("record of key"));
}

#[test]
fn a_statement_that_the_store_refuses_is_a_500() {
    let (world, shop) = World::with_account(1_000);
    world.sql(&shop.id).exec("DROP TABLE message", &[]).unwrap();
    world.get(&shop.key, "/messages").problem(500, 500);
    world.db.exec("DROP TABLE phonebook", &[]).unwrap();
    world.get(&shop.key, "/phonebook").problem(500, 500);
}

#[test]
fn an_object_of_another_version_is_an_outage() {
    let world = World::new();
    let head = peyk::http::Head::default();
    let context = peyk::api::context::Context::new(&world, &world.app, &head);
    let problem = context.problem(peyk::account::refusal::Refusal::UnknownRequest);
    assert_eq!(problem.kind(), peyk::problem::kind::UNAVAILABLE);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn no_body_whatever_is_answered_with_our_fault(body in prop::collection::vec(any::<u8>(), 0..200), json in "[{}\\[\\]\",:a-z0-9. ]{0,60}") {
        let (world, shop) = World::with_account(1_000);
        for bytes in [body.as_slice(), json.as_bytes()] {
            let answer = world.request("POST", "/sms/send").key(&shop.key).body("application/json", bytes).send();
            prop_assert!(matches!(answer.response.status, 400 | 422), "{}", answer.body);
        }
        prop_assert_eq!(world.balance(&shop.key), (1_000, 0));
    }
}
