//! Prefixes of numbers, and prices to them, in bodies and answers.

use serde_json::Value;
use sms::destination::{HOME, MAX_DIGITS, Prefix, PriceTo};

use crate::answer;
use crate::api::http::forms::{Form, by, integer, list_of, made, parsed};
use crate::api::http::json_fields::{Fields, Place};
use crate::api::http::json_schema;
use crate::base::config::MAX_DESTINATIONS;
use crate::body;
use crate::problem::field_error::FieldErrorKind;

/// The highest price of one part, in minor units. With it and the largest coefficients, a message still costs less than
/// [`crate::base::ports::MAX_INTEGER`].
pub const MAX_PRICE: i64 = 10_000_000;
const PREFIX_FORM: FieldErrorKind = FieldErrorKind::BadForm(
    "1 to 15 digits that an international number begins with, without + or 00",
    "1 تا 15 رقم آغاز شماره‌ی بین‌المللی، بدون + یا 00",
);
const EACH_ONCE: FieldErrorKind = FieldErrorKind::BadForm(
    "a list with each prefix once, and without 98, which `price` is for",
    "لیستی که هر پیش‌شماره در آن یک بار آمده است، بدون 98 که `price` برای آن است",
);

body! {
    /// The price of one part to the numbers that begin with a prefix.
    pub struct NewPriceTo {
        prefix: Prefix = must "prefix" prefix();
        price: i64 = must "price" price();
    }
}

answer! {
    /// The price of one part to the numbers that begin with a prefix.
    pub struct PriceToData(to: &PriceTo) as "PriceTo" {
        "prefix": to.prefix, json_schema::any_text() => "971";
        "price": to.price, price().schema();
    }
}

/// What international numbers begin with.
pub fn prefix() -> impl Form<Value = Prefix> {
    parsed(
        |text| Prefix::parse(text).ok_or(PREFIX_FORM),
        || json_schema::formed(MAX_DIGITS, "^[1-9][0-9]{0,14}$").like("98912"),
    )
}

/// Where an account sends.
pub fn destinations() -> impl Form<Value = Vec<Prefix>> {
    list_of(prefix(), 1, MAX_DESTINATIONS).about("What the numbers begin with that the account sends to.")
}

/// The price of a part.
pub fn price() -> impl Form<Value = i64> {
    integer(0, MAX_PRICE).about("The price of one part.").like(1_000)
}

/// The prices to other numbers than those of the home country.
pub fn prices() -> impl Form<Value = Vec<PriceTo>> {
    let all = || list_of(made(price_to), 0, MAX_DESTINATIONS);
    let read = move |value: &Value, place: &mut Place<'_>| {
        let prices = all().read(value, place)?;
        place.take(each_once(prices))
    };
    by(read, move || all().schema()).about(
        "The prices to numbers abroad, or to a range of numbers: the longest prefix counts. A number that neither these nor \
         `price`, which is for 98, are for is refused.",
    )
}

fn price_to(new: NewPriceTo, _: &mut Fields<'_>) -> Option<PriceTo> {
    Some(PriceTo {
        prefix: new.prefix,
        price: new.price,
    })
}

fn each_once(prices: Vec<PriceTo>) -> Result<Vec<PriceTo>, FieldErrorKind> {
    let mut prefixes: Vec<Prefix> = prices.iter().map(|price| price.prefix).chain([HOME]).collect();
    prefixes.sort_unstable();
    let is_repeated = prefixes.windows(2).any(|pair| pair.first() == pair.last());
    if is_repeated { Err(EACH_ONCE) } else { Ok(prices) }
}
