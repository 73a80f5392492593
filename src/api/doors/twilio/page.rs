//! The pages of lists.

use serde_json::{Value, json};

use super::message::{Record, address};
use super::wanted::{DEFAULT_SIZE, Wanted};
use crate::api::http::Head;

/// What stands before the position in the token of a page.
const TOKEN: &str = "PA";

/// Where a page begins: at messages with numbers below `end`, and in the first one of them at the recipient `index`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// All numbers of messages are below it.
    pub end: i64,
    /// The index in the first message.
    pub index: i64,
}

impl Position {
    /// Reads the token of a page.
    pub fn of_token(token: &str) -> Option<Position> {
        let (end, index) = token.strip_prefix(TOKEN)?.split_once('.')?;
        let [end, index] = [end, index].map(|part| part.parse().ok().filter(|part| *part >= 0));
        Some(Position {
            end: end?,
            index: index?,
        })
    }

    /// The token of the page.
    fn token(self) -> String {
        format!("{TOKEN}{}.{}", self.end, self.index)
    }

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

/// A page. Python's library takes no page that has members of other names.
pub fn page(account: &str, head: &Head, wanted: &Wanted<'_>, next: Option<Position>, records: &[Record<'_>]) -> Value {
    let uri = |page: i64, token: String| {
        let query = format!("{}PageSize={}&Page={page}{token}", kept(&head.query), wanted.size);
        format!("{}?{query}", address(account, "/Messages.json"))
    };
    let size = i64::try_from(wanted.size).unwrap_or(i64::MAX);
    let start = wanted.page.saturating_mul(size);
    let count = i64::try_from(records.len()).unwrap_or(i64::MAX);
    let next = next.map(|next| uri(wanted.page.saturating_add(1), format!("&PageToken={}", next.token())));
    json!({
        "first_page_uri": uri(0, String::new()),
        "next_page_uri": next,
        "previous_page_uri": null,
        "uri": uri(wanted.page, String::new()),
        "page": wanted.page,
        "page_size": size,
        "start": start,
        "end": start.saturating_add(count).saturating_sub(1).max(start),
        "messages": records,
    })
}

/// A page of a list that has nothing.
pub fn empty_page(uri: &str, list: &str) -> Value {
    let first = format!("{uri}?PageSize={DEFAULT_SIZE}&Page=0");
    let mut page = json!({
        "first_page_uri": first, "next_page_uri": null, "previous_page_uri": null, "uri": first, "page": 0,
        "page_size": DEFAULT_SIZE, "start": 0, "end": 0,
    });
    if let Some(members) = page.as_object_mut() {
        members.insert(list.to_owned(), json!([]));
    }
    page
}

/// The parts of a query that narrow the list, each with `&` behind it.
fn kept(query: &str) -> String {
    let parts = query.split('&').filter(|part| {
        let name = part.split('=').next().unwrap_or_default();
        !part.is_empty() && !["page", "pagesize", "pagetoken"].contains(&name.to_ascii_lowercase().as_str())
    });
    parts.fold(String::new(), |kept, part| kept + part + "&")
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
            "PA99999999999999999999.0",
        ] {
            assert_eq!(Position::of_token(bad), None, "{bad}");
        }
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
    }

    proptest! {
        #[test]
        fn a_token_leads_to_its_position(end in 0..i64::MAX, index in 0..10_000_i64) {
            let position = Position { end, index };
            prop_assert_eq!(Position::of_token(&position.token()), Some(position));
        }
    }
}
