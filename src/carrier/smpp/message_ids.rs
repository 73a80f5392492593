//! What the carrier has taken: from its id of a part to the recipient, so that reports find their way back.
//!
//! An id is kept for 7 days, and then forgotten with all of its day. So a receipt that comes again is known, and is not taken for
//! one of a message whose answer was lost. What becomes of the parts of a long message is gathered: it is delivered when all its
//! parts are.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::protocol::receipt::{Ending, ReportIds, candidates};
use super::protocol::status::SmscError;
use crate::account::message::delivery_error::{Cause, DeliveryError};
use crate::account::{chunk::reports::DeliveryReport, message::status::RecipientStatus};
use crate::base::ports::{PortError, Sql};
use crate::carrier::day_tables::{DayTables, day_tables};
use crate::durable::{listed, to_json};

/// What is kept of a recipient's number: its last four digits, which tell two ways to read an id apart and nobody's number.
const LAST_DIGITS: u32 = 10_000;

/// `digits` are the last ones of the recipient's number.
const SENT: DayTables = day_tables!(
    "sent",
    ["0", "1", "2", "3", "4", "5", "6", "7"],
    "(
        id TEXT NOT NULL PRIMARY KEY,
        account TEXT NOT NULL,
        message INTEGER NOT NULL,
        idx INTEGER NOT NULL,
        part INTEGER NOT NULL,
        parts INTEGER NOT NULL,
        digits INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID"
);

/// `delivered` has the numbers of the parts that were delivered, a JSON list.
const GATHERED: DayTables = day_tables!(
    "gathered",
    ["0", "1", "2", "3", "4", "5", "6", "7"],
    "(
        account TEXT NOT NULL,
        message INTEGER NOT NULL,
        idx INTEGER NOT NULL,
        delivered TEXT NOT NULL,
        PRIMARY KEY (account, message, idx)
    ) STRICT, WITHOUT ROWID"
);

/// Brings the schema up to date.
pub fn open(sql: &impl Sql) -> Result<(), PortError> {
    SENT.open(sql)?;
    GATHERED.open(sql)
}

/// A part that the carrier has taken: the carrier's id, account, message, index, part, parts, and the recipient's number.
pub type Taken = (String, String, i64, u32, u8, u8, u64);

/// Keeps the ways back of parts.
pub fn keep(sql: &impl Sql, now_ms: i64, taken: &[Taken]) -> Result<(), PortError> {
    if taken.is_empty() {
        return Ok(());
    }
    let table = SENT.today(sql, now_ms)?;
    sql.exec(
        &format!(
            concat!(
                listed!(),
                "INSERT OR REPLACE INTO {table} (id, account, message, idx, part, parts, digits) \
                 SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6 % ?2 \
                 FROM listed"
            ),
            table = table
        ),
        &[to_json(&taken)?.into(), LAST_DIGITS.into()],
    )
    .map(drop)
}

/// What a receipt says, on its way to the object that knows its message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Told {
    /// The carrier's id.
    pub id: String,
    /// Another id that the receipt tells: it counts if nobody knows the first one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other_id: Option<String>,
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

impl Told {
    /// The ids that the receipt tells, the likeliest first.
    fn ids(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.id.as_str()).chain(self.other_id.as_deref())
    }
}

/// What a receipt means to an object of the carrier.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Meaning {
    /// The object does not know its message.
    Unknown,
    /// Nothing has to be told: the message is on its way, or other parts of it are.
    Nothing,
    /// This account has to have this report.
    Report(String, DeliveryReport),
}

/// A part that a receipt is about.
#[derive(Debug)]
struct Part {
    account: String,
    message: i64,
    index: u32,
    part: u8,
    parts: u8,
}

/// Finds out what receipts mean. Parts of long messages are noted. Whoever asks answers a receipt only when its report is safe:
/// until then the carrier repeats it, and it means the same again.
pub fn read(sql: &impl Sql, now_ms: i64, ids: ReportIds, told: &[Told]) -> Result<Vec<Meaning>, PortError> {
    let found = find(sql, ids, told)?;
    let mut gathering = Gathering::read(sql, &found)?;
    let meanings = told.iter().zip(found).map(|(told, found)| {
        let Some(found) = found else {
            return Meaning::Unknown;
        };
        let ended = match found.parts {
            0 | 1 => status(told),
            _ => gathering.add(&found, status(told)),
        };
        match ended {
            None => Meaning::Nothing,
            Some((status, cause)) => {
                let report = DeliveryReport {
                    message: found.message,
                    status,
                    indexes: vec![found.index],
                    cause,
                };
                Meaning::Report(found.account, report)
            }
        }
    });
    let meanings = meanings.collect();
    gathering.write(sql, now_ms)?;
    Ok(meanings)
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

/// The parts with ids, of all days. Each call with receipts asks for them, so the text is made once.
static FIND_SENT: LazyLock<String> = LazyLock::new(|| {
    SENT.of_all(
        "SELECT i.key, {day}, i.value ->> 0, s.account, s.message, s.idx, s.part, s.parts, s.digits \
         FROM json_each(?1) i CROSS JOIN {table} s ON s.id = i.value ->> 1",
        "1, 2 DESC",
    )
});

/// The parts that receipts are about.
fn find(sql: &impl Sql, ids: ReportIds, told: &[Told]) -> Result<Vec<Option<Part>>, PortError> {
    let forms: Vec<(usize, String)> = told
        .iter()
        .enumerate()
        .flat_map(|(at, told)| {
            told.ids()
                .flat_map(move |id| candidates(id, ids))
                .map(move |id| (at, id))
        })
        .collect();
    let rows = sql.exec(&FIND_SENT, &[to_json(&forms)?.into()])?;
    let mut found: Vec<Option<Part>> = told.iter().map(|_| None).collect();
    for row in &rows {
        let at = usize::try_from(row.int(2)?).unwrap_or(usize::MAX);
        let (Some(told), Some(place)) = (told.get(at), found.get_mut(at)) else {
            continue;
        };
        let digits = u64::try_from(row.int(8)?).unwrap_or_default();
        // An id that may be read in two ways is another message's in one of them: the number decides.
        let is_certain =
            ids != ReportIds::Hex || told.msisdn.is_none_or(|known| known % u64::from(LAST_DIGITS) == digits);
        if place.is_none() && is_certain {
            *place = Some(Part {
                account: row.text(3)?,
                message: row.int(4)?,
                index: row.u32(5)?,
                part: u8::try_from(row.u32(6)?).unwrap_or(u8::MAX),
                parts: u8::try_from(row.u32(7)?).unwrap_or(u8::MAX),
            });
        }
    }
    Ok(found)
}

/// What became of the parts of long messages.
#[derive(Default)]
struct Gathering {
    delivered: BTreeMap<(String, i64, u32), BTreeSet<u8>>,
    changed: BTreeSet<(String, i64, u32)>,
}

impl Gathering {
    fn read(sql: &impl Sql, found: &[Option<Part>]) -> Result<Self, PortError> {
        let mut gathering = Gathering::default();
        let long = found.iter().flatten().filter(|found| found.parts > 1);
        let keys: Vec<(&str, i64, u32)> = long
            .map(|found| (found.account.as_str(), found.message, found.index))
            .collect();
        if keys.is_empty() {
            return Ok(gathering);
        }
        let rows = sql.exec(
            &GATHERED.of_all(
                "SELECT g.account, g.message, g.idx, g.delivered FROM json_each(?1) k CROSS JOIN {table} g \
                   ON g.account = k.value ->> 0 AND g.message = k.value ->> 1 AND g.idx = k.value ->> 2",
                "1",
            ),
            &[to_json(&keys)?.into()],
        )?;
        for row in &rows {
            let parts: BTreeSet<u8> =
                serde_json::from_str(&row.text(3)?).map_err(|error| PortError::json("gathered", &error))?;
            let key = (row.text(0)?, row.int(1)?, row.u32(2)?);
            gathering.delivered.entry(key).or_default().extend(parts);
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

    fn write(&self, sql: &impl Sql, now_ms: i64) -> Result<(), PortError> {
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
        let table = GATHERED.today(sql, now_ms)?;
        sql.exec(
            &format!(
                concat!(
                    listed!(),
                    "INSERT OR REPLACE INTO {table} (account, message, idx, delivered) \
                     SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM listed"
                ),
                table = table
            ),
            &[to_json(&rows)?.into()],
        )
        .map(drop)
    }
}

/// Forgets the days whose time is over.
pub fn sweep(sql: &impl Sql, now_ms: i64) -> Result<(), PortError> {
    SENT.sweep(sql, now_ms)?;
    GATHERED.sweep(sql, now_ms)
}

/// When the next sweep is due.
pub fn sweep_due_ms(sql: &impl Sql) -> Result<Option<i64>, PortError> {
    let due = [SENT.sweep_due_ms(sql)?, GATHERED.sweep_due_ms(sql)?];
    Ok(due.into_iter().flatten().min())
}
