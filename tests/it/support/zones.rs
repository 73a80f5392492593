//! The time zones of the world: those of a database that comes with the tests, so that no test depends on the machine.

use std::sync::LazyLock;

use jiff::Timestamp;
use jiff::tz::TimeZoneDatabase;
use peyk::base::ports::Zones;

use super::world::World;

static DATABASE: LazyLock<TimeZoneDatabase> = LazyLock::new(TimeZoneDatabase::bundled);

/// The zones of the database.
pub struct BundledZones;

impl Zones for BundledZones {
    fn utc_offset_minutes(&self, time_zone: &str, at_ms: i64) -> Option<i32> {
        let zone = DATABASE.get(time_zone).ok()?;
        let offset = zone.to_offset(Timestamp::from_millisecond(at_ms).ok()?);
        Some((offset.seconds() + 30).div_euclid(60))
    }
}

impl Zones for World {
    fn utc_offset_minutes(&self, time_zone: &str, at_ms: i64) -> Option<i32> {
        BundledZones.utc_offset_minutes(time_zone, at_ms)
    }
}
