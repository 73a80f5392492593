//! The account's API keys. KV answers whose a key is; the object decides whether it still counts.

pub mod adoption;
pub mod authority;
pub mod caps;
pub mod cascade;
pub mod ended;
pub mod invitations;
pub mod links;
pub mod makers;
pub mod members;
pub mod passkeys;
pub mod requests;
pub mod sessions;

use crate::account::record::spending::Bound;
use caps::Caps;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::refusal::Refusal;
use super::request::Outcome;
use crate::auth::{Mode, Scope, role::Role, session::SignedInBy};
use crate::base::named::Named;
use crate::base::network::Network;
use crate::base::ports::{PortError, Row, Sql};
use crate::base::record::Reader;
use crate::base::time;
use crate::durable::audit::Subject;

const COLUMNS: &str = "id, title, digest, scopes, mode, lines, created_ms, expires_ms, revoked_ms, successor, term_ms, \
     used_ms, address, created_by, ips, rate_per_minute, daily_spend, hint, session_of, phone, role, joined_ms, is_link, \
     signed_in_by, looks";
/// A use of a key is noted once in so long, ms.
const USE_MS: i64 = 60 * 60 * 1_000;
/// A use from another address than the last is noted once in so long, ms.
const ADDRESS_MS: i64 = 60 * 1_000;

/// Whether a key counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// It counts.
    Valid(Valid),
    /// It is revoked or has expired.
    Ended,
    /// The object does not know it.
    Unknown,
}

/// A key that counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Valid {
    /// Live or test.
    pub mode: Mode,
    /// What bounds it.
    pub bounds: Vec<Bound>,
    /// Its id; of a session, that of the key by which it was opened.
    pub lasting: String,
}

/// Whether the key with this id counts, and notes that a request came with it from this address. The note is one row for a key and
/// an hour, and one more when the address changes, at most once a minute.
pub fn use_key(sql: &impl Sql, id: &str, address: Option<&str>, now_ms: i64) -> Result<Standing, PortError> {
    let rows = sql.exec(
        "SELECT revoked_ms IS NOT NULL OR coalesce(expires_ms <= ?2, 0), used_ms, address, \
           rate_per_minute IS NOT NULL OR daily_spend IS NOT NULL, mode, coalesce(session_of, id) FROM api_key WHERE id = ?1",
        &[id.into(), now_ms.into()],
    )?;
    let Some(row) = rows.first() else {
        return Ok(Standing::Unknown);
    };
    let mut row = row.reader();
    let (has_ended, used_ms, known, is_capped): (bool, Option<i64>, Option<String>, bool) = row.read()?;
    if has_ended {
        return Ok(Standing::Ended);
    }
    let is_elsewhere = address.is_some() && known.as_deref() != address;
    if is_use_new(used_ms, is_elsewhere, now_ms) {
        sql.exec(
            "UPDATE api_key SET used_ms = ?2, address = coalesce(?3, address) WHERE id = ?1",
            &[id.into(), now_ms.into(), address.into()],
        )?;
    }
    let bounds = match is_capped {
        true => crate::account::record::spending::bounds(sql, id)?,
        false => Vec::new(),
    };
    Ok(Standing::Valid(Valid {
        mode: mode(&mut row)?,
        bounds,
        lasting: row.read()?,
    }))
}

/// Whether a use at this time is to be noted.
fn is_use_new(noted_ms: Option<i64>, is_elsewhere: bool, now_ms: i64) -> bool {
    noted_ms.is_none_or(|noted_ms| {
        let is_next_hour = now_ms.div_euclid(USE_MS) > noted_ms.div_euclid(USE_MS);
        is_next_hour || (is_elsewhere && now_ms.saturating_sub(noted_ms) >= ADDRESS_MS)
    })
}

fn mode(row: &mut Reader<'_>) -> Result<Mode, PortError> {
    row.known("a key's mode", |name: &String| Mode::parse(name))
}

/// A key as the object keeps it: everything but the key itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyView {
    /// UUID version 7.
    pub id: String,
    /// What it is for, in its owner's words.
    pub title: String,
    /// Hex SHA-256 of the key.
    pub digest: String,
    /// What people know it by ([`crate::auth::imprint::hint`]). `None`: it was revoked before the object has seen it.
    pub hint: Option<String>,
    /// What it may do.
    pub scopes: Vec<Scope>,
    /// Live or test.
    pub mode: Mode,
    /// The lines it is limited to.
    pub lines: Option<Vec<String>>,
    /// When it was made.
    pub created_ms: i64,
    /// When it ends by itself.
    pub expires_ms: Option<i64>,
    /// When it was revoked.
    pub revoked_ms: Option<i64>,
    /// The id of the newest key that a rotation made in its place.
    pub successor: Option<String>,
    /// When it was to end when it was issued. A rotation makes the key end sooner, but not its successor.
    pub term_ms: Option<i64>,
    /// When a request came with it, the last time that this was noted.
    pub used_ms: Option<i64>,
    /// The address that it came from.
    pub address: Option<String>,
    /// The id of the key that has made it. `None`: an operator has issued it for an account, or a script has made it.
    pub created_by: Option<String>,
    /// What it may do at most.
    pub caps: Caps,
    /// The key by which it was opened. `None`: it is no session of the console.
    #[serde(default)]
    pub session_of: Option<String>,
    /// Who has it in place of a key, or whose session it is. `None`: it is a key, or the session of one.
    #[serde(default)]
    pub member: Option<Member>,
    /// Whether it is the code of a link, which opens one session.
    #[serde(default)]
    pub is_link: bool,
    /// By what the member has signed in whose session it is. `None`: it is no session of a member.
    #[serde(default)]
    pub signed_in_by: Option<Named<SignedInBy>>,
    /// Whether an operator looks at the account by it: `session_of` is a key of the operators then.
    #[serde(default)]
    pub looks: bool,
    /// What a session comes from that a link or a passkey has opened. It is told when the session is opened, and is nowhere else.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ways: Vec<String>,
}

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

impl KeyView {
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
fn insert_below(max: i64, sql: &impl Sql, key: &KeyView, now_ms: i64) -> Outcome<()> {
    let rows = sql.exec(
        "SELECT count(*) FILTER (WHERE revoked_ms IS NULL AND (expires_ms IS NULL OR expires_ms > ?1)), count(*) \
         FROM api_key WHERE session_of IS NULL",
        &[now_ms.into()],
    )?;
    let row = rows.first().ok_or(PortError::failed("sql", "no count"))?;
    let (counting, all) = (row.int(0)?, row.int(1)?);
    if counting >= max || all >= max.saturating_add(MAX_ENDED) {
        return Ok(Err(Refusal::TooManyKeys));
    }
    insert(sql, key)?;
    Ok(Ok(()))
}

fn insert(sql: &impl Sql, key: &KeyView) -> Result<(), PortError> {
    let scopes: Vec<&str> = key.scopes.iter().map(|scope| scope.as_str()).collect();
    sql.exec(
        &format!(
            "INSERT INTO api_key ({COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, \
               ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25)"
        ),
        &[
            key.id.as_str().into(),
            key.title.as_str().into(),
            key.digest.as_str().into(),
            scopes.join(" ").into(),
            key.mode.as_str().into(),
            key.lines.as_ref().map(|lines| lines.join(" ")).into(),
            key.created_ms.into(),
            key.expires_ms.into(),
            key.revoked_ms.into(),
            key.successor.as_deref().into(),
            key.term_ms.into(),
            key.used_ms.into(),
            key.address.as_deref().into(),
            key.created_by.as_deref().into(),
            key.caps.ips.as_deref().map(written).into(),
            key.caps.rate_per_minute.into(),
            key.caps.daily_spend.into(),
            key.hint.as_deref().into(),
            key.session_of.as_deref().into(),
            key.member
                .as_ref()
                .and_then(|member| i64::try_from(member.phone).ok())
                .into(),
            key.member
                .as_ref()
                .and_then(|member| member.role.as_ref())
                .map(Named::as_str)
                .into(),
            key.member.as_ref().and_then(|member| member.joined_ms).into(),
            key.is_link.into(),
            key.signed_in_by.as_ref().map(Named::as_str).into(),
            key.looks.into(),
        ],
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
    rows.iter().map(from_row).collect()
}

/// All keys, ended ones included.
pub fn all(sql: &impl Sql) -> Result<Vec<KeyView>, PortError> {
    let rows = sql.exec(&format!("SELECT {COLUMNS} FROM api_key ORDER BY id"), &[])?;
    rows.iter().map(from_row).collect()
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
    rows.first().map(from_row).transpose()
}

/// The id of the key that stays when a session has ended: that of the key by which it was opened. Any other key's is its own.
fn lasting(sql: &impl Sql, id: &str) -> Result<String, PortError> {
    Ok(find(sql, id)?.map_or_else(|| id.to_owned(), |key| key.lasting_id().to_owned()))
}

/// The key with this digest, the newest one. An account has few keys, so the walk through all of them is short.
fn find_by_digest(sql: &impl Sql, digest: &str) -> Result<Option<KeyView>, PortError> {
    let query = format!("SELECT {COLUMNS} FROM api_key WHERE digest = ?1 ORDER BY id DESC LIMIT 1");
    sql.exec(&query, &[digest.into()])?.first().map(from_row).transpose()
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

/// Networks as the object keeps them, between spaces.
fn written(networks: &[Network]) -> String {
    let texts: Vec<String> = networks.iter().map(Network::to_string).collect();
    texts.join(" ")
}

fn read_networks(text: &str) -> Vec<Network> {
    text.split_ascii_whitespace().filter_map(Network::parse).collect()
}

fn from_row(row: &Row) -> Result<KeyView, PortError> {
    let mut row = row.reader();
    Ok(KeyView {
        id: row.read()?,
        title: row.read()?,
        digest: row.read()?,
        scopes: row.read::<String>()?.split(' ').filter_map(Scope::parse).collect(),
        mode: mode(&mut row)?,
        lines: row
            .read::<Option<String>>()?
            .map(|lines| lines.split_ascii_whitespace().map(str::to_owned).collect()),
        created_ms: row.read()?,
        expires_ms: row.read()?,
        revoked_ms: row.read()?,
        successor: row.read()?,
        term_ms: row.read()?,
        used_ms: row.read()?,
        address: row.read()?,
        created_by: row.read()?,
        caps: Caps {
            ips: row.read::<Option<String>>()?.as_deref().map(read_networks),
            rate_per_minute: row.read::<Option<i64>>()?.and_then(|rate| u32::try_from(rate).ok()),
            daily_spend: row.read()?,
        },
        hint: row.read()?,
        session_of: row.read()?,
        member: member(&mut row)?,
        is_link: row.read()?,
        signed_in_by: row.read::<Option<String>>()?.map(signed_in_by),
        looks: row.read()?,
        ways: Vec::new(),
    })
}

fn signed_in_by(name: String) -> Named<SignedInBy> {
    SignedInBy::parse(&name).map_or(Named::Other(name), Named::Known)
}

fn member(row: &mut Reader<'_>) -> Result<Option<Member>, PortError> {
    let (phone, role): (Option<i64>, Option<String>) = (row.read()?, row.read()?);
    let joined_ms = row.read()?;
    Ok(phone.map(|phone| Member {
        phone: u64::try_from(phone).unwrap_or_default(),
        role: role.map(|name| Role::parse(&name).map_or(Named::Other(name), Named::Known)),
        joined_ms,
    }))
}
