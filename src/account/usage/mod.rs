//! Usage by day: what an account sent by each line and carrier, and how it ended. It is kept for ever, when the messages
//! themselves are long forgotten, and mirrored into the directory.
//!
//! What is accepted counts in the row without a carrier, whose name is empty, and stays there. What a carrier takes counts in the
//! carrier's row too: there, recipients, parts and cost are what it took of that. So a sum over carriers leaves the carriers' rows
//! out, or takes them away from what was accepted. How a recipient ended counts once: under its carrier, if it has one.
//!
//! A day is a day of UTC, counted from 1970-01-01. A message counts on the day on which it was accepted, and so do its
//! endings, however late they come. Whatever accepts a message or moves a recipient counts it in the same transaction.

pub mod days;
pub mod recount;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::message::status::RecipientStatus;
use crate::base::ports::{MAX_INTEGER, PortError, Row, Sql};
use crate::base::time::DAY_MS;
use crate::durable::{listed, to_json};

/// How long changes gather before they are mirrored, ms.
pub const MIRROR_DELAY_MS: i64 = 60_000;
/// Rows that are mirrored in one go.
const ROWS_A_GO: usize = 500;
/// Rows that one step of a comparison with the mirror reads.
pub const ROWS_A_STEP: usize = 4_000;
/// Rows that are older than this many days than the newest have no changes that wait for the mirror: a message is scheduled
/// for at most 90 days ahead, and reports come some days later.
pub const DAYS_WITH_CHANGES: i64 = 120;

/// The columns that the directory mirrors, in order: the key first, then the counts, then the version of the row.
pub const COLUMNS: &str = "day, line, carrier, test, messages, recipients, parts, cost, returned, delivered, undelivered, \
     expired, rejected, unknown, canceled, version";

/// Recipients, and what they have together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Amount {
    /// How many they are.
    pub recipients: i64,
    /// The parts of their texts.
    pub parts: i64,
    /// What they cost.
    pub cost: i64,
}

/// A change of the counts of recipients of one message that one carrier has; the empty name stands for none.
#[derive(Debug)]
pub struct Change {
    /// The message.
    pub message: i64,
    /// The name of the carrier.
    pub carrier: String,
    /// What the recipients are now; or were, if `recipients` is negative. Only resting statuses are counted.
    pub status: RecipientStatus,
    /// How many.
    pub recipients: i64,
    /// Money that went back to the wallet.
    pub returned: i64,
    /// What the carrier takes.
    pub taken: Amount,
}

/// The statuses that are counted, in the order of their columns in [`count_changes`].
const COUNTED: [RecipientStatus; 6] = [
    RecipientStatus::Unknown,
    RecipientStatus::Delivered,
    RecipientStatus::Undelivered,
    RecipientStatus::Expired,
    RecipientStatus::Rejected,
    RecipientStatus::Canceled,
];

impl Change {
    /// As [`count_changes`] reads it: the recipients stand in the column of their status.
    fn row(&self) -> impl Serialize + '_ {
        let count = |status| if status == self.status { self.recipients } else { 0 };
        let [unknown, delivered, undelivered, expired, rejected, canceled] = COUNTED.map(count);
        (
            self.message,
            &self.carrier,
            unknown,
            delivered,
            undelivered,
            expired,
            rejected,
            canceled,
            self.returned,
            self.taken.recipients,
            self.taken.parts,
            self.taken.cost,
        )
    }
}

/// Counts messages that were just accepted, under no carrier: nobody knows yet which ones will take them. `messages` are their
/// ids and the parts of all their recipients.
pub fn count_messages(sql: &impl Sql, messages: &[(i64, i64)]) -> Result<(), PortError> {
    if messages.is_empty() {
        return Ok(());
    }
    sql.exec(
        "INSERT INTO usage (day, line, carrier, test, messages, recipients, parts, cost, version) \
         SELECT m.created_ms / 86400000, m.line, '', m.test, count(*), sum(m.total), sum(p.value ->> 1), sum(m.cost), count(*) \
         FROM json_each(?1) p CROSS JOIN message m ON m.id = p.value ->> 0 WHERE 1 GROUP BY 1, 2, 4 \
         ON CONFLICT (day, line, carrier, test) DO UPDATE SET messages = messages + excluded.messages, \
           recipients = recipients + excluded.recipients, parts = parts + excluded.parts, cost = cost + excluded.cost, \
           version = version + excluded.version",
        &[to_json(&messages)?.into()],
    )
    .map(drop)
}

/// Counts recipients that moved, and what their carriers took with that.
pub fn count_changes(sql: &impl Sql, changes: &[Change]) -> Result<(), PortError> {
    if changes.is_empty() {
        return Ok(());
    }
    let rows: Vec<_> = changes.iter().map(Change::row).collect();
    sql.exec(
        concat!(
            listed!(),
            "INSERT INTO usage (day, line, carrier, test, unknown, delivered, undelivered, expired, rejected, canceled, returned, \
           recipients, parts, cost) \
         SELECT m.created_ms / 86400000, m.line, p.value ->> 1, m.test, \
           sum(p.value ->> 2), sum(p.value ->> 3), sum(p.value ->> 4), sum(p.value ->> 5), sum(p.value ->> 6), \
           sum(p.value ->> 7), sum(p.value ->> 8), sum(p.value ->> 9), sum(p.value ->> 10), sum(p.value ->> 11) \
         FROM listed p CROSS JOIN message m ON m.id = p.value ->> 0 WHERE 1 GROUP BY 1, 2, 3, 4 \
         ON CONFLICT (day, line, carrier, test) DO UPDATE SET \
           unknown = unknown + excluded.unknown, delivered = delivered + excluded.delivered, \
           undelivered = undelivered + excluded.undelivered, expired = expired + excluded.expired, \
           rejected = rejected + excluded.rejected, canceled = canceled + excluded.canceled, \
           returned = returned + excluded.returned, recipients = recipients + excluded.recipients, \
           parts = parts + excluded.parts, cost = cost + excluded.cost, version = version + 1"
        ),
        &[to_json(&rows)?.into()],
    )
    .map(drop)
}

/// A row of usage, `(day, line, carrier, is_test)`.
pub type Key = (i64, String, String, bool);

/// A key behind all rows.
pub fn last_key() -> Key {
    (MAX_INTEGER, String::new(), String::new(), false)
}

/// A row for the comparison with its mirror.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UsageRow {
    /// Which row.
    pub key: Key,
    /// Its version.
    pub version: i64,
    /// Its counts, a JSON list.
    pub counts: String,
}

impl UsageRow {
    /// Reads the key, the version and the counts, in this order.
    pub fn of(row: &Row) -> Result<UsageRow, PortError> {
        Ok(UsageRow {
            key: (row.int(0)?, row.text(1)?, row.text(2)?, row.bool(3)?),
            version: row.int(4)?,
            counts: row.text(5)?,
        })
    }
}

/// The next rows before a key, the newest first.
pub fn rows_before(sql: &impl Sql, (day, line, carrier, is_test): &Key) -> Result<Vec<UsageRow>, PortError> {
    let limit = i64::try_from(ROWS_A_STEP).unwrap_or(i64::MAX);
    let rows = sql.exec(
        "SELECT day, line, carrier, test, version, json_array(messages, recipients, parts, cost, returned, delivered, \
           undelivered, expired, rejected, unknown, canceled) \
         FROM usage WHERE (day, line, carrier, test) < (?1, ?2, ?3, ?4) \
         ORDER BY day DESC, line DESC, carrier DESC, test DESC LIMIT ?5",
        &[
            (*day).into(),
            line.as_str().into(),
            carrier.as_str().into(),
            (*is_test).into(),
            limit.into(),
        ],
    )?;
    rows.iter().map(UsageRow::of).collect()
}

/// The versions that the directory has of rows of today, as far as the object remembers. A row of an earlier day says for itself
/// which version the directory has: it hardly changes any more, and then the object need not remember it.
#[derive(Debug, Default)]
pub struct Told(BTreeMap<Key, i64>);

/// A row that the directory does not have as it is.
#[derive(Debug)]
pub struct Untold {
    key: Key,
    version: i64,
    /// A JSON list of [`COLUMNS`].
    columns: String,
}

/// Whether the directory does not have all rows as they are.
pub fn is_behind(sql: &impl Sql, told: &Told) -> Result<bool, PortError> {
    let untold = read_untold(sql, told, "''")?;
    Ok(!untold.is_empty())
}

/// Rows that the directory does not have as they are, some of them.
pub fn untold(sql: &impl Sql, told: &Told) -> Result<Vec<Untold>, PortError> {
    let mut untold = read_untold(sql, told, &format!("json_array({COLUMNS})"))?;
    untold.truncate(ROWS_A_GO);
    Ok(untold)
}

fn read_untold(sql: &impl Sql, told: &Told, columns: &str) -> Result<Vec<Untold>, PortError> {
    let query = format!(
        "SELECT day, line, carrier, test, version, {columns} FROM usage \
         WHERE day >= (SELECT max(day) FROM usage) - ?1 AND mirrored < version"
    );
    let rows = sql.exec(&query, &[DAYS_WITH_CHANGES.into()])?;
    let mut untold = Vec::new();
    for row in &rows {
        let key = (row.int(0)?, row.text(1)?, row.text(2)?, row.bool(3)?);
        let version = row.int(4)?;
        if told.0.get(&key) != Some(&version) {
            let columns = row.text(5)?;
            untold.push(Untold { key, version, columns });
        }
    }
    Ok(untold)
}

/// The rows as the directory takes them: a JSON list of lists of [`COLUMNS`].
pub fn to_tell(rows: &[Untold]) -> String {
    let lists: Vec<&str> = rows.iter().map(|row| row.columns.as_str()).collect();
    format!("[{}]", lists.join(","))
}

/// Notes that the directory has these rows.
pub fn note_told(sql: &impl Sql, now_ms: i64, told: &mut Told, rows: Vec<Untold>) -> Result<(), PortError> {
    told.0.extend(rows.into_iter().map(|row| (row.key, row.version)));
    let today = now_ms.div_euclid(DAY_MS);
    let rest = told.0.split_off(&(today, String::new(), String::new(), false));
    let earlier = std::mem::replace(&mut told.0, rest);
    if earlier.is_empty() {
        return Ok(());
    }
    let rows: Vec<_> = earlier.into_iter().collect();
    sql.exec(
        "UPDATE usage SET mirrored = max(mirrored, p.value ->> 1) FROM json_each(?1) AS p \
         WHERE day = p.value ->> '$[0][0]' AND line = p.value ->> '$[0][1]' AND carrier = p.value ->> '$[0][2]' \
           AND test = p.value ->> '$[0][3]'",
        &[to_json(&rows)?.into()],
    )
    .map(drop)
}
