//! Phonebooks: `/phonebook`. Their numbers are in `numbers`, files of them in `import` and `export`.

pub mod entry;
pub mod export;
pub mod import;
pub mod numbers;

use serde_json::{Value, json};

use super::paging::Query;
use super::sms::draft::phonebook_use;
use super::{Context, unexpected};
use crate::account::command::{Answer, Command};
use crate::fault::{Fault, What};
use crate::http::{self, Body, Response, Success};
use crate::id;
use crate::input::Fields;
use crate::ports::{Db, Platform, PortError, Row, Statement};
use crate::problem::{Conflict, Problem};
use crate::time;

/// Phonebooks of one account at most.
const MAX_PHONEBOOKS: i64 = 1_000;
/// Numbers of one phonebook at most.
pub const MAX_NUMBERS: i64 = 500_000;
const MAX_TITLE: usize = 200;
const MAX_DESCRIPTION: usize = 1_000;
const MAX_ID: usize = 64;

/// A phonebook as the directory keeps it.
#[derive(Debug, Clone)]
pub struct Phonebook {
    /// Its key in the directory, and its place in lists.
    pub seq: i64,
    /// Its id in the API.
    pub id: String,
    title: String,
    description: Option<String>,
    /// How many numbers it has.
    pub count: i64,
    created_ms: i64,
}

impl Phonebook {
    fn from_row(row: &Row) -> Result<Self, PortError> {
        Ok(Phonebook {
            seq: row.int(0)?,
            id: row.text(1)?,
            title: row.text(2)?,
            description: row.opt_text(3)?,
            count: row.int(4)?,
            created_ms: row.int(5)?,
        })
    }

    fn data(&self) -> Value {
        json!({
            "id": self.id,
            "title": self.title,
            "description": self.description,
            "count": self.count,
            "createdAt": time::to_rfc3339(self.created_ms),
        })
    }
}

/// One of the caller's own phonebooks; another's is not found.
pub async fn find<P: Platform>(context: &Context<'_, P>, id: &str) -> Result<Phonebook, Problem> {
    let rows = context
        .platform
        .db()
        .query(Statement::new(
            "SELECT seq, id, title, description, count, created_ms FROM phonebook WHERE id = ?1 AND account = ?2",
            [id.into(), context.key()?.account.as_str().into()],
        ))
        .await?;
    Ok(Phonebook::from_row(rows.first().ok_or(Problem::NotFound)?)?)
}

/// `POST /phonebook`
pub async fn create<P: Platform>(context: &Context<'_, P>, body: &mut impl Body) -> Result<Response, Problem> {
    context.charge().await?;
    let (_, object) = http::read_json(context.head, body).await?;
    let mut fields = Fields::new(&object);
    let title = fields.text("title", MAX_TITLE);
    let title = fields.require("title", title);
    let description = fields.text("description", MAX_DESCRIPTION);
    fields.finish()?;
    let account = context.key()?.account.as_str();
    let mut answers = context
        .platform
        .db()
        .batch(vec![
            Statement::new("SELECT count(*) FROM phonebook WHERE account = ?1", [account.into()]),
            Statement::new(
                "INSERT INTO phonebook (id, account, title, description, count, created_ms) \
                 SELECT ?1, ?2, ?3, ?4, 0, ?5 WHERE (SELECT count(*) FROM phonebook WHERE account = ?2) < ?6 \
                 ON CONFLICT (account, title) DO NOTHING \
                 RETURNING seq, id, title, description, count, created_ms",
                [
                    id::new(context.platform)?.into(),
                    account.into(),
                    title.unwrap_or_default().into(),
                    description.into(),
                    context.now_ms.into(),
                    MAX_PHONEBOOKS.into(),
                ],
            ),
        ])
        .await?
        .into_iter();
    let (counts, made) = (answers.next().unwrap_or_default(), answers.next().unwrap_or_default());
    let is_full = counts.first().map_or(Ok(0), |row| row.int(0))? >= MAX_PHONEBOOKS;
    match made.first() {
        Some(row) => Success::created(Phonebook::from_row(row)?.data()).response(context.request_id),
        None if is_full => Err(Problem::Conflict(Conflict::TooManyPhonebooks)),
        None => Err(Problem::Conflict(Conflict::TitleTaken)),
    }
}

/// `GET /phonebook`
pub async fn list<P: Platform>(context: &Context<'_, P>) -> Result<Response, Problem> {
    context.charge().await?;
    let mut query = Query::of(context.head);
    let page = query.page("phonebook");
    query.finish()?;
    let asked = page.to_read();
    let rows = context
        .platform
        .db()
        .query(Statement::new(
            "SELECT seq, id, title, description, count, created_ms FROM phonebook \
             WHERE account = ?1 AND (?2 IS NULL OR seq < ?2) ORDER BY seq DESC LIMIT ?3",
            [
                context.key()?.account.as_str().into(),
                asked.after.into(),
                asked.limit.into(),
            ],
        ))
        .await?;
    let mut phonebooks: Vec<Phonebook> = rows.iter().map(Phonebook::from_row).collect::<Result<_, _>>()?;
    let next = page.cut(&mut phonebooks, |phonebook| phonebook.seq);
    let data: Vec<Value> = phonebooks.iter().map(Phonebook::data).collect();
    Success::page(data, next).response(context.request_id)
}

/// `GET /phonebook/{id}`
pub async fn get<P: Platform>(context: &Context<'_, P>, id: &str) -> Result<Response, Problem> {
    context.charge().await?;
    Success::ok(find(context, id).await?.data()).response(context.request_id)
}

/// `PUT /phonebook/{id}`, and `PUT /phonebook` with the id in the body
pub async fn change<P: Platform>(
    context: &Context<'_, P>,
    id: Option<&str>,
    body: &mut impl Body,
) -> Result<Response, Problem> {
    context.charge().await?;
    let (_, object) = http::read_json(context.head, body).await?;
    let mut fields = Fields::new(&object);
    let id = match id {
        Some(id) => Some(id),
        None => {
            let id = fields.text("id", MAX_ID);
            fields.require("id", id)
        }
    };
    let title = fields.text("title", MAX_TITLE);
    if fields.has("title") && fields.value("title").is_none() {
        fields.fault("title", What::Required);
    }
    let description = fields.text("description", MAX_DESCRIPTION);
    let has_description = fields.has("description");
    fields.finish()?;
    let phonebook = find(context, id.unwrap_or_default()).await?;
    let changed = context
        .platform
        .db()
        .query(Statement::new(
            "UPDATE OR IGNORE phonebook SET title = coalesce(?2, title), \
               description = CASE ?3 WHEN 1 THEN ?4 ELSE description END WHERE seq = ?1 \
             RETURNING seq, id, title, description, count, created_ms",
            [
                phonebook.seq.into(),
                title.into(),
                has_description.into(),
                description.into(),
            ],
        ))
        .await?;
    match changed.first() {
        Some(row) => Success::ok(Phonebook::from_row(row)?.data()).response(context.request_id),
        None => Err(Problem::Conflict(Conflict::TitleTaken)),
    }
}

/// `DELETE /phonebook/{id}`, and `DELETE /phonebook?id=`
pub async fn delete<P: Platform>(context: &Context<'_, P>, id: Option<&str>) -> Result<Response, Problem> {
    let query = Query::of(context.head);
    let Some(id) = id.or(query.get("id")) else {
        return Err(Problem::Validation(vec![Fault::of("id", What::Required)]));
    };
    let messages = match context.call(Command::Uses(phonebook_use(id))).await? {
        Answer::Uses(messages) => messages,
        other => return Err(unexpected(&other)),
    };
    let phonebook = find(context, id).await?;
    if !messages.is_empty() {
        return Err(Problem::Conflict(Conflict::Scheduled(messages)));
    }
    let statement = Statement::new("DELETE FROM phonebook WHERE seq = ?1", [phonebook.seq.into()]);
    context.platform.db().query(statement).await?;
    Ok(http::no_content())
}
