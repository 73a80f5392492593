//! Several texts at once, and phonebooks.

use super::*;
use crate::support::time::MINUTE_MS;

#[test]
fn texts_of_a_peer_to_peer_are_one_message_and_each_has_its_id() {
    let (world, shop) = world();
    let item = |recipients: &[&str], message: &str| json!({"recipients": recipients, "message": message});
    let body = json!({"sending_type": "peer_to_peer", "from_number": "10001", "params": [
        item(&[PHONE, "09121234568"], "first"), item(&[OTHER], "second"), item(&["09121234569", "09121234568x"], "third"),
    ]});
    let (status, answer) = edge(&world, &shop.key, "POST", "send", &body);
    assert_eq!(
        (status, answer["meta"]["errors"]["params.2.recipients"].is_array()),
        (422, true),
        "{answer}"
    );
    let body = json!({"sending_type": "peer_to_peer", "from_number": "10001", "params": [
        item(&[PHONE, "09121234568"], "first"), item(&[OTHER], "second"), item(&["09121234569", "+989121234570"], "third"),
    ]});
    let ids = sent_by_edge(&world, &shop.key, &body);
    let first = ids[0];
    assert!(first < 1 << 31);
    let long = (1_i64 << 45) + first * 10_000;
    assert_eq!(ids, [first, long + 2, long + 3]);
    assert_eq!(world.read(&shop.key, "/messages").items().len(), 1);
    world.settle(MINUTE_MS);
    for (id, wanted) in [
        (first, vec!["first", "first"]),
        (long + 2, vec!["second"]),
        (long + 3, vec!["third", "third"]),
    ] {
        let recipients = edge_data(
            &world,
            &shop.key,
            "GET",
            &format!("report/recipients?bulk_id={id}"),
            &Value::Null,
        );
        let told: Vec<_> = recipients
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["message"].as_str().unwrap())
            .collect();
        assert_eq!(told, wanted);
    }
    let told = edge_data(
        &world,
        &shop.key,
        "GET",
        &format!("report/by_bulk?messages_outbox_id={}", ids[2]),
        &Value::Null,
    );
    assert_eq!(told["messages_outbox_id"], ids[2].to_string());
    assert_eq!(
        (&told["message"], &told["rcpts_count"], &told["cost"]),
        (&json!("third"), &json!("2"), &json!(2_000))
    );
    // A place in the middle of a message without such texts is no id.
    let plain = sent_by_edge(&world, &shop.key, &text_to(&[PHONE, OTHER], "x"))[0];
    let inside = (1_i64 << 45) + plain * 10_000 + 1;
    assert_eq!(
        edge(
            &world,
            &shop.key,
            "GET",
            &format!("report/recipients?bulk_id={inside}"),
            &Value::Null
        )
        .0,
        404
    );
    let by_api2 = json!({"sender": "10001", "recipient": [[PHONE], [OTHER, "09131234567"]], "message": ["a", "b"]});
    sent_by_api2(&world, &shop.key, &format!("{SEND}/peer-to-peer"), &by_api2);
    world.settle(MINUTE_MS);
    assert_eq!(world.read(&shop.key, "/messages").items()[0]["recipientCount"], 3);
}

#[test]
fn two_texts_to_one_number_are_refused_and_one_text_twice_is_not() {
    let (world, shop) = world();
    let to = |texts: [&str; 2]| {
        let items = texts.map(|text| json!({"recipients": [PHONE], "message": text}));
        json!({"sending_type": "peer_to_peer", "from_number": "10001", "params": items})
    };
    let (status, answer) = edge(&world, &shop.key, "POST", "send", &to(["a", "b"]));
    assert_eq!(
        (status, answer["meta"]["errors"]["params.1.recipients"].is_array()),
        (422, true)
    );
    world.assert_untouched(&shop, MONEY);
    let ids = sent_by_edge(&world, &shop.key, &to(["a", "a"]));
    assert_eq!((ids.len(), ids[0]), (2, ids[1]));
    assert_eq!(world.balance(&shop.key).1, 1_000);
    let body = json!({"sender": "10001", "recipient": [[PHONE]], "message": ["a", "b"]});
    assert_eq!(
        api2(&world, &shop.key, "POST", &format!("{SEND}/peer-to-peer"), &body).0,
        422
    );
}

#[test]
fn a_whole_phonebook_gets_a_text_and_a_part_of_one_is_refused() {
    let (world, shop) = world();
    let book = world.phonebook(&shop.key, "customers", json!([PHONE, OTHER]));
    let body = |part: Value| json!({"sending_type": "phonebook", "from_number": "10001", "message": "100% off %x%", "params": [part]});
    sent_by_edge(
        &world,
        &shop.key,
        &body(json!({"phonebook_ids": [book], "type": "all"})),
    );
    let by_api2 = json!({"sender": "10001", "message": "hi", "phonebook_ids": [{"phonebook_id": book, "is_random": false, "offset": 0}]});
    sent_by_api2(&world, &shop.key, &format!("{SEND}/phonebook"), &by_api2);
    world.settle(MINUTE_MS);
    let texts: Vec<String> = got(&world, &shop).into_iter().map(|(_, text)| text).collect();
    assert_eq!(texts, ["100% off %x%", "hi", "100% off %x%", "hi"]);
    let before = world.balance(&shop.key);
    for part in [
        json!({"phonebook_ids": [book], "type": "all", "start": "1", "size": "1"}),
        json!({"phonebook_id": book, "type": "detail", "number_ids": ["1"]}),
        json!({"phonebook_ids": ["123654"], "type": "all"}),
        json!({"phonebook_ids": ["019b796d-a000-7000-8000-000000000007"]}),
        json!({}),
    ] {
        let (status, answer) = edge(&world, &shop.key, "POST", "send", &body(part));
        assert_eq!(
            (status, &answer["meta"]["message_code"]),
            (422, &json!("400-2")),
            "{answer}"
        );
    }
    let part = json!({"sender": "10001", "message": "hi", "phonebook_ids": [{"phonebook_id": book, "limit": 1}]});
    assert_eq!(
        api2(&world, &shop.key, "POST", &format!("{SEND}/phonebook"), &part).0,
        422
    );
    assert_eq!(world.balance(&shop.key), before);
}
