//! The class of a line: from a service line go patterns and codes only.

use peyk::base::language::Language;
use serde_json::{Value, json};

use crate::support::time::SECOND_MS;
use crate::support::{Account, Answer, World, assert_contains};

const MONEY: i64 = 100_000;
const NUMBERS: [&str; 2] = ["+989121000100", "+989121001100"];

/// A world with a service line, beside the line for all.
fn world() -> (World, Account) {
    let (world, shop) = World::with_account(MONEY);
    world.share_line("20002", "sandbox", &["PATTERN"]);
    let pattern = json!({"slug": "any", "title": "x", "text": "It is here"});
    world.active_pattern(&shop.key, pattern);
    (world, shop)
}

fn from_service(mut body: Value) -> Value {
    body["sourceNumber"] = json!("20002");
    body
}

/// All sends that have an own text.
fn own_texts(world: &World, shop: &Account) -> Vec<(&'static str, &'static str, Value)> {
    let book = world.phonebook(&shop.key, "all", json!(NUMBERS));
    let own = json!({"recipient": NUMBERS[0], "message": "x"});
    let of_pattern = json!({"recipient": NUMBERS[1], "pattern": "any"});
    vec![
        ("send", "/sms/send", json!({"message": "x", "recipients": [NUMBERS[0]]})),
        ("send", "/sms/send", json!({"message": "x", "recipients": NUMBERS})),
        (
            "phonebook",
            "/sms/phonebook/send",
            json!({"message": "x", "phonebook": book}),
        ),
        ("bulk", "/sms/bulk", json!({"messages": [own.clone()]})),
        ("bulk", "/sms/bulk", json!({"messages": [of_pattern, own]})),
    ]
}

#[track_caller]
fn assert_names_the_way(refused: &Answer) {
    let detail = refused.text("/detail");
    assert_contains(&detail, "20002");
    assert_contains(&detail, "POST /sms/pattern");
    assert_eq!(refused.text("/errors/0/pointer"), "/sourceNumber");
}

#[test]
fn an_own_text_from_a_service_line_is_refused_in_both_languages_with_the_way() {
    let (world, shop) = world();
    for (kind, path, body) in own_texts(&world, &shop) {
        let body = from_service(body);
        for language in [Language::En, Language::Fa] {
            let request = world.ask("POST", &shop.key, path).language(language.tag());
            assert_names_the_way(&request.json(body.clone()).send().problem(406, 3012));
        }
        let estimate = world.post(&shop.key, "/sms/estimate", json!({kind: body}));
        assert_names_the_way(&estimate.problem(406, 3012));
    }
    // Also if the line is the account's own, which the request does not name.
    world.change_account(&shop, json!({"defaultLine": "20002"}));
    let body = json!({"message": "x", "recipients": [NUMBERS[0]]});
    assert_names_the_way(&world.post(&shop.key, "/sms/send", body).problem(406, 3012));
    world.assert_untouched(&shop, MONEY);
}

#[test]
fn patterns_and_codes_go_from_a_service_line() {
    let (world, shop) = world();
    let bulk = NUMBERS.map(|number| json!({"recipient": number, "pattern": "any"}));
    for (path, body) in [
        ("/sms/pattern", json!({"pattern": "any", "recipients": NUMBERS})),
        ("/sms/bulk", json!({"messages": bulk})),
        ("/verify", json!({"recipient": NUMBERS[0]})),
    ] {
        world.posted(&shop.key, path, from_service(body));
    }
    world.settle(SECOND_MS);
    assert_eq!(world.handed(&shop.id).len(), 5);
}

#[test]
fn a_campaign_of_a_text_is_refused_and_one_that_has_begun_stands_still() {
    let (world, shop) = world();
    let book = world.phonebook(&shop.key, "all", json!(NUMBERS));
    let campaign = |content: &str, text: &str, line: &str| {
        let body = json!({"title": "x", content: text, "phonebooks": [book], "sourceNumber": line});
        world.post(&shop.key, "/campaigns", body)
    };
    assert_names_the_way(&campaign("message", "x", "20002").problem(406, 3012));
    campaign("pattern", "any", "20002").expect(201);
    let begun = campaign("message", "x", "10001").expect(201).text("/data/id");
    world.settle(SECOND_MS);
    world.change("/admin/lines/10001", json!({"operations": ["PATTERN"]}));
    let path = format!("/campaigns/{begun}");
    world.bare_post(&shop.key, &format!("{path}/start")).expect(200);
    world.settle(SECOND_MS);
    world
        .read(&shop.key, &path)
        .has(json!({"state": "PAUSED", "reason": "NO_LINE"}));
    assert_eq!(world.handed(&shop.id).len(), 0);
}

#[test]
fn the_class_follows_from_the_operations() {
    let (world, shop) = world();
    for (operations, class) in [
        (json!(["PATTERN"]), "SERVICE"),
        (json!(["WEBSERVICE"]), "ADVERTISING"),
        (json!(["WEBSERVICE", "PATTERN"]), "ADVERTISING"),
        (json!([]), "ADVERTISING"),
    ] {
        world
            .change("/admin/lines/20002", json!({"operations": operations}))
            .has(json!({"class": class}));
        assert_eq!(world.read(&shop.key, "/lines").items()[1]["class"], class);
    }
    // A line that is out of service, or that the key may not use, is no line to tell more of.
    world.change(
        "/admin/lines/20002",
        json!({"operations": ["PATTERN"], "active": false}),
    );
    let body = from_service(json!({"message": "x", "recipients": [NUMBERS[0]]}));
    let refused = world.post(&shop.key, "/sms/send", body).problem(406, 3012);
    assert!(!refused.text("/detail").contains("/sms/pattern"), "{}", refused.body);
}
