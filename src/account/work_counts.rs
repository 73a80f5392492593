//! What the service has done beside answering requests, as its isolates tell it. The operators' object keeps the sums in one row.

use serde::{Deserialize, Serialize};

use super::request::{ReplyResult, Request, Wakes};
use super::unit_of_work::UnitOfWork;
use crate::base::ports::{PortError, Sql};
use crate::base::work_counts::WorkCounts;
use crate::durable::to_json;

fn read(sql: &impl Sql) -> Result<WorkCounts, PortError> {
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
        let mut counts = read(sql)?;
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
        Ok(read(sql)?)
    }
}
