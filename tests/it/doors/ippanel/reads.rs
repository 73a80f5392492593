//! What the calls tell of messages and of the account.

use super::*;
use crate::support::time::MINUTE_MS;

#[test]
fn statuses_come_to_their_end_in_the_words_of_each_protocol() {
    let (world, shop) = world();
    let numbers = [PHONE, "09121230901", "09121230902", "09121230903", "09121230904"];
    let at = peyk::base::time::to_rfc3339(world.now_ms.get() + 10 * MINUTE_MS);
    let mut body = single_to(&numbers, "سلام");
    body["time"] = json!(at);
    let id = sent_by_api2(&world, &shop.key, &format!("{SEND}/single"), &body);
    let by_edge = || {
        let data = edge_data(
            &world,
            &shop.key,
            "GET",
            &format!("report/recipients?bulk_id={id}"),
            &Value::Null,
        );
        data.as_array()
            .unwrap()
            .iter()
            .map(|one| one["message_status"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(by_edge(), ["0"; 5]);
    world.settle(11 * MINUTE_MS);
    let own = world.read(&shop.key, "/messages").items()[0]["uid"]
        .as_str()
        .unwrap()
        .to_owned();
    let own = world.message(&shop.key, &own).json["data"]["recipients"].clone();
    let wanted: Vec<usize> = own
        .as_array()
        .unwrap()
        .iter()
        .map(|one| match (one["status"].as_str().unwrap(), one["error"].as_str()) {
            ("DELIVERED", _) => 2,
            ("SUBMITTED" | "UNKNOWN", _) => 1,
            (_, Some("BLOCKED")) => 4,
            _ => 3,
        })
        .collect();
    assert!([1, 2, 3, 4].iter().all(|status| wanted.contains(status)), "{own}");
    assert_eq!(by_edge(), wanted.iter().map(usize::to_string).collect::<Vec<_>>());
    let data = api2_data(
        &world,
        &shop.key,
        "GET",
        &format!("{DELIVERIES}/{id}?page=0&per_page=10"),
        &Value::Null,
    );
    let deliveries = data["deliveries"].as_array().unwrap();
    let told: Vec<_> = deliveries.iter().map(|one| one["status"].as_u64().unwrap()).collect();
    assert_eq!(told, wanted.iter().map(|status| *status as u64).collect::<Vec<_>>());
    assert_eq!(
        (&deliveries[0]["recipient"], &deliveries[0]["send_number"]),
        (&json!("+989121234567"), &json!("+9810001"))
    );
    let data = rest_data(
        &world,
        &shop.key,
        "GET",
        &format!("messages/{id}/recipients?page=0&limit=10"),
        &Value::Null,
    );
    let words: Vec<_> = data["recipients"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["status"].as_str().unwrap())
        .collect();
    let names = ["send", "pending", "delivered", "failed", "discarded"];
    assert_eq!(words, wanted.iter().map(|status| names[*status]).collect::<Vec<_>>());
}

#[test]
fn a_message_is_told_by_each_protocol() {
    let (world, shop) = world();
    let sent_ms = world.now_ms.get();
    let id = sent_by_api2(
        &world,
        &shop.key,
        &format!("{SEND}/single"),
        &single_to(&[PHONE, OTHER], "سلام"),
    );
    world.settle(MINUTE_MS);
    let time = peyk::base::time::to_rfc3339(sent_ms);
    let told = api2_data(
        &world,
        &shop.key,
        "GET",
        &format!("sms/message/all?message_id={id}"),
        &Value::Null,
    );
    assert_eq!(
        told,
        json!([{"message_id": id, "number": "+9810001", "message": "سلام", "state": "finish", "type": "webservice", "valid": "approve",
            "time": time, "time_send": time, "time_sent": time, "recipient_count": 2, "exit_count": 2, "part": 1, "cost": 2_000,
            "return_cost": 0, "summary": ""}])
    );
    assert_eq!(
        api2_data(
            &world,
            &shop.key,
            "GET",
            "sms/message/all?page=1&per_page=5",
            &Value::Null
        ),
        told
    );
    assert_eq!(
        api2_data(&world, &shop.key, "GET", "sms/message/all?message_id=77", &Value::Null),
        json!([])
    );
    let told = rest_data(&world, &shop.key, "GET", &format!("messages/{id}"), &Value::Null);
    let message = &told["message"];
    assert_eq!(
        (&message["bulk_id"], &message["status"], &message["recipients_count"]),
        (&json!(id), &json!("finish"), &json!(2))
    );
    let told = edge_data(
        &world,
        &shop.key,
        "GET",
        &format!("report/by_bulk?messages_outbox_id={id}"),
        &Value::Null,
    );
    let seconds = (sent_ms / 1_000).to_string();
    for (name, wanted) in [
        ("messages_outbox_id", json!(id.to_string())),
        ("time", json!(seconds)),
        ("rcpts_count", json!("2")),
        ("cost", json!(2_000)),
        ("state", json!("finish")),
        ("state_id", json!(6)),
        ("status", json!("پایان یافته")),
        ("return", json!(0)),
        ("part", json!("1")),
    ] {
        assert_eq!(told[name], wanted, "{name}");
    }
}

#[test]
fn what_came_back_of_the_cost_is_told_by_each_protocol() {
    let (world, shop) = world();
    let body = single_to(&[PHONE, "09121230901"], "سلام");
    let id = sent_by_api2(&world, &shop.key, &format!("{SEND}/single"), &body);
    let told = || {
        let by_rest = rest_data(&world, &shop.key, "GET", &format!("messages/{id}"), &Value::Null);
        let call = format!("sms/message/all?message_id={id}");
        let by_api2 = api2_data(&world, &shop.key, "GET", &call, &Value::Null);
        let call = format!("report/by_bulk?messages_outbox_id={id}");
        let by_edge = edge_data(&world, &shop.key, "GET", &call, &Value::Null);
        let costs = [&by_rest["message"]["cost"], &by_api2[0]["cost"], &by_edge["cost"]].map(Value::as_i64);
        assert_eq!(costs, [Some(2_000); 3]);
        [
            &by_rest["message"]["payback_cost"],
            &by_api2[0]["return_cost"],
            &by_edge["return"],
        ]
        .map(|back| back.as_i64().unwrap())
    };
    assert_eq!(told(), [0; 3]);
    world.settle(MINUTE_MS);
    assert_eq!(told(), [1_000; 3], "one of the two was refused");
    assert_eq!(world.balance(&shop.key), (MONEY - 1_000, 0));
}

#[test]
fn the_account_is_told_by_each_protocol() {
    let (world, shop) = world();
    let credit = edge_data(&world, &shop.key, "GET", "payment/credit/mine", &Value::Null);
    assert_eq!((&credit["credit"], &credit["gift"]), (&json!(MONEY), &json!(0)));
    assert_eq!(credit["updated_at"].as_str().unwrap().len(), 19);
    assert_eq!(
        api2_data(&world, &shop.key, "GET", "sms/accounting/credit/show", &Value::Null),
        json!({"credit": MONEY})
    );
    assert_eq!(
        rest_data(&world, &shop.key, "GET", "credit", &Value::Null),
        json!({"credit": MONEY})
    );
    let user = rest_data(&world, &shop.key, "GET", "user", &Value::Null);
    let key = edge_data(&world, &shop.key, "POST", "acl/auth/check_token", &json!({}));
    assert_eq!(
        (&key["user_name"], &key["send_block"]),
        (&user["user"]["username"], &json!(false))
    );
    for call in ["number/numbers", "numbers"] {
        let lines = edge_data(&world, &shop.key, "GET", call, &Value::Null);
        assert_eq!((&lines[0]["id"], &lines[0]["number"]), (&json!(1), &json!("+9810001")));
    }
    let body = json!({"number": "+9810001", "message": "سلام"});
    let price = edge_data(&world, &shop.key, "POST", "send/calculate-price", &body);
    assert_eq!(price, json!({"mci_price": 1_000, "other_price": 1_000, "parts": 1}));
    assert_eq!(world.balance(&shop.key), (MONEY, 0));
}

#[test]
fn another_account_and_the_other_mode_do_not_know_an_id() {
    let (world, shop) = world();
    let stranger = world.account("stranger", MONEY);
    let test = world
        .grant(&shop, json!({"title": "t", "mode": "test"}))
        .text("/data/key");
    let id = sent_by_edge(&world, &shop.key, &text_to(&[PHONE], "x"))[0];
    for key in [&stranger.key, &test] {
        assert_eq!(
            edge(
                &world,
                key,
                "GET",
                &format!("report/recipients?bulk_id={id}"),
                &Value::Null
            )
            .0,
            404
        );
        assert_eq!(
            edge(&world, key, "POST", "send/cancel", &json!({"message_outbox_id": id})).0,
            404
        );
        assert_eq!(
            api2(&world, key, "GET", &format!("{DELIVERIES}/{id}"), &Value::Null).0,
            404
        );
        assert_eq!(rest(&world, key, "GET", &format!("messages/{id}"), &Value::Null).0, 404);
        assert_eq!(edge_data(&world, key, "POST", "report/new_list", &json!({})), json!([]));
    }
    let before = world.balance(&shop.key);
    let rehearsed = sent_by_edge(&world, &test, &text_to(&[PHONE], "x"))[0];
    assert_eq!(world.balance(&shop.key), before);
    assert_eq!(
        edge(
            &world,
            &shop.key,
            "GET",
            &format!("report/by_bulk?messages_outbox_id={rehearsed}"),
            &Value::Null
        )
        .0,
        404
    );
}
