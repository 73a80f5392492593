//! The waiting list of a carrier or of a line: the accounts that have chunks to hand over and can't, until something changes.
//!
//! It stands in an object of its own of the carriers' class. An account's object enters itself when its chunks come to rest, and
//! then looks at the directory once more. So it has read what an operator changed before, and is told what changes afterwards.
//! Who has been told is on the list no more.
//!
//! If a list is lost, or an account can't be told, it looks again by itself within half a minute. A list has at most one row for
//! each account.

use std::collections::VecDeque;

use futures_util::stream::{FuturesUnordered, StreamExt};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::log_failure;
use super::request::CLASS;
use crate::account::chunk::look_again::LookAgain;
use crate::account::chunk::outcomes::backoff_ms;
use crate::base::log;
use crate::base::ports::{Platform, PortError, Sql};
use crate::durable::schema::Step;
use crate::durable::{ask, ask_in_time, requests};

/// How long an account stays on a list, ms. One that waits longer enters itself again.
const KEPT_MS: i64 = 60 * 60 * 1_000;
/// Calls under way at the same time.
const CALLS_AT_ONCE: usize = 20;
/// Calls in one alarm. The rest is due at once again, in a new invocation.
const CALLS_A_GO: usize = 500;
/// For how long an alarm begins calls, ms.
const GO_MS: i64 = 20_000;
/// How often an account is called that does not answer.
const TRIES: u32 = 3;
const UNTOLD: &str = "who waits was not told of a change";

/// The tables.
pub const TABLES: Step = &[
    // `due_ms` is when the account is to be told; NULL while nothing has changed.
    "CREATE TABLE waiting (
        account TEXT NOT NULL PRIMARY KEY,
        until_ms INTEGER NOT NULL,
        due_ms INTEGER,
        failures INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID",
    "CREATE INDEX waiting_due ON waiting (due_ms) WHERE due_ms IS NOT NULL",
];

/// The name of the object with the waiting list of a carrier. The carrier's other objects have a slash in theirs.
pub fn of_carrier(name: &str) -> String {
    name.to_owned()
}

/// The name of the object with the waiting list of a line. No carrier's name has a colon.
pub fn of_line(number: &str) -> String {
    format!("line:{number}")
}

requests! {
    CLASS;
    /// Whether the account was not on the list before: what it knows of the directory may be older than the last change.
    AwaitChange, "AwaitChange" => bool;
    NoteChange, "NoteChange" => ();
}

/// Enters an account into a list.
#[derive(Debug, Serialize, Deserialize)]
pub struct AwaitChange {
    /// The account.
    pub account: String,
}

/// Says that the carrier or the line has changed.
#[derive(Debug, Serialize, Deserialize)]
pub struct NoteChange;

/// Has all accounts of a list told that something has changed. If that fails, they look again by themselves.
pub async fn note_change(platform: &impl Platform, list: &str) {
    if let Err(error) = ask(platform, list, None, None, &NoteChange).await {
        log_failure(platform, list, UNTOLD, &error.to_string());
    }
}

/// As [`AwaitChange`].
pub fn enter(sql: &impl Sql, now_ms: i64, account: &str) -> Result<bool, PortError> {
    let written = sql.exec(
        "INSERT INTO waiting (account, until_ms, due_ms, failures) VALUES (?1, ?2, NULL, 0) \
         ON CONFLICT (account) DO UPDATE SET until_ms = excluded.until_ms, due_ms = NULL, failures = 0 \
           WHERE due_ms IS NOT NULL OR until_ms < ?3 RETURNING 1",
        &[
            account.into(),
            now_ms.saturating_add(KEPT_MS).into(),
            now_ms.saturating_add(KEPT_MS / 2).into(),
        ],
    )?;
    Ok(!written.is_empty())
}

/// As [`NoteChange`].
pub fn note(sql: &impl Sql, now_ms: i64) -> Result<(), PortError> {
    sql.transaction(|| {
        sql.exec(
            "DELETE FROM waiting WHERE due_ms IS NULL AND until_ms <= ?1",
            &[now_ms.into()],
        )?;
        sql.exec("UPDATE waiting SET due_ms = ?1 WHERE due_ms IS NULL", &[now_ms.into()])
            .map(drop)
    })
}

/// When an account is to be told next.
pub fn next_due_ms(sql: &impl Sql) -> Result<Option<i64>, PortError> {
    sql.number("SELECT min(due_ms) FROM waiting WHERE due_ms IS NOT NULL", &[])
}

/// Tells the accounts that are due, in at most so many calls.
pub async fn tell(platform: &impl Platform, sql: &impl Sql) -> Result<(), PortError> {
    let began_ms = platform.now_ms();
    let mut accounts = due(sql, began_ms)?;
    let mut calls = FuturesUnordered::new();
    loop {
        let has_time = platform.now_ms() < began_ms.saturating_add(GO_MS);
        while has_time
            && calls.len() < CALLS_AT_ONCE
            && let Some(account) = accounts.pop_front()
        {
            calls.push(async move {
                let told = ask_in_time(platform, &account, &LookAgain).await;
                (account, told.and_then(|reply| reply.accepted("to look again")))
            });
        }
        let Some((account, told)) = calls.next().await else {
            return Ok(());
        };
        match told {
            Ok(()) => forget(sql, &account)?,
            Err(error) => {
                let line = json!({"account": account, "what": UNTOLD, "cause": error.to_string()});
                log::error(platform, "carrier", line);
                delay(sql, platform.now_ms(), &account)?;
            }
        }
    }
}

fn due(sql: &impl Sql, now_ms: i64) -> Result<VecDeque<String>, PortError> {
    let rows = sql.exec(
        "SELECT account FROM waiting WHERE due_ms <= ?1 ORDER BY due_ms LIMIT ?2",
        &[now_ms.into(), i64::try_from(CALLS_A_GO).unwrap_or(i64::MAX).into()],
    )?;
    rows.iter().map(|row| row.text(0)).collect()
}

/// Forgets an account that has been told, unless it has entered itself again meanwhile.
fn forget(sql: &impl Sql, account: &str) -> Result<(), PortError> {
    sql.exec(
        "DELETE FROM waiting WHERE account = ?1 AND due_ms IS NOT NULL",
        &[account.into()],
    )
    .map(drop)
}

/// Tells an account later that could not be told, some times.
fn delay(sql: &impl Sql, now_ms: i64, account: &str) -> Result<(), PortError> {
    let rows = sql.exec(
        "UPDATE waiting SET failures = failures + 1 WHERE account = ?1 AND due_ms IS NOT NULL RETURNING failures",
        &[account.into()],
    )?;
    let failures = rows.first().map_or(Ok(TRIES), |row| row.u32(0))?;
    if failures >= TRIES {
        return forget(sql, account);
    }
    sql.exec(
        "UPDATE waiting SET due_ms = ?2 WHERE account = ?1 AND due_ms IS NOT NULL",
        &[account.into(), now_ms.saturating_add(backoff_ms(failures)).into()],
    )
    .map(drop)
}
