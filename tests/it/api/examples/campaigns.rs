//! A campaign of the shop, from its draft to its end.

use serde_json::{Value, json};

use super::people;
use super::stage::Stage;
use crate::support::time::SECOND_MS;

pub fn are_sent(stage: &mut Stage) {
    let phonebook = people::phonebook(stage);
    let new = json!({
        "title": "Spring sale", "message": "Hello %name%, all is half price until Friday.", "phonebooks": [phonebook],
        "where": {"tests": [{"attribute": "name", "operator": "EXISTS"}]},
        "window": {"from": "00:00", "to": "23:59", "timeZone": "Asia/Tehran"}, "perMinute": 1,
        "guard": {"failedShare": 10, "optOutShare": 2},
    });
    let made = stage.show(stage.shop("POST", "/campaigns").json(new));
    let path = format!("/campaigns/{}", made.text("/data/id"));
    stage.world.settle(SECOND_MS);
    stage.show(
        stage
            .shop("PATCH", &path)
            .json(json!({"title": "Spring", "budget": 50_000})),
    );
    stage.show(stage.shop("POST", &format!("{path}/start")));
    stage.world.settle(5 * SECOND_MS);
    stage.show(stage.shop("GET", "/campaigns"));
    stage.show(stage.shop("GET", &path));
    stage.show(stage.shop("GET", &format!("{path}/recipients")));
    for step in ["pause", "resume", "cancel"] {
        stage.show(stage.shop("POST", &format!("{path}/{step}")));
    }
    stage.show(stage.shop("GET", &format!("{path}/recipients?format=csv")));
    for status in [201, 200] {
        stage.show(stage.shop("POST", &format!("{path}/resend"))).expect(status);
    }
    stage.show(stage.shop("DELETE", &path));
    // Nobody is shown these, but their events are.
    for budget in [Value::Null, json!(1)] {
        let new = json!({"title": "Summer sale", "message": "x", "phonebooks": [phonebook], "budget": budget});
        let made = stage.world.posted(&stage.shop.key, "/campaigns", new);
        stage.world.settle(SECOND_MS);
        let path = format!("/campaigns/{}/start", made.text("/data/id"));
        stage.world.bare_post(&stage.shop.key, &path).expect(200);
        stage.world.settle(5 * SECOND_MS);
    }
}

/// A phonebook stays as long as a campaign reads it.
pub fn are_canceled(stage: &Stage) {
    let key = &stage.shop.key;
    for campaign in stage.world.all(key, "/campaigns?limit=100") {
        if campaign["startedAt"].is_string() && campaign["endedAt"].is_null() {
            let path = format!("/campaigns/{}/cancel", campaign["id"].as_str().unwrap());
            stage.world.bare_post(key, &path).expect(200);
        }
    }
}
