//! Parts of long messages from phones, which wait for each other.
//!
//! Parts with the same sender, line, reference and number of parts may be of one message. Senders use a reference again, so they need
//! not be: a part that differs from the one that stands opens another message, and a part goes to the newest message that lacks it.
//!
//! A part that has come before is a repeat, which makes no message. But the next message of a sender that always uses the same
//! reference may begin with the same part. So a repeat is kept for some minutes: when the time of a message is over that lacks just
//! this part, and they came together, it is taken.

use std::collections::{BTreeMap, BTreeSet};

use smpp::alphabet::Alphabet;
use smpp::inbound::Concatenation;

use crate::auth::hex;
use crate::base::ports::{PortError, Row, Sql, Value};
use crate::durable::schema::Step;

/// How long a part waits for the others, ms.
const WAIT_MS: i64 = 5 * 60 * 1_000;
/// How long a repeat is kept, ms: as long as a message may wait that has come beside it.
const REPEAT_MS: i64 = WAIT_MS + TOGETHER_MS;
/// Parts of one message come within this time, ms, if one of them can't be told from a repeat.
const TOGETHER_MS: i64 = 15 * 1_000;
/// Parts that wait, at most. When there are more, the oldest message goes as it is.
const MAX_PARTS: i64 = 10_000;
/// Messages with the same sender, line, reference and number of parts that wait, at most. When there are more, the oldest goes as
/// it is.
const MAX_ALIKE: usize = 10;
/// Parts that are looked after in one go.
const A_GO: i64 = 100;
/// What stands in the place of parts that did not come.
const GAP: &str = "[…]";
/// The number of the message that repeats stand in.
const REPEATS: i64 = 0;

/// The tables.
pub const TABLES: Step = &[
    // A part of a long message. `message` tells messages apart that have all before it in common: they are numbered from 1 in the
    // order in which they began, and 0 has the repeats. `octets` are hexadecimal digits. It waits until `due_ms`.
    "CREATE TABLE inbound_part (
        source TEXT NOT NULL,
        destination TEXT NOT NULL,
        reference INTEGER NOT NULL,
        total INTEGER NOT NULL,
        message INTEGER NOT NULL,
        number INTEGER NOT NULL,
        alphabet TEXT NOT NULL,
        octets TEXT NOT NULL,
        due_ms INTEGER NOT NULL,
        PRIMARY KEY (source, destination, reference, total, message, number)
    ) STRICT, WITHOUT ROWID",
    "CREATE INDEX inbound_part_due ON inbound_part (due_ms)",
];

/// What parts of a message have in common.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Common {
    /// The sender.
    pub source: String,
    /// The line.
    pub destination: String,
    reference: i64,
    total: i64,
}

impl Common {
    /// What a part at this place has in common with the others.
    pub fn of(source: String, destination: String, place: Concatenation) -> Common {
        Common {
            source,
            destination,
            reference: place.reference.into(),
            total: place.total.into(),
        }
    }

    fn params(&self) -> [Value; 4] {
        let texts = [&self.source, &self.destination].map(|text| text.as_str().into());
        let [source, destination] = texts;
        [source, destination, self.reference.into(), self.total.into()]
    }
}

/// A part of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Which one it is, from 1.
    number: i64,
    alphabet: Alphabet,
    octets: Vec<u8>,
}

impl Part {
    /// The part at this place.
    pub fn of(place: Concatenation, alphabet: Alphabet, octets: &[u8]) -> Part {
        Part {
            number: place.number.into(),
            alphabet,
            octets: octets.to_vec(),
        }
    }
}

/// A message, made of its parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Joined {
    /// The sender.
    pub source: String,
    /// The line.
    pub destination: String,
    /// The text, with a mark for each gap.
    pub text: String,
    /// When its first part came, ms since the Unix epoch.
    pub received_ms: i64,
}

/// A part that waits.
struct Waiting {
    message: i64,
    part: Part,
    due_ms: i64,
}

/// Stores a part, which `is_repeat` if it has come before. Returns the messages that do not wait any more. The caller has a
/// transaction.
pub fn store(
    sql: &impl Sql,
    now_ms: i64,
    common: &Common,
    part: Part,
    is_repeat: bool,
) -> Result<Vec<Joined>, PortError> {
    let waiting = read(sql, common)?;
    let stands = |waiting: &Waiting| waiting.message != REPEATS && waiting.part == part;
    if waiting.iter().any(stands) {
        return Ok(Vec::new());
    }
    if is_repeat {
        insert(sql, common, REPEATS, &part, now_ms.saturating_add(REPEAT_MS))?;
        return Ok(Vec::new());
    }
    let open: BTreeSet<i64> = waiting
        .iter()
        .map(|waiting| waiting.message)
        .filter(|it| *it != REPEATS)
        .collect();
    let newest = open.last().copied().unwrap_or(REPEATS);
    let message = message_for(&waiting, &open, &part);
    insert(
        sql,
        common,
        message.unwrap_or(newest.saturating_add(1)),
        &part,
        now_ms.saturating_add(WAIT_MS),
    )?;
    let Some(message) = message else {
        // A message has two parts at least, so this one is not whole.
        let oldest = open.first().filter(|_| open.len() >= MAX_ALIKE);
        return oldest
            .map_or(Ok(None), |oldest| join(sql, common, *oldest))
            .map(Vec::from_iter);
    };
    let count = waiting.iter().filter(|waiting| waiting.message == message).count();
    let is_whole = i64::try_from(count).is_ok_and(|count| count.saturating_add(1) >= common.total);
    Ok(if is_whole {
        Vec::from_iter(join(sql, common, message)?)
    } else {
        Vec::new()
    })
}

/// The newest message that lacks a part: one in the same alphabet, if there is one.
fn message_for(waiting: &[Waiting], open: &BTreeSet<i64>, part: &Part) -> Option<i64> {
    let has = |message: i64, is_so: &dyn Fn(&Part) -> bool| {
        waiting
            .iter()
            .any(|waiting| waiting.message == message && is_so(&waiting.part))
    };
    let lack_it = open
        .iter()
        .rev()
        .copied()
        .filter(|message| !has(*message, &|other| other.number == part.number));
    let lack_it: Vec<i64> = lack_it.collect();
    let is_alike = |message: &&i64| has(**message, &|other| other.alphabet == part.alphabet);
    lack_it.iter().find(is_alike).or(lack_it.first()).copied()
}

fn insert(sql: &impl Sql, common: &Common, message: i64, part: &Part, due_ms: i64) -> Result<(), PortError> {
    let [source, destination, reference, total] = common.params();
    sql.exec(
        "INSERT OR REPLACE INTO inbound_part \
         (source, destination, reference, total, message, number, alphabet, octets, due_ms) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        &[
            source,
            destination,
            reference,
            total,
            message.into(),
            part.number.into(),
            part.alphabet.as_str().into(),
            hex(&part.octets).into(),
            due_ms.into(),
        ],
    )
    .map(drop)
}

fn read(sql: &impl Sql, common: &Common) -> Result<Vec<Waiting>, PortError> {
    let rows = sql.exec(
        "SELECT message, number, alphabet, octets, due_ms FROM inbound_part \
         WHERE source = ?1 AND destination = ?2 AND reference = ?3 AND total = ?4 ORDER BY message, number",
        &common.params(),
    )?;
    let read = |row: &Row| {
        let mut row = row.reader();
        Ok(Waiting {
            message: row.read()?,
            part: Part {
                number: row.read()?,
                alphabet: Alphabet::named(&row.read::<String>()?).unwrap_or(Alphabet::Gsm7),
                octets: unhex(&row.read::<String>()?),
            },
            due_ms: row.read()?,
        })
    };
    rows.iter().map(read).collect()
}

/// Makes a message of the parts that are there. `None`: none is.
fn join(sql: &impl Sql, common: &Common, message: i64) -> Result<Option<Joined>, PortError> {
    let (own, others): (Vec<Waiting>, Vec<Waiting>) = read(sql, common)?
        .into_iter()
        .partition(|waiting| waiting.message == message);
    let Some(first_due_ms) = own.iter().map(|waiting| waiting.due_ms).min() else {
        return Ok(None);
    };
    forget(sql, common, message, None)?;
    let came_ms: Vec<i64> = own
        .iter()
        .map(|waiting| waiting.due_ms.saturating_sub(WAIT_MS))
        .collect();
    let mut parts: BTreeMap<i64, Part> = own.into_iter().map(|own| (own.part.number, own.part)).collect();
    let came_beside = |repeat: &Waiting| {
        let repeat_ms = repeat.due_ms.saturating_sub(REPEAT_MS);
        came_ms
            .iter()
            .any(|came_ms| came_ms.abs_diff(repeat_ms) <= TOGETHER_MS.unsigned_abs())
    };
    for repeat in others.into_iter().filter(|other| other.message == REPEATS) {
        if !parts.contains_key(&repeat.part.number) && came_beside(&repeat) {
            forget(sql, common, REPEATS, Some(repeat.part.number))?;
            parts.insert(repeat.part.number, repeat.part);
        }
    }
    Ok(Some(Joined {
        source: common.source.clone(),
        destination: common.destination.clone(),
        text: text(parts.into_values(), common.total),
        received_ms: first_due_ms.saturating_sub(WAIT_MS),
    }))
}

/// The text of parts in their order.
fn text(parts: impl Iterator<Item = Part>, total: i64) -> String {
    let mut joined = String::new();
    // Octets of neighbours are joined before they are read: a character may stand in two parts.
    let mut run: (Alphabet, Vec<u8>) = (Alphabet::Gsm7, Vec::new());
    let mut next = 1;
    for part in parts {
        if part.number != next || part.alphabet != run.0 {
            joined.push_str(&run.0.text(&run.1));
            run = (part.alphabet, Vec::new());
        }
        if part.number != next {
            joined.push_str(GAP);
        }
        run.1.extend(part.octets);
        next = part.number.saturating_add(1);
    }
    joined.push_str(&run.0.text(&run.1));
    if next <= total {
        joined.push_str(GAP);
    }
    joined
}

/// Forgets the parts of a message, or one of them.
fn forget(sql: &impl Sql, common: &Common, message: i64, number: Option<i64>) -> Result<(), PortError> {
    let [source, destination, reference, total] = common.params();
    sql.exec(
        "DELETE FROM inbound_part WHERE source = ?1 AND destination = ?2 AND reference = ?3 AND total = ?4 \
         AND message = ?5 AND number = coalesce(?6, number)",
        &[source, destination, reference, total, message.into(), number.into()],
    )
    .map(drop)
}

/// Hands the messages to `add` whose parts have waited too long or are too many, and forgets repeats that nobody lacked.
pub fn sweep<S: Sql>(sql: &S, now_ms: i64, add: impl Fn(Joined) -> Result<(), PortError>) -> Result<(), PortError> {
    let are_too_many = sql.number("SELECT count(*) FROM inbound_part", &[])?.unwrap_or(0) > MAX_PARTS;
    let latest_ms = if are_too_many { i64::MAX } else { now_ms };
    let rows = sql.exec(
        "SELECT source, destination, reference, total, message, number FROM inbound_part WHERE due_ms <= ?1 \
         ORDER BY due_ms LIMIT ?2",
        &[latest_ms.into(), A_GO.into()],
    )?;
    for row in &rows {
        let mut row = row.reader();
        let common = Common {
            source: row.read()?,
            destination: row.read()?,
            reference: row.read()?,
            total: row.read()?,
        };
        let (message, number) = (row.read::<i64>()?, row.read::<i64>()?);
        sql.transaction(|| {
            if message == REPEATS {
                return forget(sql, &common, REPEATS, Some(number));
            }
            join(sql, &common, message)?.map_or(Ok(()), &add)
        })?;
    }
    Ok(())
}

/// When something is due next.
pub fn next_due_ms(sql: &impl Sql) -> Result<Option<i64>, PortError> {
    sql.number("SELECT min(due_ms) FROM inbound_part", &[])
}

fn unhex(digits: &str) -> Vec<u8> {
    let pairs = digits
        .as_bytes()
        .chunks(2)
        .filter_map(|pair| std::str::from_utf8(pair).ok());
    pairs.filter_map(|pair| u8::from_str_radix(pair, 16).ok()).collect()
}
