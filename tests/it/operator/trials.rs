//! The sandbox delivers nothing: no line has it beside a carrier that sends, and what it takes of live messages says so.

use serde_json::{Value, json};

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
        assert_eq!(
            [
                &message["simulated"],
                &message["recipients"][0]["simulated"],
                &recipients.items()[0]["simulated"]
            ],
            [&simulated; 3],
            "{line}: {message}"
        );
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
}
