//! Reading the members of a JSON body: each reader gives the value or notes a fault, so that all faults of a body are
//! told at once. A member that is `null` counts as left out.

use serde_json::{Map, Number, Value};

use crate::fault::{Fault, Step, What};
use crate::problem::Problem;
use crate::time;

const TEXT: What = What::MustBe("a string", "رشته");
const TEXT_OR_NUMBER: What = What::MustBe("a string or a number", "رشته یا عدد");
const LIST: What = What::MustBe("a list", "فهرست");
const OBJECT: What = What::MustBe("an object", "شیء");
const BOOLEAN: What = What::MustBe("true or false", "true یا false");
const NUMBER: What = What::MustBe("a number", "عدد");

/// A number as people write it: some languages write the whole number 5 as `5.0`.
fn number_text(number: &Number) -> String {
    let text = number.to_string();
    match text.strip_suffix(".0") {
        Some(whole) => whole.to_owned(),
        None => text,
    }
}

/// The members of one object, and the faults found so far.
pub struct Fields<'a> {
    object: &'a Map<String, Value>,
    path: Vec<Step>,
    faults: Vec<Fault>,
}

impl<'a> Fields<'a> {
    /// The members of a body's root.
    pub fn new(object: &'a Map<String, Value>) -> Self {
        Fields {
            object,
            path: Vec::new(),
            faults: Vec::new(),
        }
    }

    /// Ends reading: all faults, or none.
    pub fn finish(self) -> Result<(), Problem> {
        match self.faults.is_empty() {
            true => Ok(()),
            false => Err(Problem::Validation(self.faults)),
        }
    }

    /// Ends reading: the faults as they are.
    pub fn into_faults(self) -> Vec<Fault> {
        self.faults
    }

    /// Where these members stand in the body.
    pub fn path(&self) -> &[Step] {
        &self.path
    }

    /// The names of all members.
    pub fn names(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let object: &'a Map<String, Value> = self.object;
        object.keys().map(String::as_str)
    }

    /// Notes a fault found elsewhere.
    pub fn push(&mut self, fault: Fault) {
        self.faults.push(fault);
    }

    /// Notes a fault of a member.
    pub fn fault(&mut self, name: &str, what: What) {
        let mut path = self.path.clone();
        path.push(Step::Name(name.to_owned()));
        self.faults.push(Fault::at(path, what));
    }

    /// Notes a fault of an item of a member.
    pub fn item_fault(&mut self, name: &str, index: usize, what: What) {
        let mut path = self.path.clone();
        path.extend([Step::Name(name.to_owned()), Step::Index(index)]);
        self.faults.push(Fault::at(path, what));
    }

    /// Whether the member is there, be it `null`.
    pub fn has(&self, name: &str) -> bool {
        self.object.contains_key(name)
    }

    /// The member as it is, unless it is left out.
    pub fn value(&self, name: &str) -> Option<&'a Value> {
        self.get(name)
    }

    fn get(&self, name: &str) -> Option<&'a Value> {
        self.object.get(name).filter(|value| !value.is_null())
    }

    fn typed<T>(&mut self, name: &str, what: What, cast: impl FnOnce(&'a Value) -> Option<T>) -> Option<T> {
        let cast = cast(self.get(name)?);
        if cast.is_none() {
            self.fault(name, what);
        }
        cast
    }

    /// Notes that a member is missing, unless a fault of it was noted already.
    pub fn require<T>(&mut self, name: &str, value: Option<T>) -> Option<T> {
        if value.is_none() && self.get(name).is_none() {
            self.fault(name, What::Required);
        }
        value
    }

    /// A text of any length.
    pub fn any_text(&mut self, name: &str) -> Option<&'a str> {
        self.typed(name, TEXT, Value::as_str)
    }

    /// A text of 1 to `max` characters.
    pub fn text(&mut self, name: &str, max: usize) -> Option<&'a str> {
        let text = self.any_text(name)?;
        if text.is_empty() {
            self.fault(name, What::Empty);
            return None;
        }
        if text.chars().count() > max {
            self.fault(name, What::TooLong { max });
            return None;
        }
        Some(text)
    }

    /// A text of 1 to `max` characters that `is_good`; `form` tells what that is.
    pub fn formed(
        &mut self,
        name: &str,
        max: usize,
        form: &'static str,
        is_good: impl Fn(&str) -> bool,
    ) -> Option<&'a str> {
        let text = self.text(name, max)?;
        if !is_good(text) {
            self.fault(name, What::BadFormat(form));
            return None;
        }
        Some(text)
    }

    /// A text of any length, or a number as a text.
    pub fn text_or_number(&mut self, name: &str) -> Option<String> {
        self.typed(name, TEXT_OR_NUMBER, |value| match value {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number_text(number)),
            _ => None,
        })
    }

    /// A truth value.
    pub fn boolean(&mut self, name: &str) -> Option<bool> {
        self.typed(name, BOOLEAN, Value::as_bool)
    }

    /// A whole number from `min` to `max`.
    pub fn integer(&mut self, name: &str, min: i64, max: i64) -> Option<i64> {
        self.typed(name, What::OutOfRange { min, max }, |value| {
            value.as_i64().filter(|number| (min..=max).contains(number))
        })
    }

    /// A number.
    pub fn number(&mut self, name: &str) -> Option<f64> {
        self.typed(name, NUMBER, Value::as_f64)
    }

    /// A list of at most `max` items.
    pub fn list(&mut self, name: &str, max: usize) -> Option<&'a Vec<Value>> {
        let list = self.typed(name, LIST, Value::as_array)?;
        if list.len() > max {
            self.fault(name, What::TooMany { max });
            return None;
        }
        Some(list)
    }

    /// A list of at most `max` texts, each of which `read` understands or finds a fault in.
    pub fn texts<T>(&mut self, name: &str, max: usize, read: impl Fn(&'a str) -> Result<T, What>) -> Option<Vec<T>> {
        let list = self.list(name, max)?;
        let mut texts = Vec::with_capacity(list.len());
        for (index, item) in list.iter().enumerate() {
            match item.as_str().ok_or(TEXT).and_then(&read) {
                Ok(text) => texts.push(text),
                Err(what) => self.item_fault(name, index, what),
            }
        }
        (texts.len() == list.len()).then_some(texts)
    }

    /// A list of at most `max` objects, each read by `read`; its faults are named under the item. Gives what was read of
    /// each, and nothing when an item is no object.
    pub fn objects<T>(&mut self, name: &str, max: usize, mut read: impl FnMut(&mut Fields<'a>) -> T) -> Option<Vec<T>> {
        let list = self.list(name, max)?;
        let mut values = Vec::with_capacity(list.len());
        for (index, item) in list.iter().enumerate() {
            let Some(object) = item.as_object() else {
                self.item_fault(name, index, OBJECT);
                continue;
            };
            let mut path = self.path.clone();
            path.extend([Step::Name(name.to_owned()), Step::Index(index)]);
            let mut fields = Fields {
                object,
                path,
                faults: Vec::new(),
            };
            values.push(read(&mut fields));
            self.faults.append(&mut fields.faults);
        }
        (values.len() == list.len()).then_some(values)
    }

    /// A time, ms since the Unix epoch.
    pub fn time(&mut self, name: &str) -> Option<i64> {
        let text = self.any_text(name)?;
        let ms = time::from_rfc3339(text);
        if ms.is_none() {
            self.fault(name, What::NotATime);
        }
        ms
    }

    /// An object, read by `read`; its faults are named under this member.
    pub fn object<T>(&mut self, name: &str, read: impl FnOnce(&mut Fields<'a>) -> T) -> Option<T> {
        let object = self.typed(name, OBJECT, Value::as_object)?;
        let mut path = self.path.clone();
        path.push(Step::Name(name.to_owned()));
        let mut fields = Fields {
            object,
            path,
            faults: Vec::new(),
        };
        let value = read(&mut fields);
        self.faults.append(&mut fields.faults);
        Some(value)
    }
}
