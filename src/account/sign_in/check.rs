//! Checking a code to sign in with.

use serde::{Deserialize, Serialize};

use super::{MAX_CHECKS, MAX_KNOWN, Send, bound, of_phone};
use crate::account::chunk::expiry;
use crate::account::codes;
use crate::account::record::account_row::MIRROR_DELAY_MS;
use crate::account::request::{ReplyResult, Request, Wakes};
use crate::account::unit_of_work::UnitOfWork;
use crate::base::ports::{MAX_INTEGER, PortError, Sql};

/// Checks the code of a browser. Each counts, right or wrong, for this browser alone.
#[derive(Debug, Serialize, Deserialize)]
pub struct CheckSignIn {
    /// The person's number.
    pub msisdn: u64,
    /// The digest of the browser's cookie.
    pub browser: String,
    /// The code, in ASCII digits.
    pub code: String,
}

impl Request for CheckSignIn {
    const NAME: &'static str = "CheckSignIn";
    const WAKES: Wakes = Wakes::In(MIRROR_DELAY_MS);
    /// Whether it is right. A code is right once.
    type Reply = bool;

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<bool> {
        let all = of_phone(sql, self.msisdn)?;
        let Some(mut own) = all.into_iter().find(|one| one.browser == self.browser) else {
            return Ok(false);
        };
        let Some(of) = own.code(work.now_ms) else {
            return Ok(false);
        };
        let is_right = codes::is_right(&work.master_key, of, &self.code)?;
        own.checks = own.checks.saturating_add(1);
        if is_right {
            own.known_ms = work.now_ms;
        }
        if is_right || own.checks >= MAX_CHECKS {
            own.seed = None;
            // Nobody needs its messages any more.
            let messages: Vec<i64> = own.sends.iter().map(|Send(message, _)| *message).collect();
            expiry::cancel_expired(sql, work, MAX_INTEGER, &messages)?;
        }
        own.write(sql)?;
        if is_right {
            forget_first_known(sql, self.msisdn)?;
        }
        Ok(is_right)
    }
}

/// Forgets that the person has signed in with browsers beyond the newest.
fn forget_first_known(sql: &impl Sql, msisdn: u64) -> Result<(), PortError> {
    sql.exec(
        "UPDATE sign_in SET known_ms = 0 WHERE msisdn = ?1 AND browser IN ( \
           SELECT browser FROM sign_in WHERE msisdn = ?1 AND known_ms > 0 ORDER BY known_ms DESC LIMIT -1 OFFSET ?2)",
        &[bound(msisdn).into(), MAX_KNOWN.into()],
    )
    .map(drop)
}
