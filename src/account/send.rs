//! Accepting a message. The object decides on what it has read; then it writes the message, its recipients, its reserve, its
//! chunks and the idempotency key together.

use serde::{Deserialize, Serialize};

use super::chunk::ChunkState;
use super::class::Class;
use super::idempotency::{self, Known};
use super::ledger::EntryKind;
use super::message::{MessageView, NewMessage, RecipientGroup};
use super::patterns::StalePattern;
use super::refusal::Refusal;
use super::request::{Outcome, Request};
use super::status::Money;
use super::store::{Account, Entry, MIRROR_DELAY_MS};
use super::{blacklist, patterns, sources, usage};
use crate::object::{Wake, to_json};
use crate::ports::{PortError, Sql};

/// A send costs a token, and one more for each of so many recipients: it makes work for each of them.
const RECIPIENTS_A_TOKEN: u32 = 100;

/// Accepts a message, or refuses it. A refusal writes nothing.
#[derive(Debug, Serialize, Deserialize)]
pub struct SendMessage(pub NewMessage);

/// What became of a message that was not refused.
#[derive(Debug, Serialize, Deserialize)]
pub enum Sent {
    /// It is accepted.
    Accepted,
    /// The idempotency key made this message before.
    Replayed(Box<MessageView>),
    /// These patterns may have been changed since the worker read them. Nothing was done.
    PatternsStale(Vec<StalePattern>),
}

impl Request for SendMessage {
    const NAME: &'static str = "SendMessage";
    type Reply = Sent;

    fn wake(&self, now_ms: i64) -> Wake {
        match self.0.send_at_ms {
            None => Wake::Now,
            Some(_) => Wake::At(now_ms.saturating_add(MIRROR_DELAY_MS)),
        }
    }

    fn tokens(&self) -> u32 {
        (self.0.count / RECIPIENTS_A_TOKEN).saturating_add(1)
    }

    fn is_repeat(&self, sql: &impl Sql, now_ms: i64) -> Result<bool, PortError> {
        let known = idempotency::find(sql, now_ms, self.0.idempotency.as_ref())?;
        Ok(!matches!(known, Known::Nothing))
    }

    fn answer(&self, sql: &impl Sql, now_ms: i64, account: &mut Account) -> Outcome<Sent> {
        let message = &self.0;
        match idempotency::find_message(sql, now_ms, message.idempotency.as_ref())? {
            Known::Nothing => {}
            Known::Made(message) => return Ok(Ok(Sent::Replayed(message))),
            Known::Mismatch => return Ok(Err(Refusal::IdempotencyMismatch)),
        }
        let stale = patterns::stale(sql, message)?;
        if !stale.is_empty() {
            return Ok(Ok(Sent::PatternsStale(stale)));
        }
        if let Some(refusal) = refusals(sql, account, message)?.into_iter().next() {
            return Ok(Err(refusal));
        }
        accept(sql, now_ms, account, message)?;
        Ok(Ok(Sent::Accepted))
    }
}

/// Tells what a send of this message would be refused for, and does nothing.
#[derive(Debug, Serialize, Deserialize)]
pub struct EstimateMessage(pub NewMessage);

/// What a send would meet.
#[derive(Debug, Serialize, Deserialize)]
pub enum Estimated {
    /// These refusals; a send is answered the first of them.
    Refusals(Vec<Refusal>),
    /// These patterns may have been changed since the worker read them.
    PatternsStale(Vec<StalePattern>),
}

impl Request for EstimateMessage {
    const NAME: &'static str = "EstimateMessage";
    type Reply = Estimated;

    fn wake(&self, _: i64) -> Wake {
        Wake::Never
    }

    fn answer(&self, sql: &impl Sql, _: i64, account: &mut Account) -> Outcome<Estimated> {
        let stale = patterns::stale(sql, &self.0)?;
        if !stale.is_empty() {
            return Ok(Ok(Estimated::PatternsStale(stale)));
        }
        Ok(Ok(Estimated::Refusals(refusals(sql, account, &self.0)?)))
    }
}

/// Accepts the message that confirms an opt-out, unless the account can't send. The blacklist, on which its recipient has just
/// been put, does not count.
pub fn accept_confirmation(sql: &impl Sql, now_ms: i64, account: &mut Account, message: &NewMessage) -> Outcome<()> {
    let refusal = switched_off(account, message).into_iter().next();
    if let Some(refusal) = refusal.or_else(|| short_of_money(account, message)) {
        return Ok(Err(refusal));
    }
    accept(sql, now_ms, account, message).map(Ok)
}

/// Why this account can't send this message now, in the order in which the API answers.
fn refusals(sql: &impl Sql, account: &Account, message: &NewMessage) -> Result<Vec<Refusal>, PortError> {
    let mut refusals = switched_off(account, message);
    if account.has_blacklist {
        let blocked = blacklist::among(sql, &message.recipients)?;
        if !blocked.is_empty() {
            refusals.push(Refusal::Blacklisted(blocked));
        }
    }
    refusals.extend(short_of_money(account, message));
    Ok(refusals)
}

fn switched_off(account: &Account, message: &NewMessage) -> Vec<Refusal> {
    let mut refusals = Vec::new();
    if !account.active {
        refusals.push(Refusal::Inactive);
    }
    if !message.sending_enabled {
        refusals.push(Refusal::SendingOff(true));
    } else if !account.sending_enabled {
        refusals.push(Refusal::SendingOff(false));
    }
    refusals
}

fn short_of_money(account: &Account, message: &NewMessage) -> Option<Refusal> {
    let available = account.wallet.available;
    (message.cost > available).then_some(Refusal::InsufficientBalance {
        cost: message.cost,
        available,
    })
}

fn accept(sql: &impl Sql, now_ms: i64, account: &mut Account, message: &NewMessage) -> Result<(), PortError> {
    account.message_seq = account.message_seq.saturating_add(1);
    let id = account.message_seq;
    insert_message(sql, now_ms, id, message)?;
    for group in &message.recipients {
        insert_recipients(sql, now_ms, id, message, group)?;
    }
    usage::count_message(sql, id, message)?;
    sources::insert(sql, id, message)?;
    patterns::note_read(sql, message)?;
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
    idempotency::remember(sql, now_ms, message.idempotency.as_ref(), Some(id), None)
}

/// Its time is not before that of the message before it, even when the clock goes back: lists find a time by it.
fn insert_message(sql: &impl Sql, now_ms: i64, id: i64, message: &NewMessage) -> Result<(), PortError> {
    let refunds: Vec<&str> = message.refunds.iter().map(|status| status.as_str()).collect();
    sql.exec(
        "INSERT INTO message (id, uid, kind, status, test, line, text, encoding, parts, cost, unit, refunds, \
                              client_ref, send_at_ms, created_ms, total, open) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, \
                 max(?15, coalesce((SELECT created_ms FROM message ORDER BY id DESC LIMIT 1), 0)), ?16, ?16)",
        &[
            id.into(),
            message.uid.as_str().into(),
            message.kind.as_str().into(),
            message.first_status().0.as_str().into(),
            message.test.into(),
            message.line.as_str().into(),
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
    )
    .map(drop)
}

fn insert_recipients(
    sql: &impl Sql,
    now_ms: i64,
    id: i64,
    message: &NewMessage,
    group: &RecipientGroup,
) -> Result<(), PortError> {
    sql.exec(
        "INSERT INTO recipient (message, idx, chunk, msisdn, cost, status, money, changed_ms) \
         SELECT ?1, ?6 + key, value ->> 2, value ->> 0, value ->> 1, ?3, ?4, ?5 FROM json_each(?2)",
        &[
            id.into(),
            group.items.get().into(),
            message.first_status().1.code().into(),
            Money::Held.code().into(),
            now_ms.into(),
            group.first.into(),
        ],
    )?;
    if !message.kind.has_recipient_texts() {
        return Ok(());
    }
    sql.exec(
        "INSERT INTO recipient_text (message, idx, text) \
         SELECT ?1, ?3 + key, value -> 3 FROM json_each(?2) WHERE value -> 3 IS NOT NULL",
        &[id.into(), group.items.get().into(), group.first.into()],
    )
    .map(drop)
}

fn insert_chunks(sql: &impl Sql, now_ms: i64, id: i64, message: &NewMessage) -> Result<(), PortError> {
    // The object itself starts and ends what no carrier gets: it waits like a scheduled message whose time has come.
    let state = match message.test || message.send_at_ms.is_some() {
        true => ChunkState::Scheduled,
        false => ChunkState::Ready,
    };
    let due_ms = message.send_at_ms.unwrap_or(now_ms);
    let chunks: Vec<_> = message
        .chunks
        .iter()
        .zip(0u32..)
        .map(|(chunk, number)| (number, chunk.first, chunk.last, &chunk.prefix, chunk.count))
        .collect();
    sql.exec(
        "INSERT INTO chunk (message, number, first, last, class, route, queue, object, state, ready_ms, due_ms, attempt, \
                            failures, doubt_ms, queued, open) \
         SELECT ?1, value ->> 0, value ->> 1, value ->> 2, ?3, ?4 || '/' || (value ->> 3), ?4 || '/' || (value ->> 3), NULL, \
                ?5, ?6, ?6, 0, 0, NULL, value ->> 4, value ->> 4 FROM json_each(?2)",
        &[
            id.into(),
            to_json(&chunks)?.into(),
            Class::of(message.kind).code().into(),
            message.line.as_str().into(),
            state.code().into(),
            due_ms.into(),
        ],
    )
    .map(drop)
}
