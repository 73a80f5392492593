//! What operators do under `/admin`.

mod accounts;
mod audit;
mod carriers;
mod lookups;
mod room;
