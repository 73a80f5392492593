//! Lists whose pages have numbers, over days as they are in Tehran.

use serde_json::Value;

use super::errors::{BAD_VALUE, Fault, TOO_MANY};
use crate::api::doors::own::Own;
use crate::api::doors::params::Params;
use crate::api::doors::walk::Walk;
use crate::base::ports::Platform;
use crate::base::time;

/// The most items of a page, and how many it has if the request does not say.
pub const MAX_SIZE: usize = 100;
pub const DAY_S: i64 = 86_400;
/// How far the clocks of Tehran are ahead, s.
pub const TEHRAN_S: i64 = 12_600;
/// The last second that a time of our own API can name: the end of the year 9999.
pub const LAST_S: i64 = 253_402_300_799;

/// The page of a list that a request asks for.
pub struct Page {
    size: usize,
    number: usize,
    newest_first: bool,
}

impl Page {
    /// Reads `pageSize`, `pageNumber` and `sortByNewest`.
    pub fn read(params: &Params) -> Result<Page, Fault> {
        let size = whole(params, "pagesize")?.unwrap_or(MAX_SIZE);
        let number = whole(params, "pagenumber")?.unwrap_or(1);
        let newest = params.get("sortbynewest").map(str::to_ascii_lowercase);
        let newest_first = match newest.as_deref() {
            Some("true" | "1") => true,
            None | Some("false" | "0") => false,
            Some(_) => return Err(Fault::of(BAD_VALUE)),
        };
        if !(1..=MAX_SIZE).contains(&size) || number == 0 {
            return Err(Fault::of(BAD_VALUE));
        }
        Ok(Page {
            size,
            number,
            newest_first,
        })
    }

    /// The page with this number, of a list with the oldest item first.
    pub fn numbered(number: usize, size: usize) -> Page {
        Page {
            size,
            number,
            newest_first: false,
        }
    }

    /// The items of this page, of all that the list has up to its end.
    pub fn cut<T>(&self, items: impl Iterator<Item = T>) -> Vec<T> {
        let skipped = self.number.saturating_sub(1).saturating_mul(self.size);
        items.skip(skipped).take(self.size).collect()
    }

    /// How many items there are up to the end of this page.
    fn end(&self) -> usize {
        self.number.saturating_mul(self.size)
    }

    /// Walks through a list of our own, newest first, as far as the page needs it. `read` makes something of an item, and says for how
    /// many items of the page it stands. What is asked for behind the end of the walk is too much: to leave it out would say that
    /// there is no more.
    pub async fn walk<P: Platform, T>(
        &self,
        own: &Own<'_, P>,
        mut walk: Walk,
        read: impl Fn(&Value) -> (T, usize),
    ) -> Result<Vec<T>, Fault> {
        let (mut items, mut count) = (Vec::new(), 0_usize);
        let has_enough = |count: usize| self.newest_first && count >= self.end();
        while !has_enough(count)
            && let Some(found) = walk.next(own).await?
        {
            for (item, weight) in found.iter().map(&read) {
                items.push(item);
                count = count.saturating_add(weight);
            }
        }
        if walk.has_more() && !has_enough(count) {
            return Err(Fault::of(TOO_MANY));
        }
        if !self.newest_first {
            items.reverse();
        }
        Ok(items)
    }
}

/// A parameter that is a whole number.
pub fn whole(params: &Params, name: &str) -> Result<Option<usize>, Fault> {
    let number = params.get(name).map(str::parse).transpose();
    number.map_err(|_| Fault::of(BAD_VALUE))
}

/// The time of a list, s since the Unix epoch. `to_s` is no part of it.
pub struct Span {
    pub from_s: i64,
    pub to_s: i64,
}

impl Span {
    /// Today.
    pub fn today<P: Platform>(own: &Own<'_, P>) -> Span {
        let from_s = today_s(own.now_ms().div_euclid(1_000));
        let to_s = LAST_S;
        Span { from_s, to_s }
    }

    /// From `fromDate` to `toDate`, up to the end of yesterday.
    pub fn before_today<P: Platform>(own: &Own<'_, P>, params: &Params) -> Result<Span, Fault> {
        let read = |name| match params.get(name).map(str::parse::<i64>).transpose() {
            Ok(at_s) => Ok(at_s),
            Err(_) => Err(Fault::of(BAD_VALUE)),
        };
        let from_s = read("fromdate")?.unwrap_or_default().clamp(0, LAST_S);
        let to_s = read("todate")?.map_or(LAST_S, |last_s| last_s.saturating_add(1));
        let to_s = to_s.clamp(from_s, LAST_S).min(Span::today(own).from_s);
        Ok(Span { from_s, to_s })
    }

    /// Whether there is no time in it.
    pub fn is_empty(&self) -> bool {
        self.from_s >= self.to_s
    }

    /// The span as filters of a list of our own: their names are `from` and `to`.
    pub fn query(&self, from: &str, to: &str) -> String {
        let [from_at, to_at] = [self.from_s, self.to_s].map(|at_s| time::to_rfc3339(at_s.saturating_mul(1_000)));
        format!("&{from}={from_at}&{to}={to_at}")
    }
}

/// When the day of a time began in Tehran.
fn today_s(now_s: i64) -> i64 {
    let local_s = now_s.saturating_add(TEHRAN_S);
    local_s
        .saturating_sub(local_s.rem_euclid(DAY_S))
        .saturating_sub(TEHRAN_S)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_begins_as_in_tehran() {
        for (now, began) in [
            ("2026-01-02T20:29:59Z", "2026-01-01T20:30:00.000Z"),
            ("2026-01-02T20:30:00Z", "2026-01-02T20:30:00.000Z"),
            ("2026-01-02T03:00:00Z", "2026-01-01T20:30:00.000Z"),
        ] {
            let now_s = time::from_rfc3339(now).unwrap() / 1_000;
            assert_eq!(time::to_rfc3339(today_s(now_s) * 1_000), began, "{now}");
        }
    }
}
