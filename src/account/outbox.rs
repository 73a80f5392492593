//! What the object's alarm does: whatever is due. Chunks go into the queue, claims that ended without a report come
//! back, waiting for reports ends, and the mirror in the directory is brought up to date.
//!
//! The queue may lose or repeat what it is given (a crash between sending and noting it repeats): a chunk stays due
//! again a while later until somebody claims it, and a claim counts once.

use serde::{Deserialize, Serialize};

use super::batch::{Batch, ChunkState};
use super::command::ChunkRef;
use super::store::{Account, MIRROR_DELAY_MS};
use crate::carrier::sandbox;
use crate::directory::mirror::{self, State};
use crate::ports::{Platform, PortError, Sql};

/// What one queue message carries: chunks of one account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Work {
    /// Version of this shape.
    pub v: u8,
    /// Whose chunks they are.
    pub account: String,
    /// Which.
    pub chunks: Vec<ChunkRef>,
}

/// The version of [`Work`] that this code writes and reads.
pub const WORK_VERSION: u8 = 1;

/// Chunks handled in one go of the alarm; it rings again at once for more.
const CHUNKS_A_GO: i64 = 200;
/// Chunks in one queue message: what one consumer call claims, hands over and reports together.
const CHUNKS_A_MESSAGE: usize = 50;
/// Recipients in one queue message, about.
const RECIPIENTS_A_MESSAGE: i64 = 1_000;
/// When a chunk that nobody has claimed goes into the queue again, ms.
const REQUEUE_MS: i64 = 30_000;
/// When to try again after the queue or the directory failed, ms.
const RETRY_MS: i64 = 5_000;
/// Idempotency rows swept in one go.
const SWEPT_A_GO: i64 = 500;
/// Sweeping is no hurry: it waits for company, ms.
const SWEEP_SLACK_MS: i64 = 60 * 60 * 1_000;

/// Does what is due and tells when to come again (`None`: when something new happens).
///
/// Never fails for long: a failing queue or directory is logged and tried again, while the rest goes on.
pub async fn run<P: Platform, S: Sql>(platform: &P, sql: &S) -> Result<Option<i64>, PortError> {
    let now_ms = platform.now_ms();
    let Some(work) = sql.transaction(|| collect(sql, now_ms))? else {
        return Ok(None);
    };
    if !work.is_empty() {
        match platform.enqueue(&work).await {
            Ok(()) => sql.transaction(|| enqueued(sql, now_ms, &work))?,
            Err(error) => {
                log_failure(platform, "enqueue", &error);
                return Ok(Some(now_ms.saturating_add(RETRY_MS)));
            }
        }
    }
    if let Err(error) = mirror(platform, sql, now_ms).await {
        log_failure(platform, "mirror", &error);
        sql.exec(
            "UPDATE account SET mirror_due_ms = ?1",
            &[now_ms.saturating_add(RETRY_MS).into()],
        )?;
    }
    next_due(sql)
}

fn log_failure(platform: &impl Platform, what: &str, error: &PortError) {
    let line = serde_json::json!({"level": "error", "event": "outbox", "what": what, "cause": error.to_string()});
    platform.log(&line.to_string());
}

/// When the object's alarm has to ring next.
pub fn next_due(sql: &impl Sql) -> Result<Option<i64>, PortError> {
    let rows = sql.exec(
        "SELECT (SELECT min(due_ms) FROM chunk), \
                (SELECT mirror_due_ms FROM account WHERE mirrored < version), \
                (SELECT min(expires_ms) + ?1 FROM idempotency)",
        &[SWEEP_SLACK_MS.into()],
    )?;
    let Some(row) = rows.first() else {
        return Ok(None);
    };
    Ok([row.opt_int(0)?, row.opt_int(1)?, row.opt_int(2)?]
        .into_iter()
        .flatten()
        .min())
}

/// Does all that is due without waiting for anybody, and gives what is to go into the queue. `None`: nobody ever called
/// this object.
fn collect(sql: &impl Sql, now_ms: i64) -> Result<Option<Vec<Work>>, PortError> {
    let Some(before) = Account::stored(sql)? else {
        return Ok(None);
    };
    let mut account = before.clone();
    let due = sql.exec(
        "SELECT c.message, c.start, c.attempt, c.queued, c.state, m.test, m.status = 'SCHEDULED' FROM chunk c \
         JOIN message m ON m.id = c.message WHERE c.due_ms <= ?1 ORDER BY c.due_ms, c.message, c.start LIMIT ?2",
        &[now_ms.into(), CHUNKS_A_GO.into()],
    )?;
    let mut ready = Vec::new();
    for row in &due {
        let chunk = ChunkRef {
            message: row.int(0)?,
            start: row.u32(1)?,
            attempt: row.u32(2)?,
        };
        let (queued, state, test, scheduled) = (row.int(3)?, row.int(4)?, row.bool(5)?, row.bool(6)?);
        // Most chunks need no more than to be sent: nothing about them changes before the queue has them.
        let is_plain = state == ChunkState::Ready.code() && !test && !scheduled;
        if is_plain || prepare(sql, now_ms, &mut account, chunk, state, test)? {
            ready.push((chunk, queued));
        }
    }
    sql.exec(
        "DELETE FROM idempotency WHERE key IN \
           (SELECT key FROM idempotency WHERE expires_ms <= ?1 ORDER BY expires_ms LIMIT ?2)",
        &[now_ms.into(), SWEPT_A_GO.into()],
    )?;
    account.save(sql, &before)?;
    Ok(Some(bundle(&account.id, &ready)))
}

/// Brings one due chunk a step on; `true` when it is to go into the queue.
fn prepare(
    sql: &impl Sql,
    now_ms: i64,
    account: &mut Account,
    chunk: ChunkRef,
    state: i64,
    test: bool,
) -> Result<bool, PortError> {
    let place = (chunk.message, chunk.start);
    let mut batch = Batch::load(sql, &[place])?;
    if state == ChunkState::Awaiting.code() {
        batch.expire(sql, now_ms, account, place)?;
    } else if state == ChunkState::Claimed.code() {
        batch.doubt(now_ms, place);
    } else {
        batch.start(sql, now_ms, account, place)?;
        if test {
            // Messages of a test key reach no carrier: they end as the sandbox would end them.
            batch.end(sql, now_ms, account, place, sandbox::ending)?;
        }
    }
    let is_ready = batch.is_ready(place);
    batch.save(sql)?;
    Ok(is_ready)
}

/// Packs chunks into queue messages of bounded size.
fn bundle(account: &str, ready: &[(ChunkRef, i64)]) -> Vec<Work> {
    let mut bundles: Vec<(Work, i64)> = Vec::new();
    for (chunk, queued) in ready {
        match bundles.last_mut() {
            Some((work, size)) if work.chunks.len() < CHUNKS_A_MESSAGE && *size + queued <= RECIPIENTS_A_MESSAGE => {
                work.chunks.push(*chunk);
                *size += queued;
            }
            _ => {
                let work = Work {
                    v: WORK_VERSION,
                    account: account.to_owned(),
                    chunks: vec![*chunk],
                };
                bundles.push((work, *queued));
            }
        }
    }
    bundles.into_iter().map(|(work, _)| work).collect()
}

/// Notes what the queue has: due again later, unless somebody claims it first.
fn enqueued(sql: &impl Sql, now_ms: i64, work: &[Work]) -> Result<(), PortError> {
    let chunks: Vec<(i64, u32, u32)> = work
        .iter()
        .flat_map(|work| &work.chunks)
        .map(|chunk| (chunk.message, chunk.start, chunk.attempt))
        .collect();
    let chunks = serde_json::to_string(&chunks).map_err(|error| PortError::failed("json", error))?;
    sql.exec(
        "UPDATE chunk SET due_ms = ?2 FROM json_each(?1) AS sent \
         WHERE chunk.message = sent.value ->> 0 AND chunk.start = sent.value ->> 1 \
           AND chunk.attempt = sent.value ->> 2 AND chunk.state = ?3",
        &[
            chunks.into(),
            now_ms.saturating_add(REQUEUE_MS).into(),
            ChunkState::Ready.code().into(),
        ],
    )
    .map(drop)
}

/// Writes the account's status and balance into the directory, if they changed and it is time.
async fn mirror<P: Platform, S: Sql>(platform: &P, sql: &S, now_ms: i64) -> Result<(), PortError> {
    let Some(account) = Account::stored(sql)? else {
        return Ok(());
    };
    if account.mirrored >= account.version || account.mirror_due_ms > now_ms {
        return Ok(());
    }
    let state = State {
        account: &account.id,
        active: account.active,
        sending_enabled: account.sending_enabled,
        available: account.wallet.available,
        locked: account.wallet.locked,
        version: account.version,
    };
    mirror::mirror(platform.db(), state).await?;
    sql.exec(
        "UPDATE account SET mirrored = max(mirrored, ?1), mirror_due_ms = ?2",
        &[account.version.into(), now_ms.saturating_add(MIRROR_DELAY_MS).into()],
    )
    .map(drop)
}
