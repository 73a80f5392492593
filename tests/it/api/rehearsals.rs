//! Rehearsals: a test key meets the errors of a live key, by the numbers that its request names.

use std::cell::RefCell;
use std::rc::Rc;

use peyk::base::ports::IncomingResponse;
use peyk::compose::rehearsal::{REHEARSED, last_digits};
use peyk::problem::Kind;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::{Account, Answer, World, cases, pick};

const MONEY: i64 = 100_000;
/// The errors that an estimate lists among its faults.
const FAULTS: [u16; 6] = [1003, 3011, 3016, 3018, 2002, 2001];

/// A world with a pattern `login`, and an account with a live and a test key.
fn world() -> (World, Account, String) {
    let (world, shop) = World::with_account(MONEY);
    let test = world.grant(&shop, json!({"title": "test", "mode": "test"}));
    let limit = json!({"limit": 1_000_000, "windowSeconds": 1, "burst": 10_000});
    world.change_account(&shop, json!({"rateLimit": limit, "testRateLimit": limit}));
    let pattern = json!({"slug": "login", "title": "Login", "text": "کد %OTP%", "variables": [{"name": "OTP"}]});
    world.active_pattern(&shop.key, pattern);
    world.advance(31_000);
    (world, shop, test.text("/data/key"))
}

/// A number that rehearses an error.
fn number(kind: Kind) -> String {
    format!("091212{}", last_digits(kind))
}

fn good() -> String {
    "09351234567".to_owned()
}

/// A send to these numbers, over each of the routes that name numbers. With `/sms/bulk`, one text is a pattern.
fn sends(numbers: &[String]) -> [(&'static str, &'static str, Value); 3] {
    let variables = json!({"OTP": "1234"});
    let items = numbers.iter().enumerate().map(|(index, number)| match index {
        0 => json!({"recipient": number, "pattern": "login", "variables": variables}),
        _ => json!({"recipient": number, "message": "hello"}),
    });
    let items: Vec<Value> = items.collect();
    [
        ("send", "/sms/send", json!({"message": "hello", "recipients": numbers})),
        (
            "pattern",
            "/sms/pattern",
            json!({"pattern": "login", "variables": variables, "recipients": numbers}),
        ),
        ("bulk", "/sms/bulk", json!({"messages": items})),
    ]
}

/// A problem document without what belongs to the one request.
fn document(answer: &Answer) -> Value {
    let mut document = answer.json.clone();
    document.as_object_mut().unwrap().remove("meta");
    document
}

/// What an answer has in its headers beside what every answer has.
fn own_headers(answer: &Answer) -> Vec<(&'static str, String)> {
    let common = ["X-Request-Id", "RateLimit", "RateLimit-Policy"];
    let headers = answer.response.headers.iter();
    headers.filter(|(name, _)| !common.contains(name)).cloned().collect()
}

/// Makes a live key meet an error when it sends to the number, and gives its answer.
fn real(kind: Kind, path: &str, body: &Value) -> Answer {
    let (world, shop, _) = world();
    let change = |change: Value| world.change_account(&shop, change);
    match kind.code {
        429 => {
            change(json!({"rateLimit": {"limit": 60, "windowSeconds": 60, "burst": 1}}));
            world.post(&shop.key, path, body.clone());
        }
        503 => world.db.is_down.set(true),
        3017 => drop(change(json!({"destinations": ["971"]}))),
        1003 => drop(change(json!({"status": "INACTIVE"}))),
        3011 => drop(change(json!({"sendingEnabled": false}))),
        3016 => drop(world.posted(&shop.key, "/blacklist", json!({"numbers": [number(kind)]}))),
        3018 => {
            change(json!({"recipientLimit": {"limit": 1, "windowSeconds": 1}}));
            world.posted(&shop.key, path, body.clone());
        }
        2002 => {
            change(json!({"dailySpend": 1_000}));
            world.sent(&shop.key, &[&good()]);
        }
        2001 => drop(world.credit(&shop, -MONEY)),
        other => panic!("nobody knows how to meet {other}"),
    }
    if kind.code != 429 && kind.code != 3018 {
        world.advance(31_000);
    }
    world.post(&shop.key, path, body.clone())
}

#[test]
fn each_number_is_answered_as_the_real_refusal_and_nothing_is_stored() {
    let (world, shop, test) = world();
    for kind in REHEARSED {
        for (_, path, body) in sends(&[number(kind)]) {
            let rehearsed = world.post(&test, path, body.clone()).problem(kind.status, kind.code);
            // Only patterns have such a limit.
            if kind.code == 3018 && path == "/sms/send" {
                assert_eq!(rehearsed.pointers(), ["/recipients/0"]);
                continue;
            }
            let real = real(kind, path, &body).problem(kind.status, kind.code);
            assert_eq!(document(&rehearsed), document(&real), "{path}");
            let waits = own_headers(&rehearsed);
            if kind.code != 2002 {
                assert_eq!(waits, own_headers(&real), "{path}");
            }
            assert_eq!(
                rehearsed.header("Retry-After").is_some(),
                real.header("Retry-After").is_some()
            );
            assert!(
                rehearsed.header("RateLimit").is_some(),
                "it pays as a real refusal does"
            );
        }
    }
    world.assert_untouched(&shop, MONEY);
    assert_eq!(world.read(&shop.key, "/account/usage").json["data"], json!([]));
    assert!(!world.has_logged("unavailable"), "no alarm for operators");
}

#[test]
fn nobody_is_told_of_a_rehearsal() {
    let (world, shop, test) = world();
    let hits = Rc::new(RefCell::new(0));
    let noted = Rc::clone(&hits);
    world.receive(move |_| {
        *noted.borrow_mut() += 1;
        Some(Ok(IncomingResponse {
            status: 200,
            retry_after: None,
            body: String::new(),
        }))
    });
    let grant = json!({"title": "hook", "mode": "test", "scopes": ["webhook", "sms:read", "sms:send"]});
    let hook = world.grant(&shop, grant).text("/data/key");
    let events = json!({"url": "https://shop.example/hook", "events": ["message.status", "message.submitted"]});
    world.posted(&hook, "/webhook", events);
    for kind in REHEARSED {
        for (_, path, body) in sends(&[number(kind)]) {
            world.post(&test, path, body).problem(kind.status, kind.code);
        }
    }
    world.settle(60_000);
    assert_eq!(*hits.borrow(), 0);
    world.sent(&test, &[&good()]);
    world.settle(60_000);
    assert_eq!(*hits.borrow(), 1, "the endpoint hears of what is sent");
}

#[test]
fn of_several_numbers_the_first_error_in_the_order_of_the_api_decides() {
    let (world, shop, test) = world();
    for (place, first) in REHEARSED.iter().enumerate() {
        for later in REHEARSED.iter().skip(place + 1) {
            for (_, path, body) in sends(&[number(*later), good(), number(*first)]) {
                world.post(&test, path, body).problem(first.status, first.code);
            }
        }
    }
    world.assert_untouched(&shop, MONEY);
}

#[test]
fn an_estimate_lists_what_its_faults_can_have_and_is_answered_with_the_rest() {
    let (world, _, test) = world();
    let listed: Vec<Kind> = REHEARSED
        .into_iter()
        .filter(|kind| FAULTS.contains(&kind.code))
        .collect();
    let numbers: Vec<String> = listed.iter().map(|kind| number(*kind)).collect();
    for (member, _, body) in sends(&numbers) {
        let told = world.post(&test, "/sms/estimate", json!({member: body})).expect(200);
        assert_eq!(pick::<u16>(&told.json["data"]["faults"], "code"), FAULTS);
        assert_eq!(told.int("/data/cost"), 6_000);
        let place = match member {
            "bulk" => "bulk.messages[2].recipient".to_owned(),
            _ => format!("{member}.recipients[2]"),
        };
        let wanted = format!("{place}: +989121293016 is on the blacklist");
        assert_eq!(told.text("/data/faults/2/extra/0"), wanted);
    }
    for kind in REHEARSED.into_iter().filter(|kind| !FAULTS.contains(&kind.code)) {
        for (member, _, body) in sends(&[number(kind)]) {
            let refused = world.post(&test, "/sms/estimate", json!({member: body}));
            refused.problem(kind.status, kind.code);
        }
    }
}

#[test]
fn what_is_really_wrong_counts_in_the_same_order() {
    let (world, shop, test) = world();
    let kind = |code: u16| REHEARSED.into_iter().find(|kind| kind.code == code).unwrap();
    let send = |codes: &[u16]| {
        let numbers: Vec<String> = codes.iter().map(|code| number(kind(*code))).collect();
        world.post(&test, "/sms/send", json!({"message": "hello", "recipients": numbers}))
    };
    let missing = |code: u16| {
        let body = json!({"pattern": "nothing", "recipient": number(kind(code))});
        world.post(&test, "/sms/pattern", body)
    };
    missing(429).problem(429, 429);
    missing(3017).problem(422, 3002);
    missing(1003).problem(422, 3002);
    let faulty = json!({"message": "", "recipients": [number(kind(429))]});
    world.post(&test, "/sms/send", faulty).refused(422);
    world.posted(&shop.key, "/blacklist", json!({"numbers": [good()]}));
    let both = json!({"message": "hello", "recipients": [number(kind(3016)), good()]});
    let refused = world.post(&test, "/sms/send", both).problem(422, 3016);
    assert_eq!(refused.pointers(), ["/recipients/0", "/recipients/1"]);
    world.change_account(&shop, json!({"destinations": ["98935"]}));
    world.advance(31_000);
    let refused = send(&[3017, 3016]).problem(406, 3017);
    assert_eq!(refused.pointers(), ["/recipients/0", "/recipients/1"]);
    world.change_account(&shop, json!({"destinations": ["98"], "status": "INACTIVE"}));
    world.advance(31_000);
    send(&[3011]).problem(412, 1003);
    send(&[3017]).problem(406, 3017);
}

#[test]
fn a_repeat_under_an_idempotency_key_is_answered_as_refusals_are() {
    let (world, shop, test) = world();
    for kind in REHEARSED {
        for (member, path, body) in sends(&[number(kind)]) {
            let key = format!("{}-{member}", kind.code);
            let refused = || world.post_once(&test, path, &key, body.clone());
            let first = refused().problem(kind.status, kind.code);
            let again = refused().problem(kind.status, kind.code);
            assert_eq!(document(&first), document(&again));
            assert_eq!(again.header("Idempotency-Replayed"), None);
            // A refusal leaves the key free.
            let (_, _, mended) = sends(&[good()])
                .into_iter()
                .find(|(_, known, _)| *known == path)
                .unwrap();
            let sent = world.post_once(&test, path, &key, mended.clone()).expect(201);
            let again = world.post_once(&test, path, &key, mended).expect(201);
            assert_eq!(again.header("Idempotency-Replayed"), Some("true"));
            assert_eq!(again.text("/data/uid"), sent.text("/data/uid"));
            // Then the key is another request's, which stands behind 3017 and before the others.
            let taken = refused();
            match kind.code {
                429 | 503 | 3017 => drop(taken.problem(kind.status, kind.code)),
                _ => assert_eq!(taken.refused(422).pointers(), ["/Idempotency-Key"]),
            }
        }
    }
    assert_eq!(world.balance(&shop.key), (MONEY, 0));
}

#[test]
fn to_a_live_key_they_are_numbers_like_any_other() {
    let (world, shop, _) = world();
    let numbers: Vec<String> = REHEARSED.into_iter().map(number).collect();
    let mut sent = Vec::new();
    for (member, path, body) in sends(&numbers) {
        let estimate = world
            .post(&shop.key, "/sms/estimate", json!({member: body}))
            .expect(200);
        assert_eq!(estimate.json["data"]["faults"], json!([]));
        sent.push(world.posted(&shop.key, path, body).text("/data/uid"));
    }
    world.settle(60_000);
    for uid in sent {
        let counts = world.message(&shop.key, &uid).json["data"]["counts"].clone();
        assert_eq!(counts, json!({"DELIVERED": REHEARSED.len()}));
    }
    let handed = world.handed(&shop.id);
    for number in numbers {
        let own = format!("+98{}", &number[1..]);
        assert_eq!(handed.iter().filter(|(handed, _)| *handed == own).count(), 3, "{own}");
    }
}

#[test]
fn members_of_phonebooks_rehearse_nothing() {
    let (world, shop, test) = world();
    let numbers: Vec<String> = REHEARSED.into_iter().map(number).collect();
    let book = world.phonebook(&shop.key, "book", json!(numbers));
    let body = json!({"phonebook": book, "message": "hello", "exclude": [numbers[0]]});
    let sent = world.posted(&test, "/sms/phonebook/send", body);
    // Nor does the count tell whether somebody who is left out is a member.
    assert_eq!(
        sent.json["data"]["recipients"].as_array().unwrap().len(),
        REHEARSED.len()
    );
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases(60)) })]

    #[test]
    fn a_number_rehearses_by_its_last_five_digits_however_it_is_written(
        prefix in prop::sample::select(vec!["+98", "0098", "98", "0", "", "+۹۸ "]),
        middle in 0u32..10_000,
        place in 0usize..9,
        near in 0u64..100_000,
    ) {
        let (world, _, test) = world();
        let (kind, end) = (REHEARSED[place], last_digits(REHEARSED[place]));
        let send = |end: u64| {
            let number = format!("{prefix}9{middle:04}{end:05}");
            world.post(&test, "/sms/send", json!({"message": "hello", "recipients": [number]}))
        };
        send(end).problem(kind.status, kind.code);
        let is_one = REHEARSED.into_iter().any(|kind| last_digits(kind) == near);
        prop_assert_eq!(send(near).response.status == 201, !is_one);
    }
}
