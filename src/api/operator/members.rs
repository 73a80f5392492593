//! The members of the operators, and those of an account as operators manage them.

use sms::msisdn::Msisdn;

use crate::api::customer::invitations;
use crate::api::http::query::{Paged, Query};
use crate::api::http::{Response, body::JsonBody, context::Context, forms::phone_number};
use crate::api::shared::account::{must_be_open, must_exist};
use crate::api::shared::cascade::CascadeWish;
use crate::api::shared::keys::{Owner, operator_scopes};
use crate::api::shared::links;
use crate::api::shared::members::{self, NewFacts, NewMember};
use crate::auth::Scope;
use crate::base::ports::Platform;
use crate::body;
use crate::problem::Problem;

body! {
    /// A person who is to be an operator.
    pub struct NewOperatorMember => {"phone": "09121234567", "name": "Sara", "scopes": ["admin:read"]} {
        phone: Option<Msisdn> = needs "phone" phone_number();
        name: String = must "name" members::name();
        /// What the person may do, of what the caller may.
        scopes: Vec<Scope> = must "scopes" operator_scopes() => ["admin:read"];
    }

    /// What is to change of an operator. If the scopes change, all sessions of the person end.
    pub struct OperatorMemberChange => {"scopes": ["admin:read", "admin:money"]} {
        name: Option<String> = can "name" members::name();
        scopes: Option<Vec<Scope>> = can "scopes" operator_scopes() => ["admin:read"];
    }
}

/// `POST /admin/members`
pub async fn add<P: Platform>(context: &Context<'_, P>, body: &JsonBody) -> Result<Response, Problem> {
    let new: NewOperatorMember = context.read(body)?;
    let Some(phone) = new.phone else {
        return Err(Problem::Internal("a member without faults lacks a phone".to_owned()));
    };
    let new = NewMember {
        name: new.name,
        phone,
        role: None,
        scopes: new.scopes,
        invites: false,
    };
    members::add(context, Owner::Operators, new, None).await
}

/// `GET /admin/members`
pub async fn list<P: Platform>(context: &Context<'_, P>, query: Paged<'_>) -> Result<Response, Problem> {
    let page = members::read_page(query, Owner::Operators)?;
    members::list(context, Owner::Operators, page).await
}

/// `PATCH /admin/members/{id}`
pub async fn change<P: Platform>(context: &Context<'_, P>, id: &str, body: &JsonBody) -> Result<Response, Problem> {
    let change: OperatorMemberChange = context.read(body)?;
    let new = NewFacts {
        name: change.name,
        role: change.scopes.map(|scopes| (None, scopes)),
    };
    members::change(context, Owner::Operators, id, new).await
}

/// `POST /admin/members/{id}/link`
pub async fn link<P: Platform>(context: &Context<'_, P>, id: &str, body: &JsonBody) -> Result<Response, Problem> {
    links::for_member(context, Owner::Operators, id, body).await
}

/// `DELETE /admin/members/{id}`
pub async fn remove<P: Platform>(
    context: &Context<'_, P>,
    id: &str,
    query: Query<'_, CascadeWish>,
) -> Result<Response, Problem> {
    members::remove(context, Owner::Operators, id, query).await
}

/// `POST /admin/accounts/{id}/members`
pub async fn add_to<P: Platform>(
    context: &Context<'_, P>,
    account: &str,
    body: &JsonBody,
) -> Result<Response, Problem> {
    let new = members::read(context, body)?;
    must_be_open(context, account).await?;
    invitations::admit(context, Owner::Account(account), new).await
}

/// `GET /admin/accounts/{id}/members`
pub async fn list_of<P: Platform>(
    context: &Context<'_, P>,
    account: &str,
    query: Paged<'_>,
) -> Result<Response, Problem> {
    let owner = Owner::Account(account);
    let page = members::read_page(query, owner)?;
    must_exist(context, account).await?;
    members::list(context, owner, page).await
}

/// `POST /admin/accounts/{id}/members/{member}/invitation`
pub async fn invite<P: Platform>(context: &Context<'_, P>, account: &str, member: &str) -> Result<Response, Problem> {
    must_be_open(context, account).await?;
    invitations::again(context, Owner::Account(account), member).await
}

/// `DELETE /admin/accounts/{id}/members/{member}`
pub async fn remove_from<P: Platform>(
    context: &Context<'_, P>,
    account: &str,
    member: &str,
    query: Query<'_, CascadeWish>,
) -> Result<Response, Problem> {
    must_be_open(context, account).await?;
    members::remove(context, Owner::Account(account), member, query).await
}
