//! The routes that need no key: the health of the service, and the home page, where a person arrives who opens its address.

use super::http::{Response, asks_for_html, context::Context, respond::Success};
use super::problem::Problem;
use crate::answer;
use crate::base::{language::Language, ports::Platform};

/// `GET /`. The documentation is a set of static files, so this only says where they are. A program gets the 404 of any other
/// unknown path, because it reads no pages.
pub async fn home<P: Platform>(context: &Context<'_, P>) -> Result<Response, Problem> {
    if !asks_for_html(context.request.head.accept.as_deref()) {
        return Err(Problem::NotFound);
    }
    let docs = match context.request.language {
        Language::En => "/docs",
        Language::Fa => "/docs/fa",
    };
    Ok(Response {
        status: 302,
        content_type: "",
        headers: vec![
            ("Location", docs.to_owned()),
            ("Vary", "Accept, Accept-Language".to_owned()),
        ],
        body: String::new(),
    })
}

answer! {
    /// The service is up.
    pub struct HealthData() as "Health" {
        "status": "UP", one_of(&["UP"]);
        /// The version of the service.
        "version": env!("CARGO_PKG_VERSION"), any_text().like(env!("CARGO_PKG_VERSION"));
    }
}

/// `GET /health`
pub async fn health<P: Platform>(context: &Context<'_, P>) -> Result<Response, Problem> {
    Success::ok(HealthData::of()).response(context)
}
