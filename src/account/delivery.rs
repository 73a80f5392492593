//! Delivery reports, whichever carrier they come from.

use serde::{Deserialize, Serialize};

use super::moves::{Moves, Range, ranges};
use super::request::{Outcome, Request};
use super::status::RecipientStatus;
use super::store::{Account, MIRROR_DELAY_MS};
use crate::object::Wake;
use crate::ports::Sql;

/// Recipients of one message that reached the same status at the carrier.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeliveryReport {
    /// The message's number in its account.
    pub message: i64,
    /// The status.
    pub status: RecipientStatus,
    /// Indexes of the recipients.
    pub indexes: Vec<u32>,
}

/// Notes delivery reports. A report that is late or comes twice changes nothing.
#[derive(Debug, Serialize, Deserialize)]
pub struct Deliver(pub Vec<DeliveryReport>);

impl Request for Deliver {
    const NAME: &'static str = "Deliver";
    type Reply = ();

    fn wake(&self, now_ms: i64) -> Wake {
        Wake::At(now_ms.saturating_add(MIRROR_DELAY_MS))
    }

    fn answer(&self, sql: &impl Sql, now_ms: i64, account: &mut Account) -> Outcome<()> {
        let mut moves = Moves::default();
        for to in RecipientStatus::ALL {
            let of_status = self.0.iter().filter(|report| report.status == to);
            let moved: Vec<Range> = of_status
                .flat_map(|report| ranges(report.message, &report.indexes))
                .collect();
            moves.advance(sql, now_ms, account, &moved, to)?;
        }
        moves.save(sql)?;
        Ok(Ok(()))
    }
}
