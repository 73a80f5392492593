//! An erasure where a gateway is behind that refuses, answers late or says nothing: its objects have the number no more.

use serde_json::json;

use crate::support::World;
use crate::support::gateway::{accepted, says};
use crate::support::time::HOUR_MS;

const NUMBER: &str = "09121234567";

#[test]
fn after_an_erasure_the_objects_of_a_gateway_have_the_number_no_more() {
    for answer in [says(503, "later"), says(400, "no"), says(200, "what?"), accepted()] {
        let (world, shop) = World::with_busy_account(1_000_000);
        let world = world.with_secrets();
        world.add_gateway("mci", "20001", "KANNEL");
        world.advance(31_000);
        world.gateway.answer_all(answer);
        let key = world.grant(&shop, json!({"title": "privacy", "scopes": ["erasure"]}));
        let body = json!({"message": "hello", "recipients": [NUMBER, "09351234567"], "sourceNumber": "20001"});
        world.posted(&shop.key, "/sms/send", body);
        world.settle(3_000);
        assert!(
            world.gateway.counts().contains_key("+989121234567"),
            "{:?}",
            world.gateway.counts()
        );
        let order = world
            .post(&key.text("/data/key"), "/erasures", json!({"number": NUMBER}))
            .expect(202);
        world.settle(3 * HOUR_MS);
        let read = world.read(&key.text("/data/key"), &format!("/erasures/{}", order.text("/data/id")));
        assert_eq!(read.text("/data/status"), "DONE", "{}", read.body);
        let places = world.places_of(&[&NUMBER[1..]]);
        assert!(places.is_empty(), "{}", places.join("\n"));
    }
}
