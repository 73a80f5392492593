//! A call from outside: something has changed for which chunks may wait.

use serde::{Deserialize, Serialize};

use crate::account::request::{ReplyResult, Request, Wakes};
use crate::account::unit_of_work::UnitOfWork;
use crate::base::ports::Sql;

/// Tells the object that an operator has changed a carrier or a line for which its chunks wait.
#[derive(Debug, Serialize, Deserialize)]
pub struct LookAgain;

impl Request for LookAgain {
    const NAME: &'static str = "LookAgain";
    const LOOKS_AGAIN: bool = true;
    const WAKES: Wakes = Wakes::Now;
    type Reply = ();

    fn answer(&self, _: &impl Sql, _: &mut UnitOfWork) -> ReplyResult<()> {
        Ok(())
    }
}
