//! Takes a number out of all phonebooks of an account.

use super::writes;
use crate::base::ports::{Db, PortError, Row, Statement};
use crate::directory::all;

/// Entries that one go deletes at most.
const A_GO: i64 = 20;

/// Deletes entries of a number, at most so many, and returns how many there were. A phonebook that is being deleted loses its numbers
/// anyway.
pub async fn erase(db: &impl Db, account: &str, msisdn: u64) -> Result<i64, PortError> {
    let statement = Statement::new(
        "SELECT b.seq, b.id, b.title, b.description, b.columns, b.count, b.created_ms, n.id AS entry FROM phonebook b \
         CROSS JOIN phonebook_number n ON n.phonebook = b.seq AND n.msisdn = ?2 \
         WHERE b.account = ?1 AND b.deleted = 0 LIMIT ?3",
        [
            account.into(),
            i64::try_from(msisdn).unwrap_or(i64::MAX).into(),
            A_GO.into(),
        ],
    );
    let entries = all(&db.query(statement).await?, |row: &Row| {
        let mut columns = row.reader();
        Ok((columns.read()?, columns.read()?))
    })?;
    let mut erased = 0;
    for (phonebook, entry) in &entries {
        erased += i64::from(writes::delete(db, phonebook, *entry).await?);
    }
    Ok(erased)
}
