//! The hours of a line: what goes to many leaves in them only.

use peyk::account::chunk::claim_queued;
use peyk::account::record::chunk::queue;
use serde_json::{Value, json};

use crate::support::time::{DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS};
use crate::support::{Account, Answer, World, assert_has};

const MONEY: i64 = 10_000_000;
/// Numbers to which the sandbox delivers.
const NUMBERS: [&str; 2] = ["+989121000100", "+989121001100"];
/// When the hours of [`closed`] begin. The world begins at half past three in the afternoon in Tehran.
const OPENING: &str = "2026-01-02T04:30:00.000Z";
const TO_OPENING_MS: i64 = 16 * HOUR_MS + 30 * MINUTE_MS;

fn hours(from: &str, to: &str) -> Value {
    json!({"from": from, "to": to, "timeZone": "Asia/Tehran"})
}

fn set_hours(world: &World, hours: Value) {
    world
        .change("/admin/lines/10001", json!({"hours": hours}))
        .has(json!({"hours": hours}));
}

/// A world whose line has closed half an hour ago.
fn closed() -> (World, Account) {
    let (world, shop) = World::with_busy_account(MONEY);
    set_hours(&world, hours("08:00", "15:00"));
    (world, shop)
}

fn to_two() -> Value {
    json!({"message": "Sale", "recipients": NUMBERS})
}

/// All bulk sends: the member of an estimate, the path and the body.
fn to_many(world: &World, shop: &Account) -> [(&'static str, &'static str, Value); 3] {
    let book = world.phonebook(&shop.key, "all", json!(NUMBERS));
    let each = NUMBERS.map(|number| json!({"recipient": number, "message": "Sale"}));
    [
        ("send", "/sms/send", to_two()),
        (
            "phonebook",
            "/sms/phonebook/send",
            json!({"message": "Sale", "phonebook": book}),
        ),
        ("bulk", "/sms/bulk", json!({"messages": each})),
    ]
}

fn handed(world: &World, shop: &Account) -> usize {
    world.handed(&shop.id).len()
}

fn message(world: &World, key: &str, sent: &Answer) -> Value {
    world.message(key, &sent.text("/data/uid")).json["data"].clone()
}

fn set_carrier(world: &World, paused: bool) {
    world.change("/admin/carriers/sandbox", json!({"paused": paused}));
}

#[track_caller]
fn assert_waits(told: &Value, until: &str) {
    assert_has(told, json!({"waitsFor": "HOURS", "waitsUntil": until}));
}

#[track_caller]
fn assert_waits_for_nothing(told: &Value) {
    assert_eq!((told.get("waitsFor"), told.get("waitsUntil")), (None, None));
}

#[test]
fn what_goes_to_many_is_paid_at_once_and_waits_for_the_hours() {
    let (world, shop) = closed();
    let mut sent = Vec::new();
    for (kind, path, body) in to_many(&world, &shop) {
        let told = world.post(&shop.key, "/sms/estimate", json!({kind: body})).expect(200);
        assert_waits(&told.json["data"], OPENING);
        let answer = world.posted(&shop.key, path, body);
        answer.has(json!({"status": "SCHEDULED", "sendAt": OPENING, "cost": 2_000}));
        assert_waits(&answer.json["data"], OPENING);
        sent.push(answer);
    }
    assert_eq!(world.balance(&shop.key), (MONEY - 6_000, 6_000));
    world.settle(TO_OPENING_MS - MINUTE_MS);
    assert_eq!(handed(&world, &shop), 0);
    for answer in &sent {
        let waiting = message(&world, &shop.key, answer);
        assert_waits(&waiting, OPENING);
        assert_has(&waiting, json!({"status": "SCHEDULED", "reserved": 2_000}));
    }
    let listed = world.read(&shop.key, "/messages");
    listed.items().iter().for_each(|listed| assert_waits(listed, OPENING));
    world.settle(2 * MINUTE_MS);
    assert_eq!(handed(&world, &shop), 6);
    for answer in &sent {
        let done = message(&world, &shop.key, answer);
        assert_waits_for_nothing(&done);
        assert_has(&done, json!({"status": "DONE", "delivered": 2, "sendAt": OPENING}));
    }
    assert_eq!(world.balance(&shop.key), (MONEY - 6_000, 0));
}

#[test]
fn patterns_codes_and_texts_to_one_leave_at_any_time() {
    let (world, shop) = closed();
    world.active_pattern(&shop.key, json!({"slug": "any", "title": "x", "text": "It is here"}));
    let of_pattern = |number: &str| json!({"recipient": number, "pattern": "any"});
    let sends = [
        ("/sms/send", json!({"message": "x", "recipients": [NUMBERS[0]]})),
        ("/sms/pattern", json!({"pattern": "any", "recipients": NUMBERS})),
        ("/sms/bulk", json!({"messages": NUMBERS.map(of_pattern)})),
        (
            "/sms/bulk",
            json!({"messages": [{"recipient": NUMBERS[0], "message": "x"}]}),
        ),
    ];
    for (path, body) in sends {
        let sent = world.posted(&shop.key, path, body);
        sent.has(json!({"status": "QUEUED", "sendAt": null}));
        assert_waits_for_nothing(&sent.json["data"]);
    }
    world.posted(&shop.key, "/verify", json!({"recipient": NUMBERS[1]}));
    world.settle(MINUTE_MS);
    assert_eq!(handed(&world, &shop), 7);
    // A bulk with one own text is one message, and waits as a whole.
    let mixed = json!({"messages": [of_pattern(NUMBERS[0]), {"recipient": NUMBERS[1], "message": "x"}]});
    let sent = world.posted(&shop.key, "/sms/bulk", mixed);
    assert_waits(&sent.json["data"], OPENING);
}

#[test]
fn a_time_outside_of_the_hours_moves_to_their_beginning() {
    let (world, shop) = closed();
    let at = |time: &str| {
        let mut body = to_two();
        body["sendAt"] = json!(time);
        world.posted(&shop.key, "/sms/send", body)
    };
    for early in ["2026-01-01T18:00:00Z", "2026-01-02T04:29:59Z"] {
        let moved = at(early);
        moved.has(json!({"status": "SCHEDULED", "sendAt": OPENING}));
        assert_waits(&moved.json["data"], OPENING);
    }
    for inside in [OPENING, "2026-01-02T11:29:59.000Z"] {
        let kept = at(inside);
        kept.has(json!({"status": "SCHEDULED", "sendAt": inside}));
        assert_waits_for_nothing(&kept.json["data"]);
    }
    let late = at("2026-01-02T11:30:00Z");
    late.has(json!({"sendAt": "2026-01-03T04:30:00.000Z"}));
    world.settle(TO_OPENING_MS + MINUTE_MS);
    assert_eq!(handed(&world, &shop), 6);
    world.settle(DAY_MS);
    assert_eq!(handed(&world, &shop), 10);
}

#[test]
fn hours_may_go_over_midnight() {
    let (world, shop) = World::with_busy_account(MONEY);
    set_hours(&world, hours("22:00", "02:00"));
    let sent = world.posted(&shop.key, "/sms/send", to_two());
    assert_waits(&sent.json["data"], "2026-01-01T18:30:00.000Z");
    world.settle(6 * HOUR_MS + 31 * MINUTE_MS);
    assert_eq!(handed(&world, &shop), 2);
    // Half past one at night.
    world.settle(3 * HOUR_MS + 29 * MINUTE_MS);
    let sent = world.posted(&shop.key, "/sms/send", to_two());
    assert_waits_for_nothing(&sent.json["data"]);
    world.settle(MINUTE_MS);
    assert_eq!(handed(&world, &shop), 4);
    world.settle(29 * MINUTE_MS);
    let sent = world.posted(&shop.key, "/sms/send", to_two());
    assert_waits(&sent.json["data"], "2026-01-02T18:30:00.000Z");
}

#[test]
fn what_has_not_left_at_closing_time_waits_for_the_next_day_and_is_not_too_old_then() {
    let (world, shop) = World::with_busy_account(MONEY);
    // They end at half past four.
    set_hours(&world, hours("08:00", "16:30"));
    set_carrier(&world, true);
    let sent = world.posted(&shop.key, "/sms/send", to_two());
    assert_waits_for_nothing(&sent.json["data"]);
    let single = world.sent(&shop.key, &[NUMBERS[0]]);
    world.settle(61 * MINUTE_MS);
    set_carrier(&world, false);
    world.settle(HOUR_MS);
    // What goes to one has left.
    assert_eq!(handed(&world, &shop), 1);
    world.message(&shop.key, &single).has(json!({"status": "DONE"}));
    let waiting = message(&world, &shop.key, &sent);
    assert_has(&waiting, json!({"status": "QUEUED", "sendAt": null}));
    assert_waits(&waiting, OPENING);
    let serve = |active: bool| world.change("/admin/carriers/sandbox", json!({"active": active}));
    serve(false);
    world.settle(TO_OPENING_MS - HOUR_MS);
    // A plain send waits 4 hours for a carrier, from the opening on.
    let waiting = message(&world, &shop.key, &sent);
    assert_waits_for_nothing(&waiting);
    assert_has(&waiting, json!({"status": "QUEUED"}));
    serve(true);
    world.settle(2 * HOUR_MS);
    assert_eq!(handed(&world, &shop), 3);
    assert_has(
        &message(&world, &shop.key, &sent),
        json!({"status": "DONE", "delivered": 2}),
    );
    assert_eq!(world.look("/admin/dead-letters").items().len(), 0);
}

/// An object that knows of hours which have begun meanwhile would put off the same chunks for ever.
#[test]
fn hours_that_have_begun_put_nothing_off() {
    let (world, shop) = World::with_busy_account(MONEY);
    set_carrier(&world, true);
    world.posted(&shop.key, "/sms/send", to_two());
    let (sql, now_ms) = (world.sql(&shop.id), world.now_ms.get());
    let queue = queue::all(&*sql).unwrap().remove(0);
    let due = || queue::due(&*sql, now_ms, &queue).unwrap().len();
    assert_eq!(due(), 1);
    for opens_ms in [now_ms - MINUTE_MS, now_ms] {
        // Each time that they are put off writes. So what does not end fails here.
        sql.room.set(Some(10));
        claim_queued::put_off(&*sql, now_ms, &queue, opens_ms).unwrap();
        assert_eq!((due(), sql.room.get()), (1, Some(10)));
    }
    claim_queued::put_off(&*sql, now_ms, &queue, now_ms + 1).unwrap();
    assert_eq!(due(), 0);
}

#[test]
fn what_is_resumed_at_night_waits_and_a_crash_changes_nothing() {
    let (world, shop) = World::with_busy_account(MONEY);
    set_hours(&world, hours("08:00", "16:30"));
    set_carrier(&world, true);
    let sent = world.posted(&shop.key, "/sms/send", to_two());
    let path = format!("/messages/{}", sent.text("/data/uid"));
    world.bare_post(&shop.key, &format!("{path}/pause")).expect(200);
    set_carrier(&world, false);
    world.settle(2 * HOUR_MS);
    world.bare_post(&shop.key, &format!("{path}/resume")).expect(200);
    world.settle(SECOND_MS);
    world.kill();
    world.settle(HOUR_MS);
    assert_eq!(handed(&world, &shop), 0);
    assert_waits(&message(&world, &shop.key, &sent), OPENING);
    world.kill();
    world.settle(TO_OPENING_MS);
    assert_eq!(handed(&world, &shop), 2);
}

#[test]
fn what_waits_can_be_canceled_and_says_then_that_it_waits_no_more() {
    let (world, shop) = closed();
    let sent = world.posted(&shop.key, "/sms/send", to_two());
    let canceled = world.delete(&shop.key, &format!("/messages/{}", sent.text("/data/uid")));
    let canceled = canceled.expect(200);
    canceled.has(json!({"status": "CANCELED", "canceled": 2}));
    assert_waits_for_nothing(&canceled.json["data"]);
    assert_eq!(world.balance(&shop.key), (MONEY, 0));
    world.settle(DAY_MS);
    assert_eq!(handed(&world, &shop), 0);
}

#[test]
fn a_send_that_comes_again_is_answered_as_it_was() {
    let (world, shop) = closed();
    let first = world.post_once(&shop.key, "/sms/send", "k", to_two()).expect(201);
    world.settle(DAY_MS - HOUR_MS);
    let again = world.post_once(&shop.key, "/sms/send", "k", to_two());
    assert_eq!(again.json["data"], first.json["data"]);
    assert_eq!(handed(&world, &shop), 2);
}

#[test]
fn test_keys_rehearse_the_hours() {
    let (world, shop) = closed();
    let key = world.grant(
        &shop,
        json!({"title": "test", "mode": "test", "scopes": ["sms:send", "sms:read"]}),
    );
    let key = key.text("/data/key");
    let sent = world.posted(&key, "/sms/send", to_two());
    sent.has(json!({"status": "SCHEDULED", "cost": 0}));
    assert_waits(&sent.json["data"], OPENING);
    world.settle(TO_OPENING_MS - MINUTE_MS);
    assert_waits(&message(&world, &key, &sent), OPENING);
    world.settle(2 * MINUTE_MS);
    let done = message(&world, &key, &sent);
    assert_has(&done, json!({"status": "DONE"}));
    assert_waits_for_nothing(&done);
}

#[test]
fn a_campaign_of_a_text_waits_for_its_own_hours_and_those_of_the_line() {
    let (world, shop) = closed();
    let book = world.phonebook(&shop.key, "all", json!(NUMBERS));
    world.active_pattern(&shop.key, json!({"slug": "any", "title": "x", "text": "It is here"}));
    let start = |content: Value| {
        let mut body = json!({"title": "x", "phonebooks": [book], "window": hours("15:00", "10:00")});
        for (name, value) in content.as_object().into_iter().flatten() {
            body[name] = value.clone();
        }
        let id = world.posted(&shop.key, "/campaigns", body).text("/data/id");
        world.settle(SECOND_MS);
        world
            .bare_post(&shop.key, &format!("/campaigns/{id}/start"))
            .expect(200);
        world.settle(SECOND_MS);
        format!("/campaigns/{id}")
    };
    let state = |path: &str, state: &str, next: Value| {
        world.read(&shop.key, path).has(json!({"state": state, "nextAt": next}));
    };
    let of_pattern = start(json!({"pattern": "any"}));
    state(&of_pattern, "DONE", Value::Null);
    assert_eq!(handed(&world, &shop), 2);
    let of_text = start(json!({"message": "Sale"}));
    state(&of_text, "RUNNING", json!(OPENING));
    // A wave of one person is a wave too.
    let alone = start(json!({"message": "Sale", "exclude": {"numbers": [NUMBERS[0]]}}));
    state(&alone, "RUNNING", json!(OPENING));
    // Its own hours begin later than those of the line.
    let later = start(json!({"message": "Sale", "window": hours("09:30", "12:00")}));
    state(&later, "RUNNING", json!("2026-01-02T06:00:00.000Z"));
    assert_eq!(world.balance(&shop.key), (MONEY - 2_000, 0));
    world.settle(TO_OPENING_MS);
    state(&of_text, "DONE", Value::Null);
    state(&alone, "DONE", Value::Null);
    assert_eq!(handed(&world, &shop), 5);
    world.settle(2 * HOUR_MS);
    state(&later, "DONE", Value::Null);
    assert_eq!(handed(&world, &shop), 7);
}

#[test]
fn operators_set_hours_and_shops_see_them() {
    let (world, shop) = World::with_busy_account(MONEY);
    let own = || world.read(&shop.key, "/lines").items()[0]["hours"].clone();
    assert_eq!(own(), Value::Null);
    set_hours(&world, hours("08:00", "21:00"));
    assert_eq!(own(), hours("08:00", "21:00"));
    world.change("/admin/lines/10001", json!({"shared": true}));
    assert_eq!(own(), hours("08:00", "21:00"));
    let bad = |hours: Value| world.admin("PATCH", "/admin/lines/10001", json!({"hours": hours}));
    bad(hours("8:00", "24:00")).points_at(&["/hours/from", "/hours/to"]);
    bad(hours("08:00", "08:00")).points_at(&["/hours/to"]);
    bad(json!({"from": "08:00", "to": "09:00", "timeZone": "Mars/Phobos"})).points_at(&["/hours"]);
    bad(json!({"from": "08:00"})).points_at(&["/hours/to", "/hours/timeZone"]);
    set_hours(&world, Value::Null);
    assert_eq!(own(), Value::Null);
    let new = json!({"number": "20002", "carrier": "sandbox", "operations": ["WEBSERVICE"], "shared": true,
        "hours": hours("22:00", "06:00")});
    world
        .create("/admin/lines", new)
        .has(json!({"hours": hours("22:00", "06:00")}));
}
