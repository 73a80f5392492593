//! The switch that lets accounts send, or stops them all.

use serde_json::{Value, json};

use crate::api::http::Response;
use crate::api::http::body::JsonBody;
use crate::api::http::context::Context;
use crate::api::http::forms::{flag, text};
use crate::api::http::respond::Success;
use crate::api::problem::Problem;
use crate::base::ports::Platform;
use crate::base::time;
use crate::body;
use crate::directory::switches::{self, Sending};

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

fn data(sending: &Sending) -> Value {
    json!({
        "enabled": sending.enabled,
        "reason": sending.reason,
        "changedBy": sending.by,
        "since": sending.since_ms.map(time::to_rfc3339),
    })
}

/// `GET /admin/sending`
pub async fn get<P: Platform>(context: &Context<'_, P>) -> Result<Response, Problem> {
    let sending = switches::sending(context.platform.db()).await?;
    Success::ok(data(&sending)).response(&context.request.id)
}

/// `PUT /admin/sending`
pub async fn switch<P: Platform>(context: &Context<'_, P>, body: &JsonBody) -> Result<Response, Problem> {
    let NewSending { enabled, reason } = context.read(body)?;
    let (db, by) = (context.audited_db(NAME)?, context.caller()?.key_id());
    switches::set_sending(&db, enabled, reason.as_deref(), by, context.request.now_ms).await?;
    context.app.profiles.clear();
    get(context).await
}
