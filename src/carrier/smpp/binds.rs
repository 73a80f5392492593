//! The sessions of a carrier: the names of their objects, and how many there have been lately. When an operator lowers `binds`, the objects of the sessions that end still
//! know what they have sent, and its receipts come by the sessions that are left.
//!
//! Every object notes every number that it is told of: at most one entry for each number of sessions that a carrier may have.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::settings::Settings;
use crate::base::ports::{PortError, Sql};
use crate::carrier::{journal::KEPT_MS, most_objects, objects_of, own_row};
use crate::directory::carriers::Carrier;

/// The numbers of sessions that the carrier has had, each with its end, ms since the Unix epoch; `None` for the number of now.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Binds(BTreeMap<u64, Option<i64>>);

/// How many sessions the carrier's settings say.
pub(super) fn binds_of(carrier: &Carrier) -> u64 {
    Settings::of(carrier).map_or(1, |settings| settings.binds)
}

/// An object for each session.
pub(super) fn names(carrier: &Carrier, ever: bool) -> Vec<String> {
    let binds = if ever { most_objects() } else { binds_of(carrier) };
    objects_of(&carrier.name, binds)
}

impl Binds {
    /// Notes how many sessions the carrier has from now on.
    pub fn note(&mut self, sql: &impl Sql, now_ms: i64, binds: u64) -> Result<(), PortError> {
        let mut noted = self.clone();
        let others = noted.0.iter_mut().filter(|(number, _)| **number != binds);
        others.for_each(|(_, until_ms)| *until_ms = until_ms.or(Some(now_ms)));
        noted.0.insert(binds, None);
        if noted != *self {
            own_row::keep_binds(sql, &noted)?;
            *self = noted;
        }
        Ok(())
    }

    /// The most sessions that the carrier has had for as long as an id is kept.
    pub fn most(&self, now_ms: i64) -> u64 {
        let is_of_use =
            |until_ms: &Option<i64>| until_ms.is_none_or(|until_ms| until_ms > now_ms.saturating_sub(KEPT_MS));
        let of_use = self.0.iter().filter(|(_, until_ms)| is_of_use(until_ms));
        of_use.map(|(binds, _)| *binds).max().unwrap_or(0)
    }
}
