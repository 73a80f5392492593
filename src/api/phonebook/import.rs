//! The import of a table of numbers. The service reads the file while it comes, and holds only the entries of one
//! transaction. A number that is added twice is updated, so a client can safely repeat an import that stopped half way.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::entry::{self, Entries, MAX_ATTRIBUTES};
use super::own::find;
use crate::api::body;
use crate::api::context::Context;
use crate::api::respond::Success;
use crate::csv::{Line, Table, Unreadable};
use crate::directory::numbers::Details;
use crate::directory::phonebooks::Phonebook;
use crate::fault::{Fault, FaultKind, Step};
use crate::http::{Body, BodyError, Response};
use crate::input::phone_number;
use crate::language::Language;
use crate::ports::Platform;
use crate::problem::Problem;
use crate::sms::msisdn::Msisdn;

/// A file has at most this many bytes.
pub const MAX_FILE_BYTES: usize = 5 * 1024 * 1024;
/// One transaction saves at most this many entries.
const ENTRIES_A_GO: usize = 2_000;
/// One transaction saves entries of about this many bytes. A value of D1 has at most 2 MB.
const BYTES_A_GO: usize = 512 * 1024;
/// The answer names at most this many invalid lines.
const MAX_INVALID: usize = 1_000;

/// The names of the column with the numbers.
const NUMBER: [&str; 12] = [
    "number",
    "phone",
    "mobile",
    "msisdn",
    "cell",
    "phone number",
    "شماره",
    "موبایل",
    "همراه",
    "تلفن",
    "شماره موبایل",
    "شماره همراه",
];
/// The names of the column with the names of the numbers' owners.
const NAME: [&str; 6] = ["name", "full name", "fullname", "نام", "نام و نام خانوادگی", "اسم"];

/// What a column holds.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Column {
    Number,
    Name,
    Attribute(String),
    Nothing,
}

/// `POST /phonebook/{id}/import`
pub async fn import<P: Platform>(
    context: &Context<'_, P>,
    phonebook: &str,
    body: &mut impl Body,
) -> Result<Response, Problem> {
    if body.declared_bytes().is_some_and(|declared| declared > MAX_FILE_BYTES) {
        return Err(body::problem(BodyError::TooLarge, MAX_FILE_BYTES));
    }
    let mut import = Import::new(context, phonebook);
    match import.run(body).await {
        Ok(()) => Success::created(import.data()).response(&context.request.id),
        Err(cause) => Err(import.stopped(cause)),
    }
}

/// An import under way.
struct Import<'a, 'c, P: Platform> {
    context: &'a Context<'c, P>,
    id: &'a str,
    phonebook: Option<Phonebook>,
    columns: Option<Vec<Column>>,
    /// The entries that the next transaction saves.
    waiting: Entries,
    /// How many lines these entries come from.
    waiting_lines: u64,
    /// The number of the last line that was read.
    line: u64,
    /// The number of the last line that is saved together with all lines before it.
    done: u64,
    lines: u64,
    added: u64,
    updated: u64,
    invalid: Vec<Value>,
    invalid_count: u64,
}

impl<'a, 'c, P: Platform> Import<'a, 'c, P> {
    fn new(context: &'a Context<'c, P>, id: &'a str) -> Self {
        Import {
            context,
            id,
            phonebook: None,
            columns: None,
            waiting: Entries::default(),
            waiting_lines: 0,
            line: 0,
            done: 0,
            lines: 0,
            added: 0,
            updated: 0,
            invalid: Vec::new(),
            invalid_count: 0,
        }
    }

    async fn run(&mut self, body: &mut impl Body) -> Result<(), Problem> {
        let mut table = Table::default();
        let mut bytes = 0;
        loop {
            let piece = body
                .next()
                .await
                .map_err(|error| body::problem(error, MAX_FILE_BYTES))?;
            let Some(piece) = piece else {
                break;
            };
            bytes += piece.len();
            if bytes > MAX_FILE_BYTES {
                return Err(body::problem(BodyError::TooLarge, MAX_FILE_BYTES));
            }
            self.take(table.feed(&piece)).await?;
        }
        self.take(table.finish()).await?;
        if self.columns.is_none() {
            return Err(fault("header", FaultKind::Required));
        }
        self.save().await
    }

    async fn take(&mut self, lines: Vec<Line>) -> Result<(), Problem> {
        for line in lines {
            self.line = line.number;
            let Some(columns) = &self.columns else {
                self.columns = Some(header(line)?);
                self.phonebook = Some(find(self.context, self.id).await?);
                continue;
            };
            self.lines += 1;
            match entry(columns, line.fields) {
                Ok((number, details)) => {
                    self.waiting.put(number, details);
                    self.waiting_lines += 1;
                }
                Err(fault) => self.refuse(line.number, &fault),
            }
            if self.waiting.len() >= ENTRIES_A_GO || self.waiting.bytes() >= BYTES_A_GO {
                self.save().await?;
            }
        }
        Ok(())
    }

    fn refuse(&mut self, line: u64, fault: &Fault) {
        self.invalid_count += 1;
        if self.invalid.len() < MAX_INVALID {
            self.invalid
                .push(json!({"line": line, "detail": in_words(fault, self.context.request.language)}));
        }
    }

    async fn save(&mut self) -> Result<(), Problem> {
        let Some(phonebook) = &mut self.phonebook else {
            return Ok(());
        };
        if !self.waiting.is_empty() {
            let waiting = std::mem::take(&mut self.waiting);
            let added = waiting
                .save(self.context.platform, self.context.request.now_ms, phonebook)
                .await?;
            self.added += added;
            self.updated += std::mem::take(&mut self.waiting_lines).saturating_sub(added);
        }
        self.done = self.line;
        Ok(())
    }

    fn data(&self) -> Value {
        json!({
            "lines": self.lines,
            "added": self.added,
            "updated": self.updated,
            "invalidCount": self.invalid_count,
            "invalid": self.invalid,
        })
    }

    /// The problem of an import that stopped. If the import has saved something, the problem says how far it came.
    fn stopped(&self, cause: Problem) -> Problem {
        if self.added + self.updated == 0 {
            return cause;
        }
        Problem::ImportStopped {
            cause: Box::new(cause),
            last_line: self.done,
            added: self.added,
            updated: self.updated,
        }
    }
}

fn fault(name: &str, kind: FaultKind) -> Problem {
    Problem::Validation(vec![Fault::of(name, kind)])
}

fn in_words(fault: &Fault, language: Language) -> String {
    match fault.field() {
        field if field.is_empty() => fault.detail(language),
        field => format!("{field}: {}", fault.detail(language)),
    }
}

fn unreadable(error: Unreadable) -> FaultKind {
    match error {
        Unreadable::TooLong => FaultKind::LineTooLong,
        Unreadable::NotUtf8 => FaultKind::NotUtf8,
    }
}

/// Reads the columns from the first line.
fn header(line: Line) -> Result<Vec<Column>, Problem> {
    let names = line.fields.map_err(|error| fault("header", unreadable(error)))?;
    let mut faults = Vec::new();
    let mut columns: Vec<Column> = Vec::with_capacity(names.len());
    for (index, name) in names.iter().enumerate() {
        let column = column(name);
        let place = || vec![Step::Name("header".to_owned()), Step::Index(index)];
        if column != Column::Nothing && columns.contains(&column) {
            faults.push(Fault::at(place(), FaultKind::Twice));
        }
        if let Column::Attribute(name) = &column
            && !entry::is_attribute_name(name)
        {
            faults.push(Fault::at(place(), FaultKind::BadFormat("1 to 50 characters without %")));
        }
        columns.push(column);
    }
    if !columns.contains(&Column::Number) {
        let example = "a header like number,name,city whose first line names a column \"number\"";
        faults.push(Fault::of("header", FaultKind::BadFormat(example)));
    }
    let attributes = columns.iter().filter(|column| matches!(column, Column::Attribute(_)));
    if attributes.count() > MAX_ATTRIBUTES {
        faults.push(Fault::of(
            "header",
            FaultKind::TooMany {
                max: MAX_ATTRIBUTES + 2,
            },
        ));
    }
    match faults.is_empty() {
        true => Ok(columns),
        false => Err(Problem::Validation(faults)),
    }
}

fn column(name: &str) -> Column {
    let plain = name
        .to_ascii_lowercase()
        .replace(['_', '-', '\u{200c}'], " ")
        .replace('ي', "ی")
        .replace('ك', "ک");
    match plain.as_str() {
        "" => Column::Nothing,
        known if NUMBER.contains(&known) => Column::Number,
        known if NAME.contains(&known) => Column::Name,
        _ => Column::Attribute(name.to_owned()),
    }
}

/// Reads the entry of a line. An empty cell says nothing.
fn entry(columns: &[Column], fields: Result<Vec<String>, Unreadable>) -> Result<(Msisdn, Details), Fault> {
    let fields = fields.map_err(|error| Fault::at(Vec::new(), unreadable(error)))?;
    if fields.len() > columns.len() {
        return Err(Fault::at(Vec::new(), FaultKind::TooMany { max: columns.len() }));
    }
    let (mut number, mut details, mut attributes) = (None, Details::default(), BTreeMap::new());
    for (column, field) in columns.iter().zip(fields).filter(|(_, field)| !field.is_empty()) {
        match column {
            Column::Number => {
                let parsed = phone_number(&field).map_err(|kind| Fault::of("number", kind))?;
                number = Some(parsed);
            }
            Column::Name if field.chars().count() > entry::MAX_NAME => {
                return Err(Fault::of("name", FaultKind::TooLong { max: entry::MAX_NAME }));
            }
            Column::Name => details.name = Some(entry::normal(&field)),
            Column::Attribute(name) => drop(attributes.insert(name.clone(), entry::normal(&field))),
            Column::Nothing => {}
        }
    }
    entry::check_attributes(&attributes).map_err(|kind| Fault::of("attributes", kind))?;
    if !attributes.is_empty() {
        details.attributes = Some(attributes);
    }
    let number = number.ok_or_else(|| Fault::of("number", FaultKind::Required))?;
    Ok((number, details))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_known_in_english_and_persian() {
        assert_eq!(column("Number"), Column::Number);
        assert_eq!(column("شماره\u{200c}موبایل"), Column::Number);
        assert_eq!(column("Phone_Number"), Column::Number);
        assert_eq!(column("نام"), Column::Name);
        assert_eq!(column("شهر"), Column::Attribute("شهر".to_owned()));
        assert_eq!(column(""), Column::Nothing);
    }
}
