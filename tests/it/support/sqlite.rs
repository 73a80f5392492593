//! SQLite behind both SQL ports, with the real SQL and the real schema.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

use peyk::base::ports::{Db, MAX_INTEGER, PortError, Row, Sql, Statement, Value};
use peyk::durable::remembered::COMPARED;
use peyk::platform::js_error::{self, Thrown};
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, config::DbConfig, limits::Limit};

use super::history;

/// SQLite behind both SQL ports.
pub struct Sqlite {
    pub connection: Connection,
    /// Every statement that was run.
    statements: RefCell<BTreeSet<String>>,
    /// How many statements were run.
    pub runs: Cell<u64>,
    /// The steps that SQLite has taken for all statements: a measure of work that is the same on every machine.
    pub steps: Cell<i64>,
    /// The bytes of the texts in the largest answer.
    pub most_bytes: Cell<usize>,
    /// The size that the storage says it has, in place of its own.
    pub claimed_bytes: Cell<Option<i64>>,
    /// How many more statements with this text fail.
    failing: RefCell<(String, u32)>,
    /// After how many more statements one fails, the end of a transaction too.
    pub fails_in: Cell<Option<u32>>,
    /// After how many more writes the storage is full. Then it refuses them; `None`: it has room.
    pub room: Cell<Option<u32>>,
    /// What the storage was like at its bookmarks.
    pub history: history::History,
    /// Whether anybody but the object has written here, since this was asked last.
    pub is_foreign: Cell<bool>,
}

/// The storage as its object has it.
pub struct Own<'a>(pub &'a Sqlite);

struct Bound<'a>(&'a Value);

impl rusqlite::ToSql for Bound<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self.0 {
            Value::Null => ToSqlOutput::Borrowed(ValueRef::Null),
            // As the runtime binds them, JavaScript having only this kind of number: dividing by a parameter is no
            // division of integers.
            Value::Int(number) => ToSqlOutput::Borrowed(ValueRef::Real(*number as f64)),
            Value::Text(text) => ToSqlOutput::Borrowed(ValueRef::Text(text.as_bytes())),
        })
    }
}

impl Default for Sqlite {
    fn default() -> Self {
        let connection = Connection::open_in_memory().unwrap();
        connection.set_prepared_statement_cache_capacity(256);
        // Without it, SQLite plans a statement anew for each value of a limit: an eighth of the time of all tests.
        let stable = DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG;
        connection.set_db_config(stable, true).unwrap();
        // As in the runtime.
        connection.set_limit(Limit::SQLITE_LIMIT_COMPOUND_SELECT, 5).unwrap();
        Sqlite {
            connection,
            statements: RefCell::default(),
            runs: Cell::new(0),
            steps: Cell::new(0),
            most_bytes: Cell::new(0),
            claimed_bytes: Cell::new(None),
            failing: RefCell::default(),
            fails_in: Cell::new(None),
            room: Cell::new(None),
            history: history::History::default(),
            is_foreign: Cell::new(false),
        }
    }
}

impl Sqlite {
    pub fn new() -> Self {
        Sqlite::default()
    }

    /// Notes the storage as it is at a time, so that an object can go back to it.
    pub fn note_history(&self, at_ms: i64) -> String {
        self.history.note(&self.connection, at_ms)
    }

    /// Lets the next statements that contain this text fail.
    pub fn fail(&self, text: &str, times: u32) {
        self.failing.replace((text.to_owned(), times));
    }

    /// Whether a statement writes. Those of transactions don't.
    pub fn writes(&self, sql: &str) -> bool {
        let is_of_transaction = ["SAVEPOINT ", "RELEASE ", "ROLLBACK "]
            .iter()
            .any(|word| sql.starts_with(word));
        let prepared = self.connection.prepare_cached(sql);
        !is_of_transaction && prepared.is_ok_and(|statement| !statement.readonly())
    }

    /// Whether there is no room for this statement.
    fn is_full_for(&self, sql: &str) -> bool {
        match self.room.get() {
            Some(left) if self.writes(sql) => {
                self.room.set(Some(left.saturating_sub(1)));
                left == 0
            }
            _ => false,
        }
    }

    fn is_to_fail(&self, sql: &str) -> bool {
        let (text, times) = &mut *self.failing.borrow_mut();
        let fails = *times > 0 && sql.contains(text.as_str()) && !sql.ends_with(COMPARED);
        *times -= u32::from(fails);
        fails
    }

    /// Whether its turn to fail has come. A transaction can always be taken back.
    fn fails_now(&self, sql: &str) -> bool {
        let Some(left) = self
            .fails_in
            .get()
            .filter(|_| !sql.ends_with(COMPARED) && !sql.starts_with("ROLLBACK"))
        else {
            return false;
        };
        self.fails_in.set(left.checked_sub(1));
        left == 0
    }

    fn execute(&self, sql: &str, params: &[Value]) -> rusqlite::Result<Vec<Row>> {
        // A release build has no such statement.
        let counts = !sql.ends_with(COMPARED);
        if counts && !self.statements.borrow().contains(sql) {
            self.statements.borrow_mut().insert(sql.to_owned());
        }
        self.runs.set(self.runs.get() + u64::from(counts));
        let mut statement = self.connection.prepare_cached(sql)?;
        let width = statement.column_count();
        let mut rows = statement.query(rusqlite::params_from_iter(params.iter().map(Bound)))?;
        let mut answer = Vec::new();
        while let Some(row) = rows.next()? {
            let values = (0..width).map(|column| match row.get_ref(column).unwrap() {
                ValueRef::Null => Value::Null,
                ValueRef::Integer(number) => Value::Int(number),
                // A whole one is as good as an integer to JavaScript; any other is none that we could read.
                ValueRef::Real(number) if number.fract() == 0.0 => Value::Int(number as i64),
                ValueRef::Text(text) => Value::Text(String::from_utf8(text.to_vec()).unwrap()),
                other => panic!("a column of another type: {other:?}"),
            });
            answer.push(Row(values.collect()));
        }
        drop(rows);
        let texts = answer
            .iter()
            .flat_map(|Row(values)| values)
            .filter_map(|value| match value {
                Value::Text(text) => Some(text.len()),
                Value::Null | Value::Int(_) => None,
            });
        self.most_bytes.set(self.most_bytes.get().max(texts.sum()));
        let steps = statement.reset_status(rusqlite::StatementStatus::VmStep);
        self.steps.set(self.steps.get() + i64::from(steps) * i64::from(counts));
        Ok(answer)
    }
}

impl Sqlite {
    /// Runs a statement without parameters.
    #[track_caller]
    pub fn run(&self, sql: &str) -> Vec<Row> {
        self.exec(sql, &[]).unwrap()
    }

    #[track_caller]
    pub fn run_with(&self, sql: &str, params: &[Value]) -> Vec<Row> {
        self.exec(sql, params).unwrap()
    }

    /// The number that a query answers.
    #[track_caller]
    pub fn number(&self, query: &str) -> i64 {
        self.run(query)[0].int(0).unwrap()
    }

    /// The texts in the first column that a query answers.
    #[track_caller]
    pub fn texts(&self, query: &str) -> Vec<String> {
        self.run(query).iter().map(|row| row.text(0).unwrap()).collect()
    }

    /// How many rows there are of what stands behind `FROM`: a table, and what its rows must be.
    #[track_caller]
    pub fn count(&self, rows: &str) -> i64 {
        self.number(&format!("SELECT count(*) FROM {rows}"))
    }

    /// Every statement that was run.
    pub fn statements(&self) -> Vec<String> {
        self.statements.borrow().iter().cloned().collect()
    }

    /// The steps by which SQLite runs a statement.
    pub fn plan(&self, sql: &str) -> Vec<String> {
        let params = vec![Value::Text("[]".to_owned()); self.connection.prepare(sql).unwrap().parameter_count()];
        let mut statement = self.connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
        let steps = statement.query_map(rusqlite::params_from_iter(params.iter().map(Bound)), |row| row.get(3));
        steps.unwrap().map(Result::unwrap).collect()
    }

    /// D1 gives a row as an object: of two columns with one name it has one.
    fn assert_names_differ(&self, sql: &str) {
        // What SQLite refuses, it refuses when the statement is run.
        let Ok(statement) = self.connection.prepare_cached(sql) else {
            return;
        };
        let names: Vec<&str> = statement.column_names().collect();
        let different: BTreeSet<_> = names.iter().collect();
        assert_eq!(different.len(), names.len(), "two columns have one name: {sql}");
    }

    /// The statements that were run and walk through all rows of a table, each with its plan.
    pub fn scans(&self) -> Vec<String> {
        let statements = self.statements.borrow().clone();
        let is_scan = |step: &String| {
            step.starts_with("SCAN") && !step.contains("VIRTUAL TABLE") && !step.starts_with("SCAN ready")
        };
        let queries = statements.iter();
        let queries = queries.filter(|sql| !sql.starts_with("CREATE") && !sql.ends_with(" work"));
        let plans = queries.map(|sql| (sql, self.plan(sql)));
        plans
            .filter(|(_, steps)| steps.iter().any(is_scan))
            .map(|(sql, steps)| format!("{sql}\n  {}", steps.join("\n  ")))
            .collect()
    }

    /// The statements that were run and walk through all rows of one of these tables.
    pub fn walks(&self, tables: &[&str]) -> Vec<String> {
        // The first rows of a table are read without walking through the others.
        let is_bounded = |scan: &str| scan.contains(" LIMIT ") && !scan.contains(" WHERE ");
        let mut scans = self.scans();
        scans.retain(|scan| !is_bounded(scan) && tables.iter().any(|table| scan.contains(&format!("SCAN {table}"))));
        scans
    }
}

impl Sqlite {
    /// Runs a statement, whoever's it is.
    fn answer(&self, sql: &str, params: &[Value]) -> Result<Vec<Row>, PortError> {
        if self.is_to_fail(sql) || self.fails_now(sql) {
            return Err(PortError::unavailable("sql", "the storage does not answer"));
        }
        if self.is_full_for(sql) {
            let words = "database or disk is full: SQLITE_FULL".to_owned();
            return Err(js_error::by_storage(
                "sql",
                &Thrown {
                    words,
                    ..Thrown::default()
                },
            ));
        }
        for param in params {
            if let Value::Int(number) = param
                && number.unsigned_abs() > MAX_INTEGER.unsigned_abs()
            {
                return Err(PortError::OutOfRange(*number));
            }
        }
        self.execute(sql, params)
            .map_err(|error| PortError::failed("sql", error))
    }
}

impl Sql for Sqlite {
    fn exec(&self, sql: &str, params: &[Value]) -> Result<Vec<Row>, PortError> {
        if !self.is_foreign.get() && self.writes(sql) {
            self.is_foreign.set(true);
        }
        self.answer(sql, params)
    }

    fn transaction<T>(&self, work: impl FnOnce() -> Result<T, PortError>) -> Result<T, PortError> {
        self.exec("SAVEPOINT work", &[])?;
        let result = work().and_then(|done| self.exec("RELEASE work", &[]).map(|_| done));
        if result.is_err() {
            self.exec("ROLLBACK TO work", &[])?;
            self.exec("RELEASE work", &[])?;
        }
        result
    }

    fn size_bytes(&self) -> Result<i64, PortError> {
        let size = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size";
        let own = || self.connection.query_row(size, [], |row| row.get(0)).unwrap();
        Ok(self.claimed_bytes.get().unwrap_or_else(own))
    }

    async fn bookmark(&self, at_ms: Option<i64>) -> Result<String, PortError> {
        self.history.bookmark(&self.connection, at_ms)
    }

    async fn go_back(&self, bookmark: &str) -> PortError {
        self.history.go_back(&self.connection, bookmark)
    }
}

impl Sql for Own<'_> {
    fn exec(&self, sql: &str, params: &[Value]) -> Result<Vec<Row>, PortError> {
        self.0.answer(sql, params)
    }

    fn transaction<T>(&self, work: impl FnOnce() -> Result<T, PortError>) -> Result<T, PortError> {
        self.0.transaction(work)
    }

    fn size_bytes(&self) -> Result<i64, PortError> {
        Sql::size_bytes(self.0)
    }

    async fn bookmark(&self, at_ms: Option<i64>) -> Result<String, PortError> {
        self.0.bookmark(at_ms).await
    }

    async fn go_back(&self, bookmark: &str) -> PortError {
        self.0.go_back(bookmark).await
    }
}

impl Db for Sqlite {
    async fn batch(&self, statements: Vec<Statement>) -> Result<Vec<Vec<Row>>, PortError> {
        self.transaction(|| {
            statements
                .iter()
                .map(|statement| {
                    self.assert_names_differ(&statement.sql);
                    self.exec(&statement.sql, &statement.params)
                })
                .collect()
        })
    }

    async fn size_bytes(&self) -> Result<i64, PortError> {
        Sql::size_bytes(self)
    }
}
