//! Reading a verification, and taking it back.

use serde::{Deserialize, Serialize};

use super::{VerificationView, VerifyStatus, end, limits::Times, row};
use crate::account::record::account_row::MIRROR_DELAY_MS;
use crate::account::refusal::Refusal;
use crate::account::request::{Outcome, Request, Wakes};
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

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> Outcome<Box<VerificationView>> {
        let found = row::find(sql, &self.uid, self.mode)?.ok_or(Refusal::NotFound)?;
        let free_ms = Times::read(sql, work.now_ms, found.msisdn, found.test)?.free_ms();
        Ok(Box::new(found.view(work.now_ms, free_ms)))
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

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> Outcome<Box<VerificationView>> {
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
