//! Names in what an object tells. While a deploy mixes versions, an object may tell a status that the worker does not know. The
//! worker passes it on as it is.

use std::fmt::Debug;

use serde::{Deserialize, Serialize};

/// A value that has a name in the API.
pub trait Name: Copy {
    /// Its name.
    fn name(self) -> &'static str;
}

/// A value, or the name of one that this version does not know.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Named<T> {
    /// The value.
    Known(T),
    /// Only another version knows it.
    Other(String),
}

impl<T: Name> Named<T> {
    /// The value, if this version knows it.
    pub fn known(&self) -> Option<T> {
        match self {
            Named::Known(value) => Some(*value),
            Named::Other(_) => None,
        }
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        match self {
            Named::Known(value) => value.name(),
            Named::Other(name) => name,
        }
    }
}

impl<T> From<T> for Named<T> {
    fn from(value: T) -> Self {
        Named::Known(value)
    }
}
