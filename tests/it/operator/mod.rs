//! What operators do under `/admin`.

mod accounts;
mod audit;
mod audit_feed;
mod carrier_deletion;
mod carriers;
mod closing;
mod credits;
mod erasures;
mod lookups;
mod metrics;
mod room;
mod shown;
mod support;
mod transfer;
mod trials;
mod usernames;
pub mod worries;
