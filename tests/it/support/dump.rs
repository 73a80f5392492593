//! All that the stores of a world have, as text: to look for what must be in none of them.

use rusqlite::types::Value;

use super::{Sqlite, World};

impl World {
    /// The places that have one of these texts: a table of a store with the row, a key of KV, or a line of the log.
    pub fn places_of(&self, texts: &[&str]) -> Vec<String> {
        let has = |place: &String| texts.iter().any(|text| place.contains(text));
        let objects = self.objects.borrow();
        let objects = objects.iter().flat_map(|((class, name), instance)| {
            let rows = rows(&instance.sql).into_iter();
            rows.map(move |row| format!("{class} {name}: {row}"))
        });
        let directory = rows(&self.db).into_iter().map(|row| format!("directory: {row}"));
        let keys = self
            .keys
            .borrow()
            .iter()
            .map(|(key, record)| format!("KV: {key} {record}"))
            .collect::<Vec<_>>();
        let log = self
            .log
            .borrow()
            .iter()
            .map(|line| format!("log: {line}"))
            .collect::<Vec<_>>();
        objects.chain(directory).chain(keys).chain(log).filter(has).collect()
    }
}

/// The rows of all tables.
fn rows(sql: &Sqlite) -> Vec<String> {
    let connection = &sql.connection;
    let mut tables = connection
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
        .unwrap();
    let tables = tables
        .query_map([], |row| row.get::<_, String>(0))
        .unwrap()
        .map(Result::unwrap);
    tables.flat_map(|table| rows_of(sql, &table)).collect()
}

fn rows_of(sql: &Sqlite, table: &str) -> Vec<String> {
    let mut statement = sql.connection.prepare(&format!("SELECT * FROM \"{table}\"")).unwrap();
    let columns = statement.column_count();
    let rows = statement.query_map([], |row| {
        let values = (0..columns).map(|column| row.get::<_, Value>(column).map(|value| shown(&value)));
        values.collect::<Result<Vec<_>, _>>()
    });
    let shown = |row: Result<Vec<String>, _>| format!("{table}: {}", row.unwrap().join(" | "));
    rows.unwrap().map(shown).collect()
}

fn shown(value: &Value) -> String {
    match value {
        Value::Null => "NULL".to_owned(),
        Value::Integer(number) => number.to_string(),
        Value::Real(number) => number.to_string(),
        Value::Text(text) => text.clone(),
        Value::Blob(bytes) => String::from_utf8_lossy(bytes).into_owned(),
    }
}
