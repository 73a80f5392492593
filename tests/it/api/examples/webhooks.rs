//! The endpoints of the shop, and what they got.

use serde_json::json;

use super::stage::{GONE, Stage};

pub fn are_set_up(stage: &mut Stage) {
    let low = json!({"lowBalance": 95_000});
    stage.show(stage.shop("PUT", "/account/low-balance").json(low.clone()));
    stage.show(stage.shop("GET", "/account/low-balance"));
    let of_account = stage.shop.path("/low-balance");
    stage.show(stage.operator("PUT", &of_account).json(low));
    stage.show(stage.operator("GET", &of_account));
    let new = json!({"url": "https://shop.example.com/peyk", "events": ["message.status", "message.received", "wallet.low", "verify.status", "verify.paused",
        "campaign.paused", "campaign.stopped", "campaign.done", "pattern.reviewed",
        "webhook.disabled"],
        "description": "the shop"});
    let made = stage.show(stage.shop("POST", "/webhook").json(new));
    let path = format!("/webhook/{}", made.text("/data/id"));
    stage.show(stage.shop("POST", &format!("{path}/test")));
    let old = json!({"url": GONE, "events": ["message.submitted"]});
    stage.world.posted(&stage.shop.key, "/webhook", old);
}

pub fn are_looked_up(stage: &mut Stage) {
    let listed = stage.show(stage.shop("GET", "/webhook"));
    let path = format!("/webhook/{}", listed.text("/data/1/id"));
    stage.show(stage.shop("GET", &path));
    let change = json!({"description": "the shop's orders"});
    stage.show(stage.shop("PUT", &path).json(change));
    let deliveries = stage.show(stage.shop("GET", &format!("{path}/deliveries")));
    let newest = deliveries.text("/data/0/id");
    stage.show(stage.shop("GET", &format!("{path}/deliveries/{newest}")));
    stage.show(stage.shop("POST", &format!("{path}/deliveries/{newest}/redeliver")));
    stage.show(stage.shop("POST", &format!("{path}/rotate")));
}

pub fn end(stage: &Stage) {
    let listed = stage.world.read(&stage.shop.key, "/webhook");
    stage.show(stage.shop("DELETE", &format!("/webhook/{}", listed.text("/data/1/id"))));
}
