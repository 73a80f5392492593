//! What an account has accepted and not written yet. The messages of several calls that travel together are decided one by one
//! and written together, each table by one statement: a statement costs more than a row.
//!
//! The invariant: nobody reads what is not written. [`WriteBuffer`] is written before a request is answered that could see it
//! (`Request::sees`), and before the transaction ends.

use std::collections::{BTreeMap, BTreeSet};

use crate::account::record::account_row::Account;
use crate::account::record::chunk::accepted::AcceptedChunk;
use crate::account::record::chunk::claim::{Capacity, Claim};
use crate::account::record::chunk::progress::{Place, Progress};
use crate::account::record::chunk::recipients::Recipient;
use crate::account::record::chunk::row::LARGE;
use crate::account::record::chunk::{CHUNK_SIZE, ChunkState, claim, queue, row};
use crate::account::record::idempotency::{Idempotency, Space};
use crate::account::record::ledger_pages;
use crate::account::record::ledger_pages::Page;
use crate::account::record::message::code_text::CodeText;
use crate::account::record::message::delivery_error::DeliveryError;
use crate::account::record::message::priority::Priority;
use crate::account::record::message::row::MessageRow;
use crate::account::record::message::status::{Money, RecipientStatus};
use crate::account::record::message::{NewMessage, recipient_text};
use crate::account::record::rows::Rows;
use crate::auth::Mode;
use crate::base::ports::{PortError, Sql};
use crate::durable::to_json;

/// The recipients of a chunk, and what their texts have of their own, as JSON.
type OfChunk = (Vec<Recipient>, BTreeMap<u32, String>);

/// Messages that are accepted and not written yet, with all that belongs to them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WriteBuffer {
    messages: BTreeMap<i64, MessageRow>,
    numbers: Rows,
    /// Those of messages with many recipients.
    many_numbers: Vec<(i64, Vec<u64>)>,
    /// Those of messages that count for a limit of their recipients.
    limited_numbers: BTreeSet<u64>,
    texts: Rows,
    chunks: Vec<AcceptedChunk>,
    pages: Vec<Page>,
}

impl WriteBuffer {
    /// Takes a message that is accepted as number `id`, at the time that the account notes for it. Returns its uid. `code_text` is
    /// its whole text, if that has a code, and `sender` the number of who sends it.
    pub fn add_message(
        &mut self,
        now_ms: i64,
        account: &Account,
        message: &NewMessage,
        (code_text, sender): (Option<CodeText>, Option<i64>),
    ) -> Result<String, PortError> {
        let id = account.message_seq;
        let uid = crate::base::id::numbered(&message.uid, id)?;
        let (whole, sealed) = code_text.map(|text| (text.whole, text.sealed)).unzip();
        let msisdn = self.add_chunks(now_ms, id, message, whole.as_ref())?;
        let row = MessageRow::of_new(message, uid.clone(), account.accepted_ms, msisdn, sealed, sender);
        self.messages.insert(id, row);
        Ok(uid)
    }

    /// Takes the message's chunks and recipients. Returns the recipient's number, if there is only one.
    fn add_chunks(
        &mut self,
        now_ms: i64,
        id: i64,
        message: &NewMessage,
        code_text: Option<&String>,
    ) -> Result<Option<i64>, PortError> {
        // The object itself starts and ends what no carrier gets: it waits like a scheduled message whose time has come.
        let state = if message.test || message.send_at_ms.is_some() {
            ChunkState::Scheduled
        } else {
            ChunkState::Ready
        };
        let due_ms = message.send_at_ms.unwrap_or(now_ms);
        let (mut recipients, msisdn) = self.add_recipients(now_ms, id, message)?;
        for (chunk, number) in message.chunks.iter().zip(0u32..) {
            let (recipients, texts) = recipients.remove(&number).unwrap_or_default();
            let count = i64::try_from(recipients.len()).unwrap_or(i64::MAX);
            let avoid = [message.avoid.as_slice(), &chunk.avoid].concat();
            let route = queue::route(&message.line, &chunk.prefix, &avoid, message.keeps_hours);
            self.chunks.push(AcceptedChunk {
                place: Place {
                    id: (id, number),
                    bounds: (chunk.first, chunk.last),
                    queue: route.clone(),
                    route,
                    object: None,
                },
                progress: Progress {
                    state,
                    due_ms,
                    attempt: 0,
                    failures: 0,
                    doubt_ms: None,
                    queued: count,
                    active: count,
                    open: count,
                    class: Priority::of(message.kind).code(),
                    ready_ms: due_ms,
                },
                code_text: code_text.cloned(),
                recipients,
                texts,
            });
        }
        self.add_skipped(now_ms, id, message)?;
        Ok(msisdn)
    }

    /// Takes the numbers that are left out: recipients behind the others, in chunks of their own, which are over.
    fn add_skipped(&mut self, now_ms: i64, id: i64, message: &NewMessage) -> Result<(), PortError> {
        let recipient = |((msisdn, error), index): (&(u64, DeliveryError), u32)| Recipient {
            index,
            msisdn: *msisdn,
            cost: 0,
            parts: 0,
            status: RecipientStatus::Skipped,
            money: Money::Released,
            changed_ms: now_ms,
            carrier: None,
            error: Some(error.as_str().to_owned()),
            error_code: None,
        };
        let skipped: Vec<Recipient> = message.skipped.iter().zip(message.count..).map(recipient).collect();
        let numbers = (0u32..).skip(message.chunks.len());
        for (recipients, number) in skipped.chunks(CHUNK_SIZE as usize).zip(numbers) {
            let (Some(first), Some(last)) = (recipients.first(), recipients.last()) else {
                continue;
            };
            self.chunks.push(AcceptedChunk {
                place: Place {
                    id: (id, number),
                    bounds: (first.index, last.index),
                    route: String::new(),
                    queue: String::new(),
                    object: None,
                },
                progress: Progress {
                    // The message is canceled when all others are.
                    state: ChunkState::Canceled,
                    due_ms: now_ms,
                    attempt: 0,
                    failures: 0,
                    doubt_ms: None,
                    queued: 0,
                    active: 0,
                    open: 0,
                    class: Priority::of(message.kind).code(),
                    ready_ms: now_ms,
                },
                code_text: None,
                recipients: recipients.to_vec(),
                texts: BTreeMap::new(),
            });
        }
        message
            .skipped
            .iter()
            .try_for_each(|(msisdn, _)| self.numbers.push(&(msisdn, id)))
    }

    /// Takes the recipients' numbers and own texts. Returns both by the number of their chunk, and the number of the only recipient.
    fn add_recipients(
        &mut self,
        now_ms: i64,
        id: i64,
        message: &NewMessage,
    ) -> Result<(BTreeMap<u32, OfChunk>, Option<i64>), PortError> {
        let mut chunks: BTreeMap<u32, OfChunk> = BTreeMap::new();
        let mut numbers = Vec::new();
        for group in &message.recipients {
            for (item, index) in group.read()?.into_iter().zip(group.first..) {
                numbers.push(item.msisdn);
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
        if message.is_limited() {
            self.limited_numbers.extend(&numbers);
        }
        Ok((chunks, self.add_numbers(id, numbers)?))
    }

    /// Takes the numbers of a message. Returns the only one, which stands in the message's row.
    fn add_numbers(&mut self, id: i64, mut numbers: Vec<u64>) -> Result<Option<i64>, PortError> {
        if let [msisdn] = numbers.as_slice() {
            return Ok(i64::try_from(*msisdn).ok());
        }
        if numbers.len() >= LARGE {
            // In the order of the table, whose pages are then visited once.
            numbers.sort_unstable();
            self.many_numbers.push((id, numbers));
        } else {
            numbers.iter().try_for_each(|msisdn| self.numbers.push(&(msisdn, id)))?;
        }
        Ok(None)
    }

    /// Takes pages of the ledger.
    pub fn add_pages(&mut self, pages: Vec<Page>) {
        self.pages.extend(pages);
    }

    /// Claims those of the chunks for which there is room at once.
    pub fn claim(
        &mut self,
        sql: &impl Sql,
        now_ms: i64,
        account: &str,
        capacity: &impl Capacity,
    ) -> Result<Vec<Claim>, PortError> {
        claim::claim_accepted(sql, now_ms, account, (&mut self.chunks, &self.messages), capacity)
    }

    /// Whether a message that came with this key is among them.
    pub fn has_key(&self, key: &Idempotency) -> bool {
        let mut messages = self.messages.values();
        messages.any(|message| message.key.as_ref() == Some(&key.key) && key.space == Space::of(Mode::of(message.test)))
    }

    /// Whether a message among them counts for a limit of a recipient of this message.
    pub fn limits(&self, message: &NewMessage) -> bool {
        !self.limited_numbers.is_empty()
            && message.is_limited()
            && message
                .numbers()
                .is_ok_and(|numbers| !numbers.is_disjoint(&self.limited_numbers))
    }

    /// Writes all of it.
    pub fn write(&mut self, sql: &impl Sql) -> Result<(), PortError> {
        let buffered = std::mem::take(self);
        if buffered == WriteBuffer::default() {
            return Ok(());
        }
        buffered.numbers.write(|rows| insert_numbers(sql, rows))?;
        for (message, numbers) in &buffered.many_numbers {
            insert_numbers_of(sql, *message, numbers)?;
        }
        buffered.texts.write(|rows| recipient_text::insert(sql, rows))?;
        row::insert(sql, buffered.chunks, &buffered.messages)?;
        ledger_pages::write(sql, &buffered.pages)
    }
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
