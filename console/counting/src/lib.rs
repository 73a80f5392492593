//! Counts and prices texts in a browser, by the package that the service counts and prices with: [`sms`].
//!
//! [`browser`] is what a page calls. What it takes and answers is JSON, by the types in `types.ts`.
//!
//! It takes nothing of the service itself, which would bring the glue of the runtime along.

mod answers;
mod browser;
mod counter;
mod terms;
