//! An erasure where an SMSC is behind: what its object keeps of a number is gone when the order is done.

use serde_json::json;
use smpp::pdu::{Address, Deliver};

use crate::support::life::Life;
use crate::support::smpp::{DELIVERED, has, number, report_all, send, submit, world};
use crate::support::smsc::Reply;
use crate::support::time::{HOUR_MS, MINUTE_MS, SECOND_MS};

/// A message from the phone `number(0)` to the line 20003: one part of two, or the whole.
fn from_phone(text: &str, header: &[u8]) -> Deliver {
    let address = |number: String| Address { ton: 1, npi: 1, number };
    Deliver {
        source: address(number(0)),
        destination: address("20003".to_owned()),
        esm_class: if header.is_empty() { 0 } else { 0x40 },
        short_message: [header, text.as_bytes()].concat(),
        ..Deliver::default()
    }
}

#[test]
fn after_an_erasure_the_object_of_an_smsc_has_the_number_no_more() {
    let (world, shop, smsc) = world(json!({}));
    let line = json!({"number": "20003", "carrier": "mci", "operations": ["WEBSERVICE"], "accounts": [shop.id]});
    world.create("/admin/lines", line);
    let scopes = json!({"title": "privacy", "scopes": ["erasure"]});
    let key = world.grant(&shop, scopes).text("/data/key");
    let life = Life::of(&world);
    submit(&world, &life, &shop, "hello", 0..2);
    report_all(&smsc, 0, "DELIVRD");
    life.settle_until(MINUTE_MS, || has(&world, &shop, DELIVERED, 2));
    // A receipt that nobody knows, a message from the phone and a part of another one.
    smsc.receipt(0, "id:unheard stat:DELIVRD", &number(0));
    smsc.deliver(0, &from_phone("whole", &[]));
    smsc.deliver(0, &from_phone("half", &[5, 0, 3, 77, 2, 1]));
    // The SMSC takes one message more, and nobody hears of it.
    smsc.answer(|_, _| Reply::Status(0, 1_000 * HOUR_MS));
    send(&world, &shop, "doubtful", 0..1);
    life.settle(5 * SECOND_MS);
    let places = world.places_of(&[&number(0)]);
    for table in ["early_receipt", "inbound_part", "inbound:", "chunk"] {
        assert!(places.iter().any(|place| place.contains(table)), "{table}: {places:?}");
    }
    let order = world.post(&key, "/erasures", json!({"number": number(0)})).expect(202);
    life.settle(3 * HOUR_MS);
    let read = world.read(&key, &format!("/erasures/{}", order.text("/data/id")));
    assert_eq!(read.text("/data/status"), "DONE", "{}", read.body);
    let places = world.places_of(&[&number(0)[2..]]);
    assert!(places.is_empty(), "{}", places.join("\n"));
}
