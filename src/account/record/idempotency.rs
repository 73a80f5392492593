//! Idempotency keys: the object remembers each success under its key for a day and answers a repeated request as before.
//!
//! The transaction of a send decides this. So a concurrent repeat gets the first answer, and no key is ever "still running". If a send
//! ends before it comes to the object, the call that pays for it looks the key up: no check of the time or of settings stands between
//! a repeat and its first answer.

use serde::{Deserialize, Serialize};

use crate::auth::Mode;
use crate::base::ports::{PortError, Sql};

/// How long an idempotency key counts, ms. No message is forgotten before.
const KEPT_MS: i64 = 24 * 60 * 60 * 1_000;

/// Which requests an idempotency key is for. The same key in two spaces is two keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Space {
    /// Sends with live keys.
    Live,
    /// Sends with test keys. They reach nobody, so a live send must never get their answer.
    Test,
    /// Credits by operators, who do not know which keys the account's programs use.
    Credit,
    /// Campaigns of live keys. A campaign is no message, so its key may be that of a send too.
    Campaign,
    /// Campaigns of test keys.
    TestCampaign,
    /// Credits that a second operator has approved, each by its id. They count for ever, so none is ever made twice.
    Approved,
}

impl Space {
    /// The space of the sends with keys of this mode.
    pub fn of(mode: Mode) -> Self {
        match mode {
            Mode::Live => Space::Live,
            Mode::Test => Space::Test,
        }
    }

    /// The space of the campaigns of keys of this mode.
    pub fn of_campaigns(mode: Mode) -> Self {
        match mode {
            Mode::Live => Space::Campaign,
            Mode::Test => Space::TestCampaign,
        }
    }
}

/// The hash of what a second operator has approved: it is not a hash, so no request of a client has it.
const APPROVED: &str = "approved";

/// An `Idempotency-Key` and a hash of the request that it came with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Idempotency {
    /// Among which keys it is looked up.
    pub space: Space,
    /// The client's key.
    pub key: String,
    /// SHA-256 of endpoint and body, hex.
    pub hash: String,
}

impl Idempotency {
    /// Of the credit with this id, which a second operator approves.
    pub fn approved(id: &str) -> Self {
        Idempotency {
            space: Space::Approved,
            key: id.to_owned(),
            hash: APPROVED.to_owned(),
        }
    }
}

/// What the object knows of an idempotency key.
pub enum Known<T> {
    /// Nothing: the request is new.
    Nothing,
    /// The key came with another request before.
    Mismatch,
    /// The request made this before.
    Made(T),
}

/// Looks up what a request made before: the id of a message or of a campaign, or the number of a ledger entry. A key stands in the row of what it
/// made, so it costs no row of its own, and goes with that row.
pub fn find(sql: &impl Sql, now_ms: i64, idempotency: Option<&Idempotency>) -> Result<Known<i64>, PortError> {
    let Some(asked) = idempotency else {
        return Ok(Known::Nothing);
    };
    let (key, since_ms) = (asked.key.as_str().into(), now_ms.saturating_sub(KEPT_MS).into());
    let of_messages = "SELECT key_hash, message FROM chunk WHERE key = ?1 AND created_ms > ?2 AND test = ?3 \
                       ORDER BY message DESC LIMIT 1";
    let of_campaigns =
        "SELECT key_hash, id FROM campaign WHERE key = ?1 AND created_ms > ?2 AND test = ?3 ORDER BY id DESC LIMIT 1";
    let of_credits =
        "SELECT key_hash, first FROM ledger_page WHERE key = ?1 AND at_ms > ?2 ORDER BY first DESC LIMIT 1";
    let of_approved = "SELECT key_hash, first FROM ledger_page WHERE key = ?1 AND key_hash = ?2 LIMIT 1";
    let rows = match asked.space {
        Space::Live => sql.exec(of_messages, &[key, since_ms, false.into()])?,
        Space::Test => sql.exec(of_messages, &[key, since_ms, true.into()])?,
        Space::Campaign => sql.exec(of_campaigns, &[key, since_ms, false.into()])?,
        Space::TestCampaign => sql.exec(of_campaigns, &[key, since_ms, true.into()])?,
        Space::Credit => sql.exec(of_credits, &[key, since_ms])?,
        Space::Approved => sql.exec(of_approved, &[key, APPROVED.into()])?,
    };
    Ok(match rows.first() {
        None => Known::Nothing,
        Some(row) if row.text(0)? != asked.hash => Known::Mismatch,
        Some(row) => Known::Made(row.int(1)?),
    })
}
