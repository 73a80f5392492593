//! Whose a message is: lines, keywords, and the routes that operators set.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{PHONE, blacklist, is_blocked, line, list, one_shop, route, text, texts, two_shops, unclaimed};
use crate::support::{World, assert_has, time::DAY_MS};

#[test]
fn a_line_of_one_account_gives_it_all_that_phones_send_however_the_line_is_prefixed() {
    let (world, shop, other) = one_shop();
    let written = ["3000", "+983000", "00983000", "983000", "03000", "۳۰۰۰", " 3000 "];
    for (index, to) in written.iter().enumerate() {
        text(&world, to, &format!("hello {index}"));
        world.advance(1_000);
    }
    let items = list(&world, &shop, "");
    assert_eq!(items.len(), written.len());
    for (index, item) in items.iter().rev().enumerate() {
        assert_eq!(item["text"], format!("hello {index}"));
        assert_has(item, json!({"line": "3000", "from": PHONE, "optOut": false}));
    }
    let ids: BTreeSet<&str> = items.iter().map(|item| item["id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), written.len());
    assert!(list(&world, &other, "").is_empty());
    assert!(unclaimed(&world).is_empty());
}

#[test]
fn of_lines_that_may_be_meant_the_one_that_is_written_so_gets_the_message() {
    let (world, shop) = World::with_account(0);
    let other = world.account("other", 0);
    line(&world, "738", &[&shop]);
    line(&world, "98738", &[&other]);
    line(&world, "MyShop", &[&other]);
    for (to, to_shop) in [
        ("738", true),
        ("+738", true),
        ("0738", true),
        ("98738", false),
        ("+98738", false),
        ("9898738", false),
        ("MyShop", false),
    ] {
        let before = (texts(&world, &shop).len(), texts(&world, &other).len());
        text(&world, to, to);
        let after = (texts(&world, &shop).len(), texts(&world, &other).len());
        let expected = (before.0 + usize::from(to_shop), before.1 + usize::from(!to_shop));
        assert_eq!(after, expected, "{to}");
    }
    text(&world, "myshop", "a name is written in one way");
    assert_eq!(unclaimed(&world), [(Value::Null, "UNKNOWN_LINE".to_owned(), 1)]);
}

#[test]
fn on_a_line_of_several_accounts_the_first_word_says_whose_message_it_is() {
    let (world, [shop, second, third]) = two_shops();
    route(&world, "4000", Some(&second), &[("Win", &shop), ("کد۱", &second)]);
    for (message, to_shop) in [
        ("win", true),
        ("WIN a prize", true),
        ("  «win»: me", true),
        ("w\u{200c}in", true),
        ("winner", false),
        ("I win", false),
        ("كد1 7", false),
        ("", false),
        ("😀", false),
    ] {
        let before = (texts(&world, &shop).len(), texts(&world, &second).len());
        text(&world, "4000", message);
        let after = (texts(&world, &shop).len(), texts(&world, &second).len());
        let expected = (before.0 + usize::from(to_shop), before.1 + usize::from(!to_shop));
        assert_eq!(after, expected, "{message}");
    }
    // Without an account for all else, what no keyword takes belongs to nobody.
    route(&world, "4000", None, &[("win", &shop), ("کد1", &second)]);
    let before = (texts(&world, &shop).len(), texts(&world, &second).len());
    text(&world, "4000", "hello");
    text(&world, "4000", "كد ١");
    text(&world, "4000", "كد١");
    let wanted = (before.0, before.1 + 1);
    assert_eq!((texts(&world, &shop).len(), texts(&world, &second).len()), wanted);
    assert_eq!(unclaimed(&world), [(json!("4000"), "NO_ACCOUNT".to_owned(), 2)]);
    assert!(texts(&world, &third).is_empty());
    assert!(!is_blocked(&world, &shop) && !is_blocked(&world, &second));
}

#[test]
fn on_a_shared_line_keywords_decide_too() {
    let (world, [shop, second, third]) = two_shops();
    route(&world, "10001", Some(&third), &[("win", &shop)]);
    text(&world, "10001", "win");
    text(&world, "10001", "hello");
    assert_eq!(texts(&world, &shop), ["win"]);
    assert_eq!(texts(&world, &third), ["hello"]);
    assert!(texts(&world, &second).is_empty());
}

#[test]
fn an_account_that_may_not_use_the_line_any_more_gets_nothing_of_it() {
    let (world, [shop, second, third]) = two_shops();
    route(&world, "4000", Some(&shop), &[("win", &shop)]);
    world.change("/admin/lines/4000", json!({"accounts": [second.id, third.id]}));
    for message in ["win", "hello", "STOP win", "STOP"] {
        text(&world, "4000", message);
    }
    assert!(texts(&world, &shop).is_empty());
    assert!(blacklist(&world, &shop).is_empty());
    assert_eq!(texts(&world, &second), ["STOP"]);
    let wanted = [(json!("4000"), "NO_ACCOUNT".to_owned(), 3)];
    assert_eq!(unclaimed(&world), wanted, "a keyword without an account takes nothing");
}

#[test]
fn a_message_to_a_line_that_nobody_has_is_counted_and_logged_without_number_and_text() {
    let (world, _, _) = one_shop();
    for to in ["5000", "", "+", "x", "98", &"9".repeat(1_000), "\u{0}'; --", "3000 x"] {
        text(&world, to, "my secret");
    }
    assert_eq!(unclaimed(&world), [(Value::Null, "UNKNOWN_LINE".to_owned(), 8)]);
    world.advance(DAY_MS);
    text(&world, "5000", "my secret");
    text(&world, "10001", "my secret");
    let wanted = [
        (json!("10001"), "NO_ACCOUNT".to_owned(), 1),
        (Value::Null, "UNKNOWN_LINE".to_owned(), 1),
        (Value::Null, "UNKNOWN_LINE".to_owned(), 8),
    ];
    assert_eq!(unclaimed(&world), wanted);
    let log = world.log.borrow().join("\n");
    assert_eq!(log.matches(r#""event":"inbound""#).count(), 10);
    for hidden in ["secret", "9121234567", "999", "5000", "--"] {
        assert!(!log.contains(hidden), "{hidden}");
    }
}

#[test]
fn counts_of_messages_of_nobody_are_kept_for_ninety_days() {
    let (world, _, _) = one_shop();
    text(&world, "5000", "x");
    world.advance(90 * DAY_MS);
    text(&world, "5000", "x");
    assert_eq!(unclaimed(&world).len(), 2);
    world.advance(DAY_MS);
    text(&world, "5000", "x");
    assert_eq!(unclaimed(&world).len(), 2);
    let day = world.look("/admin/inbound/unclaimed");
    let wanted = ("2026-04-02".to_owned(), "sandbox".to_owned());
    assert_eq!((day.text("/data/0/day"), day.text("/data/0/carrier")), wanted);
}

#[test]
fn a_message_of_nobody_is_over_even_if_it_can_not_be_counted() {
    let (world, _, _) = one_shop();
    world.db.fail("INSERT INTO unclaimed", 1);
    text(&world, "5000", "x");
    assert!(unclaimed(&world).is_empty());
    assert!(world.has_logged("UNKNOWN_LINE"));
}

#[test]
fn no_statement_of_the_directory_walks_through_lines_or_keywords() {
    let (world, [shop, second, _]) = two_shops();
    route(&world, "4000", Some(&second), &[("win", &shop)]);
    for message in ["win", "hello", "STOP", "STOP win"] {
        text(&world, "4000", message);
    }
    text(&world, "5000", "hello");
    unclaimed(&world);
    let tables = ["line", "line_keyword", "line_inbound", "line_account", "unclaimed"];
    let scans = world.db.walks(&[&tables[..], &["l", "k", "i"]].concat());
    assert!(scans.is_empty(), "{}", scans.join("\n"));
}

#[test]
fn operators_set_all_routes_of_a_line_at_once() {
    let (world, [shop, second, _]) = two_shops();
    let path = "/admin/lines/4000/inbound";
    let none = json!({"account": null, "keywords": [], "optOutReply": null, "optInReply": null});
    assert_eq!(world.look(path).json["data"], none);
    let body = json!({"account": second.id, "keywords": [
        {"keyword": "Win!", "account": shop.id}, {"keyword": "كد۱", "account": second.id}]});
    let set = json!({"account": second.id, "keywords": [
        {"keyword": "win", "account": shop.id}, {"keyword": "کد1", "account": second.id}],
        "optOutReply": null, "optInReply": null});
    for _ in 0..2 {
        assert_eq!(world.admin("PUT", path, body.clone()).expect(200).json["data"], set);
        assert_eq!(world.look(path).json["data"], set);
    }
    let fewer = json!({"keywords": [{"keyword": "win", "account": second.id}]});
    let changed = world.admin("PUT", path, fewer).expect(200);
    let expected = json!({"account": null, "keywords": [{"keyword": "win", "account": second.id}],
        "optOutReply": null, "optInReply": null});
    assert_eq!(changed.json["data"], expected);
    assert_eq!(world.admin("PUT", path, json!({})).expect(200).json["data"], none);
    for method in ["GET", "PUT"] {
        world.admin(method, "/admin/lines/5000/inbound", json!({})).refused(404);
    }
    // With its line go its routes.
    world.admin("PUT", path, body).expect(200);
    world.admin("DELETE", "/admin/lines/4000", json!({})).expect(204);
    line(&world, "4000", &[&shop, &second]);
    assert_eq!(world.look(path).json["data"], none);
}

#[test]
fn bad_routes_are_refused_with_all_their_faults_and_change_nothing() {
    let (world, [shop, second, third]) = two_shops();
    route(&world, "4000", Some(&second), &[("win", &shop)]);
    let path = "/admin/lines/4000/inbound";
    let before = world.look(path).json["data"].clone();
    let refused = |body: Value, faults: &[&str]| {
        assert_eq!(world.admin("PUT", path, body).refused(422).extra(), faults);
        assert_eq!(world.look(path).json["data"], before);
    };
    let keyword = |keyword: &str| json!({"keyword": keyword, "account": shop.id});
    refused(
        json!({"account": 5, "keywords": [
            keyword("two words"), keyword("!"), keyword("Stop"), keyword("۱۲"), {}, 5]}),
        &[
            "account: must be a string",
            "keywords[0].keyword: must be of the form one word of letters and digits",
            "keywords[1].keyword: must be of the form one word of letters and digits",
            "keywords[2].keyword: must not be a word of OPT_OUT_WORDS or OPT_IN_WORDS",
            "keywords[3].keyword: must not be a word of OPT_OUT_WORDS or OPT_IN_WORDS",
            "keywords[4].account: is required",
            "keywords[4].keyword: is required",
            "keywords[5]: must be an object",
        ],
    );
    refused(
        json!({"account": third.id, "keywords": [keyword("win"), {"keyword": "a", "account": third.id}, {"keyword": "b", "account": "nobody"}]}),
        &[
            "account: must be an account that may use the line",
            "keywords[1].account: must be an account that may use the line",
            "keywords[2].account: must be an account that may use the line",
        ],
    );
    let body = json!({"keywords": [keyword("win"), keyword("a"), keyword("W\u{200c}IN")]});
    refused(body, &["keywords[2]: must not be there twice"]);
    let many: Vec<Value> = (0..1_001).map(|index| keyword(&format!("w{index}"))).collect();
    refused(json!({"keywords": many}), &["keywords: must have at most 1000 items"]);
    let body = json!({"keywords": [keyword(&"x".repeat(37))]});
    refused(body, &["keywords[0].keyword: must have at most 36 characters"]);
    world.put(&shop.key, path, json!({})).refused(403);
    let thousand: Vec<Value> = (0..1_000).map(|index| keyword(&format!("w{index}"))).collect();
    let set = world.admin("PUT", path, json!({"keywords": thousand})).expect(200);
    assert_eq!(set.json["data"]["keywords"].as_array().unwrap().len(), 1_000);
    text(&world, "4000", "W999 hello");
    assert_eq!(texts(&world, &shop), ["W999 hello"]);
}
