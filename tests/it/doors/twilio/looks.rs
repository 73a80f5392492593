//! What programs look at before they send: accounts, lines, services and numbers.

use super::*;

#[track_caller]
fn seen(world: &World, key: &str, path: &str) -> Value {
    let (status, found) = knock(world, key, "GET", path, "");
    assert_eq!(status, 200, "{path}: {found}");
    found
}

fn code_of(world: &World, key: &str, method: &str, path: &str) -> (u16, u64) {
    let (status, body) = knock(world, key, method, path, "");
    (status, body["code"].as_u64().unwrap_or_default())
}

/// A key that may only send.
fn sender(world: &World, shop: &Account) -> String {
    let key = json!({"title": "send", "scopes": ["sms:send"]});
    world.grant(shop, key).text("/data/key")
}

#[test]
fn the_account_is_the_only_one_of_its_list() {
    let (world, shop) = world();
    let key = sender(&world, &shop);
    let list = seen(&world, &key, "/2010-04-01/Accounts.json");
    let account = seen(&world, &key, &format!("/2010-04-01/Accounts/{AC}.json"));
    assert_eq!(list["accounts"], json!([account]));
    assert_eq!(
        (&account["sid"], &account["friendly_name"]),
        (&json!(AC), &json!("A Shop"))
    );
    let second = seen(&world, &key, "/2010-04-01/Accounts.json?Page=1&PageSize=1");
    assert_eq!(second["accounts"], json!([]));
    // Who signs in with the name of an API key learns the account's own.
    let mut head = head("GET", "/2010-04-01/Accounts.json", FORM);
    head.authorization = Some(format!("Basic {}", STANDARD.encode(format!("SK1:{key}"))));
    let (_, list) = support::knock(&world, &head, b"");
    let own = format!("AC{}", shop.id.replace('-', ""));
    assert_eq!(list["accounts"][0]["sid"], json!(own));
}

#[test]
fn lines_are_incoming_phone_numbers() {
    let (world, shop) = world();
    for line in ["10002", "10003"] {
        world.share_line(line, "sandbox", &["WEBSERVICE"]);
    }
    world.advance(31_000);
    let list = "/IncomingPhoneNumbers.json";
    let whole = got(&world, &shop.key, list);
    let numbers =
        |page: &Value| -> Vec<String> { crate::support::pick(&page["incoming_phone_numbers"], "phone_number") };
    assert_eq!(numbers(&whole), ["10001", "10002", "10003"]);
    for line in whole["incoming_phone_numbers"].as_array().unwrap() {
        let sid = text(line, "sid");
        assert_eq!(
            &got(&world, &shop.key, &format!("/IncomingPhoneNumbers/{sid}.json")),
            line
        );
        assert_eq!(
            line["capabilities"],
            json!({"voice": false, "sms": true, "mms": false, "fax": false})
        );
    }
    let mut pages = vec![got(&world, &shop.key, &format!("{list}?PageSize=2"))];
    let next = pages[0]["next_page_uri"].as_str().unwrap().to_owned();
    pages.push(seen(&world, &shop.key, &next));
    assert_eq!(pages.iter().map(numbers).collect::<Vec<_>>().concat(), numbers(&whole));
    assert_eq!(pages[1]["next_page_uri"], Value::Null);
    for (wanted, found) in [("10002", 1), ("%2B10002", 1), ("%2B9810002", 1), ("10009", 0), ("x", 0)] {
        let page = got(&world, &shop.key, &format!("{list}?PhoneNumber={wanted}"));
        assert_eq!(numbers(&page).len(), found, "{wanted}");
    }
    let none = path("/IncomingPhoneNumbers/PN00000000000000000000000000000001.json");
    assert_eq!(code_of(&world, &shop.key, "GET", &none), (404, 20_404));
    assert_eq!(code_of(&world, &shop.key, "POST", &none), (405, 20_004));
    assert_eq!(
        code_of(&world, &shop.key, "GET", &path(&format!("{list}?PageSize=x"))),
        (400, 20_001)
    );
    assert_eq!(
        code_of(&world, &sender(&world, &shop), "GET", &path(list)),
        (403, 20_403)
    );
}

#[test]
fn the_account_is_a_service_of_messages_under_any_name() {
    let (world, shop) = world();
    let key = sender(&world, &shop);
    let list = seen(&world, &key, "/v1/Services?PageSize=20");
    let made = format!("MG{}", shop.id.replace('-', ""));
    assert_eq!(text(&list["services"][0], "sid"), made);
    assert_eq!(list["meta"]["key"], json!("services"));
    for sid in [made.as_str(), MG] {
        let service = seen(&world, &key, &format!("/v1/Services/{sid}"));
        assert_eq!(
            (
                text(&service, "sid"),
                text(&service, "friendly_name"),
                text(&service, "account_sid")
            ),
            (sid, "A Shop", AC)
        );
        let params = [("To", TO), ("MessagingServiceSid", sid), ("Body", "x")];
        created(&world, &shop.key, &params);
    }
    assert_eq!(seen(&world, &key, "/v1/Services?Page=1")["services"], json!([]));
    for path in ["/v1/Services/MG1", &format!("/v1/Services/{MG}/PhoneNumbers")] {
        assert_eq!(code_of(&world, &key, "GET", path), (404, 20_404), "{path}");
    }
    assert_eq!(code_of(&world, &key, "POST", "/v1/Services"), (405, 20_004));
}

/// As Supabase sends: it has one member for a line and a service, and names the channel.
#[test]
fn a_service_may_stand_in_from() {
    let (world, shop) = world();
    let params = [
        ("To", TO),
        ("Channel", "sms"),
        ("From", MG),
        ("Body", "Your code is 123456"),
    ];
    let sent = created(&world, &shop.key, &params);
    assert_eq!(
        (
            text(&sent, "messaging_service_sid"),
            text(&sent, "status"),
            text(&sent, "from")
        ),
        (MG, "accepted", "10001")
    );
    // A SID of another form is a name of letters.
    refused(&world, &shop.key, &with("From", "MG12"), 400, 21_212);
}

#[test]
fn a_number_is_looked_up_without_asking_anybody() {
    let (world, shop) = world();
    let looked = |number: &str| seen(&world, &shop.key, &format!("/v2/PhoneNumbers/{number}"));
    let own = |found: &Value| {
        [
            "valid",
            "phone_number",
            "national_format",
            "country_code",
            "calling_country_code",
            "validation_errors",
        ]
        .map(|name| found[name].clone())
    };
    let iran = [
        json!(true),
        json!(TO),
        json!("0912 123 4567"),
        json!("IR"),
        json!("98"),
        json!([]),
    ];
    for written in [
        TO,
        "%2B989121234567",
        "09121234567",
        "09121234567?CountryCode=IR",
        "0912%20123%204567",
    ] {
        assert_eq!(own(&looked(written)), iran, "{written}");
    }
    let abroad = [
        json!(true),
        json!("+447911123456"),
        Value::Null,
        Value::Null,
        json!("44"),
        json!([]),
    ];
    assert_eq!(own(&looked("+447911123456?CountryCode=GB")), abroad);
    for (written, error) in [
        ("x", "NOT_A_NUMBER"),
        ("+9891", "TOO_SHORT"),
        ("+98912123456", "INVALID_LENGTH"),
        ("+1234567890123456", "TOO_LONG"),
        ("09121234567?CountryCode=GB", "INVALID_COUNTRY_CODE"),
    ] {
        let found = looked(written);
        assert_eq!(
            (&found["valid"], &found["validation_errors"]),
            (&json!(false), &json!([error])),
            "{written}"
        );
    }
    assert_eq!(looked(TO)["line_type_intelligence"], Value::Null);
    let of =
        |number: &str| looked(&format!("{number}?Fields=line_type_intelligence"))["line_type_intelligence"].clone();
    assert_eq!(
        (of(TO)["carrier_name"].clone(), of(TO)["mobile_network_code"].clone()),
        (json!("MCI"), json!("11"))
    );
    assert_eq!(of("+989351234567")["carrier_name"], json!("MTN"));
    assert_eq!(
        of("+989211234567"),
        Value::Null,
        "an operator that the service does not know"
    );
    assert_eq!(
        code_of(&world, "wrong", "GET", &format!("/v2/PhoneNumbers/{TO}")),
        (401, 20_003)
    );
    assert_eq!(world.balance(&shop.key), (MONEY, 0));
}

#[test]
fn lines_are_found_by_their_kind_their_name_and_a_part_of_their_number() {
    let (world, shop) = world();
    for line in ["10002", "989121112233"] {
        world.share_line(line, "sandbox", &["WEBSERVICE"]);
    }
    world.advance(31_000);
    let numbers = |rest: &str| -> Vec<String> {
        let page = got(&world, &shop.key, &format!("/IncomingPhoneNumbers{rest}"));
        crate::support::pick(&page["incoming_phone_numbers"], "phone_number")
    };
    for (rest, wanted) in [
        ("/Local.json", &["10001", "10002"][..]),
        ("/Mobile.json", &["989121112233"]),
        ("/TollFree.json", &[]),
        ("/Local", &["10001", "10002"]),
        ("/Mobile.json?PhoneNumber=10001", &[]),
        (".json?FriendlyName=10002", &["10002"]),
        (".json?FriendlyName=1000", &[]),
        (".json?PhoneNumber=000", &["10001", "10002"]),
        (".json?PhoneNumber=1*0*2", &["10002"]),
        (".json?PhoneNumber=*", &["10001", "10002", "989121112233"]),
        (".json?PhoneNumber=%2B98912", &["989121112233"]),
        (".json?PhoneNumber=10001&FriendlyName=10002", &[]),
    ] {
        assert_eq!(numbers(rest), wanted, "{rest}");
    }
    let page = got(&world, &shop.key, "/IncomingPhoneNumbers/Local.json?PageSize=1");
    let next = page["next_page_uri"].as_str().unwrap();
    assert!(next.contains("/IncomingPhoneNumbers/Local.json?"), "{next}");
    let second = seen(&world, &shop.key, next);
    assert_eq!(second["incoming_phone_numbers"][0]["phone_number"], "10002");
}
