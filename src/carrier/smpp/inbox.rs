//! Messages from phones on their way to the account that they belong to. Those of several parts wait in [`parts`] before.
//!
//! All are stored before the carrier gets its answer. A message goes only when [`inbound::receive_all`] has it; a crash in
//! between hands it over once more, which changes nothing.

use serde_json::json;
use sha2::{Digest, Sha256};
use smpp::alphabet::{Alphabet, DefaultAlphabet};
use smpp::inbound::piece;
use smpp::pdu::{Address, Deliver};

use super::parts::{self, Common, Joined, Part};
use super::seen::{self, Seen};
use crate::account::chunk::outcomes::backoff_ms;
use crate::auth::hex;
use crate::base::log;
use crate::base::ports::{Platform, PortError, Row, Sql};
use crate::carrier::inbound::{self, InboundSms, NotTaken};
use crate::carrier::journal::KEPT_MS;
use crate::durable::schema::Step;
use crate::durable::to_json;

/// Messages that wait for their account's object, at most. Beyond, the carrier is asked to come again.
const MAX_WAITING: i64 = 10_000;
/// Messages that are handed over in one go. An account gets all of its own in one call, in the order in which they came: a return
/// must not come before its opt-out.
const A_GO: i64 = 100;

/// The tables.
pub const TABLES: Step = &[
    "CREATE TABLE inbound_message (
        id INTEGER PRIMARY KEY,
        body TEXT NOT NULL,
        failures INTEGER NOT NULL,
        at_ms INTEGER NOT NULL,
        due_ms INTEGER NOT NULL
    ) STRICT",
    "CREATE INDEX inbound_message_due ON inbound_message (due_ms)",
];

/// Stores a message or a part of one, unless another session has. What names no alphabet is in the default one. `false`: there is
/// no room for more.
pub fn store(
    sql: &impl Sql,
    now_ms: i64,
    deliver: &Deliver,
    default: DefaultAlphabet,
    seen: &mut Seen,
) -> Result<bool, PortError> {
    let (alphabet, piece) = (Alphabet::of(deliver.data_coding, default), piece(deliver));
    let (source, destination) = (number(&deliver.source), deliver.destination.number.clone());
    let Some(place) = piece.place else {
        let sms = Joined {
            text: alphabet.text(piece.octets),
            source,
            destination,
            received_ms: now_ms,
        };
        let digest = seen::digest(deliver);
        return if seen.takes(&digest) {
            Ok(true)
        } else {
            note(sql, now_ms, digest, || add(sql, now_ms, sms))
        };
    };
    let digest = seen::digest_of_part(&source, &destination, place, deliver.data_coding, piece.octets);
    let is_repeat = seen::knows_part(sql, now_ms, &digest)?;
    let common = Common::of(source, destination, place);
    let part = Part::of(place, alphabet, piece.octets);
    note(sql, now_ms, digest, || {
        let mut joined = parts::store(sql, now_ms, &common, part, is_repeat)?.into_iter();
        joined.try_for_each(|sms| add(sql, now_ms, sms))
    })
}

/// Notes what has come and stores it, both or none. `false`: there is no room for more.
fn note(
    sql: &impl Sql,
    now_ms: i64,
    digest: String,
    store: impl FnOnce() -> Result<(), PortError>,
) -> Result<bool, PortError> {
    let count = sql.number(
        "SELECT count(*) FROM (SELECT 1 FROM inbound_message LIMIT ?1)",
        &[MAX_WAITING.into()],
    )?;
    if count >= Some(MAX_WAITING) {
        return Ok(false);
    }
    sql.transaction(|| {
        seen::note(sql, now_ms, digest)?;
        store()
    })
    .map(|()| true)
}

/// The shortest number with a country code.
const SHORTEST_INTERNATIONAL: usize = 7;

/// The number of a sender. One with the type of a country's own number is taken as it is. So is a short number, and one of Iran
/// without its country code: some carriers send each as an international one.
fn number(address: &Address) -> String {
    let number = &address.number;
    let is_bare = address.ton == 1 && !number.starts_with('+');
    if is_bare && number.len() >= SHORTEST_INTERNATIONAL && !is_national(number) {
        format!("+{number}")
    } else {
        number.clone()
    }
}

/// Whether digits begin with a zero, which no country code does, or are a mobile number of Iran without its zero. The
/// countries whose codes begin with 90 to 94 and 99 have longer numbers than these ten digits.
fn is_national(number: &str) -> bool {
    match number.as_bytes() {
        [b'0', ..] => true,
        [b'9', b'0'..=b'4' | b'9', rest @ ..] => rest.len() == 8,
        _ => false,
    }
}

fn add(sql: &impl Sql, now_ms: i64, joined: Joined) -> Result<(), PortError> {
    let sms = InboundSms {
        carrier: String::new(),
        to: joined.destination,
        from: joined.source,
        text: joined.text,
        carrier_id: None,
        received_ms: joined.received_ms,
        left: Vec::new(),
    };
    sql.exec(
        "INSERT INTO inbound_message (body, failures, at_ms, due_ms) VALUES (?1, 0, ?2, ?2)",
        &[to_json(&sms)?.into(), now_ms.into()],
    )
    .map(drop)
}

/// Makes messages of parts that have waited too long, or that are too many, and forgets what came long ago.
pub fn sweep(sql: &impl Sql, now_ms: i64) -> Result<(), PortError> {
    seen::sweep(sql, now_ms)?;
    parts::sweep(sql, now_ms, |joined| add(sql, now_ms, joined))
}

/// When something is due next.
pub fn next_due_ms(sql: &impl Sql) -> Result<Option<i64>, PortError> {
    let message_ms = sql.number("SELECT min(due_ms) FROM inbound_message", &[])?;
    Ok(message_ms.into_iter().chain(parts::next_due_ms(sql)?).min())
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
