//! Delivery reports of gateways. The address carries a token that names the recipient.

use std::rc::Rc;

use super::report::{self, Reading};
use crate::account::chunk::reports::DeliveryReport;
use crate::api::gateway::{GatewayCall, done, log_refusal, unavailable};
use crate::api::http::{Response, context::Context};
use crate::base::ports::Platform;
use crate::carrier::gateway_url::{Named, RecipientRef, TokenError, Tokens};
use crate::carrier::reports::report;
use crate::directory::carriers;
use crate::directory::gateway_url_versions::GatewayUrlVersions;
use crate::problem::Problem;

/// `GET /carrier/{name}/dlr`
pub async fn get<P: Platform>(context: &Context<'_, P>, name: &str) -> Result<Response, Problem> {
    take(context, name, &[]).await
}

/// `POST /carrier/{name}/dlr`
pub async fn post<P: Platform>(context: &Context<'_, P>, name: &str, form: &[u8]) -> Result<Response, Problem> {
    take(context, name, form).await
}

/// Takes a report. The gateway gets its 200 only when the account's object has the report.
async fn take<P: Platform>(context: &Context<'_, P>, name: &str, form: &[u8]) -> Result<Response, Problem> {
    let call = GatewayCall::of(context, form)?;
    let recipient = recipient(context, name, call.get("t").unwrap_or_default()).await?;
    let reply = done(report::is_jasmins(&call));
    let (statuses, cause) = match report::read(&call) {
        Reading::Ending(statuses, cause) => (statuses, cause),
        Reading::NotYet => return Ok(reply),
        Reading::Unknown => {
            log_refusal(context, name, "the report has no status that is known");
            return Ok(reply);
        }
    };
    let mut has_moved = false;
    for status in statuses {
        let of_recipient = DeliveryReport {
            is_presumed: false,
            message: recipient.message,
            status: *status,
            indexes: vec![recipient.index],
            cause: cause.clone(),
        };
        has_moved |= report(context.platform, name, &recipient.account, vec![of_recipient]).await?;
    }
    if !has_moved {
        // Gateways repeat a report whose answer they have missed. They would do so again if they got anything but a 200.
        log_refusal(
            context,
            name,
            "the report is a repeat, or too late: its recipient has an ending",
        );
    }
    Ok(reply)
}

/// The recipient that the address names. An address that Peyk did not make for this carrier is refused, and logged.
async fn recipient<P: Platform>(context: &Context<'_, P>, name: &str, token: &str) -> Result<RecipientRef, Problem> {
    let tokens = Tokens::of_reports(context.platform, name).map_err(unavailable)?;
    let refuse = |error| {
        let (cause, is_expired) = match error {
            TokenError::Forged => ("the address of a report is not one that was given out", false),
            TokenError::Expired => ("the address of a report is too old", true),
        };
        log_refusal(context, name, cause);
        Problem::AddressRefused { is_expired }
    };
    let Named { version, recipient } = tokens.read(context.request.now_ms, token).map_err(refuse)?;
    let versions = versions(context, name).await?;
    if versions.has(version, context.request.now_ms) {
        Ok(recipient)
    } else {
        Err(refuse(TokenError::Forged))
    }
}

/// The versions of the carrier's addresses. A carrier that is gone has none: its gateway may still report.
async fn versions<P: Platform>(context: &Context<'_, P>, name: &str) -> Result<Rc<GatewayUrlVersions>, Problem> {
    let (cache, now_ms) = (&context.app.gateway_url_versions, context.request.now_ms);
    if let Some(known) = cache.get(name, now_ms) {
        return Ok(known);
    }
    let carrier = carriers::find(context.platform.db(), name).await?;
    let versions = carrier.map(|carrier| carrier.callbacks).unwrap_or_default();
    Ok(cache.put(name, now_ms, versions))
}
