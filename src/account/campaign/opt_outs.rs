//! Opt-outs that came since a campaign reached somebody: the campaign that reached a number last counts them.

use crate::account::record::message::status::RecipientStatus;
use crate::base::ports::{PortError, Sql};
use crate::durable::to_json;

/// So many of the newest messages to a number are looked at, of those alone to it and of the others. Who got that many since a campaign
/// does not answer the campaign.
const MOST_LOOKED_AT: u32 = 100;
/// The statuses of recipients that a campaign has reached, or may have.
const REACHED: [RecipientStatus; 4] = [
    RecipientStatus::Unknown,
    RecipientStatus::Submitted,
    RecipientStatus::Delivered,
    RecipientStatus::Expired,
];

/// Counts a new opt-out of a number, whose owner writes as `sender`, in the campaign that reached it last. Who has opted out before since
/// then, and has come back meanwhile, was counted already.
pub fn count(sql: &impl Sql, msisdn: u64, sender: &str) -> Result<(), PortError> {
    let reached = REACHED.map(RecipientStatus::code);
    let rows = sql.exec(
        "SELECT m.campaign, m.created_ms FROM ( \
           SELECT * FROM (SELECT message FROM chunk WHERE msisdn = ?1 ORDER BY message DESC LIMIT ?3) \
           UNION ALL \
           SELECT * FROM (SELECT message FROM number WHERE msisdn = ?1 ORDER BY message DESC LIMIT ?3)) t \
         CROSS JOIN message m ON m.id = t.message \
         WHERE m.campaign IS NOT NULL AND m.test = 0 \
           AND EXISTS (SELECT 1 FROM recipient r WHERE r.message = m.id AND r.msisdn = ?1 \
                       AND r.status IN (SELECT value FROM json_each(?2))) \
         ORDER BY m.id DESC LIMIT 1",
        &[
            i64::try_from(msisdn).unwrap_or(i64::MAX).into(),
            to_json(&reached)?.into(),
            MOST_LOOKED_AT.into(),
        ],
    )?;
    let Some(row) = rows.first() else {
        return Ok(());
    };
    let (campaign, reached_ms) = (row.int(0)?, row.int(1)?);
    let before = sql.exec(
        "SELECT 1 FROM inbound WHERE sender = ?1 AND opt_out = 1 AND received_ms >= ?2 LIMIT 1",
        &[sender.into(), reached_ms.into()],
    )?;
    if before.is_empty() {
        sql.exec(
            "UPDATE campaign SET opt_outs = opt_outs + 1 WHERE id = ?1",
            &[campaign.into()],
        )?;
    }
    Ok(())
}
