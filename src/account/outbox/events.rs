//! The outbox of events: what the account's webhooks are to tell.
//!
//! An event is written in the transaction that makes it true, and only if an endpoint of the account asks for its type. So an
//! account without endpoints pays nothing. A chore hands the events to the account's webhook object, and forgets them only
//! when they are safe there.
//!
//! The invariant: no event is lost, and each has one id. The moves of one message gather for a second, and make one event for
//! each hundred recipients. What one call carries is therefore noted before the call ([`next_batch`]): after a crash the same
//! rows make the same events with the same ids, whatever was added meanwhile, and the webhook object recognises them.
//! *A crash before the note* costs nothing, *one after it* repeats the call.
//!
//! Ids sort as the rows do. Of one message, all rows that wait go together, and the events that a carrier has taken recipients
//! come before those of how they ended: so the id of a recipient's take is always below that of its ending.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use sms::mask;

use crate::account::record::event_type::EventType;
use crate::account::record::message::delivery_error::DeliveryError;
use crate::account::record::message::status::RecipientStatus;
use crate::account::record::subscriptions::Subscriptions;
use crate::account::request::{ReplyResult, Request, Wakes};
use crate::account::unit_of_work::UnitOfWork;
use crate::base::ports::{PortError, Sql};
use crate::base::time;
use crate::durable::to_json;

/// How long the moves of one message gather, ms.
pub(in crate::account) const GATHER_MS: i64 = 1_000;
/// The most recipients of one event.
pub const MAX_RECIPIENTS: usize = 100;
/// How long an event waits for a webhook object that does not take it, ms.
const KEPT_MS: i64 = 7 * 24 * 60 * 60 * 1_000;
/// Rows of the outbox that one call looks at.
const ROWS_A_CALL: i64 = 500;
/// What the row of a status callback has in the place of the type.
pub(super) const CALLBACK: &str = "callback";
/// The member of recipients that nobody gets, and of events that tell of such.
const SIMULATED: &str = "simulated";
/// Bytes of rows that one call carries, about: the first row goes whatever its size.
const BYTES_A_CALL: i64 = 500_000;

/// Notes what the endpoints of the account ask for. The webhook object tells it after each change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoteWebhooks {
    /// Grows with each change: an older one that comes late changes nothing.
    pub version: i64,
    /// The types of events that active endpoints ask for. A type that this version does not know is left out.
    pub types: Vec<String>,
    /// Those that active test endpoints ask for.
    #[serde(default)]
    pub test_types: Vec<String>,
    /// The balances below which `wallet.low` is to be told.
    pub low_balances: Vec<i64>,
}

impl Request for NoteWebhooks {
    const NAME: &'static str = "NoteWebhooks";
    const WAKES: Wakes = Wakes::In(0);
    type Reply = ();

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<()> {
        let bits = |names: &[String]| {
            let known = names.iter().filter_map(|name| EventType::selectable(name));
            known.fold(0, |types, kind| types | kind.bit())
        };
        let noted = sql.exec(
            "INSERT INTO webhook (one, version, types, test_types) VALUES (1, ?1, ?2, ?3) \
             ON CONFLICT DO UPDATE SET version = excluded.version, types = excluded.types, test_types = excluded.test_types \
             WHERE excluded.version > webhook.version RETURNING 1",
            &[self.version.into(), bits(&self.types).into(), bits(&self.test_types).into()],
        )?;
        if noted.is_empty() {
            return Ok(());
        }
        let thresholds = to_json(&self.low_balances)?;
        sql.exec(
            "DELETE FROM low_balance WHERE threshold NOT IN (SELECT value FROM json_each(?1))",
            &[thresholds.as_str().into()],
        )?;
        sql.exec(
            "INSERT OR IGNORE INTO low_balance (threshold, told) SELECT value, 0 FROM json_each(?1)",
            &[thresholds.into()],
        )?;
        work.account.subscriptions = Subscriptions::read(sql)?;
        note_balance(sql, work)?;
        Ok(())
    }
}

/// The highest `seq` that was ever given. A counter that SQLite keeps would be a row to write for each event.
macro_rules! last_seq {
    () => {
        "(SELECT max(last_seq, coalesce((SELECT max(seq) FROM event), 0)) FROM webhook)"
    };
}
pub(super) use last_seq;

/// Recipients, their indexes and numbers, by message and by the carrier that they have with the move; its name is empty for none.
pub type Recipients = BTreeMap<(i64, String), Vec<(u32, u64)>>;

/// Recipients, the status that they are about to move to, and why.
pub type Move<'a> = (&'a Recipients, RecipientStatus, Option<DeliveryError>);

/// The type of the event that tells of a status.
fn type_of(status: RecipientStatus) -> Option<EventType> {
    match status {
        RecipientStatus::Submitted => Some(EventType::MessageSubmitted),
        status if status.is_resting() => Some(EventType::MessageStatus),
        _ => None,
    }
}

/// Notes that recipients are about to move to statuses, for these reasons, in this order.
pub fn note_moves(sql: &impl Sql, work: &UnitOfWork, moves: &[Move<'_>]) -> Result<(), PortError> {
    let mut rows = Vec::new();
    let asked = work.account.subscriptions;
    for (moving, to, error) in moves {
        let is_asked = |kind: &EventType| asked.has(*kind) || asked.has_for_tests(*kind);
        let Some(kind) = type_of(*to).filter(is_asked) else {
            continue;
        };
        let error = error.map(DeliveryError::as_str);
        let modes = [asked.has(kind), asked.has_for_tests(kind)].map(i64::from);
        let of_message = |((message, carrier), recipients): (&(i64, String), _)| {
            let carrier = Some(carrier.clone()).filter(|carrier| !carrier.is_empty());
            (*message, recipients, kind.as_str(), to.as_str(), error, modes, carrier)
        };
        rows.extend(moving.iter().map(of_message));
    }
    if rows.is_empty() {
        return Ok(());
    }
    sql.exec(
        concat!(
            "INSERT INTO event (seq, at_ms, due_ms, type, message, body) \
             SELECT ",
            last_seq!(),
            " + row_number() OVER (), ?2, ?3, type, uid, body FROM ( \
             SELECT p.value ->> 2 AS type, m.uid, json_object('clientRef', m.client_ref, 'test', m.test, \
                'status', p.value ->> 3, 'error', p.value ->> 4, 'carrier', p.value ->> 6, 'recipients', p.value -> 1) AS body \
             FROM json_each(?1) p CROSS JOIN message m ON m.id = p.value ->> 0 \
             WHERE p.value -> 5 ->> m.test = 1)"
        ),
        &[
            to_json(&rows)?.into(),
            work.now_ms.into(),
            work.now_ms.saturating_add(GATHER_MS).into(),
        ],
    )
    .map(drop)
}

/// A message that came from a phone, in the form of the API.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Received<'a> {
    /// Its id.
    pub id: &'a str,
    /// The line that it was sent to.
    pub line: &'a str,
    /// The sender, as the API shows it.
    pub from: &'a str,
    /// Its text.
    pub text: &'a str,
    /// When it came, ms since the Unix epoch.
    pub received_ms: i64,
    /// Whether it put its sender on the blacklist.
    pub opt_out: bool,
}

/// Notes that a message came from a phone. The event is due at once: the request's `wake` is to say so.
pub fn received(sql: &impl Sql, work: &UnitOfWork, message: &Received<'_>) -> Result<(), PortError> {
    if !work.account.subscriptions.has(EventType::MessageReceived) {
        return Ok(());
    }
    let data = json!({
        "id": message.id,
        "line": message.line,
        "from": message.from,
        "text": message.text,
        "receivedAt": time::to_rfc3339(message.received_ms),
        "optOut": message.opt_out,
    });
    insert(sql, work.now_ms, EventType::MessageReceived, &data)
}

/// Notes that a verification has ended, in the form of the API. Only endpoints of its mode hear of it.
pub fn verified(sql: &impl Sql, work: &UnitOfWork, is_test: bool, data: &Value) -> Result<(), PortError> {
    insert_if_asked(sql, work, is_test, EventType::VerifyStatus, data)
}

/// Notes what became of a campaign, in the form of the API. Only endpoints of its mode hear of it.
pub fn of_campaign(
    sql: &impl Sql,
    work: &mut UnitOfWork,
    is_test: bool,
    kind: EventType,
    data: &Value,
) -> Result<(), PortError> {
    work.has_told = true;
    insert_if_asked(sql, work, is_test, kind, data)
}

/// Notes what an operator has decided of a pattern, in the form of the API.
pub fn reviewed(sql: &impl Sql, work: &mut UnitOfWork, data: &Value) -> Result<(), PortError> {
    work.has_told = true;
    insert_if_asked(sql, work, false, EventType::PatternReviewed, data)
}

fn insert_if_asked(
    sql: &impl Sql,
    work: &UnitOfWork,
    is_test: bool,
    kind: EventType,
    data: &Value,
) -> Result<(), PortError> {
    let asked = work.account.subscriptions;
    let is_asked = if is_test {
        asked.has_for_tests(kind)
    } else {
        asked.has(kind)
    };
    if !is_asked {
        return Ok(());
    }
    insert(sql, work.now_ms, kind, data)
}

/// Notes that the guard pauses numbers that begin alike, in the form of the API.
pub fn paused(sql: &impl Sql, work: &UnitOfWork, data: &Value) -> Result<(), PortError> {
    if !work.account.subscriptions.has(EventType::VerifyPaused) {
        return Ok(());
    }
    insert(sql, work.now_ms, EventType::VerifyPaused, data)
}

fn insert(sql: &impl Sql, now_ms: i64, kind: EventType, data: &Value) -> Result<(), PortError> {
    sql.exec(
        concat!(
            "INSERT INTO event (seq, at_ms, due_ms, type, message, body) SELECT ",
            last_seq!(),
            " + 1, ?1, ?1, ?2, NULL, ?3"
        ),
        &[now_ms.into(), kind.as_str().into(), to_json(data)?.into()],
    )
    .map(drop)
}

/// Notes that the wallet has changed. A threshold is told once, and again only after the balance was at it or above it.
pub fn note_balance(sql: &impl Sql, work: &mut UnitOfWork) -> Result<(), PortError> {
    let available = work.account.wallet.available;
    if !work.account.subscriptions.is_crossed_by(available) {
        return Ok(());
    }
    sql.exec(
        "UPDATE low_balance SET told = 0 WHERE told = 1 AND threshold <= ?1",
        &[available.into()],
    )?;
    let told = sql.exec(
        "UPDATE low_balance SET told = 1 WHERE told = 0 AND threshold > ?1 RETURNING threshold",
        &[available.into()],
    )?;
    for row in &told {
        let data = json!({"availableBalance": available, "threshold": row.int(0)?});
        insert(sql, work.now_ms, EventType::WalletLow, &data)?;
    }
    work.account.subscriptions = Subscriptions::read(sql)?;
    Ok(())
}

/// An event on its way to the account's webhook object.
#[derive(Debug, Serialize, Deserialize)]
pub struct NewEvent {
    /// Its id, for ever.
    pub id: String,
    /// The name of its type.
    #[serde(rename = "type")]
    pub kind: String,
    /// When it became true, ms since the Unix epoch.
    pub made_ms: i64,
    /// What it tells, in the form of the API.
    pub data: Box<RawValue>,
    /// Only for endpoints with this threshold.
    pub low_balance: Option<i64>,
    /// Whether it is for test endpoints, and for no others.
    #[serde(default)]
    pub test: bool,
}

/// What one call carries.
#[derive(Debug)]
pub struct Batch {
    /// The rows that its events are made of, a JSON list.
    pub rows: String,
    pub(super) noted: Vec<Noted>,
}

/// A row of the outbox.
#[derive(Debug)]
pub(super) struct Noted {
    seq: i64,
    at_ms: i64,
    pub(super) kind: String,
    pub(super) message: Option<String>,
    pub(super) body: String,
}

/// What a row about recipients has in its body.
#[derive(Deserialize)]
struct Moved {
    #[serde(rename = "clientRef")]
    client_ref: Option<String>,
    test: i64,
    status: String,
    error: Option<String>,
    /// The carrier that has them. An older version does not say it.
    #[serde(default)]
    carrier: Option<String>,
    recipients: Vec<(u32, u64)>,
}

/// What the next call carries, as far as any events are due. Until [`forget`] it gives the same again.
pub fn next_batch(sql: &impl Sql, now_ms: i64) -> Result<Option<Batch>, PortError> {
    let rows = match handing(sql)? {
        Some(rows) => rows,
        None => match choose(sql, now_ms)? {
            Some(rows) => rows,
            None => return Ok(None),
        },
    };
    let noted = read(sql, &rows)?;
    Ok(Some(Batch { rows, noted }))
}

/// Whether an event that was due then still waits.
pub fn waits_since(sql: &impl Sql, due_ms: i64) -> Result<bool, PortError> {
    let oldest_ms = sql.number("SELECT due_ms FROM event ORDER BY seq LIMIT 1", &[])?;
    Ok(oldest_ms.is_some_and(|oldest_ms| oldest_ms <= due_ms))
}

/// The rows that a call may have carried.
fn handing(sql: &impl Sql) -> Result<Option<String>, PortError> {
    let rows = sql.exec("SELECT handing FROM webhook", &[])?;
    Ok(rows.first().map(|row| row.opt_text(0)).transpose()?.flatten())
}

/// Chooses rows that are due, with all others of the same messages, and notes them.
fn choose(sql: &impl Sql, now_ms: i64) -> Result<Option<String>, PortError> {
    let rows = sql.exec(
        "SELECT seq, due_ms, message, length(body) FROM event ORDER BY seq LIMIT ?1",
        &[ROWS_A_CALL.into()],
    )?;
    let (mut chosen, mut bytes) = (Vec::new(), 0_i64);
    let mut messages: BTreeMap<String, bool> = BTreeMap::new();
    for row in &rows {
        let is_due = row.int(1)? <= now_ms;
        let goes = match row.opt_text(2)? {
            Some(message) => *messages.entry(message).or_insert(is_due),
            None => is_due,
        };
        bytes = bytes.saturating_add(row.int(3)?);
        if bytes > BYTES_A_CALL && !chosen.is_empty() {
            break;
        }
        if goes {
            chosen.push(row.int(0)?);
        }
    }
    if chosen.is_empty() {
        return Ok(None);
    }
    let chosen = to_json(&chosen)?;
    sql.exec("UPDATE webhook SET handing = ?1", &[chosen.as_str().into()])?;
    Ok(Some(chosen))
}

fn read(sql: &impl Sql, rows: &str) -> Result<Vec<Noted>, PortError> {
    let rows = sql.exec(
        "SELECT e.seq, e.at_ms, e.type, e.message, e.body FROM json_each(?1) p CROSS JOIN event e ON e.seq = p.value",
        &[rows.into()],
    )?;
    let noted = rows.iter().map(|row| {
        let mut row = row.reader();
        Ok(Noted {
            seq: row.read()?,
            at_ms: row.read()?,
            kind: row.read()?,
            message: row.read()?,
            body: row.read()?,
        })
    });
    noted.collect()
}

impl Batch {
    /// Makes the events of this account: the same rows make the same events. What one of the `sandboxes` has reached nobody, and
    /// says so.
    pub fn events(&self, account: &str, sandboxes: &[String]) -> Result<Vec<NewEvent>, PortError> {
        let mut events = Vec::new();
        let mut places: BTreeMap<&str, usize> = BTreeMap::new();
        let mut messages: Vec<Vec<&Noted>> = Vec::new();
        for row in self.noted.iter().filter(|row| row.kind != CALLBACK) {
            let Some(message) = &row.message else {
                events.push(single(account, row)?);
                continue;
            };
            let at = *places.entry(message).or_insert(messages.len());
            match messages.get_mut(at) {
                Some(rows) => rows.push(row),
                None => messages.push(vec![row]),
            }
        }
        for rows in &messages {
            of_message(account, rows, sandboxes, &mut events)?;
        }
        Ok(events)
    }

    /// Whether the events tell of messages, some of which may have gone to a carrier.
    pub fn is_about_messages(&self) -> bool {
        let is_about_message = |row: &Noted| row.message.is_some() && row.kind != CALLBACK;
        self.noted.iter().any(is_about_message)
    }
}

fn single(account: &str, row: &Noted) -> Result<NewEvent, PortError> {
    let data: Box<RawValue> = serde_json::from_str(&row.body).map_err(|error| PortError::json("event", &error))?;
    let is_read = EventType::parse(&row.kind).is_some_and(|kind| kind.is_for_tests() || kind == EventType::WalletLow);
    let told: Option<Value> = is_read.then(|| serde_json::from_str(data.get()).ok()).flatten();
    let member = |name| told.as_ref().and_then(|told| told.get(name));
    Ok(NewEvent {
        id: id(account, row, 0),
        kind: row.kind.clone(),
        made_ms: row.at_ms,
        low_balance: member("threshold").and_then(Value::as_i64),
        test: member("test").and_then(Value::as_bool).unwrap_or(false),
        data,
    })
}

/// The events of one message: first those of what carriers have taken, then those of what became of it.
fn of_message(
    account: &str,
    rows: &[&Noted],
    sandboxes: &[String],
    events: &mut Vec<NewEvent>,
) -> Result<(), PortError> {
    let is_take = |row: &&Noted| row.kind == EventType::MessageSubmitted.as_str();
    let (takes, endings): (Vec<&Noted>, Vec<&Noted>) = rows.iter().copied().partition(is_take);
    let Some(first) = rows.first() else {
        return Ok(());
    };
    let before = events.len();
    for rows in [takes, endings] {
        let made_ms = rows.first().map_or(first.at_ms, |row| row.at_ms);
        for (kind, data, test) in of_kind(&rows, sandboxes)? {
            events.push(NewEvent {
                id: id(account, first, events.len().saturating_sub(before)),
                kind,
                made_ms,
                data,
                low_balance: None,
                test,
            });
        }
    }
    Ok(())
}

/// Adds a member to an object.
fn add(object: &mut Value, name: &str, value: Value) {
    if let Value::Object(members) = object {
        members.insert(name.to_owned(), value);
    }
}

/// What events of one message and one type tell, and whether it is a test message: one for each hundred recipients.
fn of_kind(rows: &[&Noted], sandboxes: &[String]) -> Result<Vec<(String, Box<RawValue>, bool)>, PortError> {
    let (mut recipients, mut client_ref, mut is_test) = (Vec::new(), None, false);
    for row in rows {
        let moved: Moved = serde_json::from_str(&row.body).map_err(|error| PortError::json("event", &error))?;
        let is_simulated = moved.carrier.is_some_and(|carrier| sandboxes.contains(&carrier));
        let (uid, changed_at) = (row.message.as_deref().unwrap_or_default(), time::to_rfc3339(row.at_ms));
        for (index, msisdn) in &moved.recipients {
            let mut recipient = json!({
                "uid": format!("{uid}.{index}"),
                "recipient": mask::shown(*msisdn),
                "status": moved.status,
                "changedAt": changed_at,
            });
            if let Some(error) = &moved.error {
                add(&mut recipient, "error", error.as_str().into());
            }
            if is_simulated {
                add(&mut recipient, SIMULATED, true.into());
            }
            recipients.push(recipient);
        }
        (client_ref, is_test) = (moved.client_ref, moved.test != 0);
    }
    let Some(first) = rows.first() else {
        return Ok(Vec::new());
    };
    let told = recipients.chunks(MAX_RECIPIENTS).map(|recipients| {
        let mut data = json!({
            "uid": first.message,
            "clientRef": client_ref,
            "test": is_test,
            "recipients": recipients,
        });
        if recipients.iter().any(|recipient| recipient.get(SIMULATED).is_some()) {
            add(&mut data, SIMULATED, true.into());
        }
        let data = to_raw_value(&data).map_err(|error| PortError::json("event", &error))?;
        Ok((first.kind.clone(), data, is_test))
    });
    told.collect()
}

/// The id of an event: when it was made, its row and its place among those that the row begins, by which ids sort; then a digest
/// that no other account has.
pub(super) fn id(account: &str, row: &Noted, place: usize) -> String {
    let digest = Sha256::digest(format!("{account}/{}/{place}", row.seq));
    let [.., s0, s1, s2, s3] = row.seq.to_be_bytes();
    let [.., p0, p1] = place.to_be_bytes();
    let unique = [s0, s1, s2, s3, p0, p1].into_iter().chain(digest);
    id_of(row.at_ms, &unique.collect::<Vec<u8>>())
}

/// An id of an event that was made at this time. `unique` is what no other event has: 10 bytes or more.
pub fn id_of(made_ms: i64, unique: &[u8]) -> String {
    let mut id = format!("evt_{made_ms:012x}");
    for byte in unique.iter().take(10) {
        // Writing to a string can't fail.
        let _ = write!(id, "{byte:02x}");
    }
    id
}

/// Forgets the rows of a [`Batch`]: its events are safe.
pub fn forget(sql: &impl Sql, rows: &str) -> Result<(), PortError> {
    sql.transaction(|| {
        sql.exec(
            "DELETE FROM event WHERE seq IN (SELECT value FROM json_each(?1))",
            &[rows.into()],
        )?;
        sql.exec(
            "UPDATE webhook SET handing = NULL, \
               last_seq = max(last_seq, (SELECT coalesce(max(value), 0) FROM json_each(?1))) WHERE handing = ?1",
            &[rows.into()],
        )
        .map(drop)
    })
}

/// Forgets rows that the webhook object has not taken for days, at most so many, because the outbox must not fill the
/// account's object. Gives how many it has forgotten.
pub fn give_up_old(sql: &impl Sql, now_ms: i64) -> Result<usize, PortError> {
    sql.transaction(|| {
        let gone = sql.exec(
            "DELETE FROM event WHERE seq IN (SELECT seq FROM event ORDER BY seq LIMIT ?1) AND at_ms <= ?2 RETURNING seq",
            &[ROWS_A_CALL.into(), now_ms.saturating_sub(KEPT_MS).into()],
        )?;
        let mut last = 0;
        for row in &gone {
            last = row.int(0)?.max(last);
        }
        if !gone.is_empty() {
            sql.exec(
                "UPDATE webhook SET handing = NULL, last_seq = max(last_seq, ?1)",
                &[last.into()],
            )?;
        }
        Ok(gone.len())
    })
}

/// When the next events are to be handed over.
pub fn due_ms(sql: &impl Sql) -> Result<Option<i64>, PortError> {
    let rows = sql.exec("SELECT due_ms FROM event ORDER BY seq LIMIT 1", &[])?;
    rows.first().map(|row| row.int(0)).transpose()
}
