//! The pace of a campaign: a wave lets the next one wait for as long as its people take at so many a minute.

use crate::account::record::campaign_row::CampaignRow;
use crate::base::ports::{PortError, Sql};

/// One minute, ms.
const MINUTE_MS: i64 = 60_000;

/// When the newest wave of a campaign lets the next one out, by the pace that the campaign has now. 0 without a wave.
pub(super) fn next_ms(sql: &impl Sql, campaign: &CampaignRow) -> Result<i64, PortError> {
    let rows = sql.exec(
        "SELECT created_ms, total FROM message WHERE id = ?1",
        &[campaign.wave.into()],
    )?;
    let Some(row) = rows.first() else {
        return Ok(0);
    };
    let (created_ms, recipients): (i64, u32) = row.reader().read()?;
    Ok(created_ms.saturating_add(wait_ms(campaign, recipients)))
}

/// How long a wave to so many recipients lets the next one wait, ms.
pub(super) fn wait_ms(campaign: &CampaignRow, recipients: u32) -> i64 {
    let wait_ms = |per_minute: u32| i64::from(recipients).saturating_mul(MINUTE_MS) / i64::from(per_minute.max(1));
    campaign.plan.per_minute.map_or(0, wait_ms)
}
