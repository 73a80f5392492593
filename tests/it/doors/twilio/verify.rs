//! Verify by Twilio's door.

use futures_util::future::join_all;
use peyk::api::doors;
use peyk::api::http::Head;
use peyk::base::body::AnyBody;
use peyk::base::config::LogRequests;
use peyk::base::time::to_rfc3339;
use proptest::prelude::*;

use super::*;
use crate::support::{Bytes, cases, rows, to_end};
use crate::verify::{code, texts, world, wrong};

const VA: &str = "VA0123456789abcdef0123456789ABCDEF";
const OTHER: &str = "VAffffffffffffffffffffffffffffffff";

fn at(service: &str, rest: &str) -> String {
    format!("/v2/Services/{service}{rest}")
}

fn start(world: &World, key: &str, more: &[(&str, &str)]) -> (u16, Value) {
    let params = [&[("To", TO), ("Channel", "sms")], more].concat();
    knock(world, key, "POST", &at(VA, "/Verifications"), &form(&params))
}

#[track_caller]
fn started(world: &World, key: &str, more: &[(&str, &str)]) -> Value {
    let (status, verification) = start(world, key, more);
    assert_eq!(status, 201, "{verification}");
    verification
}

fn check(world: &World, key: &str, service: &str, params: &[(&str, &str)]) -> (u16, Value) {
    knock(world, key, "POST", &at(service, "/VerificationCheck"), &form(params))
}

/// A verification by its SID or its number: the HTTP status, and its status or the code of the error.
fn on(world: &World, key: &str, method: &str, service: &str, name: &str, params: &[(&str, &str)]) -> (u16, Value) {
    let path = at(service, &format!("/Verifications/{name}"));
    let (status, told) = knock(world, key, method, &path, &form(params));
    let member = if status < 300 { "status" } else { "code" };
    (status, told[member].clone())
}

fn fetch(world: &World, key: &str, service: &str, name: &str) -> (u16, Value) {
    on(world, key, "GET", service, name, &[])
}

/// What a check says: the HTTP status, and the status with `valid`, or the code of the error.
fn said((status, told): &(u16, Value)) -> (u16, Value) {
    let is_told = *status < 300;
    (
        *status,
        if is_told {
            json!([told["status"], told["valid"]])
        } else {
            told["code"].clone()
        },
    )
}

#[test]
fn a_code_is_sent_checked_once_and_nowhere_but_with_the_carrier() {
    let (world, shop) = world();
    let verification = started(&world, &shop.key, &[]);
    let own = world.read(&shop.key, "/verify?recipient=09121234567");
    let own = &own.json["data"]["verifications"][0];
    assert_eq!(own["purpose"], json!("0123456789abcdef0123456789abcdef"));
    let digits = |name: &str| own[name].as_str().unwrap().replace('-', "");
    let sid = format!("VE{}", digits("id"));
    let now = to_rfc3339(world.now_ms.get())[..19].to_owned() + "Z";
    assert_eq!(
        verification,
        json!({
            "sid": sid, "service_sid": VA, "account_sid": AC, "to": TO, "channel": "sms", "status": "pending", "valid": false,
            "lookup": {"carrier": null}, "amount": null, "payee": null, "sna": null, "date_created": now, "date_updated": now,
            "send_code_attempts": [{"attempt_sid": format!("VL{}", digits("messageUid")), "channel": "sms", "time": now}],
            "url": format!("http://127.0.0.1:8787/v2/Services/{VA}/Verifications/{sid}"),
        })
    );
    let code = code(&world);
    for name in [sid.as_str(), &sid.to_lowercase(), TO, "09121234567"] {
        assert_eq!(fetch(&world, &shop.key, VA, name), (200, json!("pending")), "{name}");
    }
    let by_number = |code: &str| check(&world, &shop.key, VA, &[("To", TO), ("Code", code)]);
    let mistaken = by_number(&wrong(&code));
    assert_eq!(said(&mistaken), (201, json!(["pending", false])));
    let right = by_number(&code);
    assert_eq!(said(&right), (201, json!(["approved", true])));
    assert_eq!(
        (text(&right.1, "sid"), text(&right.1, "date_created")),
        (sid.as_str(), now.as_str())
    );
    assert_eq!(said(&by_number(&code)), (404, json!(20_404)));
    assert_eq!(fetch(&world, &shop.key, VA, &sid), (200, json!("approved")));
    assert_eq!(fetch(&world, &shop.key, VA, TO), (404, json!(20_404)));
    assert!(!verification.to_string().contains(&code));
    assert_eq!(world.places_of(&[&code]), Vec::<String>::new());
    assert!(!world.has_logged(&code));
}

#[test]
fn services_of_one_program_share_no_code() {
    let (world, shop) = world();
    let sid = text(&started(&world, &shop.key, &[]), "sid").to_owned();
    let code = code(&world);
    for params in [
        [("To", TO), ("Code", &code)],
        [("VerificationSid", &sid), ("Code", &code)],
    ] {
        let refused = check(&world, &shop.key, OTHER, &params);
        assert_eq!(said(&refused), (404, json!(20_404)));
    }
    for name in [sid.as_str(), TO] {
        assert_eq!(fetch(&world, &shop.key, OTHER, name), (404, json!(20_404)));
        let canceled = on(&world, &shop.key, "POST", OTHER, name, &[("Status", "canceled")]);
        assert_eq!(canceled, (404, json!(20_404)));
    }
    let path = at(OTHER, "/Verifications");
    let params = form(&[("To", TO), ("Channel", "auto")]);
    let (_, other) = knock(&world, &shop.key, "POST", &path, &params);
    assert_ne!(text(&other, "sid"), sid);
    let right = check(&world, &shop.key, VA, &[("VerificationSid", &sid), ("Code", &code)]);
    assert_eq!(said(&right), (201, json!(["approved", true])));
    assert_eq!(fetch(&world, &shop.key, OTHER, TO), (200, json!("pending")));
}

#[test]
fn a_code_counts_for_its_own_number_alone() {
    let (world, shop) = world();
    let sid = text(&started(&world, &shop.key, &[]), "sid").to_owned();
    let code = code(&world);
    let other = [
        ("To", "+989351234567"),
        ("VerificationSid", sid.as_str()),
        ("Code", &code),
    ];
    assert_eq!(said(&check(&world, &shop.key, VA, &other)), (404, json!(20_404)));
    let both = [
        ("To", "09121234567"),
        ("VerificationSid", sid.as_str()),
        ("Code", &code),
    ];
    assert_eq!(
        said(&check(&world, &shop.key, VA, &both)),
        (201, json!(["approved", true]))
    );
}

#[test]
fn no_line_of_the_log_stands_beside_an_address_with_a_number() {
    let (mut world, shop) = world();
    world.app.config.log_requests = LogRequests::All;
    let lookup = "/v2/PhoneNumbers/%2B989121234567";
    let by_number = at(VA, &format!("/Verifications/{TO}"));
    // 09121234567 in Persian digits.
    let persian: String = "09121234567"
        .bytes()
        .map(|digit| format!("%DB%B{}", digit - b'0'))
        .collect();
    let in_persian = [
        format!("/v2/PhoneNumbers/{persian}"),
        at(VA, &format!("/Verifications/{persian}")),
        format!("/v1/PhoneNumbers/{persian}"),
    ];
    for is_open in [true, false] {
        if !is_open {
            world.app.config.doors.clear();
        }
        for path in [
            lookup,
            &by_number,
            "/v2/0912 123 4567",
            "/v2/Services/x/0912-123-4567/y",
            "/v1/PhoneNumbers/+989121234567",
            "/v1/phonenumbers/+989121234567",
            "/v1/Sinks/+989121234567",
            &in_persian[0],
            &in_persian[1],
            &in_persian[2],
        ] {
            world.log.take();
            world.log_apart.take();
            let mut head = head("GET", path, "");
            head.authorization = Some(format!("Basic {}", STANDARD.encode(format!("SK1:{}", shop.key))));
            support::answer(&world, &head, b"");
            let (all, apart) = (world.log.take(), world.log_apart.take());
            assert_eq!((all.len(), &all), (1, &apart), "{path}");
        }
    }
    // Digits that are those of an id are no number.
    let uid = "/v1/messages/019b796d-a000-7000-8000-000000000007";
    for path in [&at(VA, ""), uid] {
        let mut head = head("GET", path, "");
        head.authorization = Some(format!("Bearer {}", shop.key));
        support::answer(&world, &head, b"");
        assert_eq!((world.log.take().len(), world.log_apart.take().len()), (1, 0), "{path}");
    }
}

#[test]
fn as_many_wrong_codes_as_may_be_are_the_last() {
    for language in ["en", "fa"] {
        let (world, shop) = world();
        let sid = text(&started(&world, &shop.key, &[]), "sid").to_owned();
        let code = code(&world);
        for _ in 0..5 {
            let mistaken = check(&world, &shop.key, VA, &[("To", TO), ("Code", &wrong(&code))]);
            assert_eq!(said(&mistaken), (201, json!(["pending", false])));
        }
        for which in [("To", TO), ("VerificationSid", sid.as_str())] {
            let mut head = head("POST", &at(VA, "/VerificationCheck"), FORM);
            head.authorization = Some(format!("Basic {}", STANDARD.encode(format!("SK1:{}", shop.key))));
            head.accept_language = Some(language.to_owned());
            let refused = support::knock(&world, &head, form(&[which, ("Code", &code)]).as_bytes());
            assert_eq!(said(&refused), (429, json!(60_202)), "{language} {which:?}");
            assert_eq!(refused.1["message"], json!("Max check attempts reached"));
        }
        assert_eq!(fetch(&world, &shop.key, VA, &sid), (200, json!("max_attempts_reached")));
        let canceled = on(&world, &shop.key, "POST", VA, &sid, &[("Status", "canceled")]);
        assert_eq!(canceled, (404, json!(20_404)), "it has ended");
    }
}

#[test]
fn a_code_is_sent_again_after_a_while_and_not_too_often() {
    let (world, shop) = world();
    let first = started(&world, &shop.key, &[]);
    let digits = code(&world);
    world.now_ms.set(world.now_ms.get() - 1_000);
    for (wait_s, sends) in [(30, 2), (60, 3), (120, 4), (120, 5)] {
        let (status, early) = start(&world, &shop.key, &[]);
        assert_eq!((status, &early["code"]), (429, &json!(60_212)), "{sends}");
        world.advance(wait_s * SECOND_MS);
        let again = started(&world, &shop.key, &[]);
        assert_eq!(again["sid"], first["sid"]);
        assert_ne!(again["send_code_attempts"], first["send_code_attempts"]);
        assert_eq!(code(&world), digits);
    }
    world.advance(2 * MINUTE_MS);
    let mut head = head("POST", &at(VA, "/Verifications"), FORM);
    head.authorization = Some(format!("Basic {}", STANDARD.encode(format!("{AC}:{}", shop.key))));
    let response = support::answer(&world, &head, form(&[("To", TO), ("Channel", "sms")]).as_bytes());
    let told: Value = serde_json::from_str(&response.body).unwrap();
    assert_eq!((response.status, &told["code"]), (429, &json!(60_203)), "{told}");
    let wait = response
        .headers
        .iter()
        .find(|(name, _)| *name == "Retry-After")
        .unwrap();
    assert!(wait.1.parse::<i64>().unwrap() > 120);
}

#[test]
fn a_verification_is_taken_back_and_approved_by_its_code_only() {
    let (world, shop) = world();
    let update = |name: &str, status: &str| on(&world, &shop.key, "POST", VA, name, &[("Status", status)]);
    let sid = text(&started(&world, &shop.key, &[]), "sid").to_owned();
    let digits = code(&world);
    for name in [sid.as_str(), TO] {
        assert_eq!(update(name, "approved"), (403, json!(60_204)));
        assert_eq!(update(name, "other"), (400, json!(60_200)));
    }
    assert_eq!(update(&sid, "canceled"), (200, json!("canceled")));
    for name in [sid.as_str(), TO, "VE1", "x", "VE00000000000000000000000000000000"] {
        assert_eq!(update(name, "canceled"), (404, json!(20_404)), "{name}");
    }
    let late = check(&world, &shop.key, VA, &[("To", TO), ("Code", &digits)]);
    assert_eq!(said(&late), (404, json!(20_404)));
    let next = text(&started(&world, &shop.key, &[]), "sid").to_owned();
    assert_ne!(next, sid);
    assert_eq!(update(TO, "canceled"), (200, json!("canceled")));
    world.advance(MINUTE_MS);
    let last = text(&started(&world, &shop.key, &[]), "sid").to_owned();
    world.settle(11 * MINUTE_MS);
    assert_eq!(fetch(&world, &shop.key, VA, &last), (200, json!("expired")));
}

#[test]
fn each_error_names_what_is_wrong_and_sends_nothing() {
    let (world, shop) = world();
    let refused = |params: &[(&str, &str)]| {
        let (status, body) = knock(&world, &shop.key, "POST", &at(VA, "/Verifications"), &form(params));
        (
            status,
            body["code"].as_u64().unwrap(),
            text(&body, "message").to_owned(),
        )
    };
    let with = |more: &[(&'static str, &'static str)]| refused(&[&[("To", TO), ("Channel", "sms")], more].concat());
    let invalid = |message: &str| (400, 60_200, format!("Invalid parameter {message}"));
    assert_eq!(refused(&[("Channel", "sms")]), invalid("`To`"));
    assert_eq!(refused(&[("To", TO)]), invalid("`Channel`"));
    assert_eq!(refused(&[("To", "12"), ("Channel", "sms")]), invalid("`To`: 12"));
    assert_eq!(
        refused(&[("To", TO), ("Channel", "pigeon")]),
        invalid("`Channel`: pigeon")
    );
    for (channel, name) in [
        ("call", "CALL"),
        ("email", "EMAIL"),
        ("whatsapp", "WHATSAPP"),
        ("sna", "SNA"),
    ] {
        let told = refused(&[("To", TO), ("Channel", channel)]);
        assert_eq!(told, (403, 60_223, format!("Delivery channel disabled: {name}")));
    }
    for name in ["CustomCode", "Amount", "Payee", "Templates"] {
        let told = with(&[(name, "1234")]);
        assert_eq!(
            told,
            (403, 60_204, "Service does not support this feature".to_owned()),
            "{name}"
        );
    }
    assert_eq!(with(&[("AppHash", "x")]), invalid("`AppHash`: x"));
    assert_eq!(with(&[("TemplateSid", "HJ1")]), invalid("`TemplateSid`: HJ1"));
    let variables = "TemplateCustomSubstitutions";
    assert_eq!(with(&[(variables, "[")]), invalid(&format!("`{variables}`: [")));
    assert_eq!(
        with(&[(variables, "{\"x\":\"y\"}")]),
        invalid(&format!("`{variables}`: {{\"x\":\"y\"}}"))
    );
    let abroad = refused(&[("To", "+971501234567"), ("Channel", "sms")]);
    assert_eq!((abroad.0, abroad.1), (403, 60_605));
    for (params, parameter) in [
        (vec![("To", TO)], "`Code`"),
        (vec![("Code", "123456")], "`To`"),
        (vec![("To", TO), ("Code", "12")], "`Code`: 12"),
        (vec![("To", "12"), ("Code", "123456")], "`To`: 12"),
        (
            vec![("VerificationSid", "VE1"), ("Code", "123456")],
            "`VerificationSid`: VE1",
        ),
    ] {
        let (status, body) = check(&world, &shop.key, VA, &params);
        assert_eq!(
            (
                status,
                body["code"].as_u64().unwrap(),
                text(&body, "message").to_owned()
            ),
            invalid(parameter)
        );
    }
    assert_eq!(
        said(&check(&world, &shop.key, VA, &[("To", TO), ("Code", "123456")])),
        (404, json!(20_404))
    );
    let (_, missing) = check(&world, &shop.key, VA, &[("To", TO), ("Code", "123456")]);
    let message = format!("The requested resource /Services/{VA}/VerificationCheck was not found");
    assert_eq!(text(&missing, "message"), message);
    world.settle(MINUTE_MS);
    assert_eq!(texts(&world), Vec::<String>::new());
    assert_eq!(world.balance(&shop.key), (1_000_000, 0));
}

#[test]
fn what_looks_like_fraud_is_blocked() {
    let (world, shop) = world();
    for number in 0..20 {
        let to = format!("+98912123{number:04}");
        let params = form(&[("To", &to), ("Channel", "sms"), ("DeviceIp", "198.51.100.7")]);
        let (status, told) = knock(&world, &shop.key, "POST", &at(VA, "/Verifications"), &params);
        assert_eq!(status, 201, "{told}");
    }
    world.settle(MINUTE_MS + SECOND_MS);
    let (status, told) = start(&world, &shop.key, &[]);
    assert_eq!((status, &told["code"]), (403, &json!(60_410)), "{told}");
    let addresses = world.number(
        &shop,
        "SELECT count(*) FROM verification WHERE address = '198.51.100.7'",
    );
    assert_eq!(addresses, 20);
}

#[test]
fn the_text_is_a_pattern_or_the_services_own_in_two_languages() {
    let (world, shop) = world();
    let text = "%friendly_name% %_1%: %CODE%";
    let variables =
        json!([{"name": "CODE", "type": "NUMBER", "maxLength": 10}, {"name": "friendly_name"}, {"name": "_1"}]);
    let pattern = json!({"slug": "HJ1", "title": "x", "text": text, "variables": variables});
    world.active_pattern(&shop.key, pattern);
    world.active_pattern(&shop.key, json!({"slug": "HJ2", "title": "x", "text": "%CODE% only"}));
    world.advance(31_000);
    let text_of = |more: &[(&str, &str)]| {
        world.advance(11 * MINUTE_MS);
        started(&world, &shop.key, more);
        world.settle(SECOND_MS);
        texts(&world).pop().unwrap()
    };
    let name = ("CustomFriendlyName", "Shop");
    let filled = text_of(&[
        ("TemplateSid", "HJ1"),
        name,
        ("TemplateCustomSubstitutions", "{\"1\":\"now\"}"),
    ]);
    assert!(filled.starts_with("Shop now: "), "{filled}");
    let other = text_of(&[("TemplateSid", "HJ2"), name]);
    assert!(other.ends_with(" only"), "{other}");
    assert!(text_of(&[("Locale", "fa"), name]).starts_with("کد تأیید شما"));
    assert!(text_of(&[("Locale", "fa-IR")]).starts_with("کد تأیید شما"));
    assert!(text_of(&[("Locale", "de")]).starts_with("Your code is"));
    assert!(text_of(&[("AppHash", "FA+9qCX9VSu")]).ends_with("\nFA+9qCX9VSu"));
}

#[test]
fn of_a_hundred_right_checks_at_once_one_is_approved() {
    let (world, shop) = world();
    started(&world, &shop.key, &[]);
    let params = form(&[("To", TO), ("Code", &code(&world))]);
    let mut head = head("POST", &at(VA, "/VerificationCheck"), FORM);
    head.authorization = Some(format!("Basic {}", STANDARD.encode(format!("{AC}:{}", shop.key))));
    let requests = (0..100).map(|_| {
        let body = Bytes(params.clone().into_bytes());
        let (world, head) = (&world, &head);
        async move {
            doors::handle(world, &world.app, head, &mut AnyBody::Incoming(body))
                .await
                .response
        }
    });
    let answers = to_end(join_all(requests));
    let approved = answers.iter().filter(|answer| answer.body.contains("\"approved\""));
    assert_eq!(approved.count(), 1);
    assert!(answers.iter().all(|answer| [201, 404].contains(&answer.status)));
}

#[test]
fn a_verification_by_the_door_writes_the_rows_of_our_own() {
    let (world, shop) = world();
    let rows_of = |number: i64, by_door: bool| {
        let to = format!("+98913{:07}", number * 10_001);
        if by_door {
            let params = form(&[("To", to.as_str()), ("Channel", "sms")]);
            assert_eq!(
                knock(&world, &shop.key, "POST", &at(VA, "/Verifications"), &params).0,
                201
            );
            let params = [("To", to.as_str()), ("Code", &*code(&world))];
            assert_eq!(check(&world, &shop.key, VA, &params).0, 201);
        } else {
            let body = json!({"recipient": to, "ttlSeconds": 600});
            world.posted(&shop.key, "/verify", body);
            let body = json!({"recipient": to, "code": code(&world)});
            world.post(&shop.key, "/verify/check", body).expect(200);
        }
        world.settle(2 * MINUTE_MS);
        let mut written = rows::taken(&*world.sql(&shop.id));
        written.extend(rows::taken(&*world.db));
        written.into_iter().collect::<std::collections::BTreeMap<String, i64>>()
    };
    rows::watch(&*world.sql(&shop.id));
    rows::watch(&*world.db);
    rows_of(1, false);
    let own = rows_of(2, false);
    assert!(own.values().sum::<i64>() > 3, "{own:?}");
    assert_eq!(rows_of(3, true), own);
}

#[test]
fn keys_scopes_and_modes_hold() {
    let (world, shop) = world();
    let blind = world.grant(&shop, json!({"title": "t", "scopes": ["sms:send"]}));
    let verify = world
        .grant(&shop, json!({"title": "t", "scopes": ["verify"]}))
        .text("/data/key");
    let test = world
        .grant(&shop, json!({"title": "t", "mode": "test"}))
        .text("/data/key");
    assert_eq!(said(&start(&world, "wrong", &[])), (401, json!(20_003)));
    assert_eq!(
        said(&start(&world, "wrong", &[("CustomCode", "1")])),
        (401, json!(20_003))
    );
    assert_eq!(
        said(&start(&world, &blind.text("/data/key"), &[])),
        (403, json!(20_403))
    );
    let sid = text(&started(&world, &verify, &[]), "sid").to_owned();
    assert_eq!(fetch(&world, &test, VA, &sid), (404, json!(20_404)));
    started(&world, &test, &[]);
    let right = check(&world, &test, VA, &[("To", TO), ("Code", "234567")]);
    assert_eq!(said(&right), (201, json!(["approved", true])));
    let (status, service) = knock(&world, &verify, "GET", &at(VA, ""), "");
    assert_eq!((status, text(&service, "sid")), (200, VA));
    for (method, rest) in [
        ("POST", ""),
        ("GET", "/Verifications"),
        ("GET", "/VerificationCheck"),
        ("DELETE", "/Verifications/x"),
    ] {
        let (status, told) = knock(&world, &verify, method, &at(VA, rest), "");
        assert_eq!((status, &told["code"]), (405, &json!(20_004)), "{method} {rest}");
    }
}

#[test]
fn an_idempotency_key_sends_a_code_once() {
    let (world, shop) = world();
    let head = Head {
        authorization: Some(format!("Basic {}", STANDARD.encode(format!("{AC}:{}", shop.key)))),
        idempotency_key: Some("order-7".to_owned()),
        ..head("POST", &at(VA, "/Verifications"), FORM)
    };
    let send = |to: &str| support::knock(&world, &head, form(&[("To", to), ("Channel", "sms")]).as_bytes());
    let [(first, one), (second, two)] = [send(TO), send(TO)];
    assert_eq!((first, second, &one["sid"]), (201, 201, &two["sid"]));
    assert_eq!(send("+989121234568").0, 400);
    world.settle(SECOND_MS);
    assert_eq!(texts(&world).len(), 1);
}

#[derive(Debug, Clone)]
enum Act {
    Start,
    Check(bool),
    Cancel,
    Pass(i64),
}

fn acts() -> impl Strategy<Value = Vec<Act>> {
    let act = prop_oneof![
        3 => Just(Act::Start),
        3 => any::<bool>().prop_map(Act::Check),
        1 => Just(Act::Cancel),
        2 => prop::sample::select(vec![1, 31, 61, 121, 601]).prop_map(|seconds| Act::Pass(seconds * SECOND_MS)),
    ];
    prop::collection::vec(act, 1..16)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(16)))]

    /// A program by the door and one by our own API, each in a world of its own, see the same whatever they do.
    #[test]
    fn a_verification_by_the_door_is_one_of_our_own_api(acts in acts()) {
        let ((theirs, shop), (ours, twin)) = (world(), world());
        let purpose = VA[2..].to_lowercase();
        let (mut sid, mut id) = (String::new(), String::new());
        let (mut door_code, mut own_code) = ("000000".to_owned(), "000000".to_owned());
        let written = |code: &str, is_right: bool| if is_right { code.to_owned() } else { wrong(code) };
        for act in acts {
            match act {
                Act::Start => {
                    let by_door = start(&theirs, &shop.key, &[]);
                    let body = json!({"recipient": TO, "purpose": purpose, "ttlSeconds": 600});
                    let by_own = ours.post(&twin.key, "/verify", body);
                    prop_assert_eq!(by_door.0, by_own.response.status);
                    if by_door.0 == 201 {
                        sid = text(&by_door.1, "sid").to_owned();
                        id = by_own.text("/data/id");
                        (door_code, own_code) = (code(&theirs), code(&ours));
                    }
                }
                Act::Check(is_right) => {
                    let params = [("To", TO), ("Code", &*written(&door_code, is_right))];
                    let by_door = check(&theirs, &shop.key, VA, &params);
                    let body = json!({"recipient": TO, "purpose": purpose, "code": written(&own_code, is_right)});
                    let by_own = ours.post(&twin.key, "/verify/check", body);
                    let own = &by_own.json["data"]["verified"];
                    prop_assert_eq!(by_door.0 == 201, by_own.response.status == 200, "{}", by_door.1);
                    prop_assert!(by_door.0 != 201 || by_door.1["valid"] == *own);
                }
                Act::Cancel if !sid.is_empty() => {
                    let by_door = on(&theirs, &shop.key, "POST", VA, &sid, &[("Status", "canceled")]);
                    let by_own = ours.delete(&twin.key, &format!("/verify/{id}"));
                    prop_assert_eq!(by_door.0 == 200, by_own.response.status == 200);
                }
                Act::Cancel => {}
                Act::Pass(ms) => [&theirs, &ours].iter().for_each(|world| world.settle(ms)),
            }
            if !sid.is_empty() {
                let own = ours.read(&twin.key, &format!("/verify/{id}")).text("/data/status").to_lowercase();
                let own = if own == "failed" { "max_attempts_reached".to_owned() } else { own };
                prop_assert_eq!(fetch(&theirs, &shop.key, VA, &sid), (200, json!(own)));
            }
            prop_assert_eq!(theirs.balance(&shop.key), ours.balance(&twin.key));
        }
    }
}

/// `twilio_verify.go` of Supabase Auth: what it sends, byte for byte, and what it reads of the answers.
#[test]
fn supabases_provider_sends_a_code_and_checks_it() {
    let (world, shop) = world();
    let ask = |path: &str, body: &str| {
        let mut head = head("POST", &at(VA, path), FORM);
        head.authorization = Some(format!("Basic {}", STANDARD.encode(format!("{AC}:{}", shop.key))));
        support::knock(&world, &head, body.as_bytes())
    };
    // Go writes the names of a form in order.
    let (status, made) = ask("/Verifications", "Channel=sms&To=%2B989121234567");
    assert_eq!((status, &made["to"]), (201, &json!(TO)), "{made}");
    assert!(
        ["to", "status", "channel", "sid"]
            .iter()
            .all(|name| made[name].is_string()),
        "{made}"
    );
    assert!(made["valid"].is_boolean(), "{made}");
    let code = code(&world);
    let (status, checked) = ask(
        "/VerificationCheck",
        &format!("Code={}&To=%2B989121234567", wrong(&code)),
    );
    // It takes any status but `approved` for a wrong code.
    assert_eq!(
        (status, &checked["status"], &checked["valid"]),
        (201, &json!("pending"), &json!(false))
    );
    let (status, checked) = ask("/VerificationCheck", &format!("Code={code}&To=%2B989121234567"));
    assert_eq!(
        (status, &checked["status"], &checked["valid"]),
        (201, &json!("approved"), &json!(true))
    );
    // Of a refusal it reads these.
    for (path, body, code) in [
        ("/Verifications", "Channel=whatsapp&To=%2B989121234567", 60_223),
        ("/Verifications", "Channel=sms&To=%2B12", 60_200),
        ("/VerificationCheck", "Code=123456&To=%2B989121234567", 20_404),
    ] {
        let (status, refused) = ask(path, body);
        assert_eq!(
            (&refused["code"], &refused["status"]),
            (&json!(code), &json!(status)),
            "{refused}"
        );
        assert!(
            ["message", "more_info"].iter().all(|name| refused[name].is_string()),
            "{refused}"
        );
    }
}
