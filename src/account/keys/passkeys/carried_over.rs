//! What a restore keeps of passkeys.

use serde::{Deserialize, Serialize};

use super::{Answered, COLUMNS, Passkey, insert, rule};
use crate::account::keys::makers;
use crate::base::ports::{PortError, Sql};
use crate::base::record::Columns;
use crate::durable::to_json;

/// What a restore must not forget: which passkeys count, which challenges were answered, and whether only passkeys count.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CarriedOver {
    /// The passkeys.
    pub passkeys: Vec<Passkey>,
    /// The challenges.
    pub answered: Vec<Answered>,
    /// Whether only passkeys count.
    #[serde(default)]
    pub only_passkeys: bool,
    /// What the passkeys come from, `[passkey, key]`.
    #[serde(default)]
    pub makers: Vec<(String, String)>,
}

/// What is to be kept.
pub fn of(sql: &impl Sql) -> Result<CarriedOver, PortError> {
    let passkeys = sql.exec(&format!("SELECT {COLUMNS} FROM passkey ORDER BY id"), &[])?;
    let answered = sql.exec(
        "SELECT challenge, ends_ms FROM answered_challenge ORDER BY challenge",
        &[],
    )?;
    let answered = answered.iter().map(|row| {
        Ok(Answered {
            challenge: row.text(0)?,
            ends_ms: row.int(1)?,
        })
    });
    Ok(CarriedOver {
        passkeys: passkeys.iter().map(Passkey::of).collect::<Result<_, _>>()?,
        answered: answered.collect::<Result<_, PortError>>()?,
        only_passkeys: rule::is_set(sql)?,
        makers: makers::of_passkeys(sql)?,
    })
}

/// Puts what was kept in the place of what is there.
pub fn restore(sql: &impl Sql, kept: &CarriedOver) -> Result<(), PortError> {
    super::forget(sql, "?1 = ?1", "")?;
    for passkey in &kept.passkeys {
        insert(sql, passkey)?;
    }
    sql.exec(
        "INSERT OR IGNORE INTO answered_challenge (challenge, ends_ms) \
         SELECT value ->> 'challenge', value ->> 'ends_ms' FROM json_each(?1)",
        &[to_json(&kept.answered)?.into()],
    )?;
    sql.exec(
        "INSERT OR IGNORE INTO key_maker (key, maker, replaced) SELECT value ->> 0, value ->> 1, 0 FROM json_each(?1)",
        &[to_json(&kept.makers)?.into()],
    )?;
    rule::set(sql, kept.only_passkeys)
}
