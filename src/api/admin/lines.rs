//! Lines: the numbers that accounts send from.

use serde_json::{Value, json};

use crate::api::Context;
use crate::api::account::{coefficients, operations};
use crate::api::paging::Query;
use crate::carrier::Carrier;
use crate::directory::{self, Line};
use crate::fault::What;
use crate::http::{self, Body, Response, Success};
use crate::input::Fields;
use crate::ports::{Db, Platform, PortError, Row, Statement, Value as SqlValue};
use crate::problem::{Conflict, Problem};
use crate::sms::price::Coefficient;

/// Accounts that one line may be given to at most.
const MAX_ACCOUNTS: usize = 1_000;
const COEFFICIENTS: [&str; 6] = ["PERSIAN", "ENGLISH", "MCI", "MTN", "WEBSERVICE", "PATTERN"];

/// A change of a line; what is `None` stays.
#[derive(Default)]
struct Change {
    carrier: Option<String>,
    operations: Option<(bool, bool)>,
    accounts: Option<Vec<String>>,
    shared: Option<bool>,
    coefficients: [Option<u32>; 6],
    active: Option<bool>,
}

fn read(fields: &mut Fields<'_>) -> Change {
    let carrier = fields.formed("carrier", 32, "the name of a carrier", |name| {
        Carrier::named(name).is_some()
    });
    let operations = fields.texts("operations", 2, |text| match text {
        "WEBSERVICE" | "PATTERN" => Ok(text),
        _ => Err(What::NotOneOf("WEBSERVICE, PATTERN")),
    });
    let accounts = fields.texts("accounts", MAX_ACCOUNTS, |id| Ok(id.to_owned()));
    Change {
        carrier: carrier.map(str::to_owned),
        operations: operations.map(|names| (names.contains(&"WEBSERVICE"), names.contains(&"PATTERN"))),
        accounts,
        shared: fields.boolean("shared"),
        coefficients: fields.object("coefficients", read_coefficients).unwrap_or_default(),
        active: fields.boolean("active"),
    }
}

fn read_coefficients(fields: &mut Fields<'_>) -> [Option<u32>; 6] {
    COEFFICIENTS.map(|name| {
        let number = fields.number(name)?;
        let coefficient = Coefficient::from_f64(number);
        if coefficient.is_none() {
            fields.fault(name, What::NotACoefficient);
        }
        coefficient.map(Coefficient::ten_thousandths)
    })
}

/// A line's number: 3–15 digits with or without a plus, or an alphanumeric sender of up to 11.
fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('+').unwrap_or(text);
    let is_digits = (3..=15).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    let is_sender = (3..=11).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    is_digits || is_sender
}

fn data(line: &Line, accounts: &[String]) -> Value {
    json!({
        "number": line.number,
        "carrier": line.carrier,
        "operations": operations(line),
        "shared": line.shared,
        "accounts": accounts,
        "coefficients": coefficients(line),
        "active": line.active,
    })
}

fn from_row(row: &Row) -> Result<(Line, Vec<String>), PortError> {
    let accounts = serde_json::from_str(&row.text(12)?).map_err(|error| PortError::failed("json", error))?;
    Ok((directory::line(row)?, accounts))
}

const SELECT_ONE: &str = "SELECT l.number, l.carrier, l.webservice, l.pattern, l.shared, l.active, l.persian_c, \
     l.english_c, l.mci_c, l.mtn_c, l.webservice_c, l.pattern_c, \
     (SELECT json_group_array(account) FROM line_account WHERE line = l.number) FROM line l WHERE l.number = ?1";

const SELECT_PAGE: &str = "SELECT l.number, l.carrier, l.webservice, l.pattern, l.shared, l.active, l.persian_c, \
     l.english_c, l.mci_c, l.mtn_c, l.webservice_c, l.pattern_c, \
     (SELECT json_group_array(account) FROM line_account WHERE line = l.number) FROM line l \
     WHERE ?2 IS NULL OR l.number > ?2 ORDER BY l.number LIMIT ?1";

async fn find<P: Platform>(context: &Context<'_, P>, number: &str) -> Result<(Line, Vec<String>), Problem> {
    let rows = context
        .platform
        .db()
        .query(Statement::new(SELECT_ONE, [number.into()]))
        .await?;
    Ok(from_row(rows.first().ok_or(Problem::NotFound)?)?)
}

/// Faults of the accounts that do not exist.
async fn check_accounts<P: Platform>(
    context: &Context<'_, P>,
    change: &Change,
    fields: &mut Fields<'_>,
) -> Result<(), Problem> {
    let Some(accounts) = &change.accounts else {
        return Ok(());
    };
    let known = context
        .platform
        .db()
        .query(Statement::new(
            "SELECT id FROM account WHERE id IN (SELECT value FROM json_each(?1))",
            [json!(accounts).to_string().into()],
        ))
        .await?;
    let known: Vec<String> = known.iter().map(|row| row.text(0)).collect::<Result<_, _>>()?;
    for (index, account) in accounts.iter().enumerate() {
        if !known.contains(account) {
            fields.item_fault("accounts", index, What::DoesNotExist("an account", "این حساب"));
        }
    }
    Ok(())
}

/// The statements that give a line to exactly these accounts.
fn assign(number: &str, change: &Change) -> Vec<Statement> {
    let Some(accounts) = &change.accounts else {
        return Vec::new();
    };
    vec![
        Statement::new("DELETE FROM line_account WHERE line = ?1", [number.into()]),
        Statement::new(
            "INSERT OR IGNORE INTO line_account (line, account) SELECT ?1, value FROM json_each(?2)",
            [number.into(), json!(accounts).to_string().into()],
        ),
    ]
}

/// `POST /admin/lines`
pub async fn create<P: Platform>(context: &Context<'_, P>, body: &mut impl Body) -> Result<Response, Problem> {
    context.charge().await?;
    let (_, object) = http::read_json(context.head, body).await?;
    let mut fields = Fields::new(&object);
    let number = fields.formed("number", 16, "3 to 15 digits, or 3 to 11 letters and digits", is_number);
    let number = fields.require("number", number).unwrap_or_default();
    let change = read(&mut fields);
    fields.require("carrier", change.carrier.as_ref());
    fields.require("operations", change.operations);
    check_accounts(context, &change, &mut fields).await?;
    fields.finish()?;
    let (webservice, pattern) = change.operations.unwrap_or_default();
    let mut params: Vec<SqlValue> = vec![
        number.into(),
        change.carrier.clone().into(),
        webservice.into(),
        pattern.into(),
        change.shared.unwrap_or(false).into(),
        change.active.unwrap_or(true).into(),
    ];
    let one = Coefficient::ONE.ten_thousandths();
    params.extend(
        change
            .coefficients
            .iter()
            .map(|coefficient| coefficient.unwrap_or(one).into()),
    );
    params.push(context.now_ms.into());
    let inserted = context
        .platform
        .db()
        .query(Statement::new(
            "INSERT INTO line (number, carrier, webservice, pattern, shared, active, persian_c, english_c, mci_c, mtn_c, \
               webservice_c, pattern_c, created_ms) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13) ON CONFLICT DO NOTHING RETURNING number",
            params,
        ))
        .await?;
    if inserted.is_empty() {
        return Err(Problem::Conflict(Conflict::LineExists));
    }
    let assignment = assign(number, &change);
    if !assignment.is_empty() {
        context.platform.db().batch(assignment).await?;
    }
    context.app.profiles.clear();
    let (line, accounts) = find(context, number).await?;
    Success::created(data(&line, &accounts)).response(context.request_id)
}

/// `GET /admin/lines`
pub async fn list<P: Platform>(context: &Context<'_, P>) -> Result<Response, Problem> {
    context.charge().await?;
    let mut query = Query::of(context.head);
    let page = query.page_by_name("admin/lines");
    query.finish()?;
    let place = [page.limit().into(), page.after().map(String::as_str).into()];
    let statement = Statement::new(SELECT_PAGE, place);
    let rows = context.platform.db().query(statement).await?;
    let mut lines = rows.iter().map(from_row).collect::<Result<Vec<_>, _>>()?;
    let next = page.cut(&mut lines, |(line, _)| line.number.clone());
    let items: Vec<Value> = lines.iter().map(|(line, accounts)| data(line, accounts)).collect();
    Success::page(items, next).response(context.request_id)
}

/// `GET /admin/lines/{number}`
pub async fn get<P: Platform>(context: &Context<'_, P>, number: &str) -> Result<Response, Problem> {
    context.charge().await?;
    let (line, accounts) = find(context, number).await?;
    Success::ok(data(&line, &accounts)).response(context.request_id)
}

/// `PATCH /admin/lines/{number}`
pub async fn change<P: Platform>(
    context: &Context<'_, P>,
    number: &str,
    body: &mut impl Body,
) -> Result<Response, Problem> {
    context.charge().await?;
    let (_, object) = http::read_json(context.head, body).await?;
    let mut fields = Fields::new(&object);
    let change = read(&mut fields);
    check_accounts(context, &change, &mut fields).await?;
    fields.finish()?;
    find(context, number).await?;
    let (webservice, pattern) = change.operations.unzip();
    let mut params: Vec<SqlValue> = vec![
        number.into(),
        change.carrier.clone().into(),
        webservice.into(),
        pattern.into(),
        change.shared.into(),
        change.active.into(),
    ];
    params.extend(change.coefficients.iter().map(|coefficient| (*coefficient).into()));
    let mut statements = vec![Statement::new(
        "UPDATE line SET carrier = coalesce(?2, carrier), webservice = coalesce(?3, webservice), \
           pattern = coalesce(?4, pattern), shared = coalesce(?5, shared), active = coalesce(?6, active), \
           persian_c = coalesce(?7, persian_c), english_c = coalesce(?8, english_c), mci_c = coalesce(?9, mci_c), \
           mtn_c = coalesce(?10, mtn_c), webservice_c = coalesce(?11, webservice_c), \
           pattern_c = coalesce(?12, pattern_c) WHERE number = ?1",
        params,
    )];
    statements.extend(assign(number, &change));
    context.platform.db().batch(statements).await?;
    context.app.profiles.clear();
    let (line, accounts) = find(context, number).await?;
    Success::ok(data(&line, &accounts)).response(context.request_id)
}

/// `DELETE /admin/lines/{number}`
pub async fn delete<P: Platform>(context: &Context<'_, P>, number: &str) -> Result<Response, Problem> {
    context.charge().await?;
    find(context, number).await?;
    let deleted = context
        .platform
        .db()
        .query(Statement::new(
            "DELETE FROM line WHERE number = ?1 \
               AND NOT EXISTS (SELECT 1 FROM account WHERE default_line = ?1) RETURNING number",
            [number.into()],
        ))
        .await?;
    if deleted.is_empty() {
        return Err(Problem::Conflict(Conflict::LineInUse));
    }
    context.app.profiles.clear();
    Ok(http::no_content())
}
