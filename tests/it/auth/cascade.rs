//! A key is thrown out with what comes from it: keys, and endpoints.

mod operators;
mod random;

use std::collections::BTreeSet;

use futures_util::future::join;
use peyk::auth::{self, Mode, Scope};
use peyk::base::time::DAY_MS;
use peyk::durable;
use peyk::webhook::endpoint::CreateEndpoint;
use peyk::webhook::request::WebhookRefusal;
use serde_json::{Value, json};

use crate::support::{Account, Answer, World, give_way, to_end};

/// A key: its id and the key itself.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Key {
    id: String,
    key: String,
}

impl Key {
    fn of(issued: &Answer) -> Key {
        Key {
            id: issued.text("/data/id"),
            key: issued.text("/data/key"),
        }
    }
}

/// The body of a key that may do all that a key of an account may.
fn whole(title: &str) -> Value {
    let scopes: Vec<&str> = Scope::all_of(false).into_iter().map(Scope::as_str).collect();
    json!({"title": title, "scopes": scopes})
}

fn issue(world: &World, by: &Key, title: &str) -> Key {
    world.advance(1);
    Key::of(&world.posted(&by.key, "/keys", whole(title)))
}

fn grant(world: &World, shop: &Account, title: &str) -> Key {
    world.advance(1);
    Key::of(&world.grant(shop, whole(title)))
}

fn rotate(world: &World, by: &Key, old: &Key) -> Key {
    world.advance(1);
    Key::of(&world.posted(&by.key, &format!("/keys/{}/rotate", old.id), json!({})))
}

/// An endpoint that a key makes: its id.
fn listen(world: &World, by: &Key, host: &str) -> String {
    world.advance(1);
    world.posted(&by.key, "/webhook", endpoint(host)).text("/data/id")
}

fn endpoint(host: &str) -> Value {
    json!({"url": format!("https://{host}.example/hook"), "events": ["message.status"]})
}

fn change(world: &World, by: &Key, endpoint: &str, change: Value) {
    world.put(&by.key, &format!("/webhook/{endpoint}"), change).expect(200);
}

/// Throws a key out, as an operator.
fn throw_out(world: &World, shop: &Account, key: &Key) -> Answer {
    world.delete(&world.admin_key, &shop.path(&format!("/keys/{}?cascade=true", key.id)))
}

/// What an answer says was thrown out: the ids of keys and endpoints.
fn thrown_out(answer: &Answer) -> (BTreeSet<String>, BTreeSet<String>) {
    let ids = |name: &str| {
        let items = answer.json["data"][name].as_array().unwrap().iter();
        items.map(|item| item["id"].as_str().unwrap().to_owned()).collect()
    };
    (ids("keys"), ids("webhooks"))
}

fn ids<'a>(keys: impl IntoIterator<Item = &'a Key>) -> BTreeSet<String> {
    keys.into_iter().map(|key| key.id.clone()).collect()
}

fn works(world: &World, key: &Key) -> bool {
    match world.get(&key.key, "/account/info").response.status {
        200 => true,
        401 => false,
        other => panic!("{other}"),
    }
}

fn in_kv(world: &World, key: &Key) -> bool {
    world.keys.borrow().contains_key(&auth::digest(&key.key))
}

/// The endpoints that get something.
fn active(world: &World, shop: &Account) -> BTreeSet<String> {
    let endpoints = world.webhook_sql(&shop.id);
    endpoints
        .texts("SELECT id FROM endpoint WHERE active = 1")
        .into_iter()
        .collect()
}

/// All that the objects and KV know about keys and endpoints, but for when keys were used.
fn known(world: &World, shop: &Account) -> (Vec<String>, Vec<String>, BTreeSet<String>) {
    let keys = "SELECT id || coalesce(revoked_ms, '') || coalesce(expires_ms, '') FROM api_key ORDER BY id";
    let endpoints = "SELECT id || url || events || active || coalesce(disabled_reason, '') FROM endpoint ORDER BY id";
    (
        world.sql(&shop.id).texts(keys),
        world.webhook_sql(&shop.id).texts(endpoints),
        world.keys.borrow().keys().cloned().collect(),
    )
}

/// A leaked key with all that may come from one, and what does not.
struct Scene {
    world: World,
    shop: Account,
    main: Key,
    leaked: Key,
    /// The leaked key first.
    from_leaked: Vec<Key>,
    others: Vec<Key>,
    stolen: BTreeSet<String>,
    own: BTreeSet<String>,
}

impl Scene {
    fn new() -> Scene {
        let (world, shop) = World::with_busy_account(10_000);
        let main = Key {
            id: shop.key_id.clone(),
            key: shop.key.clone(),
        };
        let leaked = grant(&world, &shop, "leaked");
        let other = grant(&world, &shop, "other");
        let child = issue(&world, &leaked, "child");
        let grandchild = issue(&world, &child, "grandchild");
        let seen = rotate(&world, &child, &other);
        let successor = rotate(&world, &main, &grandchild);
        let of_successor = issue(&world, &successor, "of a successor");
        let sibling = issue(&world, &main, "sibling");
        let own = [&main, &sibling, &other].map(|by| listen(&world, by, "own"));
        let stolen = [&leaked, &grandchild, &of_successor].map(|by| listen(&world, by, "thief"));
        let led_away = listen(&world, &main, "own");
        change(&world, &seen, &led_away, json!({"url": "https://thief.example/"}));
        // That somebody else has changed the rest gives the address back to nobody.
        change(
            &world,
            &main,
            &led_away,
            json!({"events": ["message.received"], "description": "ours"}),
        );
        let told_more = listen(&world, &main, "own");
        change(
            &world,
            &child,
            &told_more,
            json!({"events": ["message.status", "message.received"]}),
        );
        let mended = listen(&world, &main, "own");
        change(
            &world,
            &leaked,
            &mended,
            json!({"url": "https://thief.example/", "description": "mine"}),
        );
        change(&world, &main, &mended, json!({"url": "https://own.example/again"}));
        Scene {
            from_leaked: vec![leaked.clone(), child, grandchild, seen, successor, of_successor],
            others: vec![main.clone(), other, sibling],
            stolen: stolen.into_iter().chain([led_away, told_more]).collect(),
            own: own.into_iter().chain([mended]).collect(),
            world,
            shop,
            main,
            leaked,
        }
    }

    /// The leaked key and what comes from it count nowhere; everything else is as it was.
    #[track_caller]
    fn assert_thrown_out(&self, answer: &Answer) {
        let expected = (ids(&self.from_leaked), self.stolen.clone());
        assert_eq!(thrown_out(answer), expected, "{}", answer.body);
        assert_eq!(active(&self.world, &self.shop), self.own);
        for key in &self.from_leaked {
            assert!(!works(&self.world, key) && !in_kv(&self.world, key));
        }
        for key in &self.others {
            assert!(works(&self.world, key) && in_kv(&self.world, key));
        }
        for id in &self.stolen {
            let seen = self.world.read(&self.main.key, &format!("/webhook/{id}"));
            seen.has(json!({"active": false, "disabledReason": "KEY_REVOKED"}));
        }
    }
}

#[test]
fn a_key_goes_with_all_that_comes_from_it_and_with_nothing_else() {
    for by_account in [false, true] {
        let scene = Scene::new();
        let (world, shop) = (&scene.world, &scene.shop);
        world.advance(1_000);
        let answer = match by_account {
            true => world.delete(&scene.main.key, &format!("/keys/{}?cascade=true", scene.leaked.id)),
            false => throw_out(world, shop, &scene.leaked),
        };
        let answer = answer.expect(200);
        scene.assert_thrown_out(&answer);
        let first = &answer.json["data"]["keys"][0];
        let now = peyk::base::time::to_rfc3339(world.now_ms.get());
        assert_eq!(
            first,
            &json!({"id": scene.leaked.id, "title": "leaked", "revokedAt": now})
        );
        assert_eq!(answer.text("/data/webhooks/0/url"), "https://thief.example/hook");
        // A repeat says the same, and changes nothing.
        world.advance(5_000);
        let before = known(world, shop);
        let again = throw_out(world, shop, &scene.leaked).expect(200);
        assert_eq!(
            (&again.json["data"], known(world, shop)),
            (&answer.json["data"], before)
        );
    }
}

#[test]
fn an_endpoint_shows_the_key_that_has_made_it() {
    let scene = Scene::new();
    let listed = scene.world.all(&scene.main.key, "/webhook?limit=200");
    let makers: BTreeSet<&str> = listed.iter().map(|item| item["createdBy"].as_str().unwrap()).collect();
    assert!(makers.contains(scene.main.id.as_str()) && makers.contains(scene.leaked.id.as_str()));
}

#[test]
fn without_a_cascade_only_the_key_itself_is_revoked() {
    let scene = Scene::new();
    let (world, shop) = (&scene.world, &scene.shop);
    let before = active(world, shop);
    let [_, child, ..] = &scene.from_leaked[..] else {
        panic!()
    };
    for (path, key) in [
        (shop.path(&format!("/keys/{}", scene.leaked.id)), &world.admin_key),
        (format!("/keys/{}?cascade=false", child.id), &scene.main.key),
    ] {
        let answer = world.delete(key, &path).expect(204);
        assert_eq!(answer.body, "");
    }
    assert!(!works(world, &scene.leaked) && !works(world, child));
    assert!(scene.from_leaked[2..].iter().all(|key| works(world, key)));
    assert_eq!(active(world, shop), before);
    // What it had made can still be thrown out.
    scene.assert_thrown_out(&throw_out(world, shop, &scene.leaked).expect(200));
}

#[test]
fn a_cascade_that_is_refused_changes_nothing() {
    let scene = Scene::new();
    let (world, shop) = (&scene.world, &scene.shop);
    let stranger = world.account("stranger", 0);
    let reader = json!({"title": "reader", "scopes": ["sms:read"]});
    let reader = Key::of(&world.grant(shop, reader));
    let narrow = json!({"title": "narrow", "scopes": ["keys", "sms:send"]});
    let narrow = Key::of(&world.grant(shop, narrow));
    let before = known(world, shop);
    let own = |id: &str| format!("/keys/{id}?cascade=true");
    let path = format!("/keys/{}", scene.leaked.id);
    for (key, path, status) in [
        (&scene.main.key, format!("{path}?cascade=yes"), 422),
        (&world.admin_key, shop.path(&format!("{path}?cascade=1")), 422),
        (&scene.main.key, own("none"), 404),
        (&world.admin_key, shop.path(&own("none")), 404),
        (
            &world.admin_key,
            format!("/admin/accounts/none{path}?cascade=true"),
            404,
        ),
        (&stranger.key, own(&scene.leaked.id), 404),
        (&world.admin_key, stranger.path(&own(&scene.leaked.id)), 404),
        (&reader.key, own(&reader.id), 403),
        (&narrow.key, own(&scene.leaked.id), 403),
    ] {
        world.delete(key, &path).refused(status);
    }
    assert_eq!(known(world, shop), before);
}

#[test]
fn a_key_of_an_account_throws_out_nothing_that_is_wider_than_itself() {
    let (world, shop) = World::with_busy_account(10_000);
    let leaked = grant(&world, &shop, "leaked");
    let child = issue(&world, &leaked, "child");
    let successor = rotate(&world, &leaked, &leaked);
    let before = known(&world, &shop);
    // The old key, in its grace, is about to end; its successor lasts. So a thief of the old one can't take the new one away.
    let path = format!("/keys/{}?cascade=true", leaked.id);
    world.delete(&leaked.key, &path).refused(403);
    assert_eq!(known(&world, &shop), before);
    assert!([&leaked, &child, &successor].map(|key| works(&world, key)) == [true; 3]);
    // The successor throws out both, and so itself.
    let answer = world.delete(&successor.key, &path).expect(200);
    assert_eq!(thrown_out(&answer).0, ids([&leaked, &child, &successor]));
    assert!([&leaked, &child, &successor].map(|key| works(&world, key)) == [false; 3]);
    // A wider one that has ended is in nobody's way.
    let (old, main) = (grant(&world, &shop, "old"), shop.key.clone());
    let new = rotate(&world, &old, &old);
    world.delete(&main, &format!("/keys/{}", new.id)).expect(204);
    let answer = world
        .delete(&old.key, &format!("/keys/{}?cascade=true", old.id))
        .expect(200);
    assert_eq!(thrown_out(&answer).0, ids([&old, &new]));
}

#[test]
fn wherever_a_cascade_breaks_off_a_repeat_finishes_it_and_lists_all_again() {
    let mut broken = 0;
    for steps in 1.. {
        let scene = Scene::new();
        let (world, shop) = (&scene.world, &scene.shop);
        world.yield_at_each_await();
        let path = shop.path(&format!("/keys/{}?cascade=true", scene.leaked.id));
        let first = world.ask("DELETE", &world.admin_key, &path).send_for(steps);
        let is_done = first.is_some();
        broken += u32::from(!is_done);
        // Whoever was revoked counts nowhere from the first step on, whatever KV still has.
        let revoked = world.sql(&shop.id).count("api_key WHERE revoked_ms IS NOT NULL");
        assert!(revoked == 0 || usize::try_from(revoked).unwrap() == scene.from_leaked.len());
        if revoked > 0 {
            assert!(scene.from_leaked.iter().all(|key| !works(world, key)));
        }
        scene.assert_thrown_out(&throw_out(world, shop, &scene.leaked).expect(200));
        if is_done {
            break;
        }
    }
    assert!(broken > 5, "{broken}");
}

#[test]
fn what_fails_after_the_keys_are_revoked_is_done_by_a_repeat() {
    type Fault = fn(&World, bool);
    let faults: [Fault; 3] = [
        |world, is_on| world.failing_request.set(is_on.then_some("RevokeCascade")),
        |world, is_on| world.keys_are_down.set(is_on),
        |world, is_on| world.failing_request.set(is_on.then_some("SwitchOff")),
    ];
    for (index, fault) in faults.iter().enumerate() {
        let scene = Scene::new();
        let (world, shop) = (&scene.world, &scene.shop);
        world.look(&shop.path("/keys"));
        fault(world, true);
        throw_out(world, shop, &scene.leaked).refused(503);
        fault(world, false);
        let revoked = world.sql(&shop.id).count("api_key WHERE revoked_ms IS NOT NULL");
        assert_eq!(revoked > 0, index > 0);
        scene.assert_thrown_out(&throw_out(world, shop, &scene.leaked).expect(200));
    }
}

/// Lets others run first, so many times.
async fn wait_for(times: i32) {
    for _ in 0..times {
        give_way().await;
    }
}

#[test]
fn a_call_that_is_under_way_leaves_no_active_endpoint() {
    let mut statuses = BTreeSet::new();
    for wait in -20_i32..20 {
        let scene = Scene::new();
        let (world, shop) = (&scene.world, &scene.shop);
        let path = shop.path(&format!("/keys/{}?cascade=true", scene.leaked.id));
        world.yield_at_each_await();
        let late = async {
            wait_for(-wait).await;
            let request = world.ask("POST", &scene.leaked.key, "/webhook");
            request.json(endpoint("late")).answer().await.response.status
        };
        let cascade = async {
            wait_for(wait).await;
            world.ask("DELETE", &world.admin_key, &path).answer().await.expect(200)
        };
        let (late, _) = to_end(join(late, cascade));
        statuses.insert(late);
        assert_eq!(active(world, shop), scene.own, "{wait}");
    }
    assert_eq!(statuses, BTreeSet::from([201, 401]), "before the cascade and after it");
}

#[test]
fn the_webhook_object_refuses_a_revoked_key_for_thirty_days_and_keeps_no_more() {
    let scene = Scene::new();
    let (world, shop) = (&scene.world, &scene.shop);
    throw_out(world, shop, &scene.leaked).expect(200);
    let late = CreateEndpoint {
        mode: Mode::Live,
        url: "https://thief.example/late".to_owned(),
        events: vec!["message.status".to_owned()],
        low_balance: None,
        description: None,
        active: true,
        unreadable: Vec::new(),
        by: scene.leaked.id.clone(),
        ways: Vec::new(),
    };
    let remembered = || world.webhook_sql(&shop.id).count("revoked_key");
    assert_eq!(remembered(), 6);
    world.advance(30 * DAY_MS - 1);
    let refused = to_end(durable::ask(world, &shop.id, None, None, &late)).unwrap();
    assert_eq!(refused, Err(WebhookRefusal::KeyRevoked));
    assert_eq!(active(world, shop), scene.own);
    // The next cascade forgets them.
    world.advance(1);
    let next = grant(world, shop, "next");
    throw_out(world, shop, &next).expect(200);
    assert_eq!(remembered(), 1);
}

#[test]
fn an_owner_who_has_looked_at_an_endpoint_switches_it_on_again() {
    let scene = Scene::new();
    let (world, shop) = (&scene.world, &scene.shop);
    throw_out(world, shop, &scene.leaked).expect(200);
    let id = scene.stolen.first().unwrap();
    let on = world.put(&scene.main.key, &format!("/webhook/{id}"), json!({"active": true}));
    on.expect(200)
        .has(json!({"active": true, "disabledReason": null, "createdBy": scene.leaked.id}));
    assert!(active(world, shop).contains(id));
}

#[test]
fn a_cascade_is_one_entry_of_the_audit_log_which_says_what_it_has_ended() {
    let scene = Scene::new();
    let (world, shop) = (&scene.world, &scene.shop);
    world.settle(10_000);
    let entries = || world.all(&world.admin_key, "/admin/audit?limit=50&operation=AdminRevokeKey");
    assert_eq!(entries().len(), 0);
    throw_out(world, shop, &scene.leaked).expect(200);
    throw_out(world, shop, &scene.leaked).expect(200);
    world.settle(10_000);
    let entries = entries();
    assert_eq!(entries.len(), 1, "a repeat changes nothing");
    let entry = &entries[0];
    let thing = json!({"kind": "key", "id": scene.leaked.id, "account": shop.id, "username": "shop"});
    assert_eq!(entry["thing"], thing);
    let made = entry["after"]["made"].as_object().unwrap();
    assert_eq!(
        made.keys().cloned().collect::<BTreeSet<_>>(),
        ids(&scene.from_leaked[1..])
    );
    assert!(made.values().all(Value::is_string));
    let before = entry["before"]["made"].as_object().unwrap();
    assert!(before.values().all(Value::is_null));
    let webhooks = entry["after"]["webhooks"].as_array().unwrap();
    let seen: BTreeSet<String> = webhooks
        .iter()
        .map(|item| item["id"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(seen, scene.stolen);
    assert!(webhooks.iter().all(|item| item["active"] == false));
    let text = entry.to_string();
    assert!(
        scene
            .from_leaked
            .iter()
            .all(|key| !text.contains(&key.key) && !text.contains(&auth::digest(&key.key)))
    );
}

#[test]
fn who_has_made_which_key_survives_a_restore_and_the_forgetting_of_keys_in_between() {
    let scene = Scene::new();
    let (world, shop) = (&scene.world, &scene.shop);
    world.settle(10_000);
    world.sql(&shop.id).note_history(world.now_ms.get());
    let at = peyk::base::time::to_rfc3339(world.now_ms.get());
    let between = issue(world, &scene.leaked, "between");
    let last = issue(world, &between, "last");
    world.advance(1);
    let restore = json!({"at": at, "reason": "a test"});
    world.admin("POST", &shop.path("/restore"), restore).expect(200);
    world
        .delete(&scene.main.key, &format!("/keys/{}", between.id))
        .expect(204);
    world.settle(31 * DAY_MS);
    let listed = world.look(&shop.path("/keys?limit=200")).texts("id");
    assert!(!listed.contains(&between.id) && listed.contains(&last.id));
    let (keys, _) = thrown_out(&throw_out(world, shop, &scene.leaked).expect(200));
    assert!(keys.contains(&last.id) && !works(world, &last));
}

/// What is told to an endpoint goes to nobody who came in by a link of a key that is thrown out.
#[test]
fn an_endpoint_of_a_session_of_a_link_is_switched_off_with_the_key_that_has_made_the_link() {
    let (world, shop) = World::with_account(100_000);
    let world = world.with_secrets();
    let (owner, thief) = (grant(&world, &shop, "owner"), grant(&world, &shop, "thief"));
    let person = json!({"phone": "+989121234567", "name": "Sara", "role": "OWNER", "invite": false});
    let member = format!(
        "/members/{}",
        world.posted(&owner.key, "/members", person).text("/data/id")
    );
    let own = listen(&world, &owner, "own");
    let moved = listen(&world, &owner, "moved");
    let session = world.entered_by_link(&thief.key, &member);
    let ask = |method: &str, path: &str, body: Value| {
        world.advance(1);
        world.request(method, path).session(&session).json(body).send()
    };
    let spy = ask("POST", "/webhook", endpoint("spy")).expect(201).text("/data/id");
    let url = json!({"url": "https://spy.example/hook"});
    ask("PUT", &format!("/webhook/{moved}"), url).expect(200);
    ask("PUT", &format!("/webhook/{own}"), json!({"description": "x"})).expect(200);
    let out = throw_out(&world, &shop, &thief).expect(200);
    assert_eq!(thrown_out(&out).1, BTreeSet::from([spy, moved]));
    assert_eq!(
        world.read(&owner.key, &format!("/webhook/{own}")).json["data"]["active"],
        json!(true)
    );
}

#[test]
fn a_member_is_thrown_out_with_what_comes_from_the_person() {
    let (world, shop) = World::with_account(100_000);
    let world = world.with_secrets();
    let owner = grant(&world, &shop, "owner");
    let admit = |phone: &str| {
        let person = json!({"phone": phone, "name": "Sara", "role": "OWNER", "invite": false});
        world.posted(&owner.key, "/members", person).text("/data/id")
    };
    let (sara, mina) = (admit("+989121234567"), admit("+989121234568"));
    let of = |id: &str| world.entered_by_link(&owner.key, &format!("/members/{id}"));
    let (session, minas) = (of(&sara), of(&mina));
    let made = world
        .request("POST", "/keys")
        .session(&session)
        .json(whole("kept"))
        .send();
    let kept = Key::of(&made.expect(201));
    let hook = listen(&world, &kept, "spy");
    let path = format!("/members/{sara}?cascade=true");
    // Nobody throws out the own member, a key is no member, and a member is no key.
    let own = world.request("DELETE", &path).session(&session).send();
    own.problem(409, 409);
    world
        .delete(&owner.key, &format!("/members/{}?cascade=true", kept.id))
        .problem(404, 404);
    world
        .delete(&owner.key, &format!("/keys/{sara}?cascade=true"))
        .problem(404, 404);
    world
        .delete(&owner.key, &format!("/members/{sara}?cascade=maybe"))
        .problem(422, 422);
    world.page(&session, "/console/session").expect(200);
    let by_mina = world.request("DELETE", &path).session(&minas).send().expect(200);
    let (keys, hooks) = thrown_out(&by_mina);
    assert!(keys.contains(&sara) && keys.contains(&kept.id) && !keys.contains(&mina));
    assert_eq!(hooks, BTreeSet::from([hook]));
    world.page(&session, "/console/session").refused(401);
    world.get(&kept.key, "/messages").refused(401);
    world.page(&minas, "/console/session").expect(200);
    // It can be repeated, and an operator can do it, too.
    let again = world.delete(&owner.key, &path).expect(200);
    assert_eq!(thrown_out(&again).0, keys);
    world.delete(&owner.key, &format!("/members/{sara}")).problem(404, 404);
    let of_operator = shop.path(&format!("/members/{mina}?cascade=true"));
    world.delete(&world.admin_key, &of_operator).expect(200);
    world.page(&minas, "/console/session").refused(401);
    assert_eq!(world.read(&owner.key, "/members").items().len(), 0);
}
