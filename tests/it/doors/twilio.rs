//! The door of Twilio. `tests/doors/` has the same with its official libraries.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use peyk::base::door::Door;
use peyk::base::ports::IncomingResponse;
use peyk::base::time::{to_rfc3339, to_rfc5322};
use proptest::prelude::*;
use serde_json::{Value, json};
use sha1::Sha1;

use super::support::{self, FORM, MONEY, form, head, world};
use crate::support::time::{DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS};
use crate::support::{Account, World};

const AC: &str = "AC0123456789abcdef0123456789abcdef";
const MG: &str = "MG0123456789abcdef0123456789abcdef";
const TO: &str = "+989121234567";
const UNKNOWN_SID: &str = "SM00000000000000000000000000000007";

fn path(rest: &str) -> String {
    format!("/2010-04-01/Accounts/{AC}{rest}")
}

/// What the door answers: the HTTP status and the body. Each answer has the protocol's form.
fn knock(world: &World, key: &str, method: &str, path: &str, body: &str) -> (u16, Value) {
    let mut head = head(method, path, FORM);
    head.authorization = Some(format!("Basic {}", STANDARD.encode(format!("{AC}:{key}"))));
    let response = support::answer(world, &head, body.as_bytes());
    let body: Value = serde_json::from_str(&response.body).unwrap_or(Value::Null);
    let has_header = |name: &str| response.headers.iter().any(|(known, _)| *known == name);
    match response.status {
        204 => assert_eq!((response.body.as_str(), response.content_type), ("", "")),
        200 | 201 => assert!(body.is_object(), "{}", response.body),
        status => {
            let code = body["code"].as_u64().unwrap();
            assert_eq!(body["status"], status, "{body}");
            assert_eq!(body["more_info"], format!("https://www.twilio.com/docs/errors/{code}"));
            assert!(body["message"].as_str().is_some_and(|text| !text.is_empty()), "{body}");
            assert!(body.get("type").is_none() && body.get("title").is_none(), "{body}");
            assert_eq!(has_header("WWW-Authenticate"), status == 401);
        }
    }
    (response.status, body)
}

fn create(world: &World, key: &str, params: &[(&str, &str)]) -> (u16, Value) {
    knock(world, key, "POST", &path("/Messages.json"), &form(params))
}

#[track_caller]
fn created(world: &World, key: &str, params: &[(&str, &str)]) -> Value {
    let (status, message) = create(world, key, params);
    assert_eq!(status, 201, "{message}");
    message
}

#[track_caller]
fn got(world: &World, key: &str, rest: &str) -> Value {
    let (status, found) = knock(world, key, "GET", &path(rest), "");
    assert_eq!(status, 200, "{found}");
    found
}

fn fetched(world: &World, key: &str, sid: &str) -> Value {
    got(world, key, &format!("/Messages/{sid}.json"))
}

fn on(world: &World, key: &str, method: &str, sid: &str, params: &[(&str, &str)]) -> (u16, u64) {
    let path = path(&format!("/Messages/{sid}.json"));
    let (status, body) = knock(world, key, method, &path, &form(params));
    (status, body["code"].as_u64().unwrap_or_default())
}

#[track_caller]
fn refused(world: &World, key: &str, params: &[(&str, &str)], status: u16, code: u64) -> String {
    let (told, body) = create(world, key, params);
    assert_eq!((told, &body["code"]), (status, &json!(code)), "{params:?} {body}");
    body["message"].as_str().unwrap().to_owned()
}

fn text<'a>(record: &'a Value, name: &str) -> &'a str {
    record[name].as_str().unwrap()
}

fn texts<'a>(list: &'a Value, name: &str) -> Vec<&'a str> {
    list["messages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|record| text(record, name))
        .collect()
}

/// All pages of a list.
fn walked(world: &World, key: &str, query: &str) -> Vec<Value> {
    let mut pages = vec![got(world, key, &format!("/Messages.json?{query}"))];
    while let Some(next) = pages.last().unwrap()["next_page_uri"].as_str() {
        let (status, page) = knock(world, key, "GET", next, "");
        assert_eq!((status, &page["page"]), (200, &json!(pages.len())), "{page}");
        pages.push(page);
        assert!(pages.len() < 100, "the list ends");
    }
    pages
}

const BASE: [(&str, &str); 3] = [("To", TO), ("From", "+10001"), ("Body", "hello")];

fn with<'a>(name: &'a str, value: &'a str) -> Vec<(&'a str, &'a str)> {
    let mut params = BASE.to_vec();
    params.retain(|(known, _)| *known != name);
    params.push((name, value));
    params
}

#[test]
fn a_message_is_what_our_own_api_would_have_made_and_its_sid_leads_to_it() {
    let (world, shop) = world();
    let now = to_rfc5322(world.now_ms.get());
    let sent = created(&world, &shop.key, &BASE);
    let messages = world.read(&shop.key, "/messages");
    let uid = messages.text("/data/0/uid");
    let sid = format!("SM{}", uid.replace('-', ""));
    let uri = |rest: &str| path(&format!("/Messages/{sid}{rest}.json"));
    let mut record = json!({
        "body": "hello", "num_segments": "1", "direction": "outbound-api", "from": "10001", "to": TO, "date_created": now,
        "date_updated": now, "date_sent": null, "price": null, "price_unit": "IRR", "error_code": null, "error_message": null,
        "uri": uri(""), "account_sid": AC, "num_media": "0", "status": "queued", "messaging_service_sid": null, "sid": sid,
        "api_version": "2010-04-01", "subresource_uris": {"media": uri("/Media"), "feedback": uri("/Feedback")},
    });
    assert_eq!(sent, record);
    assert_eq!(world.balance(&shop.key), (MONEY - 1_000, 1_000));
    assert_eq!(fetched(&world, &shop.key, &sid), record);
    world.settle(MINUTE_MS);
    let found = fetched(&world, &shop.key, &sid.to_ascii_lowercase());
    for (name, value) in [("status", "delivered"), ("price", "-1000")] {
        record[name] = value.into();
    }
    for name in ["date_updated", "date_sent"] {
        record[name] = found["date_updated"].clone();
    }
    assert_eq!(found, record);
    assert_eq!(
        fetched(&world, &shop.key, &sid.replace("SM", "MM"))["sid"],
        sid,
        "both forms name it"
    );
    let media = got(&world, &shop.key, &format!("/Messages/{sid}/Media.json"));
    assert_eq!(media["media_list"], json!([]));
}

#[test]
fn endings_have_the_protocols_statuses_and_codes() {
    let (world, shop) = world();
    let to = ["+989121230901", "+989121230902", "+989121230903"];
    let sids = to.map(|to| text(&created(&world, &shop.key, &with("To", to)), "sid").to_owned());
    world.settle(DAY_MS);
    let told = sids.map(|sid| {
        let found = fetched(&world, &shop.key, &sid);
        (
            text(&found, "status").to_owned(),
            found["error_code"].as_u64(),
            found["price"].as_str().map(str::to_owned),
        )
    });
    let paid = Some("-1000".to_owned());
    assert_eq!(
        told,
        [
            ("failed".to_owned(), Some(30_004), None),
            ("undelivered".to_owned(), Some(30_008), paid.clone()),
            ("undelivered".to_owned(), Some(30_003), paid),
        ]
    );
}

#[test]
fn a_messaging_service_is_the_default_line() {
    let (world, shop) = world();
    let sent = created(
        &world,
        &shop.key,
        &[("To", TO), ("MessagingServiceSid", MG), ("Body", "null")],
    );
    let told = ["from", "status", "messaging_service_sid", "body"].map(|name| text(&sent, name));
    assert_eq!(told, ["10001", "accepted", MG, "null"]);
    let found = fetched(&world, &shop.key, text(&sent, "sid"));
    assert_eq!(
        (&found["status"], &found["messaging_service_sid"]),
        (&json!("queued"), &Value::Null)
    );
}

#[test]
fn a_content_is_the_pattern_of_its_sid() {
    let (world, shop) = world();
    let content = format!("HX{}", "0a".repeat(16));
    world.active_pattern(
        &shop.key,
        json!({"slug": content, "title": "x", "text": "code %_1% for %name%"}),
    );
    let base = [("To", TO), ("From", "10001"), ("ContentSid", content.as_str())];
    let send = |variables: &str| {
        create(
            &world,
            &shop.key,
            &[&base[..], &[("ContentVariables", variables)]].concat(),
        )
    };
    let (status, sent) = send(r#"{"1": 48213, "name": "Ali"}"#);
    assert_eq!((status, &sent["body"]), (201, &json!("")));
    assert_eq!(
        fetched(&world, &shop.key, text(&sent, "sid"))["body"],
        "code 48213 for Ali"
    );
    let before = world.balance(&shop.key);
    for bad in ["{", "[]", r#"{"1": null, "name": "x"}"#, r#"{"1": "1"}"#, "{}"] {
        let (status, body) = send(bad);
        assert_eq!((status, &body["code"]), (400, &json!(21_656)), "{bad} {body}");
    }
    let unknown = [("To", TO), ("From", "10001"), ("ContentSid", "HX1")];
    refused(&world, &shop.key, &unknown, 400, 21_656);
    assert_eq!(world.balance(&shop.key), before);
}

#[test]
fn a_scheduled_message_is_canceled_once_by_an_update_or_by_a_delete() {
    let (world, shop) = world();
    let at = to_rfc3339(world.now_ms.get() + HOUR_MS);
    let scheduled = || {
        let params = [
            ("To", TO),
            ("MessagingServiceSid", MG),
            ("Body", "x"),
            ("ScheduleType", "fixed"),
            ("SendAt", at.as_str()),
        ];
        let sent = created(&world, &shop.key, &params);
        assert_eq!(
            (&sent["status"], &sent["date_sent"]),
            (&json!("scheduled"), &Value::Null)
        );
        text(&sent, "sid").to_owned()
    };
    let sid = scheduled();
    assert_eq!(world.balance(&shop.key), (MONEY - 1_000, 1_000));
    world.advance(SECOND_MS);
    let update = path(&format!("/Messages/{sid}.json"));
    let (status, canceled) = knock(&world, &shop.key, "POST", &update, "Status=canceled");
    assert_eq!((status, &canceled["status"]), (200, &json!("canceled")));
    assert_eq!(canceled, fetched(&world, &shop.key, &sid));
    assert_eq!(world.balance(&shop.key), (MONEY, 0));
    let cancel = [("Status", "canceled")];
    assert_eq!(on(&world, &shop.key, "POST", &sid, &cancel), (409, 30_409));
    assert_eq!(on(&world, &shop.key, "DELETE", &sid, &[]), (403, 20_403));

    let sid = scheduled();
    assert_eq!(on(&world, &shop.key, "DELETE", &sid, &[]), (204, 0));
    assert_eq!(fetched(&world, &shop.key, &sid)["status"], "canceled");
    assert_eq!(world.balance(&shop.key), (MONEY, 0));

    let now = text(&created(&world, &shop.key, &BASE), "sid").to_owned();
    assert_eq!(on(&world, &shop.key, "POST", &now, &cancel), (409, 30_409));
    assert_eq!(on(&world, &shop.key, "DELETE", &now, &[]), (409, 20_009));
    world.settle(MINUTE_MS);
    assert_eq!(on(&world, &shop.key, "DELETE", &now, &[]), (403, 20_403));
    for params in [&[("Body", "")][..], &[("Status", "sent")], &[]] {
        assert_eq!(on(&world, &shop.key, "POST", &now, params), (400, 20_001));
    }
    assert_eq!(fetched(&world, &shop.key, &now)["body"], "hello");
}

#[test]
fn one_recipient_of_many_is_found_but_does_not_cancel_the_others() {
    let (world, shop) = world();
    let at = to_rfc3339(world.now_ms.get() + HOUR_MS);
    let body = json!({"message": "x", "recipients": ["09121234567", "09351234567", "09131234567"], "sendAt": at});
    let uid = world.posted(&shop.key, "/sms/send", body).text("/data/uid");
    let listed = got(&world, &shop.key, "/Messages.json");
    let to = texts(&listed, "to");
    assert_eq!(to, [TO, "+989351234567", "+989131234567"]);
    for (sid, to) in texts(&listed, "sid").into_iter().zip(to) {
        assert_eq!(fetched(&world, &shop.key, sid)["to"], to);
        assert_eq!(
            on(&world, &shop.key, "POST", sid, &[("Status", "canceled")]),
            (409, 30_409)
        );
        assert_eq!(on(&world, &shop.key, "DELETE", sid, &[]), (409, 20_009));
    }
    assert_eq!(world.message(&shop.key, &uid).text("/data/status"), "SCHEDULED");
    let beyond = peyk::base::twilio::message_sid(&uid, 3);
    assert_eq!(on(&world, &shop.key, "GET", &beyond, &[]), (404, 20_404));
}

#[test]
fn another_account_and_the_other_mode_do_not_know_a_sid() {
    let (world, shop) = world();
    let stranger = world.account("stranger", MONEY);
    let test = world
        .grant(&shop, json!({"title": "t", "mode": "test"}))
        .text("/data/key");
    let sid = text(&created(&world, &shop.key, &BASE), "sid").to_owned();
    created(&world, &stranger.key, &BASE);
    for key in [&stranger.key, &test] {
        for method in ["GET", "DELETE"] {
            assert_eq!(on(&world, key, method, &sid, &[]), (404, 20_404));
        }
        assert_eq!(on(&world, key, "POST", &sid, &[("Status", "canceled")]), (404, 20_404));
    }
    let before = world.balance(&shop.key);
    let rehearsed = text(&created(&world, &test, &BASE), "sid").to_owned();
    world.settle(MINUTE_MS);
    let found = fetched(&world, &test, &rehearsed);
    assert_eq!((&found["status"], &found["price"]), (&json!("delivered"), &json!("0")));
    assert_eq!(world.balance(&shop.key).0, before.0);
    assert_eq!(texts(&got(&world, &test, "/Messages.json"), "sid"), [rehearsed]);
}

#[test]
fn a_list_has_each_recipient_once_newest_first_whatever_the_size_of_its_pages() {
    let (world, shop) = world();
    world.share_line("10002", "sandbox", &["WEBSERVICE"]);
    world.advance(31_000);
    let numbers: Vec<String> = (0..7).map(|index| format!("0935123456{index}")).collect();
    world.posted(
        &shop.key,
        "/sms/send",
        json!({"message": "first", "recipients": ["09121234567"]}),
    );
    let many = json!({"message": "many", "recipients": numbers, "sourceNumber": "10002"});
    world.posted(&shop.key, "/sms/send", many);
    created(&world, &shop.key, &with("Body", "last"));
    let whole = got(&world, &shop.key, "/Messages.json");
    let sids = texts(&whole, "sid");
    assert_eq!(sids.len(), 9);
    assert_eq!(
        texts(&whole, "body"),
        [&["last"][..], &["many"; 7], &["first"]].concat()
    );
    assert_eq!(
        (&whole["next_page_uri"], &whole["page_size"], &whole["end"]),
        (&Value::Null, &json!(50), &json!(8))
    );
    for size in [1, 2, 3, 5, 9, 1_000] {
        let pages = walked(&world, &shop.key, &format!("PageSize={size}"));
        let told: Vec<&str> = pages.iter().flat_map(|page| texts(page, "sid")).collect();
        assert_eq!(told, sids, "{size}");
        assert!(pages.iter().all(|page| texts(page, "sid").len() <= size));
    }
    for (query, count) in [
        ("To=09121234567&PageSize=1", 2),
        ("To=%2B989351234566&PageSize=1", 1),
        ("To=%2B989131234566", 0),
        ("From=10002&PageSize=2", 7),
        ("From=%2B10001&PageSize=1", 2),
        ("From=10009", 0),
        ("From=10001&To=%2B989351234566", 0),
    ] {
        let pages = walked(&world, &shop.key, query);
        let count_of = |page: &Value| texts(page, "sid").len();
        assert_eq!(pages.iter().map(count_of).sum::<usize>(), count, "{query}");
    }
    let members: Vec<&String> = whole.as_object().unwrap().keys().collect();
    assert_eq!(members.len(), 9, "a library takes no other member: {members:?}");
}

#[test]
fn a_number_is_found_among_more_recipients_than_a_call_reads() {
    let (world, shop) = world();
    let numbers: Vec<String> = (0..900).map(|index| format!("0935{index:07}")).collect();
    world.posted(&shop.key, "/sms/send", json!({"message": "x", "recipients": numbers}));
    let found = got(&world, &shop.key, "/Messages.json?To=09350000899&PageSize=1");
    assert_eq!(texts(&found, "to"), ["+989350000899"]);
    assert_eq!(found["next_page_uri"], Value::Null);
    let pages = walked(&world, &shop.key, "PageSize=1000");
    let sizes: Vec<usize> = pages.iter().map(|page| texts(page, "sid").len()).collect();
    assert_eq!(sizes, [500, 400]);
}

#[test]
fn a_list_is_of_days_and_moments() {
    let (world, shop) = world();
    let noon_ms = world.now_ms.get().div_euclid(DAY_MS) * DAY_MS + 12 * HOUR_MS;
    for body in ["one", "two", "three"] {
        let rest_ms = noon_ms - world.now_ms.get();
        world.advance(if body == "one" && rest_ms > 0 { rest_ms } else { DAY_MS });
        created(&world, &shop.key, &with("Body", body));
    }
    let second_ms = world.now_ms.get() - DAY_MS;
    let at = |ms: i64| to_rfc3339(ms).replace(".000Z", "Z").replace(':', "%3A");
    let day = to_rfc3339(second_ms)[..10].to_owned();
    let mail = to_rfc5322(second_ms).replace(' ', "+").replace("+0000", "%2B0000");
    for (query, wanted) in [
        (format!("DateSent={day}"), vec!["two"]),
        (format!("DateSent={}", at(second_ms - HOUR_MS)), vec!["two"]),
        (format!("DateSent%3E={day}"), vec!["three", "two"]),
        (format!("DateSent>={}", at(second_ms)), vec!["three", "two"]),
        (format!("DateSent%3E={}", at(second_ms + SECOND_MS)), vec!["three"]),
        (format!("DateSent%3C={day}"), vec!["two", "one"]),
        (format!("DateSent%3C={mail}"), vec!["two", "one"]),
        (format!("DateSent%3C={}", at(second_ms - SECOND_MS)), vec!["one"]),
        (format!("DateSent%3E={day}&DateSent%3C={day}"), vec!["two"]),
        (format!("DateSent%3E={day}&PageSize=1"), vec!["three", "two"]),
    ] {
        let pages = walked(&world, &shop.key, &query);
        let bodies: Vec<&str> = pages.iter().flat_map(|page| texts(page, "body")).collect();
        assert_eq!(bodies, wanted, "{query}");
    }
    for (query, code) in [
        ("DateSent=tomorrow", 20_001),
        ("PageSize=x", 20_001),
        ("Page=-1", 20_001),
        ("PageToken=x", 20_001),
        ("To=12", 21_211),
    ] {
        let (status, body) = knock(&world, &shop.key, "GET", &path(&format!("/Messages.json?{query}")), "");
        assert_eq!((status, &body["code"]), (400, &json!(code)), "{query}");
    }
}

#[test]
fn the_account_and_its_balance_are_told() {
    let (world, shop) = world();
    let balance = got(&world, &shop.key, "/Balance.json");
    assert_eq!(
        balance,
        json!({"account_sid": AC, "balance": MONEY.to_string(), "currency": "IRR"})
    );
    let account = got(&world, &shop.key, ".json");
    assert_eq!(
        (&account["sid"], &account["status"], &account["friendly_name"]),
        (&json!(AC), &json!("active"), &json!("A Shop"))
    );
}

#[test]
fn the_address_of_a_send_hears_what_becomes_of_it_signed_with_the_key() {
    const URL: &str = "https://shop.example/status?order=7";
    let (world, shop) = world();
    let heard = Rc::new(RefCell::new(Vec::new()));
    let notes = Rc::clone(&heard);
    world.receive(move |request| {
        notes.borrow_mut().push(request.clone());
        let (retry_after, body) = (None, String::new());
        Some(Ok(IncomingResponse {
            status: 204,
            retry_after,
            body,
        }))
    });
    let sent = created(&world, &shop.key, &with("StatusCallback", URL));
    world.settle(MINUTE_MS);
    let heard = heard.borrow();
    let statuses = heard.iter().map(|request| {
        assert_eq!(request.url, URL);
        let members: BTreeMap<String, String> = form_urlencoded::parse(request.body.as_bytes()).into_owned().collect();
        assert_eq!(
            (&members["MessageSid"], members["AccountSid"].as_str()),
            (&sent["sid"].as_str().unwrap().to_owned(), AC)
        );
        let signed: String = members.iter().map(|(name, value)| format!("{name}{value}")).collect();
        let mut mac = Hmac::<Sha1>::new_from_slice(shop.key.as_bytes()).unwrap();
        mac.update(format!("{URL}{signed}").as_bytes());
        let signature = STANDARD.encode(mac.finalize().into_bytes());
        assert!(request.headers.contains(&("x-twilio-signature", signature)));
        members["MessageStatus"].clone()
    });
    assert_eq!(statuses.collect::<Vec<_>>(), ["sent", "delivered"]);
}

#[test]
fn each_error_is_the_protocols_own_and_changes_nothing() {
    let (world, shop) = world();
    let long = "x".repeat(2_000);
    let at = to_rfc3339(world.now_ms.get() + HOUR_MS);
    let schedule = |more: &[(&'static str, &'static str)]| [&BASE[..], more].concat();
    for (params, code) in [
        (BASE[1..].to_vec(), 21_604),
        (with("To", ""), 21_604),
        (with("From", ""), 21_603),
        (BASE[..2].to_vec(), 21_602),
        (with("Body", " \n"), 21_602),
        (with("Body", &long), 21_617),
        (with("To", "12"), 21_211),
        (with("To", "whatsapp:+989121234567"), 21_211),
        (with("To", "+971501234567"), 21_408),
        (with("From", "+99999"), 21_606),
        (with("From", "Shop"), 21_212),
        (with("StatusCallback", "http://shop.example/x"), 21_609),
        (with("StatusCallback", "https://10.0.0.1/x"), 21_609),
        (with("StatusCallback", "x"), 21_609),
        (with("MediaUrl", "https://shop.example/x.png"), 21_620),
        (schedule(&[("SendAt", "2030-01-01T00:00:00Z")]), 35_126),
        (schedule(&[("ScheduleType", "later")]), 35_126),
        (schedule(&[("ScheduleType", "fixed")]), 35_111),
        (
            schedule(&[("ScheduleType", "fixed"), ("SendAt", "2030-01-01T00:00:00Z")]),
            35_118,
        ),
        (
            schedule(&[
                ("ScheduleType", "fixed"),
                ("SendAt", "tomorrow"),
                ("MessagingServiceSid", MG),
            ]),
            35_114,
        ),
        (
            schedule(&[
                ("ScheduleType", "fixed"),
                ("SendAt", "2020-01-01T00:00:00Z"),
                ("MessagingServiceSid", MG),
            ]),
            35_114,
        ),
        (vec![BASE[0], BASE[1], ("ContentSid", "HX1"), ("SendAt", &at)], 35_126),
    ] {
        refused(&world, &shop.key, &params, 400, code);
    }
    let message = refused(&world, &shop.key, &with("To", "12"), 400, 21_211);
    assert_eq!(message, "The 'To' number 12 is not a valid phone number.");
    let knocks = |method, rest: &str| {
        let (status, body) = knock(&world, &shop.key, method, &path(rest), "");
        (status, body["code"].as_u64().unwrap())
    };
    assert_eq!(knocks("GET", "/Calls.json"), (404, 20_404));
    assert_eq!(knocks("GET", "/Messages.xml"), (404, 20_404));
    assert_eq!(knocks("GET", "/Messages/x.json"), (404, 20_404));
    assert_eq!(knocks("PUT", "/Messages.json"), (405, 20_004));
    assert_eq!(knocks("POST", "/Balance.json"), (405, 20_004));
    for method in ["GET", "DELETE"] {
        assert_eq!(on(&world, &shop.key, method, UNKNOWN_SID, &[]), (404, 20_404));
    }
    let huge = format!("Body={}", "x".repeat(300_000));
    let (status, body) = knock(&world, &shop.key, "POST", &path("/Messages.json"), &huge);
    assert_eq!((status, &body["code"]), (400, &json!(20_001)));
    world.assert_untouched(&shop, MONEY);
}

#[test]
fn who_has_no_good_key_learns_nothing_else() {
    let (world, shop) = world();
    for key in ["", "wrong", "a b", "سلام"] {
        refused(&world, key, &BASE, 401, 20_003);
        refused(&world, key, &[], 401, 20_003);
        for (method, rest) in [
            ("GET", "/Calls.json"),
            ("PUT", "/Messages.json"),
            ("GET", "/Messages/x.json"),
        ] {
            let (status, body) = knock(&world, key, method, &path(rest), "");
            assert_eq!((status, &body["code"]), (401, &json!(20_003)), "{key} {rest}");
        }
    }
    let bearer = |head: &mut peyk::api::http::Head| head.authorization = Some(format!("Bearer {}", shop.key));
    let mut head = head("GET", &path("/Balance.json"), FORM);
    bearer(&mut head);
    assert_eq!(support::knock(&world, &head, b"").0, 401, "the scheme is Basic");
}

#[test]
fn what_the_account_may_not_do_has_an_error_of_the_protocol() {
    let (world, shop) = world();
    let blind = world
        .grant(&shop, json!({"title": "t", "scopes": ["phonebook"]}))
        .text("/data/key");
    refused(&world, &blind, &BASE, 403, 20_403);
    world.change_account(&shop, json!({"sendingEnabled": false}));
    refused(&world, &shop.key, &BASE, 403, 20_005);
    world.change_account(&shop, json!({"sendingEnabled": true, "status": "INACTIVE"}));
    refused(&world, &shop.key, &BASE, 403, 20_005);
    world.change_account(&shop, json!({"status": "ACTIVE", "dailySpend": 500}));
    refused(&world, &shop.key, &BASE, 429, 63_038);
    world.change_account(&shop, json!({"dailySpend": null}));
    world.posted(&shop.key, "/blacklist", json!({"numbers": [TO]}));
    let message = refused(&world, &shop.key, &BASE, 400, 21_610);
    assert_eq!(message, "Attempt to send to unsubscribed recipient");
    world.credit(&shop, 1 - MONEY);
    refused(&world, &shop.key, &with("To", "+989131234567"), 403, 20_005);
    assert_eq!(world.balance(&shop.key), (1, 0));
    assert!(world.read(&shop.key, "/messages").items().is_empty());
}

#[test]
fn a_phone_gets_no_more_codes_than_it_may_get() {
    let (world, shop) = world();
    world.active_pattern(&shop.key, json!({"slug": "HX1", "title": "x", "text": "code %_1%"}));
    world.change_account(&shop, json!({"recipientLimit": {"limit": 1, "windowSeconds": 60}}));
    let variables = r#"{"1": "48213"}"#;
    let params = [BASE[0], BASE[1], ("ContentSid", "HX1"), ("ContentVariables", variables)];
    created(&world, &shop.key, &params);
    refused(&world, &shop.key, &params, 429, 20_429);
    assert_eq!(world.balance(&shop.key), (MONEY - 1_000, 1_000));
}

#[test]
fn the_rate_limit_holds_and_a_closed_door_is_none() {
    let (mut world, shop) = world();
    world.change_account(
        &shop,
        json!({"rateLimit": {"limit": 60, "windowSeconds": 60, "burst": 2}}),
    );
    let balance = path("/Balance.json");
    let statuses: Vec<u16> = (0..4)
        .map(|_| knock(&world, &shop.key, "GET", &balance, "").0)
        .collect();
    assert_eq!(statuses, [200, 200, 429, 429]);
    world.app.config.doors.retain(|door| *door != Door::Twilio);
    let (status, problem) = support::knock(&world, &head("GET", &balance, FORM), b"");
    assert_eq!((status, &problem["code"]), (404, &json!(404)));
}

#[test]
fn an_idempotency_key_keeps_a_message_from_being_sent_twice() {
    let (world, shop) = world();
    let mut head = head("POST", &path("/Messages.json"), FORM);
    head.authorization = Some(format!("basic {}", STANDARD.encode(format!("SK1:{}", shop.key))));
    head.idempotency_key = Some("order-7".to_owned());
    let send = |body: &str| support::knock(&world, &head, form(&with("Body", body)).as_bytes());
    let [(first, one), (second, two)] = [send("x"), send("x")];
    assert_eq!((first, second, &one["sid"]), (201, 201, &two["sid"]));
    assert_eq!(send("y").0, 400);
    assert_eq!(world.balance(&shop.key), (MONEY - 1_000, 1_000));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Whatever comes, the answer has the protocol's form, and only one that says so has sent anything.
    #[test]
    fn garbage_gets_the_protocols_form_and_sends_nothing(
        calls in prop::collection::vec((
            prop::sample::select(&["GET", "POST", "DELETE", "PUT"][..]),
            prop_oneof![
                6 => Just("/Messages.json".to_owned()),
                1 => Just("/Balance.json".to_owned()),
                1 => Just(".json".to_owned()),
                2 => Just(format!("/Messages/{UNKNOWN_SID}.json")),
                1 => "/Messages/(SM|MM|)[0-9a-fA-F]{30,33}(/Media)?(\\.json)?",
                1 => "/[a-zA-Z%.][a-zA-Z%/.]{0,19}",
            ],
            any::<bool>(),
            prop::collection::vec((
                prop::sample::select(&[
                    "To", "From", "Body", "MessagingServiceSid", "ContentSid", "ContentVariables", "ScheduleType", "SendAt",
                    "StatusCallback", "Status", "DateSent", "DateSent>", "DateSent<", "Page", "PageSize", "PageToken",
                ][..]),
                prop_oneof![
                    4 => Just("+989121234567".to_owned()), 2 => Just("10001".to_owned()), 1 => Just("fixed".to_owned()),
                    1 => Just("9999-12-31".to_owned()), 1 => Just("0000-01-01T00:00:00Z".to_owned()),
                    1 => Just("{\"1\":[]}".to_owned()), 1 => Just("canceled".to_owned()), 1 => Just(String::new()),
                    1 => (any::<i64>(), any::<i64>()).prop_map(|(end, index)| format!("PA{end}.{index}")),
                    1 => (0..3_i64, 0..3_i64).prop_map(|(end, index)| format!("PA{end}.{index}")),
                    2 => "\\PC{0,20}", 1 => any::<i64>().prop_map(|number| number.to_string()),
                ],
            ), 0..7),
        ), 1..4),
    ) {
        let (world, shop) = world();
        let mut sent = 0_usize;
        for (method, rest, in_query, params) in calls {
            let params: Vec<(&str, &str)> = params.iter().map(|(name, value)| (*name, value.as_str())).collect();
            let form = form(&params);
            let (query, body) = if in_query { (format!("?{form}"), "") } else { (String::new(), form.as_str()) };
            let (status, told) = knock(&world, &shop.key, method, &path(&format!("{rest}{query}")), body);
            prop_assert!((200..500).contains(&status), "{method} {rest} {params:?}: {told}");
            sent += usize::from(status == 201);
        }
        prop_assert_eq!(world.read(&shop.key, "/messages").items().len(), sent);
    }

    /// A send by the door costs and does what the same send by our own API does.
    #[test]
    fn a_send_by_the_door_is_worth_the_same_as_by_our_own_api(
        to in "\\+989[1-3][0-9]{8}",
        message in prop_oneof!["[a-z ]{1,200}", "[آ-ی ]{1,200}"],
        ahead_s in prop_oneof![Just(0_i64), 60..100_000_i64],
    ) {
        let (world, shop) = world();
        let twin = world.account("twin", MONEY);
        world.advance(31_000);
        let at = to_rfc3339(world.now_ms.get() + ahead_s * SECOND_MS);
        let mut params = vec![("To", to.as_str()), ("MessagingServiceSid", MG), ("Body", message.as_str())];
        let mut body = json!({"message": message, "recipients": [to]});
        if ahead_s > 0 {
            params.extend([("ScheduleType", "fixed"), ("SendAt", at.as_str())]);
            body["sendAt"] = at.as_str().into();
        }
        let (status, sent) = create(&world, &shop.key, &params);
        let own = world.post(&twin.key, "/sms/send", body);
        prop_assert_eq!(status == 201, own.response.status == 201, "{} {}", sent, own.body);
        prop_assert_eq!(world.balance(&shop.key), world.balance(&twin.key));
        world.settle(ahead_s * SECOND_MS + MINUTE_MS);
        let got = |account: &Account| world.inbox(&account.id).into_values().collect::<Vec<_>>();
        prop_assert_eq!(got(&shop), got(&twin));
        let statuses = |key: &str| world.read(key, "/account/usage").json["data"][0]["live"].clone();
        prop_assert_eq!(statuses(&shop.key), statuses(&twin.key));
    }
}
