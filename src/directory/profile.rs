//! The profile of an account: what a send needs to know of the account, its plan and its lines.
//!
//! One batch reads it. The isolate keeps it for at most thirty seconds. The lines that all accounts may use stand in memory
//! once, however many profiles have them.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use sms::destination::{self, Barred, Prefix};
use sms::msisdn::Msisdn;

use super::lines::{Line, line_row};
use super::plans::{Plan, plan};
use crate::base::cache::Weigh;
use crate::base::config::Config;
use crate::base::ports::{Db, PortError, Row, Statement};
use crate::base::record::Columns;
use crate::directory::{all, answer, first};

/// A profile has at most this many lines.
const MAX_LINES: u32 = 1_000;

/// Lines that all accounts may use, in the order of their numbers.
type Lines = Rc<Vec<Rc<Line>>>;

/// What a send needs to know of one account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Profile {
    /// The account's login name.
    pub username: String,
    /// The name of the account's owner.
    pub full_name: String,
    /// The line that a send uses when it names none.
    pub default_line: Option<String>,
    /// The account's plan.
    pub plan: Plan,
    /// The account's own destinations. `None` means those of the setting.
    pub destinations: Option<Vec<Prefix>>,
    /// Whether sending is switched on for all accounts.
    pub sending_enabled: bool,
    /// The lines that are assigned to the account, in the order of their numbers.
    own: Vec<Line>,
    shared: Lines,
}

impl Profile {
    /// Where the account sends.
    pub fn destinations<'a>(&'a self, config: &'a Config) -> &'a [Prefix] {
        self.destinations.as_ref().unwrap_or(&config.destinations)
    }

    /// The price of one part to a number, unless the account does not send to it.
    pub fn price_of_part(&self, config: &Config, number: Msisdn) -> Result<i64, Barred> {
        destination::price_of_part(number, self.destinations(config), self.plan.price, &self.plan.prices)
    }

    /// The lines that the account may use, in service or not, in the order of their numbers.
    pub fn lines(&self) -> impl Iterator<Item = &Line> {
        let mut own = self.own.iter().peekable();
        let mut shared = self.shared.iter().map(Rc::as_ref).peekable();
        let next = move || match (own.peek(), shared.peek()) {
            (Some(one), Some(other)) if other.number < one.number => shared.next(),
            (Some(_), _) => own.next(),
            (None, _) => shared.next(),
        };
        std::iter::from_fn(next).take(usize::try_from(MAX_LINES).unwrap_or(usize::MAX))
    }
}

impl Weigh for Profile {
    fn heap(&self) -> usize {
        let texts = [&self.username, &self.full_name]
            .map(Weigh::heap)
            .into_iter()
            .sum::<usize>();
        let destinations = self.destinations.as_deref().map_or(0, size_of_val);
        texts + destinations + self.default_line.heap() + self.plan.heap() + self.own.heap()
    }
}

/// The lines that all accounts may use, as they were read last, for as long as a profile has them.
#[derive(Debug, Default)]
pub struct SharedLines(RefCell<Weak<Vec<Rc<Line>>>>);

impl SharedLines {
    /// These lines. Those that were the same when they were read last are what they were then.
    fn of(&self, read: Vec<Line>) -> Lines {
        let before = self.0.borrow().upgrade().unwrap_or_default();
        let is_same = before.len() == read.len() && before.iter().zip(&read).all(|(known, line)| **known == *line);
        if is_same {
            return self.keep(before);
        }
        let known = |line: &Line| {
            let at = before.binary_search_by(|known| known.number.cmp(&line.number)).ok()?;
            before.get(at).filter(|known| ***known == *line).map(Rc::clone)
        };
        let lines = read
            .into_iter()
            .map(|line| known(&line).unwrap_or_else(|| Rc::new(line)));
        self.keep(Rc::new(lines.collect()))
    }

    fn keep(&self, lines: Lines) -> Lines {
        self.0.replace(Rc::downgrade(&lines));
        lines
    }
}

/// Reads the profile of an account. Returns `None` if the account does not exist.
pub async fn profile(db: &impl Db, account: &str, shared: &SharedLines) -> Result<Option<Profile>, PortError> {
    let statements = vec![account_statement(account), own_statement(account), shared_statement()];
    let answers = db.batch(statements).await?;
    let Some(profile) = first(answer(&answers, 0), from_row)? else {
        return Ok(None);
    };
    Ok(Some(Profile {
        own: all(answer(&answers, 1), Line::of)?,
        shared: shared.of(all(answer(&answers, 2), Line::of)?),
        ..profile
    }))
}

/// The statement that reads the account, its plan and the switch.
fn account_statement(account: &str) -> Statement {
    Statement::new(
        concat!(
            "SELECT ",
            plan!(columns "p."),
            ", a.username, a.full_name, a.default_line, s.sending_enabled, a.destinations \
             FROM account a JOIN plan p ON p.slug = a.plan JOIN switch s ON s.one = 1 WHERE a.id = ?1"
        ),
        [account.into()],
    )
}

/// The statement that reads the lines that are assigned to the account, and not shared.
fn own_statement(account: &str) -> Statement {
    Statement::new(
        concat!(
            "SELECT ",
            line_row!(columns "l."),
            " FROM line l WHERE l.shared = 0 AND l.number IN (SELECT line FROM line_account WHERE account = ?1) \
             ORDER BY l.number LIMIT ?2"
        ),
        [account.into(), MAX_LINES.into()],
    )
}

/// The statement that reads the lines that all accounts may use.
fn shared_statement() -> Statement {
    Statement::new(
        concat!(
            "SELECT ",
            line_row!(columns "l."),
            " FROM line l WHERE l.shared = 1 ORDER BY l.number LIMIT ?1"
        ),
        [MAX_LINES.into()],
    )
}

/// Reads a profile that has no lines yet.
fn from_row(row: &Row) -> Result<Profile, PortError> {
    let mut row = row.reader();
    Ok(Profile {
        plan: row.read()?,
        username: row.read()?,
        full_name: row.read()?,
        default_line: row.read()?,
        sending_enabled: row.read()?,
        destinations: row.read()?,
        own: Vec::new(),
        shared: Lines::default(),
    })
}
