//! A message is stored once, as the phone wrote it, and forgotten in time.

use peyk::account::{inbound::REPEAT_MS, outbox::events::NoteWebhooks};
use peyk::base::ports::Sql;
use peyk::carrier::inbound::InboundSms;
use serde_json::{Value, json};

use super::{PHONE, blacklist, is_blocked, line, list, one_shop, receive, sms, text, texts};
use crate::support::{Fate, time::DAY_MS, to_end};

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
        let body = |row: &peyk::base::ports::Row| serde_json::from_str::<Value>(&row.text(1).unwrap()).unwrap();
        rows.unwrap()
            .iter()
            .map(|row| (row.text(0).unwrap(), body(row)))
            .collect::<Vec<_>>()
    };
    text(&world, "3000", "nobody asks");
    assert!(events().is_empty());
    let asked = NoteWebhooks {
        version: 1,
        types: vec!["message.received".to_owned()],
        test_types: vec!["message.received".to_owned()],
        low_balances: Vec::new(),
    };
    to_end(peyk::account::ask(&world, &shop.id, None, None, &asked)).unwrap();
    let stop = sms(&world, "3000", "STOP");
    world.receives.borrow_mut().push_back(Fate::FailsAfter);
    receive(&world, stop.clone()).unwrap_err();
    receive(&world, stop).unwrap();
    text(&world, "3000", "سلام");
    let expected = list(&world, &shop, "limit=2").into_iter().rev();
    let told = |mut item: Value| {
        let members = item.as_object_mut().unwrap();
        // What changes afterwards, or stands for a place in the list, is no news.
        members.retain(|name, _| !["number", "taken"].contains(&name.as_str()));
        ("message.received".to_owned(), item)
    };
    let expected: Vec<(String, Value)> = expected.map(told).collect();
    assert_eq!(events(), expected);
    let wanted = (&json!(true), &json!(false));
    assert_eq!((&expected[0].1["optOut"], &expected[1].1["optOut"]), wanted);
    // A message that can't be stored makes no event.
    world.sql(&shop.id).fail("INSERT INTO event", 1);
    receive(&world, sms(&world, "3000", "hello")).unwrap_err();
    assert_eq!(texts(&world, &shop).len(), 3);
}

#[test]
fn a_message_that_can_not_be_stored_comes_again() {
    let (world, shop, _) = one_shop();
    let stop = sms(&world, "3000", "STOP");
    world.db.is_down.set(true);
    receive(&world, stop.clone()).unwrap_err();
    world.db.is_down.set(false);
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
        assert_eq!((&item["from"], &item["optOut"]), (&json!(shown), &json!(blocks)));
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
    let times: Vec<i64> = list(&world, &shop, "")
        .iter()
        .map(|item| peyk::base::time::from_rfc3339(item["receivedAt"].as_str().unwrap()).unwrap())
        .collect();
    let expected = [now_ms, now_ms, now_ms, now_ms, now_ms - 1_000, now_ms - 7 * DAY_MS];
    assert_eq!(times, expected);
}

#[test]
fn messages_are_forgotten_when_they_are_old_and_not_before() {
    let (world, shop, _) = one_shop();
    world.set("RETENTION_DAYS", Some("9"));
    for index in 0..1_200 {
        text(&world, "3000", &index.to_string());
    }
    let stored = || world.sql(&shop.id).count("inbound");
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
    assert_eq!(world.rows(&shop, "SELECT id FROM inbound")[0].int(0).unwrap(), 1_202);
    let mut scans = world.sql(&shop.id).walks(&["inbound"]);
    scans.retain(|scan| !scan.starts_with("SELECT count(*)") && !scan.starts_with("SELECT id FROM"));
    assert!(scans.is_empty(), "{}", scans.join("\n"));
}
