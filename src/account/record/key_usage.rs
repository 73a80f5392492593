//! What each sender has sent by day: keys, people in the console. What is counted and not in its table yet stands in the account's
//! row, which a send and what becomes of it write anyway.
//!
//! The invariant: the table and what is pending add up. The sums over all senders of a day are those of the usage of that day, but for
//! what no sender has sent. Whatever counts usage counts here too, in the same transaction.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::base::ports::{PortError, Sql, Value};
use crate::base::record::{Columns, Reader, neighbours};
use crate::base::time::DAY_MS;
use crate::durable::{listed, to_json};

/// Rows that may be pending.
const MAX_ROWS: usize = 32;

/// The number of what people send in the console. Keys have others.
pub const CONSOLE: i64 = 0;

/// A row: `(day, sender, is_test)`.
pub type SenderDay = (i64, i64, bool);

/// Who sends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sender {
    /// Somebody in the console.
    Console,
    /// A key.
    Key {
        /// Its id.
        id: String,
        /// Its number, if it has sent before.
        number: Option<i64>,
    },
}

/// How many sums there are.
const SUMS: usize = 5;

/// What a sender has sent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SentSums {
    /// Messages that were accepted on the day.
    pub messages: i64,
    /// Their recipients.
    pub recipients: i64,
    /// The parts of all recipients.
    pub parts: i64,
    /// What they cost when they were accepted.
    pub cost: i64,
    /// What of it went back to the wallet.
    pub returned: i64,
}

neighbours!(SentSums: messages, recipients, parts, cost, returned);

impl SentSums {
    fn list(&self) -> [i64; SUMS] {
        [self.messages, self.recipients, self.parts, self.cost, self.returned]
    }

    fn of_list([messages, recipients, parts, cost, returned]: [i64; SUMS]) -> Self {
        SentSums {
            messages,
            recipients,
            parts,
            cost,
            returned,
        }
    }

    /// Adds other sums.
    pub fn add(&mut self, other: &SentSums) {
        let mut sums = self.list();
        for (sum, more) in sums.iter_mut().zip(other.list()) {
            *sum += more;
        }
        *self = SentSums::of_list(sums);
    }

    /// What is left when other sums are taken away.
    pub fn without(&self, other: &SentSums) -> SentSums {
        let mut left = SentSums::of_list(other.list().map(|sum| -sum));
        left.add(self);
        left
    }
}

/// What is pending of a row, as it is stored.
type Stored = (i64, i64, bool, [i64; SUMS]);

/// What is not in the table yet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PendingSent(BTreeMap<SenderDay, SentSums>);

impl PendingSent {
    /// Reads what the account's row has.
    pub fn read(stored: &str) -> Result<Self, PortError> {
        if stored == "[]" {
            return Ok(PendingSent::default());
        }
        let rows: Vec<Stored> = serde_json::from_str(stored).map_err(|error| PortError::json("key usage", &error))?;
        let entries = rows.into_iter();
        let entries = entries.map(|(day, sender, is_test, sums)| ((day, sender, is_test), SentSums::of_list(sums)));
        Ok(PendingSent(entries.collect()))
    }

    /// What the account's row gets.
    pub fn write(&self) -> Result<String, PortError> {
        let rows = self.0.iter();
        let rows = rows.map(|((day, sender, is_test), sent)| (day, sender, is_test, sent.list()));
        to_json(&rows.collect::<Vec<_>>())
    }

    /// Counts a change.
    pub fn add(&mut self, row: SenderDay, change: &SentSums) {
        self.0.entry(row).or_default().add(change);
    }

    /// Whether it is to be folded into the table: it has become too long, or a day is over.
    pub fn is_due(&self, now_ms: i64) -> bool {
        let today = now_ms.div_euclid(DAY_MS);
        self.0.len() > MAX_ROWS || self.0.keys().next().is_some_and(|(day, ..)| *day < today)
    }

    /// Adds it to the rows of the table. The caller stores in the same transaction that nothing is pending any more.
    pub fn fold(&mut self, sql: &impl Sql) -> Result<(), PortError> {
        if self.0.is_empty() {
            return Ok(());
        }
        sql.exec(
            concat!(
                listed!(),
                "INSERT INTO key_usage (day, sender, test, messages, recipients, parts, cost, returned) \
                 SELECT value ->> 0, value ->> 1, value ->> 2, value ->> '$[3][0]', value ->> '$[3][1]', value ->> '$[3][2]', \
                   value ->> '$[3][3]', value ->> '$[3][4]' \
                 FROM listed WHERE 1 \
                 ON CONFLICT (day, sender, test) DO UPDATE SET \
                   messages = messages + excluded.messages, recipients = recipients + excluded.recipients, \
                   parts = parts + excluded.parts, cost = cost + excluded.cost, returned = returned + excluded.returned"
            ),
            &[self.write()?.into()],
        )?;
        self.0.clear();
        Ok(())
    }
}

impl Columns for PendingSent {
    fn read(row: &mut Reader<'_>) -> Result<Self, PortError> {
        PendingSent::read(&row.read::<String>()?)
    }

    fn write(&self, values: &mut Vec<Value>) -> Result<(), PortError> {
        values.push(PendingSent::write(self)?.into());
        Ok(())
    }
}
