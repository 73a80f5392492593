//! Between an account's object and its carriers: what a carrier's journal promises, and what becomes of chunks when carriers
//! are busy, down, unknown or several.

use peyk::account::chunk::outcomes::By;
use peyk::account::chunk::reports::DeliveryReport;
use peyk::account::chunk::{claim_queued, outcomes, timers};
use peyk::account::record::chunk::handover::{Answer, ChunkRef, Ended, Handover, Outcomes};
use peyk::account::record::chunk::{LEASE_MS, queue};
use peyk::account::record::message::delivery_error::DeliveryError;
use peyk::account::record::message::status::RecipientStatus;
use peyk::account::unit_of_work;
use peyk::auth::secret::MasterKey;
use peyk::carrier::journal::{self, Verdict};
use peyk::carrier::{self, reports, request::Submission};
use serde_json::json;

use super::{chunk, handover, judge, opened};
use crate::format::samples::carrier as sample;
use crate::support::day_tables::NOTES;
use crate::support::{Sqlite, World, rows, time::DAY_MS, time::HOUR_MS, to_end};

fn note(sql: &Sqlite, attempt: u32, outcomes: Option<&Outcomes>) {
    journal::note(sql, 500, "shop", &[(chunk(attempt), outcomes)]).unwrap();
}

#[test]
fn a_claim_that_the_journal_does_not_know_is_sent() {
    let expected = Verdict::Send {
        handover: handover(1, [0, 1]),
        before: Outcomes::default(),
    };
    assert_eq!(judge(&opened(), 1_000, 1, [0, 1]), expected);
}

#[test]
fn a_claim_that_may_have_left_is_never_sent_again() {
    let sql = opened();
    note(&sql, 1, None);
    let no_answer = Answer::Outcomes(Outcomes {
        no_answer: vec![0, 1],
        ..Outcomes::default()
    });
    for attempt in [1, 2, 9] {
        assert_eq!(judge(&sql, 1_000, attempt, [0, 1]), Verdict::Answer(no_answer.clone()));
    }
}

#[test]
fn a_repeated_claim_gets_the_answer_that_it_had_even_when_it_comes_late() {
    let sql = opened();
    let outcomes = Outcomes {
        waiting: Vec::new(),
        taken: vec![(0, "a".to_owned())],
        not_now: vec![1],
        ..Outcomes::default()
    };
    note(&sql, 1, Some(&outcomes));
    for now_ms in [1_000, 5_000] {
        let wanted = Verdict::Answer(Answer::Outcomes(outcomes.clone()));
        assert_eq!(judge(&sql, now_ms, 1, [0, 1]), wanted);
    }
}

#[test]
fn a_newer_claim_sends_only_to_those_that_were_refused_for_now() {
    let sql = opened();
    let outcomes = Outcomes {
        waiting: Vec::new(),
        taken: vec![(0, "a".to_owned())],
        ended: vec![Ended {
            status: RecipientStatus::Delivered,
            indexes: vec![4, 5],
            cause: None,
        }],
        refused: vec![(1, DeliveryError::Blocked.into())],
        not_now: vec![2],
        no_answer: vec![3],
    };
    note(&sql, 1, Some(&outcomes));
    let expected = Verdict::Send {
        handover: handover(2, [2]),
        before: Outcomes {
            not_now: Vec::new(),
            ..outcomes
        },
    };
    assert_eq!(judge(&sql, 1_000, 2, [0, 1, 2, 3, 4, 5]), expected);
}

#[test]
fn a_claim_that_comes_after_a_newer_one_or_after_its_time_is_late() {
    let sql = opened();
    note(&sql, 2, Some(&Outcomes::default()));
    assert_eq!(judge(&sql, 1_000, 1, [0]), Verdict::Answer(Answer::Late));
    assert_eq!(judge(&sql, 1_001, 3, [0]), Verdict::Answer(Answer::Late));
    assert_eq!(judge(&opened(), 1_001, 1, [0]), Verdict::Answer(Answer::Late));
}

#[test]
fn old_notes_are_swept() {
    let sql = opened();
    note(&sql, 1, None);
    let due_ms = journal::sweep_due_ms(&sql).unwrap().unwrap();
    assert_eq!(due_ms, 72 * HOUR_MS, "two days after the day of the note");
    journal::sweep(&sql, due_ms - 1).unwrap();
    assert_eq!(journal::sweep_due_ms(&sql).unwrap(), Some(due_ms));
    journal::sweep(&sql, due_ms).unwrap();
    assert_eq!(journal::sweep_due_ms(&sql).unwrap(), None);
}

#[test]
fn the_newest_note_counts_also_when_it_was_made_after_midnight() {
    let sql = opened();
    let note = |now_ms, outcomes| journal::note(&sql, now_ms, "shop", &[(chunk(1), outcomes)]).unwrap();
    let taken = Outcomes {
        taken: vec![(0, "a".to_owned())],
        ..Outcomes::default()
    };
    note(DAY_MS - 1, None);
    note(DAY_MS, Some(&taken));
    for now_ms in [DAY_MS, 2 * DAY_MS, 3 * DAY_MS - 1] {
        journal::sweep(&sql, now_ms).unwrap();
        let answer = Verdict::Answer(Answer::Outcomes(taken.clone()));
        assert_eq!(judge(&sql, now_ms, 1, [0]), answer, "{now_ms}");
    }
}

#[test]
fn small_notes_of_neighbouring_messages_share_rows_and_each_is_found_again() {
    let sql = opened();
    let claim = |message, attempt| ChunkRef {
        message,
        number: 0,
        attempt,
    };
    let taken = |message: i64, count: u32| Outcomes {
        taken: (0..count).map(|index| (index, format!("{message}.{index}"))).collect(),
        ..Outcomes::default()
    };
    let note = |message, count| {
        journal::note(&sql, 500, "shop", &[(claim(message, 1), Some(&taken(message, count)))]).unwrap();
        journal::note(&sql, 500, "other", &[(claim(message, 1), None)]).unwrap();
    };
    (1..=200).for_each(|message| note(message, 1));
    assert_eq!(sql.count("handover_0"), 2 * 4);
    // A big one has a row of its own.
    note(201, 500);
    assert_eq!((sql.count("handover_0"), sql.count(NOTES)), (2 * 4 + 1, 2 * 201));
    let answer = |account: &str, message, attempt| {
        let submission = Submission {
            account: account.to_owned(),
            valid_until_ms: 1_000,
            handovers: vec![Handover {
                chunk: claim(message, attempt),
                ..handover(attempt, 0..500)
            }],
            ..sample::submission()
        };
        let judged = journal::judge(&sql, 600, &submission, Default::default());
        judged.unwrap().remove(0).1
    };
    for message in 1..=201 {
        let count = if message == 201 { 500 } else { 1 };
        let outcomes = Verdict::Answer(Answer::Outcomes(taken(message, count)));
        assert_eq!(answer("shop", message, 1), outcomes, "{message}");
    }
    let Verdict::Answer(Answer::Outcomes(unclear)) = answer("other", 7, 2) else {
        panic!("it may have left");
    };
    assert_eq!(unclear.no_answer.len(), 500);
    // A newer claim's note replaces the older one's, in whichever row it stands.
    for count in [1, 500, 2] {
        let attempt = 2 + count;
        journal::note(&sql, 500, "shop", &[(claim(7, attempt), Some(&taken(7, count)))]).unwrap();
        assert_eq!(answer("shop", 7, 1), Verdict::Answer(Answer::Late));
        if count != 2 {
            let outcomes = Verdict::Answer(Answer::Outcomes(taken(7, count)));
            assert_eq!(answer("shop", 7, attempt), outcomes);
        }
    }
    let outcomes = Verdict::Answer(Answer::Outcomes(taken(6, 1)));
    assert_eq!(answer("shop", 6, 1), outcomes, "its neighbour's stays");
}

#[test]
fn a_day_of_notes_goes_at_once_and_no_other_does_and_no_row_is_written_for_a_note() {
    let sql = opened();
    for day in 0..3 {
        for message in 0..300 {
            let claim = ChunkRef { message, ..chunk(1) };
            journal::note(&sql, day * DAY_MS, "shop", &[(claim, Some(&Outcomes::default()))]).unwrap();
        }
    }
    rows::watch(&sql);
    for day in 0..3 {
        let due_ms = journal::sweep_due_ms(&sql).unwrap().unwrap();
        assert_eq!(due_ms, (day + 3) * DAY_MS);
        journal::sweep(&sql, due_ms - 1).unwrap();
        assert_eq!(sql.count(NOTES), 300 * (3 - day));
        journal::sweep(&sql, due_ms).unwrap();
        assert_eq!(sql.count(NOTES), 300 * (2 - day));
    }
    assert_eq!(rows::taken(&sql), [("day_table: delete".to_owned(), 3)]);
}

/// The statuses of one message's recipients.
fn counts(world: &World, key: &str, uid: &str) -> serde_json::Value {
    world.message(key, uid).json["data"]["counts"].clone()
}

#[test]
fn what_may_have_left_before_a_crash_becomes_unknown_and_its_money_comes_back() {
    let (world, shop) = World::with_account(10_000);
    // The carrier's object dies between the note of the claim and the note of its outcomes.
    world.send(&shop.key, &["09121234100"]).expect(201);
    world.settle(10_000);
    let uid = world.sent(&shop.key, &["09121234567", "09121234568"]);
    let sandbox = world.sandbox_sql(&shop.id);
    let claim = ChunkRef {
        message: 2,
        number: 0,
        attempt: 1,
    };
    journal::note(&*sandbox, world.now_ms.get(), &shop.id, &[(claim, None)]).unwrap();
    let object = (carrier::request::CLASS, format!("sandbox/{}", shop.id));
    world.instance(&object).lose_memory(object.0);
    world.settle(10_000);
    assert_eq!(counts(&world, &shop.key, &uid), json!({"UNKNOWN": 2}));
    assert_eq!(world.inbox(&shop.id).len(), 1, "nothing of it was sent again");
    assert_eq!(world.balance(&shop.key), (7_000, 2_000));
    world.settle(73 * HOUR_MS);
    assert_eq!(world.balance(&shop.key), (9_000, 0));
}

#[test]
fn a_busy_carrier_makes_chunks_wait_as_long_as_it_takes() {
    let (world, shop) = World::with_account(100_000);
    world.report_later(2);
    for number in 0..20 {
        world.send(&shop.key, &[&format!("091212{number:02}567")]).expect(201);
        world.work();
    }
    assert_eq!(world.inbox(&shop.id).len(), 2, "the window is full");
    // The sandbox's reports do not get through for hours: that is no failure of the chunks.
    for _ in 0..3_000 {
        world.advance(5_000);
        world.ring(&shop.id);
        world.work();
    }
    assert_eq!(world.inbox(&shop.id).len(), 2);
    let stuck = world.look("/admin/dead-letters");
    assert_eq!(stuck.body.matches(r#""kind":"STUCK""#).count(), 18);
    world.settle(11 * 60_000);
    let taken = world.inbox(&shop.id);
    assert_eq!(taken.len(), 20);
    assert!(taken.values().all(|count| *count == (1, 0)), "{taken:?}");
    assert_eq!(world.balance(&shop.key), (80_000, 0));
    assert_eq!(world.look("/admin/dead-letters").json["data"], json!([]));
}

#[test]
fn a_carrier_that_never_answers_is_given_up_and_what_it_may_have_is_unknown() {
    let (world, shop) = World::with_account(10_000);
    world.carriers_are_down.set(true);
    let uid = world.sent(&shop.key, &["09121234567"]);
    world.settle(20 * 60 * 1_000);
    assert_eq!(counts(&world, &shop.key, &uid), json!({"QUEUED": 1}));
    world.settle(HOUR_MS);
    assert_eq!(counts(&world, &shop.key, &uid), json!({"UNKNOWN": 1}));
    let letters = world.look("/admin/dead-letters");
    let found = (letters.text("/data/0/message"), letters.int("/data/0/attempts"));
    assert_eq!(found, (uid, 12));
    assert_eq!(letters.text("/data/0/reason"), "the carrier did not answer");
    world.settle(73 * HOUR_MS);
    assert_eq!(world.balance(&shop.key), (10_000, 0));
}

#[test]
fn an_answer_to_a_claim_that_is_over_says_only_what_was_taken() {
    let (world, shop) = World::with_account(10_000);
    let uid = world.sent(&shop.key, &["09121234567", "09121234568"]);
    let sql = world.sql(&shop.id);
    let claim = |now_ms: i64| {
        let queue = queue::all(&*sql).unwrap().remove(0);
        let claim = claim_queued::claim(
            &*sql,
            now_ms,
            &world.stored(&shop),
            &queue,
            &format!("sandbox/{}", shop.id),
            &MasterKey::default(),
        );
        claim.unwrap().unwrap().handovers[0].chunk
    };
    let record = |claim: ChunkRef, outcomes: Outcomes| {
        let answers = [(claim, Answer::Outcomes(outcomes))];
        let by = By {
            carrier: "sandbox",
            has_other: false,
        };
        let recorded = unit_of_work::run(&*sql, world.now_ms.get(), |work| {
            outcomes::record(&*sql, work, by, &answers)
        });
        recorded.unwrap().unwrap();
    };
    let first = claim(world.now_ms.get());
    world.advance(LEASE_MS);
    timers::bring_on(&*sql, world.now_ms.get()).unwrap();
    let second = claim(world.now_ms.get());
    assert_eq!((first.attempt, second.attempt), (1, 2));
    let refused = Outcomes {
        refused: vec![(0, DeliveryError::Blocked.into())],
        no_answer: vec![1],
        ..Outcomes::default()
    };
    record(first, refused);
    assert_eq!(counts(&world, &shop.key, &uid), json!({"QUEUED": 2}));
    let taken = Outcomes {
        taken: vec![(0, "a".to_owned())],
        ..Outcomes::default()
    };
    record(first, taken);
    assert_eq!(counts(&world, &shop.key, &uid), json!({"QUEUED": 1, "SUBMITTED": 1}));
    // A recipient that the current answer does not name may be at the carrier.
    record(second, Outcomes::default());
    assert_eq!(counts(&world, &shop.key, &uid), json!({"SUBMITTED": 1, "UNKNOWN": 1}));
}

#[test]
fn calls_that_the_runtime_forgets_block_a_carrier_no_longer_than_a_lease() {
    let (world, shop) = World::with_account(10_000);
    world.calls_hang.set(true);
    for number in ["09121234561", "09121234562", "09121234563"] {
        world.send(&shop.key, &[number]).expect(201);
        world.work();
    }
    world.calls_hang.set(false);
    world.settle(10_000);
    let inbox = world.inbox(&shop.id);
    assert!(inbox.is_empty(), "both calls that a carrier may have are under way");
    world.settle(60_000);
    assert!(world.inbox(&shop.id).values().all(|count| *count == (1, 0)));
    assert_eq!(world.balance(&shop.key), (7_000, 0));
}

#[test]
fn one_carriers_failure_drops_nobody_elses_results() {
    let (world, shop) = World::with_account(10_000);
    world
        .db
        .run("INSERT INTO carrier (name, kind, settings, created_ms) VALUES ('new', 'pigeon', '{}', 0)");
    let good = world.sent(&shop.key, &["09121234567"]);
    let bad = world.sent(&shop.key, &["09121234568"]);
    world.rows(&shop, "UPDATE chunk SET queue = '@new' WHERE message = 2");
    world.settle(10_000);
    assert_eq!(counts(&world, &shop.key, &good), json!({"DELIVERED": 1}));
    assert_eq!(counts(&world, &shop.key, &bad), json!({"QUEUED": 1}));
}

#[test]
fn a_carriers_id_leads_back_to_message_and_recipient() {
    let (world, shop) = World::with_account(10_000);
    world.report_later(10_000);
    world.send(&shop.key, &["09121234567", "09121234568"]).expect(201);
    world.settle(10_000);
    let rows = world
        .sandbox_sql(&shop.id)
        .run(&format!("SELECT note ->> 1 FROM {NOTES}"));
    let outcomes: Outcomes = serde_json::from_str(&rows[0].text(0).unwrap()).unwrap();
    assert_eq!(outcomes.taken, [(0, "1.0".to_owned()), (1, "1.1".to_owned())]);
}

#[test]
fn a_directory_that_fails_delays_messages_but_fails_none() {
    let (world, shop) = World::with_account(10_000);
    let uid = world.sent(&shop.key, &["09121234567"]);
    world.db.is_down.set(true);
    world.settle(2 * HOUR_MS);
    world.db.is_down.set(false);
    assert_eq!(world.sql(&shop.id).number("SELECT failures FROM chunk"), 0);
    world.settle(60_000);
    assert_eq!(counts(&world, &shop.key, &uid), json!({"DELIVERED": 1}));
}

#[test]
fn dead_letters_reach_the_directory_when_it_answers_again() {
    let (world, shop) = World::with_account(10_000);
    world.carriers_are_down.set(true);
    world.send(&shop.key, &["09121234567"]).expect(201);
    world.settle(1_000);
    let sql = world.sql(&shop.id);
    sql.run("UPDATE chunk SET failures = 11");
    world.advance(10_000);
    world.ring(&shop.id);
    world.db.is_down.set(true);
    world.settle(HOUR_MS);
    world.db.is_down.set(false);
    world.settle(60_000);
    assert_eq!(world.look("/admin/dead-letters").items().len(), 1);
    assert_eq!(sql.count("dead_letter"), 0);
}

#[test]
fn a_chunk_that_the_carrier_may_have_had_and_forgotten_is_not_handed_over_again() {
    let (world, shop) = World::with_account(10_000);
    let uid = world.sent(&shop.key, &["09121234567"]);
    // The carrier takes it, and the account's object can't note that.
    let sql = world.sql(&shop.id);
    sql.fail("UPDATE chunk SET queued = p.value", 1_000);
    world.work();
    assert_eq!(world.inbox(&shop.id).values().next(), Some(&(1, 0)));
    // The process dies. Nothing works for as long as a journal remembers, and the carrier's object wakes up first.
    world.kill();
    world.advance(7 * 24 * HOUR_MS + 2 * HOUR_MS);
    world.reports_are_lost.set(true);
    world.ring_carrier("sandbox", &shop.id);
    assert!(world.inbox(&shop.id).is_empty(), "it has forgotten the message");
    sql.fail("", 0);
    world.settle(HOUR_MS);
    assert!(world.inbox(&shop.id).is_empty(), "nothing was sent again");
    assert_eq!(counts(&world, &shop.key, &uid), json!({"UNKNOWN": 1}));
    assert_eq!(world.balance(&shop.key), (9_000, 1_000));
    world.settle(73 * HOUR_MS);
    assert_eq!(world.balance(&shop.key), (10_000, 0));
}

#[test]
fn a_recipient_that_one_call_reports_several_times_is_paid_and_counted_once() {
    let (world, shop) = World::with_account(10_000);
    world.change("/admin/plans/default", json!({"refunds": ["UNDELIVERED"]}));
    let uid = world.sent(&shop.key, &["09121234904", "09121235904", "09121236904"]);
    world.settle(10_000);
    assert_eq!(counts(&world, &shop.key, &uid), json!({"UNKNOWN": 3}));
    let reported = |status, indexes: &[u32]| DeliveryReport {
        is_presumed: false,
        message: 1,
        status,
        indexes: indexes.to_vec(),
        cause: None,
    };
    let reports = vec![
        reported(RecipientStatus::Delivered, &[0, 1, 0]),
        reported(RecipientStatus::Undelivered, &[2]),
        reported(RecipientStatus::Delivered, &[1, 0]),
        reported(RecipientStatus::Undelivered, &[0, 2, 1]),
        reported(RecipientStatus::Delivered, &[2]),
    ];
    to_end(reports::report(&world, "sandbox", &shop.id, reports)).unwrap();
    // The first ending of each counts.
    assert_eq!(
        counts(&world, &shop.key, &uid),
        json!({"DELIVERED": 2, "UNDELIVERED": 1})
    );
    assert_eq!(world.balance(&shop.key), (8_000, 0));
    let ledger = world.read(&shop.key, "/account/transactions");
    let entries = ledger.items();
    let settled = entries.iter().filter(|entry| entry["type"] == "SETTLE");
    let settled: i64 = settled.map(|entry| entry["amount"].as_i64().unwrap()).sum();
    assert_eq!(settled, 3_000);
    world.settle(80 * HOUR_MS);
    assert_eq!(world.balance(&shop.key), (8_000, 0));
}
