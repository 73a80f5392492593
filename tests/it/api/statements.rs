//! What an account reads of its past: the entries of its ledger, as a list and as CSV, and its usage by day.

use std::collections::{BTreeMap, BTreeSet};

use peyk::account::ask;
use peyk::account::record::ledger::EntryKind;
use peyk::account::wallet::entries::{EntryFilter, WALKED};
use peyk::account::wallet::export::{ENTRIES_A_GO, EntriesExport, MAX_ENTRIES};
use peyk::base::{csv::Table, ports::Sql, time};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::{Account, Dice, World, assert_contains, cases, pick, table, time::DAY_MS, to_end, whole};

const KINDS: [&str; 5] = ["CREDIT", "RESERVE", "SETTLE", "RELEASE", "REFUND"];

/// A query of the ledger, as a test draws it.
#[derive(Debug, Default, Clone)]
struct Filter {
    kind: Option<String>,
    from_ms: Option<i64>,
    to_ms: Option<i64>,
    message: Option<String>,
}

impl Filter {
    fn query(&self) -> String {
        let time = |ms: &i64| time::to_rfc3339(*ms);
        let parts = [
            ("type", self.kind.clone()),
            ("from", self.from_ms.as_ref().map(time)),
            ("to", self.to_ms.as_ref().map(time)),
            ("message", self.message.clone()),
        ];
        let parts = parts.iter();
        let parts = parts.filter_map(|(name, value)| Some(format!("{name}={}", value.as_ref()?)));
        parts.collect::<Vec<_>>().join("&")
    }

    fn takes(&self, entry: &Value) -> bool {
        let at_ms = time::from_rfc3339(entry["createdAt"].as_str().unwrap()).unwrap();
        self.kind.as_ref().is_none_or(|kind| entry["type"] == kind.as_str())
            && self.from_ms.is_none_or(|ms| at_ms >= ms)
            && self.to_ms.is_none_or(|ms| at_ms < ms)
            && self.message.as_ref().is_none_or(|uid| entry["message"] == uid.as_str())
    }
}

/// The whole ledger as the store has it, newest first, in the form of the API.
fn ledger(world: &World, shop: &Account) -> Vec<Value> {
    let rows = world.sql(&shop.id).exec(
        &whole("SELECT l.seq, l.kind, l.amount, l.available, l.locked, (SELECT uid FROM message WHERE id = l.message), l.note, l.at_ms \
         FROM all_ledger l ORDER BY l.seq DESC"),
        &[],
    );
    let entry = |row: &peyk::base::ports::Row| {
        json!({"id": row.int(0).unwrap(), "type": row.text(1).unwrap(), "amount": row.int(2).unwrap(),
            "availableBalance": row.int(3).unwrap(), "lockedBalance": row.int(4).unwrap(), "unit": "IRR",
            "message": row.opt_text(5).unwrap(), "note": row.opt_text(6).unwrap(),
            "createdAt": time::to_rfc3339(row.int(7).unwrap())})
    };
    rows.unwrap().iter().map(entry).collect()
}

/// All items of a list, page by page, with how many pages there were.
fn pages(world: &World, shop: &Account, path: &str) -> (Vec<Value>, usize) {
    let (mut items, mut count) = (Vec::new(), 0);
    world.walk(&shop.key, path, |page| {
        items.extend(page.items().iter().cloned());
        count += 1;
    });
    (items, count)
}

/// The rows of a CSV file, each as the list has it.
fn exported(world: &World, shop: &Account, query: &str) -> Vec<Value> {
    let file = world.read(&shop.key, &format!("/account/transactions?format=csv&{query}"));
    assert_eq!(file.response.content_type, "text/csv; charset=utf-8");
    let disposition = file.header("Content-Disposition").unwrap();
    assert_eq!(disposition, "attachment; filename=\"transactions.csv\"");
    let mut table = Table::default();
    let mut lines = table.feed(file.body.as_bytes());
    lines.extend(table.finish());
    let mut lines = lines.into_iter().map(|line| line.fields.unwrap());
    let names = lines.next().unwrap();
    let rows = lines.map(|fields| {
        let members = names.iter().zip(&fields).map(|(name, field)| {
            let value = match name.as_str() {
                "message" | "note" if field.is_empty() => Value::Null,
                "id" | "amount" | "availableBalance" | "lockedBalance" => json!(field.parse::<i64>().unwrap()),
                _ => json!(field),
            };
            (name.clone(), value)
        });
        Value::Object(members.collect())
    });
    rows.collect()
}

/// An account that has sent in every way for some days, with live and test keys. Also gives the uids of its messages, each with a key
/// that sees it.
fn random_world(dice: &Dice) -> (World, Account, Vec<(String, String)>) {
    let (world, shop) = World::with_busy_account(1_000_000);
    let plan = json!({"slug": "fair", "title": "Fair", "refunds": ["UNDELIVERED", "EXPIRED"],
        "tariff": {"slug": "fair", "title": "Fair", "price": 700}});
    world.create("/admin/plans", plan);
    let path = shop.path("");
    world.change(&path, json!({"plan": "fair"}));
    world.advance(31_000);
    let body = json!({"title": "test", "mode": "test"});
    let test = world.posted(&shop.key, "/keys", body).text("/data/key");
    // A burst of a second: the clock may go back by some ms many times.
    let limit = json!({"limit": 10_000, "windowSeconds": 1, "burst": 10_000});
    world.change(&path, json!({"rateLimit": limit, "testRateLimit": limit}));
    let mut uids = Vec::new();
    for _ in 0..40 {
        let notes = [Some("=1+1"), Some("a, \"b\"\n;c"), Some("'-5"), Some("شارژ"), None];
        let note = notes[usize::try_from(dice.below(5)).unwrap()];
        let amount = 1_000 * i64::try_from(dice.below(50)).unwrap() - 5_000;
        match dice.below(8) {
            0 if amount != 0 => {
                let credit = json!({"amount": amount, "note": note});
                world.create(&format!("{path}/credit"), credit);
            }
            1 => world.settle(5_000),
            2 => world.advance(i64::try_from(dice.below(9 * 60 * 60 * 1_000)).unwrap()),
            // The clock of the machine goes back a little.
            3 => world.advance(-i64::try_from(dice.below(5)).unwrap()),
            draw => {
                let key = if draw == 4 { &test } else { &shop.key };
                let recipients: Vec<String> = (0..=dice.below(4))
                    .map(|index| format!("0912{index}00{:04}", 900 + dice.below(6)))
                    .collect();
                let mut body = json!({"message": "x", "recipients": recipients});
                let is_scheduled = draw == 5;
                if is_scheduled {
                    body["sendAt"] = json!(time::to_rfc3339(world.now_ms.get() + 60_000));
                }
                let uid = world.posted(key, "/sms/send", body).text("/data/uid");
                if is_scheduled && dice.below(2) == 0 {
                    world.ask("DELETE", key, &format!("/messages/{uid}")).send().expect(200);
                }
                uids.push((key.clone(), uid));
            }
        }
    }
    world.settle(10_000);
    (world, shop, uids)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases(12)) })]

    #[test]
    fn every_filter_finds_exactly_its_entries_in_pages_and_in_the_file(seed: u64) {
        let dice = Dice::new(seed);
        let (world, shop, uids) = random_world(&dice);
        let of_messages: Vec<String> = uids.into_iter().map(|(_, uid)| uid).collect();
        let all = ledger(&world, &shop);
        prop_assert!(all.len() > 12);
        let times: Vec<i64> = all.iter().map(|entry| time::from_rfc3339(entry["createdAt"].as_str().unwrap()).unwrap()).collect();
        prop_assert!(times.is_sorted_by(|newer, older| newer >= older), "times never go back");
        let one = |list: &[String]| list.get(usize::try_from(dice.below(list.len() as u64)).unwrap()).cloned();
        let at = || times[usize::try_from(dice.below(times.len() as u64)).unwrap()] + i64::try_from(dice.below(3)).unwrap() - 1;
        for round in 0..12 {
            let filter = Filter {
                kind: if dice.below(3) == 0 { one(&KINDS.map(str::to_owned)) } else { None },
                from_ms: (dice.below(3) == 0).then(at),
                to_ms: (dice.below(3) == 0).then(at),
                message: if dice.below(3) == 0 { one(&of_messages) } else { None },
            };
            let filter = if round == 0 { Filter::default() } else { filter };
            let expected: Vec<Value> = all.iter().filter(|entry| filter.takes(entry)).cloned().collect();
            let limit = 1 + dice.below(9);
            let (found, count) = pages(&world, &shop, &format!("/account/transactions?limit={limit}&{}", filter.query()));
            prop_assert_eq!(&found, &expected, "{:?}", filter);
            prop_assert!(round > 0 || count > 1, "a page is crossed");
            prop_assert_eq!(&exported(&world, &shop, &filter.query()), &expected, "{:?}", filter);
        }
        let (available, locked) = world.balance(&shop.key);
        prop_assert_eq!((all[0]["availableBalance"].clone(), all[0]["lockedBalance"].clone()), (json!(available), json!(locked)));
    }

    #[test]
    fn the_usage_of_each_day_is_what_its_messages_say(seed: u64) {
        let dice = Dice::new(seed);
        let (world, shop, uids) = random_world(&dice);
        let mut expected: BTreeMap<(String, bool), BTreeMap<String, i64>> = BTreeMap::new();
        let mut of_messages = 0;
        for (key, uid) in &uids {
            let message = world.message(key, uid);
            let date = message.text("/data/createdAt")[..10].to_owned();
            let sums = expected.entry((date, message.json["data"]["test"] == true)).or_default();
            let mut add = |name: &str, count: i64| *sums.entry(name.to_owned()).or_default() += count;
            add("messages", 1);
            add("recipients", message.int("/data/recipientCount"));
            add("parts", message.int("/data/recipientCount") * message.int("/data/parts"));
            add("cost", message.int("/data/cost"));
            let money = |name: &str| message.int(&format!("/data/{name}"));
            let parts = ["reserved", "spent", "released", "refunded"].map(money);
            prop_assert_eq!(parts.iter().sum::<i64>(), money("cost"));
            prop_assert_eq!(parts[2] + parts[3], money("returned"));
            of_messages += money("returned");
            for (status, count) in message.json["data"]["counts"].as_object().unwrap() {
                add(status, count.as_i64().unwrap());
            }
        }
        let returned: i64 = ledger(&world, &shop).iter()
            .filter(|entry| entry["type"] == "RELEASE" || entry["type"] == "REFUND")
            .map(|entry| entry["amount"].as_i64().unwrap()).sum();
        let (days, _) = pages(&world, &shop, &format!("/account/usage?limit={}", 1 + dice.below(3)));
        let dates: Vec<&str> = days.iter().map(|day| day["date"].as_str().unwrap()).collect();
        let known: BTreeSet<&str> = expected.keys().map(|(date, _)| date.as_str()).collect();
        prop_assert_eq!(&dates, &known.into_iter().rev().collect::<Vec<_>>());
        let mut all_returned = 0;
        for day in &days {
            for (name, is_test) in [("live", false), ("test", true)] {
                let sums = expected.get(&(day["date"].as_str().unwrap().to_owned(), is_test)).cloned().unwrap_or_default();
                let expect = |member: &str| json!(sums.get(member).copied().unwrap_or(0));
                for member in ["messages", "recipients", "parts", "cost"] {
                    prop_assert_eq!(&day[name][member], &expect(member), "{} {} {}", day["date"], name, member);
                }
                let mut pending = expect("recipients").as_i64().unwrap();
                for (status, count) in day[name]["statuses"].as_object().unwrap() {
                    prop_assert_eq!(count, &expect(status), "{} {} {}", day["date"], name, status);
                    pending -= count.as_i64().unwrap();
                }
                prop_assert_eq!(&day[name]["pending"], &json!(pending));
                all_returned += day[name]["returned"].as_i64().unwrap();
            }
        }
        prop_assert_eq!((all_returned, of_messages), (returned, returned));
    }
}

/// Copies the account's credit until the ledger has this many entries, one a second. Each `rare`th is a release.
fn fill(world: &World, shop: &Account, count: i64, rare: i64) {
    let sql = world.sql(&shop.id);
    for statement in [
        "INSERT INTO ledger_page (first, at_ms, entries) SELECT value, at_ms + value * 1000, \
           json_array(json_array(iif(value % CAST(?2 AS INTEGER) = 0, 'RELEASE', 'SETTLE'), 1, 0, 0, NULL, NULL, at_ms + value * 1000)) \
         FROM ledger_page, (WITH RECURSIVE n (value) AS (SELECT 2 UNION ALL SELECT value + 1 FROM n WHERE value < ?1) \
                            SELECT value FROM n) WHERE first = 1",
        "UPDATE account SET ledger_seq = ?1 WHERE ?2 > 0",
    ] {
        sql.run_with(statement, &[count.into(), rare.into()]);
    }
}

#[test]
fn the_few_entries_of_a_kind_are_found_in_a_long_ledger_in_bounded_steps() {
    let (world, shop) = World::with_busy_account(1_000);
    let count = WALKED * 2 + 500;
    fill(&world, &shop, count, 9_000);
    let sql = world.sql(&shop.id);
    let start_ms = world.now_ms.get();
    let (found, pages_read) = pages(&world, &shop, "/account/transactions?type=RELEASE");
    let seqs: Vec<i64> = found.iter().map(|entry| entry["id"].as_i64().unwrap()).collect();
    assert_eq!((seqs, pages_read), (vec![18_000, 9_000], 3));
    assert_eq!(exported(&world, &shop, "type=RELEASE"), found);
    sql.steps.set(0);
    world.read(&shop.key, "/account/transactions?type=REFUND&limit=200");
    let most = sql.steps.get();
    assert!(most < 20 * WALKED, "{most} steps");
    sql.steps.set(0);
    let at = time::to_rfc3339(start_ms + 12_345_000);
    let page = world.read(&shop.key, &format!("/account/transactions?to={at}&limit=3"));
    assert_eq!(page.int("/data/0/id"), 12_344);
    assert!(sql.steps.get() < 5_000, "{} steps", sql.steps.get());
    // A file of several calls.
    let file = exported(&world, &shop, &format!("from={at}"));
    assert!(file.len() > 3 * usize::try_from(ENTRIES_A_GO).unwrap());
    assert_eq!(file[0]["id"], count);
    let ids: BTreeSet<i64> = file.iter().map(|entry| entry["id"].as_i64().unwrap()).collect();
    assert_eq!(ids.len(), file.len());
    assert_eq!(*ids.first().unwrap(), count - i64::try_from(file.len()).unwrap() + 1);
}

#[test]
fn an_export_that_is_too_long_is_refused_before_it_begins() {
    let (world, shop) = World::with_busy_account(1_000);
    let start_ms = world.now_ms.get();
    fill(&world, &shop, MAX_ENTRIES + 1, 1_000);
    let before = world.calls.get();
    let refused = world.get(&shop.key, "/account/transactions?format=csv").refused(422);
    assert_eq!(refused.text("/errors/0/pointer"), "/from");
    assert_contains(&refused.extra()[0], "leaves more than 200000 entries");
    assert_eq!(world.calls.get() - before, 1);
    let from = time::to_rfc3339(start_ms + 199_000_000);
    assert!(exported(&world, &shop, &format!("from={from}")).len() > 1_000);
}

#[test]
fn each_bad_value_of_a_query_is_named() {
    let (world, shop) = World::with_account(1_000);
    for (path, places) in table::<(String, Vec<String>)>(json!([
        [
            "transactions?type=GIFT&from=x&to=2026-01-01&message=7",
            ["/type", "/from", "/to", "/message"]
        ],
        ["transactions?format=xml", ["/format"]],
        ["transactions?format=csv&limit=5&cursor=x", ["/limit", "/cursor"]],
        ["transactions?format=csv&type=x", ["/type"]],
        [
            "usage?from=2026-02-30&to=2026-01-01T00:00:00Z&limit=0",
            ["/limit", "/from", "/to"]
        ],
        ["usage?cursor=x&from=", ["/cursor", "/from"]],
    ])) {
        let refused = world.get(&shop.key, &format!("/account/{path}")).refused(422);
        assert_eq!(refused.pointers(), places, "{path}");
    }
    let unknown = "message=019b796d-0000-7000-8000-000000000001";
    assert_eq!(
        pages(&world, &shop, &format!("/account/transactions?{unknown}")).0,
        Vec::<Value>::new()
    );
    assert_eq!(exported(&world, &shop, unknown), Vec::<Value>::new());
    assert_eq!(pages(&world, &shop, "/account/usage?limit=1").0, Vec::<Value>::new());
}

#[test]
fn an_export_fails_when_the_object_does_and_does_not_end_like_a_whole_file() {
    let (world, shop) = World::with_busy_account(1_000);
    fill(&world, &shop, i64::from(ENTRIES_A_GO) * 3, 7);
    let filter = EntryFilter {
        kind: None::<EntryKind>,
        ..EntryFilter::default()
    };
    let first = EntriesExport::first(&filter);
    let read = to_end(ask(&world, &shop.id, None, None, &first))
        .unwrap()
        .outcome
        .unwrap();
    let mut export = EntriesExport::of(&shop.id, filter, "IRR", read);
    assert!(to_end(export.next(&world)).unwrap().is_some());
    world.failing_request.set(Some("ListTransactions"));
    assert!(to_end(export.next(&world)).is_err());
}

#[test]
fn a_message_counts_on_the_day_on_which_it_was_accepted_and_so_does_its_end() {
    let (world, shop) = World::with_busy_account(100_000);
    let midnight = (world.now_ms.get() / DAY_MS + 1) * DAY_MS;
    world.now_ms.set(midnight - 1);
    world.send(&shop.key, &["09121234567", "09121234568"]).expect(201);
    world.now_ms.set(midnight);
    world.send(&shop.key, &["09121234569"]).expect(201);
    let day = |query: &str| world.read(&shop.key, &format!("/account/usage?{query}")).json["data"].clone();
    let before = day("");
    let found = before[1]["live"]["pending"].as_i64().unwrap() + before[0]["live"]["pending"].as_i64().unwrap();
    assert_eq!(found, 3);
    world.settle(60_000);
    let after = day("");
    let wanted = (&json!("2026-01-02"), &json!("2026-01-01"));
    assert_eq!((&after[0]["date"], &after[1]["date"]), wanted);
    let delivered = [&after[0], &after[1]].map(|day| &day["live"]["statuses"]["DELIVERED"]);
    assert_eq!(delivered, [&json!(1), &json!(2)]);
    let wanted = (&json!(1_000), &json!(2_000));
    assert_eq!((&after[0]["live"]["cost"], &after[1]["live"]["cost"]), wanted);
    for (query, dates) in [
        ("from=2026-01-02", vec!["2026-01-02"]),
        ("to=2026-01-01", vec!["2026-01-01"]),
        ("from=2026-01-01&to=2026-01-02", vec!["2026-01-02", "2026-01-01"]),
        ("from=2026-01-03", vec![]),
        ("to=2025-12-31", vec![]),
        ("from=2026-01-02&to=2026-01-01", vec![]),
        ("from=1970-01-01&to=9999-12-31", vec!["2026-01-02", "2026-01-01"]),
    ] {
        let days = day(query);
        let found: Vec<String> = pick(&days, "date");
        assert_eq!(found, dates, "{query}");
    }
}

#[test]
fn years_of_usage_are_read_in_pages_and_a_day_with_very_many_rows_ends_a_page() {
    let (world, shop) = World::with_busy_account(1_000);
    let sql = world.sql(&shop.id);
    let many = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2) \
         INSERT INTO usage (day, line, carrier, test, messages) SELECT ?1 + i, '10001', 'sandbox', i % 2, i FROM n";
    sql.run_with(many, &[20_000_i64.into(), 400_i64.into()]);
    let (days, count) = pages(&world, &shop, "/account/usage?limit=200");
    assert_eq!((days.len(), count), (400, 2));
    assert_eq!(days[0]["date"], time::to_date(20_400));
    let wanted = (&json!(0), &json!(400));
    assert_eq!((&days[0]["test"]["messages"], &days[0]["live"]["messages"]), wanted);
    let wanted = (&json!(399), &json!(0));
    assert_eq!((&days[1]["test"]["messages"], &days[1]["live"]["messages"]), wanted);
    let busy = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2) \
         INSERT INTO usage (day, line, carrier, test, messages) SELECT ?1, 'line' || i, 'sandbox', 0, 1 FROM n";
    sql.run_with(busy, &[20_390_i64.into(), 20_000_i64.into()]);
    assert_eq!(world.read(&shop.key, "/account/usage?limit=200").items().len(), 11);
    let (days, count) = pages(&world, &shop, "/account/usage?limit=200");
    assert_eq!((days.len(), count), (400, 3));
    assert_eq!(days[10]["live"]["messages"], 20_000 + 390);
}
