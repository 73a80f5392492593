//! What phones have sent, the account and the clock.

use peyk::carrier::inbound::{self, InboundSms};
use serde_json::json;

use super::{entries, knock, refused};
use crate::doors::support::{FORM, MONEY, form, world};
use crate::support::time::SECOND_MS;
use crate::support::to_end;

#[test]
fn what_phones_have_sent_is_read_once_and_counted() {
    let (world, shop) = world();
    world.share_line("10002", "sandbox", &["WEBSERVICE"]);
    for line in ["10001", "10002"] {
        let path = format!("/admin/lines/{line}/inbound");
        world.admin("PUT", &path, json!({"account": shop.id})).expect(200);
    }
    let begin_s = world.now_ms.get() / 1_000;
    for (line, text) in [("10001", "one"), ("10002", "two"), ("10001", "three")] {
        let sms = InboundSms {
            carrier: "sandbox".to_owned(),
            to: line.to_owned(),
            from: "+989121234567".to_owned(),
            text: text.to_owned(),
            carrier_id: None,
            received_ms: world.now_ms.get(),
            left: Vec::new(),
        };
        to_end(inbound::receive(&world, sms)).unwrap();
        world.advance(SECOND_MS);
    }
    let receive = |is_read: &str| {
        let params = [("linenumber", "10001"), ("isread", is_read)];
        entries(&world, &shop.key, "sms/receive", &params)
    };
    let entry = |id: i64, text: &str, at_s: i64| json!({"messageid": id, "message": text, "sender": "09121234567", "receptor": "10001", "date": begin_s + at_s});
    assert_eq!(receive("1"), json!([]));
    let page = |is_read: &str, number: &str| {
        let path = format!("/v1/{}/sms/inboxpaged.json", shop.key);
        let params = form(&[("linenumber", "10001"), ("isread", is_read), ("pagenumber", number)]);
        let (status, body) = knock(&world, "POST", &path, FORM, params.as_bytes());
        assert_eq!(status, 200, "{body}");
        (body["metadata"].clone(), body["entries"].clone())
    };
    let metadata = |count: i64, number: i64, pages: i64, size: i64| json!({"totalcount": count, "currentpage": number, "totalpages": pages, "pagesize": size});
    assert_eq!(
        page("0", "1"),
        (
            metadata(2, 1, 1, 100),
            json!([entry(1, "one", 0), entry(3, "three", 2)])
        )
    );
    assert_eq!(page("0", "1"), (metadata(0, 1, 0, 100), json!([])));
    assert_eq!(
        page("1", "1"),
        (
            metadata(2, 1, 1, 200),
            json!([entry(3, "three", 2), entry(1, "one", 0)])
        )
    );
    assert_eq!(page("1", "2"), (metadata(2, 2, 1, 200), json!([])));
    assert_eq!(receive("0"), json!([]));
    assert_eq!(receive("1"), json!([entry(3, "three", 2), entry(1, "one", 0)]));
    let count = |more: &[(&str, &str)]| {
        let (start, end) = (begin_s.to_string(), (begin_s + 2).to_string());
        let span = [("startdate", start.as_str()), ("enddate", end.as_str())];
        let told = entries(&world, &shop.key, "sms/countinbox", &[&span, more].concat());
        assert_eq!(
            (&told[0]["startdate"], &told[0]["enddate"]),
            (&json!(begin_s), &json!(begin_s + 2))
        );
        told[0]["sumcount"].as_i64().unwrap()
    };
    assert_eq!(count(&[]), 2);
    assert_eq!(count(&[("linenumber", "10002")]), 1);
    assert_eq!(count(&[("isread", "1")]), 1);
    assert_eq!(count(&[("isread", "0")]), 1);
    for (method, params, wanted) in [
        ("sms/receive", vec![("isread", "0")], 400),
        ("sms/receive", vec![("linenumber", "10001")], 400),
        ("sms/receive", vec![("linenumber", "10001"), ("isread", "2")], 422),
        ("sms/countinbox", vec![], 400),
        ("sms/inboxpaged", vec![("linenumber", "10001")], 400),
        (
            "sms/inboxpaged",
            vec![("linenumber", "10001"), ("isread", "1"), ("pagenumber", "x")],
            422,
        ),
        (
            "sms/inboxpaged",
            vec![("linenumber", "10001"), ("isread", "0"), ("startdate", "1767268800")],
            422,
        ),
    ] {
        refused(&world, &shop.key, method, &params, wanted);
    }
}

#[test]
fn the_account_is_told_and_its_settings_stay() {
    let (world, shop) = world();
    let info = entries(&world, &shop.key, "account/info", &[]);
    assert_eq!(
        (&info["remaincredit"], &info["type"]),
        (&json!(MONEY), &json!("master"))
    );
    assert!(info["expiredate"].as_i64() > Some(world.now_ms.get() / 1_000));
    let config = entries(&world, &shop.key, "account/config", &[("apilogs", "justfaults")]);
    assert_eq!(config["defaultsender"], "10001");
    refused(&world, &shop.key, "account/config", &[("resendfailed", "enabled")], 426);
}

#[test]
fn the_clock_is_that_of_the_service() {
    let (world, shop) = world();
    let date = entries(&world, &shop.key, "utils/getdate", &[]);
    assert_eq!(date["unixtime"], world.now_ms.get() / 1_000);
    assert_eq!([&date["year"], &date["month"], &date["day"]], [2026, 1, 1]);
    refused(&world, "wrong", "utils/getdate", &[], 403);
}
