//! The health of the service.

use serde_json::json;

use crate::api::http::Response;
use crate::api::http::context::Context;
use crate::api::http::respond::Success;
use crate::api::problem::Problem;
use crate::base::ports::Platform;

/// `GET /health`
pub async fn get<P: Platform>(context: &Context<'_, P>) -> Result<Response, Problem> {
    Success::ok(json!({"status": "UP", "version": env!("CARGO_PKG_VERSION")})).response(&context.request.id)
}
