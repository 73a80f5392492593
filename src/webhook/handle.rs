//! The one way into a webhook object: the table of its requests, and the transaction that answers one.

use super::callbacks::TakeCallbacks;
use super::cascade::{SwitchOff, SwitchedOff};
use super::closing::ForgetAll;
use super::delivery::{Delivery, GetDelivery, ListDeliveries, Redeliver, TestEndpoint, WithRequest};
use super::endpoint::{
    ChangeEndpoint, CreateEndpoint, DeleteEndpoint, Endpoint, GetEndpoint, ListEndpoints, RotateSecret, SealAnew,
    WithSecret,
};
use super::erasure::{EraseFromEvents, ErasedEvents};
use super::event::TakeEvents;
use super::low_balance::{GetLowBalance, SetLowBalance};
use super::request::{CLASS, WebhookRefusal, WebhookRequest};
use crate::base::ports::{Platform, PortError, Sql};
use crate::durable::{self, Call, Request, audit, to_json};

/// Makes the table of the requests that the object answers in one way, each with what it answers when it does not refuse.
macro_rules! answered {
    ($($request:ident -> $reply:ty,)*) => {
        /// The names of these requests.
        pub const NAMES: &[&str] = &[$(<$request>::NAME),*];

        durable::requests! {
            CLASS;
            $($request, stringify!($request) => Result<$reply, WebhookRefusal>;)*
        }

        /// Answers one call. All that the request writes, it writes together.
        pub fn answer(platform: &impl Platform, sql: &impl Sql, call: &Call<'_>) -> Result<String, PortError> {
            match call.request.as_ref() {
                $(<$request>::NAME => to_json(&decide::<$request>(platform, sql, call)?),)*
                _ => to_json(&Err::<(), _>(WebhookRefusal::UnknownRequest)),
            }
        }
    };
}

answered! {
    CreateEndpoint -> WithSecret,
    ListEndpoints -> Vec<Endpoint>,
    GetEndpoint -> Endpoint,
    ChangeEndpoint -> Endpoint,
    DeleteEndpoint -> (),
    RotateSecret -> WithSecret,
    SwitchOff -> Vec<SwitchedOff>,
    SealAnew -> (),
    GetLowBalance -> Option<i64>,
    SetLowBalance -> (),
    ListDeliveries -> Vec<Delivery>,
    GetDelivery -> WithRequest,
    Redeliver -> Delivery,
    TestEndpoint -> Delivery,
    TakeEvents -> (),
    TakeCallbacks -> (),
    EraseFromEvents -> ErasedEvents,
    ForgetAll -> bool,
}

fn decide<R: WebhookRequest>(platform: &impl Platform, sql: &impl Sql, call: &Call<'_>) -> Result<R::Reply, PortError> {
    let request: R = call.body()?;
    sql.transaction(|| {
        let Some(note) = &call.audit else {
            return request.answer(platform, sql, &call.to);
        };
        let before = request.audited(sql)?;
        let reply = request.answer(platform, sql, &call.to)?;
        let after = request.audited_after(sql, &reply)?;
        audit::note(sql, platform.now_ms(), note, R::NAME, before, after)?;
        Ok(reply)
    })
}
