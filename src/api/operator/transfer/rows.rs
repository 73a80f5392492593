//! Reading and inserting the rows of a store, page by page. The record of a key in KV goes with the row of the key.

use super::objects::MAX_NAME;
use super::{DIGEST, Store, must_move, unexpected};
use crate::account::OPERATOR;
use crate::api::http::forms::{any_text, choice, formed, list_of, named, text};
use crate::api::http::json_fields::{Body, Fields};
use crate::api::http::{Response, body::JsonBody, context::Context, respond::Success};
use crate::auth::KeyRecord;
use crate::base::ports::Platform;
use crate::directory::transfer as directory;
use crate::durable::tables::{self, Page, Rows};
use crate::durable::transfer::{self, Answer, Refused, Step};
use crate::problem::field_error::FieldErrorKind;
use crate::problem::{Conflict, Problem};
use crate::{answer, body};

/// The table of keys, and its column with their digests.
const KEYS: (&str, &str) = ("api_key", "digest");
/// What an error calls the records of keys.
const IN_KV: &str = "keys in KV";
/// What goes of the operators' object: their keys and members, and what they erase. All else is of this service, or in the directory.
const OF_OPERATORS: &[&str] = &["api_key", "erasure", "key_maker", "member_rule", "passkey"];
const MAX_PLACE: usize = 2_000;
const MAX_TABLES: usize = 200;
const MAX_COLUMNS: usize = 200;
const MAX_ROWS: usize = 1_000;
/// Keys of a page: each is a call of KV, and the runtime allows a request 1,000 calls.
const MAX_KEYS: usize = 200;
const MAX_RECORD: usize = 20_000;
const A_ROW: FieldErrorKind = FieldErrorKind::BadForm(
    "a JSON list with a number, a text, null or {\"x\"} for each column",
    "فهرست JSON با یک عدد، متن، null یا {\"x\"} برای هر ستون",
);

body! {
    /// A page of rows to read.
    pub struct RowsWish {
        store: Option<Store> = needs "store" choice(&Store::ALL, Store::as_str) => "DIRECTORY";
        /// The name of the object. The directory has none.
        object: Option<String> = can "object" text(MAX_NAME) => "019b796d-0000-7000-8000-000000000001";
        /// The `next` of the page before.
        from: Option<String> = can "from" text(MAX_PLACE) => "[\"account\",null]";
    }

    /// Rows to insert.
    pub struct RowsToInsert {
        store: Option<Store> = needs "store" choice(&Store::ALL, Store::as_str) => "DIRECTORY";
        /// The name of the object. The directory has none.
        object: Option<String> = can "object" text(MAX_NAME) => "019b796d-0000-7000-8000-000000000001";
        /// The rows, by table.
        tables: Vec<TableRows> = must "tables" list_of(named::<TableRows>(), 0, MAX_TABLES);
        /// The records of keys in KV.
        keys: Option<Vec<KeyOfRows>> = can "keys" list_of(named::<KeyOfRows>(), 0, MAX_KEYS);
    }

    /// Rows of a table.
    pub struct TableRows {
        /// The table.
        table: String = must "table" text(MAX_NAME) => "plan";
        /// Its columns.
        columns: Vec<String> = must "columns" list_of(text(MAX_NAME), 0, MAX_COLUMNS) => ["slug", "title"];
        /// Its rows: each the text of a JSON list with a value for each column. A blob is `{"x"}` with its hexadecimal digits.
        rows: Vec<String> = must "rows" list_of(any_text(), 0, MAX_ROWS) => ["[\"default\",\"Default\"]"];
    }

    /// The record of a key.
    pub struct KeyOfRows {
        /// The SHA-256 of the key.
        digest: String = must "digest" formed(&DIGEST) => "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
        /// What KV has under it.
        record: String = must "record" text(MAX_RECORD) => "{\"v\":1}";
    }
}

answer! {
    /// A page of rows.
    pub struct PageData(page: &Page, keys: &[(String, String)]) as "RowsOfStore" {
        /// The rows, by table. A table that is begun is there, with or without rows.
        "tables": page.tables.iter().map(TableData::of).collect::<Vec<_>>(), any_list(declared::<TableData>());
        /// The records of the keys whose rows are in the page, as KV has them.
        "keys": keys.iter().map(|(digest, record)| KeyOfRowsData::of(digest, record)).collect::<Vec<_>>(), any_list(declared::<KeyOfRowsData>());
        /// Where the next page begins. `null`: this is the last one.
        "next": page.next, any_text().or_null() => null;
    }

    /// Rows of a table.
    pub struct TableData(rows: &Rows) as "RowsOfTable" {
        "table": rows.table, any_text() => "plan";
        "columns": rows.columns, any_list(any_text().like("slug"));
        /// Each the text of a JSON list with a value for each column. A blob is `{"x"}` with its hexadecimal digits.
        "rows": rows.rows, any_list(any_text().like("[\"default\"]"));
    }

    /// The record of a key.
    pub struct KeyOfRowsData(digest: &str, record: &str) as "KeyOfRowsRead" {
        /// The SHA-256 of the key.
        "digest": digest, any_text() => "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
        /// What KV has under it.
        "record": record, any_text() => "{\"v\":1}";
    }

    /// How many rows were inserted or were there already.
    pub struct InsertedData(rows: usize) as "InsertedRows" {
        "rows": rows, count();
    }
}

/// Notes a fault unless an object is named where the store has some.
fn check_object(store: Option<Store>, object: Option<&String>, fields: &mut Fields<'_>) {
    let has_objects = store.is_some_and(|store| store.class().is_some());
    if has_objects && object.is_none() {
        fields.fault("object", FieldErrorKind::Required);
    }
}

/// The class and the name of the object, if the store has some.
fn object_of(store: Option<Store>, object: Option<String>) -> Option<(&'static str, String)> {
    Some((store?.class()?, object?))
}

fn is_operators(class: &str, name: &str) -> bool {
    class == crate::account::request::CLASS && name == OPERATOR
}

fn refusal(refused: Refused, object: &str) -> Problem {
    Problem::Conflict(match refused {
        Refused::NotFrozen => Conflict::ObjectNotFrozen(object.to_owned()),
        Refused::NotEmpty => Conflict::ObjectNotEmpty(object.to_owned()),
        Refused::NoPage => Conflict::NoPage,
        Refused::NotOfTable(table) => Conflict::RowsNotOfTable(table),
    })
}

/// `POST /admin/transfer/rows`
pub async fn read<P: Platform>(context: &Context<'_, P>, body: &JsonBody) -> Result<Response, Problem> {
    let mut fields = context.fields(body);
    let RowsWish { store, object, from } = RowsWish::read(&mut fields);
    check_object(store, object.as_ref(), &mut fields);
    fields.finish()?;
    let of = object_of(store, object);
    // Before an import begins, it looks whether the operators of both services can be those of one.
    if !of.as_ref().is_some_and(|(class, name)| is_operators(class, name)) {
        must_move(context, false).await?;
    }
    let Some((class, name)) = of else {
        let page = directory::read(context.platform.db(), from.as_deref()).await?;
        let page = page.ok_or(Problem::Conflict(Conflict::NoPage))?;
        return Success::ok(PageData::of(&page, &[])).response(context);
    };
    let only = match is_operators(class, &name) {
        true => OF_OPERATORS.iter().map(|table| (*table).to_owned()).collect(),
        false => Vec::new(),
    };
    let few = vec![(KEYS.0.to_owned(), MAX_KEYS)];
    match transfer::ask(context.platform, class, &name, &Step::Read { from, only, few }).await? {
        Answer::Page(page) => {
            let keys = match class == crate::account::request::CLASS {
                true => records(context, &page).await?,
                false => Vec::new(),
            };
            Success::ok(PageData::of(&page, &keys)).response(context)
        }
        Answer::Refused(refused) => Err(refusal(refused, &name)),
        _ => Err(unexpected()),
    }
}

/// The records of the keys whose rows are in a page. A key that is revoked has none.
async fn records<P: Platform>(context: &Context<'_, P>, page: &Page) -> Result<Vec<(String, String)>, Problem> {
    let (table, column) = KEYS;
    let mut records = Vec::new();
    for rows in page.tables.iter().filter(|rows| rows.table == table) {
        let place = rows.columns.iter().position(|name| name == column);
        for row in &rows.rows {
            let values: Vec<serde_json::Value> = serde_json::from_str(row).unwrap_or_default();
            let digest = place.and_then(|place| values.get(place)?.as_str());
            let Some(digest) = digest else { continue };
            if let Some(record) = context.platform.key(digest).await? {
                records.push((digest.to_owned(), record));
            }
        }
    }
    Ok(records)
}

/// `POST /admin/transfer/insert`
pub async fn insert<P: Platform>(context: &Context<'_, P>, body: &JsonBody) -> Result<Response, Problem> {
    let mut fields = context.fields(body);
    let new = RowsToInsert::read(&mut fields);
    check_object(new.store, new.object.as_ref(), &mut fields);
    check_rows(&new, &mut fields);
    fields.finish()?;
    must_move(context, true).await?;
    check_keys(&new)?;
    let rows = new.tables.iter().map(|table| table.rows.len()).sum();
    let tables: Vec<Rows> = new.tables.into_iter().map(Rows::from).collect();
    match object_of(new.store, new.object) {
        None => {
            let inserted = directory::insert(context.platform.db(), &tables).await?;
            inserted.map_err(|table| Problem::Conflict(Conflict::RowsNotOfTable(table)))?;
        }
        Some((class, name)) => {
            let adds = is_operators(class, &name);
            match transfer::ask(context.platform, class, &name, &Step::Insert { tables, adds }).await? {
                Answer::Inserted => {}
                Answer::Refused(refused) => return Err(refusal(refused, &name)),
                _ => return Err(unexpected()),
            }
        }
    }
    // After the object, which knows them: nobody who comes with one of them meets an object without it.
    for KeyOfRows { digest, record } in new.keys.iter().flatten() {
        context.platform.put_key(digest, record).await?;
    }
    Success::ok(InsertedData::of(rows)).response(context)
}

impl From<TableRows> for Rows {
    fn from(TableRows { table, columns, rows }: TableRows) -> Self {
        Rows { table, columns, rows }
    }
}

/// Notes a fault of each table whose rows are none.
fn check_rows(new: &RowsToInsert, fields: &mut Fields<'_>) {
    for (place, table) in new.tables.iter().enumerate() {
        if !table.rows.iter().all(|row| tables::is_row(row, table.columns.len())) {
            fields.item_fault("tables", place, A_ROW);
        }
    }
}

/// Fails unless all records are those of keys of the object's account.
fn check_keys(new: &RowsToInsert) -> Result<(), Problem> {
    let is_of_object = |key: &KeyOfRows| {
        let record: Option<KeyRecord> = serde_json::from_str(&key.record).ok();
        let account = record.map(|record| record.account);
        account.is_some() && account == new.object && new.store == Some(Store::Account)
    };
    match new.keys.iter().flatten().all(is_of_object) {
        true => Ok(()),
        false => Err(Problem::Conflict(Conflict::RowsNotOfTable(IN_KV.to_owned()))),
    }
}
