//! Members: the people of an account, or of the operators, who sign in to the console by phone.

use serde_json::Value;
use sms::msisdn::Msisdn;

use crate::account::keys::invitations::Invitation;
use crate::account::keys::members::{AddMember, ChangeMember, ListMembers, RemoveMember};
use crate::account::keys::{KeyView, Member};
use crate::account::refusal::{Excess, Refusal};
use crate::api::http::body::JsonBody;
use crate::api::http::forms::{Form, choice, flag, phone_number, text};
use crate::api::http::query::{Paged, Query};
use crate::api::http::{self, Response, context::Context, paging::PageRequest, respond::Success};
use crate::api::shared::cascade::{self, CascadeWish};
use crate::api::shared::keys::Owner;
use crate::api::shared::links;
use crate::api::shared::view::E164;
use crate::auth::Scope;
use crate::auth::role::Role;
use crate::base::named::Named;
use crate::base::ports::Platform;
use crate::base::{id, time};
use crate::directory::members;
use crate::problem::field_error::{FieldError, FieldErrorKind};
use crate::problem::{Conflict, Problem};
use crate::{answer, body};

/// A name has at most so many characters.
const MAX_NAME: usize = 100;

answer! {
    /// What all members have.
    pub struct PersonData(key: &KeyView, member: &Member) {
        "id": key.id, id();
        "name": key.title, text(MAX_NAME) => "Sara";
        "phone": E164(member.phone), number();
        "createdAt": time::to_rfc3339(key.created_ms), time();
        /// The member or the key that has admitted the person; `null`: an operator has.
        "createdBy": key.created_by, id().or_null();
        /// When the person signed in last. `null`: not since the service notes it.
        "lastSignInAt": key.used_ms.map(time::to_rfc3339), time().or_null() => null;
    }

    /// A member of an account.
    pub struct MemberData(key: &KeyView, member: &Member) as "Member" with PersonData(key, member) {
        /// `OWNER`: everything, members and keys included. `SENDER`: send, and manage what is sent. `FINANCE`: see the money.
        /// `VIEWER`: see messages and the money.
        "role": role_name(member), one_of(&Role::ALL.map(Role::as_str));
        /// When the person has accepted the invitation. `null`: not yet; until then no code to sign in goes to the phone.
        "joinedAt": member.joined_ms.map(time::to_rfc3339), time().or_null();
    }

    /// A member of the operators.
    pub struct OperatorMemberData(key: &KeyView, member: &Member) as "OperatorMember" with PersonData(key, member) {
        "scopes": key.scopes, list(named("Scope"), 0, Scope::ALL.len());
    }
}

/// The name of a member's role.
pub fn role_name(member: &Member) -> Option<&str> {
    member.role.as_ref().map(Named::as_str)
}

/// A member's name.
pub fn name() -> impl Form<Value = String> {
    text(MAX_NAME).like("Sara")
}

/// A member's role.
pub fn role() -> impl Form<Value = Role> {
    choice(&Role::ALL, Role::as_str)
}

body! {
    /// A person to admit.
    pub struct NewAccountMember => {"phone": "09121234567", "name": "Sara", "role": "SENDER"} {
        phone: Option<Msisdn> = needs "phone" phone_number();
        name: String = must "name" name();
        role: Option<Role> = needs "role" role();
        /// Whether the person gets an invitation by SMS, which the account pays. Who gets none comes in by a link.
        invites: bool = can "invite" flag(), or true;
    }
}

/// Reads a person to admit.
pub fn read<P: Platform>(context: &Context<'_, P>, body: &JsonBody) -> Result<NewMember, Problem> {
    let new: NewAccountMember = context.read(body)?;
    let (Some(phone), Some(role)) = (new.phone, new.role) else {
        return Err(Problem::Internal(
            "a member without faults lacks a phone or a role".to_owned(),
        ));
    };
    Ok(NewMember {
        name: new.name,
        phone,
        role: Some(role),
        scopes: role.scopes(),
        invites: new.invites,
    })
}

/// A person to admit. `role` is `None` for an operator.
pub struct NewMember {
    /// The person's name.
    pub name: String,
    /// The person's number.
    pub phone: Msisdn,
    /// What the person is to the account.
    pub role: Option<Role>,
    /// What the person may do.
    pub scopes: Vec<Scope>,
    /// Whether the person gets an invitation.
    pub invites: bool,
}

/// What is to change of a member.
pub struct NewFacts {
    /// The name.
    pub name: Option<String>,
    /// The role, with its scopes.
    pub role: Option<(Option<Role>, Vec<Scope>)>,
}

/// A member in the form of the API.
pub fn data(owner: Owner<'_>, key: &KeyView) -> Result<Value, Problem> {
    let Some(member) = &key.member else {
        return Err(Problem::Internal(format!("key {} is no member", key.id)));
    };
    Ok(match owner {
        Owner::Operators => OperatorMemberData::of(key, member),
        Owner::Account(_) | Owner::Caller(_) => MemberData::of(key, member),
    })
}

/// The problem of a refusal. `of` names the member of the body that says what the person may do, if there is one.
fn problem<P: Platform>(context: &Context<'_, P>, refusal: Refusal, of: Option<&'static str>) -> Problem {
    match (refusal, of) {
        (Refusal::OwnKey, _) => Problem::Conflict(Conflict::OwnMember),
        (Refusal::WiderKey(excess), Some(of)) if !excess.iter().any(is_to_manage) => {
            Problem::Validation(vec![FieldError::of(of, FieldErrorKind::BeyondOwnKey)])
        }
        (refusal, _) => context.problem(refusal),
    }
}

/// The member of a body that says what a person may do. An operator has no role.
fn member_of(role: Option<Role>) -> &'static str {
    if role.is_some() { "role" } else { "scopes" }
}

/// Whether what is lacking is the scope that the request itself needs.
fn is_to_manage(excess: &Excess) -> bool {
    matches!(excess, Excess::Scope(Scope::Keys | Scope::AdminService))
}

/// Admits a member. What the directory knows of an operator is noted again if the phone is a member already: the request before may
/// have been interrupted.
pub async fn add<P: Platform>(
    context: &Context<'_, P>,
    owner: Owner<'_>,
    new: NewMember,
    invitation: Option<Invitation>,
) -> Result<Response, Problem> {
    let of = Some(member_of(new.role));
    let request = AddMember {
        by: owner.authority(context)?,
        id: id::new(context.platform)?,
        name: new.name,
        phone: new.phone.get(),
        role: new.role,
        scopes: new.scopes,
        invitation,
    };
    let added = owner
        .try_ask(context, &request)
        .await?
        .map_err(|refusal| problem(context, refusal, of))?;
    // A member of an account is put there when the person joins. An operator signs in with a passkey, and needs not join.
    if matches!(owner, Owner::Operators) {
        members::put(context.platform.db(), request.phone, owner.id(), &added.member.id).await?;
    }
    if let Some(link) = &added.link {
        links::publish(context, owner.id(), link).await?;
    }
    if !added.is_new {
        return Err(Problem::Conflict(Conflict::MemberExists));
    }
    Success::created(data(owner, &added.member)?).response(context)
}

/// Lists members, newest first.
pub async fn list<P: Platform>(
    context: &Context<'_, P>,
    owner: Owner<'_>,
    page: PageRequest<String>,
) -> Result<Response, Problem> {
    let request = ListMembers {
        limit: page.limit(),
        after: page.after().cloned(),
    };
    let mut found = owner.ask(context, &request).await?;
    let next = page.cut(&mut found, |key| key.id.clone());
    let items: Vec<Value> = found.iter().map(|key| data(owner, key)).collect::<Result<_, _>>()?;
    Success::page(items, next).response(context)
}

/// The page of members that a query asks for.
pub fn read_page(query: Paged<'_>, owner: Owner<'_>) -> Result<PageRequest<String>, Problem> {
    Ok(query.listed_by_name(&format!("members/{}", owner.id()))?.0)
}

/// Changes a member.
pub async fn change<P: Platform>(
    context: &Context<'_, P>,
    owner: Owner<'_>,
    id: &str,
    new: NewFacts,
) -> Result<Response, Problem> {
    let of = new.role.as_ref().map(|(role, _)| member_of(*role));
    let request = ChangeMember {
        by: owner.authority(context)?,
        id: id.to_owned(),
        name: new.name,
        role: new.role,
    };
    let changed = owner
        .try_ask(context, &request)
        .await?
        .map_err(|refusal| problem(context, refusal, of))?;
    for ended in changed.ended {
        context.platform.delete_key(&ended.digest).await?;
        context.app.keys.forget(&ended.digest);
    }
    Success::ok(data(owner, &changed.member)?).response(context)
}

/// Lets a member go. The object decides first: what the directory still knows of the person lets nobody in.
pub async fn remove<P: Platform>(
    context: &Context<'_, P>,
    owner: Owner<'_>,
    id: &str,
    query: Query<'_, CascadeWish>,
) -> Result<Response, Problem> {
    if cascade::is_asked(query)? {
        return cascade::dismiss(context, owner, id).await;
    }
    let request = RemoveMember {
        by: owner.authority(context)?,
        id: id.to_owned(),
    };
    let member = owner
        .try_ask(context, &request)
        .await?
        .map_err(|refusal| problem(context, refusal, None))?;
    let phone = member.member.map_or(0, |member| member.phone);
    members::remove(context.platform.db(), phone, owner.id(), &member.id).await?;
    Ok(http::no_content())
}
