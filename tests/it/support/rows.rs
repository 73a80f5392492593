//! Counts the rows that statements write, as the Workers runtime and D1 count and bill them: a row of a table, and each entry
//! that goes into an index.
//!
//! workerd's SQLite counts where a row or an entry is inserted, and where a row is deleted
//! (`patches/sqlite/0001-row-counts-plain.patch` in its repository). So
//!
//! - an `INSERT` is a row, and an entry of each index that the row belongs to;
//! - an `UPDATE` is a row, and an entry of each index that the new row belongs to and that has a column of the `SET` list, in
//!   its key or in its `WHERE`, whether the value changes or not;
//! - a `DELETE` is a row, whatever indexes had it;
//! - the table of a `WITHOUT ROWID` is its own index and counts once.
//!
//! Temporary triggers count this. SQLite fires a trigger `UPDATE OF` by the `SET` list too, and decides itself which rows a
//! partial index has. What is rolled back is not counted here, unlike there; the counters of `AUTOINCREMENT` are left out.

use peyk::base::ports::{Row, Sql};

/// Counts from now on what is written to these tables.
pub fn watch(sql: &impl Sql) {
    let exec = |statement: &str| sql.exec(statement, &[]).unwrap();
    exec("CREATE TEMP TABLE written (entry TEXT NOT NULL) STRICT");
    let tables =
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'";
    for table in texts(&exec(tables)) {
        watch_table(sql, &table);
    }
}

/// What was written since the last look, by entry (`chunk: insert`, `chunk: update, chunk_ready`), the most first.
pub fn taken(sql: &impl Sql) -> Vec<(String, i64)> {
    let counts = sql.exec(
        "SELECT entry, count(*) FROM written GROUP BY entry ORDER BY 2 DESC, 1",
        &[],
    );
    let counts = counts.unwrap();
    sql.exec("DELETE FROM written", &[]).unwrap();
    let count = |row: &Row| (row.text(0).unwrap(), row.int(1).unwrap());
    counts.iter().map(count).collect()
}

fn watch_table(sql: &impl Sql, table: &str) {
    let columns = texts(
        &sql.exec("SELECT name FROM pragma_table_info(?1)", &[table.into()])
            .unwrap(),
    );
    let trigger = |name: &str, event: &str, entry: &str, from: &str| {
        let text = format!(
            "CREATE TEMP TRIGGER \"count {name}\" AFTER {event} ON main.\"{table}\" BEGIN \
             INSERT INTO written SELECT '{table}: {entry}'{from}; END"
        );
        sql.exec(&text, &[]).unwrap();
    };
    for event in ["INSERT", "UPDATE", "DELETE"] {
        trigger(&format!("{event} of {table}"), event, &event.to_lowercase(), "");
    }
    let new_row = columns.iter();
    let new_row: Vec<String> = new_row.map(|name| format!("NEW.\"{name}\" AS \"{name}\"")).collect();
    for Index { name, columns, filter } in indexes(sql, table, &columns) {
        let from = format!(" FROM (SELECT {}) WHERE {filter}", new_row.join(", "));
        let (inserted, updated) = (format!("insert, {name}"), format!("update, {name}"));
        trigger(&format!("INSERT of {name}"), "INSERT", &inserted, &from);
        trigger(
            &format!("UPDATE of {name}"),
            &format!("UPDATE OF {}", columns.join(", ")),
            &updated,
            &from,
        );
    }
}

struct Index {
    name: String,
    /// The columns whose change changes the entry, quoted.
    columns: Vec<String>,
    /// Which rows the index has.
    filter: String,
}

/// The indexes of a table beside the table itself.
fn indexes(sql: &impl Sql, table: &str, columns: &[String]) -> Vec<Index> {
    let list = "SELECT list.name, schema.sql FROM pragma_index_list(?1) list \
         JOIN sqlite_schema schema ON schema.name = list.name \
         JOIN pragma_table_list(?1) what \
         WHERE NOT (list.origin = 'pk' AND what.wr = 1)";
    let index = |row: &Row| {
        let (name, text) = (row.text(0).unwrap(), row.opt_text(1).unwrap().unwrap_or_default());
        let keys = "SELECT name FROM pragma_index_info(?1) WHERE name IS NOT NULL";
        let keys = texts(&sql.exec(keys, &[name.as_str().into()]).unwrap());
        // Behind the name stand the columns, expressions of columns, and the filter.
        let names = text.split_once(" ON ").map_or("", |(_, behind)| behind);
        let is_named = |column: &&String| keys.contains(column) || words(names).any(|word| word == column.as_str());
        Index {
            columns: columns
                .iter()
                .filter(is_named)
                .map(|column| format!("\"{column}\""))
                .collect(),
            filter: text.split_once(" WHERE ").map_or("1", |(_, filter)| filter).to_owned(),
            name,
        }
    };
    sql.exec(list, &[table.into()]).unwrap().iter().map(index).collect()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|character: char| !character.is_alphanumeric() && character != '_')
}

fn texts(rows: &[Row]) -> Vec<String> {
    rows.iter().map(|row| row.text(0).unwrap()).collect()
}
