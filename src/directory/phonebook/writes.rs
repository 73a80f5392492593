//! Adds, changes and deletes numbers of a phonebook.

use std::collections::BTreeMap;

use serde::Serialize;
use sms::msisdn::Msisdn;

use super::changes::{Change as Decided, Limits, Obstacle, TRIES, decide, is_made, octets};
use super::columns::Columns;
use super::numbers::{Change, Details, Number, digits, number_columns, read_row};
use super::row::Phonebook;
use super::search;
use crate::base::ports::{Db, MAX_INTEGER, PortError, Statement, Value};
use crate::directory::{all, to_json};

/// The values of a number have at most this many bytes as its row has them, if saved ones stay beside new ones. A request brings
/// fewer.
const MAX_VALUES_BYTES: i64 = 2_400;

/// A number has at most this many values. A request brings as many at most.
pub const MAX_VALUES: usize = 20;

/// What becomes of the attributes of a number that is saved again with others.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SavedAttributes {
    /// The new ones replace them all.
    #[default]
    Go,
    /// Those that have no new value stay.
    Stay,
}

/// The values that a row gets: the new ones, or those that it has if there are none; if `$stay`, each that is new, and else the
/// one that it has.
macro_rules! together {
    ($new:literal, $saved:literal, $stay:literal) => {
        concat!(
            "CASE WHEN ",
            $stay,
            " AND ",
            $new,
            " IS NOT NULL AND ",
            $saved,
            " IS NOT NULL THEN (SELECT json_group_array(coalesce(",
            $new,
            " ->> place.key, ",
            $saved,
            " ->> place.key)) FROM json_each(CASE WHEN json_array_length(",
            $new,
            ") < json_array_length(",
            $saved,
            ") THEN ",
            $saved,
            " ELSE ",
            $new,
            " END) place) ELSE coalesce(",
            $new,
            ", ",
            $saved,
            ") END"
        )
    };
}

/// Adds numbers to a phonebook, or updates those that are in it, in one transaction. A number that is there as it is to be is not
/// written. Returns how many are new. Brings the columns of `phonebook` up to date.
pub async fn save(
    db: &impl Db,
    phonebook: &mut Phonebook,
    numbers: &BTreeMap<Msisdn, Details>,
    saved_attributes: SavedAttributes,
    limits: Limits,
    now_ms: i64,
) -> Result<Result<i64, Obstacle>, PortError> {
    let names = || {
        let attributes = numbers.values().filter_map(|details| details.attributes.as_ref());
        attributes.flat_map(BTreeMap::keys).map(String::as_str)
    };
    for _ in 0..TRIES {
        let change = match Decided::of(phonebook, names(), limits) {
            Ok(change) => change,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let entries = entries_json(change.columns(), numbers)?;
        let stay = saved_attributes == SavedAttributes::Stay;
        let own = [
            entries.as_str().into(),
            stay.into(),
            MAX_VALUES_BYTES.into(),
            i64::try_from(MAX_VALUES).unwrap_or(i64::MAX).into(),
        ];
        let decide = change.statement(SAVE, own)?;
        let write = Statement::new(
            concat!(
                "INSERT INTO phonebook_number (phonebook, msisdn, name, search_name, attributes, created_ms) \
                 SELECT ?1, e.value ->> 0, e.value ->> 1, e.value ->> 2, e.value -> 3, ?3 FROM json_each(?2) e WHERE ",
                is_made!(),
                " ON CONFLICT (phonebook, msisdn) DO UPDATE SET name = coalesce(excluded.name, name), \
                   search_name = coalesce(excluded.search_name, search_name), \
                   attributes = ",
                together!("excluded.attributes", "phonebook_number.attributes", "?4"),
                " WHERE coalesce(excluded.name, name) IS NOT name OR attributes IS NOT ",
                together!("excluded.attributes", "phonebook_number.attributes", "?4"),
            ),
            [
                phonebook.seq.into(),
                entries.as_str().into(),
                now_ms.into(),
                stay.into(),
            ],
        );
        let outcome = change.run(db, decide, write).await?;
        phonebook.columns = outcome.columns;
        if let Some(verdict) = outcome.verdict {
            return Ok(verdict.map(|()| outcome.added));
        }
    }
    Err(still_stale())
}

/// Decides about saving the entries `?6`. With `?7`, saved attributes stay. A number has at most `?9` values, of `?8` bytes.
const SAVE: &str = decide!(concat!(
    "SELECT b.seq, b.account, b.columns, b.count, a.phonebook_bytes AS used, 0 AS taken, \
       max(CASE WHEN (SELECT count(v.value) FROM json_each(",
    together!("e.value -> 3", "n.attributes", "?7"),
    ") v) > ?9 THEN 2 WHEN ",
    octets!(together!("e.value -> 3", "n.attributes", "?7")),
    " > ?8 THEN 1 ELSE 0 END) AS excess, sum(n.id IS NULL) AS added, sum(100 + ",
    octets!("coalesce(e.value ->> 1, n.name)"),
    " + ",
    octets!(together!("e.value -> 3", "n.attributes", "?7")),
    " - coalesce(n.bytes, 0)) AS bytes \
     FROM phonebook b CROSS JOIN account a ON a.id = b.account CROSS JOIN json_each(?6) e \
     LEFT JOIN phonebook_number n ON n.phonebook = b.seq AND n.msisdn = e.value ->> 0 \
     WHERE b.seq = ?1 AND b.deleted = 0 GROUP BY b.seq"
));

/// An entry as it travels to SQL: the number, the name, the form in which it is searched, and the values by the phonebook's
/// columns. An entry that leaves the saved values has no list.
#[derive(Serialize)]
#[serde(untagged)]
enum NumberWrite<'a> {
    WithValues(u64, Option<&'a str>, Option<String>, Vec<Option<&'a str>>),
    WithoutValues(u64, Option<&'a str>, Option<String>),
}

/// Writes entries as one JSON text. The values stand in it as the rows will have them, so nothing is escaped twice.
fn entries_json(columns: &Columns, numbers: &BTreeMap<Msisdn, Details>) -> Result<String, PortError> {
    let entries = numbers.iter().map(|(number, details)| {
        let (number, name) = (number.get(), details.name.as_deref());
        let search_name = name.map(search::form);
        let values = details.attributes.as_ref().map(|attributes| columns.values(attributes));
        match values.filter(|values| !values.is_empty()) {
            Some(values) => NumberWrite::WithValues(number, name, search_name, values),
            None => NumberWrite::WithoutValues(number, name, search_name),
        }
    });
    to_json(&entries.collect::<Vec<_>>())
}

/// Changes a number of a phonebook. Returns the changed number. Brings the columns of `phonebook` up to date.
pub async fn update(
    db: &impl Db,
    phonebook: &mut Phonebook,
    id: i64,
    change: &Change,
    limits: Limits,
) -> Result<Result<Number, Obstacle>, PortError> {
    let names = || change.attributes.iter().flat_map(BTreeMap::keys).map(String::as_str);
    for _ in 0..TRIES {
        let decided = match Decided::of(phonebook, names(), limits) {
            Ok(decided) => decided,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let values = new_values(id, change, decided.columns())?;
        let search_name = change.name.as_ref().and_then(Option::as_deref).map(search::form);
        let decide = decided.statement(UPDATE, values.clone())?;
        let write = Statement::new(
            concat!(
                "UPDATE phonebook_number SET msisdn = coalesce(?2, msisdn), \
                   name = CASE ?3 WHEN 1 THEN ?4 ELSE name END, \
                   search_name = CASE ?3 WHEN 1 THEN ?7 ELSE search_name END, \
                   attributes = CASE ?5 WHEN 1 THEN ?6 ELSE attributes END \
                 WHERE id = ?1 AND ",
                is_made!(),
                " RETURNING ",
                number_columns!("")
            ),
            values.into_iter().chain([search_name.into()]).collect::<Vec<_>>(),
        );
        let outcome = decided.run(db, decide, write).await?;
        phonebook.columns = outcome.columns;
        match outcome.verdict {
            None => {}
            Some(Err(refusal)) => return Ok(Err(refusal)),
            Some(Ok(())) => {
                let mut written = all(&outcome.written, |row| read_row(&phonebook.columns, &mut row.reader()))?;
                return Ok(written.pop().ok_or(Obstacle::NotFound));
            }
        }
    }
    Err(still_stale())
}

/// Decides about a change of the number with the id `?6`. The other parameters are those of [`new_values`].
const UPDATE: &str = decide!(concat!(
    "SELECT b.seq, b.account, b.columns, b.count, a.phonebook_bytes AS used, \
       EXISTS (SELECT 1 FROM phonebook_number o \
               WHERE o.phonebook = ?1 AND o.msisdn = ?7 AND o.id <> n.id) AS taken, \
       0 AS excess, 0 AS added, 100 + ",
    octets!("CASE ?8 WHEN 1 THEN ?9 ELSE n.name END"),
    " + ",
    octets!("CASE ?10 WHEN 1 THEN ?11 ELSE n.attributes END"),
    " - n.bytes AS bytes \
     FROM phonebook_number n CROSS JOIN phonebook b ON b.seq = n.phonebook \
     CROSS JOIN account a ON a.id = b.account WHERE n.id = ?6 AND n.phonebook = ?1 AND b.deleted = 0"
));

/// The id of a number, and what it changes to: the phone number or NULL, and twice whether something changes and to what.
fn new_values(id: i64, change: &Change, columns: &Columns) -> Result<[Value; 6], PortError> {
    let values = change.attributes.as_ref().map(|attributes| columns.values(attributes));
    let values = values.filter(|values| !values.is_empty());
    Ok([
        id.into(),
        change.number.map(digits).into(),
        change.name.is_some().into(),
        change.name.as_ref().and_then(Option::as_deref).into(),
        change.attributes.is_some().into(),
        values.as_ref().map(to_json).transpose()?.into(),
    ])
}

/// Each failed try means that the phonebook has got a column more, and it has only so many.
fn still_stale() -> PortError {
    PortError::failed("d1", "a phonebook has got more new columns than it may have")
}

/// Deletes a number of a phonebook. Returns whether there was one.
pub async fn delete(db: &impl Db, phonebook: &Phonebook, id: i64) -> Result<bool, PortError> {
    let any = Limits {
        numbers: MAX_INTEGER,
        bytes: MAX_INTEGER,
        room: MAX_INTEGER,
    };
    let change = Decided::without_columns(phonebook, any);
    let decide = change.statement(DELETE, [id.into()])?;
    let write = Statement::new(
        concat!("DELETE FROM phonebook_number WHERE id = ?1 AND ", is_made!()),
        [id.into()],
    );
    let outcome = change.run(db, decide, write).await?;
    Ok(outcome.verdict == Some(Ok(())))
}

/// Decides about deleting the number with the id `?6`.
const DELETE: &str = decide!(
    "SELECT b.seq, b.account, b.columns, b.count, a.phonebook_bytes AS used, 0 AS taken, \
       0 AS excess, -1 AS added, -n.bytes AS bytes \
     FROM phonebook_number n CROSS JOIN phonebook b ON b.seq = n.phonebook \
     CROSS JOIN account a ON a.id = b.account WHERE n.id = ?6 AND n.phonebook = ?1 AND b.deleted = 0"
);
