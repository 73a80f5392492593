//! Whether a key counts, and what bounds it. The object remembers that of each key that requests come with ([`remembered`]).

use std::rc::Rc;

use super::USE_MS;
use crate::account::record::key_usage::Sender;
use crate::account::record::spending::{self, Bound};
use crate::account::usage::senders::{self, sender_columns};
use crate::auth::Mode;
use crate::base::ports::{PortError, Sql};
use crate::durable::remembered::{self, Remembered, compared};

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
    /// Who sends by it.
    pub sender: Sender,
}

/// A key as requests that come with it need it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsedKey {
    is_revoked: bool,
    expires_ms: Option<i64>,
    /// When its use was noted last, and the address.
    used_ms: Option<i64>,
    address: Option<String>,
    /// What it is while it counts.
    valid: Valid,
}

impl Remembered for UsedKey {
    type Key = String;
    const TABLES: &'static [&'static str] = &["api_key", "key_maker", "sender"];
    const MAX_OCTETS: usize = 100_000;

    fn octets(&self, id: &String) -> usize {
        let bound = |bound: &Bound| size_of::<Bound>() + bound.key.len();
        let bounds: usize = self.valid.bounds.iter().map(bound).sum();
        // The sender has its id, too.
        let ids = id.len().saturating_mul(2) + self.valid.lasting.len();
        size_of::<Self>() + ids + bounds + self.address.as_ref().map_or(0, String::len)
    }
}

macro_rules! used_key {
    () => {
        concat!(
            "SELECT revoked_ms IS NOT NULL, expires_ms, used_ms, address, rate_per_minute IS NOT NULL OR daily_spend IS NOT NULL, \
               mode, coalesce(session_of, id), ",
            sender_columns!(),
            " FROM api_key WHERE id = ?1"
        )
    };
}

/// The statement that finds a key, by which a debug build compares.
pub const COMPARED: &str = concat!(used_key!(), compared!());

impl UsedKey {
    fn find(sql: &impl Sql, id: &str) -> Result<Option<Rc<UsedKey>>, PortError> {
        remembered::read(
            sql,
            &id.to_owned(),
            || UsedKey::find_by(sql, (used_key!(), spending::BOUNDS), id),
            || UsedKey::find_by(sql, (COMPARED, spending::COMPARED), id),
        )
    }

    fn find_by(sql: &impl Sql, (key, bounds): (&str, &str), id: &str) -> Result<Option<UsedKey>, PortError> {
        let rows = sql.exec(key, &[id.into()])?;
        let Some(row) = rows.first() else {
            return Ok(None);
        };
        let mut row = row.reader();
        let (is_revoked, expires_ms, used_ms, address) = row.read()?;
        let bounds = match row.read()? {
            true => spending::bounds_by(sql, bounds, id)?,
            false => Vec::new(),
        };
        Ok(Some(UsedKey {
            is_revoked,
            expires_ms,
            used_ms,
            address,
            valid: Valid {
                mode: row.read()?,
                bounds,
                lasting: row.read()?,
                sender: senders::of(id, row.read()?, row.read()?),
            },
        }))
    }

    fn counts(&self, now_ms: i64) -> bool {
        !self.is_revoked && self.expires_ms.is_none_or(|expires_ms| now_ms < expires_ms)
    }

    /// Whether a use at this time is to be noted.
    fn is_use_new(&self, address: Option<&str>, now_ms: i64) -> bool {
        let is_elsewhere = address.is_some() && self.address.as_deref() != address;
        self.used_ms.is_none_or(|noted_ms| {
            let is_next_hour = now_ms.div_euclid(USE_MS) > noted_ms.div_euclid(USE_MS);
            is_next_hour || (is_elsewhere && now_ms.saturating_sub(noted_ms) >= ADDRESS_MS)
        })
    }
}

/// Whether the key with this id counts, and notes that a request came with it from this address. The note is one row for a key and
/// an hour, and one more when the address changes, at most once a minute.
pub fn use_key(sql: &impl Sql, id: &str, address: Option<&str>, now_ms: i64) -> Result<Standing, PortError> {
    let Some(key) = UsedKey::find(sql, id)? else {
        return Ok(Standing::Unknown);
    };
    if !key.counts(now_ms) {
        return Ok(Standing::Ended);
    }
    if key.is_use_new(address, now_ms) {
        note_use(sql, id, UsedKey::clone(&key), (address, now_ms))?;
    }
    Ok(Standing::Valid(key.valid.clone()))
}

fn note_use(
    sql: &impl Sql,
    id: &str,
    mut key: UsedKey,
    (address, now_ms): (Option<&str>, i64),
) -> Result<(), PortError> {
    key.used_ms = Some(now_ms);
    key.address = address.map(str::to_owned).or(key.address);
    let id = id.to_owned();
    remembered::keep(sql, [&id], || {
        sql.exec(
            "UPDATE api_key SET used_ms = ?2, address = ?3 WHERE id = ?1",
            &[id.as_str().into(), now_ms.into(), key.address.as_deref().into()],
        )?;
        Ok(vec![(id.clone(), key)])
    })
}
