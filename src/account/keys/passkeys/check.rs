//! Checking what a passkey has signed.

use serde::{Deserialize, Serialize};

use super::{Answered, answer_once, with_credential};
use crate::account::keys::find;
use crate::account::refusal::Refusal;
use crate::account::request::{ReplyResult, Request, Wakes};
use crate::account::unit_of_work::UnitOfWork;
use crate::auth::webauthn;
use crate::base::ports::Sql;

/// Checks a signature by a passkey. The worker has checked where, in which browser and for what it was made.
#[derive(Debug, Serialize, Deserialize)]
pub struct CheckPasskey {
    /// The id of the credential, base64url.
    pub credential: String,
    /// The member whose passkey it says to be.
    pub member: String,
    /// The digest of what was signed.
    pub digest: [u8; 32],
    /// The signature, DER.
    pub signature: Vec<u8>,
    /// How often the device has signed.
    pub counter: u32,
    /// The challenge that is part of what was signed.
    pub answered: Answered,
}

impl Request for CheckPasskey {
    const NAME: &'static str = "CheckPasskey";
    const WAKES: Wakes = Wakes::Never;
    /// The number of the member. A signature is right once.
    type Reply = u64;

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<u64> {
        let passkey = with_credential(sql, &self.credential)?
            .filter(|one| one.member == self.member)
            .ok_or(Refusal::NotFound)?;
        let member = find(sql, &passkey.member)?.filter(|member| member.counts(work.now_ms));
        let person = member.and_then(|member| member.member).ok_or(Refusal::NotFound)?;
        if !webauthn::is_signed(&passkey.public_key, &self.digest, &self.signature) {
            return Err(Refusal::NotFound.into());
        }
        // A device that counts has signed since: a lower number is that of a copy (WebAuthn, 6.1.1).
        let counts = passkey.counter > 0 || self.counter > 0;
        if counts && self.counter <= passkey.counter {
            return Err(Refusal::PasskeyCopied.into());
        }
        if !answer_once(sql, &self.answered, work.now_ms)? {
            return Err(Refusal::ChallengeEnded.into());
        }
        sql.exec(
            "UPDATE passkey SET counter = ?2, used_ms = ?3 WHERE id = ?1",
            &[passkey.id.into(), self.counter.into(), work.now_ms.into()],
        )?;
        Ok(person.phone)
    }
}
