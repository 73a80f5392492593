//! The switch that lets accounts send, or stops them all.

use crate::api::http::forms::{flag, text};
use crate::api::http::{Response, body::JsonBody, context::Context, respond::Success};
use crate::base::{ports::Platform, time};
use crate::directory::switches::{self, Sending};
use crate::problem::Problem;
use crate::{answer, body};

/// The name of the switch in the audit log.
const NAME: &str = "all";
const MAX_REASON: usize = 500;

body! {
    /// The switch for all accounts.
    pub struct NewSending {
        /// Whether accounts may send.
        enabled: bool = must "enabled" flag() => true;
        /// Why.
        reason: Option<String> = can "reason" text(MAX_REASON) => "the SMSC is being moved";
    }
}

answer! {
    /// The switch for all accounts, and who has switched it.
    pub struct SendingData(sending: &Sending) as "Sending" {
        /// Whether accounts may send.
        "enabled": sending.enabled, flag() => true;
        /// Why.
        "reason": sending.reason, any_text().or_null() => "the SMSC is being moved";
        /// The id of the key that has switched it. `null`: nobody has.
        "changedBy": sending.by, any_text().or_null() => "019b796d-0000-7000-8000-000000000001";
        /// When it was switched.
        "since": sending.since_ms.map(time::to_rfc3339), time().or_null();
    }
}

/// `GET /admin/sending`
pub async fn get<P: Platform>(context: &Context<'_, P>) -> Result<Response, Problem> {
    let sending = switches::sending(context.platform.db()).await?;
    Success::ok(SendingData::of(&sending)).response(context)
}

/// `PUT /admin/sending`
pub async fn switch<P: Platform>(context: &Context<'_, P>, body: &JsonBody) -> Result<Response, Problem> {
    let NewSending { enabled, reason } = context.read(body)?;
    let (db, by) = (context.audited_db(NAME)?, context.caller()?.lasting_key());
    switches::set_sending(&db, enabled, reason.as_deref(), by, context.request.now_ms).await?;
    context.app.profiles.clear();
    get(context).await
}
