//! Delivery reports, whichever carrier they come from.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::transitions::{Range, To, Transitions, ranges};
use crate::account::record::account_row::{Account, MIRROR_DELAY_MS};
use crate::account::record::message::delivery_error::Cause;
use crate::account::record::message::status::RecipientStatus;
use crate::account::request::{ReplyResult, Request, Wakes};
use crate::account::{unit_of_work::UnitOfWork, usage};
use crate::base::metrics::work::ReportWaits;
use crate::base::ports::Sql;

/// Recipients of one message that reached the same status at the carrier.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeliveryReport {
    /// The message's number in its account.
    pub message: i64,
    /// The status.
    pub status: RecipientStatus,
    /// Indexes of the recipients.
    pub indexes: Vec<u32>,
    /// Why they did not get the message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Cause>,
    /// Whether only the carrier's silence about other parts says so. Then it holds only for recipients that were taken whole.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_presumed: bool,
}

/// Notes delivery reports. A report that is late or comes twice changes nothing.
#[derive(Debug, Serialize, Deserialize)]
pub struct Deliver {
    /// The name of the carrier that reports. It has taken the recipients, even if its answer says so later.
    pub carrier: String,
    /// What it reports.
    pub reports: Vec<DeliveryReport>,
    /// Whether the reply is to say how long the reports took. A carrier's object of an earlier version reads a number only.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub asks_for_waits: bool,
}

/// What has become of delivery reports.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Delivered {
    /// How many recipients have moved; `None` from an object that does not tell.
    Moved(Option<i64>),
    /// The same, and how long the reports took.
    Told {
        /// How many recipients have moved.
        moved: i64,
        /// How long their reports took.
        waits: ReportWaits,
    },
}

/// Recipients by what is reported of them.
type Groups<'r> = BTreeMap<(RecipientStatus, Option<&'r Cause>, bool), Vec<Range>>;

/// The reports in groups that move one after another. Of a recipient that is reported several times, each report is in a later
/// one, because the first ending counts.
fn in_turn(reports: &[DeliveryReport]) -> Vec<Groups<'_>> {
    let (mut turns, mut seen) = (vec![Groups::new()], BTreeSet::new());
    for report in reports {
        let recipients = || report.indexes.iter().map(|index| (report.message, *index));
        if recipients().any(|recipient| seen.contains(&recipient)) {
            turns.push(Groups::new());
            seen.clear();
        }
        seen.extend(recipients());
        let what = (report.status, report.cause.as_ref(), report.is_presumed);
        if let Some(turn) = turns.last_mut() {
            turn.entry(what)
                .or_default()
                .extend(ranges(report.message, &report.indexes));
        }
    }
    turns
}

impl Request for Deliver {
    const NAME: &'static str = "Deliver";
    const WAKES: Wakes = Wakes::In(MIRROR_DELAY_MS);
    type Reply = Delivered;

    /// A report that moves no money changes the usage only, unless somebody wants to hear of it.
    fn wakes(&self, account: &Account, is_changed: bool) -> Wakes {
        if is_changed || account.subscriptions.has_any() {
            Self::WAKES
        } else {
            Wakes::In(usage::MIRROR_DELAY_MS)
        }
    }

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<Delivered> {
        let mut transitions = Transitions::default();
        let in_turn = in_turn(&self.reports);
        let named: Vec<Range> = in_turn.iter().flat_map(BTreeMap::values).flatten().copied().collect();
        transitions.load_chunks_of(sql, &named)?;
        for ((status, cause, is_presumed), moved) in in_turn.into_iter().flatten() {
            let to = To {
                status,
                cause,
                carrier: Some(&self.carrier),
                is_presumed,
            };
            transitions.advance(sql, work, &moved, to)?;
        }
        let (moved, waits) = (transitions.moved(), transitions.waits().clone());
        transitions.save(sql)?;
        Ok(match self.asks_for_waits {
            true => Delivered::Told { moved, waits },
            false => Delivered::Moved(Some(moved)),
        })
    }
}
