//! What the query of a list asks for.

use std::fmt::Write;

use sms::msisdn::Msisdn;

use super::errors::Fault;
use crate::api::doors::params::Params;
use crate::base::time;

/// Entries of a page, unless the program says otherwise.
pub const DEFAULT_SIZE: usize = 50;
/// The most entries of a page: so many recipients our own API finds in one call.
pub const MAX_SIZE: usize = 500;

/// Which entries a page has.
pub struct Wanted<'a> {
    /// The number that they are to.
    pub to: Option<String>,
    /// The line that they are from.
    pub from: Option<&'a str>,
    /// The bounds of time, as a part of a query of ours.
    pub span: String,
    pub bounds: Bounds,
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

impl<'a> Wanted<'a> {
    /// Reads the query of a list.
    pub fn read(params: &'a Params) -> Result<Self, Fault> {
        let to = params.get("to").map(|to| {
            let number = Msisdn::parse(to).map(Msisdn::to_e164);
            number.map_err(|_| Fault::of(21_211).about(to))
        });
        Ok(Wanted {
            to: to.transpose()?,
            from: params.get("from").map(|from| from.strip_prefix('+').unwrap_or(from)),
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
fn span(params: &Params) -> Result<String, Fault> {
    let mut query = String::new();
    let mut bound = |name: &str, at_ms: i64| {
        // Writing to a string can't fail.
        let _ = write!(query, "&{name}={}", time::to_rfc3339(at_ms));
    };
    if let Some((from_ms, to_ms)) = time_of(params, "datesent")?.map(Time::day) {
        bound("from", from_ms);
        bound("to", to_ms);
        return Ok(query);
    }
    if let Some(time) = time_of(params, "datesent>")? {
        bound("from", time.first_ms);
    }
    if let Some(time) = time_of(params, "datesent<")? {
        bound("to", time.end_ms);
    }
    Ok(query)
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
