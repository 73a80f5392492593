//! What the object holds on a number, for the person whose it is.

use serde::{Deserialize, Serialize};

use super::blacklist;
use super::request::{ReplyResult, Request, Wakes};
use super::unit_of_work::UnitOfWork;
use crate::base::ports::{PortError, Sql};

/// Messages that are counted at most.
pub const MOST_COUNTED: i64 = 10_000;

/// What an account's object holds on a number.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Held {
    /// Live messages to it, at most [`MOST_COUNTED`].
    pub messages: i64,
    /// Messages from it, at most [`MOST_COUNTED`].
    pub inbound: i64,
    /// Whether it is on the blacklist, or stays blocked after an erasure.
    pub blacklisted: bool,
    /// Whether its owner has put it there.
    pub opt_out: bool,
}

/// Asks what the object holds on a number.
#[derive(Debug, Serialize, Deserialize)]
pub struct GetHeld(pub u64);

impl Request for GetHeld {
    const NAME: &'static str = "GetHeld";
    const WAKES: Wakes = Wakes::Never;
    type Reply = Held;

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<Held> {
        let rows = sql.exec(
            "SELECT (SELECT count(*) FROM (SELECT DISTINCT p.message FROM message_to p CROSS JOIN message m ON m.id = p.message \
                                           WHERE p.msisdn = ?1 AND m.test = 0 LIMIT ?3)), \
                    (SELECT count(*) FROM (SELECT 1 FROM inbound WHERE sender = ?2 LIMIT ?3))",
            &[
                i64::try_from(self.0).unwrap_or(i64::MAX).into(),
                format!("+{}", self.0).into(),
                MOST_COUNTED.into(),
            ],
        )?;
        let row = rows.first().ok_or(PortError::failed("sql", "no count"))?;
        let (by_account, by_owner) = blacklist::count(sql, work, &[self.0])?;
        Ok(Held {
            messages: row.int(0)?,
            inbound: row.int(1)?,
            blacklisted: by_account + by_owner > 0,
            opt_out: by_owner > 0,
        })
    }
}
