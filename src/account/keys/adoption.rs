//! How the operators' object learns their first key, which comes from a script that writes to KV only.

use serde::{Deserialize, Serialize};

use super::{KeyView, find, insert_below};
use crate::account::request::{ReplyResult, Request, Wakes};
use crate::account::{OPERATOR, refusal::Refusal, unit_of_work::UnitOfWork};
use crate::auth::{Mode, Scope};
use crate::base::{id, ports::Sql, time::DAY_MS};

/// How long after it was made the object still learns a key. The object must remember for longer than this that a key has
/// ended.
const ADOPTION_MS: i64 = 7 * DAY_MS;
/// How far the clock of the script may be ahead.
const CLOCK_ERROR_MS: i64 = DAY_MS;
/// The most keys that count of those that the object knows. It is more than it may issue, so that operators who have used that up can still let
/// in a key of the script, and revoke one.
const MAX_KNOWN: i64 = 1_000;
/// The title of a key that was revoked before the object learned it.
const UNSEEN_TITLE: &str = "revoked before its first use";

/// Lets the operators' object learn a key that is in KV only. A key that it knows stays as it is, revoked or not.
#[derive(Debug, Serialize, Deserialize)]
pub struct AdoptKey(pub KeyView);

impl Request for AdoptKey {
    const NAME: &'static str = "AdoptKey";
    const WAKES: Wakes = Wakes::Never;
    type Reply = ();

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<()> {
        let AdoptKey(key) = self;
        if work.account.id != OPERATOR || !may_be_learned(key.created_ms, work.now_ms) {
            return Err(Refusal::KeyRevoked.into());
        }
        match find(sql, &key.id)? {
            Some(_) => Ok(()),
            None => insert_below(MAX_KNOWN, sql, key, work.now_ms),
        }
    }
}

/// Whether the object may still learn a key that was made at this time.
fn may_be_learned(made_ms: i64, now_ms: i64) -> bool {
    (-CLOCK_ERROR_MS..ADOPTION_MS).contains(&now_ms.saturating_sub(made_ms))
}

/// A key that the object has not learned yet, revoked. The script makes keys that may do everything. `None`: the script can't
/// have made a key with this id lately.
pub fn unseen(id: &str, now_ms: i64) -> Option<KeyView> {
    id::made_ms(id).filter(|made_ms| may_be_learned(*made_ms, now_ms))?;
    // Nobody knows the digest, and KV has nothing under this name.
    let digest = id.to_owned();
    Some(KeyView {
        scopes: vec![Scope::Admin],
        revoked_ms: Some(now_ms),
        ..KeyView::new(id.to_owned(), UNSEEN_TITLE.to_owned(), digest, Mode::Live, now_ms)
    })
}

/// Notes a key that is revoked before the object has learned it, so that it never will.
pub fn note_revoked(sql: &impl Sql, key: KeyView) -> ReplyResult<KeyView> {
    insert_below(MAX_KNOWN, sql, &key, key.created_ms)?;
    Ok(key)
}
