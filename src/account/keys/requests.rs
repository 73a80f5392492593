//! The requests about keys. Each names the authority that it comes by; [`Authority`] decides what that reaches.

use serde::{Deserialize, Serialize};

use super::authority::Authority;
use super::caps::Caps;
use super::{KeyView, find_by_digest, insert_below, lasting, makers, page, set_end, set_revoked, shown};
use crate::account::request::{Entry, ReplyResult, Request, Wakes};
use crate::account::unit_of_work::UnitOfWork;
use crate::auth::{Mode, Scope, imprint::Imprint};
use crate::base::ports::{PortError, Sql};
use crate::durable::audit::Subject;

/// Keys of one account that count, at most.
pub const MAX_KEYS: i64 = 500;

/// What is to be kept of a key that is about to be made, for each mode, because the mode stands in the key and only the object
/// knows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewImprints {
    /// Of the key if it is live.
    pub live: Imprint,
    /// Of the key if it is a test key.
    pub test: Imprint,
}

impl NewImprints {
    /// What is to be kept of the key of this mode.
    pub fn of(&self, mode: Mode) -> &Imprint {
        match mode {
            Mode::Live => &self.live,
            Mode::Test => &self.test,
        }
    }
}

/// Issues a key. What is `None` is as the key has it that the request comes by, but for the scopes that must be named; an operator's
/// request about an account's keys says scopes and mode.
#[derive(Debug, Serialize, Deserialize)]
pub struct IssueKey {
    /// Who issues it.
    pub by: Authority,
    /// The new key's id.
    pub id: String,
    /// What is to be kept of the new key.
    pub imprints: NewImprints,
    /// What it is for.
    pub title: String,
    /// What it may do.
    pub scopes: Option<Vec<Scope>>,
    /// Live or test.
    pub mode: Option<Mode>,
    /// The lines it is limited to.
    pub lines: Option<Vec<String>>,
    /// When it ends by itself.
    pub expires_ms: Option<i64>,
    /// What it may do at most.
    pub caps: Caps,
}

impl IssueKey {
    /// The new key. `own` is the key that it takes after.
    fn key(&self, own: Option<&KeyView>, now_ms: i64) -> KeyView {
        let mode = self.mode.or(own.map(|own| own.mode)).unwrap_or(Mode::Live);
        let own_end_ms = match self.by {
            Authority::AccountKey(_) => own.and_then(|own| own.expires_ms),
            // An operator's key may issue one that lasts longer.
            Authority::Operator | Authority::OperatorKey(_) => None,
        };
        let expires_ms = self.expires_ms.or(own_end_ms);
        let usual = own.map(|own| own.scopes.iter().copied().filter(|scope| scope.is_usual()));
        let scopes = self.scopes.clone().or(usual.map(Iterator::collect));
        let Imprint { digest, hint } = self.imprints.of(mode).clone();
        KeyView {
            hint: Some(hint),
            scopes: scopes.unwrap_or_default(),
            lines: self.lines.clone().or(own.and_then(|own| own.lines.clone())),
            expires_ms,
            term_ms: expires_ms,
            created_by: own.map(|own| own.id.clone()),
            caps: own.map_or_else(|| self.caps.clone(), |own| self.caps.or(&own.caps)),
            ..KeyView::new(self.id.clone(), self.title.clone(), digest, mode, now_ms)
        }
    }
}

impl Request for IssueKey {
    const NAME: &'static str = "IssueKey";
    const NEEDS_OPEN: bool = true;
    const WAKES: Wakes = Wakes::Never;
    /// The key.
    type Reply = KeyView;

    fn audited(&self, sql: &impl Sql, _: &UnitOfWork) -> Result<Option<Subject>, PortError> {
        shown(sql, &self.id).map(Some)
    }

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<KeyView> {
        let own = self.by.own_key(sql, work.now_ms)?;
        let key = self.key(own.as_ref(), work.now_ms);
        self.by.reaches(own.as_ref(), &key, key.expires_ms)?;
        insert_below(MAX_KEYS, sql, &key, work.now_ms)?;
        makers::note(sql, &key.id, key.created_by.as_deref(), None)?;
        note_way(sql, &key.id, &self.by)?;
        Ok(key)
    }
}

/// Notes that what a request makes comes from what its session comes from.
pub(super) fn note_way(sql: &impl Sql, made: &str, by: &Authority) -> Result<(), PortError> {
    by.key().map_or(Ok(()), |way| makers::add_those_of(sql, made, way))
}

/// Asks for keys, newest first.
#[derive(Debug, Serialize, Deserialize)]
pub struct ListKeys {
    /// Keys at most.
    pub limit: u32,
    /// The last key of the page before.
    pub after: Option<String>,
}

impl Request for ListKeys {
    const NAME: &'static str = "ListKeys";
    const PROTECTS: bool = true;
    const WAKES: Wakes = Wakes::Never;
    type Reply = Vec<KeyView>;

    fn answer(&self, sql: &impl Sql, _: &mut UnitOfWork) -> ReplyResult<Vec<KeyView>> {
        page(sql, self.limit, self.after.as_deref()).map_err(Into::into)
    }
}

/// Asks for the key with this digest. `None`: the object knows no such key, or no longer.
#[derive(Debug, Serialize, Deserialize)]
pub struct FindKey {
    /// Hex SHA-256 of the key.
    pub digest: String,
}

impl Request for FindKey {
    const NAME: &'static str = "FindKey";
    const WAKES: Wakes = Wakes::Never;
    type Reply = Option<KeyView>;

    fn answer(&self, sql: &impl Sql, _: &mut UnitOfWork) -> ReplyResult<Option<KeyView>> {
        find_by_digest(sql, &self.digest).map_err(Into::into)
    }
}

/// Revokes a key. Revoking it again changes nothing.
#[derive(Debug, Serialize, Deserialize)]
pub struct RevokeKey {
    /// Who revokes it.
    pub by: Authority,
    /// The key to revoke.
    pub id: String,
}

impl Request for RevokeKey {
    const NAME: &'static str = "RevokeKey";
    const PROTECTS: bool = true;
    const WAKES: Wakes = Wakes::Never;
    /// There are only so many keys.
    const ENTRY: Entry = Entry::Bounded;
    /// The key.
    type Reply = KeyView;

    fn audited(&self, sql: &impl Sql, _: &UnitOfWork) -> Result<Option<Subject>, PortError> {
        shown(sql, &self.id).map(Some)
    }

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<KeyView> {
        let revocable = self.by.revocable(sql, &self.id, work.now_ms)?;
        set_revoked(sql, &self.id, work.now_ms)?;
        Ok(revocable)
    }
}

/// Makes a successor of a key and sets an end to the old key. The successor has all that the old key has, but for the key itself,
/// and lasts as long as the old one was issued for.
#[derive(Debug, Serialize, Deserialize)]
pub struct RotateKey {
    /// Who replaces it.
    pub by: Authority,
    /// The key that ends.
    pub id: String,
    /// Its successor's id.
    pub new_id: String,
    /// What is to be kept of its successor, which has the mode of the key.
    pub new_imprints: NewImprints,
    /// When the old key ends, unless it was to end sooner.
    pub old_expires_ms: i64,
}

/// Both keys of a rotation.
#[derive(Debug, Serialize, Deserialize)]
pub struct Rotated {
    /// The key that ends.
    pub old: KeyView,
    /// Its successor.
    pub new: KeyView,
}

impl Request for RotateKey {
    const NAME: &'static str = "RotateKey";
    const NEEDS_OPEN: bool = true;
    const PROTECTS: bool = true;
    const WAKES: Wakes = Wakes::Never;
    type Reply = Rotated;

    fn audited(&self, sql: &impl Sql, _: &UnitOfWork) -> Result<Option<Subject>, PortError> {
        shown(sql, &self.id).map(Some)
    }

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<Rotated> {
        let mut old = self.by.replaceable(sql, &self.id, work.now_ms)?;
        let Imprint { digest, hint } = self.new_imprints.of(old.mode).clone();
        let maker = self.by.key().map(|id| lasting(sql, id)).transpose()?;
        let new = KeyView {
            id: self.new_id.clone(),
            digest,
            hint: Some(hint),
            created_ms: work.now_ms,
            expires_ms: old.term_ms,
            successor: None,
            used_ms: None,
            address: None,
            created_by: maker.clone(),
            ..old.clone()
        };
        insert_below(MAX_KEYS, sql, &new, work.now_ms)?;
        let ends_ms = old
            .expires_ms
            .map_or(self.old_expires_ms, |ms| ms.min(self.old_expires_ms));
        makers::note(sql, &new.id, maker.as_deref(), Some(&old.id))?;
        note_way(sql, &new.id, &self.by)?;
        set_end(sql, &old.id, ends_ms, &new.id)?;
        old.expires_ms = Some(ends_ms);
        old.successor = Some(new.id.clone());
        Ok(Rotated { old, new })
    }
}
