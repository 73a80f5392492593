//! Reads the members of a JSON body. A reader returns the value or notes a fault, so that one answer names all faults of
//! a body, in the order in which [`body!`](crate::body) declares its members. A member that is `null` counts as missing.

use serde_json::{Map, Number, Value};
use sms::msisdn::Msisdn;

use super::json_schema::{self, Member, Schema};
use crate::base::{config::Config, did_you_mean, host, host::Host, time};
use crate::problem::Problem;
use crate::problem::field_error::{FieldError, FieldErrorKind, Step, clipped, names_of};
use crate::problem::warning::Remarks;

/// The fault of a value that must be a text.
pub const TEXT: FieldErrorKind = FieldErrorKind::MustBe("a string", "رشته");
const TEXT_OR_NUMBER: FieldErrorKind = FieldErrorKind::MustBe("a string or a number", "رشته یا عدد");
const LIST: FieldErrorKind = FieldErrorKind::MustBe("a list", "آرایه");
/// The fault of a value that must be an object.
pub const OBJECT: FieldErrorKind = FieldErrorKind::MustBe("an object", "شیء (object)");
/// The fault of a value that must be a truth value.
pub const BOOLEAN: FieldErrorKind = FieldErrorKind::MustBe("true or false", "true یا false");
/// The fault of a value that must be a number.
pub const NUMBER: FieldErrorKind = FieldErrorKind::MustBe("a number", "عدد");

/// The name of a member that is ignored has at most so many characters.
pub const MAX_IGNORED_CHARS: usize = 64;

/// A number as people write it. Some languages write the whole number 5 as `5.0`.
fn number_text(number: &Number) -> String {
    let text = number.to_string();
    match text.strip_suffix(".0") {
        Some(whole) => whole.to_owned(),
        None => text,
    }
}

/// A whole number from `min` to `max`, which may be written as `5.0`.
pub fn whole(value: &Value, min: i64, max: i64) -> Option<i64> {
    let whole: i64 = number_text(value.as_number()?).parse().ok()?;
    (min..=max).contains(&whole).then_some(whole)
}

/// Reads a phone number.
pub fn phone_number(text: &str) -> Result<Msisdn, FieldErrorKind> {
    Msisdn::parse(text).map_err(|_| FieldErrorKind::NotAPhoneNumber)
}

/// Reads a time as ms since the Unix epoch.
pub fn time(text: &str) -> Result<i64, FieldErrorKind> {
    let is_time = |text: &str| time::from_rfc3339(text).is_some();
    // In a query, a plus that nobody has encoded is a blank.
    let with_plus = || text.rsplit_once(' ').map(|(time, offset)| format!("{time}+{offset}"));
    time::from_rfc3339(text).ok_or_else(|| {
        if is_time(&format!("{text}Z")) {
            FieldErrorKind::NoZone
        } else if with_plus().is_some_and(|text| is_time(&text)) {
            FieldErrorKind::LostPlus
        } else {
            FieldErrorKind::NotATime
        }
    })
}

/// Reads one of `choices` by its name. The fault lists the names of all.
pub fn choice<T: Copy>(text: &str, choices: &[T], name_of: impl Fn(T) -> &'static str) -> Result<T, FieldErrorKind> {
    let found = choices.iter().copied().find(|choice| name_of(*choice) == text);
    found.ok_or_else(|| {
        let names: Vec<&str> = choices.iter().map(|choice| name_of(*choice)).collect();
        FieldErrorKind::NotOneOf(names.join(", "))
    })
}

/// What a value is judged by, besides itself.
#[derive(Debug, Clone, Copy)]
pub struct Setting<'a> {
    /// The settings of the deployment.
    pub config: &'a Config,
    /// The time, ms since the Unix epoch.
    pub now_ms: i64,
    /// The scheme and the host that the client called.
    pub origin: &'a str,
    /// What the request has and the service does not read.
    pub ignored: &'a Remarks,
    /// The names of all routes.
    pub operations: &'static [&'static str],
}

impl Setting<'_> {
    /// The hosts by which the service is known to be called.
    pub fn own_hosts(&self) -> impl Iterator<Item = Host> {
        let public = self.config.public_host.clone();
        public.into_iter().chain(host::host_of(self.origin))
    }
}

/// An object that [`body!`](crate::body) declares.
pub trait Body: Sized + json_schema::Described {
    /// Reads the members. Notes their faults; a member with a fault is empty, or missing.
    fn read(fields: &mut Fields<'_>) -> Self {
        fields.order = Some(Self::names);
        Self::read_part(fields)
    }

    /// Reads the members of an object that has others too. The order of the faults is not settled by this declaration.
    fn read_part(fields: &mut Fields<'_>) -> Self;

    /// The names of the members, in the order of the declaration.
    fn names() -> Vec<&'static str>;

    /// The members as the document describes them.
    fn members() -> Vec<Member>;
}

/// What a value has to be.
pub trait Form: Sized {
    /// What is read.
    type Value;

    /// Reads a value that is not `null`. Notes its faults; what has one may be missing from the value.
    fn read(&self, value: &Value, place: &mut Place<'_>) -> Option<Self::Value>;

    /// What `null` is read as. `None`: it means that the member is missing.
    fn null(&self) -> Option<Self::Value> {
        None
    }

    /// The schema of the value.
    fn schema(&self) -> Schema;

    /// The same form with more in its schema.
    fn described<D: Fn(Schema) -> Schema>(self, describe: D) -> Described<Self, D> {
        Described { form: self, describe }
    }

    /// The same form, with a text that describes it wherever it stands.
    fn about(self, text: &'static str) -> Described<Self, impl Fn(Schema) -> Schema> {
        self.described(move |schema| schema.about(text))
    }

    /// The same form, with an example wherever it stands.
    fn like<E: Into<Value> + Copy>(self, example: E) -> Described<Self, impl Fn(Schema) -> Schema> {
        self.described(move |schema| schema.like(example))
    }

    /// What a function makes of the value.
    fn then<T, C: Fn(Self::Value) -> T>(self, make: C) -> Then<Self, C> {
        Then { form: self, make }
    }
}

/// A form with more in its schema.
pub struct Described<F, D> {
    form: F,
    describe: D,
}

impl<F: Form, D: Fn(Schema) -> Schema> Form for Described<F, D> {
    type Value = F::Value;

    fn read(&self, value: &Value, place: &mut Place<'_>) -> Option<F::Value> {
        self.form.read(value, place)
    }

    fn null(&self) -> Option<F::Value> {
        self.form.null()
    }

    fn schema(&self) -> Schema {
        (self.describe)(self.form.schema())
    }
}

/// A form of whose value a function makes another one.
pub struct Then<F, C> {
    form: F,
    make: C,
}

impl<F: Form, T, C: Fn(F::Value) -> T> Form for Then<F, C> {
    type Value = T;

    fn read(&self, value: &Value, place: &mut Place<'_>) -> Option<T> {
        self.form.read(value, place).map(&self.make)
    }

    fn schema(&self) -> Schema {
        self.form.schema()
    }
}

/// The place of a value in a body: a member of an object, or an item of one.
pub struct Place<'f> {
    /// What the value is judged by, besides itself.
    pub setting: Setting<'f>,
    path: &'f [Step],
    name: &'f str,
    index: Option<usize>,
    faults: &'f mut Vec<FieldError>,
}

impl<'f> Place<'f> {
    /// The place of a parameter of a query.
    pub fn of_parameter(setting: Setting<'f>, name: &'f str, faults: &'f mut Vec<FieldError>) -> Self {
        Place {
            setting,
            path: &[],
            name,
            index: None,
            faults,
        }
    }

    fn path(&self) -> Vec<Step> {
        let mut path = Vec::with_capacity(self.path.len() + 2);
        path.extend_from_slice(self.path);
        path.push(Step::Name(self.name.to_owned()));
        path.extend(self.index.map(Step::Index));
        path
    }

    /// Notes a fault of the value.
    pub fn fault(&mut self, kind: FieldErrorKind) {
        let path = self.path();
        self.faults.push(FieldError::at(path, kind));
    }

    /// The value that was read, or notes why there is none.
    pub fn take<T>(&mut self, read: Result<T, FieldErrorKind>) -> Option<T> {
        read.map_err(|kind| self.fault(kind)).ok()
    }

    fn item(&mut self, index: usize) -> Place<'_> {
        Place {
            setting: self.setting,
            path: self.path,
            name: self.name,
            index: Some(index),
            faults: self.faults,
        }
    }

    /// Reads a list of at most `max` items. If `min` is not 0, it must not be empty.
    pub fn list<F: Form>(&mut self, value: &Value, item: &F, min: usize, max: usize) -> Option<Vec<F::Value>> {
        let list = self.take(value.as_array().ok_or(LIST))?;
        if list.len() > max {
            self.fault(FieldErrorKind::TooMany { max });
            return None;
        }
        if list.len() < min {
            self.fault(FieldErrorKind::Empty);
        }
        let mut values = Vec::with_capacity(list.len());
        for (index, value) in list.iter().enumerate() {
            values.extend(item.read(value, &mut self.item(index)));
        }
        (values.len() == list.len()).then_some(values)
    }

    /// Reads an object. If one of its members has a fault, there is none.
    pub fn object<B: Body>(value: &Value, place: &mut Place<'_>) -> Option<B> {
        place.made(value, |body: B, _| Some(body))
    }

    /// Reads an object by `read`, which may read any members.
    pub fn fields<T>(&mut self, value: &Value, read: impl FnOnce(&mut Fields<'_>) -> T) -> Option<T> {
        let object = self.take(value.as_object().ok_or(OBJECT))?;
        let mut fields = Fields::under(object, self.setting, self.path());
        let value = read(&mut fields);
        self.faults.extend(fields.into_faults());
        Some(value)
    }

    /// Reads an object, of which `make` makes the value. `make` is given an object with faults too, and may note others. If
    /// there are any, there is no value.
    pub fn made<B: Body, T>(&mut self, value: &Value, make: impl Fn(B, &mut Fields<'_>) -> Option<T>) -> Option<T> {
        self.fields(value, |fields| {
            let body = B::read(fields);
            make(body, fields).filter(|_| fields.is_good())
        })
        .flatten()
    }
}

/// The members of an object, and the faults found so far.
pub struct Fields<'a> {
    /// What the values are judged by, besides themselves.
    pub setting: Setting<'a>,
    /// The names of the members that were declared, in their order.
    order: Option<fn() -> Vec<&'static str>>,
    object: &'a Map<String, Value>,
    path: Vec<Step>,
    faults: Vec<FieldError>,
}

impl<'a> Fields<'a> {
    /// The members of the root of a body.
    pub fn new(object: &'a Map<String, Value>, setting: Setting<'a>) -> Self {
        Fields::under(object, setting, Vec::new())
    }

    /// The members of the object at this path.
    fn under(object: &'a Map<String, Value>, setting: Setting<'a>, path: Vec<Step>) -> Self {
        Fields {
            setting,
            order: None,
            object,
            path,
            faults: Vec::new(),
        }
    }

    /// Ends reading. Fails with all faults, if there are any.
    pub fn finish(self) -> Result<(), Problem> {
        let faults = self.into_faults();
        if faults.is_empty() {
            Ok(())
        } else {
            Err(Problem::Validation(faults))
        }
    }

    /// Says which members the object may have, where more than one declaration reads it.
    pub fn knows(&mut self, names: fn() -> Vec<&'static str>) {
        self.order = Some(names);
    }

    /// Notes a fault for each unknown member whose name is nearly that of one that is missing. The others are ignored: programs
    /// send members that mean something elsewhere.
    fn check_names(&mut self, known: &[&'static str]) {
        for name in self.names().filter(|name| !known.contains(name)) {
            if self.value(name).is_none() {
                continue;
            }
            let missing = known.iter().copied().filter(|name| self.value(name).is_none());
            match did_you_mean::suggestion(name, missing) {
                Some(meant) => {
                    // One mistake is told once.
                    let path = self.path_of(meant);
                    self.faults.retain(|fault| !fault.is_missing(&path));
                    self.fault(name, FieldErrorKind::Meant(meant));
                }
                None => self
                    .setting
                    .ignored
                    .note(clipped(names_of(&self.path_of(name)), MAX_IGNORED_CHARS)),
            }
        }
    }

    /// Ends reading and returns the faults, in the order in which the members are declared, whoever noted them when.
    pub fn into_faults(mut self) -> Vec<FieldError> {
        let Some(names) = self.order.map(|names| names()) else {
            return self.faults;
        };
        self.check_names(&names);
        if self.faults.len() > 1 {
            let depth = self.path.len();
            self.faults.sort_by_key(|fault| match fault.path().get(depth) {
                Some(Step::Name(own)) => names.iter().position(|name| name == own).unwrap_or(names.len()),
                _ => names.len(),
            });
        }
        self.faults
    }

    /// Whether no fault was found so far.
    pub fn is_good(&self) -> bool {
        self.faults.is_empty()
    }

    fn member<F: Form>(&mut self, name: &str, form: &F) -> Option<F::Value> {
        let value = self.object.get(name)?;
        if value.is_null() {
            return form.null();
        }
        let mut place = Place {
            setting: self.setting,
            path: &self.path,
            name,
            index: None,
            faults: &mut self.faults,
        };
        form.read(value, &mut place)
    }

    /// Reads a member that must be there. It is empty after a fault.
    pub fn must<F: Form<Value: Default>>(&mut self, name: &str, form: &F) -> F::Value {
        self.needs(name, form).unwrap_or_default()
    }

    /// Reads a member that must be there.
    pub fn needs<F: Form>(&mut self, name: &str, form: &F) -> Option<F::Value> {
        let value = self.member(name, form);
        self.require(name, value)
    }

    /// Reads a member that may be left out. `null` means the same.
    pub fn can<F: Form>(&mut self, name: &str, form: &F) -> Option<F::Value> {
        self.member(name, form)
    }

    /// Reads a member that may be left out, but not be `null`.
    pub fn may<F: Form>(&mut self, name: &str, form: &F) -> Option<F::Value> {
        if self.has(name) { self.needs(name, form) } else { None }
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
    pub fn push(&mut self, fault: FieldError) {
        self.faults.push(fault);
    }

    /// Notes a fault of a member.
    pub fn fault(&mut self, name: &str, kind: FieldErrorKind) {
        let path = self.path_of(name);
        self.faults.push(FieldError::at(path, kind));
    }

    /// Notes a fault of an item of a member.
    pub fn item_fault(&mut self, name: &str, index: usize, kind: FieldErrorKind) {
        let path = self.path_of_item(name, index);
        self.faults.push(FieldError::at(path, kind));
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

    fn typed<T>(&mut self, name: &str, kind: FieldErrorKind, cast: impl FnOnce(&'a Value) -> Option<T>) -> Option<T> {
        let cast = cast(self.value(name)?);
        if cast.is_none() {
            self.fault(name, kind);
        }
        cast
    }

    /// Notes that a member is missing. `value` is what a reader made of the member, which has noted its other faults.
    pub fn require<T>(&mut self, name: &str, value: Option<T>) -> Option<T> {
        if value.is_none() && self.value(name).is_none() {
            self.fault(name, FieldErrorKind::Required);
        }
        value
    }

    /// Reads a text of any length, or a number as a text.
    pub fn text_or_number(&mut self, name: &str) -> Option<String> {
        self.typed(name, TEXT_OR_NUMBER, |value| match value {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number_text(number)),
            _ => None,
        })
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
        let mut fields = Fields::under(object, self.setting, path);
        let value = read(&mut fields);
        self.faults.extend(fields.into_faults());
        value
    }
}
