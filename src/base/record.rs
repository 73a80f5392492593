//! Records: a row of a table, declared once. The declaration gives the columns of the schema, the statements' lists of them, the
//! reader and the values; positions come from the order of the declaration.

use serde::de::DeserializeOwned;

use super::ports::{PortError, Row, Value};

/// What stands in one column of a row, or in several neighbours.
pub trait Columns: Sized {
    /// Reads it from the next columns.
    fn read(row: &mut Reader<'_>) -> Result<Self, PortError>;
}

/// What is written into the columns from which it is read.
pub trait Values: Columns {
    /// Adds what its columns get.
    fn write(&self, values: &mut Vec<Value>) -> Result<(), PortError>;
}

impl Row {
    /// Reads the columns one after another, from the first.
    pub fn reader(&self) -> Reader<'_> {
        Reader { row: self, at: 0 }
    }
}

/// Reads the columns of a row one after another.
#[derive(Debug)]
pub struct Reader<'a> {
    row: &'a Row,
    at: usize,
}

impl Reader<'_> {
    /// What stands in the next columns.
    pub fn read<T: Columns>(&mut self) -> Result<T, PortError> {
        T::read(self)
    }

    /// What the JSON in the next column says; `what` names it in an error.
    pub fn json<T: DeserializeOwned>(&mut self, what: &'static str) -> Result<T, PortError> {
        let text: String = self.read()?;
        serde_json::from_str(&text).map_err(|error| PortError::json(what, &error))
    }

    /// What the next column says if `read` knows it; `expected` names that in an error.
    pub fn known<T: Columns, K>(
        &mut self,
        expected: &'static str,
        read: impl FnOnce(&T) -> Option<K>,
    ) -> Result<K, PortError> {
        let column = self.at;
        read(&self.read()?).ok_or(PortError::Shape { column, expected })
    }

    /// Passes a column over.
    pub fn skip(&mut self) -> &mut Self {
        self.at += 1;
        self
    }

    /// Reads the next column as `read` does.
    fn column<T>(&mut self, read: impl FnOnce(&Row, usize) -> Result<T, PortError>) -> Result<T, PortError> {
        let at = self.at;
        self.at += 1;
        read(self.row, at)
    }
}

/// Columns of one type that a row reads and SQL takes.
macro_rules! plain_columns {
    ($($type:ty => $read:path,)+) => {$(
        impl Columns for $type {
            fn read(row: &mut Reader<'_>) -> Result<Self, PortError> {
                row.column($read)
            }
        }

        impl Values for $type {
            fn write(&self, values: &mut Vec<Value>) -> Result<(), PortError> {
                values.push(self.clone().into());
                Ok(())
            }
        }
    )+};
}
plain_columns! {
    i64 => Row::int,
    u32 => Row::u32,
    bool => Row::bool,
    String => Row::text,
    Option<i64> => Row::opt_int,
    Option<String> => Row::opt_text,
}

/// Neighbours in a tuple.
macro_rules! tuples {
    ($($($member:ident)+,)+) => {$(
        impl<$($member: Columns),+> Columns for ($($member,)+) {
            fn read(row: &mut Reader<'_>) -> Result<Self, PortError> {
                Ok(($(row.read::<$member>()?,)+))
            }
        }
    )+};
}
tuples! { A B, A B C, A B C D, A B C D E, }

/// A struct whose members stand in neighbouring columns, in this order.
macro_rules! neighbours {
    ($name:ident: $($member:ident),+) => {
        impl $crate::base::record::Columns for $name {
            fn read(row: &mut $crate::base::record::Reader<'_>) -> Result<Self, $crate::base::ports::PortError> {
                Ok($name { $($member: row.read()?),+ })
            }
        }

        impl $crate::base::record::Values for $name {
            fn write(
                &self,
                values: &mut Vec<$crate::base::ports::Value>,
            ) -> Result<(), $crate::base::ports::PortError> {
                $($crate::base::record::Values::write(&self.$member, values)?;)+
                Ok(())
            }
        }
    };
}

/// Declares the struct of a row. A line has a member, its type, and its columns as the schema has them. What is read beside the
/// row's own columns stands under `beside`, with the SQL that finds it.
///
/// The struct gets `from_row` and `values`. The macro that is named first gives parts of statements, each beginning with a comma:
/// `schema`, the columns as they are declared; `columns`, their names; `read`, these and what is beside them; `marks`, a `?` for
/// each; `sets`, `name = ?` for each.
macro_rules! record {
    ($(#[$meta:meta])* $vis:vis struct $name:ident by $macro:ident {
        $($(#[$doc:meta])* $member_vis:vis $member:ident: $type:ty = $($column:ident $sql:literal),+;)+
    } $(beside { $($(#[$beside_doc:meta])* $beside_vis:vis $beside:ident: $beside_type:ty = $find:expr;)+ })?) => {
        $(#[$meta])*
        $vis struct $name {
            $($(#[$doc])* $member_vis $member: $type,)+
            $($($(#[$beside_doc])* $beside_vis $beside: $beside_type,)+)?
        }

        macro_rules! $macro {
            (schema) => { concat!($($(", ", stringify!($column), " ", $sql),+),+) };
            (columns) => { concat!($($(", ", stringify!($column)),+),+) };
            (read) => { concat!($($(", ", stringify!($column)),+),+ $($(, ", ", $find)+)?) };
            (marks) => { concat!($($(", ?", $crate::base::record::nothing!($column)),+),+) };
            (sets) => { concat!($($(", ", stringify!($column), " = ?"),+),+) };
        }

        impl $name {
            /// Reads the columns of `read`.
            fn from_row(row: &mut $crate::base::record::Reader<'_>) -> Result<Self, $crate::base::ports::PortError> {
                Ok($name {
                    $($member: row.read()?,)+
                    $($($beside: row.read()?,)+)?
                })
            }

            /// What the columns get, in their order.
            fn values(&self) -> Result<Vec<$crate::base::ports::Value>, $crate::base::ports::PortError> {
                let mut values = Vec::new();
                $($crate::base::record::Values::write(&self.$member, &mut values)?;)+
                Ok(values)
            }
        }
    };
}

/// The place of a name that is counted and not written.
macro_rules! nothing {
    ($name:ident) => {
        ""
    };
}

pub(crate) use {neighbours, nothing, record};
