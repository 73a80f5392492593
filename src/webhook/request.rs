//! Requests to an account's webhook object. Each stands beside its handler; the table in `handle.rs` has all.

use serde::de::DeserializeOwned;

use crate::base::ports::{Platform, PortError, Sql};
use crate::durable::{Request, audit::Subject, refusals};

/// The binding of the class of webhook objects. An account's object of this class has the account's id as its name.
pub const CLASS: &str = "WEBHOOK";

/// What a request comes to.
pub type ReplyResult<T> = Result<Result<T, WebhookRefusal>, PortError>;

/// A request to a webhook object. Times are milliseconds since the Unix epoch.
pub trait WebhookRequest: Request + DeserializeOwned {
    /// What the audit log shows of the endpoint that the request changes, as it is at the moment. `None`: the log has no such
    /// changes.
    fn audited(&self, _: &impl Sql) -> Result<Option<Subject>, PortError> {
        Ok(None)
    }

    /// As [`WebhookRequest::audited`], when the request has been answered.
    fn audited_after(&self, sql: &impl Sql, _: &Self::Reply) -> Result<Option<Subject>, PortError> {
        self.audited(sql)
    }

    /// Decides and then writes, in one transaction. `account` is the account that the object belongs to.
    fn answer(&self, platform: &impl Platform, sql: &impl Sql, account: &str) -> Result<Self::Reply, PortError>;
}

refusals! {
    /// Why a webhook object refuses a request.
    WebhookRefusal {
        /// No such endpoint or delivery.
        NotFound,
        /// The key of the request is revoked, and what it has made is switched off.
        KeyRevoked,
        /// The account has as many endpoints as it may have.
        TooManyEndpoints,
        /// The endpoint is not active.
        EndpointInactive,
        /// As many deliveries wait for the endpoint as may wait.
        BacklogFull,
        /// The endpoint asks for `wallet.low` and has no threshold.
        NoLowBalance,
        /// The endpoint gets events of this type, which the key of the request may not read.
        UnreadableEvent(String),
    }
}
