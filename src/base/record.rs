//! Records: a row of a table, declared once. The declaration gives the columns of the schema, the statements' lists of them, the
//! reader and the values; positions come from the order of the declaration.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::ports::{PortError, Row, Value};

/// What stands in one column of a row, or in several neighbours.
pub trait Columns: Sized {
    /// In how many columns it is written.
    const COUNT: usize = 1;

    /// Reads it from the next columns.
    fn read(row: &mut Reader<'_>) -> Result<Self, PortError>;

    /// Adds what its columns get.
    fn write(&self, values: &mut Vec<Value>) -> Result<(), PortError>;

    /// Reads it from the first columns of a row.
    fn of(row: &Row) -> Result<Self, PortError> {
        row.reader().read()
    }

    /// What its columns get.
    fn values(&self) -> Result<Vec<Value>, PortError> {
        let mut values = Vec::with_capacity(Self::COUNT);
        self.write(&mut values)?;
        Ok(values)
    }
}

/// A struct with the names of its columns.
pub trait Record: Columns {
    /// The names, in their order.
    const NAMES: &'static [&'static str];
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

    /// What `read` reads, or `None` if the first of so many columns is NULL.
    fn unless_null<T>(
        &mut self,
        columns: usize,
        read: impl FnOnce(&mut Self) -> Result<T, PortError>,
    ) -> Result<Option<T>, PortError> {
        if let Some(Value::Null) = self.row.0.get(self.at) {
            self.at += columns;
            return Ok(None);
        }
        read(self).map(Some)
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
}

/// A phone number.
impl Columns for u64 {
    fn read(row: &mut Reader<'_>) -> Result<Self, PortError> {
        row.known("a phone number", |number: &i64| u64::try_from(*number).ok())
    }

    fn write(&self, values: &mut Vec<Value>) -> Result<(), PortError> {
        values.push(i64::try_from(*self).unwrap_or(i64::MAX).into());
        Ok(())
    }
}

/// `None` is NULL in each of the columns.
impl<T: Columns> Columns for Option<T> {
    const COUNT: usize = T::COUNT;

    fn read(row: &mut Reader<'_>) -> Result<Self, PortError> {
        row.unless_null(T::COUNT, T::read)
    }

    fn write(&self, values: &mut Vec<Value>) -> Result<(), PortError> {
        match self {
            Some(value) => value.write(values)?,
            None => values.extend(std::iter::repeat_n(Value::Null, T::COUNT)),
        }
        Ok(())
    }
}

/// What a column has as JSON.
macro_rules! json_columns {
    ($($({$($generic:tt)+})? $type:ty),+) => {$(
        impl$(<$($generic)+>)? $crate::base::record::Columns for $type {
            fn read(row: &mut $crate::base::record::Reader<'_>) -> Result<Self, $crate::base::ports::PortError> {
                row.json(stringify!($type))
            }

            fn write(
                &self,
                values: &mut Vec<$crate::base::ports::Value>,
            ) -> Result<(), $crate::base::ports::PortError> {
                let json = serde_json::to_string(self);
                let json = json.map_err(|error| $crate::base::ports::PortError::json(stringify!($type), &error))?;
                values.push(json.into());
                Ok(())
            }
        }
    )+};
}
json_columns! {
    {T: Serialize + DeserializeOwned} Vec<T>,
    {T: Ord + Serialize + DeserializeOwned} BTreeSet<T>,
    {K: Ord + Serialize + DeserializeOwned, V: Serialize + DeserializeOwned} BTreeMap<K, V>
}

/// A word in a column that has a list of them.
pub trait Word: Sized {
    /// The word.
    fn word(&self) -> String;

    /// What the word stands for, if this version knows it.
    fn of_word(word: &str) -> Option<Self>;
}

impl Word for String {
    fn word(&self) -> String {
        self.clone()
    }

    fn of_word(word: &str) -> Option<Self> {
        Some(word.to_owned())
    }
}

/// A list that a column has as words between spaces. A word that this version does not know is left out.
pub trait Words: Sized {
    /// Reads it from the next column.
    fn read_words(row: &mut Reader<'_>) -> Result<Self, PortError>;

    /// The words; `None`: there is no list.
    fn words(&self) -> Option<String>;
}

impl<T: Word> Words for Vec<T> {
    fn read_words(row: &mut Reader<'_>) -> Result<Self, PortError> {
        let text: String = row.read()?;
        Ok(text.split_ascii_whitespace().filter_map(T::of_word).collect())
    }

    fn words(&self) -> Option<String> {
        let words: Vec<String> = self.iter().map(Word::word).collect();
        Some(words.join(" "))
    }
}

impl<L: Words> Words for Option<L> {
    fn read_words(row: &mut Reader<'_>) -> Result<Self, PortError> {
        row.unless_null(1, L::read_words)
    }

    fn words(&self) -> Option<String> {
        self.as_ref()?.words()
    }
}

/// Values that stand beside each other.
macro_rules! tuples {
    ($($($member:ident)+,)+) => {$(
        impl<$($member: Columns),+> Columns for ($($member,)+) {
            const COUNT: usize = 0 $(+ $member::COUNT)+;

            fn read(row: &mut Reader<'_>) -> Result<Self, PortError> {
                Ok(($(row.read::<$member>()?,)+))
            }

            #[allow(non_snake_case, reason = "a member is named as its type")]
            fn write(&self, values: &mut Vec<Value>) -> Result<(), PortError> {
                let ($($member,)+) = self;
                $($member.write(values)?;)+
                Ok(())
            }
        }
    )+};
}
tuples! { A B, A B C, A B C D, A B C D E, }

/// A struct whose members stand in neighbouring columns, in this order. What is read beside them stands behind a semicolon.
macro_rules! neighbours {
    ($name:ident: $($member:ident $(as $form:ident)?),+ $(; $($beside:ident),+)?) => {
        impl $crate::base::record::Columns for $name {
            const COUNT: usize = 0 $(+ $crate::base::record::count(|it: &$name| &it.$member))+;

            fn read(row: &mut $crate::base::record::Reader<'_>) -> Result<Self, $crate::base::ports::PortError> {
                Ok($name {
                    $($member: $crate::base::record::member!(read row $($form)?),)+
                    $($($beside: row.read()?,)+)?
                })
            }

            fn write(
                &self,
                values: &mut Vec<$crate::base::ports::Value>,
            ) -> Result<(), $crate::base::ports::PortError> {
                $($crate::base::record::member!(write self.$member, values $(, $form)?);)+
                Ok(())
            }
        }
    };
}

/// In how many columns a member of a struct is written.
pub const fn count<S, T: Columns>(_: fn(&S) -> &T) -> usize {
    T::COUNT
}

/// Reads a member, or writes it.
macro_rules! member {
    (read $row:ident) => {
        $row.read()?
    };
    (read $row:ident words) => {
        $crate::base::record::Words::read_words($row)?
    };
    (write $member:expr, $values:ident) => {
        $crate::base::record::Columns::write(&$member, $values)?
    };
    (write $member:expr, $values:ident, words) => {
        $values.push($crate::base::record::Words::words(&$member).into())
    };
}

/// Declares the struct of a row. A line has a member, its type, and its columns as the schema has them; SQL files in `migrations/`
/// say more of those in D1. `as words`: the column has a list as words. What is read beside the row's own columns stands under
/// `beside`, with the SQL that finds it.
///
/// The macro that is named first gives parts of statements: `schema`, the columns as they are declared; `columns`, their names,
/// maybe each behind the alias of its table; `read`, these and what is beside them; `marks`, a `?` for each; `sets`, `name = ?`
/// for each; `changes`, the same for those that do not get NULL; `places`, the places of a JSON list, each between two texts. `members`
/// gives another macro the members of the row.
macro_rules! record {
    ($(#[$meta:meta])* $vis:vis struct $name:ident by $macro:ident {
        $($(#[$doc:meta])* $member_vis:vis $member:ident: $type:ty $(as $form:ident)? = $($column:ident $($sql:literal)?),+;)+
    } $(beside { $($(#[$beside_doc:meta])* $beside_vis:vis $beside:ident: $beside_type:ty = $find:expr;)+ })?) => {
        $(#[$meta])*
        $vis struct $name {
            $($(#[$doc])* $member_vis $member: $type,)+
            $($($(#[$beside_doc])* $beside_vis $beside: $beside_type,)+)?
        }

        macro_rules! $macro {
            (schema) => { $crate::base::record::columns!(schema $($($column $($sql)?,)+)+) };
            (columns) => { $crate::base::record::columns!(names "" $($($column)+)+) };
            (columns $of:literal) => { $crate::base::record::columns!(names $of $($($column)+)+) };
            (read) => { concat!($macro!(columns) $($(, ", ", $find)+)?) };
            (read $of:literal) => { concat!($macro!(columns $of) $($(, ", ", $find)+)?) };
            (marks) => { $crate::base::record::columns!(marks $($($column)+)+) };
            (sets) => { $crate::base::record::columns!(sets $($($column)+)+) };
            (changes) => { $crate::base::record::columns!(changes $($($column)+)+) };
            (members $other:ident) => { $other! { $($member)+ } };
            (places $before:literal $after:literal) => {
                $crate::base::record::places!(
                    $before $after
                    [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29]
                    $($($column)+)+
                )
            };
        }

        $crate::base::record::neighbours!($name: $($member $(as $form)?),+ $(; $($beside),+)?);

        impl $crate::base::record::Record for $name {
            const NAMES: &'static [&'static str] = &[$($(stringify!($column)),+),+];
        }
    };
}

/// A part of a statement that names columns.
macro_rules! columns {
    (schema $first:ident $first_sql:literal, $($name:ident $sql:literal,)*) => {
        concat!(stringify!($first), " ", $first_sql $(, ", ", stringify!($name), " ", $sql)*)
    };
    (names $of:literal $first:ident $($name:ident)*) => {
        concat!($of, stringify!($first) $(, ", ", $of, stringify!($name))*)
    };
    (marks $first:ident $($name:ident)*) => { concat!("?" $(, ", ?", $crate::base::record::nothing!($name))*) };
    (sets $first:ident $($name:ident)*) => {
        concat!(stringify!($first), " = ?" $(, ", ", stringify!($name), " = ?")*)
    };
    (changes $first:ident $($name:ident)*) => {
        concat!(
            stringify!($first), " = coalesce(?, ", stringify!($first), ")"
            $(, ", ", stringify!($name), " = coalesce(?, ", stringify!($name), ")")*
        )
    };
}

/// The places of a JSON list for columns, one after another.
macro_rules! places {
    ($before:literal $after:literal [$place:literal $($others:literal)*] $last:ident) => {
        concat!($before, $place, $after)
    };
    ($before:literal $after:literal [$place:literal $($others:literal)*] $name:ident $($names:ident)+) => {
        concat!($before, $place, $after, ", ", $crate::base::record::places!($before $after [$($others)*] $($names)+))
    };
}

/// The place of a name that is counted and not written.
macro_rules! nothing {
    ($name:ident) => {
        ""
    };
}

pub(crate) use {columns, json_columns, member, neighbours, nothing, places, record};
