//! The errors that the API answers, with what each needs to say.

use super::conflict::Conflict;
use super::field_error::FieldError;
use super::kind::{self, Kind};
use crate::auth::Scope;
use crate::base::ports::PortError;

/// How long a client is to wait when a part of the service does not answer, in seconds. Most outages are over by then, and an
/// object that is overloaded gets time to catch up.
pub const UNAVAILABLE_S: u32 = 2;

/// What a path names, in English and in Persian, as it stands behind "no" and before «پیدا نشد».
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Thing(pub &'static str, pub &'static str);

/// An error that the API answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    /// The body is no JSON object.
    BadRequest(BadRequest),
    /// The request came by plain HTTP from another machine.
    NotEncrypted,
    /// The request has no usable key.
    Unauthorized {
        /// Whether the client sent a key.
        key_sent: bool,
    },
    /// The key lacks a scope.
    Forbidden(Scope),
    /// The key may not be used from the address of the request.
    AddressNotAllowed {
        /// The address. `None`: nobody knows it.
        address: Option<String>,
    },
    /// A session of the console came from elsewhere than a page of the console.
    NotFromConsole,
    /// The request is about a key that has more than the key of the request.
    WiderKey,
    /// A test key would read numbers, or change what live keys go by.
    TestKey,
    /// The key belongs to the operator who has begun it, or was made by that one: a second operator must approve it.
    SameOperator,
    /// A gateway called an address that was not given to it.
    AddressRefused {
        /// Whether it was, but too long ago.
        is_expired: bool,
    },
    /// What the request names does not exist. The route says what that is.
    NotFound,
    /// There is no such thing, or the account has none.
    Missing {
        /// What it would be.
        thing: Thing,
        /// Whether operators have looked for it, who see what all accounts have.
        for_operators: bool,
    },
    /// No route has the path.
    NoSuchPath {
        /// The path that the client may have meant.
        meant: Option<String>,
    },
    /// The path exists, but not with this method.
    MethodNotAllowed {
        /// The methods that the path has, as the header `Allow` lists them.
        allow: String,
    },
    /// The request conflicts with what exists.
    Conflict(Conflict),
    /// The body is over the limit.
    PayloadTooLarge {
        /// The limit in bytes.
        limit_bytes: usize,
    },
    /// The body has another media type than it must have.
    UnsupportedMediaType {
        /// The media type that it must have.
        wanted: &'static str,
    },
    /// Values are missing, mistyped or badly formed. All of their faults.
    Validation(Vec<FieldError>),
    /// The rate limit is used up.
    TooManyRequests {
        /// Whole seconds to wait, at least 1.
        retry_after_s: u32,
    },
    /// Too many requests from the address had keys that are not good.
    TooManyFailures {
        /// Whole seconds to wait, at least 1.
        retry_after_s: u32,
    },
    /// The account has made as many changes as the audit log has room for in a day.
    TooManyChanges {
        /// Whole seconds to wait, at least 1.
        retry_after_s: u32,
    },
    /// The service failed. Only the log shows the cause.
    Internal(String),
    /// A part of the service is overloaded or does not answer. Only the log shows the cause. One that a test key rehearses has
    /// none.
    Unavailable(String),
    /// An operator has to do something at once: a monitor has asked. The names of the urgent worries.
    NeedsOperator(Vec<String>),
    /// The account is not active.
    UserInactive,
    /// The account is not active, or may not send, for a reason that an operator has told.
    Barred {
        /// The reason.
        reason: String,
        /// Whether it is not active; else it may not send.
        is_inactive: bool,
    },
    /// The balance is too low.
    InsufficientBalance {
        /// What the request would have cost.
        cost: i64,
        /// The available balance.
        available: i64,
        /// The currency, in whose minor unit both are.
        unit: String,
    },
    /// Sending is switched off.
    SendNotAllowed {
        /// Whether it is switched off for all accounts, or just for this one.
        for_all: bool,
    },
    /// The account can't send this way from the source number.
    HeadNumberNotFound {
        /// The number in the request. `None` means that the request names none and the account has no default line.
        number: Option<String>,
    },
    /// The source number, which this is, sends patterns and codes only.
    ServiceLine(String),
    /// Patterns do not exist or have no active version.
    PatternNoActiveVersion(Vec<FieldError>),
    /// Patterns are not tied to the source number.
    PatternHeadNumberNotAcceptable(Vec<FieldError>),
    /// Variables of patterns have no value.
    PatternVariableHasNoValue(Vec<FieldError>),
    /// Values break the type, length or choices of their variables.
    PatternVariableNotValid(Vec<FieldError>),
    /// The account does not send to recipients, or its tariff has no price for them.
    DestinationNotAllowed(Vec<FieldError>),
    /// Recipients are on the account's blacklist.
    RecipientBlacklisted(Vec<FieldError>),
    /// Recipients have got as many messages of this kind as they may get for now.
    RecipientLimit {
        /// The recipients.
        faults: Vec<FieldError>,
        /// Whole seconds to wait, at least 1.
        retry_after_s: u32,
    },
    /// No verification is pending that the request asks for.
    VerifyNotPending(Vec<FieldError>),
    /// The send would cost more than what may be spent today.
    DailyLimitReached {
        /// What may be spent in a day.
        limit: i64,
        /// What is spent today.
        spent: i64,
        /// What the send would have cost.
        cost: i64,
        /// Whether the key may spend no more, or one that it comes from; else it is the account.
        of_key: bool,
        /// Whole seconds until the next day, at least 1.
        retry_after_s: u32,
    },
    /// An import stopped before the end of the file.
    ImportStopped {
        /// Why.
        cause: Box<Problem>,
        /// The last line, counted from 1, that is imported together with all lines before it.
        last_line: u64,
        /// How many numbers the import has added.
        added: u64,
        /// How many numbers the import has updated.
        updated: u64,
    },
}

/// What is wrong with a body as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BadRequest {
    /// The body is not JSON.
    Malformed {
        /// The line of the first error, counted from 1.
        line: usize,
        /// The column of the first error, counted from 1.
        column: usize,
    },
    /// There is no body.
    Empty,
    /// The body is not UTF-8.
    NotUtf8,
    /// The body is JSON, but not an object.
    NotAnObject,
    /// The body is nested too deep.
    TooDeep,
    /// The connection ended within the body.
    Unreadable,
}

impl Problem {
    /// What went wrong on our side, for the log. The client does not see it.
    pub fn internal_cause(&self) -> Option<&str> {
        match self {
            Problem::Unavailable(cause) if cause.is_empty() => None,
            Problem::Internal(cause) | Problem::Unavailable(cause) => Some(cause),
            Problem::ImportStopped { cause, .. } => cause.internal_cause(),
            _ => None,
        }
    }

    /// The error's row of the table.
    pub fn kind(&self) -> Kind {
        match self {
            Problem::BadRequest(_) => kind::BAD_REQUEST,
            Problem::Unauthorized { .. } => kind::UNAUTHORIZED,
            Problem::NotEncrypted
            | Problem::Forbidden(_)
            | Problem::AddressNotAllowed { .. }
            | Problem::NotFromConsole
            | Problem::WiderKey
            | Problem::TestKey
            | Problem::SameOperator
            | Problem::AddressRefused { .. } => kind::FORBIDDEN,
            Problem::NotFound => kind::NOT_FOUND,
            Problem::Missing { .. } | Problem::NoSuchPath { .. } => kind::NOT_FOUND,
            Problem::MethodNotAllowed { .. } => kind::METHOD_NOT_ALLOWED,
            Problem::Conflict(_) => kind::CONFLICT,
            Problem::PayloadTooLarge { .. } => kind::PAYLOAD_TOO_LARGE,
            Problem::UnsupportedMediaType { .. } => kind::UNSUPPORTED_MEDIA_TYPE,
            Problem::Validation(_) => kind::VALIDATION,
            Problem::TooManyRequests { .. } | Problem::TooManyFailures { .. } | Problem::TooManyChanges { .. } => {
                kind::TOO_MANY_REQUESTS
            }
            Problem::Internal(_) => kind::INTERNAL,
            Problem::Unavailable(_) | Problem::NeedsOperator(_) => kind::UNAVAILABLE,
            Problem::UserInactive | Problem::Barred { is_inactive: true, .. } => kind::USER_INACTIVE,
            Problem::InsufficientBalance { .. } => kind::INSUFFICIENT_BALANCE,
            Problem::SendNotAllowed { .. } | Problem::Barred { .. } => kind::SEND_NOT_ALLOWED,
            Problem::HeadNumberNotFound { .. } | Problem::ServiceLine(_) => kind::HEAD_NUMBER_NOT_FOUND,
            Problem::PatternNoActiveVersion(_) => kind::PATTERN_NO_ACTIVE_VERSION,
            Problem::PatternHeadNumberNotAcceptable(_) => kind::PATTERN_HEAD_NUMBER_NOT_ACCEPTABLE,
            Problem::PatternVariableHasNoValue(_) => kind::PATTERN_VARIABLE_HAS_NO_VALUE,
            Problem::PatternVariableNotValid(_) => kind::PATTERN_VARIABLE_NOT_VALID,
            Problem::DestinationNotAllowed(_) => kind::DESTINATION_NOT_ALLOWED,
            Problem::RecipientBlacklisted(_) => kind::RECIPIENT_BLACKLISTED,
            Problem::RecipientLimit { .. } => kind::RECIPIENT_LIMIT,
            Problem::VerifyNotPending(_) => kind::VERIFY_NOT_PENDING,
            Problem::DailyLimitReached { .. } => kind::DAILY_LIMIT_REACHED,
            Problem::ImportStopped { cause, .. } => cause.kind(),
        }
    }

    /// The headers that the error's response has.
    pub fn headers(&self) -> Vec<(&'static str, String)> {
        match self {
            Problem::Unauthorized { key_sent: false } => vec![("WWW-Authenticate", "Bearer".to_owned())],
            Problem::Unauthorized { key_sent: true } => {
                vec![("WWW-Authenticate", "Bearer error=\"invalid_token\"".to_owned())]
            }
            Problem::Forbidden(scope) => vec![(
                "WWW-Authenticate",
                format!("Bearer error=\"insufficient_scope\", scope=\"{}\"", scope.as_str()),
            )],
            Problem::MethodNotAllowed { allow } => vec![("Allow", allow.clone())],
            Problem::TooManyRequests { retry_after_s }
            | Problem::TooManyFailures { retry_after_s }
            | Problem::TooManyChanges { retry_after_s }
            | Problem::RecipientLimit { retry_after_s, .. }
            | Problem::DailyLimitReached { retry_after_s, .. } => {
                vec![("Retry-After", retry_after_s.to_string())]
            }
            Problem::Unavailable(_) | Problem::NeedsOperator(_) => vec![("Retry-After", UNAVAILABLE_S.to_string())],
            Problem::ImportStopped { cause, .. } => cause.headers(),
            _ => Vec::new(),
        }
    }
}

impl From<PortError> for Problem {
    fn from(error: PortError) -> Self {
        match error {
            PortError::Unavailable { .. } => Problem::Unavailable(error.to_string()),
            PortError::Failed { .. } | PortError::Shape { .. } | PortError::OutOfRange(_) => {
                Problem::Internal(error.to_string())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cause_of_a_stopped_import_reaches_the_log() {
        let stopped = Problem::ImportStopped {
            cause: Box::new(Problem::Internal("d1: down".to_owned())),
            last_line: 7,
            added: 5,
            updated: 1,
        };
        assert_eq!(stopped.internal_cause(), Some("d1: down"));
        assert_eq!(stopped.headers(), []);
        assert_eq!(Problem::NotFound.internal_cause(), None);
    }

    #[test]
    fn an_outage_is_told_from_a_fault_of_ours_and_says_when_to_come_again() {
        let outage = Problem::from(PortError::unavailable("d1", "Network connection lost."));
        assert_eq!(outage.kind(), kind::UNAVAILABLE);
        assert_eq!(outage.internal_cause(), Some("d1: Network connection lost."));
        let wait: u32 = outage.headers()[0].1.parse().unwrap();
        assert!(wait > 0);
        let stopped = Problem::ImportStopped {
            cause: Box::new(outage.clone()),
            last_line: 7,
            added: 5,
            updated: 1,
        };
        assert_eq!((stopped.kind(), stopped.headers()), (outage.kind(), outage.headers()));
        for fault in [
            PortError::failed("sql", "no such table"),
            PortError::OutOfRange(1 << 53),
            PortError::Shape {
                column: 0,
                expected: "text",
            },
        ] {
            assert_eq!(Problem::from(fault).kind(), kind::INTERNAL);
        }
    }
}
