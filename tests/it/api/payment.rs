//! Every request with a key pays a token, however it ends, and a send pays more for more recipients. No request takes more
//! calls of the account's object than it must.

use std::cell::RefCell;

use peyk::account::limiter::Cost;
use peyk::account::record::account_row::Account as Row;
use peyk::api::routes::{Access, Operation, Payment, ROUTES, Route};
use peyk::base::config::Config;
use serde_json::{Value, json};

use crate::support::{Account, Answer, World, life::Life};

/// How many tokens are left, as the answer says.
fn left(answer: &Answer) -> i64 {
    let header = answer.header("RateLimit").unwrap_or_else(|| panic!("{}", answer.body));
    let (_, rest) = header.split_once("r=").unwrap();
    rest.split(';').next().unwrap().parse().unwrap()
}

/// The seconds after which a refused request is admitted, as the answer says.
fn retry_after_s(answer: &Answer) -> i64 {
    answer.header("Retry-After").unwrap().parse().unwrap()
}

/// What a send would change: the money and the number of messages.
fn stored(world: &World, shop: &Account) -> (i64, i64, i64) {
    let sql = world.sql(&shop.id);
    let wallet = Row::stored(&*sql).unwrap().unwrap().wallet;
    let messages = sql.run("SELECT count(*) FROM message");
    (wallet.available, wallet.locked, messages[0].int(0).unwrap())
}

fn key_for<'a>(world: &'a World, own: &'a str, route: &Route) -> &'a str {
    match route.access.is_for_operators() {
        true => &world.admin_key,
        false => own,
    }
}

#[test]
fn every_request_pays_one_token_however_it_ends() {
    let (world, shop) = World::with_account(10_000);
    for (content_type, body) in [("text/plain", "{"), ("application/json", "{}")] {
        for route in ROUTES.iter().filter(|route| route.access != Access::Public) {
            let key = key_for(&world, &shop.key, route);
            let lines = if key == shop.key { "/lines" } else { "/admin/lines" };
            let before = left(&world.get(key, lines));
            let request = world.ask(route.method, key, route.path);
            let answer = request.body(content_type, body.as_bytes()).send();
            let name = format!("{} {}: {}", route.method, route.path, answer.body);
            assert_eq!(left(&answer), before - 1, "{name}");
            assert!(answer.response.status < 500, "{name}");
            world.advance(60_000);
        }
    }
}

#[test]
fn a_caller_without_tokens_is_told_so_before_all_that_is_wrong_with_the_request() {
    let (world, shop) = World::with_account(0);
    let path = shop.path("");
    let limit = json!({"rateLimit": {"limit": 1, "windowSeconds": 3_600, "burst": 1}});
    world.change(&path, limit);
    world.read(&shop.key, "/lines");
    world.use_up_reserve(&shop.key, "/keys");
    let own = ROUTES.iter();
    for route in own.filter(|route| route.access != Access::Public && !route.access.is_for_operators()) {
        for (content_type, body) in [("text/plain", "{"), ("application/json", "{}")] {
            let request = world.ask(route.method, &shop.key, route.path);
            let answer = request.body(content_type, body.as_bytes()).send().refused(429);
            assert!(answer.header("Retry-After").is_some(), "{}", route.path);
        }
    }
}

#[test]
fn a_request_that_pays_with_its_call_takes_one_call() {
    let (world, shop) = World::with_account(100_000);
    let phonebook = world.phonebook(&shop.key, "A", json!(["09121234567"]));
    let calls = |method: &str, path: &str, body: serde_json::Value| {
        let before = world.calls.get();
        let key = if path.starts_with("/admin") {
            &world.admin_key
        } else {
            &shop.key
        };
        let answer = world.ask(method, key, path).json(body).send();
        assert!(answer.response.status < 300, "{path}: {}", answer.body);
        world.calls.get() - before
    };
    let text = json!({"message": "x", "recipients": ["09121234567"]});
    assert_eq!(calls("POST", "/sms/send", text.clone()), 1);
    assert_eq!(calls("POST", "/sms/estimate", json!({"send": text})), 1);
    // This one pays in a call of its own, before it reads the phonebook.
    let to_phonebook = json!({"message": "x", "phonebook": phonebook});
    assert_eq!(calls("POST", "/sms/phonebook/send", to_phonebook), 2);
    let lists = ROUTES
        .iter()
        .filter(|route| route.method == "GET" && route.payment == Payment::WithCall && route.params.is_empty());
    for route in lists {
        let path = match route.operation {
            Operation::GetHeld => "/held?number=09121234567",
            Operation::FindVerifications => "/verify?recipient=09121234567",
            _ => route.path,
        };
        // This one tells the time zone of the account, too. It pays with the first of its calls.
        let wanted = if route.operation == Operation::GetConsoleSession {
            2
        } else {
            1
        };
        assert_eq!(calls("GET", path, json!({})), wanted, "{path}");
    }
}

/// Gives the account a bucket of `burst` tokens and one token a second.
fn limit_to(world: &World, shop: &Account, burst: u32) {
    let limit = json!({"limit": 60, "windowSeconds": 60, "burst": burst});
    world.change_account(shop, json!({"rateLimit": limit, "testRateLimit": limit}));
}

/// This many different numbers. If there is room, ten of them are named twice.
fn numbers(count: u32) -> Vec<String> {
    let once = (0..count).map(|number| format!("0912{number:07}"));
    once.clone().chain(once.take(10)).take(10_000).collect()
}

/// A send of each kind to this many recipients, with its path.
fn sends(phonebook: &str, count: u32) -> Vec<(&'static str, Value)> {
    let numbers = numbers(count);
    let items: Vec<Value> = numbers
        .iter()
        .map(|number| json!({"recipient": number, "message": "x"}))
        .collect();
    vec![
        ("/sms/send", json!({"message": "x", "recipients": numbers})),
        (
            "/sms/pattern",
            json!({"pattern": "login", "variables": {"OTP": 1}, "recipients": numbers}),
        ),
        ("/sms/bulk", json!({"messages": items})),
        ("/sms/phonebook/send", json!({"message": "x", "phonebook": phonebook})),
    ]
}

/// A world with the pattern `login`, an account, and its key of test mode.
fn with_pattern() -> (World, Account, String) {
    let (mut world, shop) = World::with_account(1_000_000_000_000);
    world.app.config.max_recipients = 10_000;
    world.active_pattern(&shop.key, json!({"slug": "login", "title": "x", "text": "%OTP%"}));
    // After a change of the pattern, the first send from it takes a second call.
    world.posted(&shop.key, "/sms/pattern", sends("", 1)[1].1.clone());
    let issued = world.admin("POST", &shop.path("/keys"), json!({"title": "test", "mode": "test"}));
    let test_key = issued.expect(201).text("/data/key");
    (world, shop, test_key)
}

/// A phonebook with this many numbers: its id.
fn phonebook(world: &World, key: &str, count: u32) -> String {
    let made = world.posted(key, "/phonebook", json!({"title": count.to_string()}));
    let id = made.text("/data/id");
    let rows: String = (0..count).map(|number| format!("0912{number:07}\n")).collect();
    let request = world.ask("POST", key, &format!("/phonebook/{id}/import"));
    let csv = format!("number\n{rows}");
    request.body("text/csv", csv.as_bytes()).send().expect(201);
    id
}

#[test]
fn a_send_pays_a_token_and_one_more_for_each_hundred_recipients() {
    let (world, shop, test_key) = with_pattern();
    for (count, tokens) in [(1, 1), (99, 1), (100, 2), (199, 2), (200, 3), (1_000, 11)] {
        let phonebook = phonebook(&world, &shop.key, count);
        for key in [&shop.key, &test_key] {
            for (path, body) in sends(&phonebook, count) {
                world.advance(60_000);
                let before = left(&world.get(key, "/lines"));
                let calls = world.calls.get();
                let request = world.ask("POST", key, path).idempotency_key(&format!("{path} {count}"));
                let sent = request.json(body.clone()).send().expect(201);
                assert_eq!(left(&sent), before - tokens, "{path} to {count}");
                assert!(world.calls.get() - calls <= if path == "/sms/phonebook/send" { 2 } else { 1 });
                let request = world.ask("POST", key, path).idempotency_key(&format!("{path} {count}"));
                let again = request.json(body).send().expect(201);
                assert_eq!(again.header("Idempotency-Replayed"), Some("true"));
                assert_eq!(left(&again), before - tokens - 1, "a repeat costs one token");
            }
        }
        let [plain, pattern, bulk, to_phonebook] = sends(&phonebook, count).try_into().unwrap();
        for (kind, (_, body)) in [
            ("send", plain),
            ("pattern", pattern),
            ("bulk", bulk),
            ("phonebook", to_phonebook),
        ] {
            world.advance(60_000);
            let before = left(&world.get(&shop.key, "/lines"));
            let estimate = world.post(&shop.key, "/sms/estimate", json!({kind: body})).expect(200);
            assert_eq!(
                left(&estimate),
                before - tokens,
                "an estimate costs as much as the send"
            );
        }
    }
}

#[test]
fn what_saves_numbers_pays_a_token_for_each_hundred() {
    let (world, shop) = World::with_account(0);
    let id = world
        .posted(&shop.key, "/phonebook", json!({"title": "A"}))
        .text("/data/id");
    let import = |count: u32| {
        world.import(
            &shop.key,
            &id,
            format!("number\n{}\n", numbers(count)[..count as usize].join("\n")),
        )
    };
    let list = |count: u32| {
        let body = json!({"numbers": numbers(count)[..count as usize]});
        world.post(&shop.key, &format!("/phonebook/number/{id}"), body)
    };
    let cost = |request: &dyn Fn() -> Answer| {
        world.advance(60_000);
        let before = left(&world.get(&shop.key, "/lines"));
        before - left(&request().expect(201))
    };
    for (count, tokens) in [(1, 1), (100, 1), (101, 2), (200, 2), (1_000, 10)] {
        assert_eq!(cost(&|| list(count)), tokens, "{count} in a list");
        assert_eq!(cost(&|| import(count)), tokens, "{count} in a file");
    }
    // More than one transaction has, and bad lines cost nothing.
    assert_eq!(cost(&|| import(4_101)), 42);
    let bad = format!("number\n{}09121234567\n", "x\n".repeat(500));
    assert_eq!(cost(&|| world.import(&shop.key, &id, &bad)), 1);
}

#[test]
fn numbers_that_are_not_paid_for_are_not_saved() {
    let (world, shop) = World::with_account(0);
    let id = world
        .posted(&shop.key, "/phonebook", json!({"title": "A"}))
        .text("/data/id");
    limit_to(&world, &shop, 5);
    world.advance(60_000);
    world.read(&shop.key, "/lines");
    // More than can be saved up: it needs a full bucket, as a send does.
    let list = json!({"numbers": numbers(700)[..600]});
    let path = format!("/phonebook/number/{id}");
    let refused = world.post(&shop.key, &path, list.clone()).refused(429);
    assert_eq!(world.db.count("phonebook_number"), 0);
    world.advance(retry_after_s(&refused) * 1_000);
    world.post(&shop.key, &path, list).expect(201);
    world.get(&shop.key, "/lines").refused(429);
}

#[test]
fn an_import_waits_for_tokens_up_to_a_minute_and_then_says_how_far_it_came() {
    let (world, shop) = World::with_account(0);
    let id = world
        .posted(&shop.key, "/phonebook", json!({"title": "A"}))
        .text("/data/id");
    limit_to(&world, &shop, 5);
    world.advance(60_000);
    let import = |count: u32| {
        let answer = RefCell::new(None);
        let csv = format!("number\n{}\n", numbers(count)[..count as usize].join("\n"));
        let began_ms = world.now_ms.get();
        let life = Life::of(&world);
        life.spawn(async {
            let path = format!("/phonebook/{id}/import");
            let request = world.ask("POST", &shop.key, &path).body("text/csv", csv.as_bytes());
            answer.replace(Some((request.answer().await, world.now_ms.get() - began_ms)));
        });
        life.settle(300_000);
        drop(life);
        answer.into_inner().expect("an answer")
    };
    // One token a second, and up to five saved: 2,000 numbers cost 20.
    let (done, ms) = import(4_000);
    assert_eq!(done.expect(201).int("/data/added"), 4_000);
    assert!((20_000..=30_000).contains(&ms), "{ms}");
    let (stopped, ms) = import(9_900);
    let stopped = stopped.refused(429);
    assert!(ms <= 60_000 && retry_after_s(&stopped) > 0, "{ms}");
    let saved = world.read(&shop.key, &format!("/phonebook/{id}")).int("/data/count");
    assert!((6_000..9_900).contains(&saved), "{saved}");
    let detail = format!("imported up to line {} ", saved + 1);
    assert!(stopped.text("/detail").contains(&detail), "{}", stopped.body);
}

#[test]
fn a_send_that_is_tried_again_with_a_changed_pattern_pays_once() {
    let (world, shop, _) = with_pattern();
    let (path, body) = sends("", 150).swap_remove(1);
    let deactivate = "/pattern/login/deactivate";
    world.post(&shop.key, deactivate, json!({})).expect(200);
    world.activate(&shop.key, "login", 1);
    let before = left(&world.get(&shop.key, "/lines"));
    let calls = world.calls.get();
    let sent = world.posted(&shop.key, path, body);
    assert_eq!((world.calls.get() - calls, left(&sent)), (2, before - 2));
}

#[test]
fn a_send_that_the_account_may_not_make_pays_like_one_that_it_may() {
    let (world, shop, _) = with_pattern();
    let path = shop.path("");
    world.change(&path, json!({"status": "INACTIVE"}));
    let phonebook = phonebook(&world, &shop.key, 250);
    for (path, body) in sends(&phonebook, 250) {
        world.advance(60_000);
        let before = left(&world.get(&shop.key, "/lines"));
        let refused = world.post(&shop.key, path, body).problem(412, 1003);
        assert_eq!(left(&refused), before - 3, "{path}");
    }
    // A request with faults has made no such work.
    let before = left(&world.get(&shop.key, "/lines"));
    let body = json!({"message": "x", "recipients": numbers(250), "sourceNumber": "99999"});
    let found = left(&world.post(&shop.key, "/sms/send", body).problem(406, 3012));
    assert_eq!(found, before - 1);
}

#[test]
fn a_send_larger_than_the_burst_needs_a_full_bucket_and_pays_its_debt_before_the_next_request() {
    let (world, shop, test_key) = with_pattern();
    let phonebook = phonebook(&world, &shop.key, 10_000);
    limit_to(&world, &shop, 5);
    for key in [&shop.key, &test_key] {
        for (path, body) in sends(&phonebook, 10_000)
            .into_iter()
            .filter(|(path, _)| ["/sms/send", "/sms/phonebook/send"].contains(path))
        {
            world.advance(1_000_000);
            world.read(key, "/lines");
            let before = stored(&world, &shop);
            let refused = world.post(key, path, body.clone()).refused(429);
            // A send to phonebooks has paid one token before its recipients were counted.
            let wait_s = if path == "/sms/phonebook/send" { 2 } else { 1 };
            assert_eq!(retry_after_s(&refused), wait_s, "{path}");
            assert_eq!(left(&refused), 5 - wait_s);
            assert_eq!(stored(&world, &shop), before, "nothing is written");
            world.advance(wait_s * 1_000);
            let sent = world.posted(key, path, body);
            assert_eq!(sent.header("RateLimit"), Some("\"default\";r=0;t=101"));
            let refused = world.get(key, "/lines").refused(429);
            assert_eq!(refused.header("RateLimit"), Some("\"default\";r=0;t=101"));
            assert_eq!(retry_after_s(&refused), 97);
            world.advance(96_999);
            assert_eq!(retry_after_s(&world.get(key, "/lines").refused(429)), 1);
            world.advance(1);
            world.read(key, "/lines");
            world.get(key, "/lines").refused(429);
        }
    }
}

#[test]
fn who_waits_for_retry_after_is_admitted_whatever_it_sends() {
    let (world, shop, _) = with_pattern();
    // The sends pay all the same, and none has to be written.
    let path = shop.path("");
    world.change(&path, json!({"status": "INACTIVE"}));
    let mut refused = 0;
    for count in [50, 450, 950] {
        world.advance(1_000_000);
        let phonebook = phonebook(&world, &shop.key, count);
        for burst in [1, 5, 12] {
            limit_to(&world, &shop, burst);
            for (path, body) in sends(&phonebook, count) {
                for spent in 0..=burst {
                    world.advance(1_000_000);
                    for _ in 0..spent {
                        world.read(&shop.key, "/lines");
                    }
                    let answer = world.post(&shop.key, path, body.clone());
                    if answer.response.status == 429 {
                        refused += 1;
                        world.advance(retry_after_s(&answer) * 1_000);
                        world.post(&shop.key, path, body.clone()).problem(412, 1003);
                    } else {
                        answer.problem(412, 1003);
                    }
                }
            }
        }
    }
    assert!(refused > 50, "{refused}");
}

#[test]
fn a_send_to_phonebooks_without_a_token_reads_nothing() {
    let (world, shop, _) = with_pattern();
    limit_to(&world, &shop, 1);
    let body = json!({"message": "x", "phonebook": phonebook(&world, &world.account("other", 0).key, 1)});
    world.advance(1_000_000);
    world.post(&shop.key, "/sms/phonebook/send", body.clone()).refused(404);
    world.db.is_down.set(true);
    world.post(&shop.key, "/sms/phonebook/send", body).refused(429);
}

#[test]
fn no_setting_allows_a_send_that_costs_more_than_the_limiter_knows() {
    for setting in ["MAX_RECIPIENTS", "MAX_PHONEBOOK_RECIPIENTS"] {
        let read = |most: &str| Config::read(|name| (name == setting).then(|| most.to_owned()));
        assert!(read("10000").is_ok() && read("10001").is_err());
    }
    assert_eq!(Cost::MAX_TOKENS, 1 + 10_000 / 100);
}

#[test]
fn a_shop_that_writes_to_its_customers_one_by_one_loses_none() {
    let (world, shop) = World::with_account(250_000);
    for customer in 0..250_i64 {
        // 60 requests a second.
        world.now_ms.set(1_800_000_000_000 + customer * 1_000 / 60);
        world.send(&shop.key, &[&format!("0912{customer:04}100")]).expect(201);
    }
    world.settle(60_000);
    assert_eq!(world.handed(&shop.id).len(), 250);
}
