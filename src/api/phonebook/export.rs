//! `GET /phonebook/{id}/export`: a phonebook as CSV.

use super::find;
use crate::account::idempotency::Charge;
use crate::api::context::Context;
use crate::directory::export::Export;
use crate::http::{Content, Response};
use crate::ports::Platform;
use crate::problem::{Conflict, Problem};

/// `GET /phonebook/{id}/export`
pub async fn export<P: Platform>(context: &Context<'_, P>, phonebook: &str) -> Result<Response, Problem> {
    context.call(&Charge(None)).await?;
    let phonebook = find(context, phonebook).await?;
    let export = Export::of(context.platform.db(), phonebook.seq).await?;
    let export = export.ok_or(Problem::Conflict(Conflict::TooManyColumns))?;
    let disposition = format!("attachment; filename=\"phonebook-{}.csv\"", phonebook.id);
    Ok(Response {
        status: 200,
        content_type: "text/csv; charset=utf-8",
        headers: vec![("Content-Disposition", disposition)],
        body: Content::Export(Box::new(export)),
    })
}
