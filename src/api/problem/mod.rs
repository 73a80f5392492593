//! Every error of the API: the table of status, code, name and texts, and the problem document that a client gets.

pub mod cases;
pub mod conflict;
pub mod document;
pub mod field_error;
pub mod kind;
pub mod texts;

pub use cases::{BadRequest, Problem};
pub use conflict::Conflict;
pub use kind::Kind;
