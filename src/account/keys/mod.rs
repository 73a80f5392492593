//! The account's API keys. KV answers whose a key is; the object decides whether it still counts.

pub mod adoption;
pub mod authority;
pub mod caps;
pub mod cascade;
pub mod console_sessions;
pub mod ended;
pub mod invitations;
pub mod links;
pub mod makers;
pub mod members;
pub mod passkeys;
pub mod requests;
pub mod standing;

use caps::Caps;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::refusal::Refusal;
use super::request::ReplyResult;
use crate::auth::{Mode, Scope, console_session::SignedInBy, role::Role};
use crate::base::named::Named;
use crate::base::ports::{PortError, Sql};
use crate::base::record::{Columns, neighbours, record};
use crate::base::time;
use crate::durable::audit::Subject;

record! {
    /// A key as the object keeps it: everything but the key itself.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    pub struct KeyView by api_key {
        /// UUID version 7.
        pub id: String = id "TEXT NOT NULL";
        /// What it is for, in its owner's words.
        pub title: String = title "TEXT NOT NULL";
        /// Hex SHA-256 of the key.
        pub digest: String = digest "TEXT NOT NULL";
        /// What people know it by ([`crate::auth::imprint::hint`]). `None`: it was revoked before the object has seen it.
        pub hint: Option<String> = hint "TEXT";
        /// What it may do.
        pub scopes: Vec<Scope> as words = scopes "TEXT NOT NULL";
        /// Live or test.
        pub mode: Mode = mode "TEXT NOT NULL";
        /// The lines it is limited to.
        pub lines: Option<Vec<String>> as words = lines "TEXT";
        /// When it was made.
        pub created_ms: i64 = created_ms "INTEGER NOT NULL";
        /// When it ends by itself.
        pub expires_ms: Option<i64> = expires_ms "INTEGER";
        /// When it was revoked.
        pub revoked_ms: Option<i64> = revoked_ms "INTEGER";
        /// The id of the newest key that a rotation made in its place.
        pub successor: Option<String> = successor "TEXT";
        /// When it was to end when it was issued. A rotation makes the key end sooner, but not its successor.
        pub term_ms: Option<i64> = term_ms "INTEGER";
        /// When a request came with it, the last time that this was noted.
        pub used_ms: Option<i64> = used_ms "INTEGER";
        /// The address that it came from.
        pub address: Option<String> = address "TEXT";
        /// The id of the key that has made it. `None`: an operator has issued it for an account, or a script has made it.
        pub created_by: Option<String> = created_by "TEXT";
        /// What it may do at most.
        pub caps: Caps = ips "TEXT", rate_per_minute "INTEGER", daily_spend "INTEGER";
        /// The key by which it was opened. `None`: it is no session of the console.
        #[serde(default)]
        pub session_of: Option<String> = session_of "TEXT";
        /// Who has it in place of a key, or whose session it is. `None`: it is a key, or the session of one.
        #[serde(default)]
        pub member: Option<Member> = phone "INTEGER", role "TEXT", joined_ms "INTEGER";
        /// Whether it is the code of a link, which opens one session.
        #[serde(default)]
        pub is_link: bool = is_link "INTEGER NOT NULL DEFAULT 0";
        /// By what the member has signed in whose session it is. `None`: it is no session of a member.
        #[serde(default)]
        pub signed_in_by: Option<Named<SignedInBy>> = signed_in_by "TEXT";
        /// Whether an operator looks at the account by it: `session_of` is a key of the operators then.
        #[serde(default)]
        pub looks: bool = looks "INTEGER NOT NULL DEFAULT 0";
    } beside {
        /// What a session comes from that a link or a passkey has opened. It is told when the session is opened, and is nowhere else.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub ways: Vec<String> = "'[]'";
    }
}
pub(super) use api_key;

const COLUMNS: &str = api_key!(read);
/// A use of a key is noted once in so long, ms.
const USE_MS: i64 = 60 * 60 * 1_000;

/// A person who signs in by phone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    /// The person's number.
    pub phone: u64,
    /// What the person is to the account. `None`: an operator, whom no account has.
    pub role: Option<Named<Role>>,
    /// When the person has accepted an invitation that came to this number. `None`: nobody has; and operators need none.
    #[serde(default)]
    pub joined_ms: Option<i64>,
}

neighbours!(Member: phone, role, joined_ms);

impl KeyView {
    /// A key that was made at this time, with nothing else: no scope, no end, no cap.
    pub fn new(id: String, title: String, digest: String, mode: Mode, created_ms: i64) -> Self {
        KeyView {
            id,
            title,
            digest,
            hint: None,
            scopes: Vec::new(),
            mode,
            lines: None,
            created_ms,
            expires_ms: None,
            revoked_ms: None,
            successor: None,
            term_ms: None,
            used_ms: None,
            address: None,
            created_by: None,
            caps: Caps::default(),
            session_of: None,
            member: None,
            is_link: false,
            signed_in_by: None,
            looks: false,
            ways: Vec::new(),
        }
    }

    /// Whether the key has a scope, or one that includes it.
    pub fn allows(&self, scope: Scope) -> bool {
        self.scopes.iter().any(|own| own.includes(scope))
    }

    /// The hour of its last use: when it began, ms since the Unix epoch.
    pub fn used_hour_ms(&self) -> Option<i64> {
        self.used_ms.map(|used_ms| used_ms.div_euclid(USE_MS) * USE_MS)
    }

    /// The id of the key that stays when a session has ended.
    pub fn lasting_id(&self) -> &str {
        self.session_of.as_deref().unwrap_or(&self.id)
    }

    /// Whether it is a key, and neither a session nor a member.
    pub fn is_key(&self) -> bool {
        self.session_of.is_none() && self.member.is_none()
    }

    /// Whether it is of a person whose number was seen to be the person's own.
    pub fn has_joined(&self) -> bool {
        self.member.as_ref().is_some_and(|person| person.joined_ms.is_some())
    }

    /// Whether it is the session of a member who has shown to have the phone, or the link for one.
    pub fn is_by_code(&self) -> bool {
        matches!(&self.signed_in_by, Some(Named::Known(SignedInBy::Code)))
    }

    /// Whether the key counts at this time.
    pub fn counts(&self, now_ms: i64) -> bool {
        self.revoked_ms.is_none() && self.expires_ms.is_none_or(|expires_ms| now_ms < expires_ms)
    }
}

/// How many ended keys there may be. Of revoked ones the newest half stays listed for a while.
const MAX_ENDED: i64 = 1_000;

/// Records a key if fewer than `max` of the object count. Ended ones take no room of theirs, so that who throws out many keys can issue a
/// new one; but they are bounded, too, as they are listed for a while.
fn insert_below(max: i64, sql: &impl Sql, key: &KeyView, now_ms: i64) -> ReplyResult<()> {
    let rows = sql.exec(
        "SELECT count(*) FILTER (WHERE revoked_ms IS NULL AND (expires_ms IS NULL OR expires_ms > ?1)), count(*) \
         FROM api_key WHERE session_of IS NULL",
        &[now_ms.into()],
    )?;
    let row = rows.first().ok_or(PortError::failed("sql", "no count"))?;
    let (counting, all) = (row.int(0)?, row.int(1)?);
    if counting >= max || all >= max.saturating_add(MAX_ENDED) {
        return Err(Refusal::TooManyKeys.into());
    }
    insert(sql, key)?;
    Ok(())
}

fn insert(sql: &impl Sql, key: &KeyView) -> Result<(), PortError> {
    sql.exec(
        concat!(
            "INSERT INTO api_key (",
            api_key!(columns),
            ") VALUES (",
            api_key!(marks),
            ")"
        ),
        &key.values()?,
    )
    .map(drop)
}

/// Keys and sessions of a page, newest first.
fn page(sql: &impl Sql, limit: u32, after: Option<&str>) -> Result<Vec<KeyView>, PortError> {
    let rows = sql.exec(
        &format!(
            "SELECT {COLUMNS} FROM api_key WHERE (?2 IS NULL OR id < ?2) AND (phone IS NULL OR session_of IS NOT NULL) \
               AND NOT is_link ORDER BY id DESC LIMIT ?1"
        ),
        &[limit.into(), after.into()],
    )?;
    rows.iter().map(KeyView::of).collect()
}

/// All keys, ended ones included.
pub fn all(sql: &impl Sql) -> Result<Vec<KeyView>, PortError> {
    let rows = sql.exec(&format!("SELECT {COLUMNS} FROM api_key ORDER BY id"), &[])?;
    rows.iter().map(KeyView::of).collect()
}

/// Puts keys in the place of those with the same ids.
pub fn replace(sql: &impl Sql, keys: &[KeyView]) -> Result<(), PortError> {
    for key in keys {
        sql.exec("DELETE FROM api_key WHERE id = ?1", &[key.id.as_str().into()])?;
        insert(sql, key)?;
    }
    Ok(())
}

/// Notes that a key is revoked, and its sessions, unless they are already.
fn set_revoked(sql: &impl Sql, id: &str, now_ms: i64) -> Result<(), PortError> {
    sql.exec(
        "UPDATE api_key SET revoked_ms = ?2 WHERE (id = ?1 OR session_of = ?1) AND revoked_ms IS NULL",
        &[id.into(), now_ms.into()],
    )
    .map(drop)
}

/// Notes that a member has joined, unless that is known.
fn set_joined(sql: &impl Sql, id: &str, now_ms: i64) -> Result<(), PortError> {
    sql.exec(
        "UPDATE api_key SET joined_ms = coalesce(joined_ms, ?2) WHERE id = ?1",
        &[id.into(), now_ms.into()],
    )
    .map(drop)
}

/// Notes when a key ends, with its sessions at the latest, and which key takes its place.
fn set_end(sql: &impl Sql, id: &str, ends_ms: i64, successor: &str) -> Result<(), PortError> {
    sql.exec(
        "UPDATE api_key SET expires_ms = min(expires_ms, ?2) WHERE session_of = ?1",
        &[id.into(), ends_ms.into()],
    )?;
    sql.exec(
        "UPDATE api_key SET expires_ms = ?2, successor = ?3 WHERE id = ?1",
        &[id.into(), ends_ms.into(), successor.into()],
    )
    .map(drop)
}

/// The key with this id.
fn find(sql: &impl Sql, id: &str) -> Result<Option<KeyView>, PortError> {
    let rows = sql.exec(&format!("SELECT {COLUMNS} FROM api_key WHERE id = ?1"), &[id.into()])?;
    rows.first().map(KeyView::of).transpose()
}

/// The id of the key that stays when a session has ended: that of the key by which it was opened. Any other key's is its own.
fn lasting(sql: &impl Sql, id: &str) -> Result<String, PortError> {
    Ok(find(sql, id)?.map_or_else(|| id.to_owned(), |key| key.lasting_id().to_owned()))
}

/// The key with this digest, the newest one. An account has few keys, so the walk through all of them is short.
fn find_by_digest(sql: &impl Sql, digest: &str) -> Result<Option<KeyView>, PortError> {
    let query = format!("SELECT {COLUMNS} FROM api_key WHERE digest = ?1 ORDER BY id DESC LIMIT 1");
    sql.exec(&query, &[digest.into()])?.first().map(KeyView::of).transpose()
}

/// What the audit log shows of the key with this id.
fn shown(sql: &impl Sql, id: &str) -> Result<Subject, PortError> {
    Ok(Subject::named(id, find(sql, id)?.as_ref().map(state)))
}

/// What the audit log shows of a key: never the key, nor its digest.
fn state(key: &KeyView) -> Value {
    json!({
        "title": key.title,
        "hint": key.hint,
        "scopes": key.scopes,
        "mode": key.mode,
        "lines": key.lines,
        "expiresAt": key.expires_ms.map(time::to_rfc3339),
        "revokedAt": key.revoked_ms.map(time::to_rfc3339),
        "replacedBy": key.successor,
        "sessionOf": key.session_of,
        "signedInBy": key.signed_in_by.as_ref().map(Named::as_str),
        "phoneEnding": key.member.as_ref().map(|member| ending(member.phone)),
        "role": key.member.as_ref().and_then(|member| member.role.as_ref()).map(Named::as_str),
        "joinedAt": key.member.as_ref().and_then(|member| member.joined_ms).map(time::to_rfc3339),
        "ips": key.caps.ips,
        "ratePerMinute": key.caps.rate_per_minute,
        "dailySpend": key.caps.daily_spend,
    })
}

/// The last digits of a number: the log has no number of a person.
fn ending(phone: u64) -> String {
    format!("{:02}", phone % 100)
}
