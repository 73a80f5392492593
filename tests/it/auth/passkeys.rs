//! Members sign in with passkeys. A passkey opens sessions of its member alone, in the browser that has asked for a challenge, once
//! for each; operators, and members of accounts that say so, get in by nothing less.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use peyk::auth::Scope;
use serde_json::{Value, json};

use crate::auth::sign_in;
use crate::support::console_sessions::cookie;
use crate::support::passkeys::Device;
use crate::support::{Account, Answer, World};

const MINUTE_MS: i64 = 60_000;

/// An operator who has added a passkey, by a link of the first key. The path of the member, the session of the link and the device.
fn operator(world: &World) -> (String, String, Device) {
    let person = json!({"phone": sign_in::SARA, "name": "Sara", "scopes": ["admin:read"]});
    let path = format!(
        "/admin/members/{}",
        world.create("/admin/members", person).text("/data/id")
    );
    let session = world.entered_by_link(&world.admin_key, &path);
    let mut device = Device::new(1);
    world.add_passkey(&session, &mut device).expect(201);
    (path, session, device)
}

/// A member of the shop, in a session of a link, with a passkey.
fn member(world: &World, shop: &Account, role: &str) -> (String, String, Device) {
    let path = format!("/members/{}", sign_in::admit(world, shop, role));
    let session = world.entered_by_link(&shop.key, &path);
    let mut device = Device::new(2);
    world.add_passkey(&session, &mut device).expect(201);
    (path, session, device)
}

fn told(world: &World, session: &str) -> Answer {
    world.page(session, "/console/session")
}

/// How many passkeys a session sees.
fn count(world: &World, session: &str) -> usize {
    let known = world.page(session, "/console/passkeys").expect(200);
    known.json["data"]["passkeys"].as_array().unwrap().len()
}

/// By what the member of a session has signed in, and the accounts that it may go over to.
fn way(world: &World, session: &str) -> (String, Vec<String>) {
    let told = told(world, session).expect(200);
    let accounts = told.json["data"]["accounts"].as_array().unwrap().iter();
    let ids = accounts.map(|account| account["id"].as_str().unwrap().to_owned());
    (told.text("/data/member/signedInBy"), ids.collect())
}

#[test]
fn an_operator_signs_in_with_a_passkey_and_never_with_a_code() {
    let (world, _) = sign_in::world();
    let (path, _, mut device) = operator(&world);
    let code = sign_in::code(&world);
    let refused = sign_in::check(&world, json!({"phone": sign_in::SARA, "code": code})).problem(409, 409);
    assert!(refused.header("Set-Cookie").is_none());
    let answer = world.sign_in_by(&mut device).expect(204);
    let session = cookie(&answer);
    told(&world, &session).has(json!({"role": "OPERATOR"}));
    let way = way(&world, &session);
    assert_eq!(way, ("PASSKEY".to_owned(), vec!["operator".to_owned()]));
    let known = world.page(&session, "/console/passkeys").expect(200);
    assert_eq!(known.text("/data/passkeys/0/title"), "Sara's phone");
    assert!(known.text("/data/passkeys/0/usedAt") > known.text("/data/passkeys/0/createdAt"));
    world.delete(&world.admin_key, &path).expect(204);
    told(&world, &session).refused(401);
    world.sign_in_by(&mut device).problem(422, 422).points_at(&["/id"]);
}

#[test]
fn who_is_an_operator_too_gets_into_the_shop_with_a_code_and_from_there_nowhere_near_the_operators() {
    let (world, shop) = sign_in::world();
    sign_in::admit(&world, &shop, "OWNER");
    let (_, _, mut device) = operator(&world);
    let session = sign_in::signed_in(&world, Some("operator"));
    told(&world, &session).has(json!({"role": "CUSTOMER"}));
    assert_eq!(way(&world, &session), ("CODE".to_owned(), vec![shop.id.clone()]));
    let switch = |session: &str, account: &str| {
        let body = json!({"account": account});
        let request = world.request("POST", "/console/session/switch").session(session);
        request.json(body).send()
    };
    switch(&session, "operator").problem(404, 404);
    // A passkey does not show that the person has the phone.
    let session = cookie(&world.sign_in_by(&mut device).expect(204));
    assert_eq!(
        way(&world, &session),
        ("PASSKEY".to_owned(), vec!["operator".to_owned()])
    );
    switch(&session, &shop.id).problem(404, 404);
}

#[test]
fn a_link_of_a_member_opens_no_other_account_of_the_phone_that_it_names() {
    let (world, shop) = sign_in::world();
    sign_in::admit(&world, &shop, "OWNER");
    let thief = world.account("thief", 0);
    let named = sign_in::name(&world, &thief, "OWNER");
    let session = world.entered_by_link(&thief.key, &format!("/members/{named}"));
    assert_eq!(way(&world, &session), ("LINK".to_owned(), vec![thief.id]));
    let body = json!({"account": shop.id});
    let switch = world.request("POST", "/console/session/switch").session(&session);
    switch.json(body).send().problem(404, 404);
}

/// Only a code shows that a person has the phone: no way leads from a link or a passkey to a session that counts as one of a code.
#[test]
fn no_session_of_a_link_or_a_passkey_becomes_one_of_a_code() {
    let (world, shop) = sign_in::world();
    sign_in::admit(&world, &shop, "OWNER");
    let thief = world.account("thief", 10_000);
    world.change_account(&thief, json!({"defaultLine": "20002"}));
    world.advance(31_000);
    let named = sign_in::admit(&world, &thief, "VIEWER");
    let of_link = world.entered_by_link(&thief.key, &format!("/members/{named}"));
    let mut device = Device::new(3);
    world.add_passkey(&of_link, &mut device).expect(201);
    let of_passkey = cookie(&world.sign_in_by(&mut device).expect(204));
    for (session, by) in [(of_link, "LINK"), (of_passkey, "PASSKEY")] {
        for account in [&thief.id, &shop.id] {
            let switch = world.request("POST", "/console/session/switch").session(&session);
            switch.json(json!({"account": account})).send().problem(404, 404);
        }
        assert_eq!(way(&world, &session), (by.to_owned(), vec![thief.id.clone()]));
    }
}

/// Who comes in as a member, by a link, does what the key has done that has made the link.
#[test]
fn what_is_made_in_the_session_of_a_link_goes_with_the_key_that_has_made_the_link() {
    let (world, shop) = sign_in::world();
    let member = format!("/members/{}", sign_in::admit(&world, &shop, "OWNER"));
    let all = json!({"title": "leaked", "scopes": Scope::all_of(false)});
    let leaked = world.post(&shop.key, "/keys", all).expect(201);
    let own = sign_in::signed_in(&world, None);
    let stolen = world.entered_by_link(&leaked.text("/data/key"), &member);
    let issue = json!({"title": "kept", "scopes": ["sms:read"]});
    let kept = world.request("POST", "/keys").session(&stolen).json(issue).send();
    let kept = kept.expect(201).text("/data/key");
    world.get(&kept, "/messages").expect(200);
    let path = format!("/keys/{}?cascade=true", leaked.text("/data/id"));
    world.delete(&shop.key, &path).expect(200);
    told(&world, &stolen).refused(401);
    world.get(&kept, "/messages").refused(401);
    told(&world, &own).expect(200);
}

/// Who has come in by a link adds a passkey, and another one in the session that it opens: both go with the key that has made the link.
#[test]
fn a_passkey_that_was_added_in_the_session_of_a_link_goes_with_the_key_that_has_made_the_link() {
    let (world, shop) = sign_in::world();
    let member = format!("/members/{}", sign_in::admit(&world, &shop, "OWNER"));
    let all = json!({"title": "leaked", "scopes": Scope::all_of(false)});
    let leaked = world.post(&shop.key, "/keys", all).expect(201);
    let mut own = Device::new(3);
    world
        .add_passkey(&sign_in::signed_in(&world, None), &mut own)
        .expect(201);
    let (mut first, mut second) = (Device::new(4), Device::new(5));
    let stolen = world.entered_by_link(&leaked.text("/data/key"), &member);
    world.add_passkey(&stolen, &mut first).expect(201);
    let by_first = cookie(&world.sign_in_by(&mut first).expect(204));
    world.add_passkey(&by_first, &mut second).expect(201);
    let by_second = cookie(&world.sign_in_by(&mut second).expect(204));
    let by_own = cookie(&world.sign_in_by(&mut own).expect(204));
    assert_eq!(count(&world, &by_own), 3);
    let path = format!("/keys/{}?cascade=true", leaked.text("/data/id"));
    world.delete(&shop.key, &path).expect(200);
    for session in [&stolen, &by_first, &by_second] {
        told(&world, session).refused(401);
    }
    for device in [&mut first, &mut second] {
        world.sign_in_by(device).problem(422, 422);
    }
    assert_eq!(count(&world, &by_own), 1);
    world.sign_in_by(&mut own).expect(204);
    // A member who is thrown out takes all of them along.
    world.delete(&shop.key, &format!("{member}?cascade=true")).expect(200);
    told(&world, &by_own).refused(401);
    world.sign_in_by(&mut own).problem(422, 422);
    let sql = world.sql(&shop.id);
    assert_eq!(
        (
            sql.count("passkey"),
            sql.count("key_maker WHERE key NOT IN (SELECT id FROM api_key)")
        ),
        (0, 0)
    );
}

/// Who has named a person with little adds a passkey of his own for the person: it is gone when the person may do more.
#[test]
fn a_passkey_that_was_planted_does_not_grow_with_the_member() {
    let (world, shop) = sign_in::world();
    let narrow = json!({"title": "narrow", "scopes": ["keys", "sms:read", "account:read"]});
    let narrow = world.grant(&shop, narrow).text("/data/key");
    let person = json!({"phone": sign_in::SARA, "name": "Sara", "role": "VIEWER", "invite": false});
    let member = format!(
        "/members/{}",
        world.posted(&narrow, "/members", person).text("/data/id")
    );
    let (mut planted, mut own, mut kept) = (Device::new(4), Device::new(5), Device::new(6));
    world
        .add_passkey(&world.entered_by_link(&narrow, &member), &mut planted)
        .expect(201);
    world.sign_in_by(&mut planted).expect(204);
    let change = |role: &str| {
        let request = world.ask("PATCH", &shop.key, &member).json(json!({"role": role}));
        request.send().expect(200);
    };
    change("OWNER");
    world.sign_in_by(&mut planted).problem(422, 422);
    // That of somebody who reaches the member stays, and so does each when the member gets less.
    world
        .add_passkey(&world.entered_by_link(&shop.key, &member), &mut own)
        .expect(201);
    change("VIEWER");
    world.sign_in_by(&mut own).expect(204);
    let mina = format!("/members/{}", named(&world, &shop, "+989121230009", "VIEWER"));
    world
        .add_passkey(&world.entered_by_link(&shop.key, &mina), &mut kept)
        .expect(201);
    let widen = world.ask("PATCH", &shop.key, &mina).json(json!({"role": "OWNER"}));
    widen.send().expect(200);
    let session = cookie(&world.sign_in_by(&mut kept).expect(204));
    assert_eq!(told(&world, &session).text("/data/member/role"), "OWNER");
}

/// A person whom the shop's first key has named.
fn named(world: &World, shop: &Account, phone: &str, role: &str) -> String {
    let person = json!({"phone": phone, "name": "Mina", "role": role, "invite": false});
    world.posted(&shop.key, "/members", person).text("/data/id")
}

/// A cascade ends neither the session of the request nor passkeys of people whom the request does not reach.
#[test]
fn a_cascade_takes_no_passkey_of_somebody_beyond_the_request() {
    let (world, shop) = sign_in::world();
    let founder = named(&world, &shop, "+989121230009", "OWNER");
    let owner = format!("/members/{}", named(&world, &shop, sign_in::SARA, "OWNER"));
    let founders = world.entered_by_link(&shop.key, &format!("/members/{founder}"));
    let made = world
        .request("POST", &format!("{owner}/link"))
        .session(&founders)
        .json(json!({}));
    let code = made.send().expect(201).text("/data/code");
    let mut device = Device::new(7);
    world
        .add_passkey(&cookie(&world.enter(&code).expect(204)), &mut device)
        .expect(201);
    let out = world.request("DELETE", "/console/session?everywhere=true");
    out.session(&cookie(&world.sign_in_by(&mut device).expect(204)))
        .send()
        .expect(204);
    let less = world.ask("PATCH", &shop.key, &format!("/members/{founder}"));
    less.json(json!({"role": "VIEWER"})).send().expect(200);
    let narrow = json!({"title": "narrow", "scopes": ["keys", "sms:read", "account:read"]});
    let narrow = world.grant(&shop, narrow).text("/data/key");
    let path = format!("/members/{founder}?cascade=true");
    world.delete(&narrow, &path).problem(403, 403);
    let session = cookie(&world.sign_in_by(&mut device).expect(204));
    // Whose passkey goes with the founder can't throw the founder out in that session.
    world
        .request("DELETE", &path)
        .session(&session)
        .send()
        .problem(409, 409);
    told(&world, &session).expect(200);
    world.delete(&shop.key, &path).expect(200);
    told(&world, &session).refused(401);
    world.sign_in_by(&mut device).problem(422, 422);
    world.settle(10_000);
    let entries = world.look(&format!("/admin/audit?account={}&operation=RemoveMember", shop.id));
    let before = &entries.items()[0]["before"];
    assert_eq!(before["passkeys"].as_array().map(Vec::len), Some(1), "{}", entries.body);
}

#[test]
fn a_link_opens_nothing_when_its_maker_may_not_make_it_any_more() {
    let (world, shop) = sign_in::world();
    let id = sign_in::admit(&world, &shop, "OWNER");
    let maker = sign_in::signed_in(&world, None);
    let other = json!({"phone": "09121230009", "name": "Mina", "role": "OWNER", "invite": false});
    let other = world.create(&shop.path("/members"), other).text("/data/id");
    let link = world.request("POST", &format!("/members/{other}/link")).session(&maker);
    let code = link.json(json!({})).send().expect(201).text("/data/code");
    let change = world.ask("PATCH", &shop.key, &format!("/members/{id}"));
    change.json(json!({"role": "VIEWER"})).send().expect(200);
    world.enter(&code).problem(422, 422);
}

/// The rule decides how all members sign in. A key that reaches some of them only must not weaken it for the others, or shut them out.
#[test]
fn only_who_reaches_all_members_says_how_they_sign_in() {
    let (world, shop) = sign_in::world();
    sign_in::admit(&world, &shop, "OWNER");
    let narrow = json!({"title": "narrow", "scopes": ["keys", "sms:read"]});
    let narrow = world.post(&shop.key, "/keys", narrow).expect(201).text("/data/key");
    let session = sign_in::signed_in(&world, None);
    for require in ["PASSKEY", "CODE"] {
        let rule = json!({"require": require});
        world.put(&narrow, "/members/sign-in", rule).problem(403, 403);
    }
    told(&world, &session).expect(200);
}

/// What somebody sends in place of what the device would have signed.
type Lie = fn(&mut Device);

#[test]
fn what_is_signed_for_another_page_or_by_another_device_opens_nothing() {
    let (world, shop) = sign_in::world();
    let (path, _, mut device) = member(&world, &shop, "VIEWER");
    let lies: [(&str, Lie); 9] = [
        ("/clientDataJSON", |device| {
            device.origin = "https://sms.example.evil".to_owned()
        }),
        ("/clientDataJSON", |device| device.cross_origin = true),
        ("/clientDataJSON", |device| device.kind = Some("webauthn.create")),
        ("/id", |device| device.domain = "evil.example".to_owned()),
        ("/id", |device| device.flags = 0x01),
        ("/id", |device| device.flags = 0x04),
        ("/id", |device| device.credential = vec![9; 16]),
        ("/id", |device| device.user_handle = URL_SAFE_NO_PAD.encode([7; 32])),
        ("/id", |device| device.user_handle = "AQIDBA".to_owned()),
    ];
    for (at, lie) in lies {
        let mut liar = device.clone();
        lie(&mut liar);
        world.sign_in_by(&mut liar).problem(422, 422).points_at(&[at]);
        world.advance(MINUTE_MS);
    }
    let mut forger = Device {
        user_handle: device.user_handle.clone(),
        credential: device.credential.clone(),
        ..Device::new(3)
    };
    world.sign_in_by(&mut forger).problem(422, 422).points_at(&["/id"]);
    let mut signed = device.sign(&world.challenge(1));
    signed["signature"] = json!("AQIDBA");
    world.send_passkey(1, signed).problem(422, 422).points_at(&["/id"]);
    let unused = "SELECT count(*) FROM passkey WHERE used_ms IS NULL AND counter = 1";
    assert_eq!(world.number(&shop, unused), 1, "nothing of it counts as a use");
    // All that time the person gets in, and only with what counts now.
    world.sign_in_by(&mut device).expect(204);
    world.delete(&shop.key, &path).expect(204);
    world.sign_in_by(&mut device).problem(422, 422);
}

#[test]
fn a_challenge_counts_in_one_browser_for_five_minutes_and_once() {
    let (world, shop) = sign_in::world();
    let (_, session, mut device) = member(&world, &shop, "VIEWER");
    let ended = |answer: Answer| answer.problem(422, 422).points_at(&["/clientDataJSON"]);
    let signed = device.sign(&world.challenge(1));
    ended(world.send_passkey(2, signed.clone()));
    world.send_passkey(1, signed.clone()).expect(204);
    // What was heard once opens nothing, also if the device does not count.
    world.send_passkey(1, signed).problem(422, 422);
    let challenge = world.challenge(1);
    world.send_passkey(1, device.sign(&challenge)).expect(204);
    ended(world.send_passkey(1, device.sign(&challenge)));
    let late = device.sign(&world.challenge(1));
    world.advance(5 * MINUTE_MS);
    ended(world.send_passkey(1, late));
    ended(world.send_passkey(1, device.sign("AAAA")));
    let add = |body: Value| {
        let request = world.request("POST", "/console/passkeys").session(&session);
        request.browser(1).json(body).send()
    };
    let challenge = world.challenge(1);
    add(Device::new(4).make(&challenge)).expect(201);
    ended(add(Device::new(5).make(&challenge)));
    ended(add(Device::new(5).make(&world.challenge(2))));
}

#[test]
fn a_copy_of_a_passkey_that_counts_is_told_and_one_that_does_not_count_is_let_in() {
    let (world, shop) = sign_in::world();
    let (_, session, mut device) = member(&world, &shop, "VIEWER");
    let mut copy = device.clone();
    world.sign_in_by(&mut device).expect(204);
    world.sign_in_by(&mut copy).problem(422, 422).points_at(&["/signature"]);
    assert!(world.has_logged("passkey_copied"));
    let mut uncounted = Device::new(3);
    uncounted.counter = 0;
    world.add_passkey(&session, &mut uncounted).expect(201);
    for _ in 0..2 {
        let body = uncounted.sign_again(&world.challenge(1));
        world.send_passkey(1, body).expect(204);
    }
}

#[test]
fn a_member_has_twenty_passkeys_each_once_and_removes_its_own_only() {
    let (world, shop) = sign_in::world();
    let (_, session, mut device) = member(&world, &shop, "VIEWER");
    world.add_passkey(&session, &mut device).problem(409, 409);
    for number in 20..39 {
        world.add_passkey(&session, &mut Device::new(number)).expect(201);
    }
    world.add_passkey(&session, &mut Device::new(39)).problem(409, 409);
    let of_key = world.signed_in(&shop.key);
    assert_eq!(count(&world, &of_key), 0);
    world.add_passkey(&of_key, &mut Device::new(40)).problem(409, 409);
    let own = world.page(&session, "/console/passkeys").expect(200);
    // All were added within a millisecond, so their order says nothing.
    let credential = json!(URL_SAFE_NO_PAD.encode(&device.credential));
    let mut known = own.json["data"]["passkeys"].as_array().unwrap().iter();
    let first = known.find(|passkey| passkey["credentialId"] == credential).unwrap();
    let path = format!("/console/passkeys/{}", first["id"].as_str().unwrap());
    let on = |method: &str, session: &str, body: Value| world.request(method, &path).session(session).json(body).send();
    on("PATCH", &session, json!({"title": "Old phone"}))
        .expect(200)
        .has(json!({"title": "Old phone"}));
    on("PATCH", &session, json!({}))
        .problem(422, 422)
        .points_at(&["/title"]);
    // Another member has nothing to do with them.
    let other = json!({"phone": "09121230009", "name": "Mina", "role": "OWNER"});
    let other = world.create(&shop.path("/members"), other).text("/data/id");
    let other = world.entered_by_link(&shop.key, &format!("/members/{other}"));
    on("PATCH", &other, json!({"title": "Mine"})).problem(404, 404);
    world.request("DELETE", &path).session(&other).send().problem(404, 404);
    world.request("DELETE", &path).session(&of_key).send().problem(404, 404);
    world.sign_in_by(&mut device).expect(204);
    world.request("DELETE", &path).session(&session).send().expect(204);
    world
        .request("DELETE", &path)
        .session(&session)
        .send()
        .problem(404, 404);
    world.sign_in_by(&mut device).problem(422, 422);
}

#[test]
fn what_registers_no_passkey_of_this_place_adds_none() {
    let (world, shop) = sign_in::world();
    let (_, session, _) = member(&world, &shop, "VIEWER");
    let lies: [(&str, Lie); 6] = [
        ("/clientDataJSON", |device| {
            device.origin = "https://evil.example".to_owned()
        }),
        ("/clientDataJSON", |device| device.kind = Some("webauthn.get")),
        ("/authenticatorData", |device| device.domain = "evil.example".to_owned()),
        ("/authenticatorData", |device| device.flags = 0x01),
        ("/authenticatorData", |device| device.credential = Vec::new()),
        ("/authenticatorData", |device| device.credential = vec![1; 1_024]),
    ];
    for (at, lie) in lies {
        let mut device = Device::new(5);
        lie(&mut device);
        world
            .add_passkey(&session, &mut device)
            .problem(422, 422)
            .points_at(&[at]);
    }
    let mut body = Device::new(5).make(&world.challenge(1));
    let cut = body["authenticatorData"].as_str().unwrap();
    body["authenticatorData"] = json!(cut[..cut.len() - 8]);
    let request = world.request("POST", "/console/passkeys").session(&session);
    request
        .browser(1)
        .json(body)
        .send()
        .problem(422, 422)
        .points_at(&["/authenticatorData"]);
    let body = json!({"title": "", "clientDataJSON": "a b", "authenticatorData": "%"});
    let request = world.request("POST", "/console/passkeys").session(&session);
    let faulty = request.browser(1).json(body).send().problem(422, 422);
    faulty.points_at(&["/title", "/clientDataJSON", "/authenticatorData"]);
    assert_eq!(count(&world, &session), 1);
}

#[test]
fn a_passkey_counts_for_the_domain_by_which_the_service_is_asked() {
    let (world, _) = sign_in::world();
    let request = world.request("POST", "/console/passkeys/challenge");
    let asked = request.origin("http://localhost:8787").send().expect(201);
    assert_eq!(asked.text("/data/rpId"), "localhost");
}

#[test]
fn where_passkeys_are_required_a_code_opens_nothing_and_what_it_has_opened_ends() {
    let (world, shop) = sign_in::world();
    let rule = |require: &str| world.put(&shop.key, "/members/sign-in", json!({"require": require}));
    world
        .ask("GET", &shop.key, "/members/sign-in")
        .send()
        .has(json!({"require": "CODE"}));
    let (_, by_link, mut device) = member(&world, &shop, "OWNER");
    let by_code = sign_in::signed_in(&world, None);
    let by_passkey = cookie(&world.sign_in_by(&mut device).expect(204));
    rule("SMS").problem(422, 422).points_at(&["/require"]);
    rule("PASSKEY").expect(200).has(json!({"require": "PASSKEY"}));
    told(&world, &by_code).refused(401);
    told(&world, &by_passkey).expect(200);
    told(&world, &by_link).expect(200);
    world.advance(2 * MINUTE_MS);
    let code = sign_in::code(&world);
    sign_in::check(&world, json!({"phone": sign_in::SARA, "code": code})).problem(409, 409);
    world.sign_in_by(&mut device).expect(204);
    rule("CODE").expect(200);
    world.advance(2 * MINUTE_MS);
    sign_in::signed_in(&world, None);
}

#[test]
fn an_owner_without_a_passkey_does_not_shut_itself_out() {
    let (world, shop) = sign_in::world();
    sign_in::admit(&world, &shop, "OWNER");
    let session = sign_in::signed_in(&world, None);
    let require = || {
        let request = world.request("PUT", "/members/sign-in").session(&session);
        request.json(json!({"require": "PASSKEY"})).send()
    };
    require().problem(409, 409);
    world.add_passkey(&session, &mut Device::new(6)).expect(201);
    require().expect(200);
    told(&world, &session).expect(200);
}

#[test]
fn only_who_reaches_a_member_makes_a_link_for_it_and_it_opens_one_session() {
    let (world, shop) = sign_in::world();
    let path = format!("/members/{}/link", sign_in::admit(&world, &shop, "OWNER"));
    let narrow = json!({"title": "narrow", "scopes": ["keys", "sms:read"]});
    let narrow = world.post(&shop.key, "/keys", narrow).expect(201).text("/data/key");
    world.post(&narrow, &path, json!({})).problem(403, 403);
    world
        .post(&shop.key, &path, json!({"ttlSeconds": 5}))
        .problem(422, 422)
        .points_at(&["/ttlSeconds"]);
    world.post(&shop.key, "/members/none/link", json!({})).problem(404, 404);
    let made = world.post(&shop.key, &path, json!({"ttlSeconds": 86_400})).expect(201);
    let enter = || {
        let body = json!({"code": made.text("/data/code")});
        world.request("POST", "/console/sign-in/link").json(body).send()
    };
    enter().expect(204);
    enter().problem(422, 422);
    // A link ends with who has made it.
    let second = world.post(
        &shop.key,
        "/keys",
        json!({"title": "second", "scopes": Scope::all_of(false)}),
    );
    let second = second.expect(201);
    let made = world.post(&second.text("/data/key"), &path, json!({})).expect(201);
    world
        .delete(&shop.key, &format!("/keys/{}", second.text("/data/id")))
        .expect(204);
    let late = json!({"code": made.text("/data/code")});
    let late = world.request("POST", "/console/sign-in/link").json(late).send();
    late.problem(422, 422);
    let of_operators = format!("/admin/members/{}/link", operator(&world).0.rsplit('/').next().unwrap());
    let reader = json!({"title": "reader", "scopes": ["admin:read"]});
    let reader = world.create("/admin/keys", reader).text("/data/key");
    world.post(&reader, &of_operators, json!({})).refused(403);
}
