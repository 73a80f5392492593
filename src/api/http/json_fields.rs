//! Reads the members of a JSON body. A reader returns the value or notes a fault, so that one answer names all faults of
//! a body. A member that is `null` counts as missing.

use serde_json::{Map, Number, Value};

use crate::api::problem::Problem;
use crate::api::problem::field_error::{Fault, FaultKind, Step};
use crate::base::time;
use crate::sms::msisdn::Msisdn;

const TEXT: FaultKind = FaultKind::MustBe("a string", "رشته");
const TEXT_OR_NUMBER: FaultKind = FaultKind::MustBe("a string or a number", "رشته یا عدد");
const LIST: FaultKind = FaultKind::MustBe("a list", "آرایه");
/// The fault of a value that must be an object.
pub const OBJECT: FaultKind = FaultKind::MustBe("an object", "شیء (object)");
const BOOLEAN: FaultKind = FaultKind::MustBe("true or false", "true یا false");
const NUMBER: FaultKind = FaultKind::MustBe("a number", "عدد");

/// A number as people write it. Some languages write the whole number 5 as `5.0`.
fn number_text(number: &Number) -> String {
    let text = number.to_string();
    match text.strip_suffix(".0") {
        Some(whole) => whole.to_owned(),
        None => text,
    }
}

/// Reads a phone number.
pub fn phone_number(text: &str) -> Result<Msisdn, FaultKind> {
    Msisdn::parse(text).map_err(|_| FaultKind::NotAPhoneNumber)
}

/// Reads a time as ms since the Unix epoch.
pub fn time(text: &str) -> Result<i64, FaultKind> {
    time::from_rfc3339(text).ok_or(FaultKind::NotATime)
}

/// Reads one of `choices` by its name. The fault lists the names of all.
pub fn choice<T: Copy>(text: &str, choices: &[T], name_of: impl Fn(T) -> &'static str) -> Result<T, FaultKind> {
    let found = choices.iter().copied().find(|choice| name_of(*choice) == text);
    found.ok_or_else(|| {
        let names: Vec<&str> = choices.iter().map(|choice| name_of(*choice)).collect();
        FaultKind::NotOneOf(names.join(", "))
    })
}

/// The members of an object, and the faults found so far.
pub struct Fields<'a> {
    object: &'a Map<String, Value>,
    path: Vec<Step>,
    faults: Vec<Fault>,
}

impl<'a> Fields<'a> {
    /// The members of the root of a body.
    pub fn new(object: &'a Map<String, Value>) -> Self {
        Fields {
            object,
            path: Vec::new(),
            faults: Vec::new(),
        }
    }

    /// Ends reading. Fails with all faults, if there are any.
    pub fn finish(self) -> Result<(), Problem> {
        match self.faults.is_empty() {
            true => Ok(()),
            false => Err(Problem::Validation(self.faults)),
        }
    }

    /// Ends reading and returns the faults.
    pub fn into_faults(self) -> Vec<Fault> {
        self.faults
    }

    /// The path of the object in the body.
    pub fn path(&self) -> &[Step] {
        &self.path
    }

    /// The names of all members.
    pub fn names(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        let object: &'a Map<String, Value> = self.object;
        object.keys().map(String::as_str)
    }

    /// Notes a fault that another reader found.
    pub fn push(&mut self, fault: Fault) {
        self.faults.push(fault);
    }

    /// Notes a fault of a member.
    pub fn fault(&mut self, name: &str, kind: FaultKind) {
        let path = self.path_of(name);
        self.faults.push(Fault::at(path, kind));
    }

    /// Notes a fault of an item of a member.
    pub fn item_fault(&mut self, name: &str, index: usize, kind: FaultKind) {
        let path = self.path_of_item(name, index);
        self.faults.push(Fault::at(path, kind));
    }

    fn path_of(&self, name: &str) -> Vec<Step> {
        let mut path = self.path.clone();
        path.push(Step::Name(name.to_owned()));
        path
    }

    fn path_of_item(&self, name: &str, index: usize) -> Vec<Step> {
        let mut path = self.path_of(name);
        path.push(Step::Index(index));
        path
    }

    /// Whether the object has the member, even if it is `null`.
    pub fn has(&self, name: &str) -> bool {
        self.object.contains_key(name)
    }

    /// The member's value of any type.
    pub fn value(&self, name: &str) -> Option<&'a Value> {
        self.object.get(name).filter(|value| !value.is_null())
    }

    fn typed<T>(&mut self, name: &str, kind: FaultKind, cast: impl FnOnce(&'a Value) -> Option<T>) -> Option<T> {
        let cast = cast(self.value(name)?);
        if cast.is_none() {
            self.fault(name, kind);
        }
        cast
    }

    /// Reads a text by `read`.
    fn parsed<T>(&mut self, name: &str, read: impl FnOnce(&'a str) -> Result<T, FaultKind>) -> Option<T> {
        match read(self.any_text(name)?) {
            Ok(value) => Some(value),
            Err(kind) => {
                self.fault(name, kind);
                None
            }
        }
    }

    /// Notes that a member is missing. `value` is what a reader made of the member, which has noted its other faults.
    pub fn require<T>(&mut self, name: &str, value: Option<T>) -> Option<T> {
        if value.is_none() && self.value(name).is_none() {
            self.fault(name, FaultKind::Required);
        }
        value
    }

    /// Reads a text of any length.
    pub fn any_text(&mut self, name: &str) -> Option<&'a str> {
        self.typed(name, TEXT, Value::as_str)
    }

    /// Reads a text of 1 to `max` characters.
    pub fn text(&mut self, name: &str, max: usize) -> Option<&'a str> {
        let text = self.any_text(name)?;
        if text.is_empty() {
            self.fault(name, FaultKind::Empty);
            return None;
        }
        if text.chars().count() > max {
            self.fault(name, FaultKind::TooLong { max });
            return None;
        }
        Some(text)
    }

    /// Reads a text of 1 to `max` characters for which `is_good` holds. `fault` says what that is.
    pub fn formed(
        &mut self,
        name: &str,
        max: usize,
        fault: FaultKind,
        is_good: impl Fn(&str) -> bool,
    ) -> Option<&'a str> {
        let text = self.text(name, max)?;
        if !is_good(text) {
            self.fault(name, fault);
            return None;
        }
        Some(text)
    }

    /// Reads one of `choices` by its name.
    pub fn choice<T: Copy>(&mut self, name: &str, choices: &[T], name_of: impl Fn(T) -> &'static str) -> Option<T> {
        self.parsed(name, |text| choice(text, choices, name_of))
    }

    /// Reads a phone number.
    pub fn phone_number(&mut self, name: &str) -> Option<Msisdn> {
        self.parsed(name, phone_number)
    }

    /// Reads a time as ms since the Unix epoch.
    pub fn time(&mut self, name: &str) -> Option<i64> {
        self.parsed(name, time)
    }

    /// Reads a text of any length, or a number as a text.
    pub fn text_or_number(&mut self, name: &str) -> Option<String> {
        self.typed(name, TEXT_OR_NUMBER, |value| match value {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number_text(number)),
            _ => None,
        })
    }

    /// Reads a truth value.
    pub fn boolean(&mut self, name: &str) -> Option<bool> {
        self.typed(name, BOOLEAN, Value::as_bool)
    }

    /// Reads a whole number from `min` to `max`, which may be written as `5.0`.
    pub fn integer(&mut self, name: &str, min: i64, max: i64) -> Option<i64> {
        self.typed(name, FaultKind::OutOfRange { min, max }, |value| {
            let whole: i64 = number_text(value.as_number()?).parse().ok()?;
            (min..=max).contains(&whole).then_some(whole)
        })
    }

    /// Reads a number.
    pub fn number(&mut self, name: &str) -> Option<f64> {
        self.typed(name, NUMBER, Value::as_f64)
    }

    /// Reads a list of at most `max` items.
    pub fn list(&mut self, name: &str, max: usize) -> Option<&'a Vec<Value>> {
        let list = self.typed(name, LIST, Value::as_array)?;
        if list.len() > max {
            self.fault(name, FaultKind::TooMany { max });
            return None;
        }
        Some(list)
    }

    /// Reads a list of at most `max` texts, each by `read`.
    pub fn texts<T>(
        &mut self,
        name: &str,
        max: usize,
        read: impl Fn(&'a str) -> Result<T, FaultKind>,
    ) -> Option<Vec<T>> {
        let list = self.list(name, max)?;
        let mut texts = Vec::with_capacity(list.len());
        for (index, item) in list.iter().enumerate() {
            match item.as_str().ok_or(TEXT).and_then(&read) {
                Ok(text) => texts.push(text),
                Err(kind) => self.item_fault(name, index, kind),
            }
        }
        (texts.len() == list.len()).then_some(texts)
    }

    /// Reads a list of at most `max` objects, each by `read`. Returns what `read` made of each, or nothing if an item is no
    /// object.
    pub fn objects<T>(&mut self, name: &str, max: usize, mut read: impl FnMut(&mut Fields<'a>) -> T) -> Option<Vec<T>> {
        let list = self.list(name, max)?;
        let mut values = Vec::with_capacity(list.len());
        for (index, item) in list.iter().enumerate() {
            let Some(object) = item.as_object() else {
                self.item_fault(name, index, OBJECT);
                continue;
            };
            let path = self.path_of_item(name, index);
            values.push(self.read_under(path, object, &mut read));
        }
        (values.len() == list.len()).then_some(values)
    }

    /// Reads an object by `read`.
    pub fn object<T>(&mut self, name: &str, read: impl FnOnce(&mut Fields<'a>) -> T) -> Option<T> {
        let object = self.typed(name, OBJECT, Value::as_object)?;
        let path = self.path_of(name);
        Some(self.read_under(path, object, read))
    }

    /// Reads the object at this path by `read`, and takes over the faults that `read` notes.
    fn read_under<T>(
        &mut self,
        path: Vec<Step>,
        object: &'a Map<String, Value>,
        read: impl FnOnce(&mut Fields<'a>) -> T,
    ) -> T {
        let mut fields = Fields {
            object,
            path,
            faults: Vec::new(),
        };
        let value = read(&mut fields);
        self.faults.append(&mut fields.faults);
        value
    }
}
