//! The people of a campaign, wave by wave, with what became of each.

use serde::{Deserialize, Serialize};

use crate::account::message::export::Pages;
use crate::account::message::read::{RecipientFilter, recipients_of};
use crate::account::record::campaign_row::{CampaignRow, find};
use crate::account::record::message::{Page, RecipientView};
use crate::account::refusal::Refusal;
use crate::account::request::{ReplyResult, Request, Wakes};
use crate::account::unit_of_work::UnitOfWork;
use crate::auth::Mode;
use crate::base::ports::{PortError, Sql};

/// Waves that a page looks at, at most.
pub(super) const WALKED: i64 = 20;
/// A wave has fewer recipients than this: a place in the list is the number of the message times this, and the recipient's index.
const INDEXES: i64 = 1 << 20;

/// The place of a recipient: by the number of its message, and by its index in that.
pub fn place(message: i64, index: i64) -> i64 {
    message.saturating_mul(INDEXES).saturating_add(index)
}

/// The number of the message and the index of a place.
pub(super) fn at(place: i64) -> (i64, i64) {
    (place.div_euclid(INDEXES), place.rem_euclid(INDEXES))
}

/// Asks for a page of a campaign's people, in the order of their waves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListCampaignRecipients {
    /// The id of the campaign.
    pub uid: String,
    /// The mode of the key of the request. A campaign of the other mode is not found.
    pub mode: Mode,
    /// Only these.
    #[serde(default)]
    pub filter: RecipientFilter,
    /// The page.
    pub page: Page,
}

/// A page of a campaign's people.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reached {
    /// The people, each with its place in the list and the uid of its message. Texts of their own are left out.
    #[serde(default)]
    pub recipients: Vec<(i64, String, RecipientView)>,
    /// How far the page has looked, when there is more behind it than it could look at.
    pub walked_to: Option<i64>,
}

impl Request for ListCampaignRecipients {
    const NAME: &'static str = "ListCampaignRecipients";
    const WAKES: Wakes = Wakes::Never;
    type Reply = Reached;

    fn answer(&self, sql: &impl Sql, _: &mut UnitOfWork) -> ReplyResult<Reached> {
        let campaign = find(sql, &self.uid, self.mode)?.ok_or(Refusal::NotFound)?;
        let after = self.page.after.unwrap_or(-1);
        let (first, mut index) = at(after);
        let waves = self.waves(sql, &campaign, first)?;
        let mut reached = Reached::default();
        for (message, uid) in &waves {
            let missing = self
                .page
                .limit
                .saturating_sub(u32::try_from(reached.recipients.len()).unwrap_or(u32::MAX));
            if missing == 0 {
                return Ok(reached);
            }
            let page = Page {
                limit: missing,
                after: (*message == first && after >= 0).then_some(index),
            };
            index = 0;
            let found = recipients_of(sql, *message, &self.filter, page)?;
            let placed = found
                .into_iter()
                .map(|view| (place(*message, view.index.into()), uid.clone(), view));
            reached.recipients.extend(placed);
        }
        let is_cut = i64::try_from(waves.len()).is_ok_and(|count| count >= WALKED);
        let last = waves.last().filter(|_| is_cut);
        reached.walked_to = last.map(|(message, _)| place(*message, INDEXES - 1));
        Ok(reached)
    }
}

impl Pages for ListCampaignRecipients {
    fn begin_behind(&mut self, place: i64) {
        self.page.after = Some(place);
    }

    fn page(&self, reply: Reached) -> (Vec<RecipientView>, Option<i64>) {
        let is_full = u32::try_from(reply.recipients.len()).is_ok_and(|count| count >= self.page.limit);
        let last = reply.recipients.last().filter(|_| is_full).map(|(place, ..)| *place);
        let recipients = reply.recipients.into_iter().map(|(_, _, recipient)| recipient);
        (recipients.collect(), last.or(reply.walked_to))
    }
}

impl ListCampaignRecipients {
    /// The waves to look at: their messages' numbers and uids.
    fn waves(&self, sql: &impl Sql, campaign: &CampaignRow, first: i64) -> Result<Vec<(i64, String)>, PortError> {
        let query = match self.filter.msisdn {
            // Nobody is in many waves, so an index finds the few.
            Some(_) => {
                "SELECT m.id, m.uid FROM message_to t CROSS JOIN message m ON m.id = t.message \
                 WHERE t.msisdn = ?4 AND m.campaign = ?1 AND m.id >= ?2 ORDER BY m.id LIMIT ?3"
            }
            None => {
                "SELECT message, uid FROM chunk WHERE campaign = ?1 AND ?4 IS NULL AND message >= ?2 ORDER BY message LIMIT ?3"
            }
        };
        let rows = sql.exec(
            query,
            &[
                campaign.id.into(),
                first.into(),
                WALKED.into(),
                self.filter.msisdn.and_then(|msisdn| i64::try_from(msisdn).ok()).into(),
            ],
        )?;
        rows.iter().map(|row| row.reader().read()).collect()
    }
}
