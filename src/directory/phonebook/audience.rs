//! The audience of a send to phonebooks: whom the message goes to, and the values that the message names.

use std::collections::HashSet;

use sms::msisdn::Msisdn;

use super::changes::{columns_of, read_columns};
use super::columns::Columns;
pub use super::part::Member;
use super::part::{Bounds, PLACE_OF_NAME, Part};
use super::titles::{Column, column};
use crate::base::ports::{Db, PortError, Row, Statement};
use crate::base::record::{Columns as _, neighbours};
use crate::directory::{all, answer, to_json};

/// One page has at most this many members. A page is one text, a text of D1 may have 2 MB, and the values of a member take
/// up to 3 KB.
const MEMBERS_A_PAGE: u32 = 500;
/// One page of members without values has at most this many.
const BARE_MEMBERS_A_PAGE: u32 = 10_000;
/// The placeholder of the name of a number's owner.
const NAME: &str = "name";

/// A phonebook that a message goes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chosen {
    pub(super) key: i64,
    count: u32,
    columns: Columns,
}

impl Chosen {
    /// Whether the numbers of the phonebook may have a value for this placeholder.
    pub fn has(&self, name: &str) -> bool {
        is_name(name) || self.columns.place(name).is_some()
    }

    /// The placeholders for which the numbers may have values.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(NAME).chain(self.columns.names())
    }

    /// The places of these names, as the statement of a page takes them.
    pub(super) fn places(&self, names: &[&str]) -> Vec<Option<i64>> {
        let place = |name: &&str| match *name {
            name if is_name(name) => Some(PLACE_OF_NAME),
            name => self.columns.place(name).and_then(|place| i64::try_from(place).ok()),
        };
        names.iter().map(place).collect()
    }
}

/// Whether a placeholder stands for the name: by that word, or by a title that the column of names has in files.
fn is_name(placeholder: &str) -> bool {
    column(placeholder) == Column::Name
}

/// Whom a message to phonebooks goes to.
#[derive(Debug)]
pub enum Audience {
    /// The message goes to these members.
    Members(Vec<Member>),
    /// One of the phonebooks does not exist any more.
    NotFound,
    /// The phonebooks have at least this many numbers, which is more than the maximum.
    TooMany(u64),
    /// The values of the members are longer together than the maximum.
    TooLong,
}

/// How much an audience may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Members.
    pub members: usize,
    /// Bytes that the members' values, with their names, have together as JSON.
    pub bytes: usize,
}

neighbours!(Chosen: key, count, columns);

/// Finds the phonebooks of an account with these ids, in their order. Returns `None` if the account does not have one of
/// them.
pub async fn find(db: &impl Db, account: &str, ids: &[String]) -> Result<Option<Vec<Chosen>>, PortError> {
    found(&db.query(finding(account, ids)?).await?, ids)
}

/// The statement of [`find`].
pub(super) fn finding(account: &str, ids: &[String]) -> Result<Statement, PortError> {
    Ok(Statement::new(
        "SELECT b.seq, b.count, b.columns FROM json_each(?2) asked \
         CROSS JOIN phonebook b ON b.id = asked.value AND b.account = ?1 AND b.deleted = 0 ORDER BY asked.key",
        [account.into(), to_json(ids)?.into()],
    ))
}

/// Reads what the statement of [`find`] answered.
pub(super) fn found(rows: &[Row], ids: &[String]) -> Result<Option<Vec<Chosen>>, PortError> {
    let found: Vec<Chosen> = all(rows, Chosen::of)?;
    Ok((found.len() == ids.len()).then_some(found))
}

/// Reads the numbers of phonebooks, except those in `exclude`, with their values for `names`. A number that is in several
/// phonebooks counts once, with the values of the first of them. Reads page by page, and stops at a limit: so it holds no
/// more than the limits and one page.
pub async fn read(
    db: &impl Db,
    phonebooks: &[Chosen],
    names: &[&str],
    exclude: &[Msisdn],
    limits: Limits,
) -> Result<Audience, PortError> {
    // One phonebook has each number once. So only `exclude` can take some of its numbers away.
    let max = limits.members as u64;
    let least = |chosen: &Chosen| u64::from(chosen.count).saturating_sub(exclude.len() as u64);
    if let Some(least) = phonebooks.iter().map(least).find(|least| *least > max) {
        return Ok(Audience::TooMany(least));
    }
    let mut gathered = Gathered {
        names,
        limits,
        seen: exclude.iter().copied().collect(),
        members: Vec::new(),
        bytes: 0,
    };
    for phonebook in phonebooks {
        let mut after = Some(0);
        while let Some(place) = after {
            let Some(page) = page(db, phonebook, names, place).await? else {
                return Ok(Audience::NotFound);
            };
            after = page.next;
            if let Some(excess) = gathered.add(page.members) {
                return Ok(excess);
            }
        }
    }
    Ok(Audience::Members(gathered.members))
}

/// The members that were read so far.
struct Gathered<'a> {
    names: &'a [&'a str],
    limits: Limits,
    /// The numbers that no member may have any more.
    seen: HashSet<Msisdn>,
    members: Vec<Member>,
    /// How many bytes the members' values take at least.
    bytes: usize,
}

impl Gathered<'_> {
    /// Adds those of a page that were not seen. Returns the excess, if there are too many.
    fn add(&mut self, page: Vec<Member>) -> Option<Audience> {
        for member in page {
            if self.seen.insert(member.number) {
                self.bytes += bytes_of(self.names, &member);
                self.members.push(member);
            }
        }
        let count = self.members.len();
        match (count > self.limits.members, self.bytes > self.limits.bytes) {
            (true, _) => Some(Audience::TooMany(count as u64)),
            (false, true) => Some(Audience::TooLong),
            (false, false) => None,
        }
    }
}

/// How many bytes a member's values take at least as the members of a JSON object.
fn bytes_of(names: &[&str], member: &Member) -> usize {
    let pairs = names.iter().zip(&member.values);
    pairs
        .map(|(name, value)| name.len() + value.len() + r#""":"","#.len())
        .sum()
}

/// Reads the members of a phonebook behind a number. Returns `None` if the phonebook does not exist any more.
async fn page(db: &impl Db, phonebook: &Chosen, names: &[&str], after: i64) -> Result<Option<Part>, PortError> {
    let bounds = Bounds {
        phonebook: phonebook.key,
        places: &phonebook.places(names),
        exclude: &[],
        after,
        limit: if names.is_empty() {
            BARE_MEMBERS_A_PAGE
        } else {
            MEMBERS_A_PAGE
        },
        numbers: None,
    };
    let statements = vec![read_columns(phonebook.key), bounds.statement()?];
    let answers = db.batch(statements).await?;
    match columns_of(answer(&answers, 0))? {
        None => Ok(None),
        Some(_) => bounds.read(answer(&answers, 1)).map(Some),
    }
}
