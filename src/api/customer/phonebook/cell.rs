//! The phone number in a cell of a spreadsheet, and what a spreadsheet has made of one.

use sms::msisdn::{Msisdn, digit};

use crate::api::http::json_fields::phone_number;
use crate::problem::field_error::FieldErrorKind;

/// What people write between several numbers of one cell.
const BETWEEN: [char; 13] = ['-', '–', '—', '_', '/', '\\', '|', ',', '،', ';', '؛', '\n', 'و'];

/// Reads the number of a cell.
pub fn number(cell: &str) -> Result<Msisdn, FieldErrorKind> {
    let text = as_text(cell);
    phone_number(text).map_err(|fault| match text {
        _ if is_scientific(text) => FieldErrorKind::Scientific,
        _ if is_decimal(text) => FieldErrorKind::Decimal,
        _ if has_several(text) => FieldErrorKind::SeveralNumbers,
        _ => fault,
    })
}

/// A number of which a spreadsheet was told that it is a text: `'0912…` or `="0912…"`.
fn as_text(cell: &str) -> &str {
    let formula = cell.strip_prefix("=\"").and_then(|cell| cell.strip_suffix('"'));
    formula.unwrap_or(cell.strip_prefix('\'').unwrap_or(cell))
}

fn are_digits(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|character| digit(character).is_some())
}

/// A number with decimals, as its whole part and its decimals.
fn decimal(text: &str) -> Option<(&str, &str)> {
    let (whole, decimals) = text.split_once(['.', '٫'])?;
    (are_digits(whole) && are_digits(decimals)).then_some((whole, decimals))
}

/// Whether a spreadsheet has written the number as `9.12E+09`.
fn is_scientific(text: &str) -> bool {
    let Some((number, exponent)) = text.split_once(['E', 'e']) else {
        return false;
    };
    (are_digits(number) || decimal(number).is_some()) && are_digits(exponent.strip_prefix('+').unwrap_or(exponent))
}

/// Whether it has decimals that are not 0. More than two digits behind a point are a group of them, as in `0912.1234567`.
fn is_decimal(text: &str) -> bool {
    decimal(text).is_some_and(|(_, decimals)| {
        decimals.chars().count() <= 2 && decimals.chars().any(|character| digit(character) != Some(0))
    })
}

/// Whether the same separator stands between phone numbers.
fn has_several(text: &str) -> bool {
    BETWEEN.iter().any(|between| {
        let parts = text.split(*between).map(str::trim).filter(|part| !part.is_empty());
        let numbers: Vec<bool> = parts.map(|part| Msisdn::parse(part).is_ok()).collect();
        numbers.len() > 1 && numbers.iter().all(|is_number| *is_number)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_read_as_spreadsheets_write_it() {
        for cell in [
            "09121110071",
            "'09121110071",
            "=\"09121110071\"",
            "9121110071.0",
            "۰۹۱۲-۱۱۱-۰۰۷۱",
        ] {
            assert_eq!(
                number(cell).map(Msisdn::to_e164).as_deref(),
                Ok("+989121110071"),
                "{cell}"
            );
        }
    }

    #[test]
    fn what_is_no_number_says_what_has_become_of_it() {
        for (cell, fault) in [
            ("9.12E+09", FieldErrorKind::Scientific),
            ("9.121110071E9", FieldErrorKind::Scientific),
            ("9e9", FieldErrorKind::Scientific),
            ("۹٫۱۲E+۰۹", FieldErrorKind::Scientific),
            ("9121110003.5", FieldErrorKind::Decimal),
            ("۹۱۲۱۱۱۰۰۰۳٫۲۵", FieldErrorKind::Decimal),
            ("09121110071 - 09121110072", FieldErrorKind::SeveralNumbers),
            ("0912-111-0071 / 0912-111-0072", FieldErrorKind::SeveralNumbers),
            ("09121110071،09121110072،", FieldErrorKind::SeveralNumbers),
            ("09121110071\r\n+989121110072", FieldErrorKind::SeveralNumbers),
            ("09121110071 و 09121110072", FieldErrorKind::SeveralNumbers),
            ("912111001.0", FieldErrorKind::NotAPhoneNumber),
            ("0912.12345678", FieldErrorKind::NotAPhoneNumber),
            ("Elle", FieldErrorKind::NotAPhoneNumber),
            ("E", FieldErrorKind::NotAPhoneNumber),
            ("12", FieldErrorKind::NotAPhoneNumber),
            ("09121110071-12", FieldErrorKind::NotAPhoneNumber),
        ] {
            assert_eq!(number(cell), Err(fault), "{cell:?}");
        }
    }
}
