//! What each scope of operators opens, and that no operator's key reaches a wider one.

use std::collections::BTreeSet;

use peyk::account::OPERATOR;
use peyk::api::routes::ROUTES;
use peyk::auth::Scope;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::{Answer, OPERATOR_KEY_ID, World, assert_contains, cases};

/// A key of an operator: its id, the key itself and what it may do.
#[derive(Debug, Clone)]
struct Key {
    id: String,
    key: String,
    scopes: BTreeSet<Scope>,
}

impl Key {
    fn of(answer: &Answer) -> Self {
        let scopes = answer.json["data"]["scopes"].as_array().unwrap();
        Key {
            id: answer.text("/data/id"),
            key: answer.text("/data/key"),
            scopes: scopes
                .iter()
                .map(|name| Scope::parse(name.as_str().unwrap()).unwrap())
                .collect(),
        }
    }

    /// Whether the key has all that these scopes allow.
    fn covers(&self, scopes: &BTreeSet<Scope>) -> bool {
        scopes
            .iter()
            .all(|scope| self.scopes.iter().any(|own| own.includes(*scope)))
    }
}

fn names(scopes: impl IntoIterator<Item = Scope>) -> Value {
    scopes.into_iter().map(Scope::as_str).collect()
}

fn issue(world: &World, by: &str, scopes: &Value) -> Answer {
    world.post(by, "/admin/keys", json!({"title": "x", "scopes": scopes}))
}

fn key(world: &World, scopes: impl IntoIterator<Item = Scope>) -> Key {
    Key::of(&issue(world, &world.admin_key, &names(scopes)).expect(201))
}

fn rotate(world: &World, by: &str, id: &str) -> Answer {
    world.post(by, &format!("/admin/keys/{id}/rotate"), json!({}))
}

fn revoke(world: &World, by: &str, id: &str) -> Answer {
    world.delete(by, &format!("/admin/keys/{id}"))
}

/// All that the operators' object knows about keys, but for the days of their use.
fn known(world: &World) -> Vec<String> {
    let keys = "SELECT id, title, scopes, expires_ms, revoked_ms, successor FROM api_key ORDER BY id";
    let rows = world.sql(OPERATOR).run(keys);
    rows.iter().map(|row| format!("{row:?}")).collect()
}

fn needs(answer: &Answer, scope: Scope) {
    let wanted = format!("Bearer error=\"insufficient_scope\", scope=\"{}\"", scope.as_str());
    assert_eq!(answer.header("WWW-Authenticate"), Some(wanted.as_str()));
    assert_contains(&answer.text("/detail"), scope.as_str());
}

#[test]
fn each_scope_opens_exactly_the_routes_that_name_it() {
    let (world, shop) = World::with_account(10_000);
    for scope in Scope::all_of(true) {
        let key = key(&world, [scope]);
        let mut opened = 0;
        for route in ROUTES {
            let needed: Vec<Scope> = route.scopes().collect();
            if needed.is_empty() {
                continue;
            }
            let path = route.path.replace("{id}", &shop.id);
            let audited = world.db.number("SELECT count(*) FROM audit");
            let answer = world.ask(route.method, &key.key, &path).json(json!({})).send();
            if needed.iter().all(|needed| scope.includes(*needed)) {
                let status = answer.response.status;
                assert!(
                    ![401, 403].contains(&status),
                    "{} {path}: {}",
                    route.method,
                    answer.body
                );
                opened += 1;
            } else {
                let lacking = needed.into_iter().find(|needed| !scope.includes(*needed));
                needs(&answer.refused(403), lacking.unwrap());
                assert_eq!(world.db.number("SELECT count(*) FROM audit"), audited, "{path}");
            }
            world.advance(1_000);
        }
        assert!(opened > 0, "{scope:?}");
    }
    world.assert_untouched(&shop, 10_000);
}

#[test]
fn a_key_for_changes_cannot_read() {
    let (world, shop) = World::with_account(0);
    let all_but_read = Scope::all_of(true)
        .into_iter()
        .filter(|scope| !scope.includes(Scope::AdminRead));
    let key = key(&world, all_but_read);
    let change = world.ask("PATCH", &key.key, &shop.path(""));
    change.json(json!({"fullName": "New"})).send().expect(200);
    needs(&world.get(&key.key, &shop.path("")).refused(403), Scope::AdminRead);
}

#[test]
fn a_key_issues_what_it_has_and_nothing_more() {
    let world = World::new();
    let own = [Scope::AdminService, Scope::AdminRead];
    let service = key(&world, own);
    let same = issue(&world, &service.key, &Value::Null).expect(201);
    assert_eq!(
        Key::of(&same).scopes,
        BTreeSet::from(own),
        "left out: as the key of the request"
    );
    let twice = issue(&world, &service.key, &json!(["admin:read", "admin:read"])).expect(201);
    assert_eq!(twice.json["data"]["scopes"], json!(["admin:read"]));
    let before = known(&world);
    let is_wider = |scope: &Scope| !own.iter().any(|own| own.includes(*scope));
    for scope in Scope::all_of(true).into_iter().filter(is_wider) {
        needs(&issue(&world, &service.key, &names([scope])).refused(403), scope);
        needs(
            &issue(&world, &service.key, &names([Scope::AdminRead, scope])).refused(403),
            scope,
        );
    }
    assert_eq!(known(&world), before);
    // All parts together are not the whole: it would have the parts that a later version adds.
    let parts = Scope::all_of(true).into_iter().filter(|scope| *scope != Scope::Admin);
    let parts = key(&world, parts);
    needs(&issue(&world, &parts.key, &json!(["admin"])).refused(403), Scope::Admin);
    for scopes in [
        json!(["sms:send"]),
        json!(["admin", "keys"]),
        json!([]),
        json!(["admin:all"]),
    ] {
        issue(&world, &world.admin_key, &scopes).problem(422, 422);
    }
    let whole = issue(&world, &world.admin_key, &Value::Null).expect(201);
    assert_eq!(whole.json["data"]["scopes"], json!(["admin"]));
}

#[test]
fn a_key_neither_replaces_nor_ends_a_wider_one() {
    let world = World::new();
    let service = key(&world, [Scope::AdminService]);
    let money = key(&world, [Scope::AdminMoney]);
    let narrow = key(&world, [Scope::AdminService]);
    let before = known(&world);
    for (id, lacks) in [(OPERATOR_KEY_ID, Scope::Admin), (&money.id, Scope::AdminMoney)] {
        needs(&rotate(&world, &service.key, id).refused(403), lacks);
        needs(&revoke(&world, &service.key, id).refused(403), lacks);
    }
    // Nor one that the object has not learned yet: the script makes keys that may do everything.
    let unseen = OPERATOR_KEY_ID.replace("-7000-", "-7abc-");
    needs(&revoke(&world, &service.key, &unseen).refused(403), Scope::Admin);
    assert_eq!(known(&world), before);
    let successor = Key::of(&rotate(&world, &service.key, &narrow.id).expect(201));
    assert_eq!(successor.scopes, narrow.scopes);
    revoke(&world, &service.key, &successor.id).expect(204);
    revoke(&world, &world.admin_key, &money.id).expect(204);
}

#[test]
fn the_last_key_that_may_do_everything_is_left() {
    let world = World::new();
    let (wide, part) = (
        key(&world, [Scope::Admin]),
        key(&world, [Scope::AdminService, Scope::AdminRead]),
    );
    let rotated = Key::of(&rotate(&world, &wide.key, &wide.id).expect(201));
    revoke(&world, &wide.key, OPERATOR_KEY_ID).expect(204);
    // The old key works for a day more; a key for a part of it does not count.
    revoke(&world, &wide.key, &rotated.id).problem(409, 409);
    revoke(&world, &wide.key, &part.id).expect(204);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases(60)) })]

    /// Each step: who asks, of whom, whether to issue, to rotate or to revoke, and the scopes of a new key.
    #[test]
    fn no_chain_of_requests_reaches_a_wider_operator_key(
        first in prop::sample::subsequence(Scope::all_of(true), 1..=6),
        steps in prop::collection::vec((0usize..8, 0usize..8, 0u8..3, prop::sample::subsequence(Scope::all_of(true), 1..=6)), 1..25),
    ) {
        let world = World::new();
        let start = key(&world, first);
        let bystanders = Scope::all_of(true).into_iter().map(|scope| key(&world, [scope]));
        let others: Vec<Key> = bystanders.collect();
        let mut own = vec![start.clone()];
        for (actor, target, deed, scopes) in steps {
            let actor = own[actor % own.len()].clone();
            let target = own.iter().chain(&others).cycle().nth(target).unwrap().clone();
            let may = actor.covers(&BTreeSet::from([Scope::AdminService]));
            let wanted: BTreeSet<Scope> = scopes.iter().copied().collect();
            let before = known(&world);
            let (answer, reaches) = match deed {
                0 => (issue(&world, &actor.key, &names(scopes)), may && actor.covers(&wanted)),
                1 => (rotate(&world, &actor.key, &target.id), may && actor.covers(&target.scopes)),
                _ => (revoke(&world, &actor.key, &target.id), may && actor.covers(&target.scopes)),
            };
            let status = answer.response.status;
            prop_assert!(reaches || [401, 403].contains(&status), "{}", answer.body);
            prop_assert!(!reaches || status != 403, "{}", answer.body);
            if status >= 400 {
                prop_assert_eq!(known(&world), before);
            }
            if status == 201 {
                own.push(Key::of(&answer));
            }
        }
        prop_assert!(own.iter().all(|key| start.covers(&key.scopes)), "{own:?}");
    }
}
