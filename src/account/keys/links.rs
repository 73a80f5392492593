//! Links to the console: codes that open one session each, within a short time. A program that has a key gives one to a person, who
//! needs no key then. An operator makes one to look at an account.
//!
//! The object keeps a link as a session that nobody can use yet: it counts among the sessions, and ends with its key. What an
//! operator looks by ends with the operator's key, which another object has: each request asks that one first ([`CheckLooker`]).

use serde::{Deserialize, Serialize};

use super::authority::{self, Authority};
use super::console_sessions::{earliest, open, session};
use super::{KeyView, find, lasting, makers, set_joined, set_revoked, shown};
use crate::account::refusal::Refusal;
use crate::account::request::{Entry, ReplyResult, Request, Wakes};
use crate::account::unit_of_work::UnitOfWork;
use crate::auth::console_session::{LASTS_S, SignedInBy};
use crate::auth::imprint::Imprint;
use crate::auth::role::Role;
use crate::auth::{Mode, Scope};
use crate::base::ports::{PortError, Sql};
use crate::durable::audit::Subject;

/// How long an operator may look at an account, ms.
const LOOK_MS: i64 = 60 * 60 * 1_000;

/// Makes a link.
#[derive(Debug, Serialize, Deserialize)]
pub struct MakeLink {
    /// The key that makes it.
    pub by: String,
    /// If an operator makes it, to look at the account: under which title the account sees the session. `None`: the key is one of
    /// the account, and the session is for it.
    #[serde(default)]
    pub title: Option<String>,
    /// Its id.
    pub id: String,
    /// What is to be kept of its code.
    pub imprint: Imprint,
    /// How long it can be used, in seconds.
    pub ttl_s: i64,
}

impl Request for MakeLink {
    const NAME: &'static str = "MakeLink";
    const NEEDS_OPEN: bool = true;
    const ENTRY: Entry = Entry::Counted;
    /// It is forgotten when it has ended.
    const WAKES: Wakes = Wakes::In(LASTS_S * 1_000);
    /// The link, as a session.
    type Reply = KeyView;

    fn audited(&self, sql: &impl Sql, _: &UnitOfWork) -> Result<Option<Subject>, PortError> {
        shown(sql, &self.id).map(Some)
    }

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<KeyView> {
        let now_ms = work.now_ms;
        let like = match (&self.title, find(sql, &self.by)?) {
            (Some(title), _) => looker(title, now_ms),
            (None, Some(key)) if key.session_of.is_none() && key.counts(now_ms) => key,
            (None, Some(_)) => return Err(Refusal::KeyRevoked.into()),
            (None, None) => return Err(Refusal::KeyUnknown.into()),
        };
        let term_ms = like.expires_ms;
        let ends_ms = earliest(now_ms, self.ttl_s, [term_ms, None]);
        let link = session(like, &self.by, (&self.id, &self.imprint), now_ms, ends_ms);
        let link = KeyView {
            is_link: true,
            term_ms,
            ..link
        };
        open(sql, link, now_ms)
    }
}

/// What an operator is to an account that he looks at.
fn looker(title: &str, now_ms: i64) -> KeyView {
    KeyView {
        scopes: Role::Viewer.scopes(),
        expires_ms: Some(now_ms.saturating_add(LOOK_MS)),
        looks: true,
        ..KeyView::new(String::new(), title.to_owned(), String::new(), Mode::Live, now_ms)
    }
}

/// Makes a link for a member. Who makes it reaches all that the member may do.
#[derive(Debug, Serialize, Deserialize)]
pub struct MakeMemberLink {
    /// Who makes it.
    pub by: Authority,
    /// The member.
    pub member: String,
    /// The id of the link.
    pub id: String,
    /// What is to be kept of its code.
    pub imprint: Imprint,
    /// How long it can be used, in seconds.
    pub ttl_s: i64,
}

impl Request for MakeMemberLink {
    const NAME: &'static str = "MakeMemberLink";
    const NEEDS_OPEN: bool = true;
    const ENTRY: Entry = Entry::Counted;
    /// It is forgotten when it has ended.
    const WAKES: Wakes = Wakes::In(LASTS_S * 1_000);
    /// The link, as a session.
    type Reply = KeyView;

    fn audited(&self, sql: &impl Sql, _: &UnitOfWork) -> Result<Option<Subject>, PortError> {
        shown(sql, &self.id).map(Some)
    }

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<KeyView> {
        let now_ms = work.now_ms;
        let member = self.by.member(sql, &self.member, now_ms)?;
        let how = (self.ttl_s, SignedInBy::Link);
        open_for(sql, member, &self.by, (&self.id, &self.imprint), how, now_ms)
    }
}

/// Records a link for a member. It can be used for so many seconds, and its session counts as one that this has opened.
pub(super) fn open_for(
    sql: &impl Sql,
    member: KeyView,
    by: &Authority,
    new: (&str, &Imprint),
    (ttl_s, way): (i64, SignedInBy),
    now_ms: i64,
) -> ReplyResult<KeyView> {
    let (of, term_ms) = (member.id.clone(), member.expires_ms);
    let ends_ms = earliest(now_ms, ttl_s, [term_ms, None]);
    let link = KeyView {
        is_link: true,
        term_ms,
        signed_in_by: Some(way.into()),
        created_by: by.key().map(|own| lasting(sql, own)).transpose()?,
        ..session(member, &of, new, now_ms, ends_ms)
    };
    let link = open(sql, link, now_ms)?;
    if let Some(own) = by.key() {
        makers::add(sql, &link.id, own)?;
    }
    Ok(link)
}

/// Whether a link of a member was made by a key or a member that could not make it any more. Other links end with their own key.
fn has_lost_maker(sql: &impl Sql, link: &KeyView, now_ms: i64) -> Result<bool, PortError> {
    let maker = link.created_by.as_deref().filter(|maker| *maker != link.lasting_id());
    let Some(maker) = maker else {
        return Ok(false);
    };
    let still = find(sql, maker)?.filter(|maker| maker.counts(now_ms) && authority::still_reaches(maker, link));
    Ok(still.is_none())
}

/// The link with this id, if it still opens a session.
fn usable(sql: &impl Sql, id: &str, now_ms: i64) -> ReplyResult<KeyView> {
    match find(sql, id)? {
        Some(link) if link.is_link && link.counts(now_ms) && !has_lost_maker(sql, &link, now_ms)? => Ok(link),
        _ => Err(Refusal::KeyRevoked.into()),
    }
}

/// Asks for a link that can be used, and does not use it.
#[derive(Debug, Serialize, Deserialize)]
pub struct GetLink {
    /// Its id.
    pub link: String,
}

impl Request for GetLink {
    const NAME: &'static str = "GetLink";
    const PROTECTS: bool = true;
    /// It changes nothing.
    const ENTRY: Entry = Entry::Bounded;
    const WAKES: Wakes = Wakes::Never;
    type Reply = KeyView;

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<KeyView> {
        usable(sql, &self.link, work.now_ms)
    }
}

/// Asks the operators' object whether a key may still look at an account: it counts, and may read.
#[derive(Debug, Serialize, Deserialize)]
pub struct CheckLooker {
    /// The operators' key by which somebody looks.
    pub key: String,
}

impl Request for CheckLooker {
    const NAME: &'static str = "CheckLooker";
    const WAKES: Wakes = Wakes::Never;
    type Reply = ();

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<()> {
        let may_look = |key: &KeyView| key.counts(work.now_ms) && key.allows(Scope::AdminRead);
        let key = find(sql, &self.key)?.filter(may_look);
        key.map(drop).ok_or(Refusal::KeyRevoked.into())
    }
}

/// Opens the session of a link. It opens one.
#[derive(Debug, Serialize, Deserialize)]
pub struct UseLink {
    /// The id of the link.
    pub link: String,
    /// The id of the session.
    pub id: String,
    /// What is to be kept of the session.
    pub imprint: Imprint,
}

impl Request for UseLink {
    const NAME: &'static str = "UseLink";
    const PROTECTS: bool = true;
    /// The link has counted for its maker, and it opens one session.
    const ENTRY: Entry = Entry::Bounded;
    /// The session is forgotten when it has ended.
    const WAKES: Wakes = Wakes::In(LASTS_S * 1_000);
    /// The session.
    type Reply = KeyView;

    fn audited(&self, sql: &impl Sql, _: &UnitOfWork) -> Result<Option<Subject>, PortError> {
        shown(sql, &self.id).map(Some)
    }

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<KeyView> {
        let now_ms = work.now_ms;
        let link = usable(sql, &self.link, now_ms)?;
        set_revoked(sql, &link.id, now_ms)?;
        let of = link.lasting_id().to_owned();
        let ends_ms = earliest(now_ms, LASTS_S, [link.term_ms, None]);
        let like = KeyView { is_link: false, ..link };
        let session = session(like, &of, (&self.id, &self.imprint), now_ms, ends_ms);
        // Only an invitation is a link that counts as a code: the phone alone has got it.
        if session.is_by_code() {
            set_joined(sql, &of, now_ms)?;
        }
        let is_by_link = !session.is_by_code();
        let session = open(sql, session, now_ms)?;
        if !is_by_link {
            return Ok(session);
        }
        makers::add_those_of(sql, &self.id, &self.link)?;
        let ways = makers::of(sql, &self.id)?;
        Ok(KeyView { ways, ..session })
    }
}
