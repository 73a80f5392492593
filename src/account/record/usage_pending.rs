//! Usage that is counted and not in its table yet. It stands in the account's row, which almost every change writes anyway: a row
//! of the table for each change would be a good part of what a message costs.
//!
//! The invariant: a row of the table and what is pending under its key add up to the usage, its version too. Who reads the table
//! folds what is pending into it first, or adds both up.

use std::collections::BTreeMap;

use super::usage_totals::{Key, SUMS, Totals};
use crate::base::ports::{PortError, Sql, Value};
use crate::base::record::{Columns, Reader};
use crate::base::time::DAY_MS;
use crate::durable::{listed, to_json};

/// Keys that may be pending. An account that uses more lines and carriers on a day writes rows of the table more often.
const MAX_KEYS: usize = 32;

/// What is pending of a key, as it is stored: the key, the sums in the order of [`Totals`], how often they have changed.
type Stored = (i64, String, String, bool, [i64; SUMS], i64);

/// Usage that is not in its table yet: sums and how often they have changed, by key.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pending(BTreeMap<Key, (Totals, i64)>);

impl Pending {
    /// Reads what the account's row has.
    pub fn read(stored: &str) -> Result<Pending, PortError> {
        if stored == "[]" {
            return Ok(Pending::default());
        }
        let rows: Vec<Stored> = serde_json::from_str(stored).map_err(|error| PortError::json("usage", &error))?;
        let entries = rows.into_iter().map(|(day, line, carrier, is_test, sums, version)| {
            ((day, line, carrier, is_test), (Totals::of_list(sums), version))
        });
        Ok(Pending(entries.collect()))
    }

    /// What the account's row gets.
    pub fn write(&self) -> Result<String, PortError> {
        let rows = self.0.iter();
        let rows = rows.map(|((day, line, carrier, is_test), (totals, version))| {
            (day, line, carrier, is_test, totals.list(), version)
        });
        to_json(&rows.collect::<Vec<_>>())
    }

    /// Counts a change.
    pub fn add(&mut self, key: Key, change: &Totals) {
        let (totals, version) = self.0.entry(key).or_default();
        totals.add_all(change);
        *version += 1;
    }

    /// What is pending, by key: the sums and the version.
    pub fn iter(&self) -> impl Iterator<Item = (&Key, &(Totals, i64))> {
        self.0.iter()
    }

    /// Whether it is to be folded into the table: it has become too long, or a day is over.
    pub fn is_due(&self, now_ms: i64) -> bool {
        let today = now_ms.div_euclid(DAY_MS);
        self.0.len() > MAX_KEYS || self.0.keys().next().is_some_and(|(day, ..)| *day < today)
    }

    /// Adds it to the rows of the table. The caller stores in the same transaction that nothing is pending any more.
    pub fn fold(&mut self, sql: &impl Sql) -> Result<(), PortError> {
        if self.0.is_empty() {
            return Ok(());
        }
        sql.exec(
            concat!(
                listed!(),
                "INSERT INTO usage (day, line, carrier, test, messages, recipients, parts, cost, returned, delivered, undelivered, \
                   expired, rejected, unknown, canceled, version) \
                 SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> '$[4][0]', \
                   value ->> '$[4][1]', value ->> '$[4][2]', value ->> '$[4][3]', value ->> '$[4][4]', \
                   value ->> '$[4][5]', value ->> '$[4][6]', value ->> '$[4][7]', \
                   value ->> '$[4][8]', value ->> '$[4][9]', value ->> '$[4][10]', value ->> 5 \
                 FROM listed WHERE 1 \
                 ON CONFLICT (day, line, carrier, test) DO UPDATE SET \
                   messages = messages + excluded.messages, recipients = recipients + excluded.recipients, \
                   parts = parts + excluded.parts, cost = cost + excluded.cost, returned = returned + excluded.returned, \
                   delivered = delivered + excluded.delivered, undelivered = undelivered + excluded.undelivered, \
                   expired = expired + excluded.expired, rejected = rejected + excluded.rejected, \
                   unknown = unknown + excluded.unknown, canceled = canceled + excluded.canceled, \
                   version = version + excluded.version"
            ),
            &[self.write()?.into()],
        )?;
        self.0.clear();
        Ok(())
    }
}

/// Folds what the account's row has into the table.
pub fn fold_stored(sql: &impl Sql) -> Result<(), PortError> {
    sql.transaction(|| {
        let rows = sql.exec("SELECT usage FROM account", &[])?;
        let stored = rows.first().map(|row| row.text(0)).transpose()?;
        Pending::read(stored.as_deref().unwrap_or("[]"))?.fold(sql)?;
        sql.exec("UPDATE account SET usage = '[]' WHERE usage <> '[]'", &[])
            .map(drop)
    })
}

impl Columns for Pending {
    fn read(row: &mut Reader<'_>) -> Result<Self, PortError> {
        Pending::read(&row.read::<String>()?)
    }

    fn write(&self, values: &mut Vec<Value>) -> Result<(), PortError> {
        values.push(Pending::write(self)?.into());
        Ok(())
    }
}
