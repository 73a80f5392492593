//! Requests to an account's object. A request and its reply are one type, and each stands beside its handler.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::limiter::{Decision, Limit};
use super::refusal::Refusal;
use super::unit_of_work::UnitOfWork;
use super::write_buffer::WriteBuffer;
use crate::account::record::account_row::Account;
use crate::base::ports::{PortError, Sql};
use crate::durable::{self, RequestError, Wake, audit::Subject};

/// The binding of the class of accounts' objects.
pub const CLASS: &str = "ACCOUNT";

/// What a request comes to.
pub type ReplyResult<T> = Result<T, RequestError<Refusal>>;

impl From<Refusal> for RequestError<Refusal> {
    fn from(refusal: Refusal) -> Self {
        RequestError::Refused(refusal)
    }
}

/// What the entry of a request in the audit log takes of the budgets ([`super::audit_budget`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entry {
    /// Its bytes. The request waits when the budget of so many days is used up, that of the key or that of the account.
    Bytes {
        /// How many days.
        days: i64,
    },
    /// One of those that a key may have in a day. Only the key itself can make it wait.
    Counted,
    /// Nothing: something else bounds how many there are, and the request never waits.
    Bounded,
}

/// A request to an account's object. Times are milliseconds since the Unix epoch, money is in the account's minor unit.
pub trait Request: Serialize + DeserializeOwned {
    /// Its name between worker and object. It is part of the format: renaming it needs the old name for one deploy more.
    const NAME: &'static str;

    /// Whether the object is to go back in time before it answers. Only a restore is.
    const GOES_BACK: bool = false;

    /// What its entry in the audit log takes.
    const ENTRY: Entry = Entry::Bytes { days: 1 };

    /// Whether it protects the account, or is needed for that: each key has a reserve of tokens for such requests, because other keys
    /// may have used up those of the account.
    const PROTECTS: bool = false;

    /// Whether it changes what only an open account has: that of a closed one is refused.
    const NEEDS_OPEN: bool = false;

    /// Whether the object has to know the key of the request also when an earlier call has paid.
    const NEEDS_KEY: bool = false;

    /// Whether the object forgets what it knows of carriers and lines after it has answered, and looks for what it can hand over.
    const LOOKS_AGAIN: bool = false;

    /// What the object answers when it does not refuse.
    type Reply: Serialize + DeserializeOwned;

    /// What the object has to do after such a request has succeeded. There is no default, so that a new request can't
    /// forget to say it.
    const WAKES: Wakes;

    /// As [`WAKES`](Request::WAKES), of this request, which left the account's version as it was, or changed it.
    fn wakes(&self, _account: &Account, _is_changed: bool) -> Wakes {
        Self::WAKES
    }

    /// The tokens of the rate limit that the request costs when it is new. All but the sends cost one.
    fn tokens(&self) -> u32 {
        1
    }

    /// Whether the request came before, so that it makes no work again and costs one token only. A request that never
    /// costs more is not asked.
    fn is_repeat(&self, _: &impl Sql, _now_ms: i64) -> Result<bool, PortError> {
        Ok(false)
    }

    /// Whether the answer may depend on what is accepted and not written yet. It is written first then. Most requests read what
    /// the account has, so this is the default.
    fn sees(&self, _: &WriteBuffer) -> bool {
        true
    }

    /// What the audit log shows of the thing that the request changes, as it is at the moment. `None`: the log has no such
    /// changes. The object asks before and after it answers, if the call comes with a note for the log.
    fn audited(&self, _: &impl Sql, _: &UnitOfWork) -> Result<Option<Subject>, PortError> {
        Ok(None)
    }

    /// Decides and then writes, in one transaction. `account` is saved afterwards, once for all requests that came together.
    /// A refusal writes nothing.
    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<Self::Reply>;
}

/// What a request gives the account's object to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wakes {
    /// Nothing.
    Never,
    /// Its urgent work, at once.
    Now,
    /// Its chores, after so many ms.
    In(i64),
}

impl Wakes {
    /// The same, of a request that succeeds at this time.
    pub fn at(self, now_ms: i64) -> Wake {
        match self {
            Wakes::Never => Wake::Never,
            Wakes::Now => Wake::Now,
            Wakes::In(ms) => Wake::At(now_ms.saturating_add(ms)),
        }
    }
}

/// What an account's object has to do after a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum After {
    /// What any object may have to do.
    Wake(Wake),
    /// To go back in time. The answer says why it could not.
    GoBack,
    /// To forget what it knows of carriers and lines, and to do its urgent work.
    LookAgain,
}

/// The object's answer to a call.
#[derive(Debug, Serialize, Deserialize)]
pub struct Reply<T> {
    /// What the rate limiter decided about a call with a key.
    pub limit: Option<LimitState>,
    /// The answer, or why there is none.
    pub outcome: Result<T, Refusal>,
}

/// The state of the rate limiter after a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LimitState {
    /// What is allowed.
    pub limit: Limit,
    /// What it decided.
    pub decision: Decision,
}

impl<R: Request> durable::Request for R {
    const CLASS: &'static str = CLASS;
    const NAME: &'static str = R::NAME;
    type Reply = Reply<R::Reply>;
}

impl<T> Reply<T> {
    /// The answer to a request of the service itself: that it is refused is a failure. `what` was refused then.
    pub fn accepted(self, what: &str) -> Result<T, PortError> {
        let refused = |refusal| PortError::unavailable("account", format!("refused {what}: {refusal:?}"));
        self.outcome.map_err(refused)
    }
}
