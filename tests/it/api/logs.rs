//! No line of the log has a phone number, a text or a key, whatever is asked and whatever fails.

use peyk::api::routes::ROUTES;
use serde_json::{Value, json};

use crate::support::{Account, World};

const NUMBER: &str = "09129876543";
const TEXT: &str = "Mellon42";
const IMPORTED: &str = "imported|Mellon42-and-more";

/// What no line may have: the number however it is written, the text, and the keys.
fn assert_clean(world: &World, keys: &[&str]) {
    let log = world.log.borrow();
    assert!(log.len() > 10);
    let marks = ["9129876543", "۹۱۲۹۸۷۶۵۴۳", TEXT, IMPORTED];
    for line in log.iter() {
        for mark in marks.iter().chain(keys) {
            assert!(!line.contains(mark), "{mark} is in the log: {line}");
        }
        assert!(line.len() < 1_000, "a line without bound: {line}");
        let line: Value = serde_json::from_str(line).unwrap();
        assert!(line["event"].is_string(), "{line}");
    }
}

/// Bodies with the marks in every place, also where another type must stand.
fn bodies() -> Vec<Value> {
    let marked = |value: Value| {
        json!({
            "message": value, "messages": [{"recipient": value, "message": value}], "recipient": value, "recipients": [value],
            "pattern": value, "variables": {TEXT: value}, "phonebook": value, "exclude": [value], "sourceNumber": value,
            "clientRef": value, "title": value, "description": value, "id": value, "number": value, "numbers": [value],
            "name": value, "attributes": {TEXT: value}, "slug": value, "lines": [value], "text": value, "note": value,
            "username": value, "fullName": value, "key": value, "plan": value, "defaultLine": value, "amount": value,
            "send": {"message": value, "recipients": [value]}, "tariff": {"slug": value, "title": value}, "carrier": value,
        })
    };
    vec![
        marked(json!(NUMBER)),
        marked(json!(TEXT)),
        marked(json!([TEXT, 989_129_876_543_u64])),
        marked(json!({TEXT: NUMBER})),
        marked(json!(989_129_876_543_u64)),
    ]
}

/// Asks every route with the marks in path, query, headers and body.
fn ask_everything(world: &World, shop: &Account) {
    let mut bodies = bodies().into_iter().cycle();
    for route in ROUTES {
        let key = match route.access.is_for_operators() {
            true => &world.admin_key,
            false => &shop.key,
        };
        for name in [NUMBER, TEXT] {
            let path = route.path.replace("{id}", &shop.id);
            let segments = path.split('/').map(|segment| match segment.starts_with('{') {
                true => name,
                false => segment,
            });
            let path = segments.collect::<Vec<_>>().join("/");
            let query =
                format!("number={NUMBER}&recipient={NUMBER}&q={TEXT}&clientRef={TEXT}&cursor={TEXT}&status={TEXT}");
            for path in [path.clone(), format!("{path}?{query}")] {
                let request = world
                    .ask(route.method, key, &path)
                    .idempotency_key(TEXT)
                    .request_id(NUMBER);
                match route.path.ends_with("/import") {
                    true => drop(
                        request
                            .body("text/csv", format!("number,{TEXT}\n{NUMBER},{TEXT}").as_bytes())
                            .send(),
                    ),
                    false => drop(request.json(bodies.next().unwrap()).send()),
                }
                let request = world.ask(route.method, key, &path).request_id(&shop.key);
                request
                    .body("application/json", format!("{{\"{TEXT}\": {NUMBER}").as_bytes())
                    .send();
                world.advance(60_000);
            }
        }
    }
    for header in [
        format!("Bearer {IMPORTED}"),
        IMPORTED.to_owned(),
        format!("Basic {TEXT}"),
    ] {
        world.request("GET", "/messages").authorization(&header).send();
    }
}

#[test]
fn no_line_has_a_number_a_text_or_a_key_whatever_is_asked() {
    let (world, shop) = World::with_account(1_000_000);
    ask_everything(&world, &shop);
    world.settle(60_000);
    assert_clean(&world, &[&shop.key, &world.admin_key]);
}

#[test]
fn no_line_has_what_the_platform_quotes_when_it_fails() {
    let (world, shop) = World::with_account(1_000_000);
    world.db.outage_words.replace(format!(
        "D1_ERROR: the value \"{TEXT}\" for +989129876543, '{TEXT}' and `{TEXT}` of {} does not answer {}",
        shop.key,
        "very ".repeat(1_000)
    ));
    world.keys_are_down.set(true);
    ask_everything(&world, &shop);
    world.keys_are_down.set(false);
    world.db.is_down.set(true);
    ask_everything(&world, &shop);
    world.settle(60_000);
    world.db.is_down.set(false);
    world.chaos.set(2);
    ask_everything(&world, &shop);
    world.chaos.set(0);
    // One of these requests may have put the number there.
    let path = format!("/blacklist?number={NUMBER}");
    world.request("DELETE", &path).key(&shop.key).send();
    world.carriers_are_down.set(true);
    world.send(&shop.key, &[NUMBER]).expect(201);
    world.settle(60_000);
    for event in ["unavailable", "chore", "dispatch"] {
        assert!(world.has_logged(&format!("\"event\":\"{event}\"")), "{event}");
    }
    assert_clean(&world, &[&shop.key, &world.admin_key]);
}

#[test]
fn no_line_quotes_a_record_that_cant_be_read() {
    let (world, shop) = World::with_account(1_000_000);
    let phonebook = world.phonebook(&shop.key, "A", json!([{"number": NUMBER, "attributes": {"a": TEXT}}]));
    world.active_pattern(&shop.key, json!({"slug": "mine", "title": "x", "text": "%OTP%"}));
    let bulk = json!({"messages": [{"recipient": NUMBER, "message": TEXT}]});
    let uid = world.posted(&shop.key, "/sms/bulk", bulk).text("/data/uid");
    world.settle(1_000);
    let broken = |json: &str| json.replace("TEXT", TEXT).replace("NUMBER", "989129876543");
    let (account, sandbox, directory) = (world.sql(&shop.id), world.sandbox_sql(&shop.id), &world.db);
    let set = |sql: &dyn Fn(&str, &str), table: &str, column: &str| {
        for json in [
            r#"{"TEXT": "TEXT"}"#,
            r#"["TEXT", NUMBER]"#,
            r#""TEXT""#,
            "NUMBER",
            "TEXT NUMBER",
            "{\"text\": NUMBER}",
        ] {
            sql(&format!("UPDATE {table} SET {column} = ?1"), &broken(json));
            world.app.patterns.clear();
            world.app.profiles.clear();
            world.app.keys.clear();
            for path in [
                format!("/messages/{uid}"),
                format!("/messages/{uid}/recipients"),
                format!("/phonebook/number/{phonebook}"),
                "/pattern".to_owned(),
                "/pattern/mine".to_owned(),
            ] {
                world.get(&shop.key, &path);
            }
            let send = json!({"pattern": "mine", "variables": {"OTP": TEXT}, "recipient": NUMBER});
            world.post(&shop.key, "/sms/pattern", send);
            let send = json!({"phonebook": phonebook, "message": format!("%a% {TEXT}")});
            world.post(&shop.key, "/sms/phonebook/send", send);
            let body = json!({"messages": [{"recipient": NUMBER, "message": TEXT}]});
            world.post(&shop.key, "/sms/bulk", body);
            world.work();
            world.advance(60_000);
            world.ring(&shop.id);
            world.ring_carrier("sandbox", &shop.id);
        }
    };
    let on_account = |sql: &str, value: &str| drop(account.run_with(sql, &[value.into()]));
    let on_sandbox = |sql: &str, value: &str| drop(sandbox.run_with(sql, &[value.into()]));
    let on_directory = |sql: &str, value: &str| drop(directory.run_with(sql, &[value.into()]));
    set(&on_directory, "phonebook_number", "attributes");
    set(&on_directory, "pattern_version", "variables");
    set(&on_directory, "pattern", "lines");
    set(&on_directory, "carrier", "settings");
    set(&on_account, "recipient_text", "text");
    set(&on_account, "chunk", "recipients");
    for table in ["handover_0", "handover_1", "handover_2"] {
        set(&on_sandbox, table, "notes");
    }
    set(&on_sandbox, "report", "body");
    let digest = peyk::auth::digest(&shop.key);
    for json in [
        r#"{"v":1,"account":"TEXT","key":NUMBER}"#,
        r#"{"v":1,"account":["TEXT"]}"#,
        "TEXT",
        r#""NUMBER""#,
    ] {
        world.keys.borrow_mut().insert(digest.clone(), broken(json));
        world.app.keys.clear();
        world.get(&shop.key, "/messages").refused(500);
    }
    assert!(world.has_logged("\"event\":\"internal\""));
    assert_clean(&world, &[&shop.key, &world.admin_key]);
}

#[test]
fn the_runtime_logs_no_url() {
    let settings = std::fs::read_to_string(concat!(env!("PEYK_ROOT"), "/wrangler.toml")).unwrap();
    let (_, logs) = settings.split_once("[observability.logs]").unwrap();
    assert!(
        logs.contains("\ninvocation_logs = false\n"),
        "it would log URLs with their queries"
    );
    let (_, all) = settings.split_once("[observability]").unwrap();
    assert!(all.contains("\nredact_query_string = true\n"));
}
