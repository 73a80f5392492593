//! The operators' part of the API, under `/admin`. The isolate that makes a change sees it at once. The others see it
//! within thirty seconds.

pub mod accounts;
pub mod audit;
// The service does not carry the document.
#[cfg(not(target_arch = "wasm32"))]
pub mod carrier_schemas;
pub mod carrier_settings;
pub mod carriers;
pub mod closing;
pub mod credits;
pub mod dead_letters;
pub mod find_key;
pub mod health;
pub mod holds;
pub mod keys;
pub mod line_inbound;
pub mod line_routes;
pub mod lines;
pub mod members;
pub mod messages;
pub mod metrics;
pub mod operator_keys;
pub mod plans;
pub mod queue_depth;
pub mod reconciliation;
pub mod restore;
pub mod sending;
pub mod support;
pub mod transfer;
pub mod usage;
pub mod worries;
