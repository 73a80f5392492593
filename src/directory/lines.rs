//! Lines: the numbers that accounts send from.

use super::behind;
use crate::base::cache::Weigh;
use crate::base::ports::{Db, PortError, Row, Statement, Value};
use crate::base::record::Reader;
use crate::directory::{all, first, from_json, to_json};
use crate::sms::price::{Coefficient, Coefficients, Operation};
use crate::sms::routing::{Route, Routes, Share};

/// A line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The number, as recipients see it.
    pub number: String,
    /// The carriers that take the line's messages.
    pub routes: Routes,
    /// Whether accounts may send their own texts from the line.
    pub webservice: bool,
    /// Whether accounts may send patterns from the line.
    pub pattern: bool,
    /// Whether all accounts may use the line.
    pub shared: bool,
    /// Whether the line is in service.
    pub active: bool,
    /// Whether an operator has stopped it for a while, also for messages that are accepted already.
    pub paused: bool,
    /// Whether sends may ask for the cheapest forms of their texts.
    pub cheapest: bool,
    /// The line's coefficients.
    pub coefficients: Coefficients,
}

impl Line {
    /// Whether the line is in service for this operation.
    pub fn serves(&self, operation: Operation) -> bool {
        self.active
            && match operation {
                Operation::Webservice => self.webservice,
                Operation::Pattern => self.pattern,
            }
    }
}

impl Weigh for Line {
    fn heap(&self) -> usize {
        self.number.heap() + self.routes.heap()
    }
}

/// A line as operators see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedLine {
    /// The line.
    pub line: Line,
    /// The ids of the accounts that the line is assigned to.
    pub accounts: Vec<String>,
}

/// A change of a line. A field that is `None` stays as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Change {
    /// The new routes.
    pub routes: Option<Routes>,
    /// Whether accounts may send their own texts from the line.
    pub webservice: Option<bool>,
    /// Whether accounts may send patterns from the line.
    pub pattern: Option<bool>,
    /// Whether all accounts may use the line.
    pub shared: Option<bool>,
    /// Whether the line is in service.
    pub active: Option<bool>,
    /// Whether the line is stopped for a while.
    pub paused: Option<bool>,
    /// Whether sends may ask for the cheapest forms of their texts.
    pub cheapest: Option<bool>,
    /// The new coefficients, in the order of the fields of [`Coefficients`].
    pub coefficients: [Option<Coefficient>; 6],
    /// The ids of the accounts that the line is assigned to from now on.
    pub accounts: Option<Vec<String>>,
}

/// The columns of a line, in the order that [`from_row`] reads.
macro_rules! line_columns {
    ($of:literal) => {
        columns!(
            $of,
            "number",
            "routes",
            "webservice",
            "pattern",
            "shared",
            "active",
            "persian_c",
            "english_c",
            "mci_c",
            "mtn_c",
            "webservice_c",
            "pattern_c",
            "paused",
            "cheapest"
        )
    };
}
pub(super) use line_columns;

/// The columns of an entry, in the order that [`entry_from_row`] reads. The line has the alias `l`. `$limit` bounds the
/// accounts.
macro_rules! entry_columns {
    ($limit:literal) => {
        concat!(
            line_columns!("l."),
            ", (SELECT json_group_array(account) FROM \
                  (SELECT account FROM line_account WHERE line = l.number ORDER BY account ",
            $limit,
            "))"
        )
    };
}

pub(super) fn from_row(row: &Row) -> Result<Line, PortError> {
    read(&mut row.reader())
}

fn read(row: &mut Reader<'_>) -> Result<Line, PortError> {
    Ok(Line {
        number: row.read()?,
        routes: row.json("routes")?,
        webservice: row.read()?,
        pattern: row.read()?,
        shared: row.read()?,
        active: row.read()?,
        coefficients: Coefficients {
            persian: coefficient(row)?,
            english: coefficient(row)?,
            mci: coefficient(row)?,
            mtn: coefficient(row)?,
            webservice: coefficient(row)?,
            pattern: coefficient(row)?,
        },
        paused: row.read()?,
        cheapest: row.read()?,
    })
}

fn coefficient(row: &mut Reader<'_>) -> Result<Coefficient, PortError> {
    row.known("a coefficient", |units: &u32| Coefficient::from_ten_thousandths(*units))
}

fn entry_from_row(row: &Row) -> Result<ListedLine, PortError> {
    let mut row = row.reader();
    Ok(ListedLine {
        line: read(&mut row)?,
        accounts: row.json("accounts")?,
    })
}

/// Finds a line by its number.
pub async fn find(db: &impl Db, number: &str) -> Result<Option<ListedLine>, PortError> {
    let statement = Statement::new(
        concat!("SELECT ", entry_columns!(""), " FROM line l WHERE l.number = ?1"),
        [number.into()],
    );
    first(&db.query(statement).await?, entry_from_row)
}

/// Reads at most `limit` lines, in the order of their numbers, beginning behind the number `after`. Each has at most
/// `max_accounts` of its accounts.
pub async fn page(
    db: &impl Db,
    limit: u32,
    after: Option<&str>,
    max_accounts: u32,
) -> Result<Vec<ListedLine>, PortError> {
    let statement = Statement::new(
        concat!(
            "SELECT ",
            entry_columns!("LIMIT ?3"),
            " FROM line l WHERE ?2 IS NULL OR l.number > ?2 ORDER BY l.number LIMIT ?1"
        ),
        [limit.into(), after.into(), max_accounts.into()],
    );
    all(&db.query(statement).await?, entry_from_row)
}

/// As [`page`], those lines whose number begins with `search`, whatever plus and zeros stand before it.
pub async fn search(
    db: &impl Db,
    limit: u32,
    after: Option<&str>,
    max_accounts: u32,
    search: &str,
) -> Result<Vec<ListedLine>, PortError> {
    let beginning = search.trim_start_matches(['+', '0']);
    let upper = beginning.to_ascii_uppercase();
    let statement = Statement::new(
        concat!(
            "SELECT ",
            entry_columns!("LIMIT ?3"),
            " FROM line l WHERE l.number > ?2 AND l.number IN ( \
               SELECT number FROM line INDEXED BY line_searched WHERE ltrim(number, '+0') COLLATE NOCASE >= ?4 \
                 AND ltrim(number, '+0') COLLATE NOCASE < ?5 AND upper(substr(ltrim(number, '+0'), 1, length(?6))) = ?6 \
             ) ORDER BY l.number LIMIT ?1"
        ),
        [
            limit.into(),
            after.unwrap_or_default().into(),
            max_accounts.into(),
            beginning.into(),
            behind(beginning).into(),
            upper.as_str().into(),
        ],
    );
    all(&db.query(statement).await?, entry_from_row)
}

/// Adds a line and assigns it to these accounts, in one transaction. Returns `false` if the number is taken; then nothing is
/// assigned.
pub async fn insert(db: &impl Db, line: &Line, accounts: &[String], now_ms: i64) -> Result<bool, PortError> {
    let of = line.coefficients;
    let coefficients = [of.persian, of.english, of.mci, of.mtn, of.webservice, of.pattern];
    let mut params: Vec<Value> = vec![
        line.number.as_str().into(),
        to_json(&line.routes)?.into(),
        line.webservice.into(),
        line.pattern.into(),
        line.shared.into(),
        line.active.into(),
    ];
    params.extend(coefficients.map(|coefficient| coefficient.ten_thousandths().into()));
    params.extend([line.paused.into(), line.cheapest.into(), now_ms.into()]);
    let insertion = Statement::new(
        concat!(
            "INSERT INTO line (",
            line_columns!(""),
            ", created_ms) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15) \
             ON CONFLICT DO NOTHING RETURNING number"
        ),
        params,
    );
    // First, because afterwards nobody could tell a line that was there before. The constraint of `line_account` is looked at
    // when the transaction ends.
    let assignment = Statement::new(
        "INSERT OR IGNORE INTO line_account (line, account) SELECT ?1, value FROM json_each(?2) \
         WHERE NOT EXISTS (SELECT 1 FROM line WHERE number = ?1)",
        [line.number.as_str().into(), to_json(accounts)?.into()],
    );
    let answers = db.batch(vec![assignment, insertion]).await?;
    Ok(!super::answer(&answers, 1).is_empty())
}

/// Changes a line and, if the change names accounts, assigns the line to them, in one transaction.
pub async fn update(db: &impl Db, number: &str, change: &Change) -> Result<(), PortError> {
    let mut params: Vec<Value> = vec![
        number.into(),
        change.routes.as_ref().map(to_json).transpose()?.into(),
        change.webservice.into(),
        change.pattern.into(),
        change.shared.into(),
        change.active.into(),
    ];
    params.extend(
        change
            .coefficients
            .map(|new| new.map(Coefficient::ten_thousandths).into()),
    );
    params.extend([change.paused.into(), change.cheapest.into()]);
    let mut statements = vec![Statement::new(
        "UPDATE line SET routes = coalesce(?2, routes), webservice = coalesce(?3, webservice), \
           pattern = coalesce(?4, pattern), shared = coalesce(?5, shared), active = coalesce(?6, active), \
           persian_c = coalesce(?7, persian_c), english_c = coalesce(?8, english_c), mci_c = coalesce(?9, mci_c), \
           mtn_c = coalesce(?10, mtn_c), webservice_c = coalesce(?11, webservice_c), \
           pattern_c = coalesce(?12, pattern_c), paused = coalesce(?13, paused), \
           cheapest = coalesce(?14, cheapest) WHERE number = ?1",
        params,
    )];
    if let Some(accounts) = &change.accounts {
        statements.extend(assignment(number, accounts)?);
    }
    db.batch(statements).await.map(drop)
}

/// A refusal names at most this many accounts.
const NAMED_ACCOUNTS: u32 = 3;

/// Deletes a line that is the default line of no account. Otherwise returns the usernames of some of these accounts.
pub async fn delete(db: &impl Db, number: &str) -> Result<Vec<String>, PortError> {
    let answers = db
        .batch(vec![
            Statement::new(
                "DELETE FROM line WHERE number = ?1 AND NOT EXISTS (SELECT 1 FROM account WHERE default_line = ?1)",
                [number.into()],
            ),
            Statement::new(
                "SELECT username FROM account WHERE default_line = ?1 ORDER BY username LIMIT ?2",
                [number.into(), NAMED_ACCOUNTS.into()],
            ),
        ])
        .await?;
    all(super::answer(&answers, 1), |row| row.text(0))
}

/// The statements that assign a line to these accounts and to no others.
fn assignment(number: &str, accounts: &[String]) -> Result<[Statement; 2], PortError> {
    Ok([
        Statement::new("DELETE FROM line_account WHERE line = ?1", [number.into()]),
        Statement::new(
            "INSERT OR IGNORE INTO line_account (line, account) SELECT ?1, value FROM json_each(?2)",
            [number.into(), to_json(accounts)?.into()],
        ),
    ])
}

/// How a line's messages leave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ways {
    /// The carriers that take them.
    pub routes: Routes,
    /// Whether an operator has stopped the line for a while.
    pub paused: bool,
}

impl Weigh for Share {
    fn heap(&self) -> usize {
        self.name.heap()
    }
}

impl Weigh for Route {
    fn heap(&self) -> usize {
        self.prefixes.heap() + self.carriers.heap() + self.backup.heap()
    }
}

impl Weigh for Routes {
    fn heap(&self) -> usize {
        self.0.heap()
    }
}

impl Weigh for Ways {
    fn heap(&self) -> usize {
        self.routes.heap()
    }
}

/// Reads how a line's messages leave. `None`: there is no such line.
pub async fn ways(db: &impl Db, number: &str) -> Result<Option<Ways>, PortError> {
    let statement = Statement::new("SELECT routes, paused FROM line WHERE number = ?1", [number.into()]);
    first(&db.query(statement).await?, |row| {
        Ok(Ways {
            routes: from_json(&row.text(0)?)?,
            paused: row.bool(1)?,
        })
    })
}

/// Tells whether an account may use a line: the line exists, and it is shared or assigned to the account.
pub async fn may_use(db: &impl Db, number: &str, account: &str) -> Result<bool, PortError> {
    let statement = Statement::new(
        "SELECT 1 FROM line WHERE number = ?1 AND (shared = 1 OR EXISTS \
           (SELECT 1 FROM line_account WHERE line = ?1 AND account = ?2))",
        [number.into(), account.into()],
    );
    Ok(!db.query(statement).await?.is_empty())
}

/// Returns those of these ids that accounts have.
pub async fn known_accounts(db: &impl Db, ids: &[String]) -> Result<Vec<String>, PortError> {
    let statement = Statement::new(
        "SELECT id FROM account WHERE id IN (SELECT value FROM json_each(?1))",
        [to_json(ids)?.into()],
    );
    all(&db.query(statement).await?, |row| row.text(0))
}
