//! How the operators' object goes on with an order to erase a number from all accounts. In a pass it gives the order to each account,
//! or asks how far it is, and adds up what was met. It is done after a pass in which every account was.
//!
//! The orders of the accounts have its id, and giving one again changes nothing. So after a crash it goes on where it was. An account
//! that can't be reached keeps no other one from being given the order, and is asked again in the next pass.

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::account::erasure::{self, Erasure, Found, Running, SETTLES_MS, StartErasure};
use crate::auth::secret::{Keys, Purpose};
use crate::base::log;
use crate::base::ports::{Platform, PortError, Sql};
use crate::carrier::control;
use crate::directory::accounts;
use crate::durable::{ask_in_time, to_json};

/// Accounts of one go.
const ACCOUNTS_A_GO: u32 = 20;
/// How long after the time at which the accounts may be done they are asked, and how long the next pass waits at least, ms.
const WAIT_MS: i64 = 10 * 60 * 1_000;

/// A pass, as it is kept between goes.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Pass {
    /// The last account that was asked.
    after: String,
    /// What those that were asked have met.
    found: Found,
    /// Whether one of them is not done.
    is_open: bool,
}

/// Goes on with an order.
pub async fn go_on(platform: &impl Platform, sql: &impl Sql, order: &mut Running) -> Result<(), PortError> {
    // A pass of another version, or none, is begun anew.
    let mut pass: Pass = serde_json::from_str(&order.position).unwrap_or_default();
    let ids = accounts::ids(platform.db(), ACCOUNTS_A_GO, &pass.after).await?;
    for id in &ids {
        match ask(platform, order, id).await {
            Ok(Some(erasure)) => pass.add(&erasure),
            Ok(None) => pass.is_open = true,
            Err(error) => {
                log::error(platform, "erasure", json!({"account": id, "cause": error.to_string()}));
                pass.is_open = true;
            }
        }
    }
    let mut due_ms = platform.now_ms();
    match ids.last() {
        Some(last) => {
            pass.after.clone_from(last);
            order.position = to_json(&pass)?;
        }
        None => due_ms = end(order, &pass, due_ms),
    }
    erasure::save(sql, order, due_ms)
}

/// Ends a pass. Gives the time of the next: the older the order, the longer it waits.
fn end(order: &mut Running, pass: &Pass, now_ms: i64) -> i64 {
    order.position.clear();
    order.erasure.found = pass.found;
    if !pass.is_open {
        order.erasure.done_ms = Some(now_ms);
    }
    let created_ms = order.erasure.created_ms;
    let longer_ms = now_ms.saturating_sub(created_ms) / 10;
    let settled_ms = created_ms.saturating_add(SETTLES_MS);
    settled_ms.max(now_ms).saturating_add(WAIT_MS.max(longer_ms))
}

impl Pass {
    fn add(&mut self, erasure: &Erasure) {
        self.found.add(&erasure.found);
        if erasure.done_ms.is_some() {
            self.found.accounts += 1;
        } else {
            self.is_open = true;
        }
    }
}

/// The order of an account, which it is given if it has it not. `None`: too many run there.
async fn ask(platform: &impl Platform, order: &Running, account: &str) -> Result<Option<Erasure>, PortError> {
    let request = StartErasure {
        id: order.erasure.id.clone(),
        msisdn: number(platform, order)?,
        sealed: order.sealed.clone(),
        ending: order.erasure.ending.clone(),
        by_operators: true,
    };
    let Ok(started) = ask_in_time(platform, account, &request).await?.outcome else {
        return Ok(None);
    };
    control::take_back(platform, account, &started.with_carriers).await;
    Ok(Some(started.erasure))
}

/// The number that an order erases.
pub(super) fn number(platform: &impl Platform, order: &Running) -> Result<u64, PortError> {
    let number = Keys::of(platform, Purpose::Erasure)?.open(&order.erasure.id, &order.sealed)?;
    number.parse().map_err(|_| PortError::failed("erasure", "no number"))
}
