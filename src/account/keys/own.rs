//! Keys that issue, rotate and revoke keys of their own account.
//!
//! The invariant: no key reaches a wider one. What a key makes, replaces or ends has no scope, no line and no mode that the key
//! itself lacks, and does not last longer. The object decides it by the keys that it keeps itself, because the copies in KV may
//! be old.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::account::account_row::Account;
use crate::account::keys::{self, KeyView, NewDigests, RotateKey, Rotated};
use crate::account::refusal::{Excess, Refusal};
use crate::account::request::{Outcome, Request};
use crate::account::unit_of_work::UnitOfWork;
use crate::auth::{Mode, Scope};
use crate::base::ports::{PortError, Sql};
use crate::durable::Wake;
use crate::durable::audit::Subject;

/// What a key grants.
struct Grant<'a> {
    scopes: &'a [Scope],
    mode: Mode,
    lines: Option<&'a [String]>,
    ends_ms: Option<i64>,
}

impl<'a> Grant<'a> {
    /// What a key grants that ends at this time.
    fn of(key: &'a KeyView, ends_ms: Option<i64>) -> Self {
        Grant {
            scopes: &key.scopes,
            mode: key.mode,
            lines: key.lines.as_deref(),
            ends_ms,
        }
    }

    /// What it has beyond what a key has now.
    fn beyond(&self, key: &KeyView) -> Vec<Excess> {
        let lacks_scope = |scope: &&Scope| **scope == Scope::Admin || !key.scopes.contains(scope);
        let mut excess: Vec<Excess> = self
            .scopes
            .iter()
            .filter(lacks_scope)
            .map(|scope| Excess::Scope(*scope))
            .collect();
        if let Some(own) = &key.lines {
            let own: BTreeSet<&str> = own.iter().map(String::as_str).collect();
            match self.lines {
                Some(lines) => {
                    let others = lines.iter().filter(|line| !own.contains(line.as_str()));
                    excess.extend(others.map(|line| Excess::Line(line.clone())));
                }
                None => excess.push(Excess::AllLines),
            }
        }
        if key.mode == Mode::Test && self.mode == Mode::Live {
            excess.push(Excess::Live);
        }
        if let Some(own_ms) = key.expires_ms
            && self.ends_ms.is_none_or(|ends_ms| ends_ms > own_ms)
        {
            excess.push(Excess::Time);
        }
        excess
    }
}

/// The key that a request comes with, if it counts and may manage keys.
fn manager(sql: &impl Sql, now_ms: i64, id: &str) -> Outcome<KeyView> {
    let Some(key) = keys::find(sql, id)? else {
        return Ok(Err(Refusal::KeyUnknown));
    };
    if !key.counts(now_ms) {
        return Ok(Err(Refusal::KeyRevoked));
    }
    Ok(if key.scopes.contains(&Scope::Keys) {
        Ok(key)
    } else {
        Err(Refusal::WiderKey(vec![Excess::Scope(Scope::Keys)]))
    })
}

/// Issues a key. What is `None` is as the key of the request has it.
#[derive(Debug, Serialize, Deserialize)]
pub struct IssueOwnKey {
    /// The key that the request comes with.
    pub by: String,
    /// The new key's id.
    pub id: String,
    /// The new key's digests.
    pub digests: NewDigests,
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
}

impl IssueOwnKey {
    fn key(&self, by: &KeyView, now_ms: i64) -> KeyView {
        let mode = self.mode.unwrap_or(by.mode);
        let expires_ms = self.expires_ms.or(by.expires_ms);
        KeyView {
            id: self.id.clone(),
            title: self.title.clone(),
            digest: self.digests.of(mode).to_owned(),
            scopes: self.scopes.clone().unwrap_or_else(|| by.scopes.clone()),
            mode,
            lines: self.lines.clone().or_else(|| by.lines.clone()),
            created_ms: now_ms,
            expires_ms,
            revoked_ms: None,
            successor: None,
            term_ms: expires_ms,
            used_day: None,
        }
    }
}

impl Request for IssueOwnKey {
    const NAME: &'static str = "IssueOwnKey";
    /// The key.
    type Reply = KeyView;

    fn wake(&self, _: i64) -> Wake {
        Wake::Never
    }

    fn audited(&self, sql: &impl Sql, _: &Account) -> Result<Option<Subject>, PortError> {
        keys::shown(sql, &self.id).map(Some)
    }

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> Outcome<KeyView> {
        let by = match manager(sql, work.now_ms, &self.by)? {
            Ok(by) => by,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let key = self.key(&by, work.now_ms);
        let excess = Grant::of(&key, key.expires_ms).beyond(&by);
        if !excess.is_empty() {
            return Ok(Err(Refusal::WiderKey(excess)));
        }
        Ok(keys::issue(sql, &key)?.map(|()| key))
    }
}

/// Replaces a key. The successor has all that the old key has, and lasts as long as that was issued for. So the key of the
/// request must have as much, and a key that was rotated can't make itself a lasting successor again.
#[derive(Debug, Serialize, Deserialize)]
pub struct RotateOwnKey {
    /// The key that the request comes with.
    pub by: String,
    /// What to do.
    pub rotation: RotateKey,
}

impl Request for RotateOwnKey {
    const NAME: &'static str = "RotateOwnKey";
    type Reply = Rotated;

    fn wake(&self, _: i64) -> Wake {
        Wake::Never
    }

    fn audited(&self, sql: &impl Sql, _: &Account) -> Result<Option<Subject>, PortError> {
        keys::shown(sql, &self.rotation.id).map(Some)
    }

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> Outcome<Rotated> {
        let reached = reach(sql, work.now_ms, &self.by, &self.rotation.id, |key| key.term_ms)?;
        match reached {
            Ok(_) => keys::rotate(sql, work.now_ms, &self.rotation),
            Err(refusal) => Ok(Err(refusal)),
        }
    }
}

/// Revokes a key: the one that the request comes with, or another that is not wider. Revoking it again changes nothing.
#[derive(Debug, Serialize, Deserialize)]
pub struct RevokeOwnKey {
    /// The key that the request comes with.
    pub by: String,
    /// The key to revoke.
    pub id: String,
}

impl Request for RevokeOwnKey {
    const NAME: &'static str = "RevokeOwnKey";
    /// The key.
    type Reply = KeyView;

    fn wake(&self, _: i64) -> Wake {
        Wake::Never
    }

    fn audited(&self, sql: &impl Sql, _: &Account) -> Result<Option<Subject>, PortError> {
        keys::shown(sql, &self.id).map(Some)
    }

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> Outcome<KeyView> {
        let reached = reach(sql, work.now_ms, &self.by, &self.id, |key| key.expires_ms)?;
        if reached.is_ok() {
            keys::revoke(sql, &self.id, work.now_ms)?;
        }
        Ok(reached)
    }
}

/// The key with this id, if the key of the request has as much. `ends_ms` says when what the request is about would end.
fn reach(
    sql: &impl Sql,
    now_ms: i64,
    by: &str,
    id: &str,
    ends_ms: impl Fn(&KeyView) -> Option<i64>,
) -> Outcome<KeyView> {
    let by = match manager(sql, now_ms, by)? {
        Ok(by) => by,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let Some(key) = keys::find(sql, id)? else {
        return Ok(Err(Refusal::NotFound));
    };
    let excess = Grant::of(&key, ends_ms(&key)).beyond(&by);
    Ok(if excess.is_empty() {
        Ok(key)
    } else {
        Err(Refusal::WiderKey(excess))
    })
}
