//! A send by a door writes no row more than the same send by our own API.

use std::collections::BTreeMap;

use base64::prelude::{BASE64_STANDARD, Engine};
use peyk::api::http::Head;
use peyk::base::config::Door;
use serde_json::json;

use super::support::{FORM, answer, form, head, world};
use crate::support::time::MINUTE_MS;
use crate::support::{Account, World, rows};

const JSON: &str = "application/json";
const TO: &str = "+989121234567";

/// A send of a text to one number, by a door or by our own API.
fn send(key: &str, door: Option<Door>) -> (Head, String) {
    let bearer = Some(format!("Bearer {key}"));
    let door_key = Some(key.to_owned());
    let twilio = "/2010-04-01/Accounts/AC00000000000000000000000000000000/Messages.json";
    match door {
        None => (
            Head {
                authorization: bearer,
                ..head("POST", "/sms/send", JSON)
            },
            json!({"message": "hello", "recipients": [TO], "sourceNumber": "10001"}).to_string(),
        ),
        Some(Door::Kavenegar) => (
            head("POST", &format!("/v1/{key}/sms/send.json"), FORM),
            form(&[("receptor", TO), ("message", "hello"), ("sender", "10001")]),
        ),
        Some(Door::Ippanel) => (
            Head {
                door_key,
                ..head("POST", "/api/v1/sms/send/webservice/single", JSON)
            },
            json!({"sender": "10001", "recipient": [TO], "message": "hello"}).to_string(),
        ),
        Some(Door::SmsIr) => (
            Head {
                door_key,
                ..head("POST", "/v1/send/bulk", JSON)
            },
            json!({"lineNumber": 10_001, "messageText": "hello", "mobiles": [TO]}).to_string(),
        ),
        Some(Door::Twilio) => (
            Head {
                authorization: Some(format!("Basic {}", BASE64_STANDARD.encode(format!("AC0:{key}")))),
                ..head("POST", twilio, FORM)
            },
            form(&[("To", TO), ("From", "10001"), ("Body", "hello")]),
        ),
    }
}

/// The rows of a send until it is delivered, by table, in the account's object and in D1.
fn rows_of(world: &World, shop: &Account, door: Option<Door>) -> BTreeMap<String, i64> {
    let (head, body) = send(&shop.key, door);
    let response = match door {
        Some(_) => answer(world, &head, body.as_bytes()),
        None => {
            world
                .post(&shop.key, "/sms/send", serde_json::from_str(&body).unwrap())
                .response
        }
    };
    assert!([200, 201].contains(&response.status), "{door:?}: {}", response.body);
    world.settle(2 * MINUTE_MS);
    let mut written: BTreeMap<String, i64> = rows::taken(&*world.sql(&shop.id)).into_iter().collect();
    written.extend(rows::taken(&*world.db));
    written
}

#[test]
fn a_send_by_a_door_writes_the_rows_of_our_own_api() {
    let (world, shop) = world();
    let warm = || rows_of(&world, &shop, None);
    rows::watch(&*world.sql(&shop.id));
    rows::watch(&*world.db);
    warm();
    let own = warm();
    assert!(own.values().sum::<i64>() > 3, "{own:?}");
    for door in Door::ALL {
        assert_eq!(rows_of(&world, &shop, Some(door)), own, "{door:?}");
    }
}
