//! What is stored, and what travels between versions of the code.

mod golden;
mod records;
mod released;
pub mod samples;
mod schema;
