//! Pages of lists: `?limit=` (1–200, default 50) and `?cursor=`, an opaque text that names a place in one list only.

use crate::account::command::Page;
use crate::fault::{Fault, What};
use crate::http::Head;
use crate::problem::Problem;

const DEFAULT_LIMIT: u32 = 50;
const MAX_LIMIT: u32 = 200;

/// The parameters of a query, with the faults found in them so far.
pub struct Query {
    params: Vec<(String, String)>,
    faults: Vec<Fault>,
}

impl Query {
    /// The query of a request.
    pub fn of(head: &Head) -> Self {
        Query {
            params: form_urlencoded::parse(head.query.as_bytes()).into_owned().collect(),
            faults: Vec::new(),
        }
    }

    /// A parameter's value; the last one counts.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.params
            .iter()
            .rev()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.as_str())
    }

    /// A parameter that `read` understands; else `what` is wrong with it.
    pub fn read<T>(&mut self, name: &str, what: What, read: impl FnOnce(&str) -> Option<T>) -> Option<T> {
        let value = read(self.get(name)?);
        if value.is_none() {
            self.faults.push(Fault::of(name, what));
        }
        value
    }

    /// Which page of `list` is asked for.
    pub fn page(&mut self, list: &str) -> PageRequest {
        let range = What::OutOfRange {
            min: 1,
            max: MAX_LIMIT.into(),
        };
        let limit = self.read("limit", range, |text| {
            text.parse().ok().filter(|limit| (1..=MAX_LIMIT).contains(limit))
        });
        let form = What::BadFormat("a \"nextCursor\" of this list");
        let after = self.read("cursor", form, |cursor| position(list, cursor));
        PageRequest {
            list: list.to_owned(),
            limit: limit.unwrap_or(DEFAULT_LIMIT),
            after,
        }
    }

    /// Ends reading: all faults, or none.
    pub fn finish(self) -> Result<(), Problem> {
        match self.faults.is_empty() {
            true => Ok(()),
            false => Err(Problem::Validation(self.faults)),
        }
    }
}

/// A page that is asked for.
pub struct PageRequest {
    list: String,
    limit: u32,
    after: Option<i64>,
}

impl PageRequest {
    /// The page to read: one item more than asked, to see whether there is another page.
    pub fn to_read(&self) -> Page {
        Page {
            limit: self.limit + 1,
            after: self.after,
        }
    }

    /// Cuts the surplus item off and makes the cursor of the next page.
    pub fn cut<T>(&self, items: &mut Vec<T>, position: impl Fn(&T) -> i64) -> Option<String> {
        let limit = usize::try_from(self.limit).unwrap_or(usize::MAX);
        if items.len() <= limit {
            return None;
        }
        items.truncate(limit);
        items.last().map(|last| cursor(&self.list, position(last)))
    }
}

/// A cursor: the place, and a checksum that ties it to its list.
fn cursor(list: &str, position: i64) -> String {
    format!("{position:x}-{:08x}", checksum(list, position))
}

fn checksum(list: &str, position: i64) -> u32 {
    crc32fast::hash(format!("{list}:{position}").as_bytes())
}

fn position(list: &str, cursor: &str) -> Option<i64> {
    let (place, sum) = cursor.split_once('-')?;
    let position = i64::from_str_radix(place, 16).ok()?;
    (u32::from_str_radix(sum, 16).ok()? == checksum(list, position)).then_some(position)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_belongs_to_one_list() {
        let made = cursor("messages", 12_345);
        assert_eq!(position("messages", &made), Some(12_345));
        assert_eq!(position("transactions", &made), None);
        for bad in [
            "",
            "-",
            "zz-00000000",
            "3039",
            "3039-",
            "3039-00000000",
            "99999999999999999999-0",
        ] {
            assert_eq!(position("messages", bad), None, "{bad}");
        }
    }
}
