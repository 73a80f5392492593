//! What the query of a list asks for.

use sms::msisdn::Msisdn;

use super::errors::Fault;
use crate::api::doors::params::Params;
use crate::base::time;

/// Entries of a page, unless the program says otherwise.
pub const DEFAULT_SIZE: usize = 50;
/// The most entries of a page: so many recipients our own API finds in one call.
pub const MAX_SIZE: usize = 500;

/// The longest number, short number or name of a line or of a sender, characters.
const MAX_NAME: usize = 32;

/// Which entries a page has.
pub struct Wanted {
    /// Whom they are to: a number, or a line.
    pub to: Option<Party>,
    /// Whom they are from: a line, or a number.
    pub from: Option<Party>,
    pub span: Span,
    pub bounds: Bounds,
}

/// A number as a filter names it. It may be that of a phone or of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Party {
    /// The phone number, if it is one, in E.164.
    pub phone: Option<String>,
    /// What a line is called: the same without a plus.
    pub line: String,
}

/// What mobile numbers of Iran begin with.
pub const MOBILE: &str = "+989";

impl Party {
    /// Whether it is the number of a mobile phone of Iran. Few lines have such a number.
    pub fn is_mobile(&self) -> bool {
        self.phone.as_ref().is_some_and(|phone| phone.starts_with(MOBILE))
    }

    /// Reads a number. A plus that is not escaped arrives as a blank. `None`: it can be neither of a phone nor of a line.
    fn read(text: &str) -> Option<Party> {
        let bare = text.trim();
        let phone = Msisdn::parse(bare).ok();
        let international = || Msisdn::parse(&format!("+{bare}")).ok();
        let phone = phone.or_else(|| text.starts_with(' ').then(international).flatten());
        let line = bare.strip_prefix('+').unwrap_or(bare);
        let is_name = (1..=MAX_NAME).contains(&line.chars().count());
        (is_name || phone.is_some()).then(|| Party {
            phone: phone.map(Msisdn::to_e164),
            line: line.to_owned(),
        })
    }
}

/// A time: from a moment up to, but without, another.
#[derive(Debug, Default)]
pub struct Span {
    from_ms: Option<i64>,
    to_ms: Option<i64>,
}

impl Span {
    /// The span as a part of a query of ours, whose filters have these names.
    pub fn query(&self, from: &str, to: &str) -> String {
        let bounds = [(from, self.from_ms), (to, self.to_ms)].into_iter();
        let bounds = bounds.filter_map(|(name, at_ms)| Some(format!("&{name}={}", time::to_rfc3339(at_ms?))));
        bounds.collect()
    }
}

/// Which page of a list.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// How many entries it has at most.
    pub size: usize,
    /// Its number.
    pub page: i64,
}

/// Reads which page of a list a query asks for.
pub fn bounds(params: &Params) -> Result<Bounds, Fault> {
    let size = number(params, "PageSize", "pagesize")?;
    let size = size.map_or(DEFAULT_SIZE, |size| usize::try_from(size).unwrap_or(MAX_SIZE));
    Ok(Bounds {
        size: size.clamp(1, MAX_SIZE),
        page: number(params, "Page", "page")?.unwrap_or_default(),
    })
}

impl Wanted {
    /// Reads the query of a list.
    pub fn read(params: &Params) -> Result<Self, Fault> {
        let party = |name: &str, code| match params.get(name) {
            Some(text) => Party::read(text).map(Some).ok_or_else(|| Fault::of(code).about(text)),
            None => Ok(None),
        };
        Ok(Wanted {
            to: party("to", 21_211)?,
            from: party("from", 21_212)?,
            span: span(params)?,
            bounds: bounds(params)?,
        })
    }
}

fn number(params: &Params, name: &str, known: &str) -> Result<Option<i64>, Fault> {
    let number = params
        .get(known)
        .map(|text| text.parse().ok().filter(|number| *number >= 0));
    match number {
        Some(None) => Err(Fault::of(20_001).about(&format!("{name} is not a number"))),
        number => Ok(number.flatten()),
    }
}

/// The bounds of the time of messages. A day is one of UTC.
fn span(params: &Params) -> Result<Span, Fault> {
    if let Some((from_ms, to_ms)) = time_of(params, "datesent")?.map(Time::day) {
        return Ok(Span {
            from_ms: Some(from_ms),
            to_ms: Some(to_ms),
        });
    }
    Ok(Span {
        from_ms: time_of(params, "datesent>")?.map(|time| time.first_ms),
        to_ms: time_of(params, "datesent<")?.map(|time| time.end_ms),
    })
}

/// A day or a moment: from its first millisecond up to, but without, its end.
#[derive(Debug, Clone, Copy)]
struct Time {
    first_ms: i64,
    end_ms: i64,
}

impl Time {
    /// The day in which it begins.
    fn day(self) -> (i64, i64) {
        let first_ms = self.first_ms.div_euclid(time::DAY_MS).saturating_mul(time::DAY_MS);
        (first_ms, first_ms.saturating_add(time::DAY_MS))
    }
}

fn time_of(params: &Params, name: &str) -> Result<Option<Time>, Fault> {
    let Some(text) = params.get(name) else {
        return Ok(None);
    };
    let (first_ms, length_ms) = match time::from_date(text) {
        Some(day) => (Some(day.saturating_mul(time::DAY_MS)), time::DAY_MS),
        None => (time::from_rfc3339(text).or_else(|| time::from_http(text)), 1),
    };
    let first_ms = first_ms.ok_or_else(|| Fault::of(20_001).about("DateSent is not a date"))?;
    let end_ms = first_ms.saturating_add(length_ms);
    Ok(Some(Time { first_ms, end_ms }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_may_be_that_of_a_phone_or_of_a_line() {
        for (text, phone, line) in [
            ("+989121234567", Some("+989121234567"), "989121234567"),
            (" 989121234567", Some("+989121234567"), "989121234567"),
            ("09121234567", Some("+989121234567"), "09121234567"),
            (" 971501234567", Some("+971501234567"), "971501234567"),
            ("971501234567", None, "971501234567"),
            ("10001", None, "10001"),
            ("+10001", None, "10001"),
            (" 10001 ", None, "10001"),
            ("PEYK", None, "PEYK"),
        ] {
            let party = Party {
                phone: phone.map(str::to_owned),
                line: line.to_owned(),
            };
            assert_eq!(Party::read(text), Some(party), "{text}");
        }
        for bad in [" ", "+", &"9".repeat(33)] {
            assert_eq!(Party::read(bad), None, "{bad}");
        }
    }
}
