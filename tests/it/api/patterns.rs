//! Patterns: their versions, and the sends that use them.

use std::rc::Rc;

use peyk::directory::patterns::ActivePattern;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::{Account, Answer, World, assert_contains, cases, pick, time::HOUR_MS, to_end};

/// How far a worker's clock may be behind.
const SKEW_MS: i64 = 5_000;

/// Makes a world with the pattern "login", "code: %OTP%". Its version 1 is active.
fn with_pattern() -> (World, Account) {
    let (world, shop) = World::with_account(100_000);
    let pattern = json!({"slug": "login", "title": "Login", "text": "code: %OTP%", "lines": []});
    world.active_pattern(&shop.key, pattern);
    (world, shop)
}

fn send(world: &World, key: &str, pattern: &str, variables: Value) -> Answer {
    let body = json!({"pattern": pattern, "variables": variables, "recipient": "09121234567"});
    world.post(key, "/sms/pattern", body)
}

fn texts(world: &World, shop: &Account) -> Vec<String> {
    world.handed(&shop.id).into_iter().map(|(_, text)| text).collect()
}

#[test]
fn a_pattern_is_filled_in_sent_and_paid_by_its_own_coefficient() {
    let (world, shop) = with_pattern();
    let change = json!({"coefficients": {"PATTERN": 0.5, "WEBSERVICE": 2}});
    world.change("/admin/lines/10001", change);
    let sent = send(&world, &shop.key, "login", json!({"OTP": "1234"})).expect(201);
    assert_eq!(sent.text("/status"), "CREATED");
    assert_eq!(sent.text("/data/type"), "PATTERN");
    assert_eq!(sent.text("/data/sourceNumber"), "10001");
    assert_eq!(sent.int("/data/cost"), 500);
    assert_eq!(sent.text("/data/recipients/0/recipient"), "+989121234567");
    world.settle(10_000);
    let uid = sent.text("/data/uid");
    let message = world.message(&shop.key, &uid);
    assert_eq!(message.text("/data/message"), "code: 1234");
    assert_eq!(message.text("/data/recipients/0/status"), "DELIVERED");
    assert_eq!(texts(&world, &shop), ["code: 1234"]);
    let of_type = |kind| world.read(&shop.key, &format!("/messages?type={kind}")).json["data"].clone();
    assert_eq!(of_type("PATTERN").as_array().unwrap().len(), 1);
    assert_eq!(of_type("PLAIN"), json!([]));
}

#[test]
fn values_may_be_numbers_and_unknown_ones_are_ignored() {
    let (world, shop) = with_pattern();
    let version = json!({"text": "%A% %B% 100%", "variables": [{"name": "A", "type": "NUMBER"}]});
    world.posted(&shop.key, "/pattern/login/versions", version);
    world.activate(&shop.key, "login", 2);
    let body = json!({"A": 12345.0, "B": 1.5, "C": "unused", "D": null});
    send(&world, &shop.key, "login", body).expect(201);
    send(&world, &shop.key, "login", json!({"A": "۱۲۳", "B": "%A%"})).expect(201);
    world.settle(10_000);
    assert_eq!(texts(&world, &shop), ["12345 1.5 100%", "۱۲۳ %A% 100%"]);
}

#[test]
fn one_text_goes_to_many_recipients_each_once() {
    let (world, shop) = with_pattern();
    let body = json!({"pattern": "login", "variables": {"OTP": "1"}, "recipients": ["09121234567", "+989121234567",
        "09351234567"]});
    let sent = world.posted(&shop.key, "/sms/pattern", body);
    assert_eq!(sent.json["data"]["recipients"].as_array().unwrap().len(), 2);
    assert_eq!(sent.int("/data/cost"), 2_000);
}

#[test]
fn a_pattern_that_is_unknown_or_has_no_active_version_is_3002() {
    let (world, shop) = with_pattern();
    let body = json!({"slug": "draft", "title": "x", "text": "y"});
    world.posted(&shop.key, "/pattern", body);
    world.posted(&shop.key, "/pattern", json!({"slug": "empty", "title": "x"}));
    let inactive = "has no active version: activate one of its versions first";
    for (slug, why) in [
        ("nothing", "does not exist: check the slug, or create the pattern"),
        ("draft", inactive),
        ("empty", inactive),
    ] {
        let answer = send(&world, &shop.key, slug, json!({})).problem(422, 3002);
        assert_eq!(answer.extra(), [format!("pattern: the pattern \"{slug}\" {why}")]);
        assert!(answer.text("/detail").contains(slug));
    }
    let other = world.account("other", 10_000);
    send(&world, &other.key, "login", json!({"OTP": "1"})).problem(422, 3002);
}

#[test]
fn variables_without_a_value_and_bad_values_are_named() {
    let (world, shop) = with_pattern();
    let version = json!({"text": "%A% %B% %C% %D%", "variables": [
        {"name": "A", "type": "NUMBER", "maxLength": 5}, {"name": "B", "type": "LINK"},
        {"name": "C", "type": "ENUM", "values": ["red", "blue"]}, {"name": "D", "maxLength": 3}]});
    world.posted(&shop.key, "/pattern/login/versions", version);
    world.activate(&shop.key, "login", 2);
    let missing = send(&world, &shop.key, "login", json!({"A": "x", "B": "", "C": null})).problem(406, 3014);
    let wanted = ["B", "C", "D"].map(|name| format!("variables.{name}: was given no value"));
    assert_eq!(missing.extra(), wanted);
    assert!(missing.text("/detail").contains("variables.D"));
    assert_eq!(missing.text("/errors/0/pointer"), "/variables/B");
    let body = json!({"pattern": "login", "variables": [], "recipient": "09121234567"});
    let none = world.post(&shop.key, "/sms/pattern", body);
    assert_eq!(none.problem(406, 3014).extra().len(), 4);
    let bad = json!({"A": "123456", "B": "example.com", "C": "green", "D": "long"});
    let invalid = send(&world, &shop.key, "login", bad).problem(406, 3015);
    let wanted = [
        "variables.A: must have at most 5 characters",
        "variables.B: must be a link that begins with http:// or https://",
        "variables.C: must be one of red, blue",
        "variables.D: must have at most 3 characters",
    ];
    assert_eq!(invalid.extra(), wanted);
    let mistyped = json!({"pattern": "login", "variables": {"A": true, "B": []}, "recipient": "09121234567"});
    world.post(&shop.key, "/sms/pattern", mistyped).faults(&[
        "variables.A: must be a string or a number",
        "variables.B: must be a string or a number",
    ]);
    let list = json!({"pattern": "login", "variables": ["1"], "recipient": "09121234567"});
    world
        .post(&shop.key, "/sms/pattern", list)
        .faults(&["variables: must be an object"]);
    assert_eq!(world.read(&shop.key, "/messages").json["data"], json!([]));
}

#[test]
fn a_pattern_goes_only_over_its_lines() {
    let (world, shop) = with_pattern();
    let line = |number: &str, operations: Value| json!({"number": number, "carrier": "sandbox", "operations": operations, "shared": true});
    world.create("/admin/lines", line("10002", json!(["PATTERN"])));
    world.create("/admin/lines", line("10003", json!(["WEBSERVICE"])));
    world.advance(31_000);
    let put = |body: Value| world.put(&shop.key, "/pattern/login", body);
    let changed = put(json!({"lines": ["10002"]})).expect(200);
    assert_eq!(changed.json["data"]["lines"], json!(["10002"]));
    let body = |number: Value| json!({"pattern": "login", "variables": {"OTP": "1"}, "recipient": "09121234567", "sourceNumber": number});
    let refused = world.post(&shop.key, "/sms/pattern", body(Value::Null));
    let default = refused.problem(406, 3013);
    let wanted = ["sourceNumber: this text can't be sent from 10001, only from 10002"];
    assert_eq!(default.extra(), wanted);
    let refused = world.post(&shop.key, "/sms/pattern", body(json!("10001")));
    let named = refused.problem(406, 3013);
    assert!(named.extra()[0].starts_with("sourceNumber: "));
    assert!(named.text("/detail").contains("10001"));
    world.posted(&shop.key, "/sms/pattern", body(json!("10002")));
    // Error 3012 (the line sends no patterns) comes before 3013 (the pattern is not tied to the line).
    world
        .post(&shop.key, "/sms/pattern", body(json!("10003")))
        .problem(406, 3012);
    put(json!({"lines": ["10001", "99999", "10001"]})).faults(&[
        "lines[1]: names a line that does not exist",
        "lines[2]: must not be there twice",
    ]);
}

#[test]
fn versions_are_made_activated_retired_and_never_changed() {
    let (world, shop) = with_pattern();
    let version = json!({"text": "new: %OTP% %link%", "variables": [{"name": "link", "type": "LINK"}]});
    let made = world.posted(&shop.key, "/pattern/login/versions", version);
    assert_eq!(made.int("/data/version"), 2);
    let expected = json!([
        {"name": "OTP", "type": "TEXT", "maxLength": 100, "values": null, "secret": false},
        {"name": "link", "type": "LINK", "maxLength": 100, "values": null, "secret": false}
    ]);
    assert_eq!(made.json["data"]["variables"], expected);
    let statuses = || {
        let pattern = world.read(&shop.key, "/pattern/login");
        pick::<String>(&pattern.json["data"]["versions"], "status")
    };
    assert_eq!(statuses(), ["ACTIVE", "DRAFT"]);
    let activate = |version: u32| world.bare_post(&shop.key, &format!("/pattern/login/versions/{version}/activate"));
    activate(2).expect(200);
    assert_eq!(statuses(), ["RETIRED", "ACTIVE"]);
    let wanted = "This version is active already.";
    assert_eq!(activate(2).refused(409).text("/detail"), wanted);
    assert_eq!(statuses(), ["RETIRED", "ACTIVE"]);
    activate(3).refused(404);
    activate(1).expect(200);
    assert_eq!(statuses(), ["ACTIVE", "RETIRED"]);
    let deactivate = || world.bare_post(&shop.key, "/pattern/login/deactivate");
    deactivate().expect(200);
    assert_eq!(statuses(), ["RETIRED", "RETIRED"]);
    deactivate().refused(409);
    send(&world, &shop.key, "login", json!({"OTP": "1"})).problem(422, 3002);
}

#[test]
fn faults_of_a_version_are_all_told_and_nothing_is_made() {
    let (world, shop) = with_pattern();
    let bad = json!({"slug": "a b", "title": "", "text": "%A% %B%", "lines": ["99999"], "variables": [
        {"name": "A", "type": "DATE"}, {"name": "A"}, {"name": "Z"}, {"name": "1"}, {"name": "B", "type": "ENUM"},
        {"name": "B", "maxLength": 0}, {"name": "B", "values": ["x"]}]});
    let mut fields: Vec<String> = world.post(&shop.key, "/pattern", bad).refused(422).places();
    fields.sort();
    let wanted = "lines[0] slug title variables[0].type variables[1] variables[2] variables[3].name variables[4].values \
         variables[5] variables[5].maxLength variables[6] variables[6].values";
    assert_eq!(fields, wanted.split(' ').collect::<Vec<_>>());
    assert_eq!(world.read(&shop.key, "/pattern").items().len(), 1);
    world
        .post(&shop.key, "/pattern/login/versions", json!({}))
        .faults(&["text: is required"]);
}

#[test]
fn a_slug_is_taken_once_and_made_up_when_left_out() {
    let (world, shop) = with_pattern();
    let again = json!({"slug": "login", "title": "Other", "text": "other"});
    world.post(&shop.key, "/pattern", again).refused(409);
    let pattern = world.read(&shop.key, "/pattern/login");
    assert_eq!(pattern.text("/data/title"), "Login");
    assert_eq!(pattern.json["data"]["versions"].as_array().unwrap().len(), 1);
    let made = world.posted(&shop.key, "/pattern", json!({"title": "Other"}));
    assert_eq!(made.text("/data/slug").len(), 12);
    assert_eq!(made.json["data"]["versions"], json!([]));
    let other = world.account("other", 0);
    world.posted(&other.key, "/pattern", json!({"slug": "login", "title": "Login"}));
}

#[test]
fn a_pattern_in_use_is_not_deleted() {
    let (world, shop) = with_pattern();
    let delete = || world.delete(&shop.key, "/pattern/login");
    assert_contains(&delete().refused(409).text("/detail"), "deactivate it first");
    let at = peyk::base::time::to_rfc3339(world.now_ms.get() + HOUR_MS);
    let body = json!({"pattern": "login", "variables": {"OTP": "1"}, "recipient": "09121234567", "sendAt": at});
    let uid = world.posted(&shop.key, "/sms/pattern", body).text("/data/uid");
    world.bare_post(&shop.key, "/pattern/login/deactivate").expect(200);
    assert!(delete().refused(409).text("/detail").contains(&uid));
    world.read(&shop.key, "/pattern/login");
    world.delete(&shop.key, &format!("/messages/{uid}")).expect(200);
    delete().expect(204);
    world.get(&shop.key, "/pattern/login").refused(404);
    delete().refused(404);
    send(&world, &shop.key, "login", json!({"OTP": "1"})).problem(422, 3002);
}

#[test]
fn a_change_shows_at_once_even_to_an_isolate_that_has_the_old_one_cached() {
    let (world, shop) = with_pattern();
    world.posted(&shop.key, "/pattern/login/versions", json!({"text": "new %OTP%"}));
    // `restore` puts the old pattern back into the cache, as another isolate would still have it after the change.
    let sent = |wanted: &str| {
        let body = json!({"OTP": "1"});
        let uid = send(&world, &shop.key, "login", body).expect(201).text("/data/uid");
        let message = world.message(&shop.key, &uid);
        assert_eq!(message.text("/data/message"), wanted);
    };
    sent("code: 1");
    let name = format!("{}/login", shop.id);
    let old = world.app.patterns.get(&name, world.now_ms.get()).unwrap();
    let restore = || drop(world.app.patterns.put(&name, world.now_ms.get(), (*old).clone()));
    world.activate(&shop.key, "login", 2);
    restore();
    sent("new 1");
    restore();
    let estimate = json!({"pattern": {"pattern": "login", "variables": {"OTP": "1"}, "recipient": "09121234567"}});
    world.post(&shop.key, "/sms/estimate", estimate).expect(200);
    world.bare_post(&shop.key, "/pattern/login/deactivate").expect(200);
    restore();
    send(&world, &shop.key, "login", json!({"OTP": "1"})).problem(422, 3002);
}

/// The text that a send of the pattern "login" makes.
fn sent_text(world: &World, shop: &Account) -> String {
    let body = json!({"OTP": "1"});
    let uid = send(world, &shop.key, "login", body).expect(201).text("/data/uid");
    let message = world.message(&shop.key, &uid);
    message.text("/data/message")
}

/// Adds a version with this text to the pattern "login", and activates it.
fn change_to(world: &World, key: &str, text: &str) {
    let made = world.posted(key, "/pattern/login/versions", json!({"text": text}));
    world.activate(key, "login", made.int("/data/version"));
}

fn run_all(world: &World, statements: &[&str]) {
    for statement in statements {
        world.db.run(statement);
    }
}

/// Keeps the directory's patterns as they are now.
fn back_up(world: &World) {
    let copies = [
        "CREATE TABLE saved_pattern AS SELECT id, account, slug, title, lines, revision, created_ms FROM pattern",
        "CREATE TABLE saved_version AS SELECT pattern, version, text, variables, status, created_ms, reason FROM pattern_version",
    ];
    run_all(world, &copies);
}

/// Takes the directory's patterns back to the backup, which no object learns of. No isolate has the newer ones any more.
fn restore(world: &World) {
    let statements = [
        "DELETE FROM pattern_version",
        "DELETE FROM pattern",
        "INSERT INTO pattern SELECT * FROM saved_pattern",
        "INSERT INTO pattern_version SELECT * FROM saved_version",
    ];
    run_all(world, &statements);
    world.app.patterns.clear();
}

/// Makes a world whose directory was restored to version 1 of "login" after version 2 had been sent. Returns version 2 too.
fn restored() -> (World, Account, Rc<ActivePattern>) {
    let (world, shop) = with_pattern();
    back_up(&world);
    world.advance(HOUR_MS);
    change_to(&world, &shop.key, "new %OTP%");
    assert_eq!(sent_text(&world, &shop), "new 1");
    let name = format!("{}/login", shop.id);
    let newer = world.app.patterns.get(&name, world.now_ms.get()).unwrap();
    restore(&world);
    (world, shop, newer)
}

#[test]
fn after_a_restore_of_the_directory_its_patterns_are_sent_again() {
    for change_later_ms in [HOUR_MS, 0, -SKEW_MS] {
        let (world, shop, newer) = restored();
        let estimate = json!({"pattern": {"pattern": "login", "variables": {"OTP": "1"}, "recipient": "09121234567"}});
        world.post(&shop.key, "/sms/estimate", estimate).expect(200);
        assert_eq!(sent_text(&world, &shop), "code: 1");
        // An isolate that still has what the restore took away does not send it.
        let name = format!("{}/login", shop.id);
        drop(world.app.patterns.put(&name, world.now_ms.get(), (*newer).clone()));
        assert_eq!(sent_text(&world, &shop), "code: 1");
        // The object goes by the directory now: another isolate needs no second question.
        world.app.patterns.clear();
        let calls = world.calls.get();
        send(&world, &shop.key, "login", json!({"OTP": "1"})).expect(201);
        assert_eq!(world.calls.get() - calls, 1);
        // A later change shows at once, whatever the clock says.
        let old = world.app.patterns.get(&name, world.now_ms.get()).unwrap();
        world.advance(change_later_ms);
        change_to(&world, &shop.key, "later %OTP%");
        drop(world.app.patterns.put(&name, world.now_ms.get(), (*old).clone()));
        assert_eq!(sent_text(&world, &shop), "later 1");
        assert_eq!(sent_text(&world, &shop), "later 1");
    }
}

#[test]
fn a_change_while_a_send_finds_out_about_a_restore_is_not_undone() {
    for (asks_before, clock_ms) in [(0, 1_000), (1, 1_000), (0, -SKEW_MS), (1, -SKEW_MS), (1, 0)] {
        let (world, shop, _) = restored();
        let key = shop.key.clone();
        // The change is complete before the object is asked. A clock that is behind gives it a small revision.
        let change = move |world: &World| {
            world.advance(clock_ms);
            change_to(world, &key, "later %OTP%");
        };
        let mut interruptions = world.before_asking.borrow_mut();
        (0..asks_before).for_each(|_| interruptions.push_back(Box::new(|_| {})));
        interruptions.push_back(Box::new(change));
        drop(interruptions);
        assert_eq!(sent_text(&world, &shop), "later 1", "{asks_before} {clock_ms}");
        assert!(world.before_asking.borrow().is_empty());
        assert_eq!(sent_text(&world, &shop), "later 1", "{asks_before} {clock_ms}");
    }
}

#[test]
fn announcements_that_come_late_or_twice_stop_no_send() {
    let (world, shop) = with_pattern();
    change_to(&world, &shop.key, "new %OTP%");
    for _ in 0..3 {
        let slug = "login".to_owned();
        let change = peyk::account::message::patterns::NotePatternChange { slug, review: None };
        let noted = peyk::account::ask(&world, &shop.id, None, None, &change);
        to_end(noted).unwrap().outcome.unwrap();
        assert_eq!(sent_text(&world, &shop), "new 1");
        world.app.patterns.clear();
        assert_eq!(sent_text(&world, &shop), "new 1");
    }
}

#[test]
fn a_pattern_that_is_deleted_and_made_again_is_sent_as_it_is_now() {
    for clock_ms in [1_000, 0, -SKEW_MS] {
        let (world, shop) = with_pattern();
        assert_eq!(sent_text(&world, &shop), "code: 1");
        let name = format!("{}/login", shop.id);
        let old = world.app.patterns.get(&name, world.now_ms.get()).unwrap();
        let answer = world.post(&shop.key, "/pattern/login/deactivate", json!({}));
        answer.expect(200);
        world.delete(&shop.key, "/pattern/login").expect(204);
        world.advance(clock_ms);
        let pattern = json!({"slug": "login", "title": "Login", "text": "again %OTP%"});
        world.active_pattern(&shop.key, pattern);
        for _ in 0..2 {
            drop(world.app.patterns.put(&name, world.now_ms.get(), (*old).clone()));
            assert_eq!(sent_text(&world, &shop), "again 1");
            assert_eq!(sent_text(&world, &shop), "again 1");
        }
    }
}

#[test]
fn a_pattern_that_never_stops_changing_ends_the_send_and_nothing_is_sent() {
    let (world, shop) = with_pattern();
    for number in 0..20 {
        let key = shop.key.clone();
        let change = move |world: &World| change_to(world, &key, &format!("{number} %OTP%"));
        world.before_asking.borrow_mut().push_back(Box::new(change));
    }
    send(&world, &shop.key, "login", json!({"OTP": "1"})).refused(503);
    assert_eq!(world.before_asking.borrow().len(), 16, "it was asked four times");
    world.before_asking.borrow_mut().clear();
    world.assert_untouched(&shop, 100_000);
    assert_eq!(sent_text(&world, &shop), "3 1");
}

#[test]
fn where_versions_need_approval_an_operator_activates_them() {
    let (mut world, shop) = World::with_account(100_000);
    world.app.config.pattern_approval = true;
    let pattern = json!({"slug": "login", "title": "Login", "text": "code: %OTP%"});
    let made = world.posted(&shop.key, "/pattern", pattern);
    assert_eq!(made.text("/data/versions/0/status"), "PENDING");
    let own = world.bare_post(&shop.key, "/pattern/login/versions/1/activate");
    assert!(own.refused(409).text("/detail").contains("approval"));
    send(&world, &shop.key, "login", json!({"OTP": "1"})).problem(422, 3002);
    let pending = world.look("/admin/patterns");
    assert_eq!(pending.text("/data/0/account"), shop.id);
    assert_eq!(pending.text("/data/0/version/text"), "code: %OTP%");
    let path = shop.path("/patterns/login/versions/1/activate");
    world.bare_post(&world.admin_key, &path).expect(200);
    assert_eq!(world.look("/admin/patterns").json["data"], json!([]));
    send(&world, &shop.key, "login", json!({"OTP": "1"})).expect(201);
    // An operator approved this version when it was first activated, so its owner may activate it again.
    world.bare_post(&shop.key, "/pattern/login/deactivate").expect(200);
    world.activate(&shop.key, "login", 1);
    let missing = shop.path("/patterns/login/versions/9/activate");
    world.bare_post(&world.admin_key, &missing).refused(404);
}

#[test]
fn a_list_shows_of_each_pattern_the_active_version_and_the_newest() {
    let (world, shop) = with_pattern();
    for text in ["two", "three"] {
        world.posted(&shop.key, "/pattern/login/versions", json!({"text": text}));
    }
    world.posted(&shop.key, "/pattern", json!({"slug": "second", "title": "Second"}));
    let list = world.read(&shop.key, "/pattern");
    assert_eq!(list.text("/data/0/slug"), "second");
    let numbers: Vec<i64> = pick(&list.json["data"][1]["versions"], "version");
    assert_eq!(numbers, [1, 3]);
    let cursor = world.read(&shop.key, "/pattern?limit=1").text("/meta/nextCursor");
    world.posted(&shop.key, "/pattern", json!({"slug": "third", "title": "Third"}));
    let second = world.read(&shop.key, &format!("/pattern?limit=1&cursor={cursor}"));
    assert_eq!(second.text("/data/0/slug"), "login");
    assert_eq!(second.json["meta"]["nextCursor"], Value::Null);
}

#[test]
fn a_text_that_becomes_too_long_is_refused() {
    let (world, shop) = with_pattern();
    let version = json!({"text": "%A%", "variables": [{"name": "A", "maxLength": 1000}]});
    world.posted(&shop.key, "/pattern/login/versions", version);
    world.activate(&shop.key, "login", 2);
    let long = send(&world, &shop.key, "login", json!({"A": "آ".repeat(1_000)})).refused(422);
    assert_eq!(long.extra(), ["variables: takes 15 parts, at most 10 are allowed"]);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases(64)) })]

    #[test]
    fn what_is_sent_is_the_text_with_its_values_in(before in "[a-zآ ]{0,12}", value in "[a-zA-Z0-9%ب]{1,20}", after in "[a-z۱ ]{0,12}") {
        let text = format!("{before} %VALUE% {after}");
        // The tests of `crates/sms/src/template.rs` cover texts with other signs of per cent.
        let (world, shop) = World::with_account(100_000);
        world.active_pattern(&shop.key, json!({"slug": "any", "title": "Any", "text": text}));
        send(&world, &shop.key, "any", json!({"VALUE": value})).expect(201);
        world.settle(10_000);
        prop_assert_eq!(texts(&world, &shop), [format!("{before} {value} {after}")]);
    }
}

#[test]
fn the_patterns_of_an_account_have_a_limit_of_bytes_over_all_versions() {
    let (mut world, shop) = World::with_busy_account(0);
    let kept = |world: &World| {
        world
            .db
            .number("SELECT pattern_bytes FROM account WHERE username = 'shop'")
    };
    let text = |octets: usize| "x".repeat(octets);
    let pattern = |slug: &str, octets: usize| json!({"slug": slug, "title": "T", "text": text(octets)});
    // 200 for the pattern and 100 for the version, their texts, and two empty lists.
    let bytes_of = |octets: i64| 200 + 3 + 1 + 2 + 100 + octets + 2;
    world.posted(&shop.key, "/pattern", pattern("one", 50));
    assert_eq!(kept(&world), bytes_of(50));
    world.put(&shop.key, "/pattern/one", json!({"title": "پ"})).expect(200);
    assert_eq!(kept(&world), bytes_of(50) + 1, "octets count, not characters");
    world.app.config.pattern_bytes = bytes_of(50) + 1 + 102 + 30;
    let used = kept(&world);
    let refusals = [
        ("/pattern/one/versions", json!({"text": text(31)})),
        ("/pattern", pattern("two", 1)),
        ("/pattern", json!({"slug": "two", "title": "T"})),
    ];
    for (path, body) in refusals {
        let refused = world.post(&shop.key, path, body).problem(409, 409);
        let quota = world.app.config.pattern_bytes;
        let detail = format!("may have {quota} bytes together and have {used} now");
        assert_contains(&refused.text("/detail"), &detail);
    }
    assert_eq!(
        (
            kept(&world),
            world.db.count("pattern"),
            world.db.count("pattern_version")
        ),
        (used, 1, 1)
    );
    world.posted(&shop.key, "/pattern/one/versions", json!({"text": text(30)}));
    assert_eq!(kept(&world), world.app.config.pattern_bytes);
    world.put(&shop.key, "/pattern/one", json!({"title": "T"})).expect(200);
    world.activate(&shop.key, "one", 2);
    world.post(&shop.key, "/pattern/one/deactivate", json!({})).expect(200);
    assert_eq!(
        kept(&world),
        world.app.config.pattern_bytes - 1,
        "a status takes no room"
    );
    world.delete(&shop.key, "/pattern/one").expect(204);
    assert_eq!(kept(&world), 0);
    world.posted(&shop.key, "/pattern", pattern("two", 50));
    // What another account has does not count here.
    let other = world.account("other", 0);
    world.posted(&other.key, "/pattern", pattern("two", 50));
    assert_eq!(kept(&world), bytes_of(50));
}
