//! What is sent by Twilio's door, how it ends, and who hears of it.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use peyk::base::ports::IncomingResponse;
use peyk::base::time::{to_rfc3339, to_rfc5322};
use serde_json::{Value, json};
use sha1::Sha1;

use super::*;

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
        "api_version": "2010-04-01", "subresource_uris": {"media": uri("/Media")},
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
    let beyond = peyk::webhook::callbacks::twilio::message_sid(&uid, 3);
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
fn a_form_in_parts_is_read_as_any_form() {
    let (world, shop) = world();
    let part =
        |name: &str, value: &str| format!("--x\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n");
    let body = BASE.map(|(name, value)| part(name, value)).concat() + "--x--\r\n";
    let mut head = head("POST", &path("/Messages.json"), "multipart/form-data; boundary=x");
    head.authorization = Some(format!("Basic {}", STANDARD.encode(format!("{AC}:{}", shop.key))));
    let (status, sent) = support::knock(&world, &head, body.as_bytes());
    assert_eq!(status, 201, "{sent}");
    assert_eq!(
        ["to", "from", "body"].map(|name| text(&sent, name)),
        [TO, "10001", "hello"]
    );
    world.settle(MINUTE_MS);
    assert_eq!(world.inbox(&shop.id).len(), 1);
}
