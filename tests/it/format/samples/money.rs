//! An account's limits, its ledger and its usage.

use peyk::account::audit_budget::NoteAudited;
use peyk::account::closing::CloseAccount;
use peyk::account::delivery_stats::{DeliveryStats, GetOutcomes, OperatorStats};
use peyk::account::hold::{CancelAll, CancelMore, Canceled, ToCancel};
use peyk::account::limiter::{self, Decision, Limit};
use peyk::account::metrics::{CountRequests, CountWork, GetRequestCounts, GetWorkCounts, RequestCounts};
use peyk::account::overview::{ChangeSettings, Configure, GetOverview, Overview};
use peyk::account::record::caps::{DailySpend, RecipientLimit, SpendLimit};
use peyk::account::record::chunk::with_carriers::WithCarriers;
use peyk::account::record::idempotency::Idempotency;
use peyk::account::record::key_usage::SentSums;
use peyk::account::record::ledger::{EntryKind, Wallet};
use peyk::account::record::usage_totals::Totals;
use peyk::account::unsent::{GetUnsent, LateLine, Unsent};
use peyk::account::usage::by_key::{KeyUsage, SendingKey};
use peyk::account::usage::days::{ListUsage, ListedDays, UsageDay};
use peyk::account::wallet::credit::{AddCredit, Credited, FindCredit};
use peyk::account::wallet::entries::{EntryFilter, EntryView, ListTransactions, ListedEntries};
use peyk::auth::Mode;
use peyk::base::metrics::work::{ReportWaits, WorkCounts};

use super::messages::idempotency;
use super::{Format, first_page, page, request};

pub fn decision() -> Decision {
    Decision {
        allowed: true,
        tat_us: 1_767_268_800_000_000,
        remaining: 99,
        reset_s: 1,
        retry_after_s: 0,
    }
}

fn request_counts() -> RequestCounts {
    let mut counts = RequestCounts::default();
    counts.note("/sms/send", 201, 12);
    counts.note("/sms/send", 429, 3);
    counts.note("", 404, 20_000);
    counts
}

fn work_counts() -> WorkCounts {
    let (mut counts, mut waits) = (WorkCounts::default(), ReportWaits::default());
    waits.note(2_500);
    counts.note_attempt("EVENT", "TAKEN", 12);
    counts.note_attempt("CALLBACK", "NONE", 15_000);
    counts.note_reports("mci", &waits);
    counts
}

pub fn wallet() -> Wallet {
    Wallet {
        available: 5_000,
        locked: 1_000,
        spent: 4_000,
        credited: 10_000,
    }
}

pub fn entry() -> EntryView {
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

pub fn entry_filter() -> EntryFilter {
    EntryFilter {
        kind: Some(EntryKind::Settle),
        from_ms: Some(1_767_268_800_000),
        to_ms: Some(1_767_272_400_000),
        message: Some("019b796d-a000-7000-8000-000000000007".to_owned()),
    }
}

pub fn usage_day() -> UsageDay {
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
        simulated: 1,
        keys: vec![
            KeyUsage {
                console: true,
                live: sent(),
                ..KeyUsage::default()
            },
            KeyUsage {
                key: Some(SendingKey {
                    id: "key-1".to_owned(),
                    title: "main".to_owned(),
                }),
                test: sent(),
                ..KeyUsage::default()
            },
        ],
    }
}

fn sent() -> SentSums {
    SentSums {
        messages: 1,
        recipients: 7,
        parts: 14,
        cost: 14_000,
        returned: 3_000,
    }
}

pub fn overview() -> Overview {
    Overview {
        active: true,
        sending_enabled: true,
        on_hold: true,
        limit: Limit::default(),
        test_limit: limiter::of_tests(),
        recipient_limit: RecipientLimit::default(),
        daily_spend: DailySpend {
            limit: Some(5_000_000),
            day: 20_454,
            spent: 12_000,
        },
        closed_ms: Some(1_767_268_800_000),
        reason: Some("invoice 17 is not paid".to_owned()),
        wallet: wallet(),
        storage_bytes: 40_960,
        time_zone: "Asia/Tehran".to_owned(),
    }
}

pub fn with_carriers() -> WithCarriers {
    WithCarriers {
        at_ms: 1_767_268_800_000,
        objects: vec!["mci/0".to_owned()],
        recipients: 60,
    }
}

fn to_cancel() -> ToCancel {
    ToCancel {
        through: 7,
        with_carriers: with_carriers(),
    }
}

fn canceled() -> Canceled {
    Canceled {
        recipients: 940,
        is_more: true,
    }
}

fn delivery_stats() -> DeliveryStats {
    let ended = OperatorStats {
        delivered: 7,
        failed: 1,
        others: 2,
    };
    DeliveryStats {
        operators: [("MCI".to_owned(), ended)].into(),
        reasons: [("ABSENT_SUBSCRIBER".to_owned(), 1)].into(),
        recipients: 10,
        has_more: true,
    }
}

fn unsent() -> Unsent {
    Unsent {
        recipients: 1_000,
        scheduled: 10,
        with_carriers: 50,
        has_more: true,
        on_hold: true,
        reason: Some("invoice 17 is not paid".to_owned()),
        lines: vec![LateLine {
            line: "10001".to_owned(),
            recipients: 940,
            oldest_ms: 1_767_268_800_000,
        }],
    }
}

/// The requests, each with its answers.
pub fn requests() -> Vec<Vec<Format>> {
    let credit = |note, idempotency: Option<Idempotency>| AddCredit {
        amount: 10_000,
        note,
        until_ms: idempotency.is_some().then_some(1_767_268_820_000),
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
        sandboxes: vec!["sandbox".to_owned()],
    };
    let listed_entries = |walked_to, ahead| ListedEntries {
        entries: vec![entry()],
        walked_to,
        ahead,
    };
    let listed_days = |walked_to| ListedDays {
        days: vec![usage_day()],
        walked_to,
    };
    let configure = Configure {
        active: Some(true),
        sending_enabled: Some(true),
        limit: Some(Limit::default()),
        test_limit: Some(limiter::of_tests()),
        recipient_limit: Some(RecipientLimit::default()),
        spend_limit: Some(SpendLimit { limit: Some(5_000_000) }),
        on_hold: Some(true),
        reason: Some("invoice 17 is not paid".to_owned()),
    };
    vec![
        request(&[GetOverview], vec![overview()]),
        request(
            &[ChangeSettings {
                time_zone: Some("Europe/Berlin".to_owned()),
            }],
            vec![overview()],
        ),
        request(&[configure, Configure::default()], vec![Some(with_carriers()), None]),
        request(&[CancelAll], vec![to_cancel()]),
        request(&[CloseAccount], vec![1_767_268_800_000]),
        request(&[CountRequests(request_counts())], vec![()]),
        request(&[GetRequestCounts], vec![request_counts(), RequestCounts::default()]),
        request(&[CountWork(work_counts())], vec![()]),
        request(&[GetWorkCounts], vec![work_counts(), WorkCounts::default()]),
        request(
            &[GetOutcomes {
                from_ms: 1_767_268_800_000,
                mode: Mode::Live,
            }],
            vec![delivery_stats(), DeliveryStats::default()],
        ),
        request(
            &[GetUnsent { mode: None }, GetUnsent { mode: Some(Mode::Live) }],
            vec![unsent(), Unsent::default()],
        ),
        request(&[CancelMore { through: 7 }], vec![canceled()]),
        request(
            &[
                credit(Some("invoice 17".to_owned()), Some(idempotency())),
                credit(None, None),
            ],
            vec![credited(false), credited(true)],
        ),
        request(
            &[
                FindCredit(idempotency()),
                FindCredit(Idempotency::approved("019b796d-0000-7000-8000-00000000000c")),
            ],
            vec![Some(wallet()), None],
        ),
        request(
            &[
                list_entries(entry_filter(), page()),
                list_entries(EntryFilter::default(), first_page()),
            ],
            vec![listed_entries(Some(1), 12_000), listed_entries(None, 0)],
        ),
        request(
            &[list_usage(Some(20_454), page()), list_usage(None, first_page())],
            vec![listed_days(Some(20_454)), listed_days(None)],
        ),
        request(
            &[NoteAudited {
                key: "key-1".to_owned(),
                bytes: 1_200,
                bytes_a_day: 2_000_000,
            }],
            vec![()],
        ),
    ]
}
