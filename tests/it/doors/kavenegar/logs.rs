//! The key in the address: the log, and its networks.

use peyk::base::config::LogRequests;
use serde_json::json;

use super::knock;
use crate::doors::support::{self, FORM, head, world};
use crate::support::World;

/// A good send, and its path with this key.
fn send_with(world: &World, key: &str, address: Option<&str>) -> u16 {
    let path = format!("/v1/{key}/sms/send.json?receptor=09121234567&message=hello&sender=10001");
    let head = peyk::api::http::Head {
        address: address.map(str::to_owned),
        ..head("GET", &path, FORM)
    };
    support::knock(world, &head, b"").0
}

#[test]
fn no_line_of_the_log_stands_beside_an_address_with_a_key() {
    let (mut world, shop) = world();
    world.app.config.log_requests = LogRequests::All;
    let imported = "2|0123456789abcdefghijABCDEFGHIJKL";
    world.grant(
        &shop,
        json!({"title": "imported", "scopes": ["sms:read"], "key": imported}),
    );
    let lines = |world: &World| (world.log.take(), world.log_apart.take());
    lines(&world);
    let check = |world: &World, what: &str, least: usize| {
        let (all, apart) = lines(world);
        assert_eq!(all, apart, "{what}");
        assert!(all.len() >= least, "{what}: {all:?}");
        for line in all {
            assert!(!line.contains(&shop.key) && !line.contains(imported), "{what}: {line}");
        }
    };
    assert_eq!(send_with(&world, &shop.key, None), 200);
    check(&world, "a send", 1);
    assert_eq!(send_with(&world, imported, None), 416);
    check(&world, "a key without the scope", 1);
    assert_eq!(send_with(&world, "2|nobody", Some("203.0.113.7")), 403);
    world.advance(61_000);
    assert_eq!(send_with(&world, "2|nobody", Some("203.0.113.7")), 403);
    check(&world, "what strangers have tried", 1);
    world.failing_request.set(Some("SendMessage"));
    assert_eq!(send_with(&world, &shop.key, None), 409);
    check(&world, "a failure of ours", 2);
    world.failing_request.set(None);
    world.keys_are_down.set(true);
    world.app.keys.clear();
    assert_eq!(send_with(&world, &shop.key, None), 409);
    check(&world, "a failure of the platform", 2);
    world.keys_are_down.set(false);
    let hex = world
        .grant(&shop, json!({"title": "hex", "form": "HEX32"}))
        .text("/data/key");
    lines(&world);
    knock(&world, "GET", &format!("/v1/{hex}/message/send.json"), FORM, b"");
    let (all, apart) = lines(&world);
    assert_eq!(
        (all.len(), all),
        (1, apart),
        "a wrong word behind a key of hexadecimal digits"
    );
    for path in ["sms/send", "Sms/Send.json/more", "verify", "nothing.json"] {
        knock(&world, "GET", &format!("/v1/{}/{path}", shop.key), FORM, b"");
        check(&world, path, 1);
    }
    knock(&world, "GET", &format!("//v1/{}/sms/send.json", shop.key), FORM, b"");
    check(&world, "a path with two slashes", 1);
    world.app.config.doors.clear();
    for key in [shop.key.as_str(), imported] {
        knock(&world, "GET", &format!("/v1/{key}/sms/send.json"), FORM, b"");
        check(&world, "the door is closed", 1);
    }
    // The lines of all others stand beside their requests.
    knock(&world, "GET", "/v1/sms/none", FORM, b"");
    let (all, apart) = lines(&world);
    assert_eq!((all.len(), apart.len()), (1, 0), "{all:?}");
}

#[test]
fn a_key_in_the_address_may_be_bound_to_networks() {
    let (world, shop) = world();
    let new = json!({"title": "bound", "scopes": ["sms:send"], "ips": ["203.0.113.0/24"]});
    let key = world.grant(&shop, new).text("/data/key");
    for (address, status) in [(Some("203.0.113.7"), 200), (Some("198.51.100.7"), 416), (None, 416)] {
        assert_eq!(send_with(&world, &key, address), status, "{address:?}");
    }
    assert_eq!(world.read(&shop.key, "/messages").items().len(), 1);
}
