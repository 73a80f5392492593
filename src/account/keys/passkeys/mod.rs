//! Passkeys of members ([`crate::auth::webauthn`]): by these they sign in, in place of a code or beside it.
//!
//! The invariants: a passkey opens sessions of the member alone who has added it; no challenge counts twice; and where only passkeys
//! count, no code opens a session. Operators are such an account, always. A passkey goes with the keys that the session came from in
//! which it was added ([`super::makers`]), and so does what it opens.

pub mod carried_over;
pub mod check;
pub mod rule;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::authority::still_reaches;
use super::{KeyView, find, makers};
use crate::account::refusal::Refusal;
use crate::account::request::{Entry, ReplyResult, Request, Wakes};
use crate::account::unit_of_work::UnitOfWork;
use crate::base::ports::{PortError, Sql};
use crate::base::record::{Columns, record};
use crate::base::time;
use crate::durable::audit::Subject;
use crate::durable::{decided, to_json};

/// Passkeys of a member at most.
pub const MAX_PASSKEYS: u32 = 20;

record! {
    /// A passkey as the object keeps it.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    pub struct Passkey by passkey {
        /// UUID version 7.
        pub id: String = id "TEXT NOT NULL";
        /// Whose it is.
        pub member: String = member "TEXT NOT NULL";
        /// What its owner calls it.
        pub title: String = title "TEXT NOT NULL";
        /// The id of the credential, base64url.
        pub credential: String = credential "TEXT NOT NULL";
        /// As [`crate::auth::webauthn::Made`] has it.
        pub public_key: String = public_key "TEXT NOT NULL";
        /// How often its device has signed, as it counts; 0: it does not count.
        pub counter: u32 = counter "INTEGER NOT NULL";
        /// When it was added.
        pub created_ms: i64 = created_ms "INTEGER NOT NULL";
        /// When it last signed in.
        pub used_ms: Option<i64> = used_ms "INTEGER";
    }
}
pub(in crate::account) use passkey;

const COLUMNS: &str = passkey!(columns);

/// A challenge that was answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answered {
    /// The challenge.
    pub challenge: String,
    /// When it would have ended, ms since the Unix epoch.
    pub ends_ms: i64,
}

fn insert(sql: &impl Sql, passkey: &Passkey) -> Result<(), PortError> {
    sql.exec(
        concat!(
            "INSERT INTO passkey (",
            passkey!(columns),
            ") VALUES (",
            passkey!(marks),
            ")"
        ),
        &passkey.values()?,
    )
    .map(drop)
}

fn with_credential(sql: &impl Sql, credential: &str) -> Result<Option<Passkey>, PortError> {
    let query = format!("SELECT {COLUMNS} FROM passkey WHERE credential = ?1");
    sql.exec(&query, &[credential.into()])?
        .first()
        .map(Passkey::of)
        .transpose()
}

fn of_member(sql: &impl Sql, member: &str) -> Result<Vec<Passkey>, PortError> {
    let query = format!("SELECT {COLUMNS} FROM passkey WHERE member = ?1 ORDER BY id");
    sql.exec(&query, &[member.into()])?.iter().map(Passkey::of).collect()
}

fn own(sql: &impl Sql, session: &str, id: &str) -> ReplyResult<Passkey> {
    let Ok(member) = decided(member_of(sql, session))? else {
        return Err(Refusal::NotFound.into());
    };
    let own = of_member(sql, &member.id)?.into_iter().find(|passkey| passkey.id == id);
    own.ok_or(Refusal::NotFound.into())
}

/// The member whose session this is.
fn member_of(sql: &impl Sql, session: &str) -> ReplyResult<KeyView> {
    let session = find(sql, session)?.filter(|key| key.member.is_some());
    let member = session.map_or(Ok(None), |session| find(sql, session.lasting_id()))?;
    member.ok_or(Refusal::NotMember.into())
}

/// The member's passkey with this credential.
pub(super) fn of_credential(sql: &impl Sql, member: &str, credential: &str) -> Result<Option<Passkey>, PortError> {
    Ok(with_credential(sql, credential)?.filter(|passkey| passkey.member == member))
}

/// Forgets the passkeys of a member that come from a key which does not reach the member any more. Somebody may have added such a one
/// for himself, in a session of a link, when the member had less.
pub(super) fn forget_of_lesser(sql: &impl Sql, member: &KeyView, now_ms: i64) -> Result<(), PortError> {
    for passkey in of_member(sql, &member.id)? {
        let mut is_lesser = false;
        for maker in makers::of(sql, &passkey.id)?
            .iter()
            .filter(|maker| **maker != member.id)
        {
            let maker = find(sql, maker)?.filter(|maker| maker.counts(now_ms));
            is_lesser |= maker.is_none_or(|maker| !still_reaches(&maker, member));
        }
        if is_lesser {
            forget(sql, "id = ?1", &passkey.id)?;
        }
    }
    Ok(())
}

/// Notes that a challenge was answered. `false`: it was before.
fn answer_once(sql: &impl Sql, answered: &Answered, now_ms: i64) -> Result<bool, PortError> {
    sql.exec("DELETE FROM answered_challenge WHERE ends_ms <= ?1", &[now_ms.into()])?;
    let new = sql.exec(
        "INSERT OR IGNORE INTO answered_challenge (challenge, ends_ms) VALUES (?1, ?2) RETURNING 1",
        &[answered.challenge.as_str().into(), answered.ends_ms.into()],
    )?;
    Ok(!new.is_empty())
}

/// What the audit log shows of a passkey: never its keys.
fn state(passkey: &Passkey) -> Value {
    json!({
        "member": passkey.member,
        "title": passkey.title,
        "createdAt": time::to_rfc3339(passkey.created_ms),
    })
}

fn shown(sql: &impl Sql, id: &str) -> Result<Option<Subject>, PortError> {
    let query = format!("SELECT {COLUMNS} FROM passkey WHERE id = ?1");
    let found = sql.exec(&query, &[id.into()])?.first().map(Passkey::of).transpose()?;
    Ok(Some(Subject::named(id, found.as_ref().map(state))))
}

/// Adds a passkey of the member whose session the request comes with.
#[derive(Debug, Serialize, Deserialize)]
pub struct AddPasskey {
    /// The session.
    pub session: String,
    /// The passkey. The object fills in whose it is.
    pub passkey: Passkey,
    /// The challenge that its device has signed.
    pub answered: Answered,
}

impl Request for AddPasskey {
    const NAME: &'static str = "AddPasskey";
    const WAKES: Wakes = Wakes::Never;
    type Reply = Passkey;

    fn audited(&self, sql: &impl Sql, _: &UnitOfWork) -> Result<Option<Subject>, PortError> {
        shown(sql, &self.passkey.id)
    }

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<Passkey> {
        let member = member_of(sql, &self.session)?;
        if with_credential(sql, &self.passkey.credential)?.is_some() {
            return Err(Refusal::PasskeyExists.into());
        }
        let max = usize::try_from(MAX_PASSKEYS).unwrap_or(usize::MAX);
        if of_member(sql, &member.id)?.len() >= max {
            return Err(Refusal::TooManyPasskeys.into());
        }
        if !answer_once(sql, &self.answered, work.now_ms)? {
            return Err(Refusal::ChallengeEnded.into());
        }
        let passkey = Passkey {
            member: member.id,
            created_ms: work.now_ms,
            used_ms: None,
            ..self.passkey.clone()
        };
        insert(sql, &passkey)?;
        makers::add_those_of(sql, &passkey.id, &self.session)?;
        Ok(passkey)
    }
}

/// Asks for the passkeys of the member whose session the request comes with, in the order in which they were added. Who is no member
/// has none.
#[derive(Debug, Serialize, Deserialize)]
pub struct ListPasskeys {
    /// The session.
    pub session: String,
}

impl Request for ListPasskeys {
    const NAME: &'static str = "ListPasskeys";
    const PROTECTS: bool = true;
    const WAKES: Wakes = Wakes::Never;
    type Reply = Vec<Passkey>;

    fn answer(&self, sql: &impl Sql, _: &mut UnitOfWork) -> ReplyResult<Vec<Passkey>> {
        match decided(member_of(sql, &self.session))? {
            Ok(member) => of_member(sql, &member.id).map_err(Into::into),
            Err(_) => Ok(Vec::new()),
        }
    }
}

/// Gives a passkey another title.
#[derive(Debug, Serialize, Deserialize)]
pub struct RenamePasskey {
    /// The session of its member.
    pub session: String,
    /// The passkey's id.
    pub id: String,
    /// The new title.
    pub title: String,
}

impl Request for RenamePasskey {
    const NAME: &'static str = "RenamePasskey";
    const WAKES: Wakes = Wakes::Never;
    type Reply = Passkey;

    fn audited(&self, sql: &impl Sql, _: &UnitOfWork) -> Result<Option<Subject>, PortError> {
        shown(sql, &self.id)
    }

    fn answer(&self, sql: &impl Sql, _: &mut UnitOfWork) -> ReplyResult<Passkey> {
        let passkey = own(sql, &self.session, &self.id)?;
        sql.exec(
            "UPDATE passkey SET title = ?2 WHERE id = ?1",
            &[self.id.as_str().into(), self.title.as_str().into()],
        )?;
        Ok(Passkey {
            title: self.title.clone(),
            ..passkey
        })
    }
}

/// Removes a passkey. Sessions that it has opened go on until they end.
#[derive(Debug, Serialize, Deserialize)]
pub struct RemovePasskey {
    /// The session of its member.
    pub session: String,
    /// The passkey's id.
    pub id: String,
}

impl Request for RemovePasskey {
    const NAME: &'static str = "RemovePasskey";
    const PROTECTS: bool = true;
    const WAKES: Wakes = Wakes::Never;
    /// There are only so many.
    const ENTRY: Entry = Entry::Bounded;
    type Reply = ();

    fn audited(&self, sql: &impl Sql, _: &UnitOfWork) -> Result<Option<Subject>, PortError> {
        shown(sql, &self.id)
    }

    fn answer(&self, sql: &impl Sql, _: &mut UnitOfWork) -> ReplyResult<()> {
        own(sql, &self.session, &self.id)?;
        forget(sql, "id = ?1", &self.id).map_err(Into::into)
    }
}

/// The members whose passkeys a condition is true of. `value` is its `?1`.
pub(super) fn members(sql: &impl Sql, condition: &str, value: &str) -> Result<Vec<String>, PortError> {
    let query = format!("SELECT DISTINCT member FROM passkey WHERE {condition}");
    sql.exec(&query, &[value.into()])?
        .iter()
        .map(|row| row.text(0))
        .collect()
}

/// The ids of the passkeys of which a condition is true.
pub(super) fn ids(sql: &impl Sql, condition: &str, value: &str) -> Result<Vec<String>, PortError> {
    let query = format!("SELECT id FROM passkey WHERE {condition} ORDER BY id");
    sql.exec(&query, &[value.into()])?
        .iter()
        .map(|row| row.text(0))
        .collect()
}

/// Forgets the passkeys of which a condition is true, and what they come from. `value` is its `?1`.
pub(super) fn forget(sql: &impl Sql, condition: &str, value: &str) -> Result<(), PortError> {
    let query = format!("DELETE FROM passkey WHERE {condition} RETURNING id");
    let ids = sql.exec(&query, &[value.into()])?;
    let ids: Vec<String> = ids.iter().map(|row| row.text(0)).collect::<Result<_, _>>()?;
    match ids.is_empty() {
        true => Ok(()),
        false => makers::forget(sql, &to_json(&ids)?),
    }
}
