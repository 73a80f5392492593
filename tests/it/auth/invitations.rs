//! Members join by invitation: until the person has accepted it on the phone, the account is nobody's to sign in to with that phone,
//! and whoever names a stranger's phone changes nothing for the stranger.

use peyk::auth::Scope;
use serde_json::{Value, json};

use crate::auth::sign_in::{self, SARA, link_in};
use crate::support::console_sessions::cookie;
use crate::support::{Account, Answer, World};

const DAY_MS: i64 = 86_400_000;
const MINUTE_MS: i64 = 60_000;

fn person(phone: &str, invite: bool) -> Value {
    json!({"phone": phone, "name": "Sara", "role": "SENDER", "invite": invite})
}

/// Invites the person, and returns the member and the code of the link that the phone shows.
fn invited(world: &World, shop: &Account) -> (Value, String) {
    let added = world.posted(&shop.key, "/members", person(SARA, true));
    (added.json["data"].clone(), received(world))
}

fn received(world: &World) -> String {
    link_in(&sign_in::texts(world).pop().unwrap())
}

fn path(member: &Value, rest: &str) -> String {
    format!("/members/{}{rest}", member["id"].as_str().unwrap())
}

fn again(world: &World, shop: &Account, member: &Value) -> Answer {
    world.ask("POST", &shop.key, &path(member, "/invitation")).send()
}

fn is_asked_for_nothing(world: &World) -> bool {
    sign_in::start(world, SARA).expect(201);
    sign_in::texts(world).is_empty()
}

fn joined(world: &World, shop: &Account) -> Value {
    world.read(&shop.key, "/members").json["data"][0]["joinedAt"].clone()
}

#[test]
fn who_accepts_the_invitation_on_the_phone_joins_and_signs_in_with_codes_from_then_on() {
    let (world, shop) = sign_in::world();
    let balance = world.balance(&shop.key).0;
    let (member, code) = invited(&world, &shop);
    assert_eq!(member["joinedAt"], Value::Null);
    let paid = balance - world.balance(&shop.key).0;
    let messages = world.read(&shop.key, "/messages?type=SIGN_IN");
    assert_eq!(messages.int("/data/0/cost"), paid);
    assert!(paid > 0, "the account that invites pays");
    assert!(is_asked_for_nothing(&world), "no code goes to who has not joined");
    let session = cookie(&world.enter(&code).expect(204));
    let told = world.page(&session, "/console/session").expect(200);
    assert_eq!(told.text("/data/member/signedInBy"), "CODE");
    assert_eq!(told.text("/data/accounts/0/id"), shop.id);
    assert!(joined(&world, &shop).is_string());
    world.enter(&code).problem(422, 422).points_at(&["/code"]);
    again(&world, &shop, &member).problem(409, 409);
    world.advance(MINUTE_MS);
    let session = sign_in::signed_in(&world, None);
    world.page(&session, "/console/session").expect(200);
}

#[test]
fn the_link_of_an_invitation_is_for_the_phone_alone() {
    let (world, shop) = sign_in::world();
    let (_, code) = invited(&world, &shop);
    assert!(code.starts_with("peyk_link_"), "{code}");
    world.settle(MINUTE_MS);
    assert_eq!(world.places_of(&[&code]), Vec::<String>::new());
    let messages = world.read(&shop.key, "/messages");
    let uid = messages.text("/data/0/uid");
    for shown in [messages, world.message(&shop.key, &uid)] {
        assert!(
            shown.body.contains("••••") && !shown.body.contains(&code),
            "{}",
            shown.body
        );
    }
}

#[test]
fn who_names_a_strangers_phone_changes_nothing_for_the_stranger() {
    let (world, shop) = sign_in::world();
    // By its name it comes before the shop.
    let thief = world.account("a-thief", 0);
    sign_in::name(&world, &thief, "OWNER");
    assert!(
        is_asked_for_nothing(&world),
        "nobody pays a code for a member who has not joined"
    );
    world.advance(2 * MINUTE_MS);
    sign_in::admit(&world, &shop, "OWNER");
    for wanted in [None, Some(thief.id.as_str())] {
        let session = sign_in::signed_in(&world, wanted);
        let told = world.page(&session, "/console/session").expect(200);
        assert_eq!(told.text("/data/account/id"), shop.id);
        assert_eq!(told.json["data"]["accounts"].as_array().unwrap().len(), 1);
        let over = json!({"account": thief.id});
        let switch = world.request("POST", "/console/session/switch").session(&session);
        switch.json(over).send().problem(404, 404);
        world.advance(10 * MINUTE_MS);
    }
    // Whatever the directory says, the account's object knows who has joined.
    let member = world.read(&thief.key, "/members").text("/data/0/id");
    let forged = "INSERT INTO member (phone, account, id) VALUES (989121234567, ?1, ?2)";
    world
        .db
        .run_with(forged, &[thief.id.as_str().into(), member.as_str().into()]);
    let session = sign_in::signed_in(&world, Some(&thief.id));
    world.page(&session, "/console/session").has(json!({"account": {
        "id": shop.id, "username": "shop", "timeZone": "Asia/Tehran",
        "fullName": world.page(&session, "/account/info").text("/data/accountInfo/fullName"),
    }}));
    assert_eq!(world.db.texts("SELECT account FROM member"), [shop.id]);
}

#[test]
fn what_the_account_cannot_pay_or_send_admits_nobody() {
    let (world, shop) = sign_in::world();
    let poor = world.account("poor", 0);
    world.post(&poor.key, "/members", person(SARA, true)).problem(400, 2001);
    assert_eq!(world.read(&poor.key, "/members").items().len(), 0);
    world
        .posted(&poor.key, "/members", person(SARA, false))
        .has(json!({"joinedAt": null}));
    let abroad = person("+4915112345678", true);
    world.post(&shop.key, "/members", abroad).problem(406, 3017);
    world
        .post(&shop.key, "/blacklist", json!({"numbers": [SARA]}))
        .expect(201);
    world.post(&shop.key, "/members", person(SARA, true)).problem(422, 3016);
    world.change_account(&shop, json!({"sendingEnabled": false}));
    world
        .post(&shop.key, "/members", person("09121234568", true))
        .problem(412, 3011);
    assert_eq!(world.read(&shop.key, "/members").items().len(), 0);
    assert_eq!(sign_in::texts(&world), Vec::<String>::new());
    assert_eq!(world.sql(&shop.id).count("invitation"), 0);
}

#[test]
fn where_only_passkeys_count_nobody_is_invited_by_sms() {
    let (world, shop) = sign_in::world();
    let (_, code) = invited(&world, &shop);
    let rule = json!({"require": "PASSKEY"});
    world.put(&shop.key, "/members/sign-in", rule).expect(200);
    world.enter(&code).problem(422, 422);
    world
        .post(&shop.key, "/members", person("09121234568", true))
        .problem(409, 409);
    world.posted(&shop.key, "/members", person("09121234568", false));
    assert_eq!(joined(&world, &shop), Value::Null);
}

/// How an invitation comes to nothing.
type End = fn(&World, &Account, &Value);

#[test]
fn an_invitation_ends_with_its_time_its_member_and_who_has_sent_it() {
    let ends: [(&str, End); 5] = [
        ("its time is over", |world, _, _| world.advance(3 * DAY_MS)),
        ("the member is let go", |world, shop, member| {
            world.delete(&shop.key, &path(member, "")).expect(204);
        }),
        ("the role is another", |world, shop, member| {
            let change = json!({"role": "VIEWER"});
            world
                .ask("PATCH", &shop.key, &path(member, ""))
                .json(change)
                .send()
                .expect(200);
        }),
        ("the sender is revoked", |world, shop, _| {
            let key = shop.path(&format!("/keys/{}", shop.key_id));
            world.admin("DELETE", &key, json!({})).expect(204);
        }),
        ("the sender is thrown out", |world, shop, _| {
            let key = shop.path(&format!("/keys/{}?cascade=true", shop.key_id));
            world.admin("DELETE", &key, json!({})).expect(200);
        }),
    ];
    for (how, end) in ends {
        let (world, shop) = sign_in::world();
        let (member, code) = invited(&world, &shop);
        end(&world, &shop, &member);
        world.enter(&code).problem(422, 422).points_at(&["/code"]);
        assert!(is_asked_for_nothing(&world), "{how}");
    }
}

#[test]
fn a_member_gets_three_invitations_in_a_day_and_an_account_sends_fifty() {
    let (world, shop) = sign_in::world();
    let (member, first) = invited(&world, &shop);
    let mut codes = vec![first];
    for _ in 0..2 {
        again(&world, &shop, &member).expect(201).has(json!({"joinedAt": null}));
        codes.push(received(&world));
    }
    again(&world, &shop, &member).problem(409, 409);
    let invite =
        |key: &str, number: usize| world.post(key, "/members", person(&format!("+9891212350{number:02}"), true));
    for number in 0..22 {
        invite(&shop.key, number).expect(201);
        world.advance(1_000);
    }
    // One key leaves half of them to the others.
    let refused = invite(&shop.key, 22).problem(409, 409);
    assert!(refused.text("/detail").contains("25 of them"), "{}", refused.body);
    let all = Scope::all_of(false);
    let second = world
        .grant(&shop, json!({"title": "second", "scopes": all}))
        .text("/data/key");
    for number in 22..47 {
        invite(&second, number).expect(201);
        world.advance(1_000);
    }
    let more = || world.post(&shop.key, "/members", person("+989121236000", true));
    let refused = more().problem(409, 409);
    assert!(refused.text("/detail").contains("50 invitations"), "{}", refused.body);
    let operators = format!("/admin/accounts/{}/members", shop.id);
    assert_eq!(world.sql(&shop.id).count("api_key WHERE phone = 989121236000"), 0);
    // No key of the account keeps operators from inviting for it.
    world
        .admin("POST", &operators, person("+989121236001", true))
        .expect(201);
    more().problem(409, 409);
    // But a person gets three of them, too.
    let of_operator = |id: &str| format!("{}/{id}/invitation", shop.path("/members"));
    let id = member["id"].as_str().unwrap();
    for _ in 0..3 {
        world.admin("POST", &of_operator(id), json!({})).expect(201);
    }
    world.admin("POST", &of_operator(id), json!({})).problem(409, 409);
    world.admin("POST", &of_operator("none"), json!({})).problem(404, 404);
    world.advance(DAY_MS);
    more().expect(201);
    world.admin("POST", &of_operator(id), json!({})).expect(201);
    // The one that the person opens first counts.
    world.enter(&codes[1]).expect(204);
    assert!(
        joined(&world, &shop).is_null(),
        "the newest of the list is another person"
    );
    let all = world.all(&shop.key, "/members");
    let sara = all.iter().find(|one| one["id"] == member["id"]).unwrap();
    assert!(sara["joinedAt"].is_string());
}

#[test]
fn who_is_let_go_and_admitted_again_gets_no_more_invitations() {
    let (world, shop) = sign_in::world();
    for _ in 0..3 {
        let (member, _) = invited(&world, &shop);
        world.delete(&shop.key, &path(&member, "")).expect(204);
        world.advance(1_000);
    }
    world.post(&shop.key, "/members", person(SARA, true)).problem(409, 409);
    world.posted(&shop.key, "/members", person("09121234568", true));
    world.advance(DAY_MS);
    invited(&world, &shop);
}

#[test]
fn an_erasure_frees_no_invitations_and_takes_the_number_when_they_count_no_more() {
    let (world, shop) = sign_in::world();
    for _ in 0..3 {
        let (member, _) = invited(&world, &shop);
        world.delete(&shop.key, &path(&member, "")).expect(204);
        world.advance(1_000);
    }
    let order = world
        .post(&shop.key, "/erasures", json!({"number": SARA}))
        .expect(202)
        .text("/data/id");
    let state = || {
        world
            .read(&shop.key, &format!("/erasures/{order}"))
            .text("/data/status")
    };
    world.settle(20 * MINUTE_MS);
    assert_eq!(state(), "RUNNING");
    world.post(&shop.key, "/members", person(SARA, true)).problem(409, 409);
    world.settle(DAY_MS + 20 * MINUTE_MS);
    assert_eq!(state(), "DONE");
    assert_eq!(world.sql(&shop.id).count("api_key WHERE phone = 989121234567"), 0);
}

#[test]
fn who_may_not_manage_a_member_sends_it_no_invitation() {
    let (world, shop) = sign_in::world();
    let (member, _) = invited(&world, &shop);
    let narrow = world
        .grant(&shop, json!({"title": "narrow", "scopes": ["keys"]}))
        .text("/data/key");
    let none = world
        .grant(&shop, json!({"title": "none", "scopes": ["sms:send"]}))
        .text("/data/key");
    for key in [&narrow, &none] {
        world
            .ask("POST", key, &path(&member, "/invitation"))
            .send()
            .problem(403, 403);
    }
    let other = world.account("other", 10_000);
    world
        .ask("POST", &other.key, &path(&member, "/invitation"))
        .send()
        .problem(404, 404);
    world
        .ask("POST", &shop.key, "/members/none/invitation")
        .send()
        .problem(404, 404);
    // A key is no member.
    let key = format!("/members/{}/invitation", shop.key_id);
    world.ask("POST", &shop.key, &key).send().problem(404, 404);
    assert_eq!(sign_in::texts(&world), Vec::<String>::new());
}

#[test]
fn an_invitation_whose_opening_fails_can_be_opened_again() {
    let (world, shop) = sign_in::world();
    let (_, code) = invited(&world, &shop);
    world.db.watch(|_, statements| match statements {
        [one] if one.sql.contains("INSERT INTO member") => Err(peyk::base::ports::PortError::unavailable("D1", "cut")),
        _ => Ok(()),
    });
    world.enter(&code).problem(503, 503);
    world.db.unwatch();
    assert_eq!(world.db.count("member"), 0);
    assert_eq!(joined(&world, &shop), Value::Null);
    world.enter(&code).expect(204);
    world.advance(MINUTE_MS);
    sign_in::signed_in(&world, None);
}
