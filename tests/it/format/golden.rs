//! What travels between versions of the code, and what is stored as JSON: calls and their answers, records of keys, cursors,
//! columns. `tests/golden/` has each format as this code writes it. A change of a format shows there.
//!
//! Each format is held in four ways: this code writes what the file has; it reads it; it reads it with members that it does not
//! know; and it reads it without members that have no value, as an older version may have written it.
//!
//! `GOLDEN=write cargo test --test it golden_files` writes the files.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use crate::support::World;
use peyk::account::blacklist::{AddToBlacklist, Blocked, ListBlacklist, RemoveFromBlacklist};
use peyk::account::class::Class;
use peyk::account::credit::{AddCredit, Credited};
use peyk::account::delivery::{Deliver, DeliveryReport};
use peyk::account::delivery_error::{Cause, DeliveryError};
use peyk::account::entries::{EntryFilter, EntryView, ListTransactions, ListedEntries};
use peyk::account::events::{NewEvent, NoteWebhooks};
use peyk::account::fresh::NoSeats;
use peyk::account::handle;
use peyk::account::handover::{Answer, ChunkRef, Handover, Outcomes};
use peyk::account::history::{ListMessages, Listed, MessageFilter};
use peyk::account::idempotency::{Charge, Space};
use peyk::account::inbound::{Choice, InboundFilter, InboundView, ListInbound, Receive, Received};
use peyk::account::keys::{IssueKey, KeyView, ListKeys, NewDigests, RevokeKey, RotateKey, Rotated};
use peyk::account::ledger::{EntryKind, Wallet};
use peyk::account::limiter::{Decision, Limit};
use peyk::account::message::{
    MessageKind, MessageView, NewChunk, NewMessage, OwnText, Page, RecipientGroup, RecipientText, RecipientView,
};
use peyk::account::messages::{GetMessage, ListRecipients, Recipients};
use peyk::account::operator_keys::{AdoptKey, RevokeOperatorKey};
use peyk::account::overview::{Configure, GetOverview, Overview};
use peyk::account::own_keys::{IssueOwnKey, RevokeOwnKey, RotateOwnKey};
use peyk::account::patterns::{NotePatternChange, StalePattern, UsedPattern};
use peyk::account::reconcile::{Check, Difference, Findings, Reconcile, Replayed, Truth};
use peyk::account::refusal::{Excess, Refusal};
use peyk::account::removals::RemovePhonebook;
use peyk::account::request::{Idempotency, LimitState, Reply, Request};
use peyk::account::restore::{Done, GetRestored, Kept, Restore, Target};
use peyk::account::schedule::CancelMessage;
use peyk::account::send::{EstimateMessage, Estimated, SendMessage, Sent};
use peyk::account::sources::ListScheduledFrom;
use peyk::account::status::{MessageStatus, RecipientStatus};
use peyk::account::stuck::RetryChunk;
use peyk::account::usage::UsageRow;
use peyk::account::usage_days::{ListUsage, ListedDays, Totals, UsageDay};
use peyk::api::paging;
use peyk::audit::{Note, Part};
use peyk::auth::{KeyRecord, Mode, Scope};
use peyk::carrier::health::{Health, State as CarrierState};
use peyk::carrier::journal::Progress;
use peyk::carrier::request::{Configure as ConfigureCarrier, GetHealth, Request as CarrierRequest, Submit};
use peyk::carrier::sandbox::{Handed, ListHanded};
use peyk::carrier::smpp::receipts::TakeReceipts;
use peyk::carrier::smpp::sent::Told;
use peyk::carrier::submission::Submission;
use peyk::directory::carriers::Carrier;
use peyk::object::{Call, Payer};
use peyk::ports::PortError;
use peyk::problem::kind;
use peyk::reconciliation::Report;
use peyk::smpp::receipt::Ending;
use peyk::smpp::status::Fault;
use peyk::sms::variable::{Variable, VariableType};
use peyk::webhook::delivery::{Delivery, ListDeliveries, Redeliver, State, TestEndpoint};
use peyk::webhook::endpoint::{
    ChangeEndpoint, CreateEndpoint, DeleteEndpoint, Endpoint, GetEndpoint, ListEndpoints, RotateSecret, WithSecret,
};
use peyk::webhook::event::TakeEvents;
use peyk::webhook::low_balance::{GetLowBalance, SetLowBalance};
use peyk::webhook::request as webhook;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Value, json};

/// Reads a line and writes what it has understood.
type Reread = Box<dyn Fn(&str) -> Result<String, String>>;

/// A format: its name, one line for each sample as this code writes it, and how it is read.
struct Format {
    name: String,
    lines: Vec<String>,
    reread: Reread,
}

fn write(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap()
}

/// A format that one type reads and writes.
fn format<T: Serialize + DeserializeOwned + 'static>(name: &str, samples: &[T]) -> Format {
    Format {
        name: name.to_owned(),
        lines: samples.iter().map(write).collect(),
        reread: Box::new(|line| match serde_json::from_str::<T>(line) {
            Ok(value) => Ok(write(&value)),
            Err(error) => Err(error.to_string()),
        }),
    }
}

/// The calls with a request, as an object receives them.
fn calls<T: Serialize + DeserializeOwned + 'static>(name: &'static str, samples: &[T]) -> Format {
    let write = move |payer: Option<Payer<'_>>, body: &T| Call::write("019b796d", payer, name, body).unwrap();
    let payer = |paid| Some(Payer { key: "key-1", paid });
    let payers = [payer(0), None, payer(1)].into_iter().cycle();
    Format {
        name: format!("{name}.call"),
        lines: samples
            .iter()
            .zip(payers)
            .map(|(body, payer)| write(payer, body))
            .collect(),
        reread: Box::new(move |line| {
            let read = |line| -> Result<String, PortError> {
                let call = Call::read(line)?;
                assert_eq!((call.request.as_ref(), call.to.as_ref()), (name, "019b796d"));
                let paid = call.paid;
                let payer = call.key.as_deref().map(|key| Payer { key, paid });
                Ok(write(payer, &call.body()?))
            };
            read(line).map_err(|error| error.to_string())
        }),
    }
}

/// A request to an account's object, and its answers.
fn request<R: Request + 'static>(samples: &[R], replies: Vec<R::Reply>) -> Vec<Format>
where
    R::Reply: 'static,
{
    let reply = |outcome| Reply {
        limit: Some(LimitState {
            limit: Limit::default(),
            decision: decision(),
        }),
        outcome: Ok(outcome),
    };
    let replies: Vec<Reply<R::Reply>> = replies.into_iter().map(reply).collect();
    vec![calls(R::NAME, samples), format(&format!("{}.reply", R::NAME), &replies)]
}

fn note() -> Note {
    Note {
        id: "019b796d-0000-7000-8000-000000000001".to_owned(),
        at_ms: 1_767_268_800_000,
        actor: "operator".to_owned(),
        key: "key-1".to_owned(),
        account: Some("019b796d".to_owned()),
        operation: "AdminRevokeKey".to_owned(),
        thing: "key".to_owned(),
        name: Some("key-2".to_owned()),
        request: "request-1".to_owned(),
    }
}

/// What an object keeps for the audit log, and what a call says of it.
fn of_the_audit_log() -> Vec<Format> {
    let changed = Part {
        part: "RevokeKey".to_owned(),
        note: note(),
        before: Some(json!("main")),
        after: Some(json!("other")),
    };
    let least = Note {
        account: None,
        name: None,
        ..note()
    };
    let made = Part {
        before: None,
        after: None,
        note: least.clone(),
        ..changed.clone()
    };
    let report = Report {
        differences: vec![Difference::new(Check::Locked, "30 is locked".to_owned())],
        unchecked: vec![Check::Wallet.as_str().to_owned()],
        behind: vec![("account".to_owned(), 7)],
        steps: 0,
    };
    vec![
        format("audit.entry", &[changed, made]),
        format("audit.note", &[note(), least]),
        format("reconciliation.findings", &[report, Report::default()]),
    ]
}

fn decision() -> Decision {
    Decision {
        allowed: true,
        tat_us: 1_767_268_800_000_000,
        remaining: 99,
        reset_s: 1,
        retry_after_s: 0,
    }
}

fn new_message() -> NewMessage {
    let items = r#"[[989121234567,1000,0,{"text":"hello"}],[989351234567,1000,0]]"#;
    NewMessage {
        uid: "019b796d-a000-7000-8000-000000000000".to_owned(),
        kind: MessageKind::Bulk,
        line: "10001".to_owned(),
        test: true,
        text: String::new(),
        encoding: "GSM7".to_owned(),
        parts: 1,
        all_parts: 2,
        cost: 2_000,
        unit: "IRR".to_owned(),
        refunds: vec![RecipientStatus::Undelivered],
        client_ref: Some("order 7".to_owned()),
        send_at_ms: Some(1_767_272_400_000),
        idempotency: Some(idempotency()),
        sending_enabled: true,
        patterns: vec![used_pattern(Some(3)), used_pattern(None)],
        sources: vec!["pattern:login".to_owned()],
        count: 2,
        recipients: vec![RecipientGroup {
            first: 0,
            items: RawValue::from_string(items.to_owned()).unwrap(),
        }],
        chunks: vec![NewChunk {
            prefix: "98912".to_owned(),
            first: 0,
            last: 1,
            count: 2,
        }],
    }
}

/// A message without all that it may lack.
fn least_message() -> NewMessage {
    NewMessage {
        kind: MessageKind::Plain,
        test: false,
        refunds: Vec::new(),
        client_ref: None,
        send_at_ms: None,
        idempotency: None,
        sending_enabled: false,
        patterns: Vec::new(),
        sources: Vec::new(),
        ..new_message()
    }
}

fn used_pattern(heard: Option<i64>) -> UsedPattern {
    UsedPattern {
        slug: "login".to_owned(),
        revision: 7,
        heard,
    }
}

fn stale_patterns() -> Vec<StalePattern> {
    vec![StalePattern {
        slug: "login".to_owned(),
        changes: 3,
    }]
}

fn idempotency() -> Idempotency {
    Idempotency {
        space: Space::Live,
        key: "order-7".to_owned(),
        hash: "ab".repeat(32),
    }
}

fn message() -> MessageView {
    MessageView {
        id: 7,
        uid: "019b796d-a000-7000-8000-000000000000".to_owned(),
        kind: MessageKind::Bulk.into(),
        status: MessageStatus::Sending.into(),
        test: true,
        line: "10001".to_owned(),
        text: "hello".to_owned(),
        encoding: "GSM7".to_owned(),
        parts: 1,
        cost: 2_000,
        unit: "IRR".to_owned(),
        client_ref: Some("order 7".to_owned()),
        send_at_ms: Some(1_767_272_400_000),
        created_ms: 1_767_268_800_000,
        total: 2,
        counts: BTreeMap::from([
            (RecipientStatus::Queued.into(), 1),
            (RecipientStatus::Delivered.into(), 1),
        ]),
        recipients: recipients(),
    }
}

/// A message as lists tell it.
fn listed_message() -> MessageView {
    MessageView {
        test: false,
        client_ref: None,
        send_at_ms: None,
        counts: BTreeMap::new(),
        recipients: Vec::new(),
        ..message()
    }
}

fn recipients() -> Vec<RecipientView> {
    let text = |is_cut| OwnText {
        text: "hello".to_owned(),
        is_cut,
        encoding: "GSM7".to_owned(),
        parts: 1,
    };
    let texts = [None, Some(text(false)), Some(text(true))];
    let recipient = |(text, index)| RecipientView {
        index,
        msisdn: 989_121_234_567,
        status: RecipientStatus::Queued.into(),
        cost: 1_000,
        changed_ms: 1_767_268_800_000,
        text,
        carrier: (index == 1).then(|| "sandbox".to_owned()),
        error: (index == 1).then(|| "BLOCKED".to_owned()),
        error_code: (index == 1).then(|| "0x0b".to_owned()),
    };
    texts.into_iter().zip(0u32..).map(recipient).collect()
}

fn wallet() -> Wallet {
    Wallet {
        available: 5_000,
        locked: 1_000,
        spent: 4_000,
        credited: 10_000,
    }
}

fn entry() -> EntryView {
    EntryView {
        seq: 1,
        kind: EntryKind::Credit.into(),
        amount: 10_000,
        available: 10_000,
        locked: 0,
        message_uid: None,
        note: Some("invoice 17".to_owned()),
        at_ms: 1_767_268_800_000,
    }
}

fn entry_filter() -> EntryFilter {
    EntryFilter {
        kind: Some(EntryKind::Settle),
        from_ms: Some(1_767_268_800_000),
        to_ms: Some(1_767_272_400_000),
        message: Some("019b796d-a000-7000-8000-000000000007".to_owned()),
    }
}

fn usage_day() -> UsageDay {
    UsageDay {
        day: 20_454,
        live: Totals {
            messages: 2,
            recipients: 15,
            parts: 30,
            cost: 30_000,
            returned: 8_000,
            delivered: 1,
            undelivered: 2,
            expired: 3,
            rejected: 4,
            unknown: 2,
            canceled: 1,
        },
        test: Totals::default(),
    }
}

fn key() -> KeyView {
    KeyView {
        id: "key-1".to_owned(),
        title: "web shop".to_owned(),
        digest: "cd".repeat(32),
        scopes: vec![Scope::SmsSend, Scope::AccountRead],
        mode: Mode::Live,
        lines: Some(vec!["10001".to_owned()]),
        created_ms: 1_767_268_800_000,
        expires_ms: Some(1_767_272_400_000),
        revoked_ms: Some(1_767_272_300_000),
        successor: Some("key-2".to_owned()),
        term_ms: Some(1_767_272_400_000),
        used_day: Some(20_454),
    }
}

fn digests() -> NewDigests {
    NewDigests {
        live: "ef".repeat(32),
        test: "01".repeat(32),
    }
}

fn own_key() -> IssueOwnKey {
    IssueOwnKey {
        by: "key-1".to_owned(),
        id: "key-2".to_owned(),
        digests: digests(),
        title: "web shop".to_owned(),
        scopes: Some(vec![Scope::SmsSend]),
        mode: Some(Mode::Test),
        lines: Some(vec!["10001".to_owned()]),
        expires_ms: Some(1_767_272_400_000),
    }
}

fn least_own_key() -> IssueOwnKey {
    IssueOwnKey {
        scopes: None,
        mode: None,
        lines: None,
        expires_ms: None,
        ..own_key()
    }
}

fn least_key() -> KeyView {
    KeyView {
        lines: None,
        expires_ms: None,
        revoked_ms: None,
        successor: None,
        term_ms: None,
        used_day: None,
        ..key()
    }
}

/// A check of an account that goes on, and one that has found something.
fn findings() -> [Findings; 2] {
    let from = Replayed {
        seq: 20_000,
        available: 900,
        locked: 30,
        spent: 70,
        credited: 1_000,
    };
    let going_on = Findings {
        differences: vec![Difference::new(Check::Locked, "30 is locked".to_owned())],
        next: Some(from),
        too_many_chunks: true,
        truth: Truth {
            active: true,
            sending_enabled: true,
            available: 900,
            locked: 30,
            version: 7,
            changed_ms: 1_767_268_801_000,
        },
        usage: vec![UsageRow {
            key: (20_454, "10001".to_owned(), "sandbox".to_owned(), false),
            version: 3,
            counts: "[0,0,0,0,0,2,0,0,0,0,0]".to_owned(),
        }],
    };
    let ended = Findings {
        differences: Vec::new(),
        next: None,
        too_many_chunks: false,
        usage: Vec::new(),
        ..going_on.clone()
    };
    [going_on, ended]
}

fn go_back(target: Target) -> Restore {
    Restore {
        number: 7,
        target,
        reason: "a test".to_owned(),
    }
}

fn done() -> Done {
    Done {
        number: 7,
        at_ms: 1_767_268_800_000,
        before: wallet(),
        after: wallet(),
        in_doubt: 2,
        canceled: 1,
        undo: "b".to_owned(),
    }
}

fn kept() -> Kept {
    Kept {
        bookmark: "b".to_owned(),
        message: 7,
        version: 7,
        event: 7,
        sequences: BTreeMap::from([("inbound".to_owned(), 7)]),
        wallet: wallet(),
        active: true,
        limit: Limit::default(),
        keys: vec![key()],
        blocked: vec![(989_121_234_567, 1)],
        webhook: Some((7, 1)),
        low_balances: vec![(1_000, 0)],
    }
}

fn overview() -> Overview {
    Overview {
        active: true,
        sending_enabled: true,
        limit: Limit::default(),
        wallet: wallet(),
        storage_bytes: 40_960,
    }
}

fn page() -> Page {
    Page {
        limit: 51,
        after: Some(7),
    }
}

fn first_page() -> Page {
    Page { limit: 51, after: None }
}

fn report() -> DeliveryReport {
    DeliveryReport {
        message: 7,
        status: RecipientStatus::Delivered,
        indexes: vec![0, 1],
        cause: None,
    }
}

fn chunk() -> ChunkRef {
    ChunkRef {
        message: 7,
        number: 0,
        attempt: 1,
    }
}

fn handover() -> Handover {
    let texts = [(0, whole_text()), (1, values())];
    Handover {
        chunk: chunk(),
        uid: "019b796d-a000-7000-8000-000000000000".to_owned(),
        line: "10001".to_owned(),
        text: "hello %name%".to_owned(),
        recipients: vec![(0, 989_121_234_567), (1, 989_351_234_567)],
        doubt_ms: Some(1_767_268_800_000),
        texts: BTreeMap::from(texts),
    }
}

fn whole_text() -> RecipientText {
    RecipientText::Whole("hello".to_owned())
}

fn values() -> RecipientText {
    RecipientText::Values(BTreeMap::from([("name".to_owned(), "Sara".to_owned())]))
}

fn submission() -> Submission {
    Submission {
        carrier: Carrier {
            name: "sandbox".to_owned(),
            kind: "sandbox".to_owned(),
            settings: "{}".to_owned(),
            secrets: Some("v1.c2VhbGVk".to_owned()),
            active: true,
            paused: false,
            version: 1,
        },
        account: "019b796d".to_owned(),
        class: Class::Urgent,
        valid_until_ms: 1_767_268_820_000,
        handovers: vec![
            handover(),
            Handover {
                doubt_ms: None,
                texts: BTreeMap::new(),
                ..handover()
            },
        ],
    }
}

fn outcomes() -> Outcomes {
    Outcomes {
        taken: vec![(0, "7.0".to_owned())],
        refused: vec![(1, Cause::new(DeliveryError::Blocked, Some("0x0000000B")))],
        not_now: vec![2],
        waiting: vec![4],
        no_answer: vec![3],
    }
}

fn refusals() -> Vec<Refusal> {
    // A new refusal does not compile here: it needs a sample below.
    let _is_complete = |refusal: &Refusal| match refusal {
        Refusal::Unknown
        | Refusal::UnknownRequest
        | Refusal::KeyRevoked
        | Refusal::KeyUnknown
        | Refusal::OwnKey
        | Refusal::LastKey
        | Refusal::WiderKey(_)
        | Refusal::RateLimited
        | Refusal::IdempotencyMismatch
        | Refusal::Inactive
        | Refusal::SendingOff(_)
        | Refusal::InsufficientBalance { .. }
        | Refusal::WalletFull
        | Refusal::NotFound
        | Refusal::TooManyKeys
        | Refusal::Blacklisted(_)
        | Refusal::BlacklistFull
        | Refusal::NotScheduled
        | Refusal::NotStuck
        | Refusal::NotRestored(_) => {}
    };
    vec![
        Refusal::UnknownRequest,
        Refusal::KeyRevoked,
        Refusal::KeyUnknown,
        Refusal::OwnKey,
        Refusal::LastKey,
        Refusal::WiderKey(vec![
            Excess::Scope(Scope::SmsSend),
            Excess::Line("10001".to_owned()),
            Excess::AllLines,
            Excess::Live,
            Excess::Time,
        ]),
        Refusal::RateLimited,
        Refusal::IdempotencyMismatch,
        Refusal::Inactive,
        Refusal::SendingOff(true),
        Refusal::InsufficientBalance {
            cost: 2_000,
            available: 1_000,
        },
        Refusal::WalletFull,
        Refusal::NotFound,
        Refusal::TooManyKeys,
        Refusal::Blacklisted(vec![989_121_234_567]),
        Refusal::BlacklistFull,
        Refusal::NotScheduled,
        Refusal::NotStuck,
        Refusal::NotRestored("no history".to_owned()),
    ]
}

/// The requests to an account's object. Each has a line here.
fn account_requests() -> Vec<Vec<Format>> {
    let boxed = || Box::new(message());
    let filter = || MessageFilter {
        status: Some(MessageStatus::Done),
        kind: Some(MessageKind::Plain),
        from_ms: Some(1_767_268_800_000),
        to_ms: Some(1_767_272_400_000),
        msisdn: Some(989_121_234_567),
        client_ref: Some("order 7".to_owned()),
    };
    let list = |filter, page| ListMessages { filter, page };
    let list_recipients = |status, page, whole_texts| ListRecipients {
        uid: "uid".to_owned(),
        status,
        page,
        whole_texts,
    };
    let recipients = Recipients {
        uid: "uid".to_owned(),
        recipients: recipients(),
    };
    let blocked = Blocked {
        id: 1,
        msisdn: 989_121_234_567,
        created_ms: 1_767_268_800_000,
        opt_out: true,
    };
    let credit = |note, idempotency| AddCredit {
        amount: 10_000,
        note,
        idempotency,
    };
    let credited = |replayed| Credited {
        wallet: wallet(),
        replayed,
    };
    let list_entries = |filter, page| ListTransactions { filter, page };
    let list_usage = |day, page| ListUsage {
        from: day,
        to: day,
        page,
    };
    let list_keys = |after| ListKeys { limit: 51, after };
    let rotate = || RotateKey {
        id: "key-1".to_owned(),
        new_id: "key-2".to_owned(),
        new_digests: digests(),
        old_expires_ms: 1_767_272_400_000,
    };
    let rotate_own = RotateOwnKey {
        by: "key-1".to_owned(),
        rotation: rotate(),
    };
    let revoke_own = RevokeOwnKey {
        by: "key-1".to_owned(),
        id: "key-2".to_owned(),
    };
    let rotated = || Rotated {
        old: key(),
        new: least_key(),
    };
    let configure = Configure {
        active: Some(true),
        sending_enabled: Some(true),
        limit: Some(Limit::default()),
    };
    let only = |only, page| ListBlacklist { only, page };
    let listed = |walked_to| Listed {
        messages: vec![listed_message()],
        walked_to,
    };
    let remove = RemovePhonebook {
        id: "019b796d".to_owned(),
        source: "phonebook:019b796d".to_owned(),
        title: Some("customers".to_owned()),
    };
    let revoke = RevokeOperatorKey {
        id: "key-1".to_owned(),
        by: "key-2".to_owned(),
    };
    let note_webhooks = NoteWebhooks {
        version: 7,
        types: vec!["message.status".to_owned()],
        low_balances: vec![5_000],
    };
    vec![
        request(&[Charge(Some(idempotency())), Charge(None)], vec![Some(boxed()), None]),
        request(
            &[SendMessage(new_message()), SendMessage(least_message())],
            vec![
                Sent::Accepted("019b796d-a000-7000-8000-000000000007".to_owned()),
                Sent::Replayed(boxed()),
                Sent::PatternsStale(stale_patterns()),
            ],
        ),
        request(
            &[EstimateMessage(new_message())],
            vec![
                Estimated::Refusals(refusals()),
                Estimated::PatternsStale(stale_patterns()),
            ],
        ),
        request(&[CancelMessage("uid".to_owned())], vec![boxed()]),
        request(
            &[ListScheduledFrom("pattern:login".to_owned())],
            vec![vec!["uid".to_owned()]],
        ),
        request(
            &[NotePatternChange {
                slug: "login".to_owned(),
            }],
            vec![()],
        ),
        request(
            &[only(Some(989_121_234_567), page()), only(None, first_page())],
            vec![vec![blocked]],
        ),
        request(&[AddToBlacklist(vec![989_121_234_567])], vec![1]),
        request(&[RemoveFromBlacklist(vec![989_121_234_567])], vec![1]),
        request(
            &[list(filter(), page()), list(MessageFilter::default(), first_page())],
            vec![listed(None), listed(Some(7))],
        ),
        request(&[GetMessage("uid".to_owned())], vec![boxed()]),
        request(
            &[
                list_recipients(Some(RecipientStatus::Queued), page(), true),
                list_recipients(None, first_page(), false),
            ],
            vec![recipients],
        ),
        request(
            &[
                Reconcile::first(),
                Reconcile {
                    from: findings()[0].next,
                    usage: Some(findings()[0].usage[0].key.clone()),
                },
                Reconcile {
                    from: None,
                    usage: None,
                },
            ],
            findings().to_vec(),
        ),
        request(
            &[
                go_back(Target::At(1_767_268_800_000)),
                go_back(Target::Bookmark("b".to_owned())),
            ],
            vec![()],
        ),
        request(&[GetRestored { number: 7 }], vec![None, Some(done())]),
        request(&[GetOverview], vec![overview()]),
        request(&[configure, Configure::default()], vec![overview()]),
        request(
            &[
                credit(Some("invoice 17".to_owned()), Some(idempotency())),
                credit(None, None),
            ],
            vec![credited(false), credited(true)],
        ),
        request(
            &[
                list_entries(entry_filter(), page()),
                list_entries(EntryFilter::default(), first_page()),
            ],
            vec![
                ListedEntries {
                    entries: vec![entry()],
                    walked_to: Some(1),
                    ahead: 12_000,
                },
                ListedEntries {
                    entries: vec![entry()],
                    walked_to: None,
                    ahead: 0,
                },
            ],
        ),
        request(
            &[list_usage(Some(20_454), page()), list_usage(None, first_page())],
            vec![
                ListedDays {
                    days: vec![usage_day()],
                    walked_to: Some(20_454),
                },
                ListedDays {
                    days: vec![usage_day()],
                    walked_to: None,
                },
            ],
        ),
        request(&[IssueKey(key()), IssueKey(least_key())], vec![()]),
        request(
            &[list_keys(Some("key-1".to_owned())), list_keys(None)],
            vec![vec![key(), least_key()]],
        ),
        request(&[RevokeKey("key-1".to_owned())], vec![key()]),
        request(&[rotate()], vec![rotated()]),
        request(&[own_key(), least_own_key()], vec![key(), least_key()]),
        request(&[revoke_own], vec![key()]),
        request(&[rotate_own], vec![rotated()]),
        request(&[AdoptKey(key()), AdoptKey(least_key())], vec![()]),
        request(&[revoke], vec![key()]),
        request(&[remove], vec![vec!["uid".to_owned()]]),
        request(&[Deliver(vec![report()])], vec![Some(1), None]),
        request(&[RetryChunk { seq: 3 }], vec![()]),
        request(
            &[receive(), least_receive()],
            vec![
                Received {
                    is_repeat: true,
                    blacklist_is_full: true,
                    unconfirmed: Some(Refusal::SendingOff(true)),
                },
                Received::default(),
            ],
        ),
        request(
            &[
                list_inbound(inbound_filter(), page(), true),
                list_inbound(InboundFilter::default(), first_page(), false),
            ],
            vec![vec![inbound_view()]],
        ),
        request(&[note_webhooks], vec![()]),
    ]
}

fn receive() -> Receive {
    Receive {
        uid: "019b796d-a000-7000-8000-000000000000".to_owned(),
        carrier: "sandbox".to_owned(),
        carrier_id: Some("id 7".to_owned()),
        line: "10001".to_owned(),
        sender: "+989121234567".to_owned(),
        text: "لغو".to_owned(),
        is_cut: true,
        choice: Some(Choice::OptOut),
        confirmation: Some(Box::new(least_message())),
        received_ms: 1_767_268_800_000,
    }
}

fn least_receive() -> Receive {
    Receive {
        carrier_id: None,
        is_cut: false,
        choice: None,
        confirmation: None,
        ..receive()
    }
}

fn inbound_filter() -> InboundFilter {
    InboundFilter {
        line: Some("10001".to_owned()),
        sender: Some("+989121234567".to_owned()),
        since_ms: Some(1_767_268_800_000),
    }
}

fn list_inbound(filter: InboundFilter, page: Page, whole_texts: bool) -> ListInbound {
    ListInbound {
        filter,
        page,
        whole_texts,
    }
}

fn inbound_view() -> InboundView {
    InboundView {
        id: 7,
        uid: "019b796d-a000-7000-8000-000000000000".to_owned(),
        line: "10001".to_owned(),
        sender: "+989121234567".to_owned(),
        text: "hello".to_owned(),
        is_cut: false,
        opt_out: true,
        received_ms: 1_767_268_800_000,
    }
}

/// A request to a webhook object, and its answers.
fn webhook<R: webhook::Request + 'static>(samples: &[R], replies: Vec<R::Reply>) -> Vec<Format>
where
    R::Reply: 'static,
{
    let replies: Vec<Result<R::Reply, webhook::Refusal>> = replies.into_iter().map(Ok).collect();
    vec![calls(R::NAME, samples), format(&format!("{}.reply", R::NAME), &replies)]
}

fn new_event(low_balance: Option<i64>) -> NewEvent {
    NewEvent {
        id: "evt_019b796dd6005aa5a55aa5a55aa5a55a".to_owned(),
        kind: "wallet.low".to_owned(),
        made_ms: 1_767_268_800_000,
        data: RawValue::from_string("[7]".to_owned()).unwrap(),
        low_balance,
    }
}

fn webhook_formats() -> Vec<Format> {
    let (id, url) = ("endpoint-1".to_owned(), "https://shop.example/".to_owned());
    let full = Endpoint {
        id: id.clone(),
        url: url.clone(),
        events: vec!["wallet.low".to_owned()],
        low_balance: Some(7),
        description: Some("orders".to_owned()),
        active: false,
        disabled_reason: Some("GONE".to_owned()),
        created_ms: 1_767_268_800_000,
    };
    let least = Endpoint {
        low_balance: None,
        description: None,
        active: true,
        disabled_reason: None,
        ..full.clone()
    };
    let create = |low_balance, description| CreateEndpoint {
        url: url.clone(),
        events: vec!["message.status".to_owned()],
        low_balance,
        description,
        active: true,
    };
    let change = ChangeEndpoint {
        id: id.clone(),
        url: Some(url.clone()),
        events: Some(vec!["message.status".to_owned()]),
        low_balance: Some(7),
        description: Some("orders".to_owned()),
        active: Some(true),
    };
    let change_nothing = ChangeEndpoint {
        id: id.clone(),
        ..ChangeEndpoint::default()
    };
    let with_secret = WithSecret {
        endpoint: full.clone(),
        secret: "whsec_AAAA".to_owned(),
    };
    let delivery = Delivery {
        id: "evt_1".to_owned(),
        kind: "wallet.low".to_owned(),
        made_ms: 1_767_268_800_000,
        state: State::Waiting.into(),
        attempts: 1,
        last_ms: Some(1_767_268_800_001),
        due_ms: Some(1_767_268_800_002),
        status: Some(500),
        error: Some("STATUS".to_owned()),
    };
    let new_delivery = Delivery {
        last_ms: None,
        due_ms: None,
        status: None,
        error: None,
        ..delivery.clone()
    };
    let list = |after| ListEndpoints { limit: 51, after };
    let log = |after| ListDeliveries {
        endpoint: id.clone(),
        limit: 51,
        after,
    };
    let get = GetEndpoint { id: id.clone() };
    let delete = DeleteEndpoint { id: id.clone() };
    let rotate = RotateSecret { id: id.clone() };
    let redeliver = Redeliver {
        endpoint: id.clone(),
        id: "evt_1".to_owned(),
    };
    let test = TestEndpoint { endpoint: id.clone() };
    let refused: Vec<Result<(), webhook::Refusal>> = [
        webhook::Refusal::Unknown,
        webhook::Refusal::UnknownRequest,
        webhook::Refusal::NotFound,
        webhook::Refusal::TooManyEndpoints,
        webhook::Refusal::EndpointInactive,
        webhook::Refusal::NoLowBalance,
    ]
    .map(Err)
    .to_vec();
    let requests = vec![
        webhook(
            &[create(Some(7), Some("orders".to_owned())), create(None, None)],
            vec![with_secret.clone()],
        ),
        webhook(
            &[list(Some("endpoint-2".to_owned())), list(None)],
            vec![vec![full.clone(), least.clone()]],
        ),
        webhook(&[get], vec![full.clone()]),
        webhook(&[change, change_nothing], vec![least]),
        webhook(&[delete], vec![()]),
        webhook(&[GetLowBalance], vec![Some(50_000), None]),
        webhook(
            &[
                SetLowBalance {
                    low_balance: Some(50_000),
                },
                SetLowBalance { low_balance: None },
            ],
            vec![()],
        ),
        webhook(&[rotate], vec![with_secret]),
        webhook(
            &[log(Some("evt_2".to_owned())), log(None)],
            vec![vec![delivery.clone(), new_delivery.clone()]],
        ),
        webhook(&[redeliver], vec![delivery.clone()]),
        webhook(&[test], vec![new_delivery]),
        webhook(&[TakeEvents(vec![new_event(Some(7)), new_event(None)])], vec![()]),
    ];
    let mut formats: Vec<Format> = requests.into_iter().flatten().collect();
    formats.push(format("webhook_refusal.reply", &refused));
    let secrets = vec![
        ("whsec_AAAA".to_owned(), None::<i64>),
        ("whsec_BBBB".to_owned(), Some(7)),
    ];
    formats.push(format("endpoint.secrets", &[secrets]));
    formats
}

#[test]
fn every_request_to_a_webhook_object_has_a_golden_file() {
    let names: BTreeSet<String> = webhook_formats().into_iter().map(|format| format.name).collect();
    for name in webhook::NAMES {
        for kind in ["call", "reply"] {
            assert!(names.contains(&format!("{name}.{kind}")), "{name} needs samples here");
        }
    }
}

fn carrier_formats() -> Vec<Format> {
    let answers = vec![
        (chunk(), Answer::Outcomes(outcomes())),
        (chunk(), Answer::Outcomes(Outcomes::default())),
        (chunk(), Answer::Busy(1_767_268_800_000)),
        (chunk(), Answer::Down(1_767_268_800_000)),
        (chunk(), Answer::Late),
    ];
    let list = |after| ListHanded { limit: 51, after };
    let carrier = Carrier {
        name: "mci".to_owned(),
        kind: "http".to_owned(),
        settings: "{\"url\":\"http://10.0.0.5/send\"}".to_owned(),
        secrets: Some("v1.AAAA".to_owned()),
        active: true,
        paused: true,
        version: 1_767_268_800_001,
    };
    let least_carrier = Carrier {
        secrets: None,
        ..carrier.clone()
    };
    let health = Health {
        state: CarrierState::Down,
        last_success_ms: Some(1_767_268_800_000),
        last_error_ms: Some(1_767_268_801_000),
        last_error: Some("the gateway gave no clear answer".to_owned()),
        in_window: 5,
        queued: 100,
        oldest_queued_seconds: 3,
        last_minute: 7,
    };
    let handed = Handed {
        id: 7_000_000,
        uid: "uid".to_owned(),
        index: 0,
        msisdn: 989_121_234_567,
        text: "hello".to_owned(),
        at_ms: 1_767_268_800_000,
        taken: 1,
        refused: 0,
    };
    vec![
        calls(Submit::NAME, &[submission()]),
        format("Submit.reply", &[answers]),
        calls(ListHanded::NAME, &[list(Some(7)), list(None)]),
        format("ListHanded.reply", &[Some(vec![handed]), None]),
        calls(ConfigureCarrier::NAME, &[carrier, least_carrier]),
        format("ConfigureCarrier.reply", &[()]),
        calls(GetHealth::NAME, &[()]),
        format("GetHealth.reply", &[Some(health), Some(Health::default()), None]),
    ]
}

/// What stands in KV, in SQLite and in D1.
fn stored_formats() -> Vec<Format> {
    let record = KeyRecord {
        v: KeyRecord::VERSION,
        account: "019b796d".to_owned(),
        key: "key-1".to_owned(),
        scopes: Scope::ALL.to_vec(),
        mode: Mode::Live,
        lines: Some(vec!["10001".to_owned()]),
        expires_at: Some(1_767_272_400_000),
        bootstrapped_at: Some(1_767_268_800_000),
    };
    let least_record = KeyRecord {
        mode: Mode::Test,
        lines: None,
        expires_at: None,
        bootstrapped_at: None,
        ..record.clone()
    };
    let variable = |r#type, values| Variable {
        name: "OTP".to_owned(),
        r#type,
        max_length: 100,
        values,
    };
    let variables = vec![
        variable(VariableType::Text, Vec::new()),
        variable(VariableType::Number, Vec::new()),
        variable(VariableType::Link, Vec::new()),
        variable(VariableType::Enum, vec!["a".to_owned()]),
    ];
    vec![
        format("KeyRecord", &[record, least_record]),
        format("recipient_text.text", &[whole_text(), values()]),
        format("handover.outcomes", &[outcomes(), Outcomes::default()]),
        format("report.body", &[vec![report()]]),
        format("step.body", &[progress(), Progress::default()]),
        format(
            "TakeReceipts.call",
            &[TakeReceipts(vec![
                told(Ending::Undelivered(Fault::AbsentSubscriber)),
                told(Ending::Delivered),
            ])],
        ),
        format("TakeReceipts.reply", &[Some(vec![true, false]), None]),
        format("pattern.lines", &[vec!["10001".to_owned()], Vec::new()]),
        format("pattern_version.variables", &[variables]),
        format("phonebook.columns", &[vec!["city".to_owned(), "age".to_owned()]]),
        format("phonebook_number.attributes", &[vec![None, Some("Tehran".to_owned())]]),
        cursors(),
    ]
}

fn progress() -> Progress {
    Progress {
        leaving: vec![1, 2],
        outcomes: Some(outcomes()),
    }
}

fn told(ending: Ending) -> Told {
    Told {
        id: "1a2b".to_owned(),
        ending,
        code: "UNDELIV 027".to_owned(),
        msisdn: Some(989_121_234_567),
    }
}

/// A line is `[list, position, cursor]`.
fn cursors() -> Format {
    let line = |list: &str, position: &str| write(&(list, position, paging::cursor(list, position)));
    Format {
        name: "cursor".to_owned(),
        lines: vec![line("messages", "12345"), line("admin/lines", "+98 ۱۰")],
        reread: Box::new(move |text| {
            let (list, _, cursor): (String, String, String) = serde_json::from_str(text).unwrap();
            let position = paging::name(&list, &cursor).ok_or("no cursor of this list")?;
            Ok(line(&list, &position))
        }),
    }
}

fn formats() -> Vec<Format> {
    let refused = |refusal| Reply::<()> {
        limit: None,
        outcome: Err(refusal),
    };
    let refused: Vec<Reply<()>> = refusals().into_iter().map(refused).collect();
    let mut formats: Vec<Format> = account_requests().into_iter().flatten().collect();
    formats.push(format("refusal.reply", &refused));
    formats.extend(of_the_audit_log());
    formats.extend(carrier_formats());
    formats.extend(webhook_formats());
    formats.push(format("restore.kept", &[kept()]));
    formats.push(format("restore.done", &[done()]));
    formats.extend(stored_formats());
    formats
}

fn golden() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden"))
}

fn content(format: &Format) -> String {
    format.lines.join("\n") + "\n"
}

#[test]
fn this_code_writes_what_the_golden_files_have() {
    let formats = formats();
    if std::env::var("GOLDEN").is_ok_and(|value| value == "write") {
        let _ = std::fs::remove_dir_all(golden());
        std::fs::create_dir_all(golden()).unwrap();
        for format in &formats {
            std::fs::write(golden().join(format!("{}.jsonl", format.name)), content(format)).unwrap();
        }
    }
    let names: BTreeSet<String> = formats.iter().map(|format| format!("{}.jsonl", format.name)).collect();
    assert_eq!(names.len(), formats.len(), "two formats have the same name");
    let files = std::fs::read_dir(golden()).unwrap();
    let files: BTreeSet<String> = files
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(files, names, "GOLDEN=write cargo test --test it golden_files writes the files");
    for format in &formats {
        let file = std::fs::read_to_string(golden().join(format!("{}.jsonl", format.name))).unwrap();
        assert_eq!(
            content(format),
            file,
            "the format {} has changed. If other versions may read it so, write the files: \
             GOLDEN=write cargo test --test it golden_files",
            format.name
        );
    }
}

#[test]
fn this_code_reads_what_it_writes() {
    for format in formats() {
        for line in &format.lines {
            assert_eq!((format.reread)(line).as_ref(), Ok(line), "{}", format.name);
        }
    }
}

#[test]
fn every_request_to_an_accounts_object_has_a_golden_file() {
    let names: BTreeSet<String> = formats().into_iter().map(|format| format.name).collect();
    for name in handle::NAMES {
        for kind in ["call", "reply"] {
            assert!(names.contains(&format!("{name}.{kind}")), "{name} needs samples here");
        }
    }
}

/// Members whose value is a map: its members are data.
const MAPS: [&str; 4] = ["counts", "sequences", "texts", "values"];
/// Names of variants: an object with one of them has no other member.
const VARIANTS: [&str; 20] = [
    "Ok",
    "Err",
    "Accepted",
    "Replayed",
    "PatternsStale",
    "Refusals",
    "SendingOff",
    "InsufficientBalance",
    "Blacklisted",
    "WiderKey",
    "NotRestored",
    "At",
    "Bookmark",
    "Scope",
    "Line",
    "Outcomes",
    "Busy",
    "Down",
    "text",
    "values",
];

/// The pointers of all objects in `value` whose members are those of a struct.
fn structs(value: &Value, pointer: &str, name: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            let is_variant = members.len() == 1 && members.keys().all(|key| VARIANTS.contains(&key.as_str()));
            if !is_variant && !MAPS.contains(&name) {
                found.push(pointer.to_owned());
            }
            for (key, value) in members {
                structs(value, &format!("{pointer}/{key}"), key, found);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                structs(item, &format!("{pointer}/{index}"), name, found);
            }
        }
        _ => {}
    }
}

/// The structs of every line of every format.
fn for_each_struct(mut check: impl FnMut(&Format, &str, &Value, &str)) {
    for format in &formats() {
        for line in &format.lines {
            let value: Value = serde_json::from_str(line).unwrap();
            let mut found = Vec::new();
            structs(&value, "", "", &mut found);
            for pointer in found {
                check(format, line, &value, &pointer);
            }
        }
    }
}

#[test]
fn members_that_only_another_version_knows_are_passed_over() {
    let mut count = 0;
    for_each_struct(|format, line, value, pointer| {
        for new in [
            json!(null),
            json!(7),
            json!("text"),
            json!([{"a": 1}]),
            json!({"a": {"b": []}}),
        ] {
            let mut value = value.clone();
            let members = value.pointer_mut(pointer).unwrap().as_object_mut().unwrap();
            members.insert("aNewMember".to_owned(), new);
            let reread = (format.reread)(&value.to_string());
            assert_eq!(reread.as_deref(), Ok(line), "{} at {pointer}", format.name);
            count += 1;
        }
    });
    assert!(count > 500, "{count}");
}

#[test]
fn members_without_a_value_may_be_missing() {
    let is_empty =
        |value: &Value| *value == json!(null) || *value == json!([]) || *value == json!({}) || *value == json!(false);
    let mut count = 0;
    for_each_struct(|format, line, value, pointer| {
        let members = value.pointer(pointer).unwrap().as_object().unwrap();
        // The body of a call and the success in a reply are not members that a version adds.
        let optional = members
            .iter()
            .filter(|(name, value)| is_empty(value) && *name != "body" && *name != "Ok");
        for (name, _) in optional {
            let mut value = value.clone();
            value
                .pointer_mut(pointer)
                .unwrap()
                .as_object_mut()
                .unwrap()
                .remove(name);
            let reread = (format.reread)(&value.to_string());
            assert_eq!(reread.as_deref(), Ok(line), "{} without {pointer}/{name}", format.name);
            count += 1;
        }
    });
    assert!(count > 30, "{count}");
}

#[test]
fn a_refusal_of_another_version_is_an_outage_and_no_fault() {
    for refusal in [
        json!("Frozen"),
        json!({"Frozen": {"until": 7}}),
        json!({"SendingOff": "why"}),
        json!(7),
    ] {
        let json = json!({"limit": null, "outcome": {"Err": refusal}}).to_string();
        let reply: Reply<()> = serde_json::from_str(&json).unwrap();
        assert_eq!(reply.outcome, Err(Refusal::Unknown), "{json}");
    }
    let world = World::new();
    let head = peyk::http::Head::default();
    let context = peyk::api::context::Context::new(&world, &world.app, &head);
    assert_eq!(context.problem(Refusal::Unknown).kind(), kind::UNAVAILABLE);
}

#[test]
fn a_status_of_another_version_is_passed_on() {
    let read = |json: &str| serde_json::from_str::<MessageView>(json).unwrap();
    let json = write(&message())
        .replace("SENDING", "PAUSED")
        .replace("QUEUED", "PARKED")
        .replace("BULK", "VOICE");
    let view = read(&json);
    let value = |json: &str| serde_json::from_str::<Value>(json).unwrap();
    assert_eq!(value(&write(&view)), value(&json));
    let names = (
        view.status.as_str(),
        view.kind.as_str(),
        view.recipients[0].status.as_str(),
    );
    assert_eq!(names, ("PAUSED", "VOICE", "PARKED"));
    let counts: Vec<&str> = view.counts.keys().map(|status| status.as_str()).collect();
    assert_eq!(counts, ["DELIVERED", "PARKED"]);
    let entry: EntryView = serde_json::from_str(&write(&entry()).replace("CREDIT", "BONUS")).unwrap();
    assert_eq!(entry.kind.as_str(), "BONUS");
}

#[test]
fn a_call_and_an_answer_of_another_version_that_cant_be_read_are_outages() {
    let is_outage = |error: PortError| matches!(error, PortError::Unavailable { .. });
    assert!(is_outage(Call::read(r#"{"v":9}"#).unwrap_err()));
    let call = Call::write("019b796d", None, "Charge", &json!({"key": 7})).unwrap();
    assert!(is_outage(Call::read(&call).unwrap().body::<Charge>().unwrap_err()));
    let (world, shop) = World::with_account(0);
    let call = Call::write(&shop.id, None, "ListMessages", &json!({"filter": {"status": "PAUSED"}})).unwrap();
    let answered = handle::handle(&*world.sql(&shop.id), world.now_ms.get(), &[call], &NoSeats).remove(0);
    assert!(is_outage(answered.unwrap_err()));
}

#[test]
fn settings_of_a_carrier_may_have_members_that_only_another_version_knows() {
    let (world, shop) = World::with_account(10_000);
    let settings = r#"UPDATE carrier SET settings = '{"window": 3, "aNewMember": [{"a": 1}]}'"#;
    peyk::ports::Sql::exec(&*world.db, settings, &[]).unwrap();
    world.send(&shop.key, &["09121234567"]).expect(201);
    world.settle(10_000);
    assert_eq!(world.inbox(&shop.id).len(), 1);
}
