//! The guard of a campaign: it stops one of whose recipients too many fail or opt out.
//!
//! It looks before each wave. Its sender may resume a campaign that it has stopped: what the campaign had come to by then is forgiven, and
//! the guard judges by what comes from then on. Otherwise it would stop the campaign again at once.

use crate::account::record::campaign_row::{CampaignReason, CampaignRow, Guard, Judged};
use crate::base::ports::{PortError, Sql};

/// Why the guard of a campaign stops it now.
pub(super) fn reason(sql: &impl Sql, campaign: &CampaignRow) -> Result<Option<CampaignReason>, PortError> {
    let Some(guard) = campaign.plan.guard else {
        return Ok(None);
    };
    let judged = campaign.judged(&campaign.sums(sql)?);
    Ok(guard.judges(judged, campaign.forgiven))
}

/// Forgives what a campaign has come to, if its guard has stopped it.
pub(super) fn forgive(sql: &impl Sql, campaign: &mut CampaignRow) -> Result<(), PortError> {
    if let Some(CampaignReason::FailedShare | CampaignReason::OptOutShare) = campaign.reason {
        campaign.forgiven = campaign.judged(&campaign.sums(sql)?);
    }
    Ok(())
}

impl Guard {
    fn judges(self, all: Judged, forgiven: Judged) -> Option<CampaignReason> {
        let failed = all.failed.saturating_sub(forgiven.failed);
        let ended = all.delivered.saturating_sub(forgiven.delivered).saturating_add(failed);
        let recipients = all.recipients.saturating_sub(forgiven.recipients);
        let opt_outs = all.opt_outs.saturating_sub(forgiven.opt_outs);
        if ended < i64::from(self.after) {
            return None;
        }
        if is_beyond(self.failed_share, failed, ended) {
            return Some(CampaignReason::FailedShare);
        }
        is_beyond(self.opt_out_share, opt_outs, recipients).then_some(CampaignReason::OptOutShare)
    }
}

/// Whether a part of a whole is more than this share of it, percent. Without a share, nothing is.
fn is_beyond(share: Option<u32>, part: i64, whole: i64) -> bool {
    share.is_some_and(|share| part.saturating_mul(100) > i64::from(share).saturating_mul(whole))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guard_judges_after_so_many_endings_and_by_what_was_not_forgiven() {
        let guard = Guard {
            failed_share: Some(10),
            opt_out_share: Some(2),
            after: 100,
        };
        let judged = |recipients, delivered, failed, opt_outs| Judged {
            recipients,
            delivered,
            failed,
            opt_outs,
        };
        let none = Judged::default();
        assert_eq!(guard.judges(judged(1_000, 0, 99, 900), none), None);
        assert_eq!(
            guard.judges(judged(1_000, 90, 10, 20), none),
            None,
            "a share may be reached"
        );
        let failed = judged(1_000, 89, 11, 0);
        assert_eq!(guard.judges(failed, none), Some(CampaignReason::FailedShare));
        assert_eq!(guard.judges(failed, failed), None);
        assert_eq!(guard.judges(judged(2_000, 169, 30, 0), failed), None, "99 endings more");
        assert_eq!(
            guard.judges(judged(2_000, 170, 30, 0), failed),
            Some(CampaignReason::FailedShare)
        );
        assert_eq!(
            guard.judges(judged(1_000, 100, 0, 21), none),
            Some(CampaignReason::OptOutShare)
        );
        let lenient = Guard {
            failed_share: None,
            opt_out_share: None,
            ..guard
        };
        assert_eq!(lenient.judges(judged(1, 0, i64::MAX, i64::MAX), none), None);
    }
}
