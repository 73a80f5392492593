//! Calls of one account that travel together: however they are put together, their answers and what is stored are the same.

use peyk::account::blacklist::{AddToBlacklist, ListBlacklist, RemoveFromBlacklist};
use peyk::account::chunk::reports::{Deliver, DeliveryReport};
use peyk::account::chunk::timers;
use peyk::account::inbound::{Choice, Receive};
use peyk::account::keys::authority::Authority;
use peyk::account::keys::caps::Caps;
use peyk::account::keys::requests::{IssueKey, ListKeys, NewImprints, RevokeKey};
use peyk::account::limiter::Limit;
use peyk::account::message::accept::{EstimateMessage, SendMessage};
use peyk::account::message::charge::Charge;
use peyk::account::message::halt::{CancelMessage, PauseMessage};
use peyk::account::message::list::{ListMessages, MessageFilter};
use peyk::account::message::patterns::NotePatternChange;
use peyk::account::message::read::{GetMessage, ListRecipients, RecipientFilter};
use peyk::account::outbox::events::NoteWebhooks;
use peyk::account::overview::{Configure, GetOverview};
use peyk::account::record::caps::{RecipientLimit, SpendLimit};
use peyk::account::record::chunk::claim::NoCapacity;
use peyk::account::record::idempotency::{Idempotency, Space};
use peyk::account::record::message::callback::{Callback, CallbackFormat};
use peyk::account::record::message::delivery_error::DeliveryError;
use peyk::account::record::message::status::RecipientStatus;
use peyk::account::record::message::{MessageKind, NewChunk, NewMessage, Page, RecipientGroup, UsedPattern};
use peyk::account::refusal::Refusal;
use peyk::account::request::{After, Request};
use peyk::account::wallet::credit::AddCredit;
use peyk::account::wallet::entries::{EntryFilter, ListTransactions};
use peyk::account::{handle, schema, unit_of_work};
use peyk::auth::secret::MasterKey;
use peyk::auth::{Mode, Scope, imprint::Imprint};
use peyk::base::ports::{PortError, Sql, Value};
use peyk::durable::remembered::Memory;
use peyk::durable::{Call, Payer};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::value::RawValue;

use crate::support::{Sqlite, cases};

pub const ACCOUNT: &str = "shop";
pub const BEGIN_MS: i64 = 1_767_225_600_000;
const UNREADABLE: &str = r#"{"v":1,"to":"shop","request":"SendMessage","body":{"uid":7}}"#;

/// A call: which one, by which key, with which number for all that varies in it.
#[derive(Debug, Clone, Copy)]
pub struct Drawn {
    pub what: u8,
    pub key: u8,
    pub number: u32,
}

/// Calls that come at one time, and how they are put together.
#[derive(Debug, Clone)]
struct Round {
    wait_ms: i64,
    calls: Vec<Drawn>,
    /// After how many calls a new batch begins, each time.
    splits: Vec<usize>,
    /// Whether the storage fails once, at the first of these statements.
    fails: Option<&'static str>,
    /// Whether the object loses its memory afterwards.
    forgets: bool,
}

fn drawn() -> impl Strategy<Value = Drawn> {
    // Half of the calls are sends.
    (0u8..36, 0u8..5, any::<u32>()).prop_map(|(what, key, number)| Drawn { what, key, number })
}

fn rounds() -> impl Strategy<Value = Vec<Round>> {
    let wait_ms = prop_oneof![Just(0), 1..2_000i64, Just(25 * 60 * 60 * 1_000), Just(-5_000)];
    let failing = prop_oneof![
        4 => Just(None),
        1 => Just(Some("INSERT INTO chunk")),
        1 => Just(Some("UPDATE account")),
        1 => Just(Some("FROM api_key")),
        1 => Just(Some("INSERT INTO ledger")),
    ];
    let round = (
        wait_ms,
        vec(drawn(), 1..80),
        vec(1usize..70, 1..10),
        failing,
        any::<bool>(),
    );
    let round = round.prop_map(|(wait_ms, calls, splits, fails, forgets)| Round {
        wait_ms,
        calls,
        splits,
        fails,
        forgets,
    });
    vec(round, 1..6)
}

fn idempotency(number: u32) -> Option<Idempotency> {
    // Few keys and two bodies, so that repeats and mismatches come within a batch and across batches.
    number.is_multiple_of(3).then(|| Idempotency {
        space: [Space::Live, Space::Test][number as usize / 3 % 2],
        key: format!("key {}", number / 6 % 4),
        hash: format!("hash {}", number / 24 % 8 / 7),
    })
}

/// The uid that a message gets as this number of its account.
fn uid_of(number: usize) -> String {
    format!("019b796d-a000-7000-8000-{number:012x}")
}

pub fn message(uid: usize, number: u32) -> NewMessage {
    let count = [1, 1, 1, 2, 5, 250][number as usize % 6];
    let test = (number / 6).is_multiple_of(5);
    let cost = if test { 0 } else { 700 };
    let items: Vec<String> = (0..count)
        .map(|at| format!("[{},{cost},0]", 989_120_000_000_u64 + u64::from(number / 30 % 40) + at))
        .collect();
    let pattern = |heard| UsedPattern {
        slug: format!("pattern {}", number / 7 % 3),
        revision: i64::from(number / 21 % 3),
        heard,
    };
    NewMessage {
        uid: uid_of(uid),
        kind: [MessageKind::Plain, MessageKind::Pattern][number as usize / 3 % 2],
        line: format!("1000{}", number % 2),
        test,
        text: "a \"quoted\" text\nسلام".to_owned(),
        redacted: (number % 7 == 3).then(|| "a \"quoted\" ••••\nسلام".to_owned()),
        encoding: "UCS2".to_owned(),
        parts: 1,
        all_parts: i64::try_from(count).unwrap(),
        cost: cost * i64::try_from(count).unwrap(),
        unit: "IRR".to_owned(),
        refunds: vec![RecipientStatus::Undelivered],
        client_ref: (number % 4 == 1).then(|| format!("order {}", number % 9)),
        send_at_ms: ((number / 11).is_multiple_of(4)).then_some(BEGIN_MS + 60_000),
        opens_ms: None,
        keeps_hours: false,
        expires_ms: ((number / 17).is_multiple_of(3)).then_some(BEGIN_MS + 90_000),
        idempotency: idempotency(number / 5).map(|key| Idempotency {
            space: if test { Space::Test } else { Space::Live },
            ..key
        }),
        sending_enabled: !number.is_multiple_of(50),
        patterns: match number / 13 % 4 {
            0 => vec![pattern(None)],
            1 => vec![pattern(Some(i64::from(number / 52 % 3)))],
            _ => Vec::new(),
        },
        sources: vec!["phonebook:1".to_owned()],
        count: u32::try_from(count).unwrap(),
        recipients: vec![RecipientGroup {
            first: 0,
            items: RawValue::from_string(format!("[{}]", items.join(","))).unwrap(),
        }],
        chunks: vec![NewChunk {
            avoid: Vec::new(),
            prefix: "98912".to_owned(),
            first: 0,
            last: u32::try_from(count).unwrap() - 1,
            count: u32::try_from(count).unwrap(),
        }],
        avoid: (0..number / 19 % 3).map(|at| format!("carrier-{at}")).collect(),
        saved: (number % 6 == 2).then_some(1_400),
        callback: (count == 1 && number.is_multiple_of(4)).then(|| Callback {
            format: CallbackFormat::Twilio,
            url: "https://shop.example/".to_owned(),
            account: "AC\"7\"".to_owned(),
            key: "v1.AAAA".to_owned(),
        }),
        skips_blocked: number.is_multiple_of(3),
        skipped: if number.is_multiple_of(9) {
            [989_120_000_007, 989_120_000_009]
                .map(|number| (number, DeliveryError::Blacklisted))
                .into()
        } else {
            Vec::new()
        },
        campaign: None,
        rehearsed: match number % 40 {
            39 if test => vec![Refusal::Blacklisted(vec![989_120_000_000]), Refusal::SendingOff(false)],
            _ => Vec::new(),
        },
    }
}

fn write<R: Request>(drawn: Drawn, request: &R) -> String {
    let key = ["a", "b", "c", "revoked", "unknown"][usize::from(drawn.key)];
    let payer = (!drawn.number.is_multiple_of(8)).then_some(Payer {
        key,
        paid: 0,
        address: None,
    });
    Call::write(ACCOUNT, payer, None, R::NAME, request).unwrap()
}

fn configure(number: u32) -> Configure {
    Configure {
        active: Some(!number.is_multiple_of(3)),
        sending_enabled: Some(!number.is_multiple_of(5)),
        limit: number.is_multiple_of(4).then(|| Limit::new(1_200, 60, 30).unwrap()),
        test_limit: number.is_multiple_of(4).then(|| Limit::new(60, 60, 20).unwrap()),
        recipient_limit: Some(RecipientLimit {
            limit: number / 4 % 4,
            window_seconds: [1, 60, 86_400][number as usize / 16 % 3],
        }),
        spend_limit: number.is_multiple_of(6).then(|| SpendLimit {
            limit: [None, Some(0), Some(20_000)][number as usize / 6 % 3],
        }),
        on_hold: Some(number.is_multiple_of(7)),
        reason: None,
    }
}

fn mode(number: u32) -> Mode {
    if number.is_multiple_of(3) {
        Mode::Test
    } else {
        Mode::Live
    }
}

pub fn call(uid: usize, drawn: Drawn) -> String {
    let number = drawn.number;
    let msisdn = 989_120_000_000 + u64::from(number % 40);
    let older = || uid_of(usize::try_from(number).unwrap() % (uid + 1));
    let (page, slug) = (Page { limit: 50, after: None }, format!("pattern {}", number % 3));
    match drawn.what {
        0 => write(drawn, &Charge(idempotency(number))),
        1 => write(drawn, &EstimateMessage(message(uid, number))),
        2 if number.is_multiple_of(3) => write(
            drawn,
            &PauseMessage {
                uid: older(),
                mode: mode(number),
                paused: number.is_multiple_of(2),
            },
        ),
        2 => write(
            drawn,
            &CancelMessage {
                uid: older(),
                mode: mode(number),
            },
        ),
        3 => write(drawn, &AddToBlacklist(vec![msisdn])),
        4 => write(drawn, &RemoveFromBlacklist(vec![msisdn])),
        5 => write(drawn, &ListBlacklist { only: None, page }),
        6 => write(
            drawn,
            &ListMessages {
                filter: MessageFilter {
                    mode: Some(mode(number)),
                    ..MessageFilter::default()
                },
                page,
                sandboxes: vec!["sandbox".to_owned()],
            },
        ),
        7 => write(
            drawn,
            &GetMessage {
                uid: older(),
                mode: Some(mode(number)),
                sandboxes: vec!["sandbox".to_owned()],
            },
        ),
        8 => write(
            drawn,
            &ListRecipients {
                uid: older(),
                mode: None,
                filter: RecipientFilter::default(),
                page,
                whole_texts: true,
            },
        ),
        9 => write(drawn, &GetOverview),
        10 => write(drawn, &configure(number)),
        11 => write(
            drawn,
            &ListTransactions {
                filter: EntryFilter::default(),
                page,
            },
        ),
        12 | 13 => write(
            drawn,
            &AddCredit {
                amount: i64::from(number % 30_000) - 5_000,
                note: None,
                idempotency: idempotency(number).map(|key| Idempotency {
                    space: Space::Credit,
                    ..key
                }),
                until_ms: None,
            },
        ),
        14 => write(drawn, &revoke(["a", "b"][number as usize % 2])),
        15 => write(drawn, &NotePatternChange { slug, review: None }),
        16 => write(
            drawn,
            &NoteWebhooks {
                version: i64::from(number % 5),
                types: vec!["message.status".to_owned(), "wallet.low".to_owned()],
                test_types: vec!["message.status".to_owned()],
                low_balances: vec![1_000, 20_000],
            },
        ),
        17 => write(
            drawn,
            &Deliver {
                carrier: "sandbox".to_owned(),
                reports: vec![DeliveryReport {
                    is_presumed: false,
                    message: i64::from(number % 20) + 1,
                    status: RecipientStatus::Delivered,
                    indexes: vec![0],
                    cause: None,
                }],
                asks_for_waits: true,
            },
        ),
        20 => write(drawn, &received(uid, number)),
        18 => write(drawn, &ListKeys { limit: 50, after: None }),
        19 if number.is_multiple_of(4) => UNREADABLE.to_owned(),
        19 => UNREADABLE.replace("SendMessage", "Teleport"),
        _ => write(drawn, &SendMessage(message(uid, number))),
    }
}

/// A reply from a phone, with a confirmation that the account sends and pays.
fn received(uid: usize, number: u32) -> Receive {
    let confirmation = NewMessage {
        idempotency: None,
        test: false,
        cost: 700,
        send_at_ms: None,
        ..message(uid, number / 36 * 36 + 18)
    };
    Receive {
        uid: format!("inbound {uid}"),
        carrier: "sandbox".to_owned(),
        carrier_id: None,
        line: "10001".to_owned(),
        sender: format!("+98912000{:04}", number % 40),
        text: format!("text {}", number % 3),
        is_cut: false,
        choice: [None, Some(Choice::OptOut), Some(Choice::OptIn)][number as usize % 3],
        confirmation: Some(Box::new(confirmation)),
        received_ms: BEGIN_MS,
    }
}

pub fn key(id: &str) -> IssueKey {
    let imprint = Imprint::of(id);
    IssueKey {
        by: Authority::Operator,
        id: id.to_owned(),
        title: id.to_owned(),
        imprints: NewImprints {
            live: imprint.clone(),
            test: imprint,
        },
        scopes: Some(vec![Scope::SmsSend]),
        mode: Some(Mode::Live),
        lines: None,
        expires_ms: (id == "c").then_some(BEGIN_MS + 1_000),
        caps: Caps::default(),
    }
}

pub fn revoke(id: &str) -> RevokeKey {
    RevokeKey {
        by: Authority::Operator,
        id: id.to_owned(),
    }
}

pub fn service<R: Request>(request: &R) -> String {
    Call::write(ACCOUNT, None, None, R::NAME, request).unwrap()
}

/// An account's storage, with keys and some money.
pub fn account() -> Sqlite {
    let sql = Sqlite::new();
    schema::open(&sql).unwrap();
    let credit = AddCredit {
        amount: 30_000,
        note: None,
        idempotency: None,
        until_ms: None,
    };
    let mut calls: Vec<String> = ["a", "b", "c", "revoked"].iter().map(|id| service(&key(id))).collect();
    calls.push(service(&revoke("revoked")));
    calls.push(service(&credit));
    for answer in handle::handle(&sql, BEGIN_MS, &calls, &NoCapacity, &MasterKey::default()) {
        assert!(answer.unwrap().reply.contains(r#"{"Ok":"#));
    }
    sql
}

/// Everything that is stored, with what has gathered in the account's row: that is not written as often when calls travel together.
/// The object has its storage as `own`.
pub fn dump(sql: &Sqlite, own: &impl Sql) -> Vec<(String, Vec<Vec<Value>>)> {
    unit_of_work::run(own, BEGIN_MS, |work| work.write_gathered(own)).unwrap();
    let tables = sql.exec("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name", &[]);
    let names = tables.unwrap().into_iter().map(|row| row.text(0).unwrap());
    names
        .map(|name| {
            let rows = sql.run(&format!("SELECT * FROM {name}"));
            let mut rows: Vec<Vec<Value>> = rows.into_iter().map(|row| row.0).collect();
            rows.sort_by_key(|row| format!("{row:?}"));
            (name, rows)
        })
        .collect()
}

/// What a call was answered: the reply and the wish to be woken, or that it failed.
fn told(answered: Result<peyk::durable::Answered<After>, PortError>) -> Result<String, String> {
    match answered {
        Ok(answered) => Ok(format!("{:?} {}", answered.wake, answered.reply)),
        Err(error) => Err(error.to_string()),
    }
}

/// Lets the calls come in batches of these sizes, again and again.
pub fn answer(sql: &impl Sql, now_ms: i64, calls: &[String], splits: &[usize]) -> Vec<Result<String, String>> {
    let (mut answers, mut rest, mut sizes) = (Vec::new(), calls, splits.iter().cycle());
    while !rest.is_empty() {
        let (batch, after) = rest.split_at((*sizes.next().unwrap()).min(rest.len()));
        let batch = handle::handle(sql, now_ms, batch, &NoCapacity, &MasterKey::default());
        answers.extend(batch.into_iter().map(told));
        rest = after;
    }
    answers
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases(128)) })]

    #[test]
    fn any_split_of_the_same_calls_gives_the_same_answers_and_stores_the_same(rounds in rounds()) {
        let (alone, together) = (account(), account());
        let memory = Memory::default();
        let own = memory.of(&together);
        let (mut now_ms, mut uid) = (BEGIN_MS, 0);
        for round in rounds {
            now_ms += round.wait_ms;
            let first = uid;
            uid += round.calls.len();
            let calls: Vec<String> = (first..).zip(&round.calls).map(|(uid, drawn)| call(uid, *drawn)).collect();
            let one_by_one = answer(&alone, now_ms, &calls, &[1]);
            // A failure that is over when the calls are repeated one by one must not show. There is no second try for a lone
            // call, nor for calls that are repeated because of another failure.
            let fails = round.fails.filter(|_| calls.len() > 1 && calls.iter().all(|call| call != UNREADABLE));
            let splits = match fails {
                Some(_) => vec![calls.len()],
                None => round.splits,
            };
            together.fail(fails.unwrap_or_default(), u32::from(fails.is_some()));
            let answers = answer(&own, now_ms, &calls, &splits);
            together.fail("", 0);
            prop_assert_eq!(one_by_one, answers);
            prop_assert_eq!(dump(&alone, &alone), dump(&together, &own));
            while timers::bring_on(&alone, now_ms).unwrap() {}
            while timers::bring_on(&own, now_ms).unwrap() {}
            if round.forgets {
                memory.forget();
            }
        }
    }
}

/// The statements that a batch of so many sends runs, with the account's row and what each call reads.
fn statements(sends: u32) -> u64 {
    let sql = account();
    let drawn = Drawn {
        what: 30,
        key: 0,
        number: 1,
    };
    let calls: Vec<String> = (0..sends)
        .map(|at| {
            let message = NewMessage {
                uid: uid_of(at as usize),
                idempotency: None,
                ..message(0, 6 * 30 + 18)
            };
            assert!(message.cost > 0 && message.send_at_ms.is_none() && message.patterns.is_empty());
            write(drawn, &SendMessage(message))
        })
        .collect();
    let before = sql.runs.get();
    for answer in handle::handle(&sql, BEGIN_MS, &calls, &NoCapacity, &MasterKey::default()) {
        assert!(answer.unwrap().reply.contains(r#"{"Ok":{"Accepted":"#));
    }
    sql.runs.get() - before
}

#[test]
fn sends_that_come_together_cost_as_many_statements_as_one() {
    assert_eq!(statements(32), statements(1));
}

#[test]
fn a_call_that_cannot_be_read_fails_alone() {
    let sql = account();
    let calls = [service(&GetOverview), UNREADABLE.to_owned(), service(&key("d"))];
    let answers = handle::handle(&sql, BEGIN_MS, &calls, &NoCapacity, &MasterKey::default()).into_iter();
    let answers: Vec<_> = answers.map(|answer| answer.is_ok()).collect();
    assert_eq!(answers, [true, false, true]);
    assert_eq!(sql.count("api_key WHERE id = 'd'"), 1);
}

#[test]
fn a_key_that_a_call_revokes_pays_for_no_later_call_of_the_batch() {
    let sql = account();
    let revoke = service(&revoke("a"));
    let drawn = Drawn {
        what: 30,
        key: 0,
        number: 1,
    };
    let calls = [write(drawn, &Charge(None)), revoke, write(drawn, &Charge(None))];
    let replies = handle::handle(&sql, BEGIN_MS, &calls, &NoCapacity, &MasterKey::default()).into_iter();
    let replies: Vec<String> = replies.map(|answer| answer.unwrap().reply).collect();
    assert!(replies[0].contains(r#"{"Ok":null}"#), "{replies:?}");
    assert!(replies[2].contains("KeyRevoked"), "{replies:?}");
}
