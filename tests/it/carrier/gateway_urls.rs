//! The addresses that gateways call: whom they name, that nobody can forge them, and what becomes of reports and of
//! messages from phones.

use peyk::carrier::gateway_url::{self, Named, RecipientRef, TokenError, Tokens};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::{
    Account, Answer, World, assert_contains, gateway::Message, gateway::PUBLIC_URL, gateway::Reply, gateway::says,
    pick, time::DAY_MS, time::MINUTE_MS,
};

/// A service with a gateway `mci` behind the line `20001`, and an account with money.
fn service() -> (World, Account) {
    let (world, shop) = World::with_account(100_000);
    let world = world.with_secrets();
    world.add_gateway("mci", "20001", "KANNEL");
    world.advance(31_000);
    (world, shop)
}

/// What a form that a gateway posts is answered.
fn post_form(world: &World, path: &str, form: &str) -> Answer {
    let request = world.request("POST", path);
    let request = request.body("application/x-www-form-urlencoded", form.as_bytes());
    request.send().expect(200)
}

/// Sends to so many recipients: the message's uid, and what the gateway got.
fn sent(world: &World, shop: &Account, count: usize) -> (String, Vec<Message>) {
    let recipients: Vec<String> = (0..count).map(|number| format!("+98912{number:07}")).collect();
    let body = json!({"message": "hello", "recipients": recipients, "sourceNumber": "20001"});
    let uid = world.posted(&shop.key, "/sms/send", body).text("/data/uid");
    world.settle(3_000);
    let mut messages = world.gateway.take();
    messages.sort_by(|one, other| one.get("to").cmp(other.get("to")));
    assert_eq!(messages.len(), count);
    (uid, messages)
}

fn call(world: &World, path: &str) -> Answer {
    world.request("GET", path).send()
}

/// How many refused callbacks the log tells of, once the minute is over.
fn refusals(world: &World) -> usize {
    world.advance(MINUTE_MS);
    call(world, "/health").expect(200);
    let log = world.log.borrow();
    let lines = log.iter().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let counts = lines.filter(|line| line["event"] == "callback").map(|line| {
        let more = line["more"].as_array().map(|more| {
            let counts = more.iter().map(|kind| kind["count"].as_u64().unwrap());
            counts.sum::<u64>() + line["others"].as_u64().unwrap()
        });
        more.unwrap_or(1)
    });
    usize::try_from(counts.sum::<u64>()).unwrap()
}

#[test]
fn strangers_who_call_without_end_fill_no_log_and_are_counted() {
    let (world, _) = service();
    world.log.borrow_mut().clear();
    for index in 0..500 {
        let path = format!("/carrier/c{}/dlr?t=x&status=1", index % 50);
        call(&world, &path).refused(403);
        call(&world, &format!("/carrier/mci/inbound?k={index}&from=1&to=2&text=x")).refused(403);
    }
    let lines = || {
        world
            .log
            .borrow()
            .iter()
            .filter(|line| line.contains(r#""event":"callback""#))
            .count()
    };
    assert_eq!(lines(), 8, "as many kinds as are told apart");
    assert_eq!(refusals(&world), 1_000);
    assert_eq!(lines(), 9);
    // The next minute begins anew, and a lone one is told at once.
    call(&world, "/carrier/mci/dlr?t=x&status=1").refused(403);
    assert_eq!((lines(), refusals(&world)), (10, 1_001));
    assert_eq!(lines(), 10, "there was no more of it");
}

fn kannel(world: &World, message: &Message, status: &str, answer: &str) -> Answer {
    let query = form_urlencoded::Serializer::new(String::new())
        .append_pair("status", status)
        .append_pair("answer", answer)
        .append_pair("id", "7")
        .finish();
    call(world, &format!("{}&{query}", message.report_path()))
}

fn statuses(world: &World, shop: &Account, uid: &str) -> Vec<String> {
    let recipients = world.read(&shop.key, &format!("/messages/{uid}/recipients"));
    let mut items = recipients.items().clone();
    items.sort_by_key(|item| item["recipient"].to_string());
    pick(&items.into(), "status")
}

#[test]
fn kannels_reports_bring_each_recipient_to_its_end() {
    let (world, shop) = service();
    let (uid, messages) = sent(&world, &shop, 6);
    for (message, (status, answer)) in messages.iter().zip([
        ("1", "id:1 stat:DELIVRD err:000"),
        ("2", "id:1 stat:UNDELIV err:027"),
        ("34", "id:1 stat:EXPIRED err:000"),
        ("16", "NACK/0x0000000b/Invalid Destination Address"),
        ("8", "ACK/"),
        ("4", ""),
    ]) {
        let answer = kannel(&world, message, status, answer).expect(200);
        assert_eq!(answer.body, "", "Kannel would send a text to the phone");
    }
    let expected = "DELIVERED UNDELIVERED EXPIRED UNDELIVERED SUBMITTED SUBMITTED";
    assert_eq!(statuses(&world, &shop, &uid), expected.split(' ').collect::<Vec<_>>());
    // The carrier's own code is kept for operators.
    let sql = world.sql(&shop.id);
    let rows = sql.run("SELECT error, error_code FROM recipient ORDER BY idx");
    let causes: Vec<_> = rows
        .iter()
        .map(|row| (row.opt_text(0).unwrap(), row.opt_text(1).unwrap()))
        .collect();
    let cause = |error: &str, code: &str| (Some(error.to_owned()), Some(code.to_owned()));
    assert_eq!(causes[0], (None, None));
    assert_eq!(causes[1], cause("CARRIER_ERROR", "027"));
    assert_eq!(causes[2], cause("EXPIRED", "000"));
    let wanted = cause("CARRIER_ERROR", "0x0000000b/Invalid Destination Address");
    assert_eq!(causes[3], wanted);
}

#[test]
fn what_the_smsc_behind_the_gateway_refuses_costs_nothing_while_nobody_knew_that_it_was_taken() {
    let (world, shop) = service();
    world.gateway.answer(|message, _| match message {
        None => says(400, "Missing receiver number, rejected"),
        Some(_) => Reply::Breaks,
    });
    let (uid, messages) = sent(&world, &shop, 1);
    assert_eq!(statuses(&world, &shop, &uid), ["UNKNOWN"]);
    let nack = "NACK/0x0000000b/Invalid Destination Address";
    kannel(&world, &messages[0], "16", nack).expect(200);
    assert_eq!(statuses(&world, &shop, &uid), ["REJECTED"]);
    assert_eq!(world.balance(&shop.key), (100_000, 0));
}

#[test]
fn jasmins_reports_come_as_forms_and_get_the_words_that_jasmin_waits_for() {
    let (world, shop) = service();
    let (uid, messages) = sent(&world, &shop, 4);
    let forms = [
        "id=07033084&level=2&message_status=DELIVRD&connector=a&id_smsc=1&sub=001&dlvrd=001&err=000&text=-",
        "id=07033084&level=1&message_status=ESME_RINVDSTADR&connector=a",
        "id=07033084&level=1&message_status=ESME_ROK&connector=a",
        "id=07033084&level=2&message_status=UNDELIV&err=1",
    ];
    for (message, form) in messages.iter().zip(forms) {
        assert_eq!(post_form(&world, &message.report_path(), form).body, "ACK/Jasmin");
    }
    let expected = ["DELIVERED", "UNDELIVERED", "SUBMITTED", "UNDELIVERED"];
    assert_eq!(statuses(&world, &shop, &uid), expected);
}

#[test]
fn a_report_that_comes_again_or_too_late_changes_nothing_and_is_logged() {
    let (world, shop) = service();
    let (uid, messages) = sent(&world, &shop, 2);
    kannel(&world, &messages[0], "1", "").expect(200);
    kannel(&world, &messages[1], "2", "").expect(200);
    let before = (world.balance(&shop.key), statuses(&world, &shop, &uid));
    for (status, says_an_ending) in [
        ("1", true),
        ("2", true),
        ("34", true),
        ("16", true),
        ("8", false),
        ("4", false),
    ] {
        for message in &messages {
            world.advance(MINUTE_MS);
            world.log.borrow_mut().clear();
            kannel(&world, message, status, "").expect(200);
            let log = world.log.borrow().join("\n");
            assert_eq!(log.contains("a repeat, or too late"), says_an_ending, "{log}");
        }
    }
    assert_eq!((world.balance(&shop.key), statuses(&world, &shop, &uid)), before);
    assert_eq!(before.1, ["DELIVERED", "UNDELIVERED"]);
}

#[test]
fn a_report_without_a_status_that_is_known_changes_nothing_and_is_logged() {
    let (world, shop) = service();
    let (uid, messages) = sent(&world, &shop, 1);
    let path = messages[0].report_path();
    for query in ["", "&status=%25d", "&status=0", "&message_status=NEWS"] {
        world.advance(MINUTE_MS);
        world.log.borrow_mut().clear();
        call(&world, &format!("{path}{query}")).expect(200);
        let log = world.log.borrow().join("\n");
        assert_contains(&log, r#""event":"callback""#);
        assert_contains(&log, "no status");
    }
    assert_eq!(statuses(&world, &shop, &uid), ["SUBMITTED"]);
}

#[test]
fn a_forged_or_altered_address_is_refused_and_logged_without_its_token() {
    let (world, shop) = service();
    world.add_gateway("mtn", "20002", "KANNEL");
    let (uid, messages) = sent(&world, &shop, 1);
    let path = messages[0].report_path();
    let (_, token) = path.split_once("t=").unwrap();
    let mut forged: Vec<String> = (0..token.len())
        .flat_map(|place| {
            let other = if token.as_bytes()[place] == b'A' { "B" } else { "A" };
            let mut altered = token.to_owned();
            altered.replace_range(place..=place, other);
            // The last character has bits that mean nothing, so it may be another one of the same meaning only if it is refused.
            [altered, token[..place].to_owned()]
        })
        .map(|token| format!("/carrier/mci/dlr?t={token}&status=1"))
        .collect();
    forged.push(format!("/carrier/mtn/dlr?t={token}&status=1"));
    forged.push(format!("/carrier/http-7a746887/dlr?t={token}&status=1"));
    forged.push(format!("/carrier/989121234567/dlr?t={token}&status=1"));
    forged.push(format!("/carrier/mci/dlr?t={token}AAAA&status=1"));
    forged.push(format!("/carrier/mci/dlr?t={}&status=1", "A".repeat(5_000)));
    forged.push("/carrier/mci/dlr?status=1".to_owned());
    forged.push(format!("/carrier/%0a{}/dlr?t={token}&status=1", "x".repeat(500)));
    world.log.borrow_mut().clear();
    for path in &forged {
        call(&world, path).refused(403);
    }
    let log = world.log.borrow().join("\n");
    assert_eq!(refusals(&world), forged.len());
    assert!(!log.contains(&token[..20]) && !log.contains("xxxx"), "{log}");
    assert_contains(&log, r#""carrier":"http-7a746887""#);
    assert!(log.contains("…4567") && !log.contains("989121234567"), "{log}");
    assert_eq!(statuses(&world, &shop, &uid), ["SUBMITTED"]);
    kannel(&world, &messages[0], "1", "").expect(200);
    assert_eq!(statuses(&world, &shop, &uid), ["DELIVERED"]);
}

#[test]
fn a_form_cant_replace_what_stands_in_the_address() {
    let (world, shop) = service();
    let (uid, messages) = sent(&world, &shop, 2);
    let other = messages[1].report_path();
    let (_, other) = other.split_once("t=").unwrap();
    post_form(&world, &messages[0].report_path(), &format!("t={other}&status=1"));
    assert_eq!(statuses(&world, &shop, &uid), ["DELIVERED", "SUBMITTED"]);
}

#[test]
fn an_address_ends_after_seven_days() {
    let (world, shop) = service();
    let (uid, messages) = sent(&world, &shop, 1);
    world.advance(7 * DAY_MS - 10_000);
    let token = messages[0].report_path();
    call(&world, &format!("{token}&status=8")).expect(200);
    world.advance(10_000);
    let refused = kannel(&world, &messages[0], "1", "").refused(403);
    assert!(refused.text("/detail").contains("7 days"));
    assert!(world.has_logged("too old"));
    assert_eq!(statuses(&world, &shop, &uid), ["SUBMITTED"]);
}

#[test]
fn an_address_is_good_until_its_end_when_the_key_is_changed_in_between() {
    let (world, shop) = service();
    let (uid, messages) = sent(&world, &shop, 2);
    world.set("SECRET_KEY", Some("AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI="));
    kannel(&world, &messages[0], "1", "").refused(403);
    world.set("SECRET_KEY_OLD", Some(crate::support::gateway::SECRET_KEY));
    kannel(&world, &messages[0], "1", "").expect(200);
    assert_eq!(statuses(&world, &shop, &uid), ["DELIVERED", "SUBMITTED"]);
}

#[test]
fn a_gateway_comes_again_until_the_account_has_its_report() {
    let (world, shop) = service();
    let (uid, messages) = sent(&world, &shop, 1);
    world.reports_are_lost.set(true);
    let refused = kannel(&world, &messages[0], "1", "").refused(503);
    assert!(refused.header("Retry-After").is_some());
    assert_eq!(statuses(&world, &shop, &uid), ["SUBMITTED"]);
    world.reports_are_lost.set(false);
    // The second call fails after it had its effect.
    world.failing_reports.set(1);
    kannel(&world, &messages[0], "1", "").refused(503);
    kannel(&world, &messages[0], "1", "").expect(200);
    assert_eq!(statuses(&world, &shop, &uid), ["DELIVERED"]);
}

#[test]
fn a_service_without_its_key_asks_the_gateway_to_come_again() {
    let (world, shop) = service();
    let (_, messages) = sent(&world, &shop, 1);
    for bad in [None, Some("short")] {
        world.set("SECRET_KEY", bad);
        kannel(&world, &messages[0], "1", "").refused(503);
        call(&world, "/carrier/mci/inbound?k=x&from=1&to=2").refused(503);
    }
    assert!(world.has_logged("SECRET_KEY"));
}

#[test]
fn callbacks_that_are_too_large_or_of_another_type_are_refused() {
    let (world, shop) = service();
    let (uid, messages) = sent(&world, &shop, 1);
    let path = messages[0].report_path();
    let long = "x".repeat(17_000);
    call(&world, &format!("{path}&status=1&answer={long}")).refused(413);
    let post = |content_type: &str, body: &str| world.request("POST", &path).body(content_type, body.as_bytes()).send();
    post("application/x-www-form-urlencoded", &format!("status=1&answer={long}")).refused(413);
    post("application/json", r#"{"status": 1}"#).refused(415);
    assert_eq!(statuses(&world, &shop, &uid), ["SUBMITTED"]);
    // Kannel's post-url may have no body at all.
    world.request("POST", &format!("{path}&status=1")).send().expect(200);
    assert_eq!(statuses(&world, &shop, &uid), ["DELIVERED"]);
}

/// A version of a carrier's addresses.
const VERSION: i64 = 1_767_268_800;

#[test]
fn after_a_rotation_the_old_addresses_work_for_a_day() {
    let (world, shop) = service();
    let (uid, messages) = sent(&world, &shop, 3);
    let inbound = |path: &str, id: u32| call(&world, &format!("{path}&from=989121234567&to=20001&text=hi&id={id}"));
    let old = inbound_path(&world);
    // The worker knows the addresses by now.
    kannel(&world, &messages[0], "1", "").expect(200);
    let rotate = |name: &str| world.admin("POST", &format!("/admin/carriers/{name}/rotate-callback"), json!({}));
    let rotated = rotate("mci").expect(201);
    let end_ms = world.now_ms.get() + DAY_MS;
    let new = inbound_path(&world);
    assert_ne!(old, new);
    assert_eq!(rotated.text("/data/inboundUrl"), format!("{PUBLIC_URL}{new}"));
    let (later_uid, later) = sent(&world, &shop, 1);
    world.now_ms.set(end_ms - 1_000);
    inbound(&old, 1).expect(200);
    inbound(&new, 2).expect(200);
    kannel(&world, &messages[1], "1", "").expect(200);
    world.now_ms.set(end_ms);
    let unknown = inbound("/carrier/mci/inbound?k=AAAA", 3).problem(403, 403);
    let ended = inbound(&old, 3).problem(403, 403);
    assert_eq!(ended.text("/detail"), unknown.text("/detail"));
    let ended = kannel(&world, &messages[2], "1", "").problem(403, 403);
    assert_eq!(ended.text("/detail"), unknown.text("/detail"));
    assert_eq!(statuses(&world, &shop, &uid), ["DELIVERED", "DELIVERED", "SUBMITTED"]);
    inbound(&new, 4).expect(200);
    kannel(&world, &later[0], "1", "").expect(200);
    assert_eq!(statuses(&world, &shop, &later_uid), ["DELIVERED"]);
    rotate("none").problem(404, 404);
    rotate("sandbox").problem(409, 409);
    world
        .post(&shop.key, "/admin/carriers/mci/rotate-callback", json!({}))
        .problem(403, 403);
    assert_eq!(inbound_path(&world), new, "what was refused has changed nothing");
}

#[test]
fn a_carrier_that_is_made_anew_has_other_addresses_than_the_deleted_one() {
    let world = World::new().with_secrets();
    world.add_gateway("mci", "20002", "KANNEL");
    let old = inbound_path(&world);
    world.admin("DELETE", "/admin/lines/20002", json!({})).expect(204);
    world.admin("DELETE", "/admin/carriers/mci", json!({})).expect(204);
    world.advance(1_000);
    world.add_gateway("mci", "20002", "KANNEL");
    call(&world, &format!("{old}&from=989121234567&to=20002&text=hi")).problem(403, 403);
}

#[test]
fn a_gateway_reports_after_its_carrier_is_deleted_until_one_of_its_name_is_made() {
    let (world, shop) = service();
    let (uid, messages) = sent(&world, &shop, 2);
    world.admin("DELETE", "/admin/lines/20001", json!({})).expect(204);
    world.settle(2 * MINUTE_MS);
    let refused = world.admin("DELETE", "/admin/carriers/mci", json!({})).refused(409);
    assert_contains(&refused.text("/detail"), ": 2.");
    let forced = "/admin/carriers/mci?force=true";
    world.admin("DELETE", forced, json!({})).expect(204);
    world.advance(31_000);
    kannel(&world, &messages[0], "1", "").expect(200);
    assert_eq!(statuses(&world, &shop, &uid), ["DELIVERED", "SUBMITTED"]);
    world.add_gateway("mci", "20001", "KANNEL");
    world.advance(31_000);
    kannel(&world, &messages[1], "1", "").problem(403, 403);
}

#[test]
fn tokens_are_a_format_that_gateways_keep() {
    let world = World::new().with_secrets();
    let recipient = RecipientRef {
        account: "019b796d-0000-7000-8000-00000000000a".to_owned(),
        message: 300,
        index: 7,
    };
    let tokens = Tokens::of_reports(&world, "mci").unwrap();
    let made_ms = world.now_ms.get();
    let golden = "AQABm3ltAABwAIAAAAAAAAAKwMPZygasAgfAuP7KBmHc-_4POyEZF9X_E4o5r7k";
    assert_eq!(tokens.issue(made_ms, VERSION, &recipient), golden);
    let version = VERSION;
    assert_eq!(tokens.read(made_ms, golden), Ok(Named { version, recipient }));
}

proptest! {
    #[test]
    fn a_token_names_the_recipient_that_it_was_made_for(
        account in "[a-z0-9-]{1,64}",
        version in 0..=peyk::base::ports::MAX_INTEGER,
        message in 0..=peyk::base::ports::MAX_INTEGER,
        index: u32,
        after_ms in 0..(8 * DAY_MS),
        byte in 0_usize..100,
        flip in 1_u8..=255,
    ) {
        let world = World::new().with_secrets();
        let tokens = Tokens::of_reports(&world, "mci").unwrap();
        let recipient = RecipientRef { account, message, index };
        let now_ms = world.now_ms.get();
        let token = tokens.issue(now_ms, version, &recipient);
        prop_assert!(token.len() <= gateway_url::MAX_TOKEN);
        let expected = match after_ms < 7 * DAY_MS {
            true => Ok(Named { version, recipient }),
            false => Err(TokenError::Expired),
        };
        prop_assert_eq!(tokens.read(now_ms + after_ms, &token), expected);
        let mut altered = token.into_bytes();
        let place = byte % altered.len();
        altered[place] ^= flip;
        if let Ok(altered) = String::from_utf8(altered) {
            prop_assert_eq!(tokens.read(now_ms, &altered), Err(TokenError::Forged));
        }
    }

    #[test]
    fn no_text_is_a_token_that_nobody_made(text in "[A-Za-z0-9_-]{0,120}", any in ".{0,60}") {
        let world = World::new().with_secrets();
        let tokens = Tokens::of_reports(&world, "mci").unwrap();
        for text in [text, any] {
            prop_assert_eq!(tokens.read(0, &text), Err(TokenError::Forged));
        }
    }
}

/// The path and the query of the address for inbound messages, as operators see it.
fn inbound_path(world: &World) -> String {
    let url = world.look("/admin/carriers/mci").text("/data/inboundUrl");
    url.strip_prefix(PUBLIC_URL).unwrap().to_owned()
}

fn received(world: &World, shop: &Account) -> Vec<(String, String, String)> {
    let list = world.read(&shop.key, "/inbound");
    let text = |item: &Value, name: &str| item[name].as_str().unwrap().to_owned();
    let items = list.items().iter();
    items
        .map(|item| (text(item, "line"), text(item, "from"), text(item, "text")))
        .collect()
}

/// A service whose line `20003` belongs to one account, which gets what phones send to it.
fn inbound_service() -> (World, Account) {
    let (world, shop) = service();
    let line = json!({"number": "20003", "carrier": "mci", "operations": ["WEBSERVICE"], "accounts": [shop.id]});
    world.create("/admin/lines", line);
    (world, shop)
}

#[test]
fn messages_from_phones_come_by_kannel_and_by_jasmin() {
    let (world, shop) = inbound_service();
    let path = inbound_path(&world);
    let text = "%D8%B3%D9%84%D8%A7%D9%85+1";
    let path_with_text = format!("{path}&from=%2B989121234567&to=20003&text={text}&id=a");
    let answer = call(&world, &path_with_text).expect(200);
    assert_eq!(answer.body, "", "Kannel would send a text to the phone");
    let form = "id=b&from=989121234568&to=20003&origin-connector=x&coding=%08&content=%06%33&binary=0633064406270645";
    assert_eq!(post_form(&world, &path, form).body, "ACK/Jasmin");
    let form = "id=c&from=989121234568&to=20003&origin-connector=x&coding=%00&content=%68%69%00&binary=686900";
    post_form(&world, &path, form);
    let mut items = received(&world, &shop);
    items.sort();
    let item = |from: &str, text: &str| ("20003".to_owned(), from.to_owned(), text.to_owned());
    let expected = [
        item("+989121234567", "سلام 1"),
        item("+989121234568", "hi@"),
        item("+989121234568", "سلام"),
    ];
    assert_eq!(items, expected);
}

#[test]
fn a_message_from_a_phone_needs_the_key_of_its_carrier() {
    let (world, shop) = inbound_service();
    world.add_gateway("mtn", "20002", "KANNEL");
    let path = inbound_path(&world);
    let (_, key) = path.split_once("k=").unwrap();
    world.log.borrow_mut().clear();
    let tail = "&from=%2B989121234567&to=20003&text=x";
    let altered = format!("B{}", &key[1..]).replace("BB", "BA");
    let forged = [
        format!("/carrier/mtn/inbound?k={key}{tail}"),
        format!("/carrier/mci/inbound?k={altered}{tail}"),
        format!("/carrier/mci/inbound?k={}{tail}", &key[1..]),
        format!("/carrier/mci/inbound?k={key}AAAA{tail}"),
        format!("/carrier/mci/inbound?{}", &tail[1..]),
    ];
    for path in &forged {
        call(&world, path).refused(403);
    }
    let log = world.log.borrow().join("\n");
    assert_eq!(refusals(&world), forged.len());
    assert!(!log.contains(&key[1..]), "{log}");
    for (missing, fields) in [("&to=20003", "from"), ("&from=1", "to"), ("", "from to")] {
        let refused = call(&world, &format!("{path}{missing}")).refused(422);
        assert_eq!(refused.places(), fields.split(' ').collect::<Vec<_>>());
    }
    assert!(received(&world, &shop).is_empty());
}

#[test]
fn a_deleted_carrier_hands_nothing_over_any_more() {
    let (world, shop) = inbound_service();
    let path = inbound_path(&world);
    for line in ["20001", "20003"] {
        world.change(&format!("/admin/lines/{line}"), json!({"carrier": "sandbox"}));
    }
    world.admin("DELETE", "/admin/carriers/mci", json!({})).expect(204);
    call(&world, &format!("{path}&from=%2B989121234567&to=20003&text=x")).refused(403);
    assert!(received(&world, &shop).is_empty());
}
