//! Accepting a message: idempotency, status, switches and balance are decided on what was read; only then the message,
//! its recipients, its reserve, its chunks and the idempotency row are written, all together.

use super::CHUNK;
use super::batch::ChunkState;
use super::blacklist;
use super::command::{Answer, Group, Idempotency, MessageView, Refusal, Send};
use super::decide::Outcome;
use super::ledger::{EntryKind, Wallet};
use super::status::{MessageStatus, Money, RecipientStatus};
use super::store::{Account, Entry};
use super::{read, schedule};
use crate::ports::{PortError, Sql};

/// How long an idempotency key is kept, ms.
const IDEMPOTENCY_KEPT_MS: i64 = 24 * 60 * 60 * 1_000;

/// What is known of a request's idempotency key.
pub enum Known {
    /// Nothing: go on.
    Nothing,
    /// It came with another request before.
    Mismatch,
    /// It made this message before.
    Message(Box<MessageView>),
    /// It made a credit before, after which the wallet stood so.
    Credit(Wallet),
}

/// Looks an idempotency key up.
pub fn known(sql: &impl Sql, now_ms: i64, idempotency: Option<&Idempotency>) -> Result<Known, PortError> {
    let Some(asked) = idempotency else {
        return Ok(Known::Nothing);
    };
    let rows = sql.exec(
        "SELECT i.hash, i.message, l.available, l.locked, \
                (SELECT sum(amount) FROM ledger WHERE kind = 'CREDIT' AND seq <= i.ledger_seq) \
         FROM idempotency i LEFT JOIN ledger l ON l.seq = i.ledger_seq WHERE i.key = ?1 AND i.expires_ms > ?2",
        &[asked.key.as_str().into(), now_ms.into()],
    )?;
    let Some(row) = rows.first() else {
        return Ok(Known::Nothing);
    };
    if row.text(0)? != asked.hash {
        return Ok(Known::Mismatch);
    }
    if let Some(message) = row.opt_int(1)? {
        return Ok(Known::Message(Box::new(read::as_accepted(sql, message)?)));
    }
    let (available, locked, credited) = (row.int(2)?, row.int(3)?, row.int(4)?);
    Ok(Known::Credit(Wallet {
        available,
        locked,
        spent: credited.saturating_sub(available).saturating_sub(locked),
        credited,
    }))
}

/// Remembers a success under its idempotency key.
pub fn remember(
    sql: &impl Sql,
    now_ms: i64,
    idempotency: Option<&Idempotency>,
    message: Option<i64>,
    ledger_seq: Option<i64>,
) -> Result<(), PortError> {
    let Some(asked) = idempotency else {
        return Ok(());
    };
    sql.exec(
        "INSERT OR REPLACE INTO idempotency (key, hash, message, ledger_seq, expires_ms) VALUES (?1, ?2, ?3, ?4, ?5)",
        &[
            asked.key.as_str().into(),
            asked.hash.as_str().into(),
            message.into(),
            ledger_seq.into(),
            now_ms.saturating_add(IDEMPOTENCY_KEPT_MS).into(),
        ],
    )
    .map(drop)
}

/// Answers a request that failed on its way here with the success it had before, if it had one.
pub fn replay(sql: &impl Sql, now_ms: i64, idempotency: Option<&Idempotency>) -> Outcome {
    Ok(Ok(match known(sql, now_ms, idempotency)? {
        Known::Message(message) => Answer::Replayed(message),
        Known::Nothing | Known::Mismatch | Known::Credit(_) => Answer::Done,
    }))
}

/// Accepts a message or refuses it. A refusal has written nothing.
pub fn send(sql: &impl Sql, now_ms: i64, account: &mut Account, message: &Send) -> Outcome {
    match known(sql, now_ms, message.idempotency.as_ref())? {
        Known::Nothing => {}
        Known::Message(message) => return Ok(Ok(Answer::Replayed(message))),
        Known::Mismatch | Known::Credit(_) => return Ok(Err(Refusal::IdempotencyMismatch)),
    }
    if is_stale(sql, message)? {
        return Ok(Ok(Answer::PatternsStale));
    }
    if let Some(refusal) = refusals(sql, account, message)?.into_iter().next() {
        return Ok(Err(refusal));
    }
    let id = insert_message(sql, now_ms, message)?;
    for group in &message.recipients {
        insert_recipients(sql, now_ms, id, message, group)?;
    }
    schedule::insert_uses(sql, id, message)?;
    insert_chunks(sql, now_ms, id, message)?;
    if message.cost > 0 {
        let reserve = Entry {
            kind: EntryKind::Reserve,
            amount: message.cost,
            message: Some(id),
            note: None,
        };
        account
            .post(sql, now_ms, reserve)?
            .map_err(|error| PortError::failed("ledger", error))?;
    }
    remember(sql, now_ms, message.idempotency.as_ref(), Some(id), None)?;
    Ok(Ok(Answer::Accepted))
}

/// All that would be said against a message, by the decision that a send takes.
pub fn estimate(sql: &impl Sql, account: &Account, message: &Send) -> Outcome {
    if is_stale(sql, message)? {
        return Ok(Ok(Answer::PatternsStale));
    }
    Ok(Ok(Answer::Estimated(refusals(sql, account, message)?)))
}

/// Why this account can't send this message now, in the order in which the API answers.
fn refusals(sql: &impl Sql, account: &Account, message: &Send) -> Result<Vec<Refusal>, PortError> {
    let mut refusals = Vec::new();
    if !account.active {
        refusals.push(Refusal::Inactive);
    }
    if !message.sending_enabled {
        refusals.push(Refusal::SendingOff(true));
    } else if !account.sending_enabled {
        refusals.push(Refusal::SendingOff(false));
    }
    if account.has_blacklist {
        let blocked = blacklist::among(sql, &message.recipients)?;
        if !blocked.is_empty() {
            refusals.push(Refusal::Blacklisted(blocked));
        }
    }
    if message.cost > account.wallet.available {
        refusals.push(Refusal::InsufficientBalance {
            cost: message.cost,
            available: account.wallet.available,
        });
    }
    Ok(refusals)
}

/// Whether a pattern of the message was changed after the revision that it was made of.
fn is_stale(sql: &impl Sql, message: &Send) -> Result<bool, PortError> {
    if message.patterns.is_empty() {
        return Ok(false);
    }
    let patterns = serde_json::to_string(&message.patterns).map_err(|error| PortError::failed("json", error))?;
    let rows = sql.exec(
        "SELECT 1 FROM json_each(?1) p JOIN pattern ON pattern.slug = p.value ->> 0 \
         WHERE pattern.revision > p.value ->> 1 LIMIT 1",
        &[patterns.into()],
    )?;
    Ok(!rows.is_empty())
}

/// Notes the newest revision of a pattern.
pub fn pattern_changed(sql: &impl Sql, slug: &str, revision: i64) -> Outcome {
    sql.exec(
        "INSERT INTO pattern (slug, revision) VALUES (?1, ?2) \
         ON CONFLICT (slug) DO UPDATE SET revision = max(revision, excluded.revision)",
        &[slug.into(), revision.into()],
    )?;
    Ok(Ok(Answer::Done))
}

fn first_status(message: &Send) -> (MessageStatus, RecipientStatus) {
    match message.send_at_ms {
        Some(_) => (MessageStatus::Scheduled, RecipientStatus::Scheduled),
        None => (MessageStatus::Queued, RecipientStatus::Queued),
    }
}

fn insert_message(sql: &impl Sql, now_ms: i64, message: &Send) -> Result<i64, PortError> {
    let refunds: Vec<&str> = message.refunds.iter().map(|status| status.as_str()).collect();
    let rows = sql.exec(
        "INSERT INTO message (uid, kind, status, test, line, carrier, text, encoding, parts, cost, unit, refunds, \
                              client_ref, send_at_ms, created_ms, total, open) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?16) RETURNING id",
        &[
            message.uid.as_str().into(),
            message.kind.as_str().into(),
            first_status(message).0.as_str().into(),
            message.test.into(),
            message.line.as_str().into(),
            message.carrier.as_str().into(),
            message.text.as_str().into(),
            message.encoding.as_str().into(),
            message.parts.into(),
            message.cost.into(),
            message.unit.as_str().into(),
            refunds.join(" ").into(),
            message.client_ref.as_deref().into(),
            message.send_at_ms.into(),
            now_ms.into(),
            message.count.into(),
        ],
    )?;
    rows.first()
        .ok_or(PortError::failed("sql", "no id for a new message"))?
        .int(0)
}

fn insert_recipients(sql: &impl Sql, now_ms: i64, id: i64, message: &Send, group: &Group) -> Result<(), PortError> {
    sql.exec(
        "INSERT INTO recipient (message, idx, msisdn, cost, status, money, changed_ms) \
         SELECT ?1, ?6 + key, value ->> 0, value ->> 1, ?3, ?4, ?5 FROM json_each(?2)",
        &[
            id.into(),
            group.items.get().into(),
            first_status(message).1.code().into(),
            Money::Held.code().into(),
            now_ms.into(),
            group.first.into(),
        ],
    )?;
    if !message.kind.has_own_texts() {
        return Ok(());
    }
    sql.exec(
        "INSERT INTO own (message, idx, own) \
         SELECT ?1, ?3 + key, value -> 2 FROM json_each(?2) WHERE value -> 2 IS NOT NULL",
        &[id.into(), group.items.get().into(), group.first.into()],
    )
    .map(drop)
}

fn insert_chunks(sql: &impl Sql, now_ms: i64, id: i64, message: &Send) -> Result<(), PortError> {
    let mut start = 0;
    while start < message.count {
        let size = (message.count - start).min(CHUNK);
        sql.exec(
            "INSERT INTO chunk (message, start, state, due_ms, attempt, in_doubt, queued, open) \
             VALUES (?1, ?2, ?3, ?4, 0, 0, ?5, ?5)",
            &[
                id.into(),
                start.into(),
                ChunkState::Ready.code().into(),
                message.send_at_ms.unwrap_or(now_ms).into(),
                size.into(),
            ],
        )?;
        start += CHUNK;
    }
    Ok(())
}
