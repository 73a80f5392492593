//! Calls of accounts' objects. The first call of the caller's own object pays what the request costs. A later one pays if
//! it costs more than the request has paid.

use super::caller::Caller;
use super::context::Context;
use super::idempotency;
use crate::account::OPERATOR;
use crate::account::keys::{KeyView, adoption::AdoptKey, links::CheckLooker};
use crate::account::message::charge::ChargeMore;
use crate::account::refusal::{Excess, Refusal};
use crate::account::request::Request;
use crate::auth::{self, KeyRecord, imprint::Imprint};
use crate::base::{ports::Platform, time};
use crate::durable::{self, Payer};
use crate::problem::field_error::{FieldError, FieldErrorKind};
use crate::problem::{Conflict, Problem};

/// The title of a key that the script has made.
const SCRIPT: &str = "npm run operator-key";

/// A key that a script has put into KV, as the operators' object learns it. `None`: the API has issued it.
pub fn of_script(record: &KeyRecord, key: &str) -> Option<KeyView> {
    let created_ms = record.bootstrapped_at?;
    let Imprint { digest, hint } = Imprint::of(key);
    Some(KeyView {
        hint: Some(hint),
        scopes: record.scopes.clone(),
        lines: record.lines.clone(),
        expires_ms: record.expires_at,
        term_ms: record.expires_at,
        ..KeyView::new(record.key.clone(), SCRIPT.to_owned(), digest, record.mode, created_ms)
    })
}

impl<P: Platform> Context<'_, P> {
    /// Calls the object of the caller's account. A refusal is a problem.
    pub async fn call<R: Request>(&self, request: &R) -> Result<R::Reply, Problem> {
        self.ask(request).await?.map_err(|refusal| self.problem(refusal))
    }

    /// Calls the object of the caller's account, and returns a refusal as it is.
    pub async fn ask<R: Request>(&self, request: &R) -> Result<Result<R::Reply, Refusal>, Problem> {
        let caller = self.caller()?;
        let tokens = request.tokens();
        let paid = self.record.pay(tokens);
        let payer = match caller {
            Caller::Key(_) => (tokens > paid || R::NEEDS_KEY).then(|| self.payer(caller, paid)),
            Caller::Service(_) => None,
        };
        let noted = self.audit_note(Some(caller.account()))?;
        let note = noted.as_ref().map(|(_, note)| note);
        let ask = || durable::ask(self.platform, caller.account(), payer, note, request);
        let mut reply = ask().await?;
        if matches!(reply.outcome, Err(Refusal::KeyUnknown)) && self.introduce(caller).await? {
            reply = ask().await?;
        }
        self.record.note_limit(reply.limit);
        Ok(reply.outcome)
    }

    /// The key of the request as a payer that has paid so many tokens.
    fn payer<'c>(&'c self, caller: &'c Caller, paid: u32) -> Payer<'c> {
        Payer {
            key: caller.key_id(),
            paid,
            address: self.request.head.address.as_deref(),
        }
    }

    /// Pays these tokens for work that the request is about to do, of which so many are paid a moment ago. None is paid without
    /// the others.
    pub async fn pay_more(&self, tokens: u32, paid: u32) -> Result<(), Problem> {
        if tokens <= paid {
            return Ok(());
        }
        let caller = self.caller()?;
        let payer = self.payer(caller, paid);
        let charge = ChargeMore(tokens);
        let reply = durable::ask(self.platform, caller.account(), Some(payer), None, &charge).await?;
        self.record.note_limit(reply.limit);
        reply.outcome.map_err(|refusal| self.problem(refusal))
    }

    /// Lets the operators' object learn the caller's key, which a script has put into KV. Returns `false` for any other key.
    async fn introduce(&self, caller: &Caller) -> Result<bool, Problem> {
        let Caller::Key(record) = caller else {
            return Ok(false);
        };
        let key = auth::bearer(self.request.head.authorization.as_deref());
        let Some(key) = key.ok().and_then(|key| of_script(record, key)) else {
            return Ok(false);
        };
        self.call_other(&record.account, &AdoptKey(key)).await?;
        Ok(true)
    }

    /// Calls the object of any account, for an operator. The request must be paid already.
    pub async fn call_other<R: Request>(&self, account: &str, request: &R) -> Result<R::Reply, Problem> {
        let outcome = self.ask_other(account, request).await?;
        outcome.map_err(|refusal| self.problem(refusal))
    }

    /// As [`Context::call_other`], but returns a refusal as it is.
    pub async fn ask_other<R: Request>(
        &self,
        account: &str,
        request: &R,
    ) -> Result<Result<R::Reply, Refusal>, Problem> {
        let noted = self.audit_note(Some(account))?;
        let note = noted.as_ref().map(|(_, note)| note);
        Ok(durable::ask(self.platform, account, None, note, request).await?.outcome)
    }

    /// Who looks at an account may do so as long as the operator's key may. The account's object does not know that key, so the
    /// operators' object is asked, at each request.
    pub async fn check_looker(&self, caller: &Caller) -> Result<(), Problem> {
        let Some(key) = caller.looker() else {
            return Ok(());
        };
        let check = CheckLooker { key: key.to_owned() };
        let reply = durable::ask(self.platform, OPERATOR, None, None, &check).await?;
        reply.outcome.map_err(|refusal| self.problem(refusal))
    }

    /// The problem that the client gets for a refusal.
    pub fn problem(&self, refusal: Refusal) -> Problem {
        match refusal {
            Refusal::KeyRevoked | Refusal::KeyUnknown => Problem::Unauthorized { key_sent: true },
            Refusal::RateLimited => Problem::TooManyRequests {
                retry_after_s: self.record.limit().map_or(1, |state| state.decision.retry_after_s),
            },
            Refusal::AuditFull { retry_after_s } => Problem::TooManyChanges { retry_after_s },
            Refusal::IdempotencyMismatch => Problem::Validation(vec![idempotency::mismatch()]),
            Refusal::Inactive => Problem::UserInactive,
            Refusal::Barred { reason, is_inactive } => Problem::Barred { reason, is_inactive },
            Refusal::Closed => Problem::Conflict(Conflict::AccountClosed),
            Refusal::NotEmpty {
                available,
                locked,
                recipients,
            } => Problem::Conflict(Conflict::AccountNotEmpty {
                available,
                locked,
                unit: self.app.config.unit.clone(),
                recipients,
            }),
            Refusal::SendingOff(for_all) => Problem::SendNotAllowed { for_all },
            Refusal::InsufficientBalance { cost, available } => Problem::InsufficientBalance {
                cost,
                available,
                unit: self.app.config.unit.clone(),
            },
            Refusal::WalletFull => Problem::Conflict(Conflict::WalletFull),
            Refusal::NotFound => Problem::NotFound,
            Refusal::UnknownRequest => Problem::Unavailable(
                "the account's object does not know the request: it is of another version".to_owned(),
            ),
            Refusal::Unknown => Problem::Unavailable(
                "the account's object refused for a reason that this version does not know".to_owned(),
            ),
            Refusal::TooManyKeys => Problem::Conflict(Conflict::TooManyKeys),
            Refusal::OwnKey => Problem::Conflict(Conflict::OwnKey),
            Refusal::LastKey => Problem::Conflict(Conflict::LastKey),
            Refusal::NotMember => Problem::Conflict(Conflict::NotMember),
            Refusal::NeedsPasskey => Problem::Conflict(Conflict::NeedsPasskey),
            Refusal::MemberJoined => Problem::Conflict(Conflict::MemberJoined),
            Refusal::TooManyInvitations => Problem::Conflict(Conflict::TooManyInvitations),
            Refusal::NoPasskey => Problem::Conflict(Conflict::NoPasskey),
            Refusal::PasskeyExists => Problem::Conflict(Conflict::PasskeyExists),
            Refusal::TooManyPasskeys => Problem::Conflict(Conflict::TooManyPasskeys),
            Refusal::PasskeyCopied => {
                Problem::Validation(vec![FieldError::of("signature", FieldErrorKind::WrongPasskey)])
            }
            Refusal::ChallengeEnded => {
                Problem::Validation(vec![FieldError::of("clientDataJSON", FieldErrorKind::ChallengeEnded)])
            }
            Refusal::SameOperator => Problem::SameOperator,
            Refusal::TooLate => Problem::Unavailable("the request came to the account's object too late".to_owned()),
            Refusal::WiderKey(excess) => match excess.first() {
                Some(Excess::Scope(scope)) if scope.is_for_operators() => Problem::Forbidden(*scope),
                _ => Problem::WiderKey,
            },
            Refusal::BlacklistFull => Problem::Conflict(Conflict::BlacklistFull),
            Refusal::TooManyErasures => Problem::Conflict(Conflict::TooManyErasures),
            Refusal::TooManyCampaigns => Problem::Conflict(Conflict::TooManyCampaigns),
            Refusal::CampaignState(state) => Problem::Conflict(Conflict::CampaignState(state)),
            Refusal::ResentOnce => Problem::Conflict(Conflict::ResentOnce),
            Refusal::FixedResend => Problem::Conflict(Conflict::FixedResend),
            Refusal::HasLeft => Problem::Conflict(Conflict::HasLeft),
            Refusal::OfCampaign(campaign) => Problem::Conflict(Conflict::OfCampaign(campaign)),
            Refusal::InCampaigns(campaigns) => Problem::Conflict(Conflict::InCampaigns(campaigns)),
            Refusal::CampaignBegun => Problem::Conflict(Conflict::CampaignBegun),
            Refusal::HasCode => Problem::Conflict(Conflict::HasCode),
            Refusal::NotRestored(why) => Problem::Conflict(Conflict::NotRestored(why)),
            Refusal::BeforeMove(arrived_ms) => Problem::Conflict(Conflict::BeforeMove(time::to_rfc3339(arrived_ms))),
            Refusal::NotStalled => Problem::Conflict(Conflict::NotStuck),
            Refusal::NotPending { ended } => {
                Problem::VerifyNotPending(vec![FieldError::of("id", FieldErrorKind::NotPending(ended))])
            }
            Refusal::DailyLimit {
                limit,
                spent,
                cost,
                of_key,
                retry_after_s,
            } => Problem::DailyLimitReached {
                limit,
                spent,
                cost,
                of_key,
                retry_after_s,
            },
            Refusal::RecipientLimit {
                recipients,
                retry_after_s,
            } => {
                let fault = |number| FieldError::of("recipients", FieldErrorKind::RecipientLimit(format!("+{number}")));
                Problem::RecipientLimit {
                    faults: recipients.into_iter().map(fault).collect(),
                    retry_after_s,
                }
            }
            Refusal::Blacklisted(numbers) => {
                let fault = |number| FieldError::of("recipients", FieldErrorKind::Blacklisted(format!("+{number}")));
                Problem::RecipientBlacklisted(numbers.into_iter().map(fault).collect())
            }
        }
    }
}
