//! Rows that are gathered for one statement, because a statement costs more than a row.

use serde::Serialize;

use crate::base::ports::PortError;
use crate::durable::to_json;

/// Bytes of rows that one statement gets, about. The runtime takes values of 2 MB.
const BYTES_A_STATEMENT: usize = 1_000_000;

/// Rows for one table, each a JSON list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rows(Vec<String>);

impl Rows {
    /// Adds a row.
    pub fn push(&mut self, row: &impl Serialize) -> Result<(), PortError> {
        self.0.push(to_json(row)?);
        Ok(())
    }

    /// Hands the rows to `write`, as JSON lists of which each fits a value of SQL.
    pub fn write(&self, mut write: impl FnMut(String) -> Result<(), PortError>) -> Result<(), PortError> {
        let (mut list, mut is_empty) = (String::from("["), true);
        for row in &self.0 {
            if !is_empty && list.len() + row.len() > BYTES_A_STATEMENT {
                list.push(']');
                write(std::mem::replace(&mut list, String::from("[")))?;
                is_empty = true;
            }
            if !is_empty {
                list.push(',');
            }
            list.push_str(row);
            is_empty = false;
        }
        if is_empty {
            return Ok(());
        }
        list.push(']');
        write(list)
    }
}
