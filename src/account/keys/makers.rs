//! Which operators' keys have made which, so that nobody is a second operator to himself.
//!
//! A key that a rotation has made stands in the place of the old one, and was made by the key of the request too, which got to see
//! it. The makers of a key are noted when it is made, with their own makers. So they stay known when a key in between is forgotten,
//! and asking is one look.

use serde::{Deserialize, Serialize};

use crate::account::refusal::Refusal;
use crate::account::request::{Outcome, Request, Wakes};
use crate::account::unit_of_work::UnitOfWork;
use crate::base::ports::{PortError, Sql};

/// Notes by whom a key was made, and in the place of which key.
pub fn note(sql: &impl Sql, key: &str, maker: &str, replaced: Option<&str>) -> Result<(), PortError> {
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
}

impl Request for CheckSecond {
    const NAME: &'static str = "CheckSecond";
    const WAKES: Wakes = Wakes::Never;
    type Reply = ();

    fn answer(&self, sql: &impl Sql, _: &mut UnitOfWork) -> Outcome<()> {
        let rows = sql.exec(
            "SELECT 1 FROM (SELECT ?2 AS id UNION ALL SELECT maker FROM key_maker WHERE key = ?2) \
             WHERE id = ?1 OR id IN (SELECT maker FROM key_maker WHERE key = ?1 AND replaced = 1) LIMIT 1",
            &[self.first.as_str().into(), self.second.as_str().into()],
        )?;
        Ok(if rows.is_empty() {
            Ok(())
        } else {
            Err(Refusal::SameOperator)
        })
    }
}
