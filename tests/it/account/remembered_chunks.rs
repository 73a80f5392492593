//! Chunks that an object remembers from their claim to their answer are those that are stored: whichever statement fails, whoever
//! writes, and however many they are.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use peyk::account::chunk::outcomes::{self, By};
use peyk::account::chunk::reports::{Deliver, DeliveryReport};
use peyk::account::chunk::{claim_queued, timers};
use peyk::account::message::accept::SendMessage;
use peyk::account::message::halt::{CancelMessage, PauseMessage};
use peyk::account::record::account_row::Account;
use peyk::account::record::chunk::claim::{Capacity, Claim};
use peyk::account::record::chunk::handover::{Answer, Handover, Outcomes};
use peyk::account::record::chunk::loaded::{self, Loaded};
use peyk::account::record::chunk::queue::{self, Queue};
use peyk::account::record::chunk::recipients::Recipient;
use peyk::account::record::chunk::{ChunkId, LEASE_MS};
use peyk::account::record::message::callback::{Callback, CallbackFormat};
use peyk::account::record::message::delivery_error::{Cause, DeliveryError};
use peyk::account::record::message::status::RecipientStatus;
use peyk::account::record::message::{NewChunk, NewMessage, RecipientGroup};
use peyk::account::request::Request;
use peyk::account::unit_of_work::UnitOfWork;
use peyk::account::wallet::credit::AddCredit;
use peyk::account::{handle, unit_of_work};
use peyk::auth::Mode;
use peyk::auth::secret::MasterKey;
use peyk::base::ports::{PortError, Row, Sql};
use peyk::durable::remembered::{self, Memory, Remembered};
use peyk::durable::{Call, Payer};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::value::RawValue;

use super::batches::{self, ACCOUNT, BEGIN_MS, dump, service};
use crate::support::{Sqlite, cases};

/// Recipients of a chunk at most.
const CHUNK: usize = 500;
/// The object of a carrier that takes all chunks, while it has room.
const CARRIER: &str = "mobile/0";

/// An account with keys and much money.
fn account() -> Sqlite {
    let sql = batches::account();
    let credit = AddCredit {
        amount: 100_000_000,
        note: None,
        idempotency: None,
        until_ms: None,
    };
    Object::of(&sql).call(BEGIN_MS, &service(&credit)).unwrap();
    sql
}

/// An account's object, and what its carrier has got and has not answered.
struct Object<'a, S> {
    sql: &'a S,
    handed: RefCell<Vec<Handover>>,
    has_room: Cell<bool>,
}

impl<S> Capacity for Object<'_, S> {
    fn object_for(&self, _: i64, _: &str, _: &Queue, _: usize, _: &[Claim]) -> Option<String> {
        self.has_room.get().then(|| CARRIER.to_owned())
    }

    fn take(&self, _: i64, _: &str, claims: Vec<Claim>) {
        let handovers = claims.into_iter().map(|claim| claim.handover);
        self.handed.borrow_mut().extend(handovers);
    }
}

/// What is sent.
#[derive(Debug, Clone, Copy, Default)]
struct Sent {
    count: usize,
    has_callback: bool,
    lasts_ms: Option<i64>,
    is_scheduled: bool,
}

impl Sent {
    fn to(count: usize) -> Sent {
        Sent {
            count,
            ..Sent::default()
        }
    }

    fn message(self, now_ms: i64, uid: usize) -> NewMessage {
        // Those with a callback stand alone, so that the end of the first takes it from the others.
        let size = if self.has_callback { 1 } else { CHUNK };
        let recipient = |at: usize| format!("[{},700,{}]", 989_120_000_000 + at, at / size);
        let recipients: Vec<String> = (0..self.count).map(recipient).collect();
        let place = |at: usize| u32::try_from(at).unwrap();
        let chunk = |first: usize| {
            let last = self.count.min(first + size) - 1;
            NewChunk {
                avoid: Vec::new(),
                prefix: "98912".to_owned(),
                first: place(first),
                last: place(last),
                count: place(last + 1 - first),
            }
        };
        let callback = Callback {
            format: CallbackFormat::Twilio,
            url: "https://shop.example/".to_owned(),
            account: "AC7".to_owned(),
            key: "v1.AAAA".to_owned(),
        };
        NewMessage {
            count: place(self.count),
            all_parts: i64::try_from(self.count).unwrap(),
            cost: 700 * i64::try_from(self.count).unwrap(),
            recipients: vec![RecipientGroup {
                first: 0,
                items: RawValue::from_string(format!("[{}]", recipients.join(","))).unwrap(),
            }],
            chunks: (0..self.count).step_by(size).map(chunk).collect(),
            idempotency: None,
            callback: self.has_callback.then_some(callback),
            expires_ms: self.lasts_ms.map(|lasts_ms| now_ms + lasts_ms),
            send_at_ms: self.is_scheduled.then_some(BEGIN_MS + 1),
            ..batches::message(uid, 198)
        }
    }
}

/// What a carrier says of a chunk.
#[derive(Debug, Clone, Copy)]
enum Says {
    Takes,
    Delivers,
    /// It refuses the first recipient for good, and the others for now.
    Refuses,
    IsBusy,
    IsLate,
}

impl Says {
    fn of(self, now_ms: i64, handover: &Handover) -> Answer {
        let mut indexes = handover.recipients.iter().map(|(index, _)| *index);
        let mut outcomes = Outcomes::default();
        match self {
            Says::Takes => outcomes.taken = indexes.map(|index| (index, format!("id-{index}"))).collect(),
            Says::Delivers => indexes.for_each(|index| outcomes.end(index, RecipientStatus::Delivered, None)),
            Says::Refuses => {
                let cause = Cause::new(DeliveryError::Blocked, Some("027"));
                outcomes.refused = indexes.next().map(|index| (index, cause)).into_iter().collect();
                outcomes.not_now = indexes.collect();
            }
            Says::IsBusy => return Answer::Busy(now_ms + 50),
            Says::IsLate => return Answer::Late,
        }
        Answer::Outcomes(outcomes)
    }
}

/// What happens to the object.
#[derive(Debug, Clone, Copy)]
enum Step {
    Send(Sent),
    /// The carrier answers so many of its chunks, the oldest first.
    Answer(usize, Says),
    /// The call with the oldest of its chunks fails.
    Fail,
    /// The oldest of its chunks comes back without an answer, as when its lease ends.
    ComeBack,
    /// The object claims what is due.
    Claim,
    /// The sender pauses the newest message, or lets it go on.
    Pause(bool),
    Cancel,
    /// The carrier reports the recipients with these indexes of the newest message as delivered.
    Report(u32, u32),
}

impl<'a, S: Sql> Object<'a, S> {
    fn of(sql: &'a S) -> Self {
        Object {
            sql,
            handed: RefCell::default(),
            has_room: Cell::new(true),
        }
    }

    fn call(&self, now_ms: i64, call: &str) -> Result<String, PortError> {
        let answers = handle::handle(self.sql, now_ms, &[call], self, &MasterKey::default());
        Ok(answers.into_iter().next().unwrap()?.reply)
    }

    /// Asks the object by a key.
    fn ask<R: Request>(&self, now_ms: i64, request: &R) -> Result<String, PortError> {
        let payer = Payer {
            key: "a",
            paid: 0,
            address: None,
        };
        let call = Call::write(ACCOUNT, Some(payer), None, R::NAME, request).unwrap();
        self.call(now_ms, &call)
    }

    /// Takes a step. `newest` is the newest message before. Gives what has come of it, in words.
    fn take_step(&self, now_ms: i64, uid: usize, newest: &(i64, String), step: Step) -> Result<String, PortError> {
        match step {
            Step::Send(sent) => self.ask(now_ms, &SendMessage(sent.message(now_ms, uid))),
            Step::Answer(count, says) => self.answer(now_ms, count, says),
            Step::Fail => self.end_oldest(now_ms, |work, oldest| {
                outcomes::record_failure(self.sql, work, &[oldest.chunk])
            }),
            Step::ComeBack => self.end_oldest(now_ms, |work, oldest| {
                outcomes::lease_ended(self.sql, work, oldest.chunk.id())
            }),
            Step::Claim => self.claim(now_ms),
            Step::Pause(paused) => {
                let (uid, mode) = (newest.1.clone(), Mode::Live);
                self.ask(now_ms, &PauseMessage { uid, mode, paused })
            }
            Step::Cancel => {
                let (uid, mode) = (newest.1.clone(), Mode::Live);
                self.ask(now_ms, &CancelMessage { uid, mode })
            }
            Step::Report(first, last) => {
                let report = DeliveryReport {
                    message: newest.0,
                    status: RecipientStatus::Delivered,
                    indexes: (first..=last).collect(),
                    cause: None,
                    is_presumed: false,
                };
                let deliver = Deliver {
                    carrier: "mobile".to_owned(),
                    reports: vec![report],
                    asks_for_waits: false,
                };
                self.call(now_ms, &service(&deliver))
            }
        }
    }

    fn answer(&self, now_ms: i64, count: usize, says: Says) -> Result<String, PortError> {
        let answers: Vec<_> = {
            let handed = self.handed.borrow();
            let answer = |handover: &Handover| (handover.chunk, says.of(now_ms, handover));
            handed.iter().take(count).map(answer).collect()
        };
        let by = By {
            carrier: "mobile",
            has_other: false,
        };
        unit_of_work::run(self.sql, now_ms, |work| outcomes::record(self.sql, work, by, &answers))?;
        self.handed.borrow_mut().drain(..answers.len());
        Ok(format!("{answers:?}"))
    }

    fn end_oldest(
        &self,
        now_ms: i64,
        end: impl FnOnce(&mut UnitOfWork, &Handover) -> Result<(), PortError>,
    ) -> Result<String, PortError> {
        let Some(oldest) = self.handed.borrow().first().cloned() else {
            return Ok("the carrier has none".to_owned());
        };
        unit_of_work::run(self.sql, now_ms, |work| end(work, &oldest))?;
        self.handed.borrow_mut().remove(0);
        Ok(format!("{oldest:?}"))
    }

    fn claim(&self, now_ms: i64) -> Result<String, PortError> {
        let due = queue::all(self.sql)?.into_iter().find(|queue| queue.due_ms <= now_ms);
        let (Some(queue), Some(account)) = (due, Account::stored(self.sql)?) else {
            return Ok("nothing is due".to_owned());
        };
        let key = MasterKey::default();
        let claim = || claim_queued::claim(self.sql, now_ms, &account, &queue, CARRIER, &key);
        let claimed = self.sql.transaction(claim)?;
        let handovers = claimed.map(|claimed| claimed.handovers).unwrap_or_default();
        let told = format!("{handovers:?}");
        self.handed.borrow_mut().extend(handovers);
        Ok(told)
    }
}

/// The number and the uid of the newest message.
fn newest(sql: &Sqlite) -> (i64, String) {
    let rows = sql.run("SELECT message, uid FROM chunk WHERE number = 0 ORDER BY message DESC LIMIT 1");
    let read = |row: &Row| (row.int(0).unwrap(), row.text(1).unwrap());
    rows.first().map_or((0, String::new()), read)
}

fn ids(sql: &Sqlite, chunks: &str) -> Vec<ChunkId> {
    let rows = sql.run(&format!(
        "SELECT message, number FROM {chunks} ORDER BY message, number"
    ));
    let id = |row: &Row| (row.int(0).unwrap(), row.u32(1).unwrap());
    rows.iter().map(id).collect()
}

/// Lets the object remember these chunks, as they are stored.
fn remember(own: &impl Sql, ids: &[ChunkId]) {
    let load = || Ok(loaded::load(own, &ids.iter().copied().collect())?.into_iter().collect());
    remembered::keep::<Loaded>(own, [], load).unwrap();
}

/// Those of all chunks that the object remembers, and remembers afterwards. They are as they are stored.
fn known(sql: &Sqlite, own: &impl Sql) -> Vec<ChunkId> {
    let mut known = Vec::new();
    for id in ids(sql, "chunk") {
        let ids = BTreeSet::from([id]);
        let before = sql.runs.get();
        let found = loaded::load(own, &ids).unwrap();
        if sql.runs.get() > before {
            continue;
        }
        assert_eq!(found, loaded::load(sql, &ids).unwrap());
        remembered::keep(own, [], || Ok(found.into_iter().collect::<Vec<(ChunkId, Loaded)>>())).unwrap();
        known.push(id);
    }
    known
}

fn delivers(count: usize) -> Step {
    Step::Answer(count, Says::Delivers)
}

/// All that befalls chunks between their claim and their answer, and how many are remembered after each step.
fn story() -> Vec<(Step, usize)> {
    let send = |count| Step::Send(Sent::to(count));
    let answer = |count, says| Step::Answer(count, says);
    let with_callback = Sent {
        has_callback: true,
        ..Sent::to(2)
    };
    let short = Sent {
        lasts_ms: Some(1_000),
        ..Sent::to(2)
    };
    let scheduled = Sent {
        is_scheduled: true,
        ..Sent::to(2)
    };
    let ways = [
        // A large message and a lone one, whose answers come together.
        vec![
            (send(1), 1),
            (delivers(1), 0),
            (send(700), 2),
            (send(1), 3),
            (delivers(3), 0),
        ],
        // Answers of one chunk each, and a report that comes before its chunk's answer.
        vec![(send(700), 2), (answer(1, Says::Takes), 1), (Step::Report(600, 699), 0)],
        vec![(answer(1, Says::Takes), 0), (Step::Report(0, 599), 0)],
        // Refused for now, and claimed anew beside others.
        vec![
            (send(60), 1),
            (answer(1, Says::Refuses), 0),
            (Step::Claim, 1),
            (send(2), 2),
        ],
        vec![(delivers(1), 1), (delivers(1), 0)],
        // In doubt, and claimed anew for the same object.
        vec![
            (send(3), 1),
            (send(4), 2),
            (Step::Fail, 1),
            (Step::Claim, 2),
            (delivers(1), 1),
            (delivers(1), 0),
        ],
        vec![(send(2), 1), (Step::ComeBack, 0), (Step::Claim, 1), (delivers(1), 0)],
        // No room: who comes then waits behind.
        vec![
            (send(2), 1),
            (answer(1, Says::IsBusy), 0),
            (send(1), 0),
            (Step::Claim, 2),
        ],
        vec![(answer(2, Says::IsLate), 0), (Step::Claim, 2), (delivers(2), 0)],
        // What the sender of one says makes the object forget all.
        vec![
            (send(2), 1),
            (send(3), 2),
            (Step::Pause(true), 0),
            (answer(2, Says::Refuses), 0),
        ],
        vec![
            (Step::Pause(false), 0),
            (Step::Claim, 2),
            (Step::Cancel, 0),
            (answer(2, Says::Refuses), 0),
        ],
        vec![(Step::Send(with_callback), 1), (delivers(1), 0), (delivers(1), 0)],
        vec![(Step::Send(short), 1), (answer(1, Says::IsBusy), 0)],
        vec![
            (Step::Send(scheduled), 0),
            (send(51), 1),
            (delivers(1), 0),
            (send(1_000), 2),
            (delivers(2), 0),
        ],
    ];
    ways.concat()
}

#[test]
fn whichever_statement_fails_what_is_remembered_of_chunks_is_what_is_stored() {
    let (sql, twin) = (account(), account());
    let memory = Memory::default();
    let own = memory.of(&sql);
    let (object, other) = (Object::of(&own), Object::of(&twin));
    let mut failures = 0;
    for (at, (step, remembered)) in story().into_iter().enumerate() {
        let now_ms = BEGIN_MS + 5_000 * i64::try_from(at).unwrap();
        let (newest, warm, before) = (newest(&sql), known(&sql, &own), dump(&sql, &own));
        let told = 'failing: {
            for failing in 0.. {
                remember(&own, &warm);
                sql.fails_in.set(Some(failing));
                let told = object.take_step(now_ms, at, &newest, step);
                if sql.fails_in.take().is_some() {
                    break 'failing told;
                }
                failures += 1;
                assert!(told.is_err(), "step {at}, statement {failing}: {told:?}");
                // A statement outside of a transaction has failed, or all is forgotten.
                assert!(
                    [&[][..], &warm].contains(&&known(&sql, &own)[..]),
                    "step {at}, statement {failing}"
                );
                assert_eq!(dump(&sql, &own), before, "step {at}, statement {failing}");
            }
            unreachable!()
        };
        assert_eq!(
            told.unwrap(),
            other.take_step(now_ms, at, &newest, step).unwrap(),
            "step {at}: {step:?}"
        );
        assert_eq!(known(&sql, &own).len(), remembered, "step {at}: {step:?}");
        assert_eq!(dump(&sql, &own), dump(&twin, &twin), "step {at}: {step:?}");
    }
    assert!(failures > 250, "{failures} failures");
    assert_eq!(sql.count("recipient WHERE money = 0"), 2, "those that are scheduled");
}

fn steps() -> impl Strategy<Value = Vec<(Step, i64, bool)>> {
    let says = || {
        prop::sample::select(vec![
            Says::Takes,
            Says::Delivers,
            Says::Refuses,
            Says::IsBusy,
            Says::IsLate,
        ])
    };
    let sent = (
        prop::sample::select(vec![1, 1, 2, 55, 700]),
        prop::bool::weighted(0.2),
        prop::option::weighted(0.2, 1..60_000i64),
        prop::bool::weighted(0.1),
    );
    let sent = sent.prop_map(|(count, has_callback, lasts_ms, is_scheduled)| Sent {
        count,
        has_callback: has_callback && count < 3,
        lasts_ms,
        is_scheduled,
    });
    let step = prop_oneof![
        6 => sent.prop_map(Step::Send),
        6 => (1usize..4, says()).prop_map(|(count, says)| Step::Answer(count, says)),
        2 => Just(Step::Fail),
        1 => Just(Step::ComeBack),
        4 => Just(Step::Claim),
        1 => any::<bool>().prop_map(Step::Pause),
        1 => Just(Step::Cancel),
        2 => (0u32..700, 0u32..100).prop_map(|(first, more)| Step::Report(first, first + more)),
    ];
    let wait_ms = prop_oneof![Just(0), 1..5_000i64, Just(LEASE_MS)];
    vec((step, wait_ms, prop::bool::weighted(0.05)), 1..60)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases(64)) })]

    #[test]
    fn an_object_that_remembers_does_what_one_does_that_reads_all(steps in steps()) {
        let (sql, twin) = (account(), account());
        let memory = Memory::default();
        let own = memory.of(&sql);
        let (object, other) = (Object::of(&own), Object::of(&twin));
        let mut now_ms = BEGIN_MS;
        for (at, (step, wait_ms, forgets)) in steps.into_iter().enumerate() {
            now_ms += wait_ms;
            while timers::bring_on(&twin, now_ms).unwrap() {}
            while timers::bring_on(&own, now_ms).unwrap() {}
            let newest = newest(&sql);
            let told = object.take_step(now_ms, at, &newest, step).unwrap();
            prop_assert_eq!(told, other.take_step(now_ms, at, &newest, step).unwrap());
            known(&sql, &own);
            prop_assert_eq!(dump(&sql, &own), dump(&twin, &twin));
            if forgets {
                memory.forget();
            }
        }
    }
}

#[test]
fn a_remembered_chunk_that_is_not_the_stored_one_is_found_when_it_is_loaded() {
    if !cfg!(debug_assertions) {
        return;
    }
    for change in [
        "refunds = ''",
        "line = 'another'",
        "test = 1",
        "created_ms = created_ms - 86400000",
        "expires_ms = 7",
        "halt = 1",
        "callback = '{}'",
        "sender = 7",
        "campaign = 7",
        "state = 1",
        "due_ms = due_ms + 1",
        "attempt = 2",
        "failures = 1",
        "doubt_ms = 7",
        "queued = 1",
        "active = 1",
        "open = 1",
        "class = 0",
        "ready_ms = 7",
        "recipients = replace(recipients, ',700,', ',800,')",
        "recipients = replace(recipients, '989120000059', '0')",
    ] {
        let sql = account();
        let memory = Memory::default();
        let own = memory.of(&sql);
        let object = Object::of(&own);
        let step = |step| object.take_step(BEGIN_MS, 0, &newest(&sql), step).unwrap();
        step(Step::Send(Sent::to(60)));
        sql.run(&format!("UPDATE chunk SET {change} WHERE number = 0"));
        let panic = catch_unwind(AssertUnwindSafe(|| step(delivers(1)))).unwrap_err();
        let words = panic.downcast_ref::<String>().unwrap();
        assert!(
            words.starts_with("what is remembered is not what is stored"),
            "{change}: {words}"
        );
    }
}

#[test]
fn who_waits_in_a_queue_that_was_empty_is_overtaken_by_nobody() {
    let sql = account();
    let memory = Memory::default();
    let own = memory.of(&sql);
    let object = Object::of(&own);
    let step = |now_ms, step| object.take_step(now_ms, 0, &newest(&sql), step).unwrap();
    let handed = || object.handed.borrow().len();
    let send = Step::Send(Sent::to(1));
    step(BEGIN_MS, send);
    assert_eq!(handed(), 1, "the queue is empty");
    object.has_room.set(false);
    step(BEGIN_MS, send);
    object.has_room.set(true);
    step(BEGIN_MS, send);
    assert_eq!(handed(), 1, "the one before waits");
    step(BEGIN_MS, Step::Claim);
    step(BEGIN_MS, send);
    assert_eq!(handed(), 4, "the queue is empty");
    step(BEGIN_MS, Step::Answer(4, Says::IsBusy));
    step(BEGIN_MS + 1_000, send);
    assert_eq!(handed(), 0, "they are back");
}

#[test]
fn a_queue_that_the_object_remembers_and_others_fill_is_found_when_somebody_is_accepted() {
    if !cfg!(debug_assertions) {
        return;
    }
    let sql = account();
    let memory = Memory::default();
    let own = memory.of(&sql);
    let object = Object::of(&own);
    let send = || {
        object
            .take_step(BEGIN_MS, 0, &newest(&sql), Step::Send(Sent::to(1)))
            .unwrap()
    };
    send();
    assert_eq!(object.handed.borrow().len(), 1);
    sql.run("UPDATE chunk SET state = 1 WHERE message = 1");
    let panic = catch_unwind(AssertUnwindSafe(send)).unwrap_err();
    let words = panic.downcast_ref::<String>().unwrap();
    assert!(words.starts_with("what is remembered is not what is stored"), "{words}");
}

#[test]
fn whoever_writes_the_chunks_in_another_way_the_object_reads_all_anew() {
    let sql = account();
    let memory = Memory::default();
    let own = memory.of(&sql);
    let object = Object::of(&own);
    for count in [1, 700] {
        let sent = Step::Send(Sent::to(count));
        object.take_step(BEGIN_MS, count, &newest(&sql), sent).unwrap();
    }
    let warm = known(&sql, &own);
    assert_eq!(warm.len(), 3);
    for statement in [
        "UPDATE chunk SET halt = 1 WHERE message = 1 AND number = 0",
        "UPDATE OR IGNORE chunk SET ready_ms = ready_ms WHERE number = 7",
        "INSERT OR IGNORE INTO chunk SELECT * FROM chunk",
        "REPLACE INTO chunk SELECT * FROM chunk WHERE message = 1",
        "DELETE FROM chunk WHERE message = 7",
        "delete from chunk where message = 7",
        "WITH one (value) AS (SELECT 7) UPDATE chunk SET ready_ms = (SELECT value FROM one) WHERE message = 1",
    ] {
        own.exec(statement, &[]).unwrap();
        assert_eq!(known(&sql, &own), [], "{statement}");
        remember(&own, &warm);
        own.transaction(|| own.exec(statement, &[])).unwrap();
        assert_eq!(known(&sql, &own), [], "in a transaction: {statement}");
        remember(&own, &warm);
    }
    for statement in [
        "SELECT recipients FROM chunk",
        "UPDATE account SET tat_us = (SELECT max(message) FROM chunk)",
        "INSERT OR IGNORE INTO number SELECT 989120000000, message FROM chunk",
        "DELETE FROM event WHERE body = 'chunk'",
    ] {
        own.exec(statement, &[]).unwrap();
        assert_eq!(known(&sql, &own), warm, "{statement}");
    }
}

#[test]
fn of_more_chunks_than_a_megabyte_the_oldest_are_forgotten_and_all_end_alike() {
    const MESSAGES: usize = 30;
    let sql = account();
    let memory = Memory::default();
    let own = memory.of(&sql);
    let object = Object::of(&own);
    for at in 0..MESSAGES {
        let now_ms = BEGIN_MS + 1_000 * i64::try_from(at).unwrap();
        let sent = Step::Send(Sent::to(2 * CHUNK));
        object.take_step(now_ms, at, &newest(&sql), sent).unwrap();
    }
    let (claimed, known_before) = (ids(&sql, "chunk WHERE state = 2"), known(&sql, &own));
    assert_eq!(claimed.len(), 2 * MESSAGES);
    assert_eq!(
        known_before,
        claimed[claimed.len() - known_before.len()..],
        "the newest"
    );
    let octets = known_before.len() * CHUNK * size_of::<Recipient>();
    assert!((700_000..=Loaded::MAX_OCTETS).contains(&octets), "{octets}");
    for _ in 0..MESSAGES {
        object
            .take_step(BEGIN_MS + 60_000, 0, &newest(&sql), delivers(2))
            .unwrap();
    }
    assert_eq!(known(&sql, &own), []);
    let delivered = i64::try_from(MESSAGES * 2 * CHUNK).unwrap();
    assert_eq!(sql.count("recipient WHERE status = 4 AND money = 1"), delivered);
    let row = Account::stored(&own).unwrap().unwrap();
    assert_eq!((row.wallet.locked, row.wallet.spent), (0, 700 * delivered));
}
