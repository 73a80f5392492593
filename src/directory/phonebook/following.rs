//! The next members of several phonebooks, in ascending order of their numbers. Whoever walks through the phonebooks keeps one number
//! between the pages: all members up to this number are done.
//!
//! A page is one moment, because one transaction reads it from all phonebooks. It reads so many members of each, whether they match or
//! not. What it knows ends where the first of these parts ends, so the page ends there too, and the next one begins there. So the work
//! of a page is bounded, and each page moves on, even if nobody matches.

use std::collections::BTreeMap;

use super::audience::{Chosen, Member, find, finding, found};
use super::condition::Condition;
use super::numbers::digits;
use super::part::{Bounds, Part};
use crate::base::ports::{Db, PortError};
use crate::directory::answer;

/// A page reads at most this many members of each phonebook, without their values.
const BARE_MEMBERS: u32 = 1_000;
/// A page reads at most this many members of each phonebook, with their values. They are one text, a text of D1 may have 2 MB, and the
/// values of a member take up to 3 KB.
const MEMBERS: u32 = 500;

/// Whose members are wanted, and what of them.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// The id of the account that has the phonebooks.
    pub account: &'a str,
    /// The ids of the phonebooks.
    pub phonebooks: &'a [String],
    /// The ids of the phonebooks whose members are left out.
    pub exclude: &'a [String],
    /// The condition that members must meet. `None`: all members are wanted.
    pub condition: Option<&'a Condition>,
    /// The placeholders whose values are wanted.
    pub names: &'a [&'a str],
    /// Only these numbers are wanted. `None`: all.
    pub numbers: Option<&'a [u64]>,
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Following {
    /// The members that come next.
    Page(Page),
    /// The account does not have one of the phonebooks, or of the excluded ones. Without an excluded phonebook nobody knows who must be
    /// left out, so nobody is found.
    NotFound,
}

/// Some members.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Page {
    /// The members, in ascending order of their numbers, each number once. The values are those of the first of the phonebooks in which
    /// the number meets the condition, in the order of [`Asked::names`].
    pub members: Vec<Member>,
    /// The number behind which the next page begins. `None` if this page is the last.
    pub next: Option<i64>,
}

/// Reads the members behind the number `after`; 0 is before all numbers.
///
/// # Errors
/// The directory fails or does not answer.
pub async fn following(db: &impl Db, asked: &Asked<'_>, after: i64) -> Result<Following, PortError> {
    following_of(db, asked, after, asked.max_members()).await
}

/// Reads the members behind the number `after`, as [`following`] does, but reads at most `limit` members of each phonebook: at least one,
/// so that each page moves on, and never more than [`following`] reads.
///
/// # Errors
/// The directory fails or does not answer.
pub async fn following_of(db: &impl Db, asked: &Asked<'_>, after: i64, limit: u32) -> Result<Following, PortError> {
    let limit = limit.clamp(1, asked.max_members());
    let ids = [asked.phonebooks, asked.exclude].concat();
    let mut known = find(db, asked.account, &ids).await?;
    // A phonebook that gets columns meanwhile is read again. It gets only so many in its whole life.
    while let Some(chosen) = known {
        let books = Books::of(&chosen, asked);
        let bounds = books.bounds(after, limit, asked.numbers);
        let mut statements = vec![finding(asked.account, &ids)?];
        for each in &bounds {
            statements.push(each.statement()?);
        }
        let answers = db.batch(statements).await?;
        known = found(answer(&answers, 0), &ids)?;
        if known.as_deref().map(|chosen| Books::of(chosen, asked)).as_ref() == Some(&books) {
            let parts = bounds.iter().zip(answers.iter().skip(1));
            let parts: Vec<Part> = parts.map(|(each, rows)| each.read(rows)).collect::<Result<_, _>>()?;
            return Ok(Following::Page(books.page(asked, parts)));
        }
    }
    Ok(Following::NotFound)
}

impl<'a> Asked<'a> {
    /// The placeholders whose values are needed: those that are wanted, and behind them those of the condition.
    fn all_names(&self) -> Vec<&'a str> {
        let tested = self.condition.into_iter().flat_map(Condition::names);
        self.names.iter().copied().chain(tested).collect()
    }

    /// How many members of each phonebook a page reads at most.
    fn max_members(&self) -> u32 {
        if self.all_names().is_empty() {
            BARE_MEMBERS
        } else {
            MEMBERS
        }
    }
}

/// The phonebooks, as the statements read them.
#[derive(PartialEq)]
struct Books<'a> {
    books: Vec<Book>,
    /// The keys of the excluded phonebooks.
    exclude: Vec<i64>,
    /// The placeholders whose values are needed.
    names: Vec<&'a str>,
}

/// One of the phonebooks.
#[derive(PartialEq)]
struct Book {
    key: i64,
    /// The places of the values that are read, each once, because all values of a page must fit into one text.
    places: Vec<Option<i64>>,
    /// For each of the needed names, which of the places has its values.
    of_names: Vec<Option<usize>>,
}

impl<'a> Books<'a> {
    /// `chosen` are the phonebooks, and behind them the excluded ones.
    fn of(chosen: &[Chosen], asked: &Asked<'a>) -> Self {
        let names = asked.all_names();
        let count = asked.phonebooks.len();
        Books {
            books: chosen
                .iter()
                .take(count)
                .map(|chosen| Book::of(chosen, &names))
                .collect(),
            exclude: chosen.iter().skip(count).map(|chosen| chosen.key).collect(),
            names,
        }
    }

    /// Which part of each phonebook is read.
    fn bounds<'b>(&'b self, after: i64, limit: u32, numbers: Option<&'b [u64]>) -> Vec<Bounds<'b>> {
        let books = self.books.iter();
        let bounds = books.map(|book| Bounds {
            phonebook: book.key,
            places: &book.places,
            exclude: &self.exclude,
            after,
            limit,
            numbers,
        });
        bounds.collect()
    }

    /// The page that these parts of the phonebooks make.
    fn page(&self, asked: &Asked<'_>, parts: Vec<Part>) -> Page {
        let next = parts.iter().filter_map(|part| part.next).min();
        let mut members = BTreeMap::new();
        for (book, part) in self.books.iter().zip(parts) {
            for member in part.members {
                let place = digits(member.number);
                let is_known = next.is_none_or(|horizon| place <= horizon);
                if is_known && !members.contains_key(&place) && self.is_wanted(book, &member, asked.condition) {
                    let values = asked.names.iter().map(|name| self.value(book, &member, name));
                    let values = values.map(|value| value.unwrap_or_default().to_owned()).collect();
                    members.insert(place, Member { values, ..member });
                }
            }
        }
        Page {
            members: members.into_values().collect(),
            next,
        }
    }

    fn is_wanted(&self, book: &Book, member: &Member, condition: Option<&Condition>) -> bool {
        condition.is_none_or(|condition| condition.holds(|name| self.value(book, member, name)))
    }

    /// A member's value of a placeholder, as it was read from this phonebook.
    fn value<'m>(&self, book: &Book, member: &'m Member, name: &str) -> Option<&'m str> {
        let index = self.names.iter().position(|known| *known == name)?;
        let place = (*book.of_names.get(index)?)?;
        member.values.get(place).map(String::as_str)
    }
}

impl Book {
    fn of(chosen: &Chosen, names: &[&str]) -> Self {
        let of_names = chosen.places(names);
        let mut places = of_names.clone();
        places.sort_unstable();
        places.dedup();
        let of_names = of_names.iter().map(|place| places.binary_search(place).ok()).collect();
        Book {
            key: chosen.key,
            places,
            of_names,
        }
    }
}
