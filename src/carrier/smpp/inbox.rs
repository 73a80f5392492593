//! Messages from phones: parts that wait for the others, and messages on their way to the account that they belong to.
//!
//! Both are stored before the carrier gets its answer. A message goes only when [`inbound::receive_all`] has it; a crash in
//! between hands it over once more, which changes nothing. Parts wait for five minutes; then what is there goes, with a mark
//! for each gap.

use serde_json::json;
use sha2::{Digest, Sha256};

use super::protocol::inbound::{piece, text};
use super::protocol::pdu::{Address, Deliver};
use super::seen::{self, Seen};
use crate::account::chunk::outcomes::backoff_ms;
use crate::auth::hex;
use crate::base::log;
use crate::base::ports::{Platform, PortError, Row, Sql};
use crate::carrier::inbound::{self, InboundSms, NotTaken};
use crate::carrier::journal::KEPT_MS;
use crate::durable::schema::{self, Step};
use crate::durable::to_json;

/// How long a part waits for the others, ms.
const PARTS_WAIT_MS: i64 = 5 * 60 * 1_000;
/// Parts that wait, at most. When there are more, the oldest message goes as it is.
const MAX_PARTS: i64 = 10_000;
/// Messages that wait for their account's object, at most. Beyond, the carrier is asked to come again.
const MAX_WAITING: i64 = 10_000;
/// Messages that are handed over in one go. An account gets all of its own in one call, in the order in which they came: a return
/// must not come before its opt-out.
const A_GO: i64 = 100;
/// What stands in the place of parts that did not come.
const GAP: &str = "[…]";

const STEPS: &[Step] = &[&[
    // A part of a long message. `octets` are hexadecimal digits.
    "CREATE TABLE inbound_part (
        source TEXT NOT NULL,
        destination TEXT NOT NULL,
        reference INTEGER NOT NULL,
        total INTEGER NOT NULL,
        number INTEGER NOT NULL,
        coding INTEGER NOT NULL,
        octets TEXT NOT NULL,
        at_ms INTEGER NOT NULL,
        PRIMARY KEY (source, destination, reference, total, number)
    ) STRICT, WITHOUT ROWID",
    "CREATE INDEX inbound_part_at ON inbound_part (at_ms)",
    "CREATE TABLE inbound_message (
        id INTEGER PRIMARY KEY,
        body TEXT NOT NULL,
        failures INTEGER NOT NULL,
        at_ms INTEGER NOT NULL,
        due_ms INTEGER NOT NULL
    ) STRICT",
    "CREATE INDEX inbound_message_due ON inbound_message (due_ms)",
]];

/// Brings the schema up to date.
pub fn open(sql: &impl Sql) -> Result<(), PortError> {
    schema::migrate(sql, "smpp inbox", STEPS)
}

/// The parts of a message have these in common: sender, line, reference and number of parts.
type PartsKey = (String, String, i64, i64);

/// Stores a message or a part of one, unless another session has. `false`: there is no room for more.
pub fn store(sql: &impl Sql, now_ms: i64, deliver: &Deliver, seen: &mut Seen) -> Result<bool, PortError> {
    let digest = seen::digest(deliver);
    if seen.takes(&digest) {
        return Ok(true);
    }
    let count = sql.number(
        "SELECT count(*) FROM (SELECT 1 FROM inbound_message LIMIT ?1)",
        &[MAX_WAITING.into()],
    )?;
    if count >= Some(MAX_WAITING) {
        return Ok(false);
    }
    sql.transaction(|| {
        seen::note(sql, now_ms, digest)?;
        store_new(sql, now_ms, deliver)
    })
    .map(|()| true)
}

fn store_new(sql: &impl Sql, now_ms: i64, deliver: &Deliver) -> Result<(), PortError> {
    let piece = piece(deliver);
    let (from, to) = (number(&deliver.source), deliver.destination.number.clone());
    let Some(place) = piece.place else {
        let sms = InboundSms {
            carrier: String::new(),
            text: text(deliver.data_coding, piece.octets),
            to,
            from,
            carrier_id: None,
            received_ms: now_ms,
            left: Vec::new(),
        };
        return add(sql, now_ms, &sms);
    };
    let key = (from, to, i64::from(place.reference), i64::from(place.total));
    sql.exec(
        "INSERT OR IGNORE INTO inbound_part (source, destination, reference, total, number, coding, octets, at_ms) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        &[
            key.0.as_str().into(),
            key.1.as_str().into(),
            key.2.into(),
            key.3.into(),
            i64::from(place.number).into(),
            i64::from(deliver.data_coding).into(),
            hex(piece.octets).into(),
            now_ms.into(),
        ],
    )?;
    complete(sql, now_ms, &key, false)
}

/// The shortest number with a country code.
const SHORTEST_INTERNATIONAL: usize = 7;

/// The number of a sender. One with the type of a country's own number is taken as it is, and so is a short number, which some
/// carriers send as an international one.
fn number(address: &Address) -> String {
    match (address.ton, address.number.starts_with('+')) {
        (1, false) if address.number.len() >= SHORTEST_INTERNATIONAL => format!("+{}", address.number),
        _ => address.number.clone(),
    }
}

fn add(sql: &impl Sql, now_ms: i64, sms: &InboundSms) -> Result<(), PortError> {
    sql.exec(
        "INSERT INTO inbound_message (body, failures, at_ms, due_ms) VALUES (?1, 0, ?2, ?2)",
        &[to_json(sms)?.into(), now_ms.into()],
    )
    .map(drop)
}

/// Makes a message of its parts when all are there, or `anyway`. The caller has a transaction.
fn complete(sql: &impl Sql, now_ms: i64, key: &PartsKey, anyway: bool) -> Result<(), PortError> {
    let params = [key.0.as_str().into(), key.1.as_str().into(), key.2.into(), key.3.into()];
    let rows = sql.exec(
        "SELECT number, coding, octets, at_ms FROM inbound_part \
         WHERE source = ?1 AND destination = ?2 AND reference = ?3 AND total = ?4 ORDER BY number",
        &params,
    )?;
    let is_complete = i64::try_from(rows.len()).is_ok_and(|count| count >= key.3);
    if rows.is_empty() || !(is_complete || anyway) {
        return Ok(());
    }
    let mut joined = String::new();
    // Octets of neighbours are joined before they are read: a character may stand in two parts.
    let mut run: (u8, Vec<u8>) = (0, Vec::new());
    let (mut next, mut first_ms) = (1, now_ms);
    for row in &rows {
        let (number, coding) = (row.int(0)?, u8::try_from(row.int(1)?).unwrap_or_default());
        if number != next || coding != run.0 {
            joined.push_str(&text(run.0, &run.1));
            run = (coding, Vec::new());
        }
        if number != next {
            joined.push_str(GAP);
        }
        run.1.extend(unhex(&row.text(2)?));
        first_ms = first_ms.min(row.int(3)?);
        next = number + 1;
    }
    joined.push_str(&text(run.0, &run.1));
    if next <= key.3 {
        joined.push_str(GAP);
    }
    let sms = InboundSms {
        carrier: String::new(),
        to: key.1.clone(),
        from: key.0.clone(),
        text: joined,
        carrier_id: None,
        received_ms: first_ms,
        left: Vec::new(),
    };
    sql.exec(
        "DELETE FROM inbound_part WHERE source = ?1 AND destination = ?2 AND reference = ?3 AND total = ?4",
        &params,
    )?;
    add(sql, now_ms, &sms)
}

/// Makes messages of parts that have waited too long, or that are too many, and forgets what came long ago.
pub fn sweep(sql: &impl Sql, now_ms: i64) -> Result<(), PortError> {
    seen::sweep(sql, now_ms)?;
    let too_many = sql.number("SELECT count(*) FROM inbound_part", &[])?.unwrap_or(0) > MAX_PARTS;
    let latest_ms = if too_many {
        now_ms
    } else {
        now_ms.saturating_sub(PARTS_WAIT_MS)
    };
    let rows = sql.exec(
        "SELECT source, destination, reference, total FROM inbound_part WHERE at_ms <= ?1 ORDER BY at_ms LIMIT ?2",
        &[latest_ms.into(), A_GO.into()],
    )?;
    for row in &rows {
        let key = (row.text(0)?, row.text(1)?, row.int(2)?, row.int(3)?);
        sql.transaction(|| complete(sql, now_ms, &key, true))?;
    }
    Ok(())
}

/// When something is due next.
pub fn next_due_ms(sql: &impl Sql) -> Result<Option<i64>, PortError> {
    sql.number(
        "SELECT min(due_ms) FROM (SELECT min(at_ms) + ?1 AS due_ms FROM inbound_part \
           UNION ALL SELECT min(due_ms) FROM inbound_message)",
        &[PARTS_WAIT_MS.into()],
    )
}

/// A message that waits for its account's object.
struct Waiting {
    id: i64,
    body: String,
    sms: InboundSms,
    failures: u32,
    at_ms: i64,
}

/// Hands over the messages that are due.
pub async fn hand_over(platform: &impl Platform, sql: &impl Sql, carrier: &str) -> Result<(), PortError> {
    let now_ms = platform.now_ms();
    sweep(sql, now_ms)?;
    let all = due(sql, now_ms)?;
    let messages = all.iter().map(|waiting| named(waiting, carrier)).collect();
    let taken = inbound::receive_all(platform, messages).await;
    for (waiting, taken) in all.into_iter().zip(taken) {
        match taken {
            Ok(()) => forget(sql, waiting.id, &waiting.body)?,
            Err(not_taken) => fail(platform, sql, waiting, not_taken)?,
        }
    }
    Ok(())
}

/// The messages that are due, in the order in which they came.
fn due(sql: &impl Sql, now_ms: i64) -> Result<Vec<Waiting>, PortError> {
    let rows = sql.exec(
        "SELECT id, body, failures, at_ms FROM inbound_message WHERE due_ms <= ?1 ORDER BY due_ms, id LIMIT ?2",
        &[now_ms.into(), A_GO.into()],
    )?;
    let read = |row: &Row| {
        let body = row.text(1)?;
        Ok(Waiting {
            id: row.int(0)?,
            sms: serde_json::from_str(&body).map_err(|error| PortError::json("inbound", &error))?,
            body,
            failures: row.u32(2)?,
            at_ms: row.int(3)?,
        })
    };
    rows.iter().map(read).collect()
}

/// A message with its carrier and an id.
fn named(waiting: &Waiting, carrier: &str) -> InboundSms {
    let own_id = waiting.sms.carrier_id.clone();
    InboundSms {
        carrier: carrier.to_owned(),
        carrier_id: own_id.or_else(|| Some(name(waiting.id, &waiting.sms))),
        ..waiting.sms.clone()
    }
}

/// Forgets a message. Two calls may hand the same one over at the same time. Then the first to come back has forgotten it,
/// and its number may be that of a newer message.
fn forget(sql: &impl Sql, id: i64, body: &str) -> Result<(), PortError> {
    sql.exec(
        "DELETE FROM inbound_message WHERE id = ?1 AND body = ?2",
        &[id.into(), body.into()],
    )
    .map(drop)
}

/// A name of a message that stays the same however often it is handed over. The protocol has no id of its own.
fn name(id: i64, sms: &InboundSms) -> String {
    let mut hash = Sha256::new();
    for part in [&sms.from, &sms.to, &sms.text] {
        hash.update(part.as_bytes());
        hash.update([0]);
    }
    let hash = hash.finalize();
    format!("{}-{id}-{}", sms.received_ms, hex(hash.get(..8).unwrap_or_default()))
}

/// Lets a message wait that was not taken, longer with each failure, and notes which accounts are left.
fn fail(platform: &impl Platform, sql: &impl Sql, waiting: Waiting, not_taken: NotTaken) -> Result<(), PortError> {
    let now_ms = platform.now_ms();
    let gives_up = waiting.at_ms <= now_ms.saturating_sub(KEPT_MS);
    let what = if gives_up {
        "a message from a phone is given up"
    } else {
        "a message from a phone did not arrive"
    };
    let cause = not_taken.error.to_string();
    log::error(platform, "inbound", json!({"what": what, "cause": cause}));
    if gives_up {
        return forget(sql, waiting.id, &waiting.body);
    }
    let failures = waiting.failures.saturating_add(1);
    let sms = InboundSms {
        left: not_taken.left,
        ..waiting.sms
    };
    sql.exec(
        "UPDATE inbound_message SET failures = ?2, due_ms = ?3, body = ?4 WHERE id = ?1 AND body = ?5",
        &[
            waiting.id.into(),
            failures.into(),
            now_ms.saturating_add(backoff_ms(failures)).into(),
            to_json(&sms)?.into(),
            waiting.body.into(),
        ],
    )
    .map(drop)
}

fn unhex(digits: &str) -> Vec<u8> {
    let pairs = digits
        .as_bytes()
        .chunks(2)
        .filter_map(|pair| std::str::from_utf8(pair).ok());
    pairs.filter_map(|pair| u8::from_str_radix(pair, 16).ok()).collect()
}
