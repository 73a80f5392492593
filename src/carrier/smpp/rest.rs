//! The rests of long texts. A session that ends in the middle of a text leaves parts that have not left, of a recipient of whom the
//! SMSC has others. The next session sends them, with the same reference: half a text helps nobody.
//!
//! A rest belongs to this object, and to no claim any more: its account has heard that the carrier took the recipient. It is stored
//! when the text is cut, and its row is deleted before a part of it leaves. So no part leaves twice, whatever crashes.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use smpp::encode::Part;

use super::open_messages::Key;
use crate::account::chunk::reports::DeliveryReport;
use crate::account::record::chunk::handover::Handover;
use crate::account::record::message::delivery_error::DeliveryError;
use crate::account::record::message::status::RecipientStatus;
use crate::base::ports::{PortError, Row, Sql};
use crate::carrier::reports;
use crate::durable::schema::Step;
use crate::durable::{listed, to_json};

/// How old a text may be whose rest still leaves, ms. An erasure waits for longer than that.
const OLDEST_MS: i64 = 60 * 60 * 1_000;
/// Rests that wait at most. A text that is cut beyond them ends.
const MAX_WAITING: usize = 1_000;

/// The tables.
pub const TABLES: Step = &[
    // `body` is JSON.
    "CREATE TABLE rest (
        id INTEGER PRIMARY KEY,
        body TEXT NOT NULL
    ) STRICT",
];

/// The rest of the text of one recipient.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rest {
    /// Whose recipient it is.
    pub account: String,
    /// The recipient's handover, without the others and without a text.
    pub handover: Handover,
    /// All parts of the text.
    pub parts: Vec<Part>,
    /// The numbers of the parts that have not left, from 0.
    pub left: Vec<usize>,
    /// Until when they may leave, ms since the Unix epoch.
    pub ends_ms: i64,
    /// Whether a part had no answer, so that the text may lack it for ever.
    #[serde(default)]
    pub is_unclear: bool,
}

impl Rest {
    /// Whose text it is, and how many parts that has.
    pub fn message(&self) -> Option<(Key, u8)> {
        let (index, _) = self.handover.recipients.first()?;
        let key = (self.account.clone(), self.handover.chunk.message, *index);
        Some((key, u8::try_from(self.parts.len()).unwrap_or(u8::MAX)))
    }

    /// The recipient gets no more of the text.
    fn report(&self) -> DeliveryReport {
        DeliveryReport {
            is_presumed: false,
            message: self.handover.chunk.message,
            status: RecipientStatus::Undelivered,
            indexes: self.handover.recipients.iter().map(|(index, _)| *index).collect(),
            cause: Some(DeliveryError::CarrierError.into()),
        }
    }
}

/// Until when the rest of a text that leaves now may leave, ms since the Unix epoch.
pub fn ends_ms(now_ms: i64, handover: &Handover) -> i64 {
    let oldest_ms = now_ms.saturating_add(OLDEST_MS);
    handover
        .expires_ms
        .map_or(oldest_ms, |expires_ms| expires_ms.min(oldest_ms))
}

/// The rests that wait for a session.
#[derive(Debug, Default)]
pub struct Rests {
    by_row: BTreeMap<i64, Rest>,
    is_read: bool,
}

impl Rests {
    /// Reads those that are stored, unless they are known.
    pub fn read(&mut self, sql: &impl Sql) -> Result<(), PortError> {
        if self.is_read {
            return Ok(());
        }
        let rows = sql.exec("SELECT id, body FROM rest", &[])?;
        let rest = |row: &Row| {
            let rest = serde_json::from_str(&row.text(1)?).map_err(|error| PortError::json("rest", &error))?;
            Ok((row.int(0)?, rest))
        };
        self.by_row = rows.iter().map(rest).collect::<Result<_, PortError>>()?;
        self.is_read = true;
        Ok(())
    }

    /// Forgets what is in memory: the storage may have other ones.
    pub fn forget(&mut self) {
        *self = Rests::default();
    }

    /// Whether none waits.
    pub fn is_empty(&self) -> bool {
        self.by_row.is_empty()
    }

    /// The next one that goes on, with its row.
    pub fn pop(&mut self) -> Option<(i64, Rest)> {
        self.by_row.pop_first()
    }

    /// Stores the rests of texts that were `cut`, and deletes the rows of those that go on. What is too old ends.
    pub fn note(&mut self, sql: &impl Sql, now_ms: i64, gone_on: &[i64], cut: &[Rest]) -> Result<(), PortError> {
        if gone_on.is_empty() && cut.is_empty() {
            return Ok(());
        }
        self.read(sql)?;
        delete(sql, gone_on)?;
        let room = MAX_WAITING.saturating_sub(self.by_row.len());
        let (kept, old): (Vec<&Rest>, Vec<&Rest>) = cut.iter().partition(|rest| rest.ends_ms > now_ms);
        let beyond = kept.iter().skip(room);
        for rest in old.iter().chain(beyond) {
            reports::add(sql, now_ms, &rest.account, 0, &[rest.report()])?;
        }
        let kept: Vec<&Rest> = kept.iter().take(room).copied().collect();
        let rows = sql.exec(
            concat!(
                listed!(),
                "INSERT INTO rest (body) SELECT value FROM listed WHERE true RETURNING id"
            ),
            &[to_json(&kept)?.into()],
        )?;
        for (row, rest) in rows.iter().zip(kept) {
            self.by_row.insert(row.int(0)?, rest.clone());
        }
        Ok(())
    }

    /// Ends those that are too old.
    pub fn end_old(&mut self, sql: &impl Sql, now_ms: i64) -> Result<(), PortError> {
        self.read(sql)?;
        let is_old = |(_, rest): &(&i64, &Rest)| rest.ends_ms <= now_ms;
        let rows: Vec<i64> = self.by_row.iter().filter(is_old).map(|(row, _)| *row).collect();
        if rows.is_empty() {
            return Ok(());
        }
        sql.transaction(|| {
            for rest in rows.iter().filter_map(|row| self.by_row.get(row)) {
                reports::add(sql, now_ms, &rest.account, 0, &[rest.report()])?;
            }
            delete(sql, &rows)
        })?;
        for row in rows {
            self.by_row.remove(&row);
        }
        Ok(())
    }

    /// When the next one is too old, ms since the Unix epoch.
    pub fn due_ms(&mut self, sql: &impl Sql) -> Result<Option<i64>, PortError> {
        self.read(sql)?;
        Ok(self.by_row.values().map(|rest| rest.ends_ms).min())
    }
}

fn delete(sql: &impl Sql, rows: &[i64]) -> Result<(), PortError> {
    if rows.is_empty() {
        return Ok(());
    }
    sql.exec(
        "DELETE FROM rest WHERE id IN (SELECT value FROM json_each(?1))",
        &[to_json(&rows)?.into()],
    )
    .map(drop)
}
