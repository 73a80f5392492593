//! The status callbacks in the outbox. Each is a row of its own among the events: it is written in the transaction that moves its
//! recipient, and is forgotten when the webhook object has it.
//!
//! What it tells is in the row, because the message forgets its callback with its ending.

use serde::{Deserialize, Serialize};
use sms::mask;

use super::events::{Batch, CALLBACK, GATHER_MS, Move, id, last_seq};
use crate::account::record::message::callback::Callback;
use crate::account::record::message::delivery_error::DeliveryError;
use crate::account::record::message::status::RecipientStatus;
use crate::account::unit_of_work::UnitOfWork;
use crate::base::ports::{PortError, Sql};
use crate::durable::to_json;

/// Notes that recipients are about to move to statuses, in this order, for the callbacks of those messages that have one.
pub fn note_moves(
    sql: &impl Sql,
    work: &mut UnitOfWork,
    moves: &[Move<'_>],
    has_callback: impl Fn(i64) -> bool,
) -> Result<(), PortError> {
    let mut rows = Vec::new();
    for (moving, to, error) in moves {
        if !is_told(*to) {
            continue;
        }
        let error = error.map(DeliveryError::as_str);
        for ((message, _), recipients) in moving.iter().filter(|((message, _), _)| has_callback(*message)) {
            let of_recipient = |(index, msisdn): &(u32, u64)| (*message, to.as_str(), error, *index, *msisdn);
            rows.extend(recipients.iter().map(of_recipient));
        }
    }
    if rows.is_empty() {
        return Ok(());
    }
    // An account without endpoints has not noted yet what they ask for. The number of the last row stands there.
    sql.exec(
        "INSERT INTO webhook (one, version, types, test_types) VALUES (1, 0, 0, 0) ON CONFLICT DO NOTHING",
        &[],
    )?;
    sql.exec(
        concat!(
            "INSERT INTO event (seq, at_ms, due_ms, type, message, body) SELECT ",
            last_seq!(),
            " + row_number() OVER (), ?2, ?3, ?4, m.uid, json_object('callback', json(m.callback), 'test', m.test, \
               'line', m.line, 'status', p.value ->> 1, 'error', p.value ->> 2, 'index', p.value ->> 3, 'msisdn', p.value ->> 4) \
             FROM json_each(?1) p CROSS JOIN message m ON m.id = p.value ->> 0"
        ),
        &[
            to_json(&rows)?.into(),
            work.now_ms.into(),
            work.now_ms.saturating_add(GATHER_MS).into(),
            CALLBACK.into(),
        ],
    )?;
    work.has_told = true;
    Ok(())
}

/// Whether callbacks tell of a status: of what a carrier has taken, and of endings.
fn is_told(status: RecipientStatus) -> bool {
    status == RecipientStatus::Submitted || status.is_final()
}

/// A status callback on its way to the account's webhook object, which gives it the form of its protocol.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewCallback {
    /// Its id, for ever.
    pub id: String,
    /// The id of the message.
    pub message: String,
    /// Whether it is a test message.
    #[serde(default)]
    pub test: bool,
    /// Who hears of it, and in which form.
    pub callback: Callback,
    /// The line that the message is sent from.
    pub line: String,
    /// The index of the recipient.
    pub index: u32,
    /// The recipient, as the API shows it.
    pub to: String,
    /// The new status, as the API names it.
    pub status: String,
    /// Why the recipient did not get the message, as the API names it.
    #[serde(default)]
    pub error: Option<String>,
}

/// What a row has in its body.
#[derive(Deserialize)]
struct Moved {
    callback: Callback,
    test: i64,
    line: String,
    status: String,
    error: Option<String>,
    index: u32,
    msisdn: u64,
}

impl Batch {
    /// Makes the callbacks of this account: the same rows make the same callbacks.
    pub fn callbacks(&self, account: &str) -> Result<Vec<NewCallback>, PortError> {
        let mut callbacks = Vec::new();
        for row in self.noted.iter().filter(|row| row.kind == CALLBACK) {
            let moved: Moved = serde_json::from_str(&row.body).map_err(|error| PortError::json("callback", &error))?;
            callbacks.push(NewCallback {
                id: id(account, row, 0),
                message: row.message.clone().unwrap_or_default(),
                test: moved.test != 0,
                callback: moved.callback,
                line: moved.line,
                index: moved.index,
                to: mask::shown(moved.msisdn),
                status: moved.status,
                error: moved.error,
            });
        }
        Ok(callbacks)
    }
}
