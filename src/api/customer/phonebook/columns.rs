//! The columns of an imported table: what its first line says of them, and the entry of each other line.

use std::collections::BTreeMap;

use super::entry::{self, ATTRIBUTE_FORM};
use crate::api::problem::field_error::{FieldError, FieldErrorKind, Step, some_of};
use crate::api::{http::json_fields::phone_number, problem::Problem};
use crate::base::csv::{Line, Unreadable};
use crate::directory::phonebook::titles::{self, Column, NUMBER_TITLES, column, is_same};
use crate::directory::phonebook::{columns::MAX_COLUMNS, numbers::Details};
use crate::sms::msisdn::Msisdn;

/// A fault of the header line.
pub fn header_fault(kind: FieldErrorKind) -> FieldError {
    FieldError::of("header", kind)
}

fn unreadable(error: Unreadable) -> FieldErrorKind {
    match error {
        Unreadable::TooLong => FieldErrorKind::LineTooLong,
        Unreadable::NotUtf8 => FieldErrorKind::NotUtf8,
    }
}

/// Reads the columns from the first line. `number_title` names the column of the numbers, if several may be it.
pub fn read_header(line: Line, number_title: Option<&str>) -> Result<Vec<Column>, Problem> {
    let names = line
        .fields
        .map_err(|error| Problem::Validation(vec![header_fault(unreadable(error))]))?;
    let mut faults = Vec::new();
    let mut columns: Vec<Column> = Vec::with_capacity(names.len());
    let is_number = |name: &String| match number_title {
        Some(title) => is_same(title, name),
        None => column(name) == Column::Number,
    };
    let numbers: Vec<String> = names.iter().filter(|name| is_number(name)).cloned().collect();
    match numbers.as_slice() {
        [_] => {}
        [] => faults.push(no_number(number_title, &names)),
        several => faults.push(header_fault(FieldErrorKind::NumberColumns(some_of(several)))),
    }
    for (index, name) in names.iter().enumerate() {
        let column = match column(name) {
            _ if is_number(name) => Column::Number,
            // A column of other numbers is left out: no attribute has such a title.
            Column::Number => Column::Nothing,
            other => other,
        };
        let place = || vec![Step::Name("header".to_owned()), Step::Index(index)];
        if !matches!(column, Column::Nothing | Column::Number) && columns.contains(&column) {
            faults.push(FieldError::at(place(), FieldErrorKind::Twice));
        }
        if let Column::Attribute(name) = &column
            && !titles::is_attribute(name)
        {
            faults.push(FieldError::at(place(), ATTRIBUTE_FORM));
        }
        columns.push(column);
    }
    let attributes = columns.iter().filter(|column| matches!(column, Column::Attribute(_)));
    if attributes.count() > MAX_COLUMNS {
        faults.push(header_fault(FieldErrorKind::TooMany { max: MAX_COLUMNS + 2 }));
    }
    if faults.is_empty() {
        Ok(columns)
    } else {
        Err(Problem::Validation(faults))
    }
}

/// The fault of a header without the column of the numbers.
fn no_number(number_title: Option<&str>, names: &[String]) -> FieldError {
    match number_title {
        Some(_) => FieldError::of("number", FieldErrorKind::NotOneOf(some_of(names))),
        None => header_fault(FieldErrorKind::NoNumberColumn {
            known: NUMBER_TITLES,
            found: some_of(names),
        }),
    }
}

/// What stands in the column of the numbers.
pub fn written_number<'l>(columns: &[Column], line: &'l Line) -> Option<&'l str> {
    let place = columns.iter().position(|column| *column == Column::Number)?;
    line.fields.as_ref().ok()?.get(place).map(String::as_str)
}

/// A number of which a spreadsheet was told that it is a text: `'0912…` or `="0912…"`.
fn as_text(cell: &str) -> &str {
    let formula = cell.strip_prefix("=\"").and_then(|cell| cell.strip_suffix('"'));
    formula.unwrap_or(cell.strip_prefix('\'').unwrap_or(cell))
}

/// Reads the entry of a line. An empty cell says nothing.
pub fn read_entry(
    columns: &[Column],
    fields: Result<Vec<String>, Unreadable>,
) -> Result<(Msisdn, Details), FieldError> {
    let mut fields = fields.map_err(|error| FieldError::at(Vec::new(), unreadable(error)))?;
    while fields.len() > columns.len() && fields.last().is_some_and(String::is_empty) {
        fields.pop();
    }
    if fields.len() > columns.len() {
        return Err(FieldError::at(
            Vec::new(),
            FieldErrorKind::TooMany { max: columns.len() },
        ));
    }
    let (mut number, mut details, mut attributes) = (None, Details::default(), BTreeMap::new());
    for (column, field) in columns.iter().zip(fields).filter(|(_, field)| !field.is_empty()) {
        match column {
            Column::Number => {
                let parsed = phone_number(as_text(&field)).map_err(|kind| FieldError::of("number", kind))?;
                number = Some(parsed);
            }
            Column::Name if field.chars().count() > entry::MAX_NAME => {
                return Err(FieldError::of("name", FieldErrorKind::TooLong { max: entry::MAX_NAME }));
            }
            Column::Name => details.name = Some(entry::normal(&field)).filter(|name| !name.is_empty()),
            Column::Attribute(name) => {
                let value = entry::normal(&field);
                if !value.is_empty() {
                    attributes.insert(name.clone(), value);
                }
            }
            Column::Nothing => {}
        }
    }
    entry::check_attributes(&attributes).map_err(|kind| FieldError::of("attributes", kind))?;
    if !attributes.is_empty() {
        details.attributes = Some(attributes);
    }
    let number = number.ok_or_else(|| FieldError::of("number", FieldErrorKind::Required))?;
    Ok((number, details))
}
