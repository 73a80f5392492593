//! What a line appends to texts that go to many.

use serde_json::{Value, json};

use crate::support::{Account, Answer, World, assert_contains, assert_has, pick, table};

const SUFFIX: &str = "لغو۱۱";
const MONEY: i64 = 10_000_000;
const NUMBERS: [&str; 2] = ["09121234567", "09351234567"];

/// A world whose line appends a suffix.
fn world() -> (World, Account) {
    let (world, shop) = World::with_busy_account(MONEY);
    world.change("/admin/lines/10001", json!({"suffix": SUFFIX}));
    (world, shop)
}

fn to_two(message: &str) -> Value {
    json!({"message": message, "recipients": NUMBERS})
}

fn suffixed(text: &str) -> String {
    format!("{text}\n{SUFFIX}")
}

/// What an estimate tells of a send.
#[track_caller]
fn estimated(world: &World, shop: &Account, kind: &str, body: &Value) -> Value {
    let told = world.post(&shop.key, "/sms/estimate", json!({kind: body})).expect(200);
    told.json["data"].clone()
}

/// Sends as the estimate says. Gives the answer, and the texts that the carrier got: in the order of the recipients' numbers.
#[track_caller]
fn sent(world: &World, shop: &Account, (kind, path): (&str, &str), body: Value) -> (Answer, Vec<String>) {
    let told = estimated(world, shop, kind, &body);
    let before = world.balance(&shop.key).0;
    let answer = world.posted(&shop.key, path, body);
    for member in ["parts", "encoding", "cost"] {
        assert_eq!(answer.json["data"][member], told[member], "{member}");
    }
    assert_eq!(told["faults"], json!([]));
    assert_eq!(world.balance(&shop.key).0, before - answer.int("/data/cost"));
    world.settle(60_000);
    let uid = format!("{}.", answer.text("/data/uid"));
    let items = world.all(&world.admin_key, &shop.path("/sandbox?limit=200"));
    let of_it = items
        .iter()
        .filter(|item| item["uid"].as_str().unwrap().starts_with(&uid));
    let text = |item: &Value, member: &str| item[member].as_str().unwrap().to_owned();
    let mut got: Vec<_> = of_it
        .map(|item| (text(item, "recipient"), text(item, "message")))
        .collect();
    got.sort();
    (answer, got.into_iter().map(|(_, text)| text).collect())
}

const SEND: (&str, &str) = ("send", "/sms/send");
const PATTERN: (&str, &str) = ("pattern", "/sms/pattern");
const PHONEBOOK: (&str, &str) = ("phonebook", "/sms/phonebook/send");
const BULK: (&str, &str) = ("bulk", "/sms/bulk");

#[test]
fn a_text_to_two_has_it_and_pays_for_it_and_one_to_one_has_not() {
    let (world, shop) = world();
    let rows = json!([
        // text, parts without it, encoding and parts with it
        ["حراج شروع شد", 1, "UCS2", 1],
        ["ب".repeat(64), 1, "UCS2", 1],
        ["ب".repeat(65), 1, "UCS2", 2],
        ["b".repeat(64), 1, "UCS2", 1],
        ["b".repeat(65), 1, "UCS2", 2]
    ]);
    for (text, alone, encoding, parts) in table::<(String, i64, String, i64)>(rows) {
        let (answer, got) = sent(&world, &shop, SEND, to_two(&text));
        assert_eq!(got, [suffixed(&text), suffixed(&text)]);
        answer.has(json!({"encoding": encoding, "parts": parts, "cost": 2 * parts * 1_000}));
        assert_eq!(
            world
                .message(&shop.key, &answer.text("/data/uid"))
                .text("/data/message"),
            suffixed(&text)
        );
        let to_one = json!({"message": text, "recipients": [NUMBERS[0]]});
        let (answer, got) = sent(&world, &shop, SEND, to_one);
        assert_eq!(got, [text]);
        answer.has(json!({"parts": alone, "cost": alone * 1_000}));
    }
    // A number that comes twice is one recipient.
    let twice = json!({"message": "x", "recipients": ["09121234567", "+989121234567"]});
    assert_eq!(sent(&world, &shop, SEND, twice).1, ["x"]);
}

#[test]
fn blanks_at_the_end_make_room_and_who_is_skipped_takes_it_from_nobody() {
    let (world, shop) = world();
    assert_eq!(
        sent(&world, &shop, SEND, to_two("x \n\n")).1,
        [suffixed("x"), suffixed("x")]
    );
    world.posted(&shop.key, "/blacklist", json!({"numbers": [NUMBERS[1]]}));
    let mut body = to_two("x");
    body["blacklisted"] = json!("SKIP");
    assert_eq!(sent(&world, &shop, SEND, body).1, [suffixed("x")]);
}

#[test]
fn a_text_that_has_it_does_not_get_it_twice_however_it_is_written() {
    let (world, shop) = world();
    for text in ["حراج لغو۱۱", "حراج\nلغو11", "حراج\nلغو ١١", "حراج لغو 11."] {
        assert_eq!(sent(&world, &shop, SEND, to_two(text)).1, [text, text]);
        let bulk = json!({"messages": NUMBERS.map(|number| json!({"recipient": number, "message": text}))});
        assert_eq!(sent(&world, &shop, BULK, bulk).1, [text, text]);
    }
    for text in ["حراج لغو۱۱۲", "حراج لغو۱", "حراج ۱۱"] {
        assert_eq!(
            sent(&world, &shop, SEND, to_two(text)).1,
            [suffixed(text), suffixed(text)]
        );
    }
}

#[test]
fn patterns_and_codes_never_have_it() {
    let (world, shop) = world();
    world.active_pattern(&shop.key, json!({"slug": "any", "title": "x", "text": "It is %WHAT%"}));
    let filled = json!({"pattern": "any", "variables": {"WHAT": "here"}});
    let with = |member: &str, value: Value| {
        let mut body = filled.clone();
        body[member] = value;
        body
    };
    let to_many = with("recipients", json!(NUMBERS));
    assert_eq!(estimated(&world, &shop, "pattern", &to_many).get("suffix"), None);
    assert_eq!(sent(&world, &shop, PATTERN, to_many).1, ["It is here", "It is here"]);
    let bulk = json!({"messages": NUMBERS.map(|number| with("recipient", json!(number)))});
    assert_eq!(estimated(&world, &shop, "bulk", &bulk).get("suffix"), None);
    assert_eq!(sent(&world, &shop, BULK, bulk).1, ["It is here", "It is here"]);
    world.posted(&shop.key, "/verify", json!({"recipient": "09191234567"}));
    world.settle(60_000);
    let handed = world.handed(&shop.id);
    let of_code: Vec<_> = handed.iter().filter(|(number, _)| number == "+989191234567").collect();
    assert_eq!(of_code.len(), 1);
    assert!(!of_code[0].1.contains("لغو"), "{of_code:?}");
}

#[test]
fn each_member_of_a_phonebook_gets_it_after_its_own_text() {
    let (world, shop) = world();
    let members = json!([{"number": NUMBERS[0], "name": "Ali"}, {"number": NUMBERS[1], "name": "ب".repeat(62)}]);
    let id = world.phonebook(&shop.key, "A", members);
    let to_book = |message: &str| json!({"phonebook": id, "message": message});
    assert_eq!(
        sent(&world, &shop, PHONEBOOK, to_book("Hello")).1,
        [suffixed("Hello"), suffixed("Hello")]
    );
    let (answer, got) = sent(&world, &shop, PHONEBOOK, to_book("Hi %name%"));
    assert_eq!(got, [suffixed("Hi Ali"), suffixed(&format!("Hi {}", "ب".repeat(62)))]);
    answer.has(json!({"cost": 3_000}));
    assert_eq!(pick::<i64>(&answer.json["data"]["recipients"], "cost"), [1_000, 2_000]);
    assert_eq!(
        sent(&world, &shop, PHONEBOOK, to_book("%name%: لغو11")).1[0],
        "Ali: لغو11"
    );
    let alone = world.phonebook(&shop.key, "B", json!([NUMBERS[0]]));
    let body = json!({"phonebook": alone, "message": "x"});
    assert_eq!(sent(&world, &shop, PHONEBOOK, body).1, [suffixed("x")]);
}

#[test]
fn a_member_for_whom_nothing_else_is_left_gets_nothing() {
    let (world, shop) = world();
    let members = json!([{"number": NUMBERS[0], "name": "Ali"}, {"number": NUMBERS[1]}]);
    let id = world.phonebook(&shop.key, "A", members);
    let body = json!({"phonebook": id, "message": "%name%"});
    world
        .post(&shop.key, "/sms/phonebook/send", body.clone())
        .faults(&["message: is empty for +989351234567"]);
    world
        .post(&shop.key, "/sms/estimate", json!({"phonebook": body}))
        .faults(&["phonebook.message: is empty for +989351234567"]);
    world.assert_untouched(&shop, MONEY);
}

#[test]
fn the_own_texts_of_a_bulk_to_many_have_it_and_its_patterns_have_not() {
    let (world, shop) = world();
    world.active_pattern(&shop.key, json!({"slug": "any", "title": "x", "text": "It is here"}));
    let item = |number: &str, message: &str| json!({"recipient": number, "message": message});
    let bulk = |items: Value| json!({"messages": items});
    let two = bulk(json!([item(NUMBERS[0], "a"), item(NUMBERS[1], &"ب".repeat(65))]));
    let (answer, got) = sent(&world, &shop, BULK, two);
    assert_eq!(got, [suffixed("a"), suffixed(&"ب".repeat(65))]);
    assert_eq!(pick::<i64>(&answer.json["data"]["recipients"], "cost"), [1_000, 2_000]);
    let mixed = bulk(json!([item(NUMBERS[0], "a"), {"recipient": NUMBERS[1], "pattern": "any"}]));
    assert_eq!(
        sent(&world, &shop, BULK, mixed).1,
        [suffixed("a"), "It is here".to_owned()]
    );
    let one = bulk(json!([item(NUMBERS[0], "a")]));
    assert_eq!(estimated(&world, &shop, "bulk", &one).get("suffix"), None);
    assert_eq!(sent(&world, &shop, BULK, one).1, ["a"]);
}

#[test]
fn an_estimate_shows_it_if_it_belongs_to_the_send() {
    let (world, shop) = world();
    let id = world.phonebook(&shop.key, "A", json!([NUMBERS[0]]));
    let of_two = |message: &str| NUMBERS.map(|number| json!({"recipient": number, "message": message}));
    for (kind, body) in [
        ("send", to_two("x")),
        ("phonebook", json!({"phonebook": id, "message": "x"})),
        ("bulk", json!({"messages": of_two("x")})),
    ] {
        assert_eq!(estimated(&world, &shop, kind, &body)["suffix"], SUFFIX, "{kind}");
    }
    let to_one = json!({"message": "x", "recipients": [NUMBERS[0]]});
    assert_eq!(estimated(&world, &shop, "send", &to_one).get("suffix"), None);
    world.change("/admin/lines/10001", json!({"suffix": null}));
    assert_eq!(estimated(&world, &shop, "send", &to_two("x")).get("suffix"), None);
}

#[test]
fn alternatives_have_it_and_cost_what_their_send_costs() {
    let (world, shop) = world();
    world.change("/admin/lines/10001", json!({"coefficients": {"ENGLISH": 2.4}}));
    // A stretched letter that makes a second part, and a Latin text that the suffix makes cheap already.
    let stretched = format!("ب\u{640}{}", "ب".repeat(63));
    for (suffix, text, wanted) in [
        (SUFFIX, stretched.as_str(), Some("ب".repeat(64))),
        (SUFFIX, "The sale begins now", None),
        (
            "STOP to 11",
            "The sale begins now",
            Some("The\u{A0}sale begins now".to_owned()),
        ),
    ] {
        world.change("/admin/lines/10001", json!({"suffix": suffix}));
        let told = estimated(&world, &shop, "send", &to_two(text));
        let texts = pick::<String>(&told["alternatives"], "text");
        let wanted = wanted.map(|wanted| format!("{wanted}\n{suffix}"));
        assert_eq!(texts.first(), wanted.as_ref());
        let Some(wanted) = wanted else { continue };
        let told = told["alternatives"][0].clone();
        let (answer, got) = sent(&world, &shop, SEND, to_two(&wanted));
        assert_eq!(got, [wanted.clone(), wanted.clone()]);
        answer.has(json!({"parts": told["parts"], "encoding": told["encoding"], "cost": told["cost"]}));
        let mut cheapest = to_two(text);
        cheapest["encoding"] = json!("CHEAPEST");
        let (answer, got) = sent(&world, &shop, SEND, cheapest);
        assert_eq!(got, [wanted.clone(), wanted.clone()]);
        answer.has(json!({"text": wanted, "cost": told["cost"]}));
    }
}

#[test]
fn a_text_that_has_too_many_parts_with_it_is_refused_and_nothing_changes() {
    let (world, shop) = world();
    let id = world.phonebook(&shop.key, "A", json!([{"number": NUMBERS[0], "name": "Ali"}]));
    // Ten parts have 670 characters.
    let (fits, long) = ("ب".repeat(664), "ب".repeat(665));
    let fault = "takes 11 parts, at most 10 are allowed";
    let item = |number: &str, message: &str| json!({"recipient": number, "message": message});
    for (kind, path, body, place, fault) in [
        ("send", "/sms/send", to_two(&long), "message", fault),
        (
            "phonebook",
            "/sms/phonebook/send",
            json!({"phonebook": id, "message": long}),
            "message",
            fault,
        ),
        (
            "phonebook",
            "/sms/phonebook/send",
            json!({"phonebook": id, "message": format!("{}%name%", &long[6..])}),
            "message",
            "takes 11 parts for +989121234567, at most 10 are allowed",
        ),
        (
            "bulk",
            "/sms/bulk",
            json!({"messages": [item(NUMBERS[0], &fits), item(NUMBERS[1], &long)]}),
            "messages[1].message",
            fault,
        ),
    ] {
        let refused = world.post(&shop.key, path, body.clone()).refused(422);
        assert_eq!(refused.extra(), [format!("{place}: {fault}")]);
        refused.points_at(&[match kind {
            "bulk" => "/messages/1/message",
            _ => "/message",
        }]);
        world
            .post(&shop.key, "/sms/estimate", json!({kind: body}))
            .faults(&[format!("{kind}.{place}: {fault}")]);
    }
    let both = json!({"messages": [item(NUMBERS[0], &long), item(NUMBERS[1], &long)]});
    let refused = world.post(&shop.key, "/sms/bulk", both).refused(422);
    assert_eq!(refused.places(), ["messages[0].message", "messages[1].message"]);
    world.assert_untouched(&shop, MONEY);
    world
        .posted(&shop.key, "/sms/send", to_two(&fits))
        .has(json!({"parts": 10}));
    let to_one = json!({"message": long, "recipients": [NUMBERS[0]]});
    world.posted(&shop.key, "/sms/send", to_one).has(json!({"parts": 10}));
}

#[test]
fn a_repeat_gets_the_first_answer_whatever_the_line_appends_by_then() {
    let (world, shop) = world();
    let body = to_two(&"ب".repeat(65));
    let first = world.post_once(&shop.key, "/sms/send", "a", body.clone()).expect(201);
    let balance = world.balance(&shop.key);
    for suffix in [json!(null), json!("لغو ۲۲")] {
        world.change("/admin/lines/10001", json!({"suffix": suffix}));
        let again = world.post_once(&shop.key, "/sms/send", "a", body.clone()).expect(201);
        assert_eq!(again.json["data"], first.json["data"]);
    }
    assert_eq!(world.balance(&shop.key), balance);
}

#[test]
fn operators_set_it_on_a_line_and_clear_it() {
    let (world, shop) = World::with_account(MONEY);
    let of_customer = || world.read(&shop.key, "/lines").items()[0]["suffix"].clone();
    world.look("/admin/lines/10001").has(json!({"suffix": null}));
    assert_eq!(of_customer(), json!(null));
    let change = |change: Value| world.change("/admin/lines/10001", change);
    change(json!({"suffix": SUFFIX})).has(json!({"suffix": SUFFIX}));
    change(json!({"active": true})).has(json!({"suffix": SUFFIX}));
    assert_eq!(of_customer(), SUFFIX);
    change(json!({"suffix": null})).has(json!({"suffix": null}));
    world.look("/admin/lines/10001").has(json!({"suffix": null}));
    assert_eq!(of_customer(), json!(null));
    let line = json!({"number": "10009", "carrier": "sandbox", "operations": ["WEBSERVICE"], "shared": true, "suffix": "STOP"});
    world.create("/admin/lines", line).has(json!({"suffix": "STOP"}));
    let mut body = to_two("x");
    body["sourceNumber"] = json!("10009");
    assert_eq!(sent(&world, &shop, SEND, body).1, ["x\nSTOP", "x\nSTOP"]);
}

#[test]
fn a_bad_one_is_refused_in_both_languages() {
    let (world, _) = world();
    let form = (
        "must be of the form one line of text with a letter or a digit, without % and control characters",
        "باید به این شکل باشد: یک خط متن با دست‌کم یک حرف یا رقم، بدون % و کاراکتر کنترلی",
    );
    let long = "ب".repeat(41);
    for (suffix, (english, persian)) in [
        (json!(""), ("must not be empty", "نباید خالی باشد")),
        (
            json!(long),
            ("must have at most 40 characters", "باید حداکثر 40 کاراکتر باشد"),
        ),
        (json!("لغو\n۱۱"), form),
        (json!("لغو\u{0}۱۱"), form),
        (json!("لغو\u{7F}"), form),
        (json!("لغو %name%"), form),
        (json!("…!"), form),
        (json!(11), ("must be a string", "باید رشته باشد")),
    ] {
        let change = json!({"suffix": suffix});
        world
            .admin("PATCH", "/admin/lines/10001", change.clone())
            .faults(&[format!("suffix: {english}")]);
        let asked = world.ask("PATCH", &world.admin_key, "/admin/lines/10001");
        let refused = asked.language("fa").json(change).send().expect(422);
        assert_contains(&refused.text("/detail"), persian);
        let new = json!({"number": "10009", "carrier": "sandbox", "operations": ["WEBSERVICE"], "suffix": suffix});
        world
            .admin("POST", "/admin/lines", new)
            .faults(&[format!("suffix: {english}")]);
    }
    assert_has(
        &world.look("/admin/lines/10001").json["data"],
        json!({"suffix": SUFFIX}),
    );
    world.get(&world.admin_key, "/admin/lines/10009").refused(404);
    let longest = "ب".repeat(40);
    world
        .change("/admin/lines/10001", json!({"suffix": longest}))
        .has(json!({"suffix": longest}));
}
