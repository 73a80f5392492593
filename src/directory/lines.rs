//! Lines: the numbers that accounts send from.

use super::behind;
use crate::base::cache::Weigh;
use crate::base::ports::{Db, PortError, Statement, Value, Zones};
use crate::base::record::{Columns, Reader, json_columns, neighbours, record};
use crate::base::window::Window;
use crate::directory::{all, first, to_json};

record! {
    /// A line.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Line by line_row {
        /// The number, as recipients see it.
        pub number: String = number;
        /// The carriers that take the line's messages.
        pub routes: Routes = routes;
        /// Whether accounts may send their own texts from the line.
        pub webservice: bool = webservice;
        /// Whether accounts may send patterns from the line.
        pub pattern: bool = pattern;
        /// Whether all accounts may use the line.
        pub shared: bool = shared;
        /// Whether the line is in service.
        pub active: bool = active;
        /// Whether an operator has stopped it for a while, also for messages that are accepted already.
        pub paused: bool = paused;
        /// Whether sends may ask for the cheapest forms of their texts.
        pub cheapest: bool = cheapest;
        /// What is appended to texts that go to many, unless they have it.
        pub suffix: Option<String> = suffix;
        /// When own texts to many may leave; at any time when `None`.
        pub hours: Option<Window> = hours;
        /// The line's coefficients.
        pub coefficients: Coefficients = persian_c, english_c, mci_c, mtn_c, webservice_c, pattern_c;
    }
}
pub(super) use line_row;
use sms::price::{Coefficient, Coefficients, Operation};
use sms::routing::{Route, Routes, Share};

impl Line {
    /// Whether patterns and codes alone may be sent from the line.
    pub fn is_for_service(&self) -> bool {
        self.pattern && !self.webservice
    }

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
        self.number.heap() + self.routes.heap() + self.suffix.heap() + self.hours.heap()
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
    /// What is appended to texts that go to many; nothing if it is `Some(None)`.
    pub suffix: Option<Option<String>>,
    /// When own texts to many may leave; at any time if it is `Some(None)`.
    pub hours: Option<Option<Window>>,
    /// The new coefficients, in the order of the fields of [`Coefficients`].
    pub coefficients: [Option<Coefficient>; 6],
    /// The ids of the accounts that the line is assigned to from now on.
    pub accounts: Option<Vec<String>>,
}

/// The columns of an entry. The line has the alias `l`. `$limit` bounds the
/// accounts.
macro_rules! entry_columns {
    ($limit:literal) => {
        concat!(
            line_row!(columns "l."),
            ", (SELECT json_group_array(account) FROM \
                  (SELECT account FROM line_account WHERE line = l.number ORDER BY account ",
            $limit,
            "))"
        )
    };
}

neighbours!(ListedLine: line, accounts);
json_columns!(Routes);
neighbours!(Coefficients: persian, english, mci, mtn, webservice, pattern);

impl Columns for Coefficient {
    fn read(row: &mut Reader<'_>) -> Result<Self, PortError> {
        row.known("a coefficient", |units: &u32| Coefficient::from_ten_thousandths(*units))
    }

    fn write(&self, values: &mut Vec<Value>) -> Result<(), PortError> {
        values.push(self.ten_thousandths().into());
        Ok(())
    }
}

/// Finds a line by its number.
pub async fn find(db: &impl Db, number: &str) -> Result<Option<ListedLine>, PortError> {
    let statement = Statement::new(
        concat!("SELECT ", entry_columns!(""), " FROM line l WHERE l.number = ?1"),
        [number.into()],
    );
    first(&db.query(statement).await?, ListedLine::of)
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
    all(&db.query(statement).await?, ListedLine::of)
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
    all(&db.query(statement).await?, ListedLine::of)
}

/// Adds a line and assigns it to these accounts, in one transaction. Returns `false` if the number is taken; then nothing is
/// assigned.
pub async fn insert(db: &impl Db, line: &Line, accounts: &[String], now_ms: i64) -> Result<bool, PortError> {
    let mut params = line.values()?;
    params.push(now_ms.into());
    let insertion = Statement::new(
        concat!(
            "INSERT INTO line (",
            line_row!(columns),
            ", created_ms) VALUES (",
            line_row!(marks),
            ", ?) ON CONFLICT DO NOTHING RETURNING number"
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
    let (suffix, hours) = (change.suffix.as_ref(), change.hours.as_ref());
    params.extend([
        change.paused.into(),
        change.cheapest.into(),
        suffix.is_some().into(),
        suffix.cloned().flatten().into(),
        hours.is_some().into(),
        hours.and_then(Option::as_ref).map(to_json).transpose()?.into(),
    ]);
    let mut statements = vec![Statement::new(
        "UPDATE line SET routes = coalesce(?2, routes), webservice = coalesce(?3, webservice), \
           pattern = coalesce(?4, pattern), shared = coalesce(?5, shared), active = coalesce(?6, active), \
           persian_c = coalesce(?7, persian_c), english_c = coalesce(?8, english_c), mci_c = coalesce(?9, mci_c), \
           mtn_c = coalesce(?10, mtn_c), webservice_c = coalesce(?11, webservice_c), \
           pattern_c = coalesce(?12, pattern_c), paused = coalesce(?13, paused), \
           cheapest = coalesce(?14, cheapest), suffix = iif(?15, ?16, suffix), \
           hours = iif(?17, ?18, hours) WHERE number = ?1",
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
    /// When its hours begin, ms since the Unix epoch; `None`: it was open when this was read.
    pub opens_ms: Option<i64>,
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

/// Reads how a line's messages leave at this time. `None`: there is no such line.
pub async fn ways(db: &impl Db, zones: &impl Zones, number: &str, now_ms: i64) -> Result<Option<Ways>, PortError> {
    let statement = Statement::new(
        "SELECT routes, paused, hours FROM line WHERE number = ?1",
        [number.into()],
    );
    first(&db.query(statement).await?, |row| {
        let mut row = row.reader();
        let (routes, paused, hours): (Routes, bool, Option<Window>) = row.read()?;
        Ok(Ways {
            routes,
            paused,
            opens_ms: hours.and_then(|hours| hours.opens_ms(zones, now_ms)),
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

/// Returns those of these ids that accounts have which are not closed.
pub async fn known_accounts(db: &impl Db, ids: &[String]) -> Result<Vec<String>, PortError> {
    let statement = Statement::new(
        "SELECT id FROM account WHERE id IN (SELECT value FROM json_each(?1)) AND closed_ms IS NULL",
        [to_json(ids)?.into()],
    );
    all(&db.query(statement).await?, |row| row.text(0))
}

/// The numbers of lines in service of which no carrier is, at most so many. What is sent from them waits.
pub async fn without_way(db: &impl Db, limit: u32) -> Result<Vec<String>, PortError> {
    let statement = Statement::new(
        "SELECT l.number FROM line l WHERE l.active = 1 AND l.paused = 0 AND NOT EXISTS ( \
           SELECT 1 FROM json_tree(l.routes) s JOIN carrier c ON c.name = s.value AND c.active = 1 AND c.paused = 0 \
           WHERE s.key = 'name') ORDER BY l.number LIMIT ?1",
        [limit.into()],
    );
    all(&db.query(statement).await?, |row| row.text(0))
}
