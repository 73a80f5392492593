//! The transaction that changes numbers of a phonebook, and with them the phonebook's count and columns and the bytes that
//! its account keeps.
//!
//! The first statement works out what the change comes to, decides whether it is allowed, and notes both in the one row of
//! `phonebook_change`. The others look there, and the last one takes the row away and tells what it said. D1 runs a batch
//! as one transaction and transactions one after another, so what the first statement saw holds to the end, no other
//! transaction sees the row, and a refused change writes nothing.
//!
//! Two requests may add columns at once. Names are made places before the transaction. A place stays right whatever others
//! do, because columns never move; only a request that appends columns needs the list to be as it was read. If it is not,
//! nothing is written, and the request tries again. To look names up inside SQL instead would cost a join of
//! entries and columns for each write, to spare a retry that a phonebook can cause [`MAX_COLUMNS`] times in its whole life.

use super::columns::{Columns, MAX_COLUMNS};
use super::row::Phonebook;
use crate::base::ports::{Db, PortError, Row, Statement, Value};
use crate::directory::{answer, first, to_json};

/// A request tries a change at most this often. Each try but the last fails because another request has appended a column.
pub(super) const TRIES: usize = MAX_COLUMNS + 1;

/// What phonebooks may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The numbers of one phonebook.
    pub numbers: i64,
    /// The bytes of all numbers of an account.
    pub bytes: i64,
    /// The bytes of all phonebooks and patterns of all accounts.
    pub room: i64,
}

/// Why numbers are not changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Obstacle {
    /// The phonebook or the number does not exist.
    NotFound,
    /// The phonebook would have more columns than it may have.
    TooManyColumns,
    /// The phonebook would have more numbers than it may have.
    TooManyNumbers,
    /// The account would keep more bytes than it may.
    TooManyBytes {
        /// The bytes that the account keeps now.
        used: i64,
    },
    /// All accounts would keep more bytes together than they may.
    NoRoom,
    /// Another entry of the phonebook has the phone number.
    NumberExists,
    /// A number would have longer values than it may.
    TooLongValues,
    /// A number would have more values than it may.
    TooManyValues,
}

/// What a transaction has come to.
pub(super) struct ChangeResult {
    /// Whether the change was made. `None` if the phonebook has got other columns than the request read.
    pub verdict: Option<Result<(), Obstacle>>,
    /// How many numbers were added.
    pub added: i64,
    /// What the statement that writes the numbers answered.
    pub written: Vec<Row>,
    /// The columns of the phonebook after the transaction.
    pub columns: Columns,
}

/// Writes the first statement of a transaction. `$change` selects what it changes: the columns `added`, `bytes`, `taken`
/// (whether another entry has the phone number) and `excess` (2 if a number gets too many values, 1 if too long ones), and, of the phonebook, `seq`, `account`, `columns`, `count` and `used`. A
/// change that adds no numbers, or no bytes, is allowed even if there are too many already.
macro_rules! decide {
    ($change:expr) => {
        concat!(
            "INSERT OR REPLACE INTO phonebook_change (one, phonebook, account, added, bytes, used, verdict) \
             SELECT 1, change.seq, change.account, change.added, change.bytes, change.used, CASE \
               WHEN change.columns <> ?2 THEN 'STALE' \
               WHEN change.taken THEN 'TAKEN' \
               WHEN change.excess = 2 THEN 'MANY' \
               WHEN change.excess = 1 THEN 'LONG' \
               WHEN change.added > 0 AND change.count + change.added > ?3 THEN 'FULL' \
               WHEN change.bytes > 0 AND change.used + change.bytes > ?4 THEN 'QUOTA' \
               WHEN change.bytes > 0 AND (SELECT bytes FROM room WHERE one = 1) + change.bytes > ?5 THEN 'NO ROOM' \
               ELSE 'MADE' END FROM (",
            $change,
            ") change"
        )
    };
}

/// The size of a text in octets; 0 for NULL.
macro_rules! octets {
    ($text:expr) => {
        concat!("coalesce(length(CAST(", $text, " AS BLOB)), 0)")
    };
}

/// The condition of the statements behind the first one.
macro_rules! is_made {
    () => {
        "EXISTS (SELECT 1 FROM phonebook_change made WHERE made.one = 1 AND made.verdict = 'MADE')"
    };
}

pub(super) use {decide, is_made, octets};

/// A change of a phonebook's numbers that a request is about to make.
pub(super) struct Change<'a> {
    phonebook: &'a Phonebook,
    /// The columns that the phonebook gets by the change. `None` if it has all that the change needs.
    extended: Option<Columns>,
    limits: Limits,
}

impl<'a> Change<'a> {
    /// A change that writes attributes with these names.
    pub fn of<'n>(
        phonebook: &'a Phonebook,
        names: impl Iterator<Item = &'n str>,
        limits: Limits,
    ) -> Result<Self, Obstacle> {
        let extended = phonebook.columns.with(names);
        if extended.as_ref().is_some_and(Columns::is_too_wide) {
            return Err(Obstacle::TooManyColumns);
        }
        Ok(Change {
            phonebook,
            extended,
            limits,
        })
    }

    /// A change that writes no attributes.
    pub fn without_columns(phonebook: &'a Phonebook, limits: Limits) -> Self {
        Change {
            phonebook,
            extended: None,
            limits,
        }
    }

    /// The columns of the phonebook after the change.
    pub fn columns(&self) -> &Columns {
        self.extended.as_ref().unwrap_or(&self.phonebook.columns)
    }

    /// The first statement of the transaction: one that [`decide`] has made. `own` are its parameters from `?6` on.
    pub fn statement(&self, sql: &'static str, own: impl IntoIterator<Item = Value>) -> Result<Statement, PortError> {
        // Without new columns nothing depends on the list. SQL compares with NULL then, and finds nothing that differs.
        let read = self.extended.as_ref().map(|_| to_json(&self.phonebook.columns));
        let mut params = vec![
            self.phonebook.seq.into(),
            read.transpose()?.into(),
            self.limits.numbers.into(),
            self.limits.bytes.into(),
            self.limits.room.into(),
        ];
        params.extend(own);
        Ok(Statement::new(sql, params))
    }

    /// Runs the transaction. `write` writes the numbers, if the change [`is_made`].
    pub async fn run(&self, db: &impl Db, decide: Statement, write: Statement) -> Result<ChangeResult, PortError> {
        let [counts, bytes] = apply(self.extended.as_ref())?;
        let columns = read_columns(self.phonebook.seq);
        let mut answers = db.batch(vec![decide, counts, bytes, write, columns, end()]).await?;
        let change = first(answer(&answers, 5), |row| {
            Ok((verdict(&row.text(0)?, row.int(2)?)?, row.int(1)?))
        })?;
        let columns = columns_of(answer(&answers, 4))?;
        let (verdict, added) = change.unwrap_or((Some(Err(Obstacle::NotFound)), 0));
        Ok(ChangeResult {
            verdict,
            added,
            written: answers.get_mut(3).map(std::mem::take).unwrap_or_default(),
            columns: columns.unwrap_or_default(),
        })
    }
}

/// The statements that apply the change to the rows of phonebook and account, if it changes them.
pub(super) fn apply(extended: Option<&Columns>) -> Result<[Statement; 2], PortError> {
    let columns = extended.map(to_json).transpose()?;
    Ok([
        Statement::new(
            "UPDATE phonebook SET count = count + made.added, columns = coalesce(?1, columns) \
             FROM phonebook_change made \
             WHERE made.one = 1 AND made.verdict = 'MADE' AND phonebook.seq = made.phonebook \
               AND (made.added <> 0 OR coalesce(?1, columns) <> columns)",
            [columns.into()],
        ),
        Statement::new(
            "UPDATE account SET phonebook_bytes = phonebook_bytes + made.bytes FROM phonebook_change made \
             WHERE made.one = 1 AND made.verdict = 'MADE' AND account.id = made.account AND made.bytes <> 0",
            [],
        ),
    ])
}

/// The last statement: it takes the change away and tells it.
pub(super) fn end() -> Statement {
    Statement::new(
        "DELETE FROM phonebook_change WHERE one = 1 RETURNING verdict, added, used",
        [],
    )
}

/// The statement that reads a phonebook's columns. A phonebook that is deleted has no answer.
pub(super) fn read_columns(phonebook: i64) -> Statement {
    Statement::new(
        "SELECT columns FROM phonebook WHERE seq = ?1 AND deleted = 0",
        [phonebook.into()],
    )
}

/// Reads the columns that [`read_columns`] answered.
pub(super) fn columns_of(rows: &[Row]) -> Result<Option<Columns>, PortError> {
    first(rows, |row| row.reader().read())
}

/// What the first statement decided, by its name. `None` if it has seen other columns than the request read.
fn verdict(name: &str, used: i64) -> Result<Option<Result<(), Obstacle>>, PortError> {
    Ok(match name {
        "STALE" => None,
        "MADE" => Some(Ok(())),
        "TAKEN" => Some(Err(Obstacle::NumberExists)),
        "MANY" => Some(Err(Obstacle::TooManyValues)),
        "LONG" => Some(Err(Obstacle::TooLongValues)),
        "FULL" => Some(Err(Obstacle::TooManyNumbers)),
        "NO ROOM" => Some(Err(Obstacle::NoRoom)),
        "QUOTA" => Some(Err(Obstacle::TooManyBytes { used })),
        other => return Err(PortError::failed("d1", format!("{other} is no verdict"))),
    })
}
