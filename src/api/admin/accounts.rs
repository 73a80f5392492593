//! Accounts as operators see them: made, looked at, changed, credited.

use serde_json::{Value, json};

use crate::account::OPERATOR;
use crate::account::command::{Answer, Command, Configure, Credit, Idempotency, Overview};
use crate::account::ledger::Wallet;
use crate::account::limiter::Limit;
use crate::api::account::{overview, status, wallet};
use crate::api::paging::Query;
use crate::api::sms::request_hash;
use crate::api::view::{E164, RecipientUid, with};
use crate::api::{Context, unexpected};
use crate::carrier::sandbox;
use crate::fault::What;
use crate::http::{self, Body, Response, Success};
use crate::id;
use crate::input::Fields;
use crate::ports::{Db, MAX_INTEGER, Platform, PortError, Row, Statement};
use crate::problem::{Conflict, Problem};
use crate::time;

/// The plan of accounts that are made without one; always there.
const DEFAULT_PLAN: &str = "default";
const USERNAME_FORM: &str = "[A-Za-z0-9._@-]{3,64}";
const MAX_NAME: usize = 200;
const MAX_NOTE: usize = 500;

/// An account as the directory has it.
struct Entry {
    id: String,
    username: String,
    full_name: String,
    plan: (String, String),
    default_line: Option<String>,
    created_ms: i64,
    active: bool,
    sending_enabled: bool,
    mirror: Wallet,
}

fn from_row(row: &Row) -> Result<Entry, PortError> {
    Ok(Entry {
        id: row.text(0)?,
        username: row.text(1)?,
        full_name: row.text(2)?,
        plan: (row.text(3)?, row.text(4)?),
        default_line: row.opt_text(5)?,
        created_ms: row.int(6)?,
        active: row.bool(7)?,
        sending_enabled: row.bool(8)?,
        mirror: Wallet {
            available: row.int(9)?,
            locked: row.int(10)?,
            ..Wallet::default()
        },
    })
}

fn data(entry: &Entry, active: bool, sending_enabled: bool, money: Wallet, unit: &str) -> Value {
    json!({
        "id": entry.id,
        "username": entry.username,
        "fullName": entry.full_name,
        "status": status(active),
        "sendingEnabled": sending_enabled,
        "plan": {"slug": entry.plan.0, "title": entry.plan.1},
        "defaultLine": entry.default_line,
        "wallet": wallet(money, unit),
        "createdAt": time::to_rfc3339(entry.created_ms),
    })
}

/// An account with what its object says: the truth.
fn live_data(entry: &Entry, overview: &Overview, unit: &str) -> Value {
    let data = data(entry, overview.active, overview.sending_enabled, overview.wallet, unit);
    with(data, "rateLimit", json!(overview.limit))
}

async fn find<P: Platform>(context: &Context<'_, P>, id: &str) -> Result<Entry, Problem> {
    let rows = context
        .platform
        .db()
        .query(Statement::new(
            "SELECT a.id, a.username, a.full_name, p.slug, p.title, a.default_line, a.created_ms, \
                    a.active, a.sending_enabled, a.available, a.locked \
             FROM account a JOIN plan p ON p.slug = a.plan WHERE a.id = ?1",
            [id.into()],
        ))
        .await?;
    Ok(from_row(rows.first().ok_or(Problem::NotFound)?)?)
}

/// Nothing, if there is such an account; else 404.
pub async fn must_exist<P: Platform>(context: &Context<'_, P>, id: &str) -> Result<(), Problem> {
    find(context, id).await.map(drop)
}

async fn show<P: Platform>(context: &Context<'_, P>, id: &str) -> Result<Value, Problem> {
    let entry = find(context, id).await?;
    let overview = overview(context.call_other(id, Command::Overview).await?)?;
    Ok(live_data(&entry, &overview, &context.app.config.unit))
}

async fn exists<P: Platform>(context: &Context<'_, P>, sql: &'static str, value: &str) -> Result<bool, Problem> {
    let rows = context.platform.db().query(Statement::new(sql, [value.into()])).await?;
    Ok(!rows.is_empty())
}

/// The plan of a body; one that does not exist is a fault.
async fn read_plan<'a, P: Platform>(
    context: &Context<'_, P>,
    fields: &mut Fields<'a>,
) -> Result<Option<&'a str>, Problem> {
    let Some(slug) = fields.text("plan", 64) else {
        return Ok(None);
    };
    if !exists(context, "SELECT 1 FROM plan WHERE slug = ?1", slug).await? {
        fields.fault("plan", What::DoesNotExist("a plan", "این تعرفه"));
    }
    Ok(Some(slug))
}

/// `POST /admin/accounts`
pub async fn create<P: Platform>(context: &Context<'_, P>, body: &mut impl Body) -> Result<Response, Problem> {
    context.charge().await?;
    let (_, object) = http::read_json(context.head, body).await?;
    let mut fields = Fields::new(&object);
    let is_username = |text: &str| {
        text.len() >= 3
            && text
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'@' | b'-'))
    };
    let username = fields.formed("username", 64, USERNAME_FORM, is_username);
    let username = fields.require("username", username).unwrap_or_default();
    if username == OPERATOR {
        fields.fault("username", What::BadFormat("a name other than \"operator\""));
    }
    let full_name = fields.text("fullName", MAX_NAME);
    let full_name = fields.require("fullName", full_name).unwrap_or_default();
    let plan = read_plan(context, &mut fields).await?.unwrap_or(DEFAULT_PLAN);
    fields.finish()?;
    let id = id::new(context.platform)?;
    let inserted = context
        .platform
        .db()
        .query(Statement::new(
            "INSERT INTO account (id, username, full_name, plan, default_line, created_ms, active, sending_enabled, \
               available, locked, mirror_version) VALUES (?1, ?2, ?3, ?4, NULL, ?5, 1, 1, 0, 0, 0) \
             ON CONFLICT DO NOTHING RETURNING id",
            [
                id.as_str().into(),
                username.into(),
                full_name.into(),
                plan.into(),
                context.now_ms.into(),
            ],
        ))
        .await?;
    if inserted.is_empty() {
        return Err(Problem::Conflict(Conflict::UsernameTaken));
    }
    Success::created(show(context, &id).await?).response(context.request_id)
}

/// `GET /admin/accounts`: status and balance from the mirror, which may be a few seconds old.
pub async fn list<P: Platform>(context: &Context<'_, P>) -> Result<Response, Problem> {
    context.charge().await?;
    let mut query = Query::of(context.head);
    let page = query.page_by_name("admin/accounts");
    query.finish()?;
    let rows = context
        .platform
        .db()
        .query(Statement::new(
            "SELECT a.id, a.username, a.full_name, p.slug, p.title, a.default_line, a.created_ms, \
                    a.active, a.sending_enabled, a.available, a.locked \
             FROM account a JOIN plan p ON p.slug = a.plan WHERE ?2 IS NULL OR a.id > ?2 ORDER BY a.id LIMIT ?1",
            [page.limit().into(), page.after().map(String::as_str).into()],
        ))
        .await?;
    let mut entries = rows.iter().map(from_row).collect::<Result<Vec<_>, _>>()?;
    let next = page.cut(&mut entries, |entry| entry.id.clone());
    let unit = &context.app.config.unit;
    let items: Vec<Value> = entries
        .iter()
        .map(|entry| data(entry, entry.active, entry.sending_enabled, entry.mirror, unit))
        .collect();
    Success::page(items, next).response(context.request_id)
}

/// `GET /admin/accounts/{id}`
pub async fn get<P: Platform>(context: &Context<'_, P>, id: &str) -> Result<Response, Problem> {
    context.charge().await?;
    Success::ok(show(context, id).await?).response(context.request_id)
}

fn read_limit(fields: &mut Fields<'_>) -> Option<Limit> {
    let mut read = |name, max: u32| {
        let number = fields.integer(name, 1, max.into());
        let number = fields.require(name, number)?;
        u32::try_from(number).ok()
    };
    let (limit, window_s, burst) = (
        read("limit", Limit::MAX_LIMIT),
        read("windowSeconds", Limit::MAX_WINDOW_S),
        read("burst", Limit::MAX_BURST),
    );
    Limit::new(limit?, window_s?, burst?).ok()
}

/// `PATCH /admin/accounts/{id}`
pub async fn change<P: Platform>(
    context: &Context<'_, P>,
    id: &str,
    body: &mut impl Body,
) -> Result<Response, Problem> {
    context.charge().await?;
    let (_, object) = http::read_json(context.head, body).await?;
    must_exist(context, id).await?;
    let mut fields = Fields::new(&object);
    let status = fields.any_text("status");
    if status.is_some_and(|status| !matches!(status, "ACTIVE" | "INACTIVE")) {
        fields.fault("status", What::NotOneOf("ACTIVE, INACTIVE"));
    }
    let configure = Configure {
        active: status.map(|status| status == "ACTIVE"),
        sending_enabled: fields.boolean("sendingEnabled"),
        limit: fields.object("rateLimit", read_limit).flatten(),
    };
    let full_name = fields.text("fullName", MAX_NAME);
    let plan = read_plan(context, &mut fields).await?;
    let clears_line = fields.has("defaultLine") && object.get("defaultLine").is_some_and(Value::is_null);
    let default_line = fields.text("defaultLine", 32);
    if let Some(number) = default_line {
        let usable = context
            .platform
            .db()
            .query(Statement::new(
                "SELECT 1 FROM line WHERE number = ?1 AND (shared = 1 OR EXISTS \
                   (SELECT 1 FROM line_account WHERE line = ?1 AND account = ?2))",
                [number.into(), id.into()],
            ))
            .await?;
        if usable.is_empty() {
            fields.fault(
                "defaultLine",
                What::DoesNotExist("a line of this account", "این خط برای این حساب"),
            );
        }
    }
    fields.finish()?;
    context.call_other(id, Command::Configure(configure)).await?;
    context
        .platform
        .db()
        .query(Statement::new(
            "UPDATE account SET full_name = coalesce(?2, full_name), plan = coalesce(?3, plan), \
               default_line = CASE WHEN ?5 THEN NULL ELSE coalesce(?4, default_line) END WHERE id = ?1",
            [
                id.into(),
                full_name.into(),
                plan.into(),
                default_line.into(),
                clears_line.into(),
            ],
        ))
        .await?;
    context.app.profiles.forget(id);
    Success::ok(show(context, id).await?).response(context.request_id)
}

/// `POST /admin/accounts/{id}/credit`
pub async fn credit<P: Platform>(
    context: &Context<'_, P>,
    id: &str,
    body: &mut impl Body,
) -> Result<Response, Problem> {
    context.charge().await?;
    let (bytes, object) = http::read_json(context.head, body).await?;
    let mut fields = Fields::new(&object);
    let amount = fields.integer("amount", -MAX_INTEGER, MAX_INTEGER);
    let amount = fields.require("amount", amount).unwrap_or_default();
    if amount == 0 && fields.has("amount") {
        fields.fault("amount", What::Zero);
    }
    let note = fields.text("note", MAX_NOTE).map(str::to_owned);
    let key = http::idempotency_key(context.head.idempotency_key.as_deref()).unwrap_or_else(|fault| {
        fields.push(fault);
        None
    });
    fields.finish()?;
    must_exist(context, id).await?;
    let command = Command::Credit(Credit {
        amount,
        note,
        idempotency: key.map(|key| Idempotency {
            key,
            hash: request_hash("/admin/credit", &bytes),
        }),
    });
    match context.call_other(id, command).await? {
        Answer::Credited {
            wallet: money,
            replayed,
        } => Success::created(json!({"wallet": wallet(money, &context.app.config.unit)}))
            .replayed(replayed)
            .response(context.request_id),
        other => Err(unexpected(&other)),
    }
}

/// `GET /admin/accounts/{id}/sandbox`: what the sandbox carrier was handed for this account.
pub async fn sandbox<P: Platform>(context: &Context<'_, P>, id: &str) -> Result<Response, Problem> {
    context.charge().await?;
    let mut query = Query::of(context.head);
    let page = query.page(&format!("sandbox/{id}"));
    query.finish()?;
    must_exist(context, id).await?;
    let asked = page.to_read();
    let call = sandbox::Call::Inbox {
        limit: asked.limit,
        after: asked.after,
    };
    let mut handed = match context.platform.sandbox(id, &call).await? {
        sandbox::Reply::Inbox(handed) => handed,
        sandbox::Reply::Reports(_) => return Err(Problem::Internal("the sandbox gave no inbox".to_owned())),
    };
    let next = page.cut(&mut handed, |item| item.id);
    let items: Vec<Value> = handed
        .iter()
        .map(|item| {
            json!({
                "uid": RecipientUid(&item.uid, item.index),
                "recipient": E164(item.msisdn),
                "message": item.text,
                "taken": item.taken,
                "refused": item.refused,
            })
        })
        .collect();
    Success::page(items, next).response(context.request_id)
}
