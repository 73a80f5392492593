//! What the account's object has told of a message that could not be accepted as it was composed.

use std::collections::BTreeMap;

use crate::account::message::patterns::StalePattern;
use crate::account::record::message::delivery_error::DeliveryError;

/// What a message is to be made again with.
pub enum Again<'a> {
    /// These patterns, read again.
    Patterns(&'a [StalePattern]),
    /// All recipients but these, which are left out for this reason.
    Without(&'a [u64], DeliveryError),
}

/// The number of changes that the object has told of patterns, by their slugs.
pub type Heard = BTreeMap<String, i64>;

/// What earlier tries have learned.
#[derive(Debug, Default)]
pub struct Learned {
    /// What the object has told of patterns. Without it, patterns may come from the cache.
    pub heard: Option<Heard>,
    /// The numbers that are left out, and why.
    pub skipped: BTreeMap<u64, DeliveryError>,
}

impl Learned {
    /// Learns what the object has answered.
    pub fn learn(&mut self, again: &Again<'_>) {
        match again {
            Again::Patterns(stale) => {
                let heard = self.heard.get_or_insert_default();
                heard.extend(stale.iter().map(|each| (each.slug.clone(), each.changes)));
            }
            Again::Without(numbers, error) => self.skipped.extend(numbers.iter().map(|number| (*number, *error))),
        }
    }
}
