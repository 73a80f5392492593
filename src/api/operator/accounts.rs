//! Accounts as operators see them.

use serde_json::{Value, json};
use sms::destination::Prefix;

use super::holds::hold_back;
use crate::account::limiter::Limit;
use crate::account::overview::{Configure, GetOverview, Overview};
use crate::account::record::caps::{RecipientLimit, SpendLimit};
use crate::account::record::ledger::Wallet;
use crate::account::{OPERATOR, limiter};
use crate::api::http::forms::{Form, Look, choice, flag, formed, integer, made, or_null, search, text};
use crate::api::http::json_fields::{Body, Fields};
use crate::api::http::{Response, body::JsonBody, context::Context, query::Paged, respond::Success};
use crate::api::shared::account::{WalletData, find, must_be_open, must_exist, status};
use crate::api::shared::destinations::destinations;
use crate::api::shared::view::{E164, RecipientUid, recipient_uid};
use crate::base::ports::{MAX_INTEGER, Platform};
use crate::base::truncate::{self, Excerpt};
use crate::base::{id, time};
use crate::carrier::kind::Kind;
use crate::carrier::sandbox::{self, Handed, ListHanded};
use crate::directory::accounts::{self, Change, ListedAccount, New};
use crate::directory::{lines, plans};
use crate::durable::storage;
use crate::problem::{Conflict, Problem, field_error::FieldErrorKind};
use crate::{answer, body, query};

/// The plan of an account that is created without one. It always exists.
const DEFAULT_PLAN: &str = "default";
const MAX_NAME: usize = 200;
const MAX_REASON: usize = 300;

static USERNAME: Look = Look {
    min: 3,
    max: 64,
    pattern: "^[A-Za-z0-9._@-]{3,64}$",
    fault: FieldErrorKind::BadFormat("[A-Za-z0-9._@-]{3,64}"),
    is_met: is_username,
};

body! {
    /// An account to create.
    pub struct NewAccount {
        /// A name that no other account has.
        username: String = must "username" formed(&USERNAME).described(|name| name.with("not", json!({"const": OPERATOR}))) => "shop";
        full_name: String = must "fullName" text(MAX_NAME) => "A Shop";
        /// The slug of a plan.
        plan: Option<String> = can "plan" text(64) => "default";
    }

    /// What to change. What is left out stays.
    pub struct AccountChange {
        active: Option<bool> = can "status" choice(&[true, false], status);
        sending_enabled: Option<bool> = can "sendingEnabled" flag();
        /// Whether the account is on hold: nothing more of it leaves, and nothing is lost.
        on_hold: Option<bool> = can "hold" flag() => true;
        /// Why the account is on hold, may not send or is not active: its people read it. It goes when none of these is so; `null` takes it
        /// away.
        reason: Option<Option<String>> = can "reason" or_null(text(MAX_REASON)) => "Your invoice 17 is not paid.";
        /// `null` means the default: 1,200 a minute, 300 at once.
        limit: Option<Option<Limit>> = can "rateLimit" or_null(made(limit));
        /// What the account's test keys get, all together; `null` means the default: 60 a minute.
        test_limit: Option<Option<Limit>> = can "testRateLimit" or_null(made(limit));
        /// `null` means the default: 20 an hour.
        recipient_limit: Option<Option<RecipientLimit>> = can "recipientLimit" or_null(made(recipient_limit));
        /// What may be spent in a day of UTC; `null` means as much as there is.
        daily_spend: Option<Option<i64>> = can "dailySpend" or_null(integer(0, MAX_INTEGER)) => 5_000_000;
        full_name: Option<String> = can "fullName" text(MAX_NAME) => "A Shop";
        /// The slug of a plan.
        plan: Option<String> = can "plan" text(64) => "default";
        /// A line that the account may use; `null` takes the default line away.
        default_line: Option<Option<String>> = can "defaultLine" or_null(text(32)) => "10001";
        /// Where the account sends; `null` means what the setting `DESTINATIONS` says.
        destinations: Option<Option<Vec<Prefix>>> = can "destinations" or_null(destinations());
    }

    /// A rate limit.
    pub struct RateLimit {
        /// How many tokens the account gets in a window.
        limit: i64 = must "limit" integer(1, Limit::MAX_LIMIT.into()) => 1_200;
        /// How long a window is.
        window_s: i64 = must "windowSeconds" integer(1, Limit::MAX_WINDOW_S.into()) => 60;
        /// How many tokens it can save up.
        burst: i64 = must "burst" integer(1, Limit::MAX_BURST.into()) => 300;
    }

    /// How many messages of patterns a recipient may get in a window.
    pub struct NewRecipientLimit {
        /// How many; 0 switches the limit off.
        limit: i64 = must "limit" integer(0, RecipientLimit::MAX_LIMIT.into()) => 20;
        /// How long a window is.
        window_s: i64 = must "windowSeconds" integer(1, RecipientLimit::MAX_WINDOW_S.into()) => 3_600;
    }
}

fn limit(new: RateLimit, _: &mut Fields<'_>) -> Option<Limit> {
    let [limit, window_s, burst] = [new.limit, new.window_s, new.burst].map(|number| u32::try_from(number).ok());
    Limit::new(limit?, window_s?, burst?).ok()
}

fn recipient_limit(new: NewRecipientLimit, _: &mut Fields<'_>) -> Option<RecipientLimit> {
    Some(RecipientLimit {
        limit: u32::try_from(new.limit).ok()?,
        window_seconds: u32::try_from(new.window_s).ok()?,
    })
}

answer! {
    /// An account, with the status and balance of the mirror.
    pub struct AccountSummaryData(entry: &ListedAccount, active: bool, sending_enabled: bool, money: Wallet, unit: &str) as "AccountSummary" {
        "id": entry.id, id();
        "username": entry.username, any_text() => "shop";
        "fullName": entry.full_name, any_text() => "A Shop";
        "status": status(active), named("AccountStatus");
        /// Whether the account may send.
        "sendingEnabled": sending_enabled, flag() => true;
        "plan": PlanOfAccount::of(entry), PlanOfAccount::schema();
        /// The line of sends that name none.
        "defaultLine": entry.default_line, line().or_null();
        "wallet": WalletData::of(money, unit), declared::<WalletData>();
        "createdAt": time::to_rfc3339(entry.created_ms), time();
        /// When the account was closed for good. `null`: it is open.
        "closedAt": entry.closed_ms.map(time::to_rfc3339), time().or_null();
    }

    pub struct PlanOfAccount(entry: &ListedAccount) {
        "slug": entry.plan_slug, any_text() => "default";
        "title": entry.plan_title, any_text() => "Default";
    }

    /// An account, with its true status and balance.
    pub struct AccountData(entry: &ListedAccount, own: &Overview, home: &[Prefix], unit: &str, now_ms: i64) as "Account"
        with AccountSummaryData(entry, own.active, own.sending_enabled, own.wallet, unit)
    {
        /// Whether the account is on hold: nothing of it leaves.
        "hold": own.on_hold, flag() => false;
        /// Why it is on hold, may not send or is not active, as its people read it.
        "reason": own.reason, any_text().or_null() => null;
        "rateLimit": own.limit, declared::<RateLimit>();
        /// What the account's test keys get, all together.
        "testRateLimit": own.test_limit, declared::<RateLimit>();
        "recipientLimit": own.recipient_limit, declared::<NewRecipientLimit>();
        /// What may be spent in a day of UTC.
        "dailySpend": own.daily_spend.limit, money().or_null() => 5_000_000;
        /// What is spent today.
        "spentToday": own.daily_spend.spent_by(now_ms), money() => 12_000;
        "destinations": entry.destinations.as_deref().unwrap_or(home), any_list(any_text().like("98"));
        "storage": StorageData::of(own), StorageData::schema();
    }

    pub struct StorageData(own: &Overview) {
        /// How large the account's object is.
        "bytes": own.storage_bytes, integer(0, MAX_INTEGER) => 122_880;
        /// From which size on it takes no messages.
        "maxBytes": storage::MAX_BYTES, integer(1, MAX_INTEGER) => 8_589_934_592_i64;
    }

    /// What the sandbox was handed.
    pub struct SandboxItemData(item: &Handed, text: Excerpt<'_>) as "SandboxItem" {
        "uid": RecipientUid(&item.uid, item.index), recipient_uid();
        "recipient": E164(item.msisdn), number_or_erased();
        "message": text.text, any_text() => "Your code is 1234.";
        may "textTruncated": text.is_cut.then_some(true), cut();
        /// How often the sandbox has taken it.
        "taken": item.taken, count() => 1;
        /// How often the sandbox has refused it.
        "refused": item.refused, count() => 0;
        "handedAt": time::to_rfc3339(item.at_ms), time();
    }
}

/// An account with the status and the balance of the mirror.
fn mirrored_data(entry: &ListedAccount, unit: &str) -> Value {
    let mirror = Wallet {
        available: entry.available,
        locked: entry.locked,
        ..Wallet::default()
    };
    AccountSummaryData::of(entry, entry.active, entry.sending_enabled, mirror, unit)
}

/// An account as it is now.
async fn show<P: Platform>(context: &Context<'_, P>, id: &str) -> Result<Value, Problem> {
    let mut entry = find(context, id).await?;
    let overview = context.call_other(id, &GetOverview).await?;
    entry.closed_ms = overview.closed_ms;
    let config = &context.app.config;
    Ok(AccountData::of(
        &entry,
        &overview,
        &config.destinations,
        &config.unit,
        context.request.now_ms,
    ))
}

/// Notes a fault if the plan does not exist.
async fn check_plan<P: Platform>(
    context: &Context<'_, P>,
    fields: &mut Fields<'_>,
    plan: Option<&str>,
) -> Result<(), Problem> {
    if let Some(slug) = plan
        && !plans::exists(context.platform.db(), slug).await?
    {
        fields.fault("plan", FieldErrorKind::DoesNotExist("a plan", "این پلن"));
    }
    Ok(())
}

/// Notes a fault if the account may not use the line.
async fn check_default_line<P: Platform>(
    context: &Context<'_, P>,
    fields: &mut Fields<'_>,
    account: &str,
    line: Option<&str>,
) -> Result<(), Problem> {
    if let Some(number) = line
        && !lines::may_use(context.platform.db(), number, account).await?
    {
        fields.fault(
            "defaultLine",
            FieldErrorKind::DoesNotExist("a line of this account", "این سرشماره برای این حساب"),
        );
    }
    Ok(())
}

fn is_username(text: &str) -> bool {
    text.bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'@' | b'-'))
}

/// `POST /admin/accounts`
pub async fn create<P: Platform>(context: &Context<'_, P>, body: &JsonBody) -> Result<Response, Problem> {
    let mut fields = context.fields(body);
    let new = NewAccount::read(&mut fields);
    if new.username == OPERATOR {
        fields.fault(
            "username",
            FieldErrorKind::BadForm("a name other than \"operator\"", "نامی غیر از «operator»"),
        );
    }
    check_plan(context, &mut fields, new.plan.as_deref()).await?;
    fields.finish()?;
    let id = id::new(context.platform)?;
    let account = New {
        id: &id,
        username: &new.username,
        full_name: &new.full_name,
        plan: new.plan.as_deref().unwrap_or(DEFAULT_PLAN),
    };
    let inserted = accounts::insert(&context.audited_db(&id)?, account, context.request.now_ms).await?;
    if !inserted {
        return Err(Problem::Conflict(Conflict::UsernameTaken));
    }
    Success::created(show(context, &id).await?).response(context)
}

query! {
    pub struct AccountsWish {
        /// Finds accounts whose username, name or id begins with it, in upper or lower case.
        search: Option<String> = can "q" search();
    }
}

/// `GET /admin/accounts`: the mirrored statuses and balances, which may be a few seconds old.
pub async fn list<P: Platform>(context: &Context<'_, P>, query: Paged<'_, AccountsWish>) -> Result<Response, Problem> {
    let (page, AccountsWish { search }) = query.listed_by_name("admin/accounts")?;
    let (db, after) = (context.platform.db(), page.after().map(String::as_str));
    let mut entries = match &search {
        Some(search) => accounts::search(db, page.limit(), after, search).await?,
        None => accounts::page(db, page.limit(), after).await?,
    };
    let next = page.cut(&mut entries, |entry| entry.id.clone());
    let unit = &context.app.config.unit;
    Success::page(entries.iter().map(|entry| mirrored_data(entry, unit)), next).response(context)
}

/// `GET /admin/accounts/{id}`
pub async fn get<P: Platform>(context: &Context<'_, P>, id: &str) -> Result<Response, Problem> {
    Success::ok(show(context, id).await?).response(context)
}

/// `PATCH /admin/accounts/{id}`. `"defaultLine": null` takes the default line away.
pub async fn change<P: Platform>(context: &Context<'_, P>, id: &str, body: &JsonBody) -> Result<Response, Problem> {
    must_be_open(context, id).await?;
    let mut fields = context.fields(body);
    let new = AccountChange::read(&mut fields);
    check_plan(context, &mut fields, new.plan.as_deref()).await?;
    let default_line = new.default_line.as_ref().map(Option::as_deref);
    check_default_line(context, &mut fields, id, default_line.flatten()).await?;
    fields.finish()?;
    let configure = Configure {
        active: new.active,
        sending_enabled: new.sending_enabled,
        limit: new.limit.map(Option::unwrap_or_default),
        test_limit: new.test_limit.map(|limit| limit.unwrap_or_else(limiter::of_tests)),
        recipient_limit: new.recipient_limit.map(Option::unwrap_or_default),
        spend_limit: new.daily_spend.map(|limit| SpendLimit { limit }),
        on_hold: new.on_hold,
        reason: new.reason.map(Option::unwrap_or_default),
    };
    let change = Change {
        full_name: new.full_name.as_deref(),
        plan: new.plan.as_deref(),
        default_line,
        destinations: new.destinations.as_ref().map(Option::as_deref),
    };
    let with_carriers = context.call_other(id, &configure).await?;
    if let Some(with_carriers) = &with_carriers {
        hold_back(context, id, with_carriers).await?;
    }
    accounts::update(&context.audited_db(id)?, id, change).await?;
    context.app.profiles.forget(id);
    Success::ok(show(context, id).await?).response(context)
}

/// `GET /admin/accounts/{id}/sandbox`: what the sandbox carrier was handed for this account.
pub async fn sandbox<P: Platform>(context: &Context<'_, P>, id: &str, query: Paged<'_>) -> Result<Response, Problem> {
    let (page, ()) = query.listed(&format!("sandbox/{id}"))?;
    must_exist(context, id).await?;
    let asked = page.to_read();
    let list = ListHanded {
        limit: asked.limit,
        after: asked.after,
    };
    let mut handed = sandbox::handed(context.platform, Kind::Sandbox.as_str(), id, &list).await?;
    let next = page.cut(&mut handed, |item| item.id);
    if !handed.is_empty() {
        context.note_shown(&[(id, None)]).await?;
    }
    let items = handed
        .iter()
        .map(|item| SandboxItemData::of(item, Excerpt::of(&item.text, truncate::MESSAGE_BYTES)));
    Success::page(items, next).response(context)
}
