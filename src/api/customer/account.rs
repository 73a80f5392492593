//! The caller's own account: its wallet, its prices and its lines.

use serde_json::Value;

use crate::account::overview::{ChangeSettings, GetOverview, Overview};
use crate::account::unsent::GetUnsent;
use crate::api::http::json_fields::Body;
use crate::api::http::{Response, body::JsonBody, context::Context, forms::text, query::Paged, respond::Success};
use crate::api::shared::account::{WalletData, status};
use crate::api::shared::destinations::{MAX_PRICE, PriceToData};
use crate::api::shared::line_data::{CoefficientsData, class, class_schema, operations, operations_schema};
use crate::api::shared::unsent::UnsentData;
use crate::api::shared::window::{MAX_ZONE, WindowData};
use crate::base::config::Config;
use crate::base::ports::Platform;
use crate::directory::{lines::Line, profile::Profile};
use crate::problem::{Problem, field_error::FieldErrorKind};
use crate::{answer, body};

answer! {
    /// The account of the key.
    pub struct AccountInfoData(id: &str, profile: &Profile, overview: &Overview, unit: &str) as "AccountInfo" {
        "wallet": WalletData::of(overview.wallet, unit), declared::<WalletData>();
        "accountInfo": OwnAccountData::of(id, profile, overview), OwnAccountData::schema();
    }

    pub struct OwnAccountData(id: &str, profile: &Profile, overview: &Overview) {
        "id": id, id();
        "username": profile.username, any_text() => "shop";
        "fullName": profile.full_name, any_text() => "A Shop";
        "status": status(overview.active), named("AccountStatus");
        "plan": OwnPlanData::of(profile), OwnPlanData::schema();
        /// The time zone of the account's days.
        "timeZone": overview.time_zone, any_text() => "Asia/Tehran";
    }

    /// What an account decides for itself.
    pub struct AccountSettingsData(overview: &Overview) as "AccountSettings" {
        /// The time zone of the account's days.
        "timeZone": overview.time_zone, any_text() => "Asia/Tehran";
    }

    pub struct OwnPlanData(profile: &Profile) {
        "title": profile.plan.title, any_text() => "Default";
    }

    /// What messages cost.
    pub struct PricesData(profile: &Profile, config: &Config) as "Tariff" {
        "plan": OwnPlanData::of(profile), OwnPlanData::schema();
        "tariff": OwnTariffData::of(profile), OwnTariffData::schema();
        /// The coefficients of each line.
        "textsCoefficients": prices_of_lines(profile), any_list(PricesOfLine::schema());
        /// Where the account sends: the prefixes of the numbers.
        "destinations": profile.destinations(config), any_list(any_text().like("98"));
        /// The most parts of one message.
        "maxParts": config.max_parts, integer(1, 255) => 10;
        /// The most recipients of one send.
        "maxRecipients": config.max_recipients, integer(1, 10_000) => 1_000;
        /// The most recipients of one send to phonebooks.
        "maxPhonebookRecipients": config.max_phonebook_recipients, integer(1, 10_000);
    }

    pub struct OwnTariffData(profile: &Profile) {
        "title": profile.plan.tariff_title, any_text() => "Default";
        "slug": profile.plan.tariff_slug, any_text() => "default";
        /// The price of one part.
        "price": profile.plan.price, integer(0, MAX_PRICE) => 1_000;
        /// The prices to numbers abroad, or to ranges of numbers: the longest prefix counts.
        "prices": profile.plan.prices.iter().map(PriceToData::of).collect::<Vec<_>>(), any_list(declared::<PriceToData>());
    }

    pub struct PricesOfLine(line: &Line) with CoefficientsData(&line.coefficients) {
        /// The line's number.
        "title": line.number, line();
    }

    /// A line that the key may send from.
    pub struct OwnLineData(profile: &Profile, line: &Line) as "OwnLine" {
        "number": line.number, line();
        "operations": operations(line), operations_schema();
        "class": class(line), class_schema();
        /// Whether all accounts may use it.
        "shared": line.shared, flag();
        /// Whether sends may ask for `"encoding": "CHEAPEST"`.
        "cheapest": line.cheapest, flag() => true;
        /// What is appended to texts that go to many, unless they have it.
        "suffix": line.suffix, any_text().or_null() => null;
        /// When own texts to many may leave: what comes at another time waits. `null`: at any time.
        "hours": line.hours.as_ref().map(WindowData::of), declared::<WindowData>().or_null() => null;
        /// Whether a send that names no line goes from it.
        "default": profile.default_line.as_deref() == Some(line.number.as_str()), flag();
    }
}

fn prices_of_lines(profile: &Profile) -> Vec<Value> {
    let lines = profile.lines().filter(|line| line.active);
    lines.map(PricesOfLine::of).collect()
}

/// `GET /account/info`
pub async fn info<P: Platform>(context: &Context<'_, P>) -> Result<Response, Problem> {
    let overview = context.call(&GetOverview).await?;
    let profile = context.profile().await?;
    let account = context.caller()?.account();
    let info = AccountInfoData::of(account, &profile, &overview, &context.app.config.unit);
    Success::ok(info).response(context)
}

body! {
    /// What an account decides for itself. What is left out stays.
    pub struct NewAccountSettings {
        /// The time zone of the account's days, by its name in the IANA database.
        time_zone: Option<String> = can "timeZone" text(MAX_ZONE) => "Asia/Tehran";
    }
}

/// `PATCH /account/info`
pub async fn change<P: Platform>(context: &Context<'_, P>, body: &JsonBody) -> Result<Response, Problem> {
    let mut fields = context.fields(body);
    let NewAccountSettings { time_zone } = NewAccountSettings::read(&mut fields);
    let now_ms = context.request.now_ms;
    let is_unknown = |zone: &&String| context.platform.utc_offset_minutes(zone, now_ms).is_none();
    if let Some(zone) = time_zone.as_ref().filter(is_unknown) {
        fields.fault("timeZone", FieldErrorKind::NoTimeZone(zone.clone()));
    }
    fields.finish()?;
    let overview = context.call(&ChangeSettings { time_zone }).await?;
    Success::ok(AccountSettingsData::of(&overview)).response(context)
}

/// `GET /plan/tariff`
pub async fn tariff<P: Platform>(context: &Context<'_, P>) -> Result<Response, Problem> {
    let profile = context.profile().await?;
    Success::ok(PricesData::of(&profile, &context.app.config)).response(context)
}

/// `GET /account/unsent`
pub async fn unsent<P: Platform>(context: &Context<'_, P>) -> Result<Response, Problem> {
    let mode = Some(context.caller()?.mode());
    let unsent = context.call(&GetUnsent { mode }).await?;
    Success::ok(UnsentData::of(&unsent, context.request.now_ms)).response(context)
}

/// `GET /lines`
pub async fn lines<P: Platform>(context: &Context<'_, P>, query: Paged<'_>) -> Result<Response, Problem> {
    let (page, ()) = query.listed_by_name("lines")?;
    let profile = context.profile().await?;
    let caller = context.caller()?;
    let is_behind = |line: &&Line| page.after().is_none_or(|after| line.number > *after);
    let own = profile
        .lines()
        .filter(|line| line.active && caller.may_use_line(&line.number));
    let limit = usize::try_from(page.limit()).unwrap_or(usize::MAX);
    let mut lines: Vec<&Line> = own.filter(is_behind).take(limit).collect();
    let next = page.cut(&mut lines, |line| line.number.clone());
    Success::page(lines.iter().map(|line| OwnLineData::of(&profile, line)), next).response(context)
}
