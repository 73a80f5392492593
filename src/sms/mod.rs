//! The domain of text messages, pure: numbers, texts, prices. No I/O, no clock, no HTTP.

pub mod msisdn;
pub mod price;
pub mod text;
