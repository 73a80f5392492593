//! Codes by which people sign in to the console. The account that the setting `SIGN_IN_ACCOUNT` names keeps and sends them. They are
//! no verifications: no request of the API can name, read, check or cancel one, and how many codes of its own the account sends
//! changes nothing here.
//!
//! A code belongs to a phone and to the browser that has asked for it. The invariant: nothing that another browser does ends a
//! browser's code or uses up its tries; and a browser in which the person has signed in before gets its codes, however many others
//! ask for the same phone.

pub mod check;
pub mod limits;
pub mod start;

use serde::{Deserialize, Serialize};

use crate::account::codes::Of;
use crate::base::ports::{PortError, Sql};
use crate::base::record::{Columns, record};
use crate::base::time::DAY_MS;

/// The digits of a code.
pub const DIGITS: u32 = 6;
/// How long a code can be checked after it was sent last, ms.
pub const TTL_MS: i64 = 180_000;
/// The codes that may be tried.
pub const MAX_CHECKS: u32 = 5;
/// How long a browser is known in which the person has signed in, ms.
const KNOWN_MS: i64 = 90 * DAY_MS;
/// Browsers of a phone that are known, at most. The one that signed in first is forgotten.
const MAX_KNOWN: i64 = 10;

record! {
    /// What a browser has asked for.
    #[derive(Debug, Clone, PartialEq, Eq)]
    struct SignIn by sign_in {
        /// The person's number.
        msisdn: u64 = msisdn "INTEGER NOT NULL";
        /// The digest of the browser's cookie.
        browser: String = browser "TEXT NOT NULL";
        /// The network from which it asked last.
        network: Option<String> = network "TEXT";
        /// What makes the code, hex; `None`: there is none.
        seed: Option<String> = seed "TEXT";
        /// How many codes were tried.
        checks: u32 = checks "INTEGER NOT NULL";
        /// The messages of the last day.
        sends: Vec<Send> = sends "TEXT NOT NULL";
        /// When the person last signed in there, ms since the Unix epoch; 0: never.
        known_ms: i64 = known_ms "INTEGER NOT NULL";
    }
}
pub(in crate::account) use sign_in;

/// A message with a code: its number, and when it was sent, ms since the Unix epoch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Send(i64, i64);

impl SignIn {
    /// A browser that asks for the first time.
    fn new(msisdn: u64, browser: String) -> Self {
        SignIn {
            msisdn,
            browser,
            network: None,
            seed: None,
            checks: 0,
            sends: Vec::new(),
            known_ms: 0,
        }
    }

    fn sent_ms(&self) -> i64 {
        self.sends.last().map_or(0, |Send(_, at_ms)| *at_ms)
    }

    fn expires_ms(&self) -> i64 {
        self.sent_ms().saturating_add(TTL_MS)
    }

    /// What makes its code; `None`: it has none that can be checked.
    fn code(&self, now_ms: i64) -> Option<Of<'_>> {
        let seed = self.seed.as_deref().filter(|_| now_ms < self.expires_ms())?;
        Some(Of {
            seed,
            length: DIGITS,
            msisdn: self.msisdn,
            test: false,
        })
    }

    fn is_known(&self, now_ms: i64) -> bool {
        self.known_ms > now_ms.saturating_sub(KNOWN_MS).max(0)
    }

    /// From when on nothing of it counts.
    fn ends_ms(&self) -> i64 {
        let known_ms = if self.known_ms == 0 {
            0
        } else {
            self.known_ms.saturating_add(KNOWN_MS)
        };
        self.sent_ms().saturating_add(DAY_MS).max(known_ms)
    }

    fn write(&self, sql: &impl Sql) -> Result<(), PortError> {
        let mut values = self.values()?;
        values.extend([self.sent_ms().into(), self.ends_ms().into()]);
        sql.exec(
            concat!(
                "INSERT OR REPLACE INTO sign_in (",
                sign_in!(columns),
                ", sent_ms, ends_ms) VALUES (",
                sign_in!(marks),
                ", ?, ?)"
            ),
            &values,
        )
        .map(drop)
    }
}

fn bound(msisdn: u64) -> i64 {
    i64::try_from(msisdn).unwrap_or(i64::MAX)
}

/// What the browsers have asked for that have asked for a phone.
fn of_phone(sql: &impl Sql, msisdn: u64) -> Result<Vec<SignIn>, PortError> {
    let query = concat!("SELECT ", sign_in!(columns), " FROM sign_in WHERE msisdn = ?1");
    sql.exec(query, &[bound(msisdn).into()])?
        .iter()
        .map(SignIn::of)
        .collect()
}

/// Forgets what is too old to count.
fn forget_old(sql: &impl Sql, now_ms: i64) -> Result<(), PortError> {
    sql.exec("DELETE FROM sign_in WHERE ends_ms <= ?1", &[now_ms.into()])
        .map(drop)
}

/// Forgets a phone.
pub fn erase(sql: &impl Sql, msisdn: u64, now_ms: i64) -> Result<(), PortError> {
    sql.exec(
        "DELETE FROM sign_in WHERE msisdn = ?1 AND sent_ms <= ?2",
        &[bound(msisdn).into(), now_ms.saturating_sub(DAY_MS).into()],
    )
    .map(drop)
}

/// When the last of what was noted of a phone until then may be erased; `None`: nothing was.
pub fn erasable_ms(sql: &impl Sql, msisdn: u64, until_ms: i64) -> Result<Option<i64>, PortError> {
    let last = sql.number(
        "SELECT max(sent_ms) FROM sign_in WHERE msisdn = ?1 AND sent_ms <= ?2",
        &[bound(msisdn).into(), until_ms.into()],
    )?;
    Ok(last.map(|sent_ms| sent_ms.saturating_add(DAY_MS)))
}

/// Ends all codes, because the object has gone back in time: some of them may have been right since.
pub fn end_all(sql: &impl Sql) -> Result<(), PortError> {
    sql.exec("UPDATE sign_in SET seed = NULL", &[]).map(drop)
}
