//! The row of a phonebook, and its columns.

use super::columns::Columns;
use crate::base::record::record;

record! {
    /// A phonebook.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Phonebook by phonebook {
        /// The phonebook's key in the directory, and its place in lists.
        pub seq: i64 = seq;
        /// The phonebook's id in the API.
        pub id: String = id;
        /// The phonebook's name. An account has each name once.
        pub title: String = title;
        /// The phonebook's description.
        pub description: Option<String> = description;
        /// The names of its numbers' attributes.
        pub columns: Columns = columns;
        /// The number of numbers in the phonebook.
        pub count: i64 = count;
        /// When the phonebook was made.
        pub created_ms: i64 = created_ms;
    }
}
pub(super) use phonebook;
