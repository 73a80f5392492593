//! Calls of accounts' objects. The first call of the caller's own object pays the token that the request costs.

use super::context::Context;
use super::idempotency;
use crate::account::refusal::Refusal;
use crate::account::request::{self as object, Request};
use crate::fault::{Fault, FaultKind};
use crate::ports::Platform;
use crate::problem::{Conflict, Problem};

impl<P: Platform> Context<'_, P> {
    /// Calls the object of the caller's account. A refusal is a problem.
    pub async fn call<R: Request>(&self, request: &R) -> Result<R::Reply, Problem> {
        self.ask(request).await?.map_err(|refusal| self.problem(refusal))
    }

    /// Calls the object of the caller's account, and returns a refusal as it is.
    pub async fn ask<R: Request>(&self, request: &R) -> Result<Result<R::Reply, Refusal>, Problem> {
        let caller = self.caller()?;
        let paying_key = self.record.charge_once().then(|| caller.key_id());
        let reply = object::ask(self.platform, caller.account(), paying_key, request).await?;
        self.record.note_limit(reply.limit);
        Ok(reply.outcome)
    }

    /// Calls the object of any account, for an operator. The request must be paid already.
    pub async fn call_other<R: Request>(&self, account: &str, request: &R) -> Result<R::Reply, Problem> {
        let reply = object::ask(self.platform, account, None, request).await?;
        reply.outcome.map_err(|refusal| self.problem(refusal))
    }

    /// The problem that the client gets for a refusal.
    pub fn problem(&self, refusal: Refusal) -> Problem {
        match refusal {
            Refusal::KeyRevoked => Problem::Unauthorized { key_sent: true },
            Refusal::RateLimited => Problem::TooManyRequests {
                retry_after_s: self.record.limit().map_or(1, |state| state.decision.retry_after_s),
            },
            Refusal::IdempotencyMismatch => Problem::Validation(vec![idempotency::mismatch()]),
            Refusal::Inactive => Problem::UserInactive,
            Refusal::SendingOff(for_all) => Problem::SendNotAllowed { for_all },
            Refusal::InsufficientBalance { cost, available } => Problem::InsufficientBalance { cost, available },
            Refusal::WalletFull => Problem::Conflict(Conflict::WalletFull),
            Refusal::NotFound => Problem::NotFound,
            Refusal::UnknownRequest => Problem::Unavailable(
                "the account's object does not know the request: it is of another version".to_owned(),
            ),
            Refusal::Unknown => Problem::Unavailable(
                "the account's object refused for a reason that this version does not know".to_owned(),
            ),
            Refusal::TooManyKeys => Problem::Conflict(Conflict::TooManyKeys),
            Refusal::BlacklistFull => Problem::Conflict(Conflict::BlacklistFull),
            Refusal::NotScheduled => Problem::Conflict(Conflict::NotScheduled),
            Refusal::Blacklisted(numbers) => {
                let fault = |number| Fault::of("recipients", FaultKind::Blacklisted(format!("+{number}")));
                Problem::RecipientBlacklisted(numbers.into_iter().map(fault).collect())
            }
        }
    }
}
