//! The messages of an account, as operators see them: which carrier has a recipient, and what it says.

use crate::account::messages::{ListRecipients, Recipients};
use crate::account::status::RecipientStatus;
use crate::api::context::Context;
use crate::api::query::Query;
use crate::api::respond::Success;
use crate::api::view::OperatorsRecipient;
use crate::directory::accounts;
use crate::http::Response;
use crate::ports::Platform;
use crate::problem::Problem;

/// `GET /admin/accounts/{id}/messages/{uid}/recipients`
pub async fn recipients<P: Platform>(context: &Context<'_, P>, id: &str, uid: &str) -> Result<Response, Problem> {
    let mut query = Query::of(context.request.head);
    let page = query.page(&format!("admin/messages/{uid}"));
    let status = query.choice("status", &RecipientStatus::ALL, RecipientStatus::as_str);
    query.finish()?;
    // An object of an account that does not exist must not come into being.
    accounts::find(context.platform.db(), id)
        .await?
        .ok_or(Problem::NotFound)?;
    let list = ListRecipients {
        uid: uid.to_owned(),
        status,
        page: page.to_read(),
        whole_texts: false,
    };
    let Recipients { uid, mut recipients } = context.call_other(id, &list).await?;
    let next = page.cut(&mut recipients, |recipient| recipient.index.into());
    let data: Vec<OperatorsRecipient<'_>> = recipients
        .iter()
        .map(|view| OperatorsRecipient::of(&uid, view))
        .collect();
    Success::page(data, next).response(&context.request.id)
}
