//! What the account's object holds: its rows, and the values in them. No request stands here.
//!
//! What stands here, from the highest to the lowest; none names a higher one, nor one on its own line:
//!
//! - `account_row`: the one row of the account.
//! - `usage_pending`: usage that waits in it.
//! - `campaign_row`, `chunk`, `key_usage`, `ledger_pages`, `usage_totals`: the rows of campaigns, of chunks, of the ledger and of usage.
//! - `message`, `ledger`, `spending`, `subscriptions`: messages and their recipients; money; what keys spend; what endpoints ask for.
//! - `caps`, `event_type`, `idempotency`, `rows`, `secrets`, `verifications`: single values.

pub mod account_row;
pub mod campaign_row;
pub mod caps;
pub mod chunk;
pub mod event_type;
pub mod idempotency;
pub mod key_usage;
pub mod ledger;
pub mod ledger_pages;
pub mod message;
pub mod rows;
pub mod secrets;
pub mod spending;
pub mod subscriptions;
pub mod usage_pending;
pub mod usage_totals;
pub mod verifications;
