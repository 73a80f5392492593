//! Usage by day as the account's owner reads it: the sums over all lines and carriers, live and test apart.

use serde::{Deserialize, Serialize};

use super::by_key::{self, KeyUsage};
use crate::account::record::message::Page;
use crate::account::record::usage_totals::Totals;
use crate::account::request::{ReplyResult, Request, Wakes};
use crate::account::unit_of_work::UnitOfWork;
use crate::base::ports::{PortError, Sql};
use crate::durable::to_json;

/// Rows that a page looks at, about: a day is told whole. A day has a row for each line and carrier, which are few.
const MAX_ROWS: i64 = 20_000;
/// As so many rows counts a key that has sent on a day: each stands in the answer.
const OF_A_KEY: i64 = 4;

/// A day of an account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UsageDay {
    /// The day of UTC, counted from 1970-01-01.
    pub day: i64,
    /// What live keys have sent.
    #[serde(default)]
    pub live: Totals,
    /// What test keys have sent.
    #[serde(default)]
    pub test: Totals,
    /// How many of those that live keys have sent are delivered by a carrier that only simulates.
    #[serde(default)]
    pub simulated: i64,
    /// Who has sent it.
    #[serde(default)]
    pub keys: Vec<KeyUsage>,
}

/// Asks for days on which the account has sent, the newest first.
#[derive(Debug, Serialize, Deserialize)]
pub struct ListUsage {
    /// The first day.
    pub from: Option<i64>,
    /// The last day.
    pub to: Option<i64>,
    /// The page. Its positions are days.
    pub page: Page,
    /// The carriers that only simulate.
    #[serde(default)]
    pub sandboxes: Vec<String>,
}

/// A page of days.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedDays {
    /// The days.
    pub days: Vec<UsageDay>,
    /// The last day that the page has looked at, when it could not look at more.
    pub walked_to: Option<i64>,
}

impl Request for ListUsage {
    const NAME: &'static str = "ListUsage";
    const WAKES: Wakes = Wakes::Never;
    type Reply = ListedDays;

    fn answer(&self, sql: &impl Sql, work: &mut UnitOfWork) -> ReplyResult<ListedDays> {
        work.write_gathered(sql)?;
        let behind = self.page.after.map(|after| after.saturating_sub(1));
        let last = [self.to, behind].into_iter().flatten().min();
        list(sql, self, last).map_err(Into::into)
    }
}

fn list(sql: &impl Sql, asked: &ListUsage, last: Option<i64>) -> Result<ListedDays, PortError> {
    let sandboxes = to_json(&asked.sandboxes)?;
    let (mut listed, mut last, mut seen) = (ListedDays::default(), last, 0);
    for _ in 0..asked.page.limit {
        let Some((mut day, rows)) = newest(sql, asked.from.unwrap_or(0), last, &sandboxes)? else {
            return Ok(listed);
        };
        let number = day.day;
        day.keys = by_key::of_day(sql, number, &day.live, &day.test)?;
        seen += rows + OF_A_KEY * i64::try_from(day.keys.len()).unwrap_or(i64::MAX / OF_A_KEY);
        listed.days.push(day);
        last = Some(number.saturating_sub(1));
        if seen >= MAX_ROWS {
            listed.walked_to = Some(number);
            return Ok(listed);
        }
    }
    Ok(listed)
}

/// The newest day between these two with anything in it, and how many rows it has. `sandboxes` are a JSON list.
fn newest(
    sql: &impl Sql,
    first: i64,
    last: Option<i64>,
    sandboxes: &str,
) -> Result<Option<(UsageDay, i64)>, PortError> {
    let rows = sql.exec(
        "SELECT day, test, count(*), sum(iif(carrier IN (SELECT value FROM json_each(?3)), delivered, 0)), sum(messages), sum(iif(carrier = '', recipients, 0)), sum(iif(carrier = '', parts, 0)), \
           sum(iif(carrier = '', cost, 0)), sum(returned), sum(delivered), sum(undelivered), sum(expired), sum(rejected), \
           sum(unknown), sum(canceled) \
         FROM usage WHERE day = (SELECT max(day) FROM usage WHERE day >= ?1 AND day <= coalesce(?2, 9007199254740991)) \
         GROUP BY day, test",
        &[first.into(), last.into(), sandboxes.into()],
    )?;
    let Some(row) = rows.first() else {
        return Ok(None);
    };
    let mut day = UsageDay {
        day: row.int(0)?,
        live: Totals::default(),
        test: Totals::default(),
        simulated: 0,
        keys: Vec::new(),
    };
    let mut count = 0_i64;
    for row in &rows {
        let (_, is_test, of_day, simulated, totals): (i64, bool, i64, i64, Totals) = row.reader().read()?;
        if is_test {
            day.test = totals
        } else {
            (day.live, day.simulated) = (totals, simulated)
        }
        count = count.saturating_add(of_day);
    }
    Ok(Some((day, count)))
}
