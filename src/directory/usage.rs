//! The mirror of the accounts' usage by day.

use crate::account::record::usage_totals::Totals;
use crate::account::usage::DAYS_WITH_CHANGES;
use crate::base::named::named;
use crate::base::ports::{Db, PortError, Row, Statement};
use crate::directory::{all, first};

/// Writes rows of an account's usage: a JSON list of lists of `account::usage::COLUMNS`. A row that the mirror has in this
/// version or a newer one stays, so that a late write cannot replace a newer row.
pub async fn mirror(db: &impl Db, account: &str, rows: &str) -> Result<(), PortError> {
    db.query(Statement::new(
        "INSERT INTO usage (account, day, line, carrier, test, messages, recipients, parts, cost, returned, delivered, \
                            undelivered, expired, rejected, unknown, canceled, version) \
         SELECT ?1, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, \
                value ->> 7, value ->> 8, value ->> 9, value ->> 10, value ->> 11, value ->> 12, value ->> 13, \
                value ->> 14, value ->> 15 FROM json_each(?2) WHERE 1 \
         ON CONFLICT (account, day, line, carrier, test) DO UPDATE SET messages = excluded.messages, \
           recipients = excluded.recipients, parts = excluded.parts, cost = excluded.cost, returned = excluded.returned, \
           delivered = excluded.delivered, undelivered = excluded.undelivered, expired = excluded.expired, \
           rejected = excluded.rejected, unknown = excluded.unknown, canceled = excluded.canceled, \
           version = excluded.version WHERE excluded.version > usage.version",
        [account.into(), rows.into()],
    ))
    .await
    .map(drop)
}

named! {
    /// What sums are made by.
    pub enum By {
        /// A sum for each day.
        Day => "day",
        /// A sum for each account.
        Account => "account",
        /// A sum for each line.
        Line => "line",
        /// A sum for each carrier. What no carrier has taken counts under the empty name.
        Carrier => "carrier",
    }
}

/// Which usage to add up. What is `None` does not matter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// The first day, counted from 1970-01-01.
    pub from: i64,
    /// The last day.
    pub to: i64,
    /// The account.
    pub account: Option<String>,
    /// The line.
    pub line: Option<String>,
    /// The carrier; an empty name stands for what no carrier has taken.
    pub carrier: Option<String>,
    /// Whether to add up messages of test keys, in place of the others.
    pub is_test: bool,
}

/// Sums of one day, account, line or carrier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sums {
    /// The day as a number of five digits, or the name.
    pub key: String,
    /// The username, if the sums are of one account that the directory has.
    pub username: Option<String>,
    /// The sums.
    pub totals: Totals,
    /// How many of those that are delivered a carrier that only simulates took.
    pub simulated: i64,
}

/// Sums by account have the username at the end.
fn from_row(by: By, row: &Row) -> Result<Sums, PortError> {
    let mut row = row.reader();
    Ok(Sums {
        key: row.read()?,
        totals: row.read()?,
        simulated: row.read()?,
        username: match by {
            By::Account => row.read()?,
            By::Day | By::Line | By::Carrier => None,
        },
    })
}

/// The sum of a count that accepted messages have, and that their carriers have taken of it: of all carriers together, what was
/// accepted; of one carrier, what it took; of none, what is left.
macro_rules! taken {
    ($count:literal) => {
        concat!(
            "sum(CASE WHEN carrier = '' THEN ",
            $count,
            " WHEN ?6 = '' THEN -",
            $count,
            " WHEN ?6 IS NULL THEN 0 ELSE ",
            $count,
            " END)"
        )
    };
    // Where each carrier has a sum of its own.
    (each $count:literal) => {
        concat!(
            "iif(carrier = '', 2 * sum(",
            $count,
            ") - sum(sum(",
            $count,
            ")) OVER (), sum(",
            $count,
            "))"
        )
    };
}

/// The sum of a count that each recipient is in once: under its carrier, or under none.
macro_rules! counted {
    ($count:literal) => {
        concat!("sum(iif(?6 = '' AND carrier <> '', 0, ", $count, "))")
    };
}

/// The sum of what is delivered by carriers that only simulate.
macro_rules! simulated {
    () => {
        "sum(iif(carrier IN (SELECT name FROM carrier WHERE kind = 'sandbox') AND coalesce(?6, carrier) = carrier, delivered, 0))"
    };
}

/// The rows that a request is about, of all carriers. Whoever asks for one account's reads its own rows only; all others read
/// the rows of the days.
macro_rules! usage_rows {
    ($from:literal) => {
        concat!(
            " FROM usage ",
            $from,
            " AND day BETWEEN ?1 AND ?2 AND test = ?3 AND (?5 IS NULL OR line = ?5)"
        )
    };
}

/// A page of sums by a column.
macro_rules! sums {
    ($key:literal, $from:literal) => {
        concat!(
            "SELECT ",
            $key,
            " AS key, ",
            counted!("messages"),
            ", ",
            taken!("recipients"),
            ", ",
            taken!("parts"),
            ", ",
            taken!("cost"),
            ", ",
            counted!("returned"),
            ", ",
            counted!("delivered"),
            ", ",
            counted!("undelivered"),
            ", ",
            counted!("expired"),
            ", ",
            counted!("rejected"),
            ", ",
            counted!("unknown"),
            ", ",
            counted!("canceled"),
            ", ",
            simulated!(),
            usage_rows!($from),
            " AND (?6 IS NULL OR ?6 = '' OR carrier = ?6) AND (?7 IS NULL OR ",
            $key,
            " > ?7) GROUP BY 1 ORDER BY 1 LIMIT ?8"
        )
    };
    ($key:literal) => {
        [
            sums!($key, "INDEXED BY usage_day WHERE ?4 IS NULL"),
            sums!($key, "WHERE account = ?4"),
        ]
    };
}

/// A page of sums by account, each with the username.
macro_rules! sums_by_account {
    ($from:literal) => {
        concat!(
            "SELECT s.*, a.username FROM (",
            sums!("account", $from),
            ") s LEFT JOIN account a ON a.id = s.key ORDER BY s.key"
        )
    };
}

/// A page of sums by carrier. What is left for none is known from the sums of all.
macro_rules! sums_by_carrier {
    ($from:literal) => {
        concat!(
            "SELECT * FROM (SELECT carrier AS key, sum(messages), ",
            taken!(each "recipients"),
            ", ",
            taken!(each "parts"),
            ", ",
            taken!(each "cost"),
            ", sum(returned), sum(delivered), sum(undelivered), sum(expired), sum(rejected), sum(unknown), sum(canceled), ",
            simulated!(),
            usage_rows!($from),
            " GROUP BY carrier) WHERE (?6 IS NULL OR key = ?6) AND (?7 IS NULL OR key > ?7) ORDER BY key LIMIT ?8"
        )
    };
}

/// How many recipients a carrier has taken that no report has ended, as far as the mirror knows. A day is counted from 1970-01-01.
/// Nothing moves any more on days before [`DAYS_WITH_CHANGES`].
pub async fn without_report(db: &impl Db, carrier: &str, today: i64) -> Result<i64, PortError> {
    let statement = Statement::new(
        "WITH RECURSIVE moving (day) AS (SELECT ?2 UNION ALL SELECT day + 1 FROM moving WHERE day < ?3) \
         SELECT coalesce(sum(u.recipients - u.delivered - u.undelivered - u.expired), 0) FROM moving \
         CROSS JOIN usage u INDEXED BY usage_day ON u.day = moving.day AND u.carrier = ?1",
        [
            carrier.into(),
            today.saturating_sub(DAYS_WITH_CHANGES).into(),
            today.into(),
        ],
    );
    let sum = first(&db.query(statement).await?, |row| row.int(0))?;
    Ok(sum.unwrap_or_default().max(0))
}

/// Adds usage up: at most `limit` sums in the order of their keys, beginning behind the key `after`.
pub async fn sums(
    db: &impl Db,
    by: By,
    filter: &Filter,
    limit: u32,
    after: Option<&str>,
) -> Result<Vec<Sums>, PortError> {
    let [of_all, of_account] = match by {
        By::Day => sums!("printf('%05d', day)"),
        By::Account => [
            sums_by_account!("INDEXED BY usage_day WHERE ?4 IS NULL"),
            sums_by_account!("WHERE account = ?4"),
        ],
        By::Line => sums!("line"),
        By::Carrier => [
            sums_by_carrier!("INDEXED BY usage_day WHERE ?4 IS NULL"),
            sums_by_carrier!("WHERE account = ?4"),
        ],
    };
    let statement = Statement::new(
        if filter.account.is_some() { of_account } else { of_all },
        [
            filter.from.into(),
            filter.to.into(),
            filter.is_test.into(),
            filter.account.as_deref().into(),
            filter.line.as_deref().into(),
            filter.carrier.as_deref().into(),
            after.into(),
            limit.into(),
        ],
    );
    all(&db.query(statement).await?, |row| from_row(by, row))
}
