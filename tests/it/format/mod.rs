//! What is stored, and what travels between versions of the code.

mod golden;
pub mod samples;
mod schema;
