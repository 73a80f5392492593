//! The pages of lists: `?limit=` (1 to 200, default 50) and `?cursor=`. A cursor is an opaque text that names a position
//! in one list.

use std::fmt::Write;
use std::str::FromStr;

use crate::account::message::Page;

/// How many items a page has unless the client says otherwise.
pub const DEFAULT_LIMIT: u32 = 50;
/// How many items a page may have.
pub const MAX_LIMIT: u32 = 200;

/// The page of a list that a client asks for. `T` is the type of the positions by which the list is ordered. A page begins
/// behind a position, so an item that is added or deleted meanwhile neither repeats nor hides another item.
pub struct PageRequest<T> {
    list: String,
    limit: u32,
    after: Option<T>,
}

impl<T: ToString> PageRequest<T> {
    /// A page of at most `limit` items behind `after`.
    pub fn new(list: &str, limit: u32, after: Option<T>) -> Self {
        PageRequest {
            list: list.to_owned(),
            limit,
            after,
        }
    }

    /// How many items to read: one more than the client asks for, which shows whether there is another page.
    pub fn limit(&self) -> u32 {
        self.limit + 1
    }

    /// The position behind which the page begins.
    pub fn after(&self) -> Option<&T> {
        self.after.as_ref()
    }

    /// Removes the surplus item and makes the cursor of the next page.
    pub fn cut<I>(&self, items: &mut Vec<I>, position: impl Fn(&I) -> T) -> Option<String> {
        let limit = usize::try_from(self.limit).unwrap_or(usize::MAX);
        if items.len() <= limit {
            return None;
        }
        items.truncate(limit);
        items.last().map(|last| self.cursor_behind(&position(last)))
    }

    /// The cursor of a page that begins behind a position.
    pub fn cursor_behind(&self, position: &T) -> String {
        cursor(&self.list, &position.to_string())
    }
}

impl PageRequest<i64> {
    /// The page to read of an account's object or of the directory.
    pub fn to_read(&self) -> Page {
        Page {
            limit: self.limit(),
            after: self.after,
        }
    }
}

/// Makes a cursor: the position, and a checksum that ties it to its list.
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

/// The position that a cursor of this list names.
pub fn position<T: FromStr>(list: &str, cursor: &str) -> Option<T> {
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
