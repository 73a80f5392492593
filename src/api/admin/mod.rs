//! The operators' part of the API, under `/admin`. A change shows at once to the isolate that made it and within thirty
//! seconds to the others.

pub mod accounts;
pub mod dead_letters;
pub mod keys;
pub mod lines;
pub mod plans;

use serde_json::json;

use super::context::Context;
use crate::account::idempotency::Charge;
use crate::api::body::{self, JsonBody};
use crate::api::respond::Success;
use crate::directory::switches;
use crate::http::{Body, Response};
use crate::input::Fields;
use crate::ports::Platform;
use crate::problem::Problem;

/// `PUT /admin/sending`
pub async fn switch_sending<P: Platform>(context: &Context<'_, P>, body: &mut impl Body) -> Result<Response, Problem> {
    context.call(&Charge(None)).await?;
    let JsonBody { object, .. } = body::read_json(context.request.head, body).await?;
    let mut fields = Fields::new(&object);
    let enabled = fields.boolean("enabled");
    let enabled = fields.require("enabled", enabled).unwrap_or_default();
    fields.finish()?;
    switches::set_sending(context.platform.db(), enabled).await?;
    context.app.profiles.clear();
    Success::ok(json!({"enabled": enabled})).response(&context.request.id)
}

/// Letters, digits, `_` and `-`: what a slug is made of.
fn is_slug(text: &str) -> bool {
    text.bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}

/// The form of slugs, for errors.
const SLUG_FORM: &str = "[A-Za-z0-9_-]{1,64}";
