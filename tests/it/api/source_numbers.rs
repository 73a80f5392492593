//! The number that a message is sent from: which lines an account may use, and how it names them.

use serde_json::json;

use crate::support::World;

#[test]
fn a_key_tied_to_lines_sends_from_no_other() {
    let (world, shop) = World::with_account(10_000);
    world.share_line("20002", "sandbox", &["WEBSERVICE"]);
    let body = json!({"title": "x", "lines": ["20002"]});
    let tied = world.grant(&shop, body).text("/data/key");
    world.send(&tied, &["09121234567"]).problem(406, 3012);
    let body = json!({"message": "x", "recipients": ["09121234567"], "sourceNumber": "20002"});
    world.posted(&tied, "/sms/send", body);
    assert_eq!(world.read(&tied, "/lines").items().len(), 1);
}

#[test]
fn the_source_number_must_be_in_service_for_this_account_and_this_way() {
    let (world, shop) = World::with_account(10_000);
    let other = world.account("other", 0);
    let line = |number: &str, more: serde_json::Value| {
        let mut body = json!({"number": number, "carrier": "sandbox", "operations": ["WEBSERVICE"]});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        world.create("/admin/lines", body);
    };
    line("3001", json!({"accounts": [shop.id]}));
    line("3002", json!({"accounts": [other.id]}));
    line("3003", json!({"shared": true, "active": false}));
    line("3004", json!({"shared": true, "operations": ["PATTERN"]}));
    let send = |number: &str| {
        let body = json!({"message": "x", "recipients": ["09121234567"], "sourceNumber": number});
        world.post(&shop.key, "/sms/send", body)
    };
    assert_eq!(send("3001").expect(201).text("/data/sourceNumber"), "3001");
    for number in ["3002", "3003", "3004", "9999"] {
        let refused = send(number).problem(406, 3012);
        assert_eq!(refused.json["errors"][0]["pointer"], "/sourceNumber");
    }
    world.change_account(&shop, json!({"defaultLine": null}));
    world.send(&shop.key, &["09121234567"]).problem(406, 3012);
    assert_eq!(world.balance(&shop.key), (9_000, 1_000));
}

#[test]
fn an_empty_source_number_counts_as_left_out() {
    let (world, shop) = World::with_account(10_000);
    for empty in [json!(""), json!("  "), json!("\t\n\u{00a0}"), json!(null)] {
        let body = json!({"message": "x", "recipients": ["09121234567"], "sourceNumber": empty});
        let sent = world.posted(&shop.key, "/sms/send", body.clone());
        assert_eq!(sent.text("/data/sourceNumber"), "10001");
        let estimate = world.post(&shop.key, "/sms/estimate", json!({"send": body}));
        assert_eq!(estimate.expect(200).text("/data/sourceNumber"), "10001");
    }
    let send = |number: serde_json::Value| {
        let body = json!({"message": "x", "recipients": ["09121234567"], "sourceNumber": number});
        world.post(&shop.key, "/sms/send", body).refused(422).extra()
    };
    let body = json!("1".repeat(33));
    assert_eq!(send(body), ["sourceNumber: must have at most 32 characters"]);
    assert_eq!(send(json!(10001)), ["sourceNumber: must be a string"]);
    world.change_account(&shop, json!({"defaultLine": null}));
    let body = json!({"message": "x", "recipients": ["09121234567"], "sourceNumber": ""});
    world.post(&shop.key, "/sms/send", body).problem(406, 3012);
}

#[test]
fn a_line_is_found_however_its_number_is_prefixed() {
    let (world, shop) = World::with_account(1_000_000);
    let numbers = "3000505 +985000123 0098200012 98100077 02112345678 +442012345678 MyShop 738";
    for number in numbers.split(' ') {
        world.share_line(number, "sandbox", &["WEBSERVICE", "PATTERN"]);
    }
    let body = json!({"slug": "login", "title": "x", "text": "x", "lines": ["+985000123"]});
    world.active_pattern(&shop.key, body);
    let send = |number: &str| {
        let body = json!({"message": "x", "recipients": ["09121234567"], "sourceNumber": number});
        world.post(&shop.key, "/sms/send", body)
    };
    for (number, bare) in [
        ("10001", "10001"),
        ("3000505", "3000505"),
        ("+985000123", "5000123"),
        ("0098200012", "200012"),
        ("98100077", "100077"),
        ("02112345678", "2112345678"),
        ("738", "738"),
    ] {
        for prefix in ["", "0", "98", "0098", "+98", "+98 0"] {
            let sent = send(&format!("{prefix}{bare}")).expect(201);
            assert_eq!(sent.text("/data/sourceNumber"), number, "{prefix}{bare}");
        }
    }
    for (written, number) in [
        ("+۹۸ ۳۰۰۰-۵۰۵", "3000505"),
        (" ٣٠٠٠٥٠٥ ", "3000505"),
        ("(021) 1234 5678", "02112345678"),
        ("00442012345678", "+442012345678"),
        ("442012345678", "+442012345678"),
        (" MyShop ", "MyShop"),
    ] {
        let source_number = send(written).expect(201).text("/data/sourceNumber");
        assert_eq!(source_number, number, "{written}");
    }
    for unknown in "+983000506 3000 0 98 + ++983000505 30005051 myshop +98MyShop -".split(' ') {
        let refused = send(unknown).problem(406, 3012);
        assert!(refused.text("/detail").contains(unknown), "{}", refused.body);
    }
    // The pattern and the key go by the number as it is stored.
    let body = json!({"pattern": "login", "recipient": "09121234567", "sourceNumber": "05000123"});
    let sent = world.posted(&shop.key, "/sms/pattern", body);
    assert_eq!(sent.text("/data/sourceNumber"), "+985000123");
    let body = json!({"pattern": "login", "recipient": "09121234567", "sourceNumber": "+9810001"});
    world.post(&shop.key, "/sms/pattern", body).problem(406, 3013);
    let tied = world.grant(&shop, json!({"title": "x", "lines": ["+985000123"]}));
    for (number, status) in [
        ("5000123", 201),
        ("00985000123", 201),
        ("3000505", 406),
        ("+983000505", 406),
    ] {
        let body = json!({"message": "x", "recipients": ["09121234567"], "sourceNumber": number});
        world.post(&tied.text("/data/key"), "/sms/send", body).expect(status);
    }
}

#[test]
fn a_source_number_that_means_two_lines_must_be_written_as_one_of_them() {
    let (world, shop) = World::with_account(10_000);
    for (number, is_active) in [("3000505", true), ("+983000505", false)] {
        let line = json!({"number": number, "carrier": "sandbox", "operations": ["WEBSERVICE"], "shared": true,
            "active": is_active});
        world.create("/admin/lines", line);
    }
    let send = |number: &str| {
        let body = json!({"message": "x", "recipients": ["09121234567"], "sourceNumber": number});
        world.post(&shop.key, "/sms/send", body)
    };
    assert_eq!(send("3000505").expect(201).text("/data/sourceNumber"), "3000505");
    // The exact one is meant, also if it is out of service.
    send("+983000505").problem(406, 3012);
    for ambiguous in ["983000505", "03000505", "00983000505"] {
        send(ambiguous).problem(406, 3012);
    }
    world.change("/admin/lines/+983000505", json!({"active": true}));
    assert_eq!(send("+983000505").expect(201).text("/data/sourceNumber"), "+983000505");
    send("983000505").problem(406, 3012);
}
