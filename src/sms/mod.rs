//! The domain of text messages: numbers, texts, placeholders and prices. This module is pure. It does no I/O, reads no
//! clock and does not know HTTP.

pub mod alternatives;
pub mod destination;
pub mod line_number;
pub mod mask;
pub mod msisdn;
pub mod price;
pub mod routing;
pub mod template;
pub mod text;
pub mod variable;
pub mod words;
