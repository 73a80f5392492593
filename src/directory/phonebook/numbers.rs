//! The numbers of a phonebook.
//!
//! A phonebook has each number once. How numbers are written is in [`super::writes`].

use std::collections::BTreeMap;

use super::changes::{columns_of, read_columns};
use super::columns::Columns;
use crate::base::ports::{Db, MAX_INTEGER, PortError, Statement};
use crate::base::record::Reader;
use crate::directory::{answer, to_json};

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

/// The columns of a number, in the order that [`read_row`] reads.
macro_rules! number_columns {
    ($of:literal) => {
        $crate::base::record::columns!(names $of id msisdn name attributes created_ms)
    };
}

pub(super) use number_columns;
use sms::msisdn::Msisdn;

/// Reads a number of a phonebook with these columns.
pub(super) fn read_row(columns: &Columns, row: &mut Reader<'_>) -> Result<Number, PortError> {
    Ok(Number {
        id: row.read()?,
        number: row.known("a phone number", |digits| Msisdn::from_digits(*digits))?,
        name: row.read()?,
        attributes: columns.attributes(row.read::<Option<String>>()?.as_deref())?,
        created_ms: row.read()?,
    })
}

/// Returns a phone number as its column has it.
pub(super) fn digits(number: Msisdn) -> i64 {
    i64::try_from(number.get()).unwrap_or(i64::MAX)
}

/// Reads numbers of a phonebook together with its columns, in one transaction, so that each value has its name. Each
/// statement answers `number_columns!`. Returns `None` if the phonebook does not exist.
pub(super) async fn read(
    db: &impl Db,
    phonebook: i64,
    statements: Vec<Statement>,
) -> Result<Option<Vec<Number>>, PortError> {
    let mut batch = vec![read_columns(phonebook)];
    batch.extend(statements);
    let answers = db.batch(batch).await?;
    let Some(columns) = columns_of(answer(&answers, 0))? else {
        return Ok(None);
    };
    let rows = answers.iter().skip(1).flatten();
    rows.map(|row| read_row(&columns, &mut row.reader()))
        .collect::<Result<_, _>>()
        .map(Some)
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
    let found = read(db, phonebook, vec![statement]).await?;
    Ok(found.and_then(|mut found| found.pop()))
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
    Ok(read(db, phonebook, vec![statement]).await?.unwrap_or_default())
}

/// Reads at most `limit` numbers of a phonebook, in their order, beginning behind the place `after`. Returns `None` if the
/// phonebook does not exist.
pub async fn page(
    db: &impl Db,
    phonebook: i64,
    limit: u32,
    after: Option<i64>,
) -> Result<Option<Vec<Number>>, PortError> {
    let first = after.unwrap_or(0).saturating_add(1).min(MAX_INTEGER);
    read(db, phonebook, vec![in_range(phonebook, first, MAX_INTEGER, limit)]).await
}

/// The statement that reads at most `limit` numbers from `first` to `last`, in their order.
pub(super) fn in_range(phonebook: i64, first: i64, last: i64, limit: u32) -> Statement {
    Statement::new(
        concat!(
            "SELECT ",
            number_columns!(""),
            " FROM phonebook_number WHERE phonebook = ?1 AND msisdn BETWEEN ?2 AND ?3 ORDER BY msisdn LIMIT ?4"
        ),
        [phonebook.into(), first.into(), last.into(), limit.into()],
    )
}
