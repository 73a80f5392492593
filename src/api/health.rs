//! The health of the service.

use serde_json::json;

use super::context::Context;
use super::respond::Success;
use crate::http::Response;
use crate::ports::Platform;
use crate::problem::Problem;

/// `GET /health`
pub async fn get<P: Platform>(context: &Context<'_, P>) -> Result<Response, Problem> {
    Success::ok(json!({"status": "UP", "version": env!("CARGO_PKG_VERSION")})).response(&context.request.id)
}
