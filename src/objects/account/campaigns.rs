//! How an account's object goes on with a campaign: it reads the next page of the audience, makes a wave of it, and accepts that.

use crate::account::campaign::missed::{self, Missed};
use crate::account::campaign::wave::{self, Page, Went};
use crate::account::campaign::{self, put_off};
use crate::account::record::account_row::Account;
use crate::account::record::campaign_row::{CampaignReason, CampaignRow, CampaignState, Counted};
use crate::account::unit_of_work::{self, UnitOfWork};
use crate::auth::Mode;
use crate::auth::secret::MasterKey;
use crate::base::cache::Cache;
use crate::base::config::Config;
use crate::base::ports::{Platform, PortError, Sql};
use crate::compose::composer::Composer;
use crate::compose::learned::{Again, Learned};
use crate::compose::message::{kept_hours, message};
use crate::compose::wave::{self as compose, Most, People};
use crate::directory::profile::{SharedLines, profile};
use crate::problem::Problem;
use crate::problem::warning::Remarks;

/// The most people of a wave: what a carrier takes in one call or two, so that a pause and the account's codes do not wait for more.
const WAVE: usize = 1_000;
/// How long a campaign waits that could not go on, ms, so that others go on first.
const WAIT_MS: i64 = 10_000;
/// A page is tried at most so many times.
const MAX_TRIES: usize = 5;

/// Goes on with the campaign that is due first; `false`: none is due.
pub async fn go(platform: &impl Platform, sql: &impl Sql) -> Result<bool, PortError> {
    let now_ms = platform.now_ms();
    let (Some(campaign), Some(account)) = (campaign::next(sql, now_ms)?, Account::stored(sql)?) else {
        return Ok(false);
    };
    if let Some(opens_ms) = opens_ms(platform, &campaign, now_ms).filter(|_| campaign.state == CampaignState::Running) {
        return put_off(sql, campaign.id, opens_ms).map(|()| true);
    }
    let done = match campaign.state {
        CampaignState::Counting | CampaignState::Running => go_on(platform, sql, &account.id, &campaign).await,
        _ => work(platform, sql, |work| wave::begin(sql, work, &campaign)),
    };
    if done.is_err() {
        put_off(sql, campaign.id, now_ms.saturating_add(WAIT_MS))?;
    }
    done.map(|()| true)
}

/// When the hours of a campaign begin; `None`: its waves may go out now.
fn opens_ms(platform: &impl Platform, campaign: &CampaignRow, now_ms: i64) -> Option<i64> {
    let window = campaign.plan.window.as_ref()?;
    window.opens_ms(platform, now_ms)
}

/// For which hours of its line a wave would wait.
enum Closed {
    /// They begin at this time, ms since the Unix epoch.
    Until(i64),
    /// They and those of the campaign have no time in common.
    Always,
}

/// Whether a wave would wait for the hours of its line. It is made when they begin, of the people and at the price of that time.
fn closed(platform: &impl Platform, campaign: &CampaignRow, page: &Page) -> Option<Closed> {
    let message = page.message.as_ref();
    let opens_ms = message.filter(|_| campaign.state == CampaignState::Running)?.opens_ms?;
    Some(match campaign.plan.window.as_ref().zip(page.hours.as_ref()) {
        None => Closed::Until(opens_ms),
        Some((window, hours)) => match window.opens_with_ms(hours, platform, opens_ms) {
            Some(opens_ms) => Closed::Until(opens_ms),
            None => Closed::Always,
        },
    })
}

/// Goes on by one page.
async fn go_on<P: Platform, S: Sql>(
    platform: &P,
    sql: &S,
    account: &str,
    campaign: &CampaignRow,
) -> Result<(), PortError> {
    let mut learned = Learned::default();
    for _ in 0..MAX_TRIES {
        let page = match page(platform, sql, account, campaign, &learned).await {
            Ok(page) => page,
            Err(problem) => {
                let reason = reason_of(problem)?;
                return work(platform, sql, |work| wave::pause(sql, work, campaign, reason));
            }
        };
        match closed(platform, campaign, &page) {
            None => {}
            Some(Closed::Until(opens_ms)) => return put_off(sql, campaign.id, opens_ms),
            Some(Closed::Always) => {
                return work(platform, sql, |work| {
                    wave::pause(sql, work, campaign, CampaignReason::NoLine)
                });
            }
        }
        match work(platform, sql, |work| wave::go_on(sql, work, campaign, &page))? {
            Went::On => return Ok(()),
            Went::LeaveOut(numbers, error) => learned.learn(&Again::Without(&numbers, error)),
            Went::PatternsStale(stale) => learned.learn(&Again::Patterns(&stale)),
        }
    }
    Err(PortError::unavailable(
        "campaign",
        "a pattern or the blacklist changes again and again",
    ))
}

/// Works on the account's row in a transaction of its own.
fn work<T: Default>(
    platform: &impl Platform,
    sql: &impl Sql,
    work_on: impl FnOnce(&mut UnitOfWork) -> Result<T, PortError>,
) -> Result<T, PortError> {
    let master_key = MasterKey::of(platform);
    let done = unit_of_work::run(sql, platform.now_ms(), |work| {
        work.master_key = master_key;
        work_on(work)
    })?;
    Ok(done.unwrap_or_default())
}

/// The next page of a campaign's audience, as a message.
async fn page<P: Platform, S: Sql>(
    platform: &P,
    sql: &S,
    account: &str,
    campaign: &CampaignRow,
    learned: &Learned,
) -> Result<Page, Problem> {
    let config = Config::read(|name| platform.setting(name)).map_err(|error| PortError::failed("settings", error))?;
    let profile = profile(platform.db(), account, &SharedLines::default()).await?;
    let profile = profile.ok_or(PortError::failed("d1", "the account has no profile"))?;
    let (patterns, warnings) = (Cache::default(), Remarks::default());
    let composer = Composer {
        platform,
        config: &config,
        patterns: &patterns,
        warnings: &warnings,
        account,
        profile: &profile,
        mode: Mode::of(campaign.test),
        lines: campaign.starter.lines.as_deref(),
        language: config.default_language,
        now_ms: platform.now_ms(),
    };
    let most = most(sql, campaign)?;
    let missed = missed::next(sql, campaign, compose::most_numbers(&campaign.plan).min(most.people))?;
    let numbers = missed.as_ref().map(Missed::numbers);
    let people = match &numbers {
        Some(numbers) => People::Among(numbers),
        None if campaign.test => People::From(campaign.next, looked_at(sql, campaign)?),
        None => People::From(campaign.next, 0),
    };
    let wave = compose::wave(&composer, &campaign.plan, people, most, learned).await?;
    let (next, mut counted) = match &missed {
        Some(missed) => (missed.next_from(wave.next), missed.left_out(wave.absent)),
        None => (wave.next, Counted::default()),
    };
    let Some((request, mut draft)) = wave.draft else {
        return Ok(Page {
            message: None,
            hours: None,
            counted,
            next,
        });
    };
    counted.add(&compose::counted(&draft, &wave.left_out));
    let hours = kept_hours(&request, &draft).cloned();
    if composer.is_test() {
        draft.make_free();
    }
    let left_out = Learned {
        heard: learned.heard.clone(),
        skipped: wave.left_out,
    };
    let (mut message, _) = message(&composer, &request, draft, None, &left_out)?;
    message.campaign = Some(campaign.id);
    if let Some(missed) = &missed {
        missed.avoid_carriers(&mut message)?;
    }
    Ok(Page {
        message: Some(message),
        hours,
        counted,
        next,
    })
}

/// How many people a campaign has looked at since it was counted last, or since it was started.
fn looked_at(sql: &impl Sql, campaign: &CampaignRow) -> Result<u64, PortError> {
    let count = match campaign.state {
        CampaignState::Counting => {
            let Counted { people, skipped, .. } = &campaign.counted;
            skipped.values().fold(*people, |sum, count| sum.saturating_add(*count))
        }
        _ => {
            let sums = campaign.sums(sql)?;
            sums.recipients.saturating_add(sums.skipped)
        }
    };
    Ok(u64::try_from(count).unwrap_or_default())
}

/// How large the next wave may be.
fn most(sql: &impl Sql, campaign: &CampaignRow) -> Result<Most, PortError> {
    if campaign.state == CampaignState::Counting {
        return Ok(Most {
            people: WAVE,
            cost: None,
        });
    }
    let pace = campaign.plan.per_minute.and_then(|pace| usize::try_from(pace).ok());
    Ok(Most {
        people: pace.map_or(WAVE, |pace| pace.clamp(1, WAVE)),
        // What a test key sends costs nothing.
        cost: match campaign.test {
            true => None,
            false => wave::budget_left(sql, campaign)?,
        },
    })
}

/// Why a campaign can't go on. What is no fault of the campaign is a failure, and tried again.
fn reason_of(problem: Problem) -> Result<CampaignReason, PortError> {
    match problem {
        Problem::Unavailable(cause) | Problem::Internal(cause) => Err(PortError::unavailable("campaign", cause)),
        Problem::NotFound => Ok(CampaignReason::NoPhonebook),
        Problem::HeadNumberNotFound { .. } | Problem::ServiceLine(_) => Ok(CampaignReason::NoLine),
        _ => Ok(CampaignReason::NotSendable),
    }
}
