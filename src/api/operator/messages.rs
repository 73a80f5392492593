//! The messages of an account, as operators see them: which carrier has a recipient, and what it says.

use crate::account::message::read::{ListRecipients, Recipients};
use crate::api::customer::messages::{self, MessagesWish, RecipientsWish};
use crate::api::http::{Response, context::Context, query::Paged, respond::Success};
use crate::api::shared::account::must_exist;
use crate::api::shared::keys::Owner;
use crate::api::shared::view::OperatorsRecipient;
use crate::base::ports::Platform;
use crate::problem::Problem;

/// `GET /admin/accounts/{id}/messages`: those of live and of test keys.
pub async fn list<P: Platform>(
    context: &Context<'_, P>,
    id: &str,
    query: Paged<'_, MessagesWish>,
) -> Result<Response, Problem> {
    let listed = query.listed(&format!("admin/accounts/{id}/messages"))?;
    must_exist(context, id).await?;
    messages::list_of(context, Owner::Account(id), None, listed).await
}

/// `GET /admin/accounts/{id}/messages/{uid}`
pub async fn get<P: Platform>(context: &Context<'_, P>, id: &str, uid: &str) -> Result<Response, Problem> {
    must_exist(context, id).await?;
    messages::get_of(context, Owner::Account(id), None, uid).await
}

/// `GET /admin/accounts/{id}/messages/{uid}/recipients`
pub async fn recipients<P: Platform>(
    context: &Context<'_, P>,
    id: &str,
    uid: &str,
    query: Paged<'_, RecipientsWish>,
) -> Result<Response, Problem> {
    let (page, wish) = query.listed(&format!("admin/messages/{uid}"))?;
    // An object of an account that does not exist must not come into being.
    must_exist(context, id).await?;
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
