//! The directory: SQLite that fails, waits or is looked at when a test says so.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use peyk::base::ports::{Db, PortError, Row, Statement, Value};

use super::give_way;
use super::sqlite::Sqlite;

/// The directory, which fails when the world says so.
pub struct Directory {
    sqlite: Sqlite,
    is_down: Rc<Cell<bool>>,
    outage_words: Rc<RefCell<String>>,
    /// Looks at each batch before it runs, and may change the directory or let the batch fail.
    watcher: RefCell<Option<Box<Watcher>>>,
    /// Whether each batch lets others run first. So requests that run together mingle.
    pub yields: Cell<bool>,
    /// How many bytes the texts of one batch's answers had at most, and those of all batches together.
    pub answered: Cell<(usize, usize)>,
}

type Watcher = dyn FnMut(&Sqlite, &[Statement]) -> Result<(), PortError>;

impl Directory {
    /// An empty one that fails while `is_down`, with these words.
    pub fn new(is_down: &Rc<Cell<bool>>, outage_words: &Rc<RefCell<String>>) -> Self {
        Directory {
            sqlite: Sqlite::new(),
            is_down: Rc::clone(is_down),
            outage_words: Rc::clone(outage_words),
            watcher: RefCell::default(),
            yields: Cell::new(false),
            answered: Cell::default(),
        }
    }

    /// Lets `watcher` look at each batch from now on.
    pub fn watch(&self, watcher: impl FnMut(&Sqlite, &[Statement]) -> Result<(), PortError> + 'static) {
        self.watcher.replace(Some(Box::new(watcher)));
    }

    /// Ends [`Directory::watch`].
    pub fn unwatch(&self) {
        self.watcher.replace(None);
    }

    fn note_answers(&self, answers: &[Vec<Row>]) {
        let values = answers.iter().flatten().flat_map(|Row(values)| values);
        let bytes = values.map(|value| match value {
            Value::Text(text) => text.len(),
            Value::Null | Value::Int(_) => 8,
        });
        let (bytes, (most, all)) = (bytes.sum::<usize>(), self.answered.get());
        self.answered.set((most.max(bytes), all + bytes));
    }
}

impl std::ops::Deref for Directory {
    type Target = Sqlite;

    fn deref(&self) -> &Sqlite {
        &self.sqlite
    }
}

impl Db for Directory {
    async fn batch(&self, statements: Vec<Statement>) -> Result<Vec<Vec<Row>>, PortError> {
        if self.is_down.get() {
            return Err(PortError::unavailable("d1", self.outage_words.borrow()));
        }
        if self.yields.get() {
            give_way().await;
        }
        if let Some(watcher) = &mut *self.watcher.borrow_mut() {
            watcher(&self.sqlite, &statements)?;
        }
        let answers = self.sqlite.batch(statements).await?;
        self.note_answers(&answers);
        Ok(answers)
    }
}
