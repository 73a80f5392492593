//! A part of a phonebook: some of its members, in ascending order of their numbers. One statement reads it, and its answer is one text.

use sms::msisdn::Msisdn;

use super::numbers::digits;
use crate::base::ports::{PortError, Row, Statement};
use crate::directory::{first, from_json, to_json};

/// The place of the owner's name among the places of columns.
pub(super) const PLACE_OF_NAME: i64 = -1;

/// One of those whom a message goes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// The phone number.
    pub number: Msisdn,
    /// The values for the names in the message, in their order. A value that the member lacks is empty.
    pub values: Vec<String>,
}

/// Which part of a phonebook is read.
pub(super) struct Bounds<'a> {
    /// The key of the phonebook.
    pub phonebook: i64,
    /// The places of the values that the members get. `None` stands for a value that no member has.
    pub places: &'a [Option<i64>],
    /// The keys of the phonebooks whose members are left out.
    pub exclude: &'a [i64],
    /// The part begins behind this number.
    pub after: i64,
    /// The part has at most this many members, with those that are left out.
    pub limit: u32,
    /// The part has only members with these numbers. `None`: with any.
    pub numbers: Option<&'a [u64]>,
}

/// Reads a part whose members stand in `n`. A member that is left out is read without values: so it still counts.
macro_rules! part {
    ($members:literal) => {
        concat!(
            "SELECT json_group_array(json_array(m.msisdn, json(m.named)) ORDER BY m.msisdn) AS members FROM ( \
               SELECT n.msisdn, CASE WHEN EXISTS (SELECT 1 FROM json_each(?6) x CROSS JOIN phonebook_number e \
                                                  ON e.phonebook = x.value AND e.msisdn = n.msisdn) THEN NULL \
                                ELSE (SELECT json_group_array( \
                                        CASE p.value WHEN ?5 THEN n.name ELSE n.attributes ->> p.value END ORDER BY p.key) \
                                      FROM json_each(?3) p) END AS named \
               FROM ",
            $members,
            " AND n.msisdn > ?2 ORDER BY n.msisdn LIMIT ?4) m"
        )
    };
}

/// Some members of a phonebook.
pub(super) struct Part {
    /// The members, without those that are left out.
    pub members: Vec<Member>,
    /// The number behind which the next part begins. `None` if this part is the last.
    pub next: Option<i64>,
}

impl Bounds<'_> {
    /// The statement that reads the part.
    pub fn statement(&self) -> Result<Statement, PortError> {
        let mut params = vec![
            self.phonebook.into(),
            self.after.into(),
            to_json(self.places)?.into(),
            self.limit.into(),
            PLACE_OF_NAME.into(),
            to_json(self.exclude)?.into(),
        ];
        let Some(numbers) = self.numbers else {
            return Ok(Statement::new(
                part!("phonebook_number n WHERE n.phonebook = ?1"),
                params,
            ));
        };
        params.push(to_json(numbers)?.into());
        // Each number is looked up, however many members the phonebook has.
        let among = part!(
            "json_each(?7) j CROSS JOIN phonebook_number n ON n.phonebook = ?1 AND n.msisdn = j.value WHERE true"
        );
        Ok(Statement::new(among, params))
    }

    /// Reads what the statement answered.
    pub fn read(&self, rows: &[Row]) -> Result<Part, PortError> {
        let entries = first(rows, |row| entries(&row.text(0)?))?.unwrap_or_default();
        let is_full = u32::try_from(entries.len()).is_ok_and(|count| count >= self.limit);
        let next = entries.last().filter(|_| is_full).map(|(number, _)| digits(*number));
        let member = |(number, values): Entry| {
            Some(Member {
                number,
                values: values?,
            })
        };
        Ok(Part {
            members: entries.into_iter().filter_map(member).collect(),
            next,
        })
    }
}

/// A number with its values, or without them if it is left out.
type Entry = (Msisdn, Option<Vec<String>>);

/// Reads the entries of a part, a list in JSON.
fn entries(json: &str) -> Result<Vec<Entry>, PortError> {
    let items: Vec<(u64, Option<Vec<Option<String>>>)> = from_json(json)?;
    let entry = |(digits, values): (u64, Option<Vec<Option<String>>>)| {
        let number = Msisdn::from_digits(digits);
        let number = number.ok_or_else(|| PortError::failed("d1", "a phonebook has what is no number"))?;
        let texts = |values: Vec<Option<String>>| values.into_iter().map(Option::unwrap_or_default).collect();
        Ok((number, values.map(texts)))
    };
    items.into_iter().map(entry).collect()
}
