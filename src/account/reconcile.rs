//! Checks that what the object keeps about money and work agrees with itself: the wallet with its ledger, the locked money with
//! the reserves that are held, the usage with the messages that it counts, and the chunks with their times. What the directory
//! mirrors, the object tells, for whoever compares it.
//!
//! The work of one call is bounded. The ledger is replayed in steps, of which each begins where the one before has ended:
//! entries never change, so entries that come in between do no harm. The usage is counted again in steps too
//! (`recount.rs`). Held reserves are read from the chunks that are open, by their indexes: of old messages nothing is read
//! for them. If too many chunks are open, their money is not checked, and the answer says so.

use serde::{Deserialize, Serialize};

use super::chunk::stalled::{self, STALLED_MS};
use super::outbox::events;
use super::request::{ReplyResult, Request, Wakes};
use super::usage::{self, UsageRow};
use crate::account::record::account_row::Account;
use crate::account::record::chunk::recipients;
use crate::account::record::ledger_pages::pages_between;
use crate::account::recount;
use crate::account::recount::Recount;
use crate::account::unit_of_work::UnitOfWork;
use crate::base::named::named;
use crate::base::ports::{PortError, Sql};
use crate::durable::storage;

/// Ledger entries that one call replays.
pub const ENTRIES_A_STEP: i64 = 20_000;
/// Open chunks whose money one call adds up; each has up to 500 recipients.
pub const MAX_CHUNKS: i64 = 400;
/// A chunk whose time has come so long ago was forgotten, ms. Chunks that are ready wait for their carrier, and are stalled later.
const OVERDUE_MS: i64 = 10 * 60 * 1_000;
/// Events that have been due for so long are not taken, ms.
const EVENTS_LATE_MS: i64 = 60 * 60 * 1_000;

/// The wallet as the ledger has it up to an entry.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replayed {
    /// The number of the entry.
    pub seq: i64,
    /// The available balance after it.
    pub available: i64,
    /// The locked balance after it.
    pub locked: i64,
    /// What was paid up to it.
    pub spent: i64,
    /// What was credited up to it.
    pub credited: i64,
}

/// Asks the object to check itself.
#[derive(Debug, Serialize, Deserialize)]
pub struct Reconcile {
    /// Where the replay of the ledger goes on. `None`: it has come to its end.
    pub from: Option<Replayed>,
    /// The rows of usage before this one are wanted. `None`: no more are.
    pub usage: Option<crate::account::record::usage_totals::Key>,
    /// Where the recount of the usage goes on. `None`: it has come to its end.
    #[serde(default)]
    pub recount: Option<Recount>,
}

impl Reconcile {
    /// The first call of a check.
    pub fn first() -> Self {
        Reconcile {
            from: Some(Replayed::default()),
            usage: Some(usage::last_key()),
            recount: Some(Recount::first()),
        }
    }
}

named! {
    /// A kind of difference.
    pub enum Check {
        /// The locked money is not the sum of the held reserves.
        Locked => "LOCKED",
        /// An entry of the ledger does not follow from the one before.
        Ledger => "LEDGER",
        /// The ledger comes to another wallet than the account has.
        Wallet => "WALLET",
        /// Chunks wait for longer than they should.
        Stalled => "STUCK",
        /// The mirror in the directory shows something else.
        Mirror => "MIRROR",
        /// The usage is not what its messages say, or its mirror shows something else.
        Usage => "USAGE",
        /// The object has little room left.
        Storage => "STORAGE",
        /// Events wait for the account's webhook object for longer than they should.
        Events => "EVENTS",
    }
}

impl Check {
    /// Those whose differences are about money itself, and not about a copy or a count of it.
    pub const OF_MONEY: [Check; 3] = [Check::Locked, Check::Ledger, Check::Wallet];
    /// Those about the objects of an account: nothing in them disagrees.
    pub const OF_OBJECTS: [Check; 2] = [Check::Storage, Check::Events];
}

/// Something that does not agree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Difference {
    /// The name of the [`Check`].
    pub check: String,
    /// What, in words: what was expected, and what is there.
    pub detail: String,
}

impl Difference {
    /// A difference, in words.
    pub fn new(check: Check, detail: String) -> Self {
        Difference {
            check: check.as_str().to_owned(),
            detail,
        }
    }
}

/// What the mirror should show, as far as it has been told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Truth {
    /// Whether the account is active.
    pub active: bool,
    /// Whether it may send.
    pub sending_enabled: bool,
    /// The available balance.
    pub available: i64,
    /// The locked balance.
    pub locked: i64,
    /// The version of this state.
    pub version: i64,
    /// When it became so, ms since the Unix epoch.
    pub changed_ms: i64,
}

/// What a check has found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Findings {
    /// What does not agree.
    #[serde(default)]
    pub differences: Vec<Difference>,
    /// Where the replay of the ledger goes on. `None`: it has come to its end.
    pub next: Option<Replayed>,
    /// Whether too many chunks are open for their money to be added up.
    #[serde(default)]
    pub too_many_chunks: bool,
    /// What the mirror should show.
    pub truth: Truth,
    /// The rows of usage that were wanted, at most [`usage::ROWS_A_STEP`].
    #[serde(default)]
    pub usage: Vec<UsageRow>,
    /// Where the recount of the usage goes on. `None`: it has come to its end.
    #[serde(default)]
    pub recount: Option<Recount>,
}

impl Request for Reconcile {
    const NAME: &'static str = "Reconcile";
    const WAKES: Wakes = Wakes::Never;
    type Reply = Findings;

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<Findings> {
        work.write_gathered(sql)?;
        let mut differences = Vec::new();
        let next = match self.from {
            Some(from) => replay(sql, &work.account, from, &mut differences)?,
            None => None,
        };
        let usage = match &self.usage {
            Some(before) => usage::rows_before(sql, before)?,
            None => Vec::new(),
        };
        let mut too_many_chunks = false;
        // Once in a walk through the ledger.
        if self.from.is_some_and(|from| from.seq == 0) {
            too_many_chunks = !check_locked(sql, &work.account, &mut differences)?;
            check_chunks(sql, work.now_ms, work.account.on_hold, &mut differences)?;
            check_objects(sql, work.now_ms, &mut differences)?;
        }
        let (recount, detail) = match &self.recount {
            Some(from) => recount::go(sql, work.account.message_seq, from)?,
            None => (None, None),
        };
        differences.extend(detail.map(|detail| Difference::new(Check::Usage, detail)));
        Ok(Findings {
            differences,
            next,
            too_many_chunks,
            truth: Truth {
                active: work.account.active,
                sending_enabled: work.account.sending_enabled,
                available: work.account.wallet.available,
                locked: work.account.wallet.locked,
                version: work.account.version,
                changed_ms: work.account.changed_ms,
            },
            usage,
            recount,
        })
    }
}

/// Replays the next entries. Returns where to go on; at the end, compares the result with the wallet.
fn replay(
    sql: &impl Sql,
    account: &Account,
    from: Replayed,
    differences: &mut Vec<Difference>,
) -> Result<Option<Replayed>, PortError> {
    let rows = sql.exec(
        concat!(
            "SELECT count(*), max(seq), min(iif(seq <> before_seq + 1 OR available <> before_available + to_available \
                  OR locked <> before_locked + to_locked, seq, NULL)), \
                total(spent), total(credited), total(to_available), total(to_locked) FROM ( \
           SELECT seq, available, locked, \
             lag(seq, 1, ?1) OVER (ORDER BY seq) AS before_seq, \
             lag(available, 1, ?2) OVER (ORDER BY seq) AS before_available, \
             lag(locked, 1, ?3) OVER (ORDER BY seq) AS before_locked, \
             CASE kind WHEN 'CREDIT' THEN amount WHEN 'RESERVE' THEN -amount WHEN 'RELEASE' THEN amount \
                       WHEN 'REFUND' THEN amount ELSE 0 END AS to_available, \
             CASE kind WHEN 'RESERVE' THEN amount WHEN 'SETTLE' THEN -amount WHEN 'RELEASE' THEN -amount ELSE 0 END \
               AS to_locked, \
             CASE kind WHEN 'SETTLE' THEN amount WHEN 'REFUND' THEN -amount ELSE 0 END AS spent, \
             iif(kind = 'CREDIT', amount, 0) AS credited \
           FROM ledger WHERE seq > ?1 AND seq <= ?1 + ?4 AND ",
            pages_between!("?1 + 1", "?1 + ?4 + 1"),
            ")"
        ),
        &[
            from.seq.into(),
            from.available.into(),
            from.locked.into(),
            ENTRIES_A_STEP.into(),
        ],
    )?;
    let row = rows.first().ok_or(PortError::failed("sql", "no sums"))?;
    let mut row = row.reader();
    let (count, last, bad): (i64, Option<i64>, Option<i64>) = row.read()?;
    let (spent, credited, available, locked) = row.read()?;
    if let Some(seq) = bad {
        let detail = format!("entry {seq} does not follow from the one before it");
        differences.push(Difference::new(Check::Ledger, detail));
    }
    let replayed = Replayed {
        seq: last.unwrap_or(from.seq),
        available: from.available.saturating_add(available),
        locked: from.locked.saturating_add(locked),
        spent: from.spent.saturating_add(spent),
        credited: from.credited.saturating_add(credited),
    };
    if count > 0 && replayed.seq < account.ledger_seq {
        return Ok(Some(replayed));
    }
    let wallet = account.wallet;
    let stored = Replayed {
        seq: account.ledger_seq,
        available: wallet.available,
        locked: wallet.locked,
        spent: wallet.spent,
        credited: wallet.credited,
    };
    if replayed != stored {
        let detail = format!(
            "the ledger comes to {} available, {} locked, {} spent of {} at entry {}; the wallet has {}, {}, {} of {} at {}",
            replayed.available,
            replayed.locked,
            replayed.spent,
            replayed.credited,
            replayed.seq,
            stored.available,
            stored.locked,
            stored.spent,
            stored.credited,
            stored.seq
        );
        differences.push(Difference::new(Check::Wallet, detail));
    }
    Ok(None)
}

/// Adds the held reserves up. Returns `false` if too many chunks are open for that.
fn check_locked(sql: &impl Sql, account: &Account, differences: &mut Vec<Difference>) -> Result<bool, PortError> {
    let Some(held) = recipients::held_in_open(sql, MAX_CHUNKS)? else {
        return Ok(false);
    };
    let locked = account.wallet.locked;
    if held != locked {
        let detail = format!("{locked} is locked; the held reserves come to {held}");
        differences.push(Difference::new(Check::Locked, detail));
    }
    Ok(true)
}

/// Looks whether the object has room, and whether the webhook object takes what it is told.
fn check_objects(sql: &impl Sql, now_ms: i64, differences: &mut Vec<Difference>) -> Result<(), PortError> {
    let bytes = sql.size_bytes()?;
    if storage::is_filling(bytes) {
        let detail = format!(
            "the account's object keeps {bytes} bytes of the {} that it can",
            storage::MAX_BYTES
        );
        differences.push(Difference::new(Check::Storage, detail));
    }
    let late = events::waits_since(sql, now_ms.saturating_sub(EVENTS_LATE_MS))?;
    if late {
        let detail = "events have waited for the account's webhook object for more than an hour".to_owned();
        differences.push(Difference::new(Check::Events, detail));
    }
    Ok(())
}

/// Finds chunks that wait for longer than they should. Those of an account on hold may wait for a carrier.
fn check_chunks(
    sql: &impl Sql,
    now_ms: i64,
    on_hold: bool,
    differences: &mut Vec<Difference>,
) -> Result<(), PortError> {
    let due_ms = now_ms.saturating_sub(OVERDUE_MS);
    let ready_ms = now_ms.saturating_sub(STALLED_MS);
    let [overdue, ready, told] = stalled::count_late(sql, due_ms, ready_ms, MAX_CHUNKS)?;
    if overdue > 0 {
        let detail = format!("nobody has looked at {overdue} chunks whose time has come");
        differences.push(Difference::new(Check::Stalled, detail));
    }
    let stalled = if on_hold { 0 } else { ready.max(told) };
    if stalled > 0 {
        let detail = format!("{stalled} chunks wait for a carrier or an operator for more than an hour");
        differences.push(Difference::new(Check::Stalled, detail));
    }
    Ok(())
}
