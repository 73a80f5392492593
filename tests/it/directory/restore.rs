//! The directory goes back to an earlier time, as docs/restore.md says, while messages are on their way.

use serde_json::json;

use crate::support::{Account, World};

/// The step of docs/restore.md that lets carriers' objects hear of changes again.
const RAISE: &str = "UPDATE carrier SET version = version + 1000000";

/// The tables of the directory, but for those that triggers fill.
fn tables(world: &World) -> Vec<String> {
    let named = "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' \
                 AND name <> 'line_carrier'";
    world.db.texts(named)
}

/// The columns of a table that it stores.
fn columns(world: &World, table: &str) -> String {
    let sql = "SELECT group_concat('\"' || name || '\"') FROM pragma_table_info(?1)";
    let rows = world.db.run_with(sql, &[table.into()]);
    rows[0].text(0).unwrap().to_owned()
}

/// Keeps the directory as it is now.
fn keep(world: &World) {
    world.db.run("ATTACH ':memory:' AS kept");
    for table in tables(world) {
        let copy = format!("CREATE TABLE kept.\"{table}\" AS SELECT * FROM main.\"{table}\"");
        world.db.run(&copy);
    }
}

/// Takes the directory back to what was kept. The caches of the workers hold what they had for 30 seconds.
fn go_back(world: &World) {
    world.db.run("PRAGMA foreign_keys = OFF");
    world.db.run("DELETE FROM line_carrier");
    // Nobody else takes entries of the audit log away.
    world.db.run("DROP TRIGGER audit_is_kept");
    for table in tables(world) {
        world.db.run(&format!("DELETE FROM main.\"{table}\""));
    }
    for table in tables(world) {
        let columns = columns(world, &table);
        let back = format!("INSERT INTO main.\"{table}\" ({columns}) SELECT {columns} FROM kept.\"{table}\"");
        world.db.run(&back);
    }
    world.db.run("PRAGMA foreign_keys = ON");
    let broken = world.db.run("PRAGMA foreign_key_check");
    assert!(broken.is_empty(), "{broken:?}");
}

fn number(index: u32) -> String {
    format!("0912{:07}", 1_000_000 + index)
}

fn send(world: &World, shop: &Account, from: u32, count: u32) -> String {
    let numbers: Vec<String> = (from..from + count).map(number).collect();
    let recipients: Vec<&str> = numbers.iter().map(String::as_str).collect();
    world.sent(&shop.key, &recipients)
}

#[test]
fn when_the_directory_goes_back_no_message_is_sent_twice_and_none_is_lost() {
    let (world, shop) = World::with_busy_account(10_000_000);
    let before = send(&world, &shop, 0, 700);
    keep(&world);
    let mut uids = vec![before];
    // Messages in every state: ended, with the carrier, and waiting for it.
    world.settle(60_000);
    uids.push(send(&world, &shop, 1_000, 700));
    world.advance(500);
    world.work();
    uids.push(send(&world, &shop, 2_000, 700));
    let later = json!({"message": "later", "recipients": [number(5_000)],
        "sendAt": peyk::base::time::to_rfc3339(world.now_ms.get() + 3_600_000)});
    uids.push(world.posted(&shop.key, "/sms/send", later).text("/data/uid"));
    go_back(&world);
    world.settle(2 * 3_600_000);

    let inbox = world.inbox(&shop.id);
    assert_eq!(inbox.len(), 2_101, "each recipient reached its carrier");
    assert!(inbox.values().all(|(taken, _)| *taken == 1), "no one was sent to twice");
    for uid in uids {
        let message = world.message(&shop.key, &uid);
        assert_eq!(message.text("/data/status"), "DONE", "{}", message.body);
    }
    assert_eq!(world.balance(&shop.key), (10_000_000 - 2_101_000, 0));
}

#[test]
fn balances_of_the_mirror_are_true_again_with_the_next_change() {
    let (world, shop) = World::with_busy_account(100_000);
    world.settle(10_000);
    keep(&world);
    send(&world, &shop, 0, 10);
    world.settle(60_000);
    go_back(&world);
    let mirrored = |world: &World| world.admin("GET", "/admin/accounts", json!(null)).json["data"].clone();
    let of_shop = |list: serde_json::Value| {
        let accounts = list.as_array().unwrap().clone();
        let found = accounts.into_iter().find(|account| account["id"] == json!(shop.id));
        found.unwrap()["wallet"]["availableBalance"].clone()
    };
    assert_eq!(of_shop(mirrored(&world)), json!(100_000));
    send(&world, &shop, 100, 1);
    world.settle(60_000);
    assert_eq!(of_shop(mirrored(&world)), json!(89_000));
}

/// The window of the sandbox that its object for the account works with.
fn window(world: &World, shop: &Account) -> i64 {
    let sql = "SELECT newest ->> 'settings' ->> 'window' FROM carrier";
    world.carrier_sql("sandbox", &shop.id).number(sql)
}

fn set_window(world: &World, shop: &Account, window: u32) {
    world.change("/admin/carriers/sandbox", json!({"sandbox": {"window": window}}));
    world.advance(31_000);
    send(world, shop, 10 * window, 1);
    world.settle(60_000);
}

#[test]
fn carriers_hear_of_changes_again_once_their_versions_are_raised() {
    let (world, shop) = World::with_busy_account(100_000);
    keep(&world);
    // The carrier's object sees some versions, of which the restored directory knows nothing.
    for size in [101, 102, 103] {
        set_window(&world, &shop, size);
    }
    go_back(&world);
    set_window(&world, &shop, 104);
    assert_eq!(window(&world, &shop), 103, "the change is ignored");
    world.db.run(RAISE);
    set_window(&world, &shop, 105);
    assert_eq!(window(&world, &shop), 105);
}

#[test]
fn the_page_names_the_steps_that_are_tested() {
    let page = std::fs::read_to_string(concat!(env!("PEYK_ROOT"), "/docs/restore.md")).unwrap();
    assert!(page.contains(RAISE));
    for command in [
        "d1 time-travel restore",
        "admin PUT /sending '{\"enabled\":false,\"reason\":\"the directory goes back\"}'",
    ] {
        assert!(page.contains(command), "{command}");
    }
}
