//! The move of the service to another one: whether one is under way, and the rows of the directory.
//!
//! A directory that takes the rows of another one loses what its schema has put into it, but for three tables of one row each, which
//! the service always reads: these are replaced.

use crate::base::ports::{Db, PortError, Row, Statement};
use crate::base::record::{Columns, neighbours};
use crate::directory::{answer, first};
use crate::durable::tables::{Choice, Page, Reader, Rows, Table, listed};

/// What is no data of the service, and what only a transaction has.
const OWN: &[&str] = &["audit_draft", "d1_migrations", "phonebook_change", "transfer"];
/// What others refer to, in the order in which it is inserted. The log comes before all: what has changed since it was read is behind
/// its last entry.
const FIRST: &[&str] = &["audit", "plan", "carrier", "line", "account", "pattern", "phonebook"];
/// The tables of one row whose row is always there.
const SINGLE: &[&str] = &["audit_horizon", "room", "switch"];
/// What triggers count again while rows are inserted.
const COUNTED: (&str, &[(&str, &str)]) = ("account", &[("pattern_bytes", "0")]);

/// A move that is under way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transfer {
    /// Whether the service takes the data of another one.
    pub incoming: bool,
    /// Since when, ms since the Unix epoch.
    pub since_ms: i64,
    /// The digest of the archive of which all rows are in.
    pub agreed: Option<String>,
}

neighbours!(Transfer: incoming, since_ms, agreed);

const FIND: &str = "SELECT incoming, since_ms, agreed FROM transfer WHERE one = 1";

/// The move that is under way.
pub async fn find(db: &impl Db) -> Result<Option<Transfer>, PortError> {
    first(&db.query(Statement::new(FIND, [])).await?, Transfer::of)
}

/// Begins a move, unless one is under way, which is given then. Data of another service come only into a directory that has no
/// accounts, lines, plans and carriers but its first ones: otherwise there is none.
pub async fn begin(db: &impl Db, incoming: bool, now_ms: i64) -> Result<Option<Transfer>, PortError> {
    let begin = "INSERT INTO transfer (one, incoming, since_ms) SELECT 1, ?1, ?2 \
         WHERE ?1 = 0 OR NOT (EXISTS (SELECT 1 FROM account) OR EXISTS (SELECT 1 FROM line) \
           OR EXISTS (SELECT 1 FROM plan WHERE slug <> 'default') OR EXISTS (SELECT 1 FROM carrier WHERE name <> 'sandbox')) \
         ON CONFLICT DO NOTHING";
    let began = [now_ms.into()];
    let statements = vec![
        Statement::new(begin, [incoming.into(), now_ms.into()]),
        Statement::new(
            "DELETE FROM plan WHERE EXISTS (SELECT 1 FROM transfer WHERE incoming = 1 AND since_ms = ?1)",
            began.clone(),
        ),
        Statement::new(
            "DELETE FROM carrier WHERE EXISTS (SELECT 1 FROM transfer WHERE incoming = 1 AND since_ms = ?1)",
            began,
        ),
        Statement::new(FIND, []),
    ];
    first(answer(&db.batch(statements).await?, 3), Transfer::of)
}

/// Keeps that all rows of an archive are in, by its digest, while data of another service come.
pub async fn agree(db: &impl Db, digest: &str) -> Result<(), PortError> {
    let agree = "UPDATE transfer SET agreed = ?1 WHERE incoming = 1";
    db.query(Statement::new(agree, [digest.into()])).await.map(drop)
}

/// Ends a move.
pub async fn end(db: &impl Db) -> Result<(), PortError> {
    db.query(Statement::new("DELETE FROM transfer", [])).await.map(drop)
}

/// What there is to move.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Accounts, closed ones too.
    pub accounts: i64,
    /// Their available balances, in minor units, as far as a port can carry the sum.
    pub available: i64,
    /// Their locked balances, the same.
    pub locked: i64,
    /// Messages that were ever accepted.
    pub messages: i64,
    /// Patterns.
    pub patterns: i64,
    /// Phonebooks.
    pub phonebooks: i64,
    /// Numbers in them.
    pub numbers: i64,
}

neighbours!(Counts: accounts, available, locked, messages, patterns, phonebooks, numbers);

/// Counts what there is to move, as the directory knows it. It reads all accounts and all usage.
pub async fn counts(db: &impl Db) -> Result<Counts, PortError> {
    let statement = Statement::new(
        "SELECT count(*) AS accounts, min(coalesce(sum(available), 0), 9007199254740991) AS available, \
           min(coalesce(sum(locked), 0), 9007199254740991) AS locked, \
           (SELECT coalesce(sum(messages), 0) FROM usage WHERE carrier = '') AS messages, \
           (SELECT count(*) FROM pattern) AS patterns, (SELECT count(*) FROM phonebook WHERE deleted = 0) AS phonebooks, \
           (SELECT coalesce(sum(count), 0) FROM phonebook WHERE deleted = 0) AS numbers FROM account",
        [],
    );
    Ok(first(&db.query(statement).await?, Counts::of)?.unwrap_or_default())
}

/// Reads a page of the directory's rows: the first one, or the one that another page names. `None`: no page names this.
pub async fn read(db: &impl Db, from: Option<&str>) -> Result<Option<Page>, PortError> {
    let choice = Choice {
        without: OWN,
        only: &[],
        first: FIRST,
        few: &[],
    };
    let Some(mut reader) = Reader::new(choice, from) else {
        return Ok(None);
    };
    while let Some((statement, params)) = reader.asks() {
        reader.take(&db.query(Statement::new(statement, params)).await?)?;
    }
    Ok(Some(reader.page()))
}

/// Inserts rows into a directory that takes them: all, or none. Those that are there already stay. `Err` is the table that does not
/// take its rows.
pub async fn insert(db: &impl Db, tables: &[Rows]) -> Result<Result<(), String>, PortError> {
    let mut statements = Vec::new();
    // Inserting no row, SQLite would begin to count the table's rows.
    for rows in tables.iter().filter(|rows| !rows.rows.is_empty()) {
        let shape: Vec<Row> = db.query(Statement::new(Table::shape(&rows.table), [])).await?;
        let table = Table::of(&rows.table, &shape)?;
        if OWN.contains(&rows.table.as_str()) || !table.has_columns(&rows.columns) {
            return Ok(Err(rows.table.clone()));
        }
        let fixed = if rows.table == COUNTED.0 { COUNTED.1 } else { &[] };
        let replaces = SINGLE.contains(&rows.table.as_str());
        for statement in table.insert(&rows.columns, replaces, fixed) {
            statements.push(Statement::new(statement, [listed(&rows.rows).into()]));
        }
    }
    match db.batch(statements).await {
        Ok(_) => Ok(Ok(())),
        // What a table does not take is a fault of the rows.
        Err(PortError::Failed { .. }) => Ok(Err(tables.last().map(|rows| rows.table.clone()).unwrap_or_default())),
        Err(error) => Err(error),
    }
}
