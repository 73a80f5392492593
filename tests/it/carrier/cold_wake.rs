//! What it costs to wake an object that the runtime has dropped: it does so after ten seconds without a call.

use peyk::carrier::{kind::Kind, own_row};
use peyk::directory::carriers::Carrier;
use peyk::durable::Object;
use peyk::objects::CarrierObject;

use crate::format::samples::carrier as sample;
use crate::support::{Sqlite, carrier_store};

/// Wakes an object of this store; how many statements it takes until it works as one that is awake.
fn wake(sql: &Sqlite) -> u64 {
    let (object, before) = (CarrierObject::default(), sql.runs.get());
    CarrierObject::open(sql).unwrap();
    object.next_due_ms(sql, 0).unwrap();
    let woken = sql.runs.get();
    object.next_due_ms(sql, 0).unwrap();
    2 * woken - before - sql.runs.get()
}

#[test]
fn a_cold_wake_takes_few_statements() {
    let of_kind = |kind: &Kind| {
        let sql = carrier_store(*kind);
        let carrier = Carrier {
            kind: kind.as_str().to_owned(),
            ..sample::submission().carrier
        };
        own_row::keep_carrier(&sql, "mci/0", &carrier).unwrap();
        wake(&sql);
        (kind.as_str(), wake(&sql))
    };
    let counts: Vec<_> = Kind::ALL.iter().map(of_kind).collect();
    // Two look after the schema, and one reads the row. A session may go on with the rests of texts.
    assert_eq!(counts, [("sandbox", 3), ("http", 3), ("smpp", 4)]);
}
