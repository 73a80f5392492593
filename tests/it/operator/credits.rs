//! Credits that need a second operator: who may approve them, and that their money moves once, whatever breaks.

use peyk::account::record::idempotency::Idempotency;
use peyk::account::refusal::Refusal;
use peyk::account::wallet::credit::AddCredit;
use peyk::durable;
use peyk::objects::nightly;
use serde_json::{Value, json};

use crate::support::console_sessions::cookie;
use crate::support::{Account, Answer, OPERATOR_KEY_ID, World, time::DAY_MS, to_end};

const REST_MS: i64 = 10_000;

/// An operator: the id of the key, and the key itself.
struct Operator {
    id: String,
    key: String,
}

impl Operator {
    fn of(answer: &Answer) -> Self {
        Operator {
            id: answer.text("/data/id"),
            key: answer.text("/data/key"),
        }
    }

    fn new(world: &World, by: &str, scopes: &[&str]) -> Self {
        Operator::of(&world.posted(by, "/admin/keys", json!({"title": "x", "scopes": scopes})))
    }

    fn rotated(world: &World, by: &str, id: &str) -> Self {
        let path = format!("/admin/keys/{id}/rotate");
        Operator::of(&world.post(by, &path, json!({})).expect(201))
    }
}

/// A world where a credit above 1,000 needs a second operator, and two of them.
fn world() -> (World, Account, Operator, Operator) {
    let (mut world, shop) = World::with_account(10_000);
    world.app.config.credit_approval_above = Some(1_000);
    let money = ["admin:money", "admin:read"];
    let (first, second) = (
        Operator::new(&world, &world.admin_key, &money),
        Operator::new(&world, &world.admin_key, &money),
    );
    (world, shop, first, second)
}

fn ask(world: &World, shop: &Account, by: &Operator, amount: i64) -> Answer {
    let body = json!({"amount": amount, "note": "invoice 12"});
    world.post(&by.key, &shop.path("/credit"), body)
}

/// Asks for a credit that waits, and answers its id.
fn begun(world: &World, shop: &Account, by: &Operator, amount: i64) -> String {
    ask(world, shop, by, amount).expect(202).text("/data/id")
}

fn decide(world: &World, by: &str, id: &str, how: &str) -> Answer {
    world.post(by, &format!("/admin/credits/{id}/{how}"), json!({}))
}

fn approve(world: &World, by: &Operator, id: &str) -> Answer {
    decide(world, &by.key, id, "approve")
}

fn reject(world: &World, by: &Operator, id: &str) -> Answer {
    decide(world, &by.key, id, "reject")
}

/// The ids of the credits of a status, newest first.
fn listed(world: &World, status: &str) -> Vec<String> {
    let items = world.all(&world.admin_key, &format!("/admin/credits?status={status}"));
    items
        .iter()
        .map(|item| item["id"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn without_the_setting_every_credit_is_made_at_once() {
    let (world, shop) = World::with_account(0);
    world.credit(&shop, 9_000_000);
    assert_eq!(world.balance(&shop.key), (9_000_000, 0));
    assert!(listed(&world, "PENDING").is_empty());
}

#[test]
fn a_credit_above_the_setting_moves_no_money_until_another_operator_approves_it() {
    let (world, shop, first, second) = world();
    ask(&world, &shop, &first, 1_000).expect(201);
    ask(&world, &shop, &first, -1_000).expect(201);
    for (amount, after) in [(1_001, 11_001), (-1_001, 10_000)] {
        let before = world.balance(&shop.key);
        let now = peyk::base::time::to_rfc3339(world.now_ms.get());
        let asked = ask(&world, &shop, &first, amount).expect(202);
        let id = asked.text("/data/id");
        let ends = peyk::base::time::to_rfc3339(world.now_ms.get() + 7 * DAY_MS);
        let expected = json!({"id": id, "account": shop.id, "amount": amount, "note": "invoice 12", "status": "PENDING",
            "createdBy": first.id, "createdAt": now, "expiresAt": ends, "decidedBy": null, "decidedAt": null});
        assert_eq!(asked.json["data"], expected);
        assert_eq!(listed(&world, "PENDING"), [id.as_str()]);
        assert_eq!(world.balance(&shop.key), before);
        world.advance(60_000);
        let approved = approve(&world, &second, &id).expect(200);
        assert_eq!(
            (approved.text("/data/status"), approved.text("/data/decidedBy")),
            ("APPROVED".into(), second.id.clone())
        );
        assert_eq!(world.balance(&shop.key), (after, 0));
        // Again, by whoever may: nothing more moves.
        for key in [&second.key, &world.admin_key] {
            let again = decide(&world, key, &id, "approve").expect(200);
            assert_eq!(again.json["data"], approved.json["data"]);
        }
        assert_eq!(world.balance(&shop.key), (after, 0));
        let refused = reject(&world, &second, &id).problem(409, 409);
        assert!(refused.text("/detail").contains("opposite amount"), "{}", refused.body);
        assert!(listed(&world, "PENDING").is_empty() && listed(&world, "APPROVED").contains(&id));
    }
    let ledger = world.read(&shop.key, "/account/transactions");
    assert_eq!(ledger.json["data"][0]["note"], "invoice 12");
}

#[test]
fn nobody_is_a_second_operator_to_himself() {
    let (world, shop, _, second) = world();
    let all = ["admin:money", "admin:service", "admin:read"];
    let first = Operator::new(&world, &world.admin_key, &all);
    // Made by the first one before: a key, one that it has made, and one in its own place, which makes another.
    let child = Operator::new(&world, &first.key, &all);
    let grandchild = Operator::new(&world, &child.key, &all);
    let successor = Operator::rotated(&world, &first.key, &first.id);
    let twin = Operator::rotated(&world, &first.key, &first.id);
    let of_successor = Operator::new(&world, &successor.key, &all);
    // A key of another operator that the first one has replaced: it has seen the new one.
    let taken = Operator::rotated(&world, &first.key, &second.id);
    let by_first = begun(&world, &shop, &first, 2_000);
    let by_successor = begun(&world, &shop, &successor, 2_000);
    let own = [&first, &child, &grandchild, &successor, &twin, &of_successor, &taken];
    for id in [&by_first, &by_successor] {
        for (place, key) in own.iter().enumerate() {
            let refused = approve(&world, key, id).problem(403, 403);
            assert!(
                refused.text("/detail").contains("another operator"),
                "{place}: {}",
                refused.body
            );
        }
    }
    // The first one comes in as an operator who was there before, by a link: the session is the first one's own.
    let person = json!({"phone": "+989121234567", "name": "Sara", "scopes": all});
    let sara = world.create("/admin/members", person).text("/data/id");
    let link = world
        .post(&first.key, &format!("/admin/members/{sara}/link"), json!({}))
        .expect(201);
    let session = cookie(&world.enter(&link.text("/data/code")).expect(204));
    let approve_in = |session: &str| {
        let path = format!("/admin/credits/{by_first}/approve");
        world.request("POST", &path).session(session).send()
    };
    approve_in(&session).problem(403, 403);
    assert_eq!(world.balance(&shop.key), (10_000, 0));
    // What has come between them is forgotten, and that it has is not.
    let of_late = Operator::new(&world, &of_successor.key, &all);
    for key in [&child, &of_successor] {
        let path = format!("/admin/keys/{}", key.id);
        world.delete(&world.admin_key, &path).expect(204);
    }
    world.advance(32 * DAY_MS);
    world.settle(REST_MS);
    let known = world.read(&world.admin_key, "/admin/keys?limit=200").body;
    assert!(
        [&first, &child, &of_successor]
            .iter()
            .all(|key| !known.contains(&format!("\"id\":\"{}\"", key.id)))
    );
    let late = begun(&world, &shop, &successor, 2_000);
    for key in [&of_late, &grandchild, &twin] {
        approve(&world, key, &late).problem(403, 403);
    }
    decide(&world, &world.admin_key, &late, "approve").expect(200);
    assert_eq!(world.balance(&shop.key), (12_000, 0));
}

#[test]
fn a_first_key_may_approve_what_a_key_that_it_has_made_asks_for() {
    let (world, shop, first, _) = world();
    let id = begun(&world, &shop, &first, 5_000);
    decide(&world, &world.admin_key, &id, "approve").expect(200);
    let asked = world.admin("POST", &shop.path("/credit"), json!({"amount": 5_000}));
    let id = asked.expect(202).text("/data/id");
    approve(&world, &first, &id).problem(403, 403);
    assert_eq!(world.balance(&shop.key), (15_000, 0));
}

#[test]
fn a_credit_that_is_rejected_or_too_old_never_moves_money() {
    let (world, shop, first, second) = world();
    let id = begun(&world, &shop, &first, 5_000);
    // Whoever has asked for it may take it back.
    let rejected = reject(&world, &first, &id).expect(200);
    assert_eq!(
        (rejected.text("/data/status"), rejected.text("/data/decidedBy")),
        ("REJECTED".into(), first.id.clone())
    );
    assert_eq!(
        reject(&world, &second, &id).expect(200).json["data"],
        rejected.json["data"]
    );
    approve(&world, &second, &id).problem(409, 409);
    let old = begun(&world, &shop, &first, 5_000);
    world.advance(7 * DAY_MS - 1);
    assert_eq!(listed(&world, "PENDING"), [old.as_str()]);
    world.advance(1);
    assert_eq!(
        (listed(&world, "PENDING").len(), listed(&world, "EXPIRED")),
        (0, vec![old.clone()])
    );
    approve(&world, &second, &old).problem(409, 409);
    reject(&world, &second, &old).problem(409, 409);
    approve(&world, &second, "none").refused(404);
    reject(&world, &second, "none").refused(404);
    world.get(&second.key, "/admin/credits?status=OPEN").problem(422, 422);
    assert_eq!(world.balance(&shop.key), (10_000, 0));
    // Old ones go at night.
    world.advance(91 * DAY_MS);
    to_end(nightly::run(&world, &world.app.config));
    assert!(world.all(&world.admin_key, "/admin/credits?limit=50").is_empty());
}

#[test]
fn closing_an_account_rejects_the_credits_that_wait_for_it() {
    let (world, shop, first, second) = world();
    let (id, other) = (begun(&world, &shop, &first, 5_000), world.account("other", 0));
    let of_other = begun(&world, &other, &first, 5_000);
    let all = begun(&world, &shop, &first, -10_000);
    approve(&world, &second, &all).expect(200);
    world.delete(&world.admin_key, &shop.path("")).expect(204);
    assert_eq!(listed(&world, "PENDING"), [of_other]);
    assert_eq!(listed(&world, "REJECTED"), [id.as_str()]);
    approve(&world, &second, &id).problem(409, 409);
    assert_eq!(world.look(&shop.path("")).int("/data/wallet/availableBalance"), 0);
}

#[test]
fn a_credit_that_the_wallet_refuses_waits_on() {
    let (world, shop, first, second) = world();
    let id = begun(&world, &shop, &first, -10_001);
    approve(&world, &second, &id).problem(400, 2001);
    assert_eq!(listed(&world, "PENDING"), [id.as_str()]);
    let other = begun(&world, &shop, &first, -10_002);
    approve(&world, &second, &other).problem(400, 2001);
    reject(&world, &second, &other).expect(200);
    ask(&world, &shop, &first, 1).expect(201);
    approve(&world, &second, &id).expect(200);
    assert_eq!(world.balance(&shop.key), (0, 0));
}

#[test]
fn an_idempotency_key_names_one_credit_whatever_the_setting_becomes() {
    let (mut world, shop, first, second) = world();
    let ask = |world: &World, key: &str, amount: i64| {
        let request = world.ask("POST", &first.key, &shop.path("/credit"));
        request.idempotency_key(key).json(json!({"amount": amount})).send()
    };
    let pending = ask(&world, "a", 5_000).expect(202);
    let direct = ask(&world, "b", 500).expect(201);
    let again = ask(&world, "a", 5_000).expect(202);
    assert_eq!(again.json["data"], pending.json["data"]);
    assert_eq!(again.header("Idempotency-Replayed"), Some("true"));
    for (key, amount) in [("a", 5_001), ("a", 400), ("b", 5_000), ("b", 501)] {
        ask(&world, key, amount).problem(422, 422);
    }
    // The setting is another one now: the key still names what it has made.
    world.app.config.credit_approval_above = None;
    assert_eq!(ask(&world, "a", 5_000).expect(202).json["data"], pending.json["data"]);
    world.app.config.credit_approval_above = Some(100);
    let again = ask(&world, "b", 500).expect(201);
    assert_eq!(again.json["data"], direct.json["data"]);
    assert_eq!(again.header("Idempotency-Replayed"), Some("true"));
    let id = pending.text("/data/id");
    approve(&world, &second, &id).expect(200);
    assert_eq!(ask(&world, "a", 5_000).expect(202).text("/data/status"), "APPROVED");
    // A client that takes the credit's id for its key neither keeps it from being made, nor makes it twice.
    let other = begun(&world, &shop, &first, 5_000);
    ask(&world, &other, 50).expect(201);
    approve(&world, &second, &other).expect(200);
    approve(&world, &second, &other).expect(200);
    assert_eq!(world.balance(&shop.key), (20_550, 0));
    world.advance(DAY_MS);
    assert_ne!(ask(&world, "a", 5_000).expect(202).text("/data/id"), id);
}

/// What the directory and the wallet say of a credit of 5,000.
fn is_consistent(world: &World, shop: &Account, id: &str) -> bool {
    let credits = world.all(&world.admin_key, "/admin/credits?limit=50");
    let status = credits.iter().find(|credit| credit["id"] == id).unwrap()["status"].clone();
    match world.balance(&shop.key) {
        (10_000, 0) => status != "APPROVED",
        (15_000, 0) => status != "REJECTED" && status != "EXPIRED",
        other => panic!("{other:?}"),
    }
}

#[test]
fn wherever_an_approval_breaks_off_the_money_moves_once() {
    for steps in 1.. {
        for then in ["approve", "reject", "night"] {
            let (world, shop, first, second) = world();
            world.yield_at_each_await();
            let id = begun(&world, &shop, &first, 5_000);
            let path = format!("/admin/credits/{id}/approve");
            let request = world.ask("POST", &second.key, &path);
            let answered = request.json(json!({})).send_for(steps).is_some();
            assert!(is_consistent(&world, &shop, &id), "{steps}");
            match then {
                "approve" => {
                    approve(&world, &second, &id).expect(200);
                    assert_eq!(world.balance(&shop.key), (15_000, 0), "{steps}");
                }
                "reject" => {
                    let answer = reject(&world, &second, &id);
                    let moved = world.balance(&shop.key).0 > 10_000;
                    assert!(answer.response.status == 409 || !moved, "{steps} {}", answer.body);
                    world.advance(31_000);
                    let status = reject(&world, &second, &id).response.status;
                    assert_eq!(status, if moved { 409 } else { 200 }, "{steps}");
                }
                _ => {
                    world.advance(31_000);
                    to_end(nightly::run(&world, &world.app.config));
                    let moved = world.balance(&shop.key).0 > 10_000;
                    assert_eq!(listed(&world, "APPROVED").len(), usize::from(moved), "{steps}");
                    world.advance(8 * DAY_MS);
                    assert_eq!(listed(&world, "EXPIRED").len(), usize::from(!moved), "{steps}");
                }
            }
            assert!(is_consistent(&world, &shop, &id), "{steps} {then}");
            // Much later, when nobody remembers any idempotency key.
            world.advance(3 * DAY_MS);
            let before = world.balance(&shop.key);
            decide(&world, &world.admin_key, &id, "approve");
            assert_eq!(world.balance(&shop.key), before, "{steps} {then}");
            assert!(is_consistent(&world, &shop, &id), "{steps} {then}");
            if answered && then == "night" {
                assert!(steps > 5, "{steps}");
                return;
            }
        }
    }
}

#[test]
fn an_approval_that_comes_too_late_into_the_object_moves_nothing() {
    let (world, shop, first, second) = world();
    let id = begun(&world, &shop, &first, 5_000);
    // Nobody knows whether the object has it: so nobody may reject it before the object takes it no more.
    world.failing_request.set(Some("AddCredit"));
    approve(&world, &second, &id).refused(503);
    world.failing_request.set(None);
    reject(&world, &second, &id).problem(409, 409);
    world.advance(31_000);
    reject(&world, &second, &id).expect(200);
    // The call was on its way, and comes now.
    let late = |until_ms| AddCredit {
        amount: 5_000,
        note: None,
        idempotency: Some(Idempotency::approved(&id)),
        until_ms: Some(until_ms),
    };
    let ask = |until_ms| to_end(durable::ask(&world, &shop.id, None, None, &late(until_ms))).unwrap();
    assert_eq!(ask(world.now_ms.get() - 11_000).outcome.unwrap_err(), Refusal::TooLate);
    assert_eq!(world.balance(&shop.key), (10_000, 0));
    // One that the object has made before is told from it.
    assert!(!ask(world.now_ms.get()).outcome.unwrap().replayed);
    world.advance(60_000);
    assert!(ask(world.now_ms.get() - 60_000).outcome.unwrap().replayed);
    assert_eq!(world.balance(&shop.key), (15_000, 0));
}

#[test]
fn a_credit_is_made_once_though_the_directory_goes_back() {
    let (world, shop, first, second) = world();
    let id = begun(&world, &shop, &first, 5_000);
    approve(&world, &second, &id).expect(200);
    world.db.run("UPDATE credit SET status = 'PENDING', claimed_by = NULL, claimed_ms = NULL, decided_by = NULL, decided_ms = NULL");
    world.advance(5 * DAY_MS);
    assert_eq!(
        approve(&world, &second, &id).expect(200).text("/data/status"),
        "APPROVED"
    );
    assert_eq!(world.balance(&shop.key), (15_000, 0));
}

#[test]
fn so_many_credits_wait_at_most() {
    let (world, shop, first, second) = world();
    let id = begun(&world, &shop, &first, 5_000);
    world.db.run_with(
        "INSERT INTO credit (id, account, amount, created_by, created_ms) \
         SELECT format('0-%04d', value), ?1, 7, 'x', ?2 FROM json_each(?3)",
        &[
            shop.id.as_str().into(),
            world.now_ms.get().into(),
            serde_json::to_string(&(0..999).collect::<Vec<_>>()).unwrap().into(),
        ],
    );
    let refused = ask(&world, &shop, &first, 5_000).problem(409, 409);
    assert!(refused.text("/detail").contains("second operator"), "{}", refused.body);
    ask(&world, &shop, &first, 500).expect(201);
    reject(&world, &second, &id).expect(200);
    ask(&world, &shop, &first, 5_000).expect(202);
}

#[test]
fn the_audit_log_says_who_has_asked_and_who_has_decided() {
    let (world, shop, first, second) = world();
    let id = begun(&world, &shop, &first, 5_000);
    world.advance(1_000);
    approve(&world, &first, &id).refused(403);
    approve(&world, &second, &id).expect(200);
    world.advance(1_000);
    approve(&world, &second, &id).expect(200);
    let other = begun(&world, &shop, &first, 5_000);
    world.advance(1_000);
    reject(&world, &second, &other).expect(200);
    world.settle(REST_MS);
    let entries = world.all(&world.admin_key, "/admin/audit?thing=credit");
    let shown = |entry: &Value| {
        assert_eq!(entry["thing"]["account"], shop.id.as_str());
        json!([
            entry["operation"],
            entry["actor"]["key"],
            entry["thing"]["id"],
            entry["before"]["status"],
            entry["after"]["status"],
            entry["after"]["availableBalance"]
        ])
    };
    let shown: Vec<Value> = entries.iter().rev().map(shown).collect();
    let expected = [
        json!(["AdminAddCredit", first.id, id, null, "PENDING", null]),
        json!(["AdminApproveCredit", second.id, id, "PENDING", "APPROVED", 15_000]),
        json!(["AdminAddCredit", first.id, other, null, "PENDING", null]),
        json!(["AdminRejectCredit", second.id, other, "PENDING", "REJECTED", null]),
    ];
    assert_eq!(shown, expected);
    // Who may only read, or only manage accounts, decides nothing.
    for scopes in [["admin:read"], ["admin:accounts"]] {
        let other = Operator::new(&world, &world.admin_key, &scopes);
        for how in ["approve", "reject"] {
            decide(&world, &other.key, &id, how).refused(403);
        }
    }
    assert_ne!(first.id, OPERATOR_KEY_ID);
}
