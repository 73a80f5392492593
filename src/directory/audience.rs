//! The audience of a send to phonebooks: whom the message goes to.

use std::collections::BTreeMap;

use super::{all, from_json, to_json};
use crate::ports::{Db, PortError, Row, Statement};
use crate::sms::msisdn::Msisdn;

/// One row of an answer has at most this many members. A text of D1 may have 2 MB, and a member takes up to 3 KB.
const MEMBERS_A_ROW: u32 = 500;

/// One of those whom a message goes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// The phone number.
    pub number: Msisdn,
    /// The name of the number's owner.
    pub name: Option<String>,
    /// Other values that messages may contain, by their names.
    pub attributes: BTreeMap<String, String>,
}

/// Whom a message to phonebooks goes to.
#[derive(Debug)]
pub enum Audience {
    /// The message goes to these members.
    Members(Vec<Member>),
    /// The account does not have one of the phonebooks.
    NotFound,
    /// The phonebooks have at least this many numbers, which is more than the maximum.
    TooMany(u64),
}

/// Reads the numbers of an account's phonebooks, except those in `exclude`, and at most `max`. A number that is in several
/// phonebooks is read once, from the first of them. Names and attributes are read only if `with_values` is true.
pub async fn audience(
    db: &impl Db,
    account: &str,
    phonebooks: &[String],
    exclude: &[Msisdn],
    max: usize,
    with_values: bool,
) -> Result<Audience, PortError> {
    let found = find(db, account, phonebooks).await?;
    if found.len() < phonebooks.len() {
        return Ok(Audience::NotFound);
    }
    // One phonebook has each number once. So only `exclude` can take some of its numbers away.
    let mut least = found
        .iter()
        .map(|(_, count)| u64::from(*count).saturating_sub(exclude.len() as u64));
    if let Some(least) = least.find(|least| *least > max as u64) {
        return Ok(Audience::TooMany(least));
    }
    let keys: Vec<i64> = found.iter().map(|(key, _)| *key).collect();
    let limit = u32::try_from(max).unwrap_or(u32::MAX).saturating_add(1);
    let members = members(db, &keys, exclude, limit, with_values).await?;
    match members.len() > max {
        true => Ok(Audience::TooMany(members.len() as u64)),
        false => Ok(Audience::Members(members)),
    }
}

/// Reads the keys and the counts of those of an account's phonebooks that have one of these ids, in the order of the ids.
async fn find(db: &impl Db, account: &str, phonebooks: &[String]) -> Result<Vec<(i64, u32)>, PortError> {
    let statement = Statement::new(
        "SELECT b.seq, b.count FROM json_each(?2) asked \
         JOIN phonebook b ON b.id = asked.value AND b.account = ?1 ORDER BY asked.key",
        [account.into(), to_json(phonebooks)?.into()],
    );
    all(&db.query(statement).await?, |row| Ok((row.int(0)?, row.u32(1)?)))
}

/// Reads at most `limit` members of the phonebooks with these keys.
async fn members(
    db: &impl Db,
    keys: &[i64],
    exclude: &[Msisdn],
    limit: u32,
    with_values: bool,
) -> Result<Vec<Member>, PortError> {
    let exclude: Vec<u64> = exclude.iter().map(|number| number.get()).collect();
    let statement = Statement::new(
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
            to_json(keys)?.into(),
            to_json(&exclude)?.into(),
            limit.into(),
            with_values.into(),
            MEMBERS_A_ROW.into(),
        ],
    );
    let rows = db.query(statement).await?;
    let mut members = Vec::new();
    for row in &rows {
        members.extend(from_row(row)?);
    }
    Ok(members)
}

/// Reads the members that one row has, as a list in JSON.
fn from_row(row: &Row) -> Result<Vec<Member>, PortError> {
    type Item = (u64, Option<String>, Option<BTreeMap<String, String>>);
    let items: Vec<Item> = from_json(&row.text(0)?)?;
    items
        .into_iter()
        .map(|(digits, name, attributes)| {
            Ok(Member {
                number: Msisdn::from_digits(digits)
                    .ok_or_else(|| PortError::failed("d1", "a phonebook has what is no number"))?,
                name,
                attributes: attributes.unwrap_or_default(),
            })
        })
        .collect()
}
