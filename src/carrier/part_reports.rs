//! Which parts of a long message a carrier reports.

use crate::base::named::named;

named! {
    /// Which parts of a long message have reports.
    #[derive(Default)]
    pub enum PartReports {
        /// That is to be learnt.
        #[default]
        Auto => "AUTO",
        /// Each part.
        All => "ALL",
        /// The first one.
        First => "FIRST",
        /// The last one.
        Last => "LAST",
        /// All of them by one report: they have one id.
        OneId => "ONE_ID",
        /// Some of them, or one that is not always the same.
        Any => "ANY",
    }
}

impl PartReports {
    /// What two objects of one carrier have seen.
    pub fn of_both(one: Option<Self>, other: Option<Self>) -> Option<Self> {
        match (one, other) {
            (Some(one), Some(other)) if one != other => Some(PartReports::Any),
            _ => one.or(other),
        }
    }
}
