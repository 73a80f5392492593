//! What gathers in the account's row: the newest entries of the ledger, and the usage that is not in its table yet. Nobody who
//! reads them misses anything, and it stays small.

use serde_json::json;

use crate::support::{Account, World, time::DAY_MS, time::MINUTE_MS, whole};

/// How many keys of the usage and entries of the ledger the account's row has.
fn gathered(world: &World, shop: &Account) -> (i64, i64) {
    let row = &world.rows(shop, "SELECT json_array_length(usage), open_entries FROM account")[0];
    (row.int(0).unwrap(), row.int(1).unwrap())
}

fn send_from(world: &World, shop: &Account, line: &str) {
    let body = json!({"message": "x", "recipients": ["09120000100"], "sourceNumber": line});
    world.posted(&shop.key, "/sms/send", body);
}

#[test]
fn usage_of_more_lines_than_may_wait_goes_into_its_table_and_stays_right() {
    let (world, shop) = World::with_busy_account(1_000_000);
    let lines: Vec<String> = (0..40).map(|at| format!("3000{at:02}")).collect();
    for line in &lines {
        world.share_line(line, "sandbox", &["WEBSERVICE"]);
    }
    let mut most = 0;
    for line in lines.iter().chain(&lines) {
        send_from(&world, &shop, line);
        most = most.max(gathered(&world, &shop).0);
        world.settle(3_000);
        most = most.max(gathered(&world, &shop).0);
    }
    assert!((30..=32).contains(&most), "{most}");
    world.settle(3 * MINUTE_MS);
    let by_line = whole("SELECT sum(messages), sum(delivered) FROM all_usage GROUP BY line HAVING line <> '10001'");
    let rows = world.rows(&shop, &by_line);
    assert_eq!(rows.len(), 40);
    assert!(
        rows.iter()
            .all(|row| (row.int(0).unwrap(), row.int(1).unwrap()) == (2, 2))
    );
    world.assert_mirrored(&shop);
}

#[test]
fn usage_of_a_day_that_is_over_goes_into_its_table() {
    let (world, shop) = World::with_busy_account(1_000_000);
    world.send(&shop.key, &["09120000100"]).expect(201);
    world.settle(3 * MINUTE_MS);
    assert_eq!(gathered(&world, &shop).0, 2);
    assert_eq!(world.count(&shop, "usage"), 0);
    world.settle(DAY_MS);
    world.send(&shop.key, &["09120000100"]).expect(201);
    assert!(world.count(&shop, "usage") >= 2);
    world.settle(3 * MINUTE_MS);
    world.send(&shop.key, &["09120000100"]).expect(201);
    world.settle(3 * MINUTE_MS);
    assert_eq!(gathered(&world, &shop).0, 2, "that of today gathers again");
    world.assert_mirrored(&shop);
}

#[test]
fn who_reads_the_ledger_or_the_usage_reads_all_of_it() {
    let (world, shop) = World::with_busy_account(1_000_000);
    for sent in 1..=100 {
        world.send(&shop.key, &["09120000100"]).expect(201);
        let (_, entries) = gathered(&world, &shop);
        assert!((1..=40).contains(&entries), "{entries}");
        if sent % 7 == 0 {
            let day = world.read(&shop.key, "/account/usage").json["data"][0]["live"].clone();
            assert_eq!(day["messages"], json!(sent));
            let listed = world.read(&shop.key, "/account/transactions?limit=1");
            let newest = world.rows(&shop, &whole("SELECT max(seq) FROM all_ledger"))[0]
                .int(0)
                .unwrap();
            assert_eq!(listed.json["data"][0]["id"], json!(newest));
            assert_eq!(gathered(&world, &shop), (0, 0));
        }
        world.settle(3_000);
    }
    let mut seqs = Vec::new();
    world.walk(&shop.key, "/account/transactions?", |page| {
        seqs.extend(
            page.json["data"]
                .as_array()
                .unwrap()
                .iter()
                .map(|entry| entry["id"].as_i64().unwrap()),
        );
    });
    let newest = i64::try_from(seqs.len()).unwrap();
    assert!(newest > 200);
    assert_eq!(seqs, (1..=newest).rev().collect::<Vec<_>>(), "each entry once");
}
