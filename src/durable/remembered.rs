//! Values that an object remembers as they are stored, so that they need not be read again: nobody but the object writes its storage.
//!
//! The invariant: outside of a transaction, what is remembered is what is stored. No caller has to see to that.
//!
//! - *A statement* that may change the tables of a kind of values makes the object forget all of that kind before the statement runs,
//!   whoever runs it. [`write()`] and [`keep`] alone know what their statements change, and remember what is stored afterwards.
//! - *A transaction* has all values to itself, and gives them back when it has committed. So one that fails, or that is torn off in the
//!   middle, leaves nothing remembered.
//! - Who writes the storage beside the object, such as a transfer, says so: `Object::forget`.
//!
//! A debug build compares with the storage in each transaction that asks for a value.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::rc::Rc;

use super::listed;
use crate::base::ports::{PortError, Row, Sql, Value};

/// What can be remembered: values of one kind, each by its key.
pub trait Remembered: PartialEq + Debug + 'static {
    /// By what a value is found: `()` if there is only one.
    type Key: Ord + Clone + Debug + 'static;

    /// The tables that the values are read from. They are read from no others.
    const TABLES: &'static [&'static str];

    /// Octets that all values of the kind take at most. To make room, those with the lowest keys are forgotten.
    const MAX_OCTETS: usize;

    /// Octets that the value takes with its key, about.
    fn octets(&self, key: &Self::Key) -> usize;
}

/// The values of one kind.
#[derive(Debug)]
struct Values<T: Remembered> {
    by_key: BTreeMap<T::Key, Rc<T>>,
    octets: usize,
}

impl<T: Remembered> Default for Values<T> {
    fn default() -> Self {
        Values {
            by_key: BTreeMap::new(),
            octets: 0,
        }
    }
}

impl<T: Remembered> Values<T> {
    fn get(&self, key: &T::Key) -> Option<Rc<T>> {
        self.by_key.get(key).map(Rc::clone)
    }

    fn insert(&mut self, key: T::Key, value: Rc<T>) {
        self.remove(&key);
        self.octets = self.octets.saturating_add(value.octets(&key));
        self.by_key.insert(key, value);
        while self.octets > T::MAX_OCTETS {
            let Some((key, lowest)) = self.by_key.pop_first() else {
                return;
            };
            self.octets = self.octets.saturating_sub(lowest.octets(&key));
        }
    }

    fn remove(&mut self, key: &T::Key) -> Option<Rc<T>> {
        let value = self.by_key.remove(key)?;
        self.octets = self.octets.saturating_sub(value.octets(key));
        Some(value)
    }
}

/// The values of one kind, whichever that is.
#[derive(Debug)]
struct Shelf {
    tables: &'static [&'static str],
    values: Box<dyn Any>,
}

/// What an object remembers of its storage while it lives.
#[derive(Debug, Default)]
pub struct Memory(Rc<RefCell<Vec<Shelf>>>);

impl Memory {
    /// The storage of the object, with this memory.
    pub fn of<'a, S: Sql>(&self, sql: &'a S) -> Remembering<'a, S> {
        Remembering {
            sql,
            desk: Desk {
                kept: Rc::clone(&self.0),
                taken: RefCell::default(),
                depth: Cell::new(0),
            },
        }
    }

    /// Forgets all values: somebody else has written the storage.
    pub fn forget(&self) {
        self.0.take();
    }
}

/// The storage of an object that remembers values of it.
#[derive(Debug)]
pub struct Remembering<'a, S> {
    sql: &'a S,
    desk: Desk,
}

/// The values as one work sees them.
#[derive(Debug)]
struct Desk {
    kept: Rc<RefCell<Vec<Shelf>>>,
    /// The values, while a transaction has them.
    taken: RefCell<Vec<Shelf>>,
    /// How many transactions are open, one within the other.
    depth: Cell<u32>,
}

impl Desk {
    fn of(sql: &impl Sql) -> Option<&Desk> {
        sql.memory()?.downcast_ref()
    }

    fn shelves(&self) -> &RefCell<Vec<Shelf>> {
        if self.depth.get() > 0 { &self.taken } else { &self.kept }
    }

    /// Works on the values of a kind.
    fn with<T: Remembered, R>(&self, work: impl FnOnce(&mut Values<T>) -> R) -> R {
        let mut shelves = self.shelves().borrow_mut();
        for shelf in shelves.iter_mut() {
            if let Some(values) = shelf.values.downcast_mut() {
                return work(values);
            }
        }
        let mut values = Values::default();
        let done = work(&mut values);
        shelves.push(Shelf {
            tables: T::TABLES,
            values: Box::new(values),
        });
        done
    }

    /// Forgets what a statement may change.
    fn make_way_for(&self, statement: &str) {
        let target = Target::of(statement);
        self.shelves()
            .borrow_mut()
            .retain(|shelf| !target.may_be_one_of(shelf.tables));
    }

    /// Lets `work`, which is a transaction, have the values to itself.
    fn lend<R>(&self, work: impl FnOnce() -> Result<R, PortError>) -> Result<R, PortError> {
        let depth = self.begin();
        let done = work();
        self.end(depth, done.is_ok());
        done
    }

    /// A transaction begins. Returns how many are around it.
    #[inline(never)]
    fn begin(&self) -> u32 {
        let depth = self.depth.get();
        if depth == 0 {
            self.taken.replace(self.kept.take());
        }
        self.depth.set(depth.saturating_add(1));
        depth
    }

    /// A transaction ends that has so many around it.
    #[inline(never)]
    fn end(&self, depth: u32, has_committed: bool) {
        self.depth.set(depth);
        if !has_committed {
            self.taken.take();
        }
        if depth == 0 {
            self.kept.replace(self.taken.take());
        }
    }

    /// Compares what is remembered with the storage, in a transaction of a debug build.
    fn compare<V: PartialEq + Debug>(
        &self,
        known: &V,
        stored: impl FnOnce() -> Result<V, PortError>,
    ) -> Result<(), PortError> {
        if cfg!(debug_assertions) && self.depth.get() > 0 {
            let stored = stored()?;
            assert!(
                stored == *known,
                "what is remembered is not what is stored: {known:?}, {stored:?}"
            );
        }
        Ok(())
    }
}

/// [`COMPARED`], for statements that are made with `concat!`.
macro_rules! compared {
    () => {
        " /* compared */"
    };
}
pub(crate) use compared;

/// The end of a statement by which a debug build compares. What counts statements leaves such out.
pub const COMPARED: &str = compared!();

/// The value with this key, as it is remembered or else as `read` reads it. `compare` reads it too, for a debug build.
///
/// # Panics
/// In a debug build, if a transaction asks and what is remembered is not what is stored.
pub fn read<T: Remembered>(
    sql: &impl Sql,
    key: &T::Key,
    read: impl FnOnce() -> Result<Option<T>, PortError>,
    compare: impl FnOnce() -> Result<Option<T>, PortError>,
) -> Result<Option<Rc<T>>, PortError> {
    let Some(desk) = Desk::of(sql) else {
        return Ok(read()?.map(Rc::new));
    };
    let known = desk.with(|values: &mut Values<T>| values.get(key));
    if known.is_some() {
        desk.compare(&known, || Ok(compare()?.map(Rc::new)))?;
        return Ok(known);
    }
    let stored = read()?.map(Rc::new);
    if let Some(stored) = &stored {
        desk.with(|values| values.insert(key.clone(), Rc::clone(stored)));
    }
    Ok(stored)
}

/// Takes those of the values that are remembered. Who takes them may change them and write that, so nobody knows them any more.
/// `compare` reads them too, for a debug build.
///
/// # Panics
/// In a debug build, if a transaction asks and what is remembered is not what is stored.
pub fn take<T: Remembered>(
    sql: &impl Sql,
    keys: &BTreeSet<T::Key>,
    compare: impl FnOnce(&BTreeSet<T::Key>) -> Result<BTreeMap<T::Key, T>, PortError>,
) -> Result<BTreeMap<T::Key, T>, PortError> {
    let Some(desk) = Desk::of(sql) else {
        return Ok(BTreeMap::new());
    };
    let taken: BTreeMap<T::Key, T> = desk.with(|values: &mut Values<T>| {
        let take = |key: &T::Key| Some((key.clone(), Rc::into_inner(values.remove(key)?)?));
        keys.iter().filter_map(take).collect()
    });
    if !taken.is_empty() {
        desk.compare(&taken, || compare(&taken.keys().cloned().collect()))?;
    }
    Ok(taken)
}

/// Writes `after` in place of `before`, which was read: `write` does nothing else. It is remembered if `before` was until now.
pub fn write<T: Remembered<Key = ()>>(
    sql: &impl Sql,
    before: &Rc<T>,
    after: T,
    write: impl FnOnce(&T) -> Result<(), PortError>,
) -> Result<(), PortError> {
    let knows = |desk: &&Desk| {
        let known = desk.with(|values: &mut Values<T>| values.get(&()));
        known.is_some_and(|known| Rc::ptr_eq(&known, before))
    };
    let desk = Desk::of(sql).filter(knows);
    write(&after)?;
    if let Some(desk) = desk {
        desk.with(|values| values.insert((), Rc::new(after)));
    }
    Ok(())
}

/// Lets `write` write the tables of a kind of values and do nothing else: it changes no stored value but those with these keys. What it
/// gives is remembered as it has written it, and all others stay.
pub fn keep<'k, T: Remembered>(
    sql: &impl Sql,
    changed: impl IntoIterator<Item = &'k T::Key>,
    write: impl FnOnce() -> Result<Vec<(T::Key, T)>, PortError>,
) -> Result<(), PortError> {
    let Some(desk) = Desk::of(sql) else {
        return write().map(drop);
    };
    // The statement makes the object forget those that are there. If it fails, these are forgotten too.
    let mut values: Values<T> = desk.with(std::mem::take);
    for key in changed {
        values.remove(key);
    }
    for (key, value) in write()? {
        values.insert(key, Rc::new(value));
    }
    desk.with(|empty| *empty = values);
    Ok(())
}

/// Forgets the values of a kind: they are read anew when somebody asks for them.
pub fn forget<T: Remembered>(sql: &impl Sql) {
    if let Some(desk) = Desk::of(sql) {
        desk.with(std::mem::take::<Values<T>>);
    }
}

/// The words of which a statement has one that writes behind a `WITH`.
const WRITING: &[&str] = &["INSERT", "REPLACE", "UPDATE", "DELETE"];

/// What a statement may write.
enum Target<'a> {
    Nothing,
    /// This table.
    Table(&'a str),
    /// Whatever table it names.
    AnyOf(&'a str),
}

fn words(text: &str) -> impl Iterator<Item = &str> + Clone {
    let is_of_word = |character: char| character.is_ascii_alphanumeric() || character == '_';
    text.split(move |character| !is_of_word(character))
        .filter(|word| !word.is_empty())
}

impl<'a> Target<'a> {
    /// The target of a statement that does not begin as most do is any table that it names; with a `WITH` in front, only if it writes
    /// at all.
    fn of(statement: &'a str) -> Self {
        let own = statement.strip_prefix(listed!()).unwrap_or(statement);
        let mut words = words(own);
        let table = match words.next() {
            Some("SELECT") => return Target::Nothing,
            Some("INSERT" | "REPLACE") => words.skip_while(|word| *word != "INTO").nth(1),
            Some("DELETE") => words.nth(1),
            Some("UPDATE") => match words.next() {
                Some("OR") => words.nth(1),
                table => table,
            },
            Some("WITH") if !words.any(|word| WRITING.contains(&word)) => return Target::Nothing,
            _ => return Target::AnyOf(own),
        };
        table.map_or(Target::Nothing, Target::Table)
    }

    fn may_be_one_of(&self, tables: &[&str]) -> bool {
        match self {
            Target::Nothing => false,
            Target::Table(table) => tables.contains(table),
            Target::AnyOf(statement) => words(statement).any(|word| tables.contains(&word)),
        }
    }
}

impl<S: Sql> Sql for Remembering<'_, S> {
    fn exec(&self, sql: &str, params: &[Value]) -> Result<Vec<Row>, PortError> {
        self.desk.make_way_for(sql);
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
