//! The numbers of a phonebook.
//!
//! A phonebook has each number once. The phonebook's count changes in the same transaction as its numbers.

use std::collections::BTreeMap;

use super::{all, answer, first, from_json, to_json};
use crate::ports::{Db, PortError, Row, Statement};
use crate::sms::msisdn::Msisdn;

/// A number in a phonebook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Number {
    /// The number's id in the API.
    pub id: i64,
    /// The phone number.
    pub number: Msisdn,
    /// The name of the number's owner.
    pub name: Option<String>,
    /// Other values that messages may contain, by their names.
    pub attributes: BTreeMap<String, String>,
    /// When the number was added.
    pub created_ms: i64,
}

impl Number {
    /// The number's place in lists.
    pub fn place(&self) -> i64 {
        digits(self.number)
    }
}

/// What a request says of a number. A field that is `None` leaves what is saved.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Details {
    /// The name of the number's owner.
    pub name: Option<String>,
    /// Other values that messages may contain, by their names. An empty map leaves what is saved, too.
    pub attributes: Option<BTreeMap<String, String>>,
}

/// The outcome of saving numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Saved {
    /// The number of numbers that were not in the phonebook before.
    pub added: u32,
    /// The number of numbers that the phonebook has now.
    pub count: i64,
}

/// What to search for: a number is found if one of these fits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Search<'a> {
    /// The beginning of the owner's name, in upper or lower case.
    pub name: &'a str,
    /// The first digits of an Iranian number, with the country code. An empty text fits no number.
    pub national: &'a str,
    /// The first digits of any number, with the country code. An empty text fits no number.
    pub international: &'a str,
}

/// A change of a number. A field that is `None` stays as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Change {
    /// The new phone number.
    pub number: Option<Msisdn>,
    /// The new name. `Some(None)` takes the name away.
    pub name: Option<Option<String>>,
    /// The new attributes. An empty map takes all attributes away.
    pub attributes: Option<BTreeMap<String, String>>,
}

/// The columns of a number, in the order that [`from_row`] reads.
macro_rules! number_columns {
    ($of:literal) => {
        columns!($of, "id", "msisdn", "name", "attributes", "created_ms")
    };
}

fn from_row(row: &Row) -> Result<Number, PortError> {
    let number = u64::try_from(row.int(1)?).ok().and_then(Msisdn::from_digits);
    let attributes = row.opt_text(3)?.map(|json| from_json(&json)).transpose()?;
    Ok(Number {
        id: row.int(0)?,
        number: number.ok_or(PortError::Shape {
            column: 1,
            expected: "a phone number",
        })?,
        name: row.opt_text(2)?,
        attributes: attributes.unwrap_or_default(),
        created_ms: row.int(4)?,
    })
}

/// Returns a phone number as its column has it.
fn digits(number: Msisdn) -> i64 {
    i64::try_from(number.get()).unwrap_or(i64::MAX)
}

/// Writes attributes as their column has them. An empty map becomes NULL.
fn attributes_json(attributes: Option<&BTreeMap<String, String>>) -> Result<Option<String>, PortError> {
    let attributes = attributes.filter(|attributes| !attributes.is_empty());
    attributes.map(to_json).transpose()
}

/// Finds a number of a phonebook by its id.
pub async fn find(db: &impl Db, phonebook: i64, id: i64) -> Result<Option<Number>, PortError> {
    let statement = Statement::new(
        concat!(
            "SELECT ",
            number_columns!(""),
            " FROM phonebook_number WHERE id = ?1 AND phonebook = ?2"
        ),
        [id.into(), phonebook.into()],
    );
    first(&db.query(statement).await?, from_row)
}

/// Finds those of these phone numbers that are in a phonebook.
pub async fn find_all(db: &impl Db, phonebook: i64, numbers: &[Msisdn]) -> Result<Vec<Number>, PortError> {
    let digits: Vec<u64> = numbers.iter().map(|number| number.get()).collect();
    let statement = Statement::new(
        concat!(
            "SELECT ",
            number_columns!("n."),
            " FROM json_each(?2) asked \
             CROSS JOIN phonebook_number n ON n.phonebook = ?1 AND n.msisdn = asked.value"
        ),
        [phonebook.into(), to_json(&digits)?.into()],
    );
    all(&db.query(statement).await?, from_row)
}

/// Reads at most `limit` numbers of a phonebook, in their order, beginning behind the place `after`. If `search` is given,
/// other numbers are left out.
pub async fn page(
    db: &impl Db,
    phonebook: i64,
    search: Option<Search<'_>>,
    limit: u32,
    after: Option<i64>,
) -> Result<Vec<Number>, PortError> {
    let statement = Statement::new(
        concat!(
            "SELECT ",
            number_columns!(""),
            " FROM phonebook_number WHERE phonebook = ?1 AND msisdn > ?2 AND (?4 IS NULL \
               OR substr(name, 1, length(?4)) = ?4 COLLATE NOCASE \
               OR (length(?5) > 0 AND substr(msisdn, 1, length(?5)) = ?5) \
               OR (length(?6) > 0 AND substr(msisdn, 1, length(?6)) = ?6)) ORDER BY msisdn LIMIT ?3"
        ),
        [
            phonebook.into(),
            after.unwrap_or(0).into(),
            limit.into(),
            search.map(|search| search.name).into(),
            search.map_or("", |search| search.national).into(),
            search.map_or("", |search| search.international).into(),
        ],
    );
    all(&db.query(statement).await?, from_row)
}

/// Counts the entries of `?2` whose numbers are not in the phonebook `?1`.
macro_rules! count_of_new {
    () => {
        "SELECT count(*) FROM json_each(?2) e WHERE NOT EXISTS \
           (SELECT 1 FROM phonebook_number n WHERE n.phonebook = ?1 AND n.msisdn = e.value ->> 0)"
    };
}

/// Adds numbers to a phonebook, or updates those that are in it, in one transaction. Returns `None`, and saves nothing, if
/// the phonebook does not exist.
pub async fn save(
    db: &impl Db,
    phonebook: i64,
    numbers: &BTreeMap<Msisdn, Details>,
    now_ms: i64,
) -> Result<Option<Saved>, PortError> {
    let entries = entries_json(numbers)?;
    let place = || [phonebook.into(), entries.as_str().into()];
    let statements = vec![
        Statement::new(count_of_new!(), place()),
        Statement::new(
            concat!(
                "UPDATE phonebook SET count = count + (",
                count_of_new!(),
                ") WHERE seq = ?1 RETURNING count"
            ),
            place(),
        ),
        Statement::new(
            "INSERT INTO phonebook_number (phonebook, msisdn, name, attributes, created_ms) \
             SELECT ?1, e.value ->> 0, e.value ->> 1, e.value ->> 2, ?3 FROM json_each(?2) e \
             WHERE EXISTS (SELECT 1 FROM phonebook WHERE seq = ?1) \
             ON CONFLICT (phonebook, msisdn) DO UPDATE SET \
               name = coalesce(excluded.name, name), attributes = coalesce(excluded.attributes, attributes)",
            [phonebook.into(), entries.as_str().into(), now_ms.into()],
        ),
    ];
    let answers = db.batch(statements).await?;
    let added = first(answer(&answers, 0), |row| row.u32(0))?.unwrap_or(0);
    let count = first(answer(&answers, 1), |row| row.int(0))?;
    Ok(count.map(|count| Saved { added, count }))
}

/// Writes entries as one text: a list of numbers, names and attributes.
fn entries_json(numbers: &BTreeMap<Msisdn, Details>) -> Result<String, PortError> {
    let entries: Vec<(u64, Option<&str>, Option<String>)> = numbers
        .iter()
        .map(|(number, details)| {
            let attributes = attributes_json(details.attributes.as_ref())?;
            Ok((number.get(), details.name.as_deref(), attributes))
        })
        .collect::<Result<_, PortError>>()?;
    to_json(&entries)
}

/// Changes a number. Returns the changed number, or `None` if the phonebook has the new phone number already, or the
/// number does not exist.
pub async fn update(db: &impl Db, id: i64, change: &Change) -> Result<Option<Number>, PortError> {
    let statement = Statement::new(
        concat!(
            "UPDATE OR IGNORE phonebook_number SET msisdn = coalesce(?2, msisdn), \
               name = CASE ?3 WHEN 1 THEN ?4 ELSE name END, \
               attributes = CASE ?5 WHEN 1 THEN ?6 ELSE attributes END \
             WHERE id = ?1 RETURNING ",
            number_columns!("")
        ),
        [
            id.into(),
            change.number.map(digits).into(),
            change.name.is_some().into(),
            change.name.as_ref().and_then(Option::as_deref).into(),
            change.attributes.is_some().into(),
            attributes_json(change.attributes.as_ref())?.into(),
        ],
    );
    first(&db.query(statement).await?, from_row)
}

/// Deletes a number of a phonebook.
pub async fn delete(db: &impl Db, phonebook: i64, id: i64) -> Result<(), PortError> {
    let place = || [id.into(), phonebook.into()];
    let statements = vec![
        Statement::new(
            "UPDATE phonebook SET count = count - \
               (SELECT count(*) FROM phonebook_number WHERE id = ?1 AND phonebook = ?2) WHERE seq = ?2",
            place(),
        ),
        Statement::new("DELETE FROM phonebook_number WHERE id = ?1 AND phonebook = ?2", place()),
    ];
    db.batch(statements).await.map(drop)
}
