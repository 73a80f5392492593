//! Appending to the ledger: whatever moves money moves it here, in the account's row and in the ledger together.

use super::ledger::{Entry, EntryKind, LedgerError};
use super::pages::Pages;
use crate::account::{account_row::Account, idempotency::Idempotency, outbox::events, unit_of_work::UnitOfWork};
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

/// Moves the money and numbers the entry. A refused entry changes nothing.
fn apply<'a>(account: &mut Account, posting: Posting<'a>) -> Result<Entry<'a>, LedgerError> {
    account.wallet = account.wallet.after(posting.kind, posting.amount)?;
    account.ledger_seq = account.ledger_seq.saturating_add(1);
    Ok(Entry {
        seq: account.ledger_seq,
        kind: posting.kind,
        amount: posting.amount,
        after: account.wallet,
        message: posting.message,
        note: posting.note,
        key: posting.key,
    })
}

/// Being short of money that is known to be there is a fault of ours.
fn short(error: LedgerError) -> PortError {
    PortError::failed("ledger", error)
}

/// Appends an entry. A refused one changes nothing.
pub fn post(sql: &impl Sql, work: &mut UnitOfWork, posting: Posting<'_>) -> Result<Result<(), LedgerError>, PortError> {
    let entry = match apply(&mut work.account, posting) {
        Ok(entry) => entry,
        Err(error) => return Ok(Err(error)),
    };
    work.account.touch(work.now_ms);
    let mut pages = Pages::default();
    pages.push(&entry);
    pages.write(sql, work.now_ms)?;
    events::note_balance(sql, work)?;
    Ok(Ok(()))
}

/// Reserves the money of a message that is accepted and not written yet: the entry is written with it. The caller knows that
/// the money is there.
pub fn reserve(sql: &impl Sql, work: &mut UnitOfWork, amount: i64, message: i64) -> Result<(), PortError> {
    let posting = Posting {
        kind: EntryKind::Reserve,
        amount,
        message: Some(message),
        note: None,
        key: None,
    };
    let entry = apply(&mut work.account, posting).map_err(short)?;
    work.account.touch(work.now_ms);
    work.buffer.add_entry(&entry);
    events::note_balance(sql, work)
}

/// Appends the `(kind, amount, message)` of many entries at once. The recipients say that the money is there.
pub fn resolve(sql: &impl Sql, work: &mut UnitOfWork, entries: &[(EntryKind, i64, i64)]) -> Result<(), PortError> {
    let mut pages = Pages::default();
    for (kind, amount, message) in entries.iter().filter(|(_, amount, _)| *amount > 0) {
        let posting = Posting {
            kind: *kind,
            amount: *amount,
            message: Some(*message),
            note: None,
            key: None,
        };
        pages.push(&apply(&mut work.account, posting).map_err(short)?);
    }
    if pages.is_empty() {
        return Ok(());
    }
    work.account.touch(work.now_ms);
    pages.write(sql, work.now_ms)?;
    events::note_balance(sql, work)
}
