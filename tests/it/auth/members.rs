//! Members: the people of an account, or of the operators, who sign in to the console by phone.

use serde_json::{Value, json};

use crate::support::console_sessions::cookie;
use crate::support::{Account, World};

const SARA: &str = "+989121234567";

fn person(phone: &str, role: &str) -> Value {
    json!({"phone": phone, "name": "Sara", "role": role})
}

fn admitted(world: &World, shop: &Account, role: &str) -> String {
    world.posted(&shop.key, "/members", person(SARA, role)).text("/data/id")
}

fn members(world: &World, shop: &Account) -> Vec<Value> {
    world.all(&shop.key, "/members?limit=1")
}

#[test]
fn a_member_is_admitted_changed_and_let_go() {
    let (world, shop) = World::with_account(10_000);
    let added = world
        .post(&shop.key, "/members", person("0912 123 4567", "SENDER"))
        .expect(201);
    let id = added.text("/data/id");
    added.has(json!({"name": "Sara", "phone": SARA, "role": "SENDER", "createdBy": shop.key_id}));
    assert_eq!(members(&world, &shop), [added.json["data"].clone()]);
    let path = format!("/members/{id}");
    let changed = world
        .ask("PATCH", &shop.key, &path)
        .json(json!({"name": "Mina"}))
        .send()
        .expect(200);
    changed.has(json!({"name": "Mina", "role": "SENDER"}));
    let changed = world
        .ask("PATCH", &shop.key, &path)
        .json(json!({"role": "VIEWER"}))
        .send()
        .expect(200);
    changed.has(json!({"name": "Mina", "role": "VIEWER"}));
    assert_eq!(members(&world, &shop), [changed.json["data"].clone()]);
    world.delete(&shop.key, &path).expect(204);
    assert_eq!(members(&world, &shop), Vec::<Value>::new());
    world.delete(&shop.key, &path).problem(404, 404);
    world
        .ask("PATCH", &shop.key, &path)
        .json(json!({"name": "x"}))
        .send()
        .problem(404, 404);
    let again = admitted(&world, &shop, "OWNER");
    assert_ne!(again, id, "a person who comes back is another member");
}

#[test]
fn a_phone_is_one_member_of_an_account_and_may_be_one_of_others() {
    let (world, shop) = World::with_account(10_000);
    let id = admitted(&world, &shop, "OWNER");
    let again = world
        .post(&shop.key, "/members", person(SARA, "VIEWER"))
        .problem(409, 409);
    assert_eq!(
        again.text("/detail"),
        "This phone is a member already; change that one."
    );
    assert_eq!(members(&world, &shop)[0]["id"], json!(id));
    let other = world.account("other", 10_000);
    world.create(&other.path("/members"), person(SARA, "VIEWER"));
    assert_eq!(members(&world, &shop).len(), 1);
}

#[test]
fn a_member_may_do_no_more_than_who_admits_it() {
    let (world, shop) = World::with_account(10_000);
    let narrow = world.grant(
        &shop,
        json!({"title": "narrow", "scopes": ["keys", "account:read"], "lines": ["10001"]}),
    );
    let narrow = narrow.text("/data/key");
    for role in ["OWNER", "SENDER", "VIEWER"] {
        let refused = world.post(&narrow, "/members", person(SARA, role)).problem(422, 422);
        refused.points_at(&["/role"]);
    }
    let finance = world
        .posted(&narrow, "/members", person(SARA, "FINANCE"))
        .text("/data/id");
    let path = format!("/members/{finance}");
    let wider = world
        .ask("PATCH", &narrow, &path)
        .json(json!({"role": "OWNER"}))
        .send()
        .problem(422, 422);
    wider.points_at(&["/role"]);
    assert_eq!(members(&world, &shop)[0]["role"], "FINANCE");
    world
        .ask("PATCH", &shop.key, &path)
        .json(json!({"role": "OWNER"}))
        .send()
        .expect(200);
    // Now the member may do more than the key.
    world
        .ask("PATCH", &narrow, &path)
        .json(json!({"name": "x"}))
        .send()
        .problem(403, 403);
    world.delete(&narrow, &path).problem(403, 403);
    let sender = world
        .grant(&shop, json!({"title": "sender", "scopes": ["sms:send"]}))
        .text("/data/key");
    for (method, path) in [
        ("GET", "/members"),
        ("POST", "/members"),
        ("PATCH", &*path),
        ("DELETE", &*path),
    ] {
        world
            .ask(method, &sender, path)
            .json(json!({}))
            .send()
            .problem(403, 403);
    }
    let test = world
        .grant(&shop, json!({"title": "t", "scopes": ["keys"], "mode": "test"}))
        .text("/data/key");
    world.post(&test, "/members", person(SARA, "VIEWER")).problem(403, 403);
    assert_eq!(members(&world, &shop).len(), 1);
}

#[test]
fn a_bad_member_is_refused_with_all_faults() {
    let (world, shop) = World::with_account(10_000);
    let bad = json!({"phone": "12", "name": "", "role": "BOSS"});
    world
        .post(&shop.key, "/members", bad)
        .problem(422, 422)
        .points_at(&["/phone", "/name", "/role"]);
    world
        .post(&shop.key, "/members", json!({}))
        .problem(422, 422)
        .points_at(&["/phone", "/name", "/role"]);
    assert_eq!(members(&world, &shop), Vec::<Value>::new());
    let id = admitted(&world, &shop, "OWNER");
    let path = format!("/members/{id}");
    let bad = json!({"name": "", "role": "BOSS"});
    let refused = world.ask("PATCH", &shop.key, &path).json(bad).send().problem(422, 422);
    refused.points_at(&["/name", "/role"]);
    let scopes = json!({"phone": "12", "name": "x", "scopes": ["sms:send"]});
    world
        .admin("POST", "/admin/members", scopes)
        .problem(422, 422)
        .points_at(&["/phone", "/scopes/0"]);
    world
        .admin("POST", &shop.path("/members"), json!({}))
        .problem(422, 422)
        .points_at(&["/phone", "/name", "/role"]);
    world
        .admin("POST", "/admin/accounts/none/members", person(SARA, "OWNER"))
        .problem(404, 404);
    world
        .admin("GET", "/admin/accounts/none/members", json!({}))
        .problem(404, 404);
    world
        .admin("DELETE", "/admin/accounts/none/members/x", json!({}))
        .problem(404, 404);
}

#[test]
fn a_member_is_no_key() {
    let (world, shop) = World::with_account(10_000);
    let id = admitted(&world, &shop, "OWNER");
    let listed = world.all(&shop.key, "/keys");
    assert!(listed.iter().all(|key| key["id"] != json!(id)));
    world.delete(&shop.key, &format!("/keys/{id}")).problem(404, 404);
    world
        .delete(&shop.key, &format!("/keys/{id}?cascade=true"))
        .problem(404, 404);
    world
        .post(&shop.key, &format!("/keys/{id}/rotate"), json!({}))
        .problem(404, 404);
    world
        .delete(&shop.key, &format!("/members/{}", shop.key_id))
        .problem(404, 404);
    assert_eq!(members(&world, &shop).len(), 1);
    // What a key has admitted goes with it.
    world
        .admin(
            "DELETE",
            &shop.path(&format!("/keys/{}?cascade=true", shop.key_id)),
            json!({}),
        )
        .expect(200);
    assert_eq!(world.look(&shop.path("/members")).items(), &Vec::<Value>::new());
}

#[test]
fn operators_admit_the_first_owner_of_an_account_and_each_other() {
    let (world, shop) = World::with_account(10_000);
    let path = shop.path("/members");
    let owner = world.create(&path, person(SARA, "OWNER"));
    owner.has(json!({"createdBy": null, "role": "OWNER"}));
    assert_eq!(world.look(&path).items(), &[owner.json["data"].clone()]);
    let one = format!("{path}/{}", owner.text("/data/id"));
    world.admin("DELETE", &one, json!({})).expect(204);
    world.admin("DELETE", &one, json!({})).problem(404, 404);
    let mina = json!({"phone": SARA, "name": "Mina", "scopes": ["admin:read"]});
    let added = world.create("/admin/members", mina);
    added.has(json!({"name": "Mina", "phone": SARA, "scopes": ["admin:read"]}));
    let one = format!("/admin/members/{}", added.text("/data/id"));
    let changed = world.change(&one, json!({"scopes": ["admin:read", "admin:money"]}));
    assert_eq!(world.look("/admin/members").items(), &[changed.json["data"].clone()]);
    let reader = world
        .create("/admin/keys", json!({"title": "r", "scopes": ["admin:read"]}))
        .text("/data/key");
    let refused = world.post(
        &reader,
        "/admin/members",
        json!({"phone": SARA, "name": "x", "scopes": ["admin:read"]}),
    );
    refused.problem(403, 403);
    let manager = json!({"title": "m", "scopes": ["admin:service"]});
    let manager = world.create("/admin/keys", manager).text("/data/key");
    let wider = json!({"phone": "+989121234568", "name": "x", "scopes": ["admin:money"]});
    world
        .post(&manager, "/admin/members", wider)
        .problem(422, 422)
        .points_at(&["/scopes"]);
    world.admin("DELETE", &one, json!({})).expect(204);
    assert_eq!(world.look("/admin/members").items(), &Vec::<Value>::new());
}

#[test]
fn nobody_changes_what_they_may_do_themselves() {
    let (world, shop) = World::with_account(10_000);
    let id = admitted(&world, &shop, "OWNER");
    let operator = json!({"phone": SARA, "name": "Sara", "scopes": ["admin:read", "admin:service"]});
    let operator = world.create("/admin/members", operator).text("/data/id");
    for (key, path, less) in [
        (&shop.key, format!("/members/{id}"), json!({"role": "VIEWER"})),
        (
            &world.admin_key,
            format!("/admin/members/{operator}"),
            json!({"scopes": ["admin:read"]}),
        ),
    ] {
        let link = world.post(key, &format!("{path}/link"), json!({})).expect(201);
        let session = cookie(&world.enter(&link.text("/data/code")).expect(204));
        let change = |body: &Value| {
            world
                .request("PATCH", &path)
                .session(&session)
                .json(body.clone())
                .send()
        };
        change(&less).problem(409, 409);
        change(&json!({"name": "Sara Ahmadi"})).has(json!({"name": "Sara Ahmadi"}));
        world.page(&session, "/console/session").expect(200);
        // Another one may.
        world.ask("PATCH", key, &path).json(less).send().expect(200);
        world.page(&session, "/console/session").refused(401);
    }
}
