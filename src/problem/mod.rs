//! Every error of the API: the table of status, code, name and texts, and the problem document that a client gets.

/// The one of two texts that is in this language. Only that one is made.
macro_rules! said {
    ($language:expr, $en:expr, $fa:expr) => {
        match $language {
            $crate::base::language::Language::En => $en,
            $crate::base::language::Language::Fa => $fa,
        }
    };
}

pub mod cases;
pub mod conflict;
pub mod document;
pub mod field_error;
pub mod kind;
pub mod missing;
pub mod texts;
pub mod warning;

pub use cases::{BadRequest, Problem};
pub use conflict::Conflict;
pub use kind::Kind;
