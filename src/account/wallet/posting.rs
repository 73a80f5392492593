//! Appending to the ledger: whatever moves money moves it here, in the account's row and in the ledger together. Both are written
//! when the unit of work is saved.

use crate::account::outbox::events;
use crate::account::record::idempotency::Idempotency;
use crate::account::record::ledger::{Entry, EntryKind, LedgerError};
use crate::account::unit_of_work::UnitOfWork;
use crate::base::ports::{PortError, Sql};

/// An entry to append.
#[derive(Debug, Clone, Copy)]
pub struct Posting<'a> {
    /// What it does.
    pub kind: EntryKind,
    /// How much it moves.
    pub amount: i64,
    /// The message it belongs to.
    pub message: Option<i64>,
    /// The operator's words.
    pub note: Option<&'a str>,
    /// The idempotency key that it came with.
    pub key: Option<&'a Idempotency>,
}

impl Posting<'_> {
    /// An entry about a message.
    fn of_message(kind: EntryKind, amount: i64, message: i64) -> Self {
        Posting {
            kind,
            amount,
            message: Some(message),
            note: None,
            key: None,
        }
    }
}

/// Moves the money and appends the entry. A refused one changes nothing.
fn append(work: &mut UnitOfWork, posting: Posting<'_>) -> Result<Result<(), LedgerError>, PortError> {
    let (now_ms, account) = (work.now_ms, &mut work.account);
    account.wallet = match account.wallet.after(posting.kind, posting.amount) {
        Ok(wallet) => wallet,
        Err(error) => return Ok(Err(error)),
    };
    account.ledger_seq = account.ledger_seq.saturating_add(1);
    account.ledger_ms = account.ledger_ms.max(now_ms);
    let closed = account.open_page.push(&Entry {
        seq: account.ledger_seq,
        at_ms: account.ledger_ms,
        kind: posting.kind,
        amount: posting.amount,
        after: account.wallet,
        message: posting.message,
        note: posting.note,
        key: posting.key,
    })?;
    account.touch(now_ms);
    work.buffer.add_pages(closed);
    Ok(Ok(()))
}

/// Being short of money that is known to be there is a fault of ours.
fn short(error: LedgerError) -> PortError {
    PortError::failed("ledger", error)
}

/// Appends an entry. A refused one changes nothing.
pub fn post(sql: &impl Sql, work: &mut UnitOfWork, posting: Posting<'_>) -> Result<Result<(), LedgerError>, PortError> {
    if let Err(error) = append(work, posting)? {
        return Ok(Err(error));
    }
    events::note_balance(sql, work)?;
    Ok(Ok(()))
}

/// Reserves the money of a message. The caller knows that the money is there.
pub fn reserve(sql: &impl Sql, work: &mut UnitOfWork, amount: i64, message: i64) -> Result<(), PortError> {
    append(work, Posting::of_message(EntryKind::Reserve, amount, message))?.map_err(short)?;
    events::note_balance(sql, work)
}

/// Appends the `(kind, amount, message)` of many entries at once. The recipients say that the money is there.
pub fn resolve(sql: &impl Sql, work: &mut UnitOfWork, entries: &[(EntryKind, i64, i64)]) -> Result<(), PortError> {
    let mut is_empty = true;
    for (kind, amount, message) in entries.iter().filter(|(_, amount, _)| *amount > 0) {
        append(work, Posting::of_message(*kind, *amount, *message))?.map_err(short)?;
        is_empty = false;
    }
    if is_empty {
        return Ok(());
    }
    events::note_balance(sql, work)
}
