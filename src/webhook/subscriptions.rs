//! Telling the account's object what the endpoints ask for, so that it writes only events that somebody wants.
//!
//! The object notes each change in the transaction that makes it, and tells it until the account's object has heard of it.
//! The calls carry a version, so an older one that comes late changes nothing. *A crash before the call* leaves the change
//! noted, and a chore tells it.

use std::collections::BTreeSet;

use super::{endpoint, low_balance};
use crate::account::outbox::events::NoteWebhooks;
use crate::account::record::event_type::EventType;
use crate::auth::Mode;
use crate::base::ports::{Platform, PortError, Sql};
use crate::durable::ask_in_time;

/// Whether the account's object has not heard of a change.
pub fn is_behind(sql: &impl Sql) -> Result<bool, PortError> {
    Ok(!sql.exec("SELECT 1 FROM webhook WHERE version > told", &[])?.is_empty())
}

pub async fn tell(platform: &impl Platform, sql: &impl Sql) -> Result<(), PortError> {
    let rows = sql.exec("SELECT account, version FROM webhook WHERE version > told", &[])?;
    let Some(row) = rows.first() else {
        return Ok(());
    };
    let (account, version) = (row.text(0)?, row.int(1)?);
    let (endpoints, of_account) = (endpoint::active(sql)?, low_balance::threshold(sql)?);
    let types = |mode| {
        let endpoints = endpoints.iter().filter(|endpoint| endpoint.mode == mode);
        let types: BTreeSet<&String> = endpoints.flat_map(|endpoint| &endpoint.events).collect();
        types.into_iter().cloned().collect()
    };
    let asks_for_balance = endpoints
        .iter()
        .filter(|endpoint| endpoint.asks_for(EventType::WalletLow.as_str()));
    let thresholds = asks_for_balance.filter_map(|endpoint| endpoint.low_balance.or(of_account));
    let low_balances: BTreeSet<i64> = thresholds.collect();
    let note = NoteWebhooks {
        version,
        types: types(Mode::Live),
        test_types: types(Mode::Test),
        low_balances: low_balances.into_iter().collect(),
    };
    let reply = ask_in_time(platform, &account, &note).await?;
    reply.accepted("a note of webhooks")?;
    sql.exec("UPDATE webhook SET told = max(told, ?1)", &[version.into()])
        .map(drop)
}
