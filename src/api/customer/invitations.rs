//! Invitations of members: the text that takes the link to the phone.

use sms::msisdn::Msisdn;

use crate::account::keys::invitations::{Invitation, InviteMember};
use crate::account::keys::members::GetMember;
use crate::api::customer::send::accept;
use crate::api::http::caller::Caller;
use crate::api::http::{Response, context::Context, respond::Success};
use crate::api::shared::keys::{self, Owner};
use crate::api::shared::links;
use crate::api::shared::members::{self, NewMember};
use crate::auth::console_session;
use crate::auth::secret::NONCE_BYTES;
use crate::base::id;
use crate::base::ports::Platform;
use crate::compose::request::{CodeOrder, CodeText, NamedAt, NamedNumber, Order, SendRequest};
use crate::problem::Problem;

/// Admits a member, and invites the person if the request says so.
pub async fn admit<P: Platform>(
    context: &Context<'_, P>,
    owner: Owner<'_>,
    new: NewMember,
) -> Result<Response, Problem> {
    let invitation = match new.invites {
        true => Some(make(context, owner, new.phone).await?),
        false => None,
    };
    members::add(context, owner, new, invitation).await
}

/// Makes an invitation to this number, in the name of the account that has the member.
async fn make<P: Platform>(context: &Context<'_, P>, owner: Owner<'_>, phone: Msisdn) -> Result<Invitation, Problem> {
    let acting = match owner {
        Owner::Account(account) => Some(context.acting(Caller::Service(account.to_owned()))),
        Owner::Caller(_) | Owner::Operators => None,
    };
    let sender = acting.as_ref().unwrap_or(context);
    let profile = sender.profile().await?;
    let code = keys::secret(context, |random| console_session::mint_link(random))?;
    let mut nonce = [0; NONCE_BYTES];
    context.platform.random(&mut nonce)?;
    let text = CodeText::Invitation {
        language: context.request.language,
        account: profile.full_name.clone(),
        address: format!("{}/console#/sign-in?invitation=", context.request.head.origin),
    };
    let (message, pieces) = accept::own_text(sender, &profile, &request(phone, text, &code)).await?;
    Ok(Invitation {
        id: id::new(context.platform)?,
        code,
        message,
        pieces,
        nonce,
    })
}

fn request(phone: Msisdn, text: CodeText, code: &str) -> SendRequest {
    SendRequest {
        path: Vec::new(),
        order: Order::Code(CodeOrder {
            recipient: NamedNumber {
                number: phone,
                named_at: NamedAt::Recipient,
            },
            text,
            autofill: None,
            length: u32::try_from(code.len()).unwrap_or(u32::MAX),
        }),
        source_number: None,
        callback: None,
        skips_blocked: false,
        is_cheapest: false,
        send_at_ms: None,
        client_ref: None,
    }
}

/// The number of a member whom the caller may invite.
async fn phone_of<P: Platform>(context: &Context<'_, P>, owner: Owner<'_>, id: &str) -> Result<Msisdn, Problem> {
    let request = GetMember {
        by: owner.authority(context)?,
        id: id.to_owned(),
    };
    let person = owner.ask(context, &request).await?.member;
    let phone = person.and_then(|person| Msisdn::from_digits(person.phone));
    phone.ok_or(Problem::NotFound)
}

/// Sends a member an invitation again.
pub async fn again<P: Platform>(context: &Context<'_, P>, owner: Owner<'_>, id: &str) -> Result<Response, Problem> {
    let phone = phone_of(context, owner, id).await?;
    let request = InviteMember {
        by: owner.authority(context)?,
        member: id.to_owned(),
        invitation: make(context, owner, phone).await?,
    };
    let invited = owner.ask(context, &request).await?;
    links::publish(context, owner.id(), &invited.link).await?;
    Success::created(members::data(owner, &invited.member)?).response(context)
}
