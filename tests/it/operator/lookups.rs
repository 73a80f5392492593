//! What operators look things up with: search, the last use of keys, usage, the switch, dead letters, health.

use std::cell::RefCell;

use peyk::objects::nightly;
use serde_json::{Value, json};

use crate::support::{Answer, OPERATOR_KEY_ID, World, assert_has, life::Life, time::DAY_MS, to_end};

fn data(answer: &Answer) -> Vec<Value> {
    answer.items().clone()
}

/// One member of each item that a list has.
fn members(world: &World, path: &str, member: &str) -> Vec<String> {
    let join = if path.contains('?') { '&' } else { '?' };
    let mut all = Vec::new();
    world.walk(&world.admin_key, &format!("{path}{join}limit=2"), |page| {
        all.extend(page.texts(member));
    });
    all
}

#[test]
fn accounts_are_found_by_the_beginning_of_username_name_or_id() {
    let world = World::new();
    let mut ids = Vec::new();
    for (username, name) in [
        ("zebra", "Alpha"),
        ("Alice", "z"),
        ("bob", "کتاب‌فروشی"),
        ("albert", "AL%_"),
    ] {
        world.advance(1);
        let body = json!({"username": username, "fullName": name});
        ids.push(world.create("/admin/accounts", body).text("/data/id"));
    }
    let find = |q: &str| members(&world, &format!("/admin/accounts?q={q}"), "username");
    assert_eq!(find("AL"), ["zebra", "Alice", "albert"]);
    assert_eq!(find("alb"), ["albert"]);
    assert_eq!(find("%DA%A9%D8%AA%D8%A7"), ["bob"]);
    assert_eq!(find("al%25"), ["albert"], "no character stands for others");
    assert_eq!(find("l"), Vec::<String>::new());
    assert_eq!(find(&ids[1]), ["Alice"]);
    for bad in ["", "%20", &"x".repeat(101)] {
        let path = format!("/admin/accounts?q={bad}");
        world.get(&world.admin_key, &path).refused(422);
    }
    let walks = world.db.walks(&["account"]);
    assert!(walks.is_empty(), "{walks:#?}");
}

#[test]
fn lines_carriers_and_plans_are_found() {
    let world = World::new();
    for number in ["10001", "+98300050", "00983000505", "Shop", "+9830"] {
        world.share_line(number, "sandbox", &["WEBSERVICE"]);
    }
    let lines = |q: &str| members(&world, &format!("/admin/lines?q={q}"), "number");
    assert_eq!(lines("98300050"), ["+98300050", "00983000505"]);
    assert_eq!(lines("%2B983000"), ["+98300050", "00983000505"]);
    assert_eq!(lines("sHo"), ["Shop"]);
    assert_eq!(lines("0005"), Vec::<String>::new());
    let walks = world.db.walks(&["l", "line"]);
    assert!(walks.is_empty(), "{walks:#?}");
    world.add_sandboxes(&["tci-main", "mci"], "{}");
    let carriers = |q: &str| members(&world, &format!("/admin/carriers?q={q}"), "name");
    assert_eq!(carriers("CI"), ["mci", "tci-main"]);
    assert_eq!(carriers("main"), ["tci-main"]);
    for (slug, title) in [("gold", "Best"), ("silver", "Almost Gold")] {
        let plan = json!({"slug": slug, "title": title, "tariff": {"slug": "t", "title": "T", "price": 7}});
        world.create("/admin/plans", plan);
    }
    let plans = |q: &str| members(&world, &format!("/admin/plans?q={q}"), "slug");
    assert_eq!(plans("GOLD"), ["gold", "silver"]);
    assert_eq!(plans("x"), Vec::<String>::new());
    for list in ["lines", "carriers", "plans"] {
        world.get(&world.admin_key, &format!("/admin/{list}?q=")).refused(422);
    }
}

#[test]
fn a_key_shows_the_hour_and_the_address_of_its_last_use_which_are_written_seldom() {
    let (world, shop) = World::with_busy_account(1_000_000);
    let path = shop.path("/keys");
    let last = |path: &str| {
        let key = data(&world.look(path))[0].clone();
        (key["lastUsedAt"].clone(), key["lastAddress"].clone())
    };
    assert_eq!(last(&path), (Value::Null, Value::Null));
    let sql = world.sql(&shop.id);
    sql.run("CREATE TEMP TABLE uses (id)");
    sql.run("CREATE TEMP TRIGGER uses AFTER UPDATE ON main.api_key BEGIN INSERT INTO uses VALUES (1); END");
    let writes = || sql.count("uses");
    let use_from = |address: Option<&str>| {
        let request = world.ask("GET", &shop.key, "/lines");
        let request = match address {
            Some(address) => request.from(address),
            None => request,
        };
        request.send().expect(200);
    };
    let (noon, one) = (json!("2026-01-01T12:00:00.000Z"), json!("2026-01-01T13:00:00.000Z"));
    for _ in 0..3 {
        use_from(None);
    }
    assert_eq!((last(&path), writes()), ((noon.clone(), Value::Null), 1));
    // Another address shows a minute after the last note.
    use_from(Some("192.0.2.7"));
    world.advance(59_999);
    use_from(Some("192.0.2.7"));
    assert_eq!((last(&path), writes()), ((noon.clone(), Value::Null), 1));
    world.advance(1);
    for address in ["192.0.2.7", "192.0.2.8", "192.0.2.7"] {
        use_from(Some(address));
    }
    assert_eq!((last(&path), writes()), ((noon.clone(), json!("192.0.2.7")), 2));
    world.advance(60_000);
    use_from(Some("2001:db8::1"));
    use_from(None);
    assert_eq!((last(&path), writes()), ((noon, json!("2001:db8::1")), 3));
    // The next hour, one from nobody knows where.
    world.advance(DAY_MS / 24 - 120_000 - 1);
    use_from(Some("2001:db8::1"));
    assert_eq!(writes(), 3);
    world.advance(1);
    for _ in 0..3 {
        use_from(None);
    }
    assert_eq!((last(&path), writes()), ((one.clone(), json!("2001:db8::1")), 4));
    world.advance(DAY_MS);
    assert_eq!(last(&path).0, one, "an operator's look at it is no use");
    let from = world.ask("GET", &world.admin_key, "/admin/lines").from("192.0.2.9");
    from.send().expect(200);
    let operators = (json!("2026-01-02T13:00:00.000Z"), json!("192.0.2.9"));
    assert_ne!(last("/admin/keys"), operators, "that was a minute ago at most");
    world.advance(60_000);
    world
        .ask("GET", &world.admin_key, "/admin/lines")
        .from("192.0.2.9")
        .send()
        .expect(200);
    assert_eq!(last("/admin/keys"), operators, "operators' keys too");
}

#[test]
fn usage_is_added_up_by_day_account_line_and_carrier() {
    let (world, shop) = World::with_busy_account(1_000_000);
    let other = world.account("other", 1_000_000);
    world.send(&shop.key, &["09121234567", "09121234568"]).expect(201);
    world.send(&other.key, &["09121234567"]).expect(201);
    world.settle(120_000);
    world.advance(DAY_MS);
    world.send(&shop.key, &["09121234567"]).expect(201);
    world.settle(120_000);
    let sums = |query: &str| -> Vec<(String, i64, i64, i64)> {
        let page = world.look(&format!("/admin/usage?{query}"));
        let int = |item: &Value, name: &str| item[name].as_i64().unwrap();
        let sum = |item: &Value| {
            let key = item["key"].as_str().unwrap().to_owned();
            let [messages, recipients, delivered] = ["messages", "recipients", "delivered"].map(|name| int(item, name));
            (key, messages, recipients, delivered)
        };
        data(&page).iter().map(sum).collect()
    };
    let item = |key: &str, messages, recipients, delivered| (key.to_owned(), messages, recipients, delivered);
    let days = [item("2026-01-01", 2, 3, 3), item("2026-01-02", 1, 1, 1)];
    assert_eq!(sums(""), days);
    assert_eq!(sums("from=2026-01-01&to=2026-01-02"), days);
    assert_eq!(sums("to=2026-01-01"), days[..1]);
    assert_eq!(sums("from=2026-01-02"), days[1..]);
    assert_eq!(sums("from=2025-12-01&to=2025-12-31"), []);
    assert_eq!(sums("by=account"), [item(&shop.id, 2, 3, 3), item(&other.id, 1, 1, 1)]);
    assert_eq!(sums("by=line"), [item("10001", 3, 4, 4)]);
    // What is accepted and what no carrier has taken differ by what carriers have.
    assert_eq!(sums("by=carrier"), [item("", 3, 0, 0), item("sandbox", 0, 4, 4)]);
    assert_eq!(sums(&format!("account={}", other.id)), [item("2026-01-01", 1, 1, 1)]);
    assert_eq!(sums("carrier=sandbox&by=line"), [item("10001", 0, 4, 4)]);
    assert_eq!(sums("line=10001&mode=test"), []);
    let wanted = [shop.id.clone(), other.id.clone()];
    assert_eq!(members(&world, "/admin/usage?by=account", "key"), wanted);
    let cursor = world.look("/admin/usage?limit=1").text("/meta/nextCursor");
    assert_eq!(sums(&format!("limit=1&cursor={cursor}")), days[1..]);
    for bad in
        "by=week from=x to=2026-02-30 from=2026-01-02&to=2026-01-01 from=2026-01-01&to=2026-04-03 mode=x".split(' ')
    {
        world.get(&world.admin_key, &format!("/admin/usage?{bad}")).refused(422);
    }
    world.look("/admin/usage?from=2026-01-01&to=2026-04-02");
    world.get(&shop.key, "/admin/usage").refused(403);
    let walks = world.db.walks(&["usage"]);
    assert!(walks.is_empty(), "{walks:#?}");
}

#[test]
fn the_switch_for_all_says_who_switched_it_and_why() {
    let (world, shop) = World::with_account(1_000_000);
    let shown = || world.look("/admin/sending").json["data"].clone();
    let expected = json!({"enabled": true, "reason": null, "changedBy": null, "since": null});
    assert_eq!(shown(), expected);
    let off = json!({"enabled": false, "reason": "maintenance"});
    world.admin("PUT", "/admin/sending", off.clone()).expect(200);
    let since = json!({"enabled": false, "reason": "maintenance", "changedBy": OPERATOR_KEY_ID, "since": "2026-01-01T12:00:00.000Z"});
    assert_eq!(shown(), since);
    world.send(&shop.key, &["09121234567"]).problem(412, 3011);
    world.advance(60_000);
    world.admin("PUT", "/admin/sending", off).expect(200);
    assert_eq!(shown(), since, "nothing was switched");
    for bad in [
        json!({"reason": "x"}),
        json!({"enabled": true, "reason": ""}),
        json!({"enabled": true, "reason": "x".repeat(501)}),
    ] {
        world.admin("PUT", "/admin/sending", bad).refused(422);
    }
    assert_eq!(shown(), since);
    // Without a reason: a repeat leaves what is known, and a switch notes who and when.
    world
        .admin("PUT", "/admin/sending", json!({"enabled": false}))
        .expect(200);
    assert_eq!(shown(), since);
    for body in [json!({"enabled": true}), json!({"enabled": true, "reason": null})] {
        world.admin("PUT", "/admin/sending", body).expect(200);
        let expected =
            json!({"enabled": true, "reason": null, "changedBy": OPERATOR_KEY_ID, "since": "2026-01-01T12:01:00.000Z"});
        assert_eq!(shown(), expected);
        world.advance(60_000);
    }
    world.send(&shop.key, &["09121234567"]).expect(201);
    world.get(&shop.key, "/admin/sending").refused(403);
}

#[test]
fn dead_letters_are_found_by_account_and_kind() {
    let world = World::new();
    for (account, seq, kind) in [("a", 1, "STUCK"), ("a", 2, "GIVEN_UP"), ("b", 1, "GIVEN_UP")] {
        let sql = "INSERT INTO dead_letter (account, seq, at_ms, uid, carrier, recipients, attempts, reason, kind) \
             VALUES (?1, ?2, 0, '019b796d-0000-7000-8000-000000000001', '', 1, 1, 'x', ?3)";
        let account = format!("019b796d-0000-7000-8000-00000000000{account}");
        let params = [account.as_str().into(), i64::from(seq).into(), kind.into()];
        world.db.run_with(sql, &params);
    }
    let (a, b) = (
        "019b796d-0000-7000-8000-00000000000a",
        "019b796d-0000-7000-8000-00000000000b",
    );
    let find = |query: &str| members(&world, &format!("/admin/dead-letters?{query}"), "account");
    assert_eq!(find(""), [b, a, a]);
    assert_eq!(find(&format!("account={a}")), [a, a]);
    assert_eq!(find("kind=GIVEN_UP"), [b, a]);
    assert_eq!(find(&format!("kind=STUCK&account={b}")), Vec::<String>::new());
    for bad in ["kind=x", "account="] {
        let path = format!("/admin/dead-letters?{bad}");
        world.get(&world.admin_key, &path).refused(422);
    }
}

#[test]
fn health_tells_the_version_and_what_is_down() {
    let (world, shop) = World::with_account(0);
    let version = env!("CARGO_PKG_VERSION");
    let health = world.request("GET", "/health").send().expect(200);
    assert_eq!(health.json["data"], json!({"status": "UP", "version": version}));
    let state = |health: &Answer, part: &str| health.text(&format!("/data/{part}/state"));
    let health = world.look("/admin/health");
    health.has(json!({"status": "UP", "version": version}));
    let wanted = ["UP", "UP", "UP"];
    assert_eq!(["kv", "d1", "object"].map(|part| state(&health, part)), wanted);
    let expected = json!([{"name": "sandbox", "state": "UP", "latencyMs": 0}]);
    assert_eq!(health.json["data"]["carriers"], expected);
    let bytes = health.int("/data/storage/bytes");
    assert!(bytes > 100_000);
    let storage = json!({"state": "UP", "bytes": bytes, "maxBytes": 10_000_000_000_u64, "customerBytes": 0,
        "maxCustomerBytes": 5_000_000_000_u64});
    assert_eq!(health.json["data"]["storage"], storage);
    world.keys_are_down.set(true);
    let health = world.look("/admin/health");
    assert_eq!(["kv", "d1"].map(|part| state(&health, part)), ["DOWN", "UP"]);
    assert_eq!(health.text("/data/status"), "DOWN");
    world.keys_are_down.set(false);
    world.db.is_down.set(true);
    let health = world.look("/admin/health");
    let wanted = ("DOWN".to_owned(), "UP".to_owned());
    assert_eq!((state(&health, "d1"), state(&health, "object")), wanted);
    assert_eq!(health.json["data"]["storage"], Value::Null);
    world.db.is_down.set(false);
    world.get(&shop.key, "/admin/health").refused(403);
}

#[test]
fn operators_are_warned_when_the_database_has_reached_70_percent() {
    let (mut world, shop) = World::with_account(0);
    world.phonebook(
        &shop.key,
        "A",
        json!([
            "09121234561",
            "09121234562",
            "09121234563",
            "09121234564",
            "09121234565",
            "09121234566",
            "09121234567"
        ]),
    );
    let states = |world: &World| {
        let health = world.look("/admin/health");
        (health.text("/data/status"), health.text("/data/storage/state"))
    };
    let warned = |world: &World| {
        world.log.borrow_mut().clear();
        to_end(nightly::run(world, &world.app.config));
        let log = world.log.borrow();
        log.iter()
            .any(|line| line.contains(r#""event":"storage""#) && line.contains(r#""level":"warning""#))
    };
    let (up, degraded) = (("UP", "UP"), ("DEGRADED", "DEGRADED"));
    let is = |(status, state): (&str, &str)| (status.to_owned(), state.to_owned());
    world.app.config.customer_bytes = 1_001;
    assert_eq!((states(&world), warned(&world)), (is(up), false));
    world.app.config.customer_bytes = 1_000;
    assert_eq!((states(&world), warned(&world)), (is(degraded), true));
    world.app.config.customer_bytes = 5_000;
    let bytes = world.look("/admin/health").int("/data/storage/bytes");
    world.app.config.d1_bytes = bytes * 10 / 7 + 1_000;
    assert_eq!((states(&world), warned(&world)), (is(up), false));
    world.app.config.d1_bytes = bytes * 10 / 7 - 1_000;
    assert_eq!((states(&world), warned(&world)), (is(degraded), true));
    world.keys_are_down.set(true);
    assert_eq!(states(&world), is(("DOWN", "DEGRADED")));
}

#[test]
fn a_part_that_hangs_is_said_to_and_keeps_the_others_from_nothing() {
    let world = World::new();
    let carrier = "INSERT INTO carrier (name, kind, settings, created_ms) VALUES ('gateway', 'http', '{}', 0)";
    world.db.run(carrier);
    world.look("/admin/lines");
    world.hanging_request.set(Some("GetHealth"));
    let answer = RefCell::new(None);
    let life = Life::of(&world);
    life.spawn(async {
        let asked = world.ask("GET", &world.admin_key, "/admin/health").answer().await;
        answer.replace(Some(asked));
    });
    life.settle(10_000);
    drop(life);
    let health = answer.into_inner().expect("an answer in bounded time").expect(200);
    let carriers = health.json["data"]["carriers"].as_array().unwrap();
    let gateway = carriers.iter().find(|carrier| carrier["name"] == "gateway").unwrap();
    assert_has(gateway, json!({"state": "HANGS", "latencyMs": 5_000}));
    let worry = json!({"code": "CARRIER_HANGS", "about": "gateway", "urgent": false});
    assert_has(&health.json["data"]["worries"][0], worry);
}
