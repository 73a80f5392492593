//! The columns of an imported table: what its first line says of them, and the entry of each other line.

use std::collections::BTreeMap;

use sms::{msisdn::Msisdn, template};

use super::{cell, parse};
use crate::answer;
use crate::base::csv::{Line, Unreadable};
use crate::directory::phonebook::titles::{self, Column, NUMBER_TITLES, column, is_same};
use crate::directory::phonebook::{columns::MAX_COLUMNS, numbers::Details};
use crate::problem::Problem;
use crate::problem::field_error::{FieldError, FieldErrorKind, Step, TitleFault, clipped, some_of};

/// A fault quotes so many characters of a title.
const MAX_QUOTE: usize = 60;

answer! {
    /// What the columns of an imported file were taken for, by their titles.
    pub struct ImportedColumnsData(header: &Header) as "ImportedColumns" {
        /// The title of the column with the numbers.
        "number": header.titles_of(|column| *column == Column::Number).first(), any_text() => "موبایل";
        /// The title of the column with the names.
        "name": header.titles_of(|column| *column == Column::Name).first(), any_text().or_null() => "نام";
        /// The titles of the columns that are attributes.
        "attributes": header.titles_of(|column| matches!(column, Column::Attribute(_))), any_list(any_text()) => ["شهر"];
        /// The titles of the columns that were left out: other columns of numbers.
        "leftOut": header.titles_of(|column| *column == Column::Nothing), any_list(any_text()) => [];
    }
}

/// The columns of a file, and their titles as the file has them.
#[derive(Debug, Default)]
pub struct Header {
    columns: Vec<Column>,
    titles: Vec<String>,
}

impl Header {
    /// The titles of such columns that have one.
    fn titles_of(&self, is_such: impl Fn(&Column) -> bool) -> Vec<&str> {
        let columns = self.columns.iter().zip(&self.titles);
        columns
            .filter(|(column, title)| is_such(column) && !title.is_empty())
            .map(|(_, title)| title.as_str())
            .collect()
    }
}

/// A fault of the header line.
fn header_fault(kind: FieldErrorKind) -> FieldError {
    FieldError::of("header", kind)
}

fn unreadable(error: Unreadable) -> FieldErrorKind {
    match error {
        Unreadable::TooLong => FieldErrorKind::LineTooLong,
        Unreadable::NotUtf8 => FieldErrorKind::NotUtf8,
    }
}

/// Reads the columns from the first line. `number_title` names the column of the numbers, if several may be it.
pub fn read_header(line: Line, number_title: Option<&str>) -> Result<Header, Problem> {
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
        several => faults.push(header_fault(several_numbers(several))),
    }
    for (index, name) in names.iter().enumerate() {
        let column = match column(name) {
            _ if is_number(name) => Column::Number,
            // A column of other numbers is left out: no attribute has such a title.
            Column::Number => Column::Nothing,
            other => other,
        };
        let is_twice = !matches!(column, Column::Nothing | Column::Number) && columns.contains(&column);
        if let Some(fault) = is_twice.then_some(TitleFault::Twice).or_else(|| title_fault(&column)) {
            let place = vec![Step::Name("header".to_owned()), Step::Index(index)];
            let (column, title) = (index + 1, clipped(name.clone(), MAX_QUOTE));
            faults.push(FieldError::at(place, FieldErrorKind::BadTitle { column, title, fault }));
        }
        columns.push(column);
    }
    let attributes = columns.iter().filter(|column| matches!(column, Column::Attribute(_)));
    let (count, max) = (attributes.count(), MAX_COLUMNS);
    if count > max {
        faults.push(header_fault(FieldErrorKind::TooManyAttributes { count, max }));
    }
    if faults.is_empty() {
        Ok(Header { columns, titles: names })
    } else {
        Err(Problem::Validation(faults))
    }
}

/// The fault of several columns of numbers. Where all have one title, it names none of them.
fn several_numbers(titles: &[String]) -> FieldErrorKind {
    match titles {
        [title, others @ ..] if others.iter().all(|other| is_same(title, other)) => {
            FieldErrorKind::SameNumberTitle(clipped(title.clone(), MAX_QUOTE))
        }
        several => FieldErrorKind::NumberColumns(some_of(several)),
    }
}

/// Why no attribute can have the title of this column.
fn title_fault(column: &Column) -> Option<TitleFault> {
    let Column::Attribute(title) = column else {
        return None;
    };
    match title {
        title if titles::is_attribute(title) => None,
        title if title.contains('%') => Some(TitleFault::Percent),
        title if title.chars().any(char::is_control) => Some(TitleFault::Control),
        _ => Some(TitleFault::TooLong {
            max: template::MAX_NAME,
        }),
    }
}

/// The fault of a header without the column of the numbers.
fn no_number(number_title: Option<&str>, names: &[String]) -> FieldError {
    match number_title {
        Some(_) => FieldError::of("number", FieldErrorKind::NotOneOf(some_of(names))),
        None => header_fault(FieldErrorKind::NoNumberColumn {
            known: NUMBER_TITLES,
            found: some_of(names),
            is_single: names.len() == 1,
        }),
    }
}

/// What stands in the column of the numbers.
pub fn written_number<'l>(header: &Header, line: &'l Line) -> Option<&'l str> {
    let place = header.columns.iter().position(|column| *column == Column::Number)?;
    line.fields.as_ref().ok()?.get(place).map(String::as_str)
}

/// Reads the entry of a line. An empty cell says nothing.
pub fn read_entry(
    Header { columns, .. }: &Header,
    fields: Result<Vec<String>, Unreadable>,
) -> Result<(Msisdn, Details), FieldError> {
    let mut fields = fields.map_err(|error| FieldError::at(Vec::new(), unreadable(error)))?;
    while fields.len() > columns.len() && fields.last().is_some_and(String::is_empty) {
        fields.pop();
    }
    if fields.len() > columns.len() {
        return Err(FieldError::at(
            Vec::new(),
            FieldErrorKind::TooManyCells {
                cells: fields.len(),
                titles: columns.len(),
            },
        ));
    }
    let (mut number, mut details, mut attributes) = (None, Details::default(), BTreeMap::new());
    for (column, field) in columns.iter().zip(fields).filter(|(_, field)| !field.is_empty()) {
        match column {
            Column::Number => {
                number = Some(cell::number(&field).map_err(|kind| FieldError::of("number", kind))?);
            }
            Column::Name if field.chars().count() > parse::MAX_NAME => {
                return Err(FieldError::of("name", FieldErrorKind::TooLong { max: parse::MAX_NAME }));
            }
            Column::Name => details.name = Some(parse::normal(&field)).filter(|name| !name.is_empty()),
            Column::Attribute(name) => {
                let value = parse::normal(&field);
                if !value.is_empty() {
                    attributes.insert(name.clone(), value);
                }
            }
            Column::Nothing => {}
        }
    }
    parse::check_attributes(&attributes).map_err(|kind| FieldError::of("attributes", kind))?;
    if !attributes.is_empty() {
        details.attributes = Some(attributes);
    }
    let number = number.ok_or_else(|| FieldError::of("number", FieldErrorKind::Required))?;
    Ok((number, details))
}
