//! Counts and prices texts in a browser, by the code that the service counts and prices with: the files of its module `sms`.
//!
//! [`browser`] is what a page calls. What it takes and answers is JSON, by the types in `types.ts`.
//!
//! It takes nothing else of the service: a dependency on the whole crate would bring the glue of the runtime along. It is a member of the
//! workspace, so that both have the same version of Unicode's NFC.

mod answers;
mod browser;
mod counter;
mod terms;

#[path = "../../../src/sms/mod.rs"]
pub mod sms;
