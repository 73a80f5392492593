//! The account's API keys. KV answers whose a key is; the object decides whether it still counts.

pub mod adoption;
pub mod authority;
pub mod cascade;
pub mod ended;
pub mod makers;
pub mod requests;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::refusal::Refusal;
use super::request::Outcome;
use crate::auth::{Mode, Scope};
use crate::base::ports::{PortError, Row, Sql};
use crate::base::time::{self, DAY_MS};
use crate::durable::audit::Subject;

const COLUMNS: &str = "id, title, digest, scopes, mode, lines, created_ms, expires_ms, revoked_ms, successor, term_ms, \
     used_day";

/// Whether a key counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It counts, and is of this mode.
    Valid(Mode),
    /// It is revoked or has expired.
    Ended,
    /// The object does not know it.
    Unknown,
}

/// Whether the key with this id counts, and notes that a request came with it today. The note is one row for a key and a day.
pub fn use_key(sql: &impl Sql, id: &str, now_ms: i64) -> Result<Standing, PortError> {
    let rows = sql.exec(
        "SELECT revoked_ms IS NOT NULL OR coalesce(expires_ms <= ?2, 0), used_day, mode FROM api_key WHERE id = ?1",
        &[id.into(), now_ms.into()],
    )?;
    let Some(row) = rows.first() else {
        return Ok(Standing::Unknown);
    };
    if row.bool(0)? {
        return Ok(Standing::Ended);
    }
    let today = now_ms.div_euclid(DAY_MS);
    if row.opt_int(1)?.is_none_or(|day| day < today) {
        sql.exec(
            "UPDATE api_key SET used_day = ?2 WHERE id = ?1",
            &[id.into(), today.into()],
        )?;
    }
    mode_of(row, 2).map(Standing::Valid)
}

fn mode_of(row: &Row, column: usize) -> Result<Mode, PortError> {
    Mode::parse(&row.text(column)?).ok_or(PortError::Shape {
        column,
        expected: "a key's mode",
    })
}

/// A key as the object keeps it: everything but the key itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyView {
    /// UUID version 7.
    pub id: String,
    /// What it is for, in its owner's words.
    pub title: String,
    /// Hex SHA-256 of the key.
    pub digest: String,
    /// What it may do.
    pub scopes: Vec<Scope>,
    /// Live or test.
    pub mode: Mode,
    /// The lines it is limited to.
    pub lines: Option<Vec<String>>,
    /// When it was made.
    pub created_ms: i64,
    /// When it ends by itself.
    pub expires_ms: Option<i64>,
    /// When it was revoked.
    pub revoked_ms: Option<i64>,
    /// The id of the newest key that a rotation made in its place.
    pub successor: Option<String>,
    /// When it was to end when it was issued. A rotation makes the key end sooner, but not its successor.
    pub term_ms: Option<i64>,
    /// The last day on which a request came with it, counted from 1970-01-01.
    pub used_day: Option<i64>,
}

impl KeyView {
    /// Whether the key has a scope, or one that includes it.
    pub fn allows(&self, scope: Scope) -> bool {
        self.scopes.iter().any(|own| own.includes(scope))
    }

    /// Whether the key counts at this time.
    pub fn counts(&self, now_ms: i64) -> bool {
        self.revoked_ms.is_none() && self.expires_ms.is_none_or(|expires_ms| now_ms < expires_ms)
    }
}

/// Records a key if the object has fewer than `max`.
fn insert_below(max: i64, sql: &impl Sql, key: &KeyView) -> Outcome<()> {
    let count = sql.exec("SELECT count(*) FROM api_key", &[])?;
    if count.first().map_or(Ok(0), |row| row.int(0))? >= max {
        return Ok(Err(Refusal::TooManyKeys));
    }
    insert(sql, key)?;
    Ok(Ok(()))
}

fn insert(sql: &impl Sql, key: &KeyView) -> Result<(), PortError> {
    let scopes: Vec<&str> = key.scopes.iter().map(|scope| scope.as_str()).collect();
    sql.exec(
        &format!("INSERT INTO api_key ({COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)"),
        &[
            key.id.as_str().into(),
            key.title.as_str().into(),
            key.digest.as_str().into(),
            scopes.join(" ").into(),
            key.mode.as_str().into(),
            key.lines.as_ref().map(|lines| lines.join(" ")).into(),
            key.created_ms.into(),
            key.expires_ms.into(),
            key.revoked_ms.into(),
            key.successor.as_deref().into(),
            key.term_ms.into(),
            key.used_day.into(),
        ],
    )
    .map(drop)
}

/// Keys of a page, newest first.
fn page(sql: &impl Sql, limit: u32, after: Option<&str>) -> Result<Vec<KeyView>, PortError> {
    let rows = sql.exec(
        &format!("SELECT {COLUMNS} FROM api_key WHERE ?2 IS NULL OR id < ?2 ORDER BY id DESC LIMIT ?1"),
        &[limit.into(), after.into()],
    )?;
    rows.iter().map(from_row).collect()
}

/// All keys, ended ones included.
pub fn all(sql: &impl Sql) -> Result<Vec<KeyView>, PortError> {
    let rows = sql.exec(&format!("SELECT {COLUMNS} FROM api_key ORDER BY id"), &[])?;
    rows.iter().map(from_row).collect()
}

/// Puts keys in the place of those with the same ids.
pub fn replace(sql: &impl Sql, keys: &[KeyView]) -> Result<(), PortError> {
    for key in keys {
        sql.exec("DELETE FROM api_key WHERE id = ?1", &[key.id.as_str().into()])?;
        insert(sql, key)?;
    }
    Ok(())
}

/// Notes that a key is revoked, unless it is already.
fn set_revoked(sql: &impl Sql, id: &str, now_ms: i64) -> Result<(), PortError> {
    sql.exec(
        "UPDATE api_key SET revoked_ms = ?2 WHERE id = ?1 AND revoked_ms IS NULL",
        &[id.into(), now_ms.into()],
    )
    .map(drop)
}

/// Notes when a key ends, and which key takes its place.
fn set_end(sql: &impl Sql, id: &str, ends_ms: i64, successor: &str) -> Result<(), PortError> {
    sql.exec(
        "UPDATE api_key SET expires_ms = ?2, successor = ?3 WHERE id = ?1",
        &[id.into(), ends_ms.into(), successor.into()],
    )
    .map(drop)
}

/// The key with this id.
fn find(sql: &impl Sql, id: &str) -> Result<Option<KeyView>, PortError> {
    let rows = sql.exec(&format!("SELECT {COLUMNS} FROM api_key WHERE id = ?1"), &[id.into()])?;
    rows.first().map(from_row).transpose()
}

/// What the audit log shows of the key with this id.
fn shown(sql: &impl Sql, id: &str) -> Result<Subject, PortError> {
    Ok(Subject::named(id, find(sql, id)?.as_ref().map(state)))
}

/// What the audit log shows of a key: never the key, nor its digest.
fn state(key: &KeyView) -> Value {
    json!({
        "title": key.title,
        "scopes": key.scopes,
        "mode": key.mode,
        "lines": key.lines,
        "expiresAt": key.expires_ms.map(time::to_rfc3339),
        "revokedAt": key.revoked_ms.map(time::to_rfc3339),
        "replacedBy": key.successor,
    })
}

fn from_row(row: &Row) -> Result<KeyView, PortError> {
    Ok(KeyView {
        id: row.text(0)?,
        title: row.text(1)?,
        digest: row.text(2)?,
        scopes: row.text(3)?.split(' ').filter_map(Scope::parse).collect(),
        mode: mode_of(row, 4)?,
        lines: row
            .opt_text(5)?
            .map(|lines| lines.split_ascii_whitespace().map(str::to_owned).collect()),
        created_ms: row.int(6)?,
        expires_ms: row.opt_int(7)?,
        revoked_ms: row.opt_int(8)?,
        successor: row.opt_text(9)?,
        term_ms: row.opt_int(10)?,
        used_day: row.opt_int(11)?,
    })
}
