//! How full the storage of an object is. The runtime gives each object ten gigabytes. An object that is full can't write any
//! more, so operators hear of it in time, and an object that can refuse new work does so before.

use std::cell::Cell;

use serde_json::json;

use crate::base::log;
use crate::base::ports::{Platform, PortError, Sql};
use crate::base::time::DAY_MS;

/// Bytes that the runtime lets an object keep. Source: developers.cloudflare.com/durable-objects/platform/limits.
pub const MAX_BYTES: i64 = 10_000_000_000;
/// The size at which the log begins to warn.
const WARNING_BYTES: i64 = MAX_BYTES / 10 * 7;
/// The size from which on an object takes no new work that it can refuse. The rest is for what it has taken.
const FULL_BYTES: i64 = MAX_BYTES / 100 * 95;

/// Whether an object that keeps so many bytes is so full that nothing new may come.
pub fn is_full(bytes: i64) -> bool {
    bytes >= FULL_BYTES
}

/// Whether operators have to make room soon in an object that keeps so many bytes.
pub fn is_filling(bytes: i64) -> bool {
    bytes >= WARNING_BYTES
}

/// How long it looks no more after it has looked, ms: a look costs as much as a statement.
const LOOK_MS: i64 = 1_000;

/// Watches the storage of an object.
#[derive(Debug, Default)]
pub struct Watch {
    /// When to look again, ms since the Unix epoch.
    look_ms: Cell<i64>,
}

impl Watch {
    /// Warns operators, once a day, while there is time to do something about an object that grows full. `what` and `name` say
    /// whose object it is.
    pub fn look(
        &self,
        platform: &impl Platform,
        sql: &impl Sql,
        what: &'static str,
        name: impl FnOnce() -> Result<Option<String>, PortError>,
    ) -> Result<(), PortError> {
        let now_ms = platform.now_ms();
        if now_ms < self.look_ms.get() {
            return Ok(());
        }
        let bytes = sql.size_bytes()?;
        if !is_filling(bytes) {
            self.look_ms.set(now_ms.saturating_add(LOOK_MS));
            return Ok(());
        }
        self.look_ms.set(now_ms.saturating_add(DAY_MS));
        let line = json!({what: name()?, "bytes": bytes, "maxBytes": MAX_BYTES});
        log::warning(platform, "size", line);
        Ok(())
    }
}
