//! The lists of the protocol: what was sent and received, today and before, the credit and the lines.

use serde_json::{Value, json};

use super::{get, now_s, post, refused, text};
use crate::doors::support::{MONEY, phone_sends, world};
use crate::support::time::{DAY_MS, SECOND_MS};

/// The values of a member.
fn pick(list: &Value, member: &str) -> Vec<Value> {
    let items = list.as_array().unwrap().iter();
    items.map(|item| item[member].clone()).collect()
}

#[test]
fn reports_and_packs_come_in_pages_by_day() {
    let (world, shop) = world();
    let list = |rest: &str| get(&world, &shop.key, &format!("/v1/send/{rest}"));
    let texts = |rest: &str| pick(&list(rest), "messageText");
    assert_eq!(list("live"), json!([]));
    let begin_s = now_s(&world);
    for name in ["a", "b", "c"] {
        let mut body = text(name);
        body["mobiles"] = json!(["09121234567", "09351234567"]);
        post(&world, &shop.key, "/v1/send/bulk", body);
        world.settle(10 * SECOND_MS);
    }
    assert_eq!(texts("live"), ["a", "a", "b", "b", "c", "c"]);
    assert_eq!(texts("live?sortByNewest=true"), ["c", "c", "b", "b", "a", "a"]);
    assert_eq!(texts("live?pageSize=4&pageNumber=2&sortByNewest=0"), ["c", "c"]);
    assert_eq!(
        texts("live/?PageSize=3&PageNumber=1&SortByNewest=True"),
        ["c", "c", "b"]
    );
    assert_eq!(list("live?pageNumber=2"), json!([]));
    assert_eq!(list("archive"), json!([]));
    let packs = list("pack?pageSize=2");
    assert_eq!(pick(&packs, "recipientCount"), [2, 2]);
    assert_eq!(pick(&packs, "creationDateTime"), [begin_s, begin_s + 10]);
    let pack = packs[1]["packId"].as_str().unwrap();
    assert_eq!(texts(&format!("pack/{pack}")), ["b", "b"]);
    assert_eq!(list("pack?pageSize=2&pageNumber=2").as_array().unwrap().len(), 1);

    world.settle(DAY_MS);
    post(&world, &shop.key, "/v1/send/bulk", text("d"));
    assert_eq!(texts("live"), ["d"]);
    assert_eq!(texts("archive"), ["a", "a", "b", "b", "c", "c"]);
    let [from, to] = [begin_s + 1, begin_s + 10];
    assert_eq!(texts(&format!("archive?fromDate={from}")), ["b", "b", "c", "c"]);
    assert_eq!(texts(&format!("archive?toDate={to}&pageSize=3&pageNumber=2")), ["b"]);
    assert_eq!(texts(&format!("archive?fromDate={from}&toDate={to}")), ["b", "b"]);
    for span in [
        "fromDate=9999999999999",
        "fromDate=7&toDate=6",
        "toDate=-9223372036854775808",
        "fromDate=-1&toDate=0",
    ] {
        assert_eq!(list(&format!("archive?{span}")), json!([]), "{span}");
    }
    for bad in [
        "pageSize=101",
        "pageSize=0",
        "pageNumber=0",
        "pageNumber=-1",
        "pageSize=x",
        "sortByNewest=x",
    ] {
        for path in ["live", "pack", "archive"] {
            refused(
                &world,
                &shop.key,
                "GET",
                &format!("/v1/send/{path}?{bad}"),
                Value::Null,
                (400, 16),
            );
        }
    }
    refused(
        &world,
        &shop.key,
        "GET",
        "/v1/send/archive?fromDate=x",
        Value::Null,
        (400, 16),
    );
    assert_eq!(list("live?pageNumber=18446744073709551615"), json!([]));
}

#[test]
fn what_lies_behind_the_end_of_a_walk_is_an_error_and_no_end_of_the_list() {
    let (world, shop) = world();
    let test = world
        .grant(&shop, json!({"title": "t", "mode": "test"}))
        .text("/data/key");
    for _ in 0..4_000 {
        world.posted(
            &test,
            "/sms/send",
            json!({"message": "x", "recipients": ["09121234567"]}),
        );
    }
    assert_eq!(
        get(&world, &test, "/v1/send/live?pageNumber=40")
            .as_array()
            .unwrap()
            .len(),
        100
    );
    assert_eq!(get(&world, &test, "/v1/send/live?pageNumber=41"), json!([]));
    world.posted(
        &test,
        "/sms/send",
        json!({"message": "y", "recipients": ["09121234567"]}),
    );
    let newest = get(&world, &test, "/v1/send/live?sortByNewest=true&pageNumber=40");
    assert_eq!(newest.as_array().unwrap().len(), 100);
    for path in [
        "live?sortByNewest=true&pageNumber=41",
        "live",
        "pack?pageNumber=41",
        "archive?sortByNewest=1",
    ] {
        let wanted = if path.starts_with("archive") {
            (200, 1)
        } else {
            (400, 118)
        };
        refused(&world, &test, "GET", &format!("/v1/send/{path}"), Value::Null, wanted);
    }
}

#[test]
fn what_phones_send_is_listed_by_day_and_sender() {
    let (world, shop) = world();
    let line = json!({"number": "3000", "carrier": "sandbox", "operations": ["WEBSERVICE"], "accounts": [shop.id]});
    world.create("/admin/lines", line);
    let list = |rest: &str| get(&world, &shop.key, &format!("/v1/receive/{rest}"));
    let texts = |rest: &str| pick(&list(rest), "messageText");
    let begin_s = now_s(&world);
    for (from, text) in [("+989121234567", "one"), ("8282", "two"), ("Bank", "three")] {
        phone_sends(&world, from, text);
        world.advance(10 * SECOND_MS);
    }
    let entry = |id: i64, text: &str, mobile: i64, at_s: i64| json!({"receiveReturnId": id, "messageText": text, "number": 3000, "mobile": mobile, "receivedDateTime": at_s});
    let all = json!([
        entry(1, "one", 9_121_234_567, begin_s),
        entry(2, "two", 8282, begin_s + 10),
        entry(3, "three", 0, begin_s + 20),
    ]);
    assert_eq!(list("live"), all);
    assert_eq!(texts("live/?sortByNewest=true&pageSize=2"), ["three", "two"]);
    assert_eq!(texts("live?pageSize=2&pageNumber=2"), ["three"]);
    assert_eq!(texts("live?mobile=09121234567"), ["one"]);
    assert_eq!(texts("live?mobile=%2B98%20912%201234567"), ["one"]);
    assert_eq!(list("archive"), json!([]));
    // Each message comes once by this call.
    assert_eq!(texts("latest?count=2"), ["one", "two"]);
    assert_eq!(list("latest/"), json!([all[2]]));
    assert_eq!(list("latest"), json!([]));
    for bad in ["0", "101", "x", "-1"] {
        let path = format!("/v1/receive/latest?count={bad}");
        refused(&world, &shop.key, "GET", &path, Value::Null, (400, 16));
    }
    world.advance(DAY_MS);
    assert_eq!(list("live"), json!([]));
    assert_eq!(list("archive"), all);
    let span = format!("archive?fromDate={}&toDate={}", begin_s + 5, begin_s + 10);
    assert_eq!(texts(&span), ["two"]);
    refused(
        &world,
        &shop.key,
        "GET",
        "/v1/receive/live?pageSize=101",
        Value::Null,
        (400, 16),
    );
    let stranger = world.account("stranger", MONEY);
    assert_eq!(get(&world, &stranger.key, "/v1/receive/archive"), json!([]));
    let test = world
        .grant(&shop, json!({"title": "t", "mode": "test"}))
        .text("/data/key");
    refused(&world, &test, "GET", "/v1/receive/live", Value::Null, (403, 15));
}

#[test]
fn the_credit_is_the_available_balance_and_lines_are_numbers() {
    let (world, shop) = world();
    post(&world, &shop.key, "/v1/send/bulk", text("x"));
    assert_eq!(get(&world, &shop.key, "/v1/credit/"), json!(MONEY - 1_000));
    world.share_line("PEYK", "sandbox", &["WEBSERVICE"]);
    world.share_line("30004505000017", "sandbox", &["WEBSERVICE"]);
    world.advance(31_000);
    assert_eq!(
        get(&world, &shop.key, "/v1/line"),
        json!([10001, 30_004_505_000_017_i64])
    );
}
