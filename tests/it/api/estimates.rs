//! Estimates: the answer that a send would get, and its cost.

use peyk::compose::rehearsal::{REHEARSED, last_digits};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::{World, assert_has, cases, pick, table};

#[test]
fn an_estimate_tells_what_a_send_would_meet_and_changes_nothing() {
    let (world, shop) = World::with_account(500);
    world.posted(&shop.key, "/blacklist", json!({"numbers": ["09121234567"]}));
    let path = shop.path("");
    world.change(&path, json!({"status": "INACTIVE", "sendingEnabled": false}));
    let body = json!({"send": {"message": "سلام", "recipients": ["09121234567", "09351234567"]}});
    let estimate = world.post(&shop.key, "/sms/estimate", body.clone()).expect(200);
    let data = &estimate.json["data"];
    assert_has(data, json!({"type": "PLAIN", "encoding": "UCS2", "parts": 1}));
    assert_has(data, json!({"recipients": 2, "cost": 2_000, "unit": "IRR"}));
    let codes: Vec<i64> = pick(&data["faults"], "code");
    assert_eq!(codes, [1003, 3011, 3016, 2001]);
    let wanted = "send.recipients[0]: +989121234567 is on the blacklist";
    assert_eq!(estimate.text("/data/faults/2/extra/0"), wanted);
    assert_eq!(estimate.text("/data/faults/2/errors/0/pointer"), "/send/recipients/0");
    world.assert_untouched(&shop, 500);
    world.change(&path, json!({"status": "ACTIVE", "sendingEnabled": true}));
    let free = json!({"send": {"message": "x", "recipients": ["09351234567"]}});
    world.create(&format!("{path}/credit"), json!({"amount": 500}));
    let estimate = world.post(&shop.key, "/sms/estimate", free).expect(200);
    assert_eq!(estimate.json["data"]["faults"], json!([]));
    for (body, faults) in table::<(Value, Vec<String>)>(json!([
        [{}, ["send: one of send, pattern, phonebook, bulk is required"]],
        [{"send": {}, "bulk": {}}, ["bulk: must not stand beside \"send\""]],
        [{"send": 5}, ["send: must be an object"]],
        [{"send": null}, ["send: is required"]],
        [{"send": {"recipients": ["x"]}},
            ["send.message: is required", "send.recipients[0]: is not a valid phone number"]],
        [{"bulk": {"messages": [{}]}},
            ["bulk.messages[0].recipient: is required", "bulk.messages[0].message: is required"]],
    ])) {
        world.post(&shop.key, "/sms/estimate", body).faults(&faults);
    }
    let missing = json!({"phonebook": {"phonebook": "nothing", "message": "x"}});
    world.post(&shop.key, "/sms/estimate", missing).refused(404);
    let unknown = json!({"pattern": {"pattern": "nothing", "recipient": "09121234567"}});
    let unknown = world.post(&shop.key, "/sms/estimate", unknown).problem(422, 3002);
    assert!(unknown.extra()[0].starts_with("pattern.pattern: "));
}

#[test]
fn a_test_key_is_told_the_price_of_a_live_key_and_only_the_faults_that_it_would_meet() {
    let (world, shop) = World::with_account(1_500);
    let test = world
        .grant(&shop, json!({"title": "test", "mode": "test"}))
        .text("/data/key");
    world.posted(&shop.key, "/blacklist", json!({"numbers": ["09351234567"]}));
    world.change_account(&shop, json!({"dailySpend": 1_000, "sendingEnabled": false}));
    let send = json!({"message": "hello", "recipients": ["09121234567", "09351234567"]});
    let of = |key: &str| {
        let told = world.post(key, "/sms/estimate", json!({"send": send})).expect(200);
        let codes: Vec<i64> = pick(&told.json["data"]["faults"], "code");
        (told.json["data"]["test"].clone(), told.int("/data/cost"), codes)
    };
    assert_eq!(of(&shop.key), (json!(false), 2_000, vec![3011, 3016, 2002, 2001]));
    assert_eq!(of(&test), (json!(true), 2_000, vec![3011, 3016]));
    world.change_account(&shop, json!({"sendingEnabled": true}));
    world.delete(&shop.key, "/blacklist?number=09351234567").expect(200);
    assert_eq!(of(&test), (json!(true), 2_000, vec![]));
    // It pays nothing, as the answer of its send says.
    let sent = world.posted(&test, "/sms/send", send.clone());
    assert_eq!(sent.int("/data/cost"), 0);
    let costs: Vec<i64> = pick(&sent.json["data"]["recipients"], "cost");
    assert_eq!(costs, [0, 0]);
    assert_eq!(world.balance(&shop.key), (1_500, 0));
}

/// An account whose line has these coefficients, and the alternatives that an estimate of a send tells.
fn alternatives(coefficients: Value, kind: &str, body: &Value) -> Vec<Value> {
    let (world, shop) = World::with_account(1_000_000);
    world.change("/admin/lines/10001", json!({"coefficients": coefficients}));
    world.posted(
        &shop.key,
        "/pattern",
        json!({"slug": "sale", "title": "x", "text": "The sale begins now"}),
    );
    world.activate(&shop.key, "sale", 1);
    let told = world.post(&shop.key, "/sms/estimate", json!({kind: body})).expect(200);
    told.json["data"]["alternatives"].as_array().unwrap().clone()
}

#[test]
fn an_estimate_tells_the_cheaper_forms_of_a_text_by_the_coefficients_of_the_line() {
    let (iranian, alike) = (json!({"ENGLISH": 2.4}), json!({}));
    let send = |message: &str| json!({"message": message, "recipients": ["09121234567", "09351234567"]});
    let short = "The sale begins now";
    let wide = json!([{"text": "The\u{A0}sale begins now", "encoding": "UCS2", "parts": 1, "cost": 2_000, "changes": ["NO_BREAK_SPACE"]}]);
    assert_eq!(json!(alternatives(iranian.clone(), "send", &send(short))), wide);
    assert_eq!(json!(alternatives(alike.clone(), "send", &send(short))), json!([]));
    let quoted = format!("“It’s ready” – {}", "b".repeat(60));
    let plain = format!("\"It's ready\" - {}", "b".repeat(60));
    let latin = json!([{"text": plain, "encoding": "GSM7", "parts": 1, "cost": 2_000, "changes": ["LOOK_ALIKES"]}]);
    assert_eq!(json!(alternatives(alike, "send", &send(&quoted))), latin);
    assert_eq!(json!(alternatives(iranian.clone(), "send", &send(&quoted))), json!([]));
    // The client sends no text of its own, or one to each.
    let pattern = json!({"pattern": "sale", "recipient": "09121234567"});
    assert_eq!(json!(alternatives(iranian.clone(), "pattern", &pattern)), json!([]));
    let bulk = json!({"messages": [{"recipient": "09121234567", "message": short}]});
    assert_eq!(json!(alternatives(iranian, "bulk", &bulk)), json!([]));
}

#[test]
fn no_alternative_has_more_parts_than_a_message_may_have() {
    let (world, shop) = World::with_account(1_000_000);
    world.change("/admin/lines/10001", json!({"coefficients": {"ENGLISH": 100}}));
    // Five Latin parts, or twelve in UCS-2, which would cost far less.
    let message = format!("a {}", "b".repeat(760));
    let body = json!({"send": {"message": message, "recipients": ["09121234567"]}});
    let told = world.post(&shop.key, "/sms/estimate", body).expect(200);
    assert_eq!(told.int("/data/parts"), 5);
    assert_eq!(told.json["data"]["alternatives"], json!([]));
}

#[test]
fn a_text_to_phonebooks_has_alternatives_if_all_get_the_same() {
    let (world, shop) = World::with_account(1_000_000);
    world.change("/admin/lines/10001", json!({"coefficients": {"ENGLISH": 2.4}}));
    let id = world.phonebook(&shop.key, "Any", json!([{"number": "09121234567", "name": "Ali"}]));
    let told = |message: &str| {
        let body = json!({"phonebook": {"phonebook": id, "message": message}});
        let told = world.post(&shop.key, "/sms/estimate", body).expect(200);
        pick::<String>(&told.json["data"]["alternatives"], "text")
    };
    assert_eq!(told("The sale begins now"), ["The\u{A0}sale begins now"]);
    assert_eq!(told("The sale begins, %name%"), Vec::<String>::new());
}

/// Texts of any encoding and of different lengths, with and without placeholders.
fn text() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "hello ",
        "سلام ",
        "{}[]€",
        "%name%",
        "%city%",
        "%x",
        "100% ",
        "😀",
        "\r\n",
        "abcdefghij ",
        "it’s – “so”… ",
        "۱۲۳ ",
        "\u{FEFF}",
        "  ",
    ]);
    prop::collection::vec(piece, 1..30).prop_map(|pieces| pieces.concat())
}

/// Numbers that rehearse no error: a test key would be told one that a live key does not meet.
fn number() -> impl Strategy<Value = String> {
    let rehearses = |number: &String| {
        REHEARSED
            .iter()
            .any(|kind| number.ends_with(&last_digits(*kind).to_string()))
    };
    (
        prop::sample::select(vec!["0912", "0935", "0920", "+4479"]),
        0u32..10_000_000,
    )
        .prop_map(|(prefix, rest)| {
            format!("{prefix}{rest:07}1")
                .chars()
                .take(if prefix == "+4479" { 13 } else { 11 })
                .collect()
        })
        .prop_filter("it rehearses an error", move |number: &String| !rehearses(number))
}

/// What the line appends, if it does.
fn suffix() -> impl Strategy<Value = Option<&'static str>> {
    prop::option::of(prop::sample::select(vec!["لغو۱۱", "STOP to 11"]))
}

#[derive(Debug, Clone)]
struct Body {
    kind: usize,
    texts: Vec<String>,
    numbers: Vec<String>,
    names: Vec<Option<String>>,
}

fn body() -> impl Strategy<Value = Body> {
    (
        0usize..4,
        prop::collection::vec(text(), 8),
        prop::collection::vec(number(), 1..8),
        prop::collection::vec(prop::option::of(text()), 8),
    )
        .prop_map(|(kind, texts, numbers, names)| Body {
            kind,
            texts,
            numbers,
            names,
        })
}

impl Body {
    fn of(&self, world: &World, key: &str) -> (&'static str, &'static str, Value) {
        let (text, numbers) = (&self.texts[0], &self.numbers);
        match self.kind {
            0 => ("send", "/sms/send", json!({"message": text, "recipients": numbers})),
            1 => {
                let variables = json!({"A": &self.texts[1].chars().take(100).collect::<String>(), "B": 5});
                let body = json!({"pattern": "any", "variables": variables, "recipients": numbers});
                ("pattern", "/sms/pattern", body)
            }
            2 => {
                let member = |(number, name): (&String, &Option<String>)| {
                    // A name of blanks is refused.
                    let name = name.as_ref().filter(|name| name.chars().any(char::is_alphanumeric));
                    let name: Option<String> = name.map(|name| name.chars().take(200).collect());
                    json!({"number": number, "name": name, "attributes": {"city": self.texts[2].chars().take(40).collect::<String>()}})
                };
                let members: Vec<Value> = numbers.iter().zip(&self.names).map(member).collect();
                let id = world.phonebook(key, "Any", json!(members));
                let body = json!({"phonebook": id, "message": format!("{text}.")});
                ("phonebook", "/sms/phonebook/send", body)
            }
            _ => {
                let items = numbers.iter().zip(&self.texts).enumerate();
                let items = items.map(|(index, (number, text))| match index % 3 {
                    2 => json!({"recipient": number, "pattern": "any", "variables": {"A": "x", "B": index}}),
                    _ => json!({"recipient": number, "message": text}),
                });
                ("bulk", "/sms/bulk", json!({"messages": items.collect::<Vec<_>>()}))
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases(250)) })]

    #[test]
    fn an_estimate_is_what_the_send_debits(
        body in body(), coefficients in prop::collection::vec(1u32..30_000, 6), suffix in suffix(),
    ) {
        let (world, shop) = World::with_account(1_000_000_000);
        world.open_all_destinations(&shop);
        let c = |index: usize| f64::from(coefficients[index]) / 10_000.0;
        let coefficients = json!({"PERSIAN": c(0), "ENGLISH": c(1), "MCI": c(2), "MTN": c(3), "WEBSERVICE": c(4), "PATTERN": c(5)});
        world.change("/admin/lines/10001", json!({"coefficients": coefficients, "suffix": suffix}));
        world.posted(&shop.key, "/pattern", json!({"slug": "any", "title": "x", "text": "%A% و %B% 100%"}));
        world.activate(&shop.key, "any", 1);
        let test = world.grant(&shop, json!({"title": "test", "mode": "test"})).text("/data/key");
        let (kind, path, body) = body.of(&world, &shop.key);
        let before = world.balance(&shop.key).0;
        let estimate = world.post(&shop.key, "/sms/estimate", json!({kind: body}));
        let tested = world.post(&test, "/sms/estimate", json!({kind: body}));
        prop_assert_eq!(tested.response.status, estimate.response.status);
        for member in ["cost", "encoding", "parts", "recipients", "faults"] {
            prop_assert_eq!(&tested.json["data"][member], &estimate.json["data"][member], "{}", member);
        }
        prop_assert_eq!(world.balance(&shop.key), (before, 0));
        let sendable = body.clone();
        let sent = world.post(&shop.key, path, body);
        if estimate.response.status != 200 {
            // If the estimate fails, the send fails with the same code.
            prop_assert_eq!(estimate.json["code"].clone(), sent.json["code"].clone());
            prop_assert_eq!(world.balance(&shop.key), (before, 0));
        } else {
            prop_assert_eq!(estimate.json["data"]["faults"].clone(), json!([]));
            prop_assert_eq!(sent.response.status, 201);
            let cost = estimate.int("/data/cost");
            prop_assert_eq!(sent.int("/data/cost"), cost);
            prop_assert_eq!(world.balance(&shop.key), (before - cost, cost));
            for member in ["encoding", "parts", "sourceNumber", "unit", "type"] {
                prop_assert_eq!(&estimate.json["data"][member], &sent.json["data"][member]);
            }
            let recipients = sent.json["data"]["recipients"].as_array().unwrap();
            prop_assert_eq!(estimate.int("/data/recipients"), i64::try_from(recipients.len()).unwrap());
            let sum: i64 = recipients.iter().map(|recipient| recipient["cost"].as_i64().unwrap()).sum();
            prop_assert_eq!(sum, cost);
            let mut before = -1;
            for alternative in estimate.json["data"]["alternatives"].as_array().unwrap() {
                let own = alternative["cost"].as_i64().unwrap();
                prop_assert!(before <= own && own < cost, "the cheapest first, and all cheaper");
                before = own;
                let mut other = sendable.clone();
                other["message"] = alternative["text"].clone();
                let again = world.post(&shop.key, "/sms/estimate", json!({kind: other})).expect(200);
                assert_has(&again.json["data"], json!({"cost": own, "parts": alternative["parts"], "encoding": alternative["encoding"]}));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases(100)) })]

    #[test]
    fn the_cheapest_form_never_costs_more_and_has_none_that_is_cheaper(
        body in body(), coefficients in prop::collection::vec(1u32..30_000, 6), suffix in suffix(),
    ) {
        let (world, shop) = World::with_account(1_000_000_000);
        world.open_all_destinations(&shop);
        let c = |index: usize| f64::from(coefficients[index]) / 10_000.0;
        let coefficients = json!({"PERSIAN": c(0), "ENGLISH": c(1), "MCI": c(2), "MTN": c(3), "WEBSERVICE": c(4), "PATTERN": c(5)});
        world.change("/admin/lines/10001", json!({"coefficients": coefficients, "suffix": suffix}));
        world.posted(&shop.key, "/pattern", json!({"slug": "any", "title": "x", "text": "%A% و %B% 100%"}));
        world.activate(&shop.key, "any", 1);
        let (kind, path, body) = body.of(&world, &shop.key);
        let as_it_is = world.post(&shop.key, "/sms/estimate", json!({kind: body}));
        let mut wanted = body;
        wanted["encoding"] = json!("CHEAPEST");
        let before = world.balance(&shop.key).0;
        let told = world.post(&shop.key, "/sms/estimate", json!({kind: wanted}));
        let sent = world.post(&shop.key, path, wanted.clone());
        prop_assert_eq!(told.response.status, as_it_is.response.status);
        if told.response.status != 200 {
            prop_assert_eq!(&told.json["code"], &as_it_is.json["code"]);
            prop_assert_eq!(&sent.json["code"], &as_it_is.json["code"]);
        } else {
            prop_assert_eq!(sent.response.status, 201);
            let (cost, saved) = (told.int("/data/cost"), told.int("/data/saved"));
            prop_assert!(saved >= 0);
            prop_assert_eq!(cost + saved, as_it_is.int("/data/cost"));
            prop_assert_eq!((sent.int("/data/cost"), sent.int("/data/saved")), (cost, saved));
            prop_assert_eq!(&sent.json["data"]["text"], &told.json["data"]["text"]);
            prop_assert_eq!(world.balance(&shop.key), (before - cost, cost));
            // Twice is once.
            if kind == "send" {
                wanted["message"] = sent.json["data"]["text"].clone();
                let again = world.posted(&shop.key, path, wanted);
                again.has(json!({"text": sent.json["data"]["text"], "cost": cost, "saved": 0}));
            }
        }
    }
}
