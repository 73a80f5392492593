//! Claims of chunks that wait in their queue.

use std::rc::Rc;

use super::{expiry, quarantine};
use crate::account::record::account_row::Account;
use crate::account::record::chunk::claim::{Head, RECIPIENTS_A_BUNDLE, handover, lease_ends_ms, next_claim};
use crate::account::record::chunk::handover::Handover;
use crate::account::record::chunk::loaded::{self, Loaded};
use crate::account::record::chunk::progress::Progress;
use crate::account::record::chunk::queue::{CHUNKS_A_BUNDLE, Queue};
use crate::account::record::chunk::{ChunkId, ChunkState, queue};
use crate::account::record::message::code_text;
use crate::account::record::message::{MessageKind, recipient_text};
use crate::account::unit_of_work::UnitOfWork;
use crate::auth::secret::MasterKey;
use crate::base::ports::{PortError, Row, Sql};
use crate::durable::{remembered, to_json};

/// Chunks that are claimed together for one object of a carrier.
#[derive(Debug)]
pub struct Claimed {
    /// The chunks. None: those that were due had expired, or can't be worked on.
    pub handovers: Vec<Handover>,
    /// Whether more chunks may be due, for which there was no room.
    pub is_full: bool,
}

/// Claims chunks of a queue that are due for an object of a carrier, oldest first, as many as go into one bundle. Until their
/// lease ends, nobody else claims them. The account's row was just read, and nobody else works on it in this transaction. With the
/// master key, it opens the texts of those with codes.
pub fn claim(
    sql: &impl Sql,
    now_ms: i64,
    account: &Rc<Account>,
    queue: &Queue,
    object: &str,
    master_key: &MasterKey,
) -> Result<Option<Claimed>, PortError> {
    let (ids, is_full) = bundle_of(&queue::due(sql, now_ms, queue)?);
    if ids.is_empty() {
        return Ok(None);
    }
    let rows = sql.exec(loaded::WITH_TEXTS, &[to_json(&ids)?.into()])?;
    let (mut found, mut expired) = (Vec::with_capacity(rows.len()), Vec::new());
    for (row, id) in rows.iter().zip(ids) {
        let stored = stored_handover(sql, row, &account.id, master_key).map(|(handover, loaded)| {
            let ask_only =
                handover.ask_only || account.holds(id.0) || handover.has_expired(now_ms) || handover.has_erased();
            (Handover { ask_only, ..handover }, loaded)
        });
        match quarantine::keep(sql, now_ms, id, stored)? {
            // Of a chunk in doubt, the carrier is asked first.
            Some((handover, _)) if handover.has_expired(now_ms) && handover.doubt_ms.is_none() => expired.push(id),
            stored => found.extend(stored),
        }
    }
    cancel_expired(sql, now_ms, account, &expired)?;
    let handovers = claim_all(sql, now_ms, found, object)?;
    Ok(Some(Claimed { handovers, is_full }))
}

/// Lets those chunks of a queue wait that are due: the hours of their line begin at this time. Chunks grow old from then on. A scheduled
/// one that is due later is looked at when its time comes. If the hours have begun meanwhile, nothing has to wait.
pub fn put_off(sql: &impl Sql, now_ms: i64, queue: &Queue, opens_ms: i64) -> Result<(), PortError> {
    if opens_ms <= now_ms {
        return Ok(());
    }
    loop {
        let due: Vec<ChunkId> = queue::due(sql, now_ms, queue)?.into_iter().map(|(id, _)| id).collect();
        if due.is_empty() {
            return Ok(());
        }
        let ids = to_json(&due)?;
        sql.exec(
            "UPDATE chunk SET due_ms = ?2, ready_ms = ?2 FROM json_each(?1) AS p \
             WHERE message = p.value ->> 0 AND number = p.value ->> 1",
            &[ids.as_str().into(), opens_ms.into()],
        )?;
        sql.exec(
            "UPDATE chunk SET opens_ms = ?2 WHERE number = 0 AND message IN (SELECT value ->> 0 FROM json_each(?1))",
            &[ids.into(), opens_ms.into()],
        )?;
    }
}

fn cancel_expired(sql: &impl Sql, now_ms: i64, account: &Rc<Account>, expired: &[ChunkId]) -> Result<(), PortError> {
    if expired.is_empty() {
        return Ok(());
    }
    let mut work = UnitOfWork::of(now_ms, Rc::clone(account));
    expiry::cancel(sql, &mut work, expired)?;
    work.save(sql)
}

/// Notes that an object of a carrier has claimed these chunks. They are remembered until its answer.
fn claim_all(
    sql: &impl Sql,
    now_ms: i64,
    found: Vec<(Handover, Loaded)>,
    object: &str,
) -> Result<Vec<Handover>, PortError> {
    let (handovers, chunks): (Vec<Handover>, Vec<Loaded>) = found.into_iter().unzip();
    if handovers.is_empty() {
        return Ok(handovers);
    }
    let ids: Vec<ChunkId> = handovers.iter().map(|handover| handover.chunk.id()).collect();
    let (state, due_ms) = (ChunkState::Claimed, lease_ends_ms(now_ms));
    remembered::keep(sql, &ids, || {
        sql.exec(
            "UPDATE chunk SET state = ?2, attempt = attempt + 1, due_ms = ?3, object = ?4 FROM json_each(?1) AS p \
             WHERE message = p.value ->> 0 AND number = p.value ->> 1",
            &[to_json(&ids)?.into(), state.code().into(), due_ms.into(), object.into()],
        )?;
        let claimed = handovers.iter().zip(chunks).map(|(handover, chunk)| {
            let progress = Progress {
                state,
                due_ms,
                attempt: handover.chunk.attempt,
                ..chunk.progress
            };
            (handover.chunk.id(), Loaded { progress, ..chunk })
        });
        Ok(claimed.filter(loaded::may_be_kept).collect())
    })?;
    Ok(handovers)
}

/// The first of the chunks, with so many recipients each, that go into one bundle, and whether others may be left.
fn bundle_of(due: &[(ChunkId, i64)]) -> (Vec<ChunkId>, bool) {
    let (mut ids, mut all) = (Vec::with_capacity(due.len()), 0);
    for (id, recipients) in due {
        all += recipients;
        if !ids.is_empty() && all > RECIPIENTS_A_BUNDLE {
            return (ids, true);
        }
        ids.push(*id);
    }
    let is_full = ids.len() >= CHUNKS_A_BUNDLE;
    (ids, is_full)
}

fn stored_handover(
    sql: &impl Sql,
    row: &Row,
    account: &str,
    master_key: &MasterKey,
) -> Result<(Handover, Loaded), PortError> {
    let mut row = row.reader();
    let (id, loaded) = loaded::read(&mut row)?;
    let chunk = next_claim(id, loaded.progress.attempt);
    let (uid, text, mut redacted, sealed): (String, String, Option<String>, Option<String>) = row.read()?;
    let text = match sealed {
        None => text,
        Some(sealed) => {
            redacted = Some(text);
            code_text::open(master_key, (account, chunk.message), &sealed)?
        }
    };
    let head = Head {
        uid,
        line: loaded.message.line.clone(),
        text,
        redacted,
        expires_ms: loaded.message.expires_ms,
    };
    let mut handover = handover(head, chunk, &loaded.recipients);
    handover.doubt_ms = loaded.progress.doubt_ms;
    if MessageKind::parse(&row.read::<String>()?).is_some_and(MessageKind::has_recipient_texts) {
        let indexes = handover.recipients.iter().map(|(index, _)| *index);
        handover.texts = recipient_text::read(sql, chunk.message, indexes)?;
    }
    handover.ask_only = loaded.message.halt.is_some();
    Ok((handover, loaded))
}
