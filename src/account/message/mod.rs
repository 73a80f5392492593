//! What is done with messages: they are accepted, read, found, canceled, redacted and forgotten. Their rows stand in `record/message`.

pub mod accept;
pub mod cancel;
pub mod charge;
pub mod export;
pub mod find;
mod flood;
pub mod list;
pub mod patterns;
pub mod read;
pub mod redaction;
pub mod retention;
pub mod test_messages;
