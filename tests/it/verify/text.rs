//! The texts around codes.

use serde_json::{Value, json};

use super::{PHONE, code_in, start, texts, world};
use crate::support::World;

/// The text that a body brings.
#[track_caller]
fn text_of(world: &World, key: &str, more: Value) -> String {
    world.advance(10 * 60_000);
    let mut body = json!({"recipient": PHONE});
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    start(world, key, body).expect(201);
    world.settle(1_000);
    texts(world).pop().unwrap()
}

#[test]
fn the_service_has_texts_in_both_languages() {
    let (world, shop) = world();
    let english = text_of(&world, &shop.key, json!({}));
    assert_eq!(english, format!("Your code is {}.", code_in(&english)));
    let persian = text_of(&world, &shop.key, json!({"language": "fa"}));
    assert_eq!(persian, format!("کد تأیید شما: {}", code_in(&persian)));
}

#[test]
fn a_pattern_has_the_code_where_its_text_says() {
    let (world, shop) = world();
    let text = "%SHOP%: کد شما %CODE% است. %CODE%";
    let variables = json!([{"name": "CODE", "type": "NUMBER", "maxLength": 10}, {"name": "SHOP"}]);
    world.active_pattern(
        &shop.key,
        json!({"slug": "mine", "title": "Mine", "text": text, "variables": variables}),
    );
    world.active_pattern(&shop.key, json!({"slug": "none", "title": "None", "text": "Hello"}));
    world.advance(31_000);
    let filled = text_of(
        &world,
        &shop.key,
        json!({"pattern": "mine", "variables": {"SHOP": "Peyk %CODE%", "CODE": "1"}}),
    );
    let code = code_in(&filled);
    assert_eq!(filled, format!("Peyk %CODE%: کد شما {code} است. {code}"));
    world.advance(10 * 60_000);
    let refused = |more: Value| {
        let mut body = json!({"recipient": PHONE});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        start(&world, &shop.key, body)
    };
    assert_eq!(
        refused(json!({"pattern": "none"})).problem(422, 422).places(),
        ["pattern"]
    );
    refused(json!({"pattern": "unknown"})).problem(422, 3002);
    refused(json!({"pattern": "mine"})).problem(406, 3014);
    let long = json!({"pattern": "mine", "variables": {"SHOP": "x".repeat(101)}});
    refused(long).problem(406, 3015);
}

#[test]
fn a_pattern_of_another_line_is_refused() {
    let (world, shop) = world();
    let pattern = json!({"slug": "mine", "title": "Mine", "text": "%CODE%", "lines": ["10001"]});
    world.active_pattern(&shop.key, pattern);
    world.advance(31_000);
    start(&world, &shop.key, json!({"recipient": PHONE, "pattern": "mine"})).problem(406, 3013);
}

#[test]
fn the_last_line_tells_a_phone_whose_code_it_is() {
    let (world, shop) = world();
    let page = text_of(&world, &shop.key, json!({"domain": "shop.ir"}));
    let code = code_in(&page);
    assert_eq!(page, format!("Your code is {code}.\n@shop.ir #{code}"));
    let app = text_of(&world, &shop.key, json!({"appHash": "FA+9qCX9VSu"}));
    assert!(app.ends_with(".\nFA+9qCX9VSu"), "{app}");
}

#[test]
fn the_price_is_that_of_the_whole_text() {
    let (world, shop) = world();
    let pattern = json!({"slug": "long", "title": "Long", "text": format!("{}%CODE%", "x".repeat(150))});
    world.active_pattern(&shop.key, pattern);
    world.advance(31_000);
    let cost = |recipient: &str, more: Value| {
        let mut body = json!({"recipient": recipient, "pattern": "long"});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        start(&world, &shop.key, body).expect(201).int("/data/cost")
    };
    let short = cost("09121234561", json!({}));
    assert_eq!(cost("09121234562", json!({"codeLength": 10})), short);
    assert_eq!(cost("09121234563", json!({"domain": "shop.ir"})), 2 * short);
}
