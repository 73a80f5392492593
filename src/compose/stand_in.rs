//! Stand-ins for the members of phonebooks, in messages of test keys. A test key sends to a phonebook and reads what it has sent, but
//! reads nothing of whom the phonebook has.
//!
//! A stand-in's number begins like the member's, so that it has its route and its price. Its values are as long as the member's and
//! have the same encoding, so that its text has the same parts.

use sms::msisdn::Msisdn;
use sms::text::{self, Encoding};

use crate::directory::phonebook::audience::Member;

/// The digits at the end of a number that the place of the member replaces: a message has fewer recipients than they count.
const REPLACED: u64 = 100_000;

/// A stand-in for each member, in their order. So many members had one before them.
pub fn stand_ins(members: Vec<Member>, before: u64) -> Vec<Member> {
    let stand_in = |(member, place): (Member, u64)| Member {
        number: number(member.number, place),
        values: member.values.iter().map(|value| hidden(value)).collect(),
    };
    members.into_iter().zip(before..).map(stand_in).collect()
}

/// Stand-ins with these numbers, which they have had before. Each has the values of one of these members.
pub fn stand_ins_again(numbers: &[u64], members: &[Member]) -> Vec<Member> {
    let again = numbers.iter().filter_map(|number| Msisdn::from_digits(*number));
    let again = again.zip(members.iter().cycle()).map(|(number, member)| Member {
        number,
        values: member.values.iter().map(|value| hidden(value)).collect(),
    });
    again.collect()
}

/// The number that stands for the one of the member at this place.
fn number(number: Msisdn, place: u64) -> Msisdn {
    let digits = number.get();
    // It has as many digits and the same country, so it is a number too.
    Msisdn::from_digits(digits - digits % REPLACED + place % REPLACED).unwrap_or(number)
}

/// A value with other letters and digits. What is neither stays.
fn hidden(value: &str) -> String {
    value.chars().map(hidden_char).collect()
}

fn hidden_char(char: char) -> char {
    let of = |char: char| text::segment(char.encode_utf8(&mut [0; 4])).encoding;
    match char {
        _ if !char.is_alphanumeric() => char,
        _ if char.is_ascii_digit() => '0',
        '۰'..='۹' => '۰',
        '٠'..='٩' => '٠',
        _ if of(char) == Encoding::Gsm7 => 'x',
        // It takes two units, as letters of such scripts do.
        _ if char.len_utf16() > 1 => '\u{1D4CD}',
        _ => 'م',
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_stand_in_has_the_length_and_the_encoding_of_the_value_and_none_of_its_letters(value in "\\PC{0,200}") {
            let hidden = hidden(&value);
            prop_assert_eq!(text::segment(&hidden), text::segment(&value));
            let stand_in = ['0', '۰', '٠', 'x', 'م', '\u{1D4CD}'];
            prop_assert!(hidden.chars().all(|char| !char.is_alphanumeric() || stand_in.contains(&char)));
        }

        #[test]
        fn each_member_has_a_number_of_its_own_that_begins_like_its_own(
            numbers in proptest::collection::btree_set(989_100_000_000_u64..989_399_999_999, 1..300),
        ) {
            let member = |number: &u64| Member { number: Msisdn::from_digits(*number).unwrap(), values: Vec::new() };
            let members: Vec<Member> = numbers.iter().map(member).collect();
            let stood_for = stand_ins(members.clone(), 0);
            for (member, stand_in) in members.iter().zip(&stood_for) {
                prop_assert_eq!(stand_in.number.get() / REPLACED, member.number.get() / REPLACED);
            }
            let distinct: BTreeSet<u64> = stood_for.iter().map(|member| member.number.get()).collect();
            prop_assert_eq!(distinct.len(), members.len());
        }
    }
}
