//! The search for numbers of a phonebook. By the beginning of a number it goes by the index, and reads what it finds. For a part of a
//! name or of a number it looks at the numbers in their order. It looks at [`LOOKED_AT`] in one statement, so that others wait for the
//! database no longer than that, and at [`STATEMENTS`] times as many for a request, which then tells how far it came.
//! The index `phonebook_number_name` serves version 0.2.0, which may run beside this one. A later migration takes it away.

use sms::words::search_form;

use super::changes::{columns_of, read_columns};
use super::numbers::{Number, in_range, number_columns, read, read_row};
use crate::base::ports::{Db, PortError, Statement};
use crate::directory::answer;

/// How many numbers of a phonebook one statement looks at.
pub const LOOKED_AT: u32 = 20_000;
/// How many such statements a request may take.
pub const STATEMENTS: u32 = 5;

/// The numbers of digits that a phone number may have.
const DIGITS: std::ops::RangeInclusive<usize> = 8..=15;
/// The number of digits of an Iranian number, with the country code.
const IRANIAN_DIGITS: std::ops::RangeInclusive<usize> = 12..=12;

/// A search has at most this many characters.
pub const MAX_SEARCH: usize = 100;

/// The form in which a name is searched, as much of it as a search can name.
pub fn form(name: &str) -> String {
    search_form(name).chars().take(MAX_SEARCH).collect()
}

/// What to search for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Search {
    /// Numbers that begin with one of these texts of digits, with the country code.
    Beginning(Vec<String>),
    /// Numbers whose owner's name has `name`, a [`form`], or that have `digits` somewhere, or `beginning` first. An empty text fits nothing.
    Part {
        /// The part of a name.
        name: String,
        /// The part of a number.
        digits: String,
        /// The first digits of a number, with the country code.
        beginning: String,
    },
}

/// What a search has found.
#[derive(Debug, Default)]
pub struct Found {
    /// The numbers that fit, in their order.
    pub numbers: Vec<Number>,
    /// The place up to which the search has looked, if it has not looked at all.
    pub looked_to: Option<i64>,
}

impl Found {
    /// These numbers, with nothing left to look at.
    pub fn all(numbers: Vec<Number>) -> Self {
        Found {
            numbers,
            looked_to: None,
        }
    }
}

/// Reads at most `limit` numbers of a phonebook that fit, in their order, beginning behind the place `after`.
/// Returns `None` if the phonebook does not exist.
pub async fn search(
    db: &impl Db,
    phonebook: i64,
    search: &Search,
    limit: u32,
    after: Option<i64>,
) -> Result<Option<Found>, PortError> {
    let after = after.unwrap_or(0);
    match search {
        Search::Part { name, digits, .. } if name.is_empty() && digits.is_empty() => Ok(Some(Found::default())),
        Search::Beginning(digits) => by_beginning(db, phonebook, digits, limit, after).await,
        Search::Part {
            name,
            digits,
            beginning,
        } => by_part(db, phonebook, [name, digits, beginning], limit, after).await,
    }
}

async fn by_beginning(
    db: &impl Db,
    phonebook: i64,
    digits: &[String],
    limit: u32,
    after: i64,
) -> Result<Option<Found>, PortError> {
    let ranges = digits.iter().flat_map(|digits| ranges(digits));
    let behind = ranges.filter(|(_, last)| *last > after);
    let statement = |(first, last): (i64, i64)| in_range(phonebook, first.max(after.saturating_add(1)), last, limit);
    let Some(mut numbers) = read(db, phonebook, behind.map(statement).collect()).await? else {
        return Ok(None);
    };
    numbers.sort_by_key(Number::place);
    numbers.dedup_by_key(|number| number.id);
    numbers.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
    Ok(Some(Found::all(numbers)))
}

async fn by_part(
    db: &impl Db,
    phonebook: i64,
    part: [&str; 3],
    limit: u32,
    after: i64,
) -> Result<Option<Found>, PortError> {
    let mut found = Found {
        numbers: Vec::new(),
        looked_to: Some(after),
    };
    for _ in 0..STATEMENTS {
        let wanted = limit.saturating_sub(u32::try_from(found.numbers.len()).unwrap_or(u32::MAX));
        let (Some(after), 1..) = (found.looked_to, wanted) else {
            break;
        };
        let Some(more) = look(db, phonebook, part, wanted, after).await? else {
            return Ok(None);
        };
        found.numbers.extend(more.numbers);
        found.looked_to = more.looked_to;
    }
    Ok(Some(found))
}

/// Looks at the next [`LOOKED_AT`] numbers behind a place.
async fn look(
    db: &impl Db,
    phonebook: i64,
    [name, digits, beginning]: [&str; 3],
    limit: u32,
    after: i64,
) -> Result<Option<Found>, PortError> {
    let fitting = Statement::new(
        concat!(
            "SELECT ",
            number_columns!("n."),
            " FROM (SELECT id, msisdn, search_name FROM phonebook_number \
                    WHERE phonebook = ?1 AND msisdn > ?2 ORDER BY msisdn LIMIT ?3) looked \
             CROSS JOIN phonebook_number n ON n.id = looked.id \
             WHERE ?4 <> '' AND instr(looked.search_name, ?4) > 0 OR ?5 <> '' AND instr(looked.msisdn, ?5) > 0 \
               OR ?6 <> '' AND instr(looked.msisdn, ?6) = 1 ORDER BY looked.msisdn LIMIT ?7"
        ),
        [
            phonebook.into(),
            after.into(),
            LOOKED_AT.into(),
            name.into(),
            digits.into(),
            beginning.into(),
            limit.into(),
        ],
    );
    let last = Statement::new(
        "SELECT msisdn FROM phonebook_number WHERE phonebook = ?1 AND msisdn > ?2 ORDER BY msisdn LIMIT 1 OFFSET ?3",
        [phonebook.into(), after.into(), (LOOKED_AT - 1).into()],
    );
    let answers = db.batch(vec![read_columns(phonebook), fitting, last]).await?;
    let Some(columns) = columns_of(answer(&answers, 0))? else {
        return Ok(None);
    };
    let rows = answer(&answers, 1).iter();
    Ok(Some(Found {
        numbers: rows
            .map(|row| read_row(&columns, &mut row.reader()))
            .collect::<Result<_, _>>()?,
        looked_to: answer(&answers, 2).first().map(|row| row.reader().read()).transpose()?,
    }))
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
}
