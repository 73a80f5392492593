//! What the service does before its runtime ends, where somebody says so: on a machine of one's own. A session with an SMSC and a request to
//! a gateway that end in order have their answers; what is cut leaves messages of which nobody knows.

use futures_util::future::join_all;

use crate::base::ports::{Platform, PortError};
use crate::carrier::kind::Kind;
use crate::carrier::request::StandDown;
use crate::directory::carriers;
use crate::durable::{ask, in_time};

/// The word by which a cron asks for it. No pattern of a time is one.
pub const STOP: &str = "stop";
/// How long carriers may take to answer what they were sent, ms.
const WITHIN_MS: i64 = 3_000;
/// How often their objects are asked, ms.
const LOOK_MS: i64 = 50;
/// How long nothing begins, ms. If the runtime does not end after all, it goes on then.
const STAND_DOWN_MS: i64 = 30_000;

/// Ends the work of all carriers' objects. Returns when nothing is on its way any more, and after some seconds in any case.
///
/// # Errors
/// The directory can't be read, or a carrier has not answered in time.
pub async fn run(platform: &impl Platform) -> Result<(), PortError> {
    let names = objects(platform).await?;
    in_time(platform, "carrier", WITHIN_MS, stand_down(platform, names)).await
}

async fn objects(platform: &impl Platform) -> Result<Vec<String>, PortError> {
    let mut names = Vec::new();
    for kind in Kind::ALL {
        let carriers = carriers::of_kind(platform.db(), kind.as_str()).await?;
        names.extend(carriers.iter().flat_map(|carrier| kind.object_names(carrier, false)));
    }
    Ok(names)
}

/// Asks these objects until each has ended its work. One that does not answer has nothing that could be waited for.
async fn stand_down(platform: &impl Platform, mut names: Vec<String>) -> Result<(), PortError> {
    let until_ms = platform.now_ms().saturating_add(STAND_DOWN_MS);
    loop {
        let request = StandDown { until_ms };
        let calls = names.iter().map(|name| ask(platform, name, None, None, &request));
        let answers = join_all(calls).await;
        let mut works = answers.into_iter().map(|answer| answer.unwrap_or(false));
        names.retain(|_| works.next().unwrap_or(false));
        if names.is_empty() {
            return Ok(());
        }
        platform.sleep(LOOK_MS).await;
    }
}
