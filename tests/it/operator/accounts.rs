//! The operators' endpoints under `/admin`: accounts, credit, keys, lines and plans.

use serde_json::json;

use crate::support::{World, time::MINUTE_MS};

#[test]
fn accounts_are_made_listed_and_changed() {
    let (world, shop) = World::with_account(7_000);
    let body = json!({"username": "shop", "fullName": "x"});
    world.admin("POST", "/admin/accounts", body).refused(409);
    let body = json!({"username": "a b", "plan": "none"});
    let bad = world.admin("POST", "/admin/accounts", body).refused(422);
    assert_eq!(bad.extra().len(), 3, "{:?}", bad.extra());
    let path = shop.path("");
    let bad = json!({"status": "ASLEEP", "sendingEnabled": "no", "plan": "none", "defaultLine": "404", "fullName": "",
        "rateLimit": {"limit": 0, "burst": 1}});
    assert_eq!(world.admin("PATCH", &path, bad).refused(422).extra().len(), 7);
    let changed = world.change(&path, json!({"fullName": "Shop & Co", "status": "INACTIVE"}));
    changed.has(json!({"fullName": "Shop & Co", "status": "INACTIVE"}));
    let expected = json!({"limit": 1_200, "windowSeconds": 60, "burst": 300});
    assert_eq!(changed.json["data"]["rateLimit"], expected);
    world.settle(5_000);
    let listed = world.look("/admin/accounts");
    let (mirror, truth) = (&listed.json["data"][0], world.look(&path));
    for member in "id status sendingEnabled wallet plan defaultLine fullName".split(' ') {
        assert_eq!(mirror[member], truth.json["data"][member], "{member}");
    }
    world.get(&world.admin_key, "/admin/accounts/operator").refused(404);
    world.admin("PATCH", "/admin/accounts/none", json!({})).refused(404);
}

#[test]
fn lines_are_made_changed_and_removed() {
    let (world, shop) = World::with_account(0);
    let admin = |method: &str, path: &str, body: serde_json::Value| world.admin(method, path, body);
    let line = json!({"number": "+982100", "carrier": "sandbox", "operations": ["PATTERN"], "accounts": [shop.id],
        "coefficients": {"PERSIAN": 1.25, "MTN": 0}});
    let made = admin("POST", "/admin/lines", line.clone()).expect(201);
    let expected = json!({"PERSIAN": 1.25, "ENGLISH": 1.0, "MCI": 1.0, "MTN": 0.0, "WEBSERVICE": 1.0, "PATTERN": 1.0});
    assert_eq!(made.json["data"]["coefficients"], expected);
    assert_eq!(made.json["data"]["accounts"], json!([shop.id]));
    admin("POST", "/admin/lines", line).refused(409);
    let body = json!({"number": "x", "carrier": "none", "operations": ["FLY"], "accounts": ["nobody"],
        "coefficients": {"MCI": 0.00001}});
    assert_eq!(admin("POST", "/admin/lines", body).refused(422).extra().len(), 5);
    let body = json!({"accounts": [], "active": false});
    let changed = admin("PATCH", "/admin/lines/+982100", body).expect(200);
    changed.has(json!({"accounts": [], "active": false}));
    let used = admin("DELETE", "/admin/lines/10001", json!(null)).refused(409);
    let wanted = format!(
        "The line is the default line of accounts; give them another one first: {}.",
        world.look(&shop.path("")).text("/data/username")
    );
    assert_eq!(used.text("/detail"), wanted);
    admin("DELETE", "/admin/lines/%2B982100", json!(null)).expect(204);
    let gone = admin("GET", "/admin/lines/+982100", json!(null)).refused(404);
    let wanted = "No line was found: check the ids and names in the path.";
    assert_eq!(gone.text("/detail"), wanted);
    admin("PATCH", "/admin/lines/+982100", json!({})).refused(404);
    assert_eq!(admin("GET", "/admin/lines", json!(null)).expect(200).items().len(), 1);
}

#[test]
fn credit_is_added_once_and_never_takes_more_than_there_is() {
    let (world, shop) = World::with_account(1_000);
    let path = shop.path("/credit");
    let credit = |body: serde_json::Value| world.post_once(&world.admin_key, &path, "c1", body);
    let first = credit(json!({"amount": 500, "note": "top-up"})).expect(201);
    assert_eq!(first.int("/data/wallet/availableBalance"), 1_500);
    world.send(&shop.key, &["09121234567"]).expect(201);
    let again = credit(json!({"amount": 500, "note": "top-up"})).expect(201);
    assert_eq!(again.json["data"], first.json["data"]);
    assert_eq!(again.header("Idempotency-Replayed"), Some("true"));
    let sql = world.sql(&shop.id);
    let sums = sql
        .statements()
        .into_iter()
        .find(|sql| sql.contains("sum(credited) FROM ledger"));
    let plan = sql.plan(&sums.unwrap());
    assert!(plan.iter().any(|step| step.contains("ledger_credit")), "{plan:?}");
    credit(json!({"amount": 501})).refused(422);
    assert_eq!(world.balance(&shop.key), (500, 1_000));
    world.admin("POST", &path, json!({"amount": -501})).problem(400, 2001);
    world.create(&path, json!({"amount": -500}));
    let body = json!({"amount": 9_007_199_254_740_991i64});
    world.admin("POST", &path, body).refused(409);
    for bad in [
        json!(0),
        json!(1.5),
        json!("5"),
        json!(9_007_199_254_740_992i64),
        json!(null),
    ] {
        world.admin("POST", &path, json!({"amount": bad})).refused(422);
    }
    let refused = world.admin("POST", "/admin/accounts/none/credit", json!({"amount": 5}));
    refused.refused(404);
    assert_eq!(world.balance(&shop.key), (0, 1_000));
}

#[test]
fn plans_set_the_price() {
    let (world, shop) = World::with_account(100_000);
    let plan = json!({"slug": "gold", "title": "Gold", "tariff": {"slug": "g", "title": "G", "price": 700}});
    world.create("/admin/plans", plan.clone());
    world.admin("POST", "/admin/plans", plan).refused(409);
    let body = json!({"slug": "no spaces", "tariff": {"price": -1}, "refunds": ["DELIVERED"]});
    assert_eq!(world.admin("POST", "/admin/plans", body).refused(422).extra().len(), 6);
    world.change_account(&shop, json!({"plan": "gold"}));
    let line = json!({"coefficients": {"PERSIAN": 1.5, "ENGLISH": 0.3333, "MCI": 2}});
    world.change("/admin/lines/10001", line);
    let tariff = world.read(&shop.key, "/plan/tariff");
    let expected = json!({"title": "G", "price": 700, "prices": [], "slug": "g"});
    assert_eq!(tariff.json["data"]["tariff"], expected);
    assert_eq!(tariff.json["data"]["textsCoefficients"][0]["PERSIAN"], json!(1.5));
    let cost = |message: &str, recipient: &str| {
        let body = json!({"message": message, "recipients": [recipient]});
        world.posted(&shop.key, "/sms/send", body).int("/data/cost")
    };
    assert_eq!(cost("سلام", "09121234567"), 2_100);
    assert_eq!(cost("hello", "09351234567"), 234, "233.31 rounded up");
    world.change("/admin/plans/gold", json!({"tariff": {"price": 1_000}}));
    assert_eq!(cost("سلام", "09351234567"), 1_500);
    world.admin("PATCH", "/admin/plans/none", json!({})).refused(404);
}

#[test]
fn lists_of_operators_stay_whole_while_things_come_and_go() {
    let (world, shop) = World::with_account(0);
    let make = |n: u32| {
        world.share_line(&format!("2000{n}"), "sandbox", &["WEBSERVICE"]);
        let plan = json!({"slug": format!("plan{n}"), "title": "x", "tariff": {"slug": "t", "title": "t", "price": 1}});
        world.create("/admin/plans", plan);
        let account = json!({"username": format!("shop{n}"), "fullName": "x"});
        world.create("/admin/accounts", account);
        world.grant(&shop, json!({"title": format!("key{n}")}));
    };
    [1, 3, 5, 7].into_iter().for_each(make);
    world.advance(31_000);
    let keys = shop.path("/keys");
    let lists = [
        (world.admin_key.as_str(), "/admin/lines", "number"),
        (&world.admin_key, "/admin/plans", "slug"),
        (&world.admin_key, "/admin/accounts", "username"),
        (&world.admin_key, keys.as_str(), "title"),
        (&shop.key, "/lines", "number"),
    ];
    let page = |key: &str, path: &str, name: &str, query: &str| {
        let page = world.read(key, &format!("{path}?limit=2{query}"));
        let items = page.items().iter();
        let names: Vec<String> = items.map(|item| item[name].as_str().unwrap().to_owned()).collect();
        (names, page.json["meta"]["nextCursor"].as_str().map(str::to_owned))
    };
    let firsts = lists.map(|(key, path, name)| page(key, path, name, ""));
    [2, 6].into_iter().for_each(make);
    world.advance(31_000);
    for ((key, path, name), (mut seen, mut cursor)) in lists.into_iter().zip(firsts) {
        while let Some(next) = cursor {
            let (names, after) = page(key, path, name, &format!("&cursor={next}"));
            seen.extend(names);
            cursor = after;
        }
        let mut once = seen.clone();
        once.sort();
        once.dedup();
        assert_eq!(once.len(), seen.len(), "{path} repeats: {seen:?}");
        for n in [1, 3, 5, 7] {
            assert!(
                seen.iter().any(|name| name.ends_with(&n.to_string())),
                "{path} hides {n}: {seen:?}"
            );
        }
    }
}

#[test]
fn operators_are_limited_too_on_every_route_of_theirs() {
    let world = World::new();
    let spend = |path: &str| world.get(&world.admin_key, path);
    (0..1_000).for_each(|_| drop(spend("/admin/plans").expect(200)));
    world.use_up_reserve(&world.admin_key, "/admin/keys");
    let routes = peyk::api::routes::ROUTES.iter();
    for route in routes.filter(|route| route.path.starts_with("/admin/")) {
        let answer = world
            .ask(route.method, &world.admin_key, route.path)
            .body("text/plain", b"{")
            .send();
        assert!(answer.refused(429).header("Retry-After").is_some(), "{}", route.path);
    }
}

#[test]
fn keys_expire_are_revoked_and_rotate_with_a_grace_period() {
    let (world, shop) = World::with_account(10_000);
    let keys = shop.path("/keys");
    let body = json!({"title": "short", "expiresAt": peyk::base::time::to_rfc3339(world.now_ms.get() + MINUTE_MS)});
    let short = world.create(&keys, body).text("/data/key");
    world.read(&short, "/account/info");
    world.advance(MINUTE_MS);
    let ended = world.get(&short, "/account/info").refused(401);
    assert_eq!(ended.header("WWW-Authenticate"), Some("Bearer error=\"invalid_token\""));

    let rotated = world.create(&format!("{keys}/{}/rotate", shop.key_id), json!({"graceSeconds": 60}));
    let new_key = rotated.text("/data/key");
    world.read(&shop.key, "/account/info");
    world.read(&new_key, "/account/info");
    world.advance(MINUTE_MS);
    world.get(&shop.key, "/account/info").refused(401);

    // The account's object refuses a revoked key at once, even if KV and the caches still have its record.
    let record = world.keys.borrow().get(&peyk::auth::digest(&new_key)).cloned().unwrap();
    let path = format!("{keys}/{}", rotated.text("/data/id"));
    world.admin("DELETE", &path, json!(null)).expect(204);
    world.keys.borrow_mut().insert(peyk::auth::digest(&new_key), record);
    world.send(&new_key, &["09121234567"]).refused(401);
    let refused = world.admin("DELETE", &format!("{keys}/nothing"), json!(null));
    refused.refused(404);
    let listed = world.look(&keys);
    assert_eq!(listed.items().len(), 3);
    assert!(!listed.body.contains(&new_key), "a list shows no key");
}

#[test]
fn a_rotation_that_is_repeated_makes_a_key_that_lasts_as_long_as_the_first() {
    let (world, shop) = World::with_account(0);
    let keys = shop.path("/keys");
    let rotate = |id: &str| world.create(&format!("{keys}/{id}/rotate"), json!({}));
    // The client did not get the first answer, so it asks again while the old key still works.
    rotate(&shop.key_id);
    let again = rotate(&shop.key_id);
    assert_eq!(again.json["data"]["expiresAt"], json!(null));
    let ends = peyk::base::time::to_rfc3339(world.now_ms.get() + 90 * 24 * 60 * MINUTE_MS);
    let short = world.create(&keys, json!({"title": "short", "expiresAt": ends}));
    for _ in 0..2 {
        assert_eq!(rotate(&short.text("/data/id")).text("/data/expiresAt"), ends);
    }
    world.advance(2 * 24 * 60 * MINUTE_MS);
    world.read(&again.text("/data/key"), "/account/info");
    world.get(&shop.key, "/account/info").refused(401);
}

#[test]
fn a_minted_key_is_never_looked_up_before_it_is_put() {
    // KV remembers a miss for a minute: a key that was looked up first would not work that long.
    let (world, shop) = World::with_account(0);
    let keys = shop.path("/keys");
    let issued = world.create(&keys, json!({"title": "new"}));
    assert_eq!(world.kv_calls_for(&issued.text("/data/key")), ["put"]);
    let rotate = format!("{keys}/{}/rotate", issued.text("/data/id"));
    let rotated = world.create(&rotate, json!({})).text("/data/key");
    assert_eq!(world.kv_calls_for(&rotated), ["put"]);
    world.read(&rotated, "/account/info");
    // An imported key may be another account's already, so only for it somebody looks first.
    let imported = "17|AbCdEfGhIjKlMnOp+/=";
    world.create(&keys, json!({"title": "old", "key": imported}));
    assert_eq!(world.kv_calls_for(imported), ["get", "put"]);
}

#[test]
fn an_imported_key_that_was_tried_before_works_at_once_where_it_was_imported() {
    let (world, shop) = World::with_account(0);
    let imported = "17|AbCdEfGhIjKlMnOp+/=";
    world.get(imported, "/account/info").refused(401);
    world.grant(&shop, json!({"title": "old", "key": imported}));
    // KV still answers with the miss that it remembers.
    world.keys.borrow_mut().remove(&peyk::auth::digest(imported));
    world.read(imported, "/account/info");
}

#[test]
fn imported_keys_of_any_shape_work_and_are_kept_as_digests_only() {
    let (world, shop) = World::with_account(10_000);
    let keys = shop.path("/keys");
    let import = |key: &str| {
        world.admin(
            "POST",
            &keys,
            json!({"title": "old", "key": key, "scopes": ["sms:send"]}),
        )
    };
    import("17|AbCdEfGhIjKlMnOp+/=").expect(201);
    world.send("17|AbCdEfGhIjKlMnOp+/=", &["09121234567"]).expect(201);
    import("17|AbCdEfGhIjKlMnOp+/=").refused(409);
    import("short").refused(422);
    import("peyk_live_0000000000000000000000000000000000000x").refused(422);
    let lacking = world.get("17|AbCdEfGhIjKlMnOp+/=", "/account/info").refused(403);
    let expected = "Bearer error=\"insufficient_scope\", scope=\"account:read\"";
    assert_eq!(lacking.header("WWW-Authenticate"), Some(expected));
    assert!(lacking.header("RateLimit").is_some());
    let hides = |(name, record): (&String, &String)| !name.contains("AbCd") && !record.contains("AbCd");
    assert!(world.keys.borrow().iter().all(hides));
    assert!(!world.has_logged("AbCd") && !world.has_logged("hello"));
}

#[test]
fn keys_of_an_account_never_get_the_operators_scope() {
    let (world, shop) = World::with_account(0);
    let keys = shop.path("/keys");
    let body = json!({"title": "x", "scopes": ["admin", "admin:read"]});
    world.admin("POST", &keys, body).refused(422);
    let all = world.create(&keys, json!({"title": "x"})).text("/data/key");
    world.get(&all, "/admin/accounts").refused(403);
    world.get(&world.admin_key, "/account/info").refused(403);
}
