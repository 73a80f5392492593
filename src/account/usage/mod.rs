//! Usage by day: what an account sent by each line and carrier, and how it ended. It is kept for ever, when the messages
//! themselves are long forgotten, and mirrored into the directory.
//!
//! What is accepted counts in the row without a carrier, whose name is empty, and stays there. What a carrier takes counts in the
//! carrier's row too: there, recipients, parts and cost are what it took of that. So a sum over carriers leaves the carriers' rows
//! out, or takes them away from what was accepted. How a recipient ended counts once: under its carrier, if it has one.
//!
//! A day is a day of UTC, counted from 1970-01-01. A message counts on the day on which it was accepted, and so do its
//! endings, however late they come. Whatever accepts a message or moves a recipient counts it in the same transaction.

pub mod by_key;
pub mod days;
pub mod senders;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::account::record::account_row::Account;
use crate::account::record::usage_totals::{Key, Totals};
use crate::base::ports::{MAX_INTEGER, PortError, Sql, Value};
use crate::base::record::{Columns, neighbours};
use crate::base::time::DAY_MS;
use crate::durable::to_json;

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

neighbours!(UsageRow: key, version, counts);

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

/// Usage that the directory does not have as it is.
#[derive(Debug)]
pub struct Untold {
    key: Key,
    version: i64,
    totals: Totals,
}

/// Whether the directory does not have all usage as it is.
pub fn is_behind(sql: &impl Sql, told: &Told) -> Result<bool, PortError> {
    Ok(!read_untold(sql, told)?.is_empty())
}

/// Usage that the directory does not have as it is, some rows of it.
pub fn untold(sql: &impl Sql, told: &Told) -> Result<Vec<Untold>, PortError> {
    let mut untold = read_untold(sql, told)?;
    untold.truncate(ROWS_A_GO);
    Ok(untold)
}

/// Adds up what the table has and what is pending.
fn read_untold(sql: &impl Sql, told: &Told) -> Result<Vec<Untold>, PortError> {
    let Some(account) = Account::stored(sql)? else {
        return Ok(Vec::new());
    };
    let pending = &account.usage;
    let keys: Vec<&Key> = pending.iter().map(|(key, _)| key).collect();
    let query = format!(
        "SELECT {COLUMNS} FROM usage \
         WHERE day >= coalesce((SELECT max(day) FROM usage), 0) - ?1 AND mirrored < version \
         UNION SELECT {COLUMNS} FROM json_each(?2) p CROSS JOIN usage \
           ON day = p.value ->> 0 AND line = p.value ->> 1 AND carrier = p.value ->> 2 AND test = p.value ->> 3"
    );
    let rows = sql.exec(&query, &[DAYS_WITH_CHANGES.into(), to_json(&keys)?.into()])?;
    let mut all: BTreeMap<Key, (Totals, i64)> = BTreeMap::new();
    for row in &rows {
        let (key, of_key): (Key, (Totals, i64)) = row.reader().read()?;
        all.insert(key, of_key);
    }
    for (key, (change, changes)) in pending.iter() {
        let (totals, version) = all.entry(key.clone()).or_default();
        totals.add_all(change);
        *version += changes;
    }
    let untold = all
        .into_iter()
        .filter(|(key, (_, version))| told.0.get(key) != Some(version));
    let untold = untold.map(|(key, (totals, version))| Untold { key, version, totals });
    Ok(untold.collect())
}

/// The rows as the directory takes them: a JSON list of lists of [`COLUMNS`].
pub fn to_tell(rows: &[Untold]) -> Result<String, PortError> {
    let list = |Untold { key, version, totals }: &Untold| {
        let (day, line, carrier, is_test) = key;
        let mut list: Vec<Value> = vec![
            (*day).into(),
            line.as_str().into(),
            carrier.as_str().into(),
            (*is_test).into(),
        ];
        list.extend(totals.list().map(Value::from));
        list.push((*version).into());
        list
    };
    to_json(&rows.iter().map(list).collect::<Vec<_>>())
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
    // A row that is only pending could not be marked.
    crate::account::record::usage_pending::fold_stored(sql)?;
    let rows: Vec<_> = earlier.into_iter().collect();
    sql.exec(
        "UPDATE usage SET mirrored = max(mirrored, p.value ->> 1) FROM json_each(?1) AS p \
         WHERE day = p.value ->> '$[0][0]' AND line = p.value ->> '$[0][1]' AND carrier = p.value ->> '$[0][2]' \
           AND test = p.value ->> '$[0][3]'",
        &[to_json(&rows)?.into()],
    )
    .map(drop)
}
