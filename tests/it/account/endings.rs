//! Carriers that tell with their answer how messages ended: that comes to the same as an answer and reports later.

use peyk::account::chunk::outcomes::By;
use peyk::account::chunk::reports::DeliveryReport;
use peyk::account::chunk::{claim_queued, outcomes, timers};
use peyk::account::record::chunk::handover::{Answer, ChunkRef, Ended, Handover, Outcomes};
use peyk::account::record::chunk::{LEASE_MS, queue};
use peyk::account::record::message::delivery_error::{Cause, DeliveryError};
use peyk::account::record::message::status::RecipientStatus;
use peyk::account::unit_of_work;
use peyk::auth::secret::MasterKey;
use peyk::base::ports::{IncomingResponse, Row};
use peyk::carrier::reports;
use serde_json::{Value, json};

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use crate::support::{Account, World, time::HOUR_MS, to_end, whole};

/// All that two ways of telling must agree in.
#[derive(Debug, PartialEq)]
struct Effects {
    recipients: Vec<Row>,
    ledger: Vec<Row>,
    usage: Vec<Row>,
    chunks: Vec<Row>,
    wallet: (i64, i64),
    /// What an endpoint was told of each recipient, in the order of the events.
    told: BTreeMap<String, Vec<String>>,
    taken: BTreeMap<String, (u64, u64)>,
}

/// Sends to numbers of all endings, in messages of one chunk and of two, and lets them end.
fn effects(reports_later: bool, refunds: &[&str]) -> Effects {
    let (world, shop) = World::with_busy_account(100_000_000);
    if reports_later {
        world.report_later(10_000);
    }
    world.change("/admin/plans/default", json!({ "refunds": refunds }));
    let told = listen(&world, &shop);
    let number = |at: usize| format!("0912{at:04}{}", [100, 901, 902, 903, 904, 905][at % 6]);
    for count in [1, 6, 7, 700] {
        let numbers: Vec<String> = (0..count).map(number).collect();
        let numbers: Vec<&str> = numbers.iter().map(String::as_str).collect();
        world.send(&shop.key, &numbers).expect(201);
        world.settle(HOUR_MS);
    }
    let rows = |query: &str| world.rows(&shop, query);
    let taken = world.inbox(&shop.id);
    let local = |uid: &str| uid.rsplit_once('-').unwrap().1.to_owned();
    Effects {
        recipients: rows("SELECT message, idx, status, money, carrier, error FROM recipient ORDER BY message, idx"),
        // A refund comes with the report, which may be after other entries of the message.
        ledger: rows(&whole(
            "SELECT message, kind, amount FROM all_ledger ORDER BY message, kind, amount",
        )),
        usage: rows(&whole(
            "SELECT carrier, messages, recipients, parts, cost, returned, delivered, undelivered, expired, rejected, \
               unknown FROM all_usage ORDER BY carrier",
        )),
        chunks: rows("SELECT message, number, state, queued, active, open FROM chunk ORDER BY message, number"),
        wallet: world.balance(&shop.key),
        told: told
            .borrow()
            .iter()
            .map(|(uid, told)| (local(uid), told.clone()))
            .collect(),
        taken: taken.into_iter().map(|(uid, counts)| (local(&uid), counts)).collect(),
    }
}

/// What an endpoint is told of each recipient, in the order of the events' ids.
fn listen(world: &World, shop: &Account) -> Rc<RefCell<BTreeMap<String, Vec<String>>>> {
    let told = Rc::new(RefCell::new(BTreeMap::<String, Vec<String>>::new()));
    let noted = Rc::clone(&told);
    world.receive(move |request| {
        let body: Value = serde_json::from_str(&request.body).unwrap();
        for recipient in body["data"]["recipients"].as_array().unwrap() {
            let text = |name: &str| recipient[name].as_str().unwrap().to_owned();
            noted.borrow_mut().entry(text("uid")).or_default().push(text("status"));
        }
        Some(Ok(IncomingResponse {
            status: 200,
            retry_after: None,
            body: String::new(),
        }))
    });
    let endpoint = json!({"url": "https://shop.example/", "events": ["message.status", "message.submitted"]});
    world.posted(&shop.key, "/webhook", endpoint);
    told
}

#[test]
fn endings_in_an_answer_have_the_effects_of_an_answer_and_its_reports() {
    for refunds in [&[][..], &["UNDELIVERED"], &["UNDELIVERED", "EXPIRED"]] {
        let mut found = [false, true].map(|reports_later| effects(reports_later, refunds));
        for found in &mut found {
            for told in found.told.values_mut() {
                // The attempts of two events may cross.
                told.sort_unstable();
            }
        }
        let [with_answer, later] = found;
        assert!(with_answer == later, "{refunds:?}: {with_answer:?} {later:?}");
        assert_eq!(with_answer.taken.len(), 714, "the list of the sandbox has each of them");
        let hesitated = with_answer.taken.values().filter(|counts| **counts == (1, 2));
        assert_eq!(hesitated.count(), 118);
        assert!(
            with_answer
                .told
                .values()
                .any(|told| *told == ["DELIVERED", "SUBMITTED"])
        );
    }
}

/// A message to three recipients, of whom the carrier has a claim.
struct Claimed {
    world: World,
    shop: Account,
    uid: String,
    claim: ChunkRef,
}

impl Claimed {
    fn new() -> Claimed {
        let (world, shop) = World::with_account(10_000);
        world.change("/admin/plans/default", json!({"refunds": ["UNDELIVERED"]}));
        let uid = world.sent(&shop.key, &["09121234567", "09121234568", "09121234569"]);
        let mut claimed = Claimed {
            claim: ChunkRef {
                message: 1,
                number: 0,
                attempt: 0,
            },
            world,
            shop,
            uid,
        };
        claimed.claim_again();
        claimed
    }

    fn claim_again(&mut self) {
        let (sql, now_ms) = (self.world.sql(&self.shop.id), self.world.now_ms.get());
        let queue = queue::all(&*sql).unwrap().remove(0);
        let object = format!("sandbox/{}", self.shop.id);
        let claim = claim_queued::claim(
            &*sql,
            now_ms,
            &self.world.stored(&self.shop),
            &queue,
            &object,
            &MasterKey::default(),
        )
        .unwrap()
        .unwrap();
        self.claim = claim.handovers[0].chunk;
    }

    fn end_lease(&self) {
        self.world.advance(LEASE_MS);
        timers::bring_on(&*self.world.sql(&self.shop.id), self.world.now_ms.get()).unwrap();
    }

    fn record(&self, claim: ChunkRef, outcomes: &Outcomes) {
        let (sql, answers) = (
            self.world.sql(&self.shop.id),
            [(claim, Answer::Outcomes(outcomes.clone()))],
        );
        let by = By {
            carrier: "sandbox",
            has_other: false,
        };
        unit_of_work::run(&*sql, self.world.now_ms.get(), |work| {
            outcomes::record(&*sql, work, by, &answers)
        })
        .unwrap()
        .unwrap();
    }

    fn counts(&self) -> Value {
        self.world.message(&self.shop.key, &self.uid).json["data"]["counts"].clone()
    }

    fn entries(&self) -> Vec<(String, i64)> {
        let rows = self
            .world
            .rows(&self.shop, &whole("SELECT kind, amount FROM all_ledger ORDER BY seq"));
        let read = |row: &Row| (row.text(0).unwrap(), row.int(1).unwrap());
        rows.iter().skip(2).map(read).collect()
    }

    /// What the carrier took, by the usage: recipients, delivered, undelivered.
    fn usage(&self) -> (i64, i64, i64) {
        let query = "SELECT coalesce(sum(recipients), 0), sum(delivered), sum(undelivered) \
                     FROM all_usage WHERE carrier = 'sandbox'";
        let row = &self.world.rows(&self.shop, &whole(query))[0];
        (row.int(0).unwrap(), row.int(1).unwrap_or(0), row.int(2).unwrap_or(0))
    }
}

fn ended(status: RecipientStatus, indexes: &[u32], cause: Option<Cause>) -> Ended {
    Ended {
        status,
        indexes: indexes.to_vec(),
        cause,
    }
}

fn absent() -> Option<Cause> {
    Some(Cause::new(DeliveryError::AbsentSubscriber, Some("027")))
}

#[test]
fn an_answer_with_endings_counts_once_however_often_and_late_it_comes() {
    let mut claimed = Claimed::new();
    let first = claimed.claim;
    let outcomes = Outcomes {
        ended: vec![
            ended(RecipientStatus::Delivered, &[0], None),
            ended(RecipientStatus::Undelivered, &[1], absent()),
        ],
        not_now: vec![2],
        ..Outcomes::default()
    };
    // The answer comes when its lease has ended and another claim is under way. Then it says of the third nothing that counts.
    claimed.end_lease();
    claimed.claim_again();
    for _ in 0..2 {
        claimed.record(first, &outcomes);
        assert_eq!(claimed.counts(), json!({"DELIVERED": 1, "UNDELIVERED": 1, "QUEUED": 1}));
        assert_eq!(claimed.world.number(&claimed.shop, "SELECT state FROM chunk"), 2);
    }
    // The newer claim is answered from the journal, and has the third.
    let all = Outcomes {
        not_now: Vec::new(),
        ended: [outcomes.ended, vec![ended(RecipientStatus::Delivered, &[2], None)]].concat(),
        ..outcomes
    };
    for _ in 0..2 {
        claimed.record(claimed.claim, &all);
        assert_eq!(claimed.counts(), json!({"DELIVERED": 2, "UNDELIVERED": 1}));
    }
    let entry = |kind: &str, amount| (kind.to_owned(), amount);
    let wanted = [entry("SETTLE", 2_000), entry("REFUND", 1_000), entry("SETTLE", 1_000)];
    assert_eq!(claimed.entries(), wanted);
    assert_eq!(claimed.world.balance(&claimed.shop.key), (8_000, 0));
    assert_eq!(claimed.usage(), (3, 2, 1));
    assert_eq!(claimed.world.number(&claimed.shop, "SELECT state FROM chunk"), 4);
    let error = "SELECT idx FROM recipient WHERE error = 'ABSENT_SUBSCRIBER' AND error_code = '027'";
    assert_eq!(claimed.world.number(&claimed.shop, error), 1);
}

#[test]
fn an_ending_that_says_of_no_taking_is_none() {
    let claimed = Claimed::new();
    let outcomes = Outcomes {
        ended: vec![
            ended(RecipientStatus::Canceled, &[0], None),
            ended(RecipientStatus::Rejected, &[1], None),
            ended(RecipientStatus::Submitted, &[2], None),
        ],
        ..Outcomes::default()
    };
    claimed.record(claimed.claim, &outcomes);
    // Who is not named otherwise may be at the carrier.
    assert_eq!(claimed.counts(), json!({"UNKNOWN": 2, "SUBMITTED": 1}));
}

#[test]
fn an_ending_that_comes_when_the_chunk_is_given_up_is_like_a_late_report() {
    let claimed = Claimed::new();
    let no_answer = Outcomes {
        no_answer: vec![0, 1, 2],
        ..Outcomes::default()
    };
    claimed.record(claimed.claim, &no_answer);
    assert_eq!(claimed.counts(), json!({"UNKNOWN": 3}));
    let late = Outcomes {
        ended: vec![ended(RecipientStatus::Delivered, &[0, 1, 2], None)],
        ..Outcomes::default()
    };
    claimed.record(claimed.claim, &late);
    assert_eq!(claimed.counts(), json!({"DELIVERED": 3}));
    assert_eq!(claimed.entries(), [("SETTLE".to_owned(), 3_000)]);
    assert_eq!(claimed.usage(), (3, 3, 0));
}

#[test]
fn the_list_of_the_sandbox_has_each_recipient_once_however_large_its_pages_are() {
    let (world, shop) = World::with_busy_account(100_000_000);
    let own =
        |at: usize| json!({"recipient": format!("0912{at:04}{}", [100, 905][at % 2]), "message": format!("to {at}")});
    for count in [3, 1, 600, 2] {
        let messages: Vec<Value> = (0..count).map(own).collect();
        world.posted(&shop.key, "/sms/bulk", json!({ "messages": messages }));
        world.settle(HOUR_MS);
    }
    for limit in [2, 7, 200] {
        let items = world.all(&world.admin_key, &shop.path(&format!("/sandbox?limit={limit}")));
        assert_eq!(items.len(), 606, "{limit}");
        let mut uids: Vec<&str> = items.iter().map(|item| item["uid"].as_str().unwrap()).collect();
        uids.sort_unstable();
        uids.dedup();
        assert_eq!(uids.len(), 606, "{limit}");
        for item in &items {
            let (number, at) = (item["recipient"].as_str().unwrap(), item["uid"].as_str().unwrap());
            let refused = if number.ends_with("905") { 2 } else { 0 };
            assert_eq!(
                [&item["taken"], &item["refused"]],
                [&json!(1), &json!(refused)],
                "{item}"
            );
            let (_, index) = at.rsplit_once('.').unwrap();
            assert_eq!(item["message"], format!("to {index}"));
        }
    }
}

/// Statements in the account's object that accept a message alone, transactions included: two write, and none reads what the object
/// remembers.
const ACCEPTED: u64 = 4;
/// Statements in the account's object and in the sandbox's until it has ended.
const ALONE: (u64, u64) = (4, 4);

#[test]
fn a_message_alone_is_handed_over_and_ended_with_few_statements() {
    let (world, shop) = World::with_busy_account(100_000_000);
    for number in ["09121234567", "09121234568"] {
        world.send(&shop.key, &[number]).expect(201);
        world.settle(3_000);
    }
    let runs = || (world.sql(&shop.id).runs.get(), world.sandbox_sql(&shop.id).runs.get());
    let sent = runs();
    let uid = world.sent(&shop.key, &["09121234569"]);
    let before = runs();
    while world.work() {}
    let (after, counts) = (runs(), &world.message(&shop.key, &uid).json["data"]["counts"]);
    assert_eq!(*counts, json!({"DELIVERED": 1}));
    let found = (after.0 - before.0, after.1 - before.1);
    assert_eq!(
        (before.0 - sent.0, found),
        (ACCEPTED, ALONE),
        "if these are fewer, lower the pin"
    );
}

/// The statements that note an answer to so many chunks of one recipient each, and then a report about all of them.
fn statements(chunks: usize) -> [u64; 2] {
    let (world, shop) = World::with_busy_account(100_000_000);
    for number in 0..chunks {
        world.send(&shop.key, &[&format!("0912{number:04}100")]).expect(201);
    }
    let (sql, now_ms) = (world.sql(&shop.id), world.now_ms.get());
    let queue = queue::all(&*sql).unwrap().remove(0);
    let claimed = claim_queued::claim(
        &*sql,
        now_ms,
        &world.stored(&shop),
        &queue,
        "sandbox/x",
        &MasterKey::default(),
    )
    .unwrap()
    .unwrap();
    assert_eq!(claimed.handovers.len(), chunks);
    let taken = Outcomes {
        taken: vec![(0, "a".to_owned())],
        ..Outcomes::default()
    };
    let answer = |handover: &Handover| (handover.chunk, Answer::Outcomes(taken.clone()));
    let answers: Vec<_> = claimed.handovers.iter().map(answer).collect();
    let by = By {
        carrier: "sandbox",
        has_other: false,
    };
    let before = sql.runs.get();
    unit_of_work::run(&*sql, now_ms, |work| outcomes::record(&*sql, work, by, &answers)).unwrap();
    let answered = sql.runs.get();
    let report = |handover: &Handover| DeliveryReport {
        is_presumed: false,
        message: handover.chunk.message,
        status: RecipientStatus::Delivered,
        indexes: vec![0],
        cause: None,
    };
    let reports = claimed.handovers.iter().map(report).collect();
    to_end(reports::report(&world, "sandbox", &shop.id, reports)).unwrap();
    let counts = [answered - before, sql.runs.get() - answered];
    assert_eq!(
        world.count(&shop, "recipient WHERE status = 4"),
        i64::try_from(chunks).unwrap()
    );
    counts
}

#[test]
fn an_answer_and_reports_about_many_chunks_cost_as_many_statements_as_about_one() {
    // So few that their entries fill no page of the ledger, which is a statement more.
    assert_eq!(statements(15), statements(1));
}
