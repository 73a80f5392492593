#![doc = include_str!("../README.md")]
//!
//! The modules, from the highest to the lowest; none names a higher one:
//!
//! - [`routing`]: which carriers take a line's messages.
//! - [`price`]: what a message costs.
//! - [`destination`]: where messages may go, and what a part costs there.
//! - [`alternatives`]: texts that read the same and cost less.
//! - [`suffix`]: what a line appends to texts.
//! - [`text`]: the encoding of a text, and its parts.
//! - [`template`]: texts with placeholders.
//! - [`variable`]: what a placeholder's value may be.
//! - [`words`]: words of what people type, in one form.
//! - [`mask`]: finds a number in texts, and takes it out.
//! - [`line_number`]: whether two texts mean one line.
//! - [`msisdn`]: phone numbers, in one form.

pub mod alternatives;
pub mod destination;
pub mod line_number;
pub mod mask;
pub mod msisdn;
pub mod price;
pub mod routing;
pub mod suffix;
pub mod template;
pub mod text;
pub mod variable;
pub mod words;
