//! The switch that lets accounts send, or stops them all.

use serde_json::json;

use crate::api::body::JsonBody;
use crate::api::context::Context;
use crate::api::respond::Success;
use crate::directory::switches;
use crate::http::Response;
use crate::input::Fields;
use crate::ports::Platform;
use crate::problem::Problem;

/// `PUT /admin/sending`
pub async fn switch<P: Platform>(context: &Context<'_, P>, body: &JsonBody) -> Result<Response, Problem> {
    let mut fields = Fields::new(&body.object);
    let enabled = fields.boolean("enabled");
    let enabled = fields.require("enabled", enabled).unwrap_or_default();
    fields.finish()?;
    switches::set_sending(context.platform.db(), enabled).await?;
    context.app.profiles.clear();
    Success::ok(json!({"enabled": enabled})).response(&context.request.id)
}
