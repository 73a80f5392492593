//! The confirmation of an opt-out: who gets it, once, and who pays.

use peyk::carrier::inbound::{self, InboundSms};
use serde_json::{Value, json};

use super::{PHONE, blacklist, is_blocked, line, one_shop, receive, sms, text, texts, two_shops};
use crate::support::{Account, Fate, World, assert_has, time::DAY_MS, to_end};

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
    let page = world.read(&account.key, "/messages?limit=20");
    let items = page.items().iter();
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
    let page = world.read(&shop.key, "/messages");
    let message = &page.json["data"][0];
    let expected = json!({"type": "PLAIN", "sourceNumber": "3000", "message": CONFIRMATION, "cost": 1_000});
    assert_has(message, expected);
    world.settle(10_000);
    assert_eq!(world.handed(&shop.id).len(), 1);
    let uid = message["uid"].as_str().unwrap();
    let details = world.message(&shop.key, uid);
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
    world.posted(&shop.key, "/blacklist", json!({"numbers": [PHONE]}));
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
            world.change_account(shop, change.clone());
        }
    };
    let line = |change: Value| {
        move |world: &World, _: &Account| {
            world.change("/admin/lines/3000", change.clone());
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
                let body = json!({"enabled": false, "reason": "a test"});
                world.admin("PUT", "/admin/sending", body).expect(200);
            }),
            "sending is switched off",
        ),
        (
            Box::new(|world: &World, shop: &Account| {
                world.credit(shop, -99_001);
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
    let body = json!({"keywords": [{"keyword": "win", "account": shop.id}], "optOutReply": CONFIRMATION});
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
        "INSERT INTO chunk",
        "UPDATE account",
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
    // A carrier's object that keeps the message asks again.
    let (world, shop, _) = one_shop();
    confirm(&world, "3000");
    let stop = sms(&world, "3000", "STOP");
    world.receives.borrow_mut().push_back(Fate::FailsBefore);
    let not_taken = to_end(inbound::receive(&world, stop.clone())).unwrap_err();
    let left = not_taken.left;
    receive(&world, InboundSms { left, ..stop }).unwrap();
    assert_eq!(sent(&world, &shop), [CONFIRMATION]);
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
    assert_eq!(world.look(path).json["data"], answer.json["data"]);
    for (body, fault) in [
        (json!({"optOutReply": ""}), "optOutReply: must not be empty"),
        (json!({"optInReply": " \n"}), "optInReply: must not be empty"),
        (json!({"optOutReply": 7}), "optOutReply: "),
        (json!({"optOutReply": "x".repeat(1_531)}), "optOutReply: "),
        (json!({"optInReply": ["x"]}), "optInReply: "),
        (json!({"account": "nobody", "optOutReply": "x"}), "account: "),
    ] {
        let extra = world.admin("PUT", path, body.clone()).refused(422).extra();
        assert_eq!(extra.len(), 1, "{body}");
        assert!(extra[0].starts_with(fault), "{extra:?}");
    }
    let kept = world.look(path);
    let data = &kept.json["data"];
    assert_eq!(*data, answer.json["data"], "a refused request changes nothing");
    let emptied = world.admin("PUT", path, json!({})).expect(200);
    let none = json!({"account": null, "keywords": [], "optOutReply": null, "optInReply": null});
    assert_eq!(emptied.json["data"], none);
}
