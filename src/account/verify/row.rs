//! A verification as it is stored, in one row.

use serde::{Deserialize, Serialize};

use super::limits::DELAYS_MS;
use super::{MAX_TTL_MS, VerificationView, VerifyStatus};
use crate::account::codes::Of;
use crate::auth::Mode;
use crate::base::id;
use crate::base::ports::{PortError, Sql};
use crate::base::record::{Columns, record};

/// Of the messages to a recipient, so many of the newest are looked at for a pending verification.
const MOST_LOOKED_AT: i64 = 5_000;
/// The most pending verifications of a recipient that are told.
pub const MOST_PENDING: usize = 100;

record! {
    /// A verification.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Verification by verification {
        /// The number of its first message. One that was blocked has no message, and its number no other message has.
        pub number: i64 = number "INTEGER NOT NULL";
        /// Its id, whose last digits are the number.
        pub uid: String = uid "TEXT NOT NULL";
        /// How far it has come, as it is stored.
        pub status: VerifyStatus = status "INTEGER NOT NULL";
        /// Whether a test key has made it.
        pub test: bool = test "INTEGER NOT NULL";
        /// Whose number is verified; 0 once the number is erased.
        pub msisdn: u64 = msisdn "INTEGER NOT NULL";
        /// What for.
        pub purpose: String = purpose "TEXT NOT NULL";
        /// The line of its newest message.
        pub line: String = line "TEXT NOT NULL";
        /// What its code is made of, hex. It goes with the end.
        pub seed: Option<String> = seed "TEXT";
        /// How many digits the code has.
        pub length: u32 = length "INTEGER NOT NULL";
        /// How many codes may be tried.
        pub max_attempts: u32 = max_attempts "INTEGER NOT NULL";
        /// How many were.
        pub checks: u32 = checks "INTEGER NOT NULL";
        /// The messages that brought the code.
        pub sends: Vec<Sent> = sends "TEXT NOT NULL";
        /// What they cost.
        pub cost: i64 = cost "INTEGER NOT NULL";
        /// When it was made, ms since the Unix epoch, as all its times.
        pub created_ms: i64 = created_ms "INTEGER NOT NULL";
        /// Until when its code can be checked.
        pub expires_ms: i64 = expires_ms "INTEGER NOT NULL";
        /// When it ended.
        pub ended_ms: Option<i64> = ended_ms "INTEGER";
        /// The address of the person who asks for the code, as the client tells it.
        pub address: Option<String> = address "TEXT";
        /// The client's own reference.
        pub client_ref: Option<String> = client_ref "TEXT";
    }
}
pub(in crate::account) use verification;

/// A message that brought a code: its number, its uid and its time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sent(pub i64, pub String, pub i64);

impl Verification {
    /// How far it has come at a time: one whose time is over can't be checked, also before the object has noted it.
    pub fn status_at(&self, now_ms: i64) -> VerifyStatus {
        match self.status {
            VerifyStatus::Pending if self.expires_ms <= now_ms => VerifyStatus::Expired,
            status => status,
        }
    }

    /// What makes its code. `None`: it has ended.
    pub fn code(&self) -> Option<Of<'_>> {
        Some(Of {
            seed: self.seed.as_deref()?,
            length: self.length,
            msisdn: self.msisdn,
            test: self.test,
        })
    }

    /// When its code may be sent again, as far as it decides that itself: later after each message, and a new one after its end.
    pub fn next_ms(&self) -> i64 {
        let delay = DELAYS_MS.get(self.sends.len().saturating_sub(1)).or(DELAYS_MS.last());
        let last_ms = self.sends.last().map_or(self.created_ms, |Sent(_, _, at_ms)| *at_ms);
        let next_ms = last_ms.saturating_add(delay.copied().unwrap_or_default());
        next_ms.min(self.expires_ms)
    }

    /// As the object tells it. `free_ms` is when the recipient may get another code at all.
    pub fn view(&self, now_ms: i64, free_ms: i64) -> VerificationView {
        let status = self.status_at(now_ms);
        let is_pending = status == VerifyStatus::Pending;
        VerificationView {
            uid: self.uid.clone(),
            status: status.into(),
            test: self.test,
            msisdn: self.msisdn,
            purpose: self.purpose.clone(),
            line: self.line.clone(),
            created_ms: self.created_ms,
            expires_ms: self.expires_ms,
            ended_ms: match status {
                VerifyStatus::Expired => self.ended_ms.or(Some(self.expires_ms)),
                _ => self.ended_ms,
            },
            resend_ms: is_pending.then(|| self.next_ms().max(free_ms)),
            attempts_left: match status {
                VerifyStatus::Pending => self.max_attempts.saturating_sub(self.checks),
                _ => 0,
            },
            message: self.sends.last().map(|Sent(_, uid, _)| uid.clone()),
            sends: u32::try_from(self.sends.len()).unwrap_or(u32::MAX),
            cost: self.cost,
            client_ref: self.client_ref.clone(),
        }
    }

    /// Writes it, whether it is new or was changed.
    pub fn write(&self, sql: &impl Sql) -> Result<(), PortError> {
        sql.exec(
            concat!(
                "INSERT INTO verification (",
                verification!(columns),
                ") VALUES (",
                verification!(marks),
                ") ON CONFLICT (number) DO UPDATE SET status = excluded.status, line = excluded.line, seed = excluded.seed, \
                   checks = excluded.checks, sends = excluded.sends, cost = excluded.cost, ended_ms = excluded.ended_ms"
            ),
            &self.values()?,
        )
        .map(drop)
    }
}

/// The verification with this id, of this mode.
pub fn find(sql: &impl Sql, uid: &str, mode: Mode) -> Result<Option<Verification>, PortError> {
    let rows = sql.exec(
        concat!(
            "SELECT ",
            verification!(columns "v."),
            " FROM verification v WHERE v.number = ?1 AND v.uid = ?2 AND v.test = ?3"
        ),
        &[id::number_of(uid).into(), uid.into(), (mode == Mode::Test).into()],
    )?;
    rows.first().map(Verification::of).transpose()
}

/// The newest verification of a recipient and a purpose that a message has begun since a time.
pub fn newest(
    sql: &impl Sql,
    (msisdn, purpose): (u64, &str),
    test: bool,
    since_ms: i64,
) -> Result<Option<Verification>, PortError> {
    let rows = sql.exec(
        concat!(
            "SELECT ",
            verification!(columns "v."),
            " FROM (SELECT message, created_ms FROM chunk WHERE msisdn = ?1 ORDER BY message DESC LIMIT ?5) c \
             CROSS JOIN verification v ON v.number = c.message AND v.purpose = ?2 AND v.test = ?3 \
             WHERE c.created_ms > ?4 ORDER BY c.message DESC LIMIT 1"
        ),
        &[
            i64::try_from(msisdn).unwrap_or(i64::MAX).into(),
            purpose.into(),
            test.into(),
            since_ms.into(),
            MOST_LOOKED_AT.into(),
        ],
    )?;
    rows.first().map(Verification::of).transpose()
}

/// The pending verifications of a recipient, the newest first: those of one purpose, or of all.
pub fn pending(
    sql: &impl Sql,
    (msisdn, purpose): (u64, Option<&str>),
    test: bool,
    now_ms: i64,
) -> Result<Vec<Verification>, PortError> {
    let rows = sql.exec(
        concat!(
            "SELECT ",
            verification!(columns "v."),
            " FROM (SELECT message, created_ms FROM chunk WHERE msisdn = ?1 ORDER BY message DESC LIMIT ?2) c \
             CROSS JOIN verification v ON v.number = c.message AND v.test = ?3 AND v.status = ?4 AND v.expires_ms > ?5 \
             AND (?6 IS NULL OR v.purpose = ?6) WHERE c.created_ms > ?7 ORDER BY c.message DESC LIMIT ?8"
        ),
        &[
            i64::try_from(msisdn).unwrap_or(i64::MAX).into(),
            MOST_LOOKED_AT.into(),
            test.into(),
            VerifyStatus::Pending.code().into(),
            now_ms.into(),
            purpose.into(),
            now_ms.saturating_sub(MAX_TTL_MS).into(),
            i64::try_from(MOST_PENDING).unwrap_or(i64::MAX).into(),
        ],
    )?;
    rows.iter().map(Verification::of).collect()
}

/// The verification whose code a message brought.
pub fn of_message(sql: &impl Sql, message: i64) -> Result<Option<Verification>, PortError> {
    let rows = sql.exec(
        concat!(
            "SELECT ",
            verification!(columns "v."),
            " FROM chunk m CROSS JOIN chunk c ON c.msisdn = m.msisdn AND c.message <= m.message \
             CROSS JOIN verification v ON v.number = c.message \
             WHERE m.message = ?1 AND m.number = 0 AND EXISTS (SELECT 1 FROM json_each(v.sends) s WHERE s.value ->> 0 = ?1) \
             ORDER BY c.message DESC LIMIT 1"
        ),
        &[message.into()],
    )?;
    rows.first().map(Verification::of).transpose()
}
