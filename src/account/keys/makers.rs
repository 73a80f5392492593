//! Which keys have made which, so that a key can be thrown out with what comes from it, and no operator is a second operator to
//! himself.
//!
//! A key that a rotation has made stands in the place of the old one, and was made by the key of the request too, which got to see
//! it. What operators issue for an account has no maker among the account's keys. What comes from a session
//! of a link was made by the key that has made the link, too; a passkey comes from what the session came from in which it was added. The makers of a key are noted when it is made, with their own makers. So they
//! stay known when a key in between is forgotten, and asking is one look.

use serde::{Deserialize, Serialize};

use super::KeyView;
use crate::account::refusal::Refusal;
use crate::account::request::{ReplyResult, Request, Wakes};
use crate::account::unit_of_work::UnitOfWork;
use crate::base::ports::{PortError, Sql};
use crate::durable::to_json;

/// Notes by which key of the object a key was made, and in the place of which key.
pub fn note(sql: &impl Sql, key: &str, maker: Option<&str>, replaced: Option<&str>) -> Result<(), PortError> {
    sql.exec(
        "INSERT INTO key_maker (key, maker, replaced) \
         SELECT ?1, maker, max(replaced) FROM ( \
           SELECT ?2 AS maker, 0 AS replaced UNION ALL SELECT ?3, 1 WHERE ?3 IS NOT NULL \
           UNION ALL SELECT maker, 0 FROM key_maker WHERE key = ?2 \
           UNION ALL SELECT maker, replaced FROM key_maker WHERE key = ?3) \
         WHERE maker IN (SELECT id FROM api_key) GROUP BY maker",
        &[key.into(), maker.into(), replaced.into()],
    )
    .map(drop)
}

/// Notes that a key comes from `maker` and its makers, too.
pub fn add(sql: &impl Sql, key: &str, maker: &str) -> Result<(), PortError> {
    sql.exec(
        "INSERT OR IGNORE INTO key_maker (key, maker, replaced) \
         SELECT ?1, id, 0 FROM api_key WHERE id = ?2 UNION SELECT ?1, maker, 0 FROM key_maker WHERE key = ?2",
        &[key.into(), maker.into()],
    )
    .map(drop)
}

/// Notes that a key comes from what a session, a link or another key comes from, too. So what is made in a session of a link comes from
/// the key that has made the link.
pub fn add_those_of(sql: &impl Sql, key: &str, other: &str) -> Result<(), PortError> {
    sql.exec(
        "INSERT OR IGNORE INTO key_maker (key, maker, replaced) \
         SELECT ?1, maker, 0 FROM key_maker WHERE key = ?2 AND maker <> ?1 AND maker IN (SELECT id FROM api_key)",
        &[key.into(), other.into()],
    )
    .map(drop)
}

/// What a key comes from.
pub fn of(sql: &impl Sql, key: &str) -> Result<Vec<String>, PortError> {
    let rows = sql.exec(
        "SELECT maker FROM key_maker WHERE key = ?1 ORDER BY maker",
        &[key.into()],
    )?;
    rows.iter().map(|row| row.text(0)).collect()
}

/// The first key in whose place a key stands: itself, if it has replaced none.
pub fn first_of_line(sql: &impl Sql, key: &str) -> Result<String, PortError> {
    let rows = sql.exec(
        "SELECT m.maker FROM key_maker m WHERE m.key = ?1 AND m.replaced = 1 \
           AND NOT EXISTS (SELECT 1 FROM key_maker o WHERE o.key = m.maker AND o.replaced = 1) ORDER BY m.maker LIMIT 1",
        &[key.into()],
    )?;
    let first = rows.first().map(|row| row.text(0)).transpose()?;
    Ok(first.unwrap_or_else(|| key.to_owned()))
}

/// What passkeys come from, `[passkey, key]`.
pub fn of_passkeys(sql: &impl Sql) -> Result<Vec<(String, String)>, PortError> {
    let query = "SELECT key, maker FROM key_maker WHERE key IN (SELECT id FROM passkey) ORDER BY key, maker";
    let rows = sql.exec(query, &[])?;
    rows.iter().map(|row| Ok((row.text(0)?, row.text(1)?))).collect()
}

/// By which keys those of a list were made, `[key, maker, replaced]`: the keys by their places in the list of all, by their ids.
pub type Places = Vec<(i64, i64, bool)>;

/// What is noted of the keys that the object knows.
pub fn all(sql: &impl Sql) -> Result<Places, PortError> {
    let rows = sql.exec(
        "WITH known (id, place) AS MATERIALIZED (SELECT id, row_number() OVER (ORDER BY id) - 1 FROM api_key) \
         SELECT k.place, m.place, n.replaced FROM key_maker n JOIN known k ON k.id = n.key JOIN known m ON m.id = n.maker \
         ORDER BY k.place, m.place",
        &[],
    )?;
    rows.iter()
        .map(|row| Ok((row.int(0)?, row.int(1)?, row.bool(2)?)))
        .collect()
}

/// Notes again what was noted of these keys, all that there are.
pub fn restore(sql: &impl Sql, keys: &[KeyView], noted: &Places) -> Result<(), PortError> {
    let ids: Vec<&str> = keys.iter().map(|key| key.id.as_str()).collect();
    sql.exec(
        "INSERT OR REPLACE INTO key_maker (key, maker, replaced) \
         SELECT ?1 ->> ('$[' || (value ->> 0) || ']'), ?1 ->> ('$[' || (value ->> 1) || ']'), value ->> 2 FROM json_each(?2)",
        &[to_json(&ids)?.into(), to_json(noted)?.into()],
    )
    .map(drop)
}

/// Forgets by whom these keys were made: a JSON list of their ids.
pub fn forget(sql: &impl Sql, keys: &str) -> Result<(), PortError> {
    sql.exec(
        "DELETE FROM key_maker WHERE key IN (SELECT value FROM json_each(?1))",
        &[keys.into()],
    )
    .map(drop)
}

/// Asks whether a key is a second operator to another: it is neither that key, nor one that stands in its place, nor one that any
/// of these has made.
#[derive(Debug, Serialize, Deserialize)]
pub struct CheckSecond {
    /// The key that has begun something.
    pub first: String,
    /// The key that shall approve it.
    pub second: String,
    /// The session in which it does so. It comes from the key that has made its link, too.
    pub session: String,
}

impl Request for CheckSecond {
    const NAME: &'static str = "CheckSecond";
    const WAKES: Wakes = Wakes::Never;
    type Reply = ();

    fn answer(&self, sql: &impl Sql, _: &mut UnitOfWork) -> ReplyResult<()> {
        let rows = sql.exec(
            "SELECT 1 FROM (SELECT ?2 AS id UNION ALL SELECT maker FROM key_maker WHERE key IN (?2, ?3)) \
             WHERE id = ?1 OR id IN (SELECT maker FROM key_maker WHERE key = ?1 AND replaced = 1) LIMIT 1",
            &[
                self.first.as_str().into(),
                self.second.as_str().into(),
                self.session.as_str().into(),
            ],
        )?;
        match rows.is_empty() {
            true => Ok(()),
            false => Err(Refusal::SameOperator.into()),
        }
    }
}
