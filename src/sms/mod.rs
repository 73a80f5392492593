//! The domain of text messages, pure: numbers, texts, placeholders, prices. No I/O, no clock, no HTTP.

pub mod msisdn;
pub mod price;
pub mod template;
pub mod text;
pub mod variable;
