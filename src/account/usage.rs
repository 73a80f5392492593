//! Usage by day: what an account sent by each line and carrier, and how it ended. It is kept for ever, when the messages
//! themselves are long forgotten, and mirrored into the directory.
//!
//! A day is a day of UTC, counted from 1970-01-01. A message counts on the day on which it was accepted, and so do its
//! endings, however late they come. Whatever accepts a message or moves a recipient counts it in the same transaction.

use super::status::RecipientStatus;
use crate::object::to_json;
use crate::ports::{PortError, Sql};

/// How long changes gather before they are mirrored, ms.
pub const MIRROR_DELAY_MS: i64 = 60_000;
/// Rows that are mirrored in one go.
const ROWS_A_GO: i64 = 500;
/// Rows that are older than this many days than the newest have no changes that wait for the mirror: a message is scheduled
/// for at most 90 days ahead, and reports come some days later.
const DAYS_WITH_CHANGES: i64 = 120;

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

/// Rows that the mirror does not have as they are: a JSON list of lists of [`COLUMNS`]. `None` if there are none.
pub fn unmirrored(sql: &impl Sql) -> Result<Option<String>, PortError> {
    let query = format!(
        "SELECT count(*), json_group_array(json_array({COLUMNS})) FROM (SELECT {COLUMNS} FROM usage \
         WHERE day >= (SELECT max(day) FROM usage) - ?1 AND mirrored < version LIMIT ?2)"
    );
    let rows = sql.exec(&query, &[DAYS_WITH_CHANGES.into(), ROWS_A_GO.into()])?;
    match rows.first() {
        Some(row) if row.int(0)? > 0 => row.text(1).map(Some),
        _ => Ok(None),
    }
}

/// Notes that the mirror has these rows, as [`unmirrored`] told them.
pub fn note_mirrored(sql: &impl Sql, now_ms: i64, rows: &str) -> Result<(), PortError> {
    sql.transaction(|| {
        sql.exec(
            "UPDATE usage SET mirrored = p.value ->> 15 FROM json_each(?1) AS p \
             WHERE day = p.value ->> 0 AND line = p.value ->> 1 AND carrier = p.value ->> 2 AND test = p.value ->> 3",
            &[rows.into()],
        )?;
        let due_ms = now_ms.saturating_add(MIRROR_DELAY_MS);
        sql.exec("UPDATE upkeep SET usage_due_ms = ?1", &[due_ms.into()])
            .map(drop)
    })
}

/// When the mirror is to be written next.
pub fn due_ms(sql: &impl Sql) -> Result<Option<i64>, PortError> {
    let rows = sql.exec(
        "SELECT usage_due_ms FROM upkeep WHERE EXISTS (SELECT 1 FROM usage \
           WHERE day >= (SELECT max(day) FROM usage) - ?1 AND mirrored < version)",
        &[DAYS_WITH_CHANGES.into()],
    )?;
    rows.first().map_or(Ok(None), |row| row.opt_int(0))
}
