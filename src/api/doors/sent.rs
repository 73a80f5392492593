//! The answer of a send, in the order in which a request names its recipients.

use std::collections::BTreeMap;

use serde_json::Value;

use super::answer::Members;
use crate::sms::msisdn::Msisdn;

/// The canonical form of a number, or the text if it is none: our own API says so then.
pub fn canonical(number: &str) -> String {
    Msisdn::parse(number).map_or_else(|_| number.to_owned(), Msisdn::to_e164)
}

/// The recipients of a send, one for each number that the request names. A number that it names twice is one recipient.
pub fn in_order<'a>(sent: &'a Value, numbers: &[impl AsRef<str>]) -> Vec<&'a Value> {
    let by_number: BTreeMap<&str, &Value> = sent
        .list("recipients")
        .iter()
        .map(|recipient| (recipient.text("recipient"), recipient))
        .collect();
    let known = numbers
        .iter()
        .filter_map(|number| by_number.get(canonical(number.as_ref()).as_str()));
    known.copied().collect()
}
