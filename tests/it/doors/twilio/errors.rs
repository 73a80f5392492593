//! The errors of Twilio's door, and the limits that hold.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use peyk::base::config::Door;
use peyk::base::time::to_rfc3339;
use serde_json::json;

use super::*;

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

#[test]
fn what_else_lies_under_the_providers_hosts_is_not_found_in_its_form() {
    let (world, shop) = world();
    for path in [
        "/v1/PhoneNumbers/+989121234567",
        "/v1/Sinks",
        "/v1/Content/HX0123456789abcdef0123456789abcdef",
        "/v1/Alerts?PageSize=1",
        "/v1/a2p/BrandRegistrations",
        "/v1/Conversations/",
        "/v2/Flows",
        "/v3/Services",
    ] {
        for method in ["GET", "POST"] {
            let (status, body) = knock(&world, &shop.key, method, path, "");
            assert_eq!((status, &body["code"]), (404, &json!(20_404)), "{path}");
            let (status, body) = knock(&world, "wrong", method, path, "");
            assert_eq!((status, &body["code"]), (401, &json!(20_003)), "{path}");
        }
    }
    // What our own API has, also in capitals, is answered by it.
    for (path, status) in [("/v1/messages", 401), ("/v1/Messages", 404), ("/v1/services", 404)] {
        let mut head = head("GET", path, "");
        head.authorization = Some(format!("Basic {}", STANDARD.encode(format!("{AC}:{}", shop.key))));
        let (told, problem) = support::knock(&world, &head, b"");
        assert_eq!((told, &problem["code"]), (status, &json!(status)), "{path}");
    }
}

#[test]
fn a_send_to_two_numbers_is_refused_because_a_message_has_one() {
    let (world, shop) = world();
    let other = "+989351234567";
    let twice = [&BASE[..], &[("To", other)]].concat();
    let message = refused(&world, &shop.key, &twice, 400, 21_211);
    assert_eq!(
        message,
        format!("The 'To' number {TO}, {other} is not a valid phone number.")
    );
    for to in [json!([TO, other]), json!([TO, "12"])] {
        let mut head = head("POST", &path("/Messages.json"), "application/json");
        head.authorization = Some(format!("Basic {}", STANDARD.encode(format!("{AC}:{}", shop.key))));
        let body = json!({"To": to, "From": "10001", "Body": "x"}).to_string();
        let (status, told) = support::knock(&world, &head, body.as_bytes());
        assert_eq!((status, &told["code"]), (400, &json!(21_211)), "{told}");
    }
    let service = "/v2/Services/VA0123456789abcdef0123456789abcdef/Verifications";
    let params = form(&[("To", TO), ("To", other), ("Channel", "sms")]);
    let (status, told) = knock(&world, &shop.key, "POST", service, &params);
    assert_eq!((status, &told["code"]), (400, &json!(60_200)), "{told}");
    assert!(world.read(&shop.key, "/messages").items().is_empty());
    // Twice the same is one.
    created(&world, &shop.key, &[&BASE[..], &[("To", TO)]].concat());
    assert_eq!(world.read(&shop.key, "/messages").items().len(), 1);
}

#[test]
fn a_text_may_be_as_long_as_the_provider_takes_if_the_operator_allows_so_many_parts() {
    let (mut world, shop) = world();
    let long = "x".repeat(1_600);
    assert_eq!(world.app.config.max_parts, 10);
    refused(&world, &shop.key, &with("Body", &long), 400, 21_617);
    created(&world, &shop.key, &with("Body", &"x".repeat(1_530)));
    world.app.config.max_parts = 11;
    let sent = created(&world, &shop.key, &with("Body", &long));
    assert_eq!(
        (text(&sent, "body"), text(&sent, "num_segments")),
        (long.as_str(), "11")
    );
    world.settle(MINUTE_MS);
    assert_eq!(world.inbox(&shop.id).len(), 2);
}
