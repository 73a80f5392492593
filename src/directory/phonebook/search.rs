//! The search for numbers of a phonebook. It goes by indexes: by the number in ranges, and by the form of the name in which it is
//! searched. So it reads what it finds, and no other rows.

use sms::words::search_form;

use super::numbers::{Number, in_range, number_columns, read};
use crate::base::ports::{Db, PortError, Statement};
use crate::directory::behind;

/// The numbers of digits that a phone number may have.
const DIGITS: std::ops::RangeInclusive<usize> = 8..=15;
/// The number of digits of an Iranian number, with the country code.
const IRANIAN_DIGITS: std::ops::RangeInclusive<usize> = 12..=12;

/// A search has at most this many characters.
pub const MAX_SEARCH: usize = 100;

/// The form in which a name is searched: what a search can name of it.
pub fn form(name: &str) -> String {
    search_form(name).chars().take(MAX_SEARCH).collect()
}

/// What to search for: a number is found if one of these fits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Search<'a> {
    /// The beginning of the owner's name, however it is written.
    pub name: &'a str,
    /// The first digits of an Iranian number, with the country code. An empty text fits no number.
    pub national: &'a str,
    /// The first digits of any number, with the country code. An empty text fits no number.
    pub international: &'a str,
}

/// Reads at most `limit` numbers of a phonebook that fit, in their order, beginning behind the place `after`.
/// Returns `None` if the phonebook does not exist.
pub async fn search(
    db: &impl Db,
    phonebook: i64,
    search: Search<'_>,
    limit: u32,
    after: Option<i64>,
) -> Result<Option<Vec<Number>>, PortError> {
    let after = after.unwrap_or(0);
    let mut statements: Vec<Statement> = by_name(phonebook, search.name, after, limit).into_iter().collect();
    let ranges = ranges(search.national).into_iter().chain(ranges(search.international));
    for (first, last) in ranges.filter(|(_, last)| *last > after) {
        statements.push(in_range(phonebook, first.max(after.saturating_add(1)), last, limit));
    }
    let Some(mut found) = read(db, phonebook, statements).await? else {
        return Ok(None);
    };
    found.sort_by_key(Number::place);
    found.dedup_by_key(|number| number.id);
    found.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
    Ok(Some(found))
}

/// The statement that reads the numbers whose names begin with `name`. `None` if nothing is left of it to search for, because all
/// names begin with nothing.
fn by_name(phonebook: i64, name: &str, after: i64, limit: u32) -> Option<Statement> {
    let form = Some(form(name)).filter(|form| !form.is_empty())?;
    let end = behind(&form);
    Some(Statement::new(
        concat!(
            "SELECT ",
            number_columns!("n."),
            " FROM (SELECT i.id, i.msisdn FROM phonebook_number i INDEXED BY phonebook_number_name \
                    WHERE i.phonebook = ?1 AND i.search_name >= ?2 AND i.search_name < ?3 AND i.msisdn > ?4 \
                    ORDER BY i.msisdn LIMIT ?5) found \
             CROSS JOIN phonebook_number n ON n.id = found.id ORDER BY found.msisdn"
        ),
        [phonebook.into(), form.into(), end.into(), after.into(), limit.into()],
    ))
}

/// The ranges of the numbers that begin with these digits: one for each number of digits.
fn ranges(beginning: &str) -> Vec<(i64, i64)> {
    let Some(digits) = beginning.parse::<i64>().ok().filter(|_| !beginning.starts_with('0')) else {
        return Vec::new();
    };
    let lengths = if beginning.starts_with("98") {
        IRANIAN_DIGITS
    } else {
        DIGITS
    };
    let more = lengths.filter_map(|length| length.checked_sub(beginning.len()));
    let range = |more: usize| {
        let power = 10_i64.checked_pow(u32::try_from(more).ok()?)?;
        let first = digits.checked_mul(power)?;
        Some((first, first.checked_add(power)?.checked_sub(1)?))
    };
    more.filter_map(range).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_beginning_is_a_range_for_each_number_of_digits() {
        assert_eq!(ranges("98912"), [(989_120_000_000, 989_129_999_999)]);
        assert_eq!(
            ranges("4917112345678"),
            [
                (4_917_112_345_678, 4_917_112_345_678),
                (49_171_123_456_780, 49_171_123_456_789),
                (491_711_234_567_800, 491_711_234_567_899)
            ]
        );
        assert_eq!(ranges("4").len(), 8);
        for none in [
            "",
            "0",
            "x",
            "9891234567890",
            "1234567890123456",
            "99999999999999999999",
        ] {
            assert_eq!(ranges(none), [], "{none}");
        }
    }

    #[test]
    fn the_end_of_a_beginning_is_behind_all_that_begin_so() {
        assert_eq!(behind("ali"), "alj");
        assert_eq!(behind("\u{d7ff}"), "\u{e000}");
        assert_eq!(behind("a\u{10ffff}"), "b");
        assert!(behind("\u{10ffff}") > "\u{10ffff}".repeat(200));
    }
}
