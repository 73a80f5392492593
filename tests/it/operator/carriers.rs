//! Carriers through the operators' API: what is taken, what is refused and why, that no secret is shown, and that the
//! carriers' objects hear of each change.

use futures_util::future::join_all;
use peyk::auth::secret::{Keys, Purpose};
use peyk::carrier::own_row;
use serde_json::{Value, json};

use crate::support::{
    Answer, World, assert_contains, assert_starts, gateway::PASSWORD, gateway::PUBLIC_URL, gateway::SECRET_KEY, table,
    to_end,
};

const OTHER_KEY: &str = "AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI=";

fn world() -> World {
    World::new().with_secrets()
}

fn http() -> Value {
    json!({"name": "mci", "kind": "http", "http": {
        "url": "http://10.0.0.5:13013/cgi-bin/sendsms", "allowPlaintext": true, "username": "peyk", "password": PASSWORD}})
}

fn post(world: &World, body: Value) -> Answer {
    world.admin("POST", "/admin/carriers", body)
}

fn patch(world: &World, body: Value) -> Answer {
    world.admin("PATCH", "/admin/carriers/mci", body)
}

fn get(world: &World) -> Value {
    world.look("/admin/carriers/mci").json["data"].clone()
}

/// The carrier's row: settings, secrets and version.
fn row(world: &World) -> (Value, Option<String>, i64) {
    let sql = "SELECT settings, secrets, version FROM carrier WHERE name = 'mci'";
    let row = world.db.run(sql).remove(0);
    let settings = serde_json::from_str(&row.text(0).unwrap()).unwrap();
    (settings, row.opt_text(1).unwrap(), row.int(2).unwrap())
}

fn password(world: &World) -> String {
    let keys = Keys::of(world, Purpose::CarrierSecrets).unwrap();
    let secrets: Value = serde_json::from_str(&keys.open("mci", &row(world).1.unwrap()).unwrap()).unwrap();
    secrets["password"].as_str().unwrap().to_owned()
}

fn carriers(world: &World) -> Vec<String> {
    world.db.texts("SELECT name FROM carrier ORDER BY name")
}

#[test]
fn a_new_carrier_is_shown_with_its_defaults_and_its_health_and_without_its_password() {
    let world = world();
    let made = post(&world, http()).expect(201);
    let shown = made.json["data"].clone();
    assert!(shown["health"]["storageBytes"].as_i64() > Some(0));
    let health = json!({"state": "UP", "lastSuccessAt": null, "lastErrorAt": null, "lastError": null, "inWindow": 0,
        "queued": 0, "oldestQueuedSeconds": 0, "lastMinute": 0, "learnedPerSecond": null, "encrypted": false,
        "unknownReports": 0, "lateFailures": 0, "partReports": null, "storageBytes": shown["health"]["storageBytes"]});
    let settings = json!({"url": "http://10.0.0.5:13013/cgi-bin/sendsms", "allowPlaintext": true, "gateway": "KANNEL",
        "username": "peyk", "timeoutMs": 8_000, "objects": 1, "window": 6});
    for (member, expected) in [
        ("name", json!("mci")),
        ("kind", json!("http")),
        ("active", json!(true)),
        ("paused", json!(false)),
        ("http", settings.clone()),
        ("health", health),
    ] {
        assert_eq!(shown[member], expected, "{member}");
    }
    let inbound = shown["inboundUrl"].as_str().unwrap();
    assert_starts(inbound, &format!("{PUBLIC_URL}/carrier/mci/inbound?k="));
    assert_eq!(get(&world), shown);
    let (stored, secrets, _) = row(&world);
    assert_eq!(stored, settings);
    assert!(secrets.unwrap().starts_with("v1."));
    assert_eq!(password(&world), PASSWORD);
    let list = world.look("/admin/carriers");
    assert_eq!(list.texts("name"), ["mci", "sandbox"]);
    // The address for inbound messages is not needed in a list.
    assert_eq!(list.json["data"][0]["inboundUrl"], Value::Null);
    assert_eq!(list.json["data"][1]["health"]["state"], "UP");
    for answer in [made, list] {
        let body = &answer.body;
        assert!(!body.contains(PASSWORD) && !body.contains("v1."), "{body}");
    }
    let log = world.log.borrow().join("\n");
    assert!(!log.contains(PASSWORD) && !log.contains(SECRET_KEY), "{log}");
}

#[test]
fn only_an_operator_who_writes_it_out_sends_without_encryption() {
    let world = world();
    let encrypted = || get(&world)["health"]["encrypted"].clone();
    let mut gateway = http();
    for refused in [json!(null), json!(false)] {
        gateway["http"]["allowPlaintext"] = refused;
        let answer = post(&world, gateway.clone()).problem(422, 422);
        assert_eq!(answer.text("/errors/0/pointer"), "/http/allowPlaintext");
        assert_contains(&answer.text("/errors/0/detail"), "https");
    }
    assert_eq!(carriers(&world), ["sandbox"]);
    gateway["http"]["url"] = "https://kannel.example/sendsms".into();
    post(&world, gateway).expect(201);
    assert_eq!(encrypted(), true);
    let plain = json!({"http": {"url": "http://kannel.example/sendsms", "password": PASSWORD}});
    patch(&world, plain.clone()).problem(422, 422);
    let mut written_out = plain;
    written_out["http"]["allowPlaintext"] = true.into();
    patch(&world, written_out).expect(200);
    assert_eq!(encrypted(), false);
    patch(
        &world,
        json!({"http": {"url": "https://kannel.example/", "allowPlaintext": null, "password": PASSWORD}}),
    )
    .expect(200);
    assert_eq!(encrypted(), true);

    let smpp = json!({"host": "smsc.example", "systemId": "peyk", "password": "secret"});
    let smsc = json!({"name": "smsc", "kind": "smpp", "smpp": smpp, "active": false});
    let made = post(&world, smsc).expect(201);
    let shown = |answer: &Answer| {
        (
            answer.json["data"]["smpp"]["tls"].clone(),
            answer.json["data"]["health"]["encrypted"].clone(),
        )
    };
    assert_eq!(shown(&made), (json!(true), json!(true)));
    for (tls, is_encrypted) in [(json!(false), json!(false)), (json!(null), json!(true))] {
        let change = json!({"smpp": {"tls": tls, "password": "secret"}});
        let changed = world.admin("PATCH", "/admin/carriers/smsc", change).expect(200);
        assert_eq!(shown(&changed), (is_encrypted.clone(), is_encrypted));
    }
    assert_eq!(
        world.look("/admin/carriers/sandbox").json["data"]["health"]["encrypted"],
        true
    );
}

#[test]
fn the_carriers_are_listed_in_pages() {
    let world = world();
    for number in 0..5 {
        post(&world, json!({"name": format!("c{number}"), "kind": "sandbox"})).expect(201);
    }
    let mut names = Vec::new();
    world.walk(&world.admin_key, "/admin/carriers?limit=4", |page| {
        names.extend(page.texts("name"));
    });
    assert_eq!(names, ["c0", "c1", "c2", "c3", "c4", "sandbox"]);
    let refused = world.get(&world.admin_key, "/admin/carriers?limit=0&cursor=x");
    refused.refused(422);
}

#[test]
fn all_faults_of_a_new_carrier_are_named_at_once_and_nothing_is_stored() {
    let world = world();
    let bad_http = json!({"url": "ftp://user:word@host/x", "gateway": "kannel", "username": "", "password": "سلام",
        "timeoutMs": 8_001, "objects": 17, "window": 0, "pasword": "x"});
    for (body, fields) in table::<(Value, Vec<String>)>(json!([
        [{}, ["name", "kind"]],
        [{"name": "A", "kind": "pigeon"}, ["name", "kind"]],
        [{"name": "mci", "kind": "http"}, ["http"]],
        [{"name": "mci", "kind": "http", "http": []}, ["http"]],
        [{"name": "mci", "kind": "http", "http": {}}, ["http.url", "http.username", "http.password"]],
        [{"name": "m", "kind": "http", "http": bad_http, "active": 1, "paused": "no", "sandbox": {}}, [
            "name",
            "active",
            "paused",
            "sandbox",
            "http.url",
            "http.gateway",
            "http.username",
            "http.password",
            "http.timeoutMs",
            "http.objects",
            "http.window",
            "http.pasword"]],
        [{"name": "mci", "kind": "sandbox", "sandbox": {"window": 0, "reportAfterMs": 60_001}},
            ["sandbox.window", "sandbox.reportAfterMs"]],
        [{"name": "mci", "kind": "sandbox", "http": {}}, ["http"]],
    ])) {
        let refused = post(&world, body.clone()).refused(422);
        let named: Vec<String> = refused.places();
        assert_eq!(named, fields, "{body}");
        let body = &refused.body;
        assert!(!body.contains("سلام") && !body.contains("word@"), "{body}");
    }
    for name in ["a", "A-b", "a_b", "mci ", "", &"a".repeat(33), "ک"] {
        let mut body = http();
        body["name"] = json!(name);
        post(&world, body).refused(422);
    }
    assert_eq!(carriers(&world), ["sandbox"]);
}

#[test]
fn a_carrier_with_secrets_needs_a_key_and_a_gateway_needs_the_services_address() {
    let world = World::new();
    world.set("SECRET_KEY", None);
    let refused = |detail: &str| {
        let refused = post(&world, http()).refused(409);
        assert!(refused.text("/detail").contains(detail), "{}", refused.body);
        assert_eq!(carriers(&world), ["sandbox"]);
    };
    refused("PUBLIC_URL");
    let bad =
        "sms.example.com ftp://sms.example.com http://sms.example.com https:// https://user@host https://host/?a=b";
    for bad in bad.split(' ') {
        world.set("PUBLIC_URL", Some(bad));
        refused("PUBLIC_URL");
    }
    world.set("PUBLIC_URL", Some("https://sms.example.com/"));
    refused("npm run deploy -- --secret-file PATH");
    world.set("SECRET_KEY", Some("short"));
    refused("SECRET_KEY is not the base64 text");
    world.set("SECRET_KEY", Some(SECRET_KEY));
    world.set("SECRET_KEY_OLD", Some("short"));
    refused("SECRET_KEY_OLD is not the base64 text");
    world.set("SECRET_KEY_OLD", None);
    post(&world, http()).expect(201);
    // The service runs without both, as long as nothing needs them.
    let world = World::new();
    let body = json!({"name": "slow", "kind": "sandbox", "sandbox": {"window": 50, "reportAfterMs": 60_000}});
    post(&world, body).expect(201);
    let shown = world.look("/admin/carriers/slow");
    assert_eq!(
        shown.json["data"]["sandbox"],
        json!({"window": 50, "reportAfterMs": 60_000})
    );
}

#[test]
fn a_name_is_given_once_and_there_is_a_limit() {
    let world = world();
    post(&world, http()).expect(201);
    let before = row(&world);
    post(&world, http()).refused(409);
    assert_eq!(row(&world), before);
    for number in 0..98 {
        post(&world, json!({"name": format!("c{number}"), "kind": "sandbox"})).expect(201);
        world.advance(60_000);
    }
    let full = post(&world, json!({"name": "one-more", "kind": "sandbox"})).refused(409);
    assert!(full.text("/detail").contains("as many"), "{}", full.body);
    assert_eq!(carriers(&world).len(), 100);
}

#[test]
fn a_change_sets_what_it_names_and_leaves_the_rest() {
    let world = world();
    post(&world, http()).expect(201);
    let (before, sealed, version) = row(&world);
    let changed = patch(&world, json!({"http": {"timeoutMs": 900}, "paused": true})).expect(200);
    assert_eq!(changed.json["data"]["paused"], true);
    assert_eq!(changed.json["data"]["health"]["state"], "PAUSED");
    let (settings, resealed, newer) = row(&world);
    let mut expected = before.clone();
    expected["timeoutMs"] = json!(900);
    assert_eq!((settings, newer), (expected, version + 1));
    assert_ne!(resealed, sealed, "any change seals anew");
    assert_eq!(password(&world), PASSWORD);
    let body = json!({"http": {"timeoutMs": null, "password": "new-word"}, "active": false});
    patch(&world, body).expect(200);
    assert_eq!(row(&world).0, before, "null sets a member back");
    assert_eq!(password(&world), "new-word");
    let shown = get(&world);
    let wanted = (&json!(false), &json!(true), &json!("INACTIVE"));
    assert_eq!((&shown["active"], &shown["paused"], &shown["health"]["state"]), wanted);
}

#[test]
fn a_change_that_is_wrong_changes_nothing() {
    let world = world();
    post(&world, http()).expect(201);
    let before = row(&world);
    for (body, field) in [
        (json!({"kind": "sandbox"}), "kind"),
        (json!({"name": "mtn"}), "name"),
        (json!({"http": {"url": null}}), "http.url"),
        (json!({"http": {"password": null}}), "http.password"),
        (json!({"http": {"url": "http://"}}), "http.url"),
        (json!({"http": {"allowPlaintext": false}}), "http.allowPlaintext"),
        (json!({"http": {"allowPlaintext": null}}), "http.allowPlaintext"),
        (json!({"http": {"window": 13}}), "http.window"),
        (json!({"http": {"objects": 0}}), "http.objects"),
        (json!({"http": {"binds": 2}}), "http.binds"),
        (json!({"sandbox": {"window": 5}}), "sandbox"),
        (json!({"active": "yes"}), "active"),
    ] {
        assert_starts(&patch(&world, body).refused(422).extra()[0], &format!("{field}: "));
    }
    // What stays as it is may be named.
    patch(&world, json!({"name": "mci", "kind": "http"})).expect(200);
    assert_eq!(row(&world).0, before.0);
    world.set("SECRET_KEY", None);
    let before = row(&world);
    patch(&world, json!({"http": {"password": "new-word"}})).refused(409);
    assert_eq!(row(&world), before);
    // Without a new password, a change needs no key.
    patch(&world, json!({"paused": true})).expect(200);
    assert_eq!(row(&world).1, before.1);
}

#[test]
fn what_does_not_exist_is_not_found() {
    let world = world();
    for method in ["GET", "PATCH", "DELETE"] {
        world.admin(method, "/admin/carriers/mci", json!({})).refused(404);
    }
}

#[test]
fn any_change_seals_the_secrets_with_the_newest_key() {
    let world = world();
    post(&world, http()).expect(201);
    world.set("SECRET_KEY", Some(OTHER_KEY));
    world.set("SECRET_KEY_OLD", Some(SECRET_KEY));
    patch(&world, json!({})).expect(200);
    world.set("SECRET_KEY_OLD", None);
    assert_eq!(password(&world), PASSWORD);
}

#[test]
fn changes_of_several_operators_at_once_are_all_made() {
    let world = world();
    post(&world, http()).expect(201);
    let version = row(&world).2;
    world.db.yields.set(true);
    let changes = [
        json!({"http": {"timeoutMs": 900}}),
        json!({"http": {"username": "other"}}),
        json!({"http": {"gateway": "JASMIN"}}),
        json!({"paused": true}),
    ];
    let requests = changes.map(|change| {
        world
            .ask("PATCH", &world.admin_key, "/admin/carriers/mci")
            .json(change)
            .answer()
    });
    for answer in to_end(join_all(requests)) {
        answer.expect(200);
    }
    let shown = get(&world);
    let settings = json!({"url": "http://10.0.0.5:13013/cgi-bin/sendsms", "allowPlaintext": true, "gateway": "JASMIN",
        "username": "other", "timeoutMs": 900, "objects": 1, "window": 6});
    assert_eq!((&shown["http"], &shown["paused"]), (&settings, &json!(true)));
    assert_eq!(row(&world).2, version + 4);
}

#[test]
fn the_carriers_object_hears_of_each_change_at_once() {
    let world = world();
    post(&world, http()).expect(201);
    let sql = world.shared_carrier_sql("mci/0");
    let heard = || own_row::find(&*sql).unwrap().unwrap().carrier;
    assert_eq!((heard().version, heard().paused), (row(&world).2, false));
    patch(&world, json!({"paused": true})).expect(200);
    assert_eq!((heard().version, heard().paused), (row(&world).2, true));
    assert_eq!(heard().secrets, row(&world).1);
    world.admin("DELETE", "/admin/carriers/mci", json!({})).expect(204);
    assert_eq!((heard().active, heard().secrets), (false, None));
    // A carrier that is made again under the same name is newer.
    let gone = heard().version;
    world.advance(1_000);
    post(&world, http()).expect(201);
    assert!(heard().version > gone && heard().active);
}

#[test]
fn a_change_counts_although_an_object_could_not_be_told() {
    let world = world();
    post(&world, http()).expect(201);
    world.failing_request.set(Some("ConfigureCarrier"));
    patch(&world, json!({"paused": true})).expect(200);
    assert_eq!(get(&world)["paused"], true);
    let log = world.log.borrow().join("\n");
    assert!(log.contains("an object was not told of a change"), "{log}");
}

#[test]
fn a_carrier_whose_object_does_not_answer_is_in_an_unknown_state() {
    let world = world();
    post(&world, http()).expect(201);
    post(&world, json!({"name": "other", "kind": "sandbox"})).expect(201);
    world.failing_request.set(Some("GetHealth"));
    assert_eq!(get(&world)["health"]["state"], "UNKNOWN");
    let list = world.look("/admin/carriers");
    let states = list.items().iter().map(|item| &item["health"]["state"]);
    let states: Vec<&str> = states.map(|state| state.as_str().unwrap()).collect();
    assert_eq!(states, ["UNKNOWN", "UP", "UP"]);
}

#[test]
fn a_carrier_that_lines_use_is_not_deleted_and_the_sandbox_never_is() {
    let world = world();
    post(&world, http()).expect(201);
    for number in ["20004", "20002", "20003", "20001"] {
        world.share_line(number, "mci", &["WEBSERVICE"]);
    }
    let refused = world.admin("DELETE", "/admin/carriers/mci", json!({})).refused(409);
    assert_contains(&refused.text("/detail"), "20001, 20002, 20003");
    assert_eq!(get(&world)["active"], true);
    for number in ["20001", "20002", "20003", "20004"] {
        let path = format!("/admin/lines/{number}");
        world.admin("DELETE", &path, json!({})).expect(204);
    }
    world.admin("DELETE", "/admin/carriers/mci", json!({})).expect(204);
    world.get(&world.admin_key, "/admin/carriers/mci").refused(404);
    world.admin("DELETE", "/admin/carriers/sandbox", json!({})).refused(409);
    assert_eq!(carriers(&world), ["sandbox"]);
}

#[test]
fn a_password_that_is_kept_goes_to_no_other_address() {
    let world = world();
    post(&world, http()).expect(201);
    let smpp = json!({"host": "smsc.example", "systemId": "peyk", "password": "secret"});
    post(
        &world,
        json!({"name": "smsc", "kind": "smpp", "smpp": smpp, "active": false}),
    )
    .expect(201);
    let before = [get(&world), world.look("/admin/carriers/smsc").json["data"].clone()];
    for (name, kind, moved) in [
        ("mci", "http", json!({"url": "https://thief.example/sms"})),
        (
            "mci",
            "http",
            json!({"url": "https://thief.example/sms", "username": "other"}),
        ),
        ("smsc", "smpp", json!({"host": "thief.example"})),
        ("smsc", "smpp", json!({"port": 2_776})),
        ("smsc", "smpp", json!({"port": 2_776, "password": null})),
        ("smsc", "smpp", json!({"tls": false})),
        ("smsc", "smpp", json!({"systemId": "other"})),
    ] {
        let change = |with: Value| world.admin("PATCH", &format!("/admin/carriers/{name}"), json!({kind: with}));
        let refused = change(moved.clone()).problem(422, 422);
        refused.points_at(&[&format!("/{kind}/password")]);
        if moved.get("password").is_none() {
            let wanted = "changes: the stored one goes to no other address";
            assert_contains(&refused.extra()[0], wanted);
        }
    }
    assert_eq!(
        before,
        [get(&world), world.look("/admin/carriers/smsc").json["data"].clone()]
    );
    // What goes nowhere else needs no password, and neither does the same address once more.
    let same = json!({"url": "http://10.0.0.5:13013/cgi-bin/sendsms", "timeoutMs": 900, "username": "other"});
    patch(&world, json!({"http": same})).expect(200);
    patch(
        &world,
        json!({"http": {"url": "https://own.example/sms", "password": PASSWORD}}),
    )
    .expect(200);
}
