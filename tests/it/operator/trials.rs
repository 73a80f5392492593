//! The sandbox delivers nothing: no line has it beside a carrier that sends, and what it takes of live messages says so.

use std::cell::RefCell;
use std::rc::Rc;

use peyk::base::ports::IncomingResponse;
use serde_json::{Value, json};

use crate::support::time::DAY_MS;
use crate::support::{Account, World, assert_contains};

/// A world with a gateway `mci` behind the line 20001.
fn world() -> (World, Account) {
    let (world, shop) = World::with_busy_account(1_000_000);
    let world = world.with_secrets();
    world.add_gateway("mci", "20001", "KANNEL");
    world.advance(31_000);
    (world, shop)
}

fn route(prefixes: &[&str], carriers: &[&str], backup: &[&str]) -> Value {
    let named = |names: &[&str]| names.iter().map(|name| json!({"name": name})).collect::<Vec<_>>();
    json!({"prefixes": prefixes, "carriers": named(carriers), "backup": named(backup)})
}

/// Each way in which a line can have the sandbox beside a carrier that sends, with the place of the fault.
fn mixed() -> [(Value, &'static str); 3] {
    [
        (json!([route(&[], &["mci"], &["sandbox"])]), "routes[0]"),
        (json!([route(&[], &["mci", "sandbox"], &[])]), "routes[0]"),
        (
            json!([route(&[], &["mci"], &[]), route(&["98912"], &["sandbox"], &[])]),
            "routes[1]",
        ),
    ]
}

#[test]
fn no_line_gets_the_sandbox_beside_a_carrier_that_sends() {
    let (world, _) = world();
    let before = world.look("/admin/lines/20001").json["data"].clone();
    for (routes, place) in mixed() {
        let change = json!({"routes": routes});
        let refused = world.admin("PATCH", "/admin/lines/20001", change.clone()).refused(422);
        assert_eq!(refused.extra().len(), 1);
        assert_contains(&refused.extra()[0], &format!("{place}: has the sandbox"));
        assert_contains(&refused.text("/detail"), "\"allowSandbox\" to true for a trial");
        let persian = world.request("PATCH", "/admin/lines/20001").key(&world.admin_key);
        let persian = persian.language("fa").json(change).send().expect(422);
        assert_contains(&persian.text("/detail"), "به دست هیچ‌کس نمی‌رسد");
        let new = json!({"number": "30003", "operations": ["WEBSERVICE"], "routes": routes});
        world.admin("POST", "/admin/lines", new).refused(422);
    }
    assert_eq!(world.look("/admin/lines/20001").json["data"], before);
    world.get(&world.admin_key, "/admin/lines/30003").refused(404);
}

#[test]
fn a_trial_may_have_it_if_the_request_says_so() {
    let (world, _) = world();
    for (routes, _) in mixed() {
        let change = json!({"routes": routes, "allowSandbox": true});
        world.change("/admin/lines/20001", change);
        // It holds for that request alone.
        world
            .admin("PATCH", "/admin/lines/20001", json!({"routes": routes}))
            .refused(422);
        world.change("/admin/lines/20001", json!({"paused": false}));
    }
    let new = json!({"number": "30003", "operations": ["WEBSERVICE"], "routes": mixed()[0].0, "allowSandbox": true});
    world.create("/admin/lines", new);
}

#[test]
fn a_live_message_that_the_sandbox_took_says_so_and_no_other_one_does() {
    let (world, shop) = world();
    let test = world
        .grant(&shop, json!({"title": "test", "mode": "test"}))
        .text("/data/key");
    let send = |key: &str, line: &str| {
        let body = json!({"message": "hello", "recipients": ["09121234567"], "sourceNumber": line});
        let uid = world.posted(key, "/sms/send", body).text("/data/uid");
        world.settle(60_000);
        uid
    };
    for (key, line, simulated) in [
        (&shop.key, "10001", json!(true)),
        (&shop.key, "20001", Value::Null),
        (&test, "10001", Value::Null),
    ] {
        let uid = send(key, line);
        let message = world.read(key, &format!("/messages/{uid}")).json["data"].clone();
        let recipients = world.read(key, &format!("/messages/{uid}/recipients"));
        let listed = world.read(key, "/messages?limit=1");
        assert_eq!(listed.texts("uid"), [uid]);
        assert_eq!(
            [
                &message["simulated"],
                &message["recipients"][0]["simulated"],
                &recipients.items()[0]["simulated"],
                &listed.items()[0]["simulated"],
            ],
            [&simulated; 4],
            "{line}: {message}"
        );
    }
    let all = world.all(&shop.key, "/messages?limit=1");
    let marks: Vec<&Value> = all.iter().map(|message| &message["simulated"]).collect();
    assert_eq!(marks, [&Value::Null, &json!(true)]);
}

/// A campaign of an account to one number, from a line, to its end.
fn campaign(world: &World, shop: &Account, line: &str) -> String {
    let book = world
        .posted(&shop.key, "/phonebook", json!({"title": line}))
        .text("/data/id");
    world.posted(
        &shop.key,
        &format!("/phonebook/number/{book}"),
        json!({"number": "09121234567"}),
    );
    let plan = json!({"title": line, "message": "hello", "phonebooks": [book], "sourceNumber": line});
    let id = world.posted(&shop.key, "/campaigns", plan).text("/data/id");
    world.settle(60_000);
    world
        .post(&shop.key, &format!("/campaigns/{id}/start"), json!({}))
        .expect(200);
    world.settle(600_000);
    id
}

#[test]
fn a_campaign_that_the_sandbox_took_says_so_and_the_usage_of_the_day_does() {
    let (world, shop) = world();
    let simulated = campaign(&world, &shop, "10001");
    let sent = campaign(&world, &shop, "20001");
    let mark = |id: &str| world.read(&shop.key, &format!("/campaigns/{id}")).json["data"].clone();
    assert_eq!(mark(&simulated)["progress"]["delivered"], 1);
    assert_eq!(
        [&mark(&simulated)["simulated"], &mark(&sent)["simulated"]],
        [&json!(true), &Value::Null]
    );
    let listed = world.read(&shop.key, "/campaigns");
    let marks: Vec<&Value> = listed.items().iter().map(|campaign| &campaign["simulated"]).collect();
    assert_eq!(marks, [&Value::Null, &json!(true)]);
    let day = world.read(&shop.key, "/account/usage").items()[0].clone();
    assert_eq!([&day["live"]["recipients"], &day["simulated"]], [2, 1]);

    // Operators see the same, however they add it up.
    world.settle(120_000);
    let sums = |query: &str| -> Vec<(String, i64, i64)> {
        let listed = world.look(&format!("/admin/usage?{query}"));
        let number = |sum: &Value, name: &str| sum[name].as_i64().unwrap();
        let items = listed.items().iter();
        let sums = items.map(|sum| {
            (
                sum["key"].as_str().unwrap().to_owned(),
                number(sum, "delivered"),
                number(sum, "simulated"),
            )
        });
        sums.collect()
    };
    let only = |query: &str| {
        sums(query)
            .iter()
            .map(|(_, delivered, simulated)| (*delivered, *simulated))
            .collect::<Vec<_>>()
    };
    assert_eq!(only("by=day"), [(1, 1)], "the gateway has not reported");
    assert_eq!(only(&format!("by=account&account={}", shop.id)), [(1, 1)]);
    assert_eq!(only("by=day&carrier=mci"), [(0, 0)]);
    assert_eq!(only("by=day&carrier=sandbox"), [(1, 1)]);
    let by_carrier = sums("by=carrier");
    assert!(
        by_carrier.contains(&("sandbox".to_owned(), 1, 1)) && by_carrier.contains(&("mci".to_owned(), 0, 0)),
        "{by_carrier:?}"
    );

    // Also when its messages are forgotten.
    world.settle(92 * DAY_MS);
    assert_eq!(world.all(&shop.key, "/messages").len(), 0);
    assert_eq!(
        [&mark(&simulated)["simulated"], &mark(&sent)["simulated"]],
        [&json!(true), &Value::Null]
    );
}

/// Sends to 101 numbers of the gateway, and to one of the sandbox.
fn send_to_both(world: &World, shop: &Account) -> String {
    let routes = json!([route(&[], &["mci"], &[]), route(&["98912"], &["sandbox"], &[])]);
    world.change("/admin/lines/20001", json!({"routes": routes, "allowSandbox": true}));
    world.advance(31_000);
    let mut numbers: Vec<String> = (0..101).map(|number| format!("0935{number:07}")).collect();
    numbers.push("09121234567".to_owned());
    let body = json!({"message": "hello", "recipients": numbers, "sourceNumber": "20001"});
    let uid = world.posted(&shop.key, "/sms/send", body).text("/data/uid");
    world.settle(60_000);
    uid
}

#[test]
fn one_recipient_that_the_sandbox_took_is_enough_wherever_it_stands() {
    let (world, shop) = world();
    let uid = send_to_both(&world, &shop);
    let message = world.read(&shop.key, &format!("/messages/{uid}")).json["data"].clone();
    assert_eq!(message["simulated"], true);
    let shown = message["recipients"].as_array().unwrap();
    assert!(shown.iter().all(|recipient| recipient.get("simulated").is_none()));
    assert_eq!(world.read(&shop.key, "/messages").items()[0]["simulated"], true);
    let recipients = world.all(&shop.key, &format!("/messages/{uid}/recipients?limit=200"));
    let marked = recipients.iter().filter(|recipient| recipient["simulated"] == true);
    let marked: Vec<&Value> = marked.map(|recipient| &recipient["recipient"]).collect();
    assert_eq!(marked, ["+989121234567"]);
}

#[test]
fn a_page_of_messages_finds_out_with_one_statement_however_many_there_are() {
    let (world, shop) = world();
    let uid = send_to_both(&world, &shop);
    let sql = world.sql(&shop.id);
    let statements = |path: &str| {
        let before = sql.runs.get();
        world.read(&shop.key, path);
        sql.runs.get() - before
    };
    // From then on the object knows the key.
    statements("/messages?limit=1");
    let (one, detail) = (statements("/messages?limit=1"), statements(&format!("/messages/{uid}")));
    for _ in 0..20 {
        world.sent(&shop.key, &["09121234567"]);
    }
    world.settle(60_000);
    assert_eq!(world.read(&shop.key, "/messages?limit=50").items().len(), 21);
    assert_eq!(statements("/messages?limit=50"), one);
    assert_eq!(statements(&format!("/messages/{uid}")), detail);
}

#[test]
fn events_of_messages_say_whether_the_sandbox_took_them() {
    let (world, shop) = world();
    let test = world
        .grant(
            &shop,
            json!({"title": "test", "mode": "test", "scopes": ["sms:send", "sms:read", "webhook"]}),
        )
        .text("/data/key");
    let told = Rc::new(RefCell::new(Vec::new()));
    let noted = Rc::clone(&told);
    world.receive(move |request| {
        let is_event = request.url.starts_with("https://shop.example");
        if is_event {
            noted
                .borrow_mut()
                .push(serde_json::from_str::<Value>(&request.body).unwrap());
        }
        // The gateway takes whatever it gets.
        let (status, body) = if is_event {
            (204, "")
        } else {
            (202, "0: Accepted for delivery")
        };
        Some(Ok(IncomingResponse {
            status,
            retry_after: None,
            body: body.to_owned(),
        }))
    });
    for key in [&shop.key, &test] {
        let events = json!(["message.status", "message.submitted"]);
        world.posted(
            key,
            "/webhook",
            json!({"url": "https://shop.example/hook", "events": events}),
        );
    }
    world.settle(5_000);
    let both = send_to_both(&world, &shop);
    let simulated = world.sent(&shop.key, &["09121234567", "09121234901", "09121234902", "09121234904"]);
    let tested = world.sent(&test, &["09121234567"]);
    world.settle(60_000);
    let told = told.borrow();
    let of = |uid: &str| {
        let own = told.iter().filter(|event| event["data"]["uid"] == uid);
        own.flat_map(|event| {
            let data = &event["data"];
            let recipients = data["recipients"].as_array().unwrap().clone();
            let marked = recipients.iter().filter(|recipient| recipient["simulated"] == true);
            assert_eq!(data["simulated"] == true, marked.count() > 0, "{event}");
            recipients
        })
        .map(|recipient| (recipient["recipient"].clone(), recipient["simulated"] == true))
        .collect::<Vec<_>>()
    };
    let of_simulated = of(&simulated);
    assert_eq!(
        of_simulated.len(),
        4 + 2,
        "four endings, two of which were taken before"
    );
    assert!(of_simulated.iter().all(|(_, is_marked)| *is_marked), "{of_simulated:?}");
    let of_tested = of(&tested);
    assert!(
        !of_tested.is_empty() && of_tested.iter().all(|(_, is_marked)| !is_marked),
        "{of_tested:?}"
    );
    let of_both = of(&both);
    assert_eq!(of_both.len(), 101 + 2, "the gateway has only taken its messages");
    for (number, is_marked) in of_both {
        assert_eq!(is_marked, number == "+989121234567", "{number}");
    }
}

#[test]
fn messages_can_be_read_while_the_directory_does_not_answer() {
    let (world, shop) = world();
    let uid = world.sent(&shop.key, &["09121234567"]);
    world.settle(60_000);
    world.advance(31_000);
    world.db.is_down.set(true);
    world.read(&shop.key, &format!("/messages/{uid}"));
    assert_eq!(world.read(&shop.key, "/messages").texts("uid"), [uid]);
}
