//! Reads CSV in pieces, in the forms that common programs write: with or without a byte order mark and quotes, with
//! commas, semicolons or tabs, and with any line ends. This module does not know what a line means.
//!
//! `csv-core` parses the format itself. The invariant: the reader holds at most one line and the current piece, however
//! long the file is.
//!
//! A spreadsheet takes a cell for a formula if it begins with certain characters, and a formula can send data away. So
//! [`guarded`] puts an apostrophe in front of such a text, and the reader takes it away again.

use std::borrow::Cow;

use csv_core::{ReadRecordResult, Reader, ReaderBuilder};

/// The most bytes that the fields of one line may have together.
const MAX_LINE_BYTES: usize = 16 * 1024;
/// The most fields that one line may have.
const MAX_FIELDS: usize = 64;
/// The most lines that a value between quotes may have: a value of a phonebook has room for fewer.
const MAX_QUOTED_LINES: u64 = 1_024;
/// What says at the beginning of a file that it is UTF-8.
pub const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// One row of a table. A row with quoted line ends covers several lines of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The number of the line in the file, from 1. A row over several lines has the number of its first line.
    pub number: u64,
    /// The fields, without surrounding white space and without the apostrophe of [`guarded`].
    pub fields: Result<Vec<String>, Unreadable>,
}

impl Line {
    fn has_anything(&self) -> bool {
        self.fields
            .as_ref()
            .map_or(true, |fields| fields.iter().any(|field| !field.is_empty()))
    }
}

/// The reason why a line could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unreadable {
    /// The line is too long or has too many fields.
    TooLong,
    /// The line is not UTF-8.
    NotUtf8,
}

/// Reads a table from pieces of its bytes.
pub struct Table {
    /// The bytes before the first line was complete. The first line decides the delimiter.
    head: Vec<u8>,
    reader: Option<Reader>,
    fields: Vec<u8>,
    ends: Vec<usize>,
    filled: usize,
    ended: usize,
    is_too_long: bool,
    /// The line of the next byte.
    line: u64,
    /// The first line of the current row.
    began: Option<u64>,
    /// Whether the previous byte was `\r`. A `\n` after it belongs to the same line end.
    after_return: bool,
}

impl Default for Table {
    fn default() -> Self {
        Table {
            head: Vec::new(),
            reader: None,
            fields: vec![0; MAX_LINE_BYTES],
            ends: vec![0; MAX_FIELDS],
            filled: 0,
            ended: 0,
            is_too_long: false,
            line: 1,
            began: None,
            after_return: false,
        }
    }
}

impl Table {
    /// Returns the rows that this piece completes. Skips rows without anything.
    pub fn feed(&mut self, piece: &[u8]) -> Vec<Line> {
        if self.reader.is_some() {
            return self.rows(piece);
        }
        self.head.extend_from_slice(piece);
        if Opening::of(&self.head).is_whole || self.head.len() > MAX_LINE_BYTES {
            self.begin()
        } else {
            Vec::new()
        }
    }

    /// Returns the rows that the end of the file completes.
    pub fn finish(&mut self) -> Vec<Line> {
        let mut rows = match self.reader {
            Some(_) => Vec::new(),
            None => self.begin(),
        };
        // An empty piece tells the reader that the file has ended.
        while let Some(row) = self.row(&[]).1 {
            rows.push(row);
        }
        rows.retain(Line::has_anything);
        rows
    }

    fn begin(&mut self) -> Vec<Line> {
        let head = std::mem::take(&mut self.head);
        let opening = Opening::of(&head);
        self.reader = Some(ReaderBuilder::new().delimiter(opening.delimiter).build());
        let (before, text) = head.split_at_checked(opening.begin).unwrap_or((&[], &head));
        self.count_lines(before);
        self.began = None;
        self.rows(text)
    }

    fn rows(&mut self, mut piece: &[u8]) -> Vec<Line> {
        let mut rows = Vec::new();
        while !piece.is_empty() {
            let (used, row) = self.row(piece);
            rows.extend(row.filter(Line::has_anything));
            piece = piece.get(used..).unwrap_or_default();
        }
        rows
    }

    /// Reads to the end of a row or of the piece. Returns the number of bytes read and the row, if it is complete.
    fn row(&mut self, piece: &[u8]) -> (usize, Option<Line>) {
        let mut used = 0;
        loop {
            let rest = piece.get(used..).unwrap_or_default();
            let (Some(reader), Some(fields), Some(ends)) = (
                &mut self.reader,
                self.fields.get_mut(self.filled..),
                self.ends.get_mut(self.ended..),
            ) else {
                return (piece.len(), None);
            };
            let (result, read, filled, ended) = reader.read_record(rest, fields, ends);
            self.count_lines(rest.get(..read).unwrap_or_default());
            used += read;
            self.filled += filled;
            self.ended += ended;
            match result {
                ReadRecordResult::InputEmpty if !piece.is_empty() => return (used, None),
                ReadRecordResult::InputEmpty => {}
                ReadRecordResult::OutputFull | ReadRecordResult::OutputEndsFull => {
                    self.is_too_long = true;
                    (self.filled, self.ended) = (0, 0);
                }
                ReadRecordResult::Record => return (used, Some(self.take_row())),
                ReadRecordResult::End => return (used, None),
            }
        }
    }

    fn count_lines(&mut self, bytes: &[u8]) {
        for byte in bytes {
            if self.began.is_none() && !is_line_end(*byte) {
                self.began = Some(self.line);
            }
            let is_second_half = *byte == b'\n' && self.after_return;
            if is_line_end(*byte) && !is_second_half {
                self.line += 1;
            }
            self.after_return = *byte == b'\r';
        }
    }

    fn take_row(&mut self) -> Line {
        let number = self.began.take().unwrap_or(self.line);
        let fields = if std::mem::take(&mut self.is_too_long) {
            Err(Unreadable::TooLong)
        } else {
            self.texts()
        };
        (self.filled, self.ended) = (0, 0);
        Line { number, fields }
    }

    fn texts(&self) -> Result<Vec<String>, Unreadable> {
        let mut start = 0;
        let ends = self.ends.get(..self.ended).unwrap_or_default();
        ends.iter()
            .map(|end| {
                let field = self.fields.get(start..*end).unwrap_or_default();
                start = *end;
                let text = std::str::from_utf8(field).map_err(|_| Unreadable::NotUtf8)?;
                Ok(unguarded(text.trim()).to_owned())
            })
            .collect()
    }
}

fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\r' | b'\n')
}

/// What stands before the first row of a file, and what its first row tells.
struct Opening {
    /// Where the first row begins: behind a byte order mark, empty lines, and a line such as `sep=;`.
    begin: usize,
    delimiter: u8,
    /// Whether the first row is there as a whole.
    is_whole: bool,
}

impl Opening {
    fn of(file: &[u8]) -> Opening {
        let mut begin = if file.starts_with(BYTE_ORDER_MARK) {
            BYTE_ORDER_MARK.len()
        } else {
            0
        };
        let mut named = None;
        loop {
            let rest = file.get(begin..).unwrap_or_default();
            let end = rest.iter().position(|byte| is_line_end(*byte));
            let line = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
            let separator = named_delimiter(line).filter(|_| named.is_none());
            match end {
                Some(end) if separator.is_some() || line.trim_ascii().is_empty() => {
                    named = named.or(separator);
                    begin += end + 1;
                }
                _ => {
                    return Opening {
                        begin,
                        delimiter: named.unwrap_or_else(|| delimiter(line)),
                        is_whole: end.is_some(),
                    };
                }
            }
        }
    }
}

/// The delimiter of a line that names it for Excel, as `sep=;` does.
fn named_delimiter(line: &[u8]) -> Option<u8> {
    let quoted = line.strip_prefix(b"\"").and_then(|line| line.strip_suffix(b"\""));
    match quoted.unwrap_or(line).split_at_checked(4)? {
        (name, [delimiter @ (b',' | b';' | b'\t')]) if name.eq_ignore_ascii_case(b"sep=") => Some(*delimiter),
        _ => None,
    }
}

/// A quote that swallows the lines behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BadQuote {
    /// The line of the file in which it opens, from 1.
    pub line: u64,
    /// The line in which it closes, with more than a delimiter behind it. `None`: it does not close, or its value is too long.
    pub closed: Option<u64>,
}

/// The first quote of a file that does not close by its end, or within the lines and bytes that a value may have, and the first
/// one around a value over several lines behind which more than a delimiter stands.
pub fn bad_quote(file: &[u8]) -> Option<BadQuote> {
    let opening = Opening::of(file);
    let (before, text) = file.split_at_checked(opening.begin)?;
    let mut quotes = Quotes {
        delimiter: opening.delimiter,
        line: 1,
        after_return: false,
        place: Place::Start,
    };
    before.iter().for_each(|byte| quotes.count(*byte));
    text.iter()
        .find_map(|byte| quotes.next(*byte))
        .or_else(|| quotes.unclosed())
}

/// Where the quotes of a file open and close, byte by byte, as `csv-core` reads them.
struct Quotes {
    delimiter: u8,
    /// The line of the next byte.
    line: u64,
    after_return: bool,
    place: Place,
}

/// Where in a value the next byte stands.
#[derive(Clone, Copy)]
enum Place {
    /// At its begin.
    Start,
    /// In a value without quotes.
    Plain,
    /// Between quotes that began in this line, after so many bytes.
    Quoted(u64, usize),
    /// Behind a quote that closes the value, or is the first of two.
    Closing(u64, usize),
    /// Behind a value over several lines that began in this line.
    Behind(u64),
}

impl Quotes {
    /// Reads a byte. Returns the quote that it shows to be bad.
    fn next(&mut self, byte: u8) -> Option<BadQuote> {
        let is_end = byte == self.delimiter || is_line_end(byte);
        let line = self.line;
        let (place, fault) = match self.place {
            Place::Quoted(began, length) if byte == b'"' => (Place::Closing(began, length), None),
            Place::Quoted(began, length) | Place::Closing(began, length)
                if byte == b'"' || matches!(self.place, Place::Quoted(..)) =>
            {
                let is_over =
                    line.saturating_sub(began) >= MAX_QUOTED_LINES || (length >= MAX_LINE_BYTES && line > began);
                let fault = is_over.then_some(BadQuote {
                    line: began,
                    closed: None,
                });
                (Place::Quoted(began, length.saturating_add(1)), fault)
            }
            _ if is_end => (Place::Start, None),
            Place::Start if byte == b'"' => (Place::Quoted(line, 0), None),
            Place::Closing(began, _) | Place::Behind(began) if began < line => {
                let fault = (!byte.is_ascii_whitespace()).then_some(BadQuote {
                    line: began,
                    closed: Some(line),
                });
                (Place::Behind(began), fault)
            }
            _ => (Place::Plain, None),
        };
        self.place = place;
        self.count(byte);
        fault
    }

    /// The quote that is open at the end of the file.
    fn unclosed(&self) -> Option<BadQuote> {
        match self.place {
            Place::Quoted(line, _) => Some(BadQuote { line, closed: None }),
            _ => None,
        }
    }

    fn count(&mut self, byte: u8) {
        let is_second_half = byte == b'\n' && self.after_return;
        self.line += u64::from(is_line_end(byte) && !is_second_half);
        self.after_return = byte == b'\r';
    }
}

/// The delimiter of a table: the one that occurs most often in its first line, outside quotes.
fn delimiter(line: &[u8]) -> u8 {
    let mut is_quoted = false;
    let mut counts = [(b',', 0), (b';', 0), (b'\t', 0)];
    for byte in line {
        is_quoted ^= *byte == b'"';
        let count = counts.iter_mut().find(|(delimiter, _)| delimiter == byte);
        if let Some((_, count)) = count.filter(|_| !is_quoted) {
            *count += 1;
        }
    }
    // If counts are equal, the earlier delimiter in `counts` wins. In a table of one column all counts are 0, so the
    // comma wins.
    let best = counts.iter().rev().max_by_key(|(_, count)| *count);
    best.map_or(b',', |(delimiter, _)| *delimiter)
}

/// Whether a spreadsheet may take a text for a formula, or would if the apostrophes in front of it were not there.
fn is_like_formula(text: &str) -> bool {
    let marks = ['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠'];
    text.trim_start_matches('\'').starts_with(marks)
}

/// A text as a cell shows it as text: with an apostrophe in front, if a spreadsheet may take it for a formula. A text that
/// has apostrophes in front of a formula gets one more, so that the reader gives every text back as it was.
pub fn guarded(text: &str) -> Cow<'_, str> {
    if is_like_formula(text) {
        Cow::Owned(format!("'{text}"))
    } else {
        Cow::Borrowed(text)
    }
}

/// A text without the apostrophe of [`guarded`].
fn unguarded(text: &str) -> &str {
    let rest = text.strip_prefix('\'').filter(|rest| is_like_formula(rest));
    rest.unwrap_or(text)
}

/// Writes one row, with commas and `\n`. Quotes a field only if it must. It must quote the other delimiters too, because the
/// reader would take one of them for the table's.
pub fn write_row<'a>(out: &mut Vec<u8>, fields: impl IntoIterator<Item = &'a str>) {
    for (index, field) in fields.into_iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        if field.contains(['"', ',', ';', '\t', '\r', '\n']) {
            out.extend_from_slice(format!("\"{}\"", field.replace('"', "\"\"")).as_bytes())
        } else {
            out.extend_from_slice(field.as_bytes())
        }
    }
    out.push(b'\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(pieces: &[&[u8]]) -> Vec<Line> {
        let mut table = Table::default();
        let mut rows: Vec<Line> = pieces.iter().flat_map(|piece| table.feed(piece)).collect();
        rows.extend(table.finish());
        rows
    }

    fn lines(text: &str) -> Vec<(u64, Vec<String>)> {
        let rows = read(&[text.as_bytes()]);
        rows.into_iter().map(|row| (row.number, row.fields.unwrap())).collect()
    }

    fn line(number: u64, fields: &[&str]) -> (u64, Vec<String>) {
        (number, fields.iter().map(|field| (*field).to_owned()).collect())
    }

    #[test]
    fn tables_come_with_any_delimiter_line_end_and_mark() {
        let wanted = [
            line(1, &["number", "name"]),
            line(2, &["1", "a, b"]),
            line(3, &["2", ""]),
        ];
        for text in [
            "number,name\n1,\"a, b\"\n2,\n",
            "number,name\r\n1,\"a, b\"\r\n2,",
            "\u{feff}number;name\n1;a, b\n2;\n",
            "number\tname\n1\ta, b\n2\t",
        ] {
            assert_eq!(lines(text), wanted, "{text:?}");
        }
        assert_eq!(lines(""), []);
        assert_eq!(lines("\u{feff}"), []);
        assert_eq!(lines("number"), [line(1, &["number"])]);
    }

    #[test]
    fn lines_keep_their_numbers_over_empty_lines_and_quoted_ends() {
        let text = "n\n\n\r\n1\n\"a\nb\"\n2";
        assert_eq!(
            lines(text),
            [line(1, &["n"]), line(4, &["1"]), line(5, &["a\nb"]), line(7, &["2"])]
        );
        assert_eq!(lines("\"a \"\"b\"\"\" , c \n"), [line(1, &["a \"b\"", "c"])]);
        assert_eq!(lines("n\r\r1\r2"), [line(1, &["n"]), line(3, &["1"]), line(4, &["2"])]);
    }

    #[test]
    fn a_line_without_end_is_told_and_the_rest_is_read() {
        let long = format!(
            "n\n{}\n1\n{}\n2",
            "x".repeat(MAX_LINE_BYTES + 1),
            ",".repeat(MAX_FIELDS + 1)
        );
        let rows = read(&[long.as_bytes()]);
        assert_eq!(rows[1].fields, Err(Unreadable::TooLong));
        assert_eq!(rows[2].fields, Ok(vec!["1".to_owned()]));
        assert_eq!(rows[3].fields, Err(Unreadable::TooLong));
        assert_eq!((rows[4].number, rows[4].fields.clone()), (5, Ok(vec!["2".to_owned()])));
    }

    #[test]
    fn a_bad_quote_is_told_by_the_lines_in_which_it_opens_and_closes() {
        let long = |lines: usize| format!("n\n\"1{}\"\n", "\n2".repeat(lines));
        let unclosed = |line| Some(BadQuote { line, closed: None });
        let closed = |line, closed| {
            let closed = Some(closed);
            Some(BadQuote { line, closed })
        };
        for (file, bad) in [
            ("n\n\"Ali\n1,Sara\n2".to_owned(), unclosed(2)),
            ("n\r\n\r\n1\r\n\"Ali\r\n1,Sara\r\n".to_owned(), unclosed(4)),
            ("\u{feff}sep=;\nn;m\n1;\"Ali".to_owned(), unclosed(3)),
            ("n,m\n1,\"Ali\n2,\"Sara\"\n".to_owned(), closed(2, 3)),
            ("n,m\n1,\"Ali\n\n Reza\" x,2\n".to_owned(), closed(2, 4)),
            ("n,m\n1,\"Ali\n2,Sara \"best\"\n".to_owned(), closed(2, 3)),
            ("\"n,m\n1,Ali\n".to_owned(), unclosed(1)),
            (long(1_024), unclosed(2)),
            (format!("n\n\"a\n{}\"", "x".repeat(MAX_LINE_BYTES)), unclosed(2)),
            (long(1_023), None),
            ("n,m\n1,\"a \"\"b\"\"\nc\" \t,2\n\"\",\"\"\"\"\n".to_owned(), None),
            ("n,m\n1,5\" pipe\n2,\"Ali\" Reza\n3, \"x\n".to_owned(), None),
            ("n,m\n1,\"end\"".to_owned(), None),
            (String::new(), None),
        ] {
            assert_eq!(bad_quote(file.as_bytes()), bad, "{file:.60}");
        }
    }

    #[test]
    fn a_table_may_begin_behind_empty_lines_and_the_name_of_its_delimiter() {
        for (text, first) in [
            ("\n\r\n n;\"m,o\"\n1;2\n", 3),
            ("sep=;\nn;m,o\n1;2", 2),
            ("\u{feff}\"SEP=;\"\r\n\r\nn;m,o\r\n1;2;\r\n;;\r\n", 3),
            (";;\nn;m,o\n1;2\n", 2),
        ] {
            let rows = lines(text);
            assert_eq!(rows[0], line(first, &["n", "m,o"]), "{text:?}");
            assert_eq!(
                (rows.len(), rows[1].0, &rows[1].1[..2]),
                (2, first + 1, &line(0, &["1", "2"]).1[..]),
                "{text:?}"
            );
        }
        let pieces: Vec<&[u8]> = b"\nsep=;\nn;m\n1;2".chunks(1).collect();
        assert_eq!(read(&pieces).len(), 2);
    }

    #[test]
    fn bytes_that_are_no_text_spoil_only_their_line() {
        let rows = read(&[b"n\n\xc7\xe1\n1\n"]);
        assert_eq!(rows[1].fields, Err(Unreadable::NotUtf8));
        assert_eq!(rows[2].fields, Ok(vec!["1".to_owned()]));
    }

    #[test]
    fn a_formula_is_written_as_text() {
        for (text, written) in [
            ("=1+1", "'=1+1"),
            ("+98", "'+98"),
            ("-5", "'-5"),
            ("@x", "'@x"),
            ("\t=x", "'\t=x"),
            ("\r=x", "'\r=x"),
            ("＝x", "'＝x"),
            ("'=x", "''=x"),
            ("''-", "'''-"),
            ("'s", "'s"),
            ("a=b", "a=b"),
            ("'", "'"),
            ("", ""),
        ] {
            assert_eq!(guarded(text), written);
            assert_eq!(unguarded(written), text);
        }
        assert_eq!(unguarded("=1"), "=1", "a file of others may have formulas");
    }

    fn table() -> impl Strategy<Value = Vec<Vec<String>>> {
        let field = "[a-z\",;\\n آب]{1,6}[a-z]";
        (1usize..5).prop_flat_map(move |width| prop::collection::vec(prop::collection::vec(field, width), 1..20))
    }

    proptest! {
        #[test]
        fn every_text_is_given_back(text in "['=+@\t\r＝a-]{0,6}|\\PC{0,12}") {
            let written = guarded(&text);
            prop_assert_eq!(unguarded(&written), &text);
            prop_assert!(written.starts_with('\'') || !is_like_formula(&text));
        }

        #[test]
        fn no_text_of_a_header_is_taken_for_its_delimiter(names in prop::collection::vec("[a,;\t\"'=]{0,8}", 1..5)) {
            let fields = || ["number", "name"].into_iter().chain(names.iter().map(String::as_str));
            let mut bytes = Vec::new();
            write_row(&mut bytes, fields());
            let wanted: Vec<&str> = fields().map(|field| unguarded(field.trim())).collect();
            prop_assert_eq!(read(&[&bytes])[0].fields.clone().unwrap(), wanted);
        }

        #[test]
        fn what_is_written_is_read_again_however_it_is_cut(mut rows in table(), cuts in prop::collection::vec(0usize..400, 0..8)) {
            // The first line decides the delimiter, so it is a plain header.
            let width = rows[0].len();
            rows.insert(0, (0..width).map(|column| format!("column{column}")).collect());
            let mut bytes = Vec::new();
            for row in &rows {
                write_row(&mut bytes, row.iter().map(String::as_str));
            }
            prop_assert_eq!(bad_quote(&bytes), None);
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut % (bytes.len() + 1)).collect();
            cuts.extend([0, bytes.len()]);
            cuts.sort_unstable();
            let pieces: Vec<&[u8]> = cuts.windows(2).map(|cut| &bytes[cut[0]..cut[1]]).collect();
            let again: Vec<Vec<String>> = read(&pieces).into_iter().map(|row| row.fields.unwrap()).collect();
            let trimmed = |row: &Vec<String>| row.iter().map(|field| field.trim().to_owned()).collect::<Vec<_>>();
            prop_assert_eq!(again, rows.iter().map(trimmed).collect::<Vec<_>>());
        }
    }
}
