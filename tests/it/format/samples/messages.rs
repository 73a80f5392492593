//! Messages: sends, lists, blacklists and reports.

use std::collections::BTreeMap;

use peyk::account::blacklist::{AddToBlacklist, Blocked, ListBlacklist, RemoveFromBlacklist};
use peyk::account::chunk::look_again::LookAgain;
use peyk::account::chunk::orphan_receipts::{FindForOrphans, Fit, ListStatuses, Orphan};
use peyk::account::chunk::reports::{Deliver, Delivered, DeliveryReport};
use peyk::account::chunk::stalled::RetryChunk;
use peyk::account::erasure::{
    Erasure, Found, GetErasure, GetOldestErasure, ListErasures, StartErasure, Started as StartedErasure, WithCarriers,
};
use peyk::account::held::{GetHeld, Held};
use peyk::account::message::accept::{EstimateMessage, Estimated, SendMessage, Sent};
use peyk::account::message::charge::{Charge, ChargeMore, ChargeReserve};
use peyk::account::message::find::FindRecipients;
use peyk::account::message::halt::{CancelMessage, Halted, PauseMessage};
use peyk::account::message::list::{ListMessages, Listed, MessageFilter};
use peyk::account::message::patterns::{NotePatternChange, Review, StalePattern};
use peyk::account::message::read::{GetMessage, ListRecipients, RecipientFilter, Recipients};
use peyk::account::outbox::removals::RemovePhonebook;
use peyk::account::record::idempotency::{Idempotency, Space};
use peyk::account::record::message::callback::{Callback, CallbackFormat};
use peyk::account::record::message::delivery_error::DeliveryError;
use peyk::account::record::message::status::{MessageStatus, RecipientStatus};
use peyk::account::record::message::{
    Cheapest, MessageKind, MessageView, NewChunk, NewMessage, OwnText, RecipientGroup, RecipientView, Spending,
    UsedPattern,
};
use peyk::account::refusal::{Excess, Refusal};
use peyk::account::sign_in::{check::CheckSignIn, start::StartSignIn};
use peyk::account::sources::ListScheduledFrom;
use peyk::account::verify::check::{CheckVerification, Checked, Which};
use peyk::account::verify::read::{CancelVerification, FindVerifications, GetVerification};
use peyk::account::verify::start::{Asked, StartVerification, Started};
use peyk::account::verify::stats::{By as VerifyBy, GetVerifyStats, StatsRow, Tally};
use peyk::account::verify::{VerificationView, VerifyStatus};
use peyk::auth::{Mode, Scope};
use peyk::base::metrics::work::ReportWaits;
use peyk::base::network::Network;
use serde_json::value::RawValue;

use super::money::with_carriers;
use super::{Format, first_page, page, request};

pub fn new_message() -> NewMessage {
    let items = r#"[[989121234567,1000,0,{"text":"hello"},1],[989351234567,1000,0]]"#;
    NewMessage {
        uid: "019b796d-a000-7000-8000-000000000000".to_owned(),
        kind: MessageKind::Bulk,
        line: "10001".to_owned(),
        test: true,
        text: String::new(),
        redacted: Some(String::new()),
        encoding: "GSM7".to_owned(),
        parts: 1,
        all_parts: 2,
        cost: 2_000,
        unit: "IRR".to_owned(),
        refunds: vec![RecipientStatus::Undelivered],
        client_ref: Some("order 7".to_owned()),
        send_at_ms: Some(1_767_272_400_000),
        opens_ms: Some(1_767_272_400_000),
        keeps_hours: true,
        expires_ms: Some(1_767_272_700_000),
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
            avoid: vec!["mtn".to_owned()],
            prefix: "98912".to_owned(),
            first: 0,
            last: 1,
            count: 2,
        }],
        avoid: vec!["mci".to_owned()],
        saved: Some(1_400),
        callback: Some(callback()),
        skips_blocked: true,
        skipped: vec![(989_121_293_016, DeliveryError::Blacklisted)],
        campaign: Some(8),
        rehearsed: vec![Refusal::Inactive, Refusal::Blacklisted(vec![989_121_293_016])],
    }
}

/// A message without all that it may lack.
pub fn least_message() -> NewMessage {
    NewMessage {
        kind: MessageKind::Plain,
        test: false,
        redacted: None,
        refunds: Vec::new(),
        client_ref: None,
        send_at_ms: None,
        opens_ms: None,
        keeps_hours: false,
        expires_ms: None,
        idempotency: None,
        sending_enabled: false,
        patterns: Vec::new(),
        sources: Vec::new(),
        avoid: Vec::new(),
        saved: None,
        callback: None,
        skips_blocked: false,
        skipped: Vec::new(),
        campaign: None,
        rehearsed: Vec::new(),
        ..new_message()
    }
}

fn pattern_change(review: Option<Review>) -> NotePatternChange {
    NotePatternChange {
        slug: "login".to_owned(),
        review,
    }
}

fn review() -> Review {
    Review {
        version: 2,
        status: "REFUSED".to_owned(),
        reason: Some("no name of a shop".to_owned()),
    }
}

pub fn callback() -> Callback {
    Callback {
        format: CallbackFormat::Twilio,
        url: "https://shop.example/status".to_owned(),
        account: "AC0123456789abcdef0123456789abcdef".to_owned(),
        key: "v1.AAAA".to_owned(),
    }
}

pub fn used_pattern(heard: Option<i64>) -> UsedPattern {
    UsedPattern {
        slug: "login".to_owned(),
        revision: 7,
        heard,
    }
}

pub fn stale_patterns() -> Vec<StalePattern> {
    vec![StalePattern {
        slug: "login".to_owned(),
        changes: 3,
    }]
}

fn erasure() -> Erasure {
    Erasure {
        seq: 7,
        id: "019b796d-a000-7000-8000-000000000000".to_owned(),
        ending: "67".to_owned(),
        by_operators: false,
        created_ms: 1_767_268_800_000,
        done_ms: Some(1_767_276_000_000),
        found: Found {
            recipients: 12,
            blacklisted: true,
            ..Found::default()
        },
    }
}

pub fn idempotency() -> Idempotency {
    Idempotency {
        space: Space::Live,
        key: "order-7".to_owned(),
        hash: "ab".repeat(32),
    }
}

pub fn message() -> MessageView {
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
        opens_ms: Some(1_767_272_400_000),
        created_ms: 1_767_268_800_000,
        total: 2,
        skipped: Some(3),
        delivered: 1,
        failed: 1,
        paused: true,
        campaign: Some("019b796d-a000-7000-8000-000000000008".to_owned()),
        simulated: false,
        money: Spending {
            reserved: 1_000,
            spent: 2_000,
            released: 3_000,
            refunded: 4_000,
        },
        counts: BTreeMap::from([
            (RecipientStatus::Queued.into(), 1),
            (RecipientStatus::Delivered.into(), 1),
        ]),
        recipients: recipients(),
        cheapest: Some(Cheapest {
            text: Some("hello".to_owned()),
            saved: 1_400,
        }),
    }
}

/// A message as lists tell it.
pub fn listed_message() -> MessageView {
    MessageView {
        test: false,
        campaign: None,
        simulated: true,
        skipped: None,
        paused: false,
        client_ref: None,
        send_at_ms: None,
        opens_ms: None,
        money: Spending::default(),
        counts: BTreeMap::new(),
        recipients: Vec::new(),
        cheapest: None,
        ..message()
    }
}

pub fn recipients() -> Vec<RecipientView> {
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

pub fn report() -> DeliveryReport {
    DeliveryReport {
        is_presumed: false,
        message: 7,
        status: RecipientStatus::Delivered,
        indexes: vec![0, 1],
        cause: None,
    }
}

fn find_for_orphans() -> FindForOrphans {
    let orphan = |taken_ms, text: Option<&str>| Orphan {
        msisdn: 989_121_234_567,
        taken_ms,
        text: text.map(str::to_owned),
    };
    FindForOrphans {
        carrier: "mci".to_owned(),
        orphans: vec![
            orphan(Some(1_767_268_800_000), Some("Your code is 12345")),
            orphan(None, None),
        ],
    }
}

fn fit() -> Fit {
    Fit {
        orphan: 1,
        message: 7,
        index: 0,
        status: RecipientStatus::Unknown,
        parts: 1,
    }
}

fn asked() -> Asked {
    Asked {
        uid: "019b796d-a000-7000-8000-000000000001".to_owned(),
        msisdn: 989_121_234_567,
        purpose: "login".to_owned(),
        pieces: vec!["Your code is ".to_owned(), ".".to_owned()],
        length: 6,
        ttl_ms: 120_000,
        max_attempts: 5,
        address: Some("198.51.100.7".to_owned()),
        seed: [7; 16],
        nonce: [9; 12],
    }
}

fn verification() -> VerificationView {
    VerificationView {
        uid: "019b796d-a000-7000-8000-000000000001".to_owned(),
        status: VerifyStatus::Pending.into(),
        test: true,
        msisdn: 989_121_234_567,
        purpose: "login".to_owned(),
        line: "10001".to_owned(),
        created_ms: 1_767_268_800_000,
        expires_ms: 1_767_268_920_000,
        ended_ms: Some(1_767_268_810_000),
        resend_ms: Some(1_767_268_830_000),
        attempts_left: 5,
        message: Some("019b796d-a000-7000-8000-000000000001".to_owned()),
        sends: 1,
        cost: 1_000,
        client_ref: Some("order-7".to_owned()),
    }
}

fn deliver(asks_for_waits: bool) -> Deliver {
    Deliver {
        carrier: "sandbox".to_owned(),
        reports: vec![report()],
        asks_for_waits,
    }
}

fn delivered() -> Delivered {
    let mut waits = ReportWaits::default();
    waits.note(2_500);
    Delivered::Told { moved: 1, waits }
}

pub fn refusals() -> Vec<Refusal> {
    // A new refusal does not compile here: it needs a sample below.
    let _is_complete = |refusal: &Refusal| match refusal {
        Refusal::Unknown
        | Refusal::UnknownRequest
        | Refusal::KeyRevoked
        | Refusal::KeyUnknown
        | Refusal::OwnKey
        | Refusal::LastKey
        | Refusal::NotMember
        | Refusal::NeedsPasskey
        | Refusal::NoPasskey
        | Refusal::MemberJoined
        | Refusal::TooManyInvitations
        | Refusal::PasskeyExists
        | Refusal::TooManyPasskeys
        | Refusal::PasskeyCopied
        | Refusal::ChallengeEnded
        | Refusal::SameOperator
        | Refusal::TooLate
        | Refusal::WiderKey(_)
        | Refusal::RateLimited
        | Refusal::AuditFull { .. }
        | Refusal::IdempotencyMismatch
        | Refusal::Inactive
        | Refusal::SendingOff(_)
        | Refusal::InsufficientBalance { .. }
        | Refusal::WalletFull
        | Refusal::Closed
        | Refusal::Barred { .. }
        | Refusal::NotEmpty { .. }
        | Refusal::NotFound
        | Refusal::TooManyKeys
        | Refusal::Blacklisted(_)
        | Refusal::RecipientLimit { .. }
        | Refusal::DailyLimit { .. }
        | Refusal::BlacklistFull
        | Refusal::TooManyErasures
        | Refusal::HasLeft
        | Refusal::OfCampaign(_)
        | Refusal::InCampaigns(_)
        | Refusal::CampaignBegun
        | Refusal::HasCode
        | Refusal::TooManyCampaigns
        | Refusal::ResentOnce
        | Refusal::FixedResend
        | Refusal::CampaignState(_)
        | Refusal::NotStalled
        | Refusal::NotPending { .. }
        | Refusal::NotRestored(_)
        | Refusal::BeforeMove(_) => {}
    };
    vec![
        Refusal::UnknownRequest,
        Refusal::MemberJoined,
        Refusal::TooManyCampaigns,
        Refusal::ResentOnce,
        Refusal::FixedResend,
        Refusal::CampaignState("RUNNING".to_owned()),
        Refusal::TooManyInvitations,
        Refusal::NotPending {
            ended: Some("EXPIRED".to_owned()),
        },
        Refusal::KeyRevoked,
        Refusal::KeyUnknown,
        Refusal::OwnKey,
        Refusal::LastKey,
        Refusal::SameOperator,
        Refusal::TooLate,
        Refusal::WiderKey(vec![
            Excess::Scope(Scope::SmsSend),
            Excess::Line("10001".to_owned()),
            Excess::AllLines,
            Excess::Live,
            Excess::Time,
            Excess::Address(Network::parse("192.0.2.0/24").unwrap()),
            Excess::AnyAddress,
            Excess::Rate,
            Excess::Spend,
        ]),
        Refusal::RateLimited,
        Refusal::AuditFull { retry_after_s: 40 },
        Refusal::IdempotencyMismatch,
        Refusal::Inactive,
        Refusal::SendingOff(true),
        Refusal::InsufficientBalance {
            cost: 2_000,
            available: 1_000,
        },
        Refusal::WalletFull,
        Refusal::Closed,
        Refusal::Barred {
            reason: "invoice 17 is not paid".to_owned(),
            is_inactive: true,
        },
        Refusal::NotEmpty {
            available: 12_000,
            locked: 3_000,
            recipients: 3,
        },
        Refusal::NotFound,
        Refusal::TooManyKeys,
        Refusal::Blacklisted(vec![989_121_234_567]),
        Refusal::RecipientLimit {
            recipients: vec![989_121_234_567],
            retry_after_s: 240,
        },
        Refusal::DailyLimit {
            limit: 100_000,
            spent: 99_000,
            cost: 2_500,
            of_key: true,
            retry_after_s: 3_600,
        },
        Refusal::BlacklistFull,
        Refusal::TooManyErasures,
        Refusal::HasLeft,
        Refusal::OfCampaign("019b".to_owned()),
        Refusal::InCampaigns(vec!["019b".to_owned()]),
        Refusal::CampaignBegun,
        Refusal::HasCode,
        Refusal::NotStalled,
        Refusal::NotRestored("no history".to_owned()),
        Refusal::BeforeMove(1_767_268_800_000),
    ]
}

pub fn halted() -> Halted {
    Halted {
        message: Box::new(message()),
        canceled: 940,
        with_carriers: with_carriers(),
    }
}

/// The requests, each with its answers.
pub fn requests() -> Vec<Vec<Format>> {
    let boxed = || Box::new(message());
    let filter = || MessageFilter {
        status: Some(MessageStatus::Done),
        kind: Some(MessageKind::Plain),
        from_ms: Some(1_767_268_800_000),
        to_ms: Some(1_767_272_400_000),
        msisdn: Some(989_121_234_567),
        client_ref: Some("order 7".to_owned()),
        mode: Some(Mode::Test),
    };
    let list = |filter, page, sandboxes| ListMessages {
        filter,
        page,
        sandboxes,
    };
    let sandboxes = || vec!["sandbox".to_owned()];
    let list_recipients = |status, page, whole_texts| ListRecipients {
        uid: "uid".to_owned(),
        mode: Some(Mode::Live),
        filter: RecipientFilter {
            status,
            msisdn: status.map(|_| 989_121_234_567),
            error: status.map(|_| DeliveryError::NoReport),
        },
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
    vec![
        request(&[Charge(Some(idempotency())), Charge(None)], vec![Some(boxed()), None]),
        request(&[ChargeMore(19)], vec![()]),
        request(&[ChargeReserve], vec![()]),
        request(
            &[SendMessage(new_message()), SendMessage(least_message())],
            vec![
                Sent::Accepted("019b796d-a000-7000-8000-000000000007".to_owned()),
                Sent::Replayed(boxed()),
                Sent::PatternsStale(stale_patterns()),
                Sent::Blocked(vec![989_121_293_016]),
            ],
        ),
        request(
            &[EstimateMessage(new_message())],
            vec![
                Estimated::Refusals(refusals()),
                Estimated::PatternsStale(stale_patterns()),
                Estimated::Blocked(vec![989_121_293_016]),
            ],
        ),
        request(
            &[StartVerification {
                message: new_message(),
                asked: asked(),
            }],
            vec![
                Started::Sent(Box::new(verification()), 1_000),
                Started::Replayed(Box::new(verification()), 1_000),
                Started::PatternsStale(stale_patterns()),
                Started::OtherLength(6),
            ],
        ),
        request(
            &[
                CheckVerification {
                    which: Which::Id("uid".to_owned()),
                    code: "123456".to_owned(),
                    mode: Mode::Live,
                },
                CheckVerification {
                    which: Which::Newest(989_121_234_567, "login".to_owned()),
                    code: "123456".to_owned(),
                    mode: Mode::Test,
                },
            ],
            vec![Checked {
                is_right: true,
                view: verification(),
            }],
        ),
        request(
            &[StartSignIn {
                message: new_message(),
                msisdn: 989_121_234_567,
                is_member: true,
                browser: "ab".repeat(32),
                network: Some("203.0.113.7".to_owned()),
                pieces: vec!["Your code is ".to_owned(), ".".to_owned()],
                seed: [7; 16],
                nonce: [7; 12],
            }],
            vec![true, false],
        ),
        request(
            &[CheckSignIn {
                msisdn: 989_121_234_567,
                browser: "ab".repeat(32),
                code: "123456".to_owned(),
            }],
            vec![true, false],
        ),
        request(
            &[GetVerification {
                uid: "uid".to_owned(),
                mode: Mode::Live,
            }],
            vec![Box::new(verification())],
        ),
        request(
            &[
                FindVerifications {
                    msisdn: 989_121_234_567,
                    purpose: Some("login".to_owned()),
                    mode: Mode::Live,
                },
                FindVerifications {
                    msisdn: 989_121_234_567,
                    purpose: None,
                    mode: Mode::Test,
                },
            ],
            vec![vec![verification()]],
        ),
        request(
            &[CancelVerification {
                uid: "uid".to_owned(),
                mode: Mode::Live,
            }],
            vec![Box::new(verification())],
        ),
        request(
            &[GetVerifyStats {
                from: 20_454,
                to: 20_455,
                by: VerifyBy::Prefix,
                mode: Mode::Live,
            }],
            vec![vec![StatsRow {
                name: "98912".to_owned(),
                tally: Tally {
                    started: 3,
                    sent: 4,
                    checked: 3,
                    approved: 2,
                    blocked: 1,
                    seconds: [(9, 1), (12, 1)].into_iter().collect(),
                },
                paused_until_ms: Some(1_767_268_800_000),
            }]],
        ),
        request(
            &[
                FindRecipients {
                    named: vec![(7, 0), (7, 9_999)],
                    client_refs: Vec::new(),
                    mode: Mode::Live,
                },
                FindRecipients {
                    named: Vec::new(),
                    client_refs: vec!["order-7".to_owned()],
                    mode: Mode::Test,
                },
            ],
            vec![vec![listed_message()], Vec::new()],
        ),
        request(
            &[CancelMessage {
                uid: "uid".to_owned(),
                mode: Mode::Test,
            }],
            vec![halted()],
        ),
        request(
            &[true, false].map(|paused| PauseMessage {
                uid: "uid".to_owned(),
                mode: Mode::Live,
                paused,
            }),
            vec![halted()],
        ),
        request(
            &[ListScheduledFrom("pattern:login".to_owned())],
            vec![vec!["uid".to_owned()]],
        ),
        request(&[pattern_change(None), pattern_change(Some(review()))], vec![()]),
        request(
            &[only(Some(989_121_234_567), page()), only(None, first_page())],
            vec![vec![blocked]],
        ),
        request(&[AddToBlacklist(vec![989_121_234_567])], vec![1]),
        request(
            &[StartErasure {
                id: "019b796d-a000-7000-8000-000000000000".to_owned(),
                sealed: "v1.AAAA".to_owned(),
                msisdn: 989_121_234_567,
                ending: "67".to_owned(),
                by_operators: true,
            }],
            vec![StartedErasure {
                erasure: erasure(),
                with_carriers: WithCarriers {
                    at_ms: 1_767_268_800_000,
                    by_object: BTreeMap::from([("mci/0".to_owned(), vec![(7, 1)])]),
                },
            }],
        ),
        request(
            &[GetHeld(989_121_234_567)],
            vec![Held {
                messages: 2,
                inbound: 1,
                blacklisted: true,
                opt_out: true,
            }],
        ),
        request(&[GetErasure("id".to_owned())], vec![erasure()]),
        request(
            &[ListErasures(page()), ListErasures(first_page())],
            vec![vec![erasure()]],
        ),
        request(&[GetOldestErasure], vec![Some(1_767_268_800_000), None]),
        request(&[RemoveFromBlacklist(vec![989_121_234_567])], vec![1]),
        request(
            &[
                list(filter(), page(), sandboxes()),
                list(MessageFilter::default(), first_page(), Vec::new()),
            ],
            vec![listed(None), listed(Some(7))],
        ),
        request(
            &[None, Some(Mode::Live)].map(|mode| GetMessage {
                uid: "uid".to_owned(),
                mode,
                sandboxes: sandboxes(),
            }),
            vec![boxed()],
        ),
        request(
            &[
                list_recipients(Some(RecipientStatus::Queued), page(), true),
                list_recipients(None, first_page(), false),
            ],
            vec![recipients],
        ),
        request(&[remove], vec![vec!["uid".to_owned()]]),
        request(
            &[deliver(false), deliver(true)],
            vec![Delivered::Moved(Some(1)), Delivered::Moved(None), delivered()],
        ),
        request(&[find_for_orphans()], vec![vec![fit()], vec![]]),
        request(
            &[ListStatuses(vec![(7, 0)])],
            vec![vec![(7, 0, RecipientStatus::Submitted)], vec![]],
        ),
        request(&[RetryChunk { seq: 3 }], vec![()]),
        request(&[LookAgain], vec![()]),
    ]
}
