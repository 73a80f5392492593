//! The messages of an account.

use sms::msisdn::Msisdn;

use crate::account::message::export::{FIRST_PAGE, Pages, RecipientsExport};
use crate::account::message::halt::{CancelMessage, Halted, PauseMessage};
use crate::account::message::list::{ListMessages, Listed, MessageFilter};
use crate::account::message::read::{GetMessage, ListRecipients, RecipientFilter, Recipients};
use crate::account::record::message::MessageKind;
use crate::account::record::message::delivery_error::DeliveryError;
use crate::account::record::message::status::{MessageStatus, RecipientStatus};
use crate::api::http::forms::{Form, any_text, choice, phone_number, time};
use crate::api::http::{Response, context::Context, paging::PageRequest, query::Paged, respond::Success};
use crate::api::shared::export::{Answer, Export, ListForm};
use crate::api::shared::keys::Owner;
use crate::api::shared::view::{CanceledMessage, MessageData, MessageDetail, RecipientState, Sandboxes};
use crate::auth::Mode;
use crate::base::ports::Platform;
use crate::carrier::control;
use crate::carrier::request::{HoldBack, HoldScope};
use crate::problem::Problem;
use crate::query;

/// A page of at most this many recipients has their whole texts, so that each text can be read somewhere. At the most parts
/// that a setting allows, they still take less than 4 MiB.
const WHOLE_TEXTS: u32 = 20;

query! {
    pub struct MessagesWish {
        /// Only messages with this status.
        status: Option<MessageStatus> = can "status" choice(&MessageStatus::ALL, MessageStatus::as_str);
        /// Only messages that were sent this way.
        kind: Option<MessageKind> = can "type" choice(&MessageKind::ALL, MessageKind::as_str);
        /// Only messages that were accepted at this time or later.
        from_ms: Option<i64> = can "from" time();
        /// Only messages that were accepted before this time.
        to_ms: Option<i64> = can "to" time();
        /// Only messages to this number.
        msisdn: Option<u64> = can "recipient" phone_number().then(Msisdn::get);
        /// Only messages with this reference.
        client_ref: Option<String> = can "clientRef" any_text() => "order-7";
    }

    pub struct RecipientsWish {
        /// Only recipients with this status.
        status: Option<RecipientStatus> = can "status" choice(&RecipientStatus::ALL, RecipientStatus::as_str);
        /// Only the recipient with this number.
        msisdn: Option<u64> = can "recipient" phone_number().then(Msisdn::get);
        /// Only recipients that did not get the message for this reason.
        error: Option<DeliveryError> = can "error" choice(&DeliveryError::ALL, DeliveryError::as_str);
    }
}

impl From<RecipientsWish> for RecipientFilter {
    fn from(wish: RecipientsWish) -> Self {
        RecipientFilter {
            status: wish.status,
            msisdn: wish.msisdn,
            error: wish.error,
        }
    }
}

/// `GET /messages`
pub async fn list<P: Platform>(context: &Context<'_, P>, query: Paged<'_, MessagesWish>) -> Result<Response, Problem> {
    let caller = context.caller()?;
    let (page, wish) = query.listed("messages")?;
    list_of(
        context,
        Owner::Caller(caller.account()),
        Some(caller.mode()),
        (page, wish),
    )
    .await
}

/// Lists messages of an account: those of keys of this mode, or of all.
pub async fn list_of<P: Platform>(
    context: &Context<'_, P>,
    owner: Owner<'_>,
    mode: Option<Mode>,
    (page, wish): (PageRequest<i64>, MessagesWish),
) -> Result<Response, Problem> {
    let filter = MessageFilter {
        status: wish.status,
        kind: wish.kind,
        from_ms: wish.from_ms,
        to_ms: wish.to_ms,
        msisdn: wish.msisdn,
        client_ref: wish.client_ref,
        mode,
    };
    let list = ListMessages {
        filter,
        page: page.to_read(),
        sandboxes: Sandboxes::of(context).await?.names(),
    };
    let Listed {
        mut messages,
        walked_to,
    } = owner.ask(context, &list).await?;
    let next = page.cut(&mut messages, |message| message.id);
    let next = next.or_else(|| walked_to.map(|id| page.cursor_behind(&id)));
    if !messages.is_empty() {
        context.note_shown(&[(owner.id(), None)]).await?;
    }
    Success::page(
        messages
            .iter()
            .map(|message| MessageData::listed(message, context.request.now_ms)),
        next,
    )
    .response(context)
}

/// `GET /messages/{uid}`
pub async fn get<P: Platform>(context: &Context<'_, P>, uid: &str) -> Result<Response, Problem> {
    let caller = context.caller()?;
    get_of(context, Owner::Caller(caller.account()), Some(caller.mode()), uid).await
}

/// Answers a message of an account, if a key of this mode has sent it, or any key.
pub async fn get_of<P: Platform>(
    context: &Context<'_, P>,
    owner: Owner<'_>,
    mode: Option<Mode>,
    uid: &str,
) -> Result<Response, Problem> {
    let sandboxes = Sandboxes::of(context).await?;
    let asked = GetMessage {
        uid: uid.to_owned(),
        mode,
        sandboxes: sandboxes.names(),
    };
    let message = owner.ask(context, &asked).await?;
    context.note_shown(&[(owner.id(), Some(&message.uid))]).await?;
    Success::ok(MessageDetail::of(&message, &sandboxes, context.request.now_ms)).response(context)
}

/// `DELETE /messages/{uid}`: cancels what has not left, and returns the message as it is then.
pub async fn cancel<P: Platform>(context: &Context<'_, P>, uid: &str) -> Result<Response, Problem> {
    let cancel = CancelMessage {
        uid: uid.to_owned(),
        mode: context.caller()?.mode(),
    };
    let halted = context.call(&cancel).await?;
    hold_back(context, &halted).await?;
    let sandboxes = Sandboxes::of(context).await?;
    Success::ok(CanceledMessage::of(&halted, &sandboxes, context.request.now_ms)).response(context)
}

/// `POST /messages/{uid}/pause`
pub async fn pause<P: Platform>(context: &Context<'_, P>, uid: &str) -> Result<Response, Problem> {
    set_paused(context, uid, true).await
}

/// `POST /messages/{uid}/resume`
pub async fn resume<P: Platform>(context: &Context<'_, P>, uid: &str) -> Result<Response, Problem> {
    set_paused(context, uid, false).await
}

async fn set_paused<P: Platform>(context: &Context<'_, P>, uid: &str, paused: bool) -> Result<Response, Problem> {
    let pause = PauseMessage {
        uid: uid.to_owned(),
        mode: context.caller()?.mode(),
        paused,
    };
    let halted = context.call(&pause).await?;
    if paused {
        hold_back(context, &halted).await?;
    }
    let sandboxes = Sandboxes::of(context).await?;
    Success::ok(MessageDetail::of(&halted.message, &sandboxes, context.request.now_ms)).response(context)
}

/// Asks the carriers to send nothing more of what they have of a message. A request that can't tell them fails, and may come again:
/// what they have not sent stops when it comes back.
pub async fn hold_back<P: Platform>(context: &Context<'_, P>, halted: &Halted) -> Result<(), Problem> {
    let account = context.caller()?.account().to_owned();
    let held = HoldBack {
        held: vec![HoldScope::Message(account, halted.message.id)],
        claimed_until_ms: halted.with_carriers.at_ms,
    };
    Ok(control::hold_back(context.platform, &halted.with_carriers.objects, &held).await?)
}

/// `GET /messages/{uid}/recipients`
pub async fn recipients<P: Platform>(
    context: &Context<'_, P>,
    uid: &str,
    mut query: Paged<'_, (RecipientsWish, ListForm)>,
) -> Result<Answer, Problem> {
    let (wish, form) = query.filters();
    if form.is_csv() {
        return export(context, uid, query, wish.into()).await;
    }
    let page = query.page(&format!("messages/{uid}"));
    query.finish()?;
    let list = ListRecipients {
        uid: uid.to_owned(),
        mode: Some(context.caller()?.mode()),
        filter: wish.into(),
        page: page.to_read(),
        whole_texts: page.is_at_most(WHOLE_TEXTS),
    };
    let Recipients { uid, mut recipients } = context.call(&list).await?;
    let next = page.cut(&mut recipients, |recipient| recipient.index.into());
    let sandboxes = Sandboxes::of(context).await?;
    let data = recipients.iter().map(|view| RecipientState::of(&uid, view, &sandboxes));
    let response = Success::page(data, next).response(context)?;
    Ok(response.into())
}

/// Answers all recipients of the filter as CSV. A message has no more of them than one response bears.
async fn export<P: Platform>(
    context: &Context<'_, P>,
    uid: &str,
    mut query: Paged<'_, (RecipientsWish, ListForm)>,
    filter: RecipientFilter,
) -> Result<Answer, Problem> {
    query.refuse_page("format");
    query.finish()?;
    let list = ListRecipients {
        uid: uid.to_owned(),
        mode: Some(context.caller()?.mode()),
        filter,
        page: FIRST_PAGE,
        whole_texts: false,
    };
    let export = recipients_export(context, list).await?;
    Ok(Export::Recipients(Box::new(export)).answer("recipients.csv"))
}

/// The recipients of this list as CSV. Its first page is read already, so that a list that is not there is an error.
pub async fn recipients_export<P: Platform, L: Pages>(
    context: &Context<'_, P>,
    list: L,
) -> Result<RecipientsExport<L>, Problem> {
    let first = context.call(&list).await?;
    let (account, language) = (context.caller()?.account(), context.request.language);
    Ok(RecipientsExport::of(
        account,
        list,
        language,
        &context.app.config.unit,
        first,
    ))
}
