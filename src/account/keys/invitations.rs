//! Invitations: a text by SMS with a link, which the account pays. Only the phone gets the link, so who opens it has the phone, and joins.
//!
//! The invariant: until a person has joined, no code to sign in goes to the phone for this account, and none opens a session of it.

use serde::{Deserialize, Serialize};

use super::authority::Authority;
use super::links::open_for;
use super::{KeyView, lasting, passkeys::rule, shown};
use crate::account::message::accept::{accept, refusals};
use crate::account::record::message::code_text;
use crate::account::record::message::{MessageKind, NewMessage};
use crate::account::refusal::Refusal;
use crate::account::request::{ReplyResult, Request, Wakes};
use crate::account::unit_of_work::UnitOfWork;
use crate::auth::console_session::SignedInBy;
use crate::auth::imprint::Imprint;
use crate::auth::secret::NONCE_BYTES;
use crate::base::ports::{PortError, Sql};
use crate::base::time::DAY_MS;
use crate::durable::audit::Subject;

/// How long an invitation can be accepted, s.
pub const TTL_S: i64 = 3 * 24 * 60 * 60;
/// Invitations of an account within 24 hours, at most. Those that operators send for it are counted apart, also those to a phone, so that
/// no key of the account keeps them from that.
pub const MAX_OF_ACCOUNT: i64 = 50;
/// Those to a phone.
pub const MAX_OF_PHONE: i64 = 3;
/// Those that one key or member of the account sends: it leaves some to the others.
pub const MAX_OF_INVITER: i64 = 25;

/// An invitation to send.
#[derive(Debug, Serialize, Deserialize)]
pub struct Invitation {
    /// The id of the link.
    pub id: String,
    /// The code of the link.
    pub code: String,
    /// The message to the only recipient. Its text is without the code.
    pub message: NewMessage,
    /// The pieces of the text between which the code stands.
    pub pieces: Vec<String>,
    /// Random, to seal the text.
    pub nonce: [u8; NONCE_BYTES],
}

impl Invitation {
    /// Why it can't go to this phone.
    pub(super) fn refusal(
        &self,
        sql: &impl Sql,
        work: &UnitOfWork,
        phone: u64,
        by: &Authority,
    ) -> Result<Option<Refusal>, PortError> {
        if rule::only_passkeys(sql, &work.account.id)? {
            return Ok(Some(Refusal::NeedsPasskey));
        }
        if are_used_up(sql, phone, inviter(sql, by)?.as_deref(), work.now_ms)? {
            return Ok(Some(Refusal::TooManyInvitations));
        }
        Ok(refusals(sql, work, &self.message)?.into_iter().next())
    }

    /// Sends it, and returns its link.
    pub(super) fn send(
        &self,
        sql: &impl Sql,
        work: &mut UnitOfWork,
        member: KeyView,
        by: &Authority,
    ) -> ReplyResult<KeyView> {
        let number = work.account.message_seq.saturating_add(1);
        sql.exec(
            "INSERT INTO invitation (message, member, inviter, sent_ms) VALUES (?1, ?2, ?3, ?4)",
            &[
                number.into(),
                member.id.as_str().into(),
                inviter(sql, by)?.into(),
                work.now_ms.into(),
            ],
        )?;
        let imprint = Imprint::of(&self.code);
        let link = open_for(
            sql,
            member,
            by,
            (&self.id, &imprint),
            (TTL_S, SignedInBy::Code),
            work.now_ms,
        )?;
        let owner = (work.account.id.as_str(), number);
        let text = code_text::seal(&work.master_key, self.nonce, owner, &self.pieces, &self.code)?;
        let message = NewMessage {
            kind: MessageKind::SignIn,
            expires_ms: link.expires_ms,
            ..self.message.clone()
        };
        accept(sql, work, &message, Some(text))?;
        Ok(link)
    }
}

/// The key or member of the account that invites. `None`: an operator.
fn inviter(sql: &impl Sql, by: &Authority) -> Result<Option<String>, PortError> {
    by.key().map(|key| lasting(sql, key)).transpose()
}

/// Who was let go and admitted again has the same phone, so the phone is counted.
fn are_used_up(sql: &impl Sql, phone: u64, inviter: Option<&str>, now_ms: i64) -> Result<bool, PortError> {
    sql.exec(
        "DELETE FROM invitation WHERE sent_ms <= ?1",
        &[now_ms.saturating_sub(DAY_MS).into()],
    )?;
    let rows = sql.exec(
        "SELECT count(*) FILTER (WHERE (inviter IS NULL) = (?2 IS NULL)), \
           count(*) FILTER (WHERE member IN (SELECT id FROM api_key WHERE phone = ?1) AND (inviter IS NULL) = (?2 IS NULL)), \
           count(*) FILTER (WHERE inviter = ?2) FROM invitation",
        &[i64::try_from(phone).unwrap_or(i64::MAX).into(), inviter.into()],
    )?;
    rows.first().map_or(Ok(false), |row| {
        Ok(row.int(0)? >= MAX_OF_ACCOUNT || row.int(1)? >= MAX_OF_PHONE || row.int(2)? >= MAX_OF_INVITER)
    })
}

/// When the phone of members who were removed may be erased: so long the invitations count that were sent until then. `None`: at once.
pub fn erasable_ms(sql: &impl Sql, msisdn: u64, until_ms: i64) -> Result<Option<i64>, PortError> {
    let last = sql.number(
        "SELECT max(sent_ms) FROM invitation WHERE sent_ms <= ?2 \
           AND member IN (SELECT id FROM api_key WHERE phone = ?1 AND revoked_ms IS NOT NULL)",
        &[i64::try_from(msisdn).unwrap_or(i64::MAX).into(), until_ms.into()],
    )?;
    Ok(last.map(|sent_ms| sent_ms.saturating_add(DAY_MS)))
}

/// Sends a member an invitation again.
#[derive(Debug, Serialize, Deserialize)]
pub struct InviteMember {
    /// Who sends it.
    pub by: Authority,
    /// The member.
    pub member: String,
    /// The invitation.
    pub invitation: Invitation,
}

/// The member, and the link of the invitation.
#[derive(Debug, Serialize, Deserialize)]
pub struct Invited {
    /// The member.
    pub member: KeyView,
    /// The link.
    pub link: KeyView,
}

impl Request for InviteMember {
    const NAME: &'static str = "InviteMember";
    const NEEDS_OPEN: bool = true;
    const WAKES: Wakes = Wakes::Now;
    const NEEDS_KEY: bool = true;
    type Reply = Invited;

    fn audited(&self, sql: &impl Sql, _: &UnitOfWork) -> Result<Option<Subject>, PortError> {
        shown(sql, &self.invitation.id).map(Some)
    }

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<Invited> {
        let member = self.by.member(sql, &self.member, work.now_ms)?;
        if member.has_joined() {
            return Err(Refusal::MemberJoined.into());
        }
        let phone = member.member.as_ref().map_or(0, |person| person.phone);
        if let Some(refusal) = self.invitation.refusal(sql, work, phone, &self.by)? {
            return Err(refusal.into());
        }
        let link = self.invitation.send(sql, work, member.clone(), &self.by)?;
        Ok(Invited { member, link })
    }
}
