//! Phonebooks as sends read them: whom a message goes to.

use std::collections::BTreeMap;

use crate::ports::{Db, PortError, Statement};
use crate::sms::msisdn::Msisdn;

/// Numbers in one row of an answer: a text of D1 may have 2 MB, and a number with its attributes up to 3 KB.
const NUMBERS_A_ROW: u32 = 500;

/// One of those a message goes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// The number.
    pub number: Msisdn,
    /// Its owner's name.
    pub name: Option<String>,
    /// What else is known of it.
    pub attributes: BTreeMap<String, String>,
}

/// Whom a message to phonebooks goes to.
#[derive(Debug)]
pub enum Audience {
    /// These.
    Members(Vec<Member>),
    /// One of the phonebooks does not exist in this account.
    NotFound,
    /// At least so many, which is more than asked for.
    TooMany(u64),
}

/// Reads the numbers of an account's phonebooks, each once, as it stands in the first phonebook that has it; without
/// `exclude`, and at most `max`. Names and attributes only `with_values`.
pub async fn audience(
    db: &impl Db,
    account: &str,
    phonebooks: &[String],
    exclude: &[Msisdn],
    max: usize,
    with_values: bool,
) -> Result<Audience, PortError> {
    let found = db
        .query(Statement::new(
            "SELECT b.seq, b.count FROM json_each(?2) asked \
             JOIN phonebook b ON b.id = asked.value AND b.account = ?1 ORDER BY asked.key",
            [account.into(), to_json(&phonebooks)?.into()],
        ))
        .await?;
    if found.len() < phonebooks.len() {
        return Ok(Audience::NotFound);
    }
    let mut keys = Vec::with_capacity(found.len());
    for row in &found {
        keys.push(row.int(0)?);
        // A phonebook has each number once: no other phonebook can make them fewer, only `exclude`.
        let least = u64::from(row.u32(1)?).saturating_sub(exclude.len() as u64);
        if least > max as u64 {
            return Ok(Audience::TooMany(least));
        }
    }
    let exclude: Vec<u64> = exclude.iter().map(|number| number.get()).collect();
    let limit = u32::try_from(max).unwrap_or(u32::MAX).saturating_add(1);
    let rows = db
        .query(Statement::new(
            "WITH audience AS ( \
               SELECT n.msisdn, n.name, n.attributes, min(asked.key) AS place \
               FROM json_each(?1) asked CROSS JOIN phonebook_number n ON n.phonebook = asked.value \
               WHERE n.msisdn NOT IN (SELECT e.value FROM json_each(?2) e) \
               GROUP BY n.msisdn ORDER BY 4, 1 LIMIT ?3), \
             numbered AS (SELECT *, row_number() OVER (ORDER BY place, msisdn) - 1 AS row FROM audience) \
             SELECT json_group_array(CASE ?4 WHEN 0 THEN json_array(msisdn, NULL, NULL) \
                                     ELSE json_array(msisdn, name, json(attributes)) END) \
             FROM numbered GROUP BY row / CAST(?5 AS INTEGER) ORDER BY row / CAST(?5 AS INTEGER)",
            [
                to_json(&keys)?.into(),
                to_json(&exclude)?.into(),
                limit.into(),
                with_values.into(),
                NUMBERS_A_ROW.into(),
            ],
        ))
        .await?;
    let mut members = Vec::new();
    for row in &rows {
        members.extend(read(&row.text(0)?)?);
    }
    match members.len() > max {
        true => Ok(Audience::TooMany(members.len() as u64)),
        false => Ok(Audience::Members(members)),
    }
}

fn to_json(value: &impl serde::Serialize) -> Result<String, PortError> {
    serde_json::to_string(value).map_err(|error| PortError::failed("json", error))
}

fn read(json: &str) -> Result<Vec<Member>, PortError> {
    type Item = (u64, Option<String>, Option<BTreeMap<String, String>>);
    let items: Vec<Item> = serde_json::from_str(json).map_err(|error| PortError::failed("json", error))?;
    items
        .into_iter()
        .map(|(digits, name, attributes)| {
            Ok(Member {
                number: Msisdn::from_digits(digits)
                    .ok_or_else(|| PortError::failed("d1", format!("{digits} is no number of a phonebook")))?,
                name,
                attributes: attributes.unwrap_or_default(),
            })
        })
        .collect()
}
