//! Enums whose values have a name or a number outside the program: in the API, between objects, in SQL. Each value stands in one
//! line with its name and number.
//!
//! While a deploy mixes versions, an object may tell a status that the worker does not know. The worker passes its name on as it
//! is: [`Named`].

use std::fmt::Debug;

use serde::{Deserialize, Serialize};

use super::ports::{PortError, Value};
use super::record::{Columns, Reader, Word};

/// A value that has a name in the API.
pub trait Name: Copy {
    /// Its name.
    fn name(self) -> &'static str;

    /// The value with this name.
    fn named(name: &str) -> Option<Self>;
}

impl<T: Name> Word for T {
    fn word(&self) -> String {
        self.name().to_owned()
    }

    fn of_word(word: &str) -> Option<Self> {
        T::named(word)
    }
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

impl<T: Name> Columns for Named<T> {
    fn read(row: &mut Reader<'_>) -> Result<Self, PortError> {
        let name: String = row.read()?;
        Ok(T::named(&name).map_or(Named::Other(name), Named::Known))
    }

    fn write(&self, values: &mut Vec<Value>) -> Result<(), PortError> {
        values.push(self.as_str().into());
        Ok(())
    }
}

/// Declares enums whose values have names, `Waiting => "WAITING"`, and maybe numbers too, `Waiting = 0 => "WAITING"`. An enum gets
/// `ALL`, `as_str` and `parse`, and is read and written by serde as its name; with numbers also `code` and `from_code`. A column has its number, or its name if it
/// has none.
macro_rules! named {
    ($(#[$attr:meta])* $vis:vis enum $name:ident {
        $($(#[$doc:meta])* $variant:ident = $code:expr => $text:literal,)+
    }) => {
        $crate::base::named::named!(@ $(#[$attr])* $vis enum $name { $($(#[$doc])* $variant => $text,)+ });
        $crate::base::named::numbers!($vis $name $($variant = $code,)+);
    };
    ($(#[$attr:meta])* $vis:vis enum $name:ident {
        $($(#[$doc:meta])* $variant:ident => $text:literal,)+
    }) => {
        $crate::base::named::named!(@ $(#[$attr])* $vis enum $name { $($(#[$doc])* $variant => $text,)+ });
        $crate::base::named::column!($name, |name: &String| Self::parse(name), Self::as_str);
    };
    (@ $(#[$attr:meta])* $vis:vis enum $name:ident {
        $($(#[$doc:meta])* $variant:ident => $text:literal,)+
    }) => {
        $(#[$attr])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        $vis enum $name {
            $($(#[$doc])* #[serde(rename = $text)] $variant,)+
        }

        #[allow(dead_code, reason = "not each enum is read from a name")]
        impl $name {
            /// All values, in the order of their declaration.
            pub const ALL: [Self; [$($text),+].len()] = [$($name::$variant),+];

            /// The name of the value.
            pub fn as_str(self) -> &'static str {
                match self {
                    $($name::$variant => $text,)+
                }
            }

            /// The value with this name.
            pub fn parse(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|value| value.as_str() == name)
            }
        }

        impl $crate::base::named::Name for $name {
            fn name(self) -> &'static str {
                self.as_str()
            }

            fn named(name: &str) -> Option<Self> {
                Self::parse(name)
            }
        }
    };
}

/// Gives the values of an enum the numbers that SQL keeps.
macro_rules! numbers {
    ($vis:vis $name:ident $($variant:ident = $code:expr,)+) => {
        impl $name {
            /// The number of the value in SQL.
            $vis fn code(self) -> i64 {
                match self {
                    $($name::$variant => $code,)+
                }
            }

            /// The value with this number.
            $vis fn from_code(code: i64) -> Option<Self> {
                [$($name::$variant),+].into_iter().find(|value| value.code() == code)
            }
        }

        $crate::base::named::column!($name, |code: &i64| Self::from_code(*code), Self::code);
    };
}

/// Lets an enum stand in a column.
macro_rules! column {
    ($name:ident, $read:expr, $write:expr) => {
        impl $crate::base::record::Columns for $name {
            fn read(row: &mut $crate::base::record::Reader<'_>) -> Result<Self, $crate::base::ports::PortError> {
                row.known(stringify!($name), $read)
            }

            fn write(
                &self,
                values: &mut Vec<$crate::base::ports::Value>,
            ) -> Result<(), $crate::base::ports::PortError> {
                values.push($write(*self).into());
                Ok(())
            }
        }
    };
}

pub(crate) use {column, named, numbers};
