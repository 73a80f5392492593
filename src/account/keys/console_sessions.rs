//! Sessions of the console ([`crate::auth::console_session`]). Any key may open one: a session has no more than the key, and
//! what it takes and spends counts for the key, too. It ends with the key, at once: the object decides that, because KV may lag.

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{COLUMNS, KeyView, find, insert, lasting, makers, passkeys, passkeys::rule, shown};
use crate::account::refusal::Refusal;
use crate::account::request::{Entry, ReplyResult, Request, Wakes};
use crate::account::unit_of_work::UnitOfWork;
use crate::auth::console_session::{LASTS_S, SignedInBy};
use crate::auth::imprint::Imprint;
use crate::base::named::Named;
use crate::base::ports::{PortError, Sql};
use crate::base::record::Columns;
use crate::durable::audit::Subject;

/// Open sessions of all keys of an account at most. Those of members are not among them: there are only so many members, and none is
/// kept out because of keys.
const MAX_SESSIONS: i64 = 500;
/// Sessions of one key at most. One more ends the oldest.
const MAX_OF_KEY: i64 = 10;

/// Opens a session.
#[derive(Debug, Serialize, Deserialize)]
pub struct OpenSession {
    /// The key by which it is opened.
    pub key: String,
    /// The id of the session.
    pub id: String,
    /// What is to be kept of it.
    pub imprint: Imprint,
    /// When it ends at the latest, ms since the Unix epoch.
    #[serde(default)]
    pub ends_ms: Option<i64>,
    /// By what the member has signed in that `key` is. `None`: it is a key.
    #[serde(default)]
    pub by: Option<Named<SignedInBy>>,
    /// The credential's id of the passkey with which the member has signed in.
    #[serde(default)]
    pub credential: Option<String>,
}

impl Request for OpenSession {
    const NAME: &'static str = "OpenSession";
    const PROTECTS: bool = true;
    const ENTRY: Entry = Entry::Counted;
    /// It is forgotten when it has ended.
    const WAKES: Wakes = Wakes::In(LASTS_S * 1_000);
    /// The session.
    type Reply = KeyView;

    fn audited(&self, sql: &impl Sql, _: &UnitOfWork) -> Result<Option<Subject>, PortError> {
        shown(sql, &self.id).map(Some)
    }

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<KeyView> {
        let opener = match find(sql, &self.key)? {
            Some(key) if key.session_of.is_none() && key.counts(work.now_ms) => key,
            Some(_) => return Err(Refusal::KeyRevoked.into()),
            None => return Err(Refusal::KeyUnknown.into()),
        };
        let by_passkey = matches!(&self.by, Some(Named::Known(SignedInBy::Passkey)));
        if opener.member.is_some() && !by_passkey && rule::only_passkeys(sql, &work.account.id)? {
            return Err(Refusal::NeedsPasskey.into());
        }
        let by_code = matches!(&self.by, Some(Named::Known(SignedInBy::Code)));
        if by_code && !opener.has_joined() {
            return Err(Refusal::KeyUnknown.into());
        }
        let ends_ms = earliest(work.now_ms, LASTS_S, [opener.expires_ms, self.ends_ms]);
        let session = KeyView {
            signed_in_by: self.by.clone(),
            ..session(opener, &self.key, (&self.id, &self.imprint), work.now_ms, ends_ms)
        };
        let Some(credential) = &self.credential else {
            return open(sql, session, work.now_ms);
        };
        // The passkey may have gone since it was checked.
        let passkey = passkeys::of_credential(sql, &self.key, credential)?.ok_or(Refusal::NotFound)?;
        let session = open(sql, session, work.now_ms)?;
        makers::add_those_of(sql, &self.id, &passkey.id)?;
        let ways = makers::of(sql, &self.id)?;
        Ok(KeyView { ways, ..session })
    }
}

/// So many seconds from now, or the first of these ends.
pub(super) fn earliest(now_ms: i64, lasts_s: i64, ends_ms: [Option<i64>; 2]) -> i64 {
    let lasts_ms = now_ms.saturating_add(lasts_s.saturating_mul(1_000));
    ends_ms.into_iter().flatten().fold(lasts_ms, i64::min)
}

/// A session that has all that `like` has. `of` is the key by which it is opened.
pub(super) fn session(like: KeyView, of: &str, (id, imprint): (&str, &Imprint), now_ms: i64, ends_ms: i64) -> KeyView {
    KeyView {
        id: id.to_owned(),
        digest: imprint.digest.clone(),
        hint: Some(imprint.hint.clone()),
        created_ms: now_ms,
        expires_ms: Some(ends_ms),
        term_ms: Some(ends_ms),
        successor: None,
        used_ms: None,
        address: None,
        created_by: Some(of.to_owned()),
        session_of: Some(of.to_owned()),
        ..like
    }
}

/// Notes at a member that the person has signed in. A link is none yet.
fn note_sign_in(sql: &impl Sql, session: &KeyView, now_ms: i64) -> Result<(), PortError> {
    let is_of_member = session.member.is_some() && !session.is_link;
    let Some(member) = session.session_of.as_deref().filter(|_| is_of_member) else {
        return Ok(());
    };
    sql.exec(
        "UPDATE api_key SET used_ms = ?2 WHERE id = ?1",
        &[member.into(), now_ms.into()],
    )
    .map(drop)
}

/// Records a session if the account may have one more.
pub(super) fn open(sql: &impl Sql, session: KeyView, now_ms: i64) -> ReplyResult<KeyView> {
    if session.member.is_none() && open_of_keys(sql, now_ms)? >= MAX_SESSIONS {
        return Err(Refusal::TooManyKeys.into());
    }
    end_oldest(sql, session.session_of.as_deref().unwrap_or_default(), now_ms)?;
    insert(sql, &session)?;
    note_sign_in(sql, &session, now_ms)?;
    makers::note(sql, &session.id, session.session_of.as_deref(), None)?;
    Ok(session)
}

/// How many sessions of keys are open.
fn open_of_keys(sql: &impl Sql, now_ms: i64) -> Result<i64, PortError> {
    let query = "SELECT count(*) FROM api_key \
         WHERE session_of IS NOT NULL AND phone IS NULL AND revoked_ms IS NULL AND expires_ms > ?1";
    Ok(sql.number(query, &[now_ms.into()])?.unwrap_or(0))
}

/// Ends the oldest sessions of a key, so that it may have one more.
fn end_oldest(sql: &impl Sql, key: &str, now_ms: i64) -> Result<(), PortError> {
    sql.exec(
        "UPDATE api_key SET revoked_ms = ?2 WHERE id IN ( \
           SELECT id FROM api_key WHERE session_of = ?1 AND revoked_ms IS NULL AND expires_ms > ?2 \
           ORDER BY id DESC LIMIT -1 OFFSET ?3)",
        &[key.into(), now_ms.into(), (MAX_OF_KEY - 1).into()],
    )
    .map(drop)
}

/// Asks for the key or the session that a request comes with.
#[derive(Debug, Serialize, Deserialize)]
pub struct GetOwnKey {
    /// Its id.
    pub id: String,
}

impl Request for GetOwnKey {
    const NAME: &'static str = "GetOwnKey";
    const PROTECTS: bool = true;
    const WAKES: Wakes = Wakes::Never;
    type Reply = KeyView;

    fn answer(&self, sql: &impl Sql, _: &mut UnitOfWork) -> ReplyResult<KeyView> {
        find(sql, &self.id)?.ok_or(Refusal::KeyUnknown.into())
    }
}

/// Ends the session that the request comes with, or all sessions of the key. Ending what has ended changes nothing.
#[derive(Debug, Serialize, Deserialize)]
pub struct EndSession {
    /// The id of the session, or of a key.
    pub id: String,
    /// Whether all sessions of the same key end. A request that comes with a key itself ends all of them.
    #[serde(default)]
    pub everywhere: bool,
}

impl Request for EndSession {
    const NAME: &'static str = "EndSession";
    const PROTECTS: bool = true;
    /// Ended sessions are forgotten.
    const WAKES: Wakes = Wakes::In(0);
    /// What has ended is bounded by what was opened.
    const ENTRY: Entry = Entry::Bounded;
    /// The sessions.
    type Reply = Vec<KeyView>;

    fn audited(&self, sql: &impl Sql, _: &UnitOfWork) -> Result<Option<Subject>, PortError> {
        let key = lasting(sql, &self.id)?;
        let open = sql.exec(
            "SELECT id FROM api_key WHERE session_of = ?1 AND revoked_ms IS NULL ORDER BY id",
            &[key.as_str().into()],
        )?;
        let open: Vec<String> = open.iter().map(|row| row.text(0)).collect::<Result<_, _>>()?;
        Ok(Some(Subject::named(&key, Some(json!({"openSessions": open})))))
    }

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<Vec<KeyView>> {
        let own = find(sql, &self.id)?.ok_or(Refusal::KeyUnknown)?;
        let only = (!self.everywhere && own.session_of.is_some()).then_some(own.id.as_str());
        let query = format!(
            "UPDATE api_key SET revoked_ms = ?2 \
             WHERE session_of = ?1 AND id = coalesce(?3, id) AND revoked_ms IS NULL RETURNING {COLUMNS}"
        );
        let rows = sql.exec(&query, &[own.lasting_id().into(), work.now_ms.into(), only.into()])?;
        rows.iter()
            .map(KeyView::of)
            .collect::<Result<_, _>>()
            .map_err(Into::into)
    }
}
