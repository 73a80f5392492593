//! The directory: SQLite that fails, waits or is looked at when a test says so.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use peyk::base::ports::{Db, PortError, Row, Statement, Value};
use peyk::platform::js_error::{self, Thrown};

use super::give_way;
use super::network::Timers;
use super::sqlite::Sqlite;
use super::template::copy_of;

/// How long a query of D1 may take, ms.
const LONGEST_QUERY_MS: i64 = 30_000;

/// The directory, which fails while `is_down`.
#[derive(Default)]
pub struct Directory {
    sqlite: Sqlite,
    pub is_down: Cell<bool>,
    /// What the platform says when a port fails.
    pub outage_words: RefCell<String>,
    /// Looks at each batch before it runs, and may change the directory or let the batch fail.
    watcher: RefCell<Option<Box<Watcher>>>,
    /// Whether each batch lets others run first. So requests that run together mingle.
    pub yields: Cell<bool>,
    /// Whether nothing is answered. A batch without an answer fails after as long as the platform lets a query take.
    pub hangs: Cell<bool>,
    /// How long each batch takes.
    pub takes_ms: Cell<i64>,
    pub timers: Rc<Timers>,
    /// Whether batches that write are refused.
    pub is_full: Cell<bool>,
    /// How many of the next batches have their effect, but nobody hears of it.
    pub unheard: Cell<u32>,
    /// How many bytes the texts of one batch's answers had at most, and those of all batches together.
    pub answered: Cell<(usize, usize)>,
}

type Watcher = dyn FnMut(&Sqlite, &[Statement]) -> Result<(), PortError>;

impl Directory {
    /// An empty directory, with the tables of all migrations.
    pub fn new() -> Self {
        Directory {
            sqlite: copy_of("directory", migrate),
            ..Directory::default()
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

fn migrate(sql: &Sqlite) {
    let files = std::fs::read_dir(concat!(env!("PEYK_ROOT"), "/migrations")).unwrap();
    let mut files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    files.sort();
    for file in files {
        let migration = std::fs::read_to_string(file).unwrap();
        sql.connection.execute_batch(&migration).unwrap();
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
        if self.hangs.get() {
            self.timers.until(self.timers.now_ms.get() + LONGEST_QUERY_MS).await;
            return Err(PortError::unavailable("d1", "timed out"));
        }
        if self.takes_ms.get() > 0 {
            self.timers.until(self.timers.now_ms.get() + self.takes_ms.get()).await;
        }
        if self.yields.get() {
            give_way().await;
        }
        if let Some(watcher) = &mut *self.watcher.borrow_mut() {
            watcher(&self.sqlite, &statements)?;
        }
        if self.is_full.get() && statements.iter().any(|statement| self.sqlite.writes(&statement.sql)) {
            let words = "D1_ERROR: Exceeded maximum DB size".to_owned();
            return Err(js_error::by_directory(&Thrown {
                words,
                ..Thrown::default()
            }));
        }
        let answers = self.sqlite.batch(statements).await?;
        self.note_answers(&answers);
        if self.yields.get() {
            give_way().await;
        }
        match self.unheard.get().checked_sub(1) {
            None => Ok(answers),
            Some(left) => {
                self.unheard.set(left);
                Err(PortError::unavailable("d1", self.outage_words.borrow()))
            }
        }
    }

    async fn size_bytes(&self) -> Result<i64, PortError> {
        match self.is_down.get() {
            true => Err(PortError::unavailable("d1", self.outage_words.borrow())),
            false => Db::size_bytes(&self.sqlite).await,
        }
    }
}
