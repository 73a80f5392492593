//! The pages of lists: `?limit=` (1 to 200, default 50) and `?cursor=`. A cursor is an opaque text that names a position
//! in one list.

use std::fmt::Write;

use super::forms::parsed;
use super::json_fields::Form;
use super::json_schema;
use crate::account::record::message::Page;
use crate::base::ports::MAX_INTEGER;
use crate::problem::field_error::FieldErrorKind;

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

    /// Whether the client asks for at most this many items.
    pub fn is_at_most(&self, limit: u32) -> bool {
        self.limit <= limit
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

    /// As [`cut`](Self::cut), for a search that may have stopped before the end: the next page begins where it has stopped.
    pub fn cut_found<I>(&self, items: &mut Vec<I>, position: impl Fn(&I) -> T, stopped: Option<T>) -> Option<String> {
        let next = self.cut(items, position);
        next.or_else(|| stopped.map(|place| self.cursor_behind(&place)))
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

/// How many items a page may have, as `limit` says.
pub fn limit() -> impl Form<Value = u32> {
    let range = FieldErrorKind::OutOfRange {
        min: 1,
        max: MAX_LIMIT.into(),
    };
    parsed(
        move |text| {
            let limit = text.parse().ok().filter(|limit| (1..=MAX_LIMIT).contains(limit));
            limit.ok_or_else(|| range.clone())
        },
        || json_schema::integer(1, MAX_LIMIT.into()).with("default", DEFAULT_LIMIT),
    )
}

/// Where a page of `list` begins, as `cursor` says.
pub fn place<T>(list: &str, position: fn(&str, &str) -> Option<T>) -> impl Form<Value = T> {
    const FAULT: FieldErrorKind =
        FieldErrorKind::BadForm("a \"nextCursor\" of this list", "مقدار «nextCursor» همین لیست");
    let parse = move |cursor: &str| position(list, cursor).ok_or(FAULT);
    parsed(parse, || json_schema::any_text().with("minLength", 1))
}

/// Makes a cursor: the position, and a checksum that ties it to its list. The checksum is no secret, so a client can forge a
/// cursor: whoever reads one checks the position.
pub fn cursor(list: &str, position: &str) -> String {
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

/// The number that a cursor of this list names as its position. No list has an item at a negative number, or at one that SQL
/// can't take.
pub fn number(list: &str, cursor: &str) -> Option<i64> {
    let number = name(list, cursor)?.parse().ok()?;
    (0..=MAX_INTEGER).contains(&number).then_some(number)
}

/// The name that a cursor of this list names as its position.
pub fn name(list: &str, cursor: &str) -> Option<String> {
    let (place, sum) = cursor.split_once('-')?;
    let digits: Vec<char> = place.chars().collect();
    let bytes = digits
        .chunks(2)
        .map(|pair| u8::from_str_radix(&String::from_iter(pair), 16));
    let position = String::from_utf8(bytes.collect::<Result<_, _>>().ok()?).ok()?;
    let is_ours = u32::from_str_radix(sum, 16).ok()? == checksum(list, &position);
    is_ours.then_some(position)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_belongs_to_one_list() {
        let made = cursor("messages", "12345");
        assert_eq!(number("messages", &made), Some(12_345));
        assert_eq!(number("transactions", &made), None);
        let named = cursor("lines", "+98 ۱۰");
        assert_eq!(name("lines", &named), Some("+98 ۱۰".to_owned()));
        assert_eq!(number("lines", &named), None);
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
            assert_eq!(number("messages", bad), None, "{bad}");
            assert_eq!(name("messages", bad), None, "{bad}");
        }
    }

    #[test]
    fn a_forged_cursor_names_no_number_that_no_list_has() {
        for position in [0, 1, MAX_INTEGER] {
            let forged = cursor("messages", &position.to_string());
            assert_eq!(number("messages", &forged), Some(position));
        }
        for position in [-1, i64::MIN, i64::MAX, MAX_INTEGER + 1, MAX_INTEGER + 2] {
            let forged = cursor("messages", &position.to_string());
            assert_eq!(number("messages", &forged), None, "{position}");
        }
    }
}
