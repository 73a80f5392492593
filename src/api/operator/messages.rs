//! The messages of an account, as operators see them: which carrier has a recipient, and what it says.

use crate::account::message::read::{ListRecipients, Recipients};
use crate::api::customer::messages::RecipientsWish;
use crate::api::http::{Response, context::Context, query::Paged, respond::Success};
use crate::api::shared::view::OperatorsRecipient;
use crate::base::ports::Platform;
use crate::directory::accounts;
use crate::problem::Problem;

/// `GET /admin/accounts/{id}/messages/{uid}/recipients`
pub async fn recipients<P: Platform>(
    context: &Context<'_, P>,
    id: &str,
    uid: &str,
    query: Paged<'_, RecipientsWish>,
) -> Result<Response, Problem> {
    let (page, wish) = query.listed(&format!("admin/messages/{uid}"))?;
    // An object of an account that does not exist must not come into being.
    accounts::find(context.platform.db(), id)
        .await?
        .ok_or(Problem::NotFound)?;
    let list = ListRecipients {
        uid: uid.to_owned(),
        mode: None,
        filter: wish.into(),
        page: page.to_read(),
        whole_texts: false,
    };
    let Recipients { uid, mut recipients } = context.call_other(id, &list).await?;
    let next = page.cut(&mut recipients, |recipient| recipient.index.into());
    if !recipients.is_empty() {
        context.note_shown(&[(id, Some(&uid))]).await?;
    }
    let data = recipients.iter().map(|view| OperatorsRecipient::of(&uid, view));
    Success::page(data, next).response(context)
}
