//! What the values of a body have to be. A form reads a value, notes what is wrong with it, and describes it for
//! `openapi.json`, so that the two can't differ. [`body!`](crate::body) declares the members of a body by their forms.

use serde_json::Value;
use sms::msisdn::Msisdn;

pub use super::json_fields::Form;
use super::json_fields::{self, Body, Fields, Place};
use super::json_schema::{self, Schema};
use crate::base::time;
use crate::problem::field_error::FieldErrorKind;

/// What to search for has at most this many characters.
const MAX_SEARCH: usize = 100;

/// A value that `read` reads and `schema` describes.
pub struct By<R, S> {
    read: R,
    schema: S,
}

/// A value that `read` reads and `schema` describes.
pub fn by<T, R, S>(read: R, schema: S) -> By<R, S>
where
    R: Fn(&Value, &mut Place<'_>) -> Option<T>,
    S: Fn() -> Schema,
{
    By { read, schema }
}

impl<T, R, S> Form for By<R, S>
where
    R: Fn(&Value, &mut Place<'_>) -> Option<T>,
    S: Fn() -> Schema,
{
    type Value = T;

    fn read(&self, value: &Value, place: &mut Place<'_>) -> Option<T> {
        (self.read)(value, place)
    }

    fn schema(&self) -> Schema {
        (self.schema)()
    }
}

/// A text that `parse` reads and `schema` describes.
pub struct Parsed<P, S> {
    parse: P,
    schema: S,
}

/// A text that `parse` reads and `schema` describes.
pub fn parsed<T, P, S>(parse: P, schema: S) -> Parsed<P, S>
where
    P: Fn(&str) -> Result<T, FieldErrorKind>,
    S: Fn() -> Schema,
{
    Parsed { parse, schema }
}

impl<T, P, S> Form for Parsed<P, S>
where
    P: Fn(&str) -> Result<T, FieldErrorKind>,
    S: Fn() -> Schema,
{
    type Value = T;

    fn read(&self, value: &Value, place: &mut Place<'_>) -> Option<T> {
        let text = value.as_str().ok_or(json_fields::TEXT);
        place.take(text.and_then(&self.parse))
    }

    fn schema(&self) -> Schema {
        (self.schema)()
    }
}

/// Checks that a text has 1 to `max` characters.
pub fn check_length(text: &str, max: usize) -> Result<&str, FieldErrorKind> {
    if text.is_empty() {
        return Err(FieldErrorKind::Empty);
    }
    if text.chars().count() > max {
        return Err(FieldErrorKind::TooLong { max });
    }
    Ok(text)
}

/// A text of any length.
pub fn any_text() -> impl Form<Value = String> {
    parsed(|text| Ok(text.to_owned()), json_schema::any_text)
}

/// A text of 1 to `max` characters.
pub fn text(max: usize) -> impl Form<Value = String> {
    parsed(
        move |text| check_length(text, max).map(str::to_owned),
        move || json_schema::text(max),
    )
}

/// How a text has to look.
pub struct Look {
    /// It has at least so many characters.
    pub min: usize,
    /// It has at most so many characters.
    pub max: usize,
    /// The same as a regular expression, for the document.
    pub pattern: &'static str,
    /// What is wrong with a text that is within the bounds and looks otherwise.
    pub fault: FieldErrorKind,
    /// Whether a text looks so.
    pub is_met: fn(&str) -> bool,
}

/// A text of 1 to `look.max` characters that looks so.
pub fn formed(look: &'static Look) -> impl Form<Value = String> {
    let parse = |text: &str| {
        let text = check_length(text, look.max)?;
        let is_good = text.len() >= look.min && (look.is_met)(text);
        is_good.then(|| text.to_owned()).ok_or_else(|| look.fault.clone())
    };
    parsed(parse, || {
        let schema = json_schema::formed(look.max, look.pattern);
        if look.min > 1 {
            schema.with("minLength", look.min)
        } else {
            schema
        }
    })
}

/// A text in a list, of 1 to `max` characters. `fault` says what is wrong with any other.
pub fn item_text(max: usize, fault: FieldErrorKind) -> impl Form<Value = String> {
    let parse = move |text: &str| check_length(text, max).map(str::to_owned).map_err(|_| fault.clone());
    parsed(parse, move || json_schema::text(max))
}

/// One of `choices`, by its name.
pub fn choice<T: Copy + 'static>(choices: &[T], name_of: fn(T) -> &'static str) -> impl Form<Value = T> {
    parsed(
        move |text| json_fields::choice(text, choices, name_of),
        move || {
            let names: Vec<&str> = choices.iter().copied().map(name_of).collect();
            json_schema::one_of(&names)
        },
    )
}

/// A phone number.
pub fn phone_number() -> impl Form<Value = Msisdn> {
    parsed(json_fields::phone_number, || json_schema::named("WrittenPhoneNumber"))
}

/// A time to come, in ms since the Unix epoch.
pub fn time_to_come() -> impl Form<Value = i64> {
    let read = |value: &Value, place: &mut Place<'_>| {
        let text = value.as_str().ok_or(json_fields::TEXT);
        let ms = place.take(text.and_then(json_fields::time))?;
        if ms <= place.setting.now_ms {
            place.fault(FieldErrorKind::InThePast);
        }
        Some(ms)
    };
    by(read, || json_schema::named("TimeToCome"))
}

/// A time, in ms since the Unix epoch.
pub fn time() -> impl Form<Value = i64> {
    parsed(json_fields::time, json_schema::time)
}

/// A day, as its number since the Unix epoch. `fault` says what is wrong with any other text.
pub fn day(fault: FieldErrorKind) -> impl Form<Value = i64> {
    parsed(
        move |text| time::from_date(text).ok_or_else(|| fault.clone()),
        json_schema::day,
    )
}

/// What to search for, in lower case.
pub fn search() -> impl Form<Value = String> {
    const FAULT: FieldErrorKind = FieldErrorKind::BadForm("1 to 100 characters", "1 تا 100 کاراکتر");
    let parse = |text: &str| match text.trim().chars().count() {
        1..=MAX_SEARCH => Ok(text.trim().to_ascii_lowercase()),
        _ => Err(FAULT),
    };
    parsed(parse, || json_schema::text(MAX_SEARCH).like("shop"))
}

/// A truth value in a query: `true` or `false`.
pub fn true_or_false() -> impl Form<Value = bool> {
    choice(&[true, false], |flag| if flag { "true" } else { "false" })
}

/// The same. `false` if it is left out.
pub fn switch() -> impl Form<Value = bool> {
    true_or_false().described(|schema| schema.with("default", "false"))
}

/// A truth value.
pub fn flag() -> impl Form<Value = bool> {
    let read = |value: &Value, place: &mut Place<'_>| place.take(value.as_bool().ok_or(json_fields::BOOLEAN));
    by(read, json_schema::flag)
}

/// A whole number from `min` to `max`, which may be written as `5.0`.
pub fn integer(min: i64, max: i64) -> impl Form<Value = i64> {
    let read = move |value: &Value, place: &mut Place<'_>| {
        place.take(json_fields::whole(value, min, max).ok_or(FieldErrorKind::OutOfRange { min, max }))
    };
    by(read, move || json_schema::integer(min, max))
}

/// A member that must not be there. `fault` says why.
pub fn refused(fault: FieldErrorKind) -> impl Form<Value = ()> {
    let read = move |_: &Value, place: &mut Place<'_>| {
        place.fault(fault.clone());
        None
    };
    by(read, || Schema(serde_json::json!({"type": "null"})))
}

/// A member that is not there, not even as `null`, when its object is read.
pub fn never() -> impl Form<Value = ()> {
    by(
        |_: &Value, _: &mut Place<'_>| None,
        || Schema(serde_json::json!({"not": {}})),
    )
}

/// A value, or `null`, which is read as `None` and is not the same as a missing member.
pub struct OrNull<F>(F);

/// A value, or `null`, which is read as `None` and is not the same as a missing member.
pub fn or_null<F: Form>(form: F) -> OrNull<F> {
    OrNull(form)
}

impl<F: Form> Form for OrNull<F> {
    type Value = Option<F::Value>;

    fn read(&self, value: &Value, place: &mut Place<'_>) -> Option<Self::Value> {
        self.0.read(value, place).map(Some)
    }

    fn null(&self) -> Option<Self::Value> {
        Some(None)
    }

    fn schema(&self) -> Schema {
        self.0.schema().or_null()
    }
}

/// An object in a list that goes on to be checked as a whole: after a fault the item is `None`, and the list is there.
pub fn each<B: Body, T>(make: impl Fn(B, &mut Fields<'_>) -> Option<T>) -> impl Form<Value = Option<T>> {
    let read = move |value: &Value, place: &mut Place<'_>| {
        let made = place.made(value, &make);
        value.is_object().then_some(made)
    };
    by(read, B::schema)
}

/// A list of items.
pub struct List<F> {
    item: F,
    min: usize,
    max: usize,
}

/// A list of `min` to `max` items. `min` is 0 or 1.
pub fn list_of<F: Form>(item: F, min: usize, max: usize) -> List<F> {
    List { item, min, max }
}

impl<F: Form> Form for List<F> {
    type Value = Vec<F::Value>;

    fn read(&self, value: &Value, place: &mut Place<'_>) -> Option<Self::Value> {
        place.list(value, &self.item, self.min, self.max)
    }

    fn schema(&self) -> Schema {
        json_schema::list(self.item.schema(), self.min, self.max)
    }
}

/// An object that `B` declares.
pub fn object<B: Body>() -> impl Form<Value = B> {
    by(Place::object::<B>, B::schema)
}

/// An object that `B` declares, which the document describes under its name.
pub fn named<B: Body>() -> impl Form<Value = B> {
    by(Place::object::<B>, json_schema::declared::<B>)
}

/// An object that `B` declares, of which `make` makes a value. `make` may note faults, and gets an object with faults too.
pub fn made<B: Body, T>(make: impl Fn(B, &mut Fields<'_>) -> Option<T>) -> impl Form<Value = T> {
    by(
        move |value: &Value, place: &mut Place<'_>| place.made(value, &make),
        json_schema::declared::<B>,
    )
}
