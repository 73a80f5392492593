//! What is done with messages: they are accepted, read, found, stopped, redacted and forgotten. Their rows stand in `record/message`.

pub mod accept;
pub mod charge;
pub mod export;
pub mod find;
mod flood;
pub mod halt;
pub mod list;
pub mod patterns;
pub mod read;
pub mod redaction;
pub mod retention;
pub mod test_messages;
