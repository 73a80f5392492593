//! The account's API keys. KV answers whose a key is; the object decides whether it still counts.

pub mod ended;
pub mod operator;
pub mod own;

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::account_row::Account;
use super::refusal::Refusal;
use super::request::{Outcome, Request};
use crate::account::unit_of_work::UnitOfWork;
use crate::auth::{Mode, Scope};
use crate::base::ports::{PortError, Row, Sql};
use crate::base::time;
use crate::durable::Wake;
use crate::durable::audit::Subject;

/// Keys of one account at most, ended ones included.
const MAX_KEYS: i64 = 500;
const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

const COLUMNS: &str = "id, title, digest, scopes, mode, lines, created_ms, expires_ms, revoked_ms, successor, term_ms, \
     used_day";

/// Whether a key counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It counts.
    Valid,
    /// It is revoked or has expired.
    Ended,
    /// The object does not know it.
    Unknown,
}

/// Whether the key with this id counts, and notes that a request came with it today. The note is one row for a key and a day.
pub fn use_key(sql: &impl Sql, id: &str, now_ms: i64) -> Result<Standing, PortError> {
    let rows = sql.exec(
        "SELECT revoked_ms IS NOT NULL OR coalesce(expires_ms <= ?2, 0), used_day FROM api_key WHERE id = ?1",
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
    Ok(Standing::Valid)
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
    #[serde(default)]
    pub successor: Option<String>,
    /// When it was to end when it was issued. A rotation makes the key end sooner, but not its successor.
    #[serde(default)]
    pub term_ms: Option<i64>,
    /// The last day on which a request came with it, counted from 1970-01-01.
    #[serde(default)]
    pub used_day: Option<i64>,
}

impl KeyView {
    /// Whether the key counts at this time.
    pub fn counts(&self, now_ms: i64) -> bool {
        self.revoked_ms.is_none() && self.expires_ms.is_none_or(|expires_ms| now_ms < expires_ms)
    }
}

/// The digests of a key that is about to be made, one for each mode, because the mode stands in the key and only the object
/// knows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewDigests {
    /// Of the key if it is live.
    pub live: String,
    /// Of the key if it is a test key.
    pub test: String,
}

impl NewDigests {
    /// The digest of the key of this mode.
    pub fn of(&self, mode: Mode) -> &str {
        match mode {
            Mode::Live => &self.live,
            Mode::Test => &self.test,
        }
    }
}

/// Records a new key.
#[derive(Debug, Serialize, Deserialize)]
pub struct IssueKey(pub KeyView);

impl Request for IssueKey {
    const NAME: &'static str = "IssueKey";
    type Reply = ();

    fn wake(&self, _: i64) -> Wake {
        Wake::Never
    }

    fn audited(&self, sql: &impl Sql, _: &Account) -> Result<Option<Subject>, PortError> {
        shown(sql, &self.0.id).map(Some)
    }

    fn answer(&self, sql: &impl Sql, _: &mut UnitOfWork) -> Outcome<()> {
        issue(sql, &self.0)
    }
}

/// Records a key, if the account has room for it.
pub fn issue(sql: &impl Sql, key: &KeyView) -> Outcome<()> {
    insert_below(MAX_KEYS, sql, key)
}

/// Records a key if the object has fewer than `max`.
pub fn insert_below(max: i64, sql: &impl Sql, key: &KeyView) -> Outcome<()> {
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

/// Asks for keys, newest first.
#[derive(Debug, Serialize, Deserialize)]
pub struct ListKeys {
    /// Keys at most.
    pub limit: u32,
    /// The last key of the page before.
    pub after: Option<String>,
}

impl Request for ListKeys {
    const NAME: &'static str = "ListKeys";
    type Reply = Vec<KeyView>;

    fn wake(&self, _: i64) -> Wake {
        Wake::Never
    }

    fn answer(&self, sql: &impl Sql, _: &mut UnitOfWork) -> Outcome<Vec<KeyView>> {
        let rows = sql.exec(
            &format!("SELECT {COLUMNS} FROM api_key WHERE ?2 IS NULL OR id < ?2 ORDER BY id DESC LIMIT ?1"),
            &[self.limit.into(), self.after.as_deref().into()],
        )?;
        rows.iter().map(from_row).collect::<Result<_, _>>().map(Ok)
    }
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

/// The key with this id.
pub fn find(sql: &impl Sql, id: &str) -> Result<Option<KeyView>, PortError> {
    let rows = sql.exec(&format!("SELECT {COLUMNS} FROM api_key WHERE id = ?1"), &[id.into()])?;
    rows.first().map(from_row).transpose()
}

/// What the audit log shows of a key: never the key, nor its digest.
pub fn shown(sql: &impl Sql, id: &str) -> Result<Subject, PortError> {
    let state = find(sql, id)?.map(|key| {
        json!({
            "title": key.title,
            "scopes": key.scopes,
            "mode": key.mode,
            "lines": key.lines,
            "expiresAt": key.expires_ms.map(time::to_rfc3339),
            "revokedAt": key.revoked_ms.map(time::to_rfc3339),
            "replacedBy": key.successor,
        })
    });
    Ok(Subject::named(id, state))
}

/// Revokes a key. Revoking it again changes nothing.
#[derive(Debug, Serialize, Deserialize)]
pub struct RevokeKey(pub String);

impl Request for RevokeKey {
    const NAME: &'static str = "RevokeKey";
    /// The key.
    type Reply = KeyView;

    fn wake(&self, _: i64) -> Wake {
        Wake::Never
    }

    fn audited(&self, sql: &impl Sql, _: &Account) -> Result<Option<Subject>, PortError> {
        shown(sql, &self.0).map(Some)
    }

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> Outcome<KeyView> {
        let Some(key) = find(sql, &self.0)? else {
            return Ok(Err(Refusal::NotFound));
        };
        revoke(sql, &self.0, work.now_ms)?;
        Ok(Ok(key))
    }
}

/// Notes that a key is revoked, unless it is already.
pub fn revoke(sql: &impl Sql, id: &str, now_ms: i64) -> Result<(), PortError> {
    sql.exec(
        "UPDATE api_key SET revoked_ms = ?2 WHERE id = ?1 AND revoked_ms IS NULL",
        &[id.into(), now_ms.into()],
    )
    .map(drop)
}

/// Makes a successor of a key, equal in all but the key itself, and sets an end to the old key.
#[derive(Debug, Serialize, Deserialize)]
pub struct RotateKey {
    /// The key that ends.
    pub id: String,
    /// Its successor's id.
    pub new_id: String,
    /// Its successor's digests. The successor has the mode of the key.
    pub new_digests: NewDigests,
    /// When the old key ends, unless it was to end sooner.
    pub old_expires_ms: i64,
}

/// Both keys of a rotation.
#[derive(Debug, Serialize, Deserialize)]
pub struct Rotated {
    /// The key that ends.
    pub old: KeyView,
    /// Its successor.
    pub new: KeyView,
}

impl Request for RotateKey {
    const NAME: &'static str = "RotateKey";
    type Reply = Rotated;

    fn wake(&self, _: i64) -> Wake {
        Wake::Never
    }

    fn audited(&self, sql: &impl Sql, _: &Account) -> Result<Option<Subject>, PortError> {
        shown(sql, &self.id).map(Some)
    }

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> Outcome<Rotated> {
        rotate(sql, work.now_ms, self)
    }
}

/// Replaces a key, if it counts.
pub fn rotate(sql: &impl Sql, now_ms: i64, rotation: &RotateKey) -> Outcome<Rotated> {
    let old = find(sql, &rotation.id)?.filter(|key| key.counts(now_ms));
    let Some(mut old) = old else {
        return Ok(Err(Refusal::NotFound));
    };
    let new = KeyView {
        id: rotation.new_id.clone(),
        digest: rotation.new_digests.of(old.mode).to_owned(),
        created_ms: now_ms,
        expires_ms: old.term_ms,
        successor: None,
        used_day: None,
        ..old.clone()
    };
    if let Err(refusal) = issue(sql, &new)? {
        return Ok(Err(refusal));
    }
    let ends_ms = old
        .expires_ms
        .map_or(rotation.old_expires_ms, |ms| ms.min(rotation.old_expires_ms));
    old.expires_ms = Some(ends_ms);
    old.successor = Some(new.id.clone());
    sql.exec(
        "UPDATE api_key SET expires_ms = ?2, successor = ?3 WHERE id = ?1",
        &[old.id.as_str().into(), ends_ms.into(), new.id.as_str().into()],
    )?;
    Ok(Ok(Rotated { old, new }))
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
            .map(|lines| lines.split_ascii_whitespace().map(str::to_owned).collect()),
        created_ms: row.int(6)?,
        expires_ms: row.opt_int(7)?,
        revoked_ms: row.opt_int(8)?,
        successor: row.opt_text(9)?,
        term_ms: row.opt_int(10)?,
        used_day: row.opt_int(11)?,
    })
}
