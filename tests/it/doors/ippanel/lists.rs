//! Lists, and their pages.

use peyk::carrier::inbound::{self, InboundSms};

use super::*;
use crate::support::time::SECOND_MS;
use crate::support::to_end;

#[test]
fn recipients_come_in_pages_by_number() {
    let (world, shop) = world();
    let numbers: Vec<String> = (0..25).map(|index| format!("091212345{index:02}")).collect();
    let numbers: Vec<&str> = numbers.iter().map(String::as_str).collect();
    let id = sent_by_edge(&world, &shop.key, &text_to(&numbers, "x"))[0];
    let page = |page: &str| {
        let (status, answer) = edge(
            &world,
            &shop.key,
            "GET",
            &format!("report/recipients?bulk_id={id}&{page}"),
            &Value::Null,
        );
        assert_eq!(status, 200, "{answer}");
        let items = answer["data"].as_array().unwrap().iter();
        let items: Vec<String> = items
            .map(|one| one["recipient"].as_str().unwrap()[10..].to_owned())
            .collect();
        (items, answer["meta"].clone())
    };
    let (items, meta) = page("page=3&per_page=10");
    assert_eq!(items, ["520", "521", "522", "523", "524"]);
    for (name, wanted) in [
        ("current_page", 3),
        ("from", 21),
        ("to", 25),
        ("last_page", 3),
        ("per_page", 10),
        ("total", 25),
    ] {
        assert_eq!(meta[name], wanted, "{name}");
    }
    assert_eq!(page("page=0").0, page("page=1&per_page=10").0);
    let (items, meta) = page("page=4");
    assert_eq!((items.len(), &meta["from"], &meta["total"]), (0, &json!(0), &json!(25)));
    assert_eq!(page("page=1&per_page=100000").1["per_page"], 200);
    for bad in ["page=-1", "page=x", "per_page=-1", "page=99999999999999999999"] {
        assert_eq!(
            edge(
                &world,
                &shop.key,
                "GET",
                &format!("report/recipients?bulk_id={id}&{bad}"),
                &Value::Null
            )
            .0,
            422
        );
    }
    assert_eq!(page("page=9223372036854775807&per_page=200").0.len(), 0);
}

#[test]
fn a_long_item_is_told_to_its_end() {
    let (world, shop) = world();
    let many: Vec<String> = (0..450).map(|index| format!("09121234{index:03}")).collect();
    let items = json!([{"recipients": [OTHER], "message": "a"}, {"recipients": many, "message": "b"}, {"recipients": ["09131234567"], "message": "a"}]);
    let body = json!({"sending_type": "peer_to_peer", "from_number": "10001", "params": items});
    let ids = sent_by_edge(&world, &shop.key, &body);
    let (_, answer) = edge(
        &world,
        &shop.key,
        "GET",
        &format!("report/recipients?bulk_id={}&page=3&per_page=200", ids[1]),
        &Value::Null,
    );
    assert_eq!(
        (answer["data"].as_array().unwrap().len(), &answer["meta"]["total"]),
        (50, &json!(450))
    );
}

#[test]
fn the_list_of_messages_is_filtered_and_comes_in_pages() {
    let (world, shop) = shop_with_pattern();
    let begin_s = world.now_ms.get() / 1_000;
    for text in ["one", "two", "three"] {
        sent_by_edge(&world, &shop.key, &text_to(&[PHONE], text));
        world.settle(10 * SECOND_MS);
    }
    sent_by_api2(
        &world,
        &shop.key,
        PATTERN,
        &pattern_to(OTHER, json!({"code": "1", "name": "a"})),
    );
    let list = |body: Value| {
        let (status, answer) = edge(&world, &shop.key, "POST", "report/new_list", &body);
        let items = answer["data"].as_array().cloned().unwrap_or_default().into_iter();
        let texts: Vec<String> = items.map(|one| one["message"].as_str().unwrap().to_owned()).collect();
        (status, texts, answer["meta"]["total"].as_i64())
    };
    let texts = |filters: Value| list(json!({"page": 1, "limit": 10, "filters": filters})).1;
    assert_eq!(texts(json!({})), ["code 1 for a", "three", "two", "one"]);
    assert_eq!(
        list(json!({"page": 2, "limit": 2})),
        (200, vec!["two".to_owned(), "one".to_owned()], Some(4))
    );
    assert_eq!(list(json!({"page": 1, "limit": 2})).2, Some(4));
    assert_eq!(texts(json!({"message": "t"})), ["three", "two"]);
    assert_eq!(texts(json!({"state_id": 5})), ["code 1 for a"]);
    assert_eq!(
        texts(json!({"state_id": "6", "number": "+9810001", "username": "x"})),
        ["three", "two", "one"]
    );
    assert_eq!(texts(json!({"number": "10002"})), [""; 0]);
    assert_eq!(texts(json!({"from_exit_count": 2})), [""; 0]);
    let end = (begin_s + 15).to_string();
    assert_eq!(
        texts(json!({"create_from_date": begin_s.to_string(), "create_to_date": end})),
        ["two", "one"]
    );
    assert_eq!(texts(json!({"send_to_date": begin_s})), ["one"]);
    assert_eq!(texts(json!({"messages_outbox_id": "1"})), ["one"]);
    assert_eq!(texts(json!({"messages_outbox_id": "77"})), [""; 0]);
    let (status, answer) = edge(
        &world,
        &shop.key,
        "POST",
        "report/new_list",
        &json!({"filters": {"state_id": 12}}),
    );
    assert_eq!(
        (status, &answer["meta"]["message_code"], &answer["meta"]["message"]),
        (422, &json!("400-31"), &json!("invalid state"))
    );
    // A page that begins behind what a call reads is refused.
    assert_eq!(list(json!({"page": 21, "limit": 200})).0, 422);
    assert_eq!(list(json!({"page": 20, "limit": 200})).0, 200);
}

#[test]
fn what_phones_have_sent_is_told() {
    let (world, shop) = world();
    let line = json!({"number": "4000", "carrier": "sandbox", "operations": ["WEBSERVICE"], "accounts": [shop.id]});
    world.create("/admin/lines", line);
    for text in ["first", "second"] {
        let sms = InboundSms {
            carrier: "sandbox".to_owned(),
            to: "4000".to_owned(),
            from: "+989121234567".to_owned(),
            text: text.to_owned(),
            carrier_id: Some(text.to_owned()),
            received_ms: world.now_ms.get(),
            left: Vec::new(),
        };
        assert!(to_end(inbound::receive(&world, sms)).is_ok());
        world.advance(SECOND_MS);
    }
    let (_, answer) = api2(&world, &shop.key, "GET", "inbox?page=0&per_page=1", &Value::Null);
    let newest = &answer["data"][0];
    assert_eq!(
        (&newest["to"], &newest["message"], &newest["from"]),
        (&json!("+984000"), &json!("second"), &json!("+989121234567"))
    );
    assert_eq!(answer["meta"], json!({"total": 2, "pages": 2, "limit": 1, "page": 1}));
    let told = rest_data(&world, &shop.key, "GET", "messages/inbox?page=2&limit=1", &Value::Null);
    assert_eq!(
        (&told["messages"][0]["message"], &told["messages"][0]["sender"]),
        (&json!("first"), &json!("+989121234567"))
    );
    let inbox = |body: Value| {
        let (status, answer) = edge(&world, &shop.key, "POST", "report/messages-inbox", &body);
        assert_eq!(status, 200, "{answer}");
        (answer["data"].clone(), answer["meta"]["total"].clone())
    };
    let (both, total) = inbox(json!({}));
    let first = &both[1];
    assert_eq!(
        (&first["message"], &first["number"], &first["from"], total),
        (&json!("first"), &json!("+984000"), &json!("+989121234567"), json!(2))
    );
    let (newer, total) = inbox(json!({"page": 1, "per_page": 10, "filters": {"from_id": first["messages_inbox_id"]}}));
    assert_eq!((&newer, total), (&json!([both[0]]), json!(1)));
    assert_eq!(
        inbox(json!({"filters": {"from_id": both[0]["messages_inbox_id"]}})).0,
        json!([])
    );
    assert_eq!(
        edge(
            &world,
            &shop.key,
            "POST",
            "report/messages-inbox",
            &json!({"filters": {"from_id": "x"}})
        )
        .0,
        422
    );
}

/// The documents of Edge name each line in E.164, in reports as in sends, and so do answers of api2 that programs have kept. A program
/// compares the two.
#[test]
fn a_line_is_told_as_programs_write_it_in_their_sends() {
    let (world, shop) = world();
    let line = "+9810001";
    let body =
        json!({"sending_type": "webservice", "from_number": line, "message": "x", "params": {"recipients": [PHONE]}});
    let id = sent_by_edge(&world, &shop.key, &body)[0];
    let edge = |method: &str, call: &str, body: &Value| edge_data(&world, &shop.key, method, call, body);
    let api2 = |call: &str| api2_data(&world, &shop.key, "GET", call, &Value::Null);
    let rest = |call: &str| rest_data(&world, &shop.key, "GET", call, &Value::Null);
    let told = [
        edge("POST", "report/new_list", &json!({"filters": {"number": line}}))[0]["number"].take(),
        edge("GET", &format!("report/by_bulk?messages_outbox_id={id}"), &Value::Null)["number"].take(),
        edge("GET", "number/numbers", &Value::Null)[0]["number"].take(),
        api2(&format!("sms/message/all?message_id={id}"))[0]["number"].take(),
        api2(&format!("{DELIVERIES}/{id}"))["deliveries"][0]["send_number"].take(),
        rest(&format!("messages/{id}"))["message"]["number"].take(),
    ];
    assert_eq!(told, [(); 6].map(|()| json!(line)));
    // However the operators write a line, it is told in one form, which a send takes.
    for (written, told) in [
        ("+983000505", "+983000505"),
        ("983000506", "+983000506"),
        ("02112345678", "+982112345678"),
    ] {
        world.share_line(written, "sandbox", &["WEBSERVICE"]);
        world.advance(31_000);
        let lines = edge("GET", "numbers", &Value::Null);
        let lines: Vec<String> = crate::support::pick(&lines, "number");
        assert!(lines.contains(&told.to_owned()), "{written}: {lines:?}");
        let body = json!({"sending_type": "webservice", "from_number": told, "message": "x", "params": {"recipients": [PHONE]}});
        let id = sent_by_edge(&world, &shop.key, &body)[0];
        let report = edge("GET", &format!("report/by_bulk?messages_outbox_id={id}"), &Value::Null);
        assert_eq!(report["number"], told);
    }
}
