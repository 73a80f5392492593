//! Sessions of the console: who has one may do what the key may by which it was opened, from the console's own pages only, and for
//! no longer than the key.

use peyk::account::OPERATOR;
use peyk::auth::console_session::LASTS_S;
use peyk::base::time;
use serde_json::{Value, json};

use crate::support::console_sessions::cookie;
use crate::support::{Account, DOCS, World};

const LASTS_MS: i64 = LASTS_S * 1_000;

fn is_signed_in(world: &World, session: &str) -> bool {
    let answer = world.page(session, "/console/session");
    match answer.response.status {
        200 => true,
        _ => answer.refused(401).response.status == 200,
    }
}

fn issued(world: &World, shop: &Account, new: Value) -> (String, String) {
    let key = world.grant(shop, new);
    (key.text("/data/key"), key.text("/data/id"))
}

fn listed(world: &World, shop: &Account) -> Vec<Value> {
    world.all(&world.admin_key, &format!("{}?limit=200", shop.path("/keys")))
}

#[test]
fn a_session_says_who_is_signed_in_and_may_what_its_key_may() {
    let (world, shop) = World::with_account(10_000);
    let new = json!({"title": "till", "scopes": ["account:read", "sms:send"], "lines": ["10001"], "mode": "test"});
    let (key, id) = issued(&world, &shop, new);
    let session = world.signed_in(&key);
    let told = world.page(&session, "/console/session").expect(200);
    let known = listed(&world, &shop);
    let own = known.iter().find(|known| known["sessionOf"] == json!(id)).unwrap();
    let ends = time::to_rfc3339(world.now_ms.get() + LASTS_MS);
    assert_eq!(
        told.json["data"],
        json!({
            "keyId": own["id"], "title": "till", "member": null, "accounts": [], "role": "CUSTOMER", "mode": "test", "lines": ["10001"],
            "account": {"id": shop.id, "username": "shop", "timeZone": "Asia/Tehran", "fullName": world.page(&session, "/account/info").text("/data/accountInfo/fullName")},
            "scopes": ["sms:send", "account:read"], "expiresAt": ends,
        })
    );
    let refused = world.page(&session, "/messages").refused(403);
    assert!(
        refused
            .header("WWW-Authenticate")
            .unwrap()
            .contains("scope=\"sms:read\"")
    );
    let text = json!({"message": "x", "recipients": ["09121234567"]});
    let sent = world
        .request("POST", "/sms/send")
        .session(&session)
        .json(text)
        .send()
        .expect(201);
    assert_eq!(sent.int("/data/cost"), 0, "it is the session of a test key");
}

#[test]
fn a_session_of_an_operator_is_for_operators_routes() {
    let (world, shop) = World::with_account(10_000);
    let session = world.signed_in(&world.admin_key);
    let told = world.page(&session, "/console/session").expect(200);
    told.has(json!({"role": "OPERATOR", "account": null, "scopes": ["admin"]}));
    assert_eq!(world.page(&session, &shop.path("")).text("/data/id"), shop.id);
    world.page(&session, "/account/info").refused(403);
}

#[test]
fn no_script_reads_the_cookie_and_no_other_site_gets_it() {
    let (world, shop) = World::with_account(0);
    let opened = world.ask("POST", &shop.key, "/console/session").send().expect(204);
    let attributes = format!("Path=/; HttpOnly; SameSite=Strict; Max-Age={LASTS_S}; Secure");
    assert_eq!(
        opened.header("Set-Cookie"),
        Some(&*format!("__Host-peyk_session={}; {attributes}", cookie(&opened)))
    );
    assert_eq!(opened.body, "");
    let local = world
        .ask("POST", &shop.key, "/console/session")
        .origin("http://127.0.0.1:8787");
    let local = local.send().expect(204);
    assert!(
        !local.header("Set-Cookie").unwrap().contains("Secure"),
        "this machine has no https"
    );
    let ended = world
        .request("DELETE", "/console/session")
        .session(&cookie(&opened))
        .send()
        .expect(204);
    let gone = "__Host-peyk_session=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0; Secure";
    assert_eq!(ended.header("Set-Cookie"), Some(gone));
}

#[test]
fn a_session_counts_from_the_pages_of_the_console_alone() {
    let (world, shop) = World::with_account(10_000);
    let session = world.signed_in(&shop.key);
    let site = |site: Option<&str>, origin: Option<&str>, console: Option<&str>| {
        let [site, origin, console] = [site, origin, console].map(|text| text.map(str::to_owned));
        let text = json!({"message": "x", "recipients": ["09121234567"]});
        let request = world.request("POST", "/sms/send").session(&session).json(text);
        let request = request.head(|head| {
            head.fetch_site = site;
            head.page_origin = origin;
            head.console = console;
        });
        request.send()
    };
    let origin = DOCS;
    for (fetch_site, page_origin, console) in [
        (Some("cross-site"), None, Some("1")),
        (Some("same-site"), None, Some("1")),
        (Some("none"), None, Some("1")),
        (Some("cross-site"), Some(origin), Some("1")),
        (Some("same-origin"), None, None),
        (Some("same-origin"), Some(origin), Some("0")),
        (None, Some("https://shop.example"), Some("1")),
        (None, Some("null"), Some("1")),
        (None, None, Some("1")),
        (None, Some(origin), None),
    ] {
        let refused = site(fetch_site, page_origin, console).problem(403, 403);
        assert!(refused.text("/detail").contains("X-Peyk-Console"), "{}", refused.body);
    }
    world.assert_untouched(&shop, 10_000);
    site(Some("same-origin"), None, Some("1")).expect(201);
    site(None, Some(origin), Some("1")).expect(201);
}

#[test]
fn a_cookie_carries_no_key_and_a_header_no_session() {
    let (world, shop) = World::with_account(0);
    let session = world.signed_in(&shop.key);
    world.get(&session, "/account/info").refused(401);
    for value in [&shop.key, "", "peyk_session_", "other", &format!("{session}x")] {
        world.page(value, "/account/info").refused(401);
    }
    // A key beside a cookie is the one that counts, also from elsewhere.
    let both = world.ask("GET", &shop.key, "/account/info").session(&session);
    both.head(|head| head.fetch_site = Some("cross-site".to_owned()))
        .send()
        .expect(200);
    let both = world.ask("GET", "peyk_live_wrong", "/account/info").session(&session);
    both.send().refused(401);
    // A session opens no other, so that it does not go on for ever.
    world
        .request("POST", "/console/session")
        .session(&session)
        .send()
        .refused(401);
    let id = world.page(&session, "/console/session").text("/data/keyId");
    world
        .post(&shop.key, &format!("/keys/{id}/rotate"), json!({}))
        .refused(404);
}

#[test]
fn a_session_ends_when_its_page_ends_it_and_the_others_go_on() {
    let (world, shop) = World::with_account(0);
    let [one, other, third] = [(); 3].map(|()| world.signed_in(&shop.key));
    let end = |session: &str, path: &str| world.request("DELETE", path).session(session).send().expect(204);
    end(&one, "/console/session");
    assert!(!is_signed_in(&world, &one) && is_signed_in(&world, &other));
    end(&other, "/console/session?everywhere=true");
    assert!(!is_signed_in(&world, &other) && !is_signed_in(&world, &third));
    world.read(&shop.key, "/account/info");
    let fourth = world.signed_in(&shop.key);
    world
        .request("DELETE", "/console/session?everywhere=x")
        .session(&fourth)
        .send()
        .refused(422);
    assert!(is_signed_in(&world, &fourth));
    world.delete(&shop.key, "/console/session").expect(204);
    assert!(!is_signed_in(&world, &fourth), "a key ends all of its sessions");
}

#[test]
fn a_session_ends_with_its_key_however_that_ends() {
    let (world, shop) = World::with_account(0);
    for end in ["", "?cascade=true"] {
        let (key, id) = issued(&world, &shop, json!({"title": "x"}));
        let [session, kept] = [&key, &shop.key].map(|key| world.signed_in(key));
        assert!(is_signed_in(&world, &session));
        world.delete(&shop.key, &format!("/keys/{id}{end}"));
        assert!(!is_signed_in(&world, &session) && is_signed_in(&world, &kept));
    }
    let (key, id) = issued(&world, &shop, json!({"title": "rotated"}));
    let session = world.signed_in(&key);
    world.posted(&shop.key, &format!("/keys/{id}/rotate"), json!({"graceSeconds": 60}));
    world.advance(59_999);
    assert!(is_signed_in(&world, &session));
    world.advance(1);
    assert!(!is_signed_in(&world, &session));
    let ends_ms = world.now_ms.get() + 5_000;
    let (key, _) = issued(
        &world,
        &shop,
        json!({"title": "short", "expiresAt": time::to_rfc3339(ends_ms)}),
    );
    let session = world.signed_in(&key);
    world.advance(4_999);
    assert!(is_signed_in(&world, &session));
    world.advance(1);
    assert!(!is_signed_in(&world, &session));
}

#[test]
fn a_session_ends_after_half_a_day_and_is_forgotten_everywhere() {
    let (world, shop) = World::with_account(0);
    let session = world.signed_in(&shop.key);
    world.advance(LASTS_MS - 1);
    assert!(is_signed_in(&world, &session));
    world.advance(1);
    assert!(!is_signed_in(&world, &session));
    world.settle(60_000);
    assert_eq!(listed(&world, &shop).len(), 1, "the key alone is left");
    assert_eq!(world.sql(&shop.id).count("key_maker"), 0);
    assert!(world.kv_calls_for(&session).contains(&"delete"));
}

#[test]
fn what_a_session_makes_outlives_it_as_what_its_key_has_made() {
    let (world, shop) = World::with_account(10_000);
    let all = json!({"title": "owner", "scopes": peyk::auth::Scope::all_of(false)});
    let (key, id) = issued(&world, &shop, all);
    let session = world.signed_in(&key);
    let made = world
        .request("POST", "/keys")
        .session(&session)
        .json(json!({"title": "made"}));
    let made = made.send().expect(201);
    made.has(json!({"createdBy": id, "expiresAt": null}));
    let path = format!("/keys/{}/rotate", made.text("/data/id"));
    let rotated = world
        .request("POST", &path)
        .session(&session)
        .json(json!({}))
        .send()
        .expect(201);
    rotated.has(json!({"createdBy": id}));
    let hook = json!({"url": "https://shop.example/hook", "events": ["message.status"]});
    let hook = world
        .request("POST", "/webhook")
        .session(&session)
        .json(hook)
        .send()
        .expect(201);
    world.advance(LASTS_MS);
    world.settle(60_000);
    let entries = world.all(&world.admin_key, &format!("/admin/audit?key={id}"));
    assert_eq!(entries.len(), 4, "the key did it: {entries:?}");
    let thrown = world.delete(&shop.key, &format!("/keys/{id}?cascade=true")).expect(200);
    assert_eq!(
        thrown.json["data"]["keys"].as_array().unwrap().len(),
        3,
        "{}",
        thrown.body
    );
    assert_eq!(thrown.text("/data/webhooks/0/id"), hook.text("/data/id"));
}

#[test]
fn what_a_session_spends_counts_for_its_key() {
    let (world, shop) = World::with_account(100_000);
    let (key, _) = issued(
        &world,
        &shop,
        json!({"title": "till", "dailySpend": 3_000, "ratePerMinute": 20}),
    );
    let text = json!({"message": "x", "recipients": ["09121234567"]});
    for _ in 0..3 {
        let session = world.signed_in(&key);
        let send = world.request("POST", "/sms/send").session(&session).json(text.clone());
        send.send().expect(201);
    }
    world.post(&key, "/sms/send", text.clone()).problem(429, 2002);
    let session = world.signed_in(&key);
    let send = world.request("POST", "/sms/send").session(&session).json(text);
    send.send().problem(429, 2002);
    let answers: Vec<u16> = (0..20)
        .map(|_| world.page(&session, "/console/session").response.status)
        .collect();
    assert!(answers.contains(&429), "the key has few requests: {answers:?}");
}

#[test]
fn no_operator_is_a_second_one_by_a_session() {
    let (mut world, shop) = World::with_account(0);
    world.app.config.credit_approval_above = Some(1_000);
    let session = world.signed_in(&world.admin_key);
    let ask = |session: &str| {
        let credit = json!({"amount": 100_000, "note": "x"});
        let asked = world
            .request("POST", &shop.path("/credit"))
            .session(session)
            .json(credit);
        format!("/admin/credits/{}/approve", asked.send().expect(202).text("/data/id"))
    };
    let path = ask(&session);
    let other = world.signed_in(&world.admin_key);
    world.request("POST", &path).session(&session).send().refused(403);
    world.request("POST", &path).session(&other).send().refused(403);
    world.admin("POST", &path, json!({})).refused(403);
    // Nor when the session has ended, and nobody knows it any more.
    world
        .request("DELETE", "/console/session")
        .session(&session)
        .send()
        .expect(204);
    world.settle(60_000);
    world.request("POST", &path).session(&other).send().refused(403);
    assert_eq!(world.balance(&shop.key), (0, 0));
}

#[test]
fn the_last_key_of_the_operators_stays_however_many_sessions_it_has() {
    let (world, _) = World::with_account(0);
    let session = world.signed_in(&world.admin_key);
    let known = world.look("/admin/keys");
    let own = known.items().iter().find(|key| key["sessionOf"].is_string()).unwrap();
    let key = own["sessionOf"].as_str().unwrap();
    let revoke = |session: &str| {
        world
            .request("DELETE", &format!("/admin/keys/{key}"))
            .session(session)
            .send()
    };
    revoke(&session).refused(409);
    let narrow = json!({"title": "x", "scopes": ["admin:service", "admin:read"]});
    let narrow = world.create("/admin/keys", narrow).text("/data/key");
    world.delete(&narrow, &format!("/admin/keys/{key}")).refused(403);
    assert!(is_signed_in(&world, &session));
    assert_eq!(world.sql(OPERATOR).count("api_key WHERE revoked_ms IS NOT NULL"), 0);
}

#[test]
fn sessions_are_bounded() {
    let (world, shop) = World::with_account(0);
    let open = |_| {
        world.advance(1_000);
        world.signed_in(&shop.key)
    };
    let sessions: Vec<String> = (0..12).map(open).collect();
    let signed_in: Vec<bool> = sessions.iter().map(|session| is_signed_in(&world, session)).collect();
    assert_eq!(signed_in, [vec![false; 2], vec![true; 10]].concat(), "the oldest ended");
    // They take no room from keys.
    world.fill_with_sessions(&shop.id);
    world.grant(&shop, json!({"title": "x"}));
    let refused = world.ask("POST", &shop.key, "/console/session").send().refused(409);
    assert_eq!(refused.header("Set-Cookie"), None);
}
