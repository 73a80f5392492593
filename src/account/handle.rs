//! The one way into an account's object: key, token and request, in one transaction.

use serde::Serialize;

use super::blacklist::{AddToBlacklist, ListBlacklist, RemoveFromBlacklist};
use super::credit::{AddCredit, ListTransactions};
use super::delivery::Deliver;
use super::events::NoteWebhooks;
use super::history::ListMessages;
use super::idempotency::Charge;
use super::inbound::{ListInbound, Receive};
use super::keys::{self, IssueKey, ListKeys, RevokeKey, RotateKey, Standing};
use super::limiter::{self, Cost};
use super::messages::{GetMessage, ListRecipients};
use super::operator_keys::{AdoptKey, RevokeOperatorKey};
use super::overview::{Configure, GetOverview};
use super::patterns::NotePatternChange;
use super::refusal::Refusal;
use super::removals::RemovePhonebook;
use super::request::{LimitState, Outcome, Reply, Request};
use super::schedule::CancelMessage;
use super::send::{EstimateMessage, SendMessage};
use super::sources::ListScheduledFrom;
use super::store::Account;
use crate::object::{Answered, Call, Wake, to_json};
use crate::ports::{PortError, Sql};

/// Makes the table of the requests that the object answers.
macro_rules! requests {
    ($($request:ty),* $(,)?) => {
        /// The names of these requests.
        pub const NAMES: &[&str] = &[$(<$request>::NAME),*];

        /// Answers one call. All that the request writes, it writes together.
        pub fn handle(sql: &impl Sql, now_ms: i64, call: &str) -> Result<Answered, PortError> {
            let call = Call::read(call)?;
            match call.request.as_ref() {
                $(name if name == <$request>::NAME => answer::<$request>(sql, now_ms, &call),)*
                _ => unknown(),
            }
        }
    };
}

requests! {
    Charge,
    SendMessage,
    EstimateMessage,
    CancelMessage,
    ListScheduledFrom,
    RemovePhonebook,
    NotePatternChange,
    ListBlacklist,
    AddToBlacklist,
    RemoveFromBlacklist,
    ListMessages,
    GetMessage,
    ListRecipients,
    GetOverview,
    Configure,
    AddCredit,
    ListTransactions,
    IssueKey,
    ListKeys,
    RevokeKey,
    RotateKey,
    AdoptKey,
    RevokeOperatorKey,
    Deliver,
    Receive,
    ListInbound,
    NoteWebhooks,
}

fn answer<R: Request>(sql: &impl Sql, now_ms: i64, call: &Call<'_>) -> Result<Answered, PortError> {
    let request: R = call.body()?;
    let mut limit = None;
    let outcome = sql.transaction(|| {
        let before = Account::load(sql, &call.to)?;
        let mut account = before.clone();
        if let Some(key) = &call.key
            && let Err(refusal) = admit(sql, now_ms, &mut account, key, call.paid, &request, &mut limit)?
        {
            return Ok(Err(refusal));
        }
        let outcome = request.answer(sql, now_ms, &mut account)?;
        account.save(sql, &before)?;
        Ok(outcome)
    })?;
    let wake = match &outcome {
        Ok(_) => request.wake(now_ms),
        Err(_) => Wake::Never,
    };
    answered(&Reply { limit, outcome }, wake)
}

/// Takes the tokens that a request with an API key costs, unless the key does not count or the tokens are not there.
fn admit<R: Request>(
    sql: &impl Sql,
    now_ms: i64,
    account: &mut Account,
    key: &str,
    paid: u32,
    request: &R,
    limit: &mut Option<LimitState>,
) -> Outcome<()> {
    match keys::standing(sql, key, now_ms)? {
        Standing::Valid => {}
        Standing::Ended => return Ok(Err(Refusal::KeyRevoked)),
        Standing::Unknown => return Ok(Err(Refusal::KeyUnknown)),
    }
    let tokens = match request.tokens() {
        tokens if tokens > 1 && request.is_repeat(sql, now_ms)? => 1,
        tokens => tokens,
    };
    if tokens <= paid {
        return Ok(Ok(()));
    }
    let decision = limiter::admit(&account.limit, account.tat_us, now_ms, Cost { tokens, paid });
    account.tat_us = decision.tat_us;
    *limit = Some(LimitState {
        limit: account.limit,
        decision,
    });
    Ok(match decision.allowed {
        true => Ok(()),
        false => Err(Refusal::RateLimited),
    })
}

fn unknown() -> Result<Answered, PortError> {
    let reply: Reply<()> = Reply {
        limit: None,
        outcome: Err(Refusal::UnknownRequest),
    };
    answered(&reply, Wake::Never)
}

fn answered(reply: &impl Serialize, wake: Wake) -> Result<Answered, PortError> {
    Ok(Answered {
        reply: to_json(reply)?,
        wake,
    })
}
