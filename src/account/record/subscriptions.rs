//! What of an account's events anybody wants to know. It is read with the account's row, so that an account without endpoints
//! pays nothing for events.

use super::event_type::EventType;
use crate::base::ports::{PortError, Sql};
use crate::base::record::{Columns, neighbours};

/// What the endpoints of an account ask for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Subscriptions {
    types: i64,
    /// Those of test endpoints, which hear of test messages.
    test_types: i64,
    /// The highest threshold that has not been told.
    fires_below: Option<i64>,
    /// The lowest threshold that was told and is to be told again.
    rearms_from: Option<i64>,
}

/// The columns in which subscriptions are found.
macro_rules! subscription_columns {
    () => {
        "coalesce((SELECT types FROM webhook), 0), coalesce((SELECT test_types FROM webhook), 0), (SELECT max(threshold) FROM low_balance WHERE told = 0), \
         (SELECT min(threshold) FROM low_balance WHERE told = 1)"
    };
}
pub(in crate::account) use subscription_columns;

impl Subscriptions {
    /// Reads them anew, after a change.
    pub fn read(sql: &impl Sql) -> Result<Subscriptions, PortError> {
        let rows = sql.exec(concat!("SELECT ", subscription_columns!()), &[])?;
        let read = rows.first().map(Subscriptions::of).transpose()?;
        Ok(read.unwrap_or_default())
    }

    /// Whether anybody wants to hear of messages.
    pub fn has_any(self) -> bool {
        self.types | self.test_types != 0
    }

    /// Whether anybody wants to hear of events of this type, which are not of test messages.
    pub fn has(self, kind: EventType) -> bool {
        self.types & kind.bit() != 0
    }

    /// Whether test endpoints want to hear of events of this type.
    pub fn has_for_tests(self, kind: EventType) -> bool {
        self.test_types & kind.bit() != 0
    }

    /// Whether a balance crosses a threshold: falls below one that was not told, or comes back to one that was.
    pub fn is_crossed_by(self, available: i64) -> bool {
        self.fires_below.is_some_and(|threshold| available < threshold)
            || self.rearms_from.is_some_and(|threshold| available >= threshold)
    }
}

neighbours!(Subscriptions: types, test_types, fires_below, rearms_from);
