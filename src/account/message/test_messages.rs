//! What the messages of test keys take. They are counted apart, so that a test key can't fill the account's object: beyond
//! [`MAX_BYTES`] the oldest go, whatever their status. No carrier has them, and they cost nothing.

use crate::account::record::account_row::Account;
use crate::account::record::message::NewMessage;
use crate::account::unit_of_work::UnitOfWork;
use crate::base::ports::{PortError, Sql};

/// What an account's test messages take at most, about, in bytes.
pub const MAX_BYTES: i64 = 50_000_000;
/// What a message takes without its text and its recipients, about, in bytes.
const BYTES_A_MESSAGE: i64 = 400;
/// What a recipient takes beside its part of the request, about, in bytes: its status, and an index of its number.
const BYTES_A_RECIPIENT: i64 = 100;
/// Messages that one go forgets, at most.
const MESSAGES_A_GO: i64 = 500;

/// What a message takes, about, in bytes.
fn bytes_of(message: &NewMessage) -> i64 {
    let groups = message.recipients.iter().map(|group| group.items.get().len());
    let written = groups.fold(message.text.len(), usize::saturating_add);
    let recipients = i64::from(message.count).saturating_mul(BYTES_A_RECIPIENT);
    let written = i64::try_from(written).unwrap_or(i64::MAX);
    BYTES_A_MESSAGE.saturating_add(written).saturating_add(recipients)
}

/// Counts what a test message takes that is accepted as number `id`.
pub fn note(sql: &impl Sql, work: &mut UnitOfWork, id: i64, message: &NewMessage) -> Result<(), PortError> {
    let bytes = bytes_of(message);
    work.account.test_bytes = work.account.test_bytes.saturating_add(bytes);
    sql.exec(
        "INSERT INTO test_message (message, bytes) VALUES (?1, ?2)",
        &[id.into(), bytes.into()],
    )
    .map(drop)
}

/// Counts that messages are forgotten: a JSON list of their numbers.
pub fn forget(sql: &impl Sql, messages: &str) -> Result<(), PortError> {
    let gone = sql.exec(
        "DELETE FROM test_message WHERE message IN (SELECT value FROM json_each(?1)) RETURNING bytes",
        &[messages.into()],
    )?;
    let bytes = gone.iter().map(|row| row.int(0)).sum::<Result<i64, _>>()?;
    if bytes == 0 {
        return Ok(());
    }
    sql.exec(
        "UPDATE account SET test_bytes = test_bytes - ?1 WHERE one = 1",
        &[bytes.into()],
    )
    .map(drop)
}

/// What all of them take.
fn taken(sql: &impl Sql) -> Result<i64, PortError> {
    Ok(Account::stored(sql)?.map_or(0, |account| account.test_bytes))
}

/// When the oldest test messages are to go: at once, if they take too much.
pub fn due_ms(sql: &impl Sql) -> Result<Option<i64>, PortError> {
    Ok((taken(sql)? > MAX_BYTES).then_some(0))
}

/// The oldest test messages, as many as go when all of them take too much, but not more than one go forgets. Also says whether more
/// are to go then.
pub fn surplus(sql: &impl Sql) -> Result<(Vec<i64>, bool), PortError> {
    let mut surplus = taken(sql)?.saturating_sub(MAX_BYTES);
    let mut oldest = Vec::new();
    if surplus <= 0 {
        return Ok((oldest, false));
    }
    let rows = sql.exec(
        "SELECT message, bytes FROM test_message ORDER BY message LIMIT ?1",
        &[MESSAGES_A_GO.into()],
    )?;
    for row in &rows {
        if surplus <= 0 {
            break;
        }
        oldest.push(row.int(0)?);
        surplus = surplus.saturating_sub(row.int(1)?);
    }
    Ok((oldest, surplus > 0))
}
