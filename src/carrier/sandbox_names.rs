//! The carriers that only simulate, by their names: what they take of live messages says so.

use std::rc::Rc;

use super::kind::Kind;
use crate::base::cache::Cache;
use crate::base::ports::Db;
use crate::directory::carriers;

/// What is remembered of their names.
#[derive(Debug, Default)]
pub struct SandboxNames(Cache<Vec<String>>);

impl SandboxNames {
    /// Their names. None while the directory does not answer: what was sent can be read and told all the same.
    pub async fn all(&self, db: &impl Db, now_ms: i64) -> Rc<Vec<String>> {
        if let Some(names) = self.0.get("", now_ms) {
            return names;
        }
        match carriers::of_kind(db, Kind::Sandbox.as_str()).await {
            Ok(found) => self
                .0
                .put("", now_ms, found.into_iter().map(|carrier| carrier.name).collect()),
            Err(_) => self.0.peek("", now_ms).unwrap_or_default(),
        }
    }

    /// Forgets them: there may be another one.
    pub fn clear(&self) {
        self.0.clear();
    }
}
