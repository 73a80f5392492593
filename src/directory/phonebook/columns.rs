//! The columns of a phonebook: the names of its numbers' attributes, each at its place.
//!
//! The phonebook keeps the names once. Each number keeps its values as a JSON list by these places, so a name costs nothing
//! however many numbers have the attribute. The invariant: a new name goes to the end, and no name ever leaves its place.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::base::ports::PortError;
use crate::base::record::json_columns;
use crate::directory::from_json;

/// A phonebook has at most this many columns.
pub const MAX_COLUMNS: usize = 50;

/// The columns of a phonebook.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Columns(Vec<String>);

json_columns!(Columns);

impl Columns {
    /// The names, in the order of their places.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    /// The place of a name.
    pub fn place(&self, name: &str) -> Option<usize> {
        self.0.iter().position(|known| known == name)
    }

    /// Whether there are more columns than a phonebook may have.
    pub fn is_too_wide(&self) -> bool {
        self.0.len() > MAX_COLUMNS
    }

    /// The same columns, with those of `names` that are new behind them. Returns `None` if no name is new.
    pub fn with<'n>(&self, names: impl Iterator<Item = &'n str>) -> Option<Columns> {
        let new: BTreeSet<&str> = names.filter(|name| self.place(name).is_none()).collect();
        let extended = self.names().chain(new.iter().copied()).map(str::to_owned).collect();
        (!new.is_empty()).then_some(Columns(extended))
    }

    /// The values of attributes by these columns. The list has no absent value at its end.
    pub(super) fn values<'a>(&self, attributes: &'a BTreeMap<String, String>) -> Vec<Option<&'a str>> {
        let mut values: Vec<Option<&str>> = self
            .names()
            .map(|name| attributes.get(name).map(String::as_str))
            .collect();
        let used = values.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
        values.truncate(used);
        values
    }

    /// The attributes that a number's row has as JSON.
    pub(super) fn attributes(&self, values: Option<&str>) -> Result<BTreeMap<String, String>, PortError> {
        let values: Vec<Option<String>> = values.map_or(Ok(Vec::new()), from_json)?;
        let named = self.0.iter().zip(values);
        Ok(named.filter_map(|(name, value)| Some((name.clone(), value?))).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(items: &[(&str, &str)]) -> BTreeMap<String, String> {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        items.iter().map(owned).collect()
    }

    #[test]
    fn new_names_go_to_the_end_and_values_stay_at_their_places() {
        let columns = Columns::default().with(["city", "age"].into_iter()).unwrap();
        assert_eq!(columns.names().collect::<Vec<_>>(), ["age", "city"]);
        assert_eq!(columns.with(["city"].into_iter()), None);
        let extended = columns.with(["a", "city", "a"].into_iter()).unwrap();
        assert_eq!(extended.names().collect::<Vec<_>>(), ["age", "city", "a"]);
        let city = map(&[("city", "Tehran")]);
        assert_eq!(extended.values(&city), [None, Some("Tehran")]);
        assert_eq!(columns.values(&city), extended.values(&city));
        assert_eq!(extended.values(&map(&[])), []);
        assert_eq!(extended.attributes(Some(r#"[null,"Tehran"]"#)).unwrap(), city);
        assert_eq!(extended.attributes(None).unwrap(), map(&[]));
    }
}
