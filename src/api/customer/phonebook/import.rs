//! The import of a table of numbers. The file is read as a whole before anything is saved, because a quote that never closes
//! shows at the end only. Then it is saved in transactions. A number that is added twice is updated, so a client can safely
//! repeat an import that stopped half way.

use serde_json::Value;

use super::columns::{self, Header, ImportedColumnsData};
use super::find;
use super::parse::{Entries, quoted, tokens};
use super::utf16::Utf16;
use crate::api::http::{Body, Response, body, context::Context, forms::any_text, query::Query, respond::Success};
use crate::base::csv::{Line, Table, bad_quote};
use crate::base::language::Language;
use crate::base::ports::{MAX_INTEGER, Platform};
use crate::directory::phonebook::Phonebook;
use crate::problem::Problem;
use crate::problem::field_error::{FieldError, FieldErrorKind};
use crate::{answer, query};

/// A file has at most this many bytes.
const MAX_FILE_BYTES: usize = 5 * 1024 * 1024;
/// How the files of Excel begin: those of today, which are ZIP archives, and the old ones.
const WORKBOOKS: [&[u8]; 2] = [b"PK\x03\x04", b"\xD0\xCF\x11\xE0"];
/// So much of a file is made into lines at once.
const PIECE_BYTES: usize = 64 * 1024;
/// One transaction saves at most this many entries.
const ENTRIES_A_GO: usize = 2_000;
/// One transaction saves entries of this many bytes, or up to one entry more. A value of D1 has at most 2 MB.
const BYTES_A_GO: usize = 512 * 1024;
/// How long an import waits for tokens in all, ms. It pays as it goes, because nobody knows before how many lines a file has.
const PATIENCE_MS: i64 = 60_000;
/// The answer names at most this many invalid lines.
const MAX_INVALID: usize = 1_000;

query! {
    pub struct ImportWish {
        /// The title of the column with the numbers, if Peyk does not know it or several columns may be it.
        number: Option<String> = can "number" any_text() => "mobile";
    }
}

/// `POST /phonebook/{id}/import`
pub async fn import<P: Platform>(
    context: &Context<'_, P>,
    phonebook: &str,
    query: Query<'_, ImportWish>,
    body: &mut impl Body,
) -> Result<Response, Problem> {
    let number_title = query.all()?.number;
    let file = body.read_file(MAX_FILE_BYTES).await;
    let file = file.map_err(|error| body::problem(error, MAX_FILE_BYTES))?;
    let mut import = Import::new(context, phonebook, number_title);
    match import.run(&file).await {
        Ok(()) => Success::created(import.data()).response(context),
        Err(cause) => Err(import.stopped(cause)),
    }
}

/// An import under way.
struct Import<'a, 'c, P: Platform> {
    context: &'a Context<'c, P>,
    id: &'a str,
    /// The title of the column with the numbers, if the request names it.
    number_title: Option<String>,
    phonebook: Option<Phonebook>,
    header: Option<Header>,
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
    /// How many entries are paid for.
    entries: u64,
    waited_ms: i64,
    invalid: Vec<Value>,
    invalid_count: u64,
}

impl<'a, 'c, P: Platform> Import<'a, 'c, P> {
    fn new(context: &'a Context<'c, P>, id: &'a str, number_title: Option<String>) -> Self {
        Import {
            context,
            id,
            number_title,
            phonebook: None,
            header: None,
            waiting: Entries::beside_saved(),
            waiting_lines: 0,
            line: 0,
            done: 0,
            lines: 0,
            added: 0,
            updated: 0,
            entries: 0,
            waited_ms: 0,
            invalid: Vec::new(),
            invalid_count: 0,
        }
    }

    async fn run(&mut self, file: &[u8]) -> Result<(), Problem> {
        if WORKBOOKS.iter().any(|begin| file.starts_with(begin)) {
            return Err(refused(FieldErrorKind::Workbook));
        }
        let mut decoder = Utf16::default();
        let (text, rest) = (decoder.feed(file), decoder.finish());
        if let Some(quote) = bad_quote(&text) {
            return Err(refused(FieldErrorKind::BadQuote(quote)));
        }
        let mut table = Table::default();
        for piece in text.chunks(PIECE_BYTES).chain([rest.as_slice()]) {
            self.take(table.feed(piece)).await?;
        }
        self.take(table.finish()).await?;
        if self.header.is_none() {
            return Err(refused(FieldErrorKind::EmptyFile));
        }
        self.save().await
    }

    async fn take(&mut self, lines: Vec<Line>) -> Result<(), Problem> {
        for line in lines {
            self.line = line.number;
            let Some(header) = &self.header else {
                self.header = Some(columns::read_header(line, self.number_title.as_deref())?);
                self.phonebook = Some(find(self.context, self.id).await?);
                continue;
            };
            self.lines += 1;
            let written = columns::written_number(header, &line).map(quoted);
            match columns::read_entry(header, line.fields) {
                Ok((number, details)) => {
                    self.waiting.put(number, details);
                    self.waiting_lines += 1;
                }
                Err(fault) => self.refuse(line.number, written.as_deref(), &fault),
            }
            if self.waiting.len() >= ENTRIES_A_GO || self.waiting.bytes() >= BYTES_A_GO {
                self.save().await?;
            }
        }
        Ok(())
    }

    fn refuse(&mut self, line: u64, written: Option<&str>, fault: &FieldError) {
        self.invalid_count += 1;
        if self.invalid.len() < MAX_INVALID {
            let detail = in_words(fault, self.context.request.language);
            self.invalid.push(InvalidLine::of(line, written, &detail));
        }
    }

    /// Pays for entries before they are saved: a token for each hundred of the import, of which the first is paid. While
    /// tokens are missing, it waits for them, up to a bound.
    async fn pay(&mut self, entries: u64) -> Result<(), Problem> {
        let (context, due) = (self.context, self.entries.saturating_add(entries));
        let tokens = tokens(due).saturating_sub(tokens(self.entries));
        loop {
            let wait_ms = match context.pay_more(tokens, 0).await {
                Err(Problem::TooManyRequests { retry_after_s }) => i64::from(retry_after_s).saturating_mul(1_000),
                Err(problem) => return Err(problem),
                Ok(()) => break,
            };
            if self.waited_ms.saturating_add(wait_ms) > PATIENCE_MS {
                return Err(Problem::TooManyRequests {
                    retry_after_s: u32::try_from(wait_ms / 1_000).unwrap_or(u32::MAX),
                });
            }
            self.waited_ms = self.waited_ms.saturating_add(wait_ms);
            context.platform.sleep(wait_ms).await;
        }
        self.entries = due;
        Ok(())
    }

    async fn save(&mut self) -> Result<(), Problem> {
        self.pay(self.waiting.len() as u64).await?;
        let Some(phonebook) = &mut self.phonebook else {
            return Ok(());
        };
        if !self.waiting.is_empty() {
            let waiting = std::mem::replace(&mut self.waiting, Entries::beside_saved());
            let added = waiting.save(self.context, phonebook).await?;
            self.added += added;
            self.updated += std::mem::take(&mut self.waiting_lines).saturating_sub(added);
        }
        self.done = self.line;
        Ok(())
    }

    fn data(&self) -> Value {
        let columns = self.header.as_ref().map(ImportedColumnsData::of);
        ImportedData::of(
            columns,
            self.lines,
            self.added,
            self.updated,
            self.invalid_count,
            &self.invalid,
        )
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

/// The problem of a file that is refused as a whole.
fn refused(fault: FieldErrorKind) -> Problem {
    Problem::Validation(vec![FieldError::of("file", fault)])
}

fn in_words(fault: &FieldError, language: Language) -> String {
    match fault.field() {
        field if field.is_empty() => fault.detail(language),
        field => format!("{field}: {}", fault.detail(language)),
    }
}

answer! {
    /// What has become of the file.
    pub struct ImportedData(
        columns: Option<Value>, lines: u64, added: u64, updated: u64, invalid_count: u64, invalid: &[Value]
    ) as "ImportedNumbers" {
        "columns": columns, declared::<ImportedColumnsData>();
        /// How many lines the file has behind the one with the titles. Lines without anything do not count.
        "lines": lines, count();
        /// How many numbers are new.
        "added": added, count();
        /// How many were there.
        "updated": updated, count();
        /// How many lines were refused.
        "invalidCount": invalid_count, count();
        /// The first 1,000 lines that were refused.
        "invalid": invalid, list(InvalidLine::schema(), 0, MAX_INVALID);
    }

    pub struct InvalidLine(line: u64, written: Option<&str>, detail: &str) {
        /// The line of the file, from 1.
        "line": line, integer(2, MAX_INTEGER);
        /// What stands in the column of the numbers, 64 characters at most.
        "value": written, any_text().or_null() => "0912123456";
        /// What is wrong with it.
        "detail": detail, any_text() => "number: is not a valid phone number";
    }
}
