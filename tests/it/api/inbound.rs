//! Messages from phones: whose they are, that none is lost or doubled, and that an opt-out counts from then on.

use std::collections::BTreeSet;

use crate::support::{Account, Fate, World};
use peyk::account::events::NoteWebhooks;
use peyk::account::inbound::REPEAT_MS;
use peyk::carrier::inbound::{self, InboundSms};
use peyk::ports::{PortError, Sql};
use serde_json::{Value, json};

const PHONE: &str = "+989121234567";
const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// A message to a line, with an id of its own.
fn sms(world: &World, to: &str, text: &str) -> InboundSms {
    InboundSms {
        carrier: "sandbox".to_owned(),
        to: to.to_owned(),
        from: PHONE.to_owned(),
        text: text.to_owned(),
        carrier_id: Some(peyk::id::new(world).unwrap()),
        received_ms: world.now_ms.get(),
    }
}

fn receive(world: &World, sms: InboundSms) -> Result<(), PortError> {
    pollster::block_on(inbound::receive(world, sms))
}

/// Lets a phone send this text to a line.
fn text(world: &World, to: &str, text: &str) {
    receive(world, sms(world, to, text)).unwrap();
}

fn line(world: &World, number: &str, accounts: &[&Account]) {
    let ids: Vec<&str> = accounts.iter().map(|account| account.id.as_str()).collect();
    let body = json!({"number": number, "carrier": "sandbox", "operations": ["WEBSERVICE"], "accounts": ids});
    world.admin("POST", "/admin/lines", body).expect(201);
}

fn route(world: &World, number: &str, fallback: Option<&Account>, keywords: &[(&str, &Account)]) {
    let keyword = |(keyword, account): &(&str, &Account)| json!({"keyword": keyword, "account": account.id});
    let keywords: Vec<Value> = keywords.iter().map(keyword).collect();
    let body = json!({"account": fallback.map(|account| &account.id), "keywords": keywords});
    let path = format!("/admin/lines/{number}/inbound");
    world.admin("PUT", &path, body).expect(200);
}

/// A page of what an account has received.
fn list(world: &World, account: &Account, query: &str) -> Vec<Value> {
    let page = world.get(&account.key, &format!("/inbound?{query}")).expect(200);
    page.json["data"].as_array().unwrap().clone()
}

/// The texts that an account has received, newest first.
fn texts(world: &World, account: &Account) -> Vec<String> {
    let items = list(world, account, "limit=200");
    items
        .iter()
        .map(|item| item["text"].as_str().unwrap().to_owned())
        .collect()
}

/// The blacklist: each number, and whether a reply has put it there.
fn blacklist(world: &World, account: &Account) -> Vec<(String, bool)> {
    let page = world.get(&account.key, "/blacklist").expect(200);
    let items = page.json["data"].as_array().unwrap().iter();
    items
        .map(|item| {
            let number = item["number"].as_str().unwrap().to_owned();
            (number, item["optOut"].as_bool().unwrap())
        })
        .collect()
}

fn is_blocked(world: &World, account: &Account) -> bool {
    blacklist(world, account).iter().any(|(number, _)| number == PHONE)
}

/// The counts of messages that belong to nobody, newest first: line, reason and number.
fn unclaimed(world: &World) -> Vec<(Value, String, i64)> {
    let page = world.get(&world.admin_key, "/admin/inbound/unclaimed").expect(200);
    let items = page.json["data"].as_array().unwrap().iter();
    items
        .map(|item| {
            let reason = item["reason"].as_str().unwrap().to_owned();
            (item["line"].clone(), reason, item["messages"].as_i64().unwrap())
        })
        .collect()
}

/// A line `3000` of one shop, and a second shop without lines of its own.
fn one_shop() -> (World, Account, Account) {
    let (world, shop) = World::with_account(100_000);
    let other = world.account("other", 100_000);
    line(&world, "3000", &[&shop]);
    (world, shop, other)
}

/// A line `4000` that two shops share, and a third shop.
fn two_shops() -> (World, [Account; 3]) {
    let (world, shop) = World::with_account(100_000);
    let [second, third] = ["second", "third"].map(|name| world.account(name, 100_000));
    line(&world, "4000", &[&shop, &second]);
    (world, [shop, second, third])
}

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
        assert_eq!(
            (&item["line"], &item["from"], &item["optOut"]),
            (&json!("3000"), &json!(PHONE), &json!(false))
        );
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
    assert_eq!(
        (texts(&world, &shop).len(), texts(&world, &second).len()),
        (before.0, before.1 + 1)
    );
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
    let body = json!({"accounts": [second.id, third.id]});
    world.admin("PATCH", "/admin/lines/4000", body).expect(200);
    for message in ["win", "hello", "STOP win", "STOP"] {
        text(&world, "4000", message);
    }
    assert!(texts(&world, &shop).is_empty());
    assert!(blacklist(&world, &shop).is_empty());
    assert_eq!(texts(&world, &second), ["STOP"]);
    assert_eq!(
        unclaimed(&world),
        [(json!("4000"), "NO_ACCOUNT".to_owned(), 3)],
        "a keyword without an account takes nothing"
    );
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
    assert_eq!(
        unclaimed(&world),
        [
            (json!("10001"), "NO_ACCOUNT".to_owned(), 1),
            (Value::Null, "UNKNOWN_LINE".to_owned(), 1),
            (Value::Null, "UNKNOWN_LINE".to_owned(), 8)
        ]
    );
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
    let day = world.get(&world.admin_key, "/admin/inbound/unclaimed").expect(200);
    assert_eq!(
        (day.text("/data/0/day"), day.text("/data/0/carrier")),
        ("2026-04-02".to_owned(), "sandbox".to_owned())
    );
}

#[test]
fn a_message_of_nobody_is_over_even_if_it_can_not_be_counted() {
    let (world, _, _) = one_shop();
    world.db.fail("INSERT INTO unclaimed", 1);
    text(&world, "5000", "x");
    assert!(unclaimed(&world).is_empty());
    assert!(world.log.borrow().iter().any(|line| line.contains("UNKNOWN_LINE")));
}

#[test]
fn an_opt_out_is_one_of_the_words_however_it_is_typed_and_nothing_else() {
    let (world, shop, _) = one_shop();
    for reply in [
        "STOP",
        "stop",
        " Stop. ",
        "s\u{200c}top!!",
        "S T O P",
        "ＳＴＯＰ",
        "Unsubscribe",
        "لغو",
        "لغو ۱۱",
        "لغو١١",
        "«لَغو»",
        "11",
        "۱۱",
        "توقف",
        "خروج\u{200f}\n",
    ] {
        text(&world, "3000", reply);
        assert!(is_blocked(&world, &shop), "{reply}");
        assert_eq!(list(&world, &shop, "limit=1")[0]["optOut"], true, "{reply}");
        world.send(&shop.key, &[PHONE]).problem(422, 3016);
        text(&world, "3000", "Start");
        assert!(!is_blocked(&world, &shop), "{reply}");
        assert_eq!(list(&world, &shop, "limit=1")[0]["optOut"], false);
    }
    for other in [
        "",
        "stop it",
        "don't stop",
        "stopp",
        "لغو نکن",
        "111",
        "1",
        "لغو12",
        "bus stop",
        "🛑",
    ] {
        text(&world, "3000", other);
        assert!(!is_blocked(&world, &shop), "{other}");
        assert_eq!(list(&world, &shop, "limit=1")[0]["optOut"], false, "{other}");
    }
    world.send(&shop.key, &[PHONE]).expect(201);
}

#[test]
fn each_word_of_opting_in_takes_back_an_opt_out() {
    let (world, shop, _) = one_shop();
    for reply in ["START", "شروع", "12", "۱۲!"] {
        text(&world, "3000", "stop");
        assert!(is_blocked(&world, &shop));
        text(&world, "3000", reply);
        assert!(!is_blocked(&world, &shop), "{reply}");
    }
}

#[test]
fn the_words_are_settings() {
    let (world, shop, _) = one_shop();
    let set = |name, value: &str| world.settings.borrow_mut().insert(name, value.to_owned());
    set("OPT_OUT_WORDS", "Ende, نه ممنون");
    set("OPT_IN_WORDS", "");
    for (reply, is_out) in [
        ("stop", false),
        ("ENDE", true),
        ("start", true),
        ("12", true),
        ("نه‌ممنون", true),
    ] {
        text(&world, "3000", reply);
        assert_eq!(is_blocked(&world, &shop), is_out, "{reply}");
    }
    set("OPT_IN_WORDS", "ende");
    let refused = receive(&world, sms(&world, "3000", "hello")).unwrap_err();
    assert!(refused.to_string().contains("OPT_IN_WORDS"), "{refused}");
    assert_eq!(texts(&world, &shop).len(), 5);
}

#[test]
fn a_plain_opt_out_on_a_line_of_several_accounts_reaches_each_of_them() {
    let (world, [shop, second, third]) = two_shops();
    text(&world, "4000", "STOP");
    for account in [&shop, &second] {
        assert!(is_blocked(&world, account));
        assert_eq!(texts(&world, account), ["STOP"]);
    }
    assert!(!is_blocked(&world, &third));
    text(&world, "4000", "START");
    assert!(!is_blocked(&world, &shop) && !is_blocked(&world, &second));
    // On a shared line, these are the accounts that have messages of it.
    route(&world, "10001", Some(&third), &[("win", &second)]);
    text(&world, "10001", "لغو");
    assert!(is_blocked(&world, &second) && is_blocked(&world, &third));
    assert!(!is_blocked(&world, &shop));
    assert!(unclaimed(&world).is_empty());
}

#[test]
fn an_opt_out_that_names_a_keyword_is_for_its_account_alone() {
    let (world, [shop, second, _]) = two_shops();
    route(&world, "4000", Some(&second), &[("win", &shop)]);
    for (out, back) in [
        ("STOP WIN", "START win"),
        ("win stop", "Win: شروع"),
        ("لغو 11 win", "12 win"),
    ] {
        text(&world, "4000", out);
        assert!(is_blocked(&world, &shop), "{out}");
        text(&world, "4000", back);
        assert!(!is_blocked(&world, &shop), "{back}");
    }
    assert!(blacklist(&world, &second).is_empty());
    assert!(texts(&world, &second).is_empty());
    // A keyword at the end says something only behind an opt-out.
    text(&world, "4000", "I win");
    text(&world, "4000", "win win stop");
    assert_eq!(texts(&world, &second), ["I win"]);
    assert!(!is_blocked(&world, &shop) && !is_blocked(&world, &second));
}

#[test]
fn an_opt_out_that_reaches_nobody_is_told_to_the_operator() {
    let (world, shop, _) = one_shop();
    text(&world, "10001", "STOP");
    text(&world, "10001", "START");
    assert_eq!(
        unclaimed(&world),
        [(json!("10001"), "NO_ACCOUNT_FOR_OPT_OUT".to_owned(), 2)]
    );
    assert!(!is_blocked(&world, &shop));
}

#[test]
fn a_reply_takes_off_only_what_a_reply_has_put_on_the_blacklist() {
    let (world, shop, _) = one_shop();
    let own = || json!({"numbers": [PHONE]});
    world.post(&shop.key, "/blacklist", own()).expect(201);
    for reply in ["START", "STOP", "START"] {
        text(&world, "3000", reply);
        assert_eq!(blacklist(&world, &shop), [(PHONE.to_owned(), false)], "{reply}");
    }
    world
        .request("DELETE", "/blacklist")
        .key(&shop.key)
        .json(own())
        .send()
        .expect(200);
    text(&world, "3000", "STOP");
    assert_eq!(blacklist(&world, &shop), [(PHONE.to_owned(), true)]);
    // From now on, the account itself keeps the number off.
    let added = world.post(&shop.key, "/blacklist", own()).expect(201);
    assert_eq!(added.int("/data/added"), 0);
    text(&world, "3000", "START");
    assert_eq!(blacklist(&world, &shop), [(PHONE.to_owned(), false)]);
}

#[test]
fn a_full_blacklist_has_room_for_opt_outs() {
    let (world, shop, _) = one_shop();
    let fill = |from: i64, to: i64| {
        let statement = "WITH RECURSIVE n (i) AS (SELECT ?1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2) \
             INSERT INTO blacklist (msisdn, created_ms, opt_out) SELECT 989350000000 + i, 0, 0 FROM n";
        world.sql(&shop.id).exec(statement, &[from.into(), to.into()]).unwrap();
    };
    fill(1, 100_000);
    let own = json!({"numbers": ["09301234567"]});
    world.post(&shop.key, "/blacklist", own).problem(409, 409);
    text(&world, "3000", "STOP");
    assert!(is_blocked(&world, &shop));
    text(&world, "3000", "START");
    fill(100_001, 1_000_000);
    text(&world, "3000", "STOP");
    assert!(!is_blocked(&world, &shop));
    assert_eq!(list(&world, &shop, "limit=1")[0]["optOut"], true);
    let log = world.log.borrow().join("\n");
    assert!(log.contains("no room for an opt-out") && !log.contains("9121234567"));
}

#[test]
fn an_account_that_is_not_active_receives_and_minds_opt_outs() {
    let (world, shop, _) = one_shop();
    let path = format!("/admin/accounts/{}", shop.id);
    let off = json!({"status": "INACTIVE", "sendingEnabled": false});
    world.admin("PATCH", &path, off).expect(200);
    text(&world, "3000", "STOP");
    assert!(is_blocked(&world, &shop));
    world
        .admin("PATCH", "/admin/lines/3000", json!({"active": false}))
        .expect(200);
    text(&world, "3000", "START");
    assert_eq!(texts(&world, &shop), ["START", "STOP"]);
}

#[test]
fn a_message_that_comes_again_is_stored_once() {
    let (world, shop, _) = one_shop();
    let first = sms(&world, "3000", "hello");
    receive(&world, first.clone()).unwrap();
    let id = list(&world, &shop, "")[0]["id"].clone();
    for later_ms in [0, 1_000, DAY_MS] {
        world.advance(later_ms);
        let again = InboundSms {
            received_ms: world.now_ms.get(),
            to: "+98 3000".to_owned(),
            from: "00989121234567".to_owned(),
            ..first.clone()
        };
        receive(&world, again).unwrap();
    }
    let items = list(&world, &shop, "");
    assert_eq!((items.len(), &items[0]["id"]), (1, &id));
}

#[test]
fn an_id_that_a_carrier_uses_again_makes_no_repeat() {
    let (world, shop, _) = one_shop();
    line(&world, "3001", &[&shop]);
    let first = sms(&world, "3000", "hello");
    let others = [
        InboundSms {
            text: "other".to_owned(),
            ..first.clone()
        },
        InboundSms {
            from: "+989351234567".to_owned(),
            ..first.clone()
        },
        InboundSms {
            to: "3001".to_owned(),
            ..first.clone()
        },
        InboundSms {
            carrier: "another".to_owned(),
            ..first.clone()
        },
        InboundSms {
            carrier_id: first.carrier_id.clone().map(|id| id + "0"),
            ..first.clone()
        },
        InboundSms {
            carrier_id: None,
            ..first.clone()
        },
    ];
    receive(&world, first).unwrap();
    for (index, other) in others.into_iter().enumerate() {
        for _ in 0..2 {
            receive(&world, other.clone()).unwrap();
        }
        assert_eq!(texts(&world, &shop).len(), index + 2, "{index}");
    }
}

#[test]
fn without_ids_the_same_text_repeats_within_five_minutes() {
    let (world, shop, _) = one_shop();
    let one = || InboundSms {
        carrier_id: None,
        ..sms(&world, "3000", "1")
    };
    receive(&world, one()).unwrap();
    for (after_ms, expected) in [(0, 1), (REPEAT_MS - 1, 1), (1, 2), (REPEAT_MS - 1, 2)] {
        world.advance(after_ms);
        receive(&world, one()).unwrap();
        assert_eq!(texts(&world, &shop).len(), expected, "after {after_ms}");
    }
    let others = [
        InboundSms {
            text: "2".to_owned(),
            ..one()
        },
        InboundSms {
            from: "+989351234567".to_owned(),
            ..one()
        },
        InboundSms {
            carrier: "another".to_owned(),
            ..one()
        },
    ];
    for (index, other) in others.into_iter().enumerate() {
        receive(&world, other).unwrap();
        assert_eq!(texts(&world, &shop).len(), index + 3);
    }
}

#[test]
fn an_opt_out_that_arrives_again_late_does_not_undo_what_came_after_it() {
    let (world, shop, _) = one_shop();
    let stop = sms(&world, "3000", "STOP");
    receive(&world, stop.clone()).unwrap();
    text(&world, "3000", "START");
    receive(&world, stop).unwrap();
    assert!(!is_blocked(&world, &shop));
    assert_eq!(texts(&world, &shop), ["START", "STOP"]);
}

#[test]
fn a_crash_between_carrier_and_account_loses_and_doubles_nothing() {
    for fate in [Fate::FailsBefore, Fate::FailsAfter] {
        let (world, shop, _) = one_shop();
        let stop = sms(&world, "3000", "STOP");
        world.receives.borrow_mut().extend([fate, fate]);
        for _ in 0..2 {
            receive(&world, stop.clone()).unwrap_err();
            assert_eq!(texts(&world, &shop).len(), usize::from(fate == Fate::FailsAfter));
            world.kill();
        }
        receive(&world, stop).unwrap();
        assert_eq!(texts(&world, &shop), ["STOP"]);
        assert_eq!(blacklist(&world, &shop), [(PHONE.to_owned(), true)]);
    }
}

#[test]
fn each_message_makes_one_event_for_webhooks_that_ask_for_it() {
    let (world, shop, _) = one_shop();
    let events = || {
        let rows = world
            .sql(&shop.id)
            .exec("SELECT type, body FROM event ORDER BY seq", &[]);
        let body = |row: &peyk::ports::Row| serde_json::from_str::<Value>(&row.text(1).unwrap()).unwrap();
        let events = rows.unwrap();
        events
            .iter()
            .map(|row| (row.text(0).unwrap(), body(row)))
            .collect::<Vec<_>>()
    };
    text(&world, "3000", "nobody asks");
    assert!(events().is_empty());
    let asked = NoteWebhooks {
        version: 1,
        types: vec!["message.received".to_owned()],
        low_balances: Vec::new(),
    };
    pollster::block_on(peyk::account::ask(&world, &shop.id, None, &asked)).unwrap();
    let stop = sms(&world, "3000", "STOP");
    world.receives.borrow_mut().push_back(Fate::FailsAfter);
    receive(&world, stop.clone()).unwrap_err();
    receive(&world, stop).unwrap();
    text(&world, "3000", "سلام");
    let listed = list(&world, &shop, "limit=2");
    let expected: Vec<(String, Value)> = listed
        .into_iter()
        .rev()
        .map(|item| ("message.received".to_owned(), item))
        .collect();
    assert_eq!(events(), expected);
    assert_eq!(
        (&expected[0].1["optOut"], &expected[1].1["optOut"]),
        (&json!(true), &json!(false))
    );
    // A message that can't be stored makes no event.
    world.sql(&shop.id).fail("INSERT INTO event", 1);
    receive(&world, sms(&world, "3000", "hello")).unwrap_err();
    assert_eq!(texts(&world, &shop).len(), 3);
}

#[test]
fn an_opt_out_for_many_is_done_only_when_each_has_it() {
    let (world, shop) = World::with_account(0);
    let others: Vec<Account> = (0..20).map(|index| world.account(&format!("shop{index}"), 0)).collect();
    let all: Vec<&Account> = others.iter().chain([&shop]).collect();
    line(&world, "4000", &all);
    let stop = sms(&world, "4000", "STOP");
    let fates = (0..all.len()).map(|index| match index % 3 {
        0 => Fate::FailsBefore,
        1 => Fate::FailsAfter,
        _ => Fate::Passes,
    });
    world.receives.borrow_mut().extend(fates);
    receive(&world, stop.clone()).unwrap_err();
    let reached = all.iter().filter(|account| is_blocked(&world, account)).count();
    assert_eq!(reached, 14, "all but those whose call failed before");
    receive(&world, stop).unwrap();
    for account in all {
        assert_eq!(texts(&world, account), ["STOP"]);
        assert!(is_blocked(&world, account));
    }
}

#[test]
fn a_message_that_can_not_be_stored_comes_again() {
    let (world, shop, _) = one_shop();
    let stop = sms(&world, "3000", "STOP");
    world.directory_is_down.set(true);
    receive(&world, stop.clone()).unwrap_err();
    world.directory_is_down.set(false);
    for statement in ["INSERT INTO inbound", "INSERT INTO blacklist"] {
        world.sql(&shop.id).fail(statement, 1);
        receive(&world, stop.clone()).unwrap_err();
        assert!(texts(&world, &shop).is_empty(), "half a message is none");
        assert!(!is_blocked(&world, &shop));
    }
    receive(&world, stop).unwrap();
    assert_eq!(texts(&world, &shop), ["STOP"]);
    assert!(is_blocked(&world, &shop));
}

#[test]
fn hostile_texts_are_kept_as_a_phone_would_show_them() {
    let (world, shop, _) = one_shop();
    for (sent, kept) in [
        ("a\u{0}b\u{1b}[2Jc\u{85}", "ab[2Jc"),
        ("one\r\ntwo\rthree\n\tfour", "one\ntwo\nthree\n\tfour"),
        ("\u{202e}gnp.exe\u{2066}", "\u{202e}gnp.exe\u{2066}"),
        ("'); DROP TABLE inbound; --", "'); DROP TABLE inbound; --"),
        ("{\"text\": \"\\u0000\"}", "{\"text\": \"\\u0000\"}"),
        ("", ""),
        ("😀\u{fe0f}\u{10ffff}", "😀\u{fe0f}\u{10ffff}"),
        ("\u{0}", ""),
    ] {
        text(&world, "3000", sent);
        let item = &list(&world, &shop, "limit=1")[0];
        assert_eq!(item["text"], kept, "{sent:?}");
        assert!(item.get("textTruncated").is_none());
    }
}

#[test]
fn a_long_text_is_cut_in_lists_and_whole_on_short_pages() {
    let (world, shop, _) = one_shop();
    let long = "ب".repeat(10_000);
    text(&world, "3000", &long);
    let short = &list(&world, &shop, "limit=20")[0];
    assert_eq!(short["text"], long.as_str());
    assert!(short.get("textTruncated").is_none());
    let cut = &list(&world, &shop, "limit=21")[0];
    assert_eq!(cut["text"].as_str().unwrap().chars().count(), 2_048);
    assert_eq!(cut["textTruncated"], true);
    // Nothing of a longer text is kept behind ten thousand characters, and it comes again as the same.
    let endless = sms(&world, "3000", &"x\u{0}".repeat(100_000));
    receive(&world, endless.clone()).unwrap();
    receive(&world, endless).unwrap();
    let items = list(&world, &shop, "limit=20");
    assert_eq!(items.len(), 2);
    assert_eq!(items[0]["text"], "x".repeat(10_000));
    assert_eq!(items[0]["textTruncated"], true);
}

#[test]
fn senders_are_phone_numbers_or_stay_as_the_carrier_wrote_them() {
    let (world, shop, _) = one_shop();
    for (from, shown, blocks) in [
        ("+989121234567", PHONE, true),
        ("989121234567", PHONE, true),
        ("09121234567", PHONE, true),
        ("00989121234567", PHONE, true),
        ("447911123456", "+447911123456", true),
        ("8282", "8282", false),
        (" Bank ", "Bank", false),
        ("", "", false),
        ("9\u{0}8", "98", false),
        (
            "a name that is too long for every network",
            "a name that is too long for ever",
            false,
        ),
    ] {
        let stop = InboundSms {
            from: from.to_owned(),
            ..sms(&world, "3000", "STOP")
        };
        receive(&world, stop.clone()).unwrap();
        let item = &list(&world, &shop, "limit=1")[0];
        assert_eq!((&item["from"], &item["optOut"]), (&json!(shown), &json!(true)));
        let expected = if blocks { vec![(shown.to_owned(), true)] } else { vec![] };
        assert_eq!(blacklist(&world, &shop), expected, "{from}");
        let start = InboundSms {
            text: "START".to_owned(),
            ..stop
        };
        receive(&world, start).unwrap();
    }
}

#[test]
fn times_grow_with_the_list_whatever_carriers_say() {
    let (world, shop, _) = one_shop();
    let now_ms = world.now_ms.get();
    for said_ms in [now_ms - 30 * DAY_MS, now_ms - 1_000, i64::MAX, 0, i64::MIN, now_ms] {
        let odd = InboundSms {
            received_ms: said_ms,
            ..sms(&world, "3000", "hello")
        };
        receive(&world, odd).unwrap();
    }
    let items = list(&world, &shop, "");
    let times: Vec<i64> = items
        .iter()
        .map(|item| peyk::time::from_rfc3339(item["receivedAt"].as_str().unwrap()).unwrap())
        .collect();
    let expected = [now_ms, now_ms, now_ms, now_ms, now_ms - 1_000, now_ms - 7 * DAY_MS];
    assert_eq!(times, expected);
}

#[test]
fn the_list_is_filtered_and_paged() {
    let (world, shop, other) = one_shop();
    line(&world, "3001", &[&shop]);
    let start_ms = world.now_ms.get();
    let senders = ["+989121234567", "8282", "+989351234567"];
    for index in 0..12_usize {
        let to = if index % 2 == 0 { "3000" } else { "3001" };
        let message = InboundSms {
            from: senders[index % 3].to_owned(),
            ..sms(&world, to, &index.to_string())
        };
        receive(&world, message).unwrap();
        world.advance(1_000);
    }
    let found = |query: &str| {
        let items = list(&world, &shop, query);
        let numbers = items.iter().map(|item| item["text"].as_str().unwrap().parse().unwrap());
        numbers.collect::<Vec<usize>>()
    };
    let newest_first = |wanted: fn(usize) -> bool| (0..12).rev().filter(|index| wanted(*index)).collect::<Vec<_>>();
    let at = |seconds: i64| peyk::time::to_rfc3339(start_ms + seconds * 1_000);
    assert_eq!(found(""), newest_first(|_| true));
    assert_eq!(found("line=3001"), newest_first(|index| index % 2 == 1));
    assert_eq!(found("from=09121234567"), newest_first(|index| index % 3 == 0));
    assert_eq!(found("from=8282"), newest_first(|index| index % 3 == 1));
    assert_eq!(
        found("line=3000&from=8282"),
        newest_first(|index| index % 2 == 0 && index % 3 == 1)
    );
    assert_eq!(found(&format!("since={}", at(7))), newest_first(|index| index >= 7));
    assert_eq!(
        found(&format!("line=3000&since={}", at(7))),
        newest_first(|index| index >= 7 && index % 2 == 0)
    );
    assert!(found(&format!("since={}", at(60))).is_empty());
    assert!(found("line=98-3000").is_empty() && found("from=nobody").is_empty());
    for filter in ["", "&line=3000", "&from=8282", "&line=3000&from=8282"] {
        let (mut paged, mut cursor) = (Vec::new(), String::new());
        loop {
            let page = world
                .get(&shop.key, &format!("/inbound?limit=2{filter}{cursor}"))
                .expect(200);
            let items = page.json["data"].as_array().unwrap();
            paged.extend(
                items
                    .iter()
                    .map(|item| item["text"].as_str().unwrap().parse::<usize>().unwrap()),
            );
            // What comes meanwhile neither repeats nor hides others.
            text(&world, "10001", "x");
            match page.json["meta"]["nextCursor"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => break,
            }
        }
        assert_eq!(paged, found(filter), "{filter}");
    }
    assert!(list(&world, &other, "").is_empty());
    let scans = world.sql(&shop.id).walks(&["inbound"]);
    assert!(scans.is_empty(), "{}", scans.join("\n"));
}

#[test]
fn the_list_refuses_bad_filters_and_keys_that_may_not_read() {
    let (world, shop, _) = one_shop();
    let faults = world
        .get(
            &shop.key,
            &format!("/inbound?since=today&from=&line={}&limit=0&cursor=x", "9".repeat(33)),
        )
        .problem(422, 422)
        .extra();
    let fields: Vec<&str> = faults
        .iter()
        .filter_map(|fault| fault.split_once(':'))
        .map(|(field, _)| field)
        .collect();
    assert_eq!(fields, ["limit", "cursor", "line", "from", "since"]);
    world.request("GET", "/inbound").send().problem(401, 401);
    let body = json!({"title": "x", "scopes": ["sms:send"]});
    let path = format!("/admin/accounts/{}/keys", shop.id);
    let key = world.admin("POST", &path, body).expect(201).text("/data/key");
    world.get(&key, "/inbound").problem(403, 403);
}

#[test]
fn messages_are_forgotten_when_they_are_old_and_not_before() {
    let (world, shop, _) = one_shop();
    world.settings.borrow_mut().insert("RETENTION_DAYS", "9".to_owned());
    for index in 0..1_200 {
        text(&world, "3000", &index.to_string());
    }
    let stored = || {
        let rows = world.sql(&shop.id).exec("SELECT count(*) FROM inbound", &[]).unwrap();
        rows[0].int(0).unwrap()
    };
    world.settle(5 * DAY_MS);
    text(&world, "3000", "young");
    world.settle(3 * DAY_MS + DAY_MS / 2);
    assert_eq!(stored(), 1_201);
    world.settle(2 * DAY_MS);
    assert_eq!(texts(&world, &shop), ["young"]);
    world.settle(5 * DAY_MS);
    assert_eq!(stored(), 0);
    // A message that comes after all were forgotten has another position than all before.
    text(&world, "3000", "new");
    let rows = world.sql(&shop.id).exec("SELECT id FROM inbound", &[]).unwrap();
    assert_eq!(rows[0].int(0).unwrap(), 1_202);
    let mut scans = world.sql(&shop.id).walks(&["inbound"]);
    scans.retain(|scan| !scan.starts_with("SELECT count(*)") && !scan.starts_with("SELECT id FROM"));
    assert!(scans.is_empty(), "{}", scans.join("\n"));
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
    let scans = world.db.walks(&[
        "line",
        "line_keyword",
        "line_inbound",
        "line_account",
        "unclaimed",
        "l",
        "k",
        "i",
    ]);
    assert!(scans.is_empty(), "{}", scans.join("\n"));
}

#[test]
fn operators_set_all_routes_of_a_line_at_once() {
    let (world, [shop, second, _]) = two_shops();
    let path = "/admin/lines/4000/inbound";
    let none = json!({"account": null, "keywords": [], "optOutReply": null, "optInReply": null});
    assert_eq!(world.get(&world.admin_key, path).expect(200).json["data"], none);
    let body = json!({"account": second.id, "keywords": [
        {"keyword": "Win!", "account": shop.id}, {"keyword": "كد۱", "account": second.id}]});
    let set = json!({"account": second.id, "keywords": [
        {"keyword": "win", "account": shop.id}, {"keyword": "کد1", "account": second.id}],
        "optOutReply": null, "optInReply": null});
    for _ in 0..2 {
        assert_eq!(world.admin("PUT", path, body.clone()).expect(200).json["data"], set);
        assert_eq!(world.get(&world.admin_key, path).expect(200).json["data"], set);
    }
    let fewer = json!({"keywords": [{"keyword": "win", "account": second.id}]});
    let changed = world.admin("PUT", path, fewer).expect(200);
    assert_eq!(
        changed.json["data"],
        json!({"account": null, "keywords": [{"keyword": "win", "account": second.id}], "optOutReply": null, "optInReply": null})
    );
    assert_eq!(world.admin("PUT", path, json!({})).expect(200).json["data"], none);
    for method in ["GET", "PUT"] {
        world
            .admin(method, "/admin/lines/5000/inbound", json!({}))
            .problem(404, 404);
    }
    // With its line go its routes.
    world.admin("PUT", path, body).expect(200);
    world.admin("DELETE", "/admin/lines/4000", json!({})).expect(204);
    line(&world, "4000", &[&shop, &second]);
    assert_eq!(world.get(&world.admin_key, path).expect(200).json["data"], none);
}

#[test]
fn bad_routes_are_refused_with_all_their_faults_and_change_nothing() {
    let (world, [shop, second, third]) = two_shops();
    route(&world, "4000", Some(&second), &[("win", &shop)]);
    let path = "/admin/lines/4000/inbound";
    let before = world.get(&world.admin_key, path).expect(200).json["data"].clone();
    let refused = |body: Value, faults: &[&str]| {
        assert_eq!(world.admin("PUT", path, body).problem(422, 422).extra(), faults);
        assert_eq!(world.get(&world.admin_key, path).expect(200).json["data"], before);
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
    refused(
        json!({"keywords": [keyword("win"), keyword("a"), keyword("W\u{200c}IN")]}),
        &["keywords[2]: must not be there twice"],
    );
    let many: Vec<Value> = (0..1_001).map(|index| keyword(&format!("w{index}"))).collect();
    refused(json!({"keywords": many}), &["keywords: must have at most 1000 items"]);
    refused(
        json!({"keywords": [keyword(&"x".repeat(37))]}),
        &["keywords[0].keyword: must have at most 36 characters"],
    );
    world
        .request("PUT", path)
        .key(&shop.key)
        .json(json!({}))
        .send()
        .problem(403, 403);
    let thousand: Vec<Value> = (0..1_000).map(|index| keyword(&format!("w{index}"))).collect();
    let set = world.admin("PUT", path, json!({"keywords": thousand})).expect(200);
    assert_eq!(set.json["data"]["keywords"].as_array().unwrap().len(), 1_000);
    text(&world, "4000", "W999 hello");
    assert_eq!(texts(&world, &shop), ["W999 hello"]);
}

const CONFIRMATION: &str = "لغو شد. برای دریافت دوباره ۱۲ را بفرستید.";
const WELCOME: &str = "Welcome back";

/// Sets the texts that confirm opt-outs and returns on a line.
fn confirm(world: &World, number: &str) {
    let body = json!({"optOutReply": CONFIRMATION, "optInReply": WELCOME});
    let path = format!("/admin/lines/{number}/inbound");
    world.admin("PUT", &path, body).expect(200);
}

/// The texts that the account's messages have, newest first.
fn sent(world: &World, account: &Account) -> Vec<String> {
    let page = world.get(&account.key, "/messages?limit=20").expect(200);
    let items = page.json["data"].as_array().unwrap().iter();
    items.map(|item| item["message"].as_str().unwrap().to_owned()).collect()
}

/// The causes for which replies were not confirmed. No line of the log has the number or a text.
fn unconfirmed(world: &World) -> Vec<String> {
    let log = world.log.borrow();
    for hidden in ["9121234567", CONFIRMATION, WELCOME, "STOP"] {
        assert!(!log.join("\n").contains(hidden), "{hidden}");
    }
    let lines = log.iter().map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines
        .filter(|line| line["what"] == "a reply is not confirmed")
        .map(|line| line["cause"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn an_opt_out_is_confirmed_once_by_a_message_that_its_account_pays() {
    let (world, shop, other) = one_shop();
    confirm(&world, "3000");
    let stop = sms(&world, "3000", "STOP");
    receive(&world, stop.clone()).unwrap();
    assert!(is_blocked(&world, &shop));
    let page = world.get(&shop.key, "/messages").expect(200);
    let message = &page.json["data"][0];
    assert_eq!(
        (
            &message["type"],
            &message["sourceNumber"],
            &message["message"],
            &message["cost"]
        ),
        (&json!("PLAIN"), &json!("3000"), &json!(CONFIRMATION), &json!(1_000))
    );
    world.settle(10_000);
    let handed = world.handed(&shop.id);
    assert_eq!(handed.len(), 1);
    let uid = message["uid"].as_str().unwrap();
    let details = world.get(&shop.key, &format!("/messages/{uid}")).expect(200);
    assert_eq!(details.json["data"]["counts"], json!({"DELIVERED": 1}));
    assert_eq!(world.balance(&shop.key), (99_000, 0));
    // What comes again, and a second opt-out, say nothing new.
    receive(&world, stop).unwrap();
    text(&world, "3000", "لغو");
    world.advance(2 * DAY_MS);
    text(&world, "3000", "STOP");
    world.settle(10_000);
    assert_eq!(sent(&world, &shop), [CONFIRMATION]);
    assert_eq!(world.balance(&shop.key), (99_000, 0));
    // A return is confirmed by its own text.
    text(&world, "3000", "START");
    world.settle(10_000);
    assert_eq!(sent(&world, &shop), [WELCOME, CONFIRMATION]);
    assert_eq!(world.handed(&shop.id).len(), 2);
    text(&world, "3000", "START");
    text(&world, "3000", "hello");
    assert_eq!(sent(&world, &shop).len(), 2);
    assert!(sent(&world, &other).is_empty());
    assert!(unconfirmed(&world).is_empty());
}

#[test]
fn without_a_text_nothing_is_confirmed_and_a_choice_that_changes_nothing_never_is() {
    let (world, shop, _) = one_shop();
    text(&world, "3000", "STOP");
    text(&world, "3000", "START");
    assert!(sent(&world, &shop).is_empty());
    confirm(&world, "3000");
    // Nobody was on the list, and then the account itself has put the number there.
    text(&world, "3000", "START");
    world
        .post(&shop.key, "/blacklist", json!({"numbers": [PHONE]}))
        .expect(201);
    text(&world, "3000", "STOP");
    text(&world, "3000", "START");
    let name = InboundSms {
        from: "Bank".to_owned(),
        ..sms(&world, "3000", "STOP")
    };
    receive(&world, name).unwrap();
    assert!(sent(&world, &shop).is_empty());
    assert!(is_blocked(&world, &shop));
    assert_eq!(world.balance(&shop.key), (100_000, 0));
    assert!(unconfirmed(&world).is_empty());
}

#[test]
fn an_opt_out_counts_whatever_keeps_its_confirmation_from_being_sent() {
    let account = |change: Value| {
        move |world: &World, shop: &Account| {
            let path = format!("/admin/accounts/{}", shop.id);
            world.admin("PATCH", &path, change.clone()).expect(200);
        }
    };
    let line = |change: Value| {
        move |world: &World, _: &Account| {
            world.admin("PATCH", "/admin/lines/3000", change.clone()).expect(200);
        }
    };
    type Break<'a> = Box<dyn Fn(&World, &Account) + 'a>;
    let cases: Vec<(Break<'_>, &str)> = vec![
        (
            Box::new(account(json!({"status": "INACTIVE"}))),
            "the account is not active",
        ),
        (
            Box::new(account(json!({"sendingEnabled": false}))),
            "sending is switched off",
        ),
        (
            Box::new(|world: &World, _: &Account| {
                world
                    .admin("PUT", "/admin/sending", json!({"enabled": false, "reason": "a test"}))
                    .expect(200);
            }),
            "sending is switched off",
        ),
        (
            Box::new(|world: &World, shop: &Account| {
                let path = format!("/admin/accounts/{}/credit", shop.id);
                world
                    .admin("POST", &path, json!({"amount": -99_001, "note": "x"}))
                    .expect(201);
            }),
            "the balance is below the cost",
        ),
        (
            Box::new(line(json!({"active": false}))),
            "line: the account may not send from it now",
        ),
        (
            Box::new(line(json!({"operations": ["PATTERN"]}))),
            "line: the account may not send from it now",
        ),
        (
            Box::new(|world: &World, _: &Account| world.db.fail("JOIN plan p", 1)),
            "",
        ),
    ];
    for (breaks, cause) in cases {
        let (world, shop, _) = one_shop();
        confirm(&world, "3000");
        breaks(&world, &shop);
        world.log.borrow_mut().clear();
        text(&world, "3000", "STOP");
        world.settle(10_000);
        assert_eq!(blacklist(&world, &shop), [(PHONE.to_owned(), true)], "{cause}");
        assert_eq!(texts(&world, &shop), ["STOP"], "{cause}");
        assert!(sent(&world, &shop).is_empty(), "{cause}");
        assert_eq!(world.balance(&shop.key).1, 0, "{cause}");
        assert!(world.handed(&shop.id).is_empty());
        let causes = unconfirmed(&world);
        assert_eq!(causes.len(), 1, "{cause}");
        assert!(causes[0].contains(cause), "{causes:?}");
    }
}

#[test]
fn a_sender_gets_one_confirmation_a_day_from_a_line_however_often_it_changes_its_mind() {
    let (world, shop, _) = one_shop();
    line(&world, "3001", &[&shop]);
    confirm(&world, "3000");
    confirm(&world, "3001");
    for _ in 0..20 {
        text(&world, "3000", "STOP");
        text(&world, "3000", "START");
        world.advance(60_000);
    }
    assert_eq!(sent(&world, &shop), [CONFIRMATION]);
    // Another line and another sender count for themselves.
    text(&world, "3001", "STOP");
    let other = InboundSms {
        from: "+989351234567".to_owned(),
        ..sms(&world, "3000", "STOP")
    };
    receive(&world, other).unwrap();
    assert_eq!(sent(&world, &shop).len(), 3);
    world.advance(DAY_MS - 20 * 60_000 - 1);
    text(&world, "3000", "START");
    assert_eq!(sent(&world, &shop).len(), 3, "the day is not over");
    world.advance(1);
    text(&world, "3000", "STOP");
    assert_eq!(sent(&world, &shop).len(), 4);
    assert!(is_blocked(&world, &shop));
    assert!(unconfirmed(&world).is_empty());
}

#[test]
fn a_reply_that_is_for_several_accounts_is_not_confirmed_and_one_with_a_keyword_is() {
    let (world, [shop, second, third]) = two_shops();
    let keywords = json!([{"keyword": "win", "account": shop.id}]);
    let body = json!({"keywords": keywords, "optOutReply": CONFIRMATION});
    world.admin("PUT", "/admin/lines/4000/inbound", body).expect(200);
    text(&world, "4000", "STOP");
    for account in [&shop, &second] {
        assert!(is_blocked(&world, account));
        assert!(sent(&world, account).is_empty());
    }
    text(&world, "4000", "START");
    text(&world, "4000", "STOP win");
    assert_eq!(sent(&world, &shop), [CONFIRMATION]);
    assert!(sent(&world, &second).is_empty() && sent(&world, &third).is_empty());
}

#[test]
fn an_opt_out_and_its_confirmation_are_stored_together_or_not_at_all() {
    for statement in [
        "INSERT INTO message",
        "INSERT OR IGNORE INTO number",
        "INSERT INTO chunk",
        "INSERT INTO ledger",
        "INSERT INTO inbound",
        "INSERT INTO blacklist",
    ] {
        let (world, shop, _) = one_shop();
        confirm(&world, "3000");
        let stop = sms(&world, "3000", "STOP");
        world.sql(&shop.id).fail(statement, 1);
        receive(&world, stop.clone()).unwrap_err();
        assert!(
            texts(&world, &shop).is_empty() && sent(&world, &shop).is_empty(),
            "{statement}"
        );
        assert!(!is_blocked(&world, &shop), "{statement}");
        assert_eq!(world.balance(&shop.key), (100_000, 0), "{statement}");
        receive(&world, stop).unwrap();
        world.settle(10_000);
        assert_eq!(sent(&world, &shop), [CONFIRMATION], "{statement}");
        assert_eq!(world.balance(&shop.key), (99_000, 0), "{statement}");
    }
    // An answer that is lost makes the carrier repeat the message.
    let (world, shop, _) = one_shop();
    confirm(&world, "3000");
    let stop = sms(&world, "3000", "STOP");
    world.receives.borrow_mut().push_back(Fate::FailsAfter);
    receive(&world, stop.clone()).unwrap_err();
    world.kill();
    receive(&world, stop).unwrap();
    world.settle(10_000);
    assert_eq!(world.handed(&shop.id).len(), 1);
    assert_eq!(world.balance(&shop.key), (99_000, 0));
}

#[test]
fn the_texts_of_a_line_are_set_with_its_routes_and_are_as_long_as_other_texts() {
    let (world, shop, _) = one_shop();
    let path = "/admin/lines/3000/inbound";
    let body = json!({"account": shop.id, "optOutReply": "Bye\r\nnow", "optInReply": "x".repeat(10 * 153)});
    let answer = world.admin("PUT", path, body).expect(200);
    assert_eq!(answer.text("/data/optOutReply"), "Bye\nnow");
    assert_eq!(answer.text("/data/optInReply"), "x".repeat(1_530));
    let got = world.get(&world.admin_key, path).expect(200);
    assert_eq!(got.json["data"], answer.json["data"]);
    for (body, fault) in [
        (json!({"optOutReply": ""}), "optOutReply: must not be empty"),
        (json!({"optInReply": " \n"}), "optInReply: must not be empty"),
        (json!({"optOutReply": 7}), "optOutReply: "),
        (json!({"optOutReply": "x".repeat(1_531)}), "optOutReply: "),
        (json!({"optInReply": ["x"]}), "optInReply: "),
        (json!({"account": "nobody", "optOutReply": "x"}), "account: "),
    ] {
        let extra = world.admin("PUT", path, body.clone()).problem(422, 422).extra();
        assert_eq!(extra.len(), 1, "{body}");
        assert!(extra[0].starts_with(fault), "{extra:?}");
    }
    let kept = world.get(&world.admin_key, path).expect(200);
    assert_eq!(
        kept.json["data"], answer.json["data"],
        "a refused request changes nothing"
    );
    let emptied = world.admin("PUT", path, json!({})).expect(200);
    let none = json!({"account": null, "keywords": [], "optOutReply": null, "optInReply": null});
    assert_eq!(emptied.json["data"], none);
}
