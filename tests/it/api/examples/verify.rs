//! Sara signs in with a code, and nobody answers for other numbers.

use serde_json::json;

use super::stage::Stage;
use crate::support::time::{DAY_MS, MINUTE_MS};

const SARA: &str = "+989351234567";

pub fn codes_are_checked(stage: &mut Stage) {
    let code = json!({"recipient": "09351234567", "domain": "shop.example.com", "context": {"ip": "192.0.2.44"}});
    let started = stage.show(stage.shop("POST", "/verify").json(code));
    let path = format!("/verify/{}", started.text("/data/id"));
    stage.show(stage.shop("GET", "/verify?recipient=09351234567&purpose=login"));
    stage.world.settle(5_000);
    let text = stage.outside.text_to(SARA);
    let digits: String = text.rsplit('#').next().unwrap().to_owned();
    let check = json!({"recipient": "09351234567", "code": digits});
    stage.show(stage.shop("POST", "/verify/check").json(check));
    stage.show(stage.shop("GET", &path));
    let other = json!({"recipient": "09351234567", "purpose": "pay"});
    let other = stage.world.posted(&stage.shop.key, "/verify", other).text("/data/id");
    stage.show(stage.shop("DELETE", &format!("/verify/{other}")));
    pause(stage);
}

/// A week in which most codes were approved, and a quarter of an hour in which nearly none was.
fn pause(stage: &Stage) {
    let (world, shop) = (&stage.world, &stage.shop);
    let now_ms = world.now_ms.get();
    let week = format!(
        "INSERT INTO verify_day VALUES ({}, '3000505', '98935', 'kannel', 0, 900, 900, 900, 880, 0, '{{\"9\": 880}}')",
        now_ms.div_euclid(DAY_MS) - 1
    );
    let watched = format!("INSERT OR REPLACE INTO verify_prefix VALUES ('98935', {now_ms}, 60, 3, 0)");
    for statement in [week, watched] {
        world.rows(shop, &statement);
    }
    world.posted(
        &shop.key,
        "/verify",
        json!({"recipient": "09351234568", "ttlSeconds": 60}),
    );
    world.settle(2 * MINUTE_MS);
    stage.show(stage.shop("GET", "/verify/stats?by=prefix"));
}
