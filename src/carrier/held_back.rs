//! What a carrier's object holds back: it sends nothing of it that was claimed until a time.
//!
//! It is stored, because a submission may come to an object that begins anew. Each entry is forgotten when no submission of that time
//! can be taken any more.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::request::{HAND_OVER_MS, HoldBack, HoldScope, Submission};
use crate::account::record::chunk::handover::Handover;
use crate::base::ports::{PortError, Sql};
use crate::durable::schema::Step;
use crate::durable::to_json;

/// How long an entry is remembered after the time, ms: twice as long as a submission can be taken, for clocks that differ.
const KEPT_MS: i64 = 2 * HAND_OVER_MS;

/// `what` is what is held back, JSON.
pub const TABLES: Step = &["CREATE TABLE held_back (
        what TEXT NOT NULL PRIMARY KEY,
        claimed_until_ms INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID"];

/// Until when what was claimed is held back, ms since the Unix epoch; `None` until it is read.
#[derive(Debug, Default)]
pub struct HeldBack(RefCell<Option<BTreeMap<HoldScope, i64>>>);

impl HeldBack {
    /// Holds something back. Of what is held back already, the last word counts.
    pub fn add(&self, sql: &impl Sql, now_ms: i64, asked: &HoldBack) -> Result<(), PortError> {
        let names: Vec<String> = asked.held.iter().map(to_json).collect::<Result<_, _>>()?;
        sql.transaction(|| {
            sql.exec(
                "DELETE FROM held_back WHERE claimed_until_ms < ?1",
                &[now_ms.saturating_sub(KEPT_MS).into()],
            )?;
            sql.exec(
                "INSERT INTO held_back (what, claimed_until_ms) SELECT value, ?2 FROM json_each(?1) WHERE TRUE ON CONFLICT (what) \
                 DO UPDATE SET claimed_until_ms = excluded.claimed_until_ms",
                &[to_json(&names)?.into(), asked.claimed_until_ms.into()],
            )
        })?;
        self.0.replace(None);
        Ok(())
    }

    /// Whether nothing of one of a submission's handovers is to be sent.
    pub fn covers(&self, sql: &impl Sql, submission: &Submission, handover: &Handover) -> Result<bool, PortError> {
        let mut all = self.0.borrow_mut();
        let all = match &mut *all {
            Some(all) => all,
            unread => unread.insert(read(sql)?),
        };
        let (chunk, claimed_ms) = (
            handover.chunk.id(),
            submission.valid_until_ms.saturating_sub(HAND_OVER_MS),
        );
        Ok(all
            .iter()
            .any(|(held, until_ms)| claimed_ms <= *until_ms && held.covers(&submission.account, chunk, &handover.line)))
    }
}

fn read(sql: &impl Sql) -> Result<BTreeMap<HoldScope, i64>, PortError> {
    let rows = sql.exec("SELECT what, claimed_until_ms FROM held_back", &[])?;
    let entry = |what: &str| serde_json::from_str(what).map_err(|error| PortError::json("held back", &error));
    rows.iter()
        .map(|row| Ok((entry(&row.text(0)?)?, row.int(1)?)))
        .collect()
}
