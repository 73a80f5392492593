//! Finds a number in all phonebooks of an account.

use super::MAX_PHONEBOOKS;
use super::numbers::{self, Number, number_columns};
use crate::base::ports::{Db, PortError, Row, Statement};
use crate::directory::all;

/// What a phonebook has on a number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldNumber {
    /// The phonebook's id in the API.
    pub phonebook: String,
    /// The phonebook's name.
    pub title: String,
    /// The number, with what stands beside it.
    pub number: Number,
}

/// Reads what the phonebooks of an account have on a number, the oldest phonebook first.
pub async fn find(db: &impl Db, account: &str, msisdn: u64) -> Result<Vec<HeldNumber>, PortError> {
    let statement = Statement::new(
        concat!(
            "SELECT ",
            "b.id AS phonebook, b.title, b.columns, ",
            number_columns!("n."),
            " FROM phonebook b \
             CROSS JOIN phonebook_number n ON n.phonebook = b.seq AND n.msisdn = ?2 \
             WHERE b.account = ?1 AND b.deleted = 0 ORDER BY b.seq LIMIT ?3"
        ),
        [
            account.into(),
            i64::try_from(msisdn).unwrap_or(i64::MAX).into(),
            MAX_PHONEBOOKS.into(),
        ],
    );
    all(&db.query(statement).await?, |row: &Row| {
        let mut row = row.reader();
        let (phonebook, title) = row.read()?;
        let columns = row.read()?;
        Ok(HeldNumber {
            phonebook,
            title,
            number: numbers::read_row(&columns, &mut row)?,
        })
    })
}
