//! Storages that many tests begin with. Each is made once and copied: to copy one takes a small part of the time.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use rusqlite::Connection;
use rusqlite::backup::Backup;

use super::sqlite::Sqlite;

/// By name. A test that fails while it copies one leaves all of them whole.
static TEMPLATES: Mutex<BTreeMap<&str, Connection>> = Mutex::new(BTreeMap::new());

/// A storage as `make` leaves an empty one. It is asked once for each name.
pub fn copy_of(name: &'static str, make: impl FnOnce(&Sqlite)) -> Sqlite {
    let mut templates = TEMPLATES.lock().unwrap_or_else(PoisonError::into_inner);
    let template = templates.entry(name).or_insert_with(|| {
        let made = Sqlite::new();
        make(&made);
        made.connection
    });
    let mut sql = Sqlite::new();
    Backup::new(template, &mut sql.connection).unwrap().step(-1).unwrap();
    sql
}
