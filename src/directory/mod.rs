//! The directory in D1: plans, lines, and which account may use which. What a send needs of it is read in one batch and
//! kept in the isolate for at most thirty seconds.

pub mod patterns;
pub mod phonebooks;

use crate::account::status::RecipientStatus;
use crate::ports::{Db, PortError, Row, Statement};
use crate::sms::price::{Coefficient, Coefficients, Operation};

/// Lines of one account at most: what one read brings.
const MAX_LINES: i64 = 1_000;

/// What an account pays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// Its name in paths.
    pub slug: String,
    /// Its name for people.
    pub title: String,
    /// Its tariff's name for programs.
    pub tariff_slug: String,
    /// Its tariff's name for people.
    pub tariff_title: String,
    /// Price of one part in minor units.
    pub price: i64,
    /// The endings for which the money is given back.
    pub refunds: Vec<RecipientStatus>,
}

/// A number to send from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The number, as recipients see it.
    pub number: String,
    /// The carrier that takes its messages.
    pub carrier: String,
    /// Whether own texts may be sent from it.
    pub webservice: bool,
    /// Whether patterns may be sent from it.
    pub pattern: bool,
    /// Whether all accounts may use it.
    pub shared: bool,
    /// Whether it is in service.
    pub active: bool,
    /// Its coefficients.
    pub coefficients: Coefficients,
}

impl Line {
    /// Whether it is in service for this way of sending.
    pub fn serves(&self, operation: Operation) -> bool {
        self.active
            && match operation {
                Operation::Webservice => self.webservice,
                Operation::Pattern => self.pattern,
            }
    }
}

/// What the directory says of one account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Profile {
    /// Its login name.
    pub username: String,
    /// Its owner's name.
    pub full_name: String,
    /// The line it sends from when it names none.
    pub default_line: Option<String>,
    /// What it pays.
    pub plan: Plan,
    /// The lines it may use, in service or not.
    pub lines: Vec<Line>,
    /// Whether sending is switched on for all.
    pub sending_enabled: bool,
}

/// How many columns a plan takes.
pub const PLAN_WIDTH: usize = 6;

/// The plan whose columns, in the order of the struct, begin at `first`.
pub fn plan_at(row: &Row, first: usize) -> Result<Plan, PortError> {
    Ok(Plan {
        slug: row.text(first)?,
        title: row.text(first + 1)?,
        tariff_slug: row.text(first + 2)?,
        tariff_title: row.text(first + 3)?,
        price: row.int(first + 4)?,
        refunds: row
            .text(first + 5)?
            .split(' ')
            .filter_map(RecipientStatus::parse)
            .collect(),
    })
}

/// The line whose columns are `l.number, l.carrier, l.webservice, l.pattern, l.shared, l.active` and the coefficients.
pub fn line(row: &Row) -> Result<Line, PortError> {
    let coefficient = |column: usize| {
        Coefficient::from_ten_thousandths(row.u32(column)?).ok_or(PortError::Shape {
            column,
            expected: "a coefficient",
        })
    };
    Ok(Line {
        number: row.text(0)?,
        carrier: row.text(1)?,
        webservice: row.bool(2)?,
        pattern: row.bool(3)?,
        shared: row.bool(4)?,
        active: row.bool(5)?,
        coefficients: Coefficients {
            persian: coefficient(6)?,
            english: coefficient(7)?,
            mci: coefficient(8)?,
            mtn: coefficient(9)?,
            webservice: coefficient(10)?,
            pattern: coefficient(11)?,
        },
    })
}

/// Reads what the directory says of an account; `None`: it knows no such account.
pub async fn profile(db: &impl Db, account: &str) -> Result<Option<Profile>, PortError> {
    let mut answers = db
        .batch(vec![
            Statement::new(
                "SELECT p.slug, p.title, p.tariff_slug, p.tariff_title, p.price, p.refunds, \
                        a.username, a.full_name, a.default_line, s.sending_enabled \
                 FROM account a JOIN plan p ON p.slug = a.plan JOIN switch s ON s.one = 1 WHERE a.id = ?1",
                [account.into()],
            ),
            Statement::new(
                "SELECT l.number, l.carrier, l.webservice, l.pattern, l.shared, l.active, \
                        l.persian_c, l.english_c, l.mci_c, l.mtn_c, l.webservice_c, l.pattern_c FROM line l \
                 WHERE l.shared = 1 OR l.number IN (SELECT line FROM line_account WHERE account = ?1) \
                 ORDER BY l.number LIMIT ?2",
                [account.into(), MAX_LINES.into()],
            ),
        ])
        .await?
        .into_iter();
    let (accounts, lines) = (answers.next().unwrap_or_default(), answers.next().unwrap_or_default());
    let Some(row) = accounts.first() else {
        return Ok(None);
    };
    Ok(Some(Profile {
        plan: plan_at(row, 0)?,
        username: row.text(PLAN_WIDTH)?,
        full_name: row.text(PLAN_WIDTH + 1)?,
        default_line: row.opt_text(PLAN_WIDTH + 2)?,
        sending_enabled: row.bool(PLAN_WIDTH + 3)?,
        lines: lines.iter().map(line).collect::<Result<_, _>>()?,
    }))
}
