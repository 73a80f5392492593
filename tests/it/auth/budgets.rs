//! What a key writes into the audit log keeps no other key waiting, and nothing keeps an owner from what protects the account.

use peyk::account::keys::console_sessions::OpenSession;
use peyk::auth::imprint::Imprint;
use peyk::durable;
use serde_json::json;

use crate::support::console_sessions::cookie;
use crate::support::time::DAY_MS;
use crate::support::{Account, Answer, World, to_end};

/// The sessions, links and erasures of a key in a day.
const COUNTED_A_DAY: usize = 500;

fn service() -> (World, Account) {
    let (world, shop) = World::with_busy_account(100_000);
    (world.with_secrets(), shop)
}

/// A key of the account: its id and the key itself.
fn key(world: &World, shop: &Account, scopes: &[&str]) -> (String, String) {
    let issued = world.grant(shop, json!({"title": "x", "scopes": scopes}));
    (issued.text("/data/id"), issued.text("/data/key"))
}

fn open(world: &World, key: &str) -> Answer {
    world.ask("POST", key, "/console/session").send()
}

/// A change, another one each time.
fn change(world: &World, key: &str, turn: usize) -> Answer {
    let number = format!("+98912{turn:07}");
    world.post(key, "/blacklist", json!({"numbers": [number]}))
}

/// How many changes a key makes until it has to wait.
fn changes(world: &World, key: &str, from: usize) -> usize {
    let answers = (0..1_000).map(|turn| change(world, key, from + turn));
    answers.take_while(|answer| answer.response.status == 201).count()
}

/// All that an owner does to protect the account works, by this key.
#[track_caller]
fn protects(world: &World, shop: &Account, key: &str) {
    let thief = key_of_thief(world, shop);
    let member = json!({"phone": "+989121234567", "name": "Sara", "role": "VIEWER"});
    let member = world.create(&shop.path("/members"), member).text("/data/id");
    open(world, key).expect(204);
    let link = world
        .ask("POST", key, "/console/link")
        .json(json!({}))
        .send()
        .expect(201);
    let code = json!({"code": link.text("/data/code")});
    let session = cookie(
        &world
            .request("POST", "/console/sign-in/link")
            .json(code)
            .send()
            .expect(204),
    );
    world.page(&session, "/console/session").expect(200);
    world
        .post(key, "/erasures", json!({"number": "+989121234599"}))
        .expect(202);
    world.delete(key, &format!("/keys/{thief}")).expect(204);
    world.delete(key, &format!("/keys/{thief}?cascade=true")).expect(200);
    world.delete(key, &format!("/members/{member}")).expect(204);
    world.change_account(shop, json!({"hold": true}));
    world.change_account(shop, json!({"hold": false}));
    let ended = world.ask("DELETE", key, "/console/session?everywhere=true").send();
    ended.expect(204);
}

fn key_of_thief(world: &World, shop: &Account) -> String {
    key(world, shop, &["sms:read"]).0
}

#[test]
fn a_key_that_only_reads_shuts_nobody_out_by_opening_sessions() {
    let (world, shop) = service();
    let (_, reader) = key(&world, &shop, &["account:read"]);
    let opened = (0..1_501)
        .filter(|_| open(&world, &reader).response.status == 204)
        .count();
    assert_eq!(opened, COUNTED_A_DAY);
    let refused = open(&world, &reader).problem(429, 429);
    let wait_s: i64 = refused.header("Retry-After").unwrap().parse().unwrap();
    assert!((1..=86_400).contains(&wait_s), "{wait_s}");
    protects(&world, &shop, &shop.key);
    change(&world, &shop.key, 0).expect(201);
    world.posted(&shop.key, "/keys", json!({"title": "more"}));
    world.posted(
        &shop.key,
        "/pattern",
        json!({"slug": "login", "title": "A", "text": "x"}),
    );
    world.settle(10_000);
    let of_reader = "SELECT count(*) FROM audit WHERE operation = 'OpenConsoleSession'";
    assert_eq!(world.db.number(of_reader), i64::try_from(COUNTED_A_DAY).unwrap() + 1);
    // Who waits as told is admitted, and a day later all of them are there again.
    world.advance(wait_s * 1_000);
    open(&world, &reader).expect(204);
    world.advance(DAY_MS);
    let opened = (0..COUNTED_A_DAY + 1)
        .filter(|_| open(&world, &reader).response.status == 204)
        .count();
    assert_eq!(opened, COUNTED_A_DAY);
}

#[test]
fn a_key_that_uses_up_the_rate_limit_keeps_nobody_from_what_protects_the_account() {
    let (world, shop) = service();
    let (thief, thiefs) = key(&world, &shop, &["sms:read", "erasure", "keys"]);
    let (owner_id, owner) = key(&world, &shop, &["keys", "erasure", "account:read", "sms:read"]);
    let (leaked, _) = key(&world, &shop, &["sms:read"]);
    let person = json!({"phone": "+989121234567", "name": "Sara", "role": "VIEWER"});
    let member = world.create(&shop.path("/members"), person).text("/data/id");
    let slow = json!({"limit": 1, "windowSeconds": 86_400, "burst": 5});
    world.change_account(&shop, json!({"rateLimit": slow}));
    assert!((0..6).any(|_| world.get(&thiefs, "/messages").response.status == 429));
    // Everything else has to wait.
    world.get(&owner, "/messages").problem(429, 429);
    let session = cookie(&open(&world, &owner).expect(204));
    world.page(&session, "/console/session").expect(200);
    world.get(&owner, "/keys").expect(200);
    world.get(&owner, "/members").expect(200);
    let number = json!({"number": "+989121234599"});
    world.post(&owner, "/erasures", number.clone()).expect(202);
    world.delete(&owner, &format!("/members/{member}")).expect(204);
    world.delete(&owner, &format!("/keys/{leaked}")).expect(204);
    // A key has so much of a reserve as its own, with its sessions, and no more.
    let left = |key: &str| {
        (0..40)
            .take_while(|_| world.get(key, "/keys").response.status == 200)
            .count()
    };
    assert_eq!(left(&thiefs), 20);
    world.post(&thiefs, "/erasures", number).problem(429, 429);
    assert_eq!(left(&owner), 20 - 7);
    world.page(&session, "/console/session").problem(429, 429);
    world.advance(3_000);
    world.delete(&owner, &format!("/keys/{thief}?cascade=true")).expect(200);
    world.get(&thiefs, "/keys").refused(401);
    world.advance(60_000);
    world.delete(&owner, &format!("/keys/{owner_id}")).expect(204);
}

#[test]
fn operators_protect_accounts_while_another_of_their_keys_uses_up_the_rate_limit() {
    let (world, shop) = service();
    let (leaked, _) = key(&world, &shop, &["sms:read"]);
    let person = json!({"phone": "+989121234567", "name": "Sara", "role": "VIEWER"});
    let member = world.create(&shop.path("/members"), person).text("/data/id");
    let slow = "UPDATE account SET rate_limit = 1, rate_window_s = 86400, rate_burst = 1";
    world.sql("operator").run(slow);
    assert!((0..2).any(|_| world.admin("GET", "/admin/plans", json!({})).response.status == 429));
    let act = |method: &str, path: &str, body| world.admin(method, path, body);
    act("GET", "/admin/plans", json!({})).problem(429, 429);
    act("POST", &shop.path("/keys"), json!({"title": "x"})).problem(429, 429);
    let found = act("GET", "/admin/accounts?q=shop", json!({})).expect(200);
    assert_eq!(found.text("/data/0/id"), shop.id);
    act("GET", &shop.path("/keys"), json!({})).expect(200);
    act("GET", &shop.path("/members"), json!({})).expect(200);
    act("PATCH", &shop.path(""), json!({"hold": true})).expect(200);
    act("POST", &shop.path("/cancel"), json!({})).expect(200);
    act("DELETE", &shop.path(&format!("/keys/{leaked}")), json!({})).expect(204);
    act("DELETE", &shop.path(&format!("/members/{member}")), json!({})).expect(204);
    act("PUT", "/admin/sending", json!({"enabled": false})).expect(200);
    // The reserve is a small one.
    let more = (0..40).take_while(|_| act("PUT", "/admin/sending", json!({"enabled": true})).response.status == 200);
    assert_eq!(more.count(), 20 - 8);
}

#[test]
fn a_key_that_stands_in_the_place_of_another_has_no_reserve_of_its_own() {
    let (world, shop) = service();
    let (mut id, mut thiefs) = key(&world, &shop, &["keys", "sms:read"]);
    let slow = json!({"limit": 1, "windowSeconds": 86_400, "burst": 1});
    world.change_account(&shop, json!({"rateLimit": slow}));
    assert!((0..3).any(|_| world.get(&thiefs, "/messages").response.status == 429));
    let mut answered = 0;
    for _ in 0..3 {
        let lists = (0..9).take_while(|_| world.get(&thiefs, "/keys").response.status == 200);
        answered += lists.count();
        let rotated = world.post(&thiefs, &format!("/keys/{id}/rotate"), json!({}));
        if rotated.response.status == 201 {
            answered += 1;
            (id, thiefs) = (rotated.text("/data/id"), rotated.text("/data/key"));
        }
    }
    assert_eq!(answered, 20);
}

#[test]
fn what_is_opened_by_links_for_a_member_keeps_the_member_not_waiting() {
    let (world, shop) = service();
    let person = json!({"phone": "+989121234567", "name": "Sara", "role": "OWNER", "invite": false});
    let member = world.posted(&shop.key, "/members", person).text("/data/id");
    for _ in 0..20 {
        let link = world
            .post(&shop.key, &format!("/members/{member}/link"), json!({}))
            .expect(201);
        world.enter(&link.text("/data/code")).expect(204);
    }
    let counted = format!("api_key WHERE id = '{member}' AND counted_full_us > 0");
    assert_eq!(world.sql(&shop.id).count(&counted), 0);
    let counted = format!("api_key WHERE id = '{}' AND counted_full_us > 0", shop.key_id);
    assert_eq!(world.sql(&shop.id).count(&counted), 1);
}

#[test]
fn links_count_as_sessions_do() {
    let (world, shop) = service();
    let (_, reader) = key(&world, &shop, &["account:read"]);
    let link = || world.ask("POST", &reader, "/console/link").json(json!({})).send();
    let made = (0..600).filter(|_| link().response.status == 201).count();
    assert_eq!(made, COUNTED_A_DAY);
    open(&world, &reader).problem(429, 429);
    protects(&world, &shop, &shop.key);
}

#[test]
fn a_noisy_key_has_half_of_the_account_and_what_protects_goes_on_when_all_is_used_up() {
    let (mut world, shop) = service();
    world.app.config.audit_bytes_a_day = 40_000;
    let (_, noisy) = key(&world, &shop, &["blacklist"]);
    let (_, second) = key(&world, &shop, &["blacklist"]);
    let (_, third) = key(&world, &shop, &["blacklist"]);
    let first = changes(&world, &noisy, 0);
    assert!((10..=25).contains(&first), "{first}");
    let others = changes(&world, &second, 1_000);
    assert!(others + 2 >= first && others <= first + 2, "{first} {others}");
    assert!(changes(&world, &third, 2_000) <= 2, "nothing is left of the account");
    // Sessions of the noisy key are the key's own.
    let session = cookie(&open(&world, &noisy).expect(204));
    let body = json!({"numbers": ["+989121239999"]});
    let by_session = world.request("POST", "/blacklist").session(&session).json(body);
    by_session.send().problem(429, 429);
    protects(&world, &shop, &shop.key);
    world.advance(2 * DAY_MS);
    assert!(changes(&world, &noisy, 3_000) + 2 >= first);
}

#[test]
fn what_the_object_does_not_decide_counts_for_the_key_too() {
    let (mut world, shop) = service();
    world.app.config.audit_bytes_a_day = 40_000;
    let (_, noisy) = key(&world, &shop, &["pattern", "webhook"]);
    let create = |key: &str, turn: usize| {
        let pattern = json!({"slug": format!("pattern-{turn}"), "title": "A", "text": "x"});
        world.post(key, "/pattern", pattern)
    };
    let made = (0..100)
        .take_while(|turn| create(&noisy, *turn).response.status == 201)
        .count();
    assert!((5..=30).contains(&made), "{made}");
    let hook = json!({"url": "https://shop.example/hook", "events": ["message.status"]});
    world.post(&noisy, "/webhook", hook.clone()).problem(429, 429);
    create(&shop.key, 1_000).expect(201);
    world.post(&shop.key, "/webhook", hook).expect(201);
}

#[test]
fn members_sign_in_however_many_sessions_keys_have() {
    let (world, shop) = service();
    world.fill_with_sessions(&shop.id);
    open(&world, &shop.key).problem(409, 409);
    let ended = "UPDATE api_key SET revoked_ms = 0 WHERE id = 'session-7'";
    world.sql(&shop.id).run(ended);
    open(&world, &shop.key).expect(204);
    open(&world, &shop.key).problem(409, 409);
    let member = json!({"phone": "+989121234567", "name": "Sara", "role": "OWNER"});
    let member = world.create(&shop.path("/members"), member).text("/data/id");
    let request = OpenSession {
        key: member.clone(),
        id: "session-of-sara".to_owned(),
        imprint: Imprint::of("x"),
        ends_ms: None,
        by: None,
        credential: None,
    };
    let reply = to_end(durable::ask(&world, &shop.id, None, None, &request)).unwrap();
    assert_eq!(reply.outcome.unwrap().session_of, Some(member));
}
