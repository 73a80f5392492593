//! A phonebook as CSV. The table is written while the numbers are read, so a large phonebook takes no more memory than a
//! small one.

use super::columns::Columns;
use super::numbers::{self, Number};
use super::row::Phonebook;
use crate::base::csv;
use crate::base::ports::{Db, PortError};

/// One piece of the table has at most this many numbers.
const NUMBERS_A_GO: u32 = 1_000;

/// An export under way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Export {
    phonebook: i64,
    columns: Columns,
    /// The place of the last number that was written. `None` means that the header was not written yet.
    after: Option<i64>,
}

impl Export {
    /// An export of a phonebook, with the columns that it has now.
    pub fn of(phonebook: Phonebook) -> Export {
        Export {
            phonebook: phonebook.seq,
            columns: phonebook.columns,
            after: None,
        }
    }

    /// Writes the next piece of the table. Returns `None` at its end. Fails if the phonebook was deleted meanwhile, because
    /// a table that ends too soon looks like a whole one.
    pub async fn next(&mut self, db: &impl Db) -> Result<Option<Vec<u8>>, PortError> {
        let mut piece = Vec::new();
        let Some(after) = self.after else {
            write_row(&mut piece, "number", "name", self.columns.names());
            self.after = Some(0);
            return Ok(Some(piece));
        };
        let numbers = numbers::page(db, self.phonebook, NUMBERS_A_GO, Some(after)).await?;
        let numbers = numbers.ok_or_else(|| PortError::failed("export", "the phonebook was deleted"))?;
        for number in &numbers {
            self.write(&mut piece, number);
            self.after = Some(number.place());
        }
        Ok((!numbers.is_empty()).then_some(piece))
    }

    /// Writes the line of one number.
    fn write(&self, out: &mut Vec<u8>, number: &Number) {
        let name = number.name.as_deref().unwrap_or_default();
        let value = |name: &str| number.attributes.get(name).map_or("", String::as_str);
        let values = self.columns.names().map(value);
        write_row(out, &number.number.to_e164(), name, values);
    }
}

/// Writes a line. All but the number comes from people, and no spreadsheet may take it for a formula.
fn write_row<'a>(out: &mut Vec<u8>, number: &str, name: &'a str, rest: impl Iterator<Item = &'a str>) {
    let texts: Vec<_> = std::iter::once(name).chain(rest).map(csv::guarded).collect();
    csv::write_row(out, std::iter::once(number).chain(texts.iter().map(AsRef::as_ref)));
}
