//! Whether an account's object may work in its session, and how it goes back in time.
//!
//! Before the first call or alarm of a session does anything, the object asks the directory for the number of the account's last
//! restore. If it is higher than the one in the storage, the storage has gone back, and the object makes that good first. Why no
//! other order is possible, `account/restore.rs` and docs/restore.md say.

use std::cell::Cell;

use crate::account::restore::{self, CarriedOver, Restore, Target};
use crate::account::{OPERATOR, refusal::Refusal};
use crate::base::ports::{Platform, PortError, Sql};
use crate::base::{log, time};
use crate::directory::audit::{AuditEntry, Audited};
use crate::directory::restores;
use crate::durable::audit::{Note, Thing};
use crate::durable::{movable, to_json};

/// When a session whose first question failed asks again by itself, ms.
const RETRY_MS: i64 = 5_000;

/// What an object may do.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Gate {
    /// Nothing: it does not know whether it has gone back.
    #[default]
    Unknown,
    /// Nothing: it makes good that it has gone back.
    MakesGood,
    /// All that it is asked.
    Open,
    /// Nothing: it goes back.
    Closed,
}

/// A session of an object.
#[derive(Debug, Default)]
pub struct ObjectSession {
    gate: Cell<Gate>,
    /// Before this time, ms since the Unix epoch, no alarm asks again whether the object has gone back.
    retry_ms: Cell<i64>,
}

/// Sets the gate when it is dropped: the runtime may drop a call at any `await`.
struct Reset<'a>(&'a Cell<Gate>, Gate);

impl Drop for Reset<'_> {
    fn drop(&mut self) {
        self.0.set(self.1);
    }
}

fn busy(what: &str) -> PortError {
    PortError::unavailable("restore", what)
}

impl ObjectSession {
    /// Whether the object may do what it is asked.
    pub fn is_open(&self) -> bool {
        self.gate.get() == Gate::Open
    }

    /// Before this time, ms since the Unix epoch, no alarm has anything to do.
    pub fn not_before_ms(&self) -> i64 {
        if self.is_open() { 0 } else { self.retry_ms.get() }
    }

    /// Lets the object of an account work, unless it is not to. Returns whether it has gone back and made that good just now.
    pub async fn enter<P: Platform, S: Sql>(&self, platform: &P, sql: &S, account: &str) -> Result<bool, PortError> {
        if self.gate.get() == Gate::Unknown && account != OPERATOR {
            self.retry_ms.set(platform.now_ms().saturating_add(RETRY_MS));
            let number = restores::number(platform.db(), account).await?;
            // Another call may have come to this point before.
            if self.gate.get() == Gate::Unknown && restore::number(sql)? < number {
                self.gate.set(Gate::MakesGood);
                let mut after = Reset(&self.gate, Gate::Unknown);
                make_good(platform, sql, account, number).await?;
                after.1 = Gate::Open;
                return Ok(true);
            }
        }
        match self.gate.get() {
            Gate::Unknown | Gate::Open => {
                self.gate.set(Gate::Open);
                Ok(false)
            }
            Gate::MakesGood => Err(busy("the object has gone back in time and is not ready")),
            Gate::Closed => Err(busy("the object goes back in time")),
        }
    }

    /// Takes the object back in time. If all goes well, nobody gets an answer, because the session ends. A refusal or an error
    /// before that leaves the object as it was.
    pub async fn go_back<P: Platform, S: Sql>(
        &self,
        platform: &P,
        sql: &S,
        account: &str,
        asked: &Restore,
        note: Option<&Note>,
    ) -> Result<Refusal, PortError> {
        if let Some(arrived_ms) = arrived_later(sql, asked).await? {
            return Ok(Refusal::BeforeMove(arrived_ms));
        }
        let (then, now) = match bookmarks(sql, asked).await {
            Ok(bookmarks) => bookmarks,
            Err(error) => return Ok(Refusal::NotRestored(error.to_string())),
        };
        if self.gate.replace(Gate::Closed) != Gate::Open {
            return Err(busy("the object goes back in time"));
        }
        let mut after = Reset(&self.gate, Gate::Open);
        let kept = restore::begin(sql, asked.number, now)?;
        keep(platform, account, asked, note, &kept).await?;
        // Whether this succeeds or not, only a new session knows.
        after.1 = Gate::Closed;
        Err(sql.go_back(&then).await)
    }

    /// Whether the session is over: the object has gone back, or may have.
    pub fn is_over(&self) -> bool {
        self.gate.get() == Gate::Closed
    }
}

/// When the object came with the move of the service, if that is later than what is asked for: at that time it had not all of its rows.
async fn arrived_later(sql: &impl Sql, asked: &Restore) -> Result<Option<i64>, PortError> {
    let Some(arrived_ms) = movable::arrived_ms(sql)? else {
        return Ok(None);
    };
    let is_before = match &asked.target {
        Target::At(at_ms) => *at_ms <= arrived_ms,
        // The bookmarks of a storage are in the order of their times. One of a time that the storage has forgotten is refused anyway.
        Target::Bookmark(bookmark) => sql
            .bookmark(Some(arrived_ms))
            .await
            .is_ok_and(|arrival| *bookmark <= arrival),
    };
    Ok(is_before.then_some(arrived_ms))
}

/// The bookmarks of where to go back to, and of now.
async fn bookmarks(sql: &impl Sql, asked: &Restore) -> Result<(String, String), PortError> {
    let then = match &asked.target {
        Target::At(at_ms) => sql.bookmark(Some(*at_ms)).await?,
        Target::Bookmark(bookmark) => {
            // A storage without a history says so here, before anything is noted.
            sql.bookmark(Some(asked.number)).await?;
            bookmark.clone()
        }
    };
    Ok((then, sql.bookmark(None).await?))
}

/// Writes into the directory what must not be forgotten, with its entry in the audit log.
async fn keep(
    platform: &impl Platform,
    account: &str,
    asked: &Restore,
    note: Option<&Note>,
    kept: &CarriedOver,
) -> Result<(), PortError> {
    let entry = note.map(|note| AuditEntry {
        note: note.clone(),
        thing: Thing::Restore,
        remark: None,
    });
    let target = match &asked.target {
        Target::At(at_ms) => time::to_rfc3339(*at_ms),
        Target::Bookmark(bookmark) => bookmark.clone(),
    };
    let restore = restores::Restore {
        account,
        number: asked.number,
        target: &target,
        reason: &asked.reason,
        kept: &to_json(kept)?,
    };
    let written = Cell::new(0);
    restores::keep(&Audited::new(platform.db(), entry, &written), restore).await
}

/// Makes good that the object has gone back. *A crash before the transaction* does it again, *one after it* leaves only what was
/// kept, which nobody needs any more.
async fn make_good<P: Platform, S: Sql>(platform: &P, sql: &S, account: &str, number: i64) -> Result<(), PortError> {
    let past = restores::take(platform.db(), account, number, restore::first_day(sql)?).await?;
    let kept: CarriedOver = serde_json::from_str(&past.kept).map_err(|error| PortError::json("restore", &error))?;
    let done = restore::make_good(sql, platform.now_ms(), (account, number), &kept, &past.removals)?;
    log::warning(
        platform,
        "restore",
        serde_json::json!({"account": account, "number": number,
        "inDoubt": done.in_doubt, "canceled": done.canceled}),
    );
    if let Err(error) = restores::forget(platform.db(), account, number).await {
        log::error(
            platform,
            "restore",
            serde_json::json!({"account": account,
            "what": "what was kept stays in the directory", "cause": error.to_string()}),
        );
    }
    Ok(())
}
