//! Lookup v2: whether a number can be one, and how it is written. It asks nobody, and says nothing of who has the number.

use serde_json::{Value, json};
use sms::msisdn::{Msisdn, Operator, digit};

use super::call::{Asked, Told};
use super::errors::Fault;
use crate::api::doors::own::Own;
use crate::api::doors::params::{Params, decoded_segment};
use crate::base::ports::Platform;

/// The country of numbers that are written without a code.
const HOME: &str = "IR";
/// Iran's country code, in front of ten digits.
const HOME_CODE: u64 = 98;
const NATIONAL_DIGITS: u64 = 10_000_000_000;
/// The fewest and the most digits of a number.
const DIGITS: std::ops::RangeInclusive<usize> = 8..=15;
/// The first digits of the country codes that have two (ITU-T E.164). Those of one digit are 1 and 7, and the others have three.
const OF_TWO_DIGITS: [u64; 43] = [
    20, 27, 30, 31, 32, 33, 34, 36, 39, 40, 41, 43, 44, 45, 46, 47, 48, 49, 51, 52, 53, 54, 55, 56, 57, 58, 60, 61, 62,
    63, 64, 65, 66, 81, 82, 84, 86, 90, 91, 92, 93, 94, 95,
];

/// `GET /v2/PhoneNumbers/{number}`
pub async fn read<P: Platform>(own: &Own<'_, P>, asked: &Asked<'_>, segment: &str) -> Result<Told, Fault> {
    own.check_key().await?;
    let params = Params::of_query(&asked.head.query);
    let written = decoded_segment(segment);
    let country = params.get("countrycode").unwrap_or(HOME);
    let is_whole = written.starts_with('+') || written.starts_with("00");
    let number = match Msisdn::parse(&written) {
        Ok(number) if is_whole || country.eq_ignore_ascii_case(HOME) => Ok(number),
        Ok(_) => Err("INVALID_COUNTRY_CODE"),
        Err(_) => Err(error_of(&written)),
    };
    let found = match number {
        Ok(number) => valid(asked, &params, number),
        Err(error) => invalid(asked, segment, &written, error),
    };
    Ok(Told::found(&found))
}

/// What is wrong with a text that is no number.
fn error_of(text: &str) -> &'static str {
    let digits = text.chars().filter(|char| digit(*char).is_some()).count();
    match digits {
        0 => "NOT_A_NUMBER",
        few if few < *DIGITS.start() => "TOO_SHORT",
        many if many > *DIGITS.end() => "TOO_LONG",
        _ => "INVALID_LENGTH",
    }
}

fn valid(asked: &Asked<'_>, params: &Params, number: Msisdn) -> Value {
    let is_home = code_of(number.get()) == HOME_CODE;
    let wants_type = params.items("fields").contains(&"line_type_intelligence");
    record(json!({
        "valid": true,
        "validation_errors": [],
        "calling_country_code": code_of(number.get()).to_string(),
        "country_code": is_home.then_some(HOME),
        "phone_number": number.to_e164(),
        "national_format": is_home.then(|| national(number)),
        "line_type_intelligence": wants_type.then(|| line_type(number)).flatten(),
        "url": asked.url(&format!("/v2/PhoneNumbers/{number}")),
    }))
}

fn invalid(asked: &Asked<'_>, segment: &str, written: &str, error: &str) -> Value {
    record(json!({
        "valid": false,
        "validation_errors": [error],
        "calling_country_code": null,
        "country_code": null,
        "phone_number": written,
        "national_format": null,
        "line_type_intelligence": null,
        "url": asked.url(&format!("/v2/PhoneNumbers/{segment}")),
    }))
}

/// A record with what the provider sells beside it, which nobody here knows.
fn record(mut known: Value) -> Value {
    let unknown = [
        "caller_name",
        "sim_swap",
        "call_forwarding",
        "line_status",
        "identity_match",
        "reassigned_number",
        "sms_pumping_risk",
        "phone_number_quality_score",
        "pre_fill",
    ];
    if let Some(members) = known.as_object_mut() {
        members.extend(unknown.map(|name| (name.to_owned(), Value::Null)));
    }
    known
}

/// The country code of a number.
fn code_of(number: u64) -> u64 {
    let digits = number.checked_ilog10().unwrap_or_default().saturating_add(1);
    let first = |count: u32| number / 10_u64.saturating_pow(digits.saturating_sub(count));
    match (first(1), first(2)) {
        (one @ (1 | 7), _) => one,
        (_, two) if two == HOME_CODE || OF_TWO_DIGITS.contains(&two) => two,
        _ => first(3),
    }
}

/// A number of Iran as people write it there: `0912 123 4567`, `021 1234 5678`.
fn national(number: Msisdn) -> String {
    let digits = format!("0{}", number.get() % NATIONAL_DIGITS);
    let is_mobile = digits.starts_with("09");
    let (first, rest) = digits
        .split_at_checked(if is_mobile { 4 } else { 3 })
        .unwrap_or_default();
    let (second, third) = rest.split_at_checked(if is_mobile { 3 } else { 4 }).unwrap_or_default();
    format!("{first} {second} {third}")
}

/// The operator that has issued a number, by its prefix. `None`: nobody knows it.
fn line_type(number: Msisdn) -> Option<Value> {
    let network = match number.operator() {
        Operator::Mci => "11",
        Operator::Mtn => "35",
        Operator::Other => return None,
    };
    Some(json!({
        "error_code": null,
        "mobile_country_code": "432",
        "mobile_network_code": network,
        "carrier_name": number.operator().as_str(),
        "type": "mobile",
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_country_code_stands_in_front() {
        for (number, code) in [
            (989_121_234_567, 98),
            (12_025_550_123, 1),
            (79_161_234_567, 7),
            (447_911_123_456, 44),
            (971_501_234_567, 971),
            (93_700_123_456, 93),
            (9_647_901_234_567, 964),
            (35_312_345_678, 353),
            (0, 0),
        ] {
            assert_eq!(code_of(number), code, "{number}");
        }
    }

    #[test]
    fn numbers_of_iran_are_written_as_there() {
        let written = |text: &str| national(Msisdn::parse(text).unwrap());
        assert_eq!(written("+989121234567"), "0912 123 4567");
        assert_eq!(written("02112345678"), "021 1234 5678");
    }
}
