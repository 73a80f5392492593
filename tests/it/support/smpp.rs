//! A world whose line goes to an SMSC, and what became of its recipients.

use std::collections::BTreeMap;

use peyk::account::record::account_row::Account as Row;
use peyk::auth::secret::{Keys, Purpose};
use peyk::base::ports::Sql;
use peyk::carrier::control;
use peyk::directory::carriers;
use serde_json::json;

use super::life::Life;
use super::smsc::{Reply, Smsc};
use super::time::{MINUTE_MS, SECOND_MS};
use super::{Account, World, to_end};

pub const PORT: u16 = 2_775;

pub const QUEUED: i64 = 1;
pub const UNKNOWN: i64 = 2;
pub const SUBMITTED: i64 = 3;
pub const DELIVERED: i64 = 4;
pub const UNDELIVERED: i64 = 5;
pub const EXPIRED: i64 = 6;
pub const REJECTED: i64 = 7;

/// A world with an account whose line goes to an SMSC.
pub fn world(settings: serde_json::Value) -> (World, Account, Smsc) {
    let (world, shop) = World::with_busy_account(1_000_000_000);
    world.set("SECRET_KEY", Some("BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc="));
    let mut all = json!({"host": "smsc", "port": PORT, "tls": false, "systemId": "shop"});
    let settings = settings.as_object().unwrap().clone();
    all.as_object_mut().unwrap().extend(settings);
    let keys = Keys::of(&world, Purpose::CarrierSecrets).unwrap();
    let sealed = keys.seal(&world, "mci", r#"{"password": "secret"}"#).unwrap();
    let insert = "INSERT INTO carrier (name, kind, settings, secrets, created_ms) VALUES ('mci', 'smpp', ?1, ?2, 0)";
    world.db.run_with(insert, &[all.to_string().into(), sealed.into()]);
    world.share_line("20002", "mci", &["WEBSERVICE", "PATTERN"]);
    let smsc = Smsc::new(&world.network.timers);
    listen(&world, &smsc);
    (world, shop, smsc)
}

pub fn listen(world: &World, smsc: &Smsc) {
    let smsc = smsc.clone();
    world.network.listen(PORT, move |stream| smsc.clone().serve(stream));
}

/// Lets all objects of the carrier bind: so many sessions.
pub fn bind(world: &World, life: &Life<'_>, smsc: &Smsc, sessions: usize) {
    let carrier = to_end(carriers::find(&*world.db, "mci")).unwrap().unwrap();
    to_end(control::tell(world, &carrier));
    life.settle_until(MINUTE_MS, || smsc.connections() >= sessions);
}

pub fn number(index: usize) -> String {
    format!("98912{index:07}")
}

/// Sends a text to recipients with these indexes.
pub fn send(world: &World, shop: &Account, text: &str, indexes: std::ops::Range<usize>) {
    let all: Vec<String> = indexes.map(number).collect();
    for recipients in all.chunks(100) {
        let body = json!({"message": text, "recipients": recipients, "sourceNumber": "20002"});
        world.posted(&shop.key, "/sms/send", body);
    }
}

/// Sends as [`send`], and waits until the SMSC has taken all messages up to the last of these indexes.
#[track_caller]
pub fn submit(world: &World, life: &Life<'_>, shop: &Account, text: &str, indexes: std::ops::Range<usize>) {
    let all = i64::try_from(indexes.end).unwrap();
    send(world, shop, text, indexes);
    life.settle_until(MINUTE_MS, || has(world, shop, SUBMITTED, all));
}

/// Lets each session of the carrier open its window: each sends to so many recipients, before the test has its own SMSC.
pub fn open_windows(world: &World, life: &Life<'_>, shop: &Account, smsc: &Smsc, sessions: usize, each: usize) {
    let first = 1_000_000;
    smsc.answer(|_, _| Reply::Status(0, 0));
    for session in 0..sessions {
        send(
            world,
            shop,
            "hello",
            first + session * each..first + (session + 1) * each,
        );
        life.settle(5 * SECOND_MS);
    }
}

/// How many recipients have each status.
pub fn statuses(world: &World, shop: &Account) -> BTreeMap<i64, i64> {
    let sql = world.sql(&shop.id);
    let rows = sql.exec("SELECT status, count(*) FROM recipient GROUP BY status", &[]);
    let count = |row: &peyk::base::ports::Row| (row.int(0).unwrap(), row.int(1).unwrap());
    rows.unwrap().iter().map(count).collect()
}

pub fn has(world: &World, shop: &Account, status: i64, count: i64) -> bool {
    statuses(world, shop).get(&status) == Some(&count)
}

/// No part came twice, and every recipient has an ending without money that hangs.
#[track_caller]
pub fn assert_once_and_ended(world: &World, shop: &Account, smsc: &Smsc) {
    assert_eq!(smsc.counts().iter().find(|(_, count)| **count != 1), None);
    // Who is unknown after the deadline stays so, and costs nothing.
    let is_open = |status: &i64| *status < DELIVERED && *status != UNKNOWN;
    let open: Vec<i64> = statuses(world, shop).into_keys().filter(is_open).collect();
    assert!(open.is_empty(), "{open:?}");
    assert_eq!(Row::stored(&*world.sql(&shop.id)).unwrap().unwrap().wallet.locked, 0);
}

/// Ends the process, and lets only alarms ring for this time.
pub fn end(world: &World, life: Life<'_>, ms: i64) {
    life.kill();
    drop(life);
    // The carrier is out of service: otherwise its alarm would look after the session all the time.
    let stop = "UPDATE carrier SET newest = json_set(newest, '$.active', json('false'))";
    world.carrier_sql("mci", "0").run(stop);
    world.settle(ms);
}

/// Receipts of this state for all that the SMSC has taken, by connection 0.
pub fn report_all(smsc: &Smsc, from: usize, state: &str) {
    for (id, got) in smsc.taken().into_iter().skip(from) {
        let receipt = format!("id:{id} stat:{state} err:000");
        smsc.receipt(0, &receipt, &got.deliver.destination.number);
    }
}

/// Receipts for all that the SMSC has taken, by this connection and without the phones' numbers.
pub fn deliver_all(smsc: &Smsc, connection: usize) {
    for (id, _) in smsc.taken() {
        smsc.receipt(connection, &format!("id:{id} stat:DELIVRD"), "");
    }
}

pub fn health(world: &World) -> serde_json::Value {
    world.look("/admin/carriers/mci").json["data"]["health"].clone()
}

/// Changes settings of the carrier, and tells its objects.
pub fn change(world: &World, settings: serde_json::Value) {
    world.change("/admin/carriers/mci", json!({ "smpp": settings }));
}
