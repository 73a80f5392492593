//! Pages of lists: `?limit=` (1–200, default 50) and `?cursor=`, an opaque text that names a place in one list only.

use std::fmt::Write;
use std::str::FromStr;

use crate::account::message::Page;
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

    /// Which page of `list` is asked for, where items have numbers for places.
    pub fn page(&mut self, list: &str) -> PageRequest<i64> {
        self.page_by(list)
    }

    /// Which page of `list` is asked for, where items have names for places.
    pub fn page_by_name(&mut self, list: &str) -> PageRequest<String> {
        self.page_by(list)
    }

    fn page_by<T: FromStr + ToString>(&mut self, list: &str) -> PageRequest<T> {
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

/// A page that is asked for, of a list whose items have a `T` for their place: the one by which the list is ordered, so that
/// what comes or goes in between neither repeats nor hides another item.
pub struct PageRequest<T> {
    list: String,
    limit: u32,
    after: Option<T>,
}

impl<T: ToString> PageRequest<T> {
    /// Items to read: one more than asked, to see whether there is another page.
    pub fn limit(&self) -> u32 {
        self.limit + 1
    }

    /// The place behind which to begin.
    pub fn after(&self) -> Option<&T> {
        self.after.as_ref()
    }

    /// Cuts the surplus item off and makes the cursor of the next page.
    pub fn cut<I>(&self, items: &mut Vec<I>, position: impl Fn(&I) -> T) -> Option<String> {
        let limit = usize::try_from(self.limit).unwrap_or(usize::MAX);
        if items.len() <= limit {
            return None;
        }
        items.truncate(limit);
        items.last().map(|last| cursor(&self.list, &position(last).to_string()))
    }
}

impl PageRequest<i64> {
    /// The page to read of an object's list.
    pub fn to_read(&self) -> Page {
        Page {
            limit: self.limit(),
            after: self.after,
        }
    }
}

/// A cursor: the place, and a checksum that ties it to its list.
fn cursor(list: &str, position: &str) -> String {
    let mut cursor = String::with_capacity(position.len() * 2 + 9);
    for byte in position.bytes() {
        // Writing to a string can't fail.
        let _ = write!(cursor, "{byte:02x}");
    }
    let _ = write!(cursor, "-{:08x}", checksum(list, position));
    cursor
}

fn checksum(list: &str, position: &str) -> u32 {
    crc32fast::hash(format!("{list}:{position}").as_bytes())
}

fn position<T: FromStr>(list: &str, cursor: &str) -> Option<T> {
    let (place, sum) = cursor.split_once('-')?;
    let digits: Vec<char> = place.chars().collect();
    let bytes = digits
        .chunks(2)
        .map(|pair| u8::from_str_radix(&String::from_iter(pair), 16));
    let position = String::from_utf8(bytes.collect::<Result<_, _>>().ok()?).ok()?;
    let is_ours = u32::from_str_radix(sum, 16).ok()? == checksum(list, &position);
    position.parse().ok().filter(|_| is_ours)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_belongs_to_one_list() {
        let made = cursor("messages", "12345");
        assert_eq!(position("messages", &made), Some(12_345i64));
        assert_eq!(position::<i64>("transactions", &made), None);
        let named = cursor("lines", "+98 ۱۰");
        assert_eq!(position("lines", &named), Some("+98 ۱۰".to_owned()));
        assert_eq!(position::<i64>("lines", &named), None);
        for bad in [
            "",
            "-",
            "zz-00000000",
            "3039",
            "3039-",
            "3039-00000000",
            "99999999999999999999-0",
            "é0-00000000",
            "+1-00000000",
        ] {
            assert_eq!(position::<i64>("messages", bad), None, "{bad}");
        }
    }
}
