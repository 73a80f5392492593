//! Values of SQLite as one text, so that all values of a statement cross between WebAssembly and JavaScript at once.
//! `src/platform/crossings.mjs` reads and writes the same.
//!
//! A head, a line feed, and then the texts, one after the other. In the head, each value ends with a comma: a number is its digits,
//! a text is a `"` and its length in UTF-16 units, NULL is nothing. Before the values of rows stands the number of columns.

use crate::base::ports::{MAX_INTEGER, PortError, Row, Value};

/// Writes the parameters of a statement. Without any, the text is empty.
pub fn write_params(params: &[Value]) -> Result<String, PortError> {
    let texts = params.iter().filter_map(|param| match param {
        Value::Text(text) => Some(text.as_str()),
        Value::Int(_) | Value::Null => None,
    });
    let bytes: usize = texts.clone().map(str::len).sum();
    let mut written = String::with_capacity(bytes + 20 * params.len());
    for param in params {
        match param {
            Value::Null => {}
            Value::Int(number) if number.unsigned_abs() <= MAX_INTEGER.unsigned_abs() => {
                written.push_str(itoa::Buffer::new().format(*number));
            }
            Value::Int(number) => return Err(PortError::OutOfRange(*number)),
            Value::Text(text) => {
                written.push('"');
                written.push_str(itoa::Buffer::new().format(units(text)));
            }
        }
        written.push(',');
    }
    if !params.is_empty() {
        written.push('\n');
        written.extend(texts);
    }
    Ok(written)
}

/// Reads the rows that a statement gave.
pub fn read_rows(text: &str) -> Result<Vec<Row>, PortError> {
    let (head, mut texts) = text.split_once('\n').ok_or_else(unreadable)?;
    let mut values = head.split_terminator(',');
    let columns: usize = values
        .next()
        .and_then(|columns| columns.parse().ok())
        .ok_or_else(unreadable)?;
    let (mut rows, mut row) = (Vec::new(), Vec::with_capacity(columns));
    for value in values {
        row.push(read_value(row.len(), value, &mut texts)?);
        if row.len() == columns {
            rows.push(Row(std::mem::replace(&mut row, Vec::with_capacity(columns))));
        }
    }
    Ok(rows)
}

/// Reads a value of the head. If it is a text, takes it from the beginning of `texts`.
fn read_value(column: usize, value: &str, texts: &mut &str) -> Result<Value, PortError> {
    if value.is_empty() {
        return Ok(Value::Null);
    }
    if let Some(units) = value.strip_prefix('"') {
        let units = units.parse().map_err(|_| unreadable())?;
        let (text, rest) = split_at_units(texts, units).ok_or_else(unreadable)?;
        *texts = rest;
        return Ok(Value::Text(text.to_owned()));
    }
    let number = value.parse::<i64>().ok();
    number
        .filter(|number| number.unsigned_abs() <= MAX_INTEGER.unsigned_abs())
        .map(Value::Int)
        .ok_or(PortError::Shape {
            column,
            expected: "an integer within 2^53, a text or NULL",
        })
}

fn unreadable() -> PortError {
    PortError::failed("sql", "rows that can't be read")
}

/// The length of a text in UTF-16 units, as JavaScript counts.
fn units(text: &str) -> usize {
    if text.is_ascii() {
        text.len()
    } else {
        text.chars().map(char::len_utf16).sum()
    }
}

/// Splits a text after so many UTF-16 units.
fn split_at_units(text: &str, units: usize) -> Option<(&str, &str)> {
    if text.get(..units).is_some_and(str::is_ascii) {
        return text.split_at_checked(units);
    }
    let mut left = units;
    let end = text.char_indices().find(|(_, next)| {
        let is_end = left == 0;
        left = left.saturating_sub(next.len_utf16());
        is_end
    });
    text.split_at_checked(end.map_or(text.len(), |(at, _)| at))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn value() -> impl Strategy<Value = Value> {
        prop_oneof![
            Just(Value::Null),
            (-MAX_INTEGER..=MAX_INTEGER).prop_map(Value::Int),
            "[a-z,\"\n]{0,5}".prop_map(Value::Text),
            any::<String>().prop_map(Value::Text),
        ]
    }

    #[test]
    fn values_cross_as_one_text() {
        let params = [Value::Int(-7), Value::Null, "a,\n\"".into(), "سلام 😀".into()];
        assert_eq!(write_params(&params).unwrap(), "-7,,\"4,\"7,\na,\n\"سلام 😀");
        assert_eq!(write_params(&[]).unwrap(), "");
        let row = |values: [Value; 2]| Row(values.to_vec());
        assert_eq!(
            read_rows("2,1,\"1,,\"2,\nb😀").unwrap(),
            [row([Value::Int(1), "b".into()]), row([Value::Null, "😀".into()])]
        );
    }

    #[test]
    fn what_is_no_value_of_peyk_is_refused() {
        assert!(matches!(
            write_params(&[Value::Int(MAX_INTEGER + 1)]),
            Err(PortError::OutOfRange(_))
        ));
        for number in ["1.5", "9007199254740992", "1e+21", "Infinity", "[object ArrayBuffer]"] {
            let read = read_rows(&format!("2,1,{number},\n"));
            assert!(matches!(read, Err(PortError::Shape { column: 1, .. })), "{number}");
        }
        for text in ["", "\n", "x,\n", "1,\"x,\n"] {
            assert!(matches!(read_rows(text), Err(PortError::Failed { .. })), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(values in proptest::collection::vec(value(), 1..8)) {
            let written = write_params(&values).unwrap();
            let rows = read_rows(&format!("{},{written}", values.len())).unwrap();
            prop_assert_eq!(rows, [Row(values)]);
        }
    }
}
