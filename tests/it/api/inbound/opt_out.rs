//! Opting out and in: which words do it, for whom, and that none is lost.

use serde_json::json;

use super::{
    PHONE, blacklist, is_blocked, line, list, one_shop, receive, route, sms, text, texts, two_shops, unclaimed,
};
use crate::support::{Account, Fate, World};

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
    let message = (json!("10001"), "NO_ACCOUNT_FOR_OPT_OUT".to_owned(), 2);
    assert_eq!(unclaimed(&world), [message]);
    assert!(!is_blocked(&world, &shop));
}

#[test]
fn a_reply_takes_off_only_what_a_reply_has_put_on_the_blacklist() {
    let (world, shop, _) = one_shop();
    let own = || json!({"numbers": [PHONE]});
    world.posted(&shop.key, "/blacklist", own());
    for reply in ["START", "STOP", "START"] {
        text(&world, "3000", reply);
        assert_eq!(blacklist(&world, &shop), [(PHONE.to_owned(), false)], "{reply}");
    }
    let answer = world.ask("DELETE", &shop.key, "/blacklist").json(own()).send();
    answer.expect(200);
    text(&world, "3000", "STOP");
    assert_eq!(blacklist(&world, &shop), [(PHONE.to_owned(), true)]);
    // From now on, the account itself keeps the number off.
    let added = world.posted(&shop.key, "/blacklist", own());
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
        world.sql(&shop.id).run_with(statement, &[from.into(), to.into()]);
    };
    fill(1, 100_000);
    let own = json!({"numbers": ["09301234567"]});
    world.post(&shop.key, "/blacklist", own).refused(409);
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
    world.change_account(&shop, json!({"status": "INACTIVE", "sendingEnabled": false}));
    text(&world, "3000", "STOP");
    assert!(is_blocked(&world, &shop));
    world.change("/admin/lines/3000", json!({"active": false}));
    text(&world, "3000", "START");
    assert_eq!(texts(&world, &shop), ["START", "STOP"]);
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
