//! The export of a phonebook as CSV.

use super::own::find;
use crate::api::context::Context;
use crate::directory::export::Export;
use crate::http::{Content, Response};
use crate::ports::Platform;
use crate::problem::Problem;

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
