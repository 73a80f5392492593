//! Taking an account's object back in time.

use crate::account::restore::{Done, GetRestored, Restore, Target};
use crate::api::http::{Response, body::JsonBody, context::Context, forms::text, respond::Success};
use crate::api::shared::account::{WalletData, must_be_open};
use crate::base::{ports::Platform, time};
use crate::problem::Problem;
use crate::{answer, body};

const MAX_TARGET: usize = 200;
const MAX_REASON: usize = 500;
/// How often the new session is asked: the first calls may come while the old one ends.
const TRIES: u32 = 5;

body! {
    /// A time to go back to.
    pub struct NewRestore {
        /// A time of the last 30 days (RFC 3339), or the `undo` of an earlier restore.
        at: String = must "at" text(MAX_TARGET) => "2026-01-01T12:00:00Z";
        /// Why.
        reason: String = must "reason" text(MAX_REASON) => "a script has sent to the wrong numbers";
    }
}

answer! {
    /// What a restore has changed.
    pub struct RestoredData(account: &str, done: &Done, unit: &str) as "Restored" {
        "account": account, id();
        /// When the object was ready again.
        "restoredAt": time::to_rfc3339(done.at_ms), time();
        /// The wallet as it was before.
        "walletBefore": WalletData::of(done.before, unit), declared::<WalletData>();
        /// The wallet as it was at that time.
        "walletAfter": WalletData::of(done.after, unit), declared::<WalletData>();
        /// Recipients that have not ended and may have the message: they are `UNKNOWN`.
        "inDoubt": done.in_doubt, count();
        /// Recipients that were to get a message later.
        "canceled": done.canceled, count();
        /// What takes the restore back, as `at` of another one.
        "undo": done.undo, any_text() => "0000007b-0000b26e-00001538-0c3e87bb37b3db5cc52eedb93cd3b96b";
    }
}

/// `POST /admin/accounts/{id}/restore`
pub async fn restore<P: Platform>(context: &Context<'_, P>, id: &str, body: &JsonBody) -> Result<Response, Problem> {
    let NewRestore { at, reason } = context.read(body)?;
    must_be_open(context, id).await?;
    let asked = Restore {
        number: context.platform.now_ms(),
        target: time::from_rfc3339(&at).map_or(Target::Bookmark(at), Target::At),
        reason,
    };
    // The object does not answer when it goes back: its session ends.
    let cause = match context.call_other(id, &asked).await {
        Err(problem @ Problem::Conflict(_)) => return Err(problem),
        Err(problem) => problem.internal_cause().unwrap_or(problem.kind().name).to_owned(),
        Ok(()) => "the object has answered and not gone back".to_owned(),
    };
    let number = asked.number;
    for _ in 0..TRIES {
        match context.call_other(id, &GetRestored { number }).await {
            Ok(Some(done)) => {
                let data = RestoredData::of(id, &done, &context.app.config.unit);
                return Success::ok(data).response(context);
            }
            Ok(None) => break,
            Err(_) => {}
        }
    }
    Err(Problem::Unavailable(cause))
}
