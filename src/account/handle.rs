//! The one way into an account's object: key, token and request. Calls that come together are one transaction.

use std::collections::BTreeMap;

use serde::Serialize;

use super::audit_budget::{self, NoteAudited, Written};
use super::blacklist::{AddToBlacklist, ListBlacklist, RemoveFromBlacklist};
use super::campaign::recipients::ListCampaignRecipients;
use super::campaign::requests::{ChangeCampaign, DeleteCampaign, GetCampaign, ListCampaigns, MakeCampaign};
use super::campaign::resend::ResendCampaign;
use super::campaign::steer::SteerCampaign;
use super::chunk::{
    look_again::LookAgain,
    orphan_receipts::{FindForOrphans, ListStatuses},
    reports::Deliver,
    stalled::RetryChunk,
};
use super::closing::CloseAccount;
use super::delivery_stats::GetOutcomes;
use super::erasure::{GetErasure, GetOldestErasure, ListErasures, StartErasure};
use super::held::GetHeld;
use super::hold::{CancelAll, CancelMore};
use super::inbound::{Receive, list::ListInbound, take::TakeInbound};
use super::keys::adoption::AdoptKey;
use super::keys::cascade::RevokeCascade;
use super::keys::console_sessions::{EndSession, GetOwnKey, OpenSession};
use super::keys::invitations::InviteMember;
use super::keys::links::{CheckLooker, GetLink, MakeLink, MakeMemberLink, UseLink};
use super::keys::makers::{self, CheckSecond};
use super::keys::members::{AddMember, ChangeMember, GetMember, ListMembers, RemoveMember};
use super::keys::passkeys::check::CheckPasskey;
use super::keys::passkeys::rule::{GetMemberRule, SetMemberRule};
use super::keys::passkeys::{AddPasskey, ListPasskeys, RemovePasskey, RenamePasskey};
use super::keys::requests::{FindKey, IssueKey, ListKeys, RevokeKey, RotateKey};
use super::keys::standing::{self, Standing, Valid};
use super::limiter::{self, Cost, Decision};
use super::message::accept::{EstimateMessage, SendMessage};
use super::message::charge::{Charge, ChargeMore, ChargeReserve};
use super::message::find::FindRecipients;
use super::message::halt::{CancelMessage, PauseMessage};
use super::message::list::ListMessages;
use super::message::patterns::NotePatternChange;
use super::message::read::{GetMessage, ListRecipients};
use super::metrics::{CountRequests, CountWork, GetRequestCounts, GetWorkCounts};
use super::outbox::events::{GATHER_MS, NoteWebhooks};
use super::outbox::removals::RemovePhonebook;
use super::overview::{ChangeSettings, Configure, GetOverview};
use super::reconcile::Reconcile;
use super::refusal::Refusal;
use super::request::{After, LimitState, Reply, ReplyResult, Request};
use super::restore::{GetRestored, Restore};
use super::sign_in::{check::CheckSignIn, start::StartSignIn};
use super::unit_of_work::UnitOfWork;
use super::unsent::GetUnsent;
use super::usage::days::ListUsage;
use super::verify::read::{CancelVerification, FindVerifications, GetVerification};
use super::verify::{check::CheckVerification, start::StartVerification, stats::GetVerifyStats};
use super::wallet::credit::{AddCredit, FindCredit};
use super::wallet::entries::ListTransactions;
use crate::account::record::account_row::Account;
use crate::account::record::chunk::claim::{Capacity, Claim};
use crate::account::sources::ListScheduledFrom;
use crate::auth::Mode;
use crate::auth::secret::MasterKey;
use crate::base::ports::{PortError, Sql};
use crate::durable::audit::{self, Subject};
use crate::durable::{Answered, Call, Wake, decided, to_json};

/// Makes the table of the requests that the object answers.
macro_rules! requests {
    ($($request:ty),* $(,)?) => {
        /// The names of these requests.
        pub const NAMES: &[&str] = &[$(<$request>::NAME),*];

        fn decide(sql: &impl Sql, batch: &mut Batch, call: &Call<'_>) -> Result<Answered<After>, PortError> {
            match call.request.as_ref() {
                $(name if name == <$request>::NAME => answer::<$request>(sql, batch, call),)*
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
    PauseMessage,
    CancelAll,
    CancelMore,
    ListScheduledFrom,
    RemovePhonebook,
    NotePatternChange,
    ListBlacklist,
    AddToBlacklist,
    RemoveFromBlacklist,
    GetHeld,
    StartErasure,
    GetErasure,
    ListErasures,
    GetOldestErasure,
    ListMessages,
    GetMessage,
    ListRecipients,
    FindRecipients,
    GetOverview,
    ChangeSettings,
    Configure,
    CloseAccount,
    AddCredit,
    FindCredit,
    CheckSecond,
    ListTransactions,
    ListUsage,
    GetOutcomes,
    GetUnsent,
    CountRequests,
    GetRequestCounts,
    CountWork,
    GetWorkCounts,
    IssueKey,
    ListKeys,
    FindKey,
    RevokeKey,
    RevokeCascade,
    RotateKey,
    OpenSession,
    MakeLink,
    MakeMemberLink,
    GetLink,
    UseLink,
    CheckLooker,
    AddMember,
    GetMember,
    InviteMember,
    ListMembers,
    ChangeMember,
    RemoveMember,
    AddPasskey,
    ListPasskeys,
    RenamePasskey,
    RemovePasskey,
    CheckPasskey,
    GetMemberRule,
    SetMemberRule,
    GetOwnKey,
    EndSession,
    AdoptKey,
    Deliver,
    FindForOrphans,
    ListStatuses,
    RetryChunk,
    LookAgain,
    Receive,
    ListInbound,
    TakeInbound,
    NoteWebhooks,
    Reconcile,
    Restore,
    GetRestored,
    NoteAudited,
    ChargeMore,
    ChargeReserve,
    StartVerification,
    CheckVerification,
    GetVerification,
    FindVerifications,
    CancelVerification,
    GetVerifyStats,
    MakeCampaign,
    ChangeCampaign,
    DeleteCampaign,
    GetCampaign,
    ListCampaigns,
    ListCampaignRecipients,
    SteerCampaign,
    ResendCampaign,
    StartSignIn,
    CheckSignIn,
}

/// Answers calls that came together, in their order, and gives one answer for each. All that they write, they write together.
/// If one of them fails, each is answered by itself, so that it alone fails. `capacity` gets what was claimed for carriers with it,
/// `master_key` is for what needs the secret of the service.
pub fn handle(
    sql: &impl Sql,
    now_ms: i64,
    calls: &[impl AsRef<str>],
    capacity: &impl Capacity,
    master_key: &MasterKey,
) -> Vec<Result<Answered<After>, PortError>> {
    if calls.len() > 1
        && let Ok(answers) = together(sql, now_ms, calls, capacity, master_key)
    {
        return answers.into_iter().map(Ok).collect();
    }
    let alone = |call| {
        together(sql, now_ms, std::slice::from_ref(call), capacity, master_key)?
            .pop()
            .ok_or_else(unanswered)
    };
    calls.iter().map(alone).collect()
}

/// The failure of a call that got no answer.
pub fn unanswered() -> PortError {
    PortError::failed("account", "a call without an answer")
}

/// Answers calls in one transaction.
fn together(
    sql: &impl Sql,
    now_ms: i64,
    calls: &[impl AsRef<str>],
    capacity: &impl Capacity,
    master_key: &MasterKey,
) -> Result<Vec<Answered<After>>, PortError> {
    let calls = calls
        .iter()
        .map(|call| Call::read(call.as_ref()))
        .collect::<Result<Vec<_>, _>>()?;
    let Some(first) = calls.first() else {
        return Ok(Vec::new());
    };
    let (answers, account, claims) = sql.transaction(|| {
        let mut batch = Batch {
            work: UnitOfWork::of(now_ms, Account::load(sql, &first.to)?).with_master_key(*master_key),
            standings: BTreeMap::new(),
        };
        let decided = calls.iter().map(|call| decide(sql, &mut batch, call));
        let answers = decided.collect::<Result<_, _>>()?;
        let mut work = batch.work;
        let claims: Vec<Claim> = match work.account.on_hold {
            true => Vec::new(),
            false => work.buffer.claim(sql, now_ms, &work.account.id, capacity)?,
        };
        let account = work.account.id.clone();
        work.save(sql)?;
        Ok((answers, account, claims))
    })?;
    if !claims.is_empty() {
        capacity.take(now_ms, &account, claims);
    }
    Ok(answers)
}

/// What calls that are decided together share.
struct Batch {
    work: UnitOfWork,
    /// Which of the account's keys count, as far as it was looked up.
    standings: BTreeMap<String, Standing>,
}

impl Batch {
    fn standing(&mut self, sql: &impl Sql, key: &str, address: Option<&str>) -> Result<Standing, PortError> {
        if let Some(standing) = self.standings.get(key) {
            return Ok(standing.clone());
        }
        let standing = standing::use_key(sql, key, address, self.work.now_ms)?;
        self.standings.insert(key.to_owned(), standing.clone());
        Ok(standing)
    }
}

fn answer<R: Request>(sql: &impl Sql, batch: &mut Batch, call: &Call<'_>) -> Result<Answered<After>, PortError> {
    let request: R = call.body()?;
    let is_apart = request.sees(&batch.work.buffer);
    if is_apart {
        batch.work.flush(sql)?;
    }
    let (mut limit, version) = (None, batch.work.account.version);
    batch.work.bounds = Vec::new();
    batch.work.sender = None;
    let admitted = match &call.key {
        Some(key) => admit(sql, batch, key, call, &request, &mut limit),
        None => Ok(()),
    };
    let admitted = admitted.and_then(|()| admit_to_log(sql, &batch.work, call, &request));
    let admitted = admitted.and_then(|()| match R::NEEDS_OPEN && batch.work.account.closed_ms.is_some() {
        true => Err(Refusal::Closed.into()),
        false => Ok(()),
    });
    let before = seen(sql, batch, call, &request)?;
    let outcome = decided(admitted.and_then(|()| request.answer(sql, &mut batch.work)))?;
    if is_apart {
        // It may have changed keys.
        batch.standings.clear();
    }
    let now_ms = batch.work.now_ms;
    let mut wake = match &outcome {
        Ok(_) => {
            let account = &batch.work.account;
            request.wakes(account, account.version != version).at(now_ms)
        }
        Err(_) => Wake::Never,
    };
    if std::mem::take(&mut batch.work.has_told) {
        wake = wake.or_at(now_ms.saturating_add(GATHER_MS));
    }
    if let (Ok(_), Some(note)) = (&outcome, &call.audit) {
        let after = seen(sql, batch, call, &request)?;
        let bytes = audit::note(sql, now_ms, note, R::NAME, before, after)?;
        if bytes > 0 {
            wake = wake.or_at(now_ms);
        }
        if let (Some(bytes_a_day), true) = (note.bytes_a_day, bytes > 0) {
            let (key, entry) = (note.key.as_str(), R::ENTRY);
            let written = Written {
                key,
                entry,
                bytes,
                bytes_a_day,
            };
            audit_budget::take(sql, &mut batch.work.account, now_ms, written)?;
        }
    }
    let after = if R::GOES_BACK && outcome.is_ok() {
        After::GoBack
    } else if R::LOOKS_AGAIN && outcome.is_ok() {
        After::LookAgain
    } else {
        After::Wake(wake)
    };
    answered(&Reply { limit, outcome }, after)
}

/// The thing that a call with a note for the audit log changes, as it is at the moment.
fn seen<R: Request>(sql: &impl Sql, batch: &Batch, call: &Call<'_>, request: &R) -> Result<Option<Subject>, PortError> {
    match call.audit {
        Some(_) => request.audited(sql, &batch.work),
        None => Ok(None),
    }
}

/// Whether a request of the account's own keys that may change something may leave an entry in the audit log. Only the call that
/// pays is asked: what a request has begun, it may end.
fn admit_to_log<R: Request>(sql: &impl Sql, work: &UnitOfWork, call: &Call<'_>, request: &R) -> ReplyResult<()> {
    let note = call.audit.as_ref().filter(|note| note.bytes_a_day.is_some());
    let Some(note) = note.filter(|_| call.key.is_some() && request.tokens() > call.paid) else {
        return Ok(());
    };
    let wait_s = audit_budget::wait_s(sql, &work.account, &note.key, work.now_ms, R::ENTRY)?;
    match wait_s {
        Some(retry_after_s) => Err(Refusal::AuditFull { retry_after_s }.into()),
        None => Ok(()),
    }
}

/// Takes the tokens that a request with an API key costs, unless the key does not count or the tokens are not there.
fn admit<R: Request>(
    sql: &impl Sql,
    batch: &mut Batch,
    key: &str,
    call: &Call<'_>,
    request: &R,
    limit: &mut Option<LimitState>,
) -> ReplyResult<()> {
    let Valid {
        mode,
        bounds,
        lasting,
        sender,
    } = match batch.standing(sql, key, call.address.as_deref())? {
        Standing::Valid(valid) => valid,
        Standing::Ended => return Err(Refusal::KeyRevoked.into()),
        Standing::Unknown => return Err(Refusal::KeyUnknown.into()),
    };
    batch.work.bounds = bounds;
    batch.work.sender = Some(sender);
    let tokens = match request.tokens() {
        tokens if tokens > 1 && request.is_repeat(sql, batch.work.now_ms)? => 1,
        tokens => tokens,
    };
    let cost = Cost {
        tokens,
        paid: call.paid,
    };
    if tokens <= call.paid {
        return Ok(());
    }
    let UnitOfWork {
        now_ms,
        account,
        bounds,
        ..
    } = &mut batch.work;
    let (own_limit, tat_us) = match mode {
        Mode::Live => (account.limit, &mut account.tat_us),
        Mode::Test => (account.test_limit, &mut account.test_tat_us),
    };
    let decision = match account.key_spending.wait_s(bounds, *now_ms, cost) {
        None => match limiter::admit(&own_limit, *tat_us, *now_ms, cost) {
            refused if !refused.allowed && R::PROTECTS => Decision {
                allowed: account
                    .key_spending
                    .take_reserve(&makers::first_of_line(sql, &lasting)?, *now_ms),
                ..refused
            },
            decision => decision,
        },
        Some(retry_after_s) => Decision {
            retry_after_s,
            ..limiter::look(&own_limit, *tat_us, *now_ms)
        },
    };
    *tat_us = decision.tat_us;
    *limit = Some(LimitState {
        limit: own_limit,
        decision,
    });
    if decision.allowed {
        account.key_spending.take(bounds, *now_ms, cost);
        Ok(())
    } else {
        Err(Refusal::RateLimited.into())
    }
}

fn unknown() -> Result<Answered<After>, PortError> {
    let reply: Reply<()> = Reply {
        limit: None,
        outcome: Err(Refusal::UnknownRequest),
    };
    answered(&reply, After::Wake(Wake::Never))
}

fn answered(reply: &impl Serialize, wake: After) -> Result<Answered<After>, PortError> {
    Ok(Answered {
        reply: to_json(reply)?,
        wake,
    })
}
