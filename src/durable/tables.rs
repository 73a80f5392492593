//! The rows of any table, as they go from one store to another: read page by page in the order of their keys, and inserted as they
//! were. Objects and the directory have the same, because both are SQLite.
//!
//! A row is the text of a JSON list that SQLite makes: so integers are exact, whatever JavaScript can carry. A blob is `{"x"}` with its
//! hexadecimal digits.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::to_json;
use crate::base::ports::{PortError, Row, Value};

/// Bytes of the rows of a page, as they stand in JSON. A page with one row may have more.
pub const PAGE_BYTES: usize = 160 * 1024;
/// Rows of a page.
const PAGE_ROWS: usize = 1_000;
/// Rows that are read at first of a table, before it is known how large they are.
const FIRST_ROWS: usize = 16;
/// The runtime takes no more arguments of a function.
const MOST_ARGUMENTS: usize = 30;
/// The key of a table that has declared none.
const ROWID: &str = "rowid";
/// The numbers that SQLite has given last, by table.
const SEQUENCES: &str = "sqlite_sequence";
/// The tables of a store, without those of the runtime. The counters come last, because rows that are inserted count too.
const LIST: &str = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB '_cf_*' \
     AND (name NOT GLOB 'sqlite_*' OR name = 'sqlite_sequence') ORDER BY name = 'sqlite_sequence', name";

/// Rows of a table.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rows {
    /// The table.
    pub table: String,
    /// The names of its columns.
    pub columns: Vec<String>,
    /// The rows: each a JSON list with a value for each column.
    pub rows: Vec<String>,
}

/// A page of the rows of a store. A table is in it as soon as it is begun, with or without rows.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Page {
    /// The rows, by table.
    pub tables: Vec<Rows>,
    /// Where the next page begins. `None`: this is the last one.
    pub next: Option<String>,
}

/// Which tables are read, and in which order.
#[derive(Debug, Clone, Copy, Default)]
pub struct Choice<'a> {
    /// The tables that are left out.
    pub without: &'a [&'a str],
    /// The only ones, if any are named.
    pub only: &'a [&'a str],
    /// Those that come first, because others refer to them.
    pub first: &'a [&'a str],
    /// Those of which a page has this many rows at most.
    pub few: &'a [(String, usize)],
}

impl Choice<'_> {
    fn has(&self, table: &str) -> bool {
        !self.without.contains(&table) && (self.only.is_empty() || self.only.contains(&table))
    }

    fn most(&self, table: &str) -> usize {
        let few = self.few.iter().find(|(name, _)| name == table);
        few.map_or(PAGE_ROWS, |(_, most)| *most)
    }

    fn place(&self, table: &str) -> usize {
        let place = self.first.iter().position(|first| *first == table);
        place.unwrap_or(self.first.len())
    }
}

/// A table, as its rows are read and written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    name: String,
    /// The columns that are stored.
    pub columns: Vec<String>,
    keys: Vec<String>,
}

/// A name as a statement has it.
pub fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

fn joined(items: impl IntoIterator<Item = String>) -> String {
    items.into_iter().collect::<Vec<_>>().join(", ")
}

impl Table {
    /// The statement that says what a table is made of.
    pub fn shape(name: &str) -> String {
        format!("PRAGMA table_xinfo({})", quoted(name))
    }

    /// Reads the answer to [`Table::shape`].
    pub fn of(name: &str, shape: &[Row]) -> Result<Table, PortError> {
        let (mut columns, mut keys) = (Vec::new(), Vec::new());
        for row in shape {
            let mut row = row.reader();
            let (_place, column): (i64, String) = (row.read()?, row.read()?);
            let (_type, _not_null, _default): (String, i64, Option<String>) = (row.read()?, row.read()?, row.read()?);
            let (key, hidden): (i64, i64) = (row.read()?, row.read()?);
            if hidden != 0 {
                continue;
            }
            if key > 0 {
                keys.push((key, column.clone()));
            }
            columns.push(column);
        }
        keys.sort_unstable();
        let mut keys: Vec<String> = keys.into_iter().map(|(_, column)| column).collect();
        if keys.is_empty() {
            keys.push(ROWID.to_owned());
            // A row that comes twice is known by it.
            if name != SEQUENCES {
                columns.insert(0, ROWID.to_owned());
            }
        }
        Ok(Table {
            name: name.to_owned(),
            columns,
            keys,
        })
    }

    /// The statement that reads up to `?1` rows with `?2` bytes in their columns, and one at least: behind the key `?3`, or from the
    /// beginning. It looks at the lengths first, because a memory may not have room for a thousand large rows.
    fn read(&self, goes_on: bool) -> String {
        let keys = joined(self.keys.iter().map(|key| quoted(key)));
        let value = |column: &String| {
            let column = quoted(column);
            format!("CASE typeof({column}) WHEN 'blob' THEN json_object('x', hex({column})) ELSE {column} END")
        };
        let lists = self.columns.chunks(MOST_ARGUMENTS);
        // D1 gives rows as objects, so each column needs a name of its own.
        let list = |(place, columns): (usize, &[String])| {
            format!("json_array({}) AS list{place}", joined(columns.iter().map(value)))
        };
        let lists = joined(lists.enumerate().map(list));
        let behind = joined((0..self.keys.len()).map(|place| format!("?3 ->> {place}")));
        let behind = if goes_on {
            format!(" WHERE ({keys}) > ({behind})")
        } else {
            String::new()
        };
        let length = |column: &String| format!("coalesce(octet_length({}), 0)", quoted(column));
        let lengths = |columns: &[String]| columns.iter().map(length).collect::<Vec<_>>().join(" + ");
        // The runtime takes no expression that is a hundred levels deep.
        let lengths = self
            .columns
            .chunks(MOST_ARGUMENTS)
            .map(|columns| format!("({})", lengths(columns)));
        let lengths = lengths.collect::<Vec<_>>().join(" + ");
        let rows = format!("FROM {}{behind} ORDER BY {keys}", quoted(&self.name));
        format!(
            "SELECT json_array({keys}) AS key, {lists} {rows} LIMIT (SELECT max(1, count(*)) FROM \
               (SELECT sum({lengths}) OVER (ORDER BY {keys} ROWS UNBOUNDED PRECEDING) AS bytes {rows} LIMIT ?1) WHERE bytes <= ?2)"
        )
    }

    /// The statements that insert the rows of `?1`, a JSON list of lists with the values of these columns. A row that is there
    /// already stays as it is; with `replaces`, it becomes the new one. `fixed` are columns that get this instead.
    pub fn insert(&self, columns: &[String], replaces: bool, fixed: &[(&str, &str)]) -> Vec<String> {
        if self.name == SEQUENCES {
            return vec![
                "DELETE FROM sqlite_sequence WHERE name IN (SELECT value ->> 0 FROM json_each(?1))".to_owned(),
                "INSERT INTO sqlite_sequence (name, seq) SELECT value ->> 0, value ->> 1 FROM json_each(?1)".to_owned(),
            ];
        }
        let value = |(place, column): (usize, &String)| match fixed.iter().find(|(name, _)| name == column) {
            Some((_, value)) => (*value).to_owned(),
            None => format!(
                "CASE json_type(value, '$[{place}]') WHEN 'object' THEN unhex(value ->> '$[{place}].x') ELSE value ->> {place} END"
            ),
        };
        let values = joined(columns.iter().enumerate().map(value));
        let names = joined(columns.iter().map(|column| quoted(column)));
        let conflict = if replaces {
            let keys = joined(self.keys.iter().map(|key| quoted(key)));
            let set = columns.iter().map(|column| quoted(column));
            format!(
                "({keys}) DO UPDATE SET {}",
                joined(set.map(|column| format!("{column} = excluded.{column}")))
            )
        } else {
            "DO NOTHING".to_owned()
        };
        vec![format!(
            "WITH listed (value) AS MATERIALIZED (SELECT value FROM json_each(?1)) \
             INSERT INTO {} ({names}) SELECT {values} FROM listed WHERE true ON CONFLICT {conflict}",
            quoted(&self.name)
        )]
    }

    /// Whether rows with these columns are all that the table stores.
    pub fn has_columns(&self, columns: &[String]) -> bool {
        let (mut own, mut others) = (self.columns.clone(), columns.to_vec());
        own.sort_unstable();
        others.sort_unstable();
        own == others
    }
}

/// Rows as `?1` of [`Table::insert`].
pub fn listed(rows: &[String]) -> String {
    format!("[{}]", rows.join(","))
}

/// Reads a page: it says which statement is to be run, and takes the rows that it gives.
#[derive(Debug)]
pub struct Reader<'a> {
    choice: Choice<'a>,
    page: Page,
    /// The tables that are left, once they are known.
    names: Option<VecDeque<String>>,
    table: Option<Table>,
    /// The key of the last row of the table that was read.
    key: Option<String>,
    /// The table that the page begins with.
    from: Option<String>,
    bytes: usize,
    count: usize,
    is_full: bool,
}

/// How much room a row takes in JSON.
fn room(row: &str) -> usize {
    let escaped = row.bytes().filter(|byte| matches!(byte, b'"' | b'\\')).count();
    row.len().saturating_add(escaped).saturating_add(3)
}

impl<'a> Reader<'a> {
    /// Begins a page: the first one, or the one that `from` of another page says. `None`: no page says this.
    pub fn new(choice: Choice<'a>, from: Option<&str>) -> Option<Self> {
        let (table, key) = match from {
            None => (None, None),
            Some(from) => {
                let (table, key): (String, Option<String>) = serde_json::from_str(from).ok()?;
                let is_key = |key: &String| serde_json::from_str::<Vec<serde_json::Value>>(key).is_ok();
                if !key.iter().all(is_key) {
                    return None;
                }
                (Some(table), key)
            }
        };
        Some(Reader {
            choice,
            page: Page::default(),
            names: None,
            table: None,
            key,
            from: table,
            bytes: 0,
            count: 0,
            is_full: false,
        })
    }

    /// The next statement, with its parameters. `None`: the page is done.
    pub fn asks(&mut self) -> Option<(String, Vec<Value>)> {
        if self.is_full {
            return None;
        }
        let Some(names) = &self.names else {
            return Some((LIST.to_owned(), Vec::new()));
        };
        let Some(table) = &self.table else {
            return names.front().map(|name| (Table::shape(name), Vec::new()));
        };
        let left = PAGE_BYTES.saturating_sub(self.bytes);
        let fits = match self.page.tables.last().map_or(0, |rows| rows.rows.len()) {
            0 => FIRST_ROWS,
            _ => left
                .checked_div(self.bytes.checked_div(self.count).unwrap_or(1))
                .unwrap_or(1),
        };
        let number = |number: usize| Value::Int(i64::try_from(number).unwrap_or(1));
        let mut params = vec![number(fits.clamp(1, PAGE_ROWS)), number(left)];
        params.extend(self.key.clone().map(Value::Text));
        Some((table.read(self.key.is_some()), params))
    }

    /// Takes the rows that the statement gave.
    pub fn take(&mut self, rows: &[Row]) -> Result<(), PortError> {
        let Some(names) = &mut self.names else {
            let mut all = Vec::new();
            for row in rows {
                let name = row.text(0)?;
                if self.choice.has(&name) {
                    all.push((self.choice.place(&name), name));
                }
            }
            all.sort_by_key(|(place, _)| *place);
            let from = self.from.take();
            let all = all.into_iter().map(|(_, name)| name);
            self.names = Some(
                all.skip_while(|name| from.as_ref().is_some_and(|from| from != name))
                    .collect(),
            );
            return Ok(());
        };
        if self.table.is_none() {
            let Some(name) = names.front() else {
                return Ok(());
            };
            let table = Table::of(name, rows)?;
            self.page.tables.push(Rows {
                table: name.clone(),
                columns: table.columns.clone(),
                rows: Vec::new(),
            });
            self.table = Some(table);
            return Ok(());
        }
        self.take_rows(rows)
    }

    fn take_rows(&mut self, rows: &[Row]) -> Result<(), PortError> {
        for row in rows {
            let (key, row) = (row.text(0)?, whole(row)?);
            let bytes = room(&row);
            let is_over = self.bytes.saturating_add(bytes) > PAGE_BYTES || self.count >= PAGE_ROWS || self.has_most();
            if self.count > 0 && is_over {
                return self.end();
            }
            self.bytes = self.bytes.saturating_add(bytes);
            self.count = self.count.saturating_add(1);
            if let Some(table) = self.page.tables.last_mut() {
                table.rows.push(row);
            }
            self.key = Some(key);
        }
        if rows.is_empty() {
            self.table = None;
            self.key = None;
            if let Some(names) = &mut self.names {
                names.pop_front();
            }
        }
        Ok(())
    }

    /// Whether the page has as many rows of the table as it may have.
    fn has_most(&self) -> bool {
        let last = self.page.tables.last();
        last.is_some_and(|rows| rows.rows.len() >= self.choice.most(&rows.table))
    }

    /// The page is full, and the table goes on with the next one.
    fn end(&mut self) -> Result<(), PortError> {
        let name = self.names.as_ref().and_then(VecDeque::front);
        self.page.next = Some(to_json(&(name, &self.key))?);
        self.is_full = true;
        Ok(())
    }

    /// The page.
    pub fn page(self) -> Page {
        self.page
    }
}

/// The whole row, of which the statement has some columns in each list.
fn whole(row: &Row) -> Result<String, PortError> {
    let mut lists = Vec::new();
    for column in 1..row.0.len() {
        let list = row.text(column)?;
        let values = list.strip_prefix('[').and_then(|list| list.strip_suffix(']'));
        lists.push(values.unwrap_or_default().to_owned());
    }
    Ok(format!("[{}]", lists.join(",")))
}

/// Whether a row has a value for each of so many columns, of the forms that [`Table::insert`] reads.
pub fn is_row(row: &str, columns: usize) -> bool {
    use serde_json::Value as Json;
    let is_value = |value: &Json| match value {
        Json::Null | Json::Number(_) | Json::String(_) => true,
        Json::Object(blob) => blob.len() == 1 && blob.get("x").is_some_and(Json::is_string),
        Json::Bool(_) | Json::Array(_) => false,
    };
    let values: Result<Vec<Json>, _> = serde_json::from_str(row);
    values.is_ok_and(|values| values.len() == columns && values.iter().all(is_value))
}
