//! The export of a phonebook as CSV.

use super::own::find;
use crate::api::http::context::Context;
use crate::api::http::{Content, Response};
use crate::api::problem::Problem;
use crate::base::ports::Platform;
use crate::directory::phonebook::export::Export;

/// `GET /phonebook/{id}/export`
pub async fn export<P: Platform>(context: &Context<'_, P>, phonebook: &str) -> Result<Response, Problem> {
    let phonebook = find(context, phonebook).await?;
    let disposition = format!("attachment; filename=\"phonebook-{}.csv\"", phonebook.id);
    Ok(Response {
        status: 200,
        content_type: "text/csv; charset=utf-8",
        headers: vec![("Content-Disposition", disposition)],
        body: Content::Export(Box::new(Export::of(phonebook))),
    })
}
