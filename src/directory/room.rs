//! How full the database is that all customers share, and how much of it is theirs.

use super::first;
use crate::base::config::Config;
use crate::base::ports::{Db, PortError, Statement};

/// From so many percent on, operators are warned.
const SHORT_PERCENT: i64 = 70;

/// What is taken and what may be, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    /// The whole database.
    pub bytes: i64,
    /// How much it can hold.
    pub max_bytes: i64,
    /// The phonebooks and patterns of all accounts, as they are counted.
    pub customer_bytes: i64,
    /// How many bytes these may have. More are refused.
    pub max_customer_bytes: i64,
}

impl Room {
    /// Looks how full the database is.
    pub async fn of(db: &impl Db, config: &Config) -> Result<Room, PortError> {
        let rows = db
            .query(Statement::new("SELECT bytes FROM room WHERE one = 1", []))
            .await?;
        Ok(Room {
            bytes: db.size_bytes().await?,
            max_bytes: config.d1_bytes,
            customer_bytes: first(&rows, |row| row.int(0))?.unwrap_or(0),
            max_customer_bytes: config.customer_bytes,
        })
    }

    /// Whether operators have to make room soon.
    pub fn is_short(&self) -> bool {
        let is_near = |bytes: i64, max: i64| bytes.saturating_mul(100) >= max.saturating_mul(SHORT_PERCENT);
        is_near(self.bytes, self.max_bytes) || is_near(self.customer_bytes, self.max_customer_bytes)
    }
}
