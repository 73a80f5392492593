//! What phones have sent, the account and the clock.

use peyk::carrier::inbound::{self, InboundSms};
use serde_json::{Value, json};

use super::{entries, knock, refused};
use crate::doors::support::{FORM, MONEY, form, phone_sends_to, world};
use crate::support::time::SECOND_MS;
use crate::support::{Account, World, to_end};

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

/// The line 10001 with messages from phones, a second after another.
fn inbox_of(count: usize) -> (World, Account) {
    let (world, shop) = world();
    let line = json!({"account": shop.id});
    world.admin("PUT", "/admin/lines/10001/inbound", line).expect(200);
    for number in 0..count {
        phone_sends_to(&world, "10001", "+989121234567", &format!("text {number}"));
        world.advance(SECOND_MS);
    }
    (world, shop)
}

fn paged(world: &World, key: &str, params: &[(&str, &str)]) -> (u16, Value) {
    let path = format!("/v1/{key}/sms/inboxpaged.json");
    let params = [&[("linenumber", "10001")], params].concat();
    knock(world, "POST", &path, FORM, form(&params).as_bytes())
}

#[test]
fn a_program_that_walks_all_pages_reads_all_that_was_not_read() {
    let (world, shop) = inbox_of(230);
    let (mut texts, mut page, mut pages) = (Vec::<String>::new(), 1, 1);
    while page <= pages {
        let (status, told) = paged(&world, &shop.key, &[("isread", "0"), ("pagenumber", &page.to_string())]);
        assert_eq!(
            (status, &told["metadata"]["totalpages"]),
            (200, &json!(3)),
            "page {page}"
        );
        assert_eq!(told["metadata"]["currentpage"], page);
        texts.extend(crate::support::pick(&told["entries"], "message"));
        pages = told["metadata"]["totalpages"].as_i64().unwrap();
        page += 1;
    }
    let all: Vec<String> = (0..230).map(|number| format!("text {number}")).collect();
    assert_eq!(texts, all);
    // Behind the last page, there is nothing.
    let (_, told) = paged(&world, &shop.key, &[("isread", "0"), ("pagenumber", "4")]);
    assert_eq!(
        (&told["metadata"]["totalpages"], &told["entries"]),
        (&json!(3), &json!([]))
    );
    // What was read is told by pages of 200, the newest first.
    let read = |number: &str| paged(&world, &shop.key, &[("isread", "1"), ("pagenumber", number)]).1;
    let (first, second) = (read("1"), read("2"));
    assert_eq!(first["metadata"]["totalpages"], 2);
    let lengths = [&first, &second].map(|page| page["entries"].as_array().unwrap().len());
    assert_eq!(lengths, [200, 30]);
    assert_eq!(first["entries"][0]["message"], "text 229");
    assert_eq!(second["entries"][29]["message"], "text 0");
}

#[test]
fn a_span_chooses_among_what_was_read_and_one_without_a_begin_is_refused() {
    let (world, shop) = inbox_of(4);
    let begin_s = world.now_ms.get() / 1_000 - 4;
    let (start, end) = ((begin_s + 1).to_string(), (begin_s + 3).to_string());
    let (status, _) = paged(
        &world,
        &shop.key,
        &[("isread", "0"), ("startdate", ""), ("enddate", "")],
    );
    assert_eq!(status, 200, "empty values are none");
    let texts = |more: &[(&str, &str)]| -> Vec<String> {
        let (status, told) = paged(&world, &shop.key, &[&[("isread", "1")], more].concat());
        assert_eq!(status, 200, "{told}");
        let texts = crate::support::pick(&told["entries"], "message");
        assert_eq!(told["metadata"]["totalcount"], texts.len());
        texts
    };
    let all = ["text 3", "text 2", "text 1", "text 0"];
    assert_eq!(texts(&[("startdate", ""), ("enddate", "")]), all);
    assert_eq!(texts(&[("startdate", &start), ("enddate", &end)]), all[1..3]);
    assert_eq!(texts(&[("startdate", &start)]), all[..3]);
    for (is_read, params, status, parameter) in [
        ("1", &[("enddate", end.as_str())][..], 400, "startdate"),
        ("1", &[("startdate", ""), ("enddate", &end)], 406, "startdate"),
        ("1", &[("endate", &end)], 400, "startdate"),
        ("0", &[("enddate", &end)], 422, "enddate"),
        ("0", &[("startdate", &start)], 422, "startdate"),
        ("1", &[("startdate", "x")], 417, "startdate"),
    ] {
        let (told, body) = paged(&world, &shop.key, &[&[("isread", is_read)], params].concat());
        assert_eq!(
            (told, &body["problem"]["parameter"]),
            (status, &json!(parameter)),
            "{params:?}"
        );
    }
}
