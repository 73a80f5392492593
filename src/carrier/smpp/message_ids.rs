//! What the carrier has taken: from its id of a part to the recipient, so that reports find their way back.
//!
//! An id is kept for 7 days, and then forgotten with all of its day. So a receipt that comes again is known, and is not taken for
//! one of a message whose answer was lost. What becomes of the parts of a long message is gathered.
//!
//! An SMSC may give an id twice: when it counts anew, or when several nodes count for themselves. So the id and the digits of the
//! number name a recipient together, and none of the messages with an id is lost to another one. A receipt that fits several
//! recipients is for the only one of them that has not ended, which their accounts know (`orphan_receipts.rs`); if that is not one, it
//! settles none.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use smpp::receipt::{Ending, ReportIds, candidates};
use smpp::status::SmscError;
use sms::msisdn::Msisdn;

use super::gathered::{self, Follows, Found, Gathering};
use super::open_messages::{Key, OpenMessages};
use crate::account::chunk::reports::DeliveryReport;
use crate::account::record::message::delivery_error::{Cause, DeliveryError};
use crate::account::record::message::status::RecipientStatus;
use crate::base::ports::{PortError, Sql};
use crate::carrier::day_tables::{DayTables, day_tables};
use crate::durable::schema::Step;
use crate::durable::{listed, to_json};

/// What is kept of a recipient's number: its last four digits, which tell recipients with one id apart and nobody's number.
const LAST_DIGITS: u64 = 10_000;
/// Parts that are looked at for one reading of a receipt in one day: as many as the longest message has, and one of another message.
const MOST_PARTS: i64 = 256;

/// Recipients that a receipt may fit, so that their accounts are asked which of them have ended. Of one that fits more, nobody is.
const MOST_AMONG: usize = 8;

/// An address with fewer digits is a line's, and no phone's.
const SHORT: usize = 10;

/// Forms of an id that [`candidates`] has at most.
const MOST_FORMS: usize = 3;

/// `digits` are the last ones of the recipient's number.
const SENT: DayTables = day_tables!(
    "sent",
    ["0", "1", "2", "3", "4", "5", "6", "7"],
    "(
        id TEXT NOT NULL,
        digits INTEGER NOT NULL,
        account TEXT NOT NULL,
        message INTEGER NOT NULL,
        idx INTEGER NOT NULL,
        part INTEGER NOT NULL,
        parts INTEGER NOT NULL,
        PRIMARY KEY (id, digits, account, message, idx, part)
    ) STRICT, WITHOUT ROWID"
);

/// The tables.
pub const TABLES: Step = SENT.tables;

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
        &[
            to_json(&taken)?.into(),
            i64::try_from(LAST_DIGITS).unwrap_or(i64::MAX).into(),
        ],
    )
    .map(drop)
}

/// In which address of a receipt the recipient's number stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum ReportNumbers {
    /// In the source, as the protocol has it, or in the destination: whichever is a phone's, or else fits.
    #[default]
    Either,
    /// In the source.
    Source,
    /// In the destination: the SMSC swaps the addresses.
    Destination,
    /// In neither: only the id names the message.
    None,
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
    /// The number in the other address, if it may be the one that the message was to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other_msisdn: Option<u64>,
    /// When the carrier took the message, in an unknown time zone, ms since the Unix epoch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub taken_ms: Option<i64>,
    /// How the message's text begins, in ASCII.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The recipients among which it is, if that is known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub among: Vec<Key>,
}

/// The Iranian mobile number that an address is, in whatever form it is written.
fn mobile(address: &str) -> Option<u64> {
    let number = Msisdn::parse(address).ok()?.get();
    (989_000_000_000..990_000_000_000).contains(&number).then_some(number)
}

impl Told {
    /// The same with the numbers that count: `source` and `destination` are the addresses of the receipt.
    pub fn with_numbers(self, numbers: ReportNumbers, source: &str, destination: &str) -> Told {
        let number = |address: &str| mobile(address).or_else(|| address.trim_start_matches('+').parse().ok());
        let (msisdn, other_msisdn) = match numbers {
            // The other address is the line's. Its last digits may be those of another recipient with the same id.
            ReportNumbers::Either if mobile(source).is_some() => (number(source), None),
            ReportNumbers::Either if mobile(destination).is_some() && source.len() < SHORT => {
                (number(destination), None)
            }
            // A source that is no number is masked, or missing. The destination is that of the message from a phone that the receipt
            // looks like.
            ReportNumbers::Either if number(source).is_none() && mobile(destination).is_none() => (None, None),
            ReportNumbers::Either => (number(source), number(destination)),
            ReportNumbers::Source => (number(source), None),
            ReportNumbers::Destination => (number(destination), None),
            ReportNumbers::None => (None, None),
        };
        Told {
            msisdn,
            other_msisdn,
            ..self
        }
    }

    /// The digits that the recipient's number may end with, each as the first and the last of a range. Without a number it may be any.
    fn digits(&self) -> Vec<(u64, u64)> {
        let numbers = [self.msisdn, self.other_msisdn].into_iter().flatten();
        let ends: Vec<(u64, u64)> = numbers
            .map(|number| (number % LAST_DIGITS, number % LAST_DIGITS))
            .collect();
        if ends.is_empty() {
            vec![(0, LAST_DIGITS - 1)]
        } else {
            ends
        }
    }

    /// The forms in which a response may have named the message, the likeliest first, each with a rank. Another id counts only if
    /// nobody knows the first one. The forms of an id count alike if all are another number system's, and one after another otherwise.
    fn readings(&self, ids: ReportIds) -> impl Iterator<Item = (usize, String)> {
        let own = std::iter::once(&self.id).chain(&self.other_id);
        own.enumerate().flat_map(move |(which, id)| {
            let forms = candidates(id, ids);
            let last = forms.len().saturating_sub(1);
            let rank = move |form| match ids {
                ReportIds::AsIs => form,
                // What is as it was answered counts only if no other form is known.
                ReportIds::Hex => usize::from(form == last && last > 0),
                ReportIds::Decimal => 0,
            };
            let forms = forms.into_iter().enumerate();
            forms.map(move |(form, id)| (which * MOST_FORMS + rank(form), id))
        })
    }
}

/// What a receipt means to an object of the carrier.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Meaning {
    /// The object does not know its message.
    Unknown,
    /// It fits these recipients; none: more than are asked about.
    Several(Vec<Key>),
    /// A part of it has failed that was delivered as far as was known. It stays delivered.
    Late,
    /// A part of it has failed that was presumed to be delivered. This account has to have this report, which counts if the answer for
    /// the message was lost.
    LateReport(String, DeliveryReport),
    /// Nothing has to be told: the message is on its way, or other parts of it are.
    Nothing,
    /// This account has to have this report.
    Report(String, DeliveryReport),
}

/// The recipients that a receipt fits, with the parts of each.
#[derive(Debug, Default)]
struct Fit(BTreeMap<Key, Found>);

impl Fit {
    /// Adds a part that the receipt fits.
    fn add(&mut self, part: Found) {
        match self.0.get_mut(&part.key) {
            Some(found) => found.named.extend(part.named),
            None => drop(self.0.insert(part.key.clone(), part)),
        }
    }

    /// The only one.
    fn one(&self) -> Option<&Found> {
        self.0.values().next().filter(|_| self.0.len() == 1)
    }
}

/// Finds out what receipts mean. Parts of long messages are noted, and `open` has those that wait for others. Whoever asks answers a
/// receipt only when its report is safe: until then the carrier repeats it, and it means the same again.
pub fn read(
    sql: &impl Sql,
    now_ms: i64,
    ids: ReportIds,
    open: &mut OpenMessages,
    told: &[Told],
) -> Result<Vec<Meaning>, PortError> {
    let fits = find(sql, ids, told)?;
    let long = fits.iter().filter_map(Fit::one).filter(|found| found.parts > 1);
    let keys: Vec<&Key> = long.map(|found| &found.key).collect();
    let mut gathering = Gathering::read(sql, &keys)?;
    let mut meanings = Vec::new();
    for (told, fit) in told.iter().zip(&fits) {
        meanings.push(match fit.one() {
            Some(found) => meaning(now_ms, told, found, &mut gathering, open),
            None if fit.0.is_empty() => Meaning::Unknown,
            None if fit.0.len() > MOST_AMONG => Meaning::Several(Vec::new()),
            None => Meaning::Several(fit.0.keys().cloned().collect()),
        });
    }
    gathering.write(sql, now_ms)?;
    open.keep(sql, now_ms)?;
    Ok(meanings)
}

/// Whether a receipt names a message that was sent here. Nothing is noted.
pub fn is_known(sql: &impl Sql, ids: ReportIds, told: &Told) -> Result<bool, PortError> {
    let fits = find(sql, ids, std::slice::from_ref(told))?;
    Ok(fits.iter().any(|fit| !fit.0.is_empty()))
}

/// What a receipt means for the message that it is about.
fn meaning(now_ms: i64, told: &Told, found: &Found, gathering: &mut Gathering, open: &mut OpenMessages) -> Meaning {
    let Some((status, cause)) = status(told) else {
        return Meaning::Nothing;
    };
    let follows = match status {
        _ if found.parts <= 1 => Follows::Ending,
        RecipientStatus::Delivered => gathering.deliver(now_ms, found, open),
        _ => gathering.fail(found, open),
    };
    let (account, message, index) = found.key.clone();
    let report = DeliveryReport {
        is_presumed: false,
        message,
        status,
        indexes: vec![index],
        cause,
    };
    match follows {
        Follows::Nothing => Meaning::Nothing,
        Follows::Ending => Meaning::Report(account, report),
        Follows::Late => Meaning::Late,
        Follows::LateEnding => Meaning::LateReport(account, report),
    }
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

/// A part that has an id: account, message, index, part, and parts of the message.
type NamedPart = (String, i64, u32, u8, u8);

/// For each reading the parts with its id, of all days, as a list in JSON. Each call with receipts asks for them, so the text is made
/// once.
static FIND_SENT: LazyLock<String> = LazyLock::new(|| {
    let named = SENT.union(
        "SELECT * FROM ( \
           SELECT account, message, idx, part, parts FROM {table} \
           WHERE id = i.value ->> 2 AND digits BETWEEN i.value ->> 3 AND i.value ->> 4 LIMIT ?2)",
    );
    format!(
        "SELECT i.value ->> 0, i.value ->> 1, \
           (SELECT json_group_array(json_array(account, message, idx, part, parts)) FROM ({named})) \
         FROM json_each(?1) i ORDER BY 1, 2"
    )
});

/// Whom receipts fit, by any number in them. Only if nobody fits the likeliest reading of an id, the next one counts.
fn find(sql: &impl Sql, ids: ReportIds, told: &[Told]) -> Result<Vec<Fit>, PortError> {
    let mut readings: Vec<(usize, usize, String, u64, u64)> = Vec::new();
    for (at, told) in told.iter().enumerate() {
        for (first, last) in told.digits() {
            let of_ids = told.readings(ids);
            readings.extend(of_ids.map(|(rank, id)| (at, rank, id, first, last)));
        }
    }
    let rows = sql.exec(&FIND_SENT, &[to_json(&readings)?.into(), MOST_PARTS.into()])?;
    let mut fits: Vec<(u32, Fit)> = told.iter().map(|_| (u32::MAX, Fit::default())).collect();
    for row in &rows {
        let mut row = row.reader();
        let at = usize::try_from(row.read::<i64>()?).unwrap_or(usize::MAX);
        let rank = row.read::<u32>()?;
        let (Some(told), Some((best, fit))) = (told.get(at), fits.get_mut(at)) else {
            continue;
        };
        for (account, message, index, part, parts) in row.json::<Vec<NamedPart>>("parts with an id")? {
            let key = (account, message, index);
            if rank > *best || !(told.among.is_empty() || told.among.contains(&key)) {
                continue;
            }
            *best = rank;
            fit.add(Found {
                key,
                named: BTreeSet::from([part]),
                parts,
            });
        }
    }
    Ok(fits.into_iter().map(|(_, fit)| fit).collect())
}

/// Keeps a way back that only a receipt has told, because the answer that named a part is lost. Which part of a long message it is
/// nobody knows, so it counts as one of its own. A receipt that comes again is of the same part.
pub fn keep_lost(
    sql: &impl Sql,
    now_ms: i64,
    ids: ReportIds,
    told: &Told,
    (key, parts): (&Key, u8),
) -> Result<(), PortError> {
    let own = Told {
        among: vec![key.clone()],
        ..told.clone()
    };
    if find(sql, ids, &[own])?.iter().any(|fit| fit.one().is_some()) {
        return Ok(());
    }
    let part = if parts <= 1 { 0 } else { gathered::next_lost(sql, key)? };
    let id = candidates(&told.id, ids).into_iter().next().unwrap_or_default();
    let number = told.msisdn.or(told.other_msisdn).unwrap_or(0);
    let (account, message, index) = key.clone();
    keep(sql, now_ms, &[(id, account, message, index, part, parts, number)])
}

/// Forgets the days whose time is over.
pub fn sweep(sql: &impl Sql, now_ms: i64) -> Result<(), PortError> {
    SENT.sweep(sql, now_ms)?;
    gathered::sweep(sql, now_ms)
}

/// When the next sweep is due.
pub fn sweep_due_ms(sql: &impl Sql) -> Result<Option<i64>, PortError> {
    let due = [SENT.sweep_due_ms(sql)?, gathered::sweep_due_ms(sql)?];
    Ok(due.into_iter().flatten().min())
}
