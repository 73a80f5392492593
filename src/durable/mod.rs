//! Durable Objects without the runtime: how one is called, and what a class of them is made of.
//!
//! A call travels as JSON between versions of the code, because a deploy updates workers and objects at different times.
//! So a call names its version and its request, and an object answers a request that it does not know as such.

pub mod audit;
pub mod movable;
pub mod remembered;
pub mod schema;
pub mod storage;
pub mod tables;
pub mod transfer;
pub mod under_way;

use std::borrow::Cow;
use std::pin::pin;

use futures_util::future::{Either, select};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::base::ports::{Platform, PortError, Sql};
use crate::base::redact;
use audit::Note;

/// The version of [`Call`] that this code writes.
const VERSION: u32 = 1;

/// Why a request to an object comes to nothing. A refusal is an answer, which the client hears; a [`PortError`] is a fault of ours or of the
/// platform, and nothing that was written with it stays.
#[derive(Debug)]
pub enum RequestError<R> {
    /// The object has refused it, for this reason.
    Refused(R),
    /// It has failed.
    Failed(PortError),
}

impl<R> From<PortError> for RequestError<R> {
    fn from(error: PortError) -> Self {
        RequestError::Failed(error)
    }
}

/// What a request has come to, apart from its failure: the reply, or why it was refused.
///
/// # Errors
/// The request has failed.
pub fn decided<T, R>(outcome: Result<T, RequestError<R>>) -> Result<Result<T, R>, PortError> {
    match outcome {
        Ok(reply) => Ok(Ok(reply)),
        Err(RequestError::Refused(refusal)) => Ok(Err(refusal)),
        Err(RequestError::Failed(error)) => Err(error),
    }
}

/// A call as an object receives it.
#[derive(Debug, Deserialize)]
pub struct Call<'a> {
    /// Version of this shape.
    pub v: u32,
    /// The name of the object that is called. The object can't find it out by itself.
    #[serde(borrow)]
    pub to: Cow<'a, str>,
    /// The id of the API key that stands behind the call; `None` for the service's own calls.
    pub key: Option<String>,
    /// The tokens that earlier calls have paid for the same request of the client.
    #[serde(default)]
    pub paid: u32,
    /// The address that the request with the key came from.
    pub address: Option<String>,
    /// What the audit log is to say of the call, if it changes something.
    pub audit: Option<Note>,
    /// The name of the request.
    #[serde(borrow)]
    pub request: Cow<'a, str>,
    /// The request itself.
    #[serde(borrow)]
    pub body: &'a RawValue,
}

impl<'a> Call<'a> {
    /// Reads a call.
    pub fn read(json: &'a str) -> Result<Self, PortError> {
        serde_json::from_str(json).map_err(|error| unreadable("call", "a call", &error))
    }

    /// Writes a call: to the object of this name, paid by this payer. `audit` is what the audit log is to say of the change.
    pub fn write(
        to: &str,
        payer: Option<Payer<'_>>,
        audit: Option<&Note>,
        request: &str,
        body: &impl Serialize,
    ) -> Result<String, PortError> {
        to_json(&Outgoing {
            v: VERSION,
            to,
            key: payer.map(|payer| payer.key),
            paid: payer.map(|payer| payer.paid).filter(|paid| *paid > 0),
            address: payer.and_then(|payer| payer.address),
            audit,
            request,
            body,
        })
    }

    /// Reads the request.
    pub fn body<R: DeserializeOwned>(&self) -> Result<R, PortError> {
        serde_json::from_str(self.body.get()).map_err(|error| unreadable("call", &self.request, &error))
    }
}

#[derive(Serialize)]
struct Outgoing<'a, R> {
    v: u32,
    to: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    paid: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    address: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    audit: Option<&'a Note>,
    request: &'a str,
    body: &'a R,
}

/// Who pays for a call.
#[derive(Debug, Clone, Copy)]
pub struct Payer<'a> {
    /// The id of the API key.
    pub key: &'a str,
    /// The tokens that earlier calls have paid for the same request of the client.
    pub paid: u32,
    /// The address that the request came from. `None`: nobody knows.
    pub address: Option<&'a str>,
}

/// A request to an object. What answers it stands beside it.
pub trait Request: Serialize {
    /// The binding of the class of objects that know it.
    const CLASS: &'static str;
    /// Its name between objects. It is part of the format: renaming it needs the old name for one deploy more.
    const NAME: &'static str;
    /// What the object answers.
    type Reply: DeserializeOwned;
}

/// Makes a table of requests to objects of a class: each with its name between objects, and with what the object answers.
macro_rules! requests {
    ($class:expr; $($(#[$doc:meta])* $request:ty, $name:expr => $reply:ty;)*) => {$(
        impl $crate::durable::Request for $request {
            const CLASS: &'static str = $class;
            const NAME: &'static str = $name;
            $(#[$doc])*
            type Reply = $reply;
        }
    )*};
}
pub(crate) use requests;

/// Asks the object of this name. `payer` is the API key that pays for the request. `audit` is what the audit log is to say of
/// the change.
///
/// # Errors
/// The object failed or could not be reached. The request may have had its effect all the same.
pub async fn ask<R: Request>(
    platform: &impl Platform,
    name: &str,
    payer: Option<Payer<'_>>,
    audit: Option<&Note>,
    request: &R,
) -> Result<R::Reply, PortError> {
    let call = Call::write(name, payer, audit, R::NAME, request)?;
    let answer = platform.call(R::CLASS, name, call).await?;
    read_answer::<R>(&answer)
}

fn read_answer<R: Request>(answer: &str) -> Result<R::Reply, PortError> {
    serde_json::from_str(answer).map_err(|error| unreadable(R::CLASS, &format!("the answer to {}", R::NAME), &error))
}

/// How long work that nobody waits for waits for an answer, ms.
pub const ANSWER_MS: i64 = 10_000;

/// As [`ask`], for work that goes on by itself. A call without an answer in time has failed: it must not hold up the rest of the
/// work, and no alarm may take longer than a minute.
///
/// # Errors
/// As [`ask`].
pub async fn ask_in_time<R: Request>(platform: &impl Platform, name: &str, request: &R) -> Result<R::Reply, PortError> {
    in_time(platform, R::CLASS, ANSWER_MS, ask(platform, name, None, None, request)).await
}

/// As [`ask_in_time`], for requests that travel together. There is an answer for each, in their order. One that fails leaves the
/// others alone.
///
/// # Errors
/// As [`ask`], for all of them.
pub async fn ask_all_in_time<R: Request>(
    platform: &impl Platform,
    name: &str,
    requests: &[&R],
) -> Result<Vec<Result<R::Reply, PortError>>, PortError> {
    let calls = requests
        .iter()
        .map(|request| Call::write(name, None, None, R::NAME, request));
    let calls = calls.collect::<Result<_, PortError>>()?;
    let answers = in_time(platform, R::CLASS, ANSWER_MS, platform.call_all(R::CLASS, name, calls)).await?;
    if answers.len() != requests.len() {
        return Err(PortError::failed(R::CLASS, "not an answer for each call"));
    }
    let read = |answer: Result<String, PortError>| answer.and_then(|answer| read_answer::<R>(&answer));
    Ok(answers.into_iter().map(read).collect())
}

/// Lets work take so long at most, ms. Then it is dropped where it waits, and has failed. `port` says for whom it waits.
///
/// # Errors
/// Those of the work, and that it took too long.
pub async fn in_time<T>(
    platform: &impl Platform,
    port: &'static str,
    ms: i64,
    work: impl Future<Output = Result<T, PortError>>,
) -> Result<T, PortError> {
    match select(pin!(work), pin!(platform.sleep(ms))).await {
        Either::Left((done, _)) => done,
        Either::Right(_) => Err(PortError::unavailable(port, "no answer in time")),
    }
}

/// Makes the type of a class's refusals from its own reasons. Two are those of every class. A refusal that this version can't
/// read is `Unknown`: while a deploy mixes versions, an object may refuse for a reason that the worker does not know yet.
macro_rules! refusals {
    ($(#[$doc:meta])* $name:ident { $($reasons:tt)* }) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        #[serde(remote = "Self")]
        pub enum $name {
            /// A refusal of another version.
            Unknown,
            /// The object does not know the request: the caller is of another version.
            UnknownRequest,
            $($reasons)*
        }

        /// Its name alone: a refusal may have phone numbers, and this form stands in logs.
        impl std::fmt::Debug for $name {
            fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str(&$crate::durable::name_of(self))
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                // This is the function that the derive makes, not this one.
                $name::serialize(self, serializer)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let value = <serde_json::Value as serde::Deserialize>::deserialize(deserializer)?;
                // Here too.
                Ok($name::deserialize(&value).unwrap_or($name::Unknown))
            }
        }
    };
}
pub(crate) use refusals;

/// The name of the variant that a value is, as its JSON has it.
pub(crate) fn name_of(value: &impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(name)) => name,
        Ok(serde_json::Value::Object(members)) => members.into_iter().next().map(|(name, _)| name).unwrap_or_default(),
        _ => String::new(),
    }
}

/// What another version wrote and this one can't read. While a deploy mixes versions, that passes.
fn unreadable(port: &'static str, what: &str, error: &serde_json::Error) -> PortError {
    PortError::unavailable(
        port,
        format!("this version can't read {what}: {}", redact::of_json(error)),
    )
}

/// A value as JSON.
pub fn to_json(value: &impl Serialize) -> Result<String, PortError> {
    serde_json::to_string(value).map_err(|error| PortError::json("json", &error))
}

/// Appends the digits of a number.
pub fn push_number(text: &mut String, number: impl itoa::Integer) {
    text.push_str(itoa::Buffer::new().format(number));
}

/// The beginning of a statement that writes rows of `?1`, a JSON list of lists: it names them `listed (value)`. A statement that
/// reads several members of each row takes them from there. `json_each` writes the text of a row anew for each member that is
/// read of it.
macro_rules! listed {
    () => {
        "WITH listed (value) AS MATERIALIZED (SELECT value FROM json_each(?1)) "
    };
}
pub(crate) use listed;

/// What an object has to do after a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wake {
    /// Nothing new.
    Never,
    /// Its urgent work, at once; and its chores a little later.
    Now,
    /// Its chores, at this time, ms since the Unix epoch. An alarm that rings looks for itself what is due.
    At(i64),
}

impl Wake {
    /// This, and its chores at `at_ms` at the latest. Urgent work is looked after soon anyway.
    #[must_use]
    pub fn or_at(self, at_ms: i64) -> Self {
        match self {
            Wake::Never => Wake::At(at_ms),
            Wake::At(other_ms) => Wake::At(other_ms.min(at_ms)),
            Wake::Now => Wake::Now,
        }
    }
}

/// An object's answer to a call. A class may have to do more afterwards than a [`Wake`] says.
#[derive(Debug)]
pub struct Answered<W = Wake> {
    /// The answer, JSON.
    pub reply: String,
    /// What the object has to do now.
    pub wake: W,
}

/// A class of objects. Each object has a SQLite of its own; a value of the class is one object's state in memory, which
/// ends whenever the runtime evicts the object.
#[allow(
    async_fn_in_trait,
    reason = "the runtime is single-threaded: its futures are not Send"
)]
pub trait Object: Default {
    /// Brings the object's schema up to date. The runtime's shell calls it once an instance, before anything else.
    fn open(sql: &impl Sql) -> Result<(), PortError>;

    /// Makes the schema of a new object that is to take the rows of another one, with all parts that this one has.
    fn open_parts(sql: &impl Sql, _parts: &[String]) -> Result<(), PortError> {
        Self::open(sql)
    }

    /// Answers one call.
    async fn answer<P: Platform, S: Sql>(&self, platform: &P, sql: &S, call: &str) -> Result<Answered, PortError>;

    /// Answers calls that came together, in their order: one answer for each.
    async fn answer_all<P: Platform, S: Sql>(
        &self,
        platform: &P,
        sql: &S,
        calls: &[String],
    ) -> Vec<Result<Answered, PortError>> {
        let mut answers = Vec::with_capacity(calls.len());
        for call in calls {
            answers.push(self.answer(platform, sql, call).await);
        }
        answers
    }

    /// Whether urgent work is to be started that no [`Wake::Now`] starts: because an answer waits for it, or because the
    /// runtime has dropped it.
    fn wants_urgent(&self, _now_ms: i64) -> bool {
        false
    }

    /// Does what can't wait for the alarm, after a call that ended with [`Wake::Now`]. Several runs may be under way at once.
    /// Gives `true` when there is more to do.
    async fn urgent<P: Platform, S: Sql>(&self, platform: &P, sql: &S) -> Result<bool, PortError>;

    /// When chores are due that urgent work has made due since this was asked last; the store is not asked.
    fn due_after_urgent_ms(&self, _now_ms: i64) -> Option<i64> {
        None
    }

    /// Does the chores that are due, when the alarm rings.
    async fn chores<P: Platform, S: Sql>(&self, platform: &P, sql: &S) -> Result<(), PortError>;

    /// When a chore is due next, ms since the Unix epoch; `None`: when something new happens.
    fn next_due_ms(&self, sql: &impl Sql, now_ms: i64) -> Result<Option<i64>, PortError>;

    /// A new invocation of the object begins: the runtime counts its calls anew.
    fn begin_invocation(&self);

    /// Forgets what the object remembers of its storage: somebody else has written there.
    fn forget(&self) {}
}
