//! Dead letters: the chunks of messages that accounts' objects gave up, and those that are stuck.

use crate::account::chunk::{dead_letters::Kind, stalled::RetryChunk};
use crate::api::http::forms::{choice, item_text};
use crate::api::http::{Response, context::Context, query::Paged, respond::Success};
use crate::base::ports::{MAX_INTEGER, Platform};
use crate::base::time;
use crate::directory::dead_letters::{self, ListedLetter};
use crate::problem::{Conflict, Problem, field_error::FieldErrorKind};
use crate::{answer, query};

/// An id in a filter has at most this many characters.
const MAX_ID: usize = 64;
const ID_FORM: FieldErrorKind = FieldErrorKind::BadForm("1 to 64 characters", "1 تا 64 کاراکتر");

/// The kinds of dead letters.
pub const KINDS: [Kind; 2] = [Kind::GivenUp, Kind::Stalled];

answer! {
    /// A part of a message that was given up or is stuck.
    pub struct DeadLetterData(entry: &ListedLetter) as "DeadLetter" {
        "id": entry.id, integer(0, MAX_INTEGER) => 7;
        /// `STUCK`: it has waited for a carrier for an hour. It can be retried.
        "kind": entry.letter.kind, one_of(&KINDS.map(Kind::as_str));
        /// The account's id.
        "account": entry.account, id();
        /// Its username. `null`: there is no such account any more.
        "username": entry.username, any_text().or_null() => "shop";
        /// The message's uid.
        "message": entry.letter.uid, id();
        /// The carrier that had it last; empty if none had.
        "carrier": entry.letter.carrier, any_text() => "sandbox";
        /// How many recipients were given up, or wait.
        "recipients": entry.letter.recipients, count();
        /// How often it was handed over.
        "attempts": entry.letter.attempts, count();
        /// Why.
        "reason": entry.letter.reason, any_text() => "no carrier took it in time";
        "createdAt": time::to_rfc3339(entry.letter.at_ms), time();
    }
}

query! {
    pub struct DeadLettersWish {
        /// Only those of this account.
        account: Option<String> = can "account" item_text(MAX_ID, ID_FORM) => "019b796d-0000-7000-8000-000000000001";
        /// Only those of this kind.
        kind: Option<Kind> = can "kind" choice(&KINDS, Kind::as_str);
    }
}

/// `GET /admin/dead-letters`, newest first
pub async fn list<P: Platform>(
    context: &Context<'_, P>,
    query: Paged<'_, DeadLettersWish>,
) -> Result<Response, Problem> {
    let (page, DeadLettersWish { account, kind }) = query.listed("admin/dead-letters")?;
    let (asked, kind) = (page.to_read(), kind.map(Kind::as_str));
    let db = context.platform.db();
    let mut entries = dead_letters::page(db, asked.limit, asked.after, account.as_deref(), kind).await?;
    let next = page.cut(&mut entries, |entry| entry.id);
    Success::page(entries.iter().map(DeadLetterData::of), next).response(context)
}

/// `POST /admin/dead-letters/{id}/retry`
pub async fn retry<P: Platform>(context: &Context<'_, P>, id: &str) -> Result<Response, Problem> {
    let id: i64 = id.parse().map_err(|_| Problem::NotFound)?;
    if !(0..=MAX_INTEGER).contains(&id) {
        return Err(Problem::NotFound);
    }
    let found = dead_letters::find(context.platform.db(), id).await?;
    let entry = found.ok_or(Problem::NotFound)?;
    if entry.letter.kind != Kind::Stalled.as_str() {
        return Err(Problem::Conflict(Conflict::NotStuck));
    }
    let retry = RetryChunk { seq: entry.letter.seq };
    context.call_other(&entry.account, &retry).await?;
    Success::ok(DeadLetterData::of(&entry)).response(context)
}
