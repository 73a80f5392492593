//! Tells the directory what waits in an account's object: by carrier and line, while anything has waited for ten seconds.
//!
//! The object's storage notes when the directory was told, and nothing else of it, so that an object that begins anew takes back
//! what its forerunner has told. A crash between the note and the directory costs one look more.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use crate::account::chunk::queue_depth::{self, WayDepth};
use crate::account::record::account_row::Account;
use crate::account::record::message::priority::Priority;
use crate::base::ports::{Platform, PortError, Sql};
use crate::directory::queue_depth::{self as directory, QueueDepthRow};
use crate::objects::dispatch::Dispatcher;

/// How often the object looks while chunks wait of which the directory knows nothing, ms.
const LOOK_MS: i64 = 10_000;
/// How often the directory is told at most, ms.
const TELL_MS: i64 = 20_000;
/// How often it is told that nothing has changed, ms.
const REPEAT_MS: i64 = 5 * 60 * 1_000;

/// What the directory knows of what waits.
#[derive(Debug, Default)]
pub struct QueueDepthMirror {
    /// When the directory was told last, ms since the Unix epoch; 0: it has nothing. `None`: the storage was not asked yet.
    told_ms: Cell<Option<i64>>,
    /// What it was told by this object.
    told: RefCell<Vec<QueueDepthRow>>,
    /// When the object looks next, ms since the Unix epoch.
    next_ms: Cell<i64>,
}

impl QueueDepthMirror {
    /// When to look next: while chunks are ready, and while the directory has something.
    pub fn due_ms(&self, sql: &impl Sql, has_ready: bool) -> Result<Option<i64>, PortError> {
        let told_ms = match self.told_ms.get() {
            Some(told_ms) => told_ms,
            None => self.begin(queue_depth::told_ms(sql)?),
        };
        Ok((has_ready || told_ms > 0).then(|| self.next_ms.get()))
    }

    fn begin(&self, told_ms: i64) -> i64 {
        self.told_ms.set(Some(told_ms));
        self.next_ms.set(told_ms.saturating_add(TELL_MS));
        told_ms
    }

    /// Tells the directory what waits, if it does not know it.
    pub async fn write<P: Platform, S: Sql>(
        &self,
        platform: &P,
        sql: &S,
        dispatcher: &Dispatcher,
    ) -> Result<(), PortError> {
        let now_ms = platform.now_ms();
        self.next_ms.set(now_ms.saturating_add(LOOK_MS));
        let Some(account) = Account::stored(sql)? else {
            return Ok(());
        };
        let rows = rows(platform, dispatcher, queue_depth::sums(sql, now_ms)?).await?;
        let told_ms = queue_depth::told_ms(sql)?;
        if !self.is_news(&rows, told_ms, now_ms) {
            return Ok(());
        }
        // Two tellings never have the same version, and no later one a lower.
        let version_ms = now_ms.max(told_ms.saturating_add(1));
        queue_depth::note_told(sql, version_ms)?;
        self.begin(version_ms);
        directory::mirror(platform.db(), &account.id, version_ms, &rows).await?;
        if rows.is_empty() && queue_depth::told_ms(sql)? == version_ms {
            queue_depth::note_told(sql, 0)?;
            self.told_ms.set(Some(0));
        }
        self.told.replace(rows);
        Ok(())
    }

    fn is_news(&self, rows: &[QueueDepthRow], told_ms: i64, now_ms: i64) -> bool {
        match (rows.is_empty(), told_ms > 0) {
            (true, has_told) => has_told,
            (false, false) => true,
            (false, true) => *self.told.borrow() != rows || now_ms.saturating_sub(told_ms) >= REPEAT_MS,
        }
    }
}

/// The sums by carrier and line, as the directory takes them.
async fn rows<P: Platform>(
    platform: &P,
    dispatcher: &Dispatcher,
    sums: Vec<WayDepth>,
) -> Result<Vec<QueueDepthRow>, PortError> {
    let mut rows: BTreeMap<(String, String), QueueDepthRow> = BTreeMap::new();
    for sum in sums {
        let carrier = dispatcher.first_carrier(platform, sum.way()).await?;
        let code_ms = (sum.priority == Some(Priority::Urgent)).then_some(sum.oldest_ms);
        let (_, _, recipients, oldest_ms, codes_ms) = rows
            .entry((carrier.clone(), sum.line.clone()))
            .or_insert_with(|| (carrier, sum.line, 0, sum.oldest_ms, None));
        *recipients = recipients.saturating_add(sum.recipients);
        *oldest_ms = sum.oldest_ms.min(*oldest_ms);
        *codes_ms = codes_ms.iter().copied().chain(code_ms).min();
    }
    Ok(rows.into_values().collect())
}
