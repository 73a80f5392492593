//! Status, switches, limit and money of an account, and how operators change them.

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::hold;
use super::limiter::{self, Limit};
use super::request::{ReplyResult, Request, Wakes};
use crate::account::record::account_row::{Account, MIRROR_DELAY_MS};
use crate::account::record::caps::{DailySpend, RecipientLimit, SpendLimit};
use crate::account::record::chunk::with_carriers::WithCarriers;
use crate::account::record::ledger::Wallet;
use crate::account::unit_of_work::UnitOfWork;
use crate::base::ports::{PortError, Sql};
use crate::durable::audit::Subject;

/// The time zone of an account that has chosen none.
const USUAL_TIME_ZONE: &str = "Asia/Tehran";

fn usual_time_zone() -> String {
    USUAL_TIME_ZONE.to_owned()
}

/// The name of the account's time zone.
fn time_zone(account: &Account) -> String {
    account.time_zone.clone().unwrap_or_else(usual_time_zone)
}

/// Status, switches, limit, money, size and time zone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Overview {
    /// Whether the account is active.
    pub active: bool,
    /// The account's own sending switch.
    pub sending_enabled: bool,
    /// Whether the account is on hold.
    #[serde(default)]
    pub on_hold: bool,
    /// The rate limit.
    pub limit: Limit,
    /// The rate limit of test keys.
    #[serde(default = "limiter::of_tests")]
    pub test_limit: Limit,
    /// How many messages of patterns a recipient may get.
    #[serde(default)]
    pub recipient_limit: RecipientLimit,
    /// What may be spent in a day, and what is spent today.
    #[serde(default)]
    pub daily_spend: DailySpend,
    /// When the account was closed, ms since the Unix epoch. `None`: it is open.
    #[serde(default)]
    pub closed_ms: Option<i64>,
    /// Why it is not active, may not send or is on hold, in an operator's words.
    #[serde(default)]
    pub reason: Option<String>,
    /// The money.
    pub wallet: Wallet,
    /// Bytes that the object keeps.
    #[serde(default)]
    pub storage_bytes: i64,
    /// The time zone of its days, by its name in the IANA database.
    #[serde(default = "usual_time_zone")]
    pub time_zone: String,
}

impl Overview {
    fn of(sql: &impl Sql, account: &Account) -> Result<Self, PortError> {
        Ok(Overview {
            active: account.active,
            sending_enabled: account.sending_enabled,
            on_hold: account.on_hold,
            limit: account.limit,
            test_limit: account.test_limit,
            recipient_limit: account.recipient_limit,
            daily_spend: account.daily_spend,
            closed_ms: account.closed_ms,
            reason: account.reason.clone(),
            wallet: account.wallet,
            storage_bytes: sql.size_bytes()?,
            time_zone: time_zone(account),
        })
    }
}

/// Asks for the overview.
#[derive(Debug, Serialize, Deserialize)]
pub struct GetOverview;

impl Request for GetOverview {
    const NAME: &'static str = "GetOverview";
    const WAKES: Wakes = Wakes::Never;
    type Reply = Overview;

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<Overview> {
        Overview::of(sql, &work.account).map_err(Into::into)
    }
}

/// Changes what the account decides for itself; what is `None` stays.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct ChangeSettings {
    /// Its time zone, by its name in the IANA database. The runtime knows it.
    #[serde(default)]
    pub time_zone: Option<String>,
}

impl Request for ChangeSettings {
    const NAME: &'static str = "ChangeSettings";
    const WAKES: Wakes = Wakes::Never;
    type Reply = Overview;

    fn audited(&self, _: &impl Sql, work: &UnitOfWork) -> Result<Option<Subject>, PortError> {
        let state = json!({"timeZone": time_zone(&work.account)});
        Ok(Some(Subject::of(Some(state))))
    }

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<Overview> {
        if let Some(time_zone) = &self.time_zone {
            work.account.time_zone = Some(time_zone.clone());
        }
        Overview::of(sql, &work.account).map_err(Into::into)
    }
}

/// Changes settings; what is `None` stays.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Configure {
    /// Whether the account is active.
    pub active: Option<bool>,
    /// The account's own sending switch.
    pub sending_enabled: Option<bool>,
    /// The rate limit.
    pub limit: Option<Limit>,
    /// The rate limit of test keys.
    #[serde(default)]
    pub test_limit: Option<Limit>,
    /// How many messages of patterns a recipient may get.
    #[serde(default)]
    pub recipient_limit: Option<RecipientLimit>,
    /// What may be spent in a day.
    #[serde(default)]
    pub spend_limit: Option<SpendLimit>,
    /// Whether the account is on hold.
    #[serde(default)]
    pub on_hold: Option<bool>,
    /// Why it is not active, may not send or is on hold; an empty text takes the reason away.
    #[serde(default)]
    pub reason: Option<String>,
}

impl Request for Configure {
    const NAME: &'static str = "Configure";
    const NEEDS_OPEN: bool = true;
    const LOOKS_AGAIN: bool = true;
    const WAKES: Wakes = Wakes::In(MIRROR_DELAY_MS);
    /// What carriers still have of an account that is put on hold.
    type Reply = Option<WithCarriers>;

    fn audited(&self, _: &impl Sql, work: &UnitOfWork) -> Result<Option<Subject>, PortError> {
        let account = &work.account;
        let state = json!({
            "status": if account.active { "ACTIVE" } else { "INACTIVE" },
            "sendingEnabled": account.sending_enabled,
            "hold": account.on_hold,
            "reason": account.reason,
            "rateLimit": account.limit,
            "testRateLimit": account.test_limit,
            "recipientLimit": account.recipient_limit,
            "dailySpend": account.daily_spend.limit,
        });
        Ok(Some(Subject::of(Some(state))))
    }

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<Option<WithCarriers>> {
        work.account.active = self.active.unwrap_or(work.account.active);
        work.account.sending_enabled = self.sending_enabled.unwrap_or(work.account.sending_enabled);
        work.account.limit = self.limit.unwrap_or(work.account.limit);
        work.account.test_limit = self.test_limit.unwrap_or(work.account.test_limit);
        work.account.recipient_limit = self.recipient_limit.unwrap_or(work.account.recipient_limit);
        work.account.daily_spend.limit = self
            .spend_limit
            .map_or(work.account.daily_spend.limit, |spend| spend.limit);
        work.account.touch(work.now_ms);
        let with_carriers = self.on_hold.map(|on_hold| hold::set(sql, work, on_hold)).transpose()?;
        set_reason(sql, &mut work.account, self.reason.as_deref())?;
        Ok(with_carriers.flatten())
    }
}

/// Notes why the account does not send as it could, if that is told. The reason goes when the account does.
fn set_reason(sql: &impl Sql, account: &mut Account, told: Option<&str>) -> Result<(), PortError> {
    let sends = account.active && account.sending_enabled && !account.on_hold;
    let reason = told.map_or_else(|| account.reason.clone(), |told| Some(told.to_owned()));
    let reason = reason.filter(|reason| !sends && !reason.is_empty());
    if reason == account.reason {
        return Ok(());
    }
    match &reason {
        Some(reason) => sql.exec(
            "INSERT INTO standing (one, reason) VALUES (1, ?1) ON CONFLICT DO UPDATE SET reason = excluded.reason",
            &[reason.as_str().into()],
        )?,
        None => sql.exec("DELETE FROM standing", &[])?,
    };
    account.reason = reason;
    Ok(())
}
