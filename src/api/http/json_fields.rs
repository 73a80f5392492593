//! Reads the members of a JSON body. A reader returns the value or notes a fault, so that one answer names all faults of
//! a body, in the order in which [`body!`](crate::body) declares its members. A member that is `null` counts as missing.

use serde_json::{Map, Number, Value};

use super::forms::Form;
use super::json_schema::{Member, Schema};
use crate::api::problem::Problem;
use crate::api::problem::field_error::{FieldError, FieldErrorKind, Step};
use crate::base::config::Config;
use crate::base::time;
use crate::sms::msisdn::Msisdn;

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
    time::from_rfc3339(text).ok_or(FieldErrorKind::NotATime)
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
}

/// An object that [`body!`](crate::body) declares.
pub trait Body: Sized {
    /// Its name in the document.
    const NAME: &'static str;

    /// Reads the members. Notes their faults; a member with a fault is empty, or missing.
    fn read(fields: &mut Fields<'_>) -> Self;

    /// The names of the members, in the order of the declaration.
    fn names() -> Vec<&'static str>;

    /// The members as the document describes them.
    fn members() -> Vec<Member>;

    /// The schema.
    fn schema() -> Schema;
}

/// Declares objects of bodies: each member in one place, from which come its reader, its faults and its schema. The comments
/// are the descriptions in the document.
///
/// ```text
/// body! {
///     /// A plan to create.
///     pub struct NewPlan {
///         /// The name of the plan.
///         slug: String = must "slug" text(64) => "default";
///         refunds: Option<Vec<RecipientStatus>> = can "refunds" list_of(refund(), 0, 2);
///         weight: i64 = can "weight" integer(1, 1_000), or 1;
///     }
/// }
/// ```
///
/// A line has the field and its type, how the member is there, its name, its [`Form`], what it is if it is left out, and an
/// example. `must`: it is required, and empty after a fault. `needs`: it is required, and `None` after a fault. `can`: it may
/// be left out, and `null` means the same. `may`: it may be left out, but not be `null`. `all`: it is no member, but has
/// members that the object shares with others.
#[macro_export]
macro_rules! body {
    ($(
        $(#[doc = $about:literal])*
        $(#[derive($($derive:ident),+)])?
        $vis:vis struct $body:ident $(=> $sample:tt)? {
            $(
                $(#[doc = $text:literal])*
                $field:ident: $type:ty = $presence:ident
                    $($name:literal $form:expr $(, or $default:expr)? $(=> $example:tt)?)?;
            )+
        }
    )+) => {$(
        $(#[doc = $about])*
        #[derive(Debug $(, $($derive),+)?)]
        #[allow(missing_docs, reason = "what a name says needs no text in the document either")]
        $vis struct $body {
            $($(#[doc = $text])* pub $field: $type,)+
        }

        impl $crate::api::http::json_fields::Body for $body {
            const NAME: &'static str = stringify!($body);

            fn read(fields: &mut $crate::api::http::json_fields::Fields<'_>) -> Self {
                let body = $body {
                    $($field: $crate::body!(@read fields $presence $type $(, $name, $form $(, $default)?)?),)+
                };
                fields.order = Some(Self::names);
                body
            }

            fn names() -> Vec<&'static str> {
                let mut names = Vec::new();
                $($crate::body!(@name names $type $(, $name)?);)+
                names
            }

            fn members() -> Vec<$crate::api::http::json_schema::Member> {
                let mut members = Vec::new();
                $($crate::body!(@member members $presence $type, [$($text),*] $(, $name, $form, [$($default)?] [$($example)?])?);)+
                members
            }

            fn schema() -> $crate::api::http::json_schema::Schema {
                let schema = $crate::api::http::json_schema::object(Self::members());
                $crate::body!(@text schema, [$($about),*] [$($sample)?])
            }
        }
    )+};
    (@read $fields:ident all $type:ty) => {
        <$type as $crate::api::http::json_fields::Body>::read($fields)
    };
    (@read $fields:ident can $type:ty, $name:literal, $form:expr, $default:expr) => {
        $fields.can($name, &$form).unwrap_or($default)
    };
    (@read $fields:ident $presence:ident $type:ty, $name:literal, $form:expr) => {
        $fields.$presence($name, &$form)
    };
    (@name $names:ident $type:ty) => {
        $names.extend(<$type as $crate::api::http::json_fields::Body>::names())
    };
    (@name $names:ident $type:ty, $name:literal) => {
        $names.push($name)
    };
    (@member $members:ident all $type:ty, []) => {
        $members.extend(<$type as $crate::api::http::json_fields::Body>::members())
    };
    (@member $members:ident $presence:ident $type:ty, $texts:tt, $name:literal, $form:expr, [$default:expr] $example:tt) => {{
        let schema = $crate::api::http::forms::Form::schema(&$form).with("default", serde_json::json!($default));
        $members.push($crate::body!(@presence $presence)($name, $crate::body!(@text schema, $texts $example)));
    }};
    (@member $members:ident $presence:ident $type:ty, $texts:tt, $name:literal, $form:expr, [] $example:tt) => {{
        let schema = $crate::api::http::forms::Form::schema(&$form);
        $members.push($crate::body!(@presence $presence)($name, $crate::body!(@text schema, $texts $example)));
    }};
    (@presence needs) => { $crate::api::http::json_schema::must };
    (@presence $presence:ident) => { $crate::api::http::json_schema::$presence };
    (@text $schema:ident, [] []) => { $schema };
    (@text $schema:ident, [] [$example:tt]) => { $schema.like(serde_json::json!($example)) };
    (@text $schema:ident, [$($text:literal),+] []) => { $schema.about_lines(&[$($text),+]) };
    (@text $schema:ident, [$($text:literal),+] [$example:tt]) => {
        $schema.about_lines(&[$($text),+]).like(serde_json::json!($example))
    };
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

impl Place<'_> {
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
    pub(crate) order: Option<fn() -> Vec<&'static str>>,
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

    /// Ends reading and returns the faults, in the order in which the members are declared, whoever noted them when.
    pub fn into_faults(mut self) -> Vec<FieldError> {
        if let (2.., Some(names)) = (self.faults.len(), self.order) {
            let (names, depth) = (names(), self.path.len());
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

    /// Reads a text by `read`.
    fn parsed<T>(&mut self, name: &str, read: impl FnOnce(&'a str) -> Result<T, FieldErrorKind>) -> Option<T> {
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
            self.fault(name, FieldErrorKind::Required);
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
            self.fault(name, FieldErrorKind::Empty);
            return None;
        }
        if text.chars().count() > max {
            self.fault(name, FieldErrorKind::TooLong { max });
            return None;
        }
        Some(text)
    }

    /// Reads a text of 1 to `max` characters for which `is_good` holds. `fault` says what that is.
    pub fn formed(
        &mut self,
        name: &str,
        max: usize,
        fault: FieldErrorKind,
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
        self.typed(name, FieldErrorKind::OutOfRange { min, max }, |value| {
            whole(value, min, max)
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
            self.fault(name, FieldErrorKind::TooMany { max });
            return None;
        }
        Some(list)
    }

    /// Reads a list of at most `max` texts, each by `read`.
    pub fn texts<T>(
        &mut self,
        name: &str,
        max: usize,
        read: impl Fn(&'a str) -> Result<T, FieldErrorKind>,
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
        let mut fields = Fields::under(object, self.setting, path);
        let value = read(&mut fields);
        self.faults.extend(fields.into_faults());
        value
    }
}
