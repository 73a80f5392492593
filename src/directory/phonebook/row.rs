//! The row of a phonebook, and its columns.

use super::columns::Columns;
use crate::base::ports::{PortError, Row};
use crate::base::record::Reader;

/// A phonebook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phonebook {
    /// The phonebook's key in the directory, and its place in lists.
    pub seq: i64,
    /// The phonebook's id in the API.
    pub id: String,
    /// The phonebook's name. An account has each name once.
    pub title: String,
    /// The phonebook's description.
    pub description: Option<String>,
    /// The names of its numbers' attributes.
    pub columns: Columns,
    /// The number of numbers in the phonebook.
    pub count: i64,
    /// When the phonebook was made.
    pub created_ms: i64,
}

/// The columns of a phonebook, in the order that [`from_row`] reads.
macro_rules! phonebook_columns {
    () => {
        columns!(
            "",
            "seq",
            "id",
            "title",
            "description",
            "columns",
            "count",
            "created_ms"
        )
    };
}

pub(super) use phonebook_columns;

/// Reads a row with the columns of [`phonebook_columns`].
pub(super) fn from_row(row: &Row) -> Result<Phonebook, PortError> {
    read(&mut row.reader())
}

/// Reads a phonebook from the next columns.
pub(super) fn read(row: &mut Reader<'_>) -> Result<Phonebook, PortError> {
    Ok(Phonebook {
        seq: row.read()?,
        id: row.read()?,
        title: row.read()?,
        description: row.read()?,
        columns: Columns::from_json(&row.read::<String>()?)?,
        count: row.read()?,
        created_ms: row.read()?,
    })
}
