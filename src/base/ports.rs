//! The ports: what the crate asks of the world outside it. This file names nothing above it, only [`cause`].
//!
//! Each port has two implementations: the Workers runtime's (`platform/`) and the native tests' over real SQLite. So the
//! tests run the SQL and the migrations that production runs. Time and randomness come through a port too, because wasm
//! has neither of its own.

use std::any::Any;
use std::borrow::Cow;

use serde::{Serialize, Serializer};
use sms::price::MAX_AMOUNT;
use thiserror::Error;
use tokio::io::{AsyncRead, AsyncWrite};

use super::body::Body;
use super::metrics::work::Tally;
use super::redact;

/// The largest integer that JavaScript carries exactly; D1 and the object's SQLite hand integers over as JavaScript numbers.
pub const MAX_INTEGER: i64 = (1 << 53) - 1;
const _: () = assert!(MAX_AMOUNT <= MAX_INTEGER, "every amount of money can be stored");

/// A value bound to, or read from, SQL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// SQL `NULL`.
    Null,
    /// An integer within ±[`MAX_INTEGER`]. Bound to SQL it is a `REAL`, for JavaScript has no other number: a statement
    /// that divides by a parameter casts it first.
    Int(i64),
    /// UTF-8 text.
    Text(String),
}

/// In a JSON list of rows that goes to SQL.
impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::Null => serializer.serialize_none(),
            Value::Int(value) => serializer.serialize_i64(*value),
            Value::Text(value) => serializer.serialize_str(value),
        }
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Value::Int(value)
    }
}

impl From<u32> for Value {
    fn from(value: u32) -> Self {
        Value::Int(value.into())
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Value::Int(value.into())
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Value::Text(value.to_owned())
    }
}

impl From<String> for Value {
    fn from(value: String) -> Self {
        Value::Text(value)
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Value::Null, Into::into)
    }
}

/// What can go wrong behind a port: always a fault of ours or of the platform, never of the client. Its words may stand in
/// the log: they quote no value.
#[derive(Debug, Clone, Error)]
pub enum PortError {
    /// A store or an object does not answer: it is overloaded, was reset, or can't be reached. What was asked of it may have
    /// had its effect. It is worth asking again.
    #[error("{port}: {cause}")]
    Unavailable {
        /// Which port.
        port: &'static str,
        /// The platform's message, without values.
        cause: String,
    },
    /// What was asked can't be done, or what is stored can't be read: a fault of ours. Asking again changes nothing.
    #[error("{port}: {cause}")]
    Failed {
        /// Which port.
        port: &'static str,
        /// Why, without values.
        cause: String,
    },
    /// A row did not have the shape that the query promises.
    #[error("column {column} is not {expected}")]
    Shape {
        /// Position in the row.
        column: usize,
        /// What was expected there.
        expected: &'static str,
    },
    /// An integer that JavaScript can't carry exactly.
    #[error("an integer is outside ±2^53")]
    OutOfRange(i64),
}

impl PortError {
    /// A fault of ours behind `port`. What may be a value is taken out of its cause.
    pub fn failed(port: &'static str, cause: impl std::fmt::Display) -> Self {
        PortError::Failed {
            port,
            cause: redact::scrubbed(&cause.to_string()),
        }
    }

    /// `port` does not answer. What may be a value is taken out of the cause.
    pub fn unavailable(port: &'static str, cause: impl std::fmt::Display) -> Self {
        PortError::Unavailable {
            port,
            cause: redact::scrubbed(&cause.to_string()),
        }
    }

    /// JSON that could not be read or made. `what` names it.
    pub fn json(what: &'static str, error: &serde_json::Error) -> Self {
        PortError::Failed {
            port: what,
            cause: redact::of_json(error),
        }
    }
}

/// One row of an answer, by position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row(pub Vec<Value>);

impl Row {
    /// The integer at `column`.
    pub fn int(&self, column: usize) -> Result<i64, PortError> {
        self.opt_int(column)?.ok_or(PortError::Shape {
            column,
            expected: "an integer",
        })
    }

    /// The integer at `column`, or `None` for NULL.
    pub fn opt_int(&self, column: usize) -> Result<Option<i64>, PortError> {
        match self.0.get(column) {
            Some(Value::Int(value)) => Ok(Some(*value)),
            Some(Value::Null) => Ok(None),
            _ => Err(PortError::Shape {
                column,
                expected: "an integer or NULL",
            }),
        }
    }

    /// The non-negative 32-bit integer at `column`.
    pub fn u32(&self, column: usize) -> Result<u32, PortError> {
        u32::try_from(self.int(column)?).map_err(|_| PortError::Shape {
            column,
            expected: "a 32-bit count",
        })
    }

    /// The truth value at `column`, kept as 0 or 1.
    pub fn bool(&self, column: usize) -> Result<bool, PortError> {
        Ok(self.int(column)? != 0)
    }

    /// The text at `column`.
    pub fn text(&self, column: usize) -> Result<String, PortError> {
        self.opt_text(column)?.ok_or(PortError::Shape {
            column,
            expected: "text",
        })
    }

    /// The text at `column`, or `None` for NULL.
    pub fn opt_text(&self, column: usize) -> Result<Option<String>, PortError> {
        match self.0.get(column) {
            Some(Value::Text(value)) => Ok(Some(value.clone())),
            Some(Value::Null) => Ok(None),
            _ => Err(PortError::Shape {
                column,
                expected: "text or NULL",
            }),
        }
    }
}

/// The storage of one object: synchronous; all calls with no `await` in between commit together.
#[allow(
    async_fn_in_trait,
    reason = "the runtime is single-threaded: its futures are not Send"
)]
pub trait Sql {
    /// Runs one statement and gives all its rows.
    fn exec(&self, sql: &str, params: &[Value]) -> Result<Vec<Row>, PortError>;

    /// The number that a statement finds in its first row and column, if there is one.
    fn number(&self, sql: &str, params: &[Value]) -> Result<Option<i64>, PortError> {
        let rows = self.exec(sql, params)?;
        rows.first().map_or(Ok(None), |row| row.opt_int(0))
    }

    /// Runs `work` so that all its writes stand or, when it fails, none. Commands decide before they write; this is for
    /// what can't be decided: a storage that fails half way.
    fn transaction<T>(&self, work: impl FnOnce() -> Result<T, PortError>) -> Result<T, PortError>;

    /// How many bytes the storage takes.
    fn size_bytes(&self) -> Result<i64, PortError>;

    /// The bookmark of the storage as it was at a time, ms since the Unix epoch, about; or as it is now.
    ///
    /// # Errors
    /// The runtime keeps no history, or none of that time.
    async fn bookmark(&self, at_ms: Option<i64>) -> Result<String, PortError>;

    /// Ends the session of the object, so that the next one begins with the storage as it was at a bookmark. It returns only if
    /// that fails. Then the next session tells whether the storage has gone back.
    async fn go_back(&self, bookmark: &str) -> PortError;

    /// What the object remembers of what is stored, for who knows its type: `durable/remembered.rs`. `None`: nothing.
    fn memory(&self) -> Option<&dyn Any> {
        None
    }
}

/// A statement for [`Db`].
#[derive(Debug, Clone)]
pub struct Statement {
    /// Its text, `?1`-style parameters.
    pub sql: Cow<'static, str>,
    /// What is bound to them.
    pub params: Vec<Value>,
}

impl Statement {
    /// A statement with its parameters.
    pub fn new(sql: impl Into<Cow<'static, str>>, params: impl Into<Vec<Value>>) -> Self {
        Statement {
            sql: sql.into(),
            params: params.into(),
        }
    }
}

/// The shared directory database (D1).
#[allow(
    async_fn_in_trait,
    reason = "the runtime is single-threaded: its futures are not Send"
)]
pub trait Db {
    /// Runs the statements as one transaction and gives the rows of each, in order.
    async fn batch(&self, statements: Vec<Statement>) -> Result<Vec<Vec<Row>>, PortError>;

    /// Runs one statement and gives its rows.
    async fn query(&self, statement: Statement) -> Result<Vec<Row>, PortError> {
        Ok(self.batch(vec![statement]).await?.pop().unwrap_or_default())
    }

    /// How many bytes the database has.
    async fn size_bytes(&self) -> Result<i64, PortError>;
}

/// An HTTP request that the service makes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutgoingRequest {
    /// Upper-case method.
    pub method: &'static str,
    /// The address, `http` or `https`.
    pub url: String,
    /// Headers by name.
    pub headers: Vec<(&'static str, String)>,
    /// The body; empty for none.
    pub body: String,
    /// How long the whole exchange may take, ms.
    pub timeout_ms: u32,
    /// Bytes of the response's body that are read at most.
    pub max_response_bytes: usize,
}

/// The response to an [`OutgoingRequest`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IncomingResponse {
    /// HTTP status. A redirect is answered as it is and never followed.
    pub status: u16,
    /// `Retry-After`, as it was sent.
    pub retry_after: Option<String>,
    /// The beginning of the body, as long as the request says at most, with wrong UTF-8 replaced.
    pub body: String,
}

/// The time zones that the runtime knows.
pub trait Zones {
    /// How many minutes the clocks of a time zone are ahead of UTC at a time, ms since the Unix epoch. The zone has its name of the
    /// IANA database, such as `Asia/Tehran`. Seconds, which offsets had long ago, are rounded. `None`: the runtime does not know the
    /// zone, or not at that time. An offset such as `+03:30` is no zone.
    fn utc_offset_minutes(&self, time_zone: &str, at_ms: i64) -> Option<i32>;
}

/// All that the service asks of the runtime.
#[allow(
    async_fn_in_trait,
    reason = "the runtime is single-threaded: its futures are not Send"
)]
pub trait Platform: Zones {
    /// The directory database.
    type Db: Db;
    /// A TCP connection.
    type Socket: AsyncRead + AsyncWrite + Unpin;
    /// The body of a request.
    type Body: Body;

    /// The directory database.
    fn db(&self) -> &Self::Db;
    /// Milliseconds since the Unix epoch.
    fn now_ms(&self) -> i64;
    /// Fills `bytes` with cryptographically secure randomness.
    fn random(&self, bytes: &mut [u8]) -> Result<(), PortError>;
    /// What the isolate counts of its work.
    fn tally(&self) -> &Tally;
    /// Writes one structured line to the log.
    fn log(&self, line: &str);
    /// Notes the id of the request that is answered, which no client has chosen.
    fn begin_trace(&self, own_id: &str);
    /// The id of the request that is answered. `None`: what is done is no request's.
    fn trace(&self) -> Option<String>;
    /// Lets the lines of this request stand apart from it, from now on: what the runtime keeps of the request has a secret.
    fn log_apart(&self);
    /// The value of a setting of the deployment, as it is written there.
    fn setting(&self, name: &str) -> Option<String>;

    /// The key record kept under a digest in KV; may lag a minute behind [`Platform::put_key`].
    async fn key(&self, digest: &str) -> Result<Option<String>, PortError>;
    /// Counts a request of an address whose key was not good. `false`: the address has had too many in the last minute, about.
    async fn count_failure(&self, address: &str) -> bool;
    /// Keeps a key record under its digest.
    async fn put_key(&self, digest: &str, record: &str) -> Result<(), PortError>;
    /// Forgets a key record.
    async fn delete_key(&self, digest: &str) -> Result<(), PortError>;

    /// Calls an object of a class (the name of its binding) and gives its answer; call and answer are JSON.
    ///
    /// # Errors
    /// The object failed or could not be reached. The call may have had its effect all the same.
    async fn call(&self, class: &'static str, name: &str, call: String) -> Result<String, PortError>;

    /// Calls an object several times in one message. It answers the calls in their order, and what they change it writes together;
    /// one that fails leaves the others alone. There is an answer for each.
    ///
    /// # Errors
    /// The object failed or could not be reached. Each call may have had its effect all the same.
    async fn call_all(
        &self,
        class: &'static str,
        name: &str,
        calls: Vec<String>,
    ) -> Result<Vec<Result<String, PortError>>, PortError>;

    /// Waits for so many milliseconds. The runtime may wake up a little earlier or later.
    async fn sleep(&self, ms: i64);

    /// Connects to a TCP port.
    ///
    /// # Errors
    /// The other side could not be reached. What it could be for: a wrong name or port, no TLS, nobody there.
    async fn connect(&self, host: &str, port: u16, tls: bool) -> Result<Self::Socket, PortError>;

    /// Makes an HTTP request.
    ///
    /// # Errors
    /// The other side could not be reached, or the time was over. It may have had the request all the same.
    async fn fetch(&self, request: &OutgoingRequest) -> Result<IncomingResponse, PortError>;
}
