//! Endpoints: made, changed, refused, and their secrets.

use std::collections::BTreeSet;

use peyk::objects::nightly;
use serde_json::{Value, json};

use super::{URL, answer, endpoint, listen};
use crate::support::gateway::SECRET_KEY;
use crate::support::{Account, Answer, DOCS, World, table, time::HOUR_MS, time::MINUTE_MS, time::SECOND_MS, to_end};

#[test]
fn after_a_rotation_the_old_secret_signs_too_for_a_day() {
    let (world, shop) = World::with_busy_account(100_000);
    let hits = listen(&world, |_, _| answer(200));
    let made = endpoint(&world, &shop, &["message.status"]);
    let path = format!("/webhook/{}", made.text("/data/id"));
    let rotate = || {
        world
            .posted(&shop.key, &format!("{path}/rotate"), json!({}))
            .text("/data/secret")
    };
    let signed_with = |secrets: &[&String], count: usize| {
        hits.borrow_mut().clear();
        world.posted(&shop.key, &format!("{path}/test"), json!({}));
        world.settle(SECOND_MS);
        let hits = hits.borrow();
        assert_eq!(hits.len(), 1);
        assert_eq!(hits[0].signatures.len(), count);
        assert!(secrets.iter().all(|secret| hits[0].is_signed_with(secret)));
    };
    let first = made.text("/data/secret");
    signed_with(&[&first], 1);
    let second = rotate();
    assert_ne!(first, second);
    signed_with(&[&second, &first], 2);
    world.settle(12 * HOUR_MS);
    let third = rotate();
    signed_with(&[&third, &second, &first], 3);
    world.settle(12 * HOUR_MS);
    signed_with(&[&third, &second], 2);
    world.settle(12 * HOUR_MS);
    signed_with(&[&third], 1);
    let newest: Vec<String> = (0..8).map(|_| rotate()).collect();
    signed_with(&newest[3..].iter().collect::<Vec<_>>(), 5);
    // No other answer has a secret.
    for path in [path.as_str(), "/webhook", &format!("{path}/deliveries")] {
        let answer = world.read(&shop.key, path);
        assert!(
            !answer.body.contains("whsec_") && !answer.body.contains("secret"),
            "{path}"
        );
    }
    let changed = world.put(&shop.key, &path, json!({"description": "x"})).expect(200);
    assert!(!changed.body.contains("whsec_"));
    assert!(world.log.borrow().iter().all(|line| !line.contains("whsec_")));
}

#[test]
fn an_endpoint_is_made_changed_listed_and_deleted() {
    let (world, shop) = World::with_busy_account(100_000);
    let stranger = world.account("stranger", 0);
    let body = json!({"url": "HTTPS://Shop.Example:443", "events": ["message.status"], "description": "orders"});
    let made = world.posted(&shop.key, "/webhook", body);
    let id = made.text("/data/id");
    let path = format!("/webhook/{id}");
    let mut expected = json!({"id": id, "mode": "live", "url": "https://shop.example/", "events": ["message.status"], "lowBalance": null,
        "description": "orders", "active": true, "disabledReason": null, "failingSince": null, "createdAt": made.text("/data/createdAt"),
        "createdBy": shop.key_id});
    assert_eq!(world.read(&shop.key, &path).json["data"], expected);
    let change = json!({"url": "https://new.example/x?y=1", "events": ["wallet.low"], "lowBalance": 7, "description": null,
        "active": false});
    let changed = world.put(&shop.key, &path, change).expect(200);
    for (name, value) in [
        ("url", json!("https://new.example/x?y=1")),
        ("events", json!(["wallet.low"])),
        ("lowBalance", json!(7)),
        ("description", json!(null)),
        ("active", json!(false)),
    ] {
        expected[name] = value;
    }
    assert_eq!(changed.json["data"], expected);
    let unchanged = world.put(&shop.key, &path, json!({})).expect(200);
    assert_eq!(unchanged.json["data"], expected);
    // It is not there for another account.
    for (method, path) in [
        ("GET", path.clone()),
        ("PUT", path.clone()),
        ("DELETE", path.clone()),
        ("POST", format!("{path}/rotate")),
        ("POST", format!("{path}/test")),
        ("GET", format!("{path}/deliveries")),
        ("GET", format!("{path}/deliveries/evt_1")),
        ("POST", format!("{path}/deliveries/evt_1/redeliver")),
    ] {
        let refused = world.ask(method, &stranger.key, &path).json(json!({})).send();
        refused.refused(404);
    }
    assert_eq!(world.read(&stranger.key, "/webhook").json["data"], json!([]));
    // Ten, and no more. Pages have each once.
    for index in 1..10 {
        let body = json!({"url": format!("https://{index}.example.com/"), "events": ["message.status"]});
        world.posted(&shop.key, "/webhook", body);
        world.advance(1);
    }
    let body = json!({"url": URL, "events": ["message.status"]});
    world.post(&shop.key, "/webhook", body.clone()).refused(409);
    let mut seen = BTreeSet::new();
    world.walk(&shop.key, "/webhook?limit=3", |page| {
        assert!(page.items().len() <= 3);
        assert!(page.texts("id").into_iter().all(|id| seen.insert(id)));
    });
    assert_eq!(seen.len(), 10);
    world.get(&shop.key, "/webhook?cursor=x").refused(422);
    world.get(&shop.key, &format!("{path}/deliveries?limit=0")).refused(422);
    world.delete(&shop.key, &path).expect(204);
    world.delete(&shop.key, &path).refused(404);
    world.get(&shop.key, &path).refused(404);
    world.get(&shop.key, &format!("{path}/deliveries")).refused(404);
    world.posted(&shop.key, "/webhook", body);
    world.settle(MINUTE_MS);
    assert_eq!(world.webhook_sql(&shop.id).count("endpoint WHERE deleted = 1"), 0);
}

#[test]
fn a_bad_endpoint_is_refused_with_all_of_its_faults_and_changes_nothing() {
    let (world, shop) = World::with_busy_account(100_000);
    let id = endpoint(&world, &shop, &["message.status"]).text("/data/id");
    let before = world.read(&shop.key, &format!("/webhook/{id}")).json["data"].clone();
    let good = json!(["message.status"]);
    let long = "x".repeat(501);
    let kinds = "must be one of message.status, message.submitted, message.received, wallet.low, verify.status, verify.paused, campaign.paused, campaign.stopped, campaign.done, pattern.reviewed, webhook.disabled";
    for (body, extra) in table::<(Value, Vec<String>)>(json!([
        [{"url": 7, "events": "all"}, ["url: must be a string", "events: must be a list"]],
        [{"url": "http://shop.example/", "events": []}, ["url: must begin with https://", "events: must not be empty"]],
        [{"url": "https://10.0.0.1/", "events": good}, ["url: must lead to a host on the public internet"]],
        [{"url": "http://localhost/", "events": good}, ["url: must begin with https://"]],
        [{"url": URL, "events": ["message.status", "message.lost", "webhook.test"]},
            [format!("events[1]: {kinds}"), format!("events[2]: {kinds}")]],
        [{"url": URL, "events": ["message.status", "message.status"]}, ["events[1]: must not be there twice"]],
        [{"url": URL, "events": ["wallet.low"]}, ["lowBalance: is required"]],
        [{"url": URL, "events": good, "lowBalance": 0, "description": "", "active": 1},
            ["lowBalance: must be a whole number from 1 to 1000000000000000", "description: must not be empty",
                "active: must be true or false"]],
        [{"url": URL, "events": good, "description": long}, ["description: must have at most 500 characters"]],
    ])) {
        let created = world.post(&shop.key, "/webhook", body.clone()).refused(422);
        assert_eq!(created.extra(), extra, "{body}");
        let path = format!("/webhook/{id}");
        let put = world.put(&shop.key, &path, body.clone());
        // The endpoint that is there has a threshold already.
        let is_complete = extra == ["lowBalance: is required"];
        assert_eq!(put.response.status, if is_complete { 200 } else { 422 }, "{body}");
        if is_complete {
            let back = json!({"events": ["message.status"]});
            world.put(&shop.key, &path, back).expect(200);
        }
    }
    let missing = world.post(&shop.key, "/webhook", json!({})).refused(422);
    assert_eq!(missing.extra(), ["url: is required", "events: is required"]);
    let nulls = json!({"url": null, "events": null});
    let put = world.put(&shop.key, &format!("/webhook/{id}"), nulls);
    put.faults(&["url: is required", "events: is required"]);
    assert_eq!(world.read(&shop.key, "/webhook").json["data"], json!([before]));
    // Without the scope there is nothing.
    let keys = shop.path("/keys");
    let body = json!({"title": "t", "scopes": ["sms:send"]});
    let key = world.create(&keys, body).text("/data/key");
    world.get(&key, "/webhook").refused(403);
}

#[test]
fn an_address_is_checked_again_before_each_attempt() {
    let (mut world, shop) = World::with_account(0);
    world.app.config.webhook_allow_loopback = true;
    world.set("WEBHOOK_ALLOW_LOOPBACK", Some("true"));
    let hits = listen(&world, |_, _| answer(200));
    let body = json!({"url": "http://127.0.0.1:3000/hook", "events": ["message.status"]});
    let path = format!(
        "/webhook/{}",
        world.posted(&shop.key, "/webhook", body).text("/data/id")
    );
    world.posted(&shop.key, &format!("{path}/test"), json!({}));
    world.settle(SECOND_MS);
    assert_eq!(hits.borrow().len(), 1);
    world.set("WEBHOOK_ALLOW_LOOPBACK", None);
    world.posted(&shop.key, &format!("{path}/test"), json!({}));
    world.settle(MINUTE_MS);
    assert_eq!(hits.borrow().len(), 1);
    let list = world.read(&shop.key, &format!("{path}/deliveries"));
    assert_eq!(list.text("/data/0/error"), "ADDRESS_REFUSED");
}

#[test]
fn an_endpoint_tells_nothing_that_the_key_may_not_read() {
    let (world, shop) = World::with_account(0);
    let key = |scopes: &[&str]| {
        world
            .grant(&shop, json!({"title": "k", "scopes": scopes}))
            .text("/data/key")
    };
    let narrow = key(&["webhook"]);
    let forbidden = |answer: Answer, scope: &str| {
        let answer = answer.problem(403, 403);
        let header = format!("Bearer error=\"insufficient_scope\", scope=\"{scope}\"");
        assert_eq!(answer.header("WWW-Authenticate"), Some(header.as_str()));
    };
    let body = |url: &str, events: &[&str]| json!({"url": url, "events": events, "lowBalance": 5});
    let url = "https://shop.example/hook";
    for kind in ["message.status", "message.submitted", "message.received"] {
        forbidden(
            world.post(&narrow, "/webhook", body(url, &["webhook.disabled", kind])),
            "sms:read",
        );
    }
    forbidden(
        world.post(&narrow, "/webhook", body(url, &["wallet.low"])),
        "account:read",
    );
    assert!(world.read(&shop.key, "/webhook").items().is_empty());

    let id = world
        .posted(&shop.key, "/webhook", body(url, &["message.status", "wallet.low"]))
        .text("/data/id");
    let path = format!("/webhook/{id}");
    let thief = "https://thief.example/hook";
    forbidden(world.put(&narrow, &path, json!({"url": thief})), "sms:read");
    forbidden(
        world.put(&key(&["webhook", "sms:read"]), &path, json!({"url": thief})),
        "account:read",
    );
    let more = json!({"events": ["message.received"]});
    forbidden(world.put(&key(&["webhook", "account:read"]), &path, more), "sms:read");
    assert_eq!(world.read(&shop.key, &path).text("/data/url"), url);

    world
        .put(
            &key(&["webhook", "sms:read", "account:read"]),
            &path,
            json!({"url": thief}),
        )
        .expect(200);
    let own = world
        .posted(&narrow, "/webhook", body(url, &["webhook.disabled"]))
        .text("/data/id");
    world
        .put(&narrow, &format!("/webhook/{own}"), json!({"description": "mine"}))
        .expect(200);
}

/// The endpoints' secrets, as they stand in the object's storage.
fn stored(world: &World, shop: &Account) -> Vec<String> {
    world
        .webhook_sql(&shop.id)
        .texts("SELECT secrets FROM endpoint ORDER BY id")
}

#[test]
fn no_secret_stands_in_the_storage_as_it_is_and_none_serves_another_endpoint() {
    let (world, shop) = World::with_busy_account(0);
    let hits = listen(&world, |_, _| answer(200));
    let made = [0, 1].map(|_| {
        world.advance(1);
        endpoint(&world, &shop, &["message.status"])
    });
    let [first, second] = made
        .each_ref()
        .map(|made| format!("/webhook/{}", made.text("/data/id")));
    let rotated = world.posted(&shop.key, &format!("{first}/rotate"), json!({}));
    let sealed = stored(&world, &shop);
    for secret in [
        made[0].text("/data/secret"),
        made[1].text("/data/secret"),
        rotated.text("/data/secret"),
    ] {
        let beginning = &secret["whsec_".len()..][..8];
        assert!(
            sealed
                .iter()
                .all(|column| !column.contains("whsec_") && !column.contains(beginning)),
            "{sealed:?}"
        );
    }
    assert!(
        sealed.iter().all(|column| column.starts_with(r#"[["v1."#)),
        "{sealed:?}"
    );
    // What was sealed for one endpoint opens for no other.
    let sql = world.webhook_sql(&shop.id);
    sql.run("UPDATE endpoint SET secrets = (SELECT secrets FROM endpoint ORDER BY id LIMIT 1)");
    for (path, count) in [(&first, 1), (&second, 1)] {
        world.posted(&shop.key, &format!("{path}/test"), json!({}));
        world.settle(SECOND_MS);
        assert_eq!(hits.borrow().len(), count, "{path}");
    }
    let list = world.read(&shop.key, &format!("{second}/deliveries"));
    assert_eq!(list.text("/data/0/error"), "INTERNAL");
    assert!(world.has_logged("can't be opened"));
    // A new secret helps at once, whatever those before it are.
    let secret = world
        .posted(&shop.key, &format!("{second}/rotate"), json!({}))
        .text("/data/secret");
    world.posted(&shop.key, &format!("{second}/test"), json!({}));
    world.settle(SECOND_MS);
    let last = hits.borrow().last().unwrap().clone();
    assert_eq!((last.signatures.len(), last.is_signed_with(&secret)), (1, true));
}

#[test]
fn while_the_services_key_changes_the_night_seals_the_secrets_anew() {
    let (world, shop) = World::with_busy_account(0);
    let hits = listen(&world, |_, _| answer(200));
    let made = endpoint(&world, &shop, &["message.status"]);
    let path = format!("/webhook/{}", made.text("/data/id"));
    let secret = made.text("/data/secret");
    let night = || to_end(nightly::run(&world, &world.app.config));
    let told = || {
        hits.borrow_mut().clear();
        world.posted(&shop.key, &format!("{path}/test"), json!({}));
        world.settle(SECOND_MS);
        hits.borrow().iter().filter(|hit| hit.is_signed_with(&secret)).count()
    };
    let sealed = stored(&world, &shop);
    night();
    assert_eq!(
        stored(&world, &shop),
        sealed,
        "without a change of the key nothing is written"
    );
    world.advance(24 * HOUR_MS);
    world.set("SECRET_KEY", Some("CQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQk="));
    world.set("SECRET_KEY_OLD", Some(SECRET_KEY));
    assert_eq!(told(), 1);
    night();
    assert_ne!(stored(&world, &shop), sealed);
    world.set("SECRET_KEY_OLD", None);
    assert_eq!(told(), 1);
}

#[test]
fn without_the_services_key_no_endpoint_is_made_and_nothing_is_told() {
    let (world, shop) = World::with_busy_account(0);
    let hits = listen(&world, |_, _| answer(200));
    let made = endpoint(&world, &shop, &["message.status"]);
    let path = format!("/webhook/{}", made.text("/data/id"));
    world.set("SECRET_KEY", None);
    let body = json!({"url": URL, "events": ["message.status"]});
    world.post(&shop.key, "/webhook", body).problem(503, 503);
    world
        .post(&shop.key, &format!("{path}/rotate"), json!({}))
        .problem(503, 503);
    assert_eq!(world.read(&shop.key, "/webhook").items().len(), 1);
    world.posted(&shop.key, &format!("{path}/test"), json!({}));
    world.settle(SECOND_MS);
    assert_eq!(hits.borrow().len(), 0);
    assert!(world.has_logged("SECRET_KEY is not set"));
}

#[test]
fn no_endpoint_leads_back_to_the_service() {
    let (mut world, shop) = World::with_account(0);
    world.app.config =
        peyk::base::config::Config::read(|name| (name == "PUBLIC_URL").then(|| "https://api.sms.example/".to_owned()))
            .unwrap();
    world.app.config.docs_url = Some(DOCS.to_owned());
    let new = |url: &str| world.post(&shop.key, "/webhook", json!({"url": url, "events": ["message.status"]}));
    for own in [
        "https://api.sms.example/sms/send",
        "https://API.sms.example:8443/",
        "https://sms.example/v1/webhook",
    ] {
        let refused = new(own).problem(422, 422);
        assert_eq!(refused.extra(), ["url: must not lead to this service itself"], "{own}");
    }
    let made = new("https://shop.example/").expect(201);
    // The address may have become the service's own since then.
    let hits = listen(&world, |_, _| answer(200));
    world.set("PUBLIC_URL", Some("https://shop.example"));
    let path = format!("/webhook/{}", made.text("/data/id"));
    world.posted(&shop.key, &format!("{path}/test"), json!({}));
    world.settle(SECOND_MS);
    assert_eq!(hits.borrow().len(), 0);
    let list = world.read(&shop.key, &format!("{path}/deliveries"));
    assert_eq!(list.text("/data/0/error"), "ADDRESS_REFUSED");
}
