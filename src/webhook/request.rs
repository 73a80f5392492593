//! Requests to an account's webhook object. A request and its reply are one type, and each stands beside its handler.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::base::ports::{Platform, PortError, Sql};
use crate::durable::Address;
use crate::durable::audit::{Note, Subject};

/// The binding of the class of webhook objects. An account's object of this class has the account's id as its name.
pub const CLASS: &str = "WEBHOOK";

/// What a request comes to.
pub type Outcome<T> = Result<Result<T, Refusal>, PortError>;

/// A request to a webhook object. Times are milliseconds since the Unix epoch.
pub trait Request: Serialize + DeserializeOwned {
    /// Its name between objects. It is part of the format.
    const NAME: &'static str;
    /// What the object answers when it does not refuse.
    type Reply: Serialize + DeserializeOwned;

    /// What the audit log shows of the endpoint that the request changes, as it is at the moment. `None`: the log has no such
    /// changes.
    fn audited(&self, _: &impl Sql) -> Result<Option<Subject>, PortError> {
        Ok(None)
    }

    /// As [`Request::audited`], when the request has been answered.
    fn audited_after(&self, sql: &impl Sql, _: &Self::Reply) -> Result<Option<Subject>, PortError> {
        self.audited(sql)
    }

    /// Decides and then writes, in one transaction. `account` is the account that the object belongs to.
    fn answer(&self, platform: &impl Platform, sql: &impl Sql, account: &str) -> Outcome<Self::Reply>;
}

/// Why a webhook object refuses a request. One that this version can't read is [`Refusal::Unknown`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub enum Refusal {
    /// A refusal of another version.
    Unknown,
    /// The object does not know the request: the caller is of another version.
    UnknownRequest,
    /// No such endpoint or delivery.
    NotFound,
    /// The account has as many endpoints as it may have.
    TooManyEndpoints,
    /// The endpoint is not active.
    EndpointInactive,
    /// The endpoint asks for `wallet.low` and has no threshold.
    NoLowBalance,
}

impl Serialize for Refusal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // This is the function that the derive makes, not this one.
        Refusal::serialize(self, serializer)
    }
}

impl<'de> Deserialize<'de> for Refusal {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = <Value as Deserialize>::deserialize(deserializer)?;
        // Here too.
        Ok(Refusal::deserialize(&value).unwrap_or(Refusal::Unknown))
    }
}

/// Asks the webhook object of an account. `audit` is what the audit log is to say of the change.
///
/// # Errors
/// The object failed or could not be reached. The request may have had its effect all the same.
pub async fn ask<R: Request>(
    platform: &impl Platform,
    account: &str,
    audit: Option<&Note>,
    request: &R,
) -> Result<Result<R::Reply, Refusal>, PortError> {
    let object = Address {
        class: CLASS,
        name: account,
    };
    object.call(platform, None, audit, R::NAME, request).await
}
