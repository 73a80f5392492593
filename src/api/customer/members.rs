//! The members of the caller's account.

use crate::account::keys::passkeys::rule::{GetMemberRule, SetMemberRule};
use crate::api::customer::invitations;
use crate::api::http::forms::{Form, choice};
use crate::api::http::query::{Paged, Query};
use crate::api::http::{Response, body::JsonBody, context::Context, respond::Success};
use crate::api::shared::cascade::CascadeWish;
use crate::api::shared::keys::Owner;
use crate::api::shared::links;
use crate::api::shared::members::{self, NewFacts};
use crate::auth::role::Role;
use crate::base::named::named;
use crate::base::ports::Platform;
use crate::problem::Problem;
use crate::{answer, body};

named! {
    /// What members need to sign in.
    pub enum Required {
        /// A code by SMS, or a passkey.
        Code => "CODE",
        /// A passkey.
        Passkey => "PASSKEY",
    }
}

fn required() -> impl Form<Value = Required> {
    choice(&Required::ALL, Required::as_str)
}

body! {
    /// What is to change of a member. If the role changes, all sessions of the person end.
    pub struct AccountMemberChange => {"role": "VIEWER"} {
        name: Option<String> = can "name" members::name();
        role: Option<Role> = can "role" members::role();
    }

    /// What members shall need to sign in.
    pub struct NewSignInRule => {"require": "PASSKEY"} {
        require: Option<Required> = needs "require" required();
    }
}

answer! {
    /// What members need to sign in.
    pub struct SignInRuleData(only_passkeys: bool) as "SignInRule" {
        /// `CODE`: a code by SMS, or a passkey. `PASSKEY`: a passkey; a code opens no session then.
        "require": (if only_passkeys { Required::Passkey } else { Required::Code }).as_str(), one_of(&Required::ALL.map(Required::as_str));
    }
}

/// Reads what is to change.
pub fn read_change<P: Platform>(context: &Context<'_, P>, body: &JsonBody) -> Result<NewFacts, Problem> {
    let change: AccountMemberChange = context.read(body)?;
    Ok(NewFacts {
        name: change.name,
        role: change.role.map(|role| (Some(role), role.scopes())),
    })
}

fn owner<'c, P: Platform>(context: &'c Context<'_, P>) -> Result<Owner<'c>, Problem> {
    Ok(Owner::Caller(context.caller()?.account()))
}

/// `POST /members`
pub async fn add<P: Platform>(context: &Context<'_, P>, body: &JsonBody) -> Result<Response, Problem> {
    invitations::admit(context, owner(context)?, members::read(context, body)?).await
}

/// `GET /members`
pub async fn list<P: Platform>(context: &Context<'_, P>, query: Paged<'_>) -> Result<Response, Problem> {
    let owner = owner(context)?;
    members::list(context, owner, members::read_page(query, owner)?).await
}

/// `PATCH /members/{id}`
pub async fn change<P: Platform>(context: &Context<'_, P>, id: &str, body: &JsonBody) -> Result<Response, Problem> {
    members::change(context, owner(context)?, id, read_change(context, body)?).await
}

/// `POST /members/{id}/link`
pub async fn link<P: Platform>(context: &Context<'_, P>, id: &str, body: &JsonBody) -> Result<Response, Problem> {
    links::for_member(context, owner(context)?, id, body).await
}

/// `POST /members/{id}/invitation`
pub async fn invite<P: Platform>(context: &Context<'_, P>, id: &str) -> Result<Response, Problem> {
    invitations::again(context, owner(context)?, id).await
}

/// `GET /members/sign-in`
pub async fn rule<P: Platform>(context: &Context<'_, P>) -> Result<Response, Problem> {
    let only_passkeys = context.call(&GetMemberRule).await?;
    Success::ok(SignInRuleData::of(only_passkeys)).response(context)
}

/// `PUT /members/sign-in`
pub async fn set_rule<P: Platform>(context: &Context<'_, P>, body: &JsonBody) -> Result<Response, Problem> {
    let only_passkeys = context.read::<NewSignInRule>(body)?.require == Some(Required::Passkey);
    let by = owner(context)?.authority(context)?;
    for ended in context.call(&SetMemberRule { by, only_passkeys }).await? {
        context.platform.delete_key(&ended.digest).await?;
        context.app.keys.forget(&ended.digest);
    }
    Success::ok(SignInRuleData::of(only_passkeys)).response(context)
}

/// `DELETE /members/{id}`
pub async fn remove<P: Platform>(
    context: &Context<'_, P>,
    id: &str,
    query: Query<'_, CascadeWish>,
) -> Result<Response, Problem> {
    members::remove(context, owner(context)?, id, query).await
}
