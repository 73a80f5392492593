//! A phonebook as CSV. The table is written while the numbers are read, so a large phonebook takes no more memory than a
//! small one.

use std::collections::BTreeMap;

use super::{all, from_json};
use crate::csv;
use crate::ports::{Db, PortError, Row, Statement};

/// One piece of the table has at most this many numbers.
const NUMBERS_A_GO: u32 = 1_000;
/// A table has columns for at most this many attributes.
const MAX_COLUMNS: u32 = 1_000;

/// An export under way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Export {
    phonebook: i64,
    attributes: Vec<String>,
    /// The last number that was written. `None` means that the header was not written yet.
    after: Option<i64>,
}

impl Export {
    /// Begins an export of a phonebook. Returns `None` if its numbers have too many different attributes.
    pub async fn of(db: &impl Db, phonebook: i64) -> Result<Option<Export>, PortError> {
        let statement = Statement::new(
            "SELECT DISTINCT a.key FROM phonebook_number n, json_each(n.attributes) a \
             WHERE n.phonebook = ?1 ORDER BY 1 LIMIT ?2",
            [phonebook.into(), (MAX_COLUMNS + 1).into()],
        );
        let attributes = all(&db.query(statement).await?, |row| row.text(0))?;
        let is_too_wide = attributes.len() > usize::try_from(MAX_COLUMNS).unwrap_or(usize::MAX);
        Ok((!is_too_wide).then_some(Export {
            phonebook,
            attributes,
            after: None,
        }))
    }

    /// Writes the next piece of the table. Returns `None` at its end.
    pub async fn next(&mut self, db: &impl Db) -> Result<Option<Vec<u8>>, PortError> {
        let mut piece = Vec::new();
        let Some(after) = self.after else {
            let names = self.attributes.iter().map(String::as_str);
            csv::write_row(&mut piece, ["number", "name"].into_iter().chain(names));
            self.after = Some(0);
            return Ok(Some(piece));
        };
        let rows = db
            .query(Statement::new(
                "SELECT msisdn, name, attributes FROM phonebook_number WHERE phonebook = ?1 AND msisdn > ?2 \
                 ORDER BY msisdn LIMIT ?3",
                [self.phonebook.into(), after.into(), NUMBERS_A_GO.into()],
            ))
            .await?;
        for row in &rows {
            self.write(&mut piece, row)?;
            self.after = Some(row.int(0)?);
        }
        Ok((!rows.is_empty()).then_some(piece))
    }

    /// Writes the line of one number.
    fn write(&self, out: &mut Vec<u8>, row: &Row) -> Result<(), PortError> {
        let number = format!("+{}", row.int(0)?);
        let name = row.opt_text(1)?.unwrap_or_default();
        let attributes: BTreeMap<String, String> = match row.opt_text(2)? {
            Some(json) => from_json(&json)?,
            None => BTreeMap::new(),
        };
        let values = self
            .attributes
            .iter()
            .map(|name| attributes.get(name).map_or("", String::as_str));
        csv::write_row(out, [number.as_str(), name.as_str()].into_iter().chain(values));
        Ok(())
    }
}
