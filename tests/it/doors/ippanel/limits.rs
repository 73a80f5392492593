//! The rate limit, and a door that is closed.

use peyk::base::config::Door;

use super::*;
use crate::support::time::DAY_MS;

#[test]
fn the_rate_limit_holds_and_a_closed_door_is_none() {
    let (mut world, shop) = world();
    world.change_account(
        &shop,
        json!({"rateLimit": {"limit": 60, "windowSeconds": 60, "burst": 2}}),
    );
    let statuses: Vec<u16> = (0..4)
        .map(|_| edge(&world, &shop.key, "GET", "payment/credit/mine", &Value::Null).0)
        .collect();
    assert_eq!(statuses, [200, 200, 429, 429]);
    world.use_up_reserve(&shop.key, "/keys");
    let head = Head {
        authorization: Some(shop.key.clone()),
        ..head("GET", "/v1/api/nothing", "")
    };
    let response = support::answer(&world, &head, b"");
    assert_eq!(response.status, 429);
    assert!(
        response.headers.iter().any(|(name, _)| *name == "Retry-After"),
        "{:?}",
        response.headers
    );
    assert_eq!(
        api2(&world, &shop.key, "GET", "sms/accounting/credit/show", &Value::Null).0,
        429
    );
    assert_eq!(rest(&world, &shop.key, "GET", "credit", &Value::Null).0, 429);
    world.advance(DAY_MS);
    world.app.config.doors.retain(|door| *door != Door::Ippanel);
    let (status, problem) = support::knock(&world, &head, b"");
    assert_eq!((status, &problem["code"]), (404, &json!(404)));
}
