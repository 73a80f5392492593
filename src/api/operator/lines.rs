//! Lines: the numbers that accounts send from.

use std::collections::BTreeMap;

use serde_json::Value;
use sms::price::{Coefficient, Coefficients, Operation};
use sms::routing::{Route, Routes};

use super::line_routes::{self, RouteData};
use super::queue_depth::QueueDepthData;
use crate::api::http::forms::{Form, Look, any_text, by, choice, flag, formed, list_of, object, or_null, search};
use crate::api::http::json_fields::{self, Body, Fields, Place};
use crate::api::http::{self, Response, body::JsonBody, context::Context, query::Paged, respond::Success};
use crate::api::shared::line_data::{
    CoefficientsData, OPERATIONS, class, class_schema, coefficient, operation_name, operations, operations_schema,
};
use crate::api::shared::window::{WindowData, window};
use crate::base::{cache::KEPT_MS, ports::Platform, window::Window};
use crate::carrier::{control, kind::Kind, waiting_list};
use crate::directory::carriers;
use crate::directory::lines::{self, Change, Line, ListedLine};
use crate::directory::queue_depth::{self, QueueDepth};
use crate::problem::{Conflict, Problem, field_error::FieldErrorKind};
use crate::{answer, body, either, query};

/// A line is assigned to at most this many accounts.
const MAX_ACCOUNTS: usize = 1_000;

/// In a list, a line names at most this many of its accounts.
const LISTED_ACCOUNTS: u32 = 100;

/// Whether a text can be the number of a line: 3 to 15 digits with or without a plus, or 3 to 11 letters and digits.
static NUMBER: Look = Look {
    min: 3,
    max: 16,
    pattern: r"^(\+?[0-9]{3,15}|[A-Za-z0-9]{3,11})$",
    fault: FieldErrorKind::BadForm(
        "3 to 15 digits, or 3 to 11 letters and digits",
        "3 تا 15 رقم، یا 3 تا 11 حرف و رقم لاتین",
    ),
    is_met: is_number,
};

/// What a line may append: a line of text that says something, without placeholders.
static SUFFIX: Look = Look {
    min: 1,
    max: 40,
    pattern: r"^[^%\x00-\x1F\x7F-\x9F]*[0-9A-Za-zآ-ی۰-۹][^%\x00-\x1F\x7F-\x9F]*$",
    fault: FieldErrorKind::BadForm(
        "one line of text with a letter or a digit, without % and control characters",
        "یک خط متن با دست‌کم یک حرف یا رقم، بدون % و کاراکتر کنترلی",
    ),
    is_met: is_suffix,
};

body! {
    /// A line with one carrier.
    pub struct NewLineOfCarrier => {"number": "10001", "carrier": "sandbox", "operations": ["WEBSERVICE", "PATTERN"], "shared": true} {
        number: NewNumber = all;
        carrier: Option<String> = needs "carrier" line_routes::carrier();
        routes: Option<()> = can "routes" line_routes::no_routes();
        operations: Option<Vec<Operation>> = needs "operations" operations_of();
        rest: NewSettings = all;
    }

    /// A line with several carriers.
    pub struct NewLineWithRoutes => {"number": "10001", "operations": ["WEBSERVICE"],
            "routes": [{"carriers": [{"name": "sandbox", "weight": 1}]}]} {
        number: NewNumber = all;
        carrier: Option<()> = can "carrier" line_routes::carrier_beside();
        routes: Option<Vec<Route>> = needs "routes" line_routes::routes();
        operations: Option<Vec<Operation>> = needs "operations" operations_of();
        rest: NewSettings = all;
    }

    /// What to change. What is left out stays.
    pub struct LineChange => {"active": true} {
        carrier: Option<String> = can "carrier" line_routes::carrier();
        routes: Option<()> = can "routes" line_routes::no_routes();
        operations: Option<Vec<Operation>> = can "operations" operations_of();
        rest: NewSettings = all;
    }

    /// What to change, with other routes.
    pub struct LineChangeWithRoutes => {"routes": [{"carriers": [{"name": "sandbox"}]}]} {
        carrier: Option<()> = can "carrier" line_routes::carrier_beside();
        routes: Option<Vec<Route>> = needs "routes" line_routes::routes();
        operations: Option<Vec<Operation>> = can "operations" operations_of();
        rest: NewSettings = all;
    }

    pub struct NewNumber {
        /// 3 to 15 digits with or without `+`, or 3 to 11 letters and digits.
        number: String = must "number" formed(&NUMBER) => "10001";
    }

    pub struct NewSettings {
        /// The ids of the accounts that may use the line.
        accounts: Option<Vec<String>> = can "accounts" list_of(any_text().like("019b796d-a000-7000-8000-000000000000"), 0, MAX_ACCOUNTS) => [];
        /// Whether all accounts may use it.
        shared: Option<bool> = can "shared" flag();
        coefficients: Option<NewCoefficients> = can "coefficients" object::<NewCoefficients>();
        /// Whether it is in service.
        active: Option<bool> = can "active" flag();
        /// Whether sends wait.
        paused: Option<bool> = can "paused" flag();
        /// Whether sends may ask for `"encoding": "CHEAPEST"`. A new line allows it unless you say otherwise.
        cheapest: Option<bool> = can "cheapest" flag();
        /// What is appended to texts that go to many, on a line of its own, unless they have it in whatever digits. Patterns and codes never
        /// get it. `null` for none.
        suffix: Option<Option<String>> = can "suffix" or_null(formed(&SUFFIX)) => "لغو۱۱";
        hours: Option<Option<Option<Window>>> = can "hours" hours();
        /// Whether the `routes` of this request may have the sandbox beside a carrier that sends. What the sandbox takes reaches
        /// nobody, is `DELIVERED`, and costs as much: for trials only.
        allow_sandbox: Option<bool> = can "allowSandbox" flag();
    }

    #[derive(Default)]
    pub struct NewCoefficients {
        persian: Option<Coefficient> = can "PERSIAN" new_coefficient();
        english: Option<Coefficient> = can "ENGLISH" new_coefficient();
        mci: Option<Coefficient> = can "MCI" new_coefficient();
        mtn: Option<Coefficient> = can "MTN" new_coefficient();
        webservice: Option<Coefficient> = can "WEBSERVICE" new_coefficient();
        pattern: Option<Coefficient> = can "PATTERN" new_coefficient();
    }
}

either! {
    /// A line to create.
    pub struct NewLine as "NewLine" = any_of NewLineOfCarrier, NewLineWithRoutes;

    /// What to change. What is left out stays.
    pub struct AnyLineChange as "AnyLineChange" = any_of LineChange, LineChangeWithRoutes;
}

/// A coefficient of a price.
fn new_coefficient() -> impl Form<Value = Coefficient> {
    let read = |value: &Value, place: &mut Place<'_>| {
        let number = place.take(value.as_f64().ok_or(json_fields::NUMBER))?;
        place.take(Coefficient::from_f64(number).ok_or(FieldErrorKind::NotACoefficient))
    };
    by(read, coefficient)
}

/// The hours of a line.
fn hours() -> impl Form<Value = Option<Option<Window>>> {
    or_null(window()).about(
        "When own texts to many may leave: sends to several numbers, to phonebooks and in bulk, and campaigns. What comes at another time \
         is accepted and waits. Patterns, codes and texts to one number leave at any time. `null` for all hours.",
    )
}

/// The operations that a line serves.
fn operations_of() -> impl Form<Value = Vec<Operation>> {
    list_of(choice(&OPERATIONS, operation_name), 0, OPERATIONS.len()).described(|_| operations_schema())
}

/// A change that a request asks for.
struct Asked {
    change: Change,
    /// Whether the sandbox may stand beside a carrier that sends.
    allows_sandbox: bool,
}

/// What a request says of a line.
fn asked(routes: Option<Routes>, operations: Option<Vec<Operation>>, rest: NewSettings) -> Asked {
    let serves = |operation| operations.as_ref().map(|known| known.contains(&operation));
    let own = rest.coefficients.unwrap_or_default();
    let change = Change {
        routes,
        webservice: serves(Operation::Webservice),
        pattern: serves(Operation::Pattern),
        accounts: rest.accounts,
        shared: rest.shared,
        coefficients: [own.persian, own.english, own.mci, own.mtn, own.webservice, own.pattern],
        active: rest.active,
        paused: rest.paused,
        cheapest: rest.cheapest,
        suffix: rest.suffix,
        hours: rest.hours.map(Option::flatten),
    };
    Asked {
        change,
        allows_sandbox: rest.allow_sandbox.unwrap_or(false),
    }
}

/// Reads a line to create: its number and the rest.
fn read_new(fields: &mut Fields<'_>) -> (String, Asked) {
    if fields.value("routes").is_none() {
        let new = NewLineOfCarrier::read(fields);
        let routes = new.carrier.as_deref().map(Routes::to);
        return (new.number.number, asked(routes, new.operations, new.rest));
    }
    let new = NewLineWithRoutes::read(fields);
    let routes = line_routes::check(fields, new.routes);
    (new.number.number, asked(routes, new.operations, new.rest))
}

/// Reads a change of a line.
fn read_change(fields: &mut Fields<'_>) -> Asked {
    if fields.value("routes").is_none() {
        let new = LineChange::read(fields);
        return asked(new.carrier.as_deref().map(Routes::to), new.operations, new.rest);
    }
    let new = LineChangeWithRoutes::read(fields);
    let routes = line_routes::check(fields, new.routes);
    asked(routes, new.operations, new.rest)
}

/// The line that a request describes. What the request leaves out has its default.
fn new_line(number: &str, change: &Change) -> Line {
    let [persian, english, mci, mtn, webservice, pattern] = change.coefficients.map(Option::unwrap_or_default);
    Line {
        number: number.to_owned(),
        routes: change.routes.clone().unwrap_or_default(),
        webservice: change.webservice.unwrap_or_default(),
        pattern: change.pattern.unwrap_or_default(),
        shared: change.shared.unwrap_or(false),
        active: change.active.unwrap_or(true),
        paused: change.paused.unwrap_or(false),
        cheapest: change.cheapest.unwrap_or(true),
        suffix: change.suffix.clone().flatten(),
        hours: change.hours.clone().flatten(),
        coefficients: Coefficients {
            persian,
            english,
            mci,
            mtn,
            webservice,
            pattern,
        },
    }
}

fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('+').unwrap_or(text);
    let is_digits = (3..=15).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    let is_sender = (3..=11).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    is_digits || is_sender
}

fn is_suffix(text: &str) -> bool {
    let says = |char: char| matches!(char, '0'..='9' | 'A'..='Z' | 'a'..='z' | 'آ'..='ی' | '۰'..='۹');
    text.contains(says) && !text.contains(|char: char| char == '%' || char.is_control())
}

answer! {
    /// A line.
    pub struct LineData(entry: &ListedLine, is_cut: bool, waiting: &QueueDepth, now_ms: i64) as "Line" {
        "number": entry.line.number, line();
        /// The carrier, if the line has one route to one carrier.
        "carrier": entry.line.routes.only_carrier(), any_text().or_null() => "sandbox";
        "routes": entry.line.routes.0.iter().map(RouteData::of).collect::<Vec<_>>(), any_list(declared::<RouteData>());
        "operations": operations(&entry.line), operations_schema();
        "class": class(&entry.line), class_schema();
        "shared": entry.line.shared, flag();
        /// The accounts that may use it. A list names at most 100.
        "accounts": entry.accounts, any_list(any_text().like("019b796d-a000-7000-8000-000000000000"));
        /// There if the line has more accounts than the list names.
        may "accountsTruncated": is_cut.then_some(true), cut();
        "coefficients": CoefficientsData::of(&entry.line.coefficients), CoefficientsData::schema();
        "active": entry.line.active, flag() => true;
        "paused": entry.line.paused, flag();
        /// Whether sends may ask for `"encoding": "CHEAPEST"`.
        "cheapest": entry.line.cheapest, flag() => true;
        /// What is appended to texts that go to many.
        "suffix": entry.line.suffix, any_text().or_null() => null;
        /// When own texts to many may leave. `null`: at any time.
        "hours": entry.line.hours.as_ref().map(WindowData::of), declared::<WindowData>().or_null() => null;
        "waiting": QueueDepthData::of(waiting, now_ms), declared::<QueueDepthData>();
    }
}

/// What waits that is sent from each of these lines.
async fn waiting<P: Platform>(
    context: &Context<'_, P>,
    lines: &[ListedLine],
) -> Result<BTreeMap<String, QueueDepth>, Problem> {
    let numbers: Vec<&str> = lines.iter().map(|entry| entry.line.number.as_str()).collect();
    Ok(queue_depth::from_lines(context.platform.db(), &numbers).await?)
}

/// A line with all of its accounts.
async fn shown<P: Platform>(context: &Context<'_, P>, number: &str) -> Result<Value, Problem> {
    let entry = find(context, number).await?;
    let waiting = waiting(context, std::slice::from_ref(&entry)).await?;
    let waiting = waiting.into_values().next().unwrap_or_default();
    Ok(LineData::of(&entry, false, &waiting, context.request.now_ms))
}

async fn find<P: Platform>(context: &Context<'_, P>, number: &str) -> Result<ListedLine, Problem> {
    let entry = lines::find(context.platform.db(), number).await?;
    entry.ok_or(Problem::NotFound)
}

/// Notes a fault for a time zone, each carrier and each account that does not exist, and for the sandbox beside a carrier that sends.
async fn check<P: Platform>(context: &Context<'_, P>, asked: &Asked, fields: &mut Fields<'_>) -> Result<(), Problem> {
    let (platform, now_ms) = (context.platform, context.request.now_ms);
    let zone = asked.change.hours.iter().flatten().map(Window::time_zone);
    for zone in zone.filter(|zone| platform.utc_offset_minutes(zone, now_ms).is_none()) {
        fields.fault("hours", FieldErrorKind::NoTimeZone(zone.to_owned()));
    }
    if let Some(routes) = &asked.change.routes {
        check_carriers(context, routes, asked.allows_sandbox, fields).await?;
    }
    let Some(accounts) = &asked.change.accounts else {
        return Ok(());
    };
    let known = lines::known_accounts(context.platform.db(), accounts).await?;
    for (index, account) in accounts.iter().enumerate() {
        if !known.contains(account) {
            fields.item_fault(
                "accounts",
                index,
                FieldErrorKind::DoesNotExist("an account", "این حساب"),
            );
        }
    }
    Ok(())
}

async fn check_carriers<P: Platform>(
    context: &Context<'_, P>,
    routes: &Routes,
    allows_sandbox: bool,
    fields: &mut Fields<'_>,
) -> Result<(), Problem> {
    let names: Vec<&str> = routes.carriers().into_iter().collect();
    let kinds = carriers::kinds(context.platform.db(), &names).await?;
    let missing = FieldErrorKind::DoesNotExist("a carrier", "این اپراتور مخابراتی");
    for index in routes.with(|name| !kinds.contains_key(name)) {
        if fields.value("routes").is_some() {
            fields.item_fault("routes", index, missing.clone());
        } else {
            fields.fault("carrier", missing.clone());
        }
    }
    let is_sandbox = |name: &str| kinds.get(name).is_some_and(|kind| kind == Kind::Sandbox.as_str());
    if !allows_sandbox && !kinds.keys().all(|name| is_sandbox(name)) {
        for index in routes.with(is_sandbox) {
            fields.item_fault("routes", index, FieldErrorKind::SandboxBesideCarrier);
        }
    }
    Ok(())
}

/// `POST /admin/lines`
pub async fn create<P: Platform>(context: &Context<'_, P>, body: &JsonBody) -> Result<Response, Problem> {
    let mut fields = context.fields(body);
    let (number, asked) = read_new(&mut fields);
    check(context, &asked, &mut fields).await?;
    fields.finish()?;
    let change = asked.change;
    let line = new_line(&number, &change);
    let accounts = change.accounts.as_deref().unwrap_or_default();
    let db = context.audited_db(&number)?;
    let inserted = lines::insert(&db, &line, accounts, context.request.now_ms).await?;
    if !inserted {
        return Err(Problem::Conflict(Conflict::LineExists));
    }
    context.app.profiles.clear();
    Success::created(shown(context, &number).await?).response(context)
}

/// A line in a list, with the first of its accounts. `entry` has one account more than a list shows, if there are more.
fn listed(entry: &mut ListedLine, waiting: &QueueDepth, now_ms: i64) -> Value {
    let shown = usize::try_from(LISTED_ACCOUNTS).unwrap_or(usize::MAX);
    let is_cut = entry.accounts.len() > shown;
    entry.accounts.truncate(shown);
    LineData::of(entry, is_cut, waiting, now_ms)
}

query! {
    pub struct LinesWish {
        /// Finds lines whose number begins with it, whatever plus and zeros stand before it.
        search: Option<String> = can "q" search();
    }
}

/// `GET /admin/lines`
pub async fn list<P: Platform>(context: &Context<'_, P>, query: Paged<'_, LinesWish>) -> Result<Response, Problem> {
    let (page, LinesWish { search }) = query.listed_by_name("admin/lines")?;
    let (db, after, accounts) = (
        context.platform.db(),
        page.after().map(String::as_str),
        LISTED_ACCOUNTS + 1,
    );
    let mut entries = match &search {
        Some(search) => lines::search(db, page.limit(), after, accounts, search).await?,
        None => lines::page(db, page.limit(), after, accounts).await?,
    };
    let next = page.cut(&mut entries, |entry| entry.line.number.clone());
    let waiting = waiting(context, &entries).await?;
    let items = entries.iter_mut().map(|entry| {
        let waiting = waiting.get(&entry.line.number).copied().unwrap_or_default();
        listed(entry, &waiting, context.request.now_ms)
    });
    Success::page(items, next).response(context)
}

/// `GET /admin/lines/{number}`
pub async fn get<P: Platform>(context: &Context<'_, P>, number: &str) -> Result<Response, Problem> {
    Success::ok(shown(context, number).await?).response(context)
}

/// `PATCH /admin/lines/{number}`
pub async fn change<P: Platform>(context: &Context<'_, P>, number: &str, body: &JsonBody) -> Result<Response, Problem> {
    let mut fields = context.fields(body);
    let asked = read_change(&mut fields);
    check(context, &asked, &mut fields).await?;
    fields.finish()?;
    let change = asked.change;
    let before = find(context, number).await?.line;
    lines::update(&context.audited_db(number)?, number, &change).await?;
    context.app.profiles.clear();
    let is_turned = change.paused.is_some_and(|paused| paused != before.paused);
    if let Some(routes) = change.routes.as_ref().filter(|routes| **routes != before.routes) {
        take_back(context, number, &before.routes, routes).await?;
    } else if is_turned {
        let stopped = Routes::default();
        let after = if before.paused { &before.routes } else { &stopped };
        take_back(context, number, &before.routes, after).await?;
    }
    if change.routes.is_some() || change.paused.is_some() || change.hours.is_some() {
        waiting_list::note_change(context.platform, &waiting_list::of_line(number)).await;
    }
    Success::ok(shown(context, number).await?).response(context)
}

/// Has the carriers of a line's routes hand back what waits there. One that the line has no more takes nothing from accounts either
/// that have not heard of it; one that it has takes again what comes from now on.
async fn take_back<P: Platform>(
    context: &Context<'_, P>,
    number: &str,
    before: &Routes,
    after: &Routes,
) -> Result<(), Problem> {
    let now_ms = context.platform.now_ms();
    let (before, after) = (before.carriers(), after.carriers());
    for name in before.union(&after) {
        let Some(carrier) = carriers::find(context.platform.db(), name).await? else {
            continue;
        };
        let until_ms = match after.contains(name) {
            true => now_ms,
            false => now_ms.saturating_add(KEPT_MS),
        };
        control::take_back_line(context.platform, &carrier, number, until_ms).await;
    }
    Ok(())
}

/// `DELETE /admin/lines/{number}`
pub async fn delete<P: Platform>(context: &Context<'_, P>, number: &str) -> Result<Response, Problem> {
    let before = find(context, number).await?.line;
    let accounts = lines::delete(&context.audited_db(number)?, number).await?;
    if !accounts.is_empty() {
        return Err(Problem::Conflict(Conflict::LineInUse(accounts)));
    }
    context.app.profiles.clear();
    take_back(context, number, &before.routes, &Routes::default()).await?;
    Ok(http::no_content())
}
