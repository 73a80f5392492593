//! No customer fills the database that all share: what a change leaves in the audit log is small and bounded.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::support::{Account, Answer, World};

const REST_MS: i64 = 10_000;
const SECRET: &str = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

/// A world with a secret, whose account asks for so much as it likes.
fn world() -> (World, Account) {
    let (world, shop) = World::with_busy_account(1_000_000);
    world.set("SECRET_KEY", Some(SECRET));
    world.settle(REST_MS);
    (world, shop)
}

/// The account's entries, newest first.
fn entries(world: &World, shop: &Account) -> Vec<Value> {
    world.settle(REST_MS);
    world.all(&world.admin_key, &format!("/admin/audit?key={}", shop.key_id))
}

/// What all rows of the account's own entries hold.
fn rows(world: &World, shop: &Account) -> Vec<String> {
    world.settle(REST_MS);
    let rows = world.db.run_with(
        "SELECT coalesce(before, '') || coalesce(after, '') FROM audit WHERE key = ?1 ORDER BY id",
        &[shop.key_id.as_str().into()],
    );
    rows.iter().map(|row| row.text(0).unwrap()).collect()
}

fn numbers(from: u32, count: u32) -> Value {
    (from..from + count).map(|index| format!("+98912{index:07}")).collect()
}

/// The digest of numbers in ascending order.
fn digest_of(shop: &Account, numbers: &Value) -> String {
    let hmac = |key: &[u8], text: &[u8]| {
        let mut block = [0; 64];
        block[..key.len()].copy_from_slice(key);
        let inner = Sha256::digest([&block.map(|byte| byte ^ 0x36)[..], text].concat());
        Sha256::digest([&block.map(|byte| byte ^ 0x5c)[..], &inner[..]].concat())
    };
    let secret: Vec<u8> = (0..32).collect();
    let lines: Vec<&str> = numbers
        .as_array()
        .unwrap()
        .iter()
        .map(|number| number.as_str().unwrap())
        .collect();
    let content = format!("{}\n{}", shop.id, lines.join("\n"));
    let digest = hmac(&hmac(&secret, b"peyk audit digest"), content.as_bytes());
    digest[..16].iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn an_entry_of_the_blacklist_counts_its_numbers_and_names_none() {
    let (world, shop) = world();
    let list = |from| json!({"numbers": numbers(from, 500)});
    let change = |method: &str, body: &Value| {
        let request = world.ask(method, &shop.key, "/blacklist").json(body.clone());
        assert!(request.send().response.status < 300);
        world.settle(REST_MS);
    };
    for (method, from) in [("POST", 1_000), ("DELETE", 1_000), ("POST", 1_000), ("POST", 5_000)] {
        change(method, &list(from));
    }
    let longest = rows(&world, &shop).iter().map(String::len).max().unwrap();
    assert!(longest < 200, "an entry has {longest} bytes");
    assert!(
        !rows(&world, &shop).concat().contains("98912"),
        "no number stands in the log"
    );
    let said: Vec<Value> = entries(&world, &shop).into_iter().rev().collect();
    let digest = |index: usize| said[index]["after"]["digest"].as_str().unwrap();
    let counts = |numbers: u32| json!({"numbers": numbers, "optedOut": 0});
    assert_eq!(said[0]["before"], counts(0));
    let after = json!({"numbers": 500, "optedOut": 0, "digest": digest(0)});
    assert_eq!(said[0]["after"], after);
    assert_eq!(said[1]["before"], counts(500));
    assert_eq!((digest(0), digest(0)), (digest(1), digest(2)), "the same numbers");
    assert_ne!(digest(0), digest(3), "other numbers");
    assert_eq!(
        digest(0),
        digest_of(&shop, &numbers(1_000, 500)),
        "as docs/operating.md says"
    );
    // A part of a list: those that were there are left out of nothing.
    change("DELETE", &json!({"numbers": numbers(1_400, 200)}));
    assert_eq!(entries(&world, &shop)[0]["before"], counts(100));
}

#[test]
fn an_entry_of_a_pattern_counts_the_characters_of_its_text() {
    let (world, shop) = world();
    let text = "ی".repeat(2_000);
    let lines: Vec<String> = (0..100).map(|line| format!("3000{line:011}")).collect();
    for line in &lines {
        let line = json!({"number": line, "carrier": "sandbox", "operations": ["PATTERN"], "accounts": [shop.id]});
        world.create("/admin/lines", line);
    }
    let pattern = json!({"slug": "long", "title": "A", "text": text, "lines": lines});
    world.posted(&shop.key, "/pattern", pattern);
    world.advance(1_000);
    for title in ["B", "A", "B"] {
        world
            .put(&shop.key, "/pattern/long", json!({"title": title}))
            .expect(200);
        world.advance(1_000);
    }
    let longest = rows(&world, &shop).iter().map(String::len).max().unwrap();
    assert!(longest < 600, "an entry has {longest} bytes");
    let said: Vec<Value> = entries(&world, &shop).into_iter().rev().collect();
    let version = json!({"version": 1, "status": "DRAFT", "reason": null, "characters": 2_000});
    let digest = &said[0]["after"]["digest"];
    let made = json!({"title": "A", "lines": {"count": 100}, "activeVersion": null, "newestVersion": version,
        "digest": digest});
    assert_eq!(said[0]["after"], made);
    assert_eq!(digest.as_str().unwrap().len(), 32);
    let mut changed = made;
    changed["title"] = json!("B");
    changed.as_object_mut().unwrap().remove("digest");
    assert_eq!(said[1]["after"], changed);
    // The same text has the same digest, wherever it stands.
    let version = json!({"text": text});
    world.posted(&shop.key, "/pattern/long/versions", version);
    assert_eq!(&entries(&world, &shop)[0]["after"]["digest"], digest);
}

#[test]
fn a_change_of_a_long_text_has_its_entry_though_the_text_is_left_out() {
    let (world, shop) = world();
    let book = |description: String| json!({"title": "A", "description": description});
    let id = world
        .posted(&shop.key, "/phonebook", book("x".repeat(1_000)))
        .text("/data/id");
    let path = format!("/phonebook/{id}");
    world.advance(1_000);
    world.put(&shop.key, &path, book("y".repeat(1_000))).expect(200);
    world.advance(1_000);
    world.put(&shop.key, &path, book("y".repeat(1_000))).expect(200);
    let said: Vec<Value> = entries(&world, &shop).into_iter().rev().collect();
    assert_eq!(said.len(), 2, "{said:?}");
    let shown = json!({"title": "A", "description": {"characters": 1_000}});
    assert_eq!(said[1]["before"], shown);
    let digests: Vec<&str> = said
        .iter()
        .map(|entry| entry["after"]["digest"].as_str().unwrap())
        .collect();
    assert_ne!(digests[0], digests[1]);
    // An endpoint is in an object of its own.
    let hook = |path: char| {
        json!({"url": format!("https://example.com/{}", path.to_string().repeat(1_500)),
        "description": "z".repeat(500), "events": ["message.received"]})
    };
    let id = world.posted(&shop.key, "/webhook", hook('a')).text("/data/id");
    let path = format!("/webhook/{id}");
    world.advance(1_000);
    world.put(&shop.key, &path, hook('b')).expect(200);
    let entry = &entries(&world, &shop)[0];
    assert_eq!(entry["before"]["url"], json!({"characters": 1_520}));
    assert_eq!(entry["after"]["description"], json!({"characters": 500}));
    let longest = rows(&world, &shop).iter().map(String::len).max().unwrap();
    assert!(longest < 600, "an entry has {longest} bytes");
}

#[test]
fn without_a_secret_entries_have_no_digest() {
    let (world, shop) = world();
    for secret in [None, Some("malformed")] {
        world.set("SECRET_KEY", secret);
        let slug = secret.unwrap_or("none");
        world.posted(&shop.key, "/pattern", json!({"slug": slug, "title": "A", "text": "x"}));
        let entry = &entries(&world, &shop)[0];
        assert_eq!(
            (&entry["thing"]["id"], &entry["after"]["digest"]),
            (&json!(slug), &Value::Null)
        );
    }
}

/// What is sent again and again: the changes of an account's own key, by where they are made, and whether it is for a thing that
/// takes turns between two states.
fn change(world: &World, shop: &Account, place: &str, turn: u32) -> Answer {
    let title = if turn.is_multiple_of(2) { "A" } else { "B" };
    match place {
        "object" => {
            let method = if turn.is_multiple_of(2) { "POST" } else { "DELETE" };
            let request = world.ask(method, &shop.key, "/blacklist");
            request.json(json!({"numbers": numbers(1_000, 5)})).send()
        }
        "directory" => world.put(&shop.key, "/pattern/login", json!({"title": title})),
        "webhooks" => world.put(&shop.key, "/account/low-balance", json!({"lowBalance": 500 + turn})),
        other => panic!("{other}"),
    }
}

#[test]
fn a_key_fills_the_log_up_to_a_budget_and_then_changes_nothing_but_still_sends() {
    for place in ["object", "directory", "webhooks"] {
        let (mut world, shop) = world();
        // A key has half of it.
        world.app.config.audit_bytes_a_day = 60_000;
        world.posted(
            &shop.key,
            "/pattern",
            json!({"slug": "login", "title": "C", "text": "x"}),
        );
        let log_bytes = "SELECT coalesce(sum(coalesce(length(before), 0) + coalesce(length(after), 0) + 1024), 0) \
             FROM audit WHERE actor <> 'operator'";
        let mut turn = 0;
        let refused = loop {
            let answer = change(&world, &shop, place, turn);
            if answer.response.status == 429 {
                break answer.problem(429, 429);
            }
            turn += 1;
            assert!(turn < 100, "{place}: {}", answer.body);
        };
        world.settle(REST_MS);
        let bytes = world.db.number(log_bytes);
        assert!(
            turn >= 4 && bytes <= 30_000 + 5_120,
            "{place}: {turn} changes, {bytes} bytes"
        );
        let wait_s: i64 = refused.header("Retry-After").unwrap().parse().unwrap();
        assert!((1..=86_400 / 2).contains(&wait_s), "{place}: {wait_s}");
        // Nothing has changed, wherever it is asked.
        for place in ["object", "directory", "webhooks"] {
            change(&world, &shop, place, turn + 1).refused(429);
        }
        world.settle(REST_MS);
        assert_eq!(world.db.number(log_bytes), bytes, "{place}");
        // What is no change goes on, and so do others: operators and other accounts.
        world.send(&shop.key, &["09121234567"]).expect(201);
        world.read(&shop.key, "/blacklist");
        world.change_account(&shop, json!({"fullName": "Another"}));
        let book =
            |world: &World, shop: &Account, title: &str| world.post(&shop.key, "/phonebook", json!({"title": title}));
        let other = world.account("other", 0);
        book(&world, &other, "A").expect(201);
        // Who waits as told is admitted, and a day later the whole budget is there again.
        world.advance(wait_s * 1_000);
        book(&world, &shop, "A").expect(201);
        world.advance(2 * 86_400_000);
        (0..turn).for_each(|turn| assert!(change(&world, &shop, place, turn).response.status < 300, "{place}"));
    }
}

#[test]
fn what_changes_nothing_takes_nothing_of_the_budget() {
    let (mut world, shop) = world();
    world.app.config.audit_bytes_a_day = 10_000;
    let pattern = json!({"slug": "login", "title": "A", "text": "x"});
    world.posted(&shop.key, "/pattern", pattern.clone());
    for _ in 0..50 {
        world.post(&shop.key, "/pattern", pattern.clone()).refused(409);
        world.post(&shop.key, "/pattern", json!({})).refused(422);
        change(&world, &shop, "directory", 0).expect(200);
        world.delete(&shop.key, "/blacklist?number=09121234567").expect(200);
    }
    let full_us = "SELECT audit_full_us FROM account";
    let missing_us = world.sql(&shop.id).number(full_us) - world.now_ms.get() * 1_000;
    assert!(missing_us < 86_400_000_000 / 3, "{missing_us}");
}

#[test]
fn a_clock_that_goes_back_locks_nobody_out() {
    let (world, shop) = world();
    change(&world, &shop, "object", 0).expect(201);
    world
        .sql(&shop.id)
        .run("UPDATE account SET audit_full_us = audit_full_us + 31536000000000");
    change(&world, &shop, "object", 1).expect(200);
    let missing_us = world.sql(&shop.id).number("SELECT audit_full_us FROM account") - world.now_ms.get() * 1_000;
    assert!(missing_us <= 3 * 86_400_000_000, "{missing_us}");
}

#[test]
fn what_ends_harm_goes_on_when_the_budget_is_used_up() {
    let (mut world, shop) = world();
    let leaked = world.create(&shop.path("/keys"), json!({"title": "leaked"}));
    let later = json!({"message": "x", "recipients": ["09121234567"], "sendAt": "2026-01-03T12:00:00Z"});
    world.app.config.audit_bytes_a_day = 20_000;
    let used_up =
        |request: &dyn Fn(u32) -> Answer| (0..100).find(|turn| request(*turn).response.status == 429).unwrap();
    let cancel = |_| {
        let uid = world.posted(&shop.key, "/sms/send", later.clone()).text("/data/uid");
        world.delete(&shop.key, &format!("/messages/{uid}"))
    };
    let changes = used_up(&|turn| change(&world, &shop, "object", turn));
    let cancels = used_up(&cancel);
    assert!(changes >= 5 && (5..=20).contains(&cancels), "{changes} {cancels}");
    // Even then, and by a key that the account has itself.
    // A moment later: ids of one moment have no order.
    world.advance(1_000);
    let path = format!("/keys/{}", leaked.text("/data/id"));
    world.delete(&shop.key, &path).expect(204);
    world.read(&shop.key, "/keys");
    assert_eq!(entries(&world, &shop)[0]["operation"], "RevokeKey");
}
