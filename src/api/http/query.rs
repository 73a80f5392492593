//! Reads the parameters of a query. A reader returns the value or notes a fault, so that one answer names all faults.

use std::cell::RefCell;
use std::collections::BTreeSet;

use super::context::Context;
use super::json_fields::{self, MAX_IGNORED_CHARS, Remarks};
use super::paging::{self, DEFAULT_LIMIT, MAX_LIMIT, PageRequest};
use crate::api::problem::Problem;
use crate::api::problem::field_error::{FieldError, FieldErrorKind, clipped};
use crate::base::{near, ports::Platform};

/// What to search for has at most this many characters.
const MAX_SEARCH: usize = 100;

/// The parameters of a query, and the faults found so far.
pub struct Query<'a> {
    params: Vec<(String, String)>,
    /// The parameters that were asked for.
    known: RefCell<Vec<&'static str>>,
    ignored: &'a Remarks,
    faults: Vec<FieldError>,
}

impl<'a> Query<'a> {
    /// The query of a request.
    pub fn of<P: Platform>(context: &'a Context<'_, P>) -> Self {
        let query = context.request.head.query.as_bytes();
        Query {
            params: form_urlencoded::parse(query).into_owned().collect(),
            known: RefCell::default(),
            ignored: &context.record.ignored,
            faults: Vec::new(),
        }
    }

    /// The value of a parameter. If the query has the parameter twice, the last one counts.
    pub fn get(&self, name: &'static str) -> Option<&str> {
        self.known.borrow_mut().push(name);
        self.params
            .iter()
            .rev()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.as_str())
    }

    /// Reads a parameter by `read`.
    pub fn read<T>(&mut self, name: &'static str, read: impl FnOnce(&str) -> Result<T, FieldErrorKind>) -> Option<T> {
        match read(self.get(name)?) {
            Ok(value) => Some(value),
            Err(kind) => {
                self.faults.push(FieldError::of(name, kind));
                None
            }
        }
    }

    /// Reads one of `choices` by its name.
    pub fn choice<T: Copy>(
        &mut self,
        name: &'static str,
        choices: &[T],
        name_of: impl Fn(T) -> &'static str,
    ) -> Option<T> {
        self.read(name, |text| json_fields::choice(text, choices, name_of))
    }

    /// Reads `true` or `false`.
    pub fn flag(&mut self, name: &'static str) -> Option<bool> {
        self.choice(name, &[true, false], |flag| if flag { "true" } else { "false" })
    }

    /// Reads a phone number.
    pub fn phone_number(&mut self, name: &'static str) -> Option<u64> {
        self.read(name, json_fields::phone_number).map(|number| number.get())
    }

    /// Reads a time as ms since the Unix epoch.
    pub fn time(&mut self, name: &'static str) -> Option<i64> {
        self.read(name, json_fields::time)
    }

    /// Reads `q`, what to search for, in lower case.
    pub fn search(&mut self) -> Option<String> {
        self.read("q", |text| match text.trim().chars().count() {
            1..=MAX_SEARCH => Ok(text.trim().to_ascii_lowercase()),
            _ => Err(FieldErrorKind::BadForm("1 to 100 characters", "1 تا 100 کاراکتر")),
        })
    }

    /// Notes a fault.
    pub fn fault(&mut self, name: &'static str, kind: FieldErrorKind) {
        self.faults.push(FieldError::of(name, kind));
    }

    /// Reads which page of `list` the client asks for. The items of the list have numbers as positions.
    pub fn page(&mut self, list: &str) -> PageRequest<i64> {
        self.page_by(list, paging::number)
    }

    /// Reads which page of `list` the client asks for. The items of the list have names as positions.
    pub fn page_by_name(&mut self, list: &str) -> PageRequest<String> {
        self.page_by(list, paging::name)
    }

    fn page_by<T: ToString>(&mut self, list: &str, position: fn(&str, &str) -> Option<T>) -> PageRequest<T> {
        let limit = self.read("limit", |text| {
            let limit = text.parse().ok().filter(|limit| (1..=MAX_LIMIT).contains(limit));
            limit.ok_or(FieldErrorKind::OutOfRange {
                min: 1,
                max: MAX_LIMIT.into(),
            })
        });
        let after = self.read("cursor", |cursor| {
            position(list, cursor).ok_or(FieldErrorKind::BadForm(
                "a \"nextCursor\" of this list",
                "مقدار «nextCursor» همین لیست",
            ))
        });
        PageRequest::new(list, limit.unwrap_or(DEFAULT_LIMIT), after)
    }

    /// Notes a fault for each unknown parameter whose name is nearly that of one that is missing. The others are ignored.
    fn check_names(&mut self) {
        let known = self.known.take();
        let names: BTreeSet<&str> = self.params.iter().map(|(name, _)| name.as_str()).collect();
        for name in names.iter().filter(|name| !known.contains(name)) {
            match near::meant(name, known.iter().copied().filter(|name| !names.contains(name))) {
                Some(meant) => self.faults.push(FieldError::of(name, FieldErrorKind::Meant(meant))),
                None => self.ignored.note(clipped((*name).to_owned(), MAX_IGNORED_CHARS)),
            }
        }
    }

    /// Ends reading: all parameters that the route has were asked for. Fails with all faults, if there are any.
    pub fn finish(mut self) -> Result<(), Problem> {
        self.check_names();
        if self.faults.is_empty() {
            Ok(())
        } else {
            Err(Problem::Validation(self.faults))
        }
    }
}
