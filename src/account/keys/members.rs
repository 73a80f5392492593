//! Members: people of an account who sign in by phone. The object keeps one like a key, without a key: what the person does counts
//! for it, its sessions end with it, and who has admitted it is known.
//!
//! The invariant: a phone is at most one member of an account. The directory knows which accounts have a phone
//! (`directory/members.rs`), and nothing is decided on that.

use serde::{Deserialize, Serialize};

use super::authority::Authority;
use super::invitations::Invitation;
use super::requests::{MAX_KEYS, note_way};
use super::{COLUMNS, KeyView, Member, insert_below, makers, passkeys, set_revoked, shown};
use crate::account::refusal::Refusal;
use crate::account::request::{Entry, ReplyResult, Request, Wakes};
use crate::account::unit_of_work::UnitOfWork;
use crate::auth::role::Role;
use crate::auth::{Mode, Scope};
use crate::base::named::Named;
use crate::base::ports::{PortError, Sql};
use crate::base::record::{Columns, Words};
use crate::durable::audit::Subject;

/// Admits a member.
#[derive(Debug, Serialize, Deserialize)]
pub struct AddMember {
    /// Who admits it.
    pub by: Authority,
    /// The member's id.
    pub id: String,
    /// The person's name.
    pub name: String,
    /// The person's number.
    pub phone: u64,
    /// What the person is to the account. `None`: an operator.
    pub role: Option<Role>,
    /// What the person may do.
    pub scopes: Vec<Scope>,
    /// What goes to the phone. `None`: nothing.
    #[serde(default)]
    pub invitation: Option<Invitation>,
}

/// A member, and whether the request has admitted it. If not, the phone was one before.
#[derive(Debug, Serialize, Deserialize)]
pub struct Added {
    /// The member.
    pub member: KeyView,
    /// Whether it is new.
    #[serde(default)]
    pub is_new: bool,
    /// The link of the invitation, if one was sent.
    #[serde(default)]
    pub link: Option<KeyView>,
}

impl AddMember {
    /// It takes after the key of the request, so that it reaches no further.
    fn member(&self, own: Option<&KeyView>, now_ms: i64) -> KeyView {
        // No key has it, and KV has nothing under this name.
        let digest = self.id.clone();
        KeyView {
            scopes: self.scopes.clone(),
            lines: own.and_then(|own| own.lines.clone()),
            expires_ms: own.and_then(|own| own.expires_ms),
            term_ms: own.and_then(|own| own.expires_ms),
            created_by: own.map(|own| own.id.clone()),
            caps: own.map(|own| own.caps.clone()).unwrap_or_default(),
            member: Some(Member {
                phone: self.phone,
                role: self.role.map(Named::Known),
                joined_ms: None,
            }),
            ..KeyView::new(self.id.clone(), self.name.clone(), digest, Mode::Live, now_ms)
        }
    }
}

impl Request for AddMember {
    const NAME: &'static str = "AddMember";
    const NEEDS_OPEN: bool = true;
    const WAKES: Wakes = Wakes::Now;
    const NEEDS_KEY: bool = true;
    type Reply = Added;

    fn audited(&self, sql: &impl Sql, _: &UnitOfWork) -> Result<Option<Subject>, PortError> {
        shown(sql, &self.id).map(Some)
    }

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<Added> {
        let own = self.by.own_key(sql, work.now_ms)?;
        let member = self.member(own.as_ref(), work.now_ms);
        self.by.reaches(own.as_ref(), &member, member.expires_ms)?;
        if let Some(member) = of_phone(sql, self.phone, work.now_ms)? {
            return Ok(Added {
                member,
                is_new: false,
                link: None,
            });
        }
        if let Some(invitation) = &self.invitation
            && let Some(refusal) = invitation.refusal(sql, work, self.phone, &self.by)?
        {
            return Err(refusal.into());
        }
        insert_below(MAX_KEYS, sql, &member, work.now_ms)?;
        makers::note(sql, &member.id, member.created_by.as_deref(), None)?;
        note_way(sql, &member.id, &self.by)?;
        let link = match &self.invitation {
            Some(invitation) => Some(invitation.send(sql, work, member.clone(), &self.by)?),
            None => None,
        };
        Ok(Added {
            member,
            is_new: true,
            link,
        })
    }
}

/// The member with this phone. An account has few keys, so the walk through all of them is short.
fn of_phone(sql: &impl Sql, phone: u64, now_ms: i64) -> Result<Option<KeyView>, PortError> {
    let query = format!("SELECT {COLUMNS} FROM api_key WHERE phone = ?1 AND session_of IS NULL ORDER BY id");
    let rows = sql.exec(&query, &[i64::try_from(phone).unwrap_or(i64::MAX).into()])?;
    let known: Vec<KeyView> = rows.iter().map(KeyView::of).collect::<Result<_, _>>()?;
    Ok(known.into_iter().find(|member| member.counts(now_ms)))
}

/// Asks for a member whom the request may change.
#[derive(Debug, Serialize, Deserialize)]
pub struct GetMember {
    /// Who asks.
    pub by: Authority,
    /// The member's id.
    pub id: String,
}

impl Request for GetMember {
    const NAME: &'static str = "GetMember";
    const PROTECTS: bool = true;
    const WAKES: Wakes = Wakes::Never;
    /// It changes nothing.
    const ENTRY: Entry = Entry::Bounded;
    type Reply = KeyView;

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<KeyView> {
        self.by.member(sql, &self.id, work.now_ms)
    }
}

/// Asks for members, newest first. Who has left is not among them.
#[derive(Debug, Serialize, Deserialize)]
pub struct ListMembers {
    /// Members at most.
    pub limit: u32,
    /// The last member of the page before.
    pub after: Option<String>,
}

impl Request for ListMembers {
    const NAME: &'static str = "ListMembers";
    const PROTECTS: bool = true;
    const WAKES: Wakes = Wakes::Never;
    type Reply = Vec<KeyView>;

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<Vec<KeyView>> {
        let query = format!(
            "SELECT {COLUMNS} FROM api_key WHERE phone IS NOT NULL AND session_of IS NULL AND revoked_ms IS NULL \
               AND (expires_ms IS NULL OR expires_ms > ?3) AND (?2 IS NULL OR id < ?2) ORDER BY id DESC LIMIT ?1"
        );
        let rows = sql.exec(
            &query,
            &[self.limit.into(), self.after.as_deref().into(), work.now_ms.into()],
        )?;
        rows.iter()
            .map(KeyView::of)
            .collect::<Result<_, _>>()
            .map_err(Into::into)
    }
}

/// Changes a member. If the person may do more or less afterwards, all sessions end: a session has what it was opened with.
#[derive(Debug, Serialize, Deserialize)]
pub struct ChangeMember {
    /// Who changes it.
    pub by: Authority,
    /// The member's id.
    pub id: String,
    /// The new name.
    pub name: Option<String>,
    /// The new role, with its scopes.
    pub role: Option<(Option<Role>, Vec<Scope>)>,
}

/// A member after a change, and the sessions that have ended.
#[derive(Debug, Serialize, Deserialize)]
pub struct Changed {
    /// The member.
    pub member: KeyView,
    /// The sessions.
    pub ended: Vec<KeyView>,
}

impl ChangeMember {
    fn apply(&self, mut member: KeyView) -> KeyView {
        if let Some(name) = &self.name {
            member.title.clone_from(name);
        }
        if let Some((role, scopes)) = &self.role {
            member.scopes.clone_from(scopes);
            if let Some(person) = &mut member.member {
                person.role = role.map(Named::Known);
            }
        }
        member
    }
}

impl Request for ChangeMember {
    const NAME: &'static str = "ChangeMember";
    const NEEDS_OPEN: bool = true;
    /// Ended sessions are forgotten.
    const WAKES: Wakes = Wakes::In(0);
    type Reply = Changed;

    fn audited(&self, sql: &impl Sql, _: &UnitOfWork) -> Result<Option<Subject>, PortError> {
        shown(sql, &self.id).map(Some)
    }

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<Changed> {
        let before = self.by.member(sql, &self.id, work.now_ms)?;
        let own = self.by.own_key(sql, work.now_ms)?;
        let member = self.apply(before.clone());
        // Else two clicks would leave an account without an owner.
        if member.scopes != before.scopes && self.by.is_own(sql, &self.id)? {
            return Err(Refusal::OwnKey.into());
        }
        self.by.reaches(own.as_ref(), &member, member.expires_ms)?;
        let person = member.member.as_ref();
        let role = person.and_then(|person| person.role.as_ref()).map(Named::as_str);
        sql.exec(
            "UPDATE api_key SET title = ?2, scopes = ?3, role = ?4 WHERE id = ?1",
            &[
                self.id.as_str().into(),
                member.title.as_str().into(),
                member.scopes.words().into(),
                role.into(),
            ],
        )?;
        if member.scopes.iter().any(|scope| !before.allows(*scope)) {
            passkeys::forget_of_lesser(sql, &member, work.now_ms)?;
        }
        let ended = match member.scopes == before.scopes && member.member == before.member {
            true => Vec::new(),
            false => end_sessions(sql, &self.id, work.now_ms)?,
        };
        Ok(Changed { member, ended })
    }
}

fn end_sessions(sql: &impl Sql, id: &str, now_ms: i64) -> Result<Vec<KeyView>, PortError> {
    let query =
        format!("UPDATE api_key SET revoked_ms = ?2 WHERE session_of = ?1 AND revoked_ms IS NULL RETURNING {COLUMNS}");
    let rows = sql.exec(&query, &[id.into(), now_ms.into()])?;
    rows.iter().map(KeyView::of).collect()
}

/// Lets a member go, with its sessions.
#[derive(Debug, Serialize, Deserialize)]
pub struct RemoveMember {
    /// Who lets it go.
    pub by: Authority,
    /// The member's id.
    pub id: String,
}

impl Request for RemoveMember {
    const NAME: &'static str = "RemoveMember";
    const PROTECTS: bool = true;
    const WAKES: Wakes = Wakes::Never;
    /// There are only so many.
    const ENTRY: Entry = Entry::Bounded;
    /// The member.
    type Reply = KeyView;

    fn audited(&self, sql: &impl Sql, _: &UnitOfWork) -> Result<Option<Subject>, PortError> {
        shown(sql, &self.id).map(Some)
    }

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<KeyView> {
        let member = self.by.dismissible(sql, &self.id, work.now_ms)?;
        if !member.counts(work.now_ms) {
            return Err(Refusal::NotFound.into());
        }
        set_revoked(sql, &self.id, work.now_ms)?;
        passkeys::forget(sql, "member = ?1", &self.id)?;
        Ok(member)
    }
}
