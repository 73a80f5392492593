//! By what members sign in: by a code or a passkey, or by a passkey only.

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::of_member;
use crate::account::OPERATOR;
use crate::account::keys::authority::Authority;
use crate::account::keys::{COLUMNS, KeyView, find};
use crate::account::refusal::Refusal;
use crate::account::request::{ReplyResult, Request, Wakes};
use crate::account::unit_of_work::UnitOfWork;
use crate::auth::console_session::SignedInBy;
use crate::base::ports::{PortError, Sql};
use crate::base::record::Columns;
use crate::durable::audit::Subject;

/// Whether the account has said that only passkeys count.
pub(super) fn is_set(sql: &impl Sql) -> Result<bool, PortError> {
    let rows = sql.exec("SELECT only_passkeys FROM member_rule", &[])?;
    rows.first().map_or(Ok(false), |row| row.bool(0))
}

pub(super) fn set(sql: &impl Sql, only_passkeys: bool) -> Result<(), PortError> {
    sql.exec(
        "INSERT OR REPLACE INTO member_rule (one, only_passkeys) VALUES (1, ?1)",
        &[only_passkeys.into()],
    )
    .map(drop)
}

/// Whether a member of this account signs in with a passkey only. For operators that is so, always.
pub fn only_passkeys(sql: &impl Sql, account: &str) -> Result<bool, PortError> {
    Ok(account == OPERATOR || is_set(sql)?)
}

/// The members that were not let go.
fn members(sql: &impl Sql) -> Result<Vec<KeyView>, PortError> {
    let query =
        format!("SELECT {COLUMNS} FROM api_key WHERE phone IS NOT NULL AND session_of IS NULL AND revoked_ms IS NULL");
    sql.exec(&query, &[])?.iter().map(KeyView::of).collect()
}

/// Asks whether only passkeys count.
#[derive(Debug, Serialize, Deserialize)]
pub struct GetMemberRule;

impl Request for GetMemberRule {
    const NAME: &'static str = "GetMemberRule";
    const WAKES: Wakes = Wakes::Never;
    type Reply = bool;

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<bool> {
        only_passkeys(sql, &work.account.id).map_err(Into::into)
    }
}

/// Says whether only passkeys count. If so, the sessions end that a code has opened, but for that of the request.
#[derive(Debug, Serialize, Deserialize)]
pub struct SetMemberRule {
    /// Who says so.
    pub by: Authority,
    /// Whether only passkeys count.
    #[serde(default)]
    pub only_passkeys: bool,
}

impl Request for SetMemberRule {
    const NAME: &'static str = "SetMemberRule";
    /// Ended sessions are forgotten.
    const WAKES: Wakes = Wakes::In(0);
    /// The sessions that have ended.
    type Reply = Vec<KeyView>;

    fn audited(&self, sql: &impl Sql, work: &UnitOfWork) -> Result<Option<Subject>, PortError> {
        let only_passkeys = only_passkeys(sql, &work.account.id)?;
        Ok(Some(Subject::of(Some(json!({"onlyPasskeys": only_passkeys})))))
    }

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<Vec<KeyView>> {
        let own = self.by.own_key(sql, work.now_ms)?;
        // The rule decides how all members sign in, so who sets it reaches each of them.
        for member in members(sql)? {
            self.by.reaches(own.as_ref(), &member, member.expires_ms)?;
        }
        // A member without a passkey would shut itself out.
        let person = own.filter(|own| own.member.is_some());
        if let Some(person) = person.filter(|_| self.only_passkeys)
            && of_member(sql, &person.id)?.is_empty()
        {
            return Err(Refusal::NoPasskey.into());
        }
        set(sql, self.only_passkeys)?;
        if !self.only_passkeys {
            return Ok(Vec::new());
        }
        let own = self.by.key().map_or(Ok(None), |id| find(sql, id))?;
        let query = format!(
            "UPDATE api_key SET revoked_ms = ?1 WHERE session_of IS NOT NULL AND signed_in_by = ?2 AND id IS NOT ?3 \
               AND revoked_ms IS NULL RETURNING {COLUMNS}"
        );
        let rows = sql.exec(
            &query,
            &[
                work.now_ms.into(),
                SignedInBy::Code.as_str().into(),
                own.map(|own| own.id).into(),
            ],
        )?;
        rows.iter()
            .map(KeyView::of)
            .collect::<Result<_, _>>()
            .map_err(Into::into)
    }
}
