//! The end of a verification: whatever ends one does it here, together with the seed, the messages that have not left and the
//! event that tells of it.

use serde_json::json;
use sms::mask;

use super::VerifyStatus;
use super::row::{Sent, Verification};
use crate::account::chunk::expiry;
use crate::account::outbox::events;
use crate::account::unit_of_work::UnitOfWork;
use crate::base::ports::{MAX_INTEGER, PortError, Sql};

/// Ends a verification.
pub fn end(
    sql: &impl Sql,
    work: &mut UnitOfWork,
    verification: &mut Verification,
    status: VerifyStatus,
) -> Result<(), PortError> {
    verification.status = status;
    verification.seed = None;
    verification.ended_ms = Some(work.now_ms);
    verification.write(sql)?;
    let messages: Vec<i64> = verification.sends.iter().map(|Sent(message, ..)| *message).collect();
    // Whatever has ended the verification, nobody needs its code any more.
    expiry::cancel_expired(sql, work, MAX_INTEGER, &messages)?;
    tell(sql, work, verification)
}

/// Tells the account's program how a verification has ended.
pub fn tell(sql: &impl Sql, work: &UnitOfWork, ended: &Verification) -> Result<(), PortError> {
    let data = json!({
        "id": ended.uid,
        "status": ended.status.as_str(),
        "recipient": mask::shown(ended.msisdn),
        "purpose": ended.purpose,
        "clientRef": ended.client_ref,
        "test": ended.test,
    });
    events::verified(sql, work, ended.test, &data)
}

/// Ends all that are pending, because the object has gone back in time: some of their codes may have been right since.
pub fn end_all(sql: &impl Sql, now_ms: i64) -> Result<(), PortError> {
    sql.exec(
        "UPDATE verification SET status = ?1, seed = NULL, ended_ms = ?2 WHERE status = ?3",
        &[
            VerifyStatus::Expired.code().into(),
            now_ms.into(),
            VerifyStatus::Pending.code().into(),
        ],
    )
    .map(drop)
}
