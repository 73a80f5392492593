//! What the log has of keys, of the people who sign in, and of how they do so.

use peyk::api::routes::Operation as Op;
use serde_json::{Value, json};

use super::{Held, REST_MS, entries, route};
use crate::auth::sign_in::{link_in, texts};
use crate::support::console_sessions::cookie;
use crate::support::passkeys::Device;
use crate::support::{Account, World};

pub fn keys(held: &Held) {
    let account = held.shop.path("/keys");
    for (path, issue, rotate, revoke) in [
        (&*account, Op::AdminIssueKey, Op::AdminRotateKey, Op::AdminRevokeKey),
        ("/keys", Op::IssueKey, Op::RotateKey, Op::RevokeKey),
        (
            "/admin/keys",
            Op::AdminIssueOperatorKey,
            Op::AdminRotateOperatorKey,
            Op::AdminRevokeOperatorKey,
        ),
    ] {
        let (answer, entry) = held.changes(issue, path, &json!({"title": "new"}));
        let (id, key) = (answer.text("/data/id"), answer.text("/data/key"));
        assert_eq!(entry["thing"]["id"], id);
        assert_eq!(entry["after"]["title"], "new");
        assert!(!entry.to_string().contains(&key), "no key stands in the log");
        assert!(!entry.to_string().contains(&peyk::auth::digest(&key)), "nor its digest");
        held.refuses(issue, path, &json!({}));
        let (answer, entry) = held.changes(rotate, &format!("{path}/{id}/rotate"), &json!({}));
        assert_eq!(entry["thing"]["id"], id);
        assert_eq!(entry["after"]["replacedBy"], answer.text("/data/id"));
        held.refuses(rotate, &format!("{path}/none/rotate"), &json!({}));
        let (_, entry) = held.changes(revoke, &format!("{path}/{id}"), &json!({}));
        assert_eq!(entry["before"]["revokedAt"], Value::Null);
        assert!(entry["after"]["revokedAt"].is_string());
        // It is revoked already.
        held.changes_nothing("DELETE", &format!("{path}/{id}"), &json!({}));
        held.refuses(revoke, &format!("{path}/none"), &json!({}));
    }
}

pub fn sessions(held: &Held) {
    let open = Op::OpenConsoleSession;
    // Those of links.
    held.send("DELETE", "/console/session", &json!({})).expect(204);
    let (answer, entry) = held.changes(open, "/console/session", &json!({}));
    assert_eq!(entry["after"]["sessionOf"], json!(held.shop.key_id));
    let session = cookie(&answer);
    assert!(!entry.to_string().contains(&session), "no session stands in the log");
    let id = entry["thing"]["id"].clone();
    let (_, entry) = held.changes(Op::EndConsoleSession, "/console/session", &json!({}));
    let [before, after] = [json!({"openSessions": [id]}), json!({"openSessions": []})];
    assert_eq!((&entry["before"], &entry["after"]), (&before, &after));
    held.changes_nothing("DELETE", "/console/session", &json!({}));
    held.refuses(Op::EndConsoleSession, "/console/session?everywhere=x", &json!({}));
    held.world.fill_with_sessions(&held.shop.id);
    held.refuses(open, "/console/session", &json!({}));
}

pub fn members(held: &Held) {
    let account = held.shop.path("/members");
    let owner = |phone: &str| json!({"phone": phone, "name": "Sara", "role": "OWNER"});
    let operator = json!({"phone": "09121230003", "name": "Mina", "scopes": ["admin:read"]});
    for (add, path, body) in [
        (Op::AddMember, "/members", owner("09121230001")),
        (Op::AdminAddAccountMember, &*account, owner("09121230002")),
        (Op::AdminAddMember, "/admin/members", operator),
    ] {
        let (answer, entry) = held.changes(add, path, &body);
        assert_eq!(entry["thing"]["id"], answer.json["data"]["id"]);
        assert_eq!(entry["after"]["phoneEnding"].as_str().map(str::len), Some(2), "{entry}");
        held.refuses(add, path, &body);
        let one = format!("{path}/{}", answer.text("/data/id"));
        let (change, remove) = match add {
            Op::AddMember => (Some((Op::ChangeMember, json!({"role": "VIEWER"}))), Op::RemoveMember),
            Op::AdminAddMember => (
                Some((Op::AdminChangeMember, json!({"scopes": ["admin:money"]}))),
                Op::AdminRemoveMember,
            ),
            _ => (None, Op::AdminRemoveAccountMember),
        };
        if let Some((change, body)) = change {
            let (_, entry) = held.changes(change, &one, &body);
            assert_ne!(entry["before"]["scopes"], entry["after"]["scopes"]);
            held.changes_nothing("PATCH", &one, &body);
            held.refuses(change, &format!("{path}/none"), &body);
        }
        let invite = match add {
            Op::AddMember => Some(Op::InviteMember),
            Op::AdminAddAccountMember => Some(Op::AdminInviteAccountMember),
            _ => None,
        };
        if let Some(invite) = invite {
            let (_, entry) = held.changes(invite, &format!("{one}/invitation"), &json!({}));
            assert_eq!(entry["after"]["sessionOf"], answer.json["data"]["id"]);
            held.refuses(invite, &format!("{path}/none/invitation"), &json!({}));
        }
        let (_, entry) = held.changes(remove, &one, &json!({}));
        assert!(entry["after"]["revokedAt"].is_string());
        held.refuses(remove, &one, &json!({}));
    }
}

/// A member adds a passkey by a link, and signs in with it.
pub fn passkeys(held: &Held) {
    let (world, shop) = (&held.world, &held.shop);
    let person = json!({"phone": "09121230005", "name": "Sara", "role": "OWNER"});
    let id = world.create(&shop.path("/members"), person).text("/data/id");
    world.settle(REST_MS);
    let link = format!("/members/{id}/link");
    let (made, entry) = held.changes(Op::MakeMemberLink, &link, &json!({}));
    assert_eq!(entry["after"]["sessionOf"], json!(id));
    held.refuses(Op::MakeMemberLink, "/members/none/link", &json!({}));
    let operator = json!({"phone": "09121230006", "name": "Mina", "scopes": ["admin:read"]});
    let operator = world.create("/admin/members", operator).text("/data/id");
    world.settle(REST_MS);
    held.changes(
        Op::AdminMakeMemberLink,
        &format!("/admin/members/{operator}/link"),
        &json!({}),
    );
    held.refuses(Op::AdminMakeMemberLink, "/admin/members/none/link", &json!({}));
    let code = json!({"code": made.text("/data/code")});
    let session = cookie(
        &world
            .request("POST", "/console/sign-in/link")
            .json(code)
            .send()
            .expect(204),
    );
    world.settle(REST_MS);
    let mut device = Device::new(1);
    let own = world.page(&session, "/console/session");
    device.user_handle = own.text("/data/member/passkeyUser");
    let on_page = |operation: Op, path: &str, body: Value| {
        let before = entries(world, "").len();
        let method = route(operation).method;
        let request = world.request(method, path).session(&session).browser(1);
        let answer = request.json(body).send();
        world.settle(REST_MS);
        let after = entries(world, "");
        (answer, after[..after.len() - before].to_vec())
    };
    let actor = json!({"account": shop.id, "username": username(world, shop), "key": id});
    let (mut path, mut body) = ("/console/passkeys".to_owned(), device.make(&world.challenge(1)));
    for operation in [Op::AddPasskey, Op::RenamePasskey, Op::RemovePasskey] {
        let (answer, new) = on_page(operation, &path, body.clone());
        let [entry] = new.as_slice() else {
            panic!("{operation:?}: {new:?}")
        };
        assert_eq!((&entry["actor"], &entry["thing"]["kind"]), (&actor, &json!("passkey")));
        held.changed.borrow_mut().insert(operation.name(), 1);
        if operation == Op::AddPasskey {
            let signed = device.sign(&world.challenge(1));
            let enter = "/console/sign-in/passkey";
            let entered = world.request("POST", enter).browser(1).json(signed).send();
            entered.expect(204);
            world.settle(REST_MS);
            let newest = entries(world, "").remove(0);
            assert_eq!(
                (&newest["operation"], &newest["actor"]),
                (&json!("SignInByPasskey"), &actor)
            );
            assert_eq!(newest["after"]["signedInBy"], json!("PASSKEY"));
            held.changed.borrow_mut().insert(Op::SignInByPasskey.name(), 1);
            path = format!("/console/passkeys/{}", answer.text("/data/id"));
        }
        body = json!({"title": "Old phone"});
        let (_, none) = on_page(operation, "/console/passkeys/none", json!({}));
        assert!(none.is_empty(), "{operation:?}: {none:?}");
    }
    for (operation, path) in [
        (Op::AddPasskey, "/console/passkeys"),
        (Op::RenamePasskey, "/console/passkeys/none"),
        (Op::RemovePasskey, "/console/passkeys/none"),
        (Op::SignInByPasskey, "/console/sign-in/passkey"),
    ] {
        held.refuses(operation, path, &json!({}));
    }
    let rule = "/members/sign-in";
    let (_, entry) = held.changes(Op::SetSignInRule, rule, &json!({"require": "PASSKEY"}));
    assert_eq!(entry["before"], json!({"onlyPasskeys": false}));
    assert_eq!(entry["after"], json!({"onlyPasskeys": true}));
    held.refuses(Op::SetSignInRule, rule, &json!({"require": "none"}));
    held.changes(Op::SetSignInRule, rule, &json!({"require": "CODE"}));
}

/// A link opens a session for its key, a code one for a member, who goes over to another account.
pub fn sign_ins(held: &Held) {
    let (world, shop) = (&held.world, &held.shop);
    let (link, entry) = held.changes(Op::MakeConsoleLink, "/console/link", &json!({}));
    let code = link.text("/data/code");
    assert!(!entry.to_string().contains(&code), "no code stands in the log");
    held.refuses(Op::MakeConsoleLink, "/console/link", &json!({"ttlSeconds": 1}));
    let enter = "/console/sign-in/link";
    let (_, entry) = held.changes(Op::UseConsoleLink, enter, &json!({"code": code}));
    assert_eq!(entry["after"]["sessionOf"], json!(shop.key_id));
    held.refuses(Op::UseConsoleLink, enter, &json!({"code": code}));
    let look = shop.path("/console-link");
    held.changes(Op::AdminLookAtAccount, &look, &json!({}));
    held.refuses(Op::AdminLookAtAccount, "/admin/accounts/none/console-link", &json!({}));

    world.add_gateway("codes", "20009", "KANNEL");
    world.change_account(shop, json!({"defaultLine": "20009"}));
    world.settle(31_000);
    let other = world.account("over-there", 5_000);
    world.change_account(&other, json!({"defaultLine": "20009"}));
    world.settle(31_000);
    let member = [shop, &other].map(|account| {
        let person = json!({"phone": "09121230004", "name": "Sara", "role": "VIEWER"});
        let id = world.create(&account.path("/members"), person).text("/data/id");
        world.enter(&link_in(&texts(world).pop().unwrap())).expect(204);
        id
    });
    world.settle(REST_MS);
    held.send("POST", "/console/sign-in", &json!({"phone": "09121230004"}))
        .expect(201);
    let text = world.gateway.take().pop().unwrap().get("text").to_owned();
    let digits = text
        .split(|char: char| !char.is_ascii_digit())
        .max_by_key(|run| run.len())
        .unwrap();
    let check = json!({"phone": "09121230004", "code": digits, "account": shop.id});
    let actor = |of: &Account, member: &str| json!({"account": of.id, "username": username(world, of), "key": member});
    let (answer, new) = held.watched("POST", "/console/sign-in/check", &check);
    let session = cookie(&answer.expect(204));
    let [entry] = new.as_slice() else { panic!("{new:?}") };
    assert_eq!(entry["actor"], actor(shop, &member[0]));
    assert!(!entry.to_string().contains(digits), "no code stands in the log");
    held.changed.borrow_mut().insert(Op::CheckSignIn.name(), 1);
    held.refuses(Op::CheckSignIn, "/console/sign-in/check", &check);

    let before = entries(world, "").len();
    let over = world.request("POST", "/console/session/switch").session(&session);
    over.json(json!({"account": other.id})).send().expect(204);
    world.settle(REST_MS);
    let after = entries(world, "");
    let [one, two] = [&after[0], &after[1]];
    assert_eq!(after.len(), before + 2);
    let actors = [one, two].map(|entry| entry["actor"].clone());
    assert!(actors.contains(&actor(shop, &member[0])) && actors.contains(&actor(&other, &member[1])));
    held.changed.borrow_mut().insert(Op::SwitchConsoleAccount.name(), 1);
    world.change_account(shop, json!({"defaultLine": "10001"}));
    world.settle(31_000);
    held.refuses(Op::SwitchConsoleAccount, "/console/session/switch", &json!({}));
}

fn username(world: &World, of: &Account) -> String {
    world.look(&of.path("")).text("/data/username")
}
