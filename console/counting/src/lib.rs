//! Counts and prices texts in a browser, by the code that the service counts and prices with: the files of its module `sms`.
//!
//! [`browser`] is what a page calls. What it takes and answers is JSON, by the types in `types.ts`.

mod answers;
mod browser;
mod counter;
mod terms;

#[path = "../../../src/sms/mod.rs"]
pub mod sms;
