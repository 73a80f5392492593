//! What the carrier has taken: from its id of a part to the recipient, so that reports find their way back.
//!
//! A row goes soon after the receipt that ends its part. Without one it is kept for 7 days, under the day of its making: so
//! old rows are found without an index of their own. What becomes of the parts of a long message is gathered: it is
//! delivered when all its parts are.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde::{Deserialize, Serialize};

use super::protocol::receipt::{Ending, ReportIds, candidates};
use super::protocol::status::SmscError;
use crate::account::message::delivery_error::{Cause, DeliveryError};
use crate::account::{chunk::reports::DeliveryReport, message::status::RecipientStatus};
use crate::base::ports::{PortError, Sql};
use crate::base::time::DAY_MS;
use crate::carrier::journal::{KEPT_MS, SWEPT_A_GO};
use crate::carrier::reports;
use crate::durable::schema::{self, Step};
use crate::durable::{listed, to_json};

/// How long an id is kept after the receipt that ends its part, ms: the carrier repeats a receipt that got no answer.
const REPEATED_MS: i64 = 2 * 60 * 1_000;
/// How long such an id may stay before it is swept, ms. So a sweep has many.
const ENDED_SLACK_MS: i64 = 60_000;
/// Ids of ended parts in memory at most. The others go when they are old.
const MAX_ENDED: usize = 20_000;

const STEPS: &[Step] = &[&[
    "CREATE TABLE sent (
        day INTEGER NOT NULL,
        id TEXT NOT NULL,
        account TEXT NOT NULL,
        message INTEGER NOT NULL,
        idx INTEGER NOT NULL,
        part INTEGER NOT NULL,
        parts INTEGER NOT NULL,
        msisdn INTEGER NOT NULL,
        PRIMARY KEY (day, id)
    ) STRICT, WITHOUT ROWID",
    // `delivered` has the numbers of the parts that were delivered, a JSON list.
    "CREATE TABLE gathered (
        account TEXT NOT NULL,
        message INTEGER NOT NULL,
        idx INTEGER NOT NULL,
        day INTEGER NOT NULL,
        delivered TEXT NOT NULL,
        PRIMARY KEY (account, message, idx)
    ) STRICT, WITHOUT ROWID",
    "CREATE INDEX gathered_day ON gathered (day)",
]];

/// Brings the schema up to date.
pub fn open(sql: &impl Sql) -> Result<(), PortError> {
    schema::migrate(sql, "smpp sent", STEPS)
}

/// A part that the carrier has taken: the carrier's id, account, message, index, part, parts, and the recipient's number.
pub type Taken = (String, String, i64, u32, u8, u8, u64);

/// Keeps the ways back of parts.
pub fn keep(sql: &impl Sql, now_ms: i64, taken: &[Taken]) -> Result<(), PortError> {
    if taken.is_empty() {
        return Ok(());
    }
    sql.exec(
        concat!(
            listed!(),
            "INSERT OR REPLACE INTO sent (day, id, account, message, idx, part, parts, msisdn) \
             SELECT ?2, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6 \
             FROM listed"
        ),
        &[to_json(&taken)?.into(), (now_ms / DAY_MS).into()],
    )
    .map(drop)
}

/// What a receipt says, on its way to the object that knows its message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Told {
    /// The carrier's id.
    pub id: String,
    /// What became of the part.
    pub ending: Ending,
    /// The carrier's words for it.
    pub code: String,
    /// Whom the message was to, if the receipt says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub msisdn: Option<u64>,
    /// When the carrier took the message, in an unknown time zone, ms since the Unix epoch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub taken_ms: Option<i64>,
    /// How the message's text begins, in ASCII.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// What became of receipts.
#[derive(Debug, Default)]
pub struct Reported {
    /// Which of them are about messages of this object.
    pub known: Vec<bool>,
    /// The parts that have ended.
    pub ended: Vec<Part>,
}

/// The ids of parts that have ended, oldest first, in memory only: those that a crash forgets go when they are old.
#[derive(Debug, Default)]
pub struct EndedParts(VecDeque<(i64, Part)>);

impl EndedParts {
    /// Adds ids whose reports are stored.
    pub fn add(&mut self, now_ms: i64, parts: Vec<Part>) {
        let room = MAX_ENDED.saturating_sub(self.0.len());
        self.0.extend(parts.into_iter().take(room).map(|part| (now_ms, part)));
    }

    /// Leaves those whose time has come until they are old. So a receipt that comes again is known, and is not taken for one of
    /// a message whose answer was lost.
    pub fn leave(&mut self, now_ms: i64) {
        self.0.drain(..self.ripe(now_ms));
    }

    /// How many no receipt will name again.
    fn ripe(&self, now_ms: i64) -> usize {
        self.0
            .partition_point(|(ended_ms, _)| *ended_ms <= now_ms.saturating_sub(REPEATED_MS))
    }

    /// Forgets those that no receipt will name again.
    pub fn sweep(&mut self, sql: &impl Sql, now_ms: i64) -> Result<(), PortError> {
        let gone = self.ripe(now_ms);
        if gone == 0 {
            return Ok(());
        }
        let parts = self.0.iter().take(gone);
        let parts: Vec<_> = parts
            .map(|(_, part)| (part.day, &part.id, &part.account, part.message, part.index))
            .collect();
        // A carrier may have used the id for another message meanwhile.
        sql.exec(
            concat!(
                listed!(),
                "DELETE FROM sent WHERE (day, id) IN (SELECT s.day, s.id FROM listed CROSS JOIN sent s \
                   ON s.day = value ->> 0 AND s.id = value ->> 1 AND s.account = value ->> 2 \
                   AND s.message = value ->> 3 AND s.idx = value ->> 4)"
            ),
            &[to_json(&parts)?.into()],
        )?;
        self.0.drain(..gone);
        Ok(())
    }

    /// When the next sweep is due.
    pub fn sweep_due_ms(&self) -> Option<i64> {
        let (ended_ms, _) = self.0.front()?;
        Some(ended_ms + REPEATED_MS + ENDED_SLACK_MS)
    }
}

/// A part that a receipt is about.
#[derive(Debug)]
pub struct Part {
    day: i64,
    id: String,
    account: String,
    message: i64,
    index: u32,
    part: u8,
    parts: u8,
}

/// Stores reports of what receipts say.
///
/// A crash before the end of the call stores nothing: the carrier repeats a receipt that was not answered.
pub fn report(sql: &impl Sql, now_ms: i64, ids: ReportIds, told: &[Told]) -> Result<Reported, PortError> {
    let found = find(sql, now_ms, ids, told)?;
    let mut gathering = Gathering::read(sql, now_ms, &found)?;
    let mut reports: BTreeMap<&str, Vec<DeliveryReport>> = BTreeMap::new();
    for (told, found) in told.iter().zip(&found) {
        let Some(found) = found else {
            continue;
        };
        let ended = match found.parts {
            0 | 1 => status(told),
            _ => gathering.add(found, status(told)),
        };
        if let Some((status, cause)) = ended {
            let reports = reports.entry(&found.account).or_default();
            reports::gather(reports, found.message, found.index, status, cause);
        }
    }
    gathering.write(sql)?;
    for (account, reports) in reports {
        reports::add(sql, now_ms, account, 0, &reports)?;
    }
    let known = found.iter().map(Option::is_some).collect();
    let ended = told.iter().zip(found).filter(|(told, _)| status(told).is_some());
    Ok(Reported {
        known,
        ended: ended.filter_map(|(_, part)| part).collect(),
    })
}

/// The status that a receipt tells; `None`: the message is on its way.
pub fn status(told: &Told) -> Option<(RecipientStatus, Option<Cause>)> {
    let because = |error| Some(Cause::new(error, Some(&told.code)));
    match told.ending {
        Ending::Pending => None,
        Ending::Delivered => Some((RecipientStatus::Delivered, None)),
        Ending::Undelivered(error) => Some((RecipientStatus::Undelivered, because(error_of(error)))),
        Ending::Expired => Some((RecipientStatus::Expired, because(DeliveryError::Expired))),
    }
}

/// The stable error for one of the protocol.
pub fn error_of(error: SmscError) -> DeliveryError {
    match error {
        SmscError::AbsentSubscriber => DeliveryError::AbsentSubscriber,
        SmscError::UnknownSubscriber => DeliveryError::UnknownSubscriber,
        SmscError::Blocked => DeliveryError::Blocked,
        SmscError::Content => DeliveryError::ContentRefused,
        SmscError::Sender => DeliveryError::SenderRefused,
        SmscError::Expired => DeliveryError::Expired,
        SmscError::Carrier => DeliveryError::CarrierError,
    }
}

fn days(now_ms: i64) -> Vec<i64> {
    let today = now_ms / DAY_MS;
    (0..=KEPT_MS / DAY_MS).map(|ago| today - ago).collect()
}

/// The parts that receipts are about.
fn find(sql: &impl Sql, now_ms: i64, ids: ReportIds, told: &[Told]) -> Result<Vec<Option<Part>>, PortError> {
    let forms: Vec<(usize, String)> = told
        .iter()
        .enumerate()
        .flat_map(|(at, told)| candidates(&told.id, ids).into_iter().map(move |id| (at, id)))
        .collect();
    let rows = sql.exec(
        "SELECT i.value ->> 0, s.account, s.message, s.idx, s.part, s.parts, s.msisdn, s.day, s.id \
         FROM json_each(?1) i CROSS JOIN json_each(?2) d CROSS JOIN sent s ON s.day = d.value AND s.id = i.value ->> 1 \
         ORDER BY i.key, s.day DESC",
        &[to_json(&forms)?.into(), to_json(&days(now_ms))?.into()],
    )?;
    let mut found: Vec<Option<Part>> = told.iter().map(|_| None).collect();
    for row in &rows {
        let at = usize::try_from(row.int(0)?).unwrap_or(usize::MAX);
        let (Some(told), Some(place)) = (told.get(at), found.get_mut(at)) else {
            continue;
        };
        let msisdn = u64::try_from(row.int(6)?).unwrap_or_default();
        // An id that may be read in two ways is another message's in one of them: the number decides.
        let is_certain = ids != ReportIds::Hex || told.msisdn.is_none_or(|known| known == msisdn);
        if place.is_none() && is_certain {
            *place = Some(Part {
                day: row.int(7)?,
                id: row.text(8)?,
                account: row.text(1)?,
                message: row.int(2)?,
                index: row.u32(3)?,
                part: u8::try_from(row.u32(4)?).unwrap_or(u8::MAX),
                parts: u8::try_from(row.u32(5)?).unwrap_or(u8::MAX),
            });
        }
    }
    Ok(found)
}

/// What became of the parts of long messages.
struct Gathering {
    delivered: BTreeMap<(String, i64, u32), BTreeSet<u8>>,
    changed: BTreeSet<(String, i64, u32)>,
    day: i64,
}

impl Gathering {
    fn read(sql: &impl Sql, now_ms: i64, found: &[Option<Part>]) -> Result<Self, PortError> {
        let mut gathering = Gathering {
            delivered: BTreeMap::new(),
            changed: BTreeSet::new(),
            day: now_ms / DAY_MS,
        };
        let long = found.iter().flatten().filter(|found| found.parts > 1);
        let keys: Vec<(&str, i64, u32)> = long
            .map(|found| (found.account.as_str(), found.message, found.index))
            .collect();
        if keys.is_empty() {
            return Ok(gathering);
        }
        let rows = sql.exec(
            "SELECT g.account, g.message, g.idx, g.delivered FROM json_each(?1) k CROSS JOIN gathered g \
               ON g.account = k.value ->> 0 AND g.message = k.value ->> 1 AND g.idx = k.value ->> 2",
            &[to_json(&keys)?.into()],
        )?;
        for row in &rows {
            let parts = serde_json::from_str(&row.text(3)?).map_err(|error| PortError::json("gathered", &error))?;
            gathering
                .delivered
                .insert((row.text(0)?, row.int(1)?, row.u32(2)?), parts);
        }
        Ok(gathering)
    }

    /// Adds the ending of a part. Returns the ending of the message, if it follows.
    fn add(
        &mut self,
        found: &Part,
        ended: Option<(RecipientStatus, Option<Cause>)>,
    ) -> Option<(RecipientStatus, Option<Cause>)> {
        let (status, cause) = ended?;
        if status != RecipientStatus::Delivered {
            return Some((status, cause));
        }
        let key = (found.account.clone(), found.message, found.index);
        let parts = self.delivered.entry(key.clone()).or_default();
        if parts.insert(found.part) {
            self.changed.insert(key);
        }
        (parts.len() >= usize::from(found.parts)).then_some((status, cause))
    }

    fn write(&self, sql: &impl Sql) -> Result<(), PortError> {
        let rows = self
            .changed
            .iter()
            .filter_map(|key| Some((key, self.delivered.get(key)?)));
        let rows: Vec<_> = rows
            .map(|((account, message, index), parts)| (account, message, index, parts))
            .collect();
        if rows.is_empty() {
            return Ok(());
        }
        sql.exec(
            concat!(
                listed!(),
                "INSERT OR REPLACE INTO gathered (account, message, idx, day, delivered) \
                 SELECT value ->> 0, value ->> 1, value ->> 2, ?2, value ->> 3 FROM listed"
            ),
            &[to_json(&rows)?.into(), self.day.into()],
        )
        .map(drop)
    }
}

/// Forgets what is old, some of it.
pub fn sweep(sql: &impl Sql, now_ms: i64) -> Result<(), PortError> {
    let last_day = (now_ms - KEPT_MS) / DAY_MS - 1;
    sql.exec(
        "DELETE FROM sent WHERE (day, id) IN (SELECT day, id FROM sent WHERE day <= ?1 ORDER BY day LIMIT ?2)",
        &[last_day.into(), SWEPT_A_GO.into()],
    )?;
    sql.exec(
        "DELETE FROM gathered WHERE (account, message, idx) IN \
           (SELECT account, message, idx FROM gathered WHERE day <= ?1 ORDER BY day LIMIT ?2)",
        &[last_day.into(), SWEPT_A_GO.into()],
    )
    .map(drop)
}

/// When the next sweep is due.
pub fn sweep_due_ms(sql: &impl Sql) -> Result<Option<i64>, PortError> {
    let first = sql.number(
        "SELECT min(day) FROM (SELECT min(day) AS day FROM sent UNION ALL SELECT min(day) FROM gathered)",
        &[],
    )?;
    // A day is over when the next one begins.
    Ok(first.map(|day| (day + 1) * DAY_MS + KEPT_MS))
}
