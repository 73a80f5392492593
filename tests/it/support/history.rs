//! The history of an object's storage, as the platform keeps it: bookmarks, and going back to them.

use std::cell::{Cell, RefCell};

use peyk::base::ports::PortError;
use rusqlite::Connection;

/// What becomes of the next attempts to go back.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Way {
    /// The next session begins with the older storage.
    #[default]
    Back,
    /// The process dies before the platform has heard of it.
    Nowhere,
}

/// What a storage was like, by bookmark. A storage without bookmarks is one of a runtime that keeps no history.
#[derive(Debug, Default)]
pub struct History {
    /// `(when, bookmark)`, ms since the Unix epoch.
    kept: RefCell<Vec<(i64, String)>>,
    pub way: Cell<Way>,
    /// Whether the object has ended its session.
    pub has_ended: Cell<bool>,
}

fn tables(connection: &Connection, schema: &str) -> Vec<String> {
    let query = format!(
        "SELECT name FROM \"{schema}\".sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' \
         UNION ALL SELECT 'sqlite_sequence'"
    );
    let mut statement = connection.prepare(&query).unwrap();
    let names = statement.query_map([], |row| row.get(0)).unwrap();
    names.map(Result::unwrap).collect()
}

/// Copies all rows of one schema into the tables of another.
fn copy(connection: &Connection, from: &str, to: &str) {
    for table in tables(connection, "main") {
        let is_there = format!("SELECT count(*) FROM \"{to}\".sqlite_schema WHERE name = 'of_{table}'");
        let name = |schema: &str| match schema {
            "main" => format!("main.\"{table}\""),
            other => format!("\"{other}\".\"of_{table}\""),
        };
        let there: i64 = connection.query_row(&is_there, [], |row| row.get(0)).unwrap();
        let sql = match to {
            "main" => format!(
                "DELETE FROM {0}; INSERT INTO {0} SELECT * FROM {1}",
                name(to),
                name(from)
            ),
            _ if there == 0 => format!("CREATE TABLE {} AS SELECT * FROM {}", name(to), name(from)),
            _ => panic!("a bookmark is noted once"),
        };
        connection.execute_batch(&sql).unwrap();
    }
}

impl History {
    /// Notes the storage as it is at a time.
    pub fn note(&self, connection: &Connection, at_ms: i64) -> String {
        // As the platform's look.
        let bookmark = format!("0000007b-0000b26e-00001538-{:032x}", self.kept.borrow().len());
        connection
            .execute_batch(&format!("ATTACH ':memory:' AS \"{bookmark}\""))
            .unwrap();
        copy(connection, "main", &bookmark);
        self.kept.borrow_mut().push((at_ms, bookmark.clone()));
        bookmark
    }

    pub fn bookmark(&self, connection: &Connection, at_ms: Option<i64>) -> Result<String, PortError> {
        let none = || PortError::failed("storage", "the storage does not implement point-in-time recovery");
        let kept = self.kept.borrow();
        let (first_ms, _) = kept.first().ok_or_else(none)?;
        let found = match at_ms {
            Some(at_ms) if at_ms < *first_ms => return Err(PortError::failed("storage", "no history of this time")),
            Some(at_ms) => kept
                .iter()
                .rev()
                .find(|(noted_ms, _)| *noted_ms <= at_ms)
                .map(|(_, name)| name.clone()),
            None => None,
        };
        drop(kept);
        Ok(found.unwrap_or_else(|| self.note(connection, i64::MAX)))
    }

    pub fn go_back(&self, connection: &Connection, bookmark: &str) -> PortError {
        let is_known = self.kept.borrow().iter().any(|(_, name)| name == bookmark);
        if self.way.get() == Way::Back && is_known {
            copy(connection, bookmark, "main");
        }
        self.has_ended.set(true);
        PortError::unavailable("storage", "the session has ended")
    }
}
