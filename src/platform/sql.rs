//! The two SQL ports on the runtime: an object's own SQLite, and D1.
//!
//! Integers travel as JavaScript numbers, so each one is checked to be within ±(2^53 − 1) in both directions. The
//! bindings to the object's SQL are Peyk's own, because the cursor of the `worker` crate crosses into JavaScript
//! several times for each value, and the crate has no `transactionSync`.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;

use js_sys::Reflect;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use wasm_bindgen::prelude::*;
use worker::{D1Database, State};

use super::crossing;
use super::js_error::{self, Thrown};
use super::task::Settled;
use crate::base::ports::{MAX_INTEGER, PortError, Row, Sql, Statement, Value};

#[wasm_bindgen]
extern "C" {
    /// `DurableObjectStorage`.
    type JsStorage;
    #[wasm_bindgen(method, getter)]
    fn sql(this: &JsStorage) -> JsSql;
    #[wasm_bindgen(method, catch, js_name = transactionSync)]
    fn transaction_sync(
        this: &JsStorage,
        work: &mut dyn FnMut() -> Result<JsValue, JsValue>,
    ) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch, js_name = setAlarm)]
    fn set_alarm(this: &JsStorage, at_ms: f64) -> Result<js_sys::Promise, JsValue>;

    #[wasm_bindgen(method, catch, js_name = getCurrentBookmark)]
    fn current_bookmark(this: &JsStorage) -> Result<js_sys::Promise, JsValue>;
    #[wasm_bindgen(method, catch, js_name = getBookmarkForTime)]
    fn bookmark_for_time(this: &JsStorage, at_ms: f64) -> Result<js_sys::Promise, JsValue>;
    #[wasm_bindgen(method, catch, js_name = onNextSessionRestoreBookmark)]
    fn on_next_session(this: &JsStorage, bookmark: &str) -> Result<js_sys::Promise, JsValue>;

    /// Ends the session of the object with this state, see `worker.mjs`.
    #[wasm_bindgen(js_name = peykEndSession)]
    fn end_session(state: &JsValue);

    /// `SqlStorage`.
    type JsSql;
    #[wasm_bindgen(method, getter, catch, js_name = databaseSize)]
    fn database_size(this: &JsSql) -> Result<f64, JsValue>;

    /// Gives the text of a statement a number. See `crossings.mjs`.
    #[wasm_bindgen(js_name = peykStatement)]
    fn js_statement(number: u32, text: &str);

    /// Runs the statement with a number. Parameters and rows are those of `crossing.rs`; without rows there is nothing.
    #[wasm_bindgen(catch, js_name = peykExec)]
    fn js_exec(sql: &JsSql, statement: u32, params: &str) -> Result<Option<String>, JsValue>;

    /// Asks a D1 for its size. See `crossings.mjs`. The `worker` crate reads it into 32 bits, which are too few.
    #[wasm_bindgen(catch, js_name = peykD1Size)]
    fn js_d1_size(db: &JsValue) -> Result<js_sys::Promise, JsValue>;
}

/// Reads what a thrown JavaScript value tells about its reason.
pub fn caught(value: &JsValue) -> Thrown {
    let Some(error) = value.dyn_ref::<js_sys::Error>() else {
        let words = value.as_string();
        return Thrown {
            words: words.unwrap_or_else(|| "a thrown value that is no error".to_owned()),
            ..Thrown::default()
        };
    };
    let is_set = |name: &str| Reflect::get(value, &JsValue::from_str(name)).is_ok_and(|flag| flag.is_truthy());
    Thrown {
        name: error.name().into(),
        words: error.message().into(),
        retryable: is_set("retryable"),
        overloaded: is_set("overloaded"),
        remote: is_set("remote"),
    }
}

#[allow(
    clippy::cast_precision_loss,
    reason = "checked to be within ±2^53, where every integer is exact"
)]
fn to_js(value: &Value) -> Result<JsValue, PortError> {
    match value {
        Value::Null => Ok(JsValue::NULL),
        Value::Int(number) if number.unsigned_abs() <= MAX_INTEGER.unsigned_abs() => {
            Ok(JsValue::from_f64(*number as f64))
        }
        Value::Int(number) => Err(PortError::OutOfRange(*number)),
        Value::Text(text) => Ok(JsValue::from_str(text)),
    }
}

/// How many statements have a number at most. Lists make theirs of what they filter by.
const MAX_STATEMENTS: usize = 1_000;

thread_local! {
    /// The numbers of statements, by their texts.
    static STATEMENTS: RefCell<BTreeMap<Box<str>, u32>> = const { RefCell::new(BTreeMap::new()) };
}

/// The number of a statement, whose text crosses only when it has none yet: the texts are long, and the runtime finds a prepared
/// statement sooner by a text that it has seen.
fn number_of(statement: &str) -> u32 {
    STATEMENTS.with_borrow_mut(|numbers| {
        if let Some(number) = numbers.get(statement) {
            return *number;
        }
        if numbers.len() >= MAX_STATEMENTS {
            numbers.clear();
        }
        let number = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
        js_statement(number, statement);
        numbers.insert(statement.into(), number);
        number
    })
}

/// An object's own SQLite, and its alarm.
pub struct ObjectStorage {
    state: JsValue,
    storage: JsStorage,
    sql: JsSql,
}

impl ObjectStorage {
    /// Opens the storage of the object with this state.
    pub fn of(state: &State) -> Result<Self, PortError> {
        let failed = |error: JsValue| js_error::by_storage("storage", &caught(&error));
        let storage: JsValue = state.as_raw().storage().map_err(failed)?.into();
        let storage: JsStorage = storage.unchecked_into();
        let sql = storage.sql();
        let state = AsRef::<JsValue>::as_ref(state.as_raw()).clone();
        Ok(ObjectStorage { state, storage, sql })
    }

    /// Sets the alarm. The call itself writes it, so nothing awaits the returned promise.
    #[allow(clippy::cast_precision_loss, reason = "a time in ms is far below 2^53")]
    pub fn set_alarm(&self, at_ms: i64) -> Result<(), PortError> {
        self.storage
            .set_alarm(at_ms as f64)
            .map(drop)
            .map_err(|error| js_error::by_storage("alarm", &caught(&error)))
    }
}

/// What a promise of the storage gives.
async fn awaited(promise: Result<js_sys::Promise, JsValue>) -> Result<JsValue, PortError> {
    let failed = |error: JsValue| js_error::by_storage("storage", &caught(&error));
    Settled::of(&promise.map_err(failed)?).await.map_err(failed)
}

impl Sql for ObjectStorage {
    fn exec(&self, sql: &str, params: &[Value]) -> Result<Vec<Row>, PortError> {
        let failed = |error: JsValue| js_error::by_storage("sql", &caught(&error));
        let rows = js_exec(&self.sql, number_of(sql), &crossing::write_params(params)?).map_err(failed)?;
        rows.map_or(Ok(Vec::new()), |rows| crossing::read_rows(&rows))
    }

    fn transaction<T>(&self, work: impl FnOnce() -> Result<T, PortError>) -> Result<T, PortError> {
        let (mut work, mut outcome) = (Some(work), None);
        let committed = self.storage.transaction_sync(&mut || {
            let result = work.take().map(|work| work());
            let failed = !matches!(result, Some(Ok(_)));
            outcome = result;
            match failed {
                true => Err(JsValue::from_str("rolled back")),
                false => Ok(JsValue::UNDEFINED),
            }
        });
        match (outcome, committed) {
            (Some(Ok(_)), Err(error)) => Err(js_error::by_storage("sql", &caught(&error))),
            (Some(result), _) => result,
            (None, _) => Err(PortError::failed("sql", "the transaction did not run")),
        }
    }

    #[allow(
        clippy::cast_possible_truncation,
        reason = "a size is a whole number, far below 2^53"
    )]
    fn size_bytes(&self) -> Result<i64, PortError> {
        let size = self.sql.database_size();
        size.map(|bytes| bytes as i64)
            .map_err(|error| js_error::by_storage("sql", &caught(&error)))
    }

    #[allow(clippy::cast_precision_loss, reason = "a time in ms is far below 2^53")]
    async fn bookmark(&self, at_ms: Option<i64>) -> Result<String, PortError> {
        let promise = match at_ms {
            Some(at_ms) => self.storage.bookmark_for_time(at_ms as f64),
            None => self.storage.current_bookmark(),
        };
        let bookmark = awaited(promise).await?;
        bookmark
            .as_string()
            .ok_or(PortError::failed("storage", "a bookmark that is no text"))
    }

    async fn go_back(&self, bookmark: &str) -> PortError {
        let planned = awaited(self.storage.on_next_session(bookmark)).await;
        // Also if the plan failed: it may be there all the same, and only a new session knows.
        end_session(&self.state);
        match planned {
            Err(error) => error,
            Ok(_) => PortError::unavailable("storage", "the object goes back in time"),
        }
    }
}

/// How many bytes D1 has.
#[allow(
    clippy::cast_possible_truncation,
    reason = "a size is a whole number, far below 2^53"
)]
pub async fn size_bytes(db: &D1Database) -> Result<i64, PortError> {
    let failed = |error: JsValue| js_error::by_directory(&caught(&error));
    let promise = js_d1_size(db.as_ref()).map_err(failed)?;
    let size = Settled::of(&promise).await.map_err(failed)?;
    let size = size
        .as_f64()
        .ok_or(PortError::failed("d1", "an answer without a size"))?;
    Ok(size as i64)
}

/// Runs statements on D1 in one transaction.
pub async fn batch(db: &D1Database, statements: &[Statement]) -> Result<Vec<Vec<Row>>, PortError> {
    let failed = |error: worker::Error| js_error::by_directory(&caught(&error.into()));
    let mut prepared = Vec::with_capacity(statements.len());
    for statement in statements {
        let params: Vec<JsValue> = statement.params.iter().map(to_js).collect::<Result<_, _>>()?;
        prepared.push(db.prepare(&*statement.sql).bind(&params).map_err(failed)?);
    }
    let results = db.batch(prepared).await.map_err(failed)?;
    results
        .iter()
        .map(|result| {
            if let Some(error) = result.error() {
                let thrown = Thrown {
                    words: error,
                    ..Thrown::default()
                };
                return Err(js_error::by_directory(&thrown));
            }
            let unreadable =
                |_| PortError::failed("d1", "a row has what is no integer within 2^53, no text and not NULL");
            let rows: Vec<D1Row> = result.results().map_err(unreadable)?;
            Ok(rows.into_iter().map(|D1Row(row)| row).collect())
        })
        .collect()
}

/// A row of D1: a JavaScript object whose members are in the order of the columns. Two columns with the same name would
/// become one member, so statements for D1 give each column its own name.
struct D1Row(Row);

impl<'de> Deserialize<'de> for D1Row {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Columns;
        impl<'de> Visitor<'de> for Columns {
            type Value = D1Row;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a row")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut columns: A) -> Result<D1Row, A::Error> {
                let mut row = Vec::new();
                while let Some((_, D1Value(value))) = columns.next_entry::<String, D1Value>()? {
                    row.push(value);
                }
                Ok(D1Row(Row(row)))
            }
        }
        deserializer.deserialize_map(Columns)
    }
}

struct D1Value(Value);

impl<'de> Deserialize<'de> for D1Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value: serde_json::Value = Deserialize::deserialize(deserializer)?;
        let wrong = || serde::de::Error::custom("not an integer within 2^53, a text or NULL");
        match value {
            serde_json::Value::Null => Ok(D1Value(Value::Null)),
            serde_json::Value::String(text) => Ok(D1Value(Value::Text(text))),
            serde_json::Value::Number(number) => {
                let number = number
                    .as_i64()
                    .filter(|number| number.unsigned_abs() <= MAX_INTEGER.unsigned_abs());
                number.map(|number| D1Value(Value::Int(number))).ok_or_else(wrong)
            }
            _ => Err(wrong()),
        }
    }
}
