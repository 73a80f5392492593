//! What an account's object fails to take is told again: delivery reports, and carriers' answers. And carriers' objects forget
//! in time what they were handed.

use peyk::account::chunk::reports::DeliveryReport;
use peyk::account::record::account_row::Account as Row;
use peyk::account::record::ledger::{EntryKind, Wallet};
use peyk::account::record::message::delivery_error::{Cause, DeliveryError};
use peyk::account::record::message::simulation::ending;
use peyk::account::record::message::status::RecipientStatus;
use peyk::carrier::{journal, kind::Kind, reports};
use serde_json::{Value, json};

use crate::support::day_tables::NOTES;
use crate::support::{Account, World, carrier_store, time::DAY_MS, time::HOUR_MS, time::MINUTE_MS, to_end, whole};

/// Every recipient has the ending that its number says, and the ledger replays to the wallet.
fn assert_all_ended(world: &World, shop: &Account, recipients: usize) {
    let sql = world.sql(&shop.id);
    let rows = sql.run("SELECT msisdn, status FROM recipient");
    assert_eq!(rows.len(), recipients);
    for row in &rows {
        let number = u64::try_from(row.int(0).unwrap()).unwrap();
        let wanted = Some(ending(number));
        assert_eq!(RecipientStatus::from_code(row.int(1).unwrap()), wanted, "{number}");
    }
    let mut wallet = Wallet::default();
    for row in sql.run(&whole("SELECT kind, amount FROM all_ledger ORDER BY seq")) {
        let kind = EntryKind::parse(&row.text(0).unwrap()).unwrap();
        wallet = wallet.after(kind, row.int(1).unwrap()).unwrap();
    }
    assert_eq!(wallet, Row::stored(&*sql).unwrap().unwrap().wallet);
    let wanted = sql.number("SELECT coalesce(sum(cost), 0) FROM recipient WHERE status = 2");
    assert_eq!(wallet.locked, wanted);
    let wanted = sql.number("SELECT sum(cost) FROM recipient WHERE status IN (4, 5, 6)");
    assert_eq!(wallet.spent, wanted);
}

fn lines(world: &World, what: &str) -> Vec<Value> {
    let log = world.log.borrow();
    let lines = log.iter().map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines.filter(|line| line["what"] == what).collect()
}

#[test]
fn reports_that_fail_are_told_again_until_every_recipient_has_its_ending_once() {
    let (world, shop) = World::with_account(1_000_000);
    world.report_later(10_000);
    world.failing_reports.set(25);
    let endings = [100, 901, 902, 903, 904, 905];
    for index in 0..60 {
        let number = format!("0912{index:04}{}", endings[index % endings.len()]);
        world.send(&shop.key, &[&number]).expect(201);
        world.work();
    }
    world.settle(30 * MINUTE_MS);
    let sql = world.sql(&shop.id);
    let submitted = "SELECT count(*) FROM recipient WHERE status = 3";
    assert!(sql.number(submitted) + sql.count("recipient WHERE status = 4") > 0);
    world.settle(6 * HOUR_MS);
    assert_all_ended(&world, &shop, 60);
    assert!(world.inbox(&shop.id).values().all(|(taken, _)| *taken <= 1));
    // The time between two tries grows, and is bounded.
    let times = world.report_times_ms.borrow();
    let waits: Vec<i64> = times[..26].windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert!(waits.is_sorted(), "{waits:?}");
    assert!(waits[0] <= 10_000 && waits[24] >= 5 * MINUTE_MS, "{waits:?}");
    assert!(waits.iter().all(|wait| *wait <= 10 * MINUTE_MS), "{waits:?}");
    assert_eq!(lines(&world, "reports did not arrive").len(), 25);
    let sandbox = world.sandbox_sql(&shop.id);
    for table in ["report", "report_delay"] {
        assert_eq!(sandbox.count(table), 0, "{table}");
    }
}

#[test]
fn reports_that_never_arrive_are_given_up_when_the_journal_forgets_too() {
    let (world, shop) = World::with_account(10_000_000);
    world.report_later(10_000);
    world.reports_are_lost.set(true);
    world.send(&shop.key, &["09121234567"]).expect(201);
    // More rows than one go forgets.
    let report = |index: u32| DeliveryReport {
        is_presumed: false,
        message: 1,
        status: RecipientStatus::Delivered,
        indexes: vec![index],
        cause: None,
    };
    world.settle(1_000);
    let sandbox = world.sandbox_sql(&shop.id);
    for index in 1..1_200 {
        reports::add(&*sandbox, world.now_ms.get(), &shop.id, 1_000, &[report(index)]).unwrap();
    }
    world.settle(6 * DAY_MS);
    assert_eq!(sandbox.count("report"), 1_200);
    world.settle(2 * DAY_MS);
    assert_eq!(sandbox.count("report"), 0);
    assert!(!lines(&world, "reports are given up").is_empty());
    let calls = world.report_times_ms.borrow().len();
    assert!((1_000..1_100).contains(&calls), "one call each ten minutes: {calls}");
    // Nobody told the object, so the wait for the report has ended. Later reports arrive.
    let expired = "SELECT count(*) FROM recipient WHERE status = 6";
    assert_eq!(world.number(&shop, expired), 1);
    world.reports_are_lost.set(false);
    world.send(&shop.key, &["09121234568"]).expect(201);
    world.settle(HOUR_MS);
    let delivered = "SELECT count(*) FROM recipient WHERE status = 4";
    assert_eq!(world.number(&shop, delivered), 1);
}

#[test]
fn an_account_whose_object_fails_delays_no_other_accounts_reports() {
    let (world, broken) = World::with_account(10_000);
    let good = world.account("good", 10_000);
    world.sql(&broken.id).run("DROP TABLE chunk");
    let uid = world.sent(&good.key, &["09121234567"]);
    world.work();
    let sql = carrier_store(Kind::Sandbox);
    let delivered = [DeliveryReport {
        is_presumed: false,
        message: 1,
        status: RecipientStatus::Delivered,
        indexes: vec![0],
        cause: None,
    }];
    // The broken account's reports come first, and are more than one go sends.
    for _ in 0..3_000 {
        reports::add(&sql, world.now_ms.get(), &broken.id, 0, &delivered).unwrap();
    }
    reports::add(&sql, world.now_ms.get(), &good.id, 0, &delivered).unwrap();
    to_end(reports::send(&world, &sql, "sandbox")).unwrap();
    let message = world.message(&good.key, &uid);
    assert_eq!(message.json["data"]["counts"], json!({"DELIVERED": 1}));
    assert_eq!(sql.count("report"), 3_000);
    let count = world.report_times_ms.borrow().len();
    assert_eq!(count, 2, "a failing account gets one call");
    assert!(reports::next_due_ms(&sql).unwrap().unwrap() > world.now_ms.get());
}

#[test]
fn a_report_that_cant_be_read_waits_like_one_that_fails() {
    let (world, shop) = World::with_account(10_000);
    world.report_later(10_000);
    world.send(&shop.key, &["09121234567"]).expect(201);
    world.settle(500);
    let sandbox = world.sandbox_sql(&shop.id);
    sandbox.run("UPDATE report SET body = '[' || body");
    world.settle(HOUR_MS);
    let tries = lines(&world, "reports did not arrive").len();
    assert!((5..20).contains(&tries), "{tries}");
    sandbox.run("UPDATE report SET body = substr(body, 2)");
    world.settle(HOUR_MS);
    assert_all_ended(&world, &shop, 1);
}

/// The states of all chunks: `(attempt, failures, whether it is in doubt)`.
fn chunks(world: &World, shop: &Account) -> Vec<(i64, i64, i64)> {
    let rows = world.rows(shop, "SELECT attempt, failures, doubt_ms IS NOT NULL FROM chunk");
    let read = |row: &peyk::base::ports::Row| (row.int(0).unwrap(), row.int(1).unwrap(), row.int(2).unwrap());
    rows.iter().map(read).collect()
}

#[test]
fn an_answer_that_cant_be_noted_is_noted_before_its_chunk_is_in_doubt() {
    let (world, shop) = World::with_account(10_000);
    world.sql(&shop.id).fail("UPDATE chunk SET queued = p.value", 4);
    world.send(&shop.key, &["09121234567", "09121234901"]).expect(201);
    world.work();
    assert_eq!(lines(&world, "outcomes could not be noted").len(), 1);
    assert_eq!(world.count(&shop, "recipient WHERE status = 1"), 2);
    world.settle(20_000);
    assert_all_ended(&world, &shop, 2);
    let found = chunks(&world, &shop);
    assert_eq!(found, [(1, 0, 0)], "handed over once, and never in doubt");
    let inbox = world.inbox(&shop.id);
    assert!(inbox.values().all(|(taken, refused)| taken + refused == 1));
}

#[test]
fn an_answer_that_cant_be_noted_in_all_its_lease_comes_from_the_journal_again() {
    let (world, shop) = World::with_account(10_000);
    world.report_later(10_000);
    let sql = world.sql(&shop.id);
    world.send(&shop.key, &["09121234567", "09121234901"]).expect(201);
    // Money that is spent. What brings a claim back moves none.
    sql.fail("UPDATE account", 1_000);
    world.failing_reports.set(1_000);
    world.settle(2 * MINUTE_MS);
    assert!(chunks(&world, &shop)[0].0 > 1);
    sql.fail("", 0);
    world.failing_reports.set(0);
    world.settle(HOUR_MS);
    assert_all_ended(&world, &shop, 2);
    let inbox = world.inbox(&shop.id);
    assert!(inbox.values().all(|(taken, refused)| taken + refused == 1));
}

#[test]
fn a_sandbox_forgets_after_seven_days_some_rows_a_go() {
    let (world, shop) = World::with_account(100_000_000);
    let limit = json!({"rateLimit": {"limit": 1_000_000, "windowSeconds": 1, "burst": 10_000}});
    world.change_account(&shop, limit);
    let number = |index: u32| format!("0912{index:07}");
    let own = |index: u32| json!({"recipient": number(index), "message": format!("to {index}")});
    let bulk: Vec<Value> = (0..1_000).map(own).collect();
    for _ in 0..2 {
        world.posted(&shop.key, "/sms/bulk", json!({"messages": bulk}));
    }
    for index in 0..600 {
        world.send(&shop.key, &[&number(index)]).expect(201);
        world.work();
    }
    world.settle(HOUR_MS);
    let sandbox = world.sandbox_sql(&shop.id);
    let count = |table: &str| sandbox.count(table);
    assert_eq!([count("handed"), count("handed_chunk")], [2_600, 604]);
    assert_eq!(count(NOTES), 604);
    world.settle(3 * DAY_MS);
    assert_eq!(count(NOTES), 0, "notes of handovers are kept for two days");
    world.settle(4 * DAY_MS - 2 * HOUR_MS);
    assert_eq!(count("handed"), 2_600, "what was sent is kept for seven days");
    // A new message keeps its row.
    let uid = world.sent(&shop.key, &["09121234567"]);
    world.settle(1_000);
    world.advance(3 * HOUR_MS);
    world.ring_carrier("sandbox", &shop.id);
    assert_eq!(count("handed_chunk"), 105, "one go forgets 500 rows");
    world.settle(2 * HOUR_MS);
    assert_eq!(count("handed_chunk"), 1);
    assert!(world.inbox(&shop.id).contains_key(&format!("{uid}.0")));
    world.settle(8 * DAY_MS);
    assert_eq!([count("handed_chunk"), count(NOTES)], [0, 0]);
    let due = journal::sweep_due_ms(&*sandbox).unwrap();
    let dues = (due, reports::next_due_ms(&*sandbox).unwrap());
    assert_eq!(dues, (None, None), "no alarm is left");
}

#[test]
fn the_reason_of_a_failure_is_for_everybody_and_the_carriers_own_word_for_operators() {
    let (world, shop) = World::with_account(10_000);
    let other = world.account("other", 0);
    let sent = world.send(&shop.key, &["09121234904", "09121234567"]).expect(201);
    let uid = sent.text("/data/uid");
    world.settle(10_000);
    let undelivered = DeliveryReport {
        is_presumed: false,
        message: 1,
        status: RecipientStatus::Undelivered,
        indexes: vec![0],
        cause: Some(Cause::new(DeliveryError::AbsentSubscriber, Some("err:\u{0}027"))),
    };
    to_end(reports::report(&world, "sandbox", &shop.id, vec![undelivered])).unwrap();
    for path in [format!("/messages/{uid}"), format!("/messages/{uid}/recipients")] {
        let answer = world.read(&shop.key, &path);
        let recipients = match answer.json["data"].as_array() {
            Some(recipients) => recipients,
            None => answer.json["data"]["recipients"].as_array().unwrap(),
        };
        assert_eq!(recipients[0]["error"], "ABSENT_SUBSCRIBER", "{path}");
        assert!(recipients[1].get("error").is_none(), "{path}");
        for hidden in ["027", "sandbox", "carrier", "errorCode"] {
            assert!(!answer.body.contains(hidden), "{path} shows {hidden}");
        }
    }
    let path = format!("/admin/accounts/{}/messages/{uid}/recipients", shop.id);
    let page = world.look(&path);
    let shown: Vec<_> = page.items().iter().collect();
    assert_eq!(shown.len(), 2);
    for (recipient, status, error, code) in [
        (shown[0], "UNDELIVERED", json!("ABSENT_SUBSCRIBER"), json!("err:027")),
        (shown[1], "DELIVERED", json!(null), json!(null)),
    ] {
        assert_eq!(recipient["status"], status);
        assert_eq!(recipient["carrier"], "sandbox");
        assert_eq!((&recipient["error"], &recipient["errorCode"]), (&error, &code));
        assert!(recipient.get("message").is_none());
    }
    let ask = |path: &str| world.get(&world.admin_key, path);
    assert_eq!(ask(&format!("{path}?status=DELIVERED")).expect(200).items().len(), 1);
    ask(&format!("{path}?status=x&limit=0")).refused(422);
    for missing in [
        format!("/admin/accounts/{}/messages/{uid}/recipients", other.id),
        format!("/admin/accounts/nobody/messages/{uid}/recipients"),
        shop.path("/messages/nothing/recipients"),
    ] {
        ask(&missing).refused(404);
    }
    world.get(&shop.key, &path).refused(403);
}
