//! Receipts for messages that are not known yet.
//!
//! A receipt may come before the response that names its message, and on another session than the message. So the objects
//! of the other sessions are asked for it first. The carrier gets its answer when the report is safe (`pass_through.rs`), or
//! when the receipt itself is stored here: then it waits for as long as a response may take, and costs the window of the
//! carrier nothing. In the end the others are asked once more, then the accounts that may have lost an answer
//! (`orphan_receipts.rs`), and a receipt that nobody knows is logged and forgotten.
//! After a crash the carrier sends those again that have no answer. If an object that may know a message did not answer, the
//! carrier is asked to send the receipt again.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use smpp::session::RESPONSE_TIMEOUT_MS;

use super::message_ids::{Meaning, Told};
use super::open_messages::Key;
use super::orphan_receipts::{LostPart, Owner, TakeLost};
use crate::base::ports::{Platform, PortError, Sql};
use crate::durable::schema::Step;
use crate::durable::{ask_in_time, listed, to_json};

/// How long a receipt waits for the response that names its message, ms.
const WAIT_MS: i64 = RESPONSE_TIMEOUT_MS + 1_000;
/// A receipt that may be known later is asked for again when it has waited for as long again, but after this at most, ms.
const ASK_AGAIN_MS: i64 = 60_000;
/// For how long it is asked for, ms.
const LONGEST_WAIT_MS: i64 = 60 * 60 * 1_000;
/// Receipts that wait at most. The carrier repeats the others later.
const MAX_WAITING: usize = 10_000;
/// Receipts without an answer that wait at most until the other objects are asked.
const MAX_UNASKED: usize = 1_000;
/// Receipts in one call to another object.
const A_CALL: usize = 200;

/// The tables.
pub const TABLES: Step = &[
    // `told` is JSON.
    "CREATE TABLE early_receipt (
        id INTEGER PRIMARY KEY,
        came_ms INTEGER NOT NULL,
        told TEXT NOT NULL
    ) STRICT",
];

/// Asks another object of the carrier what receipts mean.
#[derive(Debug, Serialize, Deserialize)]
pub struct ReadReceipts(pub Vec<Told>);

/// Which receipt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// The one in the `deliver_sm` of this number. It has no answer yet.
    Session(u32),
    /// The one in this row.
    Row(i64),
}

impl Place {
    /// The row of a receipt that is stored.
    pub fn row(self) -> Option<i64> {
        match self {
            Place::Session(_) => None,
            Place::Row(row) => Some(row),
        }
    }
}

/// A receipt that is stored.
#[derive(Debug)]
struct Early {
    told: Told,
    came_ms: i64,
    /// When the other objects are asked for it, ms since the Unix epoch.
    due_ms: i64,
}

impl Early {
    fn new(told: Told, came_ms: i64) -> Early {
        Early {
            // No answer tells more of one whose recipients are known.
            due_ms: if told.among.is_empty() {
                came_ms.saturating_add(WAIT_MS)
            } else {
                came_ms
            },
            told,
            came_ms,
        }
    }
}

/// The receipts of a session for messages that are not known yet.
#[derive(Debug, Default)]
pub struct Receipts {
    /// Those that the other objects are to be asked for before they are stored.
    unasked: BTreeMap<u32, Told>,
    early: BTreeMap<i64, Early>,
}

impl Receipts {
    /// Those that an earlier session has stored.
    pub fn stored(sql: &impl Sql) -> Result<Self, PortError> {
        let rows = sql.exec("SELECT id, came_ms, told FROM early_receipt", &[])?;
        let early = rows.iter().map(|row| {
            let told = serde_json::from_str(&row.text(2)?).map_err(|error| PortError::json("early receipt", &error))?;
            Ok((row.int(0)?, Early::new(told, row.int(1)?)))
        });
        Ok(Receipts {
            unasked: BTreeMap::new(),
            early: early.collect::<Result<_, PortError>>()?,
        })
    }

    /// Keeps a receipt without an answer until the other objects were asked. `false`: there is no room.
    pub fn keep_unasked(&mut self, sequence: u32, told: Told) -> bool {
        let has_room = self.unasked.len() < MAX_UNASKED;
        if has_room {
            self.unasked.insert(sequence, told);
        }
        has_room
    }

    /// Stores receipts. `false`: there is no room.
    pub fn store(&mut self, sql: &impl Sql, now_ms: i64, told: Vec<Told>) -> Result<bool, PortError> {
        if self.early.len().saturating_add(told.len()) > MAX_WAITING {
            return Ok(false);
        }
        let rows = sql.exec(
            concat!(
                listed!(),
                "INSERT INTO early_receipt (came_ms, told) SELECT ?2, value FROM listed RETURNING id"
            ),
            &[to_json(&told)?.into(), now_ms.into()],
        )?;
        for (row, told) in rows.iter().zip(told) {
            self.early.insert(row.int(0)?, Early::new(told, now_ms));
        }
        Ok(true)
    }

    /// All that are stored: perhaps their messages are known by now.
    pub fn all_stored(&self) -> Vec<(Place, Told)> {
        let early = self.early.iter();
        early.map(|(id, early)| (Place::Row(*id), early.told.clone())).collect()
    }

    /// Forgets rows: their reports are stored, or they are given up.
    pub fn forget(&mut self, sql: &impl Sql, rows: &[i64]) -> Result<(), PortError> {
        if rows.is_empty() {
            return Ok(());
        }
        sql.exec(
            "DELETE FROM early_receipt WHERE id IN (SELECT value FROM json_each(?1))",
            &[to_json(&rows)?.into()],
        )?;
        for row in rows {
            self.early.remove(row);
        }
        Ok(())
    }

    /// Those that the other objects are to be asked for now.
    pub fn to_ask(&mut self, now_ms: i64) -> Vec<(Place, Told)> {
        let mut to_ask = Vec::new();
        while to_ask.len() < A_CALL
            && let Some((sequence, told)) = self.unasked.pop_first()
        {
            to_ask.push((Place::Session(sequence), told));
        }
        let due = self.early.iter_mut().filter(|(_, early)| early.due_ms <= now_ms);
        for (row, early) in due.take(A_CALL - to_ask.len()) {
            let waited_ms = now_ms.saturating_sub(early.came_ms);
            early.due_ms = now_ms.saturating_add(waited_ms.clamp(WAIT_MS, ASK_AGAIN_MS));
            to_ask.push((Place::Row(*row), early.told.clone()));
        }
        to_ask
    }

    /// Notes whose receipt it is that stands in a row. Another object of the carrier may have the parts of the message.
    pub fn narrow(&mut self, row: i64, owner: &Key) {
        if let Some(early) = self.early.get_mut(&row) {
            early.told.among = vec![owner.clone()];
            early.due_ms = early.came_ms;
        }
    }

    /// Whether a receipt may wait longer for objects that do not answer.
    pub fn may_wait(&self, now_ms: i64, row: i64) -> bool {
        let early = self.early.get(&row);
        early.is_some_and(|early| now_ms < early.came_ms.saturating_add(LONGEST_WAIT_MS))
    }

    /// When the next one is due, ms since the Unix epoch.
    pub fn due_ms(&self) -> i64 {
        self.early.values().map(|early| early.due_ms).min().unwrap_or(i64::MAX)
    }
}

/// What the other objects have said to receipts.
#[derive(Debug)]
pub struct Asked {
    /// Those that one of them knows.
    pub known: Vec<(Place, Meaning)>,
    /// The others.
    pub unknown: Vec<(Place, Told)>,
    /// The recipients that some of these belong to, by their rows.
    pub owners: BTreeMap<i64, Owner>,
    /// Why an object did not answer, if one did not.
    pub error: Option<PortError>,
}

impl Asked {
    /// The owner of the receipt of a row, if one was found; with the parts of its text if an answer is lost.
    pub fn owner(&self, row: i64) -> Option<(Key, Option<u32>)> {
        match self.owners.get(&row)? {
            Owner::Named(owner) => Some((owner.clone(), None)),
            Owner::Lost(owner, parts) => Some((owner.clone(), Some(*parts))),
            Owner::NotYet | Owner::Elsewhere(..) => None,
        }
    }

    /// Whether somebody may know the receipt of a row later.
    pub fn may_wait(&self, row: i64) -> bool {
        let may_be_known = matches!(self.owners.get(&row), Some(Owner::NotYet | Owner::Elsewhere(..)));
        self.error.is_some() || may_be_known
    }
}

/// Asks the other objects of the carrier, one after another. One that does not answer does not keep the rest from being
/// asked.
pub async fn ask_others(platform: &impl Platform, others: &[String], mut receipts: Vec<(Place, Told)>) -> Asked {
    let (mut known, mut error) = (Vec::new(), None);
    for other in others {
        if receipts.is_empty() {
            break;
        }
        let told = receipts.iter().map(|(_, told)| told.clone()).collect();
        let mut meanings = match ask_in_time(platform, other, &ReadReceipts(told)).await {
            Ok(meanings) => meanings.unwrap_or_default().into_iter(),
            Err(failed) => {
                error = Some(failed);
                continue;
            }
        };
        receipts.retain_mut(|(place, told)| match meanings.next().unwrap_or(Meaning::Unknown) {
            Meaning::Unknown => true,
            Meaning::Several(among) if !among.is_empty() => {
                told.among = among;
                true
            }
            meaning => {
                known.push((*place, meaning));
                false
            }
        });
    }
    Asked {
        known,
        unknown: receipts,
        owners: BTreeMap::new(),
        error,
    }
}

/// Hands receipts of parts to the objects that have the other parts of their messages. What these say is known then.
pub async fn take_home(platform: &impl Platform, asked: &mut Asked) -> Result<(), PortError> {
    let mut homes: BTreeMap<String, Vec<(Place, LostPart)>> = BTreeMap::new();
    for (place, told) in &asked.unknown {
        if let Some(Owner::Elsewhere(home, owner, parts)) = place.row().and_then(|row| asked.owners.get(&row)) {
            let lost = (told.clone(), owner.clone(), *parts);
            homes.entry(home.clone()).or_default().push((*place, lost));
        }
    }
    for (home, receipts) in homes {
        let (places, lost): (Vec<Place>, Vec<_>) = receipts.into_iter().unzip();
        let meanings = ask_in_time(platform, &home, &TakeLost(lost)).await?.unwrap_or_default();
        let taken: Vec<(Place, Meaning)> = places.into_iter().zip(meanings).collect();
        asked
            .unknown
            .retain(|(place, _)| taken.iter().all(|(known, _)| known != place));
        asked.known.extend(taken);
    }
    Ok(())
}
