//! The pages of lists, and the entries of the two lists of which a list of messages is made: what was sent, and what was received.

use serde::Serialize;
use serde_json::{Value, json};

use super::wanted::Bounds;

/// What stands before the position in the token of a page.
const TOKEN: &str = "PA";
/// The parameter that has it.
const TOKEN_NAME: &str = "pagetoken";

/// Where a page begins: at messages with numbers below `end`, and in the first one of them at the recipient `index`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// All numbers of messages are below it.
    pub end: i64,
    /// The index in the first message.
    pub index: i64,
}

impl Position {
    /// Where messages begin that are older than the message with this number.
    pub fn behind(message: i64) -> Position {
        Position { end: message, index: 0 }
    }

    /// The recipient at `index` of the message with this number.
    pub fn at(message: i64, index: i64) -> Position {
        Position {
            end: message.saturating_add(1),
            index,
        }
    }

    /// The index of the first recipient that is not told yet of the message with this number.
    pub fn index_in(self, message: i64) -> i64 {
        if message.saturating_add(1) == self.end {
            self.index
        } else {
            0
        }
    }
}

/// Where one of the two lists goes on of which a page is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Begin<T> {
    /// At its newest entry.
    First,
    At(T),
    /// It has no more.
    Done,
}

impl<T> Begin<T> {
    /// The place to ask for, which is `None` for the newest entry. `None`: there is nothing to ask for.
    pub fn asked(self) -> Option<Option<T>> {
        match self {
            Begin::First => Some(None),
            Begin::At(place) => Some(Some(place)),
            Begin::Done => None,
        }
    }
}

impl<T> From<Option<T>> for Begin<T> {
    fn from(next: Option<T>) -> Self {
        next.map_or(Begin::Done, Begin::At)
    }
}

/// Where a page begins in what the account has sent and in what it has received.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Begins {
    pub sent: Begin<Position>,
    /// The number above all of those that are left.
    pub received: Begin<i64>,
}

impl Begins {
    /// Where the first page begins.
    pub const FIRST: Begins = Begins {
        sent: Begin::First,
        received: Begin::First,
    };

    /// Reads the token of a page. One without a third number is of a version that listed what was sent alone, and so it ends.
    pub fn of_token(token: &str) -> Option<Begins> {
        let mut numbers = token.strip_prefix(TOKEN)?.split('.').map(|number| {
            let number: Option<i64> = number.parse().ok();
            number.filter(|number| *number >= 0)
        });
        let (end, index) = (numbers.next()??, numbers.next()??);
        let received = numbers.next().unwrap_or(Some(0))?;
        // A list that has no more has no token.
        let is_read = numbers.next().is_none() && (end > 0 || received > 0);
        is_read.then(|| Begins {
            sent: Some(Position { end, index }).filter(|_| end > 0).into(),
            received: Some(received).filter(|end| *end > 0).into(),
        })
    }

    /// The token of the page. `None`: there is nothing more.
    pub fn token(self) -> Option<String> {
        let (end, index) = match self.sent {
            Begin::At(Position { end, index }) => (end, index),
            _ => (0, 0),
        };
        let received = match self.received {
            Begin::At(end) => end,
            _ => 0,
        };
        (end > 0 || received > 0).then(|| format!("{TOKEN}{end}.{index}.{received}"))
    }
}

/// An entry of one of the two lists.
pub struct Entry<T> {
    /// When it was sent or received, ms since the Unix epoch.
    pub at_ms: i64,
    /// Where a page begins that has it first.
    pub begin: T,
    pub of: Value,
}

/// The next entries of one of the two lists.
pub struct Batch<T> {
    pub entries: Vec<Entry<T>>,
    /// Where those behind them begin. `None`: there are no more.
    pub next: Option<T>,
}

impl<T> Default for Batch<T> {
    fn default() -> Self {
        Batch {
            entries: Vec::new(),
            next: None,
        }
    }
}

/// A list that is told in pages.
pub struct List<'a> {
    /// The path of the list.
    pub uri: &'a str,
    /// The member that has its entries.
    pub name: &'static str,
    /// The query of the request.
    pub query: &'a str,
    pub bounds: Bounds,
}

impl List<'_> {
    /// The path of a page. `rest` is what else its query has.
    fn page(&self, page: i64, rest: &str) -> String {
        let size = self.bounds.size;
        format!("{}?{}PageSize={size}&Page={page}{rest}", self.uri, kept(self.query))
    }
}

/// A page. `next` is what else the query of the next one has; `None`: there is none. Python's library takes no page that has members of
/// other names.
pub fn page(list: &List<'_>, next: Option<String>, records: &[impl Serialize]) -> Value {
    let Bounds { size, page } = list.bounds;
    let size = i64::try_from(size).unwrap_or(i64::MAX);
    let start = page.saturating_mul(size);
    let count = i64::try_from(records.len()).unwrap_or(i64::MAX);
    json!({
        "first_page_uri": list.page(0, ""),
        "next_page_uri": next.map(|rest| list.page(page.saturating_add(1), &rest)),
        "previous_page_uri": null,
        "uri": list.page(page, &token(list.query)),
        "page": page,
        "page_size": size,
        "start": start,
        "end": start.saturating_add(count).saturating_sub(1).max(start),
        (list.name): records,
    })
}

/// The parts of a query that narrow the list, each with `&` behind it.
fn kept(query: &str) -> String {
    let parts = parts(query).filter(|(_, name)| !["page", "pagesize", TOKEN_NAME].contains(&name.as_str()));
    parts.fold(String::new(), |kept, (part, _)| kept + part + "&")
}

/// The part of a query that says where the page begins, with `&` before it. Empty if none does.
fn token(query: &str) -> String {
    let part = parts(query).find(|(_, name)| name == TOKEN_NAME);
    part.map_or_else(String::new, |(part, _)| format!("&{part}"))
}

/// The parts of a query, each with its name in lower case.
fn parts(query: &str) -> impl Iterator<Item = (&str, String)> {
    let parts = query.split('&').filter(|part| !part.is_empty());
    parts.map(|part| (part, part.split('=').next().unwrap_or_default().to_ascii_lowercase()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn only_a_token_of_a_page_is_read() {
        for bad in [
            "",
            "PA",
            "PA7",
            "7.0",
            "PA-1.0",
            "PA1.-1",
            "PA1.x",
            "PA1.0.x",
            "PA1.0.-1",
            "PA1.0.1.1",
            "PA0.0",
            "PA0.0.0",
            "PA0.7.0",
            "PA99999999999999999999.0",
        ] {
            assert_eq!(Begins::of_token(bad), None, "{bad}");
        }
        let old = Begins::of_token("PA7.1").unwrap();
        assert_eq!(
            (old.sent, old.received),
            (Begin::At(Position { end: 7, index: 1 }), Begin::Done)
        );
    }

    #[test]
    fn the_next_page_is_narrowed_as_this_one() {
        for (query, rest) in [
            ("", ""),
            ("To=%2B98912&PageSize=7&Page=1&PageToken=PA1.0", "To=%2B98912&"),
            ("&&page=2&DateSent%3E=2026-11-01", "DateSent%3E=2026-11-01&"),
        ] {
            assert_eq!(kept(query), rest, "{query}");
        }
        assert_eq!(token("To=x&PageToken=PA1.0&Page=1"), "&PageToken=PA1.0");
        assert_eq!(token("To=x"), "");
    }

    proptest! {
        #[test]
        fn a_token_leads_to_its_position(end in 1..i64::MAX, index in 0..10_000_i64, received in 1..i64::MAX) {
            for received in [Begin::Done, Begin::At(received)] {
                let begins = Begins { sent: Begin::At(Position { end, index }), received };
                prop_assert_eq!(Begins::of_token(&begins.token().unwrap()), Some(begins));
            }
        }
    }
}
