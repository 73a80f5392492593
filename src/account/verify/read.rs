//! Reading verifications, and taking one back.

use serde::{Deserialize, Serialize};

use super::{VerificationView, VerifyStatus, end, limits::Times, row};
use crate::account::record::account_row::MIRROR_DELAY_MS;
use crate::account::refusal::Refusal;
use crate::account::request::{ReplyResult, Request, Wakes};
use crate::account::unit_of_work::UnitOfWork;
use crate::auth::Mode;
use crate::base::ports::Sql;

/// Asks for a verification.
#[derive(Debug, Serialize, Deserialize)]
pub struct GetVerification {
    /// Its id.
    pub uid: String,
    /// The mode of the key of the request. A verification of the other mode is not found.
    pub mode: Mode,
}

impl Request for GetVerification {
    const NAME: &'static str = "GetVerification";
    const WAKES: Wakes = Wakes::Never;
    type Reply = Box<VerificationView>;

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<Box<VerificationView>> {
        let found = row::find(sql, &self.uid, self.mode)?.ok_or(Refusal::NotFound)?;
        let free_ms = Times::read(sql, work.now_ms, found.msisdn, found.test)?.free_ms();
        Ok(Box::new(found.view(work.now_ms, free_ms)))
    }
}

/// Asks for the pending verifications of a recipient, the newest first.
#[derive(Debug, Serialize, Deserialize)]
pub struct FindVerifications {
    /// Whose number is verified.
    pub msisdn: u64,
    /// What for; `None` for all purposes.
    pub purpose: Option<String>,
    /// The mode of the key of the request. Verifications of the other mode are not found.
    pub mode: Mode,
}

impl Request for FindVerifications {
    const NAME: &'static str = "FindVerifications";
    const WAKES: Wakes = Wakes::Never;
    type Reply = Vec<VerificationView>;

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<Vec<VerificationView>> {
        let (now_ms, test) = (work.now_ms, self.mode == Mode::Test);
        let found = row::pending(sql, (self.msisdn, self.purpose.as_deref()), test, now_ms)?;
        if found.is_empty() {
            return Ok(Vec::new());
        }
        let free_ms = Times::read(sql, now_ms, self.msisdn, test)?.free_ms();
        Ok(found.iter().map(|pending| pending.view(now_ms, free_ms)).collect())
    }
}

/// Takes a verification back. What of its messages has not left is canceled.
#[derive(Debug, Serialize, Deserialize)]
pub struct CancelVerification {
    /// Its id.
    pub uid: String,
    /// The mode of the key of the request. A verification of the other mode is not found.
    pub mode: Mode,
}

impl Request for CancelVerification {
    const NAME: &'static str = "CancelVerification";
    const WAKES: Wakes = Wakes::In(MIRROR_DELAY_MS);
    type Reply = Box<VerificationView>;

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<Box<VerificationView>> {
        let mut found = row::find(sql, &self.uid, self.mode)?.ok_or(Refusal::NotFound)?;
        let status = found.status_at(work.now_ms);
        if status != VerifyStatus::Pending {
            let ended = Some(status.as_str().to_owned());
            return Err(Refusal::NotPending { ended }.into());
        }
        end::end(sql, work, &mut found, VerifyStatus::Canceled)?;
        Ok(Box::new(found.view(work.now_ms, 0)))
    }
}
