//! The account's API keys: what exists, what has ended. KV answers who a key is; only this says that it still counts.

use super::command::{Answer, KeyView, Refusal, RotateKey};
use super::decide::Outcome;
use crate::auth::{Mode, Scope};
use crate::ports::{PortError, Row, Sql};

/// Keys of one account at most, ended ones included: a list is never unbounded.
const MAX_KEYS: i64 = 500;

const COLUMNS: &str = "id, title, digest, scopes, mode, lines, created_ms, expires_ms, revoked_ms";

/// Whether the key was revoked or its time is over. A key this object never heard of (an operator's first) has not ended.
pub fn has_ended(sql: &impl Sql, id: &str, now_ms: i64) -> Result<bool, PortError> {
    let rows = sql.exec(
        "SELECT 1 FROM api_key WHERE id = ?1 AND (revoked_ms IS NOT NULL OR expires_ms <= ?2)",
        &[id.into(), now_ms.into()],
    )?;
    Ok(!rows.is_empty())
}

/// Records a new key.
pub fn issue(sql: &impl Sql, key: &KeyView) -> Outcome {
    let count = sql.exec("SELECT count(*) FROM api_key", &[])?;
    if count.first().map_or(Ok(0), |row| row.int(0))? >= MAX_KEYS {
        return Ok(Err(Refusal::TooManyKeys));
    }
    insert(sql, key)?;
    Ok(Ok(Answer::Done))
}

fn insert(sql: &impl Sql, key: &KeyView) -> Result<(), PortError> {
    let scopes: Vec<&str> = key.scopes.iter().map(|scope| scope.as_str()).collect();
    sql.exec(
        &format!("INSERT INTO api_key ({COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)"),
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
        ],
    )
    .map(drop)
}

/// All keys, newest first.
pub fn list(sql: &impl Sql, limit: u32, after: Option<&str>) -> Outcome {
    let rows = sql.exec(
        &format!("SELECT {COLUMNS} FROM api_key WHERE ?2 IS NULL OR id < ?2 ORDER BY id DESC LIMIT ?1"),
        &[limit.into(), after.into()],
    )?;
    let keys = rows.iter().map(from_row).collect::<Result<_, _>>()?;
    Ok(Ok(Answer::Keys(keys)))
}

fn find(sql: &impl Sql, id: &str) -> Result<Option<KeyView>, PortError> {
    let rows = sql.exec(&format!("SELECT {COLUMNS} FROM api_key WHERE id = ?1"), &[id.into()])?;
    rows.first().map(from_row).transpose()
}

/// Revokes a key; revoking it again is the same.
pub fn revoke(sql: &impl Sql, now_ms: i64, id: &str) -> Outcome {
    let Some(key) = find(sql, id)? else {
        return Ok(Err(Refusal::NotFound));
    };
    sql.exec(
        "UPDATE api_key SET revoked_ms = ?2 WHERE id = ?1 AND revoked_ms IS NULL",
        &[id.into(), now_ms.into()],
    )?;
    Ok(Ok(Answer::Revoked(key)))
}

/// Ends a key at the time given (or sooner, if it was to end sooner) and makes its successor, equal in all but the key.
pub fn rotate(sql: &impl Sql, now_ms: i64, rotation: &RotateKey) -> Outcome {
    let Some(mut old) = find(sql, &rotation.id)? else {
        return Ok(Err(Refusal::NotFound));
    };
    if has_ended(sql, &old.id, now_ms)? {
        return Ok(Err(Refusal::NotFound));
    }
    let new = KeyView {
        id: rotation.new_id.clone(),
        digest: rotation.new_digest.clone(),
        created_ms: now_ms,
        ..old.clone()
    };
    if let Err(refusal) = issue(sql, &new)? {
        return Ok(Err(refusal));
    }
    let ends_ms = old
        .expires_ms
        .map_or(rotation.old_expires_ms, |ms| ms.min(rotation.old_expires_ms));
    old.expires_ms = Some(ends_ms);
    sql.exec(
        "UPDATE api_key SET expires_ms = ?2 WHERE id = ?1",
        &[old.id.as_str().into(), ends_ms.into()],
    )?;
    Ok(Ok(Answer::Rotated(Box::new((old, new)))))
}

fn from_row(row: &Row) -> Result<KeyView, PortError> {
    Ok(KeyView {
        id: row.text(0)?,
        title: row.text(1)?,
        digest: row.text(2)?,
        scopes: row.text(3)?.split(' ').filter_map(Scope::parse).collect(),
        mode: Mode::parse(&row.text(4)?).ok_or(PortError::Shape {
            column: 4,
            expected: "a key's mode",
        })?,
        lines: row
            .opt_text(5)?
            .map(|lines| lines.split(' ').map(str::to_owned).collect()),
        created_ms: row.int(6)?,
        expires_ms: row.opt_int(7)?,
        revoked_ms: row.opt_int(8)?,
    })
}
