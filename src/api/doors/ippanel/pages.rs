//! Pages by number, of lists that our own API answers by cursors.

use serde_json::Value;

use super::fault::Fault;
use crate::api::doors::own::{Ask, Own};
use crate::base::ports::Platform;

/// The most items of a page of our own lists, and of a page here.
const MAX_SIZE: usize = 200;
/// The items of a page that says nothing else.
const SIZE: usize = 10;
/// The pages of our own list that a call reads, at most.
const MAX_PAGES: usize = 20;
/// A page whose items begin behind so many others is refused.
pub const MAX_DEPTH: usize = MAX_SIZE * MAX_PAGES;

/// The page that a request asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    number: usize,
    pub size: usize,
}

/// A page as an answer tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Told {
    pub page: Page,
    /// How many items the page has.
    pub count: usize,
    /// How many items all pages have. If the list was not read to its end, one more than was read.
    pub total: usize,
}

/// The items of a page.
#[derive(Debug)]
pub struct Listed {
    pub items: Vec<Value>,
    pub told: Told,
}

impl Page {
    /// Reads a page. Some programs count from 0 and some from 1: both are the first page.
    pub fn of(number: Option<i64>, size: Option<i64>) -> Result<Page, Fault> {
        let read = |value: Option<i64>, name| {
            let value = usize::try_from(value.unwrap_or_default());
            value.map_err(|_| Fault::not_allowed(name))
        };
        let size = match read(size, "per_page")? {
            0 => SIZE,
            size => size.min(MAX_SIZE),
        };
        Ok(Page {
            number: read(number, "page")?.max(1),
            size,
        })
    }

    pub fn number(self) -> usize {
        self.number
    }

    /// How many items stand before this page.
    pub fn skipped(self) -> usize {
        self.number.saturating_sub(1).saturating_mul(self.size)
    }

    /// The page, of a list whose items are all there.
    pub fn cut(self, all: Vec<Value>) -> Listed {
        let total = all.len();
        let items: Vec<Value> = all.into_iter().skip(self.skipped()).take(self.size).collect();
        self.listed(items, total)
    }

    /// The page with these items.
    pub fn listed(self, items: Vec<Value>, total: usize) -> Listed {
        let told = Told {
            page: self,
            count: items.len(),
            total,
        };
        Listed { items, told }
    }
}

impl Told {
    /// How many pages there are.
    pub fn pages(self) -> usize {
        self.total.div_ceil(self.page.size).max(1)
    }
}

/// What is to become of an item of our own list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// It counts.
    Take,
    /// It does not count.
    Pass,
    /// Neither it counts nor any behind it.
    End,
}

/// Reads a page of one of our own lists. `path` has a query.
pub async fn read<P: Platform>(
    own: &Own<'_, P>,
    path: &str,
    wanted: Page,
    look: impl Fn(&Value) -> Look,
) -> Result<Listed, Fault> {
    let skipped = wanted.skipped();
    if skipped >= MAX_DEPTH {
        return Err(Fault::not_allowed("page"));
    }
    let end = skipped.saturating_add(wanted.size);
    let limit = end.saturating_add(1).min(MAX_SIZE);
    let (mut items, mut seen, mut cursor) = (Vec::new(), 0_usize, String::new());
    for _ in 0..MAX_PAGES {
        let path = format!("{path}limit={limit}{cursor}");
        let ask = Ask {
            path: &path,
            ..Ask::default()
        };
        let (page, next) = own.page(ask).await?;
        for item in page {
            match look(&item) {
                Look::Take => {}
                Look::Pass => continue,
                Look::End => return Ok(wanted.listed(items, seen)),
            }
            if (skipped..end).contains(&seen) {
                items.push(item);
            }
            seen = seen.saturating_add(1);
        }
        match next {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return Ok(wanted.listed(items, seen)),
        }
        if seen > end {
            break;
        }
    }
    let more = seen.saturating_add(1);
    Ok(wanted.listed(items, more))
}
