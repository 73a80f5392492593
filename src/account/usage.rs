//! Usage by day: what an account sent by each line and carrier, and how it ended. It is kept for ever, when the messages
//! themselves are long forgotten, and mirrored into the directory.
//!
//! A day is a day of UTC, counted from 1970-01-01. A message counts on the day on which it was accepted, and so do its
//! endings, however late they come. Whatever accepts a message or moves a recipient counts it in the same transaction.

use std::collections::BTreeMap;

use super::status::RecipientStatus;
use crate::object::to_json;
use crate::ports::{PortError, Sql};

/// How long changes gather before they are mirrored, ms.
pub const MIRROR_DELAY_MS: i64 = 60_000;
/// Rows that are mirrored in one go.
const ROWS_A_GO: usize = 500;
/// Rows that are older than this many days than the newest have no changes that wait for the mirror: a message is scheduled
/// for at most 90 days ahead, and reports come some days later.
pub const DAYS_WITH_CHANGES: i64 = 120;
const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// The columns that the directory mirrors, in order: the key first, then the counts, then the version of the row.
pub const COLUMNS: &str = "day, line, carrier, test, messages, recipients, parts, cost, returned, delivered, undelivered, \
     expired, rejected, unknown, canceled, version";

/// A change of the counts of recipients of one message that one carrier has; the empty name stands for none.
#[derive(Debug, Clone)]
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
}

/// Counts messages that were just accepted, under no carrier: nobody knows yet which ones will take them. `rows` is a JSON list
/// of lists that begin with the message's id and have the parts of all its recipients at place 14.
pub fn count_messages(sql: &impl Sql, rows: &str) -> Result<(), PortError> {
    sql.exec(
        "INSERT INTO usage (day, line, carrier, test, messages, recipients, parts, cost, version) \
         SELECT m.created_ms / 86400000, m.line, '', m.test, count(*), sum(m.total), sum(p.value ->> 14), sum(m.cost), count(*) \
         FROM json_each(?1) p CROSS JOIN message m ON m.id = p.value ->> 0 WHERE 1 GROUP BY 1, 2, 4 \
         ON CONFLICT (day, line, carrier, test) DO UPDATE SET messages = messages + excluded.messages, \
           recipients = recipients + excluded.recipients, parts = parts + excluded.parts, cost = cost + excluded.cost, \
           version = version + excluded.version",
        &[rows.into()],
    )
    .map(drop)
}

/// Counts recipients that moved.
pub fn count_changes(sql: &impl Sql, changes: &[Change]) -> Result<(), PortError> {
    if changes.is_empty() {
        return Ok(());
    }
    let rows: Vec<_> = changes
        .iter()
        .map(|change| {
            let status = change.status.code();
            (
                change.message,
                &change.carrier,
                status,
                change.recipients,
                change.returned,
            )
        })
        .collect();
    sql.exec(
        "INSERT INTO usage (day, line, carrier, test, unknown, delivered, undelivered, expired, rejected, canceled, returned) \
         SELECT m.created_ms / 86400000, m.line, p.value ->> 1, m.test, \
           sum(iif(p.value ->> 2 = 2, p.value ->> 3, 0)), sum(iif(p.value ->> 2 = 4, p.value ->> 3, 0)), \
           sum(iif(p.value ->> 2 = 5, p.value ->> 3, 0)), sum(iif(p.value ->> 2 = 6, p.value ->> 3, 0)), \
           sum(iif(p.value ->> 2 = 7, p.value ->> 3, 0)), sum(iif(p.value ->> 2 = 8, p.value ->> 3, 0)), \
           sum(p.value ->> 4) \
         FROM json_each(?1) p CROSS JOIN message m ON m.id = p.value ->> 0 WHERE 1 GROUP BY 1, 2, 3, 4 \
         ON CONFLICT (day, line, carrier, test) DO UPDATE SET \
           unknown = unknown + excluded.unknown, delivered = delivered + excluded.delivered, \
           undelivered = undelivered + excluded.undelivered, expired = expired + excluded.expired, \
           rejected = rejected + excluded.rejected, canceled = canceled + excluded.canceled, \
           returned = returned + excluded.returned, version = version + 1",
        &[to_json(&rows)?.into()],
    )
    .map(drop)
}

/// A row of usage, `(day, line, carrier, is_test)`.
type Key = (i64, String, String, bool);

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
