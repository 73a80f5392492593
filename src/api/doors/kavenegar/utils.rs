//! The clock of the service.

use serde_json::{Value, json};

use super::errors::Fault;
use crate::api::doors::own::Own;
use crate::base::{ports::Platform, time};

/// `utils/getdate`: the time, in UTC.
pub async fn date<P: Platform>(own: &Own<'_, P>) -> Result<Value, Fault> {
    own.check_key().await?;
    let now_ms = own.now_ms();
    let date = time::to_rfc3339(now_ms);
    let part = |from: usize, to: usize| date.get(from..to).and_then(|digits| digits.parse::<u32>().ok());
    Ok(json!({
        "datetime": date, "year": part(0, 4), "month": part(5, 7), "day": part(8, 10), "hour": part(11, 13),
        "minute": part(14, 16), "second": part(17, 19), "unixtime": now_ms.div_euclid(1_000),
    }))
}
