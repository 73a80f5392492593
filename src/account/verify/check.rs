//! Checking a code.

use serde::{Deserialize, Serialize};

use super::{MAX_TTL_MS, VerificationView, VerifyStatus, end, row, row::Verification};
use crate::account::codes;
use crate::account::record::account_row::MIRROR_DELAY_MS;
use crate::account::refusal::Refusal;
use crate::account::request::{ReplyResult, Request, Wakes};
use crate::account::unit_of_work::UnitOfWork;
use crate::auth::Mode;
use crate::base::ports::{PortError, Sql};

/// Which verification a request is about.
#[derive(Debug, Serialize, Deserialize)]
pub enum Which {
    /// The one with this id.
    Id(String),
    /// The newest of this recipient and this purpose.
    Newest(u64, String),
}

impl Which {
    fn find(&self, sql: &impl Sql, now_ms: i64, mode: Mode) -> Result<Option<Verification>, PortError> {
        match self {
            Which::Id(uid) => row::find(sql, uid, mode),
            Which::Newest(msisdn, purpose) => {
                // One that has ended says how it did, for as long again as the longest lasts.
                let since_ms = now_ms.saturating_sub(2 * MAX_TTL_MS);
                row::newest(sql, (*msisdn, purpose), mode == Mode::Test, since_ms)
            }
        }
    }
}

/// Checks a code. Each counts, right or wrong.
#[derive(Debug, Serialize, Deserialize)]
pub struct CheckVerification {
    /// Of which verification.
    pub which: Which,
    /// The code, in ASCII digits.
    pub code: String,
    /// The mode of the key of the request.
    pub mode: Mode,
}

/// What came of a check.
#[derive(Debug, Serialize, Deserialize)]
pub struct Checked {
    /// Whether the code was right.
    pub is_right: bool,
    /// The verification as it is now.
    pub view: VerificationView,
}

impl Request for CheckVerification {
    const NAME: &'static str = "CheckVerification";
    const WAKES: Wakes = Wakes::In(MIRROR_DELAY_MS);
    type Reply = Checked;

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<Checked> {
        let now_ms = work.now_ms;
        let Some(mut found) = self.which.find(sql, now_ms, self.mode)? else {
            return Err(Refusal::NotPending { ended: None }.into());
        };
        let status = found.status_at(now_ms);
        let Some(of) = found.code().filter(|_| status == VerifyStatus::Pending) else {
            let ended = Some(status.as_str().to_owned());
            return Err(Refusal::NotPending { ended }.into());
        };
        let is_right = codes::is_right(&work.master_key, of, &self.code)?;
        found.checks = found.checks.saturating_add(1);
        if is_right {
            end::end(sql, work, &mut found, VerifyStatus::Approved)?;
        } else if found.checks >= found.max_attempts {
            end::end(sql, work, &mut found, VerifyStatus::Failed)?;
        } else {
            found.write(sql)?;
        }
        Ok(Checked {
            is_right,
            view: found.view(now_ms, 0),
        })
    }
}
