//! What the shop has spent, and the credits that need a second operator.

use serde_json::json;

use super::stage::Stage;
use crate::support::Answer;
use crate::support::console_sessions::cookie;

pub fn is_looked_up(stage: &mut Stage) {
    for path in [
        "/account/info",
        "/plan/tariff",
        "/lines",
        "/account/usage",
        "/account/outcomes",
        "/account/unsent",
        "/account/transactions",
    ] {
        stage.show(stage.shop("GET", path));
    }
    stage.show(
        stage
            .shop("PATCH", "/account/info")
            .json(json!({"timeZone": "Asia/Tehran"})),
    );
    stage.show(stage.shop("GET", "/account/transactions?format=csv"));
    issue_key(stage);
    sign_in(stage);
    // From now on, large credits need a second operator.
    stage.world.app.config.credit_approval_above = Some(50_000);
    decide_credits(stage);
}

/// A key of the shop that has no more than the shop's own.
fn sign_in(stage: &Stage) {
    let opened = stage.show(stage.shop("POST", "/console/session"));
    let session = cookie(&opened);
    stage.show(stage.world.request("GET", "/console/session").session(&session));
    stage.show(stage.world.request("DELETE", "/console/session").session(&session));
}

fn issue_key(stage: &Stage) {
    let new = json!({"title": "web shop", "scopes": ["sms:send"]});
    let issued = stage.show(stage.shop("POST", "/keys").json(new));
    let path = format!("/keys/{}", issued.text("/data/id"));
    let rotate = json!({"graceSeconds": 86_400});
    stage.show(stage.shop("POST", &format!("{path}/rotate")).json(rotate));
    stage.show(stage.shop("GET", "/keys"));
    stage.show(stage.shop("DELETE", &path));
    stage.show(stage.shop("DELETE", &format!("{path}?cascade=true")));
}

/// One operator asks, and another decides.
fn decide_credits(stage: &Stage) {
    let [asks, decides] = ["Sara", "Mina"].map(|title| {
        let new = json!({"title": title, "scopes": ["admin:money", "admin:read"]});
        stage.world.create("/admin/keys", new).text("/data/key")
    });
    let path = stage.shop.path("/credit");
    let ask = || {
        let credit = json!({"amount": 100_000, "note": "invoice 12"});
        stage.operator_with(&asks, "POST", &path).json(credit)
    };
    let decide = |answer: &Answer, how: &str| {
        let path = format!("/admin/credits/{}/{how}", answer.text("/data/id"));
        stage.show(stage.operator_with(&decides, "POST", &path));
    };
    decide(&stage.show(ask()), "approve");
    decide(&ask().send().expect(202), "reject");
    stage.show(stage.operator("GET", "/admin/credits"));
}
