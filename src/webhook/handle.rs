//! The one way into a webhook object: the table of its requests, and the transaction that answers one.

use super::delivery::{ListDeliveries, Redeliver, TestEndpoint};
use super::endpoint::{ChangeEndpoint, CreateEndpoint, DeleteEndpoint, GetEndpoint, ListEndpoints, RotateSecret};
use super::event::TakeEvents;
use super::low_balance::{GetLowBalance, SetLowBalance};
use super::request::{Refusal, Request};
use crate::base::ports::{Platform, PortError, Sql};
use crate::durable::{Call, audit, to_json};

/// Makes the table of the requests that the object answers.
macro_rules! requests {
    ($($request:ty),* $(,)?) => {
        /// The names of these requests.
        pub const NAMES: &[&str] = &[$(<$request>::NAME),*];

        /// Answers one call. All that the request writes, it writes together.
        pub fn answer(platform: &impl Platform, sql: &impl Sql, call: &Call<'_>) -> Result<String, PortError> {
            match call.request.as_ref() {
                $(name if name == <$request>::NAME => decide::<$request>(platform, sql, call),)*
                _ => to_json(&Err::<(), _>(Refusal::UnknownRequest)),
            }
        }
    };
}

requests! {
    CreateEndpoint,
    ListEndpoints,
    GetEndpoint,
    ChangeEndpoint,
    DeleteEndpoint,
    RotateSecret,
    GetLowBalance,
    SetLowBalance,
    ListDeliveries,
    Redeliver,
    TestEndpoint,
    TakeEvents,
}

fn decide<R: Request>(platform: &impl Platform, sql: &impl Sql, call: &Call<'_>) -> Result<String, PortError> {
    let request: R = call.body()?;
    to_json(&sql.transaction(|| {
        let Some(note) = &call.audit else {
            return request.answer(platform, sql, &call.to);
        };
        let before = request.audited(sql)?;
        let outcome = request.answer(platform, sql, &call.to)?;
        if let Ok(reply) = &outcome {
            let after = request.audited_after(sql, reply)?;
            audit::note(sql, platform.now_ms(), note, R::NAME, before, after)?;
        }
        Ok(outcome)
    })?)
}
