//! The members of the caller's account.

use crate::api::http::{Response, body::JsonBody, context::Context};
use crate::api::problem::Problem;
use crate::api::shared::keys::Owner;
use crate::api::shared::members::{self, NewFacts};
use crate::auth::role::Role;
use crate::base::ports::Platform;
use crate::body;

body! {
    /// What is to change of a member. If the role changes, all sessions of the person end.
    pub struct AccountMemberChange => {"role": "VIEWER"} {
        name: Option<String> = can "name" members::name();
        role: Option<Role> = can "role" members::role();
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
    members::add(context, owner(context)?, members::read(context, body)?).await
}

/// `GET /members`
pub async fn list<P: Platform>(context: &Context<'_, P>) -> Result<Response, Problem> {
    let owner = owner(context)?;
    members::list(context, owner, members::read_page(context, owner)?).await
}

/// `PATCH /members/{id}`
pub async fn change<P: Platform>(context: &Context<'_, P>, id: &str, body: &JsonBody) -> Result<Response, Problem> {
    members::change(context, owner(context)?, id, read_change(context, body)?).await
}

/// `DELETE /members/{id}`
pub async fn remove<P: Platform>(context: &Context<'_, P>, id: &str) -> Result<Response, Problem> {
    members::remove(context, owner(context)?, id).await
}
