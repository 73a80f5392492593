//! The reports of the older API, and what phones have sent.

use serde_json::{Value, json};

use super::{call, got, line_of_phones, posted, shop};
use crate::doors::support::phone_sends;
use crate::support::time::{DAY_MS, MINUTE_MS, SECOND_MS};

#[test]
fn reports_are_found_by_id_by_batch_and_by_days() {
    let (world, shop) = shop();
    let key = shop.key.as_str();
    let body = json!({
        "Messages": ["a", "b"], "MobileNumbers": ["09121234567", 9351234567_i64], "LineNumber": "10001",
        "SendDateTime": "2020-01-01T00:00:00", "CanContinueInCaseOfError": true,
    });
    let sent = posted(&world, key, "/api/MessageSend", body);
    let ids: Vec<i64> = sent["Ids"]
        .as_array()
        .unwrap()
        .iter()
        .map(|of| of["ID"].as_i64().unwrap())
        .collect();
    assert_eq!(ids[1], ids[0] + 1);
    let waiting = got(&world, key, &format!("/api/MessageSend?id={}", ids[1]))["Messages"].clone();
    assert_eq!(
        (&waiting["NeedsReCheck"], &waiting["DeliveryStateID"]),
        (&json!(true), &Value::Null)
    );
    let at = waiting["SendDateTime"].clone();
    world.settle(MINUTE_MS);
    let detail = json!({
        "ID": ids[1], "MobileNo": "9351234567", "SendDateTime": at, "DeliveryStatus": "رسیده به گوشی", "SMSMessageBody": "b",
        "SendIsErronous": false, "DeliveryStatusFetchError": null, "NeedsReCheck": false, "DeliveryStateID": 1,
    });
    assert_eq!(
        got(&world, key, &format!("/api/MessageSend?id={}", ids[1]))["Messages"],
        detail
    );
    let batch = sent["BatchKey"].as_str().unwrap();
    let by_batch = got(&world, key, &format!("/api/MessageSend?pageId=1&batchKey={batch}"));
    let of_batch = &by_batch["Messages"][1];
    let persian = of_batch["PersianSendDateTime"].as_str().unwrap();
    let mut wanted = detail;
    wanted.as_object_mut().unwrap().remove("ID");
    wanted["Id"] = ids[1].into();
    wanted["BatchKey"] = batch.into();
    wanted["PersianSendDateTime"] = persian.into();
    assert_eq!((&by_batch["CountOfAll"], of_batch), (&json!(2), &wanted));
    assert_eq!(
        got(&world, key, &format!("/api/MessageSend?pageId=2&batchKey={batch}"))["Messages"],
        json!([])
    );
    let day = persian.split(' ').next().unwrap();
    let days = format!("Shamsi_FromDate={day}&Shamsi_ToDate={day}&RowsPerPage=1&RequestedPageNumber=2");
    let listed = got(&world, key, &format!("/api/MessageSend?{days}"));
    let row = json!({
        "ID": ids[1], "LineNumber": "10001", "SMSMessageBody": "b", "MobileNo": "9351234567", "SendDateTime": at,
        "SendDateTimeLatin": at, "PersianSendDateTime": persian, "ToBeSentAt": at, "NativeDeliveryStatus": "رسیده به گوشی",
        "TypeOfMessage": null, "IsChecked": true, "IsError": false,
    });
    assert_eq!((&listed["CountOfAll"], &listed["Messages"]), (&json!(2), &json!([row])));
    let before = got(
        &world,
        key,
        "/api/MessageSend?Shamsi_FromDate=1397/02/1&Shamsi_ToDate=1397/02/31",
    );
    assert_eq!((&before["CountOfAll"], &before["Messages"]), (&json!(0), &json!([])));
    for (query, words) in [
        ("id=7", "ثبت نشده"),
        ("id=x", "نادرست"),
        ("batchKey=x", "ثبت نشده"),
        (
            "batchKey=019b7992-9c10-7582-8e00-000000000001&pageId=99999999999999999999",
            "نادرست",
        ),
        (
            "batchKey=019b7992-9c10-7582-8e00-000000000001&pageId=9999999999999999999",
            "ثبت نشده",
        ),
        ("", "1405/09/01"),
        ("Shamsi_FromDate=1405/01/01", "1405/09/01"),
        (&format!("{days}0"), ""),
        (
            "Shamsi_FromDate=1405/01/01&Shamsi_ToDate=1405/01/02&RowsPerPage=501",
            "RowsPerPage",
        ),
        (
            "Shamsi_FromDate=1405/01/01&Shamsi_ToDate=1405/01/02&RequestedPageNumber=0",
            "RowsPerPage",
        ),
    ] {
        let (status, answer) = call(&world, key, "GET", &format!("/api/MessageSend?{query}"), b"");
        let wanted = if words.is_empty() { 200 } else { 400 };
        assert_eq!(status, wanted, "{query}: {answer}");
        assert!(answer["Message"].as_str().unwrap().contains(words), "{query}: {answer}");
    }
}

#[test]
fn a_large_batch_comes_in_pages_that_have_each_number_once() {
    let (world, shop) = shop();
    let numbers: Vec<String> = (0..250).map(|index| format!("+98935{index:07}")).collect();
    let sent = world.posted(&shop.key, "/sms/send", json!({"message": "x", "recipients": numbers}));
    let batch = sent.text("/data/uid");
    let mut found = Vec::new();
    for (page, size) in [(1, 100), (2, 100), (3, 50), (4, 0), (101, 0), (1_000_000, 0)] {
        let told = got(
            &world,
            &shop.key,
            &format!("/api/MessageSend?pageId={page}&batchKey={batch}"),
        );
        let messages = told["Messages"].as_array().unwrap();
        assert_eq!((messages.len(), &told["CountOfAll"]), (size, &json!(250)), "{page}");
        found.extend(
            messages
                .iter()
                .map(|of| format!("+98{}", of["MobileNo"].as_str().unwrap())),
        );
    }
    assert_eq!(found, numbers);
}

#[test]
fn what_phones_send_is_told_behind_an_id_and_by_days() {
    let (world, shop) = shop();
    line_of_phones(&world, &shop);
    for index in 0..103 {
        let from = if index == 0 { "Bank" } else { "+989121234567" };
        phone_sends(&world, from, &format!("text {index}"));
        world.advance(SECOND_MS);
    }
    let all = got(&world, &shop.key, "/api/ReceiveMessage?id=0");
    let first = &all["Messages"][0];
    let (latin, persian) = (first["LatinReceiveDateTime"].clone(), first["ReceiveDateTime"].clone());
    let wanted = json!({
        "ID": 1, "LineNumber": "3000", "SMSMessageBody": "text 0", "MobileNo": "Bank", "TypeOfMessage": null,
        "LatinReceiveDateTime": latin, "ReceiveDateTime": persian,
    });
    assert_eq!(
        (first, &all["Messages"][1]["MobileNo"]),
        (&wanted, &json!("9121234567"))
    );
    assert_eq!(
        (&all["CountOfAll"], all["Messages"].as_array().unwrap().len()),
        (&json!(103), 100)
    );
    let rest = got(
        &world,
        &shop.key,
        &format!("/api/ReceiveMessage?id={}", all["Messages"][99]["ID"]),
    );
    let ids: Vec<&Value> = rest["Messages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|of| &of["ID"])
        .collect();
    assert_eq!(ids, [101, 102, 103]);
    assert_eq!(
        got(&world, &shop.key, "/api/ReceiveMessage?id=103")["Messages"],
        json!([])
    );
    let day = persian.as_str().unwrap().split(' ').next().unwrap();
    let days = |rest: &str| format!("/api/ReceiveMessage?Shamsi_FromDate={day}&Shamsi_ToDate={day}{rest}");
    let listed = got(&world, &shop.key, &days("&RowsPerPage=2&RequestedPageNumber=1"));
    assert_eq!((&listed["CountOfAll"], &listed["Messages"][0]), (&json!(103), first));
    assert_eq!(listed["Messages"].as_array().unwrap().len(), 2);
    world.advance(DAY_MS);
    assert_eq!(got(&world, &shop.key, &days(""))["CountOfAll"], 103);
}

#[test]
fn what_lies_behind_an_id_is_told_from_its_first_message_or_refused() {
    let (world, shop) = shop();
    line_of_phones(&world, &shop);
    for _ in 0..4_001 {
        phone_sends(&world, "+989121234567", "x");
    }
    let (status, answer) = call(&world, &shop.key, "GET", "/api/ReceiveMessage?id=0", b"");
    assert_eq!(status, 400, "the first would be left out of {}", answer["CountOfAll"]);
    assert!(
        answer["Message"].as_str().unwrap().contains("Shamsi_FromDate"),
        "{answer}"
    );
    for id in [1, 2, 3_801] {
        let told = got(&world, &shop.key, &format!("/api/ReceiveMessage?id={id}"));
        let first = told["Messages"][0]["ID"].as_i64();
        assert_eq!((first, &told["CountOfAll"]), (Some(id + 1), &json!(4_001 - id)), "{id}");
    }
}
