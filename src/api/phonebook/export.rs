//! `GET /phonebook/{id}/export`: a phonebook as a table, written while it is read, so that its size costs no memory.

use std::collections::BTreeMap;

use super::find;
use crate::api::Context;
use crate::csv;
use crate::http::{Content, Response};
use crate::ports::{Db, Platform, PortError, Row, Statement};
use crate::problem::{Conflict, Problem};

/// Numbers read and written in one go.
const NUMBERS_A_GO: u32 = 1_000;
/// Different attributes that a table may have as columns.
const MAX_COLUMNS: u32 = 1_000;

/// A phonebook on its way out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Export {
    phonebook: i64,
    attributes: Vec<String>,
    /// The last number that was written; `None`: not even the header was.
    after: Option<i64>,
}

/// `GET /phonebook/{id}/export`
pub async fn export<P: Platform>(context: &Context<'_, P>, phonebook: &str) -> Result<Response, Problem> {
    context.charge().await?;
    let phonebook = find(context, phonebook).await?;
    let rows = context
        .platform
        .db()
        .query(Statement::new(
            "SELECT DISTINCT a.key FROM phonebook_number n, json_each(n.attributes) a \
             WHERE n.phonebook = ?1 ORDER BY 1 LIMIT ?2",
            [phonebook.seq.into(), (MAX_COLUMNS + 1).into()],
        ))
        .await?;
    if rows.len() > usize::try_from(MAX_COLUMNS).unwrap_or(usize::MAX) {
        return Err(Problem::Conflict(Conflict::TooManyColumns));
    }
    let export = Export {
        phonebook: phonebook.seq,
        attributes: rows.iter().map(|row| row.text(0)).collect::<Result<_, _>>()?,
        after: None,
    };
    let disposition = format!("attachment; filename=\"phonebook-{}.csv\"", phonebook.id);
    Ok(Response {
        status: 200,
        content_type: "text/csv; charset=utf-8",
        headers: vec![("Content-Disposition", disposition)],
        body: Content::Export(Box::new(export)),
    })
}

impl Export {
    /// The next piece of the table; `None` at its end.
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

    fn write(&self, out: &mut Vec<u8>, row: &Row) -> Result<(), PortError> {
        let number = format!("+{}", row.int(0)?);
        let name = row.opt_text(1)?.unwrap_or_default();
        let attributes: BTreeMap<String, String> = match row.opt_text(2)? {
            Some(json) => serde_json::from_str(&json).map_err(|error| PortError::failed("json", error))?,
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
