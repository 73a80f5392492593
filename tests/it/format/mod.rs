//! What is stored, and what travels between versions of the code.

mod golden;
mod samples;
mod schema;
