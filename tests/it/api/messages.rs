//! Messages of customers: sent, read, found. Only the tests move the clock.

use peyk::base::language::Language;
use serde_json::{Value, json};

use crate::support::{World, assert_starts, time::HOUR_MS, time::MINUTE_MS};

fn status_of(world: &World, key: &str, uid: &str) -> String {
    world.message(key, uid).text("/data/recipients/0/status")
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
    let spellings = ["09121234567", "+98 912 123 4567", "۰۹۱۲۱۲۳۴۵۶۷", "9121234567"];
    let sent = world.send(&shop.key, &spellings).expect(201);
    assert_eq!(sent.json["data"]["recipients"].as_array().unwrap().len(), 1);
    assert_eq!(sent.int("/data/cost"), 1_000);
}

#[test]
fn all_faults_of_a_body_are_told_at_once_and_nothing_is_spent() {
    let (world, shop) = World::with_account(10_000);
    let body = json!({"message": 7, "recipients": ["09121234567", "nonsense", 5], "sendAt": "soon",
        "clientRef": "x".repeat(65)});
    let answer = world.post_once(&shop.key, "/sms/send", "\"open", body).refused(422);
    let mut fields: Vec<String> = answer.places();
    fields.sort();
    let wanted = "Idempotency-Key clientRef message recipients[1] recipients[2] sendAt";
    assert_eq!(fields, wanted.split(' ').collect::<Vec<_>>());
    assert_eq!(answer.json["errors"][1]["pointer"], "/recipients/1");
    assert_eq!(world.balance(&shop.key), (10_000, 0));
    assert_eq!(world.read(&shop.key, "/messages").json["data"], json!([]));
}

#[test]
fn a_missing_body_names_what_is_missing() {
    let (world, shop) = World::with_account(0);
    let answer = world.post(&shop.key, "/sms/send", json!({})).refused(422);
    assert_eq!(answer.extra(), ["message: is required", "recipients: is required"]);
    let persian = world.ask("POST", &shop.key, "/sms/send").language("fa-IR");
    let persian = persian.json(json!({})).send().refused(422);
    assert_eq!(persian.extra(), ["message: الزامی است", "recipients: الزامی است"]);
    assert_eq!(persian.text("/title"), "داده‌های نامعتبر");
}

#[test]
fn a_client_that_prefers_no_language_gets_the_one_that_the_operator_set() {
    let (mut world, shop) = World::with_account(0);
    let ask = |world: &World, languages: Option<&str>| {
        let request = world.ask("POST", &shop.key, "/sms/send").json(json!({}));
        let request = match languages {
            Some(languages) => request.language(languages),
            None => request,
        };
        let answer = request.send().refused(422);
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
        let nobody = world.request("GET", "/lines").send().refused(401);
        assert_eq!(nobody.header("Content-Language"), Some(default.tag()));
    }
}

#[test]
fn texts_of_too_many_parts_and_lists_of_too_many_recipients_are_refused() {
    let (world, shop) = World::with_account(10_000_000);
    let send = |message: String, count: u64| {
        let recipients: Vec<String> = (0..count).map(|number| format!("0912{number:07}")).collect();
        let body = json!({"message": message, "recipients": recipients});
        world.post(&shop.key, "/sms/send", body)
    };
    send("x".repeat(1_530), 1).expect(201);
    send("x".repeat(1_531), 1).faults(&["message: takes 11 parts, at most 10 are allowed"]);
    let sent = send("x".to_owned(), 1_000).expect(201);
    assert_eq!(sent.json["data"]["recipients"].as_array().unwrap().len(), 1_000);
    send("x".to_owned(), 1_001).faults(&["recipients: must have at most 1000 items"]);
}

#[test]
fn a_replayed_key_answers_as_before_and_debits_once() {
    let (world, shop) = World::with_account(1_000);
    let send = |body: serde_json::Value| world.post_once(&shop.key, "/sms/send", "order-1", body);
    let body = json!({"message": "hello", "recipients": ["09121234567"]});
    let first = send(body.clone()).expect(201);
    assert_eq!(first.header("Idempotency-Replayed"), None);
    world.settle(10_000);
    let again = send(body.clone()).expect(201);
    assert_eq!(again.json["data"], first.json["data"]);
    assert_eq!(again.header("Idempotency-Replayed"), Some("true"));
    assert_eq!(world.balance(&shop.key), (0, 0));
    let other = send(json!({"message": "other", "recipients": ["09121234567"]})).refused(422);
    assert_eq!(other.extra(), ["Idempotency-Key: was used for another request before"]);
    world.advance(24 * HOUR_MS);
    send(body).problem(400, 2001);
}

#[test]
fn a_replay_is_answered_even_when_its_line_is_gone() {
    let (world, shop) = World::with_account(1_000);
    let send = || {
        let body = json!({"message": "hello", "recipients": ["09121234567"], "sourceNumber": "10001"});
        world.post_once(&shop.key, "/sms/send", "k", body)
    };
    let first = send().expect(201);
    world.change("/admin/lines/10001", json!({"active": false}));
    assert_eq!(send().expect(201).json["data"], first.json["data"]);
}

#[test]
fn a_refusal_is_not_remembered() {
    let (world, shop) = World::with_account(0);
    let send = || {
        let body = json!({"message": "hello", "recipients": ["09121234567"]});
        world.post_once(&shop.key, "/sms/send", "k", body)
    };
    send().problem(400, 2001);
    world.create(&shop.path("/credit"), json!({"amount": 1_000}));
    send().expect(201);
}

#[test]
fn a_scheduled_message_waits_for_its_time_with_its_money_reserved() {
    let (world, shop) = World::with_account(1_000);
    let at = peyk::base::time::to_rfc3339(world.now_ms.get() + HOUR_MS);
    let send = |at: &str| {
        let body = json!({"message": "hello", "recipients": ["09121234567"], "sendAt": at, "clientRef": "c-1"});
        world.post(&shop.key, "/sms/send", body)
    };
    let sent = send(&at).expect(201);
    sent.has(json!({"status": "SCHEDULED", "sendAt": at}));
    assert_eq!(sent.text("/data/recipients/0/status"), "SCHEDULED");
    world.settle(HOUR_MS - 1);
    let uid = sent.text("/data/uid");
    assert_eq!(status_of(&world, &shop.key, &uid), "SCHEDULED");
    assert_eq!(world.balance(&shop.key), (0, 1_000));
    world.settle(10_000);
    assert_eq!(status_of(&world, &shop.key, &uid), "DELIVERED");
    assert_eq!(world.balance(&shop.key), (0, 0));
    send(&peyk::base::time::to_rfc3339(world.now_ms.get())).faults(&["sendAt: must not be in the past"]);
    send(&peyk::base::time::to_rfc3339(
        world.now_ms.get() + 90 * 24 * HOUR_MS + 1,
    ))
    .faults(&["sendAt: must be at most 90 days ahead"]);
}

#[test]
fn a_test_key_goes_through_everything_but_costs_nothing_and_reaches_no_carrier() {
    let (world, shop) = World::with_account(0);
    let path = shop.path("/keys");
    let body = json!({"title": "t", "mode": "test"});
    let test = world.create(&path, body).text("/data/key");
    assert!(test.starts_with("peyk_test_"));
    let sent = world.send(&test, &["09121234567", "09121234902"]).expect(201);
    assert_eq!(sent.int("/data/cost"), 0);
    world.settle(10_000);
    let message = world.message(&test, &sent.text("/data/uid"));
    let expected = json!({"DELIVERED": 1, "UNDELIVERED": 1});
    assert_eq!(message.json["data"]["counts"], expected);
    assert!(world.inbox(&shop.id).is_empty());
    assert_eq!(world.read(&test, "/account/transactions").json["data"], json!([]));
    let body = json!({"message": "x", "recipients": ["1"]});
    world.post(&test, "/sms/send", body).refused(422);
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
        world.db.run(sql);
    }
    world.app.profiles.clear();
    // Until then the account's object may use what it has read of the line.
    world.advance(30_000);
    let uid = world.sent(&shop.key, &["09121234567"]);
    world.settle(4 * 60 * MINUTE_MS - 1_000);
    assert_eq!(status_of(&world, &shop.key, &uid), "QUEUED");
    // The chunk was stuck before it was given up: the letter that says so goes when the object looks again.
    world.settle(11 * MINUTE_MS);
    assert_eq!(status_of(&world, &shop.key, &uid), "REJECTED");
    assert_eq!(world.balance(&shop.key), (1_000, 0));
    let letters = world.look("/admin/dead-letters");
    assert_eq!(letters.items().len(), 1);
    let found = (letters.text("/data/0/account"), letters.text("/data/0/message"));
    assert_eq!(found, (shop.id.clone(), uid));
    let found = (letters.int("/data/0/recipients"), letters.int("/data/0/attempts"));
    assert_eq!(found, (1, 0));
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
    let message = world.read(&shop.key, &format!("/messages/{}", sent.text("/data/uid")));
    assert_eq!(message.text("/data/status"), "DONE");
    for (index, (number, status)) in endings.into_iter().enumerate() {
        let text = |name: &str| message.text(&format!("/data/recipients/{index}/{name}"));
        assert_eq!((text("recipient").as_str(), text("status").as_str()), (number, status));
    }
    // 901 is released, and the money of 904 is held.
    assert_eq!(world.balance(&shop.key), (1_000, 1_000));
    let money = ["reserved", "spent", "released", "refunded", "returned"];
    let told = money.map(|name| message.json["data"][name].as_i64().unwrap());
    assert_eq!(told, [1_000, 4_000, 1_000, 0, 1_000]);
}

#[test]
fn money_held_for_an_unclear_answer_is_given_back_after_the_deadline() {
    let (world, shop) = World::with_account(1_000);
    let uid = world.sent(&shop.key, &["09121234904"]);
    world.settle(10_000);
    let message = world.message(&shop.key, &uid);
    let found = (message.text("/data/status"), message.text("/data/recipients/0/status"));
    assert_eq!(found, ("DONE".into(), "UNKNOWN".into()));
    assert_eq!(world.balance(&shop.key), (0, 1_000));
    world.settle(73 * HOUR_MS);
    assert_eq!(world.balance(&shop.key), (1_000, 0));
    assert_eq!(status_of(&world, &shop.key, &uid), "UNKNOWN");
}

#[test]
fn a_plan_may_refund_what_was_not_delivered() {
    let (world, shop) = World::with_account(2_000);
    world.change("/admin/plans/default", json!({"refunds": ["UNDELIVERED"]}));
    let uid = world.sent(&shop.key, &["09121234902", "09121234903"]);
    world.settle(10_000);
    assert_eq!(world.balance(&shop.key), (1_000, 0));
    let message = world.read(&shop.key, &format!("/messages/{uid}"));
    assert_eq!(
        (message.int("/data/spent"), message.int("/data/refunded")),
        (1_000, 1_000)
    );
    let kinds = world.read(&shop.key, "/account/transactions").texts("type");
    assert_eq!(kinds, ["REFUND", "SETTLE", "RESERVE", "CREDIT"]);
}

#[test]
fn a_burst_is_admitted_to_the_exact_count_and_waiting_helps() {
    let (world, shop) = World::with_account(0);
    let limit = json!({"rateLimit": {"limit": 60, "windowSeconds": 60, "burst": 5}});
    world.change_account(&shop, limit);
    for left in (0..5).rev() {
        let answer = world.read(&shop.key, "/account/info");
        assert_eq!(answer.header("RateLimit-Policy"), Some("\"default\";q=60;w=60"));
        assert_starts(answer.header("RateLimit").unwrap(), &format!("\"default\";r={left};t="));
    }
    let refused = world.get(&shop.key, "/account/info").refused(429);
    let wait_s: i64 = refused.header("Retry-After").unwrap().parse().unwrap();
    world.advance(wait_s * 1_000);
    world.read(&shop.key, "/account/info");
    world.get(&shop.key, "/account/info").refused(429);
}

#[test]
fn a_failed_request_pays_its_token_too() {
    let (world, shop) = World::with_account(0);
    let left = |answer: crate::support::Answer| answer.header("RateLimit").unwrap().to_owned();
    let wanted = "\"default\";r=299;t=1";
    assert_eq!(left(world.get(&shop.key, "/messages/none").refused(404)), wanted);
    let broken = world
        .ask("POST", &shop.key, "/sms/send")
        .body("application/json", b"{")
        .send()
        .refused(400);
    assert_eq!(left(broken), "\"default\";r=298;t=1");
    let wanted = "\"default\";r=297;t=1";
    assert_eq!(left(world.get(&shop.key, "/lines?limit=0").refused(422)), wanted);
}

#[test]
fn pages_neither_repeat_nor_hide_when_messages_arrive_in_between() {
    let (world, shop) = World::with_account(100_000);
    let send = |count: usize| {
        (0..count)
            .map(|_| world.sent(&shop.key, &["09121234567"]))
            .collect::<Vec<_>>()
    };
    let old = send(5);
    let mut seen = Vec::new();
    world.walk(&shop.key, "/messages?limit=2", |page| {
        seen.extend(page.texts("uid"));
        send(1);
    });
    seen.reverse();
    assert_eq!(seen, old);
    let foreign = world
        .read(&shop.key, "/account/transactions?limit=1")
        .text("/meta/nextCursor");
    let path = format!("/messages?cursor={foreign}");
    world.get(&shop.key, &path).refused(422);
    for bad in "limit=0 limit=201 limit=x cursor=x status=GONE type=PIGEON from=yesterday recipient=x".split(' ') {
        let answer = world.get(&shop.key, &format!("/messages?{bad}")).refused(422);
        assert_starts(&answer.extra()[0], bad.split('=').next().unwrap());
    }
}

#[test]
fn messages_are_found_by_what_is_known_of_them() {
    let (world, shop) = World::with_account(100_000);
    let body = json!({"message": "x", "recipients": ["09121234567", "09351234567"], "clientRef": "order 7"});
    let uid = world.posted(&shop.key, "/sms/send", body).text("/data/uid");
    world.settle(5_000);
    let late = peyk::base::time::to_rfc3339(world.now_ms.get());
    world.send(&shop.key, &["09121234568"]).expect(201);
    for found in [
        "status=DONE".to_owned(),
        "clientRef=order+7".to_owned(),
        "recipient=09351234567".to_owned(),
        "type=PLAIN&recipient=%2B989121234567".to_owned(),
        format!("to={late}"),
    ] {
        let uids = world.read(&shop.key, &format!("/messages?{found}")).texts("uid");
        assert_eq!(uids, [uid.as_str()], "{found}");
    }
    let path = format!("/messages/{uid}/recipients?limit=1&status=DELIVERED");
    let recipients = world.read(&shop.key, &path);
    assert_eq!(recipients.text("/data/0/uid"), format!("{uid}.0"));
    let cursor = recipients.text("/meta/nextCursor");
    let path = format!("/messages/{uid}/recipients?limit=1&cursor={cursor}");
    let rest = world.read(&shop.key, &path);
    assert_eq!(rest.text("/data/0/uid"), format!("{uid}.1"));
    assert_eq!(rest.json["meta"]["nextCursor"], json!(null));
}

#[test]
fn one_recipient_of_many_is_found_by_its_number_or_its_reason() {
    let (world, shop) = World::with_account(100_000);
    let numbers = ["+989121234901", "+989121234902", "+989121234903", "+989351234567"];
    let uid = world.sent(&shop.key, &numbers);
    world.settle(15_000);
    let found = |query: &str| {
        let page = world.read(&shop.key, &format!("/messages/{uid}/recipients?{query}"));
        page.texts("recipient")
    };
    assert_eq!(found("recipient=09351234567"), ["+989351234567"]);
    assert_eq!(found("recipient=%2B989121234902&status=UNDELIVERED"), ["+989121234902"]);
    assert!(found("recipient=09121111111").is_empty());
    assert!(found("recipient=09351234567&status=UNDELIVERED").is_empty());
    assert_eq!(found("error=EXPIRED"), ["+989121234903"]);
    for bad in ["recipient=x", "error=BROKEN", "format=xml", "format=csv&limit=5"] {
        let path = format!("/messages/{uid}/recipients?{bad}");
        assert_eq!(world.get(&shop.key, &path).refused(422).extra().len(), 1, "{bad}");
    }
    let path = format!(
        "/admin/accounts/{}/messages/{uid}/recipients?recipient=09351234567",
        shop.id
    );
    assert_eq!(world.look(&path).texts("recipient"), ["+989351234567"]);
}

#[test]
fn a_file_has_all_recipients_of_a_filter_and_an_import_reads_it() {
    let (world, shop) = World::with_busy_account(10_000_000);
    let numbers: Vec<String> = (0..2_100).map(|index| format!("+98912{index:07}")).collect();
    let book = |title: &str| {
        world
            .posted(&shop.key, "/phonebook", json!({"title": title}))
            .text("/data/id")
    };
    let all = book("all");
    let table = format!("number\n{}\n", numbers.join("\n"));
    world.import(&shop.key, &all, table).expect(201);
    let to_all = json!({"phonebooks": [all], "message": "x"});
    let sent = world.posted(&shop.key, "/sms/phonebook/send", to_all);
    let uid = sent.text("/data/uid");
    world.settle(60_000);
    let file = |query: &str, language: &str| {
        let path = format!("/messages/{uid}/recipients?format=csv{query}");
        world.ask("GET", &shop.key, &path).language(language).send().expect(200)
    };
    let whole = file("", "fa");
    assert_eq!(whole.response.content_type, "text/csv; charset=utf-8");
    let disposition = whole.header("Content-Disposition").unwrap();
    assert_eq!(disposition, "attachment; filename=\"recipients.csv\"");
    assert_starts(
        &whole.body,
        "\u{feff}شماره,وضعیت,علت,هزینه,واحد,زمان\n+989120000000,DELIVERED,,1000,IRR,",
    );
    let of_file: Vec<&str> = whole
        .body
        .lines()
        .skip(1)
        .filter_map(|line| line.split(',').next())
        .collect();
    assert_eq!(of_file, numbers);
    let one = file("&recipient=09120002099", "en");
    assert_starts(
        &one.body,
        "\u{feff}number,status,error,cost,unit,updatedAt\n+989120002099,",
    );
    assert_eq!(one.body.lines().count(), 2);
    let imported = world.import(&shop.key, &book("again"), &whole.body).expect(201);
    assert_eq!(imported.json["data"]["added"], 2_100);
    let missing = "/messages/none/recipients?format=csv";
    world.get(&shop.key, missing).refused(404);
}

#[test]
fn another_accounts_message_is_as_good_as_none() {
    let (world, shop) = World::with_account(10_000);
    let other = world.account("other", 0);
    let uid = world.sent(&shop.key, &["09121234567"]);
    for path in [format!("/messages/{uid}"), format!("/messages/{uid}/recipients")] {
        let refused = world.ask("GET", &other.key, &path).request_id("same").send();
        let foreign = refused.refused(404);
        let missing = world
            .ask("GET", &other.key, &path.replace(&uid, "none"))
            .request_id("same")
            .send()
            .refused(404);
        let wanted = missing.body.replace(&path.replace(&uid, "none"), "");
        assert_eq!(foreign.body.replace(&path, ""), wanted);
    }
}

fn found(world: &World, key: &str, body: Value) -> Vec<Value> {
    let answer = world.post(key, "/messages/recipients", body).expect(200);
    answer.json["data"]["recipients"].as_array().unwrap().clone()
}

#[test]
fn recipients_of_many_messages_are_found_at_once_in_the_order_of_the_request() {
    let (world, shop) = World::with_busy_account(10_000_000);
    let stranger = world.account("stranger", 0);
    let test = world
        .grant(&shop, json!({"title": "t", "mode": "test"}))
        .text("/data/key");
    // More recipients than a chunk has.
    let numbers: Vec<String> = (0..450).map(|at| format!("0912{at:07}")).collect();
    let numbers: Vec<&str> = numbers.iter().map(String::as_str).collect();
    let large = world.sent(&shop.key, &numbers);
    let items = json!([{"recipient": "09121234567", "message": "one"}, {"recipient": "09351234567", "message": "two"}]);
    let bulk = world
        .posted(
            &shop.key,
            "/sms/bulk",
            json!({"messages": items, "clientRef": "order-7"}),
        )
        .text("/data/uid");
    world.settle(MINUTE_MS);
    let number = peyk::base::id::number_of(&bulk).unwrap();
    let asked = json!([
        format!("{bulk}.1"),
        format!("{large}.449"),
        format!("{number}.0"),
        format!("{large}.450"),
        format!("{large}.0"),
        "999.0"
    ]);
    let recipients = found(&world, &shop.key, json!({"recipients": asked}));
    let told: Vec<_> = recipients
        .iter()
        .map(|one| (&one["asked"], &one["recipient"], &one["text"], &one["status"]))
        .collect();
    assert_eq!(
        told,
        [
            (&asked[0], &json!("+989351234567"), &json!("two"), &json!("DELIVERED")),
            (&asked[1], &json!("+989120000449"), &json!("hello"), &json!("DELIVERED")),
            (&asked[2], &json!("+989121234567"), &json!("one"), &json!("DELIVERED")),
            (&asked[4], &json!("+989120000000"), &json!("hello"), &json!("DELIVERED")),
        ]
    );
    assert_eq!(recipients[2]["uid"], json!(format!("{bulk}.0")));
    assert_eq!(
        (&recipients[1]["recipientCount"], &recipients[1]["cost"]),
        (&json!(450), &json!(1_000))
    );
    let by_ref = found(&world, &shop.key, json!({"clientRefs": ["none", "order-7"]}));
    assert_eq!(crate::support::pick::<String>(&json!(by_ref), "text"), ["one", "two"]);
    assert!(
        by_ref
            .iter()
            .all(|one| one["asked"] == "order-7" && one["clientRef"] == "order-7")
    );
    // Nobody else finds them, and a uid is found as a whole only.
    for key in [&stranger.key, &test] {
        assert!(found(&world, key, json!({"recipients": asked})).is_empty());
        assert!(found(&world, key, json!({"clientRefs": ["order-7"]})).is_empty());
    }
    let forged = format!("00000000-0000-7000-8000-{number:012x}.0");
    assert!(found(&world, &shop.key, json!({"recipients": [forged]})).is_empty());
}

#[test]
fn a_search_for_recipients_names_some_and_not_too_many() {
    let (world, shop) = World::with_account(0);
    let refused = |body: Value, place: &str| {
        let answer = world.post(&shop.key, "/messages/recipients", body).refused(422);
        assert_eq!(answer.pointers(), [place]);
    };
    refused(json!({}), "/recipients");
    refused(json!({"recipients": []}), "/recipients");
    refused(json!({"recipients": vec!["1.0"; 501]}), "/recipients");
    refused(json!({"clientRefs": vec!["x"; 501]}), "/clientRefs");
    refused(json!({"recipients": ["1.0"], "clientRefs": ["x"]}), "/clientRefs");
    refused(json!({"clientRefs": []}), "/clientRefs");
    for name in ["1", "x.0", "1.", "-1.0", "1.99999999999", "019b796d.0"] {
        refused(json!({"recipients": [name]}), "/recipients/0");
    }
    let blind = world
        .grant(&shop, json!({"title": "t", "scopes": ["phonebook"]}))
        .text("/data/key");
    world
        .post(&blind, "/messages/recipients", json!({"recipients": ["1.0"]}))
        .problem(403, 403);
}
