//! How the newest messages have ended, by the operators of the recipients, and why some have not arrived. Nothing is counted for
//! this when messages end: whoever asks reads the newest recipients, as many as an answer may read.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sms::msisdn::{Msisdn, Operator};

use super::message::list::first_at;
use super::request::{ReplyResult, Request, Wakes};
use super::unit_of_work::UnitOfWork;
use crate::account::record::chunk::recipients;
use crate::account::record::message::status::RecipientStatus;
use crate::auth::Mode;
use crate::base::ports::{PortError, Row, Sql};

/// Recipients that an answer reads, about: a chunk is read whole.
const MAX_RECIPIENTS: i64 = 20_000;
/// Chunks in one go.
const A_GO: u32 = 10;

/// Asks how the newest messages have ended.
#[derive(Debug, Serialize, Deserialize)]
pub struct GetOutcomes {
    /// Messages from this time on, ms since the Unix epoch.
    pub from_ms: i64,
    /// The mode of the key of the request.
    pub mode: Mode,
}

/// How many recipients have ended.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OperatorStats {
    /// They have the message.
    #[serde(default)]
    pub delivered: i64,
    /// They have not got it.
    #[serde(default)]
    pub failed: i64,
    /// They wait, or nobody knows.
    #[serde(default)]
    pub others: i64,
}

/// What the newest recipients say.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeliveryStats {
    /// By the names of operators.
    #[serde(default)]
    pub operators: BTreeMap<String, OperatorStats>,
    /// How many have failed for each reason.
    #[serde(default)]
    pub reasons: BTreeMap<String, i64>,
    /// How many were read.
    pub recipients: i64,
    /// Whether there are older ones that were not read.
    #[serde(default)]
    pub has_more: bool,
}

/// The name of an operator in the API.
pub fn name_of(operator: Operator) -> &'static str {
    match operator {
        Operator::Mci => "MCI",
        Operator::Mtn => "MTN",
        Operator::Other => "OTHER",
    }
}

impl Request for GetOutcomes {
    const NAME: &'static str = "GetOutcomes";
    const WAKES: Wakes = Wakes::Never;
    type Reply = DeliveryStats;

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<DeliveryStats> {
        let newest = work.account.message_seq;
        let first = first_at(sql, self.from_ms, newest)?;
        let mut stats = DeliveryStats::default();
        let mut behind = (newest.saturating_add(1), 0);
        loop {
            let rows = self.chunks(sql, first, behind)?;
            let Some(last) = rows.last() else { break };
            if stats.recipients >= MAX_RECIPIENTS {
                stats.has_more = true;
                break;
            }
            behind = (last.int(0)?, last.int(1)?);
            stats.note_all(&rows)?;
        }
        Ok(stats)
    }
}

impl GetOutcomes {
    /// The next chunks, the newest first: message, number and recipients.
    fn chunks(&self, sql: &impl Sql, first: i64, (message, number): (i64, i64)) -> Result<Vec<Row>, PortError> {
        sql.exec(
            "SELECT c.message, c.number, c.recipients FROM chunk c JOIN message m ON m.id = c.message \
             WHERE (c.message, c.number) < (?1, ?2) AND c.message >= ?3 AND m.test = ?4 \
             ORDER BY c.message DESC, c.number DESC LIMIT ?5",
            &[
                message.into(),
                number.into(),
                first.into(),
                self.mode.is_test().into(),
                A_GO.into(),
            ],
        )
    }
}

impl DeliveryStats {
    fn note_all(&mut self, chunks: &[Row]) -> Result<(), PortError> {
        for chunk in chunks {
            let all = recipients::read(&chunk.text(2)?)?.into_iter();
            for recipient in all.filter(|recipient| recipient.status != RecipientStatus::Skipped) {
                self.note(recipient.msisdn, recipient.status, recipient.error);
            }
        }
        Ok(())
    }

    fn note(&mut self, msisdn: u64, status: RecipientStatus, error: Option<String>) {
        let operator = Msisdn::from_digits(msisdn).map_or(Operator::Other, Msisdn::operator);
        let ended = self.operators.entry(name_of(operator).to_owned()).or_default();
        self.recipients = self.recipients.saturating_add(1);
        match status {
            RecipientStatus::Delivered => ended.delivered = ended.delivered.saturating_add(1),
            failed if failed.is_failed() => {
                ended.failed = ended.failed.saturating_add(1);
                let reasons = self.reasons.entry(error.unwrap_or_default()).or_default();
                *reasons = reasons.saturating_add(1);
            }
            _ => ended.others = ended.others.saturating_add(1),
        }
    }
}
