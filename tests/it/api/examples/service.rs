//! What operators do: they open the service for a shop, look after it, and close what is no longer needed.

use peyk::base::time::to_rfc3339;
use peyk::objects::nightly;
use serde_json::json;

use super::stage::Stage;
use super::webhooks;
use crate::support::{World, time::HOUR_MS, to_end};

/// The carriers' objects know of a change after this time.
const NOTICED_MS: i64 = 31_000;
/// The directory has what gathers in an account's object after this time.
const MIRRORED_MS: i64 = 5 * 60_000;

pub fn opens(stage: &mut Stage) {
    stage.show(stage.world.request("GET", "/").accept("text/html"));
    stage.show(stage.world.request("GET", "/health"));
    stage.show(stage.world.request("GET", "/.well-known/jwks.json"));
    make_carriers(stage);
    make_plan(stage);
    stage.shop.id = make_account(stage);
    make_lines(stage);
    let settings = json!({"defaultLine": "3000505", "destinations": ["98", "971"], "dailySpend": 5_000_000});
    stage.show(stage.operator("PATCH", &stage.shop.path("")).json(settings));
    let credit = json!({"amount": 100_000, "note": "invoice 12"});
    stage.show(stage.operator("POST", &stage.shop.path("/credit")).json(credit));
    let scopes = [
        "sms:send",
        "sms:read",
        "account:read",
        "phonebook",
        "pattern",
        "verify",
        "blacklist",
        "webhook",
        "keys",
        "erasure",
    ];
    let main = stage
        .world
        .grant(&stage.shop, json!({"title": "main", "scopes": scopes}));
    stage.shop.key = main.text("/data/key");
    stage.shop.key_id = main.text("/data/id");
    stage.world.settle(NOTICED_MS);
}

fn make_carriers(stage: &Stage) {
    let kannel =
        json!({"url": "https://kannel.example.com/cgi-bin/sendsms", "username": "peyk", "password": "correct-horse"});
    let new = json!({"name": "mci", "kind": "http", "http": kannel});
    stage.show(stage.operator("POST", "/admin/carriers").json(new));
    let jasmin = json!({"url": "https://jasmin.example.com/send", "gateway": "JASMIN", "username": "peyk", "password": "battery-staple"});
    stage.world.create(
        "/admin/carriers",
        json!({"name": "mtn", "kind": "http", "http": jasmin}),
    );
}

fn make_plan(stage: &Stage) {
    let tariff = json!({"slug": "shops-2026", "title": "Shops 2026", "price": 1_000, "prices": [{"prefix": "971", "price": 24_000}]});
    let new = json!({"slug": "shops", "title": "Shops", "tariff": tariff});
    stage.show(stage.operator("POST", "/admin/plans").json(new));
    let change = json!({"refunds": ["UNDELIVERED", "EXPIRED"]});
    stage.show(stage.operator("PATCH", "/admin/plans/shops").json(change));
    stage.show(stage.operator("GET", "/admin/plans"));
}

fn make_account(stage: &Stage) -> String {
    let new = json!({"username": "shop", "fullName": "A Shop", "plan": "shops"});
    stage
        .show(stage.operator("POST", "/admin/accounts").json(new))
        .text("/data/id")
}

fn make_lines(stage: &Stage) {
    let new = json!({"number": "3000505", "carrier": "mci", "operations": ["WEBSERVICE", "PATTERN"], "accounts": [stage.shop.id]});
    stage.show(stage.operator("POST", "/admin/lines").json(new));
    let change = json!({"coefficients": {"ENGLISH": 1.2, "MTN": 1.05},
        "hours": {"from": "08:00", "to": "21:00", "timeZone": "Asia/Tehran"}});
    stage.show(stage.operator("PATCH", "/admin/lines/3000505").json(change));
    stage.world.share_line("10001", "mtn", &["WEBSERVICE", "PATTERN"]);
    let keywords = json!([{"keyword": "win", "account": stage.shop.id}]);
    let inbound = json!({"account": stage.shop.id, "keywords": keywords, "optOutReply": "You get no more messages.",
        "optInReply": "You get messages again."});
    stage.show(stage.operator("PUT", "/admin/lines/3000505/inbound").json(inbound));
    for path in ["/admin/lines", "/admin/lines/3000505", "/admin/lines/3000505/inbound"] {
        stage.show(stage.operator("GET", path));
    }
}

pub fn is_looked_after(stage: &mut Stage) {
    send_to_sandbox(stage);
    stage.world.settle(MIRRORED_MS);
    for path in [
        "/admin/accounts",
        "/admin/health",
        "/metrics",
        "/admin/carriers",
        "/admin/carriers/mci",
        "/admin/usage",
    ] {
        stage.show(stage.operator("GET", path));
    }
    for rest in ["", "/sandbox"] {
        stage.show(stage.operator("GET", &stage.shop.path(rest)));
    }
    help_the_shop(stage);
    to_end(nightly::run(&stage.world, &stage.world.app.config));
    stage.show(stage.operator("GET", "/admin/reconciliation"));
    pause_carrier(stage);
    lose_gateways(stage);
    cancel_all(stage);
    switch_off(stage);
    stage.show(stage.operator("GET", "/admin/audit?thing=plan"));
    stage.show(stage.operator("GET", "/admin/audit/feed?limit=1"));
}

/// Somebody of the shop asks what became of a message.
fn help_the_shop(stage: &Stage) {
    let look = |rest: &str| stage.show(stage.operator("GET", &stage.shop.path(rest)));
    let messages = look("/messages");
    look(&format!("/messages/{}", messages.text("/data/0/uid")));
    look("/transactions");
    look("/transactions?format=csv");
    let webhooks = look("/webhooks");
    look(&format!("/webhooks/{}/deliveries", webhooks.text("/data/0/id")));
}

/// A line for trials.
fn send_to_sandbox(stage: &Stage) {
    stage.world.share_line("20001", "sandbox", &["WEBSERVICE"]);
    stage.world.settle(NOTICED_MS);
    let send = json!({"message": "Is this line ready?", "recipients": ["09121234567"], "sourceNumber": "20001"});
    stage.world.posted(&stage.shop.key, "/sms/send", send);
}

fn pause_carrier(stage: &Stage) {
    let pause = stage.operator("PATCH", "/admin/carriers/mci");
    stage.show(pause.json(json!({"paused": true})));
    stage.world.change("/admin/carriers/mci", json!({"paused": false}));
    stage.show(stage.operator("POST", "/admin/carriers/mci/rotate-callback"));
}

/// Nobody takes a message for an hour.
fn lose_gateways(stage: &Stage) {
    stage.outside.is_down.set(true);
    stage.world.sent(&stage.shop.key, &["09121234567"]);
    stage.world.settle(MIRRORED_MS);
    stage.world.advance(HOUR_MS);
    stage.world.settle(MIRRORED_MS);
    let letters = stage.show(stage.operator("GET", "/admin/dead-letters"));
    stage.outside.is_down.set(false);
    let path = format!("/admin/dead-letters/{}/retry", letters.int("/data/0/id"));
    stage.show(stage.operator("POST", &path));
    stage.world.settle(MIRRORED_MS);
}

/// The shop has sent by mistake.
fn cancel_all(stage: &Stage) {
    stage.world.change_account(&stage.shop, json!({"hold": true}));
    stage.world.sent(&stage.shop.key, &["09121234567", "09351234567"]);
    stage.show(stage.operator("GET", &stage.shop.path("/unsent")));
    stage.show(stage.operator("POST", &stage.shop.path("/cancel")));
    stage.world.change_account(&stage.shop, json!({"hold": false}));
}

fn switch_off(stage: &Stage) {
    let off = json!({"enabled": false, "reason": "the SMSC is being moved"});
    stage.show(stage.operator("PUT", "/admin/sending").json(off));
    stage.show(stage.operator("GET", "/admin/sending"));
    stage
        .world
        .admin("PUT", "/admin/sending", json!({"enabled": true}))
        .expect(200);
    stage.world.settle(NOTICED_MS);
}

pub fn closes(stage: &mut Stage) {
    restore(stage);
    webhooks::end(stage);
    end_keys_of_shop(stage);
    end_keys_of_operators(stage);
    stage.world.change_account(&stage.shop, json!({"defaultLine": null}));
    stage.show(stage.operator("DELETE", "/admin/lines/3000505"));
    // Not all of what it took was reported.
    stage.show(stage.operator("DELETE", "/admin/carriers/mci?force=true"));
    let new = json!({"username": "old-shop", "fullName": "An Old Shop"});
    let old = stage.world.create("/admin/accounts", new).text("/data/id");
    stage.show(stage.operator("DELETE", &format!("/admin/accounts/{old}")));
}

/// A script has sent to the wrong numbers.
fn restore(stage: &Stage) {
    let later = to_rfc3339(stage.world.now_ms.get() + HOUR_MS);
    let send = json!({"message": "We open at 9.", "recipients": ["09121234567", "09351234567"], "sendAt": later});
    stage.world.posted(&stage.shop.key, "/sms/send", send);
    stage.world.sql(&stage.shop.id).note_history(stage.world.now_ms.get());
    let at = to_rfc3339(stage.world.now_ms.get());
    stage.world.settle(60_000);
    stage.world.sent(&stage.shop.key, &["09141234567"]);
    let body = json!({"at": at, "reason": "a script has sent to the wrong numbers"});
    stage.show(stage.operator("POST", &stage.shop.path("/restore")).json(body));
}

fn end_keys_of_shop(stage: &Stage) {
    let keys = stage.shop.path("/keys");
    let new = json!({"title": "newsletter", "scopes": ["sms:send", "sms:read"], "dailySpend": 50_000});
    let issued = stage.show(stage.operator("POST", &keys).json(new));
    let found = json!({"key": issued.text("/data/key")});
    stage.show(stage.operator("POST", "/admin/keys/find").json(found));
    let path = format!("{keys}/{}", issued.text("/data/id"));
    let rotate = json!({"graceSeconds": 86_400});
    stage.show(stage.operator("POST", &format!("{path}/rotate")).json(rotate));
    stage.show(stage.operator("GET", &keys));
    stage.show(stage.operator("DELETE", &path));
    stage.show(stage.operator("DELETE", &format!("{path}?cascade=true")));
}

fn end_keys_of_operators(stage: &Stage) {
    let new = json!({"title": "Reza", "scopes": ["admin:read"]});
    let issued = stage.show(stage.operator("POST", "/admin/keys").json(new));
    let path = format!("/admin/keys/{}", issued.text("/data/id"));
    let rotate = json!({"graceSeconds": 86_400});
    stage.show(stage.operator("POST", &format!("{path}/rotate")).json(rotate));
    stage.show(stage.operator("GET", "/admin/keys"));
    stage.show(stage.operator("DELETE", &path));
    stage.show(stage.operator("DELETE", &format!("{path}?cascade=true")));
}

/// The service moves to another machine.
pub fn moves(stage: &mut Stage) {
    let step = |path: &str, body| stage.show(stage.operator("POST", &format!("/admin/transfer{path}")).json(body));
    let begin = json!({"direction": "OUT"});
    stage.show(stage.operator("PUT", "/admin/transfer").json(begin));
    stage.show(stage.operator("GET", "/admin/transfer"));
    step(
        "/objects",
        json!({"store": "ACCOUNT", "objects": [stage.shop.id], "state": "FROZEN"}),
    );
    let line = json!({"store": "CARRIER", "objects": ["line:3000505"], "state": "FROZEN"});
    stage
        .operator("POST", "/admin/transfer/objects")
        .json(line)
        .send()
        .expect(200);
    step("/rows", json!({"store": "CARRIER", "object": "line:3000505"}));
    let other = World::new();
    let begin = json!({"direction": "IN"});
    other.admin("PUT", "/admin/transfer", begin).expect(200);
    let columns = [
        "slug",
        "title",
        "tariff_slug",
        "tariff_title",
        "price",
        "refunds",
        "created_ms",
        "prices",
    ];
    let row = r#"["default","Default","default","Default",1000,"",0,"[]"]"#;
    let plans = json!({"table": "plan", "columns": columns, "rows": [row]});
    let insert = other.ask("POST", &other.admin_key, "/admin/transfer/insert");
    stage.show(insert.json(json!({"store": "DIRECTORY", "tables": [plans]})));
}
