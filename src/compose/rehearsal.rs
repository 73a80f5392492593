//! Rehearsals: with a test key, the end of a recipient's number says as which error the send fails, so that a program can be tried
//! against what a live key may meet.
//!
//! Each error stands where the real one is decided, so that the same order decides between them and between what is really
//! wrong: [`at_once`] before anything is looked up, [`is_barred`] with the prices, and the [`refusals`] in the account's object.

use std::collections::BTreeMap;

use sms::msisdn::Msisdn;

use super::request::{NamedAt, NamedNumber, SendRequest};
use crate::account::record::message::delivery_error::DeliveryError;
use crate::account::refusal::Refusal;
use crate::base::time::{DAY_MS, seconds_until};
use crate::problem::{
    Kind, Problem,
    kind::{
        DAILY_LIMIT_REACHED, DESTINATION_NOT_ALLOWED, INSUFFICIENT_BALANCE, RECIPIENT_BLACKLISTED, RECIPIENT_LIMIT,
        SEND_NOT_ALLOWED, TOO_MANY_REQUESTS, UNAVAILABLE, USER_INACTIVE,
    },
};

/// The errors that can be rehearsed, in the order in which the API answers them.
pub const REHEARSED: [Kind; 9] = [
    TOO_MANY_REQUESTS,
    UNAVAILABLE,
    DESTINATION_NOT_ALLOWED,
    USER_INACTIVE,
    SEND_NOT_ALLOWED,
    RECIPIENT_BLACKLISTED,
    RECIPIENT_LIMIT,
    DAILY_LIMIT_REACHED,
    INSUFFICIENT_BALANCE,
];

/// So many last digits of a number count: a nine, and the four of the code.
const DIGITS: u64 = 100_000;
/// What a rehearsed limit tells to wait, s.
const WAIT_S: u32 = 1;

/// How a number ends that rehearses an error.
pub fn last_digits(kind: Kind) -> u64 {
    90_000 + u64::from(kind.code)
}

fn rehearsed_by(number: Msisdn) -> Option<Kind> {
    let own = number.get() % DIGITS;
    REHEARSED.into_iter().find(|kind| last_digits(*kind) == own)
}

/// The error that the send of a test key meets before anything is looked up.
pub fn at_once(request: &SendRequest) -> Option<Problem> {
    let numbers = request.order.named_numbers();
    let rehearsed: Vec<Kind> = numbers.filter_map(|named| rehearsed_by(named.number)).collect();
    if rehearsed.contains(&TOO_MANY_REQUESTS) {
        Some(Problem::TooManyRequests { retry_after_s: WAIT_S })
    } else if rehearsed.contains(&UNAVAILABLE) {
        Some(Problem::Unavailable(String::new()))
    } else {
        None
    }
}

/// Whether a test key can't send to this number. Those of phonebooks have stand-ins, whose ends count them.
pub fn is_barred(named: &NamedNumber) -> bool {
    let is_of_phonebook = matches!(named.named_at, NamedAt::Phonebook(_));
    !is_of_phonebook && rehearsed_by(named.number) == Some(DESTINATION_NOT_ALLOWED)
}

/// The refusals of the account's object that a message of a test key is to meet, whose recipients are all but the skipped ones. `price`
/// is what a live key would pay.
pub fn refusals(
    request: &SendRequest,
    skipped: &BTreeMap<u64, DeliveryError>,
    price: i64,
    now_ms: i64,
) -> Vec<Refusal> {
    let numbers = request.order.named_numbers().map(|named| named.number);
    let numbers = numbers.filter(|number| !skipped.contains_key(&number.get()));
    let rehearsed: Vec<(Kind, u64)> = numbers
        .filter_map(|number| Some((rehearsed_by(number)?, number.get())))
        .collect();
    let refusal = |kind: Kind| {
        let own = rehearsed.iter().filter(|(rehearsed, _)| *rehearsed == kind);
        let numbers: Vec<u64> = own.map(|(_, number)| *number).collect();
        (!numbers.is_empty()).then(|| refused(kind, numbers, price, now_ms))?
    };
    REHEARSED.into_iter().filter_map(refusal).collect()
}

/// The object's refusal that is answered with this error; `None`: the object has none.
fn refused(kind: Kind, numbers: Vec<u64>, price: i64, now_ms: i64) -> Option<Refusal> {
    match kind {
        USER_INACTIVE => Some(Refusal::Inactive),
        SEND_NOT_ALLOWED => Some(Refusal::SendingOff(false)),
        RECIPIENT_BLACKLISTED => Some(Refusal::Blacklisted(numbers)),
        RECIPIENT_LIMIT => Some(Refusal::RecipientLimit {
            recipients: numbers,
            retry_after_s: WAIT_S,
        }),
        DAILY_LIMIT_REACHED => Some(Refusal::DailyLimit {
            limit: price,
            spent: price,
            cost: price,
            of_key: false,
            retry_after_s: seconds_until((now_ms.div_euclid(DAY_MS) + 1) * DAY_MS, now_ms),
        }),
        INSUFFICIENT_BALANCE => Some(Refusal::InsufficientBalance {
            cost: price,
            available: 0,
        }),
        _ => None,
    }
}
