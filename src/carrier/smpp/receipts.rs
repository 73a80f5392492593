//! Receipts that are not answered yet: their messages may be known later, or to another object of the carrier.
//!
//! A receipt may come before the response that names its message, and on another session than the message. So a receipt for
//! an unknown message is held for some seconds, and the objects of the other sessions are asked. The carrier gets its answer
//! when the report is stored, here or there; after a crash it sends the receipt again. In the end, a receipt that nobody
//! knows is logged and answered. If somebody who may know it did not answer, the carrier is asked to send it again.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::message_ids::Told;
use crate::base::ports::{Platform, PortError};
use crate::carrier::request::CLASS;
use crate::durable::{Request, ask};

/// How long a receipt for an unknown message is held, ms.
const HELD_MS: i64 = 5_000;
/// Receipts that are held at most. The carrier repeats the others later.
const MAX_HELD: usize = 1_000;
/// Receipts in one call to another object.
const A_CALL: usize = 200;

/// Hands receipts to another object of the carrier, which stores their reports if it knows their messages.
#[derive(Debug, Serialize, Deserialize)]
pub struct TakeReceipts(pub Vec<Told>);

impl Request for TakeReceipts {
    const CLASS: &'static str = CLASS;
    const NAME: &'static str = "TakeReceipts";
    /// Which of them it knows. An object that has had no submission yet knows none.
    type Reply = Option<Vec<bool>>;
}

/// A receipt that is held.
#[derive(Debug)]
struct Held {
    told: Told,
    until_ms: i64,
    /// Whether the other objects have been asked, and how often.
    asked: u32,
    /// Whether one of them did not answer the last time.
    is_unclear: bool,
}

/// The receipts that are held, by the number of their `deliver_sm`.
#[derive(Debug, Default)]
pub struct Receipts {
    held: BTreeMap<u32, Held>,
}

impl Receipts {
    /// Holds a receipt. `false`: there is no room.
    pub fn hold(&mut self, now_ms: i64, sequence: u32, told: Told) -> bool {
        let has_room = self.held.len() < MAX_HELD;
        if has_room {
            let until_ms = now_ms.saturating_add(HELD_MS);
            let held = Held {
                told,
                until_ms,
                asked: 0,
                is_unclear: false,
            };
            self.held.insert(sequence, held);
        }
        has_room
    }

    /// Whether none is held.
    pub fn is_empty(&self) -> bool {
        self.held.is_empty()
    }

    /// All that are held.
    pub fn all(&self) -> (Vec<u32>, Vec<Told>) {
        self.held
            .iter()
            .map(|(sequence, held)| (*sequence, held.told.clone()))
            .unzip()
    }

    /// Holds it no longer.
    pub fn release(&mut self, sequence: u32) {
        self.held.remove(&sequence);
    }

    /// Those that the other objects are to be asked for: at once, and once more at the end.
    pub fn to_ask(&mut self, now_ms: i64) -> Vec<(u32, Told)> {
        let due = self.held.iter_mut().filter(|(_, held)| match held.asked {
            0 => true,
            1 => now_ms >= held.until_ms.saturating_sub(1_000),
            _ => false,
        });
        let due = due.take(A_CALL).map(|(sequence, held)| {
            held.asked += 1;
            (*sequence, held.told.clone())
        });
        due.collect()
    }

    /// Notes what the other objects have said: holds those no longer that they know.
    pub fn heard(&mut self, asked: &Asked) {
        for sequence in &asked.known {
            self.release(*sequence);
        }
        for sequence in &asked.unknown {
            if let Some(held) = self.held.get_mut(sequence) {
                held.is_unclear = asked.error.is_some();
            }
        }
    }

    /// Those that nobody seems to know, and whose time is over; each with whether somebody who may know it did not answer.
    pub fn give_up(&mut self, now_ms: i64) -> Vec<(u32, bool)> {
        let over = self.held.extract_if(.., |_, held| held.until_ms <= now_ms);
        over.map(|(sequence, held)| (sequence, held.is_unclear)).collect()
    }

    /// When the next one is due, ms since the Unix epoch.
    pub fn due_ms(&self) -> i64 {
        let due = self.held.values().map(|held| match held.asked {
            1 => held.until_ms.saturating_sub(1_000),
            _ => held.until_ms,
        });
        due.min().unwrap_or(i64::MAX)
    }
}

/// What the other objects have said to receipts.
#[derive(Debug)]
pub struct Asked {
    /// Those that one of them has taken.
    pub known: Vec<u32>,
    /// The others.
    pub unknown: Vec<u32>,
    /// Why an object did not answer, if one did not.
    pub error: Option<PortError>,
}

/// Asks the other objects of the carrier, one after another. One that does not answer does not keep the rest from being
/// asked.
pub async fn ask_others(platform: &impl Platform, others: Vec<String>, mut receipts: Vec<(u32, Told)>) -> Asked {
    let (mut known, mut error) = (Vec::new(), None);
    for other in others {
        if receipts.is_empty() {
            break;
        }
        let told = receipts.iter().map(|(_, told)| told.clone()).collect();
        let mut taken = match ask(platform, &other, None, None, &TakeReceipts(told)).await {
            Ok(taken) => taken.unwrap_or_default().into_iter(),
            Err(failed) => {
                error = Some(failed);
                continue;
            }
        };
        receipts.retain(|(sequence, _)| {
            let is_taken = taken.next().unwrap_or(false);
            if is_taken {
                known.push(*sequence);
            }
            !is_taken
        });
    }
    let unknown = receipts.into_iter().map(|(sequence, _)| sequence).collect();
    Asked { known, unknown, error }
}
