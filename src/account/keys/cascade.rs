//! Throwing a key out with what comes from it: each key that it has made or that stands in its place, and each key of which that
//! is true of one of those, with their sessions, the members that they have admitted, and the passkeys that were added in such a
//! session.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::authority::Authority;
use super::{COLUMNS, KeyView, find, lasting, passkeys, state};
use crate::account::refusal::Refusal;
use crate::account::request::{Entry, ReplyResult, Request, Wakes};
use crate::account::unit_of_work::UnitOfWork;
use crate::base::ports::{PortError, Row, Sql};
use crate::base::record::Columns;
use crate::base::time;
use crate::durable::audit::Subject;

/// The key `?1`, and all that come from it. An account has few keys, so the walk through all of them is short.
macro_rules! from_key {
    () => {
        "(id = ?1 OR EXISTS (SELECT 1 FROM key_maker m WHERE m.key = api_key.id AND m.maker = ?1))"
    };
}

/// The passkeys that come from the key `?1`: they were added in a session of a link that it has made.
const FROM_KEY: &str = "id IN (SELECT key FROM key_maker WHERE maker = ?1)";

/// Revokes a key and all that come from it, or none. Doing it again changes nothing, and has the same answer.
#[derive(Debug, Serialize, Deserialize)]
pub struct RevokeCascade {
    /// Who revokes them.
    pub by: Authority,
    /// The key that the others come from.
    pub id: String,
    /// Whether it is that of a member.
    #[serde(default)]
    pub is_member: bool,
}

/// A key that is revoked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Revoked {
    /// Its id.
    pub id: String,
    /// What it was for.
    pub title: String,
    /// Hex SHA-256 of the key.
    pub digest: String,
    /// When it was revoked.
    pub revoked_ms: i64,
    /// The number of the person. `None`: it is no member.
    #[serde(default)]
    pub phone: Option<u64>,
}

impl Request for RevokeCascade {
    const NAME: &'static str = "RevokeCascade";
    const PROTECTS: bool = true;
    /// Many that have ended push older ones out.
    const WAKES: Wakes = Wakes::In(0);
    /// There are only so many keys.
    const ENTRY: Entry = Entry::Bounded;
    /// The keys, by their ids.
    type Reply = Vec<Revoked>;

    fn audited(&self, sql: &impl Sql, _: &UnitOfWork) -> Result<Option<Subject>, PortError> {
        let key = find(sql, &self.id)?;
        let shown = key.as_ref().map(state).map(|state| with_made(sql, &self.id, state));
        Ok(Some(Subject::named(&self.id, shown.transpose()?)))
    }

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<Vec<Revoked>> {
        match self.is_member {
            true => self.by.dismissible(sql, &self.id, work.now_ms)?,
            false => self.by.revocable(sql, &self.id, work.now_ms)?,
        };
        let keys = keys_from(sql, &self.id)?;
        self.by.may_revoke_all(sql, &keys, work.now_ms)?;
        let members = passkeys::members(sql, FROM_KEY, &self.id)?;
        self.by.may_forget(sql, &members, work.now_ms)?;
        if self.ends_caller(sql, &keys)? {
            return Err(Refusal::OwnKey.into());
        }
        sql.exec(
            concat!(
                "UPDATE api_key SET revoked_ms = ?2 WHERE revoked_ms IS NULL AND ",
                from_key!()
            ),
            &[self.id.as_str().into(), work.now_ms.into()],
        )?;
        passkeys::forget(
            sql,
            concat!("member IN (SELECT id FROM api_key WHERE ", from_key!(), ")"),
            &self.id,
        )?;
        passkeys::forget(sql, FROM_KEY, &self.id)?;
        let query = concat!(
            "SELECT id, title, digest, revoked_ms, iif(session_of IS NULL, phone, NULL) FROM api_key WHERE ",
            from_key!(),
            " ORDER BY id"
        );
        let rows = sql.exec(query, &[self.id.as_str().into()])?;
        rows.iter().map(revoked).collect::<Result<_, _>>().map_err(Into::into)
    }
}

impl RevokeCascade {
    /// Whether the key or the session of the request would end, of a request that may not end itself.
    fn ends_caller(&self, sql: &impl Sql, keys: &[KeyView]) -> Result<bool, PortError> {
        let may_end = !self.is_member && !matches!(self.by, Authority::OperatorKey(_));
        let Some(own) = self.by.key().filter(|_| !may_end) else {
            return Ok(false);
        };
        let lasting = lasting(sql, own)?;
        Ok(keys.iter().any(|key| key.id == own || key.id == lasting))
    }
}

fn revoked(row: &Row) -> Result<Revoked, PortError> {
    let mut row = row.reader();
    Ok(Revoked {
        id: row.read()?,
        title: row.read()?,
        digest: row.read()?,
        revoked_ms: row.read()?,
        phone: row.read::<Option<i64>>()?.and_then(|phone| u64::try_from(phone).ok()),
    })
}

/// The key and all that come from it.
fn keys_from(sql: &impl Sql, id: &str) -> Result<Vec<KeyView>, PortError> {
    let query = format!(concat!("SELECT {} FROM api_key WHERE ", from_key!()), COLUMNS);
    sql.exec(&query, &[id.into()])?.iter().map(KeyView::of).collect()
}

/// What the audit log shows of a key, when those that come from it were revoked, and which passkeys come from it.
fn with_made(sql: &impl Sql, id: &str, mut state: Value) -> Result<Value, PortError> {
    let others = keys_from(sql, id)?.into_iter().filter(|key| key.id != id);
    let ends = others.map(|key| (key.id, key.revoked_ms.map(time::to_rfc3339).into()));
    let made = Value::Object(ends.collect::<Map<_, _>>());
    if let Value::Object(members) = &mut state {
        members.insert("made".to_owned(), made);
        let passkeys = passkeys::ids(sql, FROM_KEY, id)?;
        if !passkeys.is_empty() {
            members.insert("passkeys".to_owned(), passkeys.into());
        }
    }
    Ok(state)
}
