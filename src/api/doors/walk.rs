//! A walk through a list of our own API.

use serde_json::Value;

use super::own::{Ask, Own, Refused};
use crate::base::ports::Platform;

/// Pages that a walk reads, at most, of [`PAGE`] items each.
const MAX_PAGES: usize = 20;
/// The most items of a page.
pub const PAGE: usize = 200;

/// A walk through a list, newest first.
pub struct Walk {
    list: &'static str,
    query: String,
    cursor: Option<String>,
    pages: usize,
}

impl Walk {
    /// Begins a walk through this list, such as `/messages`. `query` has its filters, each with a `&` before it.
    pub fn of(list: &'static str, query: String) -> Walk {
        Walk {
            list,
            query,
            cursor: None,
            pages: 0,
        }
    }

    /// The next items; `None`: there are no more, or the walk has been long enough.
    pub async fn next<P: Platform>(&mut self, own: &Own<'_, P>) -> Result<Option<Vec<Value>>, Refused> {
        if self.pages >= MAX_PAGES || (self.pages > 0 && self.cursor.is_none()) {
            return Ok(None);
        }
        let cursor = self
            .cursor
            .take()
            .map_or(String::new(), |cursor| format!("&cursor={cursor}"));
        let path = format!("{}?limit={PAGE}{}{cursor}", self.list, self.query);
        let ask = Ask {
            path: &path,
            ..Ask::default()
        };
        let (page, next) = own.page(ask).await?;
        self.cursor = next;
        self.pages = self.pages.saturating_add(1);
        Ok(Some(page))
    }

    /// Whether the list goes on behind what the walk has read.
    pub fn has_more(&self) -> bool {
        self.cursor.is_some()
    }
}
