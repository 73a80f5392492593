//! Who may make, replace and end which keys.
//!
//! An operator reaches every key of an account. A key of an account reaches no wider one: what it makes, replaces or ends has no
//! scope, no line and no mode that it lacks itself, does not last longer, and has caps within its own. A key of the operators reaches none with a scope
//! that it lacks, but one that lasts longer; it ends neither itself nor the last one that may do everything, alone or with others. The object decides
//! this by the keys that it keeps itself, because the copies in KV may be old.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{KeyView, adoption, find, lasting};
use crate::account::refusal::{Excess, Refusal};
use crate::account::request::ReplyResult;
use crate::auth::{Mode, Scope};
use crate::base::ports::{PortError, Sql};

/// By what a request about keys is allowed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Authority {
    /// An operator's request about an account's keys.
    Operator,
    /// The key, with this id, that the request of an account comes with.
    AccountKey(String),
    /// The key, with this id, that a request about the operators' keys comes with. The call has checked that it counts.
    OperatorKey(String),
}

impl Authority {
    /// The key that the request comes with. An operator's request about an account's keys comes with none of the account.
    pub fn key(&self) -> Option<&str> {
        match self {
            Authority::Operator => None,
            Authority::AccountKey(id) | Authority::OperatorKey(id) => Some(id),
        }
    }

    /// The key that bounds what the request reaches: it must count and may manage keys. For a session that is the key by which it was
    /// opened, because what it makes is to last longer than the session. An operator's request about an account's
    /// keys has none.
    pub fn own_key(&self, sql: &impl Sql, now_ms: i64) -> ReplyResult<Option<KeyView>> {
        let (id, needed) = match self {
            Authority::Operator => return Ok(None),
            Authority::AccountKey(id) => (id, Scope::Keys),
            Authority::OperatorKey(id) => (id, Scope::AdminService),
        };
        let mut found = find(sql, id)?;
        if let Some(session) = found.as_ref().filter(|key| key.counts(now_ms))
            && let Some(opener) = &session.session_of
        {
            found = find(sql, opener)?;
        }
        match found {
            None => Err(Refusal::KeyUnknown.into()),
            Some(key) if !key.counts(now_ms) => Err(Refusal::KeyRevoked.into()),
            Some(key) if !key.allows(needed) => Err(Refusal::WiderKey(vec![Excess::Scope(needed)]).into()),
            Some(key) => Ok(Some(key)),
        }
    }

    /// Whether a request that the key `own` bounds may deal with a key which ends at `ends_ms`.
    pub fn reaches(&self, own: Option<&KeyView>, key: &KeyView, ends_ms: Option<i64>) -> Result<(), Refusal> {
        let excess = match (self, own) {
            (Authority::AccountKey(_), Some(own)) => excess(key, ends_ms, own),
            (Authority::OperatorKey(_), Some(own)) => scopes_beyond(key, own),
            (Authority::Operator, _) | (_, None) => Vec::new(),
        };
        if excess.is_empty() {
            Ok(())
        } else {
            Err(Refusal::WiderKey(excess))
        }
    }

    /// The key with this id, if it counts and the request may replace it. Its successor lasts as long as it was issued for. So a
    /// key that was rotated can't make itself a lasting successor again.
    pub fn replaceable(&self, sql: &impl Sql, id: &str, now_ms: i64) -> ReplyResult<KeyView> {
        let key = self.reached(sql, id, now_ms, |key| key.term_ms)?;
        match key.counts(now_ms) && key.is_key() {
            true => Ok(key),
            false => Err(Refusal::NotFound.into()),
        }
    }

    /// The key with this id, if the request may revoke it.
    pub fn revocable(&self, sql: &impl Sql, id: &str, now_ms: i64) -> ReplyResult<KeyView> {
        let Authority::OperatorKey(_) = self else {
            return self.reached(sql, id, now_ms, |key| key.expires_ms);
        };
        if self.is_own(sql, id)? {
            return Err(Refusal::OwnKey.into());
        }
        if find(sql, id)?.is_none() {
            return self.revoke_unseen(sql, id, now_ms);
        }
        let key = self.reached(sql, id, now_ms, |key| key.expires_ms)?;
        if are_last(sql, &[id], now_ms)? {
            return Err(Refusal::LastKey.into());
        }
        Ok(key)
    }

    /// Whether the request may revoke all of these keys together: it reaches each that counts. The operators keep the key of the
    /// request, and one that may do everything.
    pub fn may_revoke_all(&self, sql: &impl Sql, keys: &[KeyView], now_ms: i64) -> ReplyResult<()> {
        let own = self.own_key(sql, now_ms)?;
        for key in keys.iter().filter(|key| key.counts(now_ms)) {
            self.reaches(own.as_ref(), key, key.expires_ms)?;
        }
        let (Authority::OperatorKey(_), Some(own)) = (self, own) else {
            return Ok(());
        };
        let ids: Vec<&str> = keys.iter().map(|key| key.id.as_str()).collect();
        if ids.contains(&own.id.as_str()) {
            return Err(Refusal::OwnKey.into());
        }
        match are_last(sql, &ids, now_ms)? {
            true => Err(Refusal::LastKey.into()),
            false => Ok(()),
        }
    }

    /// Whether the request may forget passkeys of these members: it reaches each who counts.
    pub fn may_forget(&self, sql: &impl Sql, members: &[String], now_ms: i64) -> ReplyResult<()> {
        for id in members {
            if find(sql, id)?.is_some_and(|member| member.counts(now_ms)) {
                self.member(sql, id, now_ms)?;
            }
        }
        Ok(())
    }

    /// Whether the request comes with this key, or with a session of it.
    pub fn is_own(&self, sql: &impl Sql, id: &str) -> Result<bool, PortError> {
        Ok(match self.key() {
            Some(own) => lasting(sql, own)? == id,
            None => false,
        })
    }

    /// Revokes a key of the script that the object has not learned yet.
    fn revoke_unseen(&self, sql: &impl Sql, id: &str, now_ms: i64) -> ReplyResult<KeyView> {
        let key = adoption::unseen(id, now_ms).ok_or(Refusal::NotFound)?;
        let own = self.own_key(sql, now_ms)?;
        self.reaches(own.as_ref(), &key, None)?;
        adoption::note_revoked(sql, key)
    }

    /// The key with this id, if the request reaches it. `ends_ms` says when what the request is about would end.
    fn reached(
        &self,
        sql: &impl Sql,
        id: &str,
        now_ms: i64,
        ends_ms: impl Fn(&KeyView) -> Option<i64>,
    ) -> ReplyResult<KeyView> {
        let own = self.own_key(sql, now_ms)?;
        let key = find(sql, id)?.filter(|key| key.is_key() || key.session_of.is_some());
        let key = key.ok_or(Refusal::NotFound)?;
        self.reaches(own.as_ref(), &key, ends_ms(&key))?;
        Ok(key)
    }

    /// The member with this id, if the request may change it.
    pub fn member(&self, sql: &impl Sql, id: &str, now_ms: i64) -> ReplyResult<KeyView> {
        self.member_if(sql, id, now_ms, |member| member.counts(now_ms))
    }

    /// The member with this id, who may have left, if the request may let it go.
    pub fn dismissible(&self, sql: &impl Sql, id: &str, now_ms: i64) -> ReplyResult<KeyView> {
        let member = self.member_if(sql, id, now_ms, |_| true)?;
        match self.is_own(sql, id)? {
            true => Err(Refusal::OwnKey.into()),
            false => Ok(member),
        }
    }

    fn member_if(
        &self,
        sql: &impl Sql,
        id: &str,
        now_ms: i64,
        can_be: impl Fn(&KeyView) -> bool,
    ) -> ReplyResult<KeyView> {
        let own = self.own_key(sql, now_ms)?;
        let is_one = |key: &KeyView| key.member.is_some() && key.session_of.is_none() && can_be(key);
        let member = find(sql, id)?.filter(is_one).ok_or(Refusal::NotFound)?;
        self.reaches(own.as_ref(), &member, member.expires_ms)?;
        Ok(member)
    }
}

/// Whether a key that has made a link for a member could make it now: it may manage keys, and has all that the member has.
pub fn still_reaches(maker: &KeyView, link: &KeyView) -> bool {
    if link.scopes.iter().any(|scope| scope.is_for_operators()) {
        return maker.allows(Scope::AdminService) && scopes_beyond(link, maker).is_empty();
    }
    // The link ends by itself, so that no time is beyond the maker's.
    maker.allows(Scope::Keys) && excess(link, Some(0), maker).is_empty()
}

/// The scopes of a key that the key `own` lacks.
fn scopes_beyond(key: &KeyView, own: &KeyView) -> Vec<Excess> {
    let lacking = key.scopes.iter().filter(|scope| !own.allows(**scope));
    lacking.map(|scope| Excess::Scope(*scope)).collect()
}

/// What a key that ends at `ends_ms` grants beyond what the key `own` of an account has.
fn excess(key: &KeyView, ends_ms: Option<i64>, own: &KeyView) -> Vec<Excess> {
    let of_operators = key.scopes.iter().filter(|scope| scope.is_for_operators());
    let mut excess: Vec<Excess> = of_operators.map(|scope| Excess::Scope(*scope)).collect();
    excess.extend(scopes_beyond(key, own));
    if let Some(own) = &own.lines {
        let own: BTreeSet<&str> = own.iter().map(String::as_str).collect();
        match &key.lines {
            Some(lines) => {
                let others = lines.iter().filter(|line| !own.contains(line.as_str()));
                excess.extend(others.map(|line| Excess::Line(line.clone())));
            }
            None => excess.push(Excess::AllLines),
        }
    }
    if own.mode == Mode::Test && key.mode == Mode::Live {
        excess.push(Excess::Live);
    }
    if own
        .expires_ms
        .is_some_and(|own_ms| ends_ms.is_none_or(|ends_ms| ends_ms > own_ms))
    {
        excess.push(Excess::Time);
    }
    excess.extend(key.caps.beyond(&own.caps));
    excess
}

/// Whether all keys that may do everything, count and were not rotated are among these. A rotated key is about to end.
fn are_last(sql: &impl Sql, ids: &[&str], now_ms: i64) -> Result<bool, PortError> {
    let rows = sql.exec(
        "SELECT id FROM api_key \
         WHERE revoked_ms IS NULL AND (expires_ms IS NULL OR expires_ms > ?1) AND successor IS NULL AND session_of IS NULL AND phone IS NULL \
           AND instr(' ' || scopes || ' ', ' ' || ?2 || ' ') > 0",
        &[now_ms.into(), Scope::Admin.as_str().into()],
    )?;
    let lasting: Vec<String> = rows.iter().map(|row| row.text(0)).collect::<Result<_, _>>()?;
    Ok(!lasting.is_empty() && lasting.iter().all(|id| ids.contains(&id.as_str())))
}
