//! An object that can stand still, give its rows, and take those of another one: so a whole service moves to another machine, and
//! nothing leaves twice. It stands around each class, which knows nothing of it.
//!
//! A *frozen* object has a table `frozen`, so it stays frozen whatever the runtime does. It answers other calls as one that can't be
//! reached, and its alarm does nothing. What has begun before may end, for as long as whoever froze it waits. Then it is dropped, as
//! in a crash: no step of it is done any more.
//!
//! An object that nobody has used has no table at all. Only such a one takes the rows of another object.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use super::tables::{Choice, Reader, Rows, Table, listed, quoted};
use super::transfer::{Answer, NAME, Refused, Standstill, Step};
use super::{Answered, Call, Object, Wake, to_json};
use crate::base::ports::{Platform, PortError, Sql};

/// Its row says that the object is frozen, and whether it is to take rows.
const FROZEN: &str =
    "CREATE TABLE frozen (one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1), incoming INTEGER NOT NULL) STRICT";
/// What is no data of the object.
const OWN: &[&str] = &["frozen"];

/// What an object may do.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Gate {
    /// It does not know yet.
    #[default]
    Unknown,
    /// Nobody has used it.
    New,
    /// All that it is asked.
    Open,
    /// Nothing.
    Frozen,
}

/// What is under way in an object.
#[derive(Debug, Default)]
struct Works {
    /// Who wakes each work, by its number; none while it has not waited yet.
    wakers: RefCell<BTreeMap<u64, Option<Waker>>>,
    last: Cell<u64>,
    /// Whether all of it is to end without another step.
    is_over: Cell<bool>,
}

impl Works {
    /// Lets all of it end: it frees what it has, such as a connection.
    fn end(&self) {
        self.is_over.set(true);
        let wakers: Vec<Waker> = self.wakers.borrow_mut().values_mut().filter_map(Option::take).collect();
        wakers.into_iter().for_each(Waker::wake);
    }
}

/// A work, as long as it is there.
struct Mark {
    works: Rc<Works>,
    number: u64,
}

impl Mark {
    fn of(works: &Rc<Works>) -> Self {
        let number = works.last.get().saturating_add(1);
        works.last.set(number);
        works.wakers.borrow_mut().insert(number, None);
        Mark {
            works: Rc::clone(works),
            number,
        }
    }

    /// Does a step of the work. `None` for its end: it is to go no further.
    fn poll<T>(&self, work: Pin<&mut impl Future<Output = T>>, context: &mut Context<'_>) -> Poll<Option<T>> {
        if self.works.is_over.get() {
            return Poll::Ready(None);
        }
        let polled = work.poll(context).map(Some);
        if polled.is_pending() {
            let waker = context.waker().clone();
            self.works.wakers.borrow_mut().insert(self.number, Some(waker));
        }
        polled
    }
}

impl Drop for Mark {
    fn drop(&mut self) {
        self.works.wakers.borrow_mut().remove(&self.number);
    }
}

/// An object of a class in memory, which can be frozen.
#[derive(Debug, Default)]
pub struct Movable<O> {
    object: RefCell<Rc<O>>,
    gate: Cell<Gate>,
    works: RefCell<Rc<Works>>,
}

fn frozen() -> PortError {
    PortError::unavailable("transfer", "the object is frozen, because the service moves")
}

/// Whether a call is a step of a transfer. The name of a request stands so in no text of a call.
fn is_step(call: &str) -> bool {
    call.contains(r#""request":"Transfer""#) && Call::read(call).is_ok_and(|call| call.request == NAME)
}

impl<O: Object> Movable<O> {
    /// The object itself, as it is in memory.
    pub fn object(&self) -> Rc<O> {
        Rc::clone(&self.object.borrow())
    }

    /// What the object may do. The first time, its storage says so, and its schema is brought up to date.
    fn gate(&self, sql: &impl Sql) -> Result<Gate, PortError> {
        if self.gate.get() == Gate::Unknown {
            let known = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name IN ('frozen', 'schema_version') ORDER BY name";
            let gate = match sql.exec(known, &[])?.first() {
                None => Gate::New,
                Some(row) if row.text(0)? == "frozen" => Gate::Frozen,
                Some(_) => {
                    O::open(sql)?;
                    Gate::Open
                }
            };
            self.gate.set(gate);
        }
        Ok(self.gate.get())
    }

    /// Lets a call in, also as the first one.
    fn enter(&self, sql: &impl Sql) -> Result<(), PortError> {
        match self.gate(sql)? {
            Gate::Frozen => return Err(frozen()),
            Gate::New => {
                O::open(sql)?;
                self.gate.set(Gate::Open);
            }
            Gate::Open | Gate::Unknown => {}
        }
        Ok(())
    }

    fn may_work(&self, sql: &impl Sql) -> Result<bool, PortError> {
        Ok(self.gate(sql)? == Gate::Open)
    }

    /// Does work of the object, unless that is dropped meanwhile. `None`: it was.
    async fn unless_dropped<T>(&self, mut work: Pin<&mut impl Future<Output = T>>) -> Option<T> {
        let mark = Mark::of(&self.works.borrow());
        poll_fn(|context| mark.poll(work.as_mut(), context)).await
    }

    /// Begins anew in memory, and ends what is under way.
    fn drop_works(&self) {
        self.works.replace(Rc::default()).end();
        self.object.replace(Rc::default());
    }

    /// Does a step of a transfer.
    fn step(&self, now_ms: i64, sql: &impl Sql, call: &str) -> Result<Answered, PortError> {
        let mut wake = Wake::Never;
        let answer = match Call::read(call)?.body()? {
            Step::Freeze { incoming: None, now } => self.freeze(sql, now)?,
            Step::Freeze {
                incoming: Some(parts), ..
            } => self.prepare(sql, &parts)?,
            Step::Thaw => {
                wake = self.thaw(sql, now_ms)?;
                Answer::Thawed
            }
            Step::Read { from, only } => read(sql, from.as_deref(), &only)?,
            Step::Insert { tables, adds } => {
                let may = is_taking(sql, self.gate(sql)?)? || adds && self.may_work(sql)?;
                if may {
                    let inserted = insert(sql, &tables);
                    self.forget();
                    let inserted = inserted?;
                    wake = self.due(sql, now_ms)?;
                    inserted
                } else {
                    Answer::Refused(Refused::NotFrozen)
                }
            }
        };
        Ok(Answered {
            reply: to_json(&answer)?,
            wake,
        })
    }

    fn freeze(&self, sql: &impl Sql, now: bool) -> Result<Answer, PortError> {
        let gate = self.gate(sql)?;
        if is_taking(sql, gate)? {
            return Ok(Answer::Refused(Refused::NotEmpty));
        }
        if gate == Gate::Open {
            mark(sql, false)?;
            self.gate.set(Gate::Frozen);
        }
        if now {
            self.drop_works();
        }
        self.standstill(sql, gate == Gate::New)
    }

    /// Freezes a new object to take the rows of another one.
    fn prepare(&self, sql: &impl Sql, parts: &[String]) -> Result<Answer, PortError> {
        let gate = self.gate(sql)?;
        if gate == Gate::New {
            sql.transaction(|| {
                O::open_parts(sql, parts)?;
                empty(sql)?;
                mark(sql, true)
            })?;
            self.gate.set(Gate::Frozen);
        } else if !is_taking(sql, gate)? {
            return Ok(Answer::Refused(Refused::NotEmpty));
        }
        self.standstill(sql, false)
    }

    fn standstill(&self, sql: &impl Sql, is_new: bool) -> Result<Answer, PortError> {
        let parts = match is_new {
            true => Vec::new(),
            false => sql.exec("SELECT part FROM schema_version ORDER BY part", &[])?,
        };
        Ok(Answer::Frozen(Standstill {
            is_new,
            is_busy: !self.works.borrow().wakers.borrow().is_empty(),
            parts: parts.iter().map(|row| row.text(0)).collect::<Result<_, _>>()?,
        }))
    }

    /// Lets the object go on from what is stored.
    fn thaw(&self, sql: &impl Sql, now_ms: i64) -> Result<Wake, PortError> {
        if self.gate(sql)? == Gate::Frozen {
            sql.exec("DROP TABLE frozen", &[])?;
            self.drop_works();
            self.gate.set(Gate::Unknown);
        }
        self.due(sql, now_ms)
    }

    fn due(&self, sql: &impl Sql, now_ms: i64) -> Result<Wake, PortError> {
        Ok(self.next_due_ms(sql, now_ms)?.map_or(Wake::Never, Wake::At))
    }
}

/// Whether a frozen object is to take rows.
fn is_taking(sql: &impl Sql, gate: Gate) -> Result<bool, PortError> {
    Ok(gate == Gate::Frozen && sql.number("SELECT incoming FROM frozen", &[])? == Some(1))
}

fn mark(sql: &impl Sql, incoming: bool) -> Result<(), PortError> {
    sql.transaction(|| {
        sql.exec(FROZEN, &[])?;
        sql.exec("INSERT INTO frozen VALUES (1, ?1)", &[incoming.into()])
            .map(drop)
    })
}

/// Reads a page of the object's rows.
fn read(sql: &impl Sql, from: Option<&str>, only: &[String]) -> Result<Answer, PortError> {
    let only: Vec<&str> = only.iter().map(String::as_str).collect();
    let choice = Choice {
        without: OWN,
        only: &only,
        first: &[],
    };
    let Some(mut reader) = Reader::new(choice, from) else {
        return Ok(Answer::Refused(Refused::NoPage));
    };
    while let Some((statement, params)) = reader.asks() {
        reader.take(&sql.exec(&statement, &params)?)?;
    }
    Ok(Answer::Page(reader.page()))
}

/// Takes away what the schema itself puts into its tables.
fn empty(sql: &impl Sql) -> Result<(), PortError> {
    let tables = sql.exec(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB '_cf_*' AND (name NOT GLOB 'sqlite_*' OR name = 'sqlite_sequence')",
        &[],
    )?;
    for table in tables {
        sql.exec(&format!("DELETE FROM {}", quoted(&table.text(0)?)), &[])?;
    }
    Ok(())
}

/// Inserts rows: all of them, or none.
fn insert(sql: &impl Sql, tables: &[Rows]) -> Result<Answer, PortError> {
    let refused = Cell::new(None);
    let inserted = sql.transaction(|| {
        for rows in tables {
            insert_into(sql, rows).inspect_err(|_| refused.set(Some(rows.table.clone())))?;
        }
        Ok(())
    });
    match (inserted, refused.take()) {
        (Ok(()), _) => Ok(Answer::Inserted),
        // What a table does not take is a fault of the rows.
        (Err(PortError::Failed { .. }), Some(table)) => Ok(Answer::Refused(Refused::NotOfTable(table))),
        (Err(error), _) => Err(error),
    }
}

fn insert_into(sql: &impl Sql, rows: &Rows) -> Result<(), PortError> {
    let table = Table::of(&rows.table, &sql.exec(&Table::shape(&rows.table), &[])?)?;
    if OWN.contains(&rows.table.as_str()) || !table.has_columns(&rows.columns) {
        return Err(PortError::failed("transfer", "rows of another table"));
    }
    // Inserting no row, SQLite would begin to count the table's rows.
    let has_rows = !rows.rows.is_empty();
    for statement in table.insert(&rows.columns, false, &[]).iter().filter(|_| has_rows) {
        sql.exec(statement, &[listed(&rows.rows).into()])?;
    }
    Ok(())
}

impl<O: Object> Object for Movable<O> {
    /// Nothing: whether the object has a schema, the first call or alarm looks.
    fn open(_: &impl Sql) -> Result<(), PortError> {
        Ok(())
    }

    async fn answer<P: Platform, S: Sql>(&self, platform: &P, sql: &S, call: &str) -> Result<Answered, PortError> {
        if is_step(call) {
            return self.step(platform.now_ms(), sql, call);
        }
        self.enter(sql)?;
        let object = self.object();
        let answered = self.unless_dropped(pin!(object.answer(platform, sql, call))).await;
        answered.unwrap_or_else(|| Err(frozen()))
    }

    async fn answer_all<P: Platform, S: Sql>(
        &self,
        platform: &P,
        sql: &S,
        calls: &[String],
    ) -> Vec<Result<Answered, PortError>> {
        let failed = |error: PortError| calls.iter().map(|_| Err(error.clone())).collect();
        if calls.iter().any(|call| is_step(call)) {
            let mut answers = Vec::with_capacity(calls.len());
            for call in calls {
                answers.push(self.answer(platform, sql, call).await);
            }
            return answers;
        }
        if let Err(error) = self.enter(sql) {
            return failed(error);
        }
        let object = self.object();
        let answers = self.unless_dropped(pin!(object.answer_all(platform, sql, calls))).await;
        answers.unwrap_or_else(|| failed(frozen()))
    }

    fn wants_urgent(&self, now_ms: i64) -> bool {
        self.gate.get() == Gate::Open && self.object.borrow().wants_urgent(now_ms)
    }

    async fn urgent<P: Platform, S: Sql>(&self, platform: &P, sql: &S) -> Result<bool, PortError> {
        if !self.may_work(sql)? {
            return Ok(false);
        }
        let object = self.object();
        let done = self.unless_dropped(pin!(object.urgent(platform, sql))).await;
        let is_more = done.unwrap_or(Ok(false))?;
        Ok(is_more && self.may_work(sql)?)
    }

    fn due_after_urgent_ms(&self, now_ms: i64) -> Option<i64> {
        if self.gate.get() == Gate::Open {
            self.object.borrow().due_after_urgent_ms(now_ms)
        } else {
            None
        }
    }

    async fn chores<P: Platform, S: Sql>(&self, platform: &P, sql: &S) -> Result<(), PortError> {
        if !self.may_work(sql)? {
            return Ok(());
        }
        let object = self.object();
        let done = self.unless_dropped(pin!(object.chores(platform, sql))).await;
        done.unwrap_or(Ok(()))
    }

    fn next_due_ms(&self, sql: &impl Sql, now_ms: i64) -> Result<Option<i64>, PortError> {
        if self.may_work(sql)? {
            self.object.borrow().next_due_ms(sql, now_ms)
        } else {
            Ok(None)
        }
    }

    fn begin_invocation(&self) {
        self.object.borrow().begin_invocation();
    }

    fn forget(&self) {
        self.object.borrow().forget();
    }
}
