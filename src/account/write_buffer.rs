//! What an account has accepted and not written yet. The messages of several calls that travel together are decided one by one
//! and written together, each table by one statement: a statement costs more than a row.
//!
//! The invariant: nobody reads what is not written. [`WriteBuffer`] is written before a request is answered that could see it
//! (`Request::sees`), and before the transaction ends.

use std::collections::BTreeMap;

use super::chunk::claim::{self, Capacity, Claim, Head};
use super::chunk::row::{self, LARGE};
use super::chunk::{ChunkState, accepted::AcceptedChunk, recipients::Recipient};
use super::idempotency::{self, Idempotency};
use super::message::{NewMessage, priority::Priority, recipient_text, status::Money};
use super::rows::Rows;
use super::usage;
use super::wallet::{ledger::Entry, pages::Pages};
use crate::base::ports::{PortError, Sql};
use crate::durable::{listed, to_json};

/// The recipients of a chunk, and what their texts have of their own, as JSON.
type OfChunk = (Vec<Recipient>, BTreeMap<u32, String>);

/// Messages that are accepted and not written yet, with all that belongs to them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WriteBuffer {
    messages: Rows,
    /// The messages' ids, and the parts of all their recipients.
    parts: Vec<(i64, i64)>,
    numbers: Rows,
    /// Those of messages with many recipients.
    many_numbers: Vec<(i64, Vec<u64>)>,
    texts: Rows,
    chunks: Vec<AcceptedChunk>,
    /// The heads of messages that leave at once.
    heads: BTreeMap<i64, Head>,
    ledger: Pages,
    keys: Vec<(Idempotency, i64)>,
}

impl WriteBuffer {
    /// Takes a message that is accepted as number `id`. Returns its uid.
    pub fn add_message(&mut self, now_ms: i64, id: i64, message: &NewMessage) -> Result<String, PortError> {
        let uid = crate::base::id::numbered(&message.uid, id)?;
        let refunds: Vec<&str> = message.refunds.iter().map(|status| status.as_str()).collect();
        self.messages.push(&(
            id,
            &uid,
            message.kind.as_str(),
            message.test,
            &message.line,
            &message.text,
            &message.encoding,
            message.parts,
            message.cost,
            message.unit.as_str(),
            refunds.join(" "),
            &message.client_ref,
            message.send_at_ms,
            message.count,
        ))?;
        self.parts.push((id, message.all_parts));
        self.add_chunks(now_ms, id, message)?;
        if !message.test && message.send_at_ms.is_none() {
            let head = Head {
                uid: uid.clone(),
                line: message.line.clone(),
                text: message.text.clone(),
            };
            self.heads.insert(id, head);
        }
        if let Some(key) = &message.idempotency {
            self.keys.push((key.clone(), id));
        }
        Ok(uid)
    }

    fn add_chunks(&mut self, now_ms: i64, id: i64, message: &NewMessage) -> Result<(), PortError> {
        // The object itself starts and ends what no carrier gets: it waits like a scheduled message whose time has come.
        let state = if message.test || message.send_at_ms.is_some() {
            ChunkState::Scheduled
        } else {
            ChunkState::Ready
        };
        let due_ms = message.send_at_ms.unwrap_or(now_ms);
        let mut recipients = self.add_recipients(now_ms, id, message)?;
        for (chunk, number) in message.chunks.iter().zip(0u32..) {
            let (recipients, texts) = recipients.remove(&number).unwrap_or_default();
            self.chunks.push(AcceptedChunk {
                id: (id, number),
                bounds: (chunk.first, chunk.last),
                priority: Priority::of(message.kind),
                route: format!("{}/{}", message.line, chunk.prefix),
                state,
                ready_ms: due_ms,
                due_ms,
                attempt: 0,
                object: None,
                recipients,
                texts,
            });
        }
        Ok(())
    }

    /// Takes the recipients' numbers and own texts. Returns both by the number of their chunk.
    fn add_recipients(
        &mut self,
        now_ms: i64,
        id: i64,
        message: &NewMessage,
    ) -> Result<BTreeMap<u32, OfChunk>, PortError> {
        let mut chunks: BTreeMap<u32, OfChunk> = BTreeMap::new();
        let has_many = usize::try_from(message.count).is_ok_and(|count| count >= LARGE);
        let mut numbers = Vec::new();
        for group in &message.recipients {
            for (item, index) in group.read()?.into_iter().zip(group.first..) {
                if has_many {
                    numbers.push(item.msisdn)
                } else {
                    self.numbers.push(&(item.msisdn, id))?
                }
                let (recipients, texts) = chunks.entry(item.chunk).or_default();
                if let Some(text) = item.text {
                    self.texts.push(&(id, index, text))?;
                    texts.insert(index, text.get().to_owned());
                }
                recipients.push(Recipient {
                    index,
                    msisdn: item.msisdn,
                    cost: item.cost,
                    parts: item.parts.unwrap_or(message.parts),
                    status: message.first_status().1,
                    money: Money::Held,
                    changed_ms: now_ms,
                    carrier: None,
                    error: None,
                    error_code: None,
                });
            }
        }
        if has_many {
            // In the order of the table, whose pages are then visited once.
            numbers.sort_unstable();
            self.many_numbers.push((id, numbers));
        }
        Ok(chunks)
    }

    /// Takes the entry of the ledger by which a message's money was reserved.
    pub fn add_entry(&mut self, entry: &Entry<'_>) {
        self.ledger.push(entry);
    }

    /// Claims those of the chunks for which there is room at once.
    pub fn claim(
        &mut self,
        sql: &impl Sql,
        now_ms: i64,
        account: &str,
        capacity: &impl Capacity,
    ) -> Result<Vec<Claim>, PortError> {
        claim::claim_accepted(sql, now_ms, account, (&mut self.chunks, &self.heads), capacity)
    }

    /// Whether a message that came with this key is among them.
    pub fn has_key(&self, key: &Idempotency) -> bool {
        let is_same = |(other, _): &(Idempotency, i64)| other.space == key.space && other.key == key.key;
        self.keys.iter().any(is_same)
    }

    /// Writes all of it.
    pub fn write(&mut self, sql: &impl Sql, now_ms: i64) -> Result<(), PortError> {
        let buffered = std::mem::take(self);
        if buffered == WriteBuffer::default() {
            return Ok(());
        }
        buffered.messages.write(|rows| insert_messages(sql, now_ms, rows))?;
        usage::count_messages(sql, &buffered.parts)?;
        buffered.numbers.write(|rows| insert_numbers(sql, rows))?;
        for (message, numbers) in &buffered.many_numbers {
            insert_numbers_of(sql, *message, numbers)?;
        }
        buffered.texts.write(|rows| recipient_text::insert(sql, rows))?;
        row::insert(sql, &buffered.chunks)?;
        buffered.ledger.write(sql, now_ms)?;
        idempotency::remember_messages(sql, now_ms, &buffered.keys)
    }
}

/// No message's time is before that of the message before it, even when the clock goes back: lists find a time by it.
fn insert_messages(sql: &impl Sql, now_ms: i64, rows: String) -> Result<(), PortError> {
    sql.exec(
        concat!(
            listed!(),
            "INSERT INTO message (id, uid, kind, test, line, text, encoding, parts, cost, unit, refunds, \
                                  client_ref, send_at_ms, created_ms, total) \
             SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7, \
                    value ->> 8, value ->> 9, value ->> 10, value ->> 11, value ->> 12, \
                    max(?2, coalesce((SELECT created_ms FROM message ORDER BY id DESC LIMIT 1), 0)), \
                    value ->> 13 FROM listed"
        ),
        &[rows.into(), now_ms.into()],
    )
    .map(drop)
}

fn insert_numbers(sql: &impl Sql, rows: String) -> Result<(), PortError> {
    sql.exec(
        "INSERT OR IGNORE INTO number (msisdn, message) SELECT value ->> 0, value ->> 1 FROM json_each(?1)",
        &[rows.into()],
    )
    .map(drop)
}

/// Of one message: a list of numbers alone is read faster than one of pairs.
fn insert_numbers_of(sql: &impl Sql, message: i64, numbers: &[u64]) -> Result<(), PortError> {
    sql.exec(
        "INSERT OR IGNORE INTO number (msisdn, message) SELECT value, ?2 FROM json_each(?1)",
        &[to_json(&numbers)?.into(), message.into()],
    )
    .map(drop)
}
