//! Wherever operators see the id of an account, its username stands beside it.

use peyk::base::ports::Db;
use serde_json::{Value, json};

use crate::support::{Account, World, to_end};

/// A world in which an account shows up in all of these lists, and another account beside it.
fn world() -> (World, Account) {
    let (mut world, shop) = World::with_account(1_000_000);
    world.app.config.pattern_approval = true;
    world.account("other", 1_000);
    world.posted(
        &shop.key,
        "/pattern",
        json!({"slug": "login", "title": "x", "text": "%OTP%"}),
    );
    world.posted(
        &shop.key,
        "/sms/send",
        json!({"message": "x", "recipients": ["09121234567"]}),
    );
    world.settle(120_000);
    let letter = peyk::account::chunk::dead_letters::DeadLetter {
        seq: 1,
        at_ms: world.now_ms.get(),
        uid: "u".to_owned(),
        carrier: String::new(),
        recipients: 1,
        attempts: 1,
        reason: "x".to_owned(),
        kind: "STUCK".to_owned(),
    };
    to_end(peyk::directory::dead_letters::insert(&world.db, &shop.id, &[letter])).unwrap();
    (world, shop)
}

/// All items of a list that name an account at `id`, with what stands at `username`.
fn named(world: &World, path: &str, id: &str, username: &str) -> Vec<(Value, Value)> {
    let items = world.all(&world.admin_key, path);
    let pairs = items.iter().map(|item| {
        let at = |pointer: &str| {
            item.pointer(pointer)
                .unwrap_or_else(|| panic!("{path}: {item}"))
                .clone()
        };
        (at(id), at(username))
    });
    pairs.collect()
}

#[test]
fn a_username_stands_beside_each_id_of_an_account() {
    let (world, shop) = world();
    let expected = (json!(shop.id), json!("shop"));
    for (path, id, username) in [
        ("/admin/usage?by=account", "/key", "/username"),
        ("/admin/reconciliation", "/account", "/username"),
        ("/admin/audit", "/thing/account", "/thing/username"),
        ("/admin/dead-letters", "/account", "/username"),
        ("/admin/patterns", "/account", "/username"),
    ] {
        let named = named(&world, path, id, username);
        assert!(named.contains(&expected), "{path}: {named:?}");
        let is_right = |(id, username): &(Value, Value)| (*id == shop.id) == (username == "shop");
        assert!(named.iter().all(is_right), "{path}: {named:?}");
    }
    let actors = named(&world, "/admin/audit", "/actor/account", "/actor/username");
    assert!(
        actors.contains(&expected) && actors.contains(&(json!("operator"), Value::Null)),
        "{actors:?}"
    );
    let by_line = named(&world, "/admin/usage?by=line", "/key", "/username");
    assert_eq!(by_line, [(json!("10001"), Value::Null)]);
}

#[test]
fn pages_of_sums_by_account_join_up_and_a_filter_names_its_account() {
    let (world, shop) = world();
    let other = world.account("third", 1_000);
    world.posted(
        &other.key,
        "/sms/send",
        json!({"message": "x", "recipients": ["09121234567"]}),
    );
    world.settle(120_000);
    let names = |path: &str| {
        named(&world, path, "/key", "/username")
            .into_iter()
            .map(|(_, name)| name)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        names("/admin/usage?by=account&limit=1"),
        [json!("shop"), json!("third")]
    );
    assert_eq!(
        names(&format!("/admin/usage?by=account&account={}", shop.id)),
        [json!("shop")]
    );
}

#[test]
fn what_belongs_to_no_known_account_has_no_username() {
    let (world, _) = world();
    let letters = peyk::base::ports::Statement::new("UPDATE dead_letter SET account = 'gone'", []);
    to_end(world.db.query(letters)).unwrap();
    let named = named(&world, "/admin/dead-letters", "/account", "/username");
    assert_eq!(named, [(json!("gone"), Value::Null)]);
}
