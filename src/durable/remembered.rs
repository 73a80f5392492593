//! A value that an object remembers as it is stored, so that it need not be read again: nobody but the object writes its storage.
//!
//! The invariant: outside of a transaction, what is remembered is what is stored. No caller has to see to that.
//!
//! - *A statement* that may change the tables of the value makes the object forget it before the statement runs, whoever runs it.
//!   [`write()`] alone remembers a new value afterwards, and only if nothing else has changed since the old one was read.
//! - *A transaction* has the value to itself, and gives it back when it has committed. So one that fails, or that is torn off in the
//!   middle, leaves nothing remembered.
//! - Who writes the storage beside the object, such as a transfer, says so: `Object::forget`.
//!
//! A debug build compares with the storage in each transaction that asks for the value.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::fmt::Debug;
use std::rc::Rc;

use super::listed;
use crate::base::ports::{PortError, Row, Sql, Value};

/// The end of a statement by which a debug build compares. What counts statements leaves such out.
pub const COMPARED: &str = " /* compared */";

/// What an object remembers of its storage while it lives.
#[derive(Debug)]
pub struct Memory<T>(Rc<RefCell<Option<Rc<T>>>>);

impl<T> Default for Memory<T> {
    fn default() -> Self {
        Memory(Rc::default())
    }
}

impl<T: 'static> Memory<T> {
    /// The storage of the object, with this memory. The value is read from these tables and from no others.
    pub fn of<'a, S: Sql>(&self, sql: &'a S, tables: &'static [&'static str]) -> Remembering<'a, S, T> {
        Remembering {
            sql,
            tables,
            desk: Desk {
                kept: Rc::clone(&self.0),
                taken: RefCell::new(None),
                depth: Cell::new(0),
            },
        }
    }

    /// Forgets the value: somebody else has written the storage.
    pub fn forget(&self) {
        self.0.take();
    }
}

/// The storage of an object that remembers a value of it.
#[derive(Debug)]
pub struct Remembering<'a, S, T> {
    sql: &'a S,
    tables: &'static [&'static str],
    desk: Desk<T>,
}

/// The value as one work sees it.
#[derive(Debug)]
struct Desk<T> {
    kept: Rc<RefCell<Option<Rc<T>>>>,
    /// The value, while a transaction has it.
    taken: RefCell<Option<Rc<T>>>,
    /// How many transactions are open, one within the other.
    depth: Cell<u32>,
}

impl<T: 'static> Desk<T> {
    fn of(sql: &impl Sql) -> Option<&Desk<T>> {
        sql.memory()?.downcast_ref()
    }

    fn value(&self) -> &RefCell<Option<Rc<T>>> {
        if self.depth.get() > 0 { &self.taken } else { &self.kept }
    }

    fn has(&self, value: &Rc<T>) -> bool {
        let known = self.value().borrow();
        known.as_ref().is_some_and(|known| Rc::ptr_eq(known, value))
    }

    /// Lets `work`, which is a transaction, have the value to itself.
    fn lend<R>(&self, work: impl FnOnce() -> Result<R, PortError>) -> Result<R, PortError> {
        let depth = self.depth.get();
        if depth == 0 {
            self.taken.replace(self.kept.take());
        }
        self.depth.set(depth.saturating_add(1));
        let done = work();
        self.depth.set(depth);
        if done.is_err() {
            self.taken.take();
        }
        if depth == 0 {
            self.kept.replace(self.taken.take());
        }
        done
    }
}

/// The value, as it is remembered or else as `read` reads it. `compare` reads it too, for a debug build.
///
/// # Panics
/// In a debug build, if a transaction asks and what is remembered is not what is stored.
pub fn read<T: PartialEq + Debug + 'static>(
    sql: &impl Sql,
    read: impl FnOnce() -> Result<Option<T>, PortError>,
    compare: impl FnOnce() -> Result<Option<T>, PortError>,
) -> Result<Option<Rc<T>>, PortError> {
    let desk = Desk::<T>::of(sql);
    let known = desk.and_then(|desk| desk.value().borrow().clone());
    if let Some(known) = known {
        if cfg!(debug_assertions) && desk.is_some_and(|desk| desk.depth.get() > 0) {
            let stored = compare()?;
            assert!(
                stored.as_ref() == Some(&*known),
                "what is remembered is not what is stored: {known:?}, {stored:?}"
            );
        }
        return Ok(Some(known));
    }
    let stored = read()?.map(Rc::new);
    if let Some(desk) = desk {
        desk.value().replace(stored.clone());
    }
    Ok(stored)
}

/// Writes `after` in place of `before`, which was read: `write` does nothing else. It is remembered if `before` was until now.
pub fn write<T: 'static>(
    sql: &impl Sql,
    before: &Rc<T>,
    after: T,
    write: impl FnOnce(&T) -> Result<(), PortError>,
) -> Result<(), PortError> {
    let desk = Desk::<T>::of(sql).filter(|desk| desk.has(before));
    write(&after)?;
    if let Some(desk) = desk {
        desk.value().replace(Some(Rc::new(after)));
    }
    Ok(())
}

/// Forgets the value: it is read anew when somebody asks for it.
pub fn forget<T: 'static>(sql: &impl Sql) {
    if let Some(desk) = Desk::<T>::of(sql) {
        desk.value().take();
    }
}

/// The words of which a statement has one that writes behind a `WITH`.
const WRITING: &[&str] = &["INSERT", "REPLACE", "UPDATE", "DELETE"];

/// Whether a statement may write one of the tables. One that does not begin as most do may, if it names one anywhere; with a `WITH` in
/// front, only if it writes at all.
fn may_write(statement: &str, tables: &[&str]) -> bool {
    let own = statement.strip_prefix(listed!()).unwrap_or(statement);
    let is_of_word = |character: char| character.is_ascii_alphanumeric() || character == '_';
    let mut words = own
        .split(|character| !is_of_word(character))
        .filter(|word| !word.is_empty());
    let is_one = |word: &str| tables.contains(&word);
    match words.next() {
        Some("SELECT") => false,
        Some("INSERT" | "REPLACE") => words.skip_while(|word| *word != "INTO").nth(1).is_some_and(is_one),
        Some("DELETE") => words.nth(1).is_some_and(is_one),
        Some("UPDATE") => match words.next() {
            Some("OR") => words.nth(1).is_some_and(is_one),
            table => table.is_some_and(is_one),
        },
        Some("WITH") if !words.clone().any(|word| WRITING.contains(&word)) => false,
        _ => words.any(is_one),
    }
}

impl<S: Sql, T: 'static> Sql for Remembering<'_, S, T> {
    fn exec(&self, sql: &str, params: &[Value]) -> Result<Vec<Row>, PortError> {
        if may_write(sql, self.tables) {
            self.desk.value().take();
        }
        self.sql.exec(sql, params)
    }

    fn transaction<R>(&self, work: impl FnOnce() -> Result<R, PortError>) -> Result<R, PortError> {
        self.desk.lend(|| self.sql.transaction(work))
    }

    fn size_bytes(&self) -> Result<i64, PortError> {
        self.sql.size_bytes()
    }

    async fn bookmark(&self, at_ms: Option<i64>) -> Result<String, PortError> {
        self.sql.bookmark(at_ms).await
    }

    async fn go_back(&self, bookmark: &str) -> PortError {
        self.desk.kept.take();
        self.sql.go_back(bookmark).await
    }

    fn memory(&self) -> Option<&dyn Any> {
        Some(&self.desk)
    }
}
