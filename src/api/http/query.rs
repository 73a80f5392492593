//! Reads the parameters of a query, which [`query!`](crate::query) declares. A reader returns the value or notes a fault, so that one
//! answer names all faults. The row of a route names the query that its handler gets, so the document has what is read.

use std::collections::BTreeSet;
use std::marker::PhantomData;

use serde_json::{Value, json};

use super::context::Context;
use super::forms::refused;
use super::json_fields::{Form, MAX_IGNORED_CHARS, Place, Setting};
use super::paging::{self, DEFAULT_LIMIT, PageRequest};
use crate::base::{did_you_mean, ports::Platform};
use crate::problem::Problem;
use crate::problem::field_error::{FieldError, FieldErrorKind, clipped};

/// Parameters that a route has.
pub trait Asked: Sized {
    /// Reads them. Notes their faults.
    fn read(reader: &mut Reader<'_>) -> Self;

    /// What the document says of them.
    fn parameters() -> Vec<Value>;
}

/// Those of a list: its filters, beside `limit` and `cursor`.
pub struct List<F = ()>(F);

impl<F: Asked> Asked for List<F> {
    fn read(reader: &mut Reader<'_>) -> Self {
        List(F::read(reader))
    }

    fn parameters() -> Vec<Value> {
        let page = ["Limit", "Cursor"].map(|name| json!({"$ref": format!("#/components/parameters/{name}")}));
        F::parameters().into_iter().chain(page).collect()
    }
}

/// Those of one declaration and of another.
impl<A: Asked, B: Asked> Asked for (A, B) {
    fn read(reader: &mut Reader<'_>) -> Self {
        (A::read(reader), B::read(reader))
    }

    fn parameters() -> Vec<Value> {
        A::parameters().into_iter().chain(B::parameters()).collect()
    }
}

impl Asked for () {
    fn read(_: &mut Reader<'_>) -> Self {}

    fn parameters() -> Vec<Value> {
        Vec::new()
    }
}

/// The parameters that came, and the faults found so far.
pub struct Reader<'a> {
    params: Vec<(String, String)>,
    /// The parameters that were asked for.
    known: Vec<&'static str>,
    setting: Setting<'a>,
    faults: Vec<FieldError>,
}

impl<'a> Reader<'a> {
    fn of<P: Platform>(context: &'a Context<'_, P>) -> Self {
        let query = context.request.head.query.as_bytes();
        Reader {
            params: form_urlencoded::parse(query).into_owned().collect(),
            known: Vec::new(),
            setting: context.setting(),
            faults: Vec::new(),
        }
    }

    /// Reads a parameter. If the query has it twice, the last one counts.
    pub fn can<F: Form>(&mut self, name: &'static str, form: &F) -> Option<F::Value> {
        self.known.push(name);
        let (_, text) = self.params.iter().rev().find(|(key, _)| key == name)?;
        let mut place = Place::of_parameter(self.setting, name, &mut self.faults);
        form.read(&Value::from(text.as_str()), &mut place)
    }

    /// Reads a parameter that must be there. It is empty after a fault.
    pub fn must<F: Form<Value: Default>>(&mut self, name: &'static str, form: &F) -> F::Value {
        let value = self.can(name, form);
        if !self.params.iter().any(|(key, _)| key == name) {
            self.faults.push(FieldError::of(name, FieldErrorKind::Required));
        }
        value.unwrap_or_default()
    }

    fn page<T: ToString>(&mut self, list: &str, position: fn(&str, &str) -> Option<T>) -> PageRequest<T> {
        let limit = self.can("limit", &paging::limit());
        let after = self.can("cursor", &paging::place(list, position));
        PageRequest::new(list, limit.unwrap_or(DEFAULT_LIMIT), after)
    }

    fn finish(mut self) -> Result<(), Problem> {
        self.check_names();
        if self.faults.is_empty() {
            Ok(())
        } else {
            Err(Problem::Validation(self.faults))
        }
    }

    /// Notes a fault for each unknown parameter whose name is nearly that of one that is missing. The others are ignored.
    fn check_names(&mut self) {
        let known = &self.known;
        let names: BTreeSet<&str> = self.params.iter().map(|(name, _)| name.as_str()).collect();
        for name in names.iter().filter(|name| !known.contains(name)) {
            match did_you_mean::suggestion(name, known.iter().copied().filter(|name| !names.contains(name))) {
                Some(meant) => self.faults.push(FieldError::of(name, FieldErrorKind::Meant(meant))),
                None => self
                    .setting
                    .ignored
                    .note(clipped((*name).to_owned(), MAX_IGNORED_CHARS)),
            }
        }
    }
}

/// The query of a request to a route that has these parameters.
pub struct Query<'a, A> {
    reader: Reader<'a>,
    of: PhantomData<A>,
}

impl<'a, A: Asked> Query<'a, A> {
    /// The query of a request.
    pub fn of<P: Platform>(context: &'a Context<'_, P>) -> Self {
        Query {
            reader: Reader::of(context),
            of: PhantomData,
        }
    }

    /// Reads the parameters.
    pub fn read(&mut self) -> A {
        A::read(&mut self.reader)
    }

    /// Notes a fault.
    pub fn fault(&mut self, name: &'static str, kind: FieldErrorKind) {
        self.reader.faults.push(FieldError::of(name, kind));
    }

    /// Ends reading. Fails with all faults, if there are any.
    pub fn finish(self) -> Result<(), Problem> {
        self.reader.finish()
    }

    /// Reads a query of which nothing else is to be checked than what its declaration says.
    pub fn all(mut self) -> Result<A, Problem> {
        let read = self.read();
        self.finish().map(|()| read)
    }
}

/// The query of a request for a page of a list with these filters.
pub type Paged<'a, F = ()> = Query<'a, List<F>>;

impl<F: Asked> Paged<'_, F> {
    /// Reads the filters.
    pub fn filters(&mut self) -> F {
        self.read().0
    }

    /// Reads which page of `list` the client asks for. The items of the list have numbers as positions.
    pub fn page(&mut self, list: &str) -> PageRequest<i64> {
        self.reader.page(list, paging::number)
    }

    /// Reads which page of `list` the client asks for. The items of the list have names as positions.
    pub fn page_by_name(&mut self, list: &str) -> PageRequest<String> {
        self.reader.page(list, paging::name)
    }

    /// Reads the page and the filters of which nothing else is to be checked than what their declaration says.
    pub fn listed(mut self, list: &str) -> Result<(PageRequest<i64>, F), Problem> {
        let read = (self.page(list), self.filters());
        self.finish().map(|()| read)
    }

    /// The same of a list whose items have names as positions.
    pub fn listed_by_name(mut self, list: &str) -> Result<(PageRequest<String>, F), Problem> {
        let read = (self.page_by_name(list), self.filters());
        self.finish().map(|()| read)
    }

    /// Refuses to be asked for a page beside this parameter.
    pub fn refuse_page(&mut self, beside: &'static str) {
        for name in ["limit", "cursor"] {
            self.reader.can(name, &refused(FieldErrorKind::NotBeside(beside)));
        }
    }
}

/// Declares queries: each parameter in one place, from which come its reader, its faults and what the document says of it. The
/// comments are the descriptions in the document.
///
/// ```text
/// query! {
///     /// Which plans to list.
///     pub struct PlanFilters {
///         /// Only plans that were made at this time or later.
///         from: Option<i64> = can "from" time();
///         /// The currency.
///         unit: String = must "unit" text(3) => "IRR";
///     }
/// }
/// ```
///
/// A line has the field and its type, how the parameter is there, its name, its [`Form`], and an example. `must`: it is required,
/// and empty after a fault. `can`: it may be left out.
#[macro_export]
macro_rules! query {
    ($(
        $(#[doc = $about:literal])*
        $vis:vis struct $query:ident {
            $(
                $(#[doc = $text:literal])+
                $field:ident: $type:ty = $presence:ident $name:literal $form:expr $(=> $example:tt)?;
            )+
        }
    )+) => {$(
        $(#[doc = $about])*
        #[allow(missing_docs, reason = "what a name says needs no text")]
        $vis struct $query {
            $($(#[doc = $text])+ pub $field: $type,)+
        }

        impl $crate::api::http::query::Asked for $query {
            fn read(reader: &mut $crate::api::http::query::Reader<'_>) -> Self {
                $query { $($field: reader.$presence($name, &$form),)+ }
            }

            fn parameters() -> Vec<serde_json::Value> {
                vec![$($crate::api::http::json_schema::parameter(
                    $name,
                    stringify!($presence) == "must",
                    $crate::api::http::forms::Form::schema(&$form)$(.like(serde_json::json!($example)))?,
                    &[$($text),+],
                )),+]
            }
        }
    )+};
}
