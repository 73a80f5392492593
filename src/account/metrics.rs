//! What the service has answered and done, for those who watch it. Each isolate of the worker counts for itself and tells the
//! operators' object now and then, which keeps the sums in one row. What an isolate has not told when it ends is lost.

use serde::{Deserialize, Serialize};

use super::request::{ReplyResult, Request, Wakes};
use super::unit_of_work::UnitOfWork;
use crate::base::metrics::counters::{Counters, at_or_new};
use crate::base::metrics::histogram::Histogram;
use crate::base::metrics::work::WorkCounts;
use crate::base::ports::{PortError, Sql};
use crate::durable::to_json;

/// The most routes that are counted. There are fewer; another version may have others.
const MAX_ROUTES: usize = 500;

/// Requests by route, in the order of the routes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RequestCounts(Vec<OfRoute>);

/// The requests of one route.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct OfRoute {
    /// The path of the route. An empty one stands for requests of no route.
    pub route: String,
    /// How many got each HTTP status.
    pub by_status: Counters<u16>,
    /// How long they took.
    pub durations: Histogram,
}

impl RequestCounts {
    /// The counts of each route.
    pub fn routes(&self) -> &[OfRoute] {
        &self.0
    }

    /// Counts a request that took so long.
    pub fn note(&mut self, route: &str, status: u16, ms: i64) {
        if let Some(counted) = self.of_route(route) {
            counted.by_status.add(&status, 1);
            counted.durations.note(ms);
        }
    }

    /// The counts of a route. `None`: there are too many routes.
    fn of_route(&mut self, route: &str) -> Option<&mut OfRoute> {
        let by_route = |counted: &OfRoute| counted.route.as_str().cmp(route);
        at_or_new(&mut self.0, MAX_ROUTES, by_route, || OfRoute {
            route: route.to_owned(),
            ..OfRoute::default()
        })
    }

    fn add(&mut self, other: &RequestCounts) {
        for told in &other.0 {
            if let Some(counted) = self.of_route(&told.route) {
                counted.by_status.add_all(&told.by_status);
                counted.durations.add(&told.durations);
            }
        }
    }
}

fn read_requests(sql: &impl Sql) -> Result<RequestCounts, PortError> {
    let rows = sql.exec("SELECT counts FROM request_counts", &[])?;
    rows.first().map_or(Ok(RequestCounts::default()), |row| {
        row.reader().json("the counts of requests")
    })
}

/// Adds what an isolate has counted. It comes from the service itself, and costs no token.
#[derive(Debug, Serialize, Deserialize)]
pub struct CountRequests(pub RequestCounts);

impl Request for CountRequests {
    const NAME: &'static str = "CountRequests";
    const WAKES: Wakes = Wakes::Never;
    type Reply = ();

    fn answer(&self, sql: &impl Sql, _: &mut UnitOfWork) -> ReplyResult<()> {
        let mut counts = read_requests(sql)?;
        counts.add(&self.0);
        sql.exec(
            "INSERT OR REPLACE INTO request_counts (one, counts) VALUES (1, ?1)",
            &[to_json(&counts)?.into()],
        )?;
        Ok(())
    }
}

/// Asks for the sums.
#[derive(Debug, Serialize, Deserialize)]
pub struct GetRequestCounts;

impl Request for GetRequestCounts {
    const NAME: &'static str = "GetRequestCounts";
    const WAKES: Wakes = Wakes::Never;
    type Reply = RequestCounts;

    fn answer(&self, sql: &impl Sql, _: &mut UnitOfWork) -> ReplyResult<RequestCounts> {
        Ok(read_requests(sql)?)
    }
}

fn read_work(sql: &impl Sql) -> Result<WorkCounts, PortError> {
    let rows = sql.exec("SELECT counts FROM work_counts", &[])?;
    rows.first()
        .map_or(Ok(WorkCounts::default()), |row| row.reader().json("the counts of work"))
}

/// Adds what an isolate has counted. It comes from the service itself, and costs no token.
#[derive(Debug, Serialize, Deserialize)]
pub struct CountWork(pub WorkCounts);

impl Request for CountWork {
    const NAME: &'static str = "CountWork";
    const WAKES: Wakes = Wakes::Never;
    type Reply = ();

    fn answer(&self, sql: &impl Sql, _: &mut UnitOfWork) -> ReplyResult<()> {
        let mut counts = read_work(sql)?;
        counts.add(&self.0);
        sql.exec(
            "INSERT OR REPLACE INTO work_counts (one, counts) VALUES (1, ?1)",
            &[to_json(&counts)?.into()],
        )?;
        Ok(())
    }
}

/// Asks for the sums.
#[derive(Debug, Serialize, Deserialize)]
pub struct GetWorkCounts;

impl Request for GetWorkCounts {
    const NAME: &'static str = "GetWorkCounts";
    const WAKES: Wakes = Wakes::Never;
    type Reply = WorkCounts;

    fn answer(&self, sql: &impl Sql, _: &mut UnitOfWork) -> ReplyResult<WorkCounts> {
        Ok(read_work(sql)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_routes_are_kept_than_may_be() {
        let (mut kept, mut told) = (RequestCounts::default(), RequestCounts::default());
        for number in 0..MAX_ROUTES * 2 {
            told.note(&format!("/{number:05}"), 200, 1);
        }
        kept.add(&told);
        kept.add(&told);
        assert_eq!(kept.routes().len(), MAX_ROUTES);
        assert_eq!(kept.routes()[0].by_status.iter().next(), Some((&200, 2)));
    }
}
