//! A test key of an account beside its live keys: what it may ask for, and that nothing of it changes what a live key reads.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use peyk::api::routes::{Access, Audit, BodyKind, Operation, ROUTES, Route};
use peyk::auth::Scope;
use peyk::base::ports::IncomingResponse;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{Ids, Owner, ask, owner, path};
use crate::support::{Dice, World, cases};

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;
/// What only a live key may read.
const SECRETS: [&str; 4] = ["9121234567", "9131234567", "9351110000", "Maryam"];

fn of_accounts() -> impl Iterator<Item = &'static Route> {
    let routes = ROUTES.iter();
    routes.filter(|route| route.access != Access::Public && !route.access.is_for_operators())
}

/// What a receiver of events answers.
fn taken() -> IncomingResponse {
    IncomingResponse {
        status: 200,
        retry_after: None,
        body: String::new(),
    }
}

/// An account with one of everything, and a test key of it that has all scopes.
fn with_test_key() -> (Owner, String) {
    let owner = owner();
    let (world, shop) = (&owner.world, &owner.account);
    let all = json!({"title": "test", "mode": "test", "scopes": Scope::all_of(false)});
    let key = world.grant(shop, all).text("/data/key");
    world.receive(|_| Some(Ok(taken())));
    let limit = json!({"limit": 1_000_000, "windowSeconds": 1, "burst": 10_000});
    world.change_account(shop, json!({"rateLimit": limit, "testRateLimit": limit}));
    world.advance(1_000);
    let number = json!({"numbers": [{"number": "09351110000", "name": "Maryam", "attributes": {"city": "Yazd"}}]});
    world.posted(&shop.key, &format!("/phonebook/number/{}", owner.ids.phonebook), number);
    (owner, key)
}

/// What the live key of an account reads, by the paths.
fn live_reads(owner: &Owner) -> BTreeMap<String, Value> {
    let (world, key) = (&owner.world, &owner.account.key);
    let mut reads = BTreeMap::new();
    for route in of_accounts().filter(|route| route.method == "GET") {
        let path = path(route, &owner.ids);
        let answer = world.get(key, &path).expect(200);
        let is_list = answer.json["meta"].get("nextCursor").is_some();
        let read = match (is_list, answer.json["data"].clone()) {
            (true, _) => Value::Array(world.all(key, &format!("{path}?limit=200"))),
            (false, Value::Null) => json!(answer.body),
            (false, data) => data,
        };
        reads.insert(path, read);
    }
    // What a key was used for last, and what test keys have sent.
    let own = ["lastUsedOn", "lastUsedAt", "lastAddress", "test"];
    for path in ["/keys", "/account/usage"] {
        for item in reads.get_mut(path).unwrap().as_array_mut().unwrap() {
            own.iter()
                .for_each(|name| drop(item.as_object_mut().unwrap().remove(*name)));
        }
    }
    // A test key may have sessions of its own.
    let keys = reads.get_mut("/keys").unwrap().as_array_mut().unwrap();
    keys.retain(|key| key["sessionOf"].is_null());
    let days = reads.get_mut("/account/usage").unwrap().as_array_mut().unwrap();
    for day in &mut *days {
        let of_day = day["keys"].as_array_mut().unwrap();
        of_day.retain(|key| key["live"]["messages"] != 0);
        of_day
            .iter_mut()
            .for_each(|key| drop(key.as_object_mut().unwrap().remove("test")));
    }
    days.retain(|day| day["live"]["messages"] != 0);
    reads
}

/// The paths by which a live key reads something else now.
fn changed(before: &BTreeMap<String, Value>, after: &BTreeMap<String, Value>) -> Vec<String> {
    let differs = |(path, read): (&String, &Value)| {
        let is = after.get(path);
        (is != Some(read)).then(|| format!("{path}: {read} → {is:?}"))
    };
    before.iter().filter_map(differs).collect()
}

#[test]
fn a_route_that_changes_what_live_keys_go_by_is_closed_to_test_keys() {
    let own = [
        Operation::CancelMessage,
        Operation::PauseMessage,
        Operation::ResumeMessage,
        Operation::CreateCampaign,
        Operation::ChangeCampaign,
        Operation::DeleteCampaign,
        Operation::StartCampaign,
        Operation::PauseCampaign,
        Operation::ResumeCampaign,
        Operation::CancelCampaign,
        Operation::ResendCampaign,
        Operation::OpenConsoleSession,
        Operation::EndConsoleSession,
        Operation::SwitchConsoleAccount,
        Operation::MakeConsoleLink,
        // Only members have passkeys, and no member has a test key.
        Operation::AddPasskey,
        Operation::RenamePasskey,
        Operation::RemovePasskey,
    ];
    for route in of_accounts() {
        let is_of_webhooks = route.path.starts_with("/webhook");
        let changes =
            matches!(route.audit, Audit::Logged(_)) || route.path.contains("/number/") || route.body == BodyKind::Csv;
        if changes && !own.contains(&route.operation) && !is_of_webhooks {
            assert!(
                matches!(route.access, Access::Live(_)),
                "{} {}",
                route.method,
                route.path
            );
        }
    }
}

#[test]
fn a_test_key_finds_nothing_live_and_is_refused_what_shows_numbers_or_changes_anything() {
    let mut closed = 0;
    for route in of_accounts() {
        let name = format!("{} {}", route.method, route.path);
        let (owner, key) = with_test_key();
        owner.world.settle(5_000);
        let before = live_reads(&owner);
        let answer = ask(&owner, &key, route, &owner.ids);
        if matches!(route.access, Access::Live(_)) {
            closed += 1;
            let detail = answer.problem(403, 403).text("/detail");
            assert!(
                detail.starts_with("A test key reads no phone numbers"),
                "{name}: {detail}"
            );
        } else {
            assert_ne!(answer.response.status, 403, "{name}: {}", answer.body);
            let names_live = [
                "{uid}",
                "/campaigns/{id}",
                "/webhook/",
                "/verify/{id}",
                "/passkeys/{id}",
            ]
            .iter()
            .any(|part| route.path.contains(part));
            assert_eq!(answer.response.status == 404, names_live, "{name}: {}", answer.body);
            for secret in SECRETS {
                assert!(!answer.body.contains(secret), "{name} shows {secret}: {}", answer.body);
            }
        }
        owner.world.settle(5_000);
        assert_eq!(changed(&before, &live_reads(&owner)), [""; 0], "{name}");
    }
    assert!(closed >= 20, "{closed}");
}

#[test]
fn live_and_test_keys_each_see_their_own_messages_and_cancel_them() {
    let (owner, test) = with_test_key();
    let (world, live) = (&owner.world, &owner.account.key);
    let at = peyk::base::time::to_rfc3339(world.now_ms.get() + DAY_MS);
    for (own, other) in [(live, &test), (&test, live)] {
        let body = json!({"message": "x", "recipients": ["09121112233"], "sendAt": at, "clientRef": "both"});
        let uid = world.posted(own, "/sms/send", body).text("/data/uid");
        for path in [format!("/messages/{uid}"), format!("/messages/{uid}/recipients")] {
            world.get(other, &path).refused(404);
            world.read(own, &path);
        }
        world.delete(other, &format!("/messages/{uid}")).refused(404);
        for filter in [
            "limit=1",
            "limit=1&clientRef=both",
            "limit=1&recipient=09121112233",
            "limit=1&status=SCHEDULED",
        ] {
            let of = |key: &str| -> Vec<Value> {
                let listed = world.all(key, &format!("/messages?{filter}"));
                listed.iter().map(|message| message["uid"].clone()).collect()
            };
            assert!(of(own).contains(&json!(uid)), "{filter}");
            assert!(!of(other).contains(&json!(uid)), "{filter}");
        }
        let canceled = world.delete(own, &format!("/messages/{uid}")).expect(200);
        assert_eq!(canceled.text("/data/status"), "CANCELED");
    }
}

#[test]
fn a_test_message_to_a_phonebook_has_the_price_and_the_parts_and_stand_ins_for_whom_it_goes_to() {
    let (owner, test) = with_test_key();
    let (world, live, phonebook) = (&owner.world, &owner.account.key, &owner.ids.phonebook);
    let body = json!({"phonebook": phonebook, "message": "Dear %name% of %city%, hello"});
    let of = |key: &str| world.posted(key, "/sms/phonebook/send", body.clone());
    let (sent, tested) = (of(live), of(&test));
    for member in ["parts", "encoding", "type"] {
        assert_eq!(sent.json["data"][member], tested.json["data"][member], "{member}");
    }
    let numbers: Vec<String> = crate::support::pick(&tested.json["data"]["recipients"], "recipient");
    assert_eq!(numbers, ["+989121200000", "+989351100001"]);
    let uid = tested.text("/data/uid");
    world.settle(60_000);
    let told = world.read(&test, &format!("/messages/{uid}/recipients")).body;
    assert!(told.contains("Dear xxxxxx of xxxx, hello"), "{told}");
    let faults = json!({"phonebook": {"phonebook": phonebook, "message": "x", "sourceNumber": "10001"}});
    world.posted(live, "/blacklist", json!({"numbers": ["09351110000"]}));
    let estimate = world
        .ask("POST", &test, "/sms/estimate")
        .json(faults)
        .send()
        .expect(200)
        .body;
    for text in [tested.body, told, estimate, world.read(&test, "/messages").body] {
        for secret in SECRETS {
            assert!(!text.contains(secret), "{secret} in {text}");
        }
    }
}

#[test]
fn a_scheduled_test_message_keeps_nobody_from_deleting_what_it_was_made_of() {
    let (owner, test) = with_test_key();
    let (world, live) = (&owner.world, &owner.account.key);
    let at = peyk::base::time::to_rfc3339(world.now_ms.get() + DAY_MS);
    let body = json!({"phonebook": owner.ids.phonebook, "message": "x", "sendAt": at});
    world.posted(&test, "/sms/phonebook/send", body);
    let body = json!({"pattern": "active", "variables": {}, "recipient": "09121112233", "sendAt": at});
    world.posted(&test, "/sms/pattern", body);
    let body = json!({"title": "x", "message": "x", "phonebooks": [owner.ids.phonebook], "sendAt": at});
    let campaign = world.posted(&test, "/campaigns", body).text("/data/id");
    world.settle(1_000);
    world
        .bare_post(&test, &format!("/campaigns/{campaign}/start"))
        .expect(200);
    world
        .delete(live, &format!("/phonebook/{}", owner.ids.phonebook))
        .expect(204);
    world.bare_post(live, "/pattern/active/deactivate").expect(200);
    world.delete(live, "/pattern/active").expect(204);
}

#[test]
fn test_endpoints_hear_of_test_messages_only_and_live_ones_of_the_others() {
    let (owner, test) = with_test_key();
    let (world, live) = (&owner.world, &owner.account.key);
    let hits = Rc::new(RefCell::new(Vec::new()));
    let noted = Rc::clone(&hits);
    world.receive(move |request| {
        let body: Value = serde_json::from_str(&request.body).unwrap();
        noted.borrow_mut().push((request.url.ends_with("/test"), body));
        Some(Ok(taken()))
    });
    for kind in ["wallet.low", "message.received"] {
        let body = json!({"url": "https://shop.example/test", "events": [kind], "lowBalance": 5});
        let refused = world.post(&test, "/webhook", body).refused(422);
        assert_eq!(refused.pointers(), ["/events/0"]);
    }
    for number in 0..10 {
        let body = json!({"url": "https://shop.example/test", "events": ["message.status", "message.submitted"],
            "active": number == 0});
        let made = world.posted(&test, "/webhook", body);
        assert_eq!(made.text("/data/mode"), "test");
        world
            .get(live, &format!("/webhook/{}", made.text("/data/id")))
            .refused(404);
    }
    let body = json!({"url": "https://shop.example/test", "events": ["message.status"]});
    world.post(&test, "/webhook", body).problem(409, 409);
    // The live key has its own, and sees none of the test key's.
    assert_eq!(world.all(live, "/webhook?limit=5").len(), 1);
    assert_eq!(world.all(&test, "/webhook?limit=5").len(), 10);
    world.settle(5_000);
    let uids: BTreeSet<String> = [live, &test].map(|key| world.sent(key, &["09121112233"])).into();
    world.settle(60_000);
    let of_messages = hits
        .borrow()
        .iter()
        .filter(|(_, body)| body["data"]["uid"].is_string())
        .cloned()
        .collect::<Vec<_>>();
    let told: BTreeSet<String> = of_messages
        .iter()
        .map(|(_, body)| body["data"]["uid"].as_str().unwrap().to_owned())
        .collect();
    // The owner's scheduled message and the one with the code have left too.
    assert!(told.is_superset(&uids) && told.len() == 4, "{told:?}");
    for (is_at_test, body) in &of_messages {
        assert_eq!(body["data"]["test"], json!(*is_at_test), "{body}");
    }
}

#[test]
fn what_test_keys_change_leaves_no_entry_in_the_audit_log() {
    let (owner, test) = with_test_key();
    let world = &owner.world;
    let log = || {
        world.settle(5_000);
        world.all(&world.admin_key, "/admin/audit?limit=200").len()
    };
    let before = log();
    let body = json!({"url": "https://shop.example/test", "events": ["message.status"]});
    let id = world.posted(&test, "/webhook", body).text("/data/id");
    world.delete(&test, &format!("/webhook/{id}")).expect(204);
    let at = peyk::base::time::to_rfc3339(world.now_ms.get() + DAY_MS);
    let body = json!({"message": "x", "recipients": ["09121112233"], "sendAt": at});
    let uid = world.posted(&test, "/sms/send", body).text("/data/uid");
    world.delete(&test, &format!("/messages/{uid}")).expect(200);
    assert_eq!(log(), before);
}

#[test]
fn live_and_test_keys_have_tokens_of_their_own() {
    let (world, shop) = World::with_account(100_000);
    let test = world
        .grant(&shop, json!({"title": "test", "mode": "test"}))
        .text("/data/key");
    let policy = |key: &str| world.get(key, "/lines").header("RateLimit-Policy").unwrap().to_owned();
    assert_eq!(policy(&test), "\"default\";q=60;w=60");
    assert_eq!(policy(&shop.key), "\"default\";q=1200;w=60");
    for _ in 0..59 {
        world.read(&test, "/lines");
    }
    let refused = world.get(&test, "/lines").refused(429);
    assert_eq!(refused.header("Retry-After"), Some("1"));
    world.read(&shop.key, "/lines");
    world.change_account(
        &shop,
        json!({"rateLimit": {"limit": 1, "windowSeconds": 60, "burst": 1}}),
    );
    world.advance(1_000);
    world.read(&test, "/lines");
    world.read(&shop.key, "/lines");
    world.get(&shop.key, "/lines").refused(429);
    let changed = world.change_account(
        &shop,
        json!({"testRateLimit": {"limit": 7, "windowSeconds": 3_600, "burst": 2}}),
    );
    assert_eq!(
        changed.json["data"]["testRateLimit"],
        json!({"limit": 7, "windowSeconds": 3_600, "burst": 2})
    );
    assert_eq!(policy(&test), "\"default\";q=7;w=3600");
    for (body, place) in [
        (
            json!({"limit": 0, "windowSeconds": 1, "burst": 1}),
            "/testRateLimit/limit",
        ),
        (
            json!({"limit": 1, "windowSeconds": 86_401, "burst": 1}),
            "/testRateLimit/windowSeconds",
        ),
        (json!({"limit": 1, "windowSeconds": 1}), "/testRateLimit/burst"),
        (json!(5), "/testRateLimit"),
    ] {
        let refused = world
            .admin("PATCH", &shop.path(""), json!({"testRateLimit": body}))
            .refused(422);
        assert_eq!(refused.pointers(), [place]);
    }
}

/// Anything that a test key may try, with ids that are live ones half of the time.
fn try_anything(owner: &Owner, key: &str, dice: &Dice, own: &mut Ids) {
    let world = &owner.world;
    let at = peyk::base::time::to_rfc3339(world.now_ms.get() + i64::try_from(1 + dice.below(20)).unwrap() * DAY_MS);
    let recipients: Vec<String> = (0..=dice.below(4))
        .map(|index| format!("0912{index}00{:04}", 900 + dice.below(6)))
        .collect();
    let mut send = match dice.below(4) {
        0 => ("/sms/send", json!({"message": "x", "recipients": recipients})),
        1 => (
            "/sms/pattern",
            json!({"pattern": "active", "variables": {}, "recipients": recipients}),
        ),
        2 => (
            "/sms/phonebook/send",
            json!({"phonebook": owner.ids.phonebook, "message": "Dear %name%"}),
        ),
        _ => (
            "/sms/bulk",
            json!({"messages": [{"recipient": recipients[0], "message": "own"}]}),
        ),
    };
    if dice.below(3) == 0 {
        send.1["sendAt"] = json!(at);
    }
    let answer = match dice.below(4) {
        0 => {
            let answer = world.post_once(key, send.0, &format!("key {}", dice.below(3)), send.1);
            assert!([201, 422, 429].contains(&answer.response.status), "{}", answer.body);
            answer
        }
        1 => world.post(key, send.0, send.1),
        2 => {
            let body = json!({"url": "https://shop.example/test", "events": ["message.status"]});
            world.post(key, "/webhook", body)
        }
        _ => {
            let routes: Vec<&Route> = of_accounts().collect();
            let route = routes[usize::try_from(dice.below(routes.len() as u64)).unwrap()];
            ask(owner, key, route, if dice.below(2) == 0 { own } else { &owner.ids })
        }
    };
    if answer.response.status == 201 {
        let id = answer.json["data"]["uid"].as_str().map(str::to_owned);
        own.message = id.unwrap_or(own.message.clone());
        if answer.json["data"]["secret"].is_string() {
            own.webhook = answer.text("/data/id");
        }
    }
    for secret in SECRETS {
        assert!(!answer.body.contains(secret), "{secret} in {}", answer.body);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, max_shrink_iters: 20, ..ProptestConfig::with_cases(cases(8)) })]

    #[test]
    fn nothing_that_a_test_key_does_changes_what_a_live_key_reads_or_what_leaves(seed: u64) {
        let dice = Dice::new(seed);
        let (owner, test) = with_test_key();
        let (world, live) = (&owner.world, &owner.account.key);
        let mut own = owner.ids.clone();
        for _ in 0..3 {
            world.sent(live, &["09121112233", "09121112904"]);
            world.settle(10 * 60_000);
            let before = live_reads(&owner);
            let left = world.handed(&owner.account.id);
            for _ in 0..30 {
                try_anything(&owner, &test, &dice, &mut own);
                if dice.below(8) == 0 {
                    world.settle(5_000);
                }
            }
            world.settle(60_000);
            prop_assert_eq!(changed(&before, &live_reads(&owner)), Vec::<String>::new());
            prop_assert_eq!(world.handed(&owner.account.id), left);
        }
    }
}
