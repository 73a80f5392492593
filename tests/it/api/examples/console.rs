//! The people of the shop and the operators sign in to the console by phone, and by links.

use serde_json::json;

use super::stage::Stage;
use crate::auth::sign_in::link_in;
use crate::support::console_sessions::cookie;
use crate::support::passkeys::Device;

const OWNER: &str = "+989171234567";

pub fn lets_people_in(stage: &mut Stage) {
    stage.world.app.config.sign_in_account = Some("shop".to_owned());
    let of_account = stage.shop.path("/members");
    let owner = json!({"phone": OWNER, "name": "Sara", "role": "OWNER"});
    let added = stage.show(stage.operator("POST", &of_account).json(owner));
    let again = format!("{of_account}/{}/invitation", added.text("/data/id"));
    stage.show(stage.operator("POST", &again));
    join(stage);
    stage.show(stage.operator("GET", &of_account));
    members(stage);
    operators(stage);
    sign_in(stage);
    stage.world.advance(60_000);
    sign_in_over(stage);
    links(stage);
    let found = stage.world.look(&of_account).text("/data/0/id");
    let of_found = format!("{of_account}/{found}");
    stage.show(stage.operator("DELETE", &of_found));
    stage.show(stage.operator("DELETE", &format!("{of_found}?cascade=true")));
}

fn members(stage: &Stage) {
    let new = json!({"phone": "09181234567", "name": "Mina", "role": "SENDER"});
    let added = stage.show(stage.shop("POST", "/members").json(new));
    stage.show(stage.shop("GET", "/members"));
    let path = format!("/members/{}", added.text("/data/id"));
    stage.show(stage.shop("POST", &format!("{path}/invitation")));
    stage.show(stage.shop("PATCH", &path).json(json!({"role": "VIEWER"})));
    let link = stage.shop("POST", &format!("{path}/link"));
    stage.show(link.json(json!({"ttlSeconds": 86_400})));
    stage.show(stage.shop("GET", "/members/sign-in"));
    stage.show(stage.shop("PUT", "/members/sign-in").json(json!({"require": "CODE"})));
    stage.show(stage.shop("DELETE", &path));
    stage.show(stage.shop("DELETE", &format!("{path}?cascade=true")));
}

fn operators(stage: &Stage) {
    let new = json!({"phone": OWNER, "name": "Sara", "scopes": ["admin:read"]});
    let added = stage.show(stage.operator("POST", "/admin/members").json(new));
    stage.show(stage.operator("GET", "/admin/members"));
    let path = format!("/admin/members/{}", added.text("/data/id"));
    let change = json!({"scopes": ["admin:read", "admin:money"]});
    stage.show(stage.operator("PATCH", &path).json(change));
    passkeys(stage, &path);
    stage.show(stage.operator("DELETE", &path));
    stage.show(stage.operator("DELETE", &format!("{path}?cascade=true")));
}

fn ask(stage: &Stage) -> String {
    stage.world.settle(5_000);
    let text = stage.outside.text_to(OWNER);
    let runs = text.split(|char: char| !char.is_ascii_digit());
    runs.max_by_key(|run| run.len()).unwrap().to_owned()
}

/// The owner accepts the invitation that has come to the phone.
fn join(stage: &Stage) {
    stage.world.settle(5_000);
    let text = stage.outside.text_to(OWNER);
    stage.world.enter(&link_in(&text)).expect(204);
}

fn sign_in(stage: &Stage) {
    stage.world.settle(60_000);
    let phone = json!({"phone": OWNER});
    stage.show(stage.world.request("POST", "/console/sign-in").browser(1).json(phone));
    let code = json!({"phone": OWNER, "code": ask(stage)});
    stage.show(
        stage
            .world
            .request("POST", "/console/sign-in/check")
            .browser(1)
            .json(code),
    );
}

/// An operator adds a passkey by a link, and signs in with it.
fn passkeys(stage: &Stage, member: &str) {
    let world = &stage.world;
    let made = stage.show(
        stage
            .operator("POST", &format!("{member}/link"))
            .json(json!({"ttlSeconds": 3_600})),
    );
    let code = json!({"code": made.text("/data/code")});
    let session = cookie(
        &world
            .request("POST", "/console/sign-in/link")
            .json(code)
            .send()
            .expect(204),
    );
    let asked = stage.show(world.request("POST", "/console/passkeys/challenge").browser(1));
    let mut device = Device::new(1);
    let own = world.page(&session, "/console/session");
    device.user_handle = own.text("/data/member/passkeyUser");
    let body = device.make(&asked.text("/data/challenge"));
    let on_page = |method: &str, path: &str| world.request(method, path).session(&session).browser(1);
    let added = stage.show(on_page("POST", "/console/passkeys").json(body));
    stage.show(on_page("GET", "/console/passkeys"));
    let path = format!("/console/passkeys/{}", added.text("/data/id"));
    stage.show(on_page("PATCH", &path).json(json!({"title": "Sara's key"})));
    let signed = device.sign(&world.challenge(1));
    let enter = world.request("POST", "/console/sign-in/passkey").browser(1);
    stage.show(enter.json(signed));
    stage.show(on_page("DELETE", &path));
}

/// A person of two accounts goes over from one to the other.
fn sign_in_over(stage: &Stage) {
    let other = stage.world.account("second-shop", 5_000);
    // Its invitation goes where the others do.
    let accounts = json!({"accounts": [stage.shop.id, other.id]});
    stage.world.change("/admin/lines/3000505", accounts);
    stage.world.change_account(&other, json!({"defaultLine": "3000505"}));
    stage.world.advance(31_000);
    let owner = json!({"phone": OWNER, "name": "Sara", "role": "OWNER"});
    stage.world.create(&other.path("/members"), owner);
    join(stage);
    let start = stage.world.request("POST", "/console/sign-in").browser(1);
    start.json(json!({"phone": OWNER})).send().expect(201);
    let check = json!({"phone": OWNER, "code": ask(stage), "account": other.id});
    let check = stage
        .world
        .request("POST", "/console/sign-in/check")
        .browser(1)
        .json(check);
    let session = cookie(&check.send().expect(204));
    let switch = stage.world.request("POST", "/console/session/switch").session(&session);
    stage.show(switch.json(json!({"account": stage.shop.id})));
    stage.world.change_account(&other, json!({"defaultLine": null}));
}

fn links(stage: &Stage) {
    let made = stage.show(stage.shop("POST", "/console/link").json(json!({"ttlSeconds": 600})));
    let code = json!({"code": made.text("/data/code")});
    stage.show(stage.world.request("POST", "/console/sign-in/link").json(code));
    stage.show(stage.operator("POST", &stage.shop.path("/console-link")));
}
