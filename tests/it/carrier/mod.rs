//! Carriers and their objects.

mod cold_wake;
mod erasures;
mod gateway_rates;
mod gateway_urls;
mod handover;
mod http;
mod journal_steps;
mod remembered;
mod resuming;
mod room;

use peyk::account::record::chunk::handover::{ChunkRef, Handover};
use peyk::carrier::{journal, journal::Verdict, kind::Kind, request::Submission, steps::Steps};

use crate::format::samples::carrier as sample;
use crate::support::{Sqlite, carrier_store};

fn chunk(attempt: u32) -> ChunkRef {
    ChunkRef {
        attempt,
        ..sample::chunk()
    }
}

/// The chunk with recipients of these indexes.
fn handover(attempt: u32, recipients: impl IntoIterator<Item = u32>) -> Handover {
    let recipient = |index| (index, 989_121_234_000 + u64::from(index));
    Handover {
        chunk: chunk(attempt),
        recipients: recipients.into_iter().map(recipient).collect(),
        doubt_ms: None,
        texts: Default::default(),
        ..sample::handover()
    }
}

/// An empty journal.
fn opened() -> Sqlite {
    carrier_store(Kind::Smpp)
}

/// What a journal says to a claim whose time ends at 1,000 ms.
fn judge(sql: &Sqlite, now_ms: i64, attempt: u32, recipients: impl IntoIterator<Item = u32>) -> Verdict {
    judge_with(sql, &mut Steps::default(), now_ms, attempt, recipients)
}

/// The same to a claim of a carrier that sends bit by bit.
fn judge_with(
    sql: &Sqlite,
    steps: &mut Steps,
    now_ms: i64,
    attempt: u32,
    recipients: impl IntoIterator<Item = u32>,
) -> Verdict {
    let submission = Submission {
        account: "shop".to_owned(),
        valid_until_ms: 1_000,
        handovers: vec![handover(attempt, recipients)],
        ..sample::submission()
    };
    let steps = steps.of(sql, "shop", &[chunk(attempt).id()]).unwrap();
    let mut judged = journal::judge(sql, now_ms, &submission, steps).unwrap();
    assert_eq!(judged.len(), 1);
    judged.remove(0).1
}
