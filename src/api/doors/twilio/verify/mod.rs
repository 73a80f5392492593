//! Verify v2 on our own verifications. The digits of a service's SID are the purpose, so two services of one program share no code. The
//! SID of a verification has the digits of its id, and that of an attempt those of its message's uid.

mod check;
mod fault;
mod find;
mod record;
mod start;

use super::call::Told;
use super::errors::Fault;
use super::path::OfVerify;
use super::send::given;
use crate::api::doors::answer::Members;
use crate::api::doors::own::{Ask, Own};
use crate::api::doors::params::Params;
use crate::api::http::Body;
use crate::base::ports::Platform;
use fault::{fault, invalid};
use find::find;
pub use record::Service;

/// Calls what a path names.
pub async fn told<P: Platform>(
    own: &Own<'_, P>,
    service: &Service<'_>,
    of: OfVerify<'_>,
    method: &str,
    body: &mut impl Body,
) -> Result<Told, Fault> {
    let params = Params::read(service.asked.head, body).await?;
    match (of, method) {
        (OfVerify::Service, "GET") => read(own, service).await,
        (OfVerify::Verifications, "POST") => start::create(own, service, &params).await,
        (OfVerify::Verification(name), "GET") => {
            let found = find(own, service, name).await?;
            Ok(Told::found(&record::verification(service, &found)))
        }
        (OfVerify::Verification(name), _) => update(own, service, name, &params).await,
        (OfVerify::Check, "POST") => check::create(own, service, &params).await,
        _ => Err(Fault::of(20_004)),
    }
}

async fn read<P: Platform>(own: &Own<'_, P>, service: &Service<'_>) -> Result<Told, Fault> {
    own.check_key().await?;
    Ok(Told::found(&record::service(service)))
}

/// `POST …/Verifications/{sid}`: takes a verification back. Only a right code approves one.
async fn update<P: Platform>(
    own: &Own<'_, P>,
    service: &Service<'_>,
    name: &str,
    params: &Params,
) -> Result<Told, Fault> {
    match given(params, "status") {
        Some("canceled") => {}
        Some("approved") => return Err(Fault::of(60_204)),
        status => return Err(invalid("Status", status.unwrap_or_default())),
    }
    let found = find(own, service, name).await?;
    let ask = Ask {
        path: &format!("/verify/{}", found.text("id")),
        method: Some("DELETE"),
        ..Ask::default()
    };
    let canceled = own.ask(ask).await.map_err(|cause| match cause.code {
        // It has ended.
        3019 => Fault {
            cause: Some(cause),
            ..Fault::of(20_404)
        },
        _ => fault(own, params, cause),
    })?;
    Ok(Told::found(&record::verification(service, &canceled)))
}
